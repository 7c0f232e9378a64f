"""Solving, preconditioning and inducing points, by hand."""

from fractions import Fraction

import numpy as np
import pytest

from nystheory.chapters.solving_with_few_columns.theorems.dual import RIDGE_DUAL, Dual
from nystheory.chapters.solving_with_few_columns.theorems.inducing import (
    INDUCING,
    Prediction,
)
from nystheory.chapters.solving_with_few_columns.theorems.inverses import WOODBURY
from nystheory.chapters.solving_with_few_columns.theorems.preconditioning import (
    PRECONDITIONING_TRACE,
    RidgedPreconditioner,
    condition_with,
)
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import reader
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.quantities import QUANTITIES


def measured(theorem, case, *names):
    reading = reader(theorem, case)
    return [reading.value(parse(name)).value for name in names]


def test_woodbury_by_hand():
    # K = diag(4, 1), both columns, rank 1: F = (2, 0)', alpha = 2.
    case = Instance(np.diag([4.0, 1]), [0, 1], 1, alpha=2.0)
    assert case.measured(QUANTITIES["core_roots"]).value == pytest.approx(0.5)
    ((F,),) = [measured(WOODBURY, case, "F")]
    assert np.abs(F).ravel() == pytest.approx([2, 0])
    found = np.eye(2) - F @ F.T / (2 + 4)
    assert found / 2 == pytest.approx(np.diag([1 / 6, 1 / 2]))


def test_roots_of_a_core_that_is_singular():
    case = Instance(np.diag([4.0, 0]), [0, 1], 2, alpha=1.0)
    roots = case.measured(QUANTITIES["core_roots"]).value
    assert roots == pytest.approx(np.diag([0.5, 0]))


def test_the_dual_by_hand():
    # n = K = alpha = y = 1: J(v) = 2 v^2 - 2 v, least at 1/2.
    given = {"alpha": 1.0, "y": np.ones((1, 1)), "other_dual": np.full((1, 1), 10.0)}
    case = Dual(np.eye(1), [0], 1, **given)
    far, least = measured(RIDGE_DUAL, case, "J_v", "J_a")
    assert (far, least) == (180, -0.5)
    assert f"and ${far:g}$ at $10$" in " ".join(RIDGE_DUAL.printed["max"].why.split())


def test_the_dual_is_told_as_it_is_checked():
    assert r"J(v) = \alpha\, v^\top v + v^\top K v - 2 v^\top y$" in RIDGE_DUAL.setting
    assert RIDGE_DUAL.where["J_v"].line == (
        "trace(alpha * other_dual.T @ other_dual + other_dual.T @ K @ other_dual "
        "- 2 * other_dual.T @ y)"
    )


def test_a_new_point_of_length_zero_is_left_out():
    # Both variances are 0, and their ratios have no meaning.
    given = {"noise": 1.0, "y": np.ones((2, 1)), "at_new": np.zeros((2, 1))}
    case = Prediction(np.eye(2), [0], 1, beyond=0.0, **given)
    reading = reader(INDUCING, case)
    assert reading.value(parse(INDUCING.hypotheses["not zero"].line)) is False
    assert measured(INDUCING, case, "variance_all", "variance_near") == [0, 0]


def test_condition_numbers_by_hand():
    # P = diag(9, 1) for K = diag(8, 3) and the ridge 1: eigenvalues 1 and 4.
    assert condition_with(np.diag([8.0, 3]), np.diag([8.0, 0]), 1.0) == 4
    case = RidgedPreconditioner(np.diag([8.0, 3]), [0], 1, alpha=1.0)
    (found,) = measured(PRECONDITIONING_TRACE, case, "condition_whole")
    assert found == pytest.approx(4)
    assert PRECONDITIONING_TRACE.bound(gap_2=3.0, alpha=1.0) == 4


def test_more_pivots_are_asked_for_a_smaller_ridge():
    claim = PRECONDITIONING_TRACE.claims["pivots"]
    X = np.diag(np.sqrt([100.0, 1, 1]))
    for ridge, spoken in ((8.0, True), (0.5, False)):
        given = {"alpha": ridge, "accuracy": 2.0, "delta": 0.9}
        case = RidgedPreconditioner.from_points(X, [0, 1], 1, **given)
        reading = reader(PRECONDITIONING_TRACE, case)
        assert reading.value(parse(claim.when)) is spoken


NAMES = "mean_all", "variance_all", "mean_near", "variance_near"


def posterior(K, B, w, beyond, noise, y):
    """Means and variances of the definition, in the place of the lines."""
    R, near = (np.linalg.inv(A + noise * np.eye(len(A))) for A in (K, B))
    own = w @ K @ w + beyond
    exact = w @ K @ R @ y, own - w @ K @ R @ K @ w
    return *exact, w @ B @ near @ y, own - w @ B @ near @ B @ w


def test_a_landmark_that_is_seen_twice():
    """The variance of the book: 4/205 exactly, 4/405 with the inducing point."""
    X = np.array([[0.5, 10], [0, 1.0]])
    K, P = X.T @ X, np.diag([1.0, 0])
    w, y = np.array([2.0, 0]), np.array([0.0, 1])
    _, v, _, v_near = posterior(K, X.T @ P @ X, w, 0.0, 1.0, y)
    assert v == pytest.approx(float(Fraction(4, 205)))
    assert v_near == pytest.approx(float(Fraction(4, 405)))
    given = {"noise": 1.0, "y": y[:, None], "at_new": w[:, None], "beyond": 0.0}
    case = Prediction.from_points(X, [0], 1, **given)
    assert measured(INDUCING, case, "variance_all", "variance_near") == pytest.approx(
        [v, v_near]
    )
    assert case.measured(Prediction.quantities["spanned"]) is True


def test_a_point_beyond_adds_its_length_to_both_variances():
    X = np.array([[1.0, 2, 0], [0, 1, 1]])
    w, y = np.array([1.0, -1, 1]), np.array([1.0, 0, 2])
    given = {"noise": 0.5, "y": y[:, None], "at_new": w[:, None]}
    found = {}
    for beyond in (0.0, 3.0):
        case = Prediction.from_points(X, [0], 1, beyond=beyond, **given)
        found[beyond] = measured(INDUCING, case, *NAMES, "unseen")
        B = case.full.approximation
        expected = posterior(X.T @ X, B, w, beyond, 0.5, y)
        assert found[beyond][:4] == pytest.approx(expected)
    less, more = np.array(found[0.0]), np.array(found[3.0])
    assert more - less == pytest.approx([0, 3, 0, 3, 3])


def test_the_factor_by_hand():
    # t = 1/2: 1 + 1/4 + 3/4.
    theta = INDUCING.right_side("variance, ratio", norm_E=0.5, noise=1.0)
    assert theta == pytest.approx(2)
