"""Section 5.1: formulas by hand, what is attained, exact laws, the first bounds."""

from fractions import Fraction
from itertools import combinations, permutations
from math import comb, sqrt

import numpy as np
import pytest

from nystheory.chapters.concentration.theorems import bounded_difference, mcdiarmid
from nystheory.chapters.concentration.theorems.bounded_difference import (
    BOUNDED_DIFFERENCE,
)
from nystheory.chapters.concentration.theorems.covariance_mean import MEAN
from nystheory.chapters.concentration.theorems.mcdiarmid import MCDIARMID
from nystheory.engine.trial.compare import compare, reader
from nystheory.engine.worlds.concentration import d_max, spread, value
from nystheory.engine.worlds.instances import Instance

# l is the letter of the page.
# ruff: noqa: E741

# --- Formulas -------------------------------------------------------------------------


def _sum_of_squares(first, last):
    return sum(1 / j**2 for j in range(first, last + 1))


@pytest.mark.parametrize("n", [2, 3, 10, 31])
def test_constants_of_theorem_5_1(n):
    for l in range(1, n):
        u = n - l
        drawn = u**2 * _sum_of_squares(u, n - 1)
        left = l**2 * _sum_of_squares(l, n - 1)
        printed = l * u / (l + u - 0.5) / (1 - 1 / (2 * max(l, u)))
        assert value("alpha_printed", n=n, l=l) == pytest.approx(printed)
        assert l * value("q_printed", n=n, l=l) == pytest.approx(printed)
        sharp = value("alpha_sharp", n=n, l=l)
        assert sharp == pytest.approx(min(drawn, left))
        assert sharp <= min(printed, l) * (1 + 1e-12)


def test_both_branches_count():
    lines = "u ** 2 * inverse_squares(u, n - 1)", "l ** 2 * inverse_squares(l, n - 1)"
    first, second = ([value(x, n=10, l=l) for l in range(1, 10)] for x in lines)
    assert first[0] < second[0] and second[-1] < first[-1]
    assert first == pytest.approx(second[::-1])


def test_nothing_is_random_when_all_is_drawn():
    for name in ("alpha_sharp", "alpha_printed", "q_printed"):
        assert value(name, n=7, l=7) == 0
    assert value("e_l", n=7, l=7, spread=3) == 0


def test_deviation_falls_with_the_number_of_landmarks():
    # What a search for the smallest l needs: alpha_sharp / l^2 and e_l decrease.
    for n in (2, 5, 12, 40):
        rates = [value("alpha_sharp / l ** 2", n=n, l=l) for l in range(1, n + 1)]
        means = [value("e_l", n=n, l=l, spread=1) for l in range(1, n + 1)]
        assert np.all(np.diff(rates) < 0) and np.all(np.diff(means) < 0)


def test_bounded_differences_by_hand():
    # K_max = 4: R = 2.  On one ray 4 - 1; then two vectors at a right angle.
    assert value("g_2", K_max=4, d_max=1) == pytest.approx(3)
    assert value("g_F", K_max=4, d_max=1) == pytest.approx(3)
    right = 2 * sqrt(2)
    assert value("g_2", K_max=4, d_max=right) == pytest.approx(4)
    assert value("g_F", K_max=4, d_max=right) == pytest.approx(sqrt(32))
    assert value("g_2_equal", K_max=4, d_max=right) == pytest.approx(4)
    assert value("g_F_equal", K_max=4, d_max=4) == pytest.approx(sqrt(32))
    for name in ("g_2", "g_F", "g_2_equal", "g_F_equal"):
        assert value(name, K_max=4, d_max=0) == 0
        assert value(name, K_max=0, d_max=0) == 0


def test_the_two_candidates_for_the_frobenius_norm_meet():
    d = 2 / 3
    assert d * (2 - d) == pytest.approx(value("g_F_equal", K_max=1, d_max=d))


def test_measured_quantities():
    case = Instance.from_points([[3.0, 0, 0], [0, 1, 1]], [0], 1)
    assert value("K_max", case) == 9
    assert value("d_max", case) == pytest.approx(sqrt(10))
    assert value("spread", case) == pytest.approx(83 - 85 / 3)
    # XX' = diag(9, 2), ZZ' = diag(27, 0).
    assert value("distance_F", case) == pytest.approx(sqrt(328))
    assert value("distance_F_squared", case) == pytest.approx(328)
    assert value("distance_2", case) == pytest.approx(18)
    assert value("distance_trace", case) == pytest.approx(20)
    assert d_max(Instance(case.K, [0], 1)) == pytest.approx(sqrt(10))
    assert d_max(Instance(np.eye(1), [0], 1)) == 0


def test_equal_points_have_no_spread():
    case = Instance.from_points(np.repeat([[0.1], [0.7]], 5, axis=1), [0], 1)
    assert d_max(case) == 0
    assert spread(case) < 1e-15


# --- (5.6) ----------------------------------------------------------------------------


@pytest.mark.parametrize("d", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("equal", [False, True])
def test_an_exchange_shows_in_full(d, equal):
    case = bounded_difference.attaining(1.0, d, 2, equal)
    # The balanced sample has exactly the covariance of all points.
    assert np.abs(case.distance).max() < 1e-15
    a, b = case.points[:, 0], case.points[:, 2]
    after = case.but(landmarks=[0, 1]).distance
    difference = np.linalg.eigvalsh(2 * (np.outer(b, b) - np.outer(a, a)))
    np.testing.assert_allclose(after, difference, atol=1e-14)


def test_norms_of_differences_of_two_points():
    points = np.random.default_rng(2).standard_normal((3, 6))
    spectral, frobenius = bounded_difference._differences(
        Instance.from_points(points, [0], 1)
    )
    for a, b in combinations(range(6), 2):
        outer = np.outer(points[:, a], points[:, a])
        outer -= np.outer(points[:, b], points[:, b])
        assert spectral[a, b] == pytest.approx(np.linalg.norm(outer, 2))
        assert frobenius[a, b] == pytest.approx(np.linalg.norm(outer))


@pytest.mark.parametrize("d", [0.0, 0.3, 0.8, 1.2, 1.5, 1.9, 2.0])
@pytest.mark.parametrize("norm", [2, "fro"])
@pytest.mark.parametrize("equal", [False, True])
def test_every_distance_has_an_exchange_that_shows_all(d, norm, equal):
    """Points with this largest length and distance, and the change by hand."""
    case = bounded_difference.attaining(2.0, 2 * d, norm, equal)
    assert value("K_max", case) == pytest.approx(4)
    assert d_max(case) == pytest.approx(2 * d)
    if equal:
        assert np.diag(case.K) == pytest.approx(4)
    after = case.but(landmarks=[0, 1, *case.landmarks[2:]])
    change = value("distance_2" if norm == 2 else "distance_F", after) / 2
    d_bar = min(d, sqrt(2))
    alike = d_bar * sqrt((4 - d_bar**2) / 2)
    ray = 1 - max(1 - d, 0) ** 2
    if norm == 2:
        expected = alike / sqrt(2) if equal else ray
    else:
        expected = alike if equal else max(alike, d * (2 - d))
    assert change == pytest.approx(4 * expected)


def test_printed_bound_from_numbers_alone():
    bound = BOUNDED_DIFFERENCE.bound(n=100, l=10, K_max=1, d_max=1)
    assert bound == pytest.approx(10 * sqrt(1.5))
    assert bound <= 2 * 100 / 10


# --- (5.7) ----------------------------------------------------------------------------


def test_mean_by_hand():
    # Points 0 and 1 on a line, one drawn: XX' = 1 and ZZ' is 0 or 2.
    assert MEAN.bound(n=2, l=1, spread=0.5) == 1
    assert MEAN.bound(np.diag([1.0, 0.0]), [0]) == pytest.approx(1)


def test_one_column_is_refused():
    with pytest.raises(ValueError, match="n = 1"):
        MEAN.bound(np.eye(1), [0])


# --- Theorem 5.1 ----------------------------------------------------------------------


def test_hypergeometric_tails_are_those_of_all_samples():
    tails = mcdiarmid.hypergeometric_tails(7, 3, 4)
    sums = [sum(j < 3 for j in S) for S in combinations(range(7), 4)]
    for t, tail in tails.items():
        assert tail == Fraction(sum(x >= t for x in sums), comb(7, 4))
    assert tails[min(sums)] == 1


def test_a_count_is_the_same_by_groups_by_sets_and_by_orders():
    groups = mcdiarmid.counting(5, 2, 3)
    plain = mcdiarmid.SampleFunction(np.eye(5), range(3), 1)
    sets = plain.but(values=[sum(j < 2 for j in S) for S in combinations(range(5), 3)])
    orders = plain.but(
        values=[sum(j < 2 for j in S) for S in permutations(range(5), 3)]
    )
    for case in (groups, sets, orders):
        assert mcdiarmid.mean_phi(case) == pytest.approx(6 / 5)
        assert mcdiarmid.c(case) == 1
        assert mcdiarmid.phi(case.but(landmarks=[4, 1, 0])) == 2
    assert mcdiarmid.symmetric(sets) and not mcdiarmid.symmetric(orders)


def test_tail_from_numbers_alone():
    bound = MCDIARMID.bound(n=2, l=1, epsilon=0.5, c=1)
    assert bound == pytest.approx(np.exp(-0.5))
    with pytest.raises(ValueError, match="1 <= l < n"):
        MCDIARMID.bound(n=3, l=3, epsilon=0.5, c=1)
    with pytest.raises(ValueError, match="epsilon"):
        MCDIARMID.bound(np.eye(3), [0], c=1)


def test_a_larger_share_of_the_printed_constant_stands():
    """The control with a quarter falls on one of two elements; three quarters hold."""
    case = mcdiarmid.counting(2, 1, 1)
    line = {"alpha_sharp <= alpha_printed": "alpha_sharp <= 0.75 * alpha_printed"}
    claim = MCDIARMID.claims["as printed"].but(line)
    assert not compare(claim, reader(MCDIARMID, case)).violated
