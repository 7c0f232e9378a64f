"""Features for scikit-learn: its own checks, the formula, and what users asked for."""

import pickle
import warnings

import numpy as np
import pytest
from features_cases import KERNELS, NEW, SOME, X, formula, gram
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from nystheory import certificates, datasets, sampling
from nystheory.features import NystromFeatures
from nystheory.features._choice import BY_NAME

# --- scikit-learn's own checks --------------------------------------------------------


def not_asked(estimator):
    """Checks that pass a matrix that is not semidefinite."""
    if estimator.kernel != "precomputed":
        return {}
    return {
        "check_positive_only_tag_during_fit": "a mean was subtracted from K",
        "check_estimators_dtypes": "float64 with the digits of float32",
    }


@pytest.mark.filterwarnings("ignore::nystheory.sampling.FewerLandmarks")
@parametrize_with_checks(
    [
        NystromFeatures(),
        NystromFeatures(landmarks="uniform", n_landmarks=10, fit_inverse=True),
        NystromFeatures("polynomial", tol=0.1, rank=3),
        NystromFeatures("precomputed", landmarks="diagonal", n_landmarks=5),
    ],
    expected_failed_checks=not_asked,
)
def test_what_scikit_learn_asks_of_an_estimator(estimator, check):
    check(estimator)


# --- The formula ----------------------------------------------------------------------


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("landmarks", [SOME, X[SOME] + 0.1])
def test_inner_products_are_the_formula(kernel, landmarks):
    params = KERNELS[kernel]
    features = NystromFeatures(kernel, landmarks=landmarks, **params).fit(X)
    at = X[SOME] if landmarks is SOME else landmarks
    expected = formula(NEW, X, at, kernel, **params)
    found = gram(features.transform(NEW), features.transform(X))
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert np.array_equal(features.components_, at)
    assert features.n_features_out_ == features.transform(NEW).shape[1]
    assert features.n_features_out_ == np.linalg.matrix_rank(
        pairwise_kernels(at, metric=kernel, **params)
    )


@pytest.mark.parametrize("kernel", KERNELS)
def test_up_to_a_rotation_it_is_what_scikit_learn_has(kernel):
    params = KERNELS[kernel]
    theirs = Nystroem(kernel, n_components=20, random_state=0, **params).fit(X)
    ours = NystromFeatures(kernel, landmarks=theirs.component_indices_, **params)
    assert np.array_equal(ours.fit(X).components_, theirs.components_)
    assert gram(ours.transform(NEW)) == pytest.approx(
        gram(theirs.transform(NEW)), rel=1e-5, abs=1e-5
    )


def test_defaults_are_those_of_scikit_learn():
    theirs = Nystroem(n_components=20, random_state=0).fit(X)
    ours = NystromFeatures(landmarks=theirs.component_indices_).fit(X)
    assert gram(ours.transform(NEW)) == pytest.approx(gram(theirs.transform(NEW)))
    assert ours.approximation_.kernel.parameters == {"gamma": 1 / 5}


@pytest.mark.parametrize("options", [{}, {"landmarks": "uniform"}, {"rank": 7}])
def test_the_two_ways_to_the_features_of_the_points_agree(options):
    features = NystromFeatures(n_landmarks=30, random_state=0, **options)
    F = features.fit_transform(X)
    assert F == pytest.approx(features.transform(X), abs=1e-9)
    F[:] = 0  # a copy: the approximation does not see it
    assert features.approximation_.factor.any()


def test_a_rank_takes_the_leading_eigenpairs():
    features = NystromFeatures(n_landmarks=40, rank=7, random_state=0)
    F = features.fit_transform(X)
    assert F.shape == (150, 7) and features.n_features_out_ == 7
    whole = clone(features).set_params(rank=None).fit_transform(X)
    U, S, _ = np.linalg.svd(whole, full_matrices=False)
    assert gram(F) == pytest.approx((U[:, :7] * S[:7] ** 2) @ U[:, :7].T, abs=1e-9)


@pytest.mark.parametrize("scheme", BY_NAME)
def test_every_scheme_chooses(scheme):
    features = NystromFeatures(landmarks=scheme, n_landmarks=12, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        F = features.fit_transform(X)
    assert F.shape == (150, features.n_features_out_)
    assert len(features.components_) == len(features.landmarks_)
    assert (features.component_indices_ is None) == (scheme == "kmeans")
    at = features.components_
    expected = formula(NEW, NEW, at, "rbf", gamma=1 / 5)
    assert gram(features.transform(NEW)) == pytest.approx(expected, abs=1e-8)


# --- What loses digits ----------------------------------------------------------------


@pytest.mark.parametrize("landmarks", ["rp_cholesky", "uniform"])
def test_float32_stays(landmarks):
    features = NystromFeatures(landmarks=landmarks, n_landmarks=20, random_state=0)
    F = features.fit_transform(X.astype(np.float32))
    G = features.transform(NEW.astype(np.float32))
    assert F.dtype == G.dtype == np.float32
    expected = formula(NEW, X, features.components_, "rbf", gamma=1 / 5)
    assert gram(G, F) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("scale", [1e-8, 1e8])
@pytest.mark.parametrize("landmarks", ["rp_cholesky", "uniform"])
def test_the_scale_of_the_kernel_does_not_matter(scale, landmarks):
    """Nor does it for the tolerance and the inverse."""
    root = np.sqrt(scale)

    def scaled(x, y):
        return scale * np.exp(-0.3 * np.sum((x - y) ** 2))

    options = dict(landmarks=landmarks, random_state=0, fit_inverse=True)
    options |= {"tol": 0.1} if landmarks == "rp_cholesky" else {"n_landmarks": 30}
    one = NystromFeatures(gamma=0.3, **options).fit(X[:60])
    other = NystromFeatures(scaled, **options).fit(X[:60])
    assert np.array_equal(one.component_indices_, other.component_indices_)
    F, G = one.transform(NEW), other.transform(NEW) / root
    assert gram(G) == pytest.approx(gram(F), abs=1e-9)
    assert one.inverse_transform(F) == pytest.approx(
        other.inverse_transform(root * G), abs=1e-9
    )


@pytest.mark.parametrize("landmarks", ["rp_cholesky", "uniform", "farthest_point"])
def test_copies_of_points_are_harmless(landmarks):
    copies = np.repeat(X[:10], 6, axis=0)
    features = NystromFeatures(landmarks=landmarks, n_landmarks=40, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        F = features.fit_transform(copies)
    assert F.shape == (60, 10) and features.n_features_out_ == 10
    K = pairwise_kernels(copies, metric="rbf", gamma=1 / 5)
    assert gram(F) == pytest.approx(K, abs=1e-6)
    assert np.isfinite(features.transform(NEW)).all()


def test_repeated_landmarks_are_harmless():
    once = NystromFeatures(landmarks=SOME).fit(X)
    twice = NystromFeatures(landmarks=SOME + SOME).fit(X)
    assert twice.n_features_out_ == once.n_features_out_ == len(SOME)
    assert gram(twice.transform(NEW)) == pytest.approx(gram(once.transform(NEW)))


# --- Certificates and tolerances ------------------------------------------------------


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_certificate_is_the_true_trace_error(kernel):
    features = NystromFeatures(kernel, n_landmarks=4, random_state=0, **KERNELS[kernel])
    F = features.fit_transform(X)
    K = pairwise_kernels(X, metric=kernel, **KERNELS[kernel])
    error = np.linalg.eigvalsh(K - gram(F))
    assert features.certificate_.certain
    assert features.certificate_.value == pytest.approx(np.abs(error).sum(), rel=1e-9)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_more_landmarks_than_dimensions_are_no_sign_of_an_indefinite_kernel(dtype):
    """Rounding, which a nearly singular W multiplies, is told from a contradiction."""
    points = datasets.digits(600).X.astype(dtype)
    for seed in range(20):
        some = np.random.default_rng(seed).permutation(600)[:400]
        features = NystromFeatures("linear", landmarks="uniform", random_state=seed)
        features.fit(points[some])
        some = points[some].astype(float)
        F = features.approximation_.factor.astype(float)
        left = np.square(some).sum() - np.square(F).sum()
        assert features.certificate_.value == pytest.approx(
            left, abs=features.certificate_.error
        )


@pytest.mark.parametrize("tol", [0.5, 0.1, 1e-3, 1e-8])
@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "linear"])
def test_a_tolerance_is_reached_with_no_column_too_many(kernel, tol):
    features = NystromFeatures(kernel, tol=tol, random_state=0)
    F = features.fit_transform(X)
    K = pairwise_kernels(X, metric=kernel)
    assert np.trace(K - gram(F)) <= tol * np.trace(K) * (1 + 1e-9)
    assert features.certificate_.value <= tol * np.trace(K) * (1 + 1e-9)
    fewer = NystromFeatures(kernel, landmarks=features.component_indices_[:-1])
    if F.shape[1] > 1:
        assert np.trace(K - gram(fewer.fit_transform(X))) > tol * np.trace(K)


def test_a_tolerance_asks_for_few_entries_more_than_it_needs():
    big = np.random.default_rng(0).normal(size=(3000, 6))
    features = NystromFeatures(tol=0.05, random_state=0).fit(big)
    asked = features.landmarks_.entries_asked
    assert asked < 2.5 * 3000 * features.n_features_out_
    assert features.approximation_.factor.nbytes == 8 * 3000 * features.n_features_out_


def test_a_tolerance_that_is_not_reached_is_told():
    with pytest.warns(UserWarning, match="^tol: .* limited by n_landmarks"):
        features = NystromFeatures(tol=1e-3, n_landmarks=10).fit(X)
    assert features.n_features_out_ == 10
    with pytest.warns(UserWarning, match="^tol: .* the rounding of float32"):
        NystromFeatures(tol=1e-12, gamma=0.01).fit(X.astype(np.float32))


# --- The way back ---------------------------------------------------------------------


def test_the_inverse_is_a_ridge_regression():
    points = datasets.digits(900).X
    features = NystromFeatures(gamma="scale", n_landmarks=200, fit_inverse=True)
    features.set_params(random_state=0).fit(points[:600])
    back = features.inverse_transform(features.transform(points[600:]))
    about = points[600:] - points[:600].mean(axis=0)
    assert np.linalg.norm(back - points[600:]) < 0.2 * np.linalg.norm(about)
    with pytest.raises(NotFittedError, match="^fit_inverse: expected True"):
        features.set_params(fit_inverse=False).fit(points).inverse_transform(back)


# --- In company -----------------------------------------------------------------------


def test_a_pipeline_with_a_grid_search():
    data = datasets.digits(600)
    model = make_pipeline(NystromFeatures(random_state=0), RidgeClassifier(1e-2))
    grid = {
        "nystromfeatures__gamma": ["scale", 1e-3],
        "nystromfeatures__landmarks": ["uniform", "rp_cholesky"],
        "nystromfeatures__kernel": ["rbf", "linear"],
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)  # linear: rank 57
        search = GridSearchCV(model, grid, cv=3, error_score="raise")
        search.fit(data.X, data.y)
    assert search.best_params_["nystromfeatures__kernel"] == "rbf"
    assert search.best_score_ > 0.85
    names = search.best_estimator_[0].get_feature_names_out()
    assert names[0] == "nystromfeatures0" and len(names) == 100


def test_a_precomputed_kernel_in_a_grid_search():
    data = datasets.digits(400)
    K = pairwise_kernels(data.X, metric="rbf", gamma=0.1)
    model = make_pipeline(
        NystromFeatures("precomputed", random_state=0), RidgeClassifier()
    )
    grid = {"nystromfeatures__n_landmarks": [5, 100]}
    search = GridSearchCV(model, grid, cv=3, error_score="raise").fit(K, data.y)
    assert search.best_params_ == {"nystromfeatures__n_landmarks": 100}


@pytest.mark.parametrize(
    ("kernel", "given"),
    [("rbf", X), ("rbf", sparse.csr_array(X)), ("precomputed", X @ X.T)],
)
def test_pickles(kernel, given):
    features = NystromFeatures(kernel, n_landmarks=5, rank=4, random_state=0).fit(given)
    again = pickle.loads(pickle.dumps(features))
    assert np.array_equal(again.transform(given), features.transform(given))
    assert again.certificate_ == features.certificate_
    assert certificates.trace_certificate(
        again.approximation_.kernel, again.approximation_
    ) == pytest.approx(features.certificate_)


@pytest.mark.parametrize("landmarks", ["rp_cholesky", "uniform"])
def test_seeds(landmarks):
    def drawn(seed):
        features = NystromFeatures(
            landmarks=landmarks, n_landmarks=9, random_state=seed
        )
        return features.fit(X).component_indices_.tolist()

    assert drawn(3) == drawn(3) == drawn(np.int64(3)) == drawn(np.random.default_rng(3))
    assert drawn(np.random.RandomState(3)) == drawn(np.random.RandomState(3))  # noqa: NPY002
    shared = np.random.default_rng(3)
    assert drawn(shared) != drawn(shared)


def test_more_landmarks_than_points():
    told = "^n_landmarks: expected at most the number of points, 150, got 151; 150"
    with pytest.warns(sampling.FewerLandmarks, match=told):
        features = NystromFeatures("laplacian", n_landmarks=151).fit(X)
    assert features.n_features_out_ == 150
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert NystromFeatures("laplacian").fit(X[:90]).n_features_out_ == 90
