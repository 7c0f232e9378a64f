"""Ridge regression with the first pivots, and rules that say how many."""

from __future__ import annotations

import math
import warnings
from bisect import bisect_left
from dataclasses import dataclass
from functools import partial

import numpy as np
import scipy.linalg

from nystheory import kernels, sampling
from nystheory.chapters.ridge_and_preconditioning.measured import largest
from nystheory.engine.findings.held_out import Points

# Ridges that are tried, and the pivots of which the fewest are sought.
RIDGES = 10.0 ** np.arange(-4, 3)
GRID = 30


@dataclass(frozen=True, eq=False)
class Regression:
    """Ridge regression with the first pivots, of any number, on points set apart.

    Attributes
    ----------
    factor : ndarray (n, m)
        Of the points to learn from.
    choosing, judging : ndarray (points, m)
        That of other points.
    inner : ndarray (n, n)
        The kernel matrix of the points to learn from.
    y, y_choosing, y_judging : ndarray
    ridge, dimension, whole : float
        What validation chose with all of K, and the error on the judged points.
    """

    factor: np.ndarray
    choosing: np.ndarray
    judging: np.ndarray
    inner: np.ndarray
    y: np.ndarray
    y_choosing: np.ndarray
    y_judging: np.ndarray
    ridge: float
    dimension: float
    whole: float

    @property
    def most(self) -> int:
        """Pivots at hand."""
        return self.factor.shape[1]

    def error(self, count: int) -> float:
        """The root of the squared errors on the points that judge."""
        return self._error(count, self.judging, self.y_judging)

    def error_of_choice(self, count: int) -> float:
        """The same on the points that choose."""
        return self._error(count, self.choosing, self.y_choosing)

    def _error(self, count, new, y):
        near = self.factor[:, :count]
        A = near.T @ near + self.ridge * np.eye(count)
        weights = np.linalg.solve(A, near.T @ self.y)
        return float(np.linalg.norm(new[:, :count] @ weights - y))

    def missed(self, count: int) -> np.ndarray:
        """The error of the matrix."""
        near = self.factor[:, :count]
        return self.inner - near @ near.T

    def fewest(self, holds) -> int:
        """The fewest pivots with what holds from there on; all if none has it."""
        counts = range(1, self.most + 1)
        at = bisect_left(counts, True, key=holds)
        return counts[min(at, len(counts) - 1)]


def halves(points: Points, rng) -> tuple[Regression, None]:
    """A half to learn from, a quarter to choose by, a quarter to judge.

    A Gaussian kernel of the default width, and of the powers of ten the ridge that is
    best, with all of K, on the second part.
    """
    K, y = kernels.rbf(points.X).dense(), points.y[:, 0]
    n, quarter = len(K) // 2, len(K) // 4
    learn, choose, judge = np.split(rng.permutation(len(K)), [n, n + quarter])
    y, inner = y - y[learn].mean(), K[np.ix_(learn, learn)]
    values, vectors = np.linalg.eigh(inner)
    values, weights = np.maximum(values, 0), vectors.T @ y[learn]

    def error(new, ridge):
        dual = vectors @ (weights / (values + ridge))
        return float(np.linalg.norm(K[np.ix_(new, learn)] @ dual - y[new]))

    ridge = min(RIDGES, key=partial(error, choose))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        found = sampling.rp_cholesky(inner, n - 1, rng)
    F, S = found.factor, found.indices

    def extended(new):
        rows = K[np.ix_(new, learn[S])]
        return scipy.linalg.solve_triangular(F[S], rows.T, lower=True).T

    return Regression(
        F, extended(choose), extended(judge), inner, y[learn], y[choose], y[judge],
        ridge, (values / (values + ridge)).sum(), error(judge, ridge),
    ), None  # fmt: skip


def by_norm(of: Regression) -> int:
    """Until the norm of the error is a tenth of the ridge."""
    return of.fewest(lambda count: largest(of.missed(count)) <= of.ridge / 10)


def by_trace(of: Regression) -> int:
    """Until the trace of the error is a tenth of the ridge."""
    return of.fewest(lambda count: np.trace(of.missed(count)) <= of.ridge / 10)


def by_dimension(of: Regression, times: float = 1) -> int:
    """As many as the effective dimension, or a multiple."""
    return min(math.ceil(times * of.dimension), of.most)


def by_validation(of: Regression) -> int:
    """Doubled until the points that choose gain less than one percent."""
    count = by_dimension(of)
    while count < of.most:
        more = min(2 * count, of.most)
        if of.error_of_choice(more) > 0.99 * of.error_of_choice(count):
            break
        count = more
    return count


def enough(of: Regression) -> int:
    """The fewest from which on the judged points are within one percent."""
    grid = np.unique(np.geomspace(1, of.most, GRID).astype(int))
    near = [of.error(count) <= 1.01 * of.whole for count in grid]
    fails = np.flatnonzero(~np.array(near))
    first = fails[-1] + 1 if len(fails) else 0
    return int(grid[min(first, len(grid) - 1)])


def ruled(trial) -> dict:
    """The pivots that a rule takes, and what it loses on new points, in percent."""
    of = trial.known
    count = trial.run(of)
    loss = 100 * (of.error(count) / of.whole - 1)
    return {"pivots": count, "excess": loss, "dimension": of.dimension}
