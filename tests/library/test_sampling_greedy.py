"""What the schemes that choose greedily choose, against all distances and LAPACK."""

import numpy as np
import pytest
import scipy.spatial
from sampling_cases import run
from threadpoolctl import threadpool_limits

from nystheory import datasets, kernels, lowrank, sampling


@pytest.fixture(scope="module")
def digits():
    return kernels.rbf(datasets.digits(300).X)


def test_incomplete_cholesky_is_lapack_with_pivots():
    from scipy.linalg.lapack import dpstrf

    dense = kernels.linear(datasets.digits(300).X).dense()
    _, order, _, _ = dpstrf(dense, lower=1)
    drawn = sampling.incomplete_cholesky(dense, 40)
    assert drawn.indices.tolist() == (order[:40] - 1).tolist()


def test_farthest_point_against_all_distances():
    X = datasets.digits(300).X
    drawn = sampling.farthest_point(kernels.linear(X), 12).indices
    distance = scipy.spatial.distance.cdist(X, X)
    assert drawn[0] == (X**2).sum(axis=1).argmax()
    for t in range(1, 12):
        nearest = distance[:, drawn[:t]].min(axis=1)
        assert nearest[drawn[t]] == pytest.approx(nearest.max(), rel=1e-12)


def test_ties_go_to_the_smaller_index():
    K = np.diag([1.0, 2.0, 2.0, 1.0])
    for scheme in (sampling.incomplete_cholesky, sampling.farthest_point):
        assert scheme(K, 3).indices.tolist() == [1, 2, 0]
    nearly = K + np.diag([0, 0, 1e-13, 0])
    assert sampling.incomplete_cholesky(nearly, 1).indices.tolist() == [1]


def test_kmeans_gives_centroids_that_nystrom_takes(digits):
    drawn = run("kmeans", digits, 20)
    X, centres = digits.points, drawn.points
    nearest = scipy.spatial.distance.cdist(X, centres).argmin(axis=1)
    means = np.array([X[nearest == j].mean(axis=0) for j in range(20)])
    assert np.allclose(means, centres)
    approximation = lowrank.nystrom(digits, drawn)
    both = kernels.rbf(np.vstack([X, centres]), gamma=digits._rule._gamma).dense()
    C, W = both[:300, 300:], both[300:, 300:]
    expected = C @ np.linalg.solve(W, C.T)
    assert np.allclose(approximation.spectral_reconstruction(), expected, atol=1e-8)
    assert approximation.error(digits, "trace") > 0
    with pytest.raises(ValueError, match="20 points that are not among its points"):
        lowrank.column_sampling(digits, drawn)
    with pytest.raises(ValueError, match="K: expected a kernel of points"):
        lowrank.nystrom(digits.dense(), drawn)
    with pytest.raises(ValueError, match="K: expected a kernel of points.*clusters"):
        run("kmeans", digits.dense(), 3)


def test_minibatches_cluster_many_points():
    K = kernels.rbf(datasets.patches(5000).X)
    drawn = sampling.kmeans(K, 10, np.random.default_rng(0), minibatch=True)
    assert drawn.points.shape == (10, 64) and drawn.scheme == "kmeans, minibatch"


def test_rounding_that_small_pivots_multiply_is_no_accusation():
    """The rank is 51: SGMA goes on with pivots of rounding, and K is semidefinite."""
    K = kernels.linear(datasets.digits(300).X)
    for seed in (2, 3, 9):
        with pytest.warns(sampling.FewerLandmarks):
            found = sampling.sgma(K, 80, np.random.default_rng(seed))
        error = lowrank.nystrom(K, found).error(K, "trace")
        assert error <= 1e-6 * K.diagonal().sum()


def test_kmeans_is_the_same_on_any_number_of_threads():
    X = np.random.default_rng(4).standard_normal((6000, 5)).astype(np.float32)
    drawn = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            found = sampling.kmeans(kernels.rbf(X, 0.1), 50, np.random.default_rng(0))
        drawn.append(found.points)
    np.testing.assert_array_equal(*drawn)
