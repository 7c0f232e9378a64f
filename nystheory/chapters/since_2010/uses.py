"""Inverses, groups, preconditioners and risks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse.linalg import LinearOperator, cg

from nystheory import certificates, datasets, kernels, lowrank, sampling
from nystheory.chapters import theorems
from nystheory.chapters.since_2010.promises_kept import sketch_errors
from nystheory.chapters.since_2010.theorems import lower_bound
from nystheory.chapters.since_2010.theorems.preconditioner import condition_number
from nystheory.chapters.since_2010.theorems.ridge_risk import risk_of_matrix
from nystheory.chapters.since_2010.theorems.trace_estimators import (
    exchangeable_by_inverse,
    root_mean_square,
)
from nystheory.engine.experiments import one_thread


def _order(n):
    """The same n digits in the same random order for kernel and signal."""
    return np.random.default_rng(0).permutation(len(datasets.digits().X))[:n]


def digits_signal(n: int) -> np.ndarray:
    """The digit itself for each point of `digits_kernel`, less the mean.

    Examples
    --------
    >>> bool(abs(digits_signal(9).sum()) < 1e-9), digits_signal(9).shape
    (True, (9,))
    """
    signal = datasets.digits().y[_order(n)].astype(float)
    return signal - signal.mean()


def digits_kernel(n: int, gamma: float | None = None) -> kernels.DenseKernel:
    """The Gaussian kernel of n of the digits, in random order.

    Examples
    --------
    >>> digits_kernel(5).shape
    (5, 5)
    """
    X = datasets.digits().X[_order(n)]
    return kernels.DenseKernel(kernels.rbf(X, gamma).dense())


# ---- inverses ----


@dataclass(frozen=True, eq=False)
class Inverses:
    """Spectral errors of a regularised inverse, each times the ridge.

    Attributes
    ----------
    ratios : ndarray (m,)
        The ridge over the spectral error of the approximation.
    observed, by_norm, by_trace, squared : ndarray (m,)
        The error, its bounds from the norm and from the trace of the error of the
        matrix, and the older bound with the square of the ridge.
    """

    ratios: np.ndarray
    observed: np.ndarray
    by_norm: np.ndarray
    by_trace: np.ndarray
    squared: np.ndarray


@one_thread
def inverses(K, n_landmarks: int, ratios: Sequence[float], seed: int = 0) -> Inverses:
    """The error of ``(K~ + alpha I)^-1`` for uniform columns and many ridges.

    Parameters
    ----------
    K : DenseKernel (n, n)
    n_landmarks : int
    ratios : sequence of float
    seed : int

    Examples
    --------
    >>> shown = inverses(digits_kernel(30), 5, [0.1, 10.0])
    >>> bool((shown.observed <= shown.by_norm).all())
    True
    """
    drawn = sampling.uniform(K, n_landmarks, np.random.default_rng(seed))
    near = lowrank.nystrom(K, drawn)
    dense, approximate = K.dense(), near.spectral_reconstruction()
    norm, trace = near.error(K, "spectral"), near.error(K, "trace")
    one, bound = np.eye(len(dense)), theorems["modern:resolvent"].bound
    found = []
    for alpha in np.asarray(ratios) * norm:
        gap = np.linalg.inv(approximate + alpha * one)
        gap -= np.linalg.inv(dense + alpha * one)
        by_norm, by_trace = (bound(alpha=alpha, norm_E=e) for e in (norm, trace))
        row = (np.linalg.norm(gap, 2), by_norm, by_trace, norm / alpha**2)
        found.append(alpha * np.array(row))
    return Inverses(np.asarray(ratios), *np.array(found).T)


# ---- groups ----


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


# ---- preconditioners ----


@dataclass(frozen=True, eq=False)
class Solves:
    """Solving ``(K + alpha I) x = y`` by conjugate gradients.

    Attributes
    ----------
    counts : tuple of int, length m
    condition, certified, iterations : ndarray (m,)
        Condition number with the preconditioner, its bound from the trace of the
        error, and iterations to a relative residual of 1e-8.
    plain : (float, int)
        Condition number and iterations without preconditioner.
    dimension : float
        Effective dimension at the ridge.
    """

    counts: tuple[int, ...]
    condition: np.ndarray
    certified: np.ndarray
    iterations: np.ndarray
    plain: tuple[float, int]
    dimension: float


@one_thread
def solves(K, ridge: float, counts: Sequence[int], seed: int = 0) -> Solves:
    """Conjugate gradients with a preconditioner from randomly pivoted Cholesky.

    Parameters
    ----------
    K : DenseKernel (n, n)
    ridge : float
    counts : sequence of int
        Numbers of pivots.
    seed : int

    Examples
    --------
    >>> solved = solves(digits_kernel(30, 0.02), 0.01, [5, 20])
    >>> bool((solved.condition <= solved.certified).all())
    True
    """
    dense, rng = K.dense(), np.random.default_rng(seed)
    values = np.maximum(np.linalg.eigvalsh(dense), 0.0)
    y = rng.standard_normal(K.n)
    shifted = dense + ridge * np.eye(K.n)
    bound, found = theorems["modern:preconditioner"].bound, []
    for count in counts:
        near = lowrank.nystrom(K, sampling.rp_cholesky(K, count, rng))
        vectors, singular, _ = np.linalg.svd(near.factor, full_matrices=False)
        kept = singular**2
        certified = bound(
            smallest_kept=kept[-1],
            smallest_eigenvalue=values[0],
            alpha=ridge,
            gap_2=certificates.trace_certificate(K, near).value,
        )
        condition = condition_number(dense, kept, vectors, ridge)
        steps = _steps(shifted, y, _divided_out(kept, vectors, ridge))
        found.append((condition, certified, steps))
    plain = (values[-1] + ridge) / (values[0] + ridge), _steps(shifted, y)
    dimension = float((values / (values + ridge)).sum())
    return Solves(tuple(counts), *np.array(found).T, plain, dimension)


def _divided_out(values, vectors, ridge) -> LinearOperator:
    """``P^-1`` of the preconditioner."""
    share = (values[-1] + ridge) / (values + ridge) - 1
    n = len(vectors)
    return LinearOperator(
        (n, n), lambda x: x + vectors @ (share * (vectors.T @ x)), dtype=float
    )


def _steps(A, y, preconditioner=None) -> int:
    count = 0

    def counted(_):
        nonlocal count
        count += 1

    cg(A, y, rtol=1e-8, maxiter=10 * len(y), M=preconditioner, callback=counted)
    return count


# ---- risks ----


@dataclass(frozen=True, eq=False)
class Risks:
    """The risk of ridge regression with K~ over that with K.

    Attributes
    ----------
    counts : tuple of int, length m
    observed, by_norm, by_trace : ndarray (m,)
        The ratio, and its bounds from the norm and from the trace of the error.
    """

    counts: tuple[int, ...]
    observed: np.ndarray
    by_norm: np.ndarray
    by_trace: np.ndarray


@one_thread
def risks(
    K, signal, noise: float, ridge: float, counts: Sequence[int], seed: int = 0
) -> Risks:
    """The risk with uniform columns, beside what the error of the matrix says of it.

    Parameters
    ----------
    K : DenseKernel (n, n)
    signal : array (n,)
    noise : float
        Variance of the noise.
    ridge : float
    counts : sequence of int
    seed : int

    Examples
    --------
    >>> found = risks(digits_kernel(30), np.ones(30), 1.0, 1.0, [5, 20])
    >>> bool((found.observed <= found.by_norm).all())
    True
    """
    rng, rows = np.random.default_rng(seed), []
    whole = sum(risk_of_matrix(K.dense(), signal, noise, ridge))
    inflated = theorems["modern:ridge-risk-core"].bound
    for count in counts:
        near = lowrank.nystrom(K, sampling.uniform(K, count, rng))
        approximate = near.spectral_reconstruction()
        ratio = sum(risk_of_matrix(approximate, signal, noise, ridge)) / whole
        errors = (near.error(K, norm) for norm in ("spectral", "trace"))
        bounds = (inflated(gap_2=e, alpha=ridge, risk=1.0) for e in errors)
        rows.append((ratio, *bounds))
    return Risks(tuple(counts), *np.array(rows).T)


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
