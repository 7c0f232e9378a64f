"""What the experiments of the chapter draw and measure, draw by draw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nystheory import certificates, datasets, kernels, lowrank, sampling
from nystheory.chapters import theorems
from nystheory.engine.findings.experiments import uneven_clusters

# ---- points ----


def some(make: Callable, size: int, rng) -> kernels.DenseKernel:
    """The Gaussian kernel of the default width of some points of a data set."""
    X = make().X
    return _stored(X[rng.permutation(len(X))[:size]])


def _stored(X, gamma=None):
    return kernels.DenseKernel(kernels.rbf(X, gamma).dense())


def digits(size: int, rng) -> kernels.DenseKernel:
    """Some of the digits."""
    return some(datasets.digits, size, rng)


def patients(size: int, rng) -> kernels.DenseKernel:
    """Some of the diabetes patients."""
    return some(datasets.diabetes, size, rng)


def cells(size: int, rng) -> kernels.DenseKernel:
    """Some cell samples."""
    return some(datasets.breast_cancer, size, rng)


def photographs(size: int, rng) -> kernels.DenseKernel:
    """Some patches of two photographs, with a linear kernel."""
    X = datasets.patches(4000, 16).X
    return kernels.DenseKernel(
        kernels.linear(X[rng.permutation(len(X))[:size]]).dense()
    )


def clusters(size: int, rng) -> kernels.DenseKernel:
    """Four clusters in the plane, the first of them 28 times as large as the last."""
    parts = np.array([28, 8, 3, 1]) * size // 40
    X = uneven_clusters(tuple(map(int, parts)), int(rng.integers(2**31)))
    return _stored(X, 0.5)


def square(size: int, rng) -> kernels.DenseKernel:
    """Points in a square, of which the kernel has a steep spectrum."""
    return _stored(rng.uniform(-3, 3, (size, 2)))


def on_line(size: int, rng) -> kernels.DenseKernel:
    """Random points on a line, with the kernel of `rounding.line`."""
    return _stored(rng.uniform(-1, 1, (size, 1)), 3.0)


def narrow(size: int, rng) -> kernels.DenseKernel:
    """The same with a narrower kernel."""
    return _stored(rng.uniform(-1, 1, (size, 1)), 12.0)


# ---- sizes of an error, certified and guessed ----

PERCENTS = (2, 5, 10, 20, 40)


def sizes(trial) -> dict:
    """Four sizes over the trace of K, and how far two numbers are from the truth.

    Those are the certificate and, for uniform columns, the estimates that leave one
    column out; the distances are in percent of the norm of which they tell.
    """
    K, rows = trial.known, []
    dense = K.dense()
    whole = np.trace(dense)
    for percent in PERCENTS:
        S = trial.run(K, percent * K.n // 100, trial.rng)
        near = lowrank.nystrom(K, S)
        E = dense - near.spectral_reconstruction()
        values = np.abs(np.linalg.eigvalsh(E))
        trace, size, norm = values.sum(), np.sqrt((values**2).sum()), values.max()
        sure = certificates.trace_certificate(K, near).value
        row = {
            "trace": trace / whole,
            "frobenius": size / whole,
            "spectral": norm / whole,
            "entry": np.diag(E).max() / whole,
            "sure": 100 * abs(sure / size - 1),
        }
        if S.scheme == "uniform":
            square = certificates.leave_one_out_frobenius(K, S).value
            guess = certificates.leave_one_out_trace(K, S).value
            row["guess"] = 100 * abs(np.sqrt(square) / size - 1)
            row["guess_trace"] = 100 * abs(guess / trace - 1)
        rows.append(row)
    return {name: [row[name] for row in rows] for name in rows[0]}


# ---- inverses ----

RATIOS = (0.001, 0.01, 0.1, 1, 10, 100, 1000)
COLUMNS = 40


def inverses(trial) -> dict:
    """The error of the regularised inverse, times the ridge, and three bounds of it."""
    K = trial.known
    near = lowrank.nystrom(K, trial.run(K, COLUMNS, trial.rng))
    dense, approximate = K.dense(), near.spectral_reconstruction()
    E = dense - approximate
    norm, trace = float(np.linalg.eigvalsh(E)[-1]), float(np.trace(E))
    one, bound, rows = np.eye(K.n), theorems["modern:resolvent"].bound, []
    for alpha in np.array(RATIOS) * norm:
        gap = np.linalg.inv(approximate + alpha * one)
        gap -= np.linalg.inv(dense + alpha * one)
        observed = np.linalg.eigvalsh(gap)[-1]
        by_norm, by_trace = (bound(alpha=alpha, norm_E=e) for e in (norm, trace))
        rows.append((observed, by_norm, by_trace, norm / alpha**2))
        rows[-1] = alpha * np.array(rows[-1])
    names = "observed", "by_norm", "by_trace", "squared"
    return dict(zip(names, np.array(rows).T, strict=True))


# ---- where to truncate ----

OF_COLUMNS = 20
RANKS = (2, 5, 10)


def sample(K, rng):
    """The same uniform columns for both cuts."""
    return (K, sampling.uniform(K, OF_COLUMNS, rng).indices), None


def cuts(trial) -> dict:
    """Two norms of the error of a cut, in percent of those of the best rank."""
    K, S = trial.known
    dense, rows = K.dense(), []
    values = np.maximum(np.linalg.eigvalsh(dense), 0)[::-1]
    for rank in RANKS:
        near = lowrank.nystrom(K, S, rank, truncate=trial.run)
        E = np.linalg.eigvalsh(dense - near.spectral_reconstruction())
        least = np.linalg.norm(values[rank:]), values[rank]
        norms = np.linalg.norm(E), np.abs(E).max()
        rows.append(100 * np.divide(norms, least))
    return dict(zip(("frobenius", "spectral"), np.array(rows).T, strict=True))


# ---- functions of a matrix ----

RIDGE = 0.1
PIVOTS = 5  # of as many points one is a pivot
KEPT = (25, 50, 100)


def functions(trial) -> dict:
    """Shares of three traces that are left, from some of the eigenvalues of K~."""
    K = trial.known
    values = np.maximum(np.linalg.eigvalsh(K.dense()), 0.0)
    F = lowrank.nystrom(K, trial.run(K, K.n // PIVOTS, trial.rng)).factor
    near = np.linalg.svd(F, compute_uv=False) ** 2
    of = {
        "log": lambda t: np.log1p(t / RIDGE).sum(),
        "root": lambda t: np.sqrt(t).sum(),
        "dimension": lambda t: (t / (t + RIDGE)).sum(),
    }
    return {
        name: [100 * f(near[: kept * len(near) // 100]) / f(values) for kept in KEPT]
        for name, f in of.items()
    }


# ---- rounding ----

COUNTS = (5, 10, 15, 20, 30, 40, 60, 80)


@dataclass(frozen=True, eq=False)
class Samples:
    """A matrix with its norm, and one uniform sample for each number of columns.

    Attributes
    ----------
    K : DenseKernel (n, n)
    norm : float
    drawn : tuple of ndarray
    """

    K: kernels.DenseKernel
    norm: float
    drawn: tuple[np.ndarray, ...]


def sampled(K, rng):
    """The same samples for each computation."""
    order = rng.permutation(K.n)
    drawn = tuple(order[:count] for count in COUNTS)
    return Samples(K, float(np.linalg.eigvalsh(K.dense())[-1]), drawn), None


def computed(trial) -> dict:
    """Correct digits of one computation, for each number of columns.

    The spectral error over the norm of K, as the negative of its logarithm.
    """
    of, right = trial.known, []
    for S in of.drawn:
        error = np.linalg.norm(of.K.dense() - trial.run(of.K, S), 2) / of.norm
        right.append(-np.log10(max(error, 1e-17)))
    return {"right": right}
