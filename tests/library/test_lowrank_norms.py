"""Norms of an error: in blocks, by Lanczos, and in any unit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lowrank_cases import METHODS, NORMS, OF, an_instance, small_instances

from nystheory import kernels, lowrank
from nystheory.kernels import _blocks
from nystheory.lowrank import _norms


@settings(deadline=None, derandomize=True, max_examples=60)
@given(
    small_instances(),
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
    K, dense, S = an_instance(150, 5, 20)
    result = METHODS[method](K, S, 8)
    approximation = (
        result.spectral_reconstruction()
        if of == "spectral_reconstruction"
        else result.matrix_projection(K)
    )
    expected = NORMS[norm](dense - approximation)
    assert np.isclose(result.error(K, norm, of), expected, rtol=1e-10)
    assert np.isclose(result.error(dense, norm, of), expected, rtol=1e-10)
    monkeypatch.setattr(_blocks, "BLOCK_BYTES", 8 * 150 * 40)
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


def test_frobenius_error_asks_for_half(monkeypatch):
    monkeypatch.setattr(_blocks, "BLOCK_BYTES", 8 * 50)
    K, _, S = an_instance(50)
    result = lowrank.nystrom(K, S)
    before = K.entries_asked
    result.error(K, "frobenius")
    assert K.entries_asked - before == 50 * 51 // 2


def test_spectral_error_of_an_exact_approximation(monkeypatch):
    monkeypatch.setattr(_norms, "DENSE_SPECTRAL", 0)
    X = np.random.default_rng(0).standard_normal((300, 4))
    K = kernels.linear(X)
    error = lowrank.nystrom(K, np.arange(10)).error(K, "spectral")
    assert error <= 1e-12 * np.linalg.norm(X, 2) ** 2
    zero = kernels.linear(np.zeros((300, 1)))
    assert lowrank.nystrom(zero, [0]).error(zero, "spectral") == 0
