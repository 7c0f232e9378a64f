"""What a few columns of a large kernel matrix miss, and what finding them costs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from nystheory import certificates, kernels, lowrank, sampling


def missed_by_pivots(K, n_landmarks: int, rng: np.random.Generator) -> np.ndarray:
    """Share of the trace that the first j pivots miss, for j = 1, ..., n_landmarks.

    Every new column of the factor takes its squared length from the trace, so one run
    tells all numbers of columns.
    """
    return missed_by_factor(K, sampling.rp_cholesky(K, n_landmarks, rng).factor)


def missed_by_factor(K, factor: np.ndarray) -> np.ndarray:
    """The same, of the factor (n, l) that a scheme left."""
    caught = np.cumsum((factor**2).sum(axis=0))
    return 1 - caught / K.diagonal().sum()


def missed_by_uniform(
    K, counts: Sequence[int], rng: np.random.Generator, repeats: int = 5
) -> np.ndarray:
    """Share of the trace that uniform columns miss, (repeats, len(counts))."""
    trace, out = K.diagonal().sum(), np.empty((repeats, len(counts)))
    for row in out:
        for place, count in enumerate(counts):
            near = lowrank.nystrom(K, sampling.uniform(K, count, rng))
            row[place] = certificates.trace_certificate(K, near).value / trace
    return out


def seconds(work: Callable) -> tuple:
    """What some work returns, and how long it took."""
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def missed_by_one(K: np.ndarray) -> tuple[float, float]:
    """What one random pivot and one uniform column miss of the trace, on average.

    The column i takes ``|K_{:i}|^2 / K_ii`` from the trace, and nothing if it is zero.

    Parameters
    ----------
    K : ndarray (n, n)
        Positive semidefinite.

    Returns
    -------
    float, float
        The means over all draws, for the pivot and for the column.

    Examples
    --------
    >>> missed_by_one(np.diag([3.0, 1.0]))
    (1.5, 2.0)
    """
    K = kernels.as_kernel(K).dense()
    diagonal, trace = np.diag(K), np.trace(K)
    seen = diagonal > 0
    gains = np.zeros(len(K))
    gains[seen] = (K[:, seen] ** 2).sum(axis=0) / diagonal[seen]
    by_pivot = trace - diagonal @ gains / trace
    return float(by_pivot), float(trace - gains.mean())
