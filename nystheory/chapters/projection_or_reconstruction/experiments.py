"""A row rebuilt four ways, who wins where, and when columns are enough.

Figures 2.2, 2.3 and 2.4 of A. Talwalkar, "Matrix Approximation for Large-scale
Learning", PhD thesis, New York University, 2010, on data that need no download.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nystheory import kernels, lowrank, sampling
from nystheory.engine.findings.experiments import Sweep, one_thread

METHODS = {
    "Nyström": lowrank.nystrom,
    "Column-sampling": lowrank.column_sampling,
    "Orthonormal Nyström": lowrank.orthonormal_nystrom,
}
MEASURES = {
    "projection": "matrix_projection",
    "reconstruction": "spectral_reconstruction",
}
ALL = tuple(f"{method} {measure}" for measure in MEASURES for method in METHODS)
RECONSTRUCTIONS = ("Nyström reconstruction", "Column-sampling reconstruction")


# ---- relative accuracy over a range of l or of k ----


def accuracies(
    K, landmarks, best: lowrank.LowRank, asked: Sequence[str] = ALL
) -> list[float]:
    """Relative accuracy (2.24) of several approximations from the same columns.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    landmarks : Landmarks or sequence of int, length l
    best : LowRank
        ``best_rank_k(K, k)``; the rank of the approximations is its k.
    asked : sequence of str
        Names, as in `ALL`.

    Returns
    -------
    list of float

    Examples
    --------
    >>> K = np.diag([3.0, 1.0])
    >>> found = accuracies(K, [0], lowrank.best_rank_k(K, 1), RECONSTRUCTIONS)
    >>> [round(accuracy, 3) for accuracy in found]
    [1.0, 0.627]
    """
    names = [name.rsplit(" ", 1) for name in asked]
    rank = best.rank_requested
    made = {method: METHODS[method](K, landmarks, rank) for method, _ in names}
    return [
        made[method].relative_accuracy(K, MEASURES[measure], best)
        for method, measure in names
    ]


@one_thread
def over_landmarks(
    K, rank: int, counts: Sequence[int], draws: int, seed: int = 0
) -> Sweep:
    """Relative accuracies at a fixed rank for several numbers of landmarks.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    rank : int
        The rank k.
    counts : sequence of int
        The numbers of landmarks l, each at least k.
    draws : int
        Independent uniform samples for each l, without replacement.
    seed : int

    Returns
    -------
    Sweep
        Of all methods under both measures.

    Examples
    --------
    >>> sweep = over_landmarks(np.diag([3.0, 2.0, 1.0]), 1, [1, 3], draws=4)
    >>> sweep.accuracy["Nyström projection"].shape
    (2, 4)
    """
    best = lowrank.best_rank_k(K, rank)
    rng = np.random.default_rng(seed)
    found = [
        [accuracies(K, sampling.uniform(K, count, rng), best) for _ in range(draws)]
        for count in counts
    ]
    return Sweep(tuple(counts), _by_name(found, ALL))


def _by_name(found, asked):
    """Settings x draws x asked, as one array (settings, draws) for each name."""
    return dict(zip(asked, np.moveaxis(np.array(found), 2, 0), strict=True))


# ---- how many columns are enough ----


def columns_needed(
    K, order: Sequence[int], best: lowrank.LowRank, target: float = 0.75
) -> int:
    """The fewest columns from which the Nyström reconstruction reaches an accuracy.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    order : sequence of int, length n
        The columns in the order in which they are taken.
    best : LowRank
        ``best_rank_k(K, k)``; the rank of the approximation is its k.
    target : float
        The relative accuracy (2.24), below 1.

    Returns
    -------
    int
        From k to n, on a grid with steps of five percent, found by bisection: exact
        to one step where the accuracy grows with the columns.

    Examples
    --------
    >>> K = np.diag([3.0, 2.0, 1.0])
    >>> columns_needed(K, [2, 1, 0], lowrank.best_rank_k(K, 1))
    3
    """
    n, rank = len(order), best.rank_requested
    steps = np.arange(int(np.log(n / rank) / np.log(1.05)) + 2)
    grid = np.unique(np.minimum(n, np.ceil(rank * 1.05**steps).astype(int)))
    low, high = -1, len(grid) - 1  # all columns are enough
    while high - low > 1:
        middle = (low + high) // 2
        approximation = lowrank.nystrom(K, order[: grid[middle]], rank)
        if approximation.relative_accuracy(K, best=best) >= target:
            high = middle
        else:
            low = middle
    return int(grid[high])


# ---- exact recovery ----


@one_thread
def recovery_share(X, counts: Sequence[int], draws: int, seed: int = 0) -> np.ndarray:
    """How often random columns determine the linear kernel matrix of points.

    Parameters
    ----------
    X : array_like (n, d)
        Points as rows; the matrix is ``X X^T``.
    counts : sequence of int
        Numbers of landmarks.
    draws : int
        Random samples for each number.
    seed : int

    Returns
    -------
    ndarray (counts,)
        Share of the samples with ``rank W = rank K``.  Both ranks are counted on
        the points, whose singular values are the roots of the eigenvalues of K and
        of W, so that rounding does not hide them.

    Examples
    --------
    >>> recovery_share(np.eye(3), [2, 3], draws=5).tolist()
    [0.0, 1.0]
    """
    X, rng = np.asarray(X, dtype=float), np.random.default_rng(seed)
    full = np.linalg.matrix_rank(X)
    shares = []
    for count in counts:
        samples = [rng.choice(len(X), count, replace=False) for _ in range(draws)]
        ranks = [np.linalg.matrix_rank(X[sample]) for sample in samples]
        shares.append(np.mean(np.array(ranks) == full))
    return np.array(shares)


def chance_nothing_is_dark(X, share: Sequence[float]) -> np.ndarray:
    """How likely it is that a sample lights every feature at least once.

    Parameters
    ----------
    X : array_like (n, d)
        Points as rows; features that are zero everywhere do not count.
    share : array_like (m,)
        The share l/n of the points in the sample.

    Returns
    -------
    ndarray (m,)
        ``prod_j (1 - (1 - share)^(c_j))`` over the features j, which are not zero
        in c_j points, as if points and features were drawn independently.

    Examples
    --------
    >>> chance_nothing_is_dark([[1, 0], [1, 2]], [0.5]).tolist()
    [0.375]
    """
    counts = (np.asarray(X) != 0).sum(axis=0)
    dark = (1 - np.asarray(share, dtype=float)[:, None]) ** counts[counts > 0]
    return (1 - dark).prod(axis=1)


# ---- pictures ----


@dataclass(frozen=True, eq=False)
class OneRow:
    """One row of a kernel matrix and what each method makes of it.

    Attributes
    ----------
    place : ndarray (n,)
        Where the points lie.
    row : ndarray (n,)
        The row of K.
    landmarks : ndarray (l,)
    rebuilt : dict of str to ndarray (n,)
        The row of the approximation, by name as in `ALL`.
    """

    place: np.ndarray
    row: np.ndarray
    landmarks: np.ndarray
    rebuilt: dict[str, np.ndarray]


def one_row(n: int = 120, n_landmarks: int = 3, seed: int = 2) -> OneRow:
    """A row of a Gaussian kernel matrix on the line, rebuilt in four ways.

    Parameters
    ----------
    n : int
        Points, evenly spaced from 0 to 1.
    n_landmarks : int
    seed : int

    Returns
    -------
    OneRow
        Of the point of the middle half that is farthest from all landmarks.

    Examples
    --------
    >>> seen = one_row()
    >>> error = seen.row - seen.rebuilt["Nyström reconstruction"]
    >>> bool(np.abs(error[seen.landmarks]).max() < 1e-12)
    True
    """
    place = np.linspace(0, 1, n)
    K = kernels.DenseKernel(kernels.rbf(place[:, None], gamma=8.0).dense())
    landmarks = sampling.uniform(K, n_landmarks, np.random.default_rng(seed)).indices
    middle = np.arange(n // 4, n - n // 4)
    away = np.abs(np.subtract.outer(middle, landmarks)).min(axis=1)
    chosen = int(middle[np.argmax(away)])
    rebuilt = {}
    for method in ("Nyström", "Column-sampling"):
        made = METHODS[method](K, landmarks)
        rebuilt[f"{method} projection"] = made.matrix_projection(K)[chosen]
        rebuilt[f"{method} reconstruction"] = made.spectral_reconstruction()[chosen]
    return OneRow(place, K[[chosen], :][0], landmarks, rebuilt)


# ---- what the exercises break ----


def over_optimal(K: np.ndarray, landmarks: Sequence[int]) -> float:
    """Error of the Nyström approximation over that of the optimal reconstruction.

    Examples
    --------
    >>> round(over_optimal(np.array([[1.0, 1.0], [1.0, 2.0]]), [0]), 3)
    1.155
    """
    methods = lowrank.nystrom, lowrank.optimal_reconstruction
    nystrom, optimal = (method(K, landmarks).error(K) for method in methods)
    return float(nystrom / optimal)


def projection_errors(K: np.ndarray, landmarks: Sequence[int], rank: int) -> list:
    """Errors of the projections by Nyström and by Column-sampling vectors.

    Examples
    --------
    >>> projection_errors(np.diag([2.0, 1.0, 0.0]), [0, 1], 1)
    [1.20..., 1.0]
    """
    methods = lowrank.nystrom, lowrank.column_sampling
    made = [method(K, landmarks, rank) for method in methods]
    return [float(each.error(K, of="matrix_projection")) for each in made]
