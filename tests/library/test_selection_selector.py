"""KernelSelector: scikit-learn's conventions, and the model at the end."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.gaussian_process.kernels import RBF, Matern
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import LeaveOneOut, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from nystheory.selection import KernelSelector

RNG = np.random.default_rng(0)
X = RNG.uniform(size=(60, 2))
Y = np.sin(6 * X[:, 0]) + 0.1 * RNG.normal(size=60)
NEW = RNG.uniform(size=(20, 2))
GRID = {"rbf": {"gamma": [0.01, 10.0, 1000.0]}, "linear": {}}


def selector(kernels=GRID, ridges=(0.1, 1.0), **options):
    return KernelSelector(kernels, ridges, **{"random_state": 0} | options)


# --- scikit-learn's own checks --------------------------------------------------------


def not_asked(estimator):
    """Leaving out a point is not leaving out its copies, nor is its noise theirs."""
    why = "points of weight 2 are judged as one point, and not as two"
    return dict.fromkeys(
        (
            "check_sample_weight_equivalence_on_dense_data",
            "check_sample_weight_equivalence_on_sparse_data",
        ),
        why,
    )


@parametrize_with_checks(
    [KernelSelector(["linear", ("rbf", {"gamma": 0.1})], [0.1, 1.0])],
    expected_failed_checks=not_asked,
)
def test_what_scikit_learn_asks_of_an_estimator(estimator, check):
    check(estimator)


def test_it_works_in_a_pipeline_and_is_cloned():
    model = make_pipeline(StandardScaler(), selector())
    assert cross_val_score(model, X, Y, cv=3).mean() > 0.5
    assert clone(selector()).get_params()["kernels"] == GRID
    fitted = selector().fit(X, Y)
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.predict(NEW), fitted.predict(NEW))


# --- The model at the end -------------------------------------------------------------


def test_the_model_is_ridge_regression_with_the_chosen_kernel():
    model = selector(fit_intercept=False).fit(X, Y)
    assert model.best_params_ == {"kernel": "rbf", "ridge": 0.1, "gamma": 10.0}
    theirs = KernelRidge(alpha=0.1, kernel="rbf", gamma=10.0).fit(X, Y)
    assert model.predict(NEW) == pytest.approx(theirs.predict(NEW), abs=1e-7)


def test_the_score_is_minus_the_error_of_fits_without_each_point():
    model = selector(fit_intercept=False).fit(X, Y)
    theirs = KernelRidge(alpha=0.1, kernel="rbf", gamma=10.0)
    left_out = cross_val_predict(theirs, X, Y, cv=LeaveOneOut())
    assert -model.best_score_ == pytest.approx(np.mean((left_out - Y) ** 2))


def test_the_model_has_the_columns_that_were_judged():
    model = selector(n_landmarks=12, products=0, landmarks="uniform").fit(X, Y)
    features = model.best_estimator_["features"]
    assert len(features.landmarks_) == 12
    assert features.kernel == "rbf" and model.best_estimator_["ridge"].alpha == 0.1
    again = clone(model.best_estimator_).fit(X, Y)
    assert np.array_equal(again.predict(NEW), model.predict(NEW))


def test_an_offset_of_the_targets_changes_nothing_but_predictions():
    plain, far = selector().fit(X, Y), selector().fit(X, Y + 1000.0)
    assert plain.best_params_ == far.best_params_
    assert far.predict(NEW) - 1000 == pytest.approx(plain.predict(NEW), abs=1e-6)
    assert far.best_score_ == pytest.approx(plain.best_score_)


def test_points_of_weight_zero_are_left_out_and_weights_count():
    weight = np.r_[np.zeros(20), np.ones(40)]
    with_all = selector().fit(X, Y, sample_weight=weight)
    with_some = selector().fit(X[20:], Y[20:])
    assert with_all.predict(NEW) == pytest.approx(with_some.predict(NEW), abs=1e-8)
    tilted = selector().fit(X, Y, sample_weight=1 + 5 * X[:, 0])
    assert not np.allclose(tilted.predict(NEW), selector().fit(X, Y).predict(NEW))


def test_weights_are_copies_for_the_criterion():
    """One ridge, and a kernel whose criterion is the least: the choice is the same."""
    weight = RNG.integers(1, 4, 60)
    options = {"ridges": [0.5], "measure": "criterion"}
    weighted = selector(**options).fit(X, Y, sample_weight=weight)
    copies = np.repeat(np.arange(60), weight)
    copied = selector(**options).fit(X[copies], Y[copies])
    assert weighted.best_params_ == copied.best_params_
    assert weighted.predict(NEW) == pytest.approx(copied.predict(NEW), abs=1e-7)


def test_without_refit_there_is_no_model():
    model = selector(refit=False).fit(X, Y)
    assert model.best_params_["kernel"] == "rbf"
    assert not hasattr(model, "best_estimator_")
    with pytest.raises(NotFittedError, match="^refit: expected True before predict"):
        model.predict(X)


def test_points_of_float32_and_sparse_ones():
    plain = selector().fit(X, Y)
    for given in (X.astype(np.float32), sparse.csr_array(X)):
        model = selector().fit(given, Y)
        assert model.best_params_ == plain.best_params_
        assert model.predict(given) == pytest.approx(plain.predict(X), abs=1e-3)


def test_two_classes_are_minus_one_and_one():
    model = selector().fit(X, np.sign(Y))
    assert np.mean(np.sign(model.predict(X)) == np.sign(Y)) > 0.9


# --- What is reported -----------------------------------------------------------------


@pytest.mark.parametrize("measure", ["leave-one-out", "likelihood"])
def test_results_have_a_row_for_each_pair(measure):
    model = selector(measure=measure).fit(X, Y)
    told = model.cv_results_
    assert {len(column) for column in told.values()} == {8}
    i = model.best_index_
    assert told["params"][i] == model.best_params_
    assert told["rank_test_score"][i] == 1 and told["status"][i] == "chosen"
    assert told["mean_test_score"][i] == model.best_score_ == -told["estimate"][i]
    assert told["param_gamma"].mask.tolist() == 6 * [False] + 2 * [True]
    assert told["param_ridge"].tolist() == 4 * [0.1, 1.0]
    assert (told["lower"] <= told["upper"]).all()
    assert model.outcome_.certain == (set(told["status"]) == {"chosen", WORSE})


WORSE = "certainly worse"


# --- What is named as a kernel --------------------------------------------------------


def inner(x, z, scale=1.0):
    """A kernel of two points."""
    return scale * float(x @ z)


@pytest.mark.parametrize(
    ("kernels", "count"),
    [
        (None, 7),
        ("rbf", 1),
        (["rbf", "linear", ("polynomial", {"degree": 2, "coef0": 1})], 3),
        ({"rbf": {"gamma": [0.1, 1.0]}, "laplacian": {"gamma": [1.0]}}, 3),
        ({"rbf": [{"gamma": [0.1, "scale"]}, {}]}, 3),
        ([RBF(0.3), RBF(0.3) + Matern(0.5), RBF() * Matern(nu=2.5)], 3),
        ([inner, (inner, {"scale": 2.0})], 2),
        (("rbf", "laplacian"), 2),
        (["rbf", "rbf"], 2),
    ],
)
def test_kernels_by_all_their_names(kernels, count):
    model = selector(kernels, [0.1]).fit(X, Y)
    assert len(model.outcome_.kernels) == len(set(model.outcome_.kernels)) == count
    assert np.isfinite(model.predict(NEW)).all()


def test_a_sum_of_kernels_is_the_sum():
    kernel = RBF(0.3) + 2.0 * RBF(1.0)
    model = selector([kernel], [0.1], fit_intercept=False).fit(X, Y)

    def entries(A, B):
        return rbf_kernel(A, B, 0.5 / 0.09) + 2 * rbf_kernel(A, B, 0.5)

    dual = np.linalg.solve(entries(X, X) + 0.1 * np.eye(60), Y)
    assert model.predict(NEW) == pytest.approx(entries(NEW, X) @ dual, abs=1e-6)


def test_default_ridges_are_in_units_of_the_weights():
    model = KernelSelector(["rbf"]).fit(X, Y)
    assert model.outcome_.ridges == pytest.approx(60 * 10.0 ** np.arange(-6, -1))
    doubled = KernelSelector(["rbf"]).fit(X, Y, sample_weight=np.full(60, 2.0))
    assert doubled.outcome_.ridges == pytest.approx(2 * model.outcome_.ridges)
    assert doubled.predict(NEW) == pytest.approx(model.predict(NEW), abs=1e-5)


# --- What is an error -----------------------------------------------------------------

NO_KERNELS = [
    ([], ValueError, "^kernels: expected at least one kernel, got none"),
    ({}, ValueError, "^kernels: expected at least one kernel, got none"),
    ({"rbf": {"gamma": []}}, ValueError, "^kernels: 'rbf': expected a grid"),
    ({"rbf": []}, ValueError, "^kernels: 'rbf': expected a grid"),
    ({"rbf": {"gamma": 1.0}}, TypeError, "^kernels: 'rbf': expected a grid"),
    (3, TypeError, "^kernels: expected a list or a dict, got 3"),
    ([3], TypeError, "^kernels: expected names, pairs"),
    ([np.eye(60)], TypeError, "selection.select takes kernel matrices"),
    (["precomputed"], ValueError, "got 'precomputed'"),
    (["sigmoid"], ValueError, "^kernels: sigmoid: .*positive semidefinite"),
    (["nonsense"], ValueError, "^kernels: nonsense: kernel: expected one of"),
    ([("rbf", {"gamma": -1.0})], ValueError, "^kernels: rbf, gamma=-1: "),
    ([("rbf", {"width": 1.0})], ValueError, "^kernels: rbf, width=1: .*parameters"),
    ([("rbf", 1.0)], TypeError, "^kernels: rbf: expected a dict of parameters"),
    ([(inner, {"ridge": 1.0})], ValueError, "no parameter of the name 'ridge'"),
    ([RBF], TypeError, r"got the class RBF; pass RBF\(\)"),
    ([lambda x, z: -float(x @ z)], ValueError, "semidefinite"),
    ([lambda x, z: "a"], TypeError, "^kernels: <lambda>: "),
]


@pytest.mark.parametrize(("kernels", "error", "told"), NO_KERNELS)
def test_what_is_no_kernel_is_named(kernels, error, told):
    with pytest.raises(error, match=told):
        selector(kernels).fit(X, Y)


@pytest.mark.parametrize(
    ("options", "error", "told"),
    [
        ({"ridges": []}, ValueError, "^ridges: expected at least one ridge"),
        ({"ridges": [0.0]}, ValueError, "^ridges: .* above 0"),
        ({"ridges": "wide"}, TypeError, "^ridges: "),
        ({"measure": "criterion"}, ValueError, "^ridges: expected one for measure='c"),
        (
            {"measure": "criterion", "ridges": None},
            ValueError,
            "^ridges: expected one .* got None",
        ),
        ({"measure": "error"}, ValueError, "^measure: expected one of"),
        ({"n_landmarks": 0}, ValueError, "^n_landmarks: "),
        ({"products": 1.5}, TypeError, "^products: "),
        ({"landmarks": "best"}, ValueError, "^landmarks: "),
        ({"eliminate": None}, TypeError, "^eliminate: "),
        ({"fit_intercept": "yes"}, TypeError, "^fit_intercept: "),
        ({"refit": 1}, TypeError, "^refit: "),
        ({"random_state": -1}, ValueError, "^random_state: "),
    ],
)
def test_bad_parameters_are_named(options, error, told):
    with pytest.raises(error, match=told):
        selector(**options).fit(X, Y)


@pytest.mark.parametrize(
    ("y", "error", "told"),
    [
        (np.ones(60), ValueError, "^y: expected targets that are not all the same"),
        (60 * ["a"], TypeError, "^y: expected numbers, got 'a'; .* pass -1 and 1"),
        (np.where(Y > 0, "a", "b"), TypeError, "^y: expected numbers"),
        (Y * np.nan, ValueError, "^y: expected finite numbers, got nan"),
        (Y[:10], ValueError, "^y: expected 60 targets"),
        (None, ValueError, "^y: expected one for each point"),
    ],
)
def test_targets_that_cannot_be_used_are_named(y, error, told):
    with pytest.raises(error, match=told):
        selector().fit(X, y)


def test_points_that_are_not_finite_are_named():
    with pytest.raises(ValueError, match="NaN"):
        selector().fit(np.where(X > 0.9, np.nan, X), Y)
    with pytest.raises(ValueError, match="NaN"):
        selector().fit(X, Y).predict(np.full((2, 2), np.nan))


def test_weights_that_cannot_be_used_are_named():
    for weight in (np.zeros(60), -np.ones(60), np.full(60, np.nan)):
        with pytest.raises(ValueError, match="(?i)sample.weight"):
            selector().fit(X, Y, sample_weight=weight)
