"""Section 5.1: formulas by hand, mutants of what is attained, exact laws."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest
import sympy as sp

from nystheory.theorems import Instance
from nystheory.theorems.concentration import (
    bounded_difference,
    covariance_mean,
    mcdiarmid,
)
from nystheory.theorems.concentration import covariance as sc
from nystheory.theorems.concentration.bounded_difference import BOUNDED_DIFFERENCE
from nystheory.theorems.concentration.covariance_mean import MEAN, exact_psi_squared
from nystheory.theorems.concentration.mcdiarmid import MCDIARMID
from nystheory.theorems.concentration.selection import SELECTION
from nystheory.theorems.error_bounds.covariance_bounds import (
    GENERAL,
    SQRT2,
    spectral_claim,
)
from nystheory.theorems.formula import Formula
from nystheory.theorems.quantities import QUANTITIES
from nystheory.theorems.subsets import fractions_of
from nystheory.verify import verify
from nystheory.verify.compare import compare

ALL = (MCDIARMID, SELECTION, GENERAL, SQRT2, BOUNDED_DIFFERENCE, MEAN)


@pytest.mark.parametrize("theorem", ALL, ids=lambda t: t.id)
@pytest.mark.parametrize("seed", [0, 1])
def test_verdict(theorem, seed):
    verdict = verify(theorem, np.random.default_rng(seed), effort="quick")
    assert verdict and verdict.control_refuted
    assert not any(finding.tightness > 1 + 1e-6 for finding in verdict.findings)


def _scaled(claim, factor):
    """The claim with its right-hand side times a factor."""
    if claim.formula is not None:
        return replace(claim, formula=Formula(sp.Float(factor) * claim.formula.flat))
    right = claim.expected
    return replace(claim, expected=lambda i, r: factor * right(i, r))


# Everything that is attained.  Not: the tails of Theorem 5.1 and the comparisons
# with the printed constants, which are strict.
MUTANTS = [
    *((SELECTION, claim) for claim in (0, 1, 2)),
    *((GENERAL, claim) for claim in range(6)),
    *((SQRT2, claim) for claim in range(2)),
    *((BOUNDED_DIFFERENCE, claim) for claim in (0, 1, 2, 3, 4, 5, 7)),
    *((MEAN, claim) for claim in range(9)),
    (MCDIARMID, 3),
]


@pytest.mark.parametrize(
    ("theorem", "claim"), MUTANTS, ids=[f"{t.id}-{claim}" for t, claim in MUTANTS]
)
def test_mutant_is_refuted(theorem, claim):
    mutant = _scaled(theorem.claims[claim], 0.999)
    planted = theorem.but(claims=(mutant,), controls=(), printed=(), derivation=None)
    verdict = verify(planted, np.random.default_rng(0), effort="quick")
    assert verdict.findings[0].outcome == "refuted"


def _value(symbol, **quantities):
    return sc.formula(symbol)(**quantities)


# --- Formulas ---------------------------------------------------------------------


def _sum_of_squares(first, last):
    return sum(1 / j**2 for j in range(first, last + 1))


@pytest.mark.parametrize("n", [2, 3, 10, 31])
def test_constants_of_theorem_5_1(n):
    for l in range(1, n):  # noqa: E741
        u = n - l
        drawn = u**2 * _sum_of_squares(u, n - 1)
        left = l**2 * _sum_of_squares(l, n - 1)
        printed = l * u / (l + u - 0.5) / (1 - 1 / (2 * max(l, u)))
        assert _value(sc.alpha_of_drawn, n=n, l=l) == pytest.approx(drawn)
        assert _value(sc.alpha_of_left, n=n, l=l) == pytest.approx(left)
        assert _value(sc.alpha_printed, n=n, l=l) == pytest.approx(printed)
        assert l * _value(sc.q, n=n, l=l) == pytest.approx(printed)
        sharp = _value(sc.alpha_sharp, n=n, l=l)
        assert sharp == pytest.approx(min(drawn, left))
        assert sharp <= min(printed, l) * (1 + 1e-12)


def test_both_branches_count():
    first, second = (
        [_value(branch, n=10, l=l) for l in range(1, 10)]  # noqa: E741
        for branch in (sc.alpha_of_drawn, sc.alpha_of_left)
    )
    assert first[0] < second[0] and second[-1] < first[-1]
    assert first == pytest.approx(second[::-1])


def test_nothing_is_random_when_all_is_drawn():
    for symbol in (sc.alpha_sharp, sc.alpha_printed, sc.q):
        assert _value(symbol, n=7, l=7) == 0
    assert _value(sc.e_l, n=7, l=7, spread=3) == 0
    assert _value(sc.e_l_bound, n=7, l=7, K_max=3) == 0


def test_deviation_falls_with_the_number_of_landmarks():
    # What a search for the smallest l needs: alpha_sharp / l^2 and e_l decrease.
    for n in (2, 5, 12, 40):
        rates = [_value(sc.alpha_sharp, n=n, l=l) / l**2 for l in range(1, n + 1)]  # noqa: E741
        means = [_value(sc.e_l, n=n, l=l, spread=1) for l in range(1, n + 1)]  # noqa: E741
        assert np.all(np.diff(rates) < 0) and np.all(np.diff(means) < 0)


def test_bounded_differences_by_hand():
    # K_max = 4: R = 2.  On one ray 4 - 1; then two vectors at a right angle.
    assert _value(sc.g_2, K_max=4, d_max=1) == pytest.approx(3)
    assert _value(sc.g_F, K_max=4, d_max=1) == pytest.approx(3)
    right = 2 * sqrt(2)
    assert _value(sc.g_2, K_max=4, d_max=right) == pytest.approx(4)
    assert _value(sc.g_F, K_max=4, d_max=right) == pytest.approx(sqrt(32))
    assert _value(sc.g_2_equal, K_max=4, d_max=right) == pytest.approx(4)
    assert _value(sc.g_F_equal, K_max=4, d_max=4) == pytest.approx(sqrt(32))
    for symbol in (sc.g_2, sc.g_F, sc.g_2_equal, sc.g_F_equal):
        assert _value(symbol, K_max=4, d_max=0) == 0
        assert _value(symbol, K_max=0, d_max=0) == 0


def test_the_two_candidates_for_the_frobenius_norm_meet():
    d, length = 2 / 3, 1.0
    assert d * (2 * length - d) == pytest.approx(_value(sc.g_F_equal, K_max=1, d_max=d))


def test_measured_quantities():
    case = Instance.from_points([[3.0, 0, 0], [0, 1, 1]], [0], 1)
    assert QUANTITIES["K_max"].measure(case) == 9
    assert QUANTITIES["d_max"].measure(case) == pytest.approx(sqrt(10))
    assert QUANTITIES["spread"].measure(case) == pytest.approx(83 - 85 / 3)
    # XX' = diag(9, 2), ZZ' = diag(27, 0).
    assert QUANTITIES["deviation_F"].measure(case) == pytest.approx(sqrt(328))
    assert QUANTITIES["deviation"].measure(case) == pytest.approx(18)
    assert QUANTITIES["deviation_trace"].measure(case) == pytest.approx(20)
    without_points = Instance(case.K, [0], 1)
    assert QUANTITIES["d_max"].measure(without_points) == pytest.approx(sqrt(10))
    assert QUANTITIES["d_max"].measure(Instance(np.eye(1), [0], 1)) == 0


def test_equal_points_have_no_spread():
    points = np.repeat([[0.1], [0.7]], 5, axis=1)
    case = Instance.from_points(points, [0], 1)
    assert QUANTITIES["d_max"].measure(case) == 0
    assert QUANTITIES["spread"].measure(case) < 1e-15


# --- (5.3) and sqrt 2 -------------------------------------------------------------


def test_flipped_clusters():
    case = sc.flipped(21, 0.0)
    assert GENERAL.bound(case.K, [0, 21], 1) == pytest.approx(1 + 2 * 10)
    assert SQRT2.bound(case.K, [0, 21], 1) == pytest.approx(1 + sqrt(2) * sqrt(200))
    assert GENERAL.bound(tail_2=1, deviation=10) == 21
    # With the lone point a little longer the approximation leaves the 21 out.
    longer = sc.flipped(21, 1e-6)
    claim = spectral_claim(sp.Integer(2), "")
    assert claim.observe(longer, None) == pytest.approx(21)


def test_1_8_and_1_4_fall_and_2_and_sqrt_2_stand():
    case, rng = sc.flipped(), np.random.default_rng(0)
    for theorem in (GENERAL, SQRT2):
        assert not any(compare(c, case, rng).violated for c in theorem.claims)
        assert all(compare(c.claim, case, rng).violated for c in theorem.controls[:1])


def test_rank_above_the_sample_is_refused():
    with pytest.raises(ValueError, match="k"):
        GENERAL.bound(np.eye(3), [0], 2)


# --- (5.6) ------------------------------------------------------------------------


@pytest.mark.parametrize("distance", [0.1, 0.5, 0.9])
def test_an_exchange_shows_in_full(distance):
    for case in (
        bounded_difference.on_one_ray(distance),
        bounded_difference.of_equal_length(distance),
    ):
        # The balanced sample has exactly the covariance of all points.
        assert np.linalg.norm(sc.covariance_error(case)) < 1e-15
        after = sc.covariance_error(case.but(landmarks=[0, 1]))
        a, b = case.points[:, 0], case.points[:, 2]
        difference = 2 * (np.outer(b, b) - np.outer(a, a))
        np.testing.assert_allclose(after, difference, atol=1e-14)


def test_norms_of_differences_from_the_kernel_matrix():
    points = np.random.default_rng(2).standard_normal((3, 6))
    case = Instance.from_points(points, [0], 1)
    spectral, squared = bounded_difference._differences(case)
    for a, b in combinations(range(6), 2):
        outer = np.outer(points[:, a], points[:, a])
        outer -= np.outer(points[:, b], points[:, b])
        assert spectral[a, b] == pytest.approx(np.linalg.norm(outer, 2))
        assert squared[a, b] == pytest.approx(np.linalg.norm(outer) ** 2)


@pytest.mark.parametrize("d", [0.0, 0.3, 0.8, 1.2, 1.5, 1.9, 2.0])
@pytest.mark.parametrize("norm", [2, "fro"])
@pytest.mark.parametrize("equal", [False, True])
def test_every_distance_has_an_exchange_that_shows_all(d, norm, equal):
    """Points with this largest length and distance, and the change by hand."""
    case = bounded_difference.attaining(4.0, 2 * d, norm, equal)
    assert QUANTITIES["K_max"].measure(case) == pytest.approx(4)
    assert QUANTITIES["d_max"].measure(case) == pytest.approx(2 * d)
    if equal:
        assert np.diag(case.K) == pytest.approx(4)
    after = case.but(landmarks=[0, 1, *case.landmarks[2:]])
    change = np.linalg.norm(sc.covariance_error(after), norm) / 2
    d_bar = min(d, sqrt(2))
    alike = d_bar * sqrt((4 - d_bar**2) / 2)
    ray = 1 - max(1 - d, 0) ** 2
    if norm == 2:
        expected = alike / sqrt(2) if equal else ray
    else:
        expected = alike if equal else max(alike, d * (2 - d))
    assert change == pytest.approx(4 * expected)


@pytest.mark.parametrize("row", range(4))
def test_none_of_the_four_may_be_smaller(row):
    claim = BOUNDED_DIFFERENCE.claims[8]
    share = np.ones((4, 3))
    share[row, 0] = 0.999
    planted = BOUNDED_DIFFERENCE.but(
        claims=(replace(claim, expected=lambda i, r: share * claim.expected(i, r)),),
        controls=(),
    )
    verdict = verify(planted, np.random.default_rng(0), effort="quick")
    assert verdict.outcome == "refuted"


def test_printed_bound_from_numbers_alone():
    bound = BOUNDED_DIFFERENCE.bound(n=100, l=10, K_max=1, d_max=1)
    assert bound == pytest.approx(10 * sqrt(1.5))
    assert bound <= 2 * 100 / 10


# --- (5.7) ------------------------------------------------------------------------


def test_exact_distance_is_the_distance():
    points = np.array([[1, 2, 0, -1], [0, 1, 1, 3]])
    case = Instance.from_points(points, [0, 3], 1)
    exact = exact_psi_squared(fractions_of(case.K), [0, 3])
    assert float(exact) == pytest.approx(np.linalg.norm(sc.covariance_error(case)) ** 2)


def test_mean_by_hand():
    # Points 0 and 1 on a line, one drawn: XX' = 1 and ZZ' is 0 or 2.
    assert MEAN.bound(n=2, l=1, spread=0.5) == 1
    assert MEAN.bound(np.diag([1.0, 0.0]), [0]) == pytest.approx(1)


def test_one_column_is_refused():
    with pytest.raises(ValueError, match="n = 1"):
        MEAN.bound(np.eye(1), [0])


def test_exact_claim_can_fail(monkeypatch):
    case = Instance(np.diag([2.0, 1.0, 1.0]), [0, 1], 1)
    claim = next(c for c in MEAN.claims if c.exact)
    assert claim.exact(case)
    monkeypatch.setattr(covariance_mean, "exact_mean_square", lambda K, l: 4)  # noqa: E741
    assert not claim.exact(case)


# --- Theorem 5.1 ------------------------------------------------------------------


def test_hypergeometric_tails_are_those_of_all_samples():
    tails = mcdiarmid.hypergeometric_tails(7, 3, 4)
    counts = [sum(j < 3 for j in S) for S in combinations(range(7), 4)]
    for t, tail in tails.items():
        assert tail == Fraction(sum(x >= t for x in counts), comb(7, 4))
    assert tails[min(counts)] == 1


def test_mean_and_largest_change_of_a_count():
    case = mcdiarmid.population([1.0, 1, 0, 0, 0], 2, mcdiarmid._count, 0.1, "count")
    assert case.extra["mean"] == pytest.approx(0.8) and case.extra["c"] == 1
    assert len(case.extra["values"]) == 10


def test_tail_from_numbers_alone():
    bound = MCDIARMID.bound(n=2, l=1, epsilon=0.5, c=1)
    assert bound == pytest.approx(np.exp(-0.5))
    with pytest.raises(ValueError, match="1 \\\\le l < n"):
        MCDIARMID.bound(n=3, l=3, epsilon=0.5, c=1)
    with pytest.raises(ValueError, match="epsilon"):
        MCDIARMID.bound(np.eye(3), [0], c=1)


@pytest.mark.parametrize("share", [0.5, 0.8])
def test_smaller_constants_fall(share):
    constant = sp.Mul(sp.Float(share), sc.alpha_sharp, evaluate=False)
    planted = MCDIARMID.but(
        claims=(mcdiarmid._tail_claim(constant, "smaller"),), controls=()
    )
    verdict = verify(planted, np.random.default_rng(0), effort="quick")
    assert verdict.outcome == "refuted"


def test_enumerated_claim_can_fail():
    constant = sp.Mul(sp.Rational(1, 8), sc.alpha_sharp, evaluate=False)
    claim = mcdiarmid._deviates(constant, "an eighth")
    planted = MCDIARMID.but(claims=(claim,), controls=())
    verdict = verify(planted, np.random.default_rng(0), effort="quick")
    assert verdict.outcome == "refuted"
