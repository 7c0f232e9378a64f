"""What every approximation promises: shapes, ranks, honest norms, few entries."""

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st
from lowrank_cases import AWKWARD, METHODS, NORMS, OF, an_instance, small_instances

from nystheory import kernels, lowrank, sampling
from nystheory.lowrank import _norms


@settings(deadline=None, derandomize=True, max_examples=100)
@given(small_instances(), st.sampled_from(sorted(METHODS)))
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


@pytest.mark.parametrize("method", sorted(METHODS))
def test_dense_and_point_kernels_give_the_same(method):
    K, dense, _ = an_instance()
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


@pytest.mark.parametrize("method", sorted(METHODS))
def test_nothing_is_modified(method):
    _, dense, S = an_instance()
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


@pytest.mark.parametrize("keep", [0, 10**9])
@pytest.mark.parametrize("k", [1, 15])
def test_best_rank_k_by_lanczos(k, keep, monkeypatch):
    K, dense, _ = an_instance(320)
    expected = lowrank.best_rank_k(K, k)
    monkeypatch.setattr(lowrank._eigen, "DENSE_EIGEN", 100)
    monkeypatch.setattr(_norms, "KEEP_BYTES", keep)
    result = lowrank.best_rank_k(K, k)
    assert np.allclose(result.eigenvalues, expected.eigenvalues, rtol=1e-10)
    assert np.isclose(result.error(K), expected.error(K), rtol=1e-10)
    zero = kernels.linear(np.zeros((320, 1)))
    assert lowrank.best_rank_k(zero, k).rank == 0
    values = scipy.linalg.eigvalsh(dense)[::-1]
    assert np.isclose(result.error(K), np.linalg.norm(values[k:]))


def test_no_copy_of_an_eigenvalue_is_missed(monkeypatch):
    """Three points far apart, fifty copies of each: 50 three times."""
    monkeypatch.setattr(lowrank._eigen, "DENSE_EIGEN", 100)
    K = kernels.linear(np.eye(3).repeat(50, axis=0))
    found = lowrank.best_rank_k(K, 3)
    assert np.allclose(found.eigenvalues, 50) and found.rank == 3
    assert found.error(K) < 1e-9


def test_relative_accuracy_with_the_best_at_hand():
    K, _, S = an_instance()
    best = lowrank.best_rank_k(K, 4)
    result = lowrank.nystrom(K, S, 4)
    for of in OF:
        assert result.relative_accuracy(K, of, best) == result.relative_accuracy(K, of)
    with pytest.raises(
        ValueError, match=r"best: expected best_rank_k\(K, 4\), got Low"
    ):
        result.relative_accuracy(K, best=lowrank.best_rank_k(K, 5))


@pytest.mark.parametrize("method", sorted(METHODS))
def test_shown_in_a_notebook(method):
    K, _, S = an_instance()
    result = METHODS[method](K, S, 6)
    assert repr(result).startswith(f"LowRank({method}, n=40")
    shown = result._repr_html_()
    assert f">{method}<" in shown and "..." in shown and ">40<" in shown


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda K: lowrank.best_rank_k(K, 4), ValueError, "rank: .*points.*, got 4"),
        (lambda K: lowrank.best_rank_k(K, None), TypeError, "rank: .*got None"),
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
    ],
)
def test_messages(call, error, says):
    with pytest.raises(error, match=says):
        call(np.diag([3.0, 2.0, 1.0]))


def test_a_row_that_is_not_there_is_blamed_by_its_name():
    near = lowrank.nystrom(np.eye(4), [0, 1])
    with pytest.raises(IndexError, match="^rows: expected indices from 0 to 3, got 9"):
        near.block([9], [0])
    with pytest.raises(IndexError, match="^columns: expected indices from 0 to 3"):
        near.block([0], [9])
