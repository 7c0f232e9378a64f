"""Against arithmetic with 50 digits, where the core is singular to double precision."""

import mpmath
import numpy as np
import pytest

from nystheory import kernels, lowrank

DIGITS = 50

# Points on a line with landmarks among them: the smoother the kernel, the closer the
# core is to singular.  gamma, number of points, number of landmarks.
CASES = [(10.0, 60, 22), (2.0, 50, 16), (0.5, 40, 12)]


def _exact_nystrom(x, landmarks, gamma):
    """``C W^-1 C^T`` by Cholesky without pivoting, all in `DIGITS` digits."""
    x = [mpmath.mpf(float(value)) for value in x]
    C = np.array([[mpmath.exp(-gamma * (a - x[j]) ** 2) for j in landmarks] for a in x])
    W = C[landmarks]
    L = np.full(W.shape, mpmath.mpf(0))
    for j in range(len(W)):
        for i in range(j, len(W)):
            rest = W[i, j] - sum(L[i, :j] * L[j, :j])
            L[i, j] = mpmath.sqrt(rest) if i == j else rest / L[j, j]
    F = np.full(C.shape, mpmath.mpf(0))
    for j in range(len(W)):
        F[:, j] = (C[:, j] - F[:, :j] @ L[j, :j]) / L[j, j] if j else C[:, j] / L[j, j]
    return F @ F.T


@pytest.fixture(scope="module", params=CASES, ids=lambda case: f"gamma={case[0]}")
def case(request):
    gamma, n, n_landmarks = request.param
    rng = np.random.default_rng(0)
    x = np.sort(rng.random(n))
    landmarks = np.linspace(0, n - 1, n_landmarks).astype(int)
    with mpmath.workdps(DIGITS):
        return x, landmarks, gamma, _exact_nystrom(x, landmarks, mpmath.mpf(gamma))


def _relative_error(K, scale, landmarks, exact):
    """Spectral norm of what was lost, relative to that of K."""
    found = lowrank.nystrom(K, landmarks).spectral_reconstruction() / scale
    with mpmath.workdps(DIGITS):
        lost = (found - exact).astype(float)
        size = np.linalg.norm(exact.astype(float), 2)
    return np.linalg.norm(lost, 2) / size


def test_the_core_is_singular_to_double_precision(case):
    x, landmarks, gamma, _ = case
    W = kernels.rbf(x[:, None], gamma)[landmarks, landmarks]
    assert np.linalg.cond(W) > 1e16


def test_nystrom_is_right_to_twelve_digits(case):
    x, landmarks, gamma, exact = case
    K = kernels.rbf(x[:, None], gamma)
    assert _relative_error(K, 1, landmarks, exact) < 2e-12


@pytest.mark.parametrize("scale", [1e-100, 1e-8, 1e8])
def test_nystrom_of_a_rescaled_kernel_is_as_right(case, scale):
    x, landmarks, gamma, exact = case
    K = scale * kernels.rbf(x[:, None], gamma).dense()
    assert _relative_error(K, scale, landmarks, exact) < 2e-12


def test_repeated_landmarks_cost_no_digits(case):
    x, landmarks, gamma, exact = case
    K = kernels.rbf(x[:, None], gamma)
    assert _relative_error(K, 1, np.r_[landmarks, landmarks], exact) < 2e-12


def test_the_error_is_below_what_rounding_allows(case):
    # The exact error is far below double precision; what is left is rounding, and
    # K minus the approximation stays semidefinite up to that.
    x, landmarks, gamma, exact = case
    K = kernels.rbf(x[:, None], gamma)
    result = lowrank.nystrom(K, landmarks)
    size = np.linalg.norm(exact.astype(float), 2)
    for norm in ("spectral", "frobenius", "trace"):
        assert result.error(K, norm) < 1e-11 * size
    below = np.linalg.eigvalsh(K.dense() - result.spectral_reconstruction())[0]
    assert below > -1e-12 * size


def test_shortcuts_of_others_lose_digits(case):
    # What the factorisation is for: the same product through the pseudo-inverse.
    x, landmarks, gamma, exact = case
    K = kernels.rbf(x[:, None], gamma).dense()
    C, W = K[:, landmarks], K[np.ix_(landmarks, landmarks)]
    lost = (C @ np.linalg.pinv(W) @ C.T - exact).astype(float)
    ours = _relative_error(K, 1, landmarks, exact)
    assert np.linalg.norm(lost, 2) / np.linalg.norm(K, 2) > 100 * ours
