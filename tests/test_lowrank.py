"""Approximations: the formulas of chapter 2, awkward matrices, honest norms."""

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st

from nystheory import kernels, lowrank, sampling
from nystheory.lowrank import _core, _norms

EPS = np.finfo(float).eps
SAMPLED = {
    "nystrom": lowrank.nystrom,
    "nystrom, truncated after": lambda K, S, k=None: lowrank.nystrom(
        K, S, k, truncate="approximation"
    ),
    "column_sampling": lowrank.column_sampling,
    "orthonormal_nystrom": lowrank.orthonormal_nystrom,
    "optimal_reconstruction": lowrank.optimal_reconstruction,
}
METHODS = {"best": lambda K, S, k=None: lowrank.best_rank_k(K, k or len(S)), **SAMPLED}
NORMS = {
    "spectral": lambda E: np.linalg.norm(E, 2),
    "frobenius": np.linalg.norm,
    "trace": lambda E: np.linalg.norm(E, "nuc"),
}
OF = ("spectral_reconstruction", "matrix_projection")


def _instance(n=40, d=5, n_landmarks=9, seed=0):
    rng = np.random.default_rng(seed)
    K = kernels.rbf(rng.standard_normal((n, d)))
    return K, K.dense(), rng.choice(n, n_landmarks, replace=False)


def _eigen(M):
    values, vectors = scipy.linalg.eigh(M)
    return values[::-1], vectors[:, ::-1]


def _truncated_inverse(W, k, power=1.0):
    values, vectors = _eigen(W)
    keep = values[:k] > len(W) * EPS * values[0]
    vectors = vectors[:, :k][:, keep]
    return (vectors / values[:k][keep] ** power) @ vectors.T


@st.composite
def _small(draw):
    """A matrix of small integers with landmarks (repetitions allowed) and a rank."""
    n = draw(st.integers(1, 7))
    rows = draw(st.integers(1, 5))
    entries = st.integers(-2, 2)
    X = draw(st.lists(entries, min_size=n * rows, max_size=n * rows))
    X = np.array(X, dtype=float).reshape(n, rows)
    landmarks = draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=n))
    return X @ X.T, landmarks, draw(st.integers(1, len(landmarks)))


# The formulas of chapter 2, written down as they are printed.


@pytest.mark.parametrize("k", [1, 4, 9, None])
def test_nystrom_is_equations_2_2_and_2_3(k):
    K, dense, S = _instance()
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
    K, dense, S = _instance()
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
    K, dense, S = _instance()
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
    K, dense, S = _instance()
    n, l, C, W = len(dense), len(S), dense[:, S], dense[np.ix_(S, S)]  # noqa: E741
    expected = l / n * C @ _truncated_inverse(W @ W, 4) @ C.T @ dense
    result = lowrank.nystrom(K, S, 4)
    assert np.allclose(result.matrix_projection(K), expected)
    assert np.allclose(result.matrix_projection(dense), expected)


def test_orthonormal_nystrom_keeps_values_and_order():
    K, _, S = _instance()
    core, result = lowrank.nystrom(K, S, 4), lowrank.orthonormal_nystrom(K, S, 4)
    assert np.array_equal(result.eigenvalues, core.eigenvalues)
    # Vector j is in the span of the first j, on the same side as vector j.
    R = result.eigenvectors.T @ core.eigenvectors
    assert np.allclose(R, np.triu(R)) and (R.diagonal() > 0).all()
    assert np.allclose(result.eigenvectors @ R, core.eigenvectors)


def test_optimal_reconstruction_is_the_projection_on_both_sides():
    K, dense, S = _instance()
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


# Properties of every method, on matrices chosen to be awkward.


@settings(deadline=None, derandomize=True, max_examples=100)
@given(_small(), st.sampled_from(sorted(METHODS)))
def test_shapes_ranks_and_orthonormality(instance, method):
    K, S, k = instance
    result = METHODS[method](K, S, min(k, len(S)))
    n, r = len(K), result.rank
    assert 0 <= r <= k == result.rank_requested
    assert result.eigenvalues.shape == (r,)
    assert result.eigenvectors.shape == result.factor.shape == (n, r)
    assert (np.diff(result.eigenvalues) <= 1e-12 * np.trace(K)).all()
    assert (result.eigenvalues >= 0).all()
    U = result.eigenvectors
    rebuilt = (U * result.eigenvalues) @ U.T
    scale = 1e-10 * max(np.trace(K), 1) * len(K)
    assert np.abs(rebuilt - result.spectral_reconstruction()).max() <= scale
    if method != "nystrom":
        assert np.abs(U.T @ U - np.eye(r)).max(initial=0) <= 1e-12


@settings(deadline=None, derandomize=True, max_examples=100)
@given(_small(), st.sampled_from(["core", "approximation"]))
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


@settings(deadline=None, derandomize=True, max_examples=60)
@given(
    _small(),
    st.sampled_from(sorted(METHODS)),
    st.sampled_from(sorted(NORMS)),
    st.sampled_from(OF),
)
def test_error_is_the_norm_that_numpy_computes(instance, method, norm, of):
    K, S, k = instance
    result = METHODS[method](K, S, k)
    approximation = (
        result.spectral_reconstruction()
        if of == "spectral_reconstruction"
        else result.matrix_projection(K)
    )
    expected = NORMS[norm](K - approximation)
    scale = 1e-11 * max(np.trace(K), 1)
    assert abs(result.error(K, norm, of) - expected) <= scale
    accuracy = result.relative_accuracy(K, of)
    assert 0 <= accuracy <= 1 + 1e-9


@pytest.mark.parametrize("of", OF)
@pytest.mark.parametrize("norm", sorted(NORMS))
@pytest.mark.parametrize("method", sorted(METHODS))
def test_blocked_and_lanczos_errors_agree_with_dense_ones(
    method, norm, of, monkeypatch
):
    K, dense, S = _instance(150, 5, 20)
    result = METHODS[method](K, S, 8)
    approximation = (
        result.spectral_reconstruction()
        if of == "spectral_reconstruction"
        else result.matrix_projection(K)
    )
    expected = NORMS[norm](dense - approximation)
    assert np.isclose(result.error(K, norm, of), expected, rtol=1e-10)
    assert np.isclose(result.error(dense, norm, of), expected, rtol=1e-10)
    monkeypatch.setattr(kernels, "BLOCK_BYTES", 8 * 150 * 40)
    monkeypatch.setattr(_norms, "DENSE_SPECTRAL", 0)
    for keep in (8 * 150**2, 4 * 150**2, 0):
        monkeypatch.setattr(_norms, "KEEP_BYTES", keep)
        assert np.isclose(result.error(K, norm, of), expected, rtol=2e-6)
        assert result.error(K, norm, of) == result.error(K, norm, of)


@pytest.mark.parametrize("method", sorted(METHODS))
@pytest.mark.parametrize("k", [None, 5])
def test_a_rescaled_kernel_has_the_same_relative_errors(method, k):
    # A core with condition number above 1e16.
    x = np.linspace(0, 1, 80)[:, None]
    K = kernels.rbf(x, 10.0).dense()
    S = np.arange(0, 80, 3)
    size = np.linalg.norm(K, 2)
    one = METHODS[method](K, S, k)
    for scale in (1e-8, 1e8, 1e-120):
        other = METHODS[method](scale * K, S, k)
        for norm in NORMS:
            # Without truncation the last vectors of (2.3) are quotients of rounding.
            for of in OF[:1] if (method, k) == ("nystrom", None) else OF:
                a = one.error(K, norm, of) / size
                b = other.error(scale * K, norm, of) / (scale * size)
                assert abs(a - b) <= 1e-10, (norm, of, scale)
        a, b = one.relative_accuracy(K), other.relative_accuracy(scale * K)
        assert k is None or np.isclose(a, b, rtol=1e-9)


AWKWARD = {
    "one point": (np.array([[3.0]]), [0]),
    "one landmark": (np.array([[2.0, 1.0], [1.0, 1.0]]), [1]),
    "all landmarks": (np.diag([3.0, 2.0, 1.0]) + 1, [2, 0, 1]),
    "zero": (np.zeros((4, 4)), [1, 2]),
    "zero core": (np.diag([1.0, 0.0, 0.0]), [1, 2]),
    "repeated landmarks": (np.diag([3.0, 2.0, 1.0]) + 1, [0, 0, 1, 0]),
    "repeated points": (np.kron(np.diag([2.0, 1.0]) + 1, np.ones((3, 3))), [0, 1, 4]),
    "singular core": (scipy.linalg.block_diag(np.ones((3, 3)), np.eye(2)), [0, 1]),
    "coherent": (np.diag([1.0, 1.0, 0, 0, 0]), [0, 3]),
    "graded": (np.diag(10.0 ** -np.arange(0, 30, 3.0)), [0, 1, 2, 3, 4]),
    "tiny": (1e-200 * (np.eye(3) + 1), [0, 1]),
}


@pytest.mark.parametrize("truncated", [False, True])
@pytest.mark.parametrize("method", sorted(METHODS))
@pytest.mark.parametrize("name", sorted(AWKWARD))
def test_awkward_matrices(name, method, truncated):
    K, S = AWKWARD[name]
    k = 1 if truncated or method == "best" else None
    result = METHODS[method](K, S, k)
    for array in (result.eigenvalues, result.eigenvectors, result.factor):
        assert np.isfinite(array).all()
    for norm in NORMS:
        for of in OF:
            approximation = (
                result.spectral_reconstruction()
                if of == "spectral_reconstruction"
                else result.matrix_projection(K)
            )
            expected = NORMS[norm](K - approximation)
            error = result.error(K, norm, of)
            assert abs(error - expected) <= 1e-13 * np.trace(K)
    assert 0 <= result.relative_accuracy(K) <= 1 + 1e-12
    assert result._repr_html_()


@pytest.mark.parametrize(
    ("name", "rank"),
    [
        ("zero", 0),
        ("zero core", 0),
        ("repeated landmarks", 2),
        ("repeated points", 2),
        ("singular core", 1),
        ("coherent", 1),
        ("graded", 5),
    ],
)
def test_rank_says_how_many_columns_there_are(name, rank):
    K, S = AWKWARD[name]
    assert lowrank.nystrom(K, S).rank == rank
    assert lowrank.column_sampling(K, S).rank == rank


def test_all_landmarks_reproduce_the_matrix():
    K, dense, _ = _instance(25)
    S = np.random.default_rng(1).permutation(25)
    for method in SAMPLED.values():
        result = method(K, S)
        assert np.allclose(result.spectral_reconstruction(), dense)
        assert np.isclose(result.relative_accuracy(K), 1)


def test_repeated_landmarks_change_the_weights_only():
    K, _, S = _instance()
    twice = np.r_[S, S[::-1]]
    a, b = lowrank.nystrom(K, S), lowrank.nystrom(K, twice)
    assert np.allclose(a.spectral_reconstruction(), b.spectral_reconstruction())
    assert b.rank == len(S)
    # Sigma_W doubles and l doubles: the eigenvalues are the same.
    assert np.allclose(a.eigenvalues, b.eigenvalues)


@pytest.mark.parametrize("method", sorted(METHODS))
def test_dense_and_point_kernels_give_the_same(method):
    K, dense, _ = _instance()
    drawn = [sampling.uniform(M, 9, np.random.default_rng(3)) for M in (K, dense)]
    assert drawn[0] == drawn[1]
    a = METHODS[method](K, drawn[0].indices, 4)
    b = METHODS[method](dense, drawn[1].indices, 4)
    assert np.allclose(a.eigenvalues, b.eigenvalues, rtol=1e-11)
    difference = a.spectral_reconstruction() - b.spectral_reconstruction()
    assert np.abs(difference).max() < 1e-11


def test_entries_asked():
    n, l = 50, 7  # noqa: E741
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 3))

    def asked(work):
        K = kernels.rbf(X)
        S = sampling.uniform(K, l, np.random.default_rng(0))
        assert K.entries_asked == 0
        work(K, S)
        return K.entries_asked

    assert asked(lowrank.nystrom) == n * l
    assert asked(lambda K, S: lowrank.nystrom(K, S, 3).eigenvectors) == n * l
    assert asked(lambda K, S: lowrank.nystrom(K, S, 3, "approximation")) == n * l
    assert asked(lowrank.column_sampling) == n * l
    assert asked(lowrank.orthonormal_nystrom) == n * l
    assert asked(lowrank.optimal_reconstruction) == n * l + n**2
    assert asked(lambda K, S: lowrank.best_rank_k(K, l)) == n**2
    trace = asked(lambda K, S: lowrank.nystrom(K, S).error(K, "trace"))
    assert trace == n * l + n
    frobenius = asked(lambda K, S: lowrank.nystrom(K, S).error(K, "frobenius"))
    assert frobenius == n * l + n**2


def test_frobenius_error_asks_for_half(monkeypatch):
    monkeypatch.setattr(kernels, "BLOCK_BYTES", 8 * 50)
    K, _, S = _instance(50)
    result = lowrank.nystrom(K, S)
    before = K.entries_asked
    result.error(K, "frobenius")
    assert K.entries_asked - before == 50 * 51 // 2


@pytest.mark.parametrize("method", sorted(METHODS))
def test_nothing_is_modified(method):
    _, dense, S = _instance()
    for order in "CF":
        K, landmarks = np.array(dense, order=order), S.copy()
        for array in (K, landmarks):
            array.flags.writeable = False
        result = METHODS[method](K, landmarks, 4)
        eigenvectors = result.eigenvectors.copy()
        for norm in NORMS:
            result.error(K, norm)
        result.matrix_projection(K)
        assert np.array_equal(K, dense) and np.array_equal(landmarks, S)
        assert np.array_equal(result.eigenvectors, eigenvectors)


def test_single_precision():
    K, dense, S = _instance(60, 8)
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
    assert np.isclose(lowrank.nystrom(stored, S).error(dense), error, rtol=1e-5)


@pytest.mark.parametrize("S", [[3, 1, 0, 5], [3, 1, 3, 5]])
def test_factor_is_solved_in_the_memory_of_the_columns(S, monkeypatch):
    columns = []

    class Watched(kernels.DenseKernel):
        def __getitem__(self, key):
            columns.append(super().__getitem__(key))
            return columns[-1]

    K, dense, _ = _instance()
    factor = lowrank.nystrom(Watched(dense), S).factor
    assert factor.flags.c_contiguous and np.shares_memory(factor, columns[0])


def test_the_order_of_elimination_is_indifferent(monkeypatch):
    K, _, S = _instance()
    a = lowrank.nystrom(K, S)
    monkeypatch.setattr(_core, "SAFE_RATIO", np.inf)
    b = lowrank.nystrom(K, S)
    assert not np.allclose(a.factor, b.factor)
    assert np.allclose(a.eigenvalues, b.eigenvalues, rtol=1e-13)
    difference = a.spectral_reconstruction() - b.spectral_reconstruction()
    assert np.abs(difference).max() < 1e-13


@pytest.mark.parametrize("keep", [0, 10**9])
@pytest.mark.parametrize("k", [1, 15])
def test_best_rank_k_by_lanczos(k, keep, monkeypatch):
    K, dense, _ = _instance(320)
    expected = lowrank.best_rank_k(K, k)
    monkeypatch.setattr(lowrank._approximation, "DENSE_EIGEN", 100)
    monkeypatch.setattr(_norms, "KEEP_BYTES", keep)
    result = lowrank.best_rank_k(K, k)
    assert np.allclose(result.eigenvalues, expected.eigenvalues, rtol=1e-10)
    assert np.isclose(result.error(K), expected.error(K), rtol=1e-10)
    zero = kernels.linear(np.zeros((320, 1)))
    assert lowrank.best_rank_k(zero, k).rank == 0
    values = scipy.linalg.eigvalsh(dense)[::-1]
    assert np.isclose(result.error(K), np.linalg.norm(values[k:]))


def test_spectral_error_of_an_exact_approximation(monkeypatch):
    monkeypatch.setattr(_norms, "DENSE_SPECTRAL", 0)
    X = np.random.default_rng(0).standard_normal((300, 4))
    K = kernels.linear(X)
    error = lowrank.nystrom(K, np.arange(10)).error(K, "spectral")
    assert error <= 1e-12 * np.linalg.norm(X, 2) ** 2
    zero = kernels.linear(np.zeros((300, 1)))
    assert lowrank.nystrom(zero, [0]).error(zero, "spectral") == 0


def test_relative_accuracy_with_the_best_at_hand():
    K, _, S = _instance()
    best = lowrank.best_rank_k(K, 4)
    result = lowrank.nystrom(K, S, 4)
    for of in OF:
        assert result.relative_accuracy(K, of, best) == result.relative_accuracy(K, of)
    with pytest.raises(
        ValueError, match=r"best: expected best_rank_k\(K, 4\), got Low"
    ):
        result.relative_accuracy(K, best=lowrank.best_rank_k(K, 5))


# Messages.


def _ask(call, error, says):
    with pytest.raises(error, match=says):
        call(np.diag([3.0, 2.0, 1.0]))


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
    _ask(lambda K: SAMPLED[method](K, landmarks, rank), error, says)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda K: lowrank.best_rank_k(K, 4), ValueError, "k: .*points.*, got 4"),
        (lambda K: lowrank.best_rank_k(K, None), TypeError, "k: .*got None"),
        (
            lambda K: lowrank.nystrom(K, [0], truncate="W"),
            ValueError,
            "truncate: .*'W'",
        ),
        (
            lambda K: lowrank.nystrom(K, [0]).error(K, "nuclear"),
            ValueError,
            "norm: expected one of 'spectral', 'frobenius', 'trace', got 'nuclear'",
        ),
        (
            lambda K: lowrank.nystrom(K, [0]).error(K, of="projection"),
            ValueError,
            "of: expected one of .*got 'projection'",
        ),
        (
            lambda K: lowrank.nystrom(K, [0]).error(np.eye(2)),
            ValueError,
            r"K: expected shape \(3, 3\), got \(2, 2\)",
        ),
        (
            lambda K: lowrank.nystrom(K, [0]).error(K * np.nan),
            ValueError,
            "K: expected finite",
        ),
        (
            lambda K: lowrank.nystrom(kernels.DenseKernel(1 - np.eye(3)), [0, 1]),
            ValueError,
            "K: expected a positive semidefinite matrix, .*core W has eigenvalue -1",
        ),
        (lambda K: lowrank.nystrom(K - 2.5, [0]), ValueError, "eigenvalue -5.59"),
        (lambda K: lowrank.nystrom(K[:2], [0]), ValueError, "square"),
    ],
)
def test_messages(call, error, says):
    _ask(call, error, says)


@pytest.mark.parametrize("method", sorted(METHODS))
def test_shown_in_a_notebook(method):
    K, _, S = _instance()
    result = METHODS[method](K, S, 6)
    assert repr(result).startswith(f"LowRank({method}, n=40")
    shown = result._repr_html_()
    assert f">{method}<" in shown and "..." in shown and ">40<" in shown
