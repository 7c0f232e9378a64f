"""Certificates and what follows from them: by hand, mutants, printed numbers."""

from fractions import Fraction

import numpy as np
import pytest

from nystheory import exact, lowrank
from nystheory.chapters.since_2010.theorems import lower_bound
from nystheory.chapters.since_2010.theorems.certificates import ERROR_CHAIN
from nystheory.chapters.since_2010.theorems.log_determinant import LOG_DETERMINANT
from nystheory.chapters.since_2010.theorems.lower_bound import LOWER_BOUND
from nystheory.chapters.since_2010.theorems.operator_monotone import OPERATOR_MONOTONE
from nystheory.chapters.since_2010.theorems.resolvent import RESOLVENT
from nystheory.chapters.since_2010.theorems.sketches import (
    leave_one_out_sketch,
    sketch_residuals,
)
from nystheory.chapters.since_2010.theorems.truncation import FIXED_RANK
from nystheory.engine import suite
from nystheory.engine.compare import applies, compare, reader
from nystheory.engine.instances import Instance
from nystheory.engine.matrices import EPS
from nystheory.engine.quantities import QUANTITIES

# --- By hand ----------------------------------------------------------------------

TWO = np.array([[2.0, 1], [1, 1]])


def test_certificate_by_hand():
    # One landmark of [[2, 1], [1, 1]] leaves diag(0, 1/2).
    value = ERROR_CHAIN.bound(TWO, [0], claim="certificate")
    assert value == pytest.approx(0.5)


def test_a_certificate_is_right_to_its_floor():
    """On integers, against the trace in fractions."""
    for case in suite.integer_instances(np.random.default_rng(0), 100):
        near = lowrank.nystrom(case.K, case.landmarks)
        found = np.trace(case.K) - np.linalg.norm(near.factor) ** 2
        missed = exact.ROUTES["trace_E"](exact.Case.of(**case.in_fractions()))
        floor = case.n * EPS * np.trace(case.K) * case.full.condition
        assert abs(Fraction(found) - Fraction(str(missed))) <= floor


def test_angle_beyond_the_gap():
    # The error 2 is larger than the gap 1: K's leading vector is the other one.
    case = Instance(np.diag([1.0, 2]), [0], 1)
    reading = reader(ERROR_CHAIN, case)
    assert not applies(ERROR_CHAIN.claims["angle"], reading)
    assert case.measured(QUANTITIES["angle"]).value == pytest.approx(np.pi / 2)


def test_resolvent_by_hand():
    assert RESOLVENT.bound(norm_E=1, alpha=1) == pytest.approx(0.5)
    value = RESOLVENT.bound(np.eye(3), [0], claim="trace", alpha=1.0)
    assert value == pytest.approx(2 / 3)
    with pytest.raises(ValueError, match="alpha"):
        RESOLVENT.bound(norm_E=1, alpha=0)


def test_log_determinant_by_hand():
    value = LOG_DETERMINANT.bound(n=3, trace_E=2, noise=0.5, claim="determinant")
    assert value == pytest.approx(3 * np.log(7 / 3))
    value = LOG_DETERMINANT.right_side("any data, trace", trace_E=2, noise=1, norm_y=3)
    assert value == pytest.approx(4)
    with pytest.raises(ValueError, match="noise"):
        LOG_DETERMINANT.bound(n=3, trace_E=2, noise=0)


def test_gap_of_evidence_by_hand():
    # One point, nothing sampled of it: K = diag(1, e), y = (0, y).
    e, y = 3.0, 2.0
    X = np.diag(np.sqrt([1.0, e]))
    case = Instance.from_points(X, [0], 1, noise=1.0, y=np.array([[0], [y]]))
    by_hand = e / 2 + y**2 * e / (2 * (1 + e)) - np.log(1 + e) / 2
    found = compare(LOG_DETERMINANT.claims["divergence"], reader(LOG_DETERMINANT, case))
    assert found.decided and not found.violated
    assert case.measured(QUANTITIES["divergence"]).value == pytest.approx(by_hand)


@pytest.mark.parametrize(
    ("control", "values"),
    [
        ("never worse, spectral", (7.690, 6.692)),
        ("never worse, Frobenius", (17.454, 17.021)),
    ],
)
def test_cut_approximation_may_be_worse(control, values):
    false = FIXED_RANK.controls[control]
    assert np.linalg.eigvalsh(false.on.K)[0] > -1e-12
    found = compare(FIXED_RANK.changed(false), reader(FIXED_RANK, false.on))
    assert (found.observed, found.bound) == pytest.approx(values, abs=5e-4)
    # In the nuclear norm it is not.
    found = compare(FIXED_RANK.claims["never worse"], reader(FIXED_RANK, false.on))
    assert found.observed < found.bound


def test_fixed_rank_from_numbers_alone():
    value = FIXED_RANK.bound(tail_trace=2, trace_E=0.5, claim="nuclear")
    assert value == 2.5


def test_functions_from_numbers_alone():
    known = {"missed_trace": 3, "tail_trace": 2, "tail_log": 0.5}
    value = OPERATOR_MONOTONE.bound(**known, claim="logarithm")
    assert value == pytest.approx(0.75)
    with pytest.raises(ValueError, match="rank"):
        OPERATOR_MONOTONE.bound(np.ones((3, 3)), [0])


def test_a_general_function_by_hand():
    # f(t) = t / 4 + t / (t + 4) + 100 t / (t + 0.004) at 4 and 1.
    given = {"offset": 0.0, "slopes": [0.25, 0, 1, 100], "places": [1, 4, 0.004]}
    case = Instance(np.diag([4.0, 1]), [0], 1, extra=given)
    found = case.measured(QUANTITIES["f_K"]).value
    by_hand = [1 + 4 / 8 + 400 / 4.004, 1 / 4 + 1 / 5 + 100 / 1.004]
    np.testing.assert_allclose(found, np.diag(by_hand))


@pytest.mark.parametrize(
    ("claim", "value"), [("spectral", 5.0), ("Frobenius", 40 / 19), ("trace", 20 / 19)]
)
def test_lower_bounds_in_the_limit(claim, value):
    known = {"n": 20, "l": 4, "k": 1}
    limit = LOWER_BOUND.right_side(claim, **known, similarity=1)
    nearly = LOWER_BOUND.right_side(claim, **known, similarity=1 - 1e-6)
    assert limit == pytest.approx(value)
    assert nearly < value and nearly == pytest.approx(value, rel=1e-5)


def test_lower_bound_is_of_its_own_matrices():
    with pytest.raises(ValueError, match="a < 1"):
        LOWER_BOUND.bound(np.diag([1.0, 2]), [0], rank=1)
    case = lower_bound.blocks(6, 2, 0.5, [0, 3])
    assert LOWER_BOUND.bound(case.K, [0, 3]) == pytest.approx(2)


# --- Sketches ---------------------------------------------------------------------


def test_sketch_of_one_vector():
    # Nothing else is known: the estimate is the squared length of K omega.
    omega = np.array([[1.0], [-1]])
    assert leave_one_out_sketch(TWO @ omega, omega) == pytest.approx(1)
    case = Instance(TWO, [0], 1, extra={"omega": omega})
    for name in ("sketch_sum", "left_sum"):
        assert case.measured(QUANTITIES[name]).value == pytest.approx(1)


def test_singular_sketch_is_the_limit():
    X = np.array([[1.0, 1, 0], [0, 0, 2]])
    K = X.T @ X
    Omega = np.array([[1.0, 1, 0], [0, 0, 1], [1, 1, 0]])
    # The first two vectors are equal, so neither adds to the other.
    residuals = sketch_residuals(K @ Omega, Omega.T @ K @ Omega)
    np.testing.assert_allclose(residuals[:, :2], 0, atol=1e-12)
    assert np.linalg.norm(residuals[:, 2]) > 0.1


def test_gaussian_mean_in_the_plane():
    rng = np.random.default_rng(3)
    K = np.diag([2.0, 1.0])
    draws = rng.standard_normal((20000, 2, 2))
    mean = np.mean([leave_one_out_sketch(K @ W, W) for W in draws])
    assert mean == pytest.approx(np.sqrt(2) * 3 / 2, rel=0.03)


def test_a_mean_over_directions_by_a_rule():
    # Both eigenvalues 1: every direction leaves the other one.
    case = Instance(np.eye(2), [0], 1, X=np.eye(2))
    found = [o.measured(QUANTITIES["sketch_error"]) for _, o in case.outcomes("plane")]
    assert [x.value for x in found] == pytest.approx([1] * len(found))
