"""Pegasos: subgradients of the loss at one point after the other, on features.

What the points of a block do to each other's scores is in the products of their
features, ``F_b F_b^T``: all else is products of matrices, and the order is kept.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg.blas import daxpy
from threadpoolctl import threadpool_limits

from nystheory.learners._margins import Problem, certified

# Points whose products are taken at a time.
BLOCK = 128
# Threads that wait for each other after products as small cost more than they save.
one_thread = threadpool_limits.wrap(limits=1, user_api="blas")


def _pull(name: str, margin: float) -> float:
    """The same of one number, which is faster."""
    if name == "hinge":
        return 1.0 if margin < 1 else 0.0
    return 0.0 if margin > 700 else 1 / (1 + math.exp(max(margin, -700)))


@dataclass(frozen=True)
class Steps:
    """What Pegasos knows after so many steps, for objectives of so many points.

    `total` is S, the sum of what was added, and `weighed` the sum of S after each step:
    t times the iterate after step t, up to one factor.
    """

    total: np.ndarray
    weighed: np.ndarray
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
        return cls(total, total * (steps + 1) / 2, steps, points)

    def of_points(self, points: int) -> Steps:
        """For the objective of so many points."""
        return replace(self, points=points)

    def average(self, ridge: float) -> np.ndarray:
        """The mean of the iterates, with the weight t for that after step t."""
        weights = self.steps * (self.steps + 1) / 2
        return self.weighed * (self.points / (ridge * weights))


@one_thread
def pegasos_pass(
    problem: Problem, state: Steps, rng: np.random.Generator, bar
) -> tuple[Steps, np.ndarray]:
    """A step for each point, in random order; and which added what, (n, q).

    Step t goes along a subgradient at one point by ``1 / (lambda t)``, with lambda the
    ridge over the number of points, so that after it the iterate is ``S points /
    (ridge t)``.
    """
    n = len(problem.signs)
    total, weighed, t = state.total.copy(), state.weighed.copy(), state.steps
    added = np.empty(problem.signs.shape)
    order = rng.permutation(n)
    for first in range(0, n, BLOCK):
        points = order[first : first + BLOCK]
        F = problem.features(points)
        before = np.arange(t, t + len(points))  # steps taken before each
        scales = state.points / (problem.ridge * np.maximum(before, 1))
        scores, products = np.asfortranarray(F @ total), F @ F.T
        for j in range(scores.shape[1]):
            y = problem.signs[points, j]
            c = problem.weights[points]
            added[points, j] = _steps(
                problem.loss, products, scores[:, j], y, c, scales
            )
        change = added[points] * problem.signs[points]
        left = np.arange(len(points), 0, -1)  # sums that each is in
        weighed += total * len(points) + F.T @ (change * left[:, None])
        total += F.T @ change
        t += len(points)
        bar.update(len(points))
    return replace(state, total=total, weighed=weighed, steps=t), added


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
    """The mean of the iterates, its value and gap, the passes to it, and the state.

    In a pass a point adds c_i at most: the mean of what it added is a dual point, with
    the weight p for pass p.
    """
    n, q = problem.signs.shape
    state = Steps.none(problem.F.shape[1], q).of_points(n)
    sums = np.zeros((n, q))
    for taken in range(1, max_iter + 1):
        state, added = pegasos_pass(problem, state, rng, bar)
        sums += taken * added
        dual = np.minimum(sums / (taken * (taken + 1) / 2), problem.weights[:, None])
        w = state.average(problem.ridge)
        value, gap, *_ = certified(problem, w, dual)
        if (gap <= tol * problem.start()).all():
            break
    return w, value, gap, taken, state
