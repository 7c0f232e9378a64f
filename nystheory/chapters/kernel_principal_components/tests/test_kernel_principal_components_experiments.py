"""How far components turn, beside features that are formed."""

import numpy as np
import pytest

from nystheory import kernels
from nystheory.chapters.kernel_principal_components import experiments


def points():
    rng = np.random.default_rng(0)
    return rng.standard_normal((6, 20)) * 2.0 ** -np.arange(6)[:, None]


def leading(A, k):
    V = np.linalg.eigh(A)[1][:, ::-1][:, :k]
    return V @ V.T


@pytest.mark.parametrize("centred", [False, True])
def test_turns_are_those_of_the_features(centred):
    X, few = points(), [0, 3, 5]
    Q = np.linalg.qr(X[:, few])[0]
    near, n = Q @ (Q.T @ X), X.shape[1]
    if centred:
        X, near = (A - A.mean(axis=1, keepdims=True) for A in (X, near))
    A, B = X @ X.T, near @ near.T
    found = experiments.turns(kernels.linear(points().T), few, 2, centred)
    values = np.linalg.eigvalsh(A)[::-1]
    assert found.values == pytest.approx(values[:3]) and n == 20
    for k in (1, 2):
        first, second = leading(A, k), leading(B, k)
        apart = np.linalg.norm(first - second)
        assert found.natural[k - 1] == pytest.approx(apart)
        half = (values[k - 1] - values[k]) / 2
        change = found.by_covariance[k - 1] * half
        assert change == pytest.approx(np.linalg.norm(A - B))
        change = found.by_spectral[k - 1] * half / np.sqrt(2 * k)
        assert change == pytest.approx(np.linalg.norm(A - B, 2))
        V = np.linalg.eigh(B)[1][:, ::-1][:, :k]
        theirs = np.linalg.eigvalsh(B)[::-1]
        left = np.linalg.norm(A @ V - V * theirs[:k])
        gap = theirs[k - 1] - values[k]
        expected = np.sqrt(2) * left / gap if gap > 0 else np.inf
        assert found.by_residual[k - 1] == pytest.approx(expected)
        assert found.natural[k - 1] <= found.by_residual[k - 1]
        assert found.natural[k - 1] <= found.by_spectral[k - 1]


def test_no_small_change_turns_farther_than_in_the_plane():
    """A change of half the half gap, in the Frobenius norm, and no more."""
    found = experiments.largest_turn(2000, np.random.default_rng(1))
    assert found <= np.sin(np.arcsin(np.sqrt(1 / 8)) / 2) * np.sqrt(8) + 1e-12
