"""What the approximation does to the objective of a learner.

The deterministic core of Yang et al. 2012, Theorem 2, and what is explicit of their
Theorems 1 and 2.  Objectives are minimised on few points, by every set of active bounds
of the dual problem, or by Newton's method.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np

from nystheory.engine import Claim, Control, Instance, Theorem
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.worlds import Given

# Points up to which all sets of active bounds are tried: 3 to the power of it.
MOST = 4
# Relative to the largest eigenvalue; a smaller one of a block counts as zero.
ZERO = 1e-11


class Learned(Instance):
    """The columns of one matrix, labels, a ridge, and a loss of bounded slope."""

    slope = Given("C", "bound on the slope of the loss", range="slope > 0")

    @classmethod
    def drawn(cls, instance, rng):
        """Labels of both classes or of one, or any numbers; a ridge of any size."""
        n = instance.n
        if n > MOST:
            return None
        signs = rng.choice([-1.0, 1.0], (n, 1)) ** rng.integers(2)
        y = (signs, signs, rng.integers(-3, 4, (n, 1)) / 2.0)[rng.integers(3)]
        size = 2.0 ** np.round(np.log2(instance.norm_K or 1.0))
        alpha, slope = size * 2.0 ** rng.integers(-4, 6), 2.0 ** rng.integers(-2, 3)
        return instance.but(y=y, alpha=alpha, slope=slope)


# --- Minima ---------------------------------------------------------------------------


class Box(NamedTuple):
    """Maximise ``c.b - b.B b / (2 alpha)`` between two bounds of each entry of b."""

    B: np.ndarray
    alpha: float
    c: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def value(self, b):
        """The objective at some points, one a row."""
        return b @ self.c - ((b @ self.B) * b).sum(axis=-1) / (2 * self.alpha)

    def maximiser(self) -> np.ndarray:
        """The best of what solves for the free entries, the others at a bound.

        Where an entry leaves its bounds it is put back, so that each is a candidate.
        """
        M, state = self.B / self.alpha, _states(len(self.c))
        free = state == 2
        fixed = np.where(free, 0.0, np.where(state == 0, self.low, self.high))
        blocks = M * free[:, :, None] * free[:, None, :]
        right = np.where(free, self.c - fixed @ M, 0.0)
        solved = np.linalg.pinv(blocks, rcond=ZERO, hermitian=True) @ right[:, :, None]
        b = np.clip(np.where(free, solved[:, :, 0], fixed), self.low, self.high)
        return b[np.argmax(self.value(b))]


@lru_cache
def _states(n):
    """Of each entry: at the lower bound, at the upper one, or free."""
    return np.array([*product(range(3), repeat=n)])


def hinge(i, B) -> Box:
    """The dual of the mean hinge loss with a ridge, n times."""
    y, C = np.ravel(i.y), float(i.slope)
    return Box(B, float(i.alpha), y, np.minimum(0, C * y), np.maximum(0, C * y))


def absolute(i, B) -> Box:
    """The dual of the mean absolute loss with a ridge, n times."""
    y, C = np.ravel(i.y), np.full(i.n, float(i.slope))
    return Box(B, float(i.alpha), y, -C, C)


def box_gap(i, learner) -> float | None:
    """By how much the minimum with the approximation is above that with K."""
    if i.n > MOST:
        return None
    near, full = (learner(i, B) for B in (i.approximation, i.K))
    return float(near.value(near.maximiser()) - full.value(full.maximiser())) / i.n


def logistic_minimum(i, B) -> float:
    """The least mean logistic loss with a ridge, by Newton's method on the weights."""
    values, vectors = np.linalg.eigh(B)
    F = vectors * np.sqrt(np.maximum(values, 0.0))
    y, C, alpha = np.ravel(i.y), float(i.slope), float(i.alpha)

    def objective(w):
        losses = np.logaddexp(0.0, -y * (F @ w))
        return alpha / 2 * w @ w + C * losses.sum()

    w = np.zeros(len(y))
    for _ in range(100):
        p = 1 / (1 + np.exp(np.minimum(y * (F @ w), 700.0)))
        slope = alpha * w - C * F.T @ (y * p)
        curved = alpha * np.eye(len(y)) + C * (F.T * (y**2 * p * (1 - p))) @ F
        step, size = np.linalg.solve(curved, -slope), 1.0
        while objective(w + size * step) > objective(w) and size > 1e-12:
            size /= 2
        w = w + size * step
        if np.linalg.norm(step) <= 1e-14 * max(1.0, np.linalg.norm(w)):
            break
    return objective(w) / i.n


def of_objective(i):
    """Rounding in K~, beside the ridge, and in the sum of the losses."""
    if not (i.alpha > 0 and i.slope > 0):
        return np.inf
    y = 1 + np.abs(i.y).max()
    pushed = float(i.slope) ** 2 * i.norm_K / float(i.alpha) * i.condition
    return float(i.slope) * y + pushed


_gap = {"when": SAMPLE, "unit": 0, "condition": of_objective}


def _entered(loss, measure):
    """Enter by how much the minimum with the approximation is above that with K."""
    G = rf"G_{{\mathrm{{{loss}}}}}"
    latex = rf"\min_{{\hat{{\mathcal H}}}} {G} - \min_{{\mathcal H}} {G}"
    told = f"{loss} loss: the minimum on the landmarks less that on all points"
    Learned.quantity(latex, told, name=f"{loss}_gap", **_gap)(measure)


def logistic_gap(i):
    return logistic_minimum(i, i.approximation) - logistic_minimum(i, i.K)


_entered("hinge", lambda i: box_gap(i, hinge))
_entered("absolute", lambda i: box_gap(i, absolute))
_entered("logistic", logistic_gap)


# --- Instances ------------------------------------------------------------------------


def clusters(size: int, alpha, **given) -> Learned:
    """One point that is a landmark, and equal points that it knows nothing of."""
    rows = [[1] + [0] * size, [0] + [1] * size]
    given = {"y": [[1]] * (size + 1), "alpha": alpha, "slope": 1} | given
    return Learned.exactly([0], 1, points=rows, **given)


def _one_kept(**given) -> Learned:
    """Both points are landmarks, one direction is kept, the labels lie in the other."""
    given = {"y": [[1], [1]], "alpha": 8, "slope": 1} | given
    return Learned.exactly([0, 1], 1, matrix=[[3, -1], [-1, 3]], **given)


_OTHER_DIRECTION = _one_kept()
_FAR = clusters(3, 4)


def _cases(rng):
    yield _OTHER_DIRECTION
    for size, alpha in product((1, 2, 3), (1, 4, 16)):
        yield clusters(size, alpha)
    for n in (1, 2, 3, 4) * 8:
        X = rng.integers(-2, 3, (2, n))
        landmarks = rng.integers(n, size=int(rng.integers(1, n + 1)))
        rank = int(rng.integers(1, len(landmarks) + 1))
        yield Instance.from_points(X, landmarks, rank, "integers")


# --- The theorem ----------------------------------------------------------------------

SETTING = (
    r"Let $\mathcal H$ be the span of all points, and let $\hat{\mathcal H}$ be the "
    r"span of the $k$ leading eigenfunctions of the landmarks, on which the kernel "
    r"matrix is $\tilde K$. Let $C$ bound the slope of the loss (here a number, not "
    r"the columns). Let $G(f) = \frac1n \bigl(\frac\alpha2 \|f\|^2 + \sum_i "
    r"\ell(f(x_i), y_i)\bigr)$ "
)
_LOSSES = (
    r"where $\ell(z, y)$ is $C$ times the hinge loss $(1 - y z)_+$, the absolute loss "
    r"$|z - y|$ or the logistic loss $\log(1 + e^{-y z})$."
)
LABELS = "abs(y) == 1"
BOUND = "slope**2 / (2 * alpha) * error_2"
_WHOLE = f"{LABELS} and k >= rank_W"

OBJECTIVE_GAP = Theorem(
    id="yang2012:objective-gap",
    kind="inequality",
    status="new",
    title="What the approximation costs a learner",
    number="new, the explicit core of Theorem 2 of Yang et al. 2012",
    setting=SETTING + _LOSSES,
    claims={
        "hinge": Claim(
            f"hinge_gap <= {BOUND}",
            when=LABELS,
            says="The least objective rises by at most what the error of the matrix "
            "allows:",
        ),
        "never below": Claim("hinge_gap >= 0", when=LABELS),
        "logistic": Claim(
            "logistic_gap <= slope**2 / (8 * alpha) * error_2", when=LABELS
        ),
        "absolute": Claim(f"absolute_gap <= {BOUND}", says="For any observations"),
        "whole core": Claim(
            f"hinge_gap <= (1 - different / n) * {BOUND}",
            when=_WHOLE,
            says="With the whole core, the $|S|$ distinct landmarks themselves cost "
            "nothing:",
        ),
    },
    world=Learned,
    cases=_cases,
    controls={
        "0.49 for a half": Control("hinge", _OTHER_DIRECTION, {"(2 *": "(1 / 0.49 *"}),
        "labels 2": Control("hinge", _one_kept(y=[[2], [2]]), lacks=LABELS),
        "at least 1": Control("never below", _FAR, {">= 0": ">= 1"}),
        "a tenth for an eighth": Control(
            "logistic", _OTHER_DIRECTION, {"(8 *": "(10 *"}
        ),
        "0.49, absolute": Control(
            "absolute", _OTHER_DIRECTION, {"(2 *": "(1 / 0.49 *"}
        ),
        "one percent less": Control("whole core", _FAR, {"<=": "<= 0.99 *"}),
        "cut to one direction": Control(
            "whole core", _OTHER_DIRECTION, lacks="k >= rank_W"
        ),
    },
)
