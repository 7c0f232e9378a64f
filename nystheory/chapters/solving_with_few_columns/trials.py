"""What the experiments measure: conditions and steps, means and variances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nystheory import datasets, kernels, lowrank, sampling
from nystheory.certificates import trace_certificate
from nystheory.chapters import theorems
from nystheory.chapters.solving_with_few_columns.theorems.preconditioning import (
    condition_with,
)
from nystheory.learners import (
    GaussianProcess,
    Preconditioner,
    conjugate_gradients,
    tolerated_error,
)

# ---- preconditioners ----

RIDGE, GOAL, CHANCE = 0.1, 3.0, 0.1


@dataclass(frozen=True, eq=False)
class System:
    """A system, and how many volume-weighted columns are promised to be enough."""

    K: kernels.DenseKernel
    y: np.ndarray
    promised: int


def of_digits(size: int, rng):
    """Random digits with a wide kernel, and a right-hand side of noise."""
    X = datasets.digits().X
    return X[rng.permutation(len(X))[:size]], 0.005


def of_cells(size: int, rng):
    """Random cell samples, each coordinate of variance 1."""
    X = datasets.breast_cancer().X
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return X[rng.permutation(len(X))[:size]], 0.01


def system(size: int, rng, make) -> System:
    """Of points and the parameter of a Gaussian kernel, the first of what is made."""
    X, *_, gamma = make(size, rng)
    K = kernels.DenseKernel(kernels.rbf(X, gamma).dense())
    return System(K, rng.standard_normal(size), promised(K))


def promised(K, ridge: float = RIDGE) -> int:
    """So many volume-weighted columns give the condition number with high probability.

    The mean of the trace that l of them miss is ``(l + 1) e_{l+1} / e_l``, in the
    elementary symmetric polynomials of the eigenvalues.

    Examples
    --------
    >>> promised(kernels.DenseKernel(np.diag([1.0, 0.01, 0.005])))
    2
    """
    logs = np.full(K.n + 2, -np.inf)
    logs[0] = 0.0
    for value in np.linalg.eigvalsh(K.dense()):
        if value > 0:
            logs[1:] = np.logaddexp(logs[1:], logs[:-1] + np.log(value))
    counts = np.arange(1, K.n)
    with np.errstate(invalid="ignore"):
        means = (counts + 1) * np.exp(logs[counts + 1] - logs[counts])
    enough = means <= tolerated_error(ridge, GOAL, delta=CHANCE)
    return int(counts[enough][0]) if enough.any() else K.n


def solves(trial, counts) -> dict:
    """Condition numbers, their bounds and the steps, with each number of columns."""
    K, y = trial.known.K, trial.known.y
    rows = [_solved(K, y, trial.run, count, trial.rng) for count in counts]
    condition, by_norm, by_trace, steps = np.array(rows).T
    good = [c for c, x in zip(counts, condition, strict=True) if x <= GOAL]
    return {
        "condition": condition,
        "by_norm": by_norm,
        "by_trace": by_trace,
        "steps": steps,
        "enough": min(good, default=K.n),
        "promised": trial.known.promised,
    }


def unaided(trial) -> dict:
    """The same without a preconditioner."""
    K, y = trial.known.K, trial.known.y
    values = np.linalg.eigvalsh(K.dense())[[0, -1]]
    return {
        "condition": (values[1] + RIDGE) / (max(values[0], 0.0) + RIDGE),
        "steps": conjugate_gradients(K, y, RIDGE).iterations,
    }


def _solved(K, y, scheme, count, rng):
    S = sampling.SCHEMES[scheme](K, count, rng)
    near = lowrank.nystrom(K, S) if S.factor is None else lowrank.from_factor(S)
    P = Preconditioner(near, RIDGE)
    bound = theorems["modern:preconditioning-trace"].bound
    return (
        condition_with(K.dense(), near.spectral_reconstruction(), RIDGE),
        bound(gap_2=near.error(K, "spectral"), alpha=RIDGE),
        P.condition(K),
        conjugate_gradients(K, y, RIDGE, P).iterations,
    )


# ---- Gaussian processes ----


@dataclass(frozen=True, eq=False)
class Observed:
    """Points with observations, the places of predictions, and what is known of both.

    Attributes
    ----------
    X, y, places : ndarray (n, d), (n,), (m, d)
    gamma, noise : float
        Of the kernel; the variance of the noise.
    """

    X: np.ndarray
    y: np.ndarray
    places: np.ndarray
    gamma: float
    noise: float

    @property
    def K(self) -> kernels.PointKernel:
        """The kernel matrix."""
        return kernels.rbf(self.X, self.gamma)


def on_a_line(size: int, rng, noise: float, hole: bool = True) -> Observed:
    """Observations of a wave, with a hole in the middle or without."""
    ends = ((0, 4), (6, 10)) if hole else ((0, 5), (5, 10))
    parts = [rng.uniform(*each, size // 2) for each in ends]
    x = np.sort(np.concatenate(parts))
    y = np.sin(x) + np.sqrt(noise) * rng.standard_normal(len(x))
    return Observed(x[:, None], y, np.linspace(-1, 11, 241)[:, None], 2.0, noise)


def of_a_task(size: int, rng, make, noise: float) -> Observed:
    """A task of the race, and as many new points."""
    X, y, gamma = make(2 * size, rng)
    y = y - y[:size].mean()
    return Observed(X[:size], y[:size], X[size:], gamma, noise)


def variances(trial, counts) -> dict:
    """How near the ratio of variances comes to its bounds, and how low one falls."""
    seen = trial.known
    K, s = seen.K, seen.noise
    exact = _variance(seen, K)
    rows = K.between(seen.places, np.arange(K.n))
    above, below, lowest = [], [], []
    for count in counts:
        near = lowrank.nystrom(K, sampling.SCHEMES[trial.run](K, count, trial.rng))
        ratio = _variance(seen, near) / exact
        theta = factor(near.error(K, "spectral") / s)
        above.append(100 * ratio.max() / theta)
        below.append(100 / (ratio.min() * theta))
        lowest.append((1 - (rows * near.solve(rows.T, s).T).sum(axis=1)).min())
    return {"above": above, "below": below, "lowest": lowest}


def factor(t: float) -> float:
    """Between the variances, at most, for an error of t times the noise."""
    return 1 + t / 2 + np.sqrt(t + t**2 / 4)


def _variance(seen, matrix) -> np.ndarray:
    way = "inducing" if isinstance(matrix, lowrank.LowRank) else "exact"
    process = GaussianProcess(seen.noise, method=way).fit(matrix, seen.y)
    return process.predict(seen.places, True)[1] ** 2


def moves(trial, counts) -> dict:
    """The largest change of the mean in percent of the bound before a fit."""
    seen, y = trial.known, trial.known.y
    process, K = GaussianProcess(seen.noise), seen.K
    pivots = sampling.rp_cholesky(K, max(counts), trial.rng).indices
    exact = process.fit(K, y).predict(seen.places)
    bound_of = theorems["modern:gp-inducing"].right_side
    known = {"noise": seen.noise, "norm_y": np.linalg.norm(y), "point_bound": 1.0}
    moved, bounds = [], []
    for count in counts:
        near = lowrank.nystrom(K, pivots[:count])
        missed = trace_certificate(K, near)
        most = missed.value + missed.error
        bounds.append(bound_of("mean, everywhere", norm_E=most, **known))
        found = process.fit(near, y).predict(seen.places)
        moved.append(np.abs(found - exact).max())
    return {
        "moved": moved,
        "bound": bounds,
        "share": 100 * np.divide(moved, bounds),
    }
