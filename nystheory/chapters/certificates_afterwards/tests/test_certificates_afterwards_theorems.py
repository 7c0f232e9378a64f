"""Certificates and what follows from them: by hand, mutants, printed numbers."""

from fractions import Fraction

import numpy as np
import pytest

from nystheory import exact, lowrank
from nystheory.chapters.certificates_afterwards.theorems.certificates import ERROR_CHAIN
from nystheory.chapters.certificates_afterwards.theorems.log_determinant import (
    LOG_DETERMINANT,
)
from nystheory.chapters.certificates_afterwards.theorems.operator_monotone import (
    OPERATOR_MONOTONE,
    MatrixFunction,
)
from nystheory.chapters.certificates_afterwards.theorems.resolvent import RESOLVENT
from nystheory.chapters.certificates_afterwards.theorems.stability import (
    STABILITY,
    Perturbed,
)
from nystheory.chapters.certificates_afterwards.theorems.truncation import FIXED_RANK
from nystheory.engine.trial.compare import applies, compare, reader
from nystheory.engine.worlds import suite
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.matrices import EPS
from nystheory.engine.worlds.quantities import QUANTITIES

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
        OPERATOR_MONOTONE.bound(np.ones((3, 3)), [0], alpha=1.0)


def test_a_general_function_by_hand():
    # f(t) = t / 4 + t / (t + 4) + 100 t / (t + 0.004) at 4 and 1.
    given = {"offset": 0.0, "slopes": [0.25, 0, 1, 100], "places": [1, 4, 0.004]}
    case = MatrixFunction(np.diag([4.0, 1]), [0], 1, **given)
    found = case.measured(MatrixFunction.quantities["f_K"]).value
    by_hand = [1 + 4 / 8 + 400 / 4.004, 1 / 4 + 1 / 5 + 100 / 1.004]
    np.testing.assert_allclose(found, np.diag(by_hand))


def test_volume_by_hand():
    # Three equal points: one landmark holds a third of the squared length.
    case = Perturbed(np.ones((3, 3)), [0], 1, X=np.ones((1, 3)))
    assert case.measured(QUANTITIES["seen_part"]).value == pytest.approx(3**-0.5)
    assert STABILITY.bound(claim="singular value", n=3, l=1) == pytest.approx(3**-0.5)
    # K + D = 2 and 1.5 off the diagonal: 2 - 1.5^2 / 2 is left, twice.
    added = np.full((3, 3), 0.5) + 0.5 * np.eye(3)
    case = case.but(perturbation=added)
    moved = case.measured(Perturbed.quantities["moved_error"]).value
    expected = np.array([[0, 0, 0], [0, 0.875, 0.375], [0, 0.375, 0.875]])
    assert moved == pytest.approx(expected, abs=1e-12)
