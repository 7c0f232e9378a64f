"""Condition numbers with a preconditioner, and Gaussian processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nystheory import kernels, lowrank, sampling
from nystheory.certificates import trace_certificate
from nystheory.chapters import theorems
from nystheory.chapters.solving_with_few_columns import race
from nystheory.chapters.solving_with_few_columns.theorems.preconditioning import (
    condition_with,
)
from nystheory.engine import Instance, value
from nystheory.engine.findings.experiments import one_thread
from nystheory.learners import GaussianProcess, Preconditioner, conjugate_gradients

# ---- preconditioners ----


@dataclass(frozen=True, eq=False)
class Solves:
    """Solving ``(K + ridge I) x = y`` with pivots of randomly pivoted Cholesky.

    Attributes
    ----------
    counts : tuple of int, length m
    condition, by_norm, by_trace, promised : ndarray (m,)
        The condition number with the preconditioner; its bounds from the norm and from
        the trace of the error; and the bound on its mean that is known before a pivot
        is drawn.
    iterations : ndarray (m,)
        To a relative residual of 1e-6.
    plain : (float, int)
        Condition number and iterations without preconditioner.
    """

    counts: tuple[int, ...]
    condition: np.ndarray
    by_norm: np.ndarray
    by_trace: np.ndarray
    promised: np.ndarray
    iterations: np.ndarray
    plain: tuple[float, int]


@one_thread
def solves(K, ridge: float, counts: Sequence[int], seed: int = 0) -> Solves:
    """Condition numbers, their bounds and iterations, by the number of pivots.

    Parameters
    ----------
    K : DenseKernel (n, n)
    ridge : float
    counts : sequence of int
    seed : int

    Examples
    --------
    >>> from nystheory.engine.findings.experiments import digits_kernel
    >>> solved = solves(digits_kernel(40, 0.02), 0.01, [5, 20])
    >>> bool((solved.condition <= solved.by_norm).all())
    True
    """
    dense, rng, rows = K.dense(), np.random.default_rng(seed), []
    y = rng.standard_normal(K.n)
    bound = theorems["modern:preconditioning-trace"].bound
    for count in counts:
        near = lowrank.from_factor(sampling.rp_cholesky(K, count, rng))
        P = Preconditioner(near, ridge)
        condition = condition_with(dense, near.spectral_reconstruction(), ridge)
        by_norm = bound(gap_2=near.error(K, "spectral"), alpha=ridge)
        steps = conjugate_gradients(K, y, ridge, P).iterations
        promised = 1 + value("trace_after_pivots", _before(dense, count)) / ridge
        rows.append((condition, by_norm, P.condition(K), promised, steps))
    values = np.linalg.eigvalsh(dense)[[0, -1]]
    whole = (values[1] + ridge) / (max(values[0], 0.0) + ridge)
    plain = whole, conjugate_gradients(K, y, ridge).iterations
    return Solves(tuple(counts), *np.array(rows).T, plain)


def _before(dense, count) -> Instance:
    """A matrix with so many landmarks, whichever they are."""
    return Instance(dense, range(count), count)


# ---- a Gaussian process on a line ----


@dataclass(frozen=True, eq=False)
class Line:
    """What is predicted on a line, with all points and with inducing points.

    Attributes
    ----------
    x, y : ndarray (n,)
        Points and observations.
    landmarks : ndarray (l,)
        Indices.
    places : ndarray (m,)
        Where it is predicted.
    exact, near : (ndarray, ndarray)
        Mean and standard deviation, (m,) each.
    mixed : ndarray (m,)
        The variance with the approximate inverse and the true kernel.
    gap_2, noise : float
        The norm of the error, and the variance of the noise.
    reach : ndarray (m,)
        How far the means may be apart at most.
    """

    x: np.ndarray
    y: np.ndarray
    landmarks: np.ndarray
    places: np.ndarray
    exact: tuple[np.ndarray, np.ndarray]
    near: tuple[np.ndarray, np.ndarray]
    mixed: np.ndarray
    gap_2: float
    noise: float
    reach: np.ndarray


def line(n: int, count: int, noise: float, seed: int = 0) -> Line:
    """Observations of a wave with a hole in the middle.

    Parameters
    ----------
    n, count : int
        Points and landmarks.
    noise : float
        Variance.
    seed : int

    Examples
    --------
    >>> found = line(30, 5, 0.1)
    >>> bool((abs(found.exact[0] - found.near[0]) <= found.reach).all())
    True
    """
    rng = np.random.default_rng(seed)
    x = np.sort(np.r_[rng.uniform(0, 4, n // 2), rng.uniform(6, 10, n - n // 2)])
    y = np.sin(x) + np.sqrt(noise) * rng.standard_normal(n)
    K = kernels.rbf(x[:, None], 2.0)
    S = sampling.rp_cholesky(K, count, rng).indices
    near = lowrank.nystrom(K, S)
    places = np.linspace(-1, 11, 241)
    exact, rough = (
        GaussianProcess(noise, method=method).fit(X, y).predict(places[:, None], True)
        for method, X in (("exact", K), ("inducing", near))
    )
    rows = K.between(places[:, None], np.arange(n))
    mixed = 1 - (rows * near.solve(rows.T, noise).T).sum(axis=1)
    gap = near.error(K, "spectral")
    fit = y @ near.solve(y, noise) - y @ np.linalg.solve(
        K.dense() + noise * np.eye(n), y
    )
    reach = exact[1] * np.sqrt(max(fit, 0.0))
    return Line(x, y, S, places, exact, rough, mixed, gap, noise, reach)


@one_thread
def moves(
    counts: Sequence[int], noise: float, n: int = 500, seed: int = 0
) -> list[tuple[int, float, float]]:
    """How far the mean of the task *surface* moves with inducing points.

    Parameters
    ----------
    counts : sequence of int
        Pivots of randomly pivoted Cholesky: the first of one sequence.
    noise : float
    n, seed : int

    Returns
    -------
    list of (int, float, float)
        The number of columns, the bound from the trace of what they miss, which is
        known before a fit, and the largest change at the points of the test.

    Examples
    --------
    >>> (count, bound, moved), = moves([5], 1.0, n=20)
    >>> count, bool(0 < moved <= bound)
    (5, True)
    """
    given, process = race.problem("surface", n, seed), GaussianProcess(noise)
    K, new = kernels.rbf(given.X, given.gamma), given.test[0]
    pivots = sampling.rp_cholesky(K, max(counts), np.random.default_rng(seed)).indices
    exact, rows = process.fit(K, given.y).predict(new), []
    known = {"noise": noise, "norm_y": np.linalg.norm(given.y), "point_bound": 1.0}
    bound_of = theorems["modern:gp-inducing"].right_side
    for count in counts:
        near = lowrank.nystrom(K, pivots[:count])
        missed = trace_certificate(K, near)
        most = missed.value + missed.error
        bound = bound_of("mean, everywhere", norm_E=most, **known)
        moved = np.abs(process.fit(near, given.y).predict(new) - exact).max()
        rows.append((count, bound, float(moved)))
    return rows
