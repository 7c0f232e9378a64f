"""Sketches, limits, cores and volumes, by hand."""

import numpy as np
import pytest

from nystheory.chapters.sketches_and_limits.theorems import lower_bound
from nystheory.chapters.sketches_and_limits.theorems.dpp_factor import DPP_FACTOR
from nystheory.chapters.sketches_and_limits.theorems.gaussian_sketch import (
    GAUSSIAN_SKETCH,
)
from nystheory.chapters.sketches_and_limits.theorems.lower_bound import LOWER_BOUND
from nystheory.chapters.sketches_and_limits.theorems.modified_core import (
    MODIFIED_CORE,
    Core,
)
from nystheory.chapters.sketches_and_limits.theorems.sketches import (
    Sketched,
    leave_one_out_sketch,
    sketch_residuals,
)
from nystheory.chapters.sketches_and_limits.theorems.trace_estimators import (
    TRACE_ESTIMATORS,
    IntegerSketch,
    exchangeable_by_inverse,
    root_mean_square,
)
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import reader
from nystheory.engine.worlds.instances import Instance

TWO = np.array([[2.0, 1], [1, 1]])


def measured(case, name):
    return case.measured(case.quantities[name]).value


def test_sketch_by_hand():
    bound = GAUSSIAN_SKETCH.bound(l=12, k=4, tail_trace=7.0)
    assert bound == pytest.approx((1 + 4 / 7) * 7)
    # One more spare column than the smallest has a finite mean; that one has none.
    with pytest.raises(ValueError, match="l - 2"):
        GAUSSIAN_SKETCH.bound(l=5, k=4, tail_trace=7.0)


def test_core_by_hand():
    # C = (1, 1): U* = 5/4, and what it leaves has the squared norm 3/4.
    case = Core(np.array([[1.0, 1], [1, 2]]), [0], 1, core=[[1.5]])
    reading = reader(MODIFIED_CORE, case)
    core = reading.value(parse("frobenius_core")).value
    assert core == pytest.approx(np.array([[1.25]]))
    left = reading.value(parse("norm_F(K - C @ frobenius_core @ C.T)**2"))
    assert left.value == pytest.approx(0.75)


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
    with pytest.raises(ValueError, match="0 < similarity < 1"):
        LOWER_BOUND.bound(np.diag([1.0, 2]), [0], rank=1)
    case = lower_bound.blocks(6, 2, 0.5, [0, 3])
    assert LOWER_BOUND.bound(case.K, [0, 3]) == pytest.approx(2)


def test_sketch_of_one_vector():
    # Nothing else is known: the estimate is the squared length of K omega.
    omega = np.array([[1.0], [-1]])
    assert leave_one_out_sketch(TWO @ omega, omega) == pytest.approx(1)
    case = Sketched(TWO, [0], 1, omega=omega)
    for name in ("sketch_sum", "left_sum"):
        assert measured(case, name) == pytest.approx(1)


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
    case = Sketched(np.eye(2), [0], 1, X=np.eye(2))
    found = [measured(o, "sketch_error") for _, o in case.outcomes("plane")]
    assert found == pytest.approx([1] * len(found))


def test_published_bound_at_the_smallest_epsilon():
    # k = 0, l = 1, r_0 = 1.5: x = 2, (1 + 2 eps)^2 = 3 / sqrt(5), the factor is 3.
    known = {"k": 0, "l": 1, "tail_rank": 1.5, "tail_l": 1.0}
    smallest = ((3 / 5**0.5) ** 0.5 - 1) / 2
    bound = DPP_FACTOR.bound(claim="published", accuracy=smallest, **known)
    assert bound == pytest.approx(3)


def test_factor_by_hand():
    # lambda = (2, 1), one landmark: the error is 1 with chance 2/3 and 2 with 1/3.
    case = Instance(np.diag([2.0, 1]), [0], 0)
    assert 2 * measured(case, "symmetric_ratio") == pytest.approx(4 / 3)
    assert DPP_FACTOR.bound(k=0, l=1, tail_rank=1.5, tail_l=1) == pytest.approx(3)


def test_trace_by_hand():
    omega = np.array([[1.0, 0], [1, 1]])
    case = IntegerSketch(np.diag([2.0, 1]), [0, 1], 1, omega=omega)
    # Without the first: K~ = diag(0, 1), and (1, 1) finds the 2. Without the second:
    # K~ has trace 5/3, and (0, 1) finds 2/3 of what is left.
    by_hand = (3 + 5 / 3 + 2 / 3) / 2
    assert measured(case, "exchangeable") == pytest.approx(by_hand)
    found = exchangeable_by_inverse(np.array([2.0, 1]), omega)
    assert found == pytest.approx(by_hand)
    # The first sees 5/3 of the trace, and the second tests what it leaves.
    assert measured(case, "half_and_half") == pytest.approx(5 / 3 + 2 / 3)


def test_the_error_of_a_trace_is_no_power_for_a_fixed_matrix():
    decay = TRACE_ESTIMATORS.claims["decay"].rate
    assert abs(decay.measure(9, np.random.default_rng(0)) - 3.39 / 9) < 0.1
    rng, errors = np.random.default_rng(0), []
    for count in (4, 8, 16, 32):
        parts = [
            root_mean_square(exchangeable_by_inverse, 60, count, rng, 10)
            for _ in range(40)
        ]
        errors.append(np.sqrt(np.mean(np.square(parts))))
    exponents = np.diff(np.log2(errors))
    assert exponents[0] > -0.95 and exponents[-1] < -1.1
