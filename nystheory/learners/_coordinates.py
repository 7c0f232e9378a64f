"""The dual of the hinge loss on features: one coefficient after the other, or all.

Blocks of points are as for Pegasos.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg.blas import daxpy

from nystheory.learners._boxes import InFactors, Program, solved
from nystheory.learners._margins import Problem, certified, in_float64
from nystheory.learners._pegasos import BLOCK, one_thread
from nystheory.learners._vectors import scaled_factor

# From this pass on, at powers of two, the dual coefficients off the boundary are solved
# for, where there are no more of them than features, and than these.
FIRST_POLISH, MOST_FREE = 8, 2000
# Coefficients on their bounds are left there where the margin is so far from 1; the gap
# is of all points, and tells after each pass which are near again.  In a pass there are
# no more steps than half of the points, once there are few of these.
FAR, MOST_SWEEPS = 0.1, 8


def coordinates(problem: Problem, tol: float, max_iter: int, rng, bar):
    """w of a dual point whose gap is small, its value and gap, and the passes.

    Each step makes the dual of the hinge loss as large as one coefficient can; what
    has the least gap of all passes, in each class, is returned.
    """
    dual = np.zeros(problem.signs.shape)
    v, best = np.zeros((problem.F.shape[1], dual.shape[1])), None
    points = np.arange(len(dual))
    for taken in range(1, max_iter + 1):
        for _ in range(_sweeps(len(points), len(dual))):
            _sweep(problem, dual, v, rng.permutation(points))
        bar.update(len(dual))
        best, v, margins = _told(problem, best, dual, v / problem.ridge)
        points = _near(problem, dual, margins)
        if taken >= FIRST_POLISH and taken & (taken - 1) == 0 or taken == max_iter:
            trial = _polished(problem, dual, v)
            now, w, _ = _told(problem, best, trial, _span(problem, trial))
            less = now[2] < best[2]
            dual, v = np.where(less, trial, dual), np.where(less, w, v)
            best = now
        if (best[2] <= tol * problem.start()).all():
            break
    return *best, taken


def _sweeps(near, all):
    """How often the points near the kink are gone through: the gap is of all points."""
    return max(1, min(MOST_SWEEPS, all // max(2 * near, 1)))


def _told(problem, best, dual, w):
    """What has the least gap so far: w, value and gap; v, without rounding; margins."""
    value, gap, exact, margins = certified(problem, w, dual)
    if best is not None:
        less = gap < best[2]
        found = zip((w, value, gap), best, strict=True)
        w, value, gap = (np.where(less, a, b) for a, b in found)
    return (w, value, gap), problem.ridge * exact, margins


def _near(problem, dual, margins):
    """The points whose next step may change something: others are far from the kink."""
    short = 1 - margins
    far = (dual == 0) & (short < -FAR)
    far |= (dual == problem.weights[:, None]) & (short > FAR)
    return np.flatnonzero(~far.all(axis=1))


def _span(problem, dual):
    """``sum_i a_i y_i f_i / ridge``."""
    v = np.zeros((problem.F.shape[1], dual.shape[1]))
    for rows, F in problem.blocks():
        v += F.T @ (dual[rows] * problem.signs[rows])
    return v / problem.ridge


@one_thread
def _sweep(problem, dual, v, order):
    """A step for each coefficient of some points; `dual` and v are overwritten."""
    for first in range(0, len(order), BLOCK):
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


def _polished(problem, dual, v):
    """The dual point with the coefficients off the boundary solved for.

    One step of Newton's method on them, as for `KernelSVC`.
    """
    dual, c = dual.copy(), problem.weights
    for j, signs in enumerate(problem.signs.T):
        a = dual[:, j]
        free = np.flatnonzero((a > 0) & (a < c))
        if not 0 < len(free) <= min(problem.F.shape[1], MOST_FREE):
            continue
        F, y = in_float64(problem.F[free]), signs[free]
        short = y - F @ (v[:, j] / problem.ridge)
        change = problem.ridge * InFactors(F).least_change(slice(None), short)
        a[free] = np.clip(a[free] + y * change, 0, c[free])
    return dual


# --- All of them ----------------------------------------------------------------------


def interior(problem: Problem, tol: float, max_iter: int):
    """The same by the interior point method of `KernelSVC`, class by class."""
    some = np.flatnonzero(problem.weights)
    F = problem.F if len(some) == len(problem.weights) else problem.F[some]
    K, unit = scaled_factor(F)
    box = problem.weights[some] * (unit / problem.ridge)
    dual, taken = np.zeros(problem.signs.shape), 1
    for j, signs in enumerate(problem.signs[some].T):
        program = Program(K, signs[None], np.ones((1, len(some))), box)
        z, _, steps = solved(program, tol, max_iter)
        dual[some, j] = z[0] * (problem.ridge / unit)
        taken = max(taken, steps)
    dual = np.clip(dual, 0, problem.weights[:, None])
    w = _span(problem, dual)
    return w, *certified(problem, w, dual)[:2], taken
