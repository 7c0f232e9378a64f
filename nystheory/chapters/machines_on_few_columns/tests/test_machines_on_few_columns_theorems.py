"""What the theorems of the chapter speak of, by hand on small cases."""

from fractions import Fraction
from itertools import product
from math import log, sqrt

import numpy as np
import pytest
from flint import fmpq
from scipy.optimize import minimize

from nystheory import exact
from nystheory.chapters.machines_on_few_columns.theorems.duality_gap import (
    DUALITY_GAP,
    DualPair,
    optimum,
)
from nystheory.chapters.machines_on_few_columns.theorems.falkon import (
    FALKON,
    LandmarkSystem,
)
from nystheory.chapters.machines_on_few_columns.theorems.pegasos import (
    PEGASOS,
    Steps,
    run,
)
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import reader
from nystheory.exact.routes import route_of


def measured(case, name):
    return case.measured(case.quantities[name]).value


def valued(theorem, case, line):
    return reader(theorem, case).value(parse(line)).value


# --- Pegasos --------------------------------------------------------------------------


def steps(points, labels, picked, ridge=1.0, u=(0.0,)):
    given = {"features": np.array([points], float), "labels": np.array(labels, float)}
    return Steps(**given, picked=picked, ridge=ridge, reference=np.array(u))


def test_two_steps_by_hand():
    # From 0 to 1; there the other label loses 2, and w_3 is the mean of 1 and -1.
    case = steps([1, 1], [1, -1], [0, 1])
    assert run(case).iterates.ravel().tolist() == [0, 1, 0]
    assert measured(case, "suffered") == pytest.approx((1 + 1 / 2 + 2) / 2)
    assert measured(case, "suffered_by_one") == pytest.approx(1)
    assert measured(case, "slopes") == pytest.approx(1 + 4 / 2)
    # R^2 (2 + H_1) / (2 T): met, and below what the logarithm allows.
    lost = valued(PEGASOS, case, "suffered - suffered_by_one")
    assert lost == pytest.approx(3 / 4)
    assert valued(PEGASOS, case, "R**2 * (3 + log(T)) / (2 * ridge * T)") > 3 / 4


def test_a_margin_of_one_is_no_violation():
    case = steps([1], [1], [0, 0, 0])
    # w_2 = 1 has the margin 1: the step halves it.
    assert run(case).iterates.ravel() == pytest.approx([0, 1, 1 / 2, 2 / 3])


def test_steps_lead_to_the_mean_of_what_was_added():
    rng = np.random.default_rng(0)
    case = Steps.drawn(None, rng).but(picked=np.zeros(7, int))
    found, added = run(case), 0
    z = case.labels[0] * case.features[:, 0]
    for t, w in enumerate(found.iterates[:-1], 1):
        added = added + (w @ z < 1) * z
        assert found.iterates[t] == pytest.approx(added / (case.ridge * t))


def test_projected_steps_stay_in_the_ball():
    case = steps([9, 9], [1, -1], [0, 1, 0], ridge=4.0)
    free, bound = measured(case, "suffered"), measured(case, "suffered_projected")
    # From 0 to 9/4, cut to 1/2; then the other label loses 1 + 9/2.
    first, second = 1, 4 / 8 + 1 + 9 / 2
    assert bound == pytest.approx((first + second + third(case)) / 3)
    assert free > bound


def third(case):
    """Loss at the third point: from 1/2 by ``-(4/2 + 9) / 8`` to -1/2, cut."""
    w = max(1 / 2 - (4 / 2 + 9) / 8, -1 / 2)
    return 2 * w**2 + max(0, 1 - 9 * w)


def test_the_mean_over_all_orders():
    case = steps([1, 1], [1, -1], [0, 0], ridge=1.0)
    values = [
        measured(case.but(picked=list(S)), "F_average")
        for S in product(range(2), repeat=2)
    ]
    # The mean of 0 and +-1 is +-1/2, where F is 1/8 + 1.
    assert np.mean(values) == pytest.approx(9 / 8)


# --- The duality gap ------------------------------------------------------------------


def pair(rng, n=3, d=2):
    X, y = rng.standard_normal((d, n)), rng.choice([-1.0, 1.0], n)
    given = {"features": X, "labels": y, "costs": 0.5 + rng.random(n), "ridge": 0.7}
    return DualPair(**given, w=np.ones(d), a=np.zeros(n), x=np.ones(d))


def test_the_optimum_is_that_of_a_descent():
    rng = np.random.default_rng(1)
    for _ in range(5):
        i = pair(rng)
        Z = i.labels * i.features

        def primal(w, i=i, Z=Z):
            return i.ridge / 2 * w @ w + i.costs @ np.maximum(0, 1 - w @ Z)

        there = minimize(primal, np.zeros(2), method="Nelder-Mead", tol=1e-12)
        assert optimum(i).w == pytest.approx(there.x, abs=1e-4)
        assert measured(i, "largest_dual") == pytest.approx(there.fun, abs=1e-9)


def test_the_gap_of_one_point_by_hand():
    # P = w^2 / 2 + (1 - w)_+ and D = a - a^2 / 2, both 1/2 at 1.
    case = DualPair.of_one_point(1, w=Fraction(1, 2), a=Fraction(1, 2))
    gap = valued(DUALITY_GAP, case, "P_w - D_a")
    assert gap == pytest.approx(1 / 8 + 1 / 2 - 3 / 8)
    assert measured(case, "minimiser") == pytest.approx([1])
    assert gap == pytest.approx((1 / 2) ** 2 / 2 * 2), "both halves are met"


# --- FALKON ---------------------------------------------------------------------------


def test_condition_of_two_orthogonal_points_by_hand():
    X = np.diag([2.0, 1.0])
    case = LandmarkSystem.from_points(X, [0, 1], 1, alpha=1.0, T=1, y=np.ones(2))
    # All points with the weight 1; with n / l = 1 nothing else.
    assert measured(case, "kappa") == pytest.approx(1)
    twice = case.but(landmarks=[0, 0, 1])
    # Weights 2/3: (4 + 1) / (2 * 2/3 * 4 + 1) against (1 + 1) / (2/3 + 1).
    quotients = [5 / (16 / 3 + 1), 2 / (2 / 3 + 1)]
    assert measured(twice, "kappa") == pytest.approx(quotients[1] / quotients[0])
    apart = max(abs(q - 1) for q in quotients)
    assert measured(twice, "deviation") == pytest.approx(apart)
    assert measured(case, "top_score") == pytest.approx(4 / 5)


def test_rates_of_steps_by_hand():
    # kappa = 4: rho = 1/3, and one step leaves (3/5)^2, two (2/9 / (1 + 1/81))^2.
    known = {"kappa": 4.0, "excess_at_zero": 1.0}
    assert FALKON.right_side("steps", T=1, **known) == pytest.approx(9 / 25)
    assert FALKON.right_side("steps", T=2, **known) == pytest.approx((9 / 41) ** 2)
    assert FALKON.right_side("condition", deviation=0.5) == 3


def test_steps_reach_the_restricted_minimum():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((3, 6)), rng.standard_normal(6)
    case = LandmarkSystem.from_points(X, [0, 1, 2, 2], 1, alpha=0.5, T=4, y=y)
    C, W = case.C[:, :3], case.W[:3, :3]
    b = np.linalg.solve(C.T @ C + 0.5 * W, C.T @ y)
    least = np.sum((y - C @ b) ** 2) + 0.5 * b @ W @ b
    assert measured(case, "excess_at_zero") == pytest.approx(y @ y - least)
    assert measured(case, "excess") < 1e-12


def test_the_dual_has_no_coefficients_below_zero():
    """Without bounds the best are 3 and -1, with the value 1; with them 1 and 0."""
    given = {"features": [[1, 2], [0, 1]], "labels": [1, 1], "costs": [5, 5]}
    case = DualPair.exactly(**given, ridge=1, w=[0, 0], a=[0, 0], x=[1, 1])
    found = exact.Case.of(**case.in_fractions())
    assert route_of(found, "largest_dual")(found) == fmpq(1, 2)
    assert measured(case, "largest_dual") == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    ("name", "longest"),
    [
        ("published", lambda R, ridge: 2 * R),
        ("published, projected", lambda R, ridge: R + sqrt(ridge)),
    ],
)
def test_published_bounds_are_those_of_the_longest_subgradient(name, longest):
    """``G^2 (1 + ln T) / (2 lambda T)``; they are loose, so that no search sees it."""
    given = {"features": np.array([[3.0, 1.0]]), "labels": np.array([1.0, -1.0])}
    case = Steps(**given, picked=[0, 1, 0], ridge=2.0, reference=np.zeros(1))
    found = reader(PEGASOS, case).value(PEGASOS.claims[name].sides[1]).value
    assert found == pytest.approx(longest(3.0, 2.0) ** 2 * (1 + log(3)) / (2 * 2.0 * 3))
