"""What the experiments of the chapter draw and measure, draw by draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nystheory import datasets, kernels, sampling
from nystheory.chapters.fixed_sampling import crowds, leverage_scores
from nystheory.chapters.fixed_sampling.crowds import Crowd
from nystheory.chapters.fixed_sampling.drawing import swapped
from nystheory.chapters.fixed_sampling.fixed_schemes import GAMMAS, Accuracy
from nystheory.engine.findings.experiments import filled_up

# ---- matrices of which every draw is another one ----


def digits(size: int, rng, gamma: float | None = None) -> kernels.DenseKernel:
    """Some of the digits, centred, with a linear kernel or a Gaussian one."""
    return _matrix(datasets.digits().X, size, rng, gamma)


def photographs(
    size: int, rng, gamma: float | None = None, side: int = 16
) -> kernels.DenseKernel:
    """Some patches of two photographs, centred, with a linear or a Gaussian kernel."""
    return _matrix(datasets.patches(4000, side).X, size, rng, gamma)


def cells(size: int, rng) -> kernels.DenseKernel:
    """Some cell samples, with a Gaussian kernel."""
    X = _some(datasets.breast_cancer().X, size, rng)
    return kernels.DenseKernel(kernels.rbf(X).dense())


def documents(size: int, rng) -> kernels.DenseKernel:
    """Generated documents, with a linear kernel: a slowly decaying spectrum."""
    X = datasets.documents(size, 5000, rng).X
    return kernels.DenseKernel(kernels.linear(X).dense())


def _matrix(X, size, rng, gamma):
    X = _some(X, size, rng)
    if gamma is not None:
        return kernels.DenseKernel(kernels.rbf(X, gamma).dense())
    X = X - X.mean(axis=0)
    return kernels.DenseKernel(X @ X.T)


def _some(X, size, rng):
    return X[rng.permutation(len(X))[:size]]


def digits_rbf(size: int, rng) -> kernels.DenseKernel:
    """`digits` with the Gaussian kernel of the page."""
    return digits(size, rng, GAMMAS["digits"])


def photographs_rbf(size: int, rng) -> kernels.DenseKernel:
    """`photographs` with the Gaussian kernel of the page."""
    return photographs(size, rng, GAMMAS["patches"])


def small_photographs(size: int, rng) -> kernels.DenseKernel:
    """`photographs` in patches of a quarter of the size, with a linear kernel."""
    return photographs(size, rng, side=8)


@dataclass(frozen=True, eq=False)
class Crowded:
    """A crowd with its groups, and its kernel matrix.

    Attributes
    ----------
    K : DenseKernel (n, n)
    crowd : Crowd
    """

    K: kernels.DenseKernel
    crowd: Crowd


def crowd(size: int, rng, groups: int = 9, each: int = 10, gamma=0.5) -> Crowded:
    """A crowd in the middle of a circle of groups.

    Parameters
    ----------
    size : int
        Of all points.
    rng : numpy.random.Generator
    groups, each : int
        How many groups, and points in each.
    gamma : float

    Examples
    --------
    >>> some = crowd(100, np.random.default_rng(0))
    >>> some.K.n, np.bincount(some.crowd.group).tolist()
    (100, [10, 10, 10, 10, 10, 10, 10, 10, 10, 10])
    """
    seed = int(rng.integers(2**31))
    some = crowds.crowd_and_groups(size - groups * each, groups, each, seed)
    return Crowded(kernels.DenseKernel(kernels.rbf(some.X, gamma).dense()), some)


def crowd_matrix(size: int, rng) -> kernels.DenseKernel:
    """The kernel matrix of `crowd`."""
    return crowd(size, rng).K


def larger_groups(size: int, rng) -> Crowded:
    """The same with fifteen groups of twenty points."""
    return crowd(size, rng, 15, 20)


def narrow_crowd(size: int, rng) -> Crowded:
    """The same with a narrower kernel."""
    return crowd(size, rng, gamma=1.0)


def zeros_and_others(size: int, rng) -> Crowded:
    """Zeros among the digits, and five of each other digit, with a Gaussian kernel."""
    data = datasets.digits()
    order = rng.permutation(len(data.X))
    counts = [size - 9 * 5, *[5] * 9]
    picked = [order[data.y[order] == c][:count] for c, count in enumerate(counts)]
    chosen = np.concatenate(picked)
    X = data.X[chosen]
    return Crowded(
        kernels.DenseKernel(kernels.rbf(X).dense()),
        Crowd(X, data.y[chosen].astype(int)),
    )


# ---- four ways to draw, in pairs ----

PERCENTS = (5, 10, 15, 20, 30)
# Points for each rank; the first percentage; samples of each, and of the first.
PER_RANK, FEWEST, TWO, AGAIN = 40, 5, 2, 12
UNIFORM, WITH, DIAGONAL, NORM = "uniform", "with", "diagonal", "norm"


@dataclass(frozen=True, eq=False)
class Paired:
    """Samples of all ways to draw, which share as many columns as they can.

    Attributes
    ----------
    core, after : Accuracy
        The rank cut in the core, and after.
    samples : list of list of dict of str to ndarray
        For each percentage, some samples by each way to draw.
    few : list of dict of str to ndarray
        More of them with the fewest columns.
    """

    core: Accuracy
    after: Accuracy
    samples: list[list[dict[str, np.ndarray]]]
    few: list[dict[str, np.ndarray]]

    @classmethod
    def of(cls, K: kernels.DenseKernel, rng: np.random.Generator) -> Paired:
        """Draw them."""
        laws = {
            DIAGONAL: sampling.diagonal(K, 1, rng).probabilities,
            NORM: sampling.column_norm(K, 1, rng).probabilities,
        }
        along = [[_together(K.n, x, laws, rng) for _ in range(TWO)] for x in PERCENTS]
        few = [_together(K.n, FEWEST, laws, rng) for _ in range(AGAIN)]
        core = Accuracy(K, K.n // PER_RANK)
        return cls(core, core.cut("approximation"), along, few)


def _together(n, percent, laws, rng):
    """One sample of each way to draw."""
    drawn = rng.integers(n, size=percent * n // 100)
    found = {WITH: drawn, UNIFORM: filled_up(drawn, n, rng)}
    return found | {name: swapped(drawn, p, rng) for name, p in laws.items()}


def along_percents(trial) -> dict:
    """Percent of relative accuracy for each number of columns; means for the fewest."""
    given, name = trial.known, trial.run

    def mean(accuracy, samples):
        return 100 * float(np.mean([accuracy(each[name]) for each in samples]))

    return {
        "accuracy": [mean(given.core, samples) for samples in given.samples],
        "few": mean(given.core, given.few),
        "after": mean(given.after, given.few),
    }


# ---- schemes on crowds, and three ways to cut the rank ----

FEW, RANK, REPEATS = (20, 30, 40, 80), 10, 4
RECURSIVE = "recursive_rls"


@dataclass(frozen=True, eq=False)
class Judge:
    """A crowd, the laws on its columns, and who judges.

    Attributes
    ----------
    of : Crowded
    accuracy : Accuracy
        At rank `RANK`.
    """

    of: Crowded
    accuracy: Accuracy


def law(K, scheme: str, count: int) -> np.ndarray:
    """The probabilities of a scheme on the columns.

    Parameters
    ----------
    K : KernelMatrix (n, n)
    scheme : str
        Of the package, or ``shortest``: in proportion to ``1 / |K_{:i}|``.
    count : int
        Columns that are drawn; ridge leverage scores depend on them.

    Examples
    --------
    >>> law(kernels.DenseKernel(np.diag([1.0, 3.0])), "shortest", 1).tolist()
    [0.75, 0.25]
    """
    if scheme == "shortest":
        inverse = 1 / np.linalg.norm(K.dense(), axis=0)
        return inverse / inverse.sum()
    options = {"rank": RANK} if scheme == "leverage" else {}
    rng = np.random.default_rng(0)
    found = sampling.SCHEMES[scheme](K, count, rng, replace=True, **options)
    return found.probabilities


def _given(scheme, K, count, rng):
    """Probabilities, and the entries that were asked for where they are few."""
    if scheme != RECURSIVE:
        return law(K, scheme, count), 0
    drawn = sampling.recursive_rls(K, count, rng)
    return drawn.probabilities, drawn.entries_asked


def along_few(trial) -> dict:
    """Percent of relative accuracy, clusters and entries for each number of columns."""
    rows = [_of_columns(trial, count) for count in FEW]
    accuracy, clusters, entries = zip(*rows, strict=True)
    found = {"accuracy": accuracy, "clusters": clusters}
    return found | ({"entries": entries} if trial.run[0] == RECURSIVE else {})


def _of_columns(trial, count):
    """Means over some samples of one size, with replacement.

    Recursive RLS estimates its scores anew for each of them.
    """
    (scheme, cut), of = trial.run, trial.known.of
    rows, fixed = [], None
    for _ in range(REPEATS):
        if scheme == RECURSIVE or fixed is None:
            fixed = _given(scheme, of.K, count, trial.rng)
        p, asked = fixed
        S = trial.rng.choice(of.K.n, count, p=p)
        F = crowds.cut_factors(of.K, S, 1 / (count * p[S]), RANK)[cut]
        accuracy = 100 * trial.known.accuracy.of(F)
        rows.append((accuracy, of.crowd.seen(S), 100 * asked / of.K.n**2))
    return np.mean(rows, axis=0)


# ---- the constant of a theorem ----

CONSTANTS, TRIALS, DELTA = (0.25, 0.5, 1, 2, 4, 8, 16), 25, 0.1


@dataclass(frozen=True, eq=False)
class Dimensional:
    """Points, and the ridge for which they have an effective dimension.

    Attributes
    ----------
    X : ndarray (n, r)
    alpha : float
    """

    X: np.ndarray
    alpha: float


def centred_digits(size: int, rng) -> Dimensional:
    """Some digits, of effective dimension 5."""
    return _of_dimension(_some(datasets.digits().X, size, rng), 5)


def centred_cells(size: int, rng) -> Dimensional:
    """Some cell samples, of effective dimension 5."""
    return _of_dimension(_some(datasets.breast_cancer().X, size, rng), 5)


def crowd_features(size: int, rng) -> Dimensional:
    """Features of a crowd and its groups, of effective dimension 10."""
    X = leverage_scores.features(crowd(size, rng).K)
    return Dimensional(X, leverage_scores.ridge_of_dimension(X, 10))


def zero_features(size: int, rng) -> Dimensional:
    """Features of zeros and other digits, of effective dimension 10."""
    X = leverage_scores.features(zeros_and_others(size, rng).K)
    return Dimensional(X, leverage_scores.ridge_of_dimension(X, 10))


def _of_dimension(X, dimension):
    X = X - X.mean(axis=0)
    return Dimensional(X, leverage_scores.ridge_of_dimension(X, dimension))


def with_failures(drawn: Dimensional, rng):
    """Failures by ridge leverage, and by uniform samples of the same mean size."""
    seed = int(rng.integers(2**31))
    rules = DELTA, CONSTANTS, TRIALS, seed
    return leverage_scores.over_constants(drawn.X, drawn.alpha, *rules), None


def along_constants(trial) -> dict:
    """Percent of samples that fail, and mean numbers of columns."""
    found = trial.known[trial.run]
    return {"failures": 100 * found.failures, "columns": found.columns}


# ---- scores from few columns ----

# So many points for each column.
PER_COLUMN = 5


def of_scores(trial) -> dict:
    """The least and the largest ratio of estimated and exact score, and the price.

    Every scheme is allowed the same number of columns, of which BLESS may use fewer,
    has the same ridge, and is asked for the scores of all points.
    """
    K, seed = trial.known, int(trial.rng.integers(2**31))
    found = trial.run(K, K.n // PER_COLUMN, seed)
    low, high = found.ratio.min(), found.ratio.max()
    return {"least": low, "most": high, "entries": 100 * found.entries / K.n**2}


# ---- how a sample judges itself ----

PARTS, SAMPLES = (1, 2, 4, 10), 20


def along_parts(trial) -> dict:
    """How many samples know their error, for columns in percent of n."""
    K = trial.known
    counts = [part * K.n // 100 for part in PARTS]
    seed = int(trial.rng.integers(2**31))
    ratio = 1 / leverage_scores.self_test(K, counts, SAMPLES, seed).too_small
    return {
        "within": 100 * ((ratio > 0.5) & (ratio < 2)).mean(axis=1),
        "blind": 100 * (ratio < 0.1).mean(axis=1),
        "ratio": ratio.mean(axis=1),
    }
