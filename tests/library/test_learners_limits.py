"""Ridge regression and linear systems at the limits of float64, and where K is none."""

import warnings

import numpy as np
import pytest

from nystheory import kernels, lowrank
from nystheory.kernels import DenseKernel
from nystheory.learners import (
    KernelRidge,
    NotConverged,
    Preconditioner,
    conjugate_gradients,
    newton,
    restricted,
    tolerated_error,
)

RNG = np.random.default_rng(3)
X = RNG.normal(size=(50, 3))
Y = np.sin(X[:, 0])
K = kernels.rbf(X, 0.2)
DENSE = K.dense()
SOME = np.arange(0, 50, 5)
FLIPPED = DenseKernel([[1.0, 2.0], [2.0, 1.0]])
EXTREMES = [1e-300, 1e-200, 1e200, 1e300]


# --- K that is not semidefinite, or singular ------------------------------------------


@pytest.mark.parametrize("ridge", [0.5, 1.0])
def test_the_exact_method_names_K_where_it_is_indefinite(ridge):
    with pytest.raises(
        ValueError, match="^X: expected a positive semidefinite K.* -ri"
    ):
        KernelRidge(ridge).fit(FLIPPED, [1.0, 2.0])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("copies", [1, 2, 25])
def test_the_ridge_that_is_named_does_pass(copies, dtype):
    """It is a bound, not only an order."""
    points = np.repeat(RNG.normal(size=(2, 3)), 1 + copies, axis=0).astype(dtype)
    y = np.ones(len(points))
    with pytest.raises(ValueError, match="^ridge: expected a number above") as told:
        KernelRidge(0, gamma=1.0).fit(points, y)
    named = float(str(told.value).split("above ")[1].split(",")[0])
    assert named < 1e4 * len(points) * np.finfo(dtype).eps
    KernelRidge(1.01 * named, gamma=1.0).fit(points, y)


def test_an_indefinite_matrix_ends_the_iteration():
    with pytest.warns(NotConverged, match="K has an eigenvalue below -ridge"):
        found = conjugate_gradients(FLIPPED, [1.0, -1.0], 0.5)
    assert found.iterations < 5 and found.residual == 1


# --- Numbers near the ends of float64 -------------------------------------------------


@pytest.mark.parametrize("size", EXTREMES)
def test_the_size_of_the_right_hand_side_does_not_matter(size):
    b = np.column_stack([Y, size * Y, 0 * Y])
    P = Preconditioner(lowrank.nystrom(K, SOME), 0.1)
    for given in (None, P):
        alone = conjugate_gradients(K, Y, 0.1, given, tol=1e-10).x
        found = conjugate_gradients(K, b, 0.1, given, tol=1e-10)
        assert 0 < found.residual <= 1e-10
        assert found.x[:, 1] / size == pytest.approx(alone, abs=1e-7)
        assert found.x[:, 0] == pytest.approx(alone, abs=1e-7)
    for method in ("exact", "preconditioned", "nystrom", "regressors"):
        model = KernelRidge(0.1, gamma=0.2, method=method)
        usual = model.fit(X, Y).predict(X)
        model.fit(X, size * Y)
        assert model.predict(X) / size == pytest.approx(usual, abs=1e-4)


@pytest.mark.parametrize("size", EXTREMES)
@pytest.mark.parametrize("sketch", [None, 30])
def test_the_size_of_targets_does_not_matter_to_regressors(sketch, size):
    def found(y):
        rng = None if sketch is None else np.random.default_rng(0)
        return restricted(K, SOME, y, 0.1, sketch=sketch, rng=rng, tol=1e-10)

    large = found(size * Y)
    assert large.residual <= 1e-9
    assert large.x / size == pytest.approx(found(Y).x, rel=1e-6)


def test_a_solution_beyond_float64_is_an_error():
    with pytest.raises(ValueError, match="^b: expected numbers for which float64 has"):
        conjugate_gradients(np.eye(2) * 1e-100, [1e300, 1.0], 1e-100)


def test_newton_at_the_ends_of_float64():
    with pytest.raises(ValueError, match="^X: expected entries up to 1e"):
        newton([[1e160], [2e160]], [0, 1], 1.0)
    found = newton([[1e-200], [-1e-200]], [1, 0], 1.0)
    assert found.w == pytest.approx([1e-200], rel=1e-7)
    assert found.gradient <= 1e-208


def test_a_tolerated_error_that_float64_does_not_have():
    for ridge, condition in ((1e200, 1e200), (1e-300, 1 + 1e-15)):
        with pytest.raises(ValueError, match="^ridge: expected one whose product"):
            tolerated_error(ridge, condition, delta=1e-30)


@pytest.mark.parametrize("method", ["nystrom", "preconditioned"])
def test_a_ridge_that_has_no_inverse_is_an_error(method):
    with pytest.raises(ValueError, match="^ridge: expected a number from 1e-300"):
        KernelRidge(1e-310, method=method, n_landmarks=5).fit(X, Y)


def test_rows_that_the_type_of_K_does_not_have():
    small = DenseKernel(np.eye(2, dtype=np.float32))
    with pytest.raises(ValueError, match="^others: expected entries that float32 has"):
        small.between([[1e40, 0.0]], [0])


# --- What the iteration tells ---------------------------------------------------------


@pytest.mark.parametrize("factor", [1e-3, 0.1, 1.0, 10.0, 1e3])
def test_the_condition_bounds_that_of_a_preconditioner_of_another_ridge(factor):
    near = lowrank.nystrom(K, SOME)
    P, ridge = Preconditioner(near, 0.1), 0.1 * factor
    B = near.spectral_reconstruction() + 0.1 * np.eye(50)
    values = np.linalg.eigvals(np.linalg.solve(B, DENSE + ridge * np.eye(50))).real
    bound = P.condition(K, ridge)
    assert values.max() / values.min() <= bound * (1 + 1e-9)
    assert bound == pytest.approx(P.condition(K) * max(factor, 1 / factor))


def test_without_convergence_the_model_is_not_all_zeros():
    model = KernelRidge(
        1e-9, gamma=0.2, method="preconditioned", landmarks=[0, 1], max_iterations=3
    )
    with pytest.warns(NotConverged, match="allow more iterations") as told:
        model.fit(X, Y)
    assert told[0].filename == __file__
    assert model.n_iter_ == 3 and model.dual_coef_.any()
    a, A = model.dual_coef_, DENSE + 1e-9 * np.eye(50)
    residual = np.linalg.norm(Y - A @ a) / np.linalg.norm(Y)
    assert model.residual_ == pytest.approx(residual, rel=1e-6)
    assert a @ A @ a < 2 * a @ Y  # nearer than 0 in the norm of A


def test_every_warning_points_to_the_line_of_the_user():
    calls = (
        lambda: conjugate_gradients(K, Y, 1e-8, max_iterations=2),
        lambda: restricted(
            K, SOME, Y, 1e-9, sketch=10, rng=np.random.default_rng(0), max_iterations=1
        ),
        lambda: newton(X, (Y > 0).astype(float), 1e-3, max_iter=1),
    )
    for call in calls:
        with pytest.warns(NotConverged) as told:
            call()
        assert told[0].filename == __file__


def test_the_best_step_is_kept():
    """Where rounding makes the residual rise again."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConverged)
        steps = [
            conjugate_gradients(K, Y, 1e-12, max_iterations=most).residual
            for most in (20, 40, 80, 160)
        ]
    assert all(later <= 1.01 * former for former, later in zip(steps, steps[1:]))  # noqa: B905


# --- Arguments that do not go together ------------------------------------------------


def test_no_columns_on_the_right():
    for call, name in (
        (lambda y: conjugate_gradients(K, y, 1.0), "b"),
        (lambda y: restricted(K, SOME, y, 1.0), "y"),
    ):
        with pytest.raises(ValueError, match=f"^{name}: expected at least one column"):
            call(np.ones((50, 0)))


@pytest.mark.parametrize("given", [{"n_landmarks": 7}, {"landmarks": SOME}])
def test_landmarks_that_would_not_be_used_are_an_error(given):
    name = next(iter(given))
    with pytest.raises(ValueError, match=f"^{name}: expected .* for method='exact'"):
        KernelRidge(method="exact", **given).fit(X, Y)
    near = lowrank.nystrom(K, [0])
    for method in ("auto", "regressors", "preconditioned"):
        with pytest.raises(ValueError, match=f"^{name}: expected .* its own landmarks"):
            KernelRidge(method=method, **given).fit(near, Y)


def test_a_generator_without_a_sketch_is_an_error():
    with pytest.raises(ValueError, match="^rng: expected None without a sketch"):
        restricted(K, SOME, Y, 1.0, rng="junk")


def test_an_approximation_made_by_hand_knows_no_new_points():
    F = RNG.normal(size=(50, 2))
    near = lowrank.LowRank("by hand", 50, None, 2, 2, False, lambda: None, F)
    model = KernelRidge().fit(near, Y)
    with pytest.raises(ValueError, match="^X: expected no new points for LowRank"):
        model.predict(X)
    model.set_params(predict_with="kernel")
    with pytest.raises(ValueError, match="^X: expected no new points for"):
        model.predict(X)
