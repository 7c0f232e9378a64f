"""One approximation, computed in four ways in floating point."""

from __future__ import annotations

from dataclasses import dataclass

import mpmath
import numpy as np
import scipy.linalg

from nystheory import kernels, lowrank

FORMED = "$W^+$ formed"
SOLVED = "least squares with $W$"
SHIFTED = "Cholesky with a shift"
PACKAGE = "the package"
EPS = np.finfo(float).eps
# Enough for a core with a condition number of 1e17, and for its inverse.
DIGITS = 60


def line(n: int = 400, gamma: float = 3.0) -> kernels.DenseKernel:
    """The Gaussian kernel of n points on a line from -1 to 1.

    Examples
    --------
    >>> line(3).shape
    (3, 3)
    """
    points = np.linspace(-1, 1, n)[:, None]
    return kernels.DenseKernel(kernels.rbf(points, gamma).dense())


def _formed(C, W):
    return C @ np.linalg.pinv(W) @ C.T


def _solved(C, W):
    return C @ np.linalg.lstsq(W, C.T, rcond=None)[0]


def _shifted(C, W):
    shift = len(C) * EPS * np.linalg.norm(W, 2)
    L = np.linalg.cholesky(W + shift * np.eye(len(W)))
    F = scipy.linalg.solve_triangular(L, C.T, lower=True).T
    return F @ F.T


def _by_package(K, S):
    return lowrank.nystrom(K, S).spectral_reconstruction()


def _from_columns(way):
    def run(K, S):
        C = K[:, S]
        return way(C, C[S])

    return run


# From a matrix and landmarks to an approximation.
WAYS = {
    FORMED: _from_columns(_formed),
    SOLVED: _from_columns(_solved),
    SHIFTED: _from_columns(_shifted),
    PACKAGE: _by_package,
}


# ---- landmarks of large volume, with many digits ----


@dataclass(frozen=True)
class Stable:
    """Landmarks that no exchange improves, and what is true of them.

    Attributes
    ----------
    landmarks : ndarray (l,)
    weight : float
        The largest entry of ``C W^-1`` in modulus.
    condition : float
        Of W.
    error : float
        The spectral error of the approximation, with exact entries of K.
    """

    landmarks: np.ndarray
    weight: float
    condition: float
    error: float


def largest_volume(n: int, gamma: float, n_landmarks: int) -> Stable:
    """Landmarks for the points and the kernel of `line`, in 60 digits.

    Exchanges as in `local_maximum_volume`, which stops where W is singular to float64.

    Examples
    --------
    >>> found = largest_volume(5, 0.5, 2)
    >>> found.landmarks.tolist(), found.weight
    ([0, 4], 1.0)
    """
    with mpmath.workdps(DIGITS):
        x = np.array([mpmath.mpf(2 * i) / (n - 1) - 1 for i in range(n)])
        K = np.vectorize(mpmath.exp)(-gamma * (x[:, None] - x) ** 2)
        S = _pivots(K, n_landmarks)
        _check(K[np.ix_(S, S)])
        while (exchange := _better(K, S)) is not None:
            S[exchange[1]] = exchange[0]
        S = sorted(S)
        B, _ = _weights(K, S)
        values = mpmath.eigsy(mpmath.matrix(K[np.ix_(S, S)]), eigvals_only=True)
        error = (K - B @ K[S]).astype(float)
        condition = float(max(values) / min(values))
    size = float(np.linalg.norm(error, 2))
    return Stable(np.array(S), float(np.abs(B).max()), condition, size)


def _pivots(K, n_landmarks):
    """The largest diagonal entries of the error, one after the other."""
    E, S = K.copy(), []
    for _ in range(n_landmarks):
        S.append(int(np.argmax(np.diag(E))))
        column = E[:, S[-1]].copy()
        E = E - np.outer(column, column) / column[S[-1]]
    return S


def _check(W):
    """Exchanges that rounding decides would go round in circles."""
    least = min(mpmath.eigsy(mpmath.matrix(W), eigvals_only=True))
    if least < mpmath.mpf(10) ** (-DIGITS // 3):
        got = f"the eigenvalue {float(least):.0e} with {len(W)} landmarks"
        wanted = f"a core that {DIGITS} digits can invert"
        raise ValueError(f"n_landmarks: expected {wanted}, got {got}; take fewer")


def _weights(K, S):
    inverse = np.array((mpmath.matrix(K[np.ix_(S, S)]) ** -1).tolist())
    return K[:, S] @ inverse, inverse


def _better(K, S):
    """The best exchange, as (point, position); None where no determinant gains."""
    B, inverse = _weights(K, S)
    error = np.diag(K) - (B * K[:, S]).sum(axis=1)
    gains = B**2 + np.outer(error, np.diag(inverse))
    gains[S] = 0
    i, j = np.unravel_index(np.argmax(gains), gains.shape)
    return (int(i), int(j)) if gains[i, j] > 1 else None


def inverted_and_solved(K, landmarks) -> tuple[float, float]:
    """Spectral errors of ``C inv(W) C.T`` and of ``C solve(W, C.T)``.

    Examples
    --------
    >>> inverted_and_solved(np.diag([1.0, 2.0]), [1])
    (1.0, 1.0)
    """
    C = K[:, landmarks]
    W = C[landmarks]
    made = C @ np.linalg.inv(W) @ C.T, C @ np.linalg.solve(W, C.T)
    inverted, solved = (float(np.linalg.norm(K - near, 2)) for near in made)
    return inverted, solved
