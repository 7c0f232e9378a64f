"""Losses of margins on features: two methods that take point after point, and a gap.

    minimise  P(w) = ridge / 2 |w|^2 + sum_i c_i loss(y_i f_i'w)
    maximise  D(a) = - |sum_i a_i y_i f_i|^2 / (2 ridge) - sum_i c_i loss*(-a_i / c_i)

With ``v = sum_i a_i y_i f_i`` the gap ``P(w) - D(a)`` is ``|ridge w - v|^2 / (2
ridge)`` and a sum over the points, of terms that are at least zero: no digits cancel.

Both methods go through the points one by one.  What the points of a block do to each
other's scores is in the products of their features, ``F_b F_b^T``: all else is products
of matrices, and the order is kept.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse
from scipy.linalg.blas import daxpy
from scipy.special import expit

from nystheory.kernels import row_blocks
from nystheory.learners._boxes import InFactors

LOSSES = ("hinge", "logistic", "square")
# Points whose products are taken at a time.
BLOCK = 128
# From this pass on, at powers of two, the dual coefficients off the boundary are solved
# for, where there are no more of them than features, and than these.
FIRST_POLISH, MOST_FREE = 8, 2000
EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Problem:
    """Features, (n, k), labels -1 and 1, (n, q), weights, (n,), the ridge, a loss."""

    F: np.ndarray | sparse.csr_array
    signs: np.ndarray
    weights: np.ndarray
    ridge: float
    loss: str

    def start(self) -> float:
        """The value at w = 0."""
        at_zero = {"hinge": 1.0, "logistic": math.log(2), "square": 0.5}
        return at_zero[self.loss] * float(self.weights.sum())

    def blocks(self):
        """Slices of points, and their features in float64."""
        for rows in row_blocks(*self.F.shape):
            yield rows, in_float64(self.F[rows])

    def features(self, points: np.ndarray) -> np.ndarray:
        """Those of some points, dense and in float64."""
        F = self.F[points]
        return in_float64(F.toarray() if sparse.issparse(F) else F)


def in_float64(F):
    """Features in float64; those that are, as they are."""
    return F.astype(np.float64, copy=False)


# --- Losses ---------------------------------------------------------------------------


def losses(name: str, margins: np.ndarray) -> np.ndarray:
    """The loss of each margin.

    >>> [losses(name, np.array([0.0])).round(3).tolist() for name in LOSSES]
    [[1.0], [0.693], [0.5]]
    """
    if name == "hinge":
        return np.maximum(0.0, 1 - margins)
    return np.logaddexp(0, -margins) if name == "logistic" else (1 - margins) ** 2 / 2


def pulls(name: str, margins: np.ndarray) -> np.ndarray:
    """Minus the slope of the loss, at each margin.

    >>> [pulls(name, np.array([0.0])).tolist() for name in LOSSES]
    [[1.0], [0.5], [1.0]]
    """
    if name == "hinge":
        return (margins < 1).astype(float)
    return expit(-margins) if name == "logistic" else 1 - margins


def _pull(name: str, margin: float) -> float:
    """The same of one number, which is faster."""
    if name == "hinge":
        return 1.0 if margin < 1 else 0.0
    return 0.0 if margin > 700 else 1 / (1 + math.exp(max(margin, -700)))


# --- The gap --------------------------------------------------------------------------


def certified(
    problem: Problem, w: np.ndarray, dual: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """P(w), an upper bound of its gap, rounding included, and v / ridge: (q,), (k, q).

    The dual point is the one that is given, with ``0 <= a_i <= c_i``, for the hinge
    loss.  For the others it is ``a_i = c_i pull(y_i f_i'w)``, of which the sum over the
    points is zero, and v that of the gradient, ``ridge w - v``.

    An inner product of k numbers is off by at most ``k eps`` of the product of the
    lengths, and v by ``n eps sum_i a_i |f_i|``; with eps twice the unit of rounding the
    few roundings beside are in it.
    """
    n, k = problem.F.shape
    ridge, hinge = problem.ridge, problem.loss == "hinge"
    v, off = np.zeros_like(w), np.zeros(w.shape[1])
    value, terms, lost = np.zeros_like(off), np.zeros_like(off), np.zeros_like(off)
    lengths = np.linalg.norm(w, axis=0)
    for rows, F in problem.blocks():
        y, c = problem.signs[rows], problem.weights[rows, None]
        margins = y * (F @ w)
        a = dual[rows] if hinge else c * pulls(problem.loss, margins)
        sizes = _row_lengths(F)[:, None]
        slack = EPS * (k + 8) * sizes * lengths  # of a margin
        v += F.T @ (a * y)
        off += EPS * (n + 8) * (np.abs(a) * sizes).sum(axis=0)
        value += (c * losses(problem.loss, margins)).sum(axis=0)
        if hinge:
            short = 1 - margins
            terms += np.where(short > 0, (c - a) * short, -a * short).sum(axis=0)
            lost += (c * slack).sum(axis=0)
        else:  # what a margin is off, its pull is at most
            off += (c * slack * sizes).sum(axis=0)
    value += ridge / 2 * lengths**2
    apart = np.linalg.norm(w - v / ridge, axis=0) * (1 + EPS * (k + 8))
    apart += off / ridge + 4 * EPS * lengths
    gap = ridge / 2 * apart**2 + terms * (1 + EPS * (n + 8)) + lost
    return value, gap * (1 + 8 * EPS), v / ridge


def _row_lengths(F):
    """The lengths of the rows."""
    if sparse.issparse(F):
        return np.sqrt(np.asarray((F * F).sum(axis=1)).ravel())
    return np.sqrt(np.einsum("ij,ij->i", F, F))


# --- Pegasos --------------------------------------------------------------------------


@dataclass(frozen=True)
class Steps:
    """What Pegasos knows after so many steps, for objectives of so many points.

    `total` is S, the sum of what was added, and `means` the sum over the steps s of
    ``S_s / (s - 1)``, the first of which is 0.
    """

    total: np.ndarray
    means: np.ndarray
    steps: int
    points: int

    @classmethod
    def none(cls, k: int, q: int) -> Steps:
        """Before the first step."""
        return cls(np.zeros((k, q)), np.zeros((k, q)), 0, 0)

    @classmethod
    def at(cls, w: np.ndarray, ridge: float, steps: int, points: int) -> Steps:
        """As if so many steps had led to w, and their mean were w, too."""
        total = ridge / points * steps * w
        return cls(total, total, steps, points)

    def of_points(self, points: int) -> Steps:
        """For the objective of so many points."""
        return replace(self, points=points)

    def average(self, ridge: float) -> np.ndarray:
        """The mean of the iterates."""
        return self.means * (self.points / (ridge * max(self.steps, 1)))


def pegasos_pass(
    problem: Problem, state: Steps, rng: np.random.Generator, bar
) -> tuple[Steps, np.ndarray]:
    """A step for each point, in random order; and which added what, (n, q).

    Step t goes along a subgradient at one point by ``1 / (lambda t)``, with lambda the
    ridge over the number of points, so that before it the iterate is ``S points /
    (ridge (t - 1))``.
    """
    n = len(problem.signs)
    total, means, t = state.total.copy(), state.means.copy(), state.steps
    added = np.empty(problem.signs.shape)
    order = rng.permutation(n)
    for first in range(0, n, BLOCK):
        points = order[first : first + BLOCK]
        F = problem.features(points)
        before = np.arange(t, t + len(points))  # steps taken before each
        shares = 1 / np.maximum(before, 1)
        scales = shares * (state.points / problem.ridge)
        scores, products = np.asfortranarray(F @ total), F @ F.T
        for j in range(scores.shape[1]):
            y = problem.signs[points, j]
            c = problem.weights[points]
            added[points, j] = _steps(
                problem.loss, products, scores[:, j], y, c, scales
            )
        change = added[points] * problem.signs[points]
        later = shares.sum() - np.cumsum(shares)  # of the steps after each
        means += total * shares.sum() + F.T @ (change * later[:, None])
        total += F.T @ change
        t += len(points)
        bar.update(len(points))
    return replace(state, total=total, means=means, steps=t), added


def _steps(loss, products, scores, signs, weights, scales):
    """What each point of a block adds, before its sign; the scores are overwritten."""
    found = []
    rows = zip(products, signs.tolist(), weights.tolist(), scales.tolist(), strict=True)
    for i, (row, sign, weight, scale) in enumerate(rows):
        change = weight * _pull(loss, sign * scale * scores.item(i))
        if change:
            daxpy(row, scores, a=sign * change)
        found.append(change)
    return found


def pegasos(problem: Problem, tol: float, max_iter: int, rng, bar):
    """The mean of the iterates, its value and gap, and the state: passes to a gap.

    After p passes a point has added ``p c_i`` at most, and a p-th of what it added is
    a dual point.
    """
    n, q = problem.signs.shape
    state = Steps.none(problem.F.shape[1], q).of_points(n)
    sums = np.zeros(problem.signs.shape)
    for taken in range(1, max_iter + 1):
        state, added = pegasos_pass(problem, state, rng, bar)
        sums += added
        dual = np.minimum(sums / taken, problem.weights[:, None])
        w = state.average(problem.ridge)
        value, gap, _ = certified(problem, w, dual)
        if (gap <= tol * problem.start()).all():
            break
    return w, value, gap, taken, state


# --- Coordinates of the dual ----------------------------------------------------------


def coordinates(problem: Problem, tol: float, max_iter: int, rng, bar):
    """w of a dual point whose gap is small, its value and gap, and the passes.

    Each step makes the dual of the hinge loss as large as one coefficient can; what
    has the least gap of all passes, in each class, is returned.
    """
    q = problem.signs.shape[1]
    dual = np.zeros(problem.signs.shape)
    v = np.zeros((problem.F.shape[1], q))
    best = None
    for taken in range(1, max_iter + 1):
        _pass(problem, dual, v, rng, bar)
        w = _span(problem, dual)
        found = (w, *certified(problem, w, dual)[:2])
        best = found if best is None else _better(best, found)
        v = problem.ridge * w  # without the rounding of the steps
        if taken >= FIRST_POLISH and taken & (taken - 1) == 0 or taken == max_iter:
            best, dual, v = _with_polished(problem, best, dual, v)
        if (best[2] <= tol * problem.start()).all():
            break
    return *best, taken


def _span(problem, dual):
    """``sum_i a_i y_i f_i / ridge``."""
    v = np.zeros((problem.F.shape[1], dual.shape[1]))
    for rows, F in problem.blocks():
        v += F.T @ (dual[rows] * problem.signs[rows])
    return v / problem.ridge


def _better(best, found):
    """For each class the one with the smaller gap."""
    less = found[2] < best[2]
    return tuple(np.where(less, a, b) for a, b in zip(found, best, strict=True))


def _pass(problem, dual, v, rng, bar):
    """A step for each coefficient, in random order; `dual` and v are overwritten."""
    n = len(dual)
    order = rng.permutation(n)
    for first in range(0, n, BLOCK):
        points = order[first : first + BLOCK]
        F = problem.features(points)
        scores, products = np.asfortranarray(F @ v), F @ F.T
        scores /= problem.ridge
        products /= problem.ridge
        for j in range(dual.shape[1]):
            y, old = problem.signs[points, j], dual[points, j]
            c = problem.weights[points]
            new = _coordinate_steps(products, scores[:, j], y, c, old)
            dual[points, j] = new
            v[:, j] += F.T @ (y * (new - old))
        bar.update(len(points))


def _coordinate_steps(products, scores, signs, weights, old):
    """The coefficients of a block, one after the other; scores are overwritten."""
    sizes = products.diagonal().tolist()
    rows = zip(
        *(products, signs.tolist(), weights.tolist(), sizes, old.tolist()), strict=True
    )
    new = []
    for i, (row, sign, weight, size, a) in enumerate(rows):
        short = 1 - sign * scores.item(i)
        b = a + short / size if size > 0 else weight
        b = min(max(b, 0.0), weight)
        if b != a:
            daxpy(row, scores, a=sign * (b - a))
        new.append(b)
    return np.array(new)


def _with_polished(problem, best, dual, v):
    """The same with the coefficients off the boundary solved for, where it is better.

    One step of Newton's method on them, as for `KernelSVC`.
    """
    trial = dual.copy()
    for j in range(dual.shape[1]):
        a, c = dual[:, j], problem.weights
        free = np.flatnonzero((a > 0) & (a < c))
        if not 0 < len(free) <= min(problem.F.shape[1], MOST_FREE):
            continue
        y = problem.signs[free, j]
        short = y - problem.F[free].astype(float) @ (v[:, j] / problem.ridge)
        change = problem.ridge * InFactors(problem.F).least_change(free, short)
        trial[free, j] = np.clip(a[free] + y * change, 0, c[free])
    w = _span(problem, trial)
    found = (w, *certified(problem, w, trial)[:2])
    less = found[2] < best[2]
    dual = np.where(less, trial, dual)
    v = np.where(less, problem.ridge * w, v)
    return _better(best, found), dual, v
