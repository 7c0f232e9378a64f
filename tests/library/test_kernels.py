"""Kernel matrices: the same entries whichever way they are asked for."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.gaussian_process import kernels as gp
from sklearn.metrics.pairwise import (
    KERNEL_PARAMS,
    laplacian_kernel,
    pairwise_kernels,
    polynomial_kernel,
    rbf_kernel,
)

from nystheory import kernels
from nystheory.features import NystromFeatures
from nystheory.kernels import _blocks, _rules
from nystheory.learners import KernelRidge

EPS = np.finfo(float).eps


def _points(n=30, d=6, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


def _kernels(X):
    return {
        "rbf": (kernels.rbf(X, 0.3), rbf_kernel(X, gamma=0.3)),
        "linear": (kernels.linear(X), X @ X.T),
        "polynomial": (
            kernels.pairwise(X, "polynomial", degree=2),
            polynomial_kernel(X, degree=2),
        ),
        "laplacian": (kernels.pairwise(X, "laplacian"), laplacian_kernel(X)),
        "dense": (kernels.DenseKernel(X @ X.T), X @ X.T),
    }


NAMES = list(_kernels(_points(2)))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(30, 6), (1, 1), (5, 1), (7, 3), (2, 40)])
def test_entries_are_those_of_the_definition(name, shape):
    K, expected = _kernels(_points(*shape))[name]
    assert isinstance(K, kernels.KernelMatrix)
    scale = 100 * EPS * np.abs(expected).max()
    assert np.abs(K.dense() - expected).max() <= scale
    assert np.abs(K[:, :] - expected).max() <= scale
    assert np.abs(K.diagonal() - expected.diagonal()).max() <= scale
    assert np.array_equal(K.dense(), K.dense().T)
    assert K.shape == (K.n, K.n) == expected.shape


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.data())
def test_every_way_to_index_is_outer_indexing(data):
    n = data.draw(st.integers(1, 12))
    index = st.lists(st.integers(0, n - 1), min_size=1, max_size=15)
    side = st.one_of(index, index.map(np.array), st.slices(n))
    rows, columns = data.draw(side), data.draw(side)
    everything = np.arange(n)
    expected_at = np.ix_(everything[rows], everything[columns])
    for K, dense in _kernels(_points(n, 5)).values():
        before = K.entries_asked
        block = K[rows, columns]
        assert block.shape == dense[expected_at].shape
        assert np.allclose(block, dense[expected_at], rtol=1e-12, atol=1e-12)
        assert K.entries_asked - before == block.size


@pytest.mark.parametrize("name", NAMES)
def test_blocks_are_copies(name):
    K, expected = _kernels(_points())[name]
    for block in (K[:, :], K[:, [1, 2]], K[[0], :], K[2:5, 1:3], K.dense()):
        assert block.flags.writeable and block.flags.c_contiguous
        block[:] = np.nan
    K.diagonal()[:] = np.nan
    assert np.allclose(K.dense(), expected)


@pytest.mark.parametrize("name", NAMES)
def test_products_and_their_count(name, monkeypatch):
    monkeypatch.setattr(_blocks, "BLOCK_BYTES", 8 * 30 * 7)  # several blocks
    K, expected = _kernels(_points())[name]
    B = np.random.default_rng(1).standard_normal((30, 4))
    assert np.allclose(K @ B, expected @ B)
    assert K.entries_asked == 900
    assert np.allclose(K @ B[:, 0], expected @ B[:, 0])
    assert np.allclose(K.dense(), expected)
    assert K.entries_asked == 2700
    K.diagonal()
    assert K.entries_asked == 2730


@pytest.mark.parametrize("d", [2, 8])
def test_rbf_does_not_mind_an_offset(d):
    X = _points(20, d)
    assert np.abs(kernels.rbf(X + 1e6).dense() - kernels.rbf(X).dense()).max() < 1e-8
    single = kernels.rbf((X + 100).astype(np.float32))
    assert single[:, :].dtype == np.float32
    assert np.abs(single.dense() - kernels.rbf(X).dense()).max() < 1e-4


@pytest.mark.parametrize("d", [1, 8])
def test_rbf_of_coinciding_points_is_at_most_one(d):
    X = 1e3 * np.repeat(_points(5, d), 2, axis=0)
    K = kernels.rbf(X, gamma=1.0)
    assert K.dense().max() == 1
    assert (K.dense().diagonal() == 1).all()
    assert K[[3, 3, 0], [3, 0, 3]].tolist() == [[1, K[[3], [0]][0, 0], 1]] * 2 + [
        [K[[0], [3]][0, 0], 1, K[[0], [3]][0, 0]]
    ]


@pytest.mark.parametrize("d", [2, 20])
def test_rbf_does_not_depend_on_the_number_of_threads(d, monkeypatch):
    K = kernels.rbf(_points(700, d))
    monkeypatch.setattr(_rules, "CACHE_BYTES", 2**17)
    threaded = K[:, ::2]
    monkeypatch.setattr(_rules, "_cores", lambda: 1)
    assert np.array_equal(K[:, ::2], threaded)
    gamma = 1 / (d * K.points.var())
    assert np.allclose(threaded, rbf_kernel(K.points, gamma=gamma)[:, ::2], rtol=1e-12)


def test_rbf_default_width_is_scikit_learns_scale_rule():
    X = 3 * _points() + 1
    expected = rbf_kernel(X, gamma=1 / (X.shape[1] * X.var()))
    assert np.allclose(kernels.rbf(X).dense(), expected, rtol=1e-13)
    assert kernels.rbf(np.ones((3, 2))).dense().tolist() == [[1.0] * 3] * 3


def test_as_kernel_passes_kernel_matrices_and_wraps_arrays_without_a_copy():
    K = kernels.linear(_points())
    assert kernels.as_kernel(K) is K
    array = K.dense()
    before = array.copy()
    assert np.shares_memory(kernels.as_kernel(array)._array, array)
    assert np.array_equal(array, before)


def test_as_kernel_takes_another_implementation():
    class Constant:
        n, shape, points, entries_asked = 2, (2, 2), None, 0

        def diagonal(self):
            return np.ones(2)

        def __getitem__(self, key):
            return np.ones((2, 2))[key[0]][:, key[1]]

        def __matmul__(self, B):
            return np.ones((2, 2)) @ B

        def dense(self):
            return np.ones((2, 2))

    K = Constant()
    assert kernels.as_kernel(K) is K


@pytest.mark.parametrize("scale", [1e-100, 1e-8, 1, 1e8, 1e100])
def test_as_kernel_accepts_what_is_semidefinite_up_to_rounding(scale):
    X = _points(40, 3)
    for K in (X @ X.T, rbf_kernel(X), np.zeros((3, 3)), np.ones((4, 4)), np.eye(1)):
        kernels.as_kernel(scale * K)
    single = X.astype(np.float32)
    kernels.as_kernel(single @ single.T)
    kernels.as_kernel([[1, 0], [0, 2]])


@pytest.mark.parametrize(
    ("K", "error", "says"),
    [
        (np.ones((2, 3)), ValueError, r"K: expected a square matrix, got .*\(2, 3\)"),
        (np.ones(3), ValueError, r"K: expected 2 dimensions, got .*\(3,\)"),
        (np.empty((0, 0)), ValueError, r"K: expected a square matrix, got .*\(0, 0\)"),
        ([[1, np.nan], [np.nan, 1]], ValueError, r"K: expected finite.*nan at .*0, 1"),
        ([[np.inf]], ValueError, "K: expected finite numbers, got inf"),
        ([[1, 2], [0, 1]], ValueError, r"symmetric .*K\[0, 1\] = 2 and K\[1, 0\] = 0"),
        (np.eye(2) * 1j, TypeError, "K: expected real numbers"),
        ([["a"]], TypeError, "K: expected real numbers"),
        ("K", TypeError, "K: expected real numbers, got 'K'"),
        ([[0, 1], [1, 0]], ValueError, "eigenvalue -1 .*largest is 1"),
        (-1e-9 * np.eye(2), ValueError, "eigenvalue -1e-09"),
        (np.diag([1.0, -1e-6]), ValueError, "semidefinite matrix.*eigenvalue -1e-06"),
    ],
)
def test_as_kernel_says_what_is_wrong(K, error, says):
    with pytest.raises(error, match=says):
        kernels.as_kernel(K)


def test_the_advice_for_an_indefinite_matrix_works():
    K = np.diag([1.0, -1e-6])
    w, V = np.linalg.eigh(K)
    kernels.as_kernel((V * w.clip(0)) @ V.T)
    assert kernels.DenseKernel(K).n == 2  # the way round the check


@pytest.mark.parametrize(
    ("key", "error", "says"),
    [
        (3, TypeError, r"expected K\[rows, columns\]"),
        (
            (slice(None), [5]),
            IndexError,
            "columns: expected indices from 0 to 4, got 5",
        ),
        (([-1], slice(None)), IndexError, "rows: expected indices from 0 to 4, got -1"),
        (([0.5], [0]), TypeError, "rows: expected integer indices"),
        (([True] * 5, [0]), TypeError, "rows: expected integer indices"),
        (([], [0]), ValueError, "rows: expected a non-empty sequence"),
        ((0, [0]), ValueError, "rows: expected a non-empty sequence"),
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_indexing_says_what_is_wrong(name, key, error, says):
    K, _ = _kernels(_points(5))[name]
    with pytest.raises(error, match=says):
        K[key]
    assert K.entries_asked == 0


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: kernels.rbf([1.0]), ValueError, "X: expected 2 dimensions"),
        (lambda: kernels.rbf([[np.nan]]), ValueError, "X: expected finite"),
        (lambda: kernels.linear(np.empty((0, 2))), ValueError, "at least one row"),
        (lambda: kernels.rbf([[1.0]], 0), ValueError, "gamma: .*above 0, got 0"),
        (lambda: kernels.rbf([[1.0]], np.inf), ValueError, "gamma: expected a finite"),
        (lambda: kernels.rbf([[1.0]], "scale"), TypeError, "gamma: expected a number"),
        (lambda: kernels.pairwise([[1.0]], "no such"), ValueError, "no such"),
        (lambda: kernels.pairwise([[1.0]], "precomputed"), ValueError, "as_kernel"),
        (
            lambda: kernels.linear([[1.0]]) @ np.ones((2, 1)),
            ValueError,
            "expected 1 row",
        ),
    ],
)
def test_point_kernels_say_what_is_wrong(call, error, says):
    with pytest.raises(error, match=says):
        call()


@pytest.mark.parametrize("name", NAMES)
def test_shown_in_a_notebook(name):
    K, _ = _kernels(_points())[name]
    assert "n=30" in repr(K)
    assert "<table>" in K._repr_html_() and ">30<" in K._repr_html_()


def test_points_are_not_modified():
    X = _points()
    before = X.copy()
    for K, _ in _kernels(X).values():
        K.dense(), K @ X, K[:, [0, 3]], K.diagonal()
    assert np.array_equal(X, before)


def test_pairwise_takes_a_function_of_two_points():
    X = _points(4)
    K = kernels.pairwise(X, lambda x, y: float(x @ y) ** 2)
    assert np.allclose(K.dense(), (X @ X.T) ** 2)


# --- Kernels of scikit-learn by name --------------------------------------------------

NAMED = sorted({*KERNEL_PARAMS} - {"sigmoid", "additive_chi2"})


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", NAMED)
def test_every_kernel_by_name_is_that_of_scikit_learn(name, dtype):
    points = np.random.default_rng(0).random((20, 3)).astype(dtype)
    K = kernels.pairwise(points, name)
    expected = pairwise_kernels(points.astype(float), metric=name)
    near = {"rtol": 1e-10 if dtype == np.float64 else 1e-5}
    np.testing.assert_allclose(K.dense(), expected, **near)
    np.testing.assert_allclose(K.diagonal(), expected.diagonal(), **near)
    np.testing.assert_allclose(K[:, [3, 5]], expected[:, [3, 5]], **near)
    np.testing.assert_allclose(K.between(points[:4], [1, 2]), expected[:4, 1:3], **near)
    assert points.flags.writeable


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_stored_matrix_knows_new_points_by_their_rows(dtype):
    points = np.random.default_rng(0).random((20, 3))
    of_points = kernels.rbf(points[:15], 1.0)
    K = kernels.as_kernel(of_points.dense().astype(dtype))
    rows = of_points.between(points[15:], np.arange(15)).astype(dtype)
    before = K.entries_asked
    found = K.between(rows, [3, 1, 3])
    assert K.entries_asked - before == 15 and found.dtype == dtype
    np.testing.assert_allclose(found, of_points.between(points[15:], [3, 1, 3]), 1e-6)
    with pytest.raises(ValueError, match="^others: expected rows of 15 entries"):
        K.between(points[15:], [3])
    with pytest.raises(IndexError, match="^own: expected indices from 0 to 14"):
        K.between(rows, [15])


def test_an_offset_costs_no_digits_by_name_either():
    points = np.random.default_rng(0).standard_normal((40, 3)) + 1e5
    K = kernels.pairwise(points, "rbf", gamma=0.5).dense()
    squares = ((points[:, None] - points) ** 2).sum(axis=2)
    np.testing.assert_allclose(K, np.exp(-0.5 * squares), rtol=1e-9)
    assert (K.diagonal() == 1).all()


@pytest.mark.parametrize(
    ("points", "name", "given", "says"),
    [
        (
            [[1.0], [-2.0]],
            "chi2",
            {},
            "X: expected coordinates of at least 0 .* got -2",
        ),
        ([[1e150], [2e150]], "rbf", {}, "X: expected coordinates of size"),
        ([[1e150], [2e150]], "polynomial", {}, "X: expected coordinates of size"),
        ([[1e150], [2e150]], "laplacian", {}, "X: expected coordinates of size"),
        ([[1.0], [2.0]], "rbf", {"foo": 1}, "foo: expected a parameter of the rbf ker"),
        (
            [[1.0], [2.0]],
            "polynomial",
            {"coef0": None},
            "coef0: expected a number, got",
        ),
        (
            [[1.0], [2.0]],
            "poly",
            {"degree": None},
            "degree: expected a number, got None",
        ),
    ],
)
def test_what_a_kernel_by_name_is_given_is_blamed(points, name, given, says):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises((ValueError, TypeError), match=f"^{says}"):
            kernels.pairwise(points, name, **given)


def test_no_other_points_are_no_points():
    with pytest.raises(ValueError, match="^points: expected at least one row"):
        kernels.rbf([[1.0], [2.0]]).on(np.zeros((0, 1)))
    with pytest.raises(ValueError, match="^others: expected coordinates of at least 0"):
        kernels.pairwise([[1.0], [2.0]], "chi2").between([[-1.0]], [0])


# --- Kernels of Gaussian processes ----------------------------------------------------

OF_PROCESSES = {
    "Gaussian": gp.RBF(1.3),
    "a width a coordinate": gp.RBF([0.5, 1.0, 2.0]),
    "Matern": gp.Matern(0.8, nu=1.5),
    "sum": gp.RBF(2.0) + 0.5 * gp.Matern(),
    "product": gp.RBF(2.0) * gp.RationalQuadratic(alpha=0.7),
    "power": gp.DotProduct(0.5) ** 2,
    "constant": gp.ConstantKernel(3.0) * gp.ExpSineSquared(1.1, 2.0),
}


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", OF_PROCESSES)
def test_kernels_of_gaussian_processes_are_those_of_scikit_learn(name, dtype):
    kernel = OF_PROCESSES[name]
    points = np.random.default_rng(0).random((20, 3)).astype(dtype)
    expected = kernel(points.astype(float))
    near = {"rtol": 1e-10 if dtype == np.float64 else 2e-5}
    K = kernels.pairwise(points, kernel)
    assert K[:, [3, 5]].dtype == K.diagonal().dtype == dtype
    assert K.entries_asked == 40 + 20
    np.testing.assert_allclose(K.dense(), expected, **near)
    np.testing.assert_allclose(K.diagonal(), expected.diagonal(), **near)
    np.testing.assert_allclose(K[:, [3, 5]], expected[:, [3, 5]], **near)
    np.testing.assert_allclose(K.between(points[:4], [1, 2]), expected[:4, 1:3], **near)
    on = K.on(points[:7])
    np.testing.assert_allclose(on.dense(), expected[:7, :7], **near)
    np.testing.assert_allclose(K @ np.ones(20), expected.sum(axis=1), **near)


def test_sums_and_products_of_kernels_are_those_of_their_entries():
    points = _points(9, 2)
    one, other = gp.RBF(1.0), gp.Matern(2.0)
    K, L = (kernels.pairwise(points, each).dense() for each in (one, other))
    for kernel, expected in ((one + 2.0 * other, K + 2 * L), (one * other, K * L)):
        found = kernels.pairwise(points, kernel)
        np.testing.assert_allclose(found.dense(), expected, rtol=1e-12)
        assert found.diagonal() == pytest.approx(expected.diagonal(), rel=1e-12)


NOISE = gp.WhiteKernel(0.1)


@pytest.mark.parametrize(
    "kernel", [gp.RBF() + NOISE, NOISE * gp.DotProduct(), (NOISE + gp.RBF()) ** 2]
)
def test_noise_is_no_kernel(kernel):
    with pytest.raises(ValueError, match="^metric: expected a function of two points"):
        kernels.pairwise(_points(5, 2), kernel)
    with pytest.raises(ValueError, match="noise.*take it as the ridge"):
        NystromFeatures(kernel=kernel, n_landmarks=3).fit(_points(5, 2))


def test_noise_alone_is_no_kernel_of_points():
    with pytest.raises(ValueError, match="^metric: expected a kernel of points, got W"):
        kernels.pairwise(_points(5, 2), NOISE)


def test_what_a_kernel_of_a_process_is_given_is_blamed():
    points = _points(5, 2)
    with pytest.raises(TypeError, match="^gamma: expected no parameter for RBF"):
        kernels.pairwise(points, gp.RBF(), gamma=0.5)
    with pytest.raises(ValueError, match="gamma"):
        NystromFeatures(kernel=gp.RBF(), gamma=0.5, n_landmarks=3).fit(points)
    strings = gp.CompoundKernel([gp.RBF(), gp.Matern()])
    with pytest.raises((ValueError, TypeError), match="^metric: expected"):
        kernels.pairwise(points, strings)


def test_a_kernel_of_a_process_shows_as_itself():
    K = kernels.pairwise(_points(5, 2), gp.RBF(2.0) + gp.Matern(nu=2.5))
    assert "RBF(length_scale=2) + Matern" in repr(K)
    assert "RBF(length_scale=2) + Matern" in K._repr_html_()


def test_kernels_of_a_process_that_are_the_same_matrix():
    points = _points(5, 2)
    K = kernels.pairwise(points, gp.RBF(2.0))
    assert kernels.same_matrix(K, kernels.pairwise(points, gp.RBF(2.0)))
    assert not kernels.same_matrix(K, kernels.pairwise(points, gp.RBF(2.5)))


def test_features_take_a_kernel_of_a_process():
    kernel, points = 2.0 * gp.Matern(1.5, nu=2.5), _points(60, 2)
    model = NystromFeatures(kernel=kernel, landmarks=[0, 7, 9, 20]).fit(points)
    new = _points(8, 2, seed=1)
    own, others = model.transform(points[[0, 7, 9, 20]]), model.transform(new)
    # On the landmarks inner products are those of the kernel.
    np.testing.assert_allclose(others @ own.T, kernel(new, points[[0, 7, 9, 20]]), 1e-8)
    assert clone(model).get_params()["kernel"] == kernel


@pytest.mark.parametrize("landmarks", [None, "rp_cholesky"])
def test_learners_take_a_kernel_of_a_process(landmarks):
    kernel, points = gp.RBF(1.5) + 0.1 * gp.DotProduct(), _points(40, 2)
    y = np.sin(points[:, 0])
    given = {"landmarks": landmarks, "n_landmarks": 40} if landmarks else {}
    model = KernelRidge(0.3, kernel=kernel, **given).fit(points, y)
    new = _points(8, 2, seed=1)
    expected = kernel(new, points) @ np.linalg.solve(
        kernel(points) + 0.3 * np.eye(40), y
    )
    np.testing.assert_allclose(model.predict(new), expected, rtol=1e-6, atol=1e-8)
