"""Sketches, preconditioners, ridge regression and large volumes, by hand and broken."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from nystheory.engine.compare import reader
from nystheory.engine.instances import Instance as InLines
from nystheory.engine.lines import parse
from nystheory.engine.quantities import QUANTITIES
from nystheory.theorems.instance import Instance
from nystheory.theorems.since_2010 import column_chance, dpp_factor, score_sampling
from nystheory.theorems.since_2010.dpp_factor import DPP_FACTOR, factor
from nystheory.theorems.since_2010.gaussian_sketch import GAUSSIAN_SKETCH
from nystheory.theorems.since_2010.modified_core import MODIFIED_CORE
from nystheory.theorems.since_2010.preconditioner import PRECONDITIONER
from nystheory.theorems.since_2010.ridge_risk import (
    RIDGE_RISK_CORE,
    approximate_risk,
    exact_risk,
    risk_of_matrix,
)
from nystheory.theorems.since_2010.risk_sampling import BACH, RUDI
from nystheory.theorems.since_2010.score_sampling import ALAOUI_MAHONEY
from nystheory.theorems.since_2010.stability import (
    STABILITY,
    at_largest_volume,
    seen_part,
)
from nystheory.theorems.since_2010.trace_estimators import (
    TRACE_ESTIMATORS,
    exchangeable_by_inverse,
    exchangeable_trace,
)
from nystheory.verify import verify

OBJECTS = (
    *(GAUSSIAN_SKETCH, PRECONDITIONER, RIDGE_RISK_CORE, BACH, ALAOUI_MAHONEY, RUDI),
    *(STABILITY, MODIFIED_CORE, DPP_FACTOR, TRACE_ESTIMATORS),
)
# The right-hand sides that are attained, and so cannot be made smaller.
ATTAINED = (
    (GAUSSIAN_SKETCH, 3),
    *((RIDGE_RISK_CORE, number) for number in (0, 2, 3, 4)),
    *((STABILITY, number) for number in range(7)),
    (DPP_FACTOR, 0),
    (DPP_FACTOR, 5),
    (TRACE_ESTIMATORS, 5),
    (TRACE_ESTIMATORS, 6),
)


@pytest.mark.parametrize("theorem", OBJECTS, ids=lambda t: t.id)
def test_stands(theorem):
    assert verify(theorem, np.random.default_rng(5), effort="quick")


@pytest.mark.parametrize(
    "theorem, number", ATTAINED, ids=lambda x: getattr(x, "id", str(x))
)
def test_a_sharper_bound_falls(theorem, number):
    claim = theorem.claims[number]
    right = claim.right_side
    share = 1.001 if claim.relation == ">=" else 0.999

    def sharper(i, rng):
        bound = right(i, rng)
        return None if bound is None else share * bound

    mutant = replace(claim, formula=None, expected=sharper)
    broken = theorem.but(claims=(mutant,))
    assert verify(broken, np.random.default_rng(5)).outcome == "refuted"


def test_sketch_by_hand():
    bound = GAUSSIAN_SKETCH.bound(l=12, k=4, tail_trace=7.0)
    assert bound == pytest.approx((1 + 4 / 7) * 7)
    # One more spare column than the smallest has a finite mean; that one has none.
    with pytest.raises(ValueError, match="l - 2"):
        GAUSSIAN_SKETCH.bound(l=5, k=4, tail_trace=7.0)


def test_preconditioner_by_hand():
    # K = diag(1, 5), first column, ridge 1: P = I, so kappa = 6 / 2.
    case = InLines(np.diag([1.0, 5]), [0], 1, extra={"alpha": 1.0})
    assert case.measured(QUANTITIES["kappa"]).value == pytest.approx(3)
    # (1 + 1 + 5) min(1, (1 + 1 + 2) / (2 * 2)) = 7
    known = {"smallest_kept": 1, "smallest_eigenvalue": 1, "gap_2": 5, "alpha": 1}
    assert PRECONDITIONER.bound(**known) == 7


def test_weights_give_a_matrix_below():
    # G (1 + G'G)^-1 G' = 4/5 for the point 1 and the weight 2.
    case = InLines(np.ones((1, 1)), [0], 1, extra={"weights": np.array([[2.0]])})
    assert case.measured(QUANTITIES["between"]).value == pytest.approx(0.8)


def test_risk_by_hand():
    # Ridge 1 and K = diag(1, 1): the prediction is y / 2.
    assert risk_of_matrix(np.eye(2), np.array([2.0, 0]), 4.0, 1.0) == (0.5, 1.0)
    X = np.eye(2)
    case = Instance.from_points(X, [0], 1, alpha=1.0, noise=0.0)
    case = case.but(signal=np.array([0.0, 1.0]))
    assert (exact_risk(case), approximate_risk(case)) == (0.125, 0.5)
    assert RIDGE_RISK_CORE.bound(alpha=1, norm_E=1, risk=0.125) == 0.5


def test_chances_by_hand():
    # Three draws of two equally likely classes: both but for 2 of 8 sequences.
    chances = column_chance.with_replacement([0.5, 0.5], 3)
    assert chances.tolist() == [0, 0.125, 0.125, 0.75]
    # Two of four columns, two in each class: 1 of 6 pairs in either.
    chances = column_chance.without_replacement([2, 2], 2)
    assert chances == pytest.approx([0, 1 / 6, 1 / 6, 4 / 6])


def test_chances_are_those_of_draws():
    rng = np.random.default_rng(7)
    p = np.array([0.5, 0.3, 0.2])
    expected = column_chance.with_replacement(p, 4)
    masks = [sum(1 << j for j in set(rng.choice(3, 4, p=p))) for _ in range(4000)]
    seen = np.bincount(masks, minlength=8) / 4000
    assert np.abs(seen - expected).max() < 0.05


def test_columns_by_hand():
    # n exp(-l / (8 (d / beta + 1/6))) with n = 10, d = 1, beta = 1/2.
    bound = ALAOUI_MAHONEY.bound(n=10, l=52, d_eff=1, ridge_share=0.5)
    assert bound == pytest.approx(10 * np.exp(-52 / (52 / 3)))
    assert BACH.bound(n=10, l=52, largest_score=2, tolerance=1.0) == bound
    assert RUDI.bound(d_eff=1, largest_score=2, l=20) == pytest.approx(8 * np.exp(-2))


def test_more_columns_fail_less_often():
    case = score_sampling._EQUAL_LENGTHS.but(probabilities=np.full(6, 1 / 6))
    fails = ALAOUI_MAHONEY.claims[0].observe
    chances = [fails(case.but(landmarks=[0] * m), None) for m in (5, 6, 20, 60)]
    # Some of six orthogonal points is missed: 1 - 6! / 6^6 for six draws.
    assert chances[0] == pytest.approx(1)
    assert chances[1] == pytest.approx(1 - 720 / 6**6)
    assert chances[2] > chances[3] > 0


def test_each_part_of_the_order_can_fail(monkeypatch):
    # The second of two points is missed: E = diag(0, 2), no signal, no noise.
    case = Instance.from_points(np.diag([1.0, np.sqrt(2)]), [0], 1, tolerance=1.0)
    case = case.but(signal=np.zeros(2), noise=0.0)
    fails = score_sampling._any_part_fails
    assert fails(case.but(alpha=1.9)) and not fails(case.but(alpha=2.0))
    # A signal there has four times the squared bias, for a ridge of 2; 1.9^2 = 3.61.
    seen = case.but(alpha=2.0, signal=np.array([0.0, 1.0]))
    assert not fails(seen)
    assert fails(seen.but(tolerance=0.9, alpha=1.8))
    above = SimpleNamespace(spectral_reconstruction=lambda: np.diag([1.1, 2.0]))
    monkeypatch.setattr(score_sampling.lowrank, "nystrom", lambda K, S: above)
    assert fails(seen)


def test_published_factor_at_the_smallest_epsilon():
    # k = 0, l = 1, r_0 = 1.5: x = 2, (1 + 2 eps)^2 = 3 / sqrt(5), the factor is 3.
    case = Instance.from_points(np.diag(np.sqrt([2.0, 1])), [0], 0)
    assert dpp_factor._at_smallest_epsilon(case, None) == pytest.approx(3)
    assert dpp_factor.published(case, epsilon=0.5) == pytest.approx(4 * 5**0.5)


def test_volume_by_hand():
    # Three equal points: one landmark holds a third of the squared length.
    case = Instance.from_points(np.ones((1, 3)), [0], 1)
    assert seen_part(at_largest_volume(case), None) == pytest.approx(3**-0.5)
    assert STABILITY.bound(n=3, l=1) == pytest.approx(3**-0.5)


def test_core_by_hand():
    # C = (1, 1): U* = 5/4, and what it leaves has the squared norm 3/4.
    case = InLines(np.array([[1.0, 1], [1, 2]]), [0], 1, extra={"core": [[1.5]]})
    reading = reader(MODIFIED_CORE, case)
    assert reading.value(parse("best")).value == pytest.approx(np.array([[1.25]]))
    left = reading.value(parse("norm_F(K - C @ best @ C.T)**2"))
    assert left.value == pytest.approx(0.75)


def test_factor_by_hand():
    # lambda = (2, 1), one landmark: the error is 1 with chance 2/3 and 2 with 1/3.
    case = Instance.from_points(np.diag(np.sqrt([2.0, 1])), [0], 0)
    assert factor(case) == pytest.approx(4 / 3)
    assert DPP_FACTOR.bound(k=0, l=1, tail_rank=1.5) == pytest.approx(3)


def test_trace_by_hand():
    omega = np.array([[1.0, 0], [1, 1]])
    K = np.diag([2.0, 1])
    # Without the first: K~ = diag(0, 1), and (1, 1) finds the 2. Without the second:
    # K~ has trace 5/3, and (0, 1) finds 2/3 of what is left.
    by_hand = (3 + 5 / 3 + 2 / 3) / 2
    assert exchangeable_trace(K, omega) == pytest.approx(by_hand)
    assert exchangeable_by_inverse(K, omega) == pytest.approx(by_hand)
