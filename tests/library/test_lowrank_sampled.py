"""The methods that take columns: the formulas of chapter 2 as they are printed."""

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st
from lowrank_cases import SAMPLED, an_instance, small_instances

from nystheory import kernels, lowrank, sampling

EPS = np.finfo(float).eps


def _eigen(M):
    values, vectors = scipy.linalg.eigh(M)
    return values[::-1], vectors[:, ::-1]


def _truncated_inverse(W, k, power=1.0):
    values, vectors = _eigen(W)
    keep = values[:k] > len(W) * EPS * values[0]
    vectors = vectors[:, :k][:, keep]
    return (vectors / values[:k][keep] ** power) @ vectors.T


@pytest.mark.parametrize("k", [1, 4, 9, None])
def test_nystrom_is_equations_2_2_and_2_3(k):
    K, dense, S = an_instance()
    n, l = len(dense), len(S)  # noqa: E741
    C, W = dense[:, S], dense[np.ix_(S, S)]
    result = lowrank.nystrom(K, S, k)
    k = k or l
    values, vectors = _eigen(W)
    assert np.allclose(result.eigenvalues, n / l * values[:k])
    U = np.sqrt(l / n) * C @ vectors[:, :k] / values[:k]
    signs = np.sign((U * result.eigenvectors).sum(axis=0))
    assert np.allclose(result.eigenvectors, signs * U, atol=1e-9)
    expected = C @ _truncated_inverse(W, k) @ C.T
    assert np.allclose(result.spectral_reconstruction(), expected, atol=1e-10)
    assert result.factor.shape == (n, k) and result.rank == result.rank_requested == k


@pytest.mark.parametrize("k", [1, 4, 9, None])
def test_nystrom_truncated_after_is_the_best_approximation_of_it(k):
    K, dense, S = an_instance()
    full = lowrank.nystrom(K, S).spectral_reconstruction()
    values, vectors = _eigen(full)
    result = lowrank.nystrom(K, S, k, truncate="approximation")
    k = k or len(S)
    expected = (vectors[:, :k] * values[:k]) @ vectors[:, :k].T
    assert np.allclose(result.spectral_reconstruction(), expected)
    assert np.allclose(result.eigenvalues, values[:k])
    core = lowrank.nystrom(K, S, k)
    assert result.error(K, "trace") <= core.error(K, "trace") * (1 + 1e-12)


@pytest.mark.parametrize("k", [1, 4, 9])
def test_column_sampling_is_equation_2_4(k):
    K, dense, S = an_instance()
    C = dense[:, S]
    result = lowrank.column_sampling(K, S, k)
    values = scipy.linalg.svdvals(C)[:k]
    assert np.allclose(result.eigenvalues, np.sqrt(len(dense) / len(S)) * values)
    root = _truncated_inverse(C.T @ C, k, 0.5)
    expected = np.sqrt(len(dense) / len(S)) * C @ root @ C.T  # equation (2.14)
    assert np.allclose(result.spectral_reconstruction(), expected)
    projection = C @ _truncated_inverse(C.T @ C, k) @ C.T @ dense  # equation (2.6)
    assert np.allclose(result.matrix_projection(K), projection)


def test_matrix_projection_of_nystrom_is_equation_2_7():
    K, dense, S = an_instance()
    n, l, C, W = len(dense), len(S), dense[:, S], dense[np.ix_(S, S)]  # noqa: E741
    expected = l / n * C @ _truncated_inverse(W @ W, 4) @ C.T @ dense
    result = lowrank.nystrom(K, S, 4)
    assert np.allclose(result.matrix_projection(K), expected)
    assert np.allclose(result.matrix_projection(dense), expected)


def test_orthonormal_nystrom_keeps_values_and_order():
    K, _, S = an_instance()
    core, result = lowrank.nystrom(K, S, 4), lowrank.orthonormal_nystrom(K, S, 4)
    assert np.array_equal(result.eigenvalues, core.eigenvalues)
    # Vector j is in the span of the first j, on the same side as vector j.
    R = result.eigenvectors.T @ core.eigenvectors
    assert np.allclose(R, np.triu(R)) and (R.diagonal() > 0).all()
    assert np.allclose(result.eigenvectors @ R, core.eigenvectors)


def test_optimal_reconstruction_is_the_projection_on_both_sides():
    K, dense, S = an_instance()
    core = lowrank.nystrom(K, S, 4)
    Q = scipy.linalg.orth(core.eigenvectors)
    result = lowrank.optimal_reconstruction(K, S, 4)
    expected = Q @ (Q.T @ dense @ Q) @ Q.T
    assert np.allclose(result.spectral_reconstruction(), expected)
    # The gradient of |K - A Z A^T|_F in Z vanishes there: it is the minimum.
    A = core.factor
    assert np.abs(A.T @ (dense - result.spectral_reconstruction()) @ A).max() < 1e-10
    assert result.error(K) <= core.error(K)


def test_optimal_reconstruction_on_the_smallest_example():
    # K = [[2, 1], [1, 1]], l = k = 1: Z* = 26/25, squared error 6/25 < 1/4.
    K = np.array([[2.0, 1.0], [1.0, 1.0]])
    assert np.isclose(lowrank.optimal_reconstruction(K, [0]).error(K) ** 2, 6 / 25)
    assert np.isclose(lowrank.nystrom(K, [0]).error(K) ** 2, 1 / 4)
    column = 17 - 26 / 5 * np.sqrt(10)
    assert np.isclose(lowrank.column_sampling(K, [0]).error(K) ** 2, column)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(small_instances(), st.sampled_from(["core", "approximation"]))
def test_nystrom_is_between_zero_and_K_and_has_rank_W(instance, truncate):
    K, S, k = instance
    W = K[np.ix_(S, S)]
    result = lowrank.nystrom(K, S, k, truncate)
    assert result.rank == min(k, np.linalg.matrix_rank(W, hermitian=True))
    scale = 1e-11 * max(np.trace(K), 1)
    reconstruction = result.spectral_reconstruction()
    assert np.linalg.eigvalsh(reconstruction)[0] >= -scale
    assert np.linalg.eigvalsh(K - reconstruction)[0] >= -scale
    if k == len(S):  # the sampled columns are reproduced
        assert np.abs(reconstruction[:, S] - K[:, S]).max() <= scale


def test_all_landmarks_reproduce_the_matrix():
    K, dense, _ = an_instance(25)
    S = np.random.default_rng(1).permutation(25)
    for method in SAMPLED.values():
        result = method(K, S)
        assert np.allclose(result.spectral_reconstruction(), dense)
        assert np.isclose(result.relative_accuracy(K), 1)


def test_repeated_landmarks_change_the_weights_only():
    K, _, S = an_instance()
    twice = np.r_[S, S[::-1]]
    a, b = lowrank.nystrom(K, S), lowrank.nystrom(K, twice)
    assert np.allclose(a.spectral_reconstruction(), b.spectral_reconstruction())
    assert b.rank == len(S)
    # Sigma_W doubles and l doubles: the eigenvalues are the same.
    assert np.allclose(a.eigenvalues, b.eigenvalues)


def test_single_precision():
    K, dense, S = an_instance(60, 8)
    single = kernels.rbf(K.points.astype(np.float32))
    for method in SAMPLED.values():
        difference = (
            method(single, S, 4).spectral_reconstruction()
            - method(K, S, 4).spectral_reconstruction()
        )
        assert np.abs(difference).max() < 1e-4
    assert lowrank.nystrom(single, S).factor.dtype == np.float32
    stored = dense.astype(np.float32)
    error = lowrank.nystrom(K, S).error(K)
    assert np.isclose(lowrank.nystrom(stored, S).error(stored), error, rtol=1e-5)


@pytest.mark.parametrize("method", sorted(SAMPLED))
@pytest.mark.parametrize(
    ("landmarks", "rank", "error", "says"),
    [
        ([0, 1], 3, ValueError, r"rank: .* from 1 to 2 \(n_landmarks\), got 3"),
        ([0, 1], 0, ValueError, "rank: .*got 0"),
        ([0, 1], 1.0, TypeError, "rank: expected an integer .*got 1.0"),
        ([0, 1], "2", TypeError, "rank: .*got '2'"),
        ([0, 3], 1, IndexError, "landmarks: expected indices from 0 to 2, got 3"),
        ([], 1, ValueError, "landmarks: expected a non-empty"),
    ],
)
def test_sampled_methods_say_what_is_wrong(method, landmarks, rank, error, says):
    with pytest.raises(error, match=says):
        SAMPLED[method](np.diag([3.0, 2.0, 1.0]), landmarks, rank)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (
            lambda K: lowrank.nystrom(K, [0], truncate="W"),
            ValueError,
            "truncate: .*'W'",
        ),
        (lambda K: lowrank.nystrom(K[:2], [0]), ValueError, "square"),
    ],
)
def test_messages(call, error, says):
    with pytest.raises(error, match=says):
        call(np.diag([3.0, 2.0, 1.0]))


@pytest.mark.parametrize(
    "make",
    [
        lambda K: lowrank.nystrom(K, [0, 3, 5, 3]),
        lambda K: lowrank.nystrom(K, [0, 3, 5, 8], 2),
        lambda K: lowrank.column_sampling(K, [0, 3, 5], 2),
        lambda K: lowrank.nystrom(K, sampling.kmeans(K, 3, np.random.default_rng(0))),
        lambda K: lowrank.from_factor(
            sampling.rp_cholesky(K, 4, np.random.default_rng(0))
        ),
    ],
)
def test_a_coefficient_for_each_landmark_predicts_as_the_features(make):
    rng = np.random.default_rng(1)
    K = kernels.rbf(rng.standard_normal((12, 2)), gamma=0.5)
    near, new = make(K), rng.standard_normal((5, 2))
    for shape in [(near.rank,), (near.rank, 3)]:
        weights = rng.standard_normal(shape)
        columns = near._rows.columns(weights)
        assert near._rows.steady(weights, columns)
        own = near.kernel.between(new, near._columns) @ columns
        assert own == pytest.approx(near.transform(new) @ weights, abs=1e-9)


def test_coefficients_that_would_lose_digits_are_not_steady():
    """Landmarks that are nearly equal, and weights that are nearly too large."""
    X = np.linspace(-1, 1, 30)[:, None]
    near = lowrank.nystrom(kernels.rbf(X, gamma=0.01), range(0, 30, 4))
    weights = np.ones(near.rank)
    columns = near._rows.columns(weights)
    assert np.abs(columns).max() > 1e6 and not near._rows.steady(weights, columns)
    apart = lowrank.nystrom(kernels.linear(np.eye(3)), [0, 1])
    for size, steady in ((1.0, True), (1e300, True), (np.inf, False)):
        weights = np.full(2, size)
        assert apart._rows.steady(weights, apart._rows.columns(weights)) is steady
