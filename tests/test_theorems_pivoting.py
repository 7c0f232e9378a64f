"""Theorems on random pivots: naive enumeration, printed numbers, mutants."""

import math
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest

from nystheory import lowrank
from nystheory.theorems import Instance
from nystheory.theorems.adaptive_sampling import pivots
from nystheory.theorems.adaptive_sampling.accelerated_pivoting import (
    ACCELERATED,
    ordered_law,
    simple_law,
)
from nystheory.theorems.adaptive_sampling.block_pivoting import BLOCK_RPCHOLESKY
from nystheory.theorems.adaptive_sampling.frobenius_pivoting import FROBENIUS
from nystheory.theorems.adaptive_sampling.pivoting import RPCHOLESKY
from nystheory.theorems.formula import Formula
from nystheory.verify import verify

THEOREMS = (RPCHOLESKY, ACCELERATED, BLOCK_RPCHOLESKY, FROBENIUS)
ids = [theorem.id for theorem in THEOREMS]


def rng(seed=0):
    return np.random.default_rng(seed)


def random_matrix(n, rank=None):
    X = rng(n).standard_normal((rank or n, n))
    return X.T @ X


def left(K, chosen):
    chosen = sorted(set(chosen))
    return K - lowrank.nystrom(K, chosen).spectral_reconstruction() if chosen else K


def naive(K, count, b):
    """Every sequence of draws, one after the other."""
    mean = np.zeros_like(K)
    waiting = [((), 1.0)]
    for _ in range(count):
        longer = []
        for pivots_so_far, mass in waiting:
            share = np.maximum(np.diag(left(K, pivots_so_far)), 0)
            share = share / share.sum()
            for drawn in product(range(len(K)), repeat=b):
                chance = mass * np.prod(share[list(drawn)])
                if chance > 1e-15:
                    longer.append(((*pivots_so_far, *drawn), chance))
        waiting = longer
    for pivots_so_far, mass in waiting:
        mean += mass * left(K, pivots_so_far)
    return mean


@pytest.mark.parametrize(("count", "b"), [(1, 1), (2, 1), (3, 1), (1, 3), (2, 2)])
@pytest.mark.parametrize("n", [3, 4])
def test_mean_over_sets_is_the_mean_over_sequences(n, count, b):
    K = random_matrix(n)
    if count * b < n or b > 1:
        mean = pivots.mean_residual(K, count, b)
        np.testing.assert_allclose(mean, naive(K, count, b), atol=1e-12)


def test_means_by_hand():
    K = np.diag([3.0, 1.0])
    np.testing.assert_allclose(pivots.mean_residual(K, 1), np.diag([0.75, 0.75]))
    np.testing.assert_allclose(pivots.mean_residual(K, 2), 0, atol=1e-15)
    # Three draws at once: 27/64 all on the first index, 1/64 all on the second.
    mean = pivots.mean_residual(K, 1, 3)
    np.testing.assert_allclose(mean, np.diag([3 / 64, 27 / 64]))
    assert pivots.mean_square(np.diag([2.0, 1.0]), 1) == pytest.approx(8 / 5)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_the_identity_attains_the_bound_for_the_square_at_every_step(n):
    for count in range(1, n + 1):
        left_over = pivots.mean_square(np.eye(n), count)
        assert left_over == pytest.approx(n - count)
        case = Instance(np.eye(n), np.arange(count), 1)
        bound = FROBENIUS.claims[2].right_side(case, None)
        assert bound == pytest.approx(n - count)


def test_a_block_needs_more_than_the_factor_k():
    """Eight draws from diag(7, 1, 0.0001): one of the large two is often missed."""
    finding = verify(BLOCK_RPCHOLESKY, rng(), effort="quick").controls[2]
    d = np.array([7, 1, 1e-4])
    by_hand = d @ (1 - d / d.sum()) ** 8
    assert finding.observed == pytest.approx(by_hand)
    assert round(finding.observed, 3) == 0.344 and round(finding.bound, 3) == 0.147
    # The bound solves k tail / x + k log(T / x) = 8 for the excess x, with k = 2.
    excess = finding.bound - 1e-4
    assert 2e-4 / excess + 2 * np.log(d.sum() / excess) == pytest.approx(8)


def test_what_sets_leave_agrees_with_the_package():
    K = random_matrix(4, rank=3)
    for S, rest in enumerate(pivots.residuals(K)):
        chosen = [i for i in range(4) if S >> i & 1]
        np.testing.assert_allclose(rest, left(K, chosen), atol=1e-10)


def test_matrices_that_are_too_large_are_refused():
    with pytest.raises(ValueError, match="at most 10 rows"):
        pivots.residuals(np.eye(11))


def test_map_of_the_bound_on_a_matrix():
    K, b = random_matrix(4), 3
    values = np.linalg.eigvalsh(K)
    T = np.trace(K)
    bound = K @ (T * np.eye(4) - K) @ np.linalg.inv(T * np.eye(4) + (b - 1) * K)
    np.testing.assert_allclose(
        np.linalg.eigvalsh((bound + bound.T) / 2),
        np.sort(pivots.pivot_map(values, b)),
        atol=1e-12,
    )
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
    assert RPCHOLESKY.bound(K, [0, 1], rank=1) <= 1 + 2
    assert BLOCK_RPCHOLESKY.bound(K, [0, 1], rank=1) >= 1
    assert FROBENIUS.bound(K, [0]) == pytest.approx(10 - 82 / 10)
    with pytest.raises(ValueError, match=r"K \\ne 0"):
        RPCHOLESKY.bound(np.zeros((2, 2)), [0])


def test_law_of_two_pivots_by_hand():
    table = pivots.residuals(np.diag([2.0, 1.0, 1.0]))
    table = np.einsum("sii->si", table).tolist()
    law = simple_law(table, 2)
    assert law[0, 1] == pytest.approx(1 / 4)
    assert law[1, 0] == pytest.approx(1 / 4 * 2 / 3)
    for b in (1, 2, 3, 5):
        accepted = ordered_law(table, 2, b, lambda now, before: now / before)
        assert set(accepted) == set(permutations(range(3), 2))
        assert all(accepted[key] == pytest.approx(law[key]) for key in law)


@pytest.mark.parametrize("theorem", THEOREMS, ids=ids)
@pytest.mark.parametrize("seed", [1, 2])
def test_verified_and_controls_refuted(theorem, seed):
    verdict = verify(theorem, rng(seed), effort="quick")
    assert verdict, verdict._repr_html_()
    assert all(finding.tried > 50 for finding in verdict.findings)
    assert all(finding.blurred < finding.tried / 4 for finding in verdict.findings)


# Claims that are attained: a thousandth less is false.
ATTAINED = (
    (RPCHOLESKY, 1),
    (RPCHOLESKY, 2),
    (RPCHOLESKY, 4),
    (FROBENIUS, 0),
    (FROBENIUS, 1),
    (FROBENIUS, 2),
    (ACCELERATED, 0),
    (ACCELERATED, 1),
    (ACCELERATED, 2),
    (BLOCK_RPCHOLESKY, 2),
    (BLOCK_RPCHOLESKY, 3),
    (BLOCK_RPCHOLESKY, 4),
)


@pytest.mark.parametrize(("theorem", "number"), ATTAINED)
def test_a_thousandth_less_is_refuted(theorem, number):
    claim = theorem.claims[number]
    if claim.formula is not None:
        less = replace(claim, formula=Formula(0.999 * claim.formula.flat))
    else:
        less = replace(
            claim,
            expected=lambda i, r: 0.999 * np.asarray(claim.expected(i, r)),
            exact=None,
        )
    mutant = theorem.but(claims=(less,), derivation=None)
    assert verify(mutant, rng(), effort="quick").outcome == "refuted"


# The controls that a search finds without being told where, by number.
FOUND = (
    *((RPCHOLESKY, number) for number in (2, 3, 4, 5, 6)),
    *((FROBENIUS, number) for number in range(4)),
    *((ACCELERATED, number) for number in range(3)),
    *((BLOCK_RPCHOLESKY, number) for number in (0, 1)),
)


@pytest.mark.parametrize(("theorem", "number"), FOUND)
def test_search_refutes_the_control(theorem, number):
    false = theorem.controls[number].claim
    mutant = theorem.but(claims=(false,), derivation=None)
    assert verify(mutant, rng(), effort="quick").outcome == "refuted"


def test_accelerated_law_in_exact_arithmetic():
    claim = ACCELERATED.claims[0]
    case = Instance.from_points([[1, 1, 0], [0, 1, 2]], [0, 1, 2], 2)
    assert claim.exact(case)
