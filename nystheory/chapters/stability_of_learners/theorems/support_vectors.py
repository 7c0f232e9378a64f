"""How far support vector machines and regression move with their kernel matrix.

Proposition 5.2, and Corollaries 5.1 and 5.2.  Without offset the two dual problems
compare directly, whatever optimum of theirs is taken.
"""

from __future__ import annotations

import numpy as np

from nystheory.chapters.stability_of_learners.theorems.dual_optima import (
    MOST,
    TwoMachines,
    TwoRegressions,
    largest,
    machine,
    pair,
    power_of_two,
    some_points,
)
from nystheory.engine import Claim, Control, Hypothesis, Theorem, Where
from nystheory.engine.language.claims import IN_RANGE
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds.matrices import diagonal
from nystheory.engine.worlds.two_kernels import TwoKernels, other
from nystheory.engine.worlds.worlds import Given

# --- At a point x ---------------------------------------------------------------------


class NewPoint(TwoKernels):
    """Two kernel matrices of the same points, and a point x of the feature space."""

    x = Given(axes=("N", "one"))


class LossesAt(NewPoint, TwoMachines):
    """Two support vector machines, and a point x with its label."""

    label = Given("y", "label of the point x")

    @classmethod
    def drawn(cls, instance, rng):
        """A point x along the change of the predictions, or any, and its label."""
        i = super().drawn(instance, rng)
        if i is None:
            return None
        found = pair(i, machine) if rng.random() < 0.7 else None
        if found is not None:
            x = i.points @ (found.there[found.sure][-1] - found.here)
            x = np.round(x / power_of_two(np.abs(x).max(initial=0.0)) * 64) / 64
        else:
            x = rng.integers(-2, 3, len(i.points)).astype(float)
        x = x[:, None] * power_of_two(np.sqrt(i.norm_K))
        return i.but(x=x, label=rng.choice([-1.0, 1.0]))


@NewPoint.quantity("K(x, x)", "squared length of the point x", CHOSEN, unit=0)
def K_xx(i):
    return float((i.x**2).sum())


def k_x(i) -> np.ndarray:
    """The K(x_i, x), (n, 1)."""
    return i.points.T @ i.x


def _of_losses(i):
    found = pair(i, machine)
    if found is None:
        return np.inf
    return 1 + abs(float(i.label)) * np.linalg.norm(k_x(i)) * found.error


@LossesAt.quantity(
    r"|\max\{0, 1 - y h'(x)\} - \max\{0, 1 - y h(x)\}|",
    "change of the hinge loss at x, of several minima the largest",
    SAMPLE,
    unit=0,
    condition=_of_losses,
)
def hinge_change(i):
    """The loss is monotone in h'(x): of all optima an extreme one moves it most."""
    found = pair(i, machine)
    if found is None:
        return None
    label, k = float(i.label), k_x(i)[:, 0]
    here, there = (np.maximum(0, 1 - label * (b @ k)) for b in found[:2])
    return largest(np.abs(there - here), found.sure)


# --- Instances ------------------------------------------------------------------------


def _alike(n, weight, square=1.0) -> LossesAt:
    """Points that are all alike, of one class, which the other matrix has lost."""
    X = np.full((1, n), np.sqrt(square))
    known = {"other_points": 0 * X, "y": np.ones((n, 1)), "C_0": weight}
    known |= {"x": X[:, :1], "label": 1.0}
    return LossesAt.from_points(X, [0], 1, "alike", **known)


def _cases(rng):
    yield from some_points(rng)
    for n in range(1, MOST + 1):
        for power in range(20):
            yield _alike(n, 2.0**power, 1.0)
            yield _alike(n, 2.0**power, 4.0)


# --- Proposition 5.2 ------------------------------------------------------------------

_LABELS = Hypothesis("abs(y) == 1", says=r"$y_i \in \{-1, 1\}$")
_SQUARE = "sqrt(2) * {0} ** (3 / 4) * C_0 * change_2 ** (1 / 4)"
_PRINTED = f"{_SQUARE} * (1 + (change_2 / (4 * {{0}})) ** (1 / 4))"
_SHARP = "C_0 * sqrt({0} * change_2 / n)"
_OVER_X = (
    r"and let the maximum be over all points $x$ of the feature space with $K(x, x) "
    r"\le \kappa$"
)
_MACHINE = (
    r"Let $K$ and $K'$ be positive semidefinite. Let $\alpha$ minimise $\frac12 "
    r"\sum_{ij} \alpha_i \alpha_j y_i y_j K_{ij} - \sum_i \alpha_i$ over $0 \le "
    r"\alpha_i \le C_0 / n$, let $\alpha'$ do so with $K'$, each any of several "
    r"minima, and let $h(x) = \sum_i \alpha_i y_i K(x_i, x)$, $h'(x) = \sum_i "
    r"\alpha_i' y_i K(x_i, x)$"
)


def _one(C_0, **given) -> LossesAt:
    """Points that are alike, one if there are no more labels, and lost in K'."""
    known = {"y": [[1]], "C_0": C_0, "x": [[1]], "label": -1} | given
    n = len(known["y"])
    return LossesAt.exactly([0], 1, points=[[1] * n], other=[[0] * n] * n, **known)


_ONE = _one(100)
_HALF = {"sqrt(2) * ": "0.5 * "}
_LESS = {"<= C_0": "<= 0.98 * C_0"}

SVM_STABILITY = Theorem(
    id="talwalkar2010:prop-5.2",
    kind="inequality",
    status="holds",
    title="Stability of support vector machines",
    number="Proposition 5.2",
    setting=f"{_MACHINE}, {_OVER_X}.",
    hypotheses={"labels": _LABELS},
    claims={
        "sharper": f"machine_change <= {_SHARP.format('point_bound')}",
        "printed": Claim(
            f"machine_change <= {_PRINTED.format('point_bound')}",
            says="The printed bound follows,",
        ),
        "ratio": Claim(
            f"{_SHARP.format('point_bound')} <= {_PRINTED.format('point_bound')} "
            "/ sqrt(n)",
            says=r"it is at least $\sqrt n$ times as large:",
        ),
        "approached": Claim(
            f"machine_change == {_SHARP.format('point_bound')} - 1",
            when="norm_2(other) == 0 and min(y) == 1 and max(K) == min(K) "
            "and max(K) == point_bound and C_0 * point_bound >= 1",
            says="The bound above the folds is approached by points alike and lost,",
        ),
    },
    world=TwoMachines,
    cases=_cases,
    controls={
        "98 percent": Control("sharper", _ONE, _LESS),
        "labels 2": Control("sharper", _one(100, y=[[2]]), drops="labels"),
        "a half for the root of two": Control("printed", _ONE, _HALF),
        "larger by the root of 6 n": Control("ratio", _ONE, {"sqrt(n)": "sqrt(6 * n)"}),
        "2 for 1": Control("approached", _ONE, {"- 1": "- 2"}),
    },
)

# --- Corollary 5.1 --------------------------------------------------------------------

HINGE = Theorem(
    id="talwalkar2010:cor-5.1",
    kind="inequality",
    status="holds",
    title="The hinge loss moves no further",
    number="Corollary 5.1",
    setting=f"{_MACHINE} for a point $x$ of the feature space.",
    hypotheses={
        "labels": _LABELS,
        "label": Hypothesis("abs(label) == 1", says=r"$y \in \{-1, 1\}$"),
    },
    where={"at_x": Where(r"\kappa", "K_xx")},
    claims={
        "sharper": f"hinge_change <= {_SHARP.format('at_x')}",
        "printed": f"hinge_change <= {_PRINTED.format('at_x')}",
    },
    world=LossesAt,
    cases=_cases,
    controls={
        "98 percent": Control("sharper", _ONE, _LESS),
        "labels 2": Control("sharper", _one(100, y=[[2]]), drops="labels"),
        "label -2": Control("sharper", _one(100, label=-2), drops="label"),
        "a half for the root of two": Control("printed", _ONE, _HALF),
    },
)

# --- Corollary 5.2 --------------------------------------------------------------------

_CONSTANT = "8 / (3 * sqrt(3))"
_REGRESSION = f"C_0 * sqrt({_CONSTANT} * point_bound * change_2 / n)"


@TwoRegressions.quantity(
    r"K = \beta v v^\top,\ K' = 6 \beta e_1 e_1^\top,\ y = 2 \beta C_0 e_1,\ "
    r"\epsilon = 0,\ v = (2, -1, -1)^\top",
    "whether three points of a line are those that move most",
    CHOSEN,
)
def three_points(i):
    if i.n != 3 or float(i.tube):
        return False
    beta, axis, v = i.K[1, 1], np.diag([1.0, 0, 0]), np.array([2.0, -1, -1])
    y = 2 * beta * float(i.C_0) * axis[:, :1]
    told = (i.K, beta * np.outer(v, v)), (other(i), 6 * beta * axis), (i.y, y)
    return all(np.array_equal(*each) for each in told)


def _three(C_0, square=1, **given) -> TwoRegressions:
    """Of three points of a line the other matrix keeps the longest, as long as all."""
    at = [[2, -1, -1]]
    long = diagonal([6 * square**2, 0, 0])
    y = [[2 * square**2 * C_0], [0], [0]]
    points = [[square * a for a in at[0]]]
    known = {"y": y, "C_0": C_0, "tube": 0, "other": long} | given
    return TwoRegressions.exactly([0], 1, points=points, **known)


def _lines(rng):
    yield from some_points(rng)
    for power in range(8):
        for length in range(1, 9):
            yield _three(3 * 2**power, length)


SVR_STABILITY = Theorem(
    id="talwalkar2010:cor-5.2",
    kind="inequality",
    status="holds",
    title="Stability of support vector regression",
    number="Corollary 5.2",
    setting=(
        r"Let $K$ and $K'$ be positive semidefinite. Let $\beta$ minimise $\frac12 "
        r"\beta^\top K \beta - y^\top \beta + \epsilon \sum_i |\beta_i|$ over "
        r"$|\beta_i| \le C_0 / n$, let $\beta'$ do so with $K'$, each any of several "
        r"minima, and let $h(x) = \sum_i \beta_i K(x_i, x)$, $h'(x) = \sum_i \beta_i' "
        rf"K(x_i, x)$, {_OVER_X}."
    ),
    hypotheses={"tube": IN_RANGE},
    claims={
        "sharper": f"regression_change <= {_REGRESSION}",
        "printed": Claim(
            f"regression_change <= {_PRINTED.format('point_bound')}",
            says="As printed,",
        ),
        "attained": Claim(
            f"regression_change == {_REGRESSION}",
            when="three_points",
            says="The constant is attained by three points of a line,",
        ),
    },
    world=TwoRegressions,
    cases=_lines,
    controls={
        "1.5 for 1.54": Control("sharper", _three(3), {_CONSTANT: "1.5"}),
        "a fifth": Control("printed", _three(3), {"sqrt(2) * ": "0.2 * "}),
        "attained, 1.5": Control("attained", _three(3), {_CONSTANT: "1.5"}),
    },
)
