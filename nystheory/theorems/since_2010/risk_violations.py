"""What breaks the theorems on random columns when a hypothesis is left out.

For Alaoui and Mahoney, Bach, and Rudi and others: samples that are not uniform, draws
that are not independent, matrices that are not semidefinite.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import scipy.linalg

from nystheory.theorems.base import Claim, Control
from nystheory.theorems.concentration.violations import (
    INDEPENDENT,
    SEMIDEFINITE,
    UNIFORM,
    error_of_any,
)
from nystheory.theorems.fixed_sampling.ridge_leverage import clusters
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.routes import one
from nystheory.theorems.since_2010.column_chance import (
    chance_claim,
    counted,
    error_above,
)
from nystheory.theorems.spectral import ridge


def tolerated(i: Instance) -> float:
    """``epsilon alpha``, for the tolerance that an instance carries."""
    return float(i.extra["tolerance"]) * ridge(i)


def twice(i: Instance) -> float:
    """Two times the ridge."""
    return 2 * ridge(i)


# --- The controls of each theorem -------------------------------------------------


def of_scores(expr) -> tuple[Control, ...]:
    """For columns drawn by scores, with the bound on the chance of an error."""
    says = r"the chance that $\|E\|_2 > \alpha$, "
    return (
        _one_column(says + "one column repeated", ridge, expr, alpha=0.5),
        _negative_scores(says + "two points of negative score", expr),
    )


def of_uniform(expr, small_tolerance: str) -> tuple[Control, ...]:
    """For different uniform columns; also without a small tolerance."""
    says = r"the chance that $\|E\|_2 > \varepsilon\alpha$, "
    large = clusters([50.5] * 8, [50] * 8, 1.0).but(tolerance=50.0)
    claim = chance_claim(says + r"$\varepsilon = 50$", error_above(tolerated), expr)
    return (
        Control(claim, counted(large, 40), drops=small_tolerance),
        _never_drawn(says + "one cluster only", tolerated, expr, mass=2.0),
        _three_pairs(says + "eigenvalues $1.1$ and $-0.9$", expr),
    )


def of_intrinsic(expr) -> tuple[Control, ...]:
    """For uniform columns, with the bound by intrinsic dimension."""
    says = r"the chance that $\|E\|_2 > 2 \alpha$, "
    return (
        _never_drawn(says + "one cluster only", twice, expr, mass=5.0),
        _one_column(says + "one column repeated", twice, expr, alpha=0.2),
        _pair_and_point(says + "eigenvalues $1.1$ and $-0.9$", expr),
    )


# --- One column, drawn once and repeated ------------------------------------------


def _one_column(says: str, threshold, expr, alpha: float) -> Control:
    """Two orthogonal points of length 1; a hundred draws are all of one of them."""

    fails = error_above(threshold)

    def chance(i: Instance, _) -> float:
        return float(np.mean([fails(i.but(landmarks=[j])) for j in range(i.n)]))

    case = Instance.from_points(np.eye(2), [0] * 100, 1, alpha=alpha)
    claim = Claim(says, chance, Formula(expr), relation="<=", scale=one)
    probabilities = np.full(2, 0.5)
    return Control(claim, case.but(probabilities=probabilities), drops=INDEPENDENT)


# --- One of two clusters is never drawn -------------------------------------------


def _never_drawn(says: str, threshold, expr, mass: float) -> Control:
    """A hundred columns of two clusters of a hundred points, all from the first."""
    case = counted(clusters([mass] * 2, [100] * 2, 1.0), 100).but(tolerance=1.0)
    first = np.repeat([0.01, 0.0], 100)
    claim = chance_claim(says, error_above(threshold), expr)
    return Control(claim, case.but(probabilities=first), drops=UNIFORM)


# --- Matrices of any signs --------------------------------------------------------


def pair(s: float) -> np.ndarray:
    """``s`` on the diagonal and 1 off it: eigenvalues ``s + 1`` and ``s - 1``.

    One of the two columns leaves an error of ``1/s - s``.
    """
    return np.array([[s, 1.0], [1.0, s]])


def scores_of_any(i: Instance) -> np.ndarray:
    """The diagonal of ``K (K + alpha I)^-1``; some may be negative.

    Examples
    --------
    >>> scores_of_any(Instance(pair(0.5), [0], 1, extra={"alpha": 1.0})).tolist()
    [-0.2, -0.2]
    """
    return np.diag(i.K @ np.linalg.inv(i.K + ridge(i) * np.eye(i.n)))


def _given(**numbers):
    """The bound from numbers that the matrix need not be semidefinite for."""

    def values(i: Instance) -> dict:
        scores = scores_of_any(i)
        measured = {"n": i.n, "l": i.l, "d_eff": scores.sum()}
        return measured | {"largest_score": i.n * scores.max()} | numbers

    return values


def _indefinite(says, chance, expr, known, case) -> Control:
    bound = Formula(expr)

    def right(i, _):
        values = known(i)
        return bound(**{name: values[name] for name in bound.names})

    claim = Claim(says, chance, expected=right, relation="<=", scale=one)
    return Control(claim, case, drops=SEMIDEFINITE)


def _uniform_chance(threshold):
    """The share of all samples without replacement with an error above a threshold."""

    def chance(i: Instance, _) -> float:
        samples = [list(S) for S in combinations(range(i.n), i.l)]
        above = [error_of_any(i.but(landmarks=S)) > threshold(i) for S in samples]
        return float(np.mean(above))

    return chance


def _negative_scores(says: str, expr) -> Control:
    """Two points whose scores are negative need not be drawn, and are never seen."""

    def chance(i: Instance, _) -> float:
        return float(error_of_any(i.but(landmarks=[2, 3])) > ridge(i))

    K = scipy.linalg.block_diag(pair(0.3), 1e3 * np.eye(2))
    case = Instance(K, [2, 3] * 50, 1, extra={"alpha": 1.2})
    scores = scores_of_any(case)
    # Half of the draws on each of the other two.
    share = 0.5 * scores.sum() / scores.max()
    return _indefinite(says, chance, expr, _given(ridge_share=share), case)


def _three_pairs(says: str, expr) -> Control:
    """Of three pairs an odd number of columns always leaves one incomplete."""
    K = scipy.linalg.block_diag(*[pair(0.1)] * 3)
    case = Instance(K, [0, 2, 4], 1, extra={"alpha": 10.0})
    case, chance = case.but(tolerance=0.5), _uniform_chance(tolerated)
    return _indefinite(says, chance, expr, _given(tolerance=0.5), case)


def _pair_and_point(says: str, expr) -> Control:
    """A third point makes the effective dimension positive, and small."""
    K = scipy.linalg.block_diag(pair(0.1), [[0.348]])
    case = Instance(K, [0], 1, extra={"alpha": 4.0})
    return _indefinite(says, _uniform_chance(twice), expr, _given(), case)
