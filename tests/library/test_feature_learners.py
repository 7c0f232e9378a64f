"""Learners on any feature map, and the ridge that reads its points once."""

import copy
import pickle
import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from sklearn.compose import ColumnTransformer
from sklearn.frozen import FrozenEstimator
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    OneHotEncoder,
    PolynomialFeatures,
    StandardScaler,
)
from sklearn.utils.estimator_checks import parametrize_with_checks

from nystheory import guarantees, kernels, lowrank
from nystheory.features import (
    NystromFeatures,
    RandomBinningFeatures,
    RandomFourierFeatures,
)
from nystheory.learners import (
    FeatureRidge,
    GaussianProcess,
    KernelLogistic,
    KernelPCA,
    KernelRidge,
    KernelSVC,
    KernelSVR,
    LaplacianRegression,
    NotConverged,
    _ridge,
)

RNG = np.random.default_rng(5)
X = RNG.uniform(-1, 1, size=(203, 3))
NEW = RNG.uniform(-1, 1, size=(31, 3))
Y = np.sin(3 * X[:, 0]) * X[:, 1] + 0.1 * RNG.normal(size=203)
TWO = np.column_stack([Y, X[:, 2] ** 2])
SIGNS = np.where(Y > 0, "above", "below")
SOME = np.arange(0, 203, 7)
RIDGES = (1e-3, 0.1, 10.0)


def fourier(n_components=40, **options):
    return RandomFourierFeatures(
        gamma=1.0, n_components=n_components, random_state=0, **options
    )


def binning(n_grids=30, gamma=1.0):
    return RandomBinningFeatures(gamma=gamma, n_grids=n_grids, random_state=0)


def one_hot():
    """Sparse features, fewer than points."""
    return make_pipeline(FunctionTransformer(np.round), OneHotEncoder())


def dense(map):
    return make_pipeline(map, FunctionTransformer(sparse.csr_array.toarray))


def nystrom(landmarks=SOME):
    return NystromFeatures(gamma=1.0, landmarks=landmarks)


MAPS = {
    "Fourier": fourier(),
    "Fourier, more than points": fourier(300),
    "Nystrom": nystrom(),
    "of scikit-learn": RBFSampler(gamma=1.0, n_components=40, random_state=0),
    "sparse": one_hot(),
    "sparse, more than points": binning(),
}


def close(expected, digits=1e-9):
    return pytest.approx(expected, rel=digits, abs=digits)


# --- As scikit-learn's ----------------------------------------------------------------


@parametrize_with_checks(
    [
        FeatureRidge(),
        FeatureRidge(RandomFourierFeatures(gamma=0.05, random_state=0)),
        FeatureRidge(ridge=(0.1, 10.0)),
        KernelRidge(features=RandomFourierFeatures(gamma=0.05, random_state=0)),
        KernelRidge(features=RandomBinningFeatures(n_grids=20, random_state=0)),
        KernelSVC(features=RandomBinningFeatures(n_grids=10, random_state=0)),
    ]
)
def test_scikit_learn_can_use(estimator, check):
    check(estimator)


@pytest.mark.parametrize("y", [Y, TWO], ids=["one target", "two"])
@pytest.mark.parametrize("name", MAPS)
def test_ridge_is_that_of_scikit_learn_on_the_features(name, y):
    F = MAPS[name].fit_transform(X)
    theirs = Ridge(0.1, fit_intercept=False, solver="auto", tol=1e-12)
    F, new = (A.toarray() if sparse.issparse(A) else A for A in (F, _map_of(name, NEW)))
    expected = theirs.fit(F, y).predict(new)
    for model in (KernelRidge(0.1, features=MAPS[name]), FeatureRidge(MAPS[name], 0.1)):
        found = model.fit(X, y).predict(NEW)
        assert found.shape == expected.shape
        assert found == close(expected)


def _map_of(name, points):
    return MAPS[name].fit(X).transform(points)


def test_nystrom_features_are_the_nystrom_method():
    expected = KernelRidge(0.1, gamma=1.0, landmarks=SOME).fit(X, Y)
    mapped = KernelRidge(0.1, features=nystrom()).fit(X, Y)
    assert mapped.method_ == "features" and mapped.kernel_ is None
    assert mapped.dual_coef_ == close(expected.dual_coef_)
    for penalty in (None, "rkhs"):
        streamed = FeatureRidge(nystrom(), 0.1, penalty=penalty).fit(X, Y)
        assert streamed.predict(NEW) == close(expected.predict(NEW))
        assert streamed.coef_ == close(expected.coef_)


LEARNERS = {
    "logistic": (KernelLogistic(0.1), SIGNS),
    "logistic, coefficients": (KernelLogistic(0.1, penalty="coefficients"), SIGNS),
    "vectors": (KernelSVC(10.0), SIGNS),
    "vectors of numbers": (KernelSVR(10.0, epsilon=0.05), Y),
    "process": (GaussianProcess(0.1), Y),
    "components": (KernelPCA(3), None),
    "graph": (LaplacianRegression(), Y),
}


def predicted(model, new=NEW):
    for asked in ("decision_function", "transform", "predict"):
        if hasattr(model, asked):
            found = getattr(model, asked)(new)
            return abs(found) if asked == "transform" else found


@pytest.mark.parametrize("map", ["Fourier", "sparse", "sparse, more than points"])
@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_takes_the_inner_products_of_features_for_the_kernel(name, map):
    model, y = LEARNERS[name]
    if name == "graph" and map == "Fourier":
        pytest.skip("edges of negative weight")
    given = model.get_params() | {"features": MAPS[map], "kernel": "rbf"}
    F, new = MAPS[map].fit_transform(X), _map_of(map, NEW)
    exact = type(model)(**model.get_params() | {"kernel": "linear"})
    mapped = type(model)(**given)
    if name == "process" and sparse.issparse(F):
        with pytest.raises(ValueError, match="^features: expected dense ones"):
            mapped.fit(X, y)
        return
    expected = predicted(exact.fit(F, y), new)
    assert predicted(mapped.fit(X, y)) == close(expected, 1e-6)


def test_the_deviation_of_a_process_is_that_of_its_features():
    model = GaussianProcess(0.1, features=fourier()).fit(X, Y)
    exact = GaussianProcess(0.1, kernel="linear").fit(model.approximation_.factor, Y)
    expected = exact.predict(_map_of("Fourier", NEW), return_std=True)[1]
    assert model.predict(NEW, return_std=True)[1] == close(expected, 1e-7)


def test_a_grid_search_sets_the_parameters_of_the_map():
    search = GridSearchCV(
        KernelRidge(0.1, features=fourier()), {"features__n_components": [2, 60]}, cv=3
    )
    assert search.fit(X, Y).best_params_ == {"features__n_components": 60}


def test_the_map_of_the_user_is_left_alone():
    map = fourier()
    models = KernelRidge(features=map).fit(X, Y), FeatureRidge(map).fit(X, Y)
    assert not hasattr(map, "frequencies_")
    assert hasattr(models[0].approximation_.transformer, "frequencies_")
    assert hasattr(models[1].features_, "frequencies_")


def test_a_learner_that_was_fitted_with_features_forgets_them():
    model = KernelRidge(0.1, gamma=1.0, features=fourier()).set_params(gamma=None)
    again = model.fit(X, Y).set_params(features=None, gamma=1.0).fit(X, Y)
    expected = KernelRidge(0.1, gamma=1.0).fit(X, Y).predict(NEW)
    assert (again.predict(NEW) == expected).all() and again.approximation_ is None


@pytest.mark.parametrize(
    "model",
    [KernelRidge(0.1, features=binning()), FeatureRidge(fourier(), 0.1)],
    ids=["kernel ridge", "feature ridge"],
)
def test_what_was_pickled_predicts_the_same(model):
    model = model.fit(X, Y)
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict(NEW) == model.predict(NEW)).all()
    assert repr(again) == repr(model)


def test_a_column_for_each_class_tells_classes_apart():
    data = RNG.normal(size=(300, 2)) + 4 * np.eye(3, 2)[np.arange(300) % 3]
    labels = 2 * np.eye(3)[np.arange(300) % 3] - 1
    model = FeatureRidge(fourier(100), 0.1).fit(data[:200], labels[:200])
    found = model.predict(data[200:]).argmax(axis=1)
    assert (found == labels[200:].argmax(axis=1)).mean() > 0.9


# --- Sparse features ------------------------------------------------------------------


def test_many_sparse_features_are_solved_with_by_conjugate_gradients(monkeypatch):
    expected = KernelRidge(0.1, features=binning()).fit(X, TWO)
    monkeypatch.setattr(_ridge, "SMALL", 10)
    found = KernelRidge(0.1, features=binning(), tol=1e-11).fit(X, TWO)
    assert found.n_iter_ > 1 and found.residual_ <= 1e-11
    assert expected.n_iter_ is expected.residual_ is None
    assert found.predict(NEW) == close(expected.predict(NEW), 1e-8)
    assert found.dual_coef_ == close(expected.dual_coef_, 1e-8)
    with pytest.warns(NotConverged, match="^tol: expected a relative residual"):
        KernelRidge(1e-6, features=binning(), max_iterations=2).fit(X, Y)


def peak(work):
    """The most bytes that were held at a time beyond what there was before."""
    work()
    tracemalloc.start()
    try:
        kept = work()
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    del kept
    return most


def test_sparse_features_are_never_made_dense():
    points = np.random.default_rng(0).uniform(-1, 1, (1200, 5))
    y, map = points[:, 0], binning(gamma=3.0)
    D = map.fit(points).n_features_out_
    assert D > 15_000
    model = KernelRidge(0.1, features=map)
    assert peak(lambda: model.fit(points, y).predict(points)) < 8 * 1200 * D / 3


# --- One pass -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Fourier", "sparse", "Nystrom"])
def test_chunks_give_what_all_points_give(name):
    map = FrozenEstimator(MAPS[name].fit(X))
    for ridge in (0.1, RIDGES):
        whole = FeatureRidge(map, ridge).fit(X, TWO)
        parts = FeatureRidge(map, ridge, block_rows=13)
        for start in range(0, 203, 29):
            rows = slice(start, start + 29)
            parts.partial_fit(X[rows], TWO[rows])
        assert parts.n_points_seen_ == whole.n_points_seen_ == 203
        assert parts.coef_ == close(whole.coef_, 1e-7)
        assert parts.predict(NEW) == close(whole.predict(NEW))
        if ridge is RIDGES:
            assert parts.errors_ == close(whole.errors_)
    assert whole.fit(X[:50], Y[:50]).n_points_seen_ == 50  # it begins anew


def test_the_first_chunk_has_the_landmarks():
    model = FeatureRidge(NystromFeatures(gamma=1.0, n_landmarks=20, random_state=0))
    model.partial_fit(X[:60], Y[:60]).partial_fit(X[60:], Y[60:])
    drawn = model.features_.components_
    assert all((X[:60] == point).all(axis=1).any() for point in drawn)
    expected = KernelRidge(gamma=1.0, landmarks=drawn).fit(X, Y)
    assert model.predict(NEW) == close(expected.predict(NEW))


def test_the_least_error_of_points_that_were_left_out_chooses_the_ridge():
    F, folds = fourier().fit_transform(X), np.arange(203) % 5
    expected = np.empty((3, 5))
    for fold in range(5):
        out = folds == fold
        for i, ridge in enumerate(RIDGES):
            theirs = Ridge(ridge, fit_intercept=False).fit(F[~out], TWO[~out])
            expected[i, fold] = np.mean((theirs.predict(F[out]) - TWO[out]) ** 2)
    model = FeatureRidge(fourier(), RIDGES, block_rows=17).fit(X, TWO)
    assert model.errors_ == close(expected)
    assert model.ridge_ == RIDGES[expected.mean(axis=1).argmin()]
    alone = FeatureRidge(fourier(), model.ridge_).fit(X, TWO)
    assert model.coef_ == close(alone.coef_, 1e-7) and alone.errors_ is None
    path = model.path(RIDGES)
    assert path.shape == (3, 40, 2)
    for ridge, coef in zip(RIDGES, path, strict=True):
        fitted = FeatureRidge(fourier(), ridge).fit(X, TWO)
        assert coef == close(fitted.coef_, 1e-7)


def test_memory_does_not_grow_with_the_points(tmp_path):
    D, rows = 60, 1000
    map = RBFSampler(n_components=D, random_state=0)

    def held(n):
        points = np.lib.format.open_memmap(
            tmp_path / f"{n}.npy", "w+", np.float32, (n, 8)
        )
        points[:] = np.random.default_rng(0).standard_normal((n, 8))
        y = np.asarray(points[:, 0], dtype=np.float64)
        model = FeatureRidge(map, 1.0, block_rows=rows)
        return peak(lambda: model.fit(points, y).coef_)

    few, many = held(20_000), held(80_000)
    assert many < 1.1 * few and many < 8 * (8 * D * D + 8 * rows * D)


# --- Numbers of every size ------------------------------------------------------------


def test_points_of_float32_are_summed_in_float64():
    points = np.random.default_rng(0).standard_normal((20_000, 5)).astype(np.float32)
    y = points @ np.arange(5) + 1
    small = FeatureRidge(ridge=1e-3).fit(points, y)
    large = FeatureRidge(ridge=1e-3).fit(points.astype(np.float64), y)
    assert small.coef_.dtype == np.float64
    assert small.coef_ == close(large.coef_, 1e-13)
    found = FeatureRidge(fourier(), 0.1).fit(X.astype(np.float32), Y).predict(NEW)
    expected = FeatureRidge(fourier(), 0.1).fit(X, Y).predict(NEW)
    assert found == close(expected, 1e-5)
    mapped = KernelRidge(0.1, features=fourier()).fit(X.astype(np.float32), Y)
    assert mapped.coef_.dtype == mapped.dual_coef_.dtype == np.float32
    assert mapped.predict(NEW.astype(np.float32)) == close(expected, 1e-4)


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
@pytest.mark.parametrize("name", ["Fourier", "Nystrom", "sparse"])
def test_a_kernel_of_any_size_gives_the_same_predictions(name, scale):
    """The ridge has the units of K; repeated points make the Gram matrix singular."""
    twice, y = np.vstack([X[:30]] * 3), np.tile(Y[:30], 3)
    map = make_pipeline(
        nystrom(X[:20]) if name == "Nystrom" else MAPS[name],
        FunctionTransformer(_scaled, kw_args={"scale": scale**0.5}),
    )
    expected = KernelRidge(0.1, features=map[0]).fit(twice, y).predict(NEW)
    ridge = 0.1 * scale
    for model in (KernelRidge(ridge, features=map), FeatureRidge(map, ridge)):
        assert model.fit(twice, y).predict(NEW) == close(expected, 1e-8)


def _scaled(F, scale):
    return F * scale


def test_a_singular_gram_matrix_needs_a_ridge_above_rounding():
    twice = np.column_stack([X, X])
    expected = FeatureRidge(ridge=1e-6).fit(X, Y).predict(NEW)
    found = FeatureRidge(ridge=2e-6).fit(twice, Y).predict(np.hstack([NEW, NEW]))
    assert found == close(expected, 1e-7)
    for model in (FeatureRidge(ridge=1e-20), FeatureRidge(ridge=(1e-20, 1.0))):
        with pytest.raises(ValueError, match="^ridge: expected a number above .* the"):
            model.fit(twice, Y)
    with pytest.raises(ValueError, match="^ridges: expected a number above .* the"):
        FeatureRidge().fit(twice, Y).path([1.0, 1e-20])
    with pytest.raises(ValueError, match="^ridge: expected a number above"):
        KernelRidge(1e-20, features=one_hot()).fit(X, Y)


def test_what_float64_cannot_sum_is_told():
    with pytest.raises(ValueError, match="^features: expected entries whose squares"):
        FeatureRidge().fit(1e160 * X, Y)
    with pytest.raises(ValueError, match="^y: expected numbers whose squares"):
        FeatureRidge().fit(X, 1e160 * Y)


# --- Weights of the squared coefficients ----------------------------------------------


@pytest.mark.parametrize("map", [fourier(), fourier(kernel="laplacian")])
def test_the_weights_of_a_map_are_those_of_its_penalty(map):
    found = FeatureRidge(map, 0.1, penalty="rkhs").fit(X, TWO)
    F, g = map.fit_transform(X), map.penalty_
    expected = np.linalg.solve(F.T @ F + 0.1 * np.diag(g), F.T @ TWO)
    assert found.coef_ == close(expected, 1e-7)
    own = FeatureRidge(map, 0.1, penalty=g).fit(X, TWO)
    assert own.coef_ == close(found.coef_)
    assert found.path([0.1])[0] == close(found.coef_)


def test_the_weights_of_the_gaussian_kernel_are_those_of_the_paper():
    map = fourier().fit(X)
    sigma = 1 / np.sqrt(2 * map.kernel_.gamma)
    lengths = np.linalg.norm(map.frequencies_, axis=1)
    assert map.penalty_ == close(np.tile(np.exp(sigma**2 * lengths**2 / 2), 2))


class Fixed(RandomFourierFeatures):
    """Features of a penalty that is told."""

    @property
    def log_penalty_(self):
        return np.linspace(0, self.steepest, self.n_features_out_)


@pytest.mark.parametrize("largest", [700.0, 2000.0, 1e6])
def test_weights_of_a_huge_range_are_solved_for(largest):
    """Beyond what float64 has, a weight leaves its feature the coefficient 0."""
    map = Fixed(gamma=1.0, n_components=40, random_state=0).fit(X)
    map.steepest = largest
    found = FeatureRidge(FrozenEstimator(map), 0.1, penalty="rkhs").fit(X, Y)
    F, g = map.transform(X), map.log_penalty_
    few = g < 60  # a weight of e^60 beside a ridge of 0.1
    left = F[:, few].T @ F[:, few] + 0.1 * np.diag(np.exp(g[few]))
    expected = F[:, few] @ np.linalg.solve(left, F[:, few].T @ Y)
    assert np.isfinite(found.coef_).all() and (found.coef_[g > 1500] == 0).all()
    assert found.predict(X) == close(expected)


def test_a_feature_of_infinite_weight_has_the_coefficient_zero():
    own = FeatureRidge(ridge=0.1, penalty=[1.0, np.inf, 4.0]).fit(X, Y)
    rest = FeatureRidge(ridge=0.1, penalty=[1.0, 4.0]).fit(X[:, [0, 2]], Y)
    assert own.coef_[1] == 0 and own.coef_[[0, 2]] == close(rest.coef_)


def test_the_weighted_coefficients_minimise_what_is_said():
    map = fourier()
    found = FeatureRidge(map, 0.1, penalty="rkhs").fit(X, Y)
    F, g = map.fit_transform(X), map.penalty_

    def objective(w):
        return np.sum((Y - F @ w) ** 2) + 0.1 * g @ w**2

    least = objective(found.coef_)
    for _ in range(20):
        assert objective(found.coef_ + 1e-3 * RNG.normal(size=40)) > least
    assert objective(FeatureRidge(map, 0.1).fit(X, Y).coef_) > least


def test_weights_of_one_are_the_norm_in_the_space_of_the_kernel_of_nystrom_features():
    """Proposition 2: ``f = sum_j b_j k(., s_j)`` has the squared norm ``b'W b``."""
    model = FeatureRidge(nystrom(), 0.1, penalty="rkhs").fit(X, Y)
    b = KernelRidge(0.1, gamma=1.0, landmarks=SOME, method="regressors").fit(X, Y)
    W = kernels.rbf(X[SOME], 1.0).dense()
    assert model.coef_ @ model.coef_ == close(b.dual_coef_ @ W @ b.dual_coef_, 1e-6)
    frozen = FrozenEstimator(nystrom().fit(X))
    again = FeatureRidge(frozen, 0.1, penalty="rkhs").fit(X, Y)
    assert again.coef_ == close(model.coef_)


@pytest.mark.parametrize(
    ("penalty", "error"),
    [
        ("norm", ValueError),
        ("rkhs", ValueError),
        (np.ones(2), ValueError),
        ([1.0, 0.0, 1.0], ValueError),
        ([1.0, np.nan, 1.0], ValueError),
        ([1.0, -1.0, 1.0], ValueError),
        (1.0, ValueError),
        (["a", "b", "c"], (ValueError, TypeError)),
    ],
)
def test_weights_that_are_none_are_told(penalty, error):
    with pytest.raises(error, match="^penalty: expected"):
        FeatureRidge(penalty=penalty).fit(X, Y)


def test_features_without_weights_are_told():
    with pytest.raises(ValueError, match="^penalty: expected None, or weights of your"):
        FeatureRidge(binning(), penalty="rkhs").fit(X, Y)


# --- Errors ---------------------------------------------------------------------------

CONFLICTS = {
    "kernel": "linear",
    "gamma": 1.0,
    "coef0": 1.0,
    "degree": 2,
    "kernel_params": {},
    "landmarks": [0, 1],
    "n_landmarks": 5,
    "predict_with": "kernel",
    "method": "nystrom",
}


@pytest.mark.parametrize("name", CONFLICTS)
@pytest.mark.parametrize("kind", [KernelRidge, KernelSVC])
def test_what_tells_of_another_kernel_is_an_error(kind, name):
    model = kind(features=fourier(), **{name: CONFLICTS[name]})
    with pytest.raises(ValueError, match=f"^{name}: expected the default .* features"):
        model.fit(X, SIGNS if kind is KernelSVC else Y)


def test_a_kernel_matrix_beside_features_is_an_error():
    K = kernels.rbf(X, 1.0)
    for given in (K, kernels.as_kernel(K.dense()), lowrank.nystrom(K, SOME)):
        with pytest.raises(TypeError, match="^X: expected points for features"):
            KernelRidge(features=fourier()).fit(given, Y)
    graph = LaplacianRegression(graph="laplacian", features=fourier())
    with pytest.raises(ValueError, match="^features: expected the default None for"):
        graph.fit(np.zeros((2, 2)), [1.0, 1.0])


@pytest.mark.parametrize("wrong", ["rff", RandomFourierFeatures, Ridge(), 3, fourier])
def test_what_is_no_map_is_told(wrong):
    for model in (KernelRidge(features=wrong), FeatureRidge(wrong)):
        with pytest.raises(TypeError, match="^features: expected a transformer with"):
            model.fit(X, Y)


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (lambda X: X[:, 0], "one row of features for each"),
        (lambda X: X[:1], "one row of features for each"),
        (lambda X: X[:, :0], "one row of features for each"),
        (lambda X: X + np.nan, "finite numbers"),
        (lambda X: sparse.csr_array(X) * np.inf, "finite numbers"),
        (lambda X: X.astype(str), "real numbers"),
    ],
)
def test_features_that_are_none_are_told(function, told):
    map = FunctionTransformer(function)
    for model in (KernelRidge(features=map), FeatureRidge(map)):
        with pytest.raises(
            (ValueError, TypeError), match=f"^features: expected {told}"
        ):
            model.fit(X, Y)


@pytest.mark.parametrize(
    ("parameters", "error", "told"),
    [
        ({"ridge": 0}, ValueError, "ridge: expected a finite number above 0"),
        ({"ridge": "1"}, TypeError, "ridge: expected a number"),
        ({"ridge": None}, TypeError, "ridge: expected a number"),
        ({"ridge": [1.0]}, ValueError, "ridge: expected a number, or several"),
        ({"ridge": []}, ValueError, "ridge: expected at least one number"),
        ({"ridge": [1.0, -1.0]}, ValueError, "ridge: expected a finite number above"),
        ({"ridge": [[1.0, 2.0]]}, ValueError, "ridge: expected 1 dimension"),
        ({"block_rows": 0}, ValueError, "block_rows: expected an integer of at least"),
        ({"block_rows": 1.5}, TypeError, "block_rows: expected an integer"),
    ],
)
def test_an_error_names_the_parameter(parameters, error, told):
    with pytest.raises(error, match=f"^{told}"):
        FeatureRidge(**parameters).fit(X, Y)


def test_chunks_that_do_not_go_with_the_first_are_told():
    model = FeatureRidge().partial_fit(X, Y)
    with pytest.raises(ValueError, match="^y: expected targets of shape"):
        model.partial_fit(X, TWO)
    with pytest.raises(ValueError, match="features"):
        model.partial_fit(X[:, :2], Y)
    with pytest.raises(ValueError, match="^ridge: expected a number, as for the"):
        model.set_params(ridge=RIDGES).partial_fit(X, Y)
    with pytest.raises(ValueError, match="^ridge: expected a number for fewer than 5"):
        FeatureRidge(ridge=RIDGES).fit(X[:4], Y[:4])
    assert model.n_points_seen_ == 203  # what was refused changed nothing


@pytest.mark.parametrize("map", ["Fourier", "sparse"])
def test_no_ridge_is_an_error_with_features(map):
    with pytest.raises(ValueError, match="^ridge: expected a number above 0 for"):
        KernelRidge(0, features=MAPS[map]).fit(X, Y)


def test_no_promise_is_made_of_features():
    K = kernels.rbf(X, 1.0)
    near = lowrank.nystrom(K, SOME)
    with pytest.raises(ValueError, match="^features: expected None, since the theorem"):
        guarantees.stability(KernelRidge(features=fourier()), K, near, Y)


def test_scikit_learns_nystroem_is_a_map_as_others_are():
    theirs = Nystroem(gamma=1.0, n_components=30, random_state=0)
    landmarks = theirs.fit(X).component_indices_
    found = KernelRidge(0.1, features=theirs).fit(X, Y).predict(NEW)
    expected = KernelRidge(0.1, gamma=1.0, landmarks=landmarks).fit(X, Y).predict(NEW)
    assert found == close(expected, 1e-7)


# --- What fails leaves the model as it was --------------------------------------------


def test_a_chunk_that_fails_is_not_in_the_sums():
    model = FeatureRidge(fourier(), 1.0).partial_fit(X[:10], Y[:10])
    other = copy.copy(model)
    for wrong in ({"ridge": 1e-25}, {"penalty": [1.0]}, {"block_rows": 0}):
        with pytest.raises(ValueError, match=f"^{next(iter(wrong))}: expected"):
            model.set_params(**wrong).partial_fit(X[10:20], Y[10:20])
        model.set_params(ridge=1.0, penalty=None, block_rows=None)
    with pytest.raises(ValueError, match="^y: expected numbers whose squares"):
        model.partial_fit(X[10:20], 1e200 * Y[10:20])
    assert (model.coef_ == other.coef_).all()
    model.partial_fit(X[10:20], Y[10:20])
    assert model.n_points_seen_ == 20 and other.n_points_seen_ == 10
    whole = FeatureRidge(model.features, 1.0).fit(X[:20], Y[:20])
    assert model.coef_ == close(whole.coef_)
    assert other.partial_fit(X[10:20], Y[10:20]).coef_ == close(whole.coef_)


@pytest.mark.parametrize(
    "wrong", [{"ridge": 1e-25}, {"penalty": [1.0]}, {"block_rows": 0}]
)
def test_a_fit_that_fails_leaves_map_and_coefficients(wrong):
    map = RandomFourierFeatures(gamma=1.0, n_components=40)
    model = FeatureRidge(map, 0.1).fit(X[:20], Y[:20])
    before = model.predict(NEW)
    with pytest.raises(ValueError, match=f"^{next(iter(wrong))}: expected"):
        model.set_params(**wrong).fit(X[:20, :2], Y[:20])
    model.set_params(block_rows=None)
    assert (model.predict(NEW) == before).all() and model.n_features_in_ == 3


# --- Digits that are lost -------------------------------------------------------------


WITH_ONE = np.column_stack([np.full(203, 1e4), X])


def test_errors_below_their_rounding_do_not_choose_in_silence():
    with pytest.warns(UserWarning, match="^y: expected mean squared errors above"):
        FeatureRidge(ridge=RIDGES).fit(WITH_ONE, Y + 1e9)
    FeatureRidge(ridge=RIDGES).fit(WITH_ONE, Y + 2000)  # as years: no warning


def test_a_fold_is_not_got_by_subtraction():
    """One entry of 1e7 would leave the others without digits."""
    points = X.copy()
    points[0, 0] = 1e7
    model = FeatureRidge(ridge=(1.0, 1e4)).fit(points, Y)
    rest = np.arange(203) % 5 != 0
    alone = FeatureRidge(ridge=1.0).fit(points[rest], Y[rest])
    expected = np.mean((alone.predict(points[~rest]) - Y[~rest]) ** 2)
    assert model.errors_[0, 0] == pytest.approx(expected, rel=1e-6)


def test_weights_that_leave_nothing_are_told():
    points = RNG.normal(size=(60, 500))
    map = RandomFourierFeatures(n_components=40, random_state=0)
    with pytest.warns(UserWarning, match="^penalty: expected weights that leave more"):
        FeatureRidge(map, 1.0, penalty="rkhs").fit(points, points[:, 0])
    points = RNG.normal(size=(60, 4000))
    with pytest.raises(ValueError, match="^penalty: expected at least one weight"):
        FeatureRidge(map, 1.0, penalty="rkhs").fit(points, points[:, 0])


def test_squares_that_overflow_name_their_cause():
    with pytest.raises(ValueError, match="^penalty: expected weights by whose roots"):
        FeatureRidge(penalty=[1e-300, 1.0, 1.0]).fit(X * 1e6, Y)
    map = PolynomialFeatures(6)
    for model in (KernelRidge(features=map), KernelSVC(features=map)):
        with pytest.raises(ValueError, match="^features: expected entries whose sq"):
            model.fit(X * 1e30, SIGNS if isinstance(model, KernelSVC) else Y)


# --- Maps in pipelines, and what they are given ---------------------------------------


@pytest.mark.parametrize("map", [fourier(), nystrom()], ids=["Fourier", "Nystrom"])
def test_the_last_step_of_a_pipeline_knows_the_weights(map):
    scaled = StandardScaler().fit(X)
    model = FeatureRidge(make_pipeline(StandardScaler(), map), 0.1, penalty="rkhs")
    expected = FeatureRidge(map, 0.1, penalty="rkhs").fit(scaled.transform(X), Y)
    assert model.fit(X, Y).coef_ == close(expected.coef_, 1e-7)
    frozen = FrozenEstimator(model.features_)
    again = FeatureRidge(frozen, 0.1, penalty="rkhs").fit(X, Y)
    assert again.coef_ == close(model.coef_)


def test_a_path_has_the_weights_of_the_fit():
    model = FeatureRidge(fourier(), 0.1, penalty="rkhs").fit(X, Y)
    assert model.set_params(penalty=None).path([0.1])[0] == close(model.coef_)


def test_what_a_map_raises_says_what_it_was_given():
    by_name = ColumnTransformer([("waves", fourier(), ["a", "b"])])
    for model in (FeatureRidge(by_name), KernelRidge(features=by_name)):
        with pytest.raises(ValueError, match="dataframes") as caught:
            model.fit(X, Y)
        assert "without names of columns" in caught.value.__notes__[0]


def test_a_map_of_another_width_for_other_rows_is_told():
    map = FunctionTransformer(lambda X: X[:, : 1 + (len(X) > 8)])
    with pytest.raises(ValueError, match="^features: expected 1 for every point, got"):
        FeatureRidge(map).fit(X, Y)


def test_sparse_targets_are_told():
    with pytest.raises(TypeError, match="^y: expected a dense array, .* y.toarray()"):
        FeatureRidge().fit(X, sparse.csr_array(TWO))


def test_more_features_than_a_gram_matrix_has_room_for():
    wide = sparse.csr_array((np.ones(3), ([0, 1, 2], [0, 5, 9])), (3, 20_000_000))
    with pytest.raises(MemoryError, match="^features: expected few enough .* KernelR"):
        FeatureRidge().fit(wide, [1.0, 2.0, 3.0])


def test_the_ridge_is_that_of_the_mean_over_all_folds():
    ridges, disagree = [0.01, 1.0, 10.0, 100.0], set()
    for seed in range(20):
        rng = np.random.default_rng(seed)
        F, y = rng.standard_normal((25, 4)), rng.standard_normal(25)
        model = FeatureRidge(ridge=ridges).fit(F, y)
        best = model.errors_.mean(axis=1).argmin()
        assert model.ridge_ == ridges[best]
        disagree |= {bool(best != each.argmin()) for each in model.errors_.T}
    assert disagree == {True, False}, "expected folds that disagree"
