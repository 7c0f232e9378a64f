"""Ridge regression and linear systems: against scikit-learn, SciPy and definitions."""

import inspect
import warnings

import numpy as np
import pytest
import scipy.linalg
from sklearn.base import clone
from sklearn.kernel_approximation import Nystroem
from sklearn.kernel_ridge import KernelRidge as TheirRidge
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from nystheory import ensemble, kernels, learners, lowrank, sampling
from nystheory.learners import (
    KernelRidge,
    NotConverged,
    Preconditioner,
    conjugate_gradients,
    restricted,
    tolerated_error,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 4))
NEW = RNG.normal(size=(30, 4))
Y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * RNG.normal(size=120)
TWO = np.column_stack([Y, np.cos(X[:, 3])])
GAMMA = 0.25
K = kernels.rbf(X, GAMMA)
DENSE = K.dense()
CROSS = pairwise_kernels(NEW, X, metric="rbf", gamma=GAMMA)
SOME = np.arange(0, 120, 4)
METHODS = ("exact", "nystrom", "regressors", "preconditioned", "falkon")
# All points are landmarks: what is approximated is K itself.
EVERY = np.arange(120)


def options(method, landmarks=SOME):
    """A method and, where it samples, its landmarks."""
    given = {} if method == "exact" else {"landmarks": landmarks}
    return {"method": method} | given


# --- scikit-learn's checks ------------------------------------------------------------


def not_asked(estimator):
    """Checks that pass as K a matrix that is not semidefinite."""
    if estimator.kernel != "precomputed":
        return {}
    return {
        "check_positive_only_tag_during_fit": "a mean was subtracted from K",
        "check_estimators_dtypes": "float64 with the digits of float32",
        "check_regressors_train": "float64 with the digits of float32",
    }


@pytest.mark.filterwarnings("ignore::nystheory.sampling.FewerLandmarks")
@parametrize_with_checks(
    [
        KernelRidge(),
        KernelRidge(n_landmarks=100),
        KernelRidge(n_landmarks=100, predict_with="kernel"),
        KernelRidge(method="regressors"),
        KernelRidge(method="preconditioned"),
        KernelRidge(method="falkon"),
        KernelRidge(kernel="precomputed"),
    ],
    expected_failed_checks=not_asked,
)
def test_scikit_learn_can_use_ridge(estimator, check):
    check(estimator)


def test_parameters_are_by_keyword_after_the_first():
    for name in learners.__all__:
        kind = getattr(learners, name)
        if inspect.isclass(kind) and issubclass(kind, learners.Learner):
            taken = list(inspect.signature(kind).parameters.values())
            assert all(each.kind is each.KEYWORD_ONLY for each in taken[1:]), name
            assert clone(kind()).get_params() == kind().get_params()


def test_a_grid_search_chooses_a_ridge():
    search = GridSearchCV(KernelRidge(gamma=GAMMA), {"ridge": [1e-3, 1e-1, 1e2]})
    assert search.fit(X, Y).best_params_["ridge"] < 1e2
    stored = GridSearchCV(
        KernelRidge(kernel="precomputed"), {"ridge": [1e-3, 1e-1, 1e2]}
    )
    assert stored.fit(DENSE, Y).best_params_ == search.best_params_
    assert stored.best_score_ == pytest.approx(search.best_score_, rel=1e-9)


# --- Ridge regression: the exact one --------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("y", [Y, TWO], ids=["one target", "two targets"])
@pytest.mark.parametrize("ridge", [1e-2, 1.0, 100.0])
def test_it_is_scikit_learns_where_the_approximation_is_exact(method, y, ridge):
    theirs = TheirRidge(alpha=ridge, kernel="rbf", gamma=GAMMA).fit(X, y)
    ours = KernelRidge(ridge, gamma=GAMMA, tol=1e-12, **options(method, EVERY))
    ours.fit(X, y)
    assert ours.predict(NEW) == pytest.approx(theirs.predict(NEW), abs=1e-8)
    assert ours.predict(NEW).shape == theirs.predict(NEW).shape
    if method != "regressors":  # K W^+ y is not unique in float64
        assert ours.dual_coef_ == pytest.approx(theirs.dual_coef_, abs=1e-8 / ridge)


@pytest.mark.parametrize("name", ["linear", "laplacian", "poly", "chi2"])
def test_every_kernel_is_scikit_learns(name):
    theirs = TheirRidge(alpha=0.5, kernel=name, gamma=0.5).fit(abs(X), Y)
    ours = KernelRidge(0.5, kernel=name, gamma=0.5).fit(abs(X), Y)
    expected = theirs.predict(abs(NEW))
    assert ours.predict(abs(NEW)) == pytest.approx(expected, rel=1e-7, abs=1e-8)


def given(kind):
    """The same K as points, as a lazy kernel matrix, as an array."""
    if kind == "points":
        return KernelRidge(0.3, gamma=GAMMA), X, NEW
    if kind == "array":
        return KernelRidge(0.3, kernel="precomputed"), DENSE, CROSS
    if kind == "stored":
        return KernelRidge(0.3), kernels.as_kernel(DENSE), CROSS
    return KernelRidge(0.3), K, NEW


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["points", "kernel", "stored", "array"])
def test_one_door_for_every_kind_of_kernel(kind, method):
    model, train, new = given(kind)
    model.set_params(tol=1e-10, **options(method))
    points = KernelRidge(0.3, gamma=GAMMA, tol=1e-10, **options(method))
    expected = points.fit(X, Y).predict(NEW)
    assert model.fit(train, Y).predict(new) == pytest.approx(expected, abs=1e-7)
    assert model.method_ == method
    assert model.n_features_in_ == new.shape[1]


def test_the_methods_that_auto_stands_for():
    assert KernelRidge().fit(X, Y).method_ == "exact"
    assert KernelRidge(n_landmarks=10).fit(X, Y).method_ == "nystrom"
    assert KernelRidge(landmarks=SOME).fit(X, Y).method_ == "nystrom"
    assert KernelRidge(landmarks="uniform").fit(X, Y).method_ == "nystrom"
    assert KernelRidge().fit(lowrank.nystrom(K, SOME), Y).method_ == "nystrom"
    many = RNG.normal(size=(5001, 4))
    assert KernelRidge().fit(many, many[:, 0]).method_ == "nystrom"


# --- Ridge regression: with an approximation ------------------------------------------


def made():
    near = lowrank.nystrom(K, SOME)
    pair = ensemble.experts(K, [SOME, SOME + 1])
    yield near
    yield lowrank.nystrom(K, SOME, 10)
    yield lowrank.nystrom(K, SOME, 10, truncate="approximation")
    yield lowrank.from_factor(sampling.rp_cholesky(K, 20, np.random.default_rng(0)))
    yield lowrank.best_rank_k(K, 20)
    yield lowrank.column_sampling(K, SOME)
    yield ensemble.Ensemble(pair, [0.3, 0.7])


@pytest.mark.parametrize("near", [*made()], ids=repr)
def test_any_approximation_takes_the_place_of_the_kernel(near):
    model = KernelRidge(0.3, predict_with="kernel").fit(near, Y)
    approximate = near.spectral_reconstruction() + 0.3 * np.eye(120)
    a = scipy.linalg.solve(approximate, Y, assume_a="pos")
    assert model.approximation_ is near
    assert model.dual_coef_ == pytest.approx(a, abs=1e-8)
    assert model.predict(NEW) == pytest.approx(CROSS @ a, abs=1e-8)
    if near.__class__.__name__ == "Ensemble" or near.method != "best":
        features = near.transform(NEW) @ near.factor.T @ a
        model.set_params(predict_with="approximation")
        assert model.fit(near, Y).predict(NEW) == pytest.approx(features, abs=1e-8)


@pytest.mark.parametrize("y", [Y, TWO], ids=["one target", "two targets"])
def test_it_is_the_pipeline_of_scikit_learn(y):
    """On the same landmarks; theirs adds no ridge to W, either."""
    theirs = Nystroem(gamma=GAMMA, n_components=30, random_state=0).fit(X)
    Z, new = theirs.transform(X), theirs.transform(NEW)
    expected = Ridge(0.3, fit_intercept=False).fit(Z, y).predict(new)
    ours = KernelRidge(0.3, gamma=GAMMA, landmarks=theirs.component_indices_).fit(X, y)
    assert ours.predict(NEW) == pytest.approx(expected, abs=1e-7)
    own_points = KernelRidge(0.3, gamma=GAMMA, landmarks=theirs.components_).fit(X, y)
    assert own_points.predict(NEW) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("size", [1, 10, 60])
def test_the_preconditioner_does_not_change_what_is_learned(size):
    exact = KernelRidge(0.3, gamma=GAMMA).fit(X, Y)
    given = dict(gamma=GAMMA, n_landmarks=size, random_state=0, tol=1e-10)
    ours = KernelRidge(0.3, method="preconditioned", **given).fit(X, Y)
    assert ours.dual_coef_ == pytest.approx(exact.dual_coef_, abs=1e-8)
    assert ours.predict(NEW) == pytest.approx(exact.predict(NEW), abs=1e-7)
    assert ours.residual_ <= 1e-10 and ours.n_iter_ > 0


@pytest.mark.parametrize("landmarks", [SOME, X[SOME] + 0.01, "kmeans", "uniform"])
def test_regressors_predict_as_the_features_do(landmarks):
    given = dict(gamma=GAMMA, landmarks=landmarks, random_state=3)
    if isinstance(landmarks, str):
        given["n_landmarks"] = 25
    features = KernelRidge(0.3, **given).fit(X, Y)
    regressors = KernelRidge(0.3, method="regressors", **given).fit(X, Y)
    assert len(regressors.dual_coef_) == len(regressors.regressors_)
    assert regressors.predict(NEW) == pytest.approx(features.predict(NEW), abs=1e-7)


def test_copies_of_a_landmark_change_nothing():
    twice = np.repeat(SOME, 2)
    for method in ("nystrom", "regressors", "preconditioned"):
        once = KernelRidge(0.3, gamma=GAMMA, method=method, landmarks=SOME)
        more = clone(once).set_params(landmarks=twice)
        expected = once.fit(X, Y).predict(NEW)
        assert more.fit(X, Y).predict(NEW) == pytest.approx(expected, abs=1e-5)


def test_new_points_in_blocks(monkeypatch):
    models = [
        KernelRidge(0.3, gamma=GAMMA, **options(method)).fit(X, Y) for method in METHODS
    ]
    whole = [model.predict(NEW) for model in models]
    monkeypatch.setattr(kernels._blocks, "BLOCK_BYTES", 8 * 120 * 7)
    for model, expected in zip(models, whole, strict=True):
        assert model.predict(NEW) == pytest.approx(expected, abs=1e-12)


def test_predictions_ask_for_the_entries_that_are_told():
    entries = dict(exact=120, preconditioned=120, nystrom=30, regressors=30)
    for method, wanted in entries.items():
        model = KernelRidge(0.3, gamma=GAMMA, **options(method)).fit(X, Y)
        before = model.kernel_.entries_asked
        model.predict(NEW)
        assert model.kernel_.entries_asked - before == 30 * wanted


def test_refitting_forgets_the_fit_before():
    model = KernelRidge(0.3, gamma=GAMMA, method="regressors", landmarks=SOME)
    model.fit(X, Y).set_params(method="exact", landmarks="rp_cholesky")
    expected = KernelRidge(0.3, gamma=GAMMA).fit(X, Y).predict(NEW)
    assert model.fit(X, Y).predict(NEW) == pytest.approx(expected, abs=1e-10)


def test_the_fit_changes_no_argument():
    points, y = X.copy(), Y.copy()
    for method in METHODS:
        KernelRidge(0.3, **options(method)).fit(points, y).predict(points)
    stored = DENSE.copy()
    KernelRidge(0.3, kernel="precomputed").fit(stored, y)
    assert (points == X).all() and (y == Y).all() and (stored == DENSE).all()


# --- The exact system -----------------------------------------------------------------


@pytest.mark.parametrize("b", [Y, TWO], ids=["one", "two"])
@pytest.mark.parametrize("form", [K, DENSE], ids=["points", "array"])
@pytest.mark.parametrize("ridge", [1e-4, 1e-1, 10.0])
def test_conjugate_gradients_solve_the_system_of_scipy(ridge, form, b):
    P = Preconditioner(lowrank.nystrom(K, SOME), ridge)
    found = conjugate_gradients(form, b, ridge, P, tol=1e-11)
    exact = scipy.linalg.solve(DENSE + ridge * np.eye(120), b, assume_a="pos")
    # An error of the solution is at most the residual times the inverse.
    assert found.x == pytest.approx(exact, abs=2e-11 * np.linalg.norm(b) / ridge)
    left = b - DENSE @ found.x - ridge * found.x
    told = np.max(np.linalg.norm(left, axis=0) / np.linalg.norm(b, axis=0))
    assert found.residual == pytest.approx(told, rel=0.1) and told <= 1e-11


def test_half_of_the_entries_are_asked_for_once_a_step():
    own = kernels.rbf(X, GAMMA)
    found = conjugate_gradients(own, Y, 1.0)
    assert own.entries_asked == 120**2 * (found.iterations + 1)
    assert own.entries_asked > 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels._blocks, "BLOCK_BYTES", 8 * 120 * 10)
        half = kernels.rbf(X, GAMMA)
        again = conjugate_gradients(half, Y, 1.0)
    assert half.entries_asked < 0.6 * own.entries_asked
    assert again.x == pytest.approx(found.x, abs=2e-6 * np.linalg.norm(Y))


def test_a_preconditioner_saves_iterations():
    near = lowrank.nystrom(K, sampling.rp_cholesky(K, 60, np.random.default_rng(0)))
    plain = conjugate_gradients(K, Y, 1e-3)
    fast = conjugate_gradients(K, Y, 1e-3, Preconditioner(near, 1e-3))
    assert fast.iterations < 0.5 * plain.iterations


@pytest.mark.parametrize("ridge", [1e-3, 1e-1, 10.0])
@pytest.mark.parametrize("size", [5, 30, 90])
def test_the_condition_number_is_below_its_bound(ridge, size):
    near = lowrank.nystrom(K, sampling.rp_cholesky(K, size, np.random.default_rng(1)))
    P = Preconditioner(near, ridge)
    A, B = DENSE + ridge * np.eye(120), near.spectral_reconstruction()
    values = scipy.linalg.eigvalsh(A, B + ridge * np.eye(120))
    error = scipy.linalg.eigvalsh(DENSE - B)[-1]
    assert values[0] >= 1 - 1e-8
    assert values[-1] <= (1 + error / ridge) * (1 + 1e-8)
    assert values[-1] / values[0] <= P.condition(K) * (1 + 1e-8)
    dense = np.linalg.inv(B + ridge * np.eye(120))
    assert P.solve(TWO) == pytest.approx(dense @ TWO, rel=1e-6, abs=1e-8 / ridge)


@pytest.mark.parametrize("condition", [1.5, 3.0, 10.0])
def test_the_tolerated_error_gives_the_condition(condition):
    """Both forms are attained: by diagonal errors that are as large as they may be."""
    e = tolerated_error(0.7, condition)
    below = np.array([e, 0]) + 0.7
    assert below[0] / below[1] == pytest.approx(condition)
    e = tolerated_error(0.7, condition, below=False)
    # K = diag(e, 0) and K~ = diag(0, e).
    ratio = (np.array([e, 0]) + 0.7) / (np.array([0, e]) + 0.7)
    assert ratio[0] / ratio[1] == pytest.approx(condition)
    quarter = tolerated_error(0.7, condition, delta=0.25)
    assert quarter == pytest.approx(tolerated_error(0.7, condition) / 4)


def test_what_does_not_converge_says_so():
    with pytest.warns(NotConverged, match="tol: expected a relative residual of 1e-12"):
        found = conjugate_gradients(K, Y, 1e-8, tol=1e-12, max_iterations=3)
    assert found.iterations == 3 and found.residual > 1e-12
    with pytest.warns(NotConverged, match="after"):
        conjugate_gradients(K, Y, 1e-12, tol=1e-15)


def test_nothing_on_the_right_is_solved_by_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = conjugate_gradients(K, np.zeros((120, 2)), 1.0)
        mixed = conjugate_gradients(K, np.column_stack([0 * Y, Y]), 1.0, tol=1e-10)
    assert (found.x == 0).all() and found.iterations == 0 and found.residual == 0
    alone = conjugate_gradients(K, Y, 1.0, tol=1e-10).x
    assert (mixed.x[:, 0] == 0).all()
    assert mixed.x[:, 1] == pytest.approx(alone, abs=1e-9)


# --- The subset of regressors ---------------------------------------------------------


def drawn(sketch):
    """A generator, where there is a sketch to draw."""
    return None if sketch is None else np.random.default_rng(0)


@pytest.mark.parametrize("y", [Y, TWO], ids=["one target", "two targets"])
@pytest.mark.parametrize("sketch", [None, 60, 200])
def test_restricted_is_the_minimum(sketch, y):
    C, W = DENSE[:, SOME], DENSE[np.ix_(SOME, SOME)]
    found = restricted(K, SOME, y, 0.3, sketch=sketch, rng=drawn(sketch), tol=1e-12)
    normal = C.T @ C + 0.3 * W
    expected = scipy.linalg.solve(normal, C.T @ y, assume_a="pos")
    assert C @ found.x == pytest.approx(C @ expected, abs=1e-7)
    assert found.residual <= 1e-11
    assert (found.iterations == 0) == (sketch is None)


def test_restricted_without_a_ridge_is_least_squares():
    C = DENSE[:, SOME]
    found = restricted(K, SOME, Y, 0.0).x
    assert C @ found == pytest.approx(C @ np.linalg.lstsq(C, Y)[0], abs=1e-6)
    near = KernelRidge(0.0, gamma=GAMMA, method="regressors", landmarks=SOME).fit(X, Y)
    small = KernelRidge(1e-9, gamma=GAMMA, landmarks=SOME).fit(X, Y)
    assert near.predict(NEW) == pytest.approx(small.predict(NEW), abs=1e-4)


def test_a_larger_sketch_needs_fewer_iterations():
    steps = [
        restricted(K, SOME, Y, 0.3, sketch=d, rng=np.random.default_rng(0)).iterations
        for d in (40, 400)
    ]
    assert steps[1] < steps[0]


def test_restricted_with_copies_of_landmarks():
    twice = np.repeat(SOME, 2)
    once = DENSE[:, SOME] @ restricted(K, SOME, Y, 0.3).x
    for sketch in (None, 120):
        rng = drawn(sketch)
        b = restricted(K, twice, Y, 0.3, sketch=sketch, rng=rng, tol=1e-10).x
        assert DENSE[:, twice] @ b == pytest.approx(once, abs=1e-6)


def test_restricted_to_points_of_their_own():
    centres = sampling.kmeans(K, 10, np.random.default_rng(0))
    C, W = K.columns_of(centres.points)
    expected = C @ np.linalg.solve(C.T @ C + 0.3 * W, C.T @ Y)
    for sketch in (None, 40):
        rng = drawn(sketch)
        b = restricted(K, centres, Y, 0.3, sketch=sketch, rng=rng, tol=1e-10).x
        assert C @ b == pytest.approx(expected, abs=1e-7)
