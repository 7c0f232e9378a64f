"""Directions, minima, fixed points and populations, by hand."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import scipy.linalg
import scipy.optimize
from flint import fmpq

from nystheory import exact
from nystheory.chapters.eigengap_and_rate import families, turning
from nystheory.chapters.eigengap_and_rate.theorems.excess_risk import (
    FIRST,
    Assembled,
    Population,
)
from nystheory.chapters.eigengap_and_rate.theorems.fixed_point import (
    PSI,
    Spectrum,
    solved,
)
from nystheory.chapters.eigengap_and_rate.theorems.learned_objective import (
    OBJECTIVE_GAP,
    Learned,
    absolute,
    clusters,
    hinge,
    logistic_minimum,
)
from nystheory.chapters.eigengap_and_rate.theorems.perturbed_directions import (
    COMBINED,
    Directions,
    two_points,
)
from nystheory.chapters.eigengap_and_rate.theorems.sampled_operator import (
    Operators,
    halved,
)
from nystheory.engine import Instance, value
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import reader


def measured(case, name):
    return case.measured(case.quantities[name]).value


# --- Directions -----------------------------------------------------------------------


def test_two_points_are_turned_by_the_angle_of_their_plane():
    """``L_n = diag(0.64, 0.36)`` and, of two to one, 0.16 beside the diagonal."""
    case = two_points("0.8", "0.6", 2, 1)
    assert measured(case, "eigengap") == pytest.approx(0.28)
    assert measured(case, "distance_2") == pytest.approx(2 * 0.16)
    angle = np.arctan(2 * 0.16 / 0.28) / 2
    assert measured(case, "turned") == pytest.approx(np.sin(angle))
    # The error is what is orthogonal to the direction of the landmarks.
    left = 0.36 + 0.28 * np.sin(angle) ** 2
    assert measured(case, "error_2") == pytest.approx(2 * left)


def test_what_moved_is_a_difference_of_two_squares():
    case = two_points("0.8", "0.6", 2, 1)
    angle = np.arctan(2 * 0.16 / 0.28) / 2
    v = np.array([np.cos(angle), np.sin(angle)])
    root = np.diag([0.8, 0.6])
    change = root @ (np.diag([1, 0]) - np.outer(v, v)) @ root
    assert measured(case, "moved") == pytest.approx(np.linalg.norm(change, 2))


def test_the_bound_by_hand():
    # sigma = 1 / (5 - 1), and 2 + (10 - 2) / 16.
    known = {"n": 10, "eigengap": 0.5, "distance_2": 1, "norm_K": 10, "tail_2": 2}
    assert COMBINED.bound(**known) == pytest.approx(2.5)


def test_a_direction_that_is_missed_is_turned_by_a_right_angle():
    case = Directions(np.diag([2.0, 1.0]), [1], 1)
    assert measured(case, "turned") == pytest.approx(1)
    assert measured(case, "moved") == pytest.approx(1)


def test_halving_keeps_fractions():
    case = halved(Instance.from_points([[3.0, 1.0]], [0], 1))
    assert case.X.tolist() == [[0.75, 0.25]]
    assert halved(case) is case


def test_chances_of_groups_are_binomial():
    case = Operators.on_axes((1, 1), 3)
    found = {tuple(o.landmarks): p for p, o in case.outcomes("replaced_counts")}
    assert sorted(found.values()) == pytest.approx([1 / 8, 1 / 8, 3 / 8, 3 / 8])


def test_both_ends_of_the_distance():
    # XX' - ZZ' = diag(2, 1) - 1.5 diag(1, 1).
    case = Instance.from_points([[1, 1, 0], [0, 0, 1]], [0, 2], 1)
    ends = [measured(case, name) for name in ("seen_too_little", "seen_too_much")]
    assert ends == pytest.approx([0.5, 0.5])


# --- Minima ---------------------------------------------------------------------------


def test_minima_on_one_point_by_hand():
    """K = 2 and ridge 1: f = 2 b for b up to the slope, and the best b is 1/2."""
    case = Learned(np.array([[2.0]]), [0], 1, y=[[1.0]], alpha=1.0, slope=3.0)
    for learner in (hinge, absolute):
        box = learner(case, case.K)
        assert box.maximiser() == pytest.approx([0.5])
        assert box.value(box.maximiser()) == pytest.approx(0.25)
    steep = case.but(slope=0.25)
    assert hinge(steep, case.K).maximiser() == pytest.approx([0.25])


def test_the_dual_of_the_hinge_loss_is_its_minimum():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2, 4))
    y = np.array([[1.0], [-1], [1], [-1]])
    case = Learned.from_points(X, [0], 1, y=y, alpha=0.5, slope=2.0)
    box = hinge(case, case.K)
    b = box.maximiser()
    w = X @ b / 0.5
    primal = 0.25 * w @ w + 2 * np.maximum(0, 1 - y[:, 0] * (X.T @ w)).sum()
    assert box.value(b) == pytest.approx(primal)


def test_the_logistic_minimum_is_stationary():
    """One point: alpha f / K = C / (1 + e^f) at the minimum."""
    case = Learned(np.array([[2.0]]), [0], 1, y=[[1.0]], alpha=1.0, slope=3.0)
    f = scipy.optimize.brentq(lambda f: f / 2 - 3 / (1 + np.exp(f)), 0, 10)
    expected = f**2 / 4 + 3 * np.log1p(np.exp(-f))
    assert logistic_minimum(case, case.K) == pytest.approx(expected)


def test_points_that_no_landmark_knows_cost_their_share():
    # Three of four points, n = 4, ridge 4: 3 * 3 / (2 * 4 * 4).
    case = clusters(3, 4)
    assert measured(case, "hinge_gap") == pytest.approx(9 / 32)
    bound = OBJECTIVE_GAP.right_side(
        "whole core", different=1, n=4, slope=1.0, alpha=4.0, error_2=3.0
    )
    assert bound == pytest.approx(9 / 32)


def test_a_population_elsewhere():
    """The point that is missed has all of the weight: its loss was 0 and is 1."""
    known = {"y": [[1.0], [1.0]], "alpha": 1.0, "slope": 1.0}
    case = Population(np.eye(2), [0], 1, population=[[0.0], [1.0]], **known)
    # With K both values are 1 and the norm is 2 / 2 of n; without one half of that.
    assert measured(case, "hinge_excess") == pytest.approx(1 - 1 / 4)
    case = case.but(population=np.ones((2, 1)))
    assert measured(case, "hinge_excess") == pytest.approx(measured(case, "hinge_gap"))


def test_the_exact_minima_are_enclosed():
    case = Learned.exactly(
        [0], 1, points=[[1, 2, 0]], y=[[1], [-1], [1]], alpha=2, slope=1
    )
    found = exact.Case.of(**case.in_fractions())
    for name in ("hinge_gap", "absolute_gap", "logistic_gap"):
        route = exact.ROUTES[f"Learned.{name}"]
        value = exact.balls.ball(route(found))
        assert float(value.rad()) < 1e-12
        assert float(value.mid()) == pytest.approx(measured(case, name), abs=1e-12)
    assert isinstance(exact.ROUTES["Learned.hinge_gap"](found), fmpq)


def test_landmarks_drawn_many_times_are_counted():
    """By Theorem 3 the approximation is that of the package."""
    case = Assembled.pair(7, "1/2").but(landmarks=[0, 0, 0, 1, 1, 0, 0])
    plain = Instance(case.K, case.landmarks, 1)
    assert case.approximation == pytest.approx(plain.approximation)


def test_the_columns_that_the_first_theorem_asks_for():
    """The condition, solved: with u = sqrt(2 log(2 n^3) / l), u^2 + u <= gap / 3."""
    for gap in (0.05, 0.3, 1.0):
        u = (np.sqrt(1 + 4 * gap / 3) - 1) / 2
        assert u**2 + u == pytest.approx(gap / 3)
        line = FIRST.claims["columns"].line
        assert "8 * log(2 * n**3) / (sqrt(1 + 4 * eigengap / 3) - 1)**2" in line


# --- The fixed point ------------------------------------------------------------------


def test_fixed_points_by_hand():
    # All below the point: the root of twice the mean. All above: t = 2.
    assert solved([0.1, 0.1]) == pytest.approx(np.sqrt(0.2))
    assert solved([5.0, 7.0]) == pytest.approx(2)
    assert solved([0.0]) == 0
    # One above and one below: t^2 = t + 0.2.
    assert solved([9.0, 0.2]) == pytest.approx((1 + np.sqrt(1.8)) / 2)


@pytest.mark.parametrize("n", [1, 4, 25])
def test_with_the_printed_eigenvalues_the_identity_does_not_fall(n):
    case = Spectrum(np.eye(n), [0], 1, decay=2.0)
    assert measured(case, "printed_squared") == pytest.approx(np.sqrt(2))
    assert measured(case, "fixed_squared") <= np.sqrt(2 / n) * (1 + 1e-12)


def test_the_power_law_by_hand():
    # p = 2, n = 4: (2 * 2 / 4)^(2/3) times the cube root of 8.
    known = {"decay": 2.0, "n": 4, "decay_constant": 8.0}
    assert PSI.right_side("power law", **known) == pytest.approx(2)


# --- Populations ----------------------------------------------------------------------


def test_rows_are_those_of_a_hadamard_matrix(monkeypatch):
    monkeypatch.setattr(families, "POPULATION", 8)

    class InTurn:
        """Every row once."""

        def integers(self, most, size):
            return np.arange(size)

    found = families.rows(7, 8, InTurn())
    assert found == pytest.approx(scipy.linalg.hadamard(8)[:, 1:])


def test_errors_of_a_sample_are_those_of_its_matrix():
    """Against the package, on the points themselves."""
    values = np.array([0.75, 0.125, 0.125])
    X = families.rows(3, 60, np.random.default_rng(1)) * np.sqrt(values)
    L, root = np.diag(values), np.diag(np.sqrt(values))
    v = np.linalg.eigh(X.T @ X)[1][:, -1]
    rest = np.eye(3) - np.outer(v, v)
    rng = [np.random.default_rng(1) for _ in range(2)]
    expected = np.linalg.norm(rest @ L @ rest, 2)
    assert families.error(values, 60, rng[0]) == pytest.approx(expected)
    change = root @ (np.diag([1.0, 0, 0]) - np.outer(v, v)) @ root
    expected = np.linalg.norm(change, 2)
    assert families.moved(values, 60, rng[1]) == pytest.approx(expected)


@pytest.mark.parametrize("family", [families.spread, families.fixed, families.thin])
def test_families_have_one_strong_direction_and_a_flat_tail(family):
    values = family(64)
    assert values[0] == families.STRONG and len(set(values[1:])) == 1
    assert values.sum() <= 1 + 1e-12


# --- Pictures -------------------------------------------------------------------------


def test_both_bounds_are_those_of_the_theorems():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((5, 12)) * np.array([[4], [1], [1], [0.5], [0.5]])
    K, k = X.T @ X / 60, 1
    found = turning.Bounds.of(K, k, [40], 1, np.random.default_rng(4))
    case = COMBINED.world(K, np.random.default_rng(4).integers(12, size=40), k)
    excess = value("(error_2 - tail_2) / n", case)
    assert found.error[0] == pytest.approx(excess)
    bound = reader(COMBINED, case).value(parse("sigma**2 * (norm_K - tail_2) / n"))
    assert found.squared[0] == pytest.approx(bound.value)
    line = "(max(0, seen_too_little) + max(0, seen_too_much)) / n"
    assert found.free[0] == pytest.approx(value(line, case))
    assert found.trivial == pytest.approx(value("(norm_K - tail_2) / n", case))


def test_columns_that_are_promised_resolve_the_gap():
    for gap, times in ((0.5, 1.0), (0.05, 3.0)):
        count = turning.columns(gap, 300, times)
        L = np.log(2 * 300**3)
        assert 2 * L / count + np.sqrt(2 * L / count) == pytest.approx(gap / times)
    assert turning.columns(0.0, 300) == np.inf


def test_a_bound_that_says_nothing_is_not_drawn():
    """Up to the trivial bound, that is where the distance is less than half the gap."""
    _, axes = plt.subplots()
    squared = np.array([np.inf, 0.6, 0.4])
    found = turning.Bounds(np.array([1, 2, 3]), squared / 9, squared, squared, 0.5)
    turning.draw_bounds(axes, found, 1)
    drawn = {line.get_label(): line.get_xdata().tolist() for line in axes.lines}
    assert drawn["bound with the gap"] == [3]
    assert drawn["bound without a gap"] == drawn["observed"] == [2, 3]


def test_the_table_has_half_and_a_third_of_the_gap():
    gaps = turning.Gaps.of(np.diag([2.0, 1.0, 0.5]))
    told = turning.table({"": gaps}).rows[0][4:]
    known = [turning.columns(1 / 3, 3, 2.0), turning.columns(1 / 3, 3, 3.0)]
    known.append(gaps.spread * 36)
    assert [int(x.replace(" ", "")) for x in told] == np.ceil(known).tolist()


def test_the_widest_gap_and_its_typical_landmarks():
    gaps = turning.Gaps.of(np.diag([9.0, 5.0, 4.0, 1.0]))
    assert (gaps.widest(1, 3), gaps.widest(2, 3)) == (1, 3)
    # The variance of x x' is its mean square less the square of the mean.
    squares = np.array([81.0, 25, 16, 1])
    assert gaps.spread == pytest.approx(squares.mean() - squares.sum() / 16)
    assert gaps.typical(3, 2.0) == pytest.approx(gaps.spread * (2 / 0.75) ** 2)
