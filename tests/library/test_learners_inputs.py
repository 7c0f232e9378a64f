"""Learners of every kind of input, and errors that name the argument."""

import inspect

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

from nystheory import ensemble, kernels, learners, lowrank, sampling
from nystheory.learners import (
    KernelRidge,
    Preconditioner,
    conjugate_gradients,
    restricted,
)

RNG = np.random.default_rng(1)
X = RNG.normal(size=(60, 3))
NEW = RNG.normal(size=(20, 3))
Y = X[:, 0] * X[:, 1]
SIGNS = np.where(Y > np.median(Y), 1, -1)
K = kernels.rbf(X, 0.3)
SOME = np.arange(0, 60, 3)
METHODS = ("exact", "nystrom", "regressors", "preconditioned")


def options(method, landmarks=SOME):
    """A method and, where it samples, its landmarks."""
    given = {} if method == "exact" else {"landmarks": landmarks}
    return {"method": method} | given


ALL = [
    kind
    for name in learners.__all__
    if inspect.isclass(kind := getattr(learners, name))
    and issubclass(kind, learners.Learner)
    and kind is not learners.Learner
]


def labels_for(kind):
    return SIGNS if hasattr(kind, "decision_function") else Y


def fitted(kind, given, y=None, **options):
    if "PCA" in kind.__name__:
        return kind(2, **options).fit(given)
    if kind is learners.SubspaceClassifier:  # to the digits that are compared
        options = {"tol": 1e-13, "random_state": 0} | options
    return kind(**options).fit(given, labels_for(kind) if y is None else y)


def predicted(model, new):
    if hasattr(model, "decision_function"):
        return model.decision_function(new)
    return (
        abs(model.transform(new)) if hasattr(model, "transform") else model.predict(new)
    )


# --- Kinds of input -------------------------------------------------------------------


@pytest.mark.parametrize("kind", ALL)
def test_every_learner_takes_points_a_kernel_matrix_and_an_approximation(kind):
    expected = predicted(fitted(kind, X, gamma=0.3), NEW)
    cross = K.between(NEW, np.arange(60))
    for given, new in ((K, NEW), (kernels.as_kernel(K.dense()), cross)):
        found = predicted(fitted(kind, given), new)
        assert found == pytest.approx(expected, rel=1e-5, abs=1e-6), given
    stored = fitted(kind, K.dense(), kernel="precomputed")
    assert predicted(stored, cross) == pytest.approx(expected, rel=1e-5, abs=1e-6)
    near = lowrank.nystrom(K, SOME)
    cheap = predicted(fitted(kind, X, gamma=0.3, landmarks=SOME), NEW)
    assert predicted(fitted(kind, near), NEW) == pytest.approx(
        cheap, rel=1e-5, abs=1e-6
    )


@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csc_matrix])
@pytest.mark.parametrize("method", METHODS)
def test_sparse_points(method, make):
    thin, new = np.where(X > 0, X, 0), np.where(NEW > 0, NEW, 0)
    model = KernelRidge(0.5, gamma=0.3, tol=1e-10, **options(method))
    expected = model.fit(thin, Y).predict(new)
    for given in (new, make(new)):
        found = model.fit(make(thin), Y).predict(given)
        assert found == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("make", [sparse.csr_array, sparse.coo_array])
@pytest.mark.parametrize("kind", ALL)
def test_sparse_points_as_landmarks(kind, make):
    thin, near = sparse.csr_array(X), make(X[:8] + 0.1)
    expected = predicted(fitted(kind, X, gamma=0.3, landmarks=X[:8] + 0.1), NEW)
    for given, n_landmarks in ((thin, None), (thin, 8), (X, 8)):
        model = fitted(kind, given, gamma=0.3, landmarks=near, n_landmarks=n_landmarks)
        assert predicted(model, NEW) == pytest.approx(expected, rel=1e-5, abs=1e-6)
    for wrong, told in ((X[:8, :2], ".* 3 coordinates"), (X[:3] * np.nan, ".* finite")):
        with pytest.raises(ValueError, match=f"^landmarks: expected{told}"):
            fitted(kind, thin, gamma=0.3, landmarks=make(wrong))


def test_a_sparse_stored_kernel():
    cross = K.between(NEW, np.arange(60))
    dense = KernelRidge(0.5, kernel="precomputed").fit(K.dense(), Y)
    thin = KernelRidge(0.5, kernel="precomputed").fit(sparse.csr_array(K.dense()), Y)
    found = thin.predict(sparse.csr_array(cross))
    assert found == pytest.approx(dense.predict(cross), abs=1e-10)


def test_float32_points_have_the_digits_of_float32():
    for method in METHODS:
        model = KernelRidge(0.5, gamma=0.3, **options(method))
        expected = model.fit(X, Y).predict(NEW)
        small = model.fit(X.astype(np.float32), Y).predict(NEW.astype(np.float32))
        assert small == pytest.approx(expected, abs=1e-4)


def test_a_stored_approximation_knows_new_points_by_their_rows():
    near = lowrank.nystrom(K.dense(), SOME)
    expected = lowrank.nystrom(K, SOME)
    cross = K.between(NEW, np.arange(60))
    assert near.transform(cross) == pytest.approx(expected.transform(NEW), abs=1e-8)
    assert near.extend(cross) == pytest.approx(expected.extend(NEW), abs=1e-8)
    with pytest.raises(ValueError, match="^X: expected rows of 60 entries"):
        near.transform(NEW)


# --- The limits -----------------------------------------------------------------------


@pytest.mark.parametrize("method", ["nystrom", "preconditioned"])
def test_zero_ridge_is_an_error_where_the_system_is_singular(method):
    with pytest.raises(ValueError, match="^ridge: expected a number above 0 for"):
        KernelRidge(0, method=method, n_landmarks=5).fit(X, Y)


def test_zero_ridge_of_a_regular_kernel_interpolates():
    model = KernelRidge(0, gamma=20.0).fit(X, Y)
    assert model.predict(X) == pytest.approx(Y, abs=1e-8)


@pytest.mark.parametrize("ridge", [0, 1e-20])
def test_zero_ridge_of_a_singular_kernel_is_an_error(ridge):
    """Points that repeat, and more of them than a linear kernel has dimensions."""
    twice = np.vstack([X, X])
    with pytest.raises(ValueError, match="^ridge: expected a number above .* singular"):
        KernelRidge(ridge, gamma=20.0).fit(twice, np.append(Y, Y))
    with pytest.raises(ValueError, match="^ridge: expected a number above .* singular"):
        KernelRidge(ridge, kernel="linear").fit(X, Y)


def test_a_ridge_below_rounding_is_an_error_that_names_it():
    near = lowrank.nystrom(K, SOME)
    twice = ensemble.Ensemble([near, near], [0.5, 0.5])  # F^T F is singular
    with pytest.raises(ValueError, match="^ridge: expected a ridge above the rounding"):
        Preconditioner(twice, 1e-200)
    with pytest.raises(ValueError, match="^ridge: expected a ridge above the rounding"):
        KernelRidge(1e-200).fit(twice, Y)
    with pytest.raises(ValueError, match="^alpha: expected a ridge above the rounding"):
        twice.solve(Y, 1e-200)


def test_zero_ridge_of_an_iteration_is_an_error():
    with pytest.raises(ValueError, match="^ridge: expected a finite number above 0"):
        conjugate_gradients(K, Y, 0.0)
    with pytest.raises(ValueError, match="^ridge: expected a finite number above 0"):
        restricted(K, SOME, Y, 0.0, sketch=60, rng=np.random.default_rng(0))


@pytest.mark.parametrize("method", METHODS)
def test_constant_labels_are_learned(method):
    model = KernelRidge(1e-3, **options(method, np.arange(60)))
    assert model.fit(X, np.ones(60)).predict(X) == pytest.approx(1, abs=0.05)
    assert (model.fit(X, np.zeros(60)).predict(NEW) == 0).all()


@pytest.mark.parametrize("kind", [k for k in ALL if hasattr(k, "decision_function")])
def test_a_classifier_asks_for_two_classes(kind):
    with pytest.raises(ValueError, match="^y: expected labels of two classes.* got"):
        kind().fit(X, np.ones(60))
    if kind is not learners.SubspaceClassifier:  # which takes many
        with pytest.raises(ValueError, match="^y: expected labels of two cl.* got 3"):
            kind().fit(X, np.arange(60) % 3)
    named = kind().fit(X, np.where(SIGNS > 0, "yes", "no"))
    assert set(named.predict(NEW)) <= {"yes", "no"}
    assert named.classes_.tolist() == ["no", "yes"]


@pytest.mark.parametrize("kind", ALL)
def test_one_point(kind):
    """It is learned from, or an error tells why not."""
    try:
        model = fitted(kind, X[:1], labels_for(kind)[:1])
    except ValueError as error:
        assert "expected" in str(error)
    else:
        assert np.isfinite(predicted(model, NEW)).all()


# --- Errors ---------------------------------------------------------------------------

WRONG = [
    ({"ridge": -1}, ValueError, "ridge: expected a finite number of at least 0"),
    ({"ridge": "1"}, TypeError, "ridge: expected a number"),
    ({"ridge": np.nan}, ValueError, "ridge: expected a finite number"),
    ({"method": "fast"}, ValueError, "method: expected one of 'auto', 'exact'"),
    ({"predict_with": "both"}, ValueError, "predict_with: expected one of"),
    ({"tol": 0}, ValueError, "tol: expected a finite number above 0"),
    ({"tol": 2}, ValueError, "tol: expected a number above 0 and below 1, got 2"),
    ({"kernel": "gauss"}, ValueError, "kernel: expected one of"),
    ({"kernel": "sigmoid"}, ValueError, "kernel: expected a positive semidefinite"),
    ({"gamma": -1}, ValueError, "gamma: expected a finite number above 0"),
    ({"landmarks": "random"}, ValueError, "landmarks: expected one of"),
    ({"landmarks": [60]}, IndexError, "landmarks: expected indices from 0 to 59"),
    ({"landmarks": np.ones((3, 4))}, ValueError, "landmarks: .* 3 coordinates"),
    ({"n_landmarks": 0}, ValueError, "n_landmarks: expected an integer of at least 1"),
    ({"n_landmarks": 5, "random_state": "a"}, ValueError, "random_state: expected"),
]


def test_landmarks_of_a_scheme_are_given_by_their_indices():
    drawn = sampling.uniform(K, 5, np.random.default_rng(0))
    with pytest.raises(TypeError, match="^landmarks: .* pass its indices"):
        KernelRidge(landmarks=drawn).fit(X, Y)


@pytest.mark.parametrize(("parameters", "error", "message"), WRONG)
def test_an_error_names_the_parameter(parameters, error, message):
    with pytest.raises(error, match=f"^{message}"):
        KernelRidge(**parameters).fit(X, Y)


@pytest.mark.parametrize("kind", ALL)
def test_every_learner_refuses_what_is_no_kernel_matrix(kind):
    lopsided, negative = K.dense(), -K.dense()
    lopsided[0, 1] += 1
    for stored in (lopsided, negative, K.dense()[:, :50]):
        with pytest.raises(ValueError, match="^X: expected"):
            fitted(kind, stored, kernel="precomputed")
    holes = X.copy()
    holes[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        fitted(kind, holes)


@pytest.mark.parametrize("kind", [kind for kind in ALL if "PCA" not in kind.__name__])
def test_every_learner_refuses_targets_that_do_not_fit(kind):
    y = labels_for(kind)
    for wrong in (y[:-1], np.append(y, 1), [], None):
        with pytest.raises((ValueError, TypeError), match="^y: expected"):
            kind().fit(X, wrong)
    holes = y.astype(float)
    holes[3] = np.nan
    with pytest.raises(ValueError, match="^y: expected finite numbers, got nan"):
        kind().fit(X, holes)


@pytest.mark.parametrize("kind", ALL)
def test_every_learner_says_that_it_was_not_fitted(kind):
    made = kind(2) if "PCA" in kind.__name__ else kind()
    with pytest.raises(NotFittedError):
        predicted(made, NEW)


@pytest.mark.parametrize("kind", ALL)
def test_more_landmarks_than_points_are_told(kind):
    with pytest.warns(sampling.FewerLandmarks, match="^n_landmarks: expected at most"):
        fitted(kind, X, n_landmarks=61)


@pytest.mark.parametrize("kind", ALL)
def test_a_kernel_matrix_brings_its_own_parameters(kind):
    for given in (K, lowrank.nystrom(K, SOME)):
        with pytest.raises(ValueError, match="^gamma: expected None for a kernel mat"):
            fitted(kind, given, gamma=1.0)


@pytest.mark.parametrize("kind", [k for k in ALL if hasattr(k, "method")])
def test_exact_methods_want_K_itself(kind):
    with pytest.raises(ValueError, match="^X: expected points or a kernel matrix for"):
        fitted(kind, lowrank.nystrom(K, SOME), method="exact")


def test_approximations_that_do_not_serve():
    best = lowrank.best_rank_k(K, 5)
    with pytest.raises(
        ValueError, match="^X: expected an approximation with landmarks"
    ):
        KernelRidge(method="regressors").fit(best, Y)
    with pytest.raises(ValueError, match="^predict_with: expected 'kernel' for"):
        KernelRidge().fit(best, Y).predict(NEW)
    pair = ensemble.experts(K, [SOME, SOME + 1])
    with pytest.raises(
        ValueError, match="^X: expected an approximation with landmarks"
    ):
        KernelRidge(method="regressors").fit(ensemble.Ensemble(pair, [0.5, 0.5]), Y)
    with pytest.raises(ValueError, match="^weights: expected weights of at least 0"):
        KernelRidge().fit(ensemble.Ensemble(pair, [1.5, -0.5]), Y)


def test_a_landmark_that_explains_nothing():
    with pytest.raises(ValueError, match="^landmarks: expected some that explain"):
        KernelRidge(kernel="linear", landmarks=[0]).fit([[0.0], [1.0]], [0.0, 1.0])


def test_a_rank_above_the_landmarks_and_a_sketch_below():
    with pytest.raises(ValueError, match="^rank: expected an integer from 1 to 20"):
        KernelRidge().fit(lowrank.nystrom(K, SOME, 21), Y)
    with pytest.raises(ValueError, match="^sketch: expected an integer of at least 20"):
        restricted(K, SOME, Y, 1.0, sketch=19, rng=np.random.default_rng(0))
    with pytest.raises(ValueError, match="^landmarks: expected indices for"):
        own = sampling.kmeans(K, 5, np.random.default_rng(0))
        restricted(K.dense(), own, Y, 1.0, sketch=19, rng=np.random.default_rng(0))


def test_a_preconditioner_of_other_points():
    P = Preconditioner(lowrank.nystrom(np.eye(3), [0]), 1.0)
    with pytest.raises(ValueError, match="^preconditioner: expected one of 60 points"):
        conjugate_gradients(K, Y, 1.0, P)
    with pytest.raises(TypeError, match="^preconditioner: expected a Preconditioner"):
        conjugate_gradients(K, Y, 1.0, lowrank.nystrom(K, SOME))
    with pytest.raises(TypeError, match="^approximation: expected a LowRank"):
        Preconditioner(K, 1.0)
