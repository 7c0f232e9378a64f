"""Semidefinite in three ways, what n x n costs, spectra, best rank k."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from time import perf_counter

import numpy as np
import scipy.linalg
from threadpoolctl import threadpool_limits

from nystheory import datasets, kernels, lowrank, sampling

# Landmarks of the method that the costs of n x n are compared with.
FEW = 100


# ---- a kernel matrix as a picture ----


def by_class(y: np.ndarray, count: int) -> np.ndarray:
    """The first `count` points of each class, class after class.

    Parameters
    ----------
    y : ndarray (n,)
        Labels.
    count : int
        Points to take of each class; fewer where a class has fewer.

    Returns
    -------
    ndarray of int

    Examples
    --------
    >>> by_class(np.array([1, 0, 1, 0, 1]), 2).tolist()
    [1, 3, 0, 2]
    """
    y = np.asarray(y)
    return np.concatenate(
        [np.flatnonzero(y == label)[:count] for label in np.unique(y)]
    )


# ---- semidefinite in three ways ----


def semidefinite_three_ways() -> np.ndarray:
    """Three tests on every symmetric 3 x 3 matrix with entries -1, 0 and 1.

    Returns
    -------
    ndarray (729, 3) of bool
        For each matrix: ``x' K x >= 0`` for every integer vector x with entries
        from -2 to 2; the package factors it as ``K = X' X``; no eigenvalue is
        negative.

    Notes
    -----
    The first column is exact, as all its numbers are integers; for these matrices
    the 125 vectors are enough.  The others round, at 1e-12.

    Examples
    --------
    >>> semidefinite_three_ways().sum(axis=0).tolist()
    [24, 24, 24]
    """
    vectors = np.array(list(product(range(-2, 3), repeat=3)))
    rows, columns = np.triu_indices(3)
    tests = []
    for entries in product((-1, 0, 1), repeat=6):
        K = np.zeros((3, 3), dtype=int)
        K[rows, columns] = K[columns, rows] = entries
        forms = np.einsum("ij,jk,ik->i", vectors, K, vectors)
        least = np.linalg.eigvalsh(K.astype(float))[0]
        tests.append((forms.min() >= 0, _factors(K), least >= -1e-12))
    return np.array(tests)


def _factors(K) -> bool:
    """Whether the Cholesky factorisation behind `as_kernel` succeeds."""
    try:
        kernels.as_kernel(K)
    except ValueError:
        return False
    return True


# ---- what n x n costs ----


@dataclass(frozen=True)
class Task:
    """Something one does with a kernel matrix, and how its costs grow.

    Attributes
    ----------
    name : str
    run : callable (KernelMatrix) -> ndarray
        Does it; returns the array that has to be kept.
    words : callable (n) -> int
        Numbers of eight bytes that are kept, counted.
    exponent : int
        The number of operations grows as n to this power.
    sizes : tuple of int
        Where it is measured.
    """

    name: str
    run: Callable
    words: Callable[[int], int]
    exponent: int
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class Cost:
    """What one run of a task cost.

    Attributes
    ----------
    n : int
    entries_asked : int
    kept : int
        Bytes of the array that is kept.
    seconds : float
        The faster of two runs.
    """

    n: int
    entries_asked: int
    kept: int
    seconds: float


def _all_entries(K):
    return K.dense()


def _eigenvectors(K):
    return scipy.linalg.eigh(K.dense(), overwrite_a=True)[1]


def _few_columns(K):
    landmarks = sampling.uniform(K, FEW, np.random.default_rng(0))
    return lowrank.nystrom(K, landmarks).factor


TASKS = (
    Task("all of $K$", _all_entries, lambda n: n * n, 2, (500, 1000, 2000, 4000)),
    Task(
        "eigenvectors of $K$", _eigenvectors, lambda n: n * n, 3, (200, 400, 800, 1600)
    ),
    Task(f"{FEW} columns", _few_columns, lambda n: FEW * n, 1, (1000, 10_000, 100_000)),
)


def measure_costs(
    tasks: Sequence[Task] = TASKS, largest: int | None = None
) -> dict[str, list[Cost]]:
    """Run tasks on the RBF kernel of image patches and note what they cost.

    Parameters
    ----------
    tasks : sequence of Task
    largest : int, optional
        Leave out larger sizes.

    Returns
    -------
    dict of str to list of Cost
        For each task by name, by increasing size.

    Notes
    -----
    About five seconds for all tasks, and 200 MB.

    Examples
    --------
    >>> costs = measure_costs(TASKS[:1], largest=500)
    >>> [(cost.n, cost.entries_asked, cost.kept) for cost in costs["all of $K$"]]
    [(500, 250000, 2000000)]
    """
    costs = {}
    for task in tasks:
        sizes = [n for n in task.sizes if largest is None or n <= largest]
        costs[task.name] = [_cost(task, n) for n in sizes]
    return costs


def _cost(task, n):
    X = datasets.patches(n).X
    seconds = []
    # One thread for linear algebra: two that wait for each other on a busy machine
    # measure the machine.
    with threadpool_limits(1, user_api="blas"):
        for _ in range(2):
            K = kernels.rbf(X)
            start = perf_counter()
            kept = task.run(K).nbytes
            seconds.append(perf_counter() - start)
    return Cost(n, K.entries_asked, kept, min(seconds))


def extrapolated_seconds(task: Task, costs: Sequence[Cost], n: int) -> float:
    """Time for n points: that of the largest size measured, times a power of n.

    Parameters
    ----------
    task : Task
    costs : sequence of Cost
        By increasing size.
    n : int

    Returns
    -------
    float

    Examples
    --------
    >>> extrapolated_seconds(TASKS[1], [Cost(1000, 0, 0, 0.2)], 10_000)
    200.0
    """
    last = costs[-1]
    return last.seconds * (n / last.n) ** task.exponent


def duration(seconds: float) -> str:
    """A time as one says it, in the largest unit of which there are two.

    Examples
    --------
    >>> [duration(t) for t in (0.0123, 2.345, 100, 86400 * 3)]
    ['12 milliseconds', '2.3 seconds', '100 seconds', '3 days']
    """
    units = (
        (365.25 * 86400, "years"),
        (86400, "days"),
        (3600, "hours"),
        (60, "minutes"),
    )
    for size, unit in units:
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    if seconds < 1:
        return f"{1000 * seconds:.0f} milliseconds"
    return f"{seconds:.1f} seconds" if seconds < 10 else f"{seconds:.0f} seconds"


# ---- spectra ----


def gallery() -> dict[str, kernels.PointKernel]:
    """The kernel matrices of the chapter, by name: points, comma, kernel.

    Returns
    -------
    dict of str to PointKernel

    Examples
    --------
    >>> [K.n for K in gallery().values()]
    [1797, 1797, 1800, 1800, 569, 442, 1800]
    """
    digits, patches = datasets.digits().X, datasets.patches(1800).X
    documents = datasets.documents(1800, 4000, np.random.default_rng(1)).X
    return {
        "digits, linear": kernels.linear(digits),
        "digits, RBF": kernels.rbf(digits),
        "patches, linear": kernels.linear(patches),
        "patches, RBF": kernels.rbf(patches),
        "breast cancer, RBF": kernels.rbf(datasets.breast_cancer().X),
        "diabetes, RBF": kernels.rbf(datasets.diabetes().X),
        "documents, linear": kernels.linear(documents),
    }


def holding(values: np.ndarray, share: float) -> int:
    """How many of the largest values hold a share of the sum of all.

    Parameters
    ----------
    values : ndarray (n,)
        Not negative, largest first.
    share : float
        Above 0, at most 1.

    Returns
    -------
    int

    Examples
    --------
    >>> holding(np.array([6.0, 3.0, 1.0]), 0.8)
    2
    """
    reached = np.cumsum(values) >= share * np.sum(values) * (1 - 1e-12)
    return int(reached.argmax()) + 1


# ---- the best approximation of rank k ----


# The claim that the last exercise breaks: the largest error of an entry.
LARGEST_ENTRY = "max(abs(K - low_rank)) >= max(abs(K - some_best))"


def missed_entries(K: np.ndarray, near: np.ndarray) -> tuple[float, float]:
    """The largest error of an entry, of each best approximation and of another matrix.

    Whatever the choice of ``K_k``, with k the rank of the other, the diagonal of
    ``K - K_k`` sums to the eigenvalues that were left out, and its largest entry is at
    least their sum over n.

    Examples
    --------
    >>> missed_entries(np.eye(2), np.full((2, 2), 0.5))
    (0.5, 0.5)
    """
    left_out = np.linalg.eigvalsh(K)[: len(K) - np.linalg.matrix_rank(near)]
    return float(left_out.sum() / len(K)), float(np.abs(K - near).max())
