"""What columns and sketches do where points come in groups, and for traces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nystheory import kernels, lowrank, sampling
from nystheory.chapters import theorems
from nystheory.chapters.sketches_and_limits.promises_kept import sketch_errors
from nystheory.chapters.sketches_and_limits.theorems import lower_bound
from nystheory.chapters.sketches_and_limits.theorems.trace_estimators import (
    exchangeable_by_inverse,
    root_mean_square,
)
from nystheory.engine.findings.experiments import one_thread


@dataclass(frozen=True, eq=False)
class Groups:
    """Spectral errors over that of the best rank, medians.

    Attributes
    ----------
    counts : tuple of int, length m
    limit : ndarray (m,)
        What no columns can beat.
    pivoted, uniform, sketch : ndarray (m,)
        Randomly pivoted Cholesky, uniform columns and Gaussian sketches.
    """

    counts: tuple[int, ...]
    limit: np.ndarray
    pivoted: np.ndarray
    uniform: np.ndarray
    sketch: np.ndarray


@one_thread
def groups(
    n: int, k: int, similarity: float, counts: Sequence[int], draws: int, seed: int = 0
) -> Groups:
    """Errors for k groups of points that look nearly alike.

    Parameters
    ----------
    n, k : int
        Points and groups.
    similarity : float
        Between two points of a group.
    counts : sequence of int
        Numbers of columns.
    draws, seed : int

    Examples
    --------
    >>> found = groups(12, 2, 0.9, [4], draws=3)
    >>> bool((found.pivoted >= found.limit * (1 - 1e-9)).all())
    True
    """
    case = lower_bound.blocks(n, k, similarity, [0])
    K, rng = kernels.DenseKernel(case.K), np.random.default_rng(seed)
    best, values = 1 - similarity, np.maximum(case.eigen_K[0], 0)

    def columns(scheme, count):
        near = lowrank.nystrom(K, scheme(K, count, rng))
        return near.error(K, "spectral") / best

    def sketched(count):
        return sketch_errors(values, count, rng)[1] / best

    ways = {
        "pivoted": lambda m: columns(sampling.rp_cholesky, m),
        "uniform": lambda m: columns(sampling.uniform, m),
        "sketch": sketched,
    }
    medians = {
        name: np.array([np.median([way(m) for _ in range(draws)]) for m in counts])
        for name, way in ways.items()
    }
    bound = theorems["modern:lower-bound"].bound
    limit = np.array([bound(n=n, l=m, k=k, similarity=similarity) for m in counts])
    return Groups(tuple(counts), limit, **medians)


# ---- traces ----


def trace_exponents(
    n: int, counts: Sequence[int], draws: int, seed: int = 0
) -> np.ndarray:
    """Exponents of the error of the exchangeable estimate, from one count to the next.

    For the eigenvalues 1, 1/2, ..., 1/n and Gaussian test vectors.

    Parameters
    ----------
    n : int
    counts : sequence of int, length m
        Numbers of test vectors.
    draws : int
        Estimates for each number.
    seed : int

    Returns
    -------
    ndarray (m - 1,)

    Examples
    --------
    >>> trace_exponents(20, [2, 4, 8], 10).shape
    (2,)
    """
    rng, errors = np.random.default_rng(seed), []
    for count in counts:
        parts = [
            root_mean_square(exchangeable_by_inverse, n, count, rng, 10)
            for _ in range(draws // 10)
        ]
        errors.append(np.sqrt(np.mean(np.square(parts))))
    return np.diff(np.log(errors)) / np.diff(np.log(counts))
