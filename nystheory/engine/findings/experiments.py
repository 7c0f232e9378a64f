"""What the experiments of several chapters share: matrices, sweeps, paired samples."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from nystheory import datasets, kernels, style
from nystheory.engine.trial.statistics import Interval, mean_interval

# Colour and marker of each matrix in the figures.
STYLES = {
    "digits, linear": ("blue", "o"),
    "digits, RBF": ("orange", "s"),
    "patches, linear": ("green", "^"),
    "documents, linear": ("purple", "D"),
    "abalone, RBF": ("sky", "v"),
    "MNIST, linear": ("grey", "P"),
}


def four_matrices(n: int) -> dict[str, kernels.DenseKernel]:
    """The four kernel matrices of the comparison, each of size n.

    Digits with a linear and a Gaussian kernel, patches of 16 x 16 pixels of two
    photographs, and generated documents, whose spectrum decays slowly.

    Parameters
    ----------
    n : int
        Number of points, at most 1797, the size of the digits.

    Returns
    -------
    dict of str to DenseKernel
        Stored, since each is used many times: n^2 words each.

    Examples
    --------
    >>> list(four_matrices(20))
    ['digits, linear', 'digits, RBF', 'patches, linear', 'documents, linear']
    """
    digits = datasets.digits().X[_order(n)]
    documents = datasets.documents(n, 5000, np.random.default_rng(1))
    lazy = {
        "digits, linear": kernels.linear(digits),
        "digits, RBF": kernels.rbf(digits),
        "patches, linear": kernels.linear(datasets.patches(n, 16).X),
        "documents, linear": kernels.linear(documents.X),
    }
    return {name: kernels.DenseKernel(K.dense()) for name, K in lazy.items()}


def _order(n):
    """The digits come writer by writer; a smaller set should be like a larger one."""
    return np.random.default_rng(0).permutation(len(datasets.digits().X))[:n]


def digits_kernel(n: int, gamma: float | None = None) -> kernels.DenseKernel:
    """The Gaussian kernel of n of the digits, in the order of `four_matrices`.

    Parameters
    ----------
    n : int
        Number of points, at most 1797.
    gamma : float, optional
        As in `kernels.rbf`.

    Examples
    --------
    >>> digits_kernel(5).shape
    (5, 5)
    """
    X = datasets.digits().X[_order(n)]
    return kernels.DenseKernel(kernels.rbf(X, gamma).dense())


def digits_signal(n: int) -> np.ndarray:
    """The digit itself for each point of `digits_kernel`, less the mean.

    Examples
    --------
    >>> bool(abs(digits_signal(9).sum()) < 1e-9), digits_signal(9).shape
    (True, (9,))
    """
    signal = datasets.digits().y[_order(n)].astype(float)
    return signal - signal.mean()


def matrices_from_folder(n: int) -> dict[str, kernels.DenseKernel]:
    """Two matrices of the thesis, where `NYSTHEORY_DATA` names a folder with them.

    Parameters
    ----------
    n : int
        Number of points, at most 4177; chosen at random, always the same.

    Returns
    -------
    dict of str to DenseKernel
        Abalone with a Gaussian and MNIST with a linear kernel; empty when the
        variable is not set, as for the stored outputs of the book.

    Raises
    ------
    FileNotFoundError
        If the variable is set and the folder does not hold the files.

    Examples
    --------
    >>> sorted(matrices_from_folder(20)) in ([], ["MNIST, linear", "abalone, RBF"])
    True
    """
    if not os.environ.get("NYSTHEORY_DATA"):
        return {}
    found = {}
    for name, key in (("abalone", "abalone, RBF"), ("mnist-t10k", "MNIST, linear")):
        X = datasets.from_folder(name).X
        X = X[np.random.default_rng(0).permutation(len(X))[:n]]
        K = kernels.rbf(X / X.std(axis=0)) if "RBF" in key else kernels.linear(X)
        found[key] = kernels.DenseKernel(K.dense())
    return found


def uneven_clusters(sizes: Sequence[int] = (280, 80, 30, 10), seed: int = 0):
    """Four Gaussian clusters in the plane, the first much larger than the last.

    Parameters
    ----------
    sizes : sequence of int
        Points in each cluster.
    seed : int

    Returns
    -------
    ndarray (sum of sizes, 2)

    Examples
    --------
    >>> uneven_clusters().shape
    (400, 2)
    """
    rng = np.random.default_rng(seed)
    data = datasets.gaussian_clusters(len(sizes) * max(sizes), rng, len(sizes))
    parts = [data.X[data.y == c][:size] for c, size in enumerate(sizes)]
    return np.concatenate(parts)


# ---- paired accuracies ----

# Each limit of an interval is wrong with this probability.  The chapter reads about
# a hundred limits, so its report is right as a whole with about 90 percent.
LEVEL = 1e-3

# Two accuracies that differ by less are the same number, computed twice.
SAME = 1e-6

# Hundreds of products of matrices this small gain nothing from two threads, and lose
# much when other programs keep the threads waiting for each other.
one_thread = threadpool_limits.wrap(limits=1, user_api="blas")


@dataclass(frozen=True, eq=False)
class Sweep:
    """Relative accuracies over a range of settings.

    Attributes
    ----------
    settings : tuple of int
        The numbers of landmarks, or the ranks.
    accuracy : dict of str to ndarray (settings, draws)
        By name, as in `ALL`.  In the same draw all see the same landmarks, so that
        differences are paired.
    """

    settings: tuple[int, ...]
    accuracy: dict[str, np.ndarray]

    def difference(self, first: str, second: str) -> list[Interval]:
        """Mean of first minus second at each setting, with limits of level `LEVEL`."""
        paired = self.accuracy[first] - self.accuracy[second]
        return [mean_interval(values, LEVEL) for values in paired]


def reading(intervals: Iterable[Interval]) -> str:
    """At how many settings a difference is positive beyond its limits, in words.

    Settings at which the two are the same number are left out.

    Examples
    --------
    >>> reading([Interval(0.2, 0.1, 0.3, ""), Interval(0.1, -0.1, 0.3, "")])
    'yes at 1 of 2, open at 1 (0.100 to 0.200)'
    """
    seen = [i for i in intervals if max(abs(i.low), abs(i.high)) > SAME]
    yes, no = sum(i.low > 0 for i in seen), sum(i.high < 0 for i in seen)
    says = f"yes at {yes} of {len(seen)}"
    says += f", the opposite at {no}" if no else ""
    says += f", open at {len(seen) - yes - no}" if yes + no < len(seen) else ""
    means = [i.estimate for i in seen] or [0.0]
    return f"{says} ({min(means):.3f} to {max(means):.3f})"


Gaps = dict[str, list[Interval]]


def gaps(sweeps: Mapping[str, Sweep], first: str, second: str) -> Gaps:
    """How much more accurate the first is than the second, for each kernel.

    Parameters
    ----------
    sweeps : mapping of str to Sweep
    first, second : str
        Names, as in `ALL`.

    Returns
    -------
    dict of str to list of Interval

    Examples
    --------
    >>> sweep = Sweep((1, 2), {"a": np.full((2, 3), 0.75), "b": np.full((2, 3), 0.5)})
    >>> found = gaps({"digits, RBF": sweep}, "a", "b")
    >>> [interval.estimate for interval in found["digits, RBF"]]
    [0.25, 0.25]
    """
    return {name: sweep.difference(first, second) for name, sweep in sweeps.items()}


def turned(found: Gaps) -> Gaps:
    """The same differences, second minus first.

    Examples
    --------
    >>> turned({"digits, RBF": [Interval(-0.2, -0.3, -0.1, "Student")]})
    {'digits, RBF': [Interval(estimate=0.2, low=0.1, high=0.3, method='Student')]}
    """
    return {
        name: [Interval(-i.estimate, -i.high, -i.low, i.method) for i in intervals]
        for name, intervals in found.items()
    }


def claims_table(claims: Mapping[str, Gaps]) -> style.Table:
    """What the experiments say about each claim, kernel by kernel.

    Parameters
    ----------
    claims : mapping of str to dict of str to list of Interval
        In words, and the differences that should be positive.

    Returns
    -------
    Table

    Examples
    --------
    >>> claim = {"digits, RBF": [Interval(0.2, 0.1, 0.3, "")]}
    >>> claims_table({"better": claim}).rows
    [('better', 'yes at 1 of 1 (0.200 to 0.200)')]
    """
    names = list(next(iter(claims.values())))
    rows = [(says, *(reading(g[name]) for name in names)) for says, g in claims.items()]
    return style.Table(("claim", *names), rows)


# ---- samples that are drawn together ----


def filled_up(drawn: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """A sample without replacement that holds all columns of one with replacement.

    Parameters
    ----------
    drawn : ndarray (l,)
        Independent uniform draws from n columns, l at most n.
    n : int
    rng : numpy.random.Generator

    Returns
    -------
    ndarray (l,)
        Each repetition replaced by a uniform draw from the columns not yet there:
        a uniform sample of l different columns.

    Examples
    --------
    >>> S = filled_up(np.array([4, 4, 2]), 5, np.random.default_rng(0))
    >>> S[:2].tolist(), len(set(S.tolist()))
    ([4, 2], 3)
    """
    kept = drawn[np.sort(np.unique(drawn, return_index=True)[1])]
    rest = rng.permutation(np.setdiff1d(np.arange(n), kept))
    return np.concatenate([kept, rest[: len(drawn) - len(kept)]])
