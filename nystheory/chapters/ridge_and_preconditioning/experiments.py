"""Conjugate gradients with a preconditioner, and the risk of ridge regression."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import LinearOperator, cg

from nystheory import certificates, kernels, lowrank, sampling
from nystheory.chapters import theorems
from nystheory.chapters.ridge_and_preconditioning.theorems.preconditioner import (
    condition_number,
)
from nystheory.chapters.ridge_and_preconditioning.theorems.ridge_risk import (
    risk_of_matrix,
)
from nystheory.engine.findings.experiments import one_thread

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


def divided_out(approximation, ridge: float) -> LinearOperator:
    """What applies the inverse of the preconditioner made of an approximation.

    Parameters
    ----------
    approximation : LowRank
        Below K, of rank l.
    ridge : float

    Returns
    -------
    LinearOperator (n, n)
        One decomposition of the factor, ``O(n l^2)``; then ``4 n l`` operations for
        each vector.

    Examples
    --------
    >>> near = lowrank.nystrom(np.diag([7.0, 1.0]), [0, 1])
    >>> divided_out(near, 1.0) @ np.ones(2)
    array([0.25, 1.  ])
    """
    U, s, _ = np.linalg.svd(approximation.factor, full_matrices=False)
    share = (s[-1] ** 2 + ridge) / (s**2 + ridge) - 1
    n = len(U)

    def apply(x):
        return x + (U * share) @ (U.T @ x)

    return LinearOperator((n, n), apply, matmat=apply, dtype=float)


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
    >>> from nystheory.engine.findings.experiments import digits_kernel
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
        steps = _steps(shifted, y, divided_out(near, ridge))
        found.append((condition, certified, steps))
    plain = (values[-1] + ridge) / (values[0] + ridge), _steps(shifted, y)
    dimension = float((values / (values + ridge)).sum())
    return Solves(tuple(counts), *np.array(found).T, plain, dimension)


@one_thread
def sketched(K, ridge: float, vectors: int, draws: int, seed: int = 0) -> np.ndarray:
    """Condition numbers with preconditioners from Gaussian sketches.

    Parameters
    ----------
    K : DenseKernel (n, n)
    ridge : float
    vectors : int
        Test vectors of each sketch.
    draws : int
    seed : int

    Returns
    -------
    ndarray (draws,)

    Examples
    --------
    >>> from nystheory.engine.findings.experiments import digits_kernel
    >>> sketched(digits_kernel(6), 1.0, 3, draws=2).shape
    (2,)
    """
    rng, dense, out = np.random.default_rng(seed), K.dense(), []
    values, vectors_of_K = np.linalg.eigh(dense)
    points = (vectors_of_K * np.sqrt(np.maximum(values, 0.0))).T
    for _ in range(draws):
        seen = points @ rng.standard_normal((K.n, vectors))
        factor = points.T @ np.linalg.qr(seen)[0]
        leading, singular, _ = np.linalg.svd(factor, full_matrices=False)
        out.append(condition_number(dense, singular**2, leading, ridge))
    return np.array(out)


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
    >>> from nystheory.engine.findings.experiments import digits_kernel
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


def mean_factor(clusters: int, size: int, ratio: float, columns: int) -> float:
    """The mean risk with uniform columns over the risk with K, on equal clusters.

    The points of a cluster are equal and those of two clusters orthogonal; the signal
    is one cluster, without noise.  Its risk grows by ``(1 + ratio)**2`` if no column of
    that cluster is drawn, and not at all otherwise.

    Parameters
    ----------
    clusters, size : int
    ratio : float
        Spectral norm of K over the ridge.
    columns : int
        Drawn uniformly, without replacement.

    Examples
    --------
    >>> mean_factor(2, 2, 1.0, 1)
    2.5
    """
    n = clusters * size
    missed = math.comb(n - size, columns) / math.comb(n, columns)
    return 1 + missed * ((1 + ratio) ** 2 - 1)


def columns_for_factor(clusters: int, size: int, ratio: float, factor: float) -> int:
    """Fewest uniform columns for which `mean_factor` is at most `factor`.

    Examples
    --------
    >>> columns_for_factor(2, 2, 1.0, 2.5)
    1
    """
    for columns in range(1, clusters * size):
        if mean_factor(clusters, size, ratio, columns) <= factor:
            return columns
    return clusters * size


def chance_over_bound(clusters: int, size: int, columns: int, accuracy: float) -> float:
    """The chance of a large error over the bound of `modern:bach`, on equal clusters.

    Their eigenvalues are a thousandth above the accuracy times the ridge, so that a
    sample errs by more than that if it misses a cluster.  The theorem is for an
    accuracy of at most 1; here it may be larger.

    Examples
    --------
    >>> chance_over_bound(2, 2, 2, 1.0) < 1
    True
    """
    n = clusters * size
    missed = sum(
        (-1) ** (j + 1) * math.comb(clusters, j) * math.comb(n - j * size, columns)
        for j in range(1, clusters + 1)
    )
    ratio = 1.001 * accuracy
    largest_score = clusters * ratio / (1 + ratio)
    bound = n * math.exp(-columns / (8 * (largest_score / accuracy + 1 / 6)))
    return missed / math.comb(n, columns) / bound


# ---- the rule, and what is enough in practice ----


@dataclass(frozen=True, eq=False)
class Practice:
    """Columns for ridge regression, for several splits of some data.

    Attributes
    ----------
    points : int
        To learn from.
    dimension : ndarray (draws,)
        Effective dimension at the ridge that a validation chose.
    enough : ndarray (draws,)
        Pivots from which on the error on new points is within one percent of that
        with all of K.
    by_norm, by_trace : ndarray (draws,)
        Pivots with which the norm of the error, or its trace, is a tenth of the ridge.
    """

    points: int
    dimension: np.ndarray
    enough: np.ndarray
    by_norm: np.ndarray
    by_trace: np.ndarray


@one_thread
def in_practice(X, y, draws: int, seed: int = 0) -> Practice:
    """How many pivots predict as well as all points, and how many are certified to.

    Half of the points are learned from, a quarter chooses the ridge among powers of
    ten, and a quarter judges; a Gaussian kernel of the default width.

    Parameters
    ----------
    X, y : ndarray (n, d), (n,)
        Points and targets.
    draws : int
        Splits.
    seed : int

    Examples
    --------
    >>> from nystheory import datasets
    >>> patients = datasets.diabetes(60)
    >>> found = in_practice(patients.X, patients.y, draws=2)
    >>> found.points, bool((found.by_norm <= found.by_trace).all())
    (30, True)
    """
    K, rng, rows = kernels.rbf(X).dense(), np.random.default_rng(seed), []
    n, quarter = len(K) // 2, len(K) // 4
    for _ in range(draws):
        order = rng.permutation(len(K))
        learn, choose, judge = np.split(order, [n, n + quarter])
        target = y - y[learn].mean()
        exact = _Exact(K, learn, target)
        ridge = min(10.0 ** np.arange(-4, 3), key=partial(exact.error, choose))
        found = _pivots(K[:, learn], learn, judge, target, ridge, rng)
        whole, counts = exact.error(judge, ridge), found[0]
        holds = found[1] <= 1.01 * whole, *(size <= ridge / 10 for size in found[2:])
        enough = (_from_there_on(counts, each, n) for each in holds)
        rows.append((exact.dimension(ridge), *enough))
    return Practice(n, *np.array(rows).T)


class _Exact:
    """Ridge regression with all of K on some of the points."""

    def __init__(self, K, learn, y):
        values, self.vectors = np.linalg.eigh(K[np.ix_(learn, learn)])
        self.values = np.maximum(values, 0.0)
        self.K, self.y, self.weights = K[:, learn], y, self.vectors.T @ y[learn]

    def error(self, new, ridge):
        dual = self.vectors @ (self.weights / (self.values + ridge))
        return np.linalg.norm(self.K[new] @ dual - self.y[new])

    def dimension(self, ridge):
        return (self.values / (self.values + ridge)).sum()


def _pivots(K, learn, judge, y, ridge, rng):
    """Numbers of pivots, errors on new points, and norms and traces of the error."""
    inner, rows = K[learn], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        pivots = sampling.rp_cholesky(inner, len(learn) - 1, rng)
    F, S = pivots.factor, pivots.indices
    for count in np.unique(np.geomspace(5, F.shape[1], 20).astype(int)):
        near, at = F[:, :count], S[:count]
        new = scipy.linalg.solve_triangular(near[at], K[judge][:, at].T, lower=True)
        A = near.T @ near + ridge * np.eye(count)
        fit = new.T @ np.linalg.solve(A, near.T @ y[learn])
        missed = inner - near @ near.T
        norm = np.linalg.eigvalsh(missed)[-1]
        rows.append((count, np.linalg.norm(fit - y[judge]), norm, np.trace(missed)))
    return np.array(rows).T


def _from_there_on(counts, holds, n):
    """The first number from which on it holds; n, where it is exact, if none."""
    fails = np.flatnonzero(~holds)
    first = fails[-1] + 1 if len(fails) else 0
    return counts[first] if first < len(counts) else n
