"""Features of every kind of input, and errors that name the argument."""

import numpy as np
import pytest
from features_cases import KERNELS, NEW, SOME, X, gram
from scipy import sparse
from sklearn.metrics.pairwise import pairwise_kernels

from nystheory import certificates, kernels
from nystheory.features import NystromFeatures

# --- Kinds of input -------------------------------------------------------------------

THIN = np.where(np.random.default_rng(0).random(X.shape) < 0.5, X, 0)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("landmarks", [SOME, X[SOME], "rp_cholesky"])
def test_sparse_points(kernel, landmarks):
    options = dict(landmarks=landmarks, random_state=0, **KERNELS[kernel])
    if isinstance(landmarks, str):
        options["n_landmarks"] = 5
    dense = NystromFeatures(kernel, **options).fit(THIN)
    thin = NystromFeatures(kernel, **options).fit(sparse.csr_array(THIN))
    expected = gram(dense.transform(NEW))
    assert thin.n_features_out_ == dense.n_features_out_
    for features in (dense, thin):
        for given in (NEW, sparse.csr_array(NEW), sparse.csc_matrix(NEW)):
            assert gram(features.transform(given)) == pytest.approx(expected, abs=1e-8)
    assert thin.certificate_.value == pytest.approx(dense.certificate_.value, abs=1e-9)


def test_sparse_points_of_float32_and_their_inverse():
    thin = sparse.csr_array(THIN.astype(np.float32))
    features = NystromFeatures(
        gamma="scale", n_landmarks=100, fit_inverse=True, random_state=0
    )
    F = features.fit_transform(thin)
    assert F.dtype == features.transform(thin).dtype == np.float32
    gamma = features.approximation_.kernel.parameters["gamma"]
    assert gamma == pytest.approx(1 / (5 * THIN.var()), rel=1e-6)
    back = features.inverse_transform(F)
    assert np.linalg.norm(back - THIN) < 0.3 * np.linalg.norm(THIN)


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_a_precomputed_kernel_with_fewer_landmarks_than_points(make):
    """Issues 14641, 19178 and 29353 of scikit-learn."""
    K = pairwise_kernels(X, metric="rbf", gamma=0.2)
    K_new = pairwise_kernels(NEW, X, metric="rbf", gamma=0.2)
    features = NystromFeatures("precomputed", n_landmarks=20, random_state=0)
    F = features.fit_transform(make(K))
    of_points = NystromFeatures(gamma=0.2, landmarks=features.component_indices_)
    assert gram(F) == pytest.approx(gram(of_points.fit_transform(X)), abs=1e-9)
    G = features.transform(make(K_new))
    assert gram(G) == pytest.approx(gram(of_points.transform(NEW)), abs=1e-9)
    assert features.components_.shape == (20, 20)
    again = certificates.trace_certificate(K, features.approximation_)
    assert again == features.certificate_


def test_a_function_of_two_points():
    def kernel(x, y, power=1):
        return (1 + x @ y) ** power

    features = NystromFeatures(kernel, kernel_params={"power": 2}, landmarks=SOME)
    by_name = NystromFeatures("poly", degree=2, gamma=1, coef0=1, landmarks=SOME)
    assert features.fit_transform(X[:145]) == pytest.approx(
        by_name.fit_transform(X[:145])
    )


def test_masked_entries_are_an_error_and_none_are_not():
    masked = np.ma.masked_array(X, mask=X > 2)
    with pytest.raises(ValueError, match="^X: expected no masked entries"):
        NystromFeatures().fit(masked)
    NystromFeatures(n_landmarks=5).fit(np.ma.masked_array(X))


def test_nullable_floats():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=list("abcde"), dtype="Float64")
    features = NystromFeatures(n_landmarks=5, random_state=0).set_output(
        transform="pandas"
    )
    F = features.fit_transform(frame)
    assert list(F.columns) == list(features.get_feature_names_out())
    assert list(features.feature_names_in_) == list("abcde")


def test_the_points_may_be_changed_after_the_fit():
    own = X.copy()
    features = NystromFeatures(landmarks=SOME).fit(own)
    before = features.transform(NEW)
    own[:] = 0
    assert np.array_equal(features.transform(NEW), before)


# --- Errors ---------------------------------------------------------------------------

WRONG = [
    ({"kernel": "gauss"}, ValueError, "kernel: expected one of"),
    ({"kernel": "sigmoid"}, ValueError, "kernel: expected a positive semidefinite"),
    ({"kernel": 3}, TypeError, "kernel: expected a name"),
    ({"kernel": lambda x, y: -(x @ y)}, ValueError, "kernel: expected a positive"),
    ({"kernel": lambda x, y: x @ y, "gamma": 1}, ValueError, "gamma: expected None"),
    ({"gamma": -1}, ValueError, "gamma: expected a finite number above 0"),
    ({"gamma": "auto"}, ValueError, "gamma: expected one of 'scale'"),
    ({"kernel": "poly", "degree": 1.5}, ValueError, "degree: expected"),
    ({"kernel": "poly", "coef0": -1}, ValueError, "coef0: expected at least 0"),
    ({"kernel": "poly", "coef0": "1"}, TypeError, "coef0: expected a number"),
    ({"kernel_params": {"width": 1}}, ValueError, "kernel_params: .* got 'width'"),
    ({"kernel_params": [1]}, TypeError, "kernel_params: expected a dict"),
    ({"landmarks": "random"}, ValueError, "landmarks: expected one of"),
    ({"landmarks": "bless"}, ValueError, "landmarks: .* sampling.bless draws"),
    ({"landmarks": [150]}, IndexError, "landmarks: expected indices from 0 to 149"),
    ({"landmarks": [0.5]}, TypeError, "landmarks: expected integer indices"),
    ({"landmarks": np.ones((3, 4))}, ValueError, "landmarks: .* 5 coordinates"),
    ({"landmarks": np.ones((0, 5))}, ValueError, "landmarks: expected at least one"),
    ({"landmarks": SOME, "n_landmarks": 3}, ValueError, "n_landmarks: .* None or 8"),
    ({"n_landmarks": 0}, ValueError, "n_landmarks: expected an integer"),
    ({"n_landmarks": 2.0}, TypeError, "n_landmarks: expected an integer"),
    ({"tol": 0}, ValueError, "tol: expected a finite number above 0"),
    ({"tol": 1.5}, ValueError, "tol: expected a share of the trace below 1"),
    ({"tol": 0.1, "landmarks": "uniform"}, ValueError, "tol: expected None"),
    ({"rank": 0}, ValueError, "rank: expected an integer"),
    ({"rank": 101}, ValueError, "rank: expected an integer from 1 to 100"),
    ({"fit_inverse": True, "alpha": 0}, ValueError, "alpha: expected a finite"),
    ({"kernel": "precomputed"}, ValueError, "X: expected a square matrix"),
]


@pytest.mark.parametrize(("parameters", "error", "message"), WRONG)
def test_an_error_names_the_argument(parameters, error, message):
    with pytest.raises(error, match=f"^{message}"):
        NystromFeatures(**parameters).fit(X)


def test_errors_of_sparse_and_precomputed_kernels_name_the_argument():
    thin, K = sparse.csr_array(np.abs(X)), X @ X.T
    with pytest.raises(ValueError, match=r"^kernel \(of sparse X\): expected one of"):
        NystromFeatures("chi2").fit(thin)
    with pytest.raises(ValueError, match="^gamma: expected a finite number above"):
        NystromFeatures("laplacian", gamma=-1).fit(thin)
    with pytest.raises(ValueError, match="^landmarks: .* 5 coordinates"):
        NystromFeatures(landmarks=np.ones((3, 4))).fit(thin)
    with pytest.raises(ValueError, match="^landmarks: .* dense points"):
        NystromFeatures(landmarks="kmeans").fit(thin)
    with pytest.raises(ValueError, match="^landmarks: .* precomputed"):
        NystromFeatures("precomputed", landmarks=K[:3]).fit(K)
    with pytest.raises(ValueError, match="^X: expected a positive semidefinite"):
        NystromFeatures("precomputed").fit(-K)
    with pytest.raises(ValueError, match="^fit_inverse: expected False"):
        NystromFeatures("precomputed", fit_inverse=True, n_landmarks=3).fit(K)
    with pytest.raises(ValueError, match="^landmarks: expected some that explain"):
        NystromFeatures("linear", landmarks=[0]).fit([[0.0], [1.0]])


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            np.arange(5000.0),
            r"X: expected 2 dimensions, got an array of shape \(5000,\)",
        ),
        (np.ones((500, 2)) * 1j, "X: Complex data not supported, got complex128"),
        (None, "X: expected points, one a row, got None"),
        (kernels.rbf(X), r"X: expected an array, got PointKernel.*pass K.dense\(\)"),
    ],
)
def test_what_is_no_array_of_points_is_told_in_short(given, says):
    for kernel in ("rbf", "precomputed"):
        with pytest.raises((TypeError, ValueError), match=f"^{says}") as caught:
            NystromFeatures(kernel, n_landmarks=2).fit(given)
        assert len(str(caught.value)) < 200


def test_chi2_features():
    points = np.abs(X)
    features = NystromFeatures("chi2", n_landmarks=20, random_state=0).fit(points)
    K = pairwise_kernels(points, metric="chi2")
    missed = np.trace(K) - (features.transform(points) ** 2).sum()
    assert missed == pytest.approx(features.certificate_.value, abs=1e-9)
