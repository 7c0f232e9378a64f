"""Preconditioners and ridge regression, by hand."""

import numpy as np
import pytest

from nystheory.chapters.ridge_and_preconditioning.theorems.column_chance import (
    ScoredColumns,
)
from nystheory.chapters.ridge_and_preconditioning.theorems.preconditioner import (
    PRECONDITIONER,
    NystromPreconditioner,
)
from nystheory.chapters.ridge_and_preconditioning.theorems.ridge_risk import (
    RIDGE_RISK_CORE,
    Risk,
    risk_of_matrix,
)
from nystheory.chapters.ridge_and_preconditioning.theorems.risk_sampling import (
    BACH,
    RUDI,
)
from nystheory.chapters.ridge_and_preconditioning.theorems.score_sampling import (
    ALAOUI_MAHONEY,
)
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import reader
from nystheory.engine.trial.over_samples import over_samples
from nystheory.engine.worlds.between import Between


def measured(case, name):
    return case.measured(case.quantities[name]).value


def test_preconditioner_by_hand():
    # K = diag(1, 5), first column, ridge 1: P = I, so kappa = 6 / 2.
    case = NystromPreconditioner(np.diag([1.0, 5]), [0], 1, alpha=1.0)
    assert measured(case, "kappa") == pytest.approx(3)
    # (1 + 1 + 5) min(1, (1 + 1 + 2) / (2 * 2)) = 7
    known = {"smallest_kept": 1, "smallest_eigenvalue": 1, "gap_2": 5, "alpha": 1}
    assert PRECONDITIONER.bound(**known) == 7


def test_weights_give_a_matrix_below():
    # G (1 + G'G)^-1 G' = 4/5 for the point 1 and the weight 2.
    case = Between(np.ones((1, 1)), [0], 1, weights=np.array([[2.0]]))
    assert measured(case, "between") == pytest.approx(0.8)


def test_risk_by_hand():
    # Ridge 1 and K = diag(1, 1): the prediction is y / 2.
    assert risk_of_matrix(np.eye(2), np.array([2.0, 0]), 4.0, 1.0) == (0.5, 1.0)
    known = {"alpha": 1.0, "noise": 0.0, "signal": np.array([[0.0], [1.0]])}
    case = Risk(np.eye(2), [0], 1, **known)
    assert measured(case, "risk") == 0.125
    assert measured(case, "risk_below") == pytest.approx(0.5)
    assert RIDGE_RISK_CORE.bound(alpha=1, gap_2=1, risk=0.125) == 0.5


def chances(law, **fields):
    case = ScoredColumns(np.eye(4), [0] * fields.pop("l"), 1, **fields)
    return {frozenset(o.landmarks.tolist()): p for p, o in case.outcomes(law)}


def test_chances_by_hand():
    # Three draws of two equally likely groups: both but for 2 of 8 sequences.
    given = {"probabilities": np.full(4, 0.25)}
    found = chances("weighted_hits", l=3, groups=(2, 2), **given)
    assert found == {
        frozenset({0}): 1 / 8,
        frozenset({2}): 1 / 8,
        frozenset({0, 2}): 0.75,
    }
    # Two of four columns, two in each group: 1 of 6 pairs in either.
    found = chances("uniform_hits", l=2, groups=(2, 2))
    assert found[frozenset({0, 2})] == pytest.approx(4 / 6)


def test_columns_by_hand():
    # n exp(-l / (8 (d / beta + 1/6))) with n = 10, d = 1, beta = 1/2.
    bound = ALAOUI_MAHONEY.bound(n=10, l=52, d_eff=1, ridge_share=0.5)
    assert bound == pytest.approx(10 * np.exp(-52 / (52 / 3)))
    assert BACH.bound(n=10, l=52, largest_score=2, accuracy=1.0) == bound
    assert RUDI.bound(d_eff=1, largest_score=2, l=20) == pytest.approx(8 * np.exp(-2))


def test_more_columns_fail_less_often():
    case, claim = (
        ALAOUI_MAHONEY.controls["1.5"].on,
        ALAOUI_MAHONEY.claims["all at once"],
    )
    found = []
    for columns in (5, 6, 20, 60):
        drawn = case.but(landmarks=[0] * columns)
        found.append(over_samples(ALAOUI_MAHONEY, claim, drawn, None, 2).comparison)
    chances = [c.observed for c in found]
    # Some of six orthogonal points is missed: 1 - 6! / 6^6 for six draws.
    assert chances[0] == pytest.approx(1)
    assert chances[1] == pytest.approx(1 - 720 / 6**6)
    assert chances[2] > chances[3] > 0


def test_each_part_of_the_order_can_fail():
    # The second of two points is missed: E = diag(0, 2), no signal, no noise.
    known = {"alpha": 2.0, "accuracy": 1.0, "noise": 0.0, "signal": np.zeros((2, 1))}
    known["probabilities"] = np.full(2, 0.5)
    case = ScoredColumns(np.diag([1.0, 2]), [0], 1, **known)
    event = parse(ALAOUI_MAHONEY.claims["all at once"].line).left.args[0]

    def fails(**changes):
        return reader(ALAOUI_MAHONEY, case.but(**changes)).value(event)

    assert fails(alpha=1.9) is True and fails(alpha=2.1) is False
    # A signal there has four times the squared bias, for a ridge of 2; 1.9^2 = 3.61.
    there = np.array([[0.0], [1.0]])
    assert fails(alpha=2.1, signal=there) is False
    assert fails(alpha=2.1, signal=there, between=np.diag([1.1, 2.0])) is True
    case = case.but(between=np.diag([1.0, 0.5]))
    assert fails(alpha=1.6, signal=there, accuracy=0.8) is False
    assert fails(alpha=1.6, signal=there, accuracy=0.8, error_mean=there) is True
