"""Schemes side by side: how accurate they are, and at what price.

Accuracy, time and entries of K are those of tables 4.2 and 4.3 of A. Talwalkar, "Matrix
Approximation for Large-scale Learning", PhD thesis, New York University, 2010, on data
that need no download.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
import scipy.linalg

from nystheory import datasets, kernels, lowrank, sampling, style
from nystheory.engine.findings.experiments import Sweep, one_thread

# Schemes as tables and figures name them: those of Table 4.2, and what came after.
THESIS = {
    "uniform": "Uniform",
    "incomplete_cholesky": "ICL",
    "sgma": "SGMA",
    "adaptive_partial": "Adapt-Part",
    "kmeans": "$K$-means",
    "adaptive_full": "Adapt-Full",
}
LATER = {
    "farthest_point": "farthest point",
    "leverage": "leverage",
    "recursive_rls": "recursive RLS",
    "bless": "BLESS",
    "k_dpp": "$k$-DPP",
    "rp_cholesky": "RPCholesky",
}
ALL = THESIS | LATER
DETERMINISTIC = ("incomplete_cholesky", "farthest_point")
SHARE = 0.9
# Colour and marker of each scheme.
STYLES = {
    "uniform": ("black", "o"),
    "incomplete_cholesky": ("green", "s"),
    "sgma": ("orange", "D"),
    "adaptive_partial": ("vermilion", "^"),
    "kmeans": ("purple", "P"),
    "adaptive_full": ("blue", "v"),
    "farthest_point": ("sky", "X"),
    "leverage": ("grey", "<"),
    "recursive_rls": ("grey", "p"),
    "bless": ("grey", "h"),
    "k_dpp": ("blue", ">"),
    "rp_cholesky": ("vermilion", "*"),
}


def energy(K, rank: int) -> float:
    """The share of the trace that the leading eigenvalues hold.

    Parameters
    ----------
    K : KernelMatrix (n, n)
    rank : int

    Returns
    -------
    float
        Costs about n^3 operations.

    Examples
    --------
    >>> energy(kernels.DenseKernel(np.diag([3.0, 1.0])), rank=1)
    0.75
    """
    n = K.n
    last = [n - rank, n - 1]
    values = scipy.linalg.eigh(K.dense(), eigvals_only=True, subset_by_index=last)
    return float(values.sum() / K.diagonal().sum())


def largest_gamma(X, rank: int, share: float = 0.9, step: float = 0.01) -> float:
    """The largest gamma for which `rank` eigenvalues hold a share of the trace.

    Parameters
    ----------
    X : array_like (n, d)
    rank : int
    share : float
    step : float
        Gamma is a multiple of this, below 256 of them, found by bisection: the share
        falls as gamma grows.

    Returns
    -------
    float

    Examples
    --------
    >>> largest_gamma(np.arange(6.0)[:, None], rank=3)
    0.37
    """
    low, high = 0, 256
    while high - low > 1:
        middle = (low + high) // 2
        holds = energy(kernels.rbf(X, middle * step), rank) >= share
        low, high = (middle, high) if holds else (low, middle)
    return round(low * step, 10)


@dataclass(frozen=True, eq=False)
class SchemeComparison(Sweep):
    """Relative accuracy, time and entries of many schemes on one matrix.

    Attributes
    ----------
    settings : tuple of int
        The numbers of landmarks.
    accuracy, after, seconds, entries : dict of str to ndarray (settings, runs)
        By scheme.  Accuracy with the core truncated, as in the thesis; ``after``, with
        the approximation truncated; time and entries of scheme and approximation.
    """

    after: dict[str, np.ndarray]
    seconds: dict[str, np.ndarray]
    entries: dict[str, np.ndarray]

    def truncated_after(self) -> SchemeComparison:
        """The same, with ``after`` as its accuracy."""
        return replace(self, accuracy=self.after)


def matrices(n: int, rank: int) -> dict[str, kernels.PointKernel]:
    """Three kernel matrices of which `rank` eigenvalues hold 90 percent of the trace.

    Parameters
    ----------
    n : int
        Points, at most 1797.
    rank : int
        The rank k.

    Returns
    -------
    dict of str to PointKernel
        Digits with a linear kernel; digits with the narrowest Gaussian kernel that
        still holds its 90 percent; patches of 16 x 16 pixels with a linear kernel.

    Examples
    --------
    >>> [K.name for K in matrices(60, 20).values()]
    ['linear', 'RBF, gamma=0.08', 'linear']
    """
    order = np.random.default_rng(0).permutation(len(datasets.digits().X))
    digits = datasets.digits().X[order[:n]]
    gamma = largest_gamma(digits, rank, SHARE, step=1e-3)
    return {
        "digits, linear": kernels.linear(digits),
        "digits, RBF": kernels.rbf(digits, gamma),
        "patches, linear": kernels.linear(datasets.patches(n, 16).X),
    }


@one_thread
def compare(
    K: kernels.PointKernel,
    rank: int,
    counts: Sequence[int],
    runs: int,
    schemes: Sequence[str] = tuple(ALL),
) -> SchemeComparison:
    """Run schemes on one matrix, and approximate it from what each has chosen.

    Parameters
    ----------
    K : PointKernel (n, n)
        Stored for all schemes but k-means, which needs the points.
    rank : int
        The rank k of the approximation ``C W_k^+ C^T``, of leverage scores and, with
        the mean of the tail beyond it as ridge, of BLESS.
    counts : sequence of int
        The numbers of landmarks l, each at least k.
    runs : int
        The same seeds for all schemes; a deterministic scheme runs once.
    schemes : sequence of str
        Names, as in `ALL`.

    Returns
    -------
    SchemeComparison

    Examples
    --------
    >>> K = kernels.rbf(datasets.digits(40).X)
    >>> found = compare(K, 2, [4, 8], runs=3, schemes=["uniform", "sgma"])
    >>> found.accuracy["sgma"].shape, found.entries["uniform"][:, 0].tolist()
    ((2, 3), [160.0, 320.0])
    """
    dense = K.dense()
    stored = kernels.DenseKernel(dense)
    best = lowrank.best_rank_k(stored, rank)
    error, tail = best.error(stored), best.error(stored, "trace")
    options = {"leverage": {"rank": rank}, "bless": {"alpha": tail / rank}}
    found = {name: np.empty((4, len(counts), runs)) for name in schemes}
    for name, table in found.items():
        once = name in DETERMINISTIC
        for i, count in enumerate(counts):
            for run in range(1 if once else runs):
                rng = np.random.default_rng([run, count])
                # A kernel of its own: nobody finds what another has computed.
                source = K if name == "kmeans" else kernels.DenseKernel(dense)
                start, asked = perf_counter(), source.entries_asked
                extra = options.get(name, {})
                with warnings.catch_warnings():
                    # Where the rank of K is below l, a scheme ends early.
                    warnings.simplefilter("ignore", sampling.FewerLandmarks)
                    S = sampling.SCHEMES[name](source, count, rng, **extra)
                made = _approximation(source, S, rank, "core")
                seconds = perf_counter() - start
                asked = source.entries_asked - asked
                after = _approximation(source, S, rank, "approximation")
                shares = [error / each.error(stored) for each in (made, after)]
                table[:, i, run] = *shares, seconds, asked
            if once:
                table[:, i] = table[:, i, :1]
    parts = ({name: table[part] for name, table in found.items()} for part in range(4))
    return SchemeComparison(tuple(counts), *parts)


def _approximation(K, S, rank, truncate):
    """From the factor, where the scheme has left one; from columns of K otherwise."""
    rank = min(rank, len(S))
    if S.factor is not None:
        return lowrank.from_factor(S, rank, truncate)
    return lowrank.nystrom(K, S, rank, truncate)


def accuracy_table(found: Mapping[str, SchemeComparison]) -> style.Table:
    """Mean relative accuracy in percent of every scheme, as in Table 4.2.

    Parameters
    ----------
    found : mapping of str to SchemeComparison
        By kernel.

    Returns
    -------
    Table
        One line for each scheme, one column for each kernel; in a cell the means
        for the numbers of landmarks, and the largest of their standard deviations.

    Examples
    --------
    >>> K = kernels.rbf(datasets.digits(40).X)
    >>> accuracy_table({"digits": compare(K, 2, [4], runs=2, schemes=["sgma"])}).header
    ('scheme', 'digits')
    """

    def cell(values):
        means = ", ".join(f"{100 * mean:.0f}" for mean in values.mean(axis=1))
        spread = 100 * values.std(axis=1, ddof=1).max()
        return f"{means} ({spread:.0f})" if spread > 1e-9 else means

    return _table(found, "accuracy", cell)


def time_table(found: Mapping[str, SchemeComparison]) -> style.Table:
    """Median milliseconds of scheme and approximation together, as in Table 4.3.

    Parameters
    ----------
    found : mapping of str to SchemeComparison

    Returns
    -------
    Table

    Examples
    --------
    >>> K = kernels.rbf(datasets.digits(40).X)
    >>> time_table({"digits": compare(K, 2, [4], runs=2, schemes=["sgma"])}).rows[0][0]
    'SGMA'
    """

    def cell(values):
        return ", ".join(f"{1000 * middle:.1f}" for middle in np.median(values, axis=1))

    return _table(found, "seconds", cell)


def _table(found, part, cell):
    parts = [getattr(each, part) for each in found.values()]
    rows = [
        (
            ALL[scheme],
            *(cell(values[scheme]) for values in parts),
        )
        for scheme in parts[0]
    ]
    return style.Table(("scheme", *found), rows)


def winners(found: SchemeComparison, names: Sequence[str] = tuple(THESIS)) -> list[str]:
    """The scheme of highest mean accuracy at each setting.

    Parameters
    ----------
    found : SchemeComparison
    names : sequence of str
        Among which; those of Table 4.2 by default.

    Returns
    -------
    list of str

    Examples
    --------
    >>> K = kernels.rbf(datasets.digits(40).X)
    >>> winners(compare(K, 2, [4], runs=2, schemes=["uniform"]), ["uniform"])
    ['uniform']
    """
    means = np.array([found.accuracy[name].mean(axis=1) for name in names])
    return [names[i] for i in means.argmax(axis=0)]


def draw_entries(axes, found: SchemeComparison, n: int, names: Sequence[str]) -> None:
    """Draw accuracy against the entries of K asked for, in multiples of n^2.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets a logarithmic horizontal axis, and a line at n^2.
    found : SchemeComparison
    n : int
    names : sequence of str
        Schemes, as in `ALL`.

    Examples
    --------
    >>> K = kernels.rbf(datasets.digits(40).X)
    >>> figure, (axes,) = style.panels(1)
    >>> found = compare(K, 2, [4, 8], runs=2, schemes=["uniform"])
    >>> draw_entries(axes, found, 40, ["uniform"])
    """
    for name in names:
        colour, marker = STYLES[name]
        axes.plot(
            found.entries[name].mean(axis=1) / n**2,
            found.accuracy[name].mean(axis=1),
            marker=marker,
            color=style.COLOURS.get(colour, colour),
            label=ALL[name],
            linewidth=1.2,
        )
    axes.axvline(1, color="black", linewidth=1, linestyle=":")
    axes.set(xscale="log", xlabel="entries of $K$ asked for, over $n^2$")
    axes.set_xticks([0.05, 0.2, 1, 10], ["0.05", "0.2", "1", "10"])
    axes.minorticks_off()
