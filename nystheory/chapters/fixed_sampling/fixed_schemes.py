"""Columns from a fixed distribution, with and without replacement.

Figures 4.1 and 4.2 of A. Talwalkar, "Matrix Approximation for Large-scale Learning",
PhD thesis, New York University, 2010, on data that need no download.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nystheory import datasets, kernels, lowrank, sampling, style
from nystheory.chapters.fixed_sampling.drawing import swapped
from nystheory.engine.findings.experiments import Sweep, filled_up, one_thread, reading
from nystheory.engine.trial.statistics import Interval, mean_interval

PLAIN, UNIFORM = "uniform", "uniform+rep"
DIAGONAL, COLUMN_NORM = "diagonal+rep", "column-norm+rep"
NAMES = (PLAIN, UNIFORM, DIAGONAL, COLUMN_NORM)

# Each limit of an interval is wrong with this probability.
LEVEL = 1e-3

# The tables as printed, in percent: mean and standard deviation of 10 runs.
PRINTED_SCHEMES = {
    5: {
        "PIE-2.7K": ((38.8, 1.5), (38.3, 0.9), (37.0, 0.9)),
        "PIE-7K": ((55.8, 1.1), (46.4, 1.7), (54.2, 0.9)),
        "MNIST": ((47.4, 0.8), (46.9, 0.7), (45.6, 1.0)),
        "ESS": ((45.1, 2.3), None, (41.0, 2.2)),
        "ABN": ((47.3, 3.9), None, (44.2, 1.2)),
    },
    20: {
        "PIE-2.7K": ((72.3, 0.9), (65.0, 0.9), (63.4, 1.4)),
        "PIE-7K": ((83.5, 1.1), (69.8, 2.2), (79.9, 1.6)),
        "MNIST": ((80.8, 0.5), (79.4, 0.5), (78.1, 0.5)),
        "ESS": ((80.1, 0.7), None, (75.5, 1.1)),
        "ABN": ((77.1, 3.0), None, (66.3, 4.0)),
    },
}
PRINTED_GAINS = {
    "PIE-2.7K": ((0.8, 0.6), (1.7, 0.3), (2.3, 0.9), (4.4, 0.4)),
    "PIE-7K": ((0.7, 0.3), (1.5, 0.3), (2.1, 0.6), (3.2, 0.3)),
    "MNIST": ((1.0, 0.5), (1.9, 0.6), (2.3, 0.4), (3.4, 0.4)),
    "ESS": ((0.9, 0.9), (1.8, 0.9), (2.2, 0.6), (3.7, 0.7)),
    "ABN": ((0.7, 1.2), (1.3, 1.8), (2.6, 1.4), (4.5, 1.1)),
}
GAIN_PERCENTS = (5, 10, 15, 30)
# Our matrices, and the data set of the thesis that each is most like.
KIN = {"digits, linear": "MNIST", "patches, linear": "PIE-7K"}
KIN |= {"digits, RBF": "ABN", "patches, RBF": "ESS"}

# For 1000 points and rank 25: the largest multiple of 0.001 for which the 25 leading
# eigenvalues hold 90 percent of the trace.
GAMMAS = {"digits": 0.061, "patches": 0.048}


def matrices(n: int = 1000) -> dict[str, kernels.DenseKernel]:
    """Digits and patches of photographs, centred, with a linear and an RBF kernel.

    Parameters
    ----------
    n : int
        Number of points, at most 1797.

    Returns
    -------
    dict of str to DenseKernel

    Examples
    --------
    >>> list(matrices(20))
    ['digits, linear', 'digits, RBF', 'patches, linear', 'patches, RBF']
    """
    order = np.random.default_rng(0).permutation(len(datasets.digits().X))
    points = {
        "digits": datasets.digits().X[order[:n]],
        "patches": datasets.patches(n, 16).X,
    }
    found = {}
    for name, X in points.items():
        X = X - X.mean(axis=0)
        found[f"{name}, linear"] = kernels.DenseKernel(X @ X.T)
        rbf = kernels.rbf(X, GAMMAS[name])
        found[f"{name}, RBF"] = kernels.DenseKernel(rbf.dense())
    return found


def energy(best: lowrank.LowRank, K) -> float:
    """The share of the trace of K that its leading eigenvalues hold.

    Examples
    --------
    >>> K = kernels.DenseKernel(np.diag([3.0, 1.0]))
    >>> energy(lowrank.best_rank_k(K, 1), K)
    0.75
    """
    return float(best.eigenvalues.sum() / K.diagonal().sum())


# ---- accuracies, paired ----


@one_thread
def compare(
    K,
    rank: int,
    counts: Sequence[int],
    draws: int,
    seed: int = 0,
    truncate: str = "core",
    names: Sequence[str] = NAMES,
) -> Sweep:
    """Relative accuracy (2.24) of four ways to draw; each draw makes all together.

    Parameters
    ----------
    K : KernelMatrix (n, n)
    rank : int
        The rank k.
    counts : sequence of int
        The numbers of landmarks l, each at least k.
    draws : int
    seed : int
    truncate : {"core", "approximation"}
        As for `lowrank.nystrom`.
    names : sequence of str
        The ways to draw, `UNIFORM` among them.

    Returns
    -------
    Sweep
        By name, as in `NAMES`.

    Examples
    --------
    >>> K = kernels.DenseKernel(np.diag([3.0, 2.0, 1.0]))
    >>> sweep = compare(K, 1, [2, 3], draws=4)
    >>> sweep.accuracy[PLAIN][1].round(12).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    rng, measure = np.random.default_rng(seed), Accuracy(K, rank, truncate)
    schemes = {DIAGONAL: sampling.diagonal, COLUMN_NORM: sampling.column_norm}
    asked = [name for name in schemes if name in names]
    laws = {name: schemes[name](K, 1, rng).probabilities for name in asked}
    found = {name: np.empty((len(counts), draws)) for name in names}
    for row, count in enumerate(counts):
        for draw in range(draws):
            drawn = rng.integers(K.n, size=count)
            found[UNIFORM][row, draw] = common = measure(drawn)
            samples = {PLAIN: filled_up(drawn, K.n, rng)} if PLAIN in names else {}
            samples |= {name: swapped(drawn, p, rng) for name, p in laws.items()}
            for name, S in samples.items():
                same = np.array_equal(S, drawn)
                found[name][row, draw] = common if same else measure(S)
    return Sweep(tuple(counts), found)


class Accuracy:
    """Relative accuracy of many Nyström approximations of one matrix.

    The squared error is ``|K|^2 - 2 <KF, F> + |F'F|^2``, which stores nothing of
    size n^2; good to about eps |K|^2, far below the errors of low rank met here.

    Parameters
    ----------
    K : KernelMatrix (n, n)
    rank : int
    truncate : {"core", "approximation"}
        As for `lowrank.nystrom`.

    Examples
    --------
    >>> K = kernels.DenseKernel(np.diag([3.0, 1.0]))
    >>> round(Accuracy(K, 1)([1]), 12) == round(1 / 3, 12)
    True
    """

    def __init__(self, K, rank: int, truncate: str = "core"):
        self.K, self.rank, self.truncate = K, rank, truncate
        self.best = lowrank.best_rank_k(K, rank)
        self._least = self.best.error(K)
        self._square = float((K.dense() ** 2).sum())

    def __call__(self, S) -> float:
        return self.of(lowrank.nystrom(self.K, S, self.rank, self.truncate).factor)

    def of(self, F: np.ndarray) -> float:
        """The relative accuracy of ``F F'``, F (n, k)."""
        fit = float(((self.K @ F) * F).sum())
        square = self._square - 2 * fit + float(((F.T @ F) ** 2).sum())
        return self._least / float(np.sqrt(square))


def means(accuracy) -> list[Interval]:
    """The mean of each row, with limits of level `LEVEL`.

    Examples
    --------
    >>> [float(i.estimate) for i in means([[0.25, 0.75]])]
    [0.5]
    """
    return [mean_interval(values, LEVEL) for values in accuracy]


def against_uniform(sweep: Sweep, name: str) -> list[Interval]:
    """Percent by which uniform sampling with replacement is ahead of a scheme.

    Examples
    --------
    >>> same = np.array([[0.5, 0.25]])
    >>> sweep = Sweep((1,), {UNIFORM: same, DIAGONAL: same - 0.25})
    >>> float(against_uniform(sweep, DIAGONAL)[0].estimate)
    25.0
    """
    return means(100 * (sweep.accuracy[UNIFORM] - sweep.accuracy[name]))


def gain(sweep: Sweep) -> list[Interval]:
    """Percent that drawing without replacement adds.

    Examples
    --------
    >>> sweep = Sweep((1,), {UNIFORM: np.zeros((1, 2)), PLAIN: np.ones((1, 2)) / 8})
    >>> float(gain(sweep)[0].estimate)
    12.5
    """
    ahead = against_uniform(sweep, PLAIN)
    return [Interval(-i.estimate, -i.high, -i.low, i.method) for i in ahead]


# ---- tables ----


def mean_and_sd(values) -> str:
    """Mean and standard deviation in percent, as the thesis prints them.

    Examples
    --------
    >>> mean_and_sd([0.5, 0.6])
    '55.0 (± 7.1)'
    """
    values = 100 * np.asarray(values)
    return f"{values.mean():.1f} (± {values.std(ddof=1):.1f})"


def _printed(pair):
    return "-" if pair is None else f"{pair[0]:.1f} (± {pair[1]:.1f})"


def scheme_table(sweeps: Mapping[str, Sweep], n: int) -> style.Table:
    """Figure 4.1(b): three schemes at 5 and 20 percent, printed and ours if we ran it.

    Examples
    --------
    >>> scheme_table({}, 100).rows[0]
    ('5%', 'MNIST (thesis)', '47.4 (± 0.8)', '46.9 (± 0.7)', '45.6 (± 1.0)')
    """
    rows = []
    for percent, printed in PRINTED_SCHEMES.items():
        for name, other in KIN.items():
            cells = map(_printed, printed[other])
            rows.append((f"{percent}%", f"{other} (thesis)", *cells))
            count = percent * n // 100
            if name in sweeps and count in sweeps[name].settings:
                sweep = sweeps[name]
                at = sweep.settings.index(count)
                same = "RBF" in name
                cells = [
                    "-"
                    if same and s == DIAGONAL
                    else mean_and_sd(sweep.accuracy[s][at])
                    for s in NAMES[1:]
                ]
                rows.append((f"{percent}%", name, *cells))
    return style.Table(("$l/n$", "matrix", *NAMES[1:]), rows)


def gain_table(sweeps: Mapping[str, Sweep], n: int) -> style.Table:
    """Figure 4.2(b): the gain without replacement, printed and ours if we ran it.

    Examples
    --------
    >>> gain_table({}, 100).rows[0][:2]
    ('MNIST (thesis)', '1.0 (± 0.5)')
    """
    rows = []
    for name, other in KIN.items():
        rows.append((f"{other} (thesis)", *map(_printed, PRINTED_GAINS[other])))
        if name in sweeps:
            sweep = sweeps[name]
            better = sweep.accuracy[PLAIN] - sweep.accuracy[UNIFORM]
            ours = dict(zip(sweep.settings, map(mean_and_sd, better), strict=True))
            cells = [ours.get(p * n // 100, "-") for p in GAIN_PERCENTS]
            rows.append((name, *cells))
    return style.Table(("matrix", *(f"{p} %" for p in GAIN_PERCENTS)), rows)


def claims_table(sweeps: Mapping[str, Sweep]) -> style.Table:
    """What the sweeps say of three claims: settings, and means in percent.

    Examples
    --------
    >>> half = np.full((1, 3), 0.5)
    >>> sweep = Sweep((1,), dict.fromkeys(NAMES, half))
    >>> claims_table({"digits, RBF": sweep}).rows[0]
    ('uniform is ahead of diagonal', 'the same')
    """
    claims = {
        "uniform is ahead of diagonal": lambda s: against_uniform(s, DIAGONAL),
        "uniform is ahead of column-norm": lambda s: against_uniform(s, COLUMN_NORM),
        "without replacement is ahead of with": gain,
    }
    rows = []
    for says, of in claims.items():
        found = [of(sweep) for sweep in sweeps.values()]
        same = [all(i.low == i.high == 0 for i in row) for row in found]
        cells = [
            "the same" if s else reading(r) for s, r in zip(same, found, strict=True)
        ]
        rows.append((says, *cells))
    caption = "Settings beyond the limits, and the range of the means in percent."
    return style.Table(("claim", *sweeps), rows, caption)
