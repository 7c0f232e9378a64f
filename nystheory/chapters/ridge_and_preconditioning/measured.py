"""What the experiments of the chapter draw and measure, draw by draw."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import cg

from nystheory import datasets, kernels, lowrank, sampling
from nystheory.chapters import theorems
from nystheory.chapters.ridge_and_preconditioning.experiments import divided_out
from nystheory.chapters.ridge_and_preconditioning.theorems.preconditioner import (
    condition_number,
)
from nystheory.engine.findings.experiments import uneven_clusters
from nystheory.engine.findings.held_out import Points, some_of

# ---- points, and what is observed there ----


def digits(size: int, rng) -> Points:
    """Some of the digits, and the digit itself."""
    return some_of(lambda rng: datasets.digits(), size, rng)


def patients(size: int, rng) -> Points:
    """Some of the diabetes patients, and the progression of the disease."""
    return some_of(lambda rng: datasets.diabetes(), size, rng)


def cells(size: int, rng) -> Points:
    """Some cell samples, and whether they are benign."""
    return some_of(lambda rng: datasets.breast_cancer(), size, rng)


def wave(size: int, rng, noise: float = 0.0) -> Points:
    """A wave in the plane, observed with noise of this standard deviation.

    Examples
    --------
    >>> wave(5, np.random.default_rng(0)).y.shape
    (5, 1)
    """
    X = rng.uniform(-3, 3, (size, 2))
    y = np.sin(2 * X[:, 0]) * np.cos(X[:, 1]) + noise * rng.standard_normal(size)
    return Points(X, y[:, None])


def noisy_wave(size: int, rng) -> Points:
    """The same with noise."""
    return wave(size, rng, 0.3)


def noisier_wave(size: int, rng) -> Points:
    """The same with three times as much noise."""
    return wave(size, rng, 0.9)


def noisy_digits(size: int, rng) -> Points:
    """The digits with noise of standard deviation 3."""
    some = digits(size, rng)
    return Points(some.X, some.y + 3 * rng.standard_normal(some.y.shape))


GROUPS, OF_GROUP = 16, 5


def far_groups(size: int, rng) -> Points:
    """The wave, and sixteen groups of five equal points far away, where it is 3.

    Each group lies on an axis of its own, so that it is as far from the others.
    """
    crowd = wave(size - GROUPS * OF_GROUP, rng)
    plane = np.pad(crowd.X, ((0, 0), (0, GROUPS)))
    far = np.pad(np.repeat(30 * np.eye(GROUPS), OF_GROUP, axis=0), ((0, 0), (2, 0)))
    y = np.vstack([crowd.y, np.full((len(far), 1), 3.0)])
    return Points(np.vstack([plane, far]), y)


# ---- risks ----

# Columns over the effective dimension.
TIMES = (0.25, 0.5, 1, 2, 4, 8)
NOISE = 1 / 8


@dataclass(frozen=True, eq=False)
class Signal:
    """A kernel matrix and a signal of variance one, with the risk of all of K.

    Attributes
    ----------
    K : ndarray (n, n)
    z : ndarray (n,)
    ridge, dimension, whole : float
    """

    K: np.ndarray
    z: np.ndarray
    ridge: float
    dimension: float
    whole: float


def with_risk(points: Points, rng):
    """A Gaussian kernel of the default width, a ridge of a hundredth of n."""
    K, n = kernels.rbf(points.X).dense(), len(points.X)
    z = points.y[:, 0] - points.y.mean()
    z, ridge = z / z.std(), n / 100
    values, vectors = np.linalg.eigh(K)
    values = np.maximum(values, 0)
    dimension = float((values / (values + ridge)).sum())
    return Signal(K, z, ridge, dimension, risk(values, vectors, z, ridge)), None


def risk(values, vectors, z, ridge: float) -> float:
    """Squared bias and variance, from eigenvalues and orthonormal eigenvectors.

    Examples
    --------
    >>> round(risk(np.array([3.0, 1.0]), np.eye(2), np.array([0.0, 2.0]), 1.0), 6)
    0.550781
    """
    shrunk = values / (values + ridge)
    bias = z - vectors @ (shrunk * (vectors.T @ z))
    return float((bias @ bias + NOISE * (shrunk**2).sum()) / len(z))


def risks(trial) -> dict:
    """Risks over that with all of K, and their bounds, for each number of columns."""
    of, rows = trial.known, []
    inflated = theorems["modern:ridge-risk-core"].bound
    for times in TIMES:
        with warnings.catch_warnings():
            # Of equal points there are fewer columns that differ.
            warnings.simplefilter("ignore", sampling.FewerLandmarks)
            S = trial.run(of.K, math.ceil(times * of.dimension), trial.rng)
        F = lowrank.nystrom(of.K, S).factor
        vectors, s, _ = np.linalg.svd(F, full_matrices=False)
        ratio = risk(s**2, vectors, of.z, of.ridge) / of.whole
        E = of.K - F @ F.T
        errors = largest(E), np.trace(E)
        bounds = (inflated(gap_2=e, alpha=of.ridge, risk=1.0) for e in errors)
        rows.append((ratio, *bounds))
    return dict(zip(("risk", "by_norm", "by_trace"), np.array(rows).T, strict=True))


def largest(E) -> float:
    """The largest eigenvalue of a symmetric matrix."""
    at = [len(E) - 1] * 2
    return float(scipy.linalg.eigh(E, eigvals_only=True, subset_by_index=at)[0])


# ---- preconditioners ----

# Columns over the effective dimension; the theorem asks for three times as many.
SHARES = (0.25, 0.5, 1, 2, 3)
RIDGE = 0.1


@dataclass(frozen=True, eq=False)
class System:
    """A system ``(K + 0.1 I) x = y``, and what is known of it.

    Attributes
    ----------
    K, root : ndarray (n, n)
        The second one with the first as its Gram matrix.
    y : ndarray (n,)
    plain, dimension, smallest : float
        The condition number, the effective dimension, and the last eigenvalue of K.
    """

    K: np.ndarray
    root: np.ndarray
    y: np.ndarray
    plain: float
    dimension: float
    smallest: float

    def steps(self, preconditioner=None) -> int:
        """Iterations to a relative residual of 1e-8."""
        count, n = 0, len(self.y)

        def counted(_):
            nonlocal count
            count += 1

        A = self.K + RIDGE * np.eye(n)
        cg(A, self.y, rtol=1e-8, maxiter=10 * n, M=preconditioner, callback=counted)
        return count


def system(K, rng):
    """A random right side, the same for each preconditioner."""
    values, vectors = np.linalg.eigh(K)
    values = np.maximum(values, 0)
    root = (vectors * np.sqrt(values)).T
    y = rng.standard_normal(len(K))
    plain = (values[-1] + RIDGE) / (values[0] + RIDGE)
    dimension = float((values / (values + RIDGE)).sum())
    return System(K, root, y, plain, dimension, values[0]), None


def solves(trial) -> dict:
    """Condition numbers, what bounds them, and iterations, for each number of columns.

    The bound is the one from the trace of the error.
    """
    of, rows = trial.known, []
    if trial.run is None:
        return {"condition": of.plain, "bound": of.plain, "steps": of.steps()}
    bound = theorems["modern:preconditioner"].bound
    for times in SHARES:
        near = trial.run(of, math.ceil(times * of.dimension), trial.rng)
        vectors, s, _ = np.linalg.svd(near.factor, full_matrices=False)
        certified = bound(
            smallest_kept=s[-1] ** 2,
            smallest_eigenvalue=of.smallest,
            alpha=RIDGE,
            gap_2=max(np.trace(of.K) - (s**2).sum(), 0.0),
        )
        condition = condition_number(of.K, s**2, vectors, RIDGE)
        rows.append((condition, certified, of.steps(divided_out(near, RIDGE))))
    names = "condition", "bound", "steps"
    return dict(zip(names, np.array(rows).T, strict=True))


@dataclass(frozen=True, eq=False)
class Sketched:
    """An approximation from products of K with Gaussian vectors.

    Attributes
    ----------
    factor : ndarray (n, l)
    """

    factor: np.ndarray


def sketched(of: System, count: int, rng) -> Sketched:
    """Of as many vectors as others have columns."""
    seen = of.root @ rng.standard_normal((len(of.K), count))
    return Sketched(of.root.T @ np.linalg.qr(seen)[0])


def uniform(of: System, count: int, rng):
    """From uniform columns."""
    return lowrank.nystrom(of.K, sampling.uniform(of.K, count, rng))


def pivots(of: System, count: int, rng):
    """From the columns of randomly pivoted Cholesky."""
    return lowrank.nystrom(of.K, sampling.rp_cholesky(of.K, count, rng))


def wide_digits(size: int, rng) -> np.ndarray:
    """Digits with a wide kernel."""
    return kernels.rbf(digits(size, rng).X, 0.02).dense()


def in_square(size: int, rng) -> np.ndarray:
    """Points in the plane."""
    return kernels.rbf(wave(size, rng).X).dense()


def of_patients(size: int, rng) -> np.ndarray:
    """Diabetes patients."""
    return kernels.rbf(patients(size, rng).X, 0.02).dense()


def of_cells(size: int, rng) -> np.ndarray:
    """Cell samples."""
    return kernels.rbf(cells(size, rng).X, 0.01).dense()


def clusters(size: int, rng) -> np.ndarray:
    """Four clusters in the plane, the first of them 28 times as large as the last."""
    parts = np.array([28, 8, 3, 1]) * size // 40
    seed = int(rng.integers(2**31))
    return kernels.rbf(uneven_clusters(tuple(map(int, parts)), seed), 0.5).dense()
