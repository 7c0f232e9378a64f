"""Random pivots and volumes: smallest examples by hand, laws by plain enumeration."""

import math
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest

from nystheory import lowrank
from nystheory.chapters.pivots_and_volumes.theorems import (
    accelerated_pivoting,
    geometry,
    pivots,
)
from nystheory.chapters.pivots_and_volumes.theorems.block_pivoting import (
    BLOCK_RPCHOLESKY,
    Blocks,
)
from nystheory.chapters.pivots_and_volumes.theorems.determinantal import DPP, K_DPP
from nystheory.chapters.pivots_and_volumes.theorems.frobenius_pivoting import FROBENIUS
from nystheory.chapters.pivots_and_volumes.theorems.pivoting import RPCHOLESKY
from nystheory.engine.trial.verification import refute
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.quantities import QUANTITIES


def rng(seed=4):
    return np.random.default_rng(seed)


def measured(name, instance):
    return instance.measured(instance.quantities[name]).value


# --- Geometry -------------------------------------------------------------------------


def test_three_points_on_a_line():
    points = np.array([[-1.0, 0, 1]])
    squares = geometry.squared_distances(points.T @ points)
    assert [geometry._fill(squares, [j]) for j in range(3)] == [4, 1, 4]
    case = Instance.from_points(points, [1], 1)
    found = [measured(f"{name}_squared", case) for name in ("fill", "farthest")]
    assert found == [1, 4]
    # Only the first of these is the farthest: the middle point would do.
    assert measured("any_farthest_squared", case) == 4
    assert measured("optimal_squared", case) == 1


def test_farthest_points_break_ties_in_two_ways():
    squares = geometry.squared_distances(np.outer([-1.0, 0, 1], [-1, 0, 1]))
    assert geometry._farthest(squares, 2, 1, np.argmax) == [1, 0]
    assert geometry._farthest(squares, 2, 1, geometry._last_largest) == [1, 2]


def test_too_many_choices_decide_nothing():
    case = Instance(np.eye(40), range(20), 20)
    assert QUANTITIES["optimal_squared"].fast(case) is None


def test_local_maximum_volume_is_one():
    X = rng().standard_normal((6, 9))
    K = X.T @ X
    S = geometry.local_maximum_volume(K, [0, 1, 2])
    assert QUANTITIES["locally_largest"].fast(Instance(K, S, 1))
    best = np.linalg.det(K[np.ix_(S, S)])
    for j in range(3):
        for i in set(range(9)) - set(S.tolist()):
            T = [*S[:j], i, *S[j + 1 :]]
            assert np.linalg.det(K[np.ix_(T, T)]) <= best * (1 + 1e-9)


def test_largest_volume_needs_a_nonsingular_core():
    """No exchange increases det W = 0, and the bound would be 0."""
    K = np.diag([1.0, 1, 0, 0])
    assert geometry.local_maximum_volume(K, [2, 3]) is None
    assert not QUANTITIES["locally_largest"].fast(Instance(K, [2, 3], 1))
    for T in ([0, 3], [1, 3], [2, 0], [2, 1]):
        assert np.linalg.det(K[np.ix_(T, T)]) == 0


# --- Determinantal samples ------------------------------------------------------------


def test_volume_sampling_by_hand():
    K = np.diag([1000.0, 1.0])
    assert K_DPP.bound(K, [0]) == pytest.approx(2 * 1000 / 1001)
    with pytest.raises(ValueError, match="rank"):
        K_DPP.bound(np.ones((3, 3)), [0, 1])


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_symmetric_polynomials_do_not_underflow(size):
    """e_m of 900 equal eigenvalues c is C(900, m) c^m: from 1e-1500 to 1e2000."""
    case = Instance(np.eye(900) * size, range(300), 300, X=np.eye(900) * size**0.5)
    expected = size * (900 - 300) / 301
    assert measured("symmetric_ratio", case) == pytest.approx(expected)


def test_dpp_by_hand():
    """K = (1), alpha = 1: the sample is empty or not with equal chance."""
    case = Instance(np.eye(1), [0], 1, alpha=1)
    assert [(p, o.l) for p, o in case.outcomes("dpp")] == [(0.5, 0), (0.5, 1)]
    assert DPP.bound(alpha=2, d_eff=3) == 6
    with pytest.raises(ValueError, match="alpha"):
        DPP.bound(np.eye(3), [0])


# --- Random pivots --------------------------------------------------------------------


def _left(K, chosen):
    chosen = sorted(set(chosen))
    return K - lowrank.nystrom(K, chosen).spectral_reconstruction() if chosen else K


def _naive(K, blocks, b):
    """Every sequence of draws, one after the other."""
    waiting = [((), 1.0)]
    for _ in range(blocks):
        longer = []
        for so_far, mass in waiting:
            share = np.maximum(np.diag(_left(K, so_far)), 0)
            share = share / share.sum()
            for drawn in product(range(len(K)), repeat=b):
                chance = mass * np.prod(share[list(drawn)])
                if chance > 1e-15:
                    longer.append(((*so_far, *drawn), chance))
        waiting = longer
    return sum(mass * _left(K, so_far) for so_far, mass in waiting)


@pytest.mark.parametrize(("blocks", "b"), [(1, 1), (2, 1), (1, 3), (2, 2)])
def test_mean_over_sets_is_the_mean_over_sequences(blocks, b):
    X = rng().standard_normal((4, 4))
    K = X.T @ X
    case = Blocks(K, np.arange(blocks * b) % 4, 1, block_size=b)
    outcomes = list(case.outcomes("pivoted_blocks"))
    assert sum(p for p, _ in outcomes) == pytest.approx(1)
    mean = sum(p * _left(K, o.landmarks) for p, o in outcomes)
    np.testing.assert_allclose(mean, _naive(K, blocks, b), atol=1e-12)
    if b == 1:
        single = sum(p * _left(K, o.landmarks) for p, o in case.outcomes("pivoted"))
        np.testing.assert_allclose(single, mean, atol=1e-12)


def test_blocks_by_hand():
    """Three draws at once from (3, 1): 27/64 all on the first, 1/64 on the second."""
    case = Blocks(np.diag([3.0, 1]), [0, 1, 0], 1, block_size=3)
    np.testing.assert_allclose(measured("block_mean", case), np.diag([3, 27]) / 64)
    assert measured("trace_after_pivots", case) == pytest.approx(0.375)


def test_a_block_needs_more_than_the_factor_k():
    """Eight draws from diag(7, 1, 0.0001): one of the large two is often missed."""
    control = refute(BLOCK_RPCHOLESKY, "k at the logarithm")
    d, accuracy = np.array([7, 1, 1e-4]), 1500
    by_hand = d @ (1 - d / d.sum()) ** 8
    assert round(by_hand, 3) == 0.344
    assert float(Fraction(control.right)) == pytest.approx((1 + accuracy) * 1e-4)
    # Eight pivots are enough by the count with the factor k = 2.
    assert 2 / accuracy + 2 * np.log(d.sum() / (accuracy * 1e-4)) < 8


def test_what_the_theorem_allows_on_points_that_are_alike():
    """A hundred of them: within a fifth of what ten pivots leave."""
    n, beside, count = 100, 0.999, 10
    eigenvalues = np.r_[1 + (n - 1) * beside, np.full(n - 1, 1 - beside)]
    left = (n - count) * (1 - beside) * (1 + beside / (1 + (count - 1) * beside))
    total, tail = eigenvalues.sum(), eigenvalues[1:].sum()
    excess = min(
        pivots.first_excess(total, tail, 1, count), pivots.second_excess(tail, 1, count)
    )
    assert left < tail + excess < 1.2 * left


def test_map_of_the_bound_on_a_matrix():
    X, b = rng().standard_normal((4, 4)), 3
    K = X.T @ X
    T = np.trace(K)
    bound = K @ (T * np.eye(4) - K) @ np.linalg.inv(T * np.eye(4) + (b - 1) * K)
    found = np.sort(pivots.pivot_map(np.linalg.eigvalsh(K), b))
    values = np.linalg.eigvalsh((bound + bound.T) / 2)
    np.testing.assert_allclose(values, found, atol=1e-12)
    assert pivots.pivot_map(np.zeros(2)).tolist() == [0, 0]


def test_numbers_of_pivots_in_the_text():
    def numbers(values, *args):
        return [math.ceil(x) for x in pivots.pivots_needed(values, *args)]

    exception = np.r_[1e12, 1e12, np.ones(50)]
    assert numbers(exception, 2, 0.5) == [40, 55, 11]
    assert numbers(0.72 ** np.arange(100), 5, 1.0)[:2] == [7, 14]
    assert numbers(0.77 ** np.arange(100), 10, 0.5)[:2] == [28, 54]


def test_numbers_of_pivots_where_there_is_no_tail():
    needed = pivots.pivots_needed(np.r_[np.ones(3), np.zeros(4)], 3, 0.1)
    assert needed.first == math.inf
    assert needed.second == pytest.approx(30 + 3 + 3 * math.log(80))
    blocks = pivots.pivots_needed(np.ones(4), 1, 1.0, block=3)
    assert blocks.calculator % 3 == 0 and blocks.second == math.inf


@pytest.mark.parametrize("block", [1, 4])
@pytest.mark.parametrize("accuracy", [0.1, 1.0])
def test_excess_solves_the_equation_of_the_theorem(accuracy, block):
    """The number of pivots for an accuracy, and the accuracy for that number."""
    values = 0.8 ** np.arange(30)
    total, tail = values.sum(), values[3:].sum()
    needed = pivots.pivots_needed(values, 3, accuracy, block)
    first = pivots.first_excess(total, tail, 3, needed.first, block)
    assert first == pytest.approx(accuracy * tail)
    if block == 1:
        second = pivots.second_excess(tail, 3, needed.second)
        assert second == pytest.approx(accuracy * tail)


def test_excess_without_a_tail():
    assert pivots.first_excess(5.0, 0.0, 2, 6) == pytest.approx(5 * math.exp(-3))
    nearly = pivots.first_excess(5.0, 1e-14, 2, 6)
    assert nearly == pytest.approx(5 * math.exp(-3))
    assert pivots.second_excess(0.0, 2, 2) == 0
    assert pivots.second_excess(1.0, 2, 2) == math.inf


def test_calculators_take_a_matrix_of_the_user():
    K = np.diag([3.0, 1.0])
    assert RPCHOLESKY.bound(K, [0], rank=1, accuracy=1) == pytest.approx(1.5)
    half = BLOCK_RPCHOLESKY.bound(K, [0, 1], rank=1, accuracy=1, block_size=1)
    assert half == pytest.approx(0.75)
    assert FROBENIUS.bound(K, [0]) == pytest.approx(10 - 82 / 10)
    with pytest.raises(ValueError, match="trace_K > 0"):
        RPCHOLESKY.bound(np.zeros((2, 2)), [0], accuracy=1)
    with pytest.raises(ValueError, match="block_size == l"):
        BLOCK_RPCHOLESKY.bound(K, [0, 1, 0], rank=1, accuracy=1, block_size=2)


def test_law_of_two_pivots_by_hand():
    case = accelerated_pivoting.Proposals(np.diag([2.0, 1, 1]), [0, 1], 1)
    law = accelerated_pivoting._one_by_one(case)
    assert law[0, 1] == pytest.approx(1 / 4)
    assert law[1, 0] == pytest.approx(1 / 4 * 2 / 3)
    for b in (1, 2, 3, 5):
        given = case.but(proposals=b)
        accepted = accelerated_pivoting._of_proposals(given, lambda d, u: d / u)
        assert set(accepted) == set(permutations(range(3), 2))
        assert all(accepted[key] == pytest.approx(law[key]) for key in law)
