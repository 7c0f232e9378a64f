"""What the experiments of the chapter draw and measure, draw by draw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from nystheory import datasets, kernels, lowrank, sampling
from nystheory.chapters import theorems
from nystheory.chapters.sketches_and_limits import promises_kept, staircase
from nystheory.chapters.sketches_and_limits.theorems import lower_bound
from nystheory.chapters.sketches_and_limits.theorems.sketches import (
    leave_one_out_sketch,
)
from nystheory.chapters.sketches_and_limits.theorems.trace_estimators import (
    exchangeable_by_inverse,
    girard_hutchinson,
)
from nystheory.engine.findings.experiments import uneven_clusters

# ---- matrices ----


def digits(size: int, rng) -> kernels.PointKernel:
    """Some of the digits, with a Gaussian kernel of the default width."""
    return kernels.rbf(_some(datasets.digits().X, size, rng))


def patches(size: int, rng) -> kernels.PointKernel:
    """Some patches of two photographs, with a linear kernel."""
    return kernels.linear(_some(datasets.patches(4000, 16).X, size, rng))


def clusters(size: int, rng) -> kernels.PointKernel:
    """Uneven clusters in the plane, with a Gaussian kernel."""
    sizes = [round(share * size) for share in promises_kept.UNEVEN]
    return kernels.rbf(uneven_clusters(sizes, int(rng.integers(2**31))), gamma=0.5)


def cells(size: int, rng) -> kernels.PointKernel:
    """Some cell samples, with a Gaussian kernel of the default width."""
    return kernels.rbf(_some(datasets.breast_cancer().X, size, rng))


def documents(size: int, rng) -> kernels.PointKernel:
    """Generated documents, with a linear kernel."""
    return kernels.linear(datasets.documents(size, 1000, rng).X)


def _some(X, size, rng):
    return X[rng.permutation(len(X))[:size]]


# ---- promises ----

SHARE, SAMPLES = 0.15, 5
AGAIN, SKETCH = "uniform, with replacement", "Gaussian sketch"


@dataclass(frozen=True, eq=False)
class Promised:
    """A matrix, its eigenvalues, and what is promised of it.

    Attributes
    ----------
    K : DenseKernel (n, n)
    values : ndarray (n,)
    promised : Guarantees
        From `guarantees.promises`.
    """

    K: kernels.DenseKernel
    values: np.ndarray
    promised: object


def kept(trial) -> dict:
    """What is promised and missed, in percent of the trace, and their ratio."""
    of, found = trial.known, {}
    for at, (norm, end) in enumerate((("trace", ""), ("spectral", "_2"))):
        row = promises_kept.best_rows(of.promised, norm).get(trial.run)
        share = 1.0 if row is None else min(row.share, 1.0)
        errors = [
            _error(of, trial.run, row, norm, at, trial.rng) for _ in range(SAMPLES)
        ]
        missed = float(np.mean(errors)) / of.promised.trace
        found |= {
            f"missed{end}": 100 * missed,
            f"promised{end}": 100 * share,
            f"factor{end}": share / missed,
        }
    return found


def _error(of, scheme, row, norm, at, rng):
    count = of.promised.n_landmarks
    if scheme == SKETCH:
        return promises_kept.sketch_errors(of.values, count, rng)[at]
    if row is not None:
        return promises_kept.drawn_error(of.K, row, count, rng)
    if scheme == "RPCholesky":
        S = sampling.rp_cholesky(of.K, count, rng)
    else:
        S = sampling.uniform(of.K, count, rng, replace=True)
    return lowrank.nystrom(of.K, S).error(of.K, norm)


# ---- a witness for a sketch ----

TIMES = 20


def looks(trial) -> dict:
    """Roots of the estimates by leaving one out, over the Frobenius errors."""
    K, rng, ratios = trial.known.dense(), trial.rng, []
    for _ in range(TIMES):
        Omega = rng.standard_normal((len(K), trial.run))
        Y = K @ Omega
        missed = np.linalg.norm(K - Y @ np.linalg.solve(Omega.T @ Y, Y.T))
        ratios.append(np.sqrt(leave_one_out_sketch(Y, Omega)) / missed)
    off = 100 * np.mean(np.abs(np.array(ratios) - 1))
    return {"least": min(ratios), "largest": max(ratios), "off": off}


# ---- traces ----

VECTORS, ESTIMATES = (4, 8, 16, 32), 100


def harmonic(size: int, rng) -> np.ndarray:
    """The eigenvalues 1, 1/2, 1/3 and so on."""
    return 1 / np.arange(1.0, size + 1)


def squares(size: int, rng) -> np.ndarray:
    """The eigenvalues 1, 1/4, 1/9 and so on."""
    return harmonic(size, rng) ** 2


def level(size: int, rng) -> np.ndarray:
    """Eigenvalues drawn from 1 to 2."""
    return rng.uniform(1, 2, size)


def of_digits(size: int, rng) -> np.ndarray:
    """Those of some digits with a Gaussian kernel."""
    return np.linalg.eigvalsh(digits(size, rng).dense())[::-1].clip(1e-12)


def halves(values: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """The estimate with two halves for a diagonal K, for many test matrices at once.

    Parameters
    ----------
    values : array (n,)
    omega : ndarray (..., n, l)

    Examples
    --------
    >>> halves(np.ones(2), np.eye(2)[None]).tolist()
    [2.0]
    """
    half = omega.shape[-1] // 2
    seeing, testing = omega[..., :half], omega[..., half:]
    Y = values[:, None] * seeing
    inverse = np.linalg.inv(np.swapaxes(seeing, -1, -2) @ Y)
    G = Y @ inverse
    seen = np.swapaxes(Y, -1, -2) @ testing
    there = (seen * (inverse @ seen)).sum(axis=-2).mean(axis=-1)
    return (G * Y).sum(axis=(-2, -1)) + girard_hutchinson(values, testing) - there


def traces(trial) -> dict:
    """Root mean square errors, and the exponent over the last doubling."""
    values, errors = trial.known, []
    for count in VECTORS:
        omega = trial.rng.standard_normal((ESTIMATES, len(values), count))
        gaps = trial.run(values, omega) / values.sum() - 1
        errors.append(100 * float(np.sqrt(np.mean(gaps**2))))
    return {"error": errors, "exponent": float(np.log2(errors[-1] / errors[-2]))}


ESTIMATORS = {
    "exchangeable": exchangeable_by_inverse,
    "halves": halves,
    "plain": girard_hutchinson,
}

# ---- groups ----

COUNTS, REPEATS = (6, 12, 24, 48), 7


@dataclass(frozen=True, eq=False)
class Blocks:
    """Groups of points that look alike, of one size.

    Attributes
    ----------
    n, k : int
    similarity : float
    K : DenseKernel (n, n)
    values : ndarray (n,)
    """

    n: int
    k: int
    similarity: float
    K: kernels.DenseKernel = field(init=False)
    values: np.ndarray = field(init=False)

    def __post_init__(self):
        case = lower_bound.blocks(self.n, self.k, self.similarity, [0])
        object.__setattr__(self, "K", kernels.DenseKernel(case.K))
        object.__setattr__(self, "values", np.maximum(case.eigen_K[0], 0))

    def limit(self, count: int) -> float:
        """What no columns can beat, over the error of the best rank k."""
        given = {"n": self.n, "k": self.k, "similarity": self.similarity}
        return theorems["modern:lower-bound"].bound(l=count, **given)


def groups(size: int, rng, k: int = 3, similarity: float = 0.999) -> Blocks:
    """Groups that look alike."""
    return Blocks(size, k, similarity)


def five(size: int, rng) -> Blocks:
    """Five groups."""
    return groups(size, rng, k=5)


def less_alike(size: int, rng) -> Blocks:
    """Groups whose points are less alike."""
    return groups(size, rng, similarity=0.9)


def of_groups(trial) -> dict:
    """Spectral errors over that of the best rank, medians, and over the limit."""
    of = trial.known
    ratios = [
        float(np.median([_of_group(of, trial, m) for _ in range(REPEATS)]))
        for m in COUNTS
    ]
    over = [r / of.limit(m) for r, m in zip(ratios, COUNTS, strict=True)]
    return {"ratio": ratios, "over": over}


def _of_group(of, trial, count):
    best = 1 - of.similarity
    if trial.run == SKETCH:
        return promises_kept.sketch_errors(of.values, count, trial.rng)[1] / best
    S = trial.run(of.K, count, trial.rng)
    return lowrank.nystrom(of.K, S).error(of.K, "spectral") / best


# ---- steps of a spectrum ----


def steps(fall: float) -> Callable:
    """Draws of eigenvalues in three steps: how many, and the values of each.

    The first step has 5 to 15 eigenvalues, the second 10 to 30.
    """

    def draw(size: int, rng):
        first, second = int(rng.integers(5, 16)), int(rng.integers(10, 31))
        return (first, second, size - first - second), (1.0, fall, fall**2)

    return draw


def at_a_step(trial) -> dict:
    """The factor before a step, and its share of the worst case at the step."""
    counts, values = trial.known
    l = sum(counts[: trial.run + 1])  # noqa: E741
    before, there = staircase.dpp_factor(staircase.stairs(counts, values), [l - 1, l])
    return {"before": before, "share": there / (l + 1)}
