"""Symmetric matrices in float64, and numbers that mean fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import scipy.linalg

EPS = np.finfo(float).eps

# Singular values of X' below GREY_LOW (relative) are zeros of the data, those above
# GREY_HIGH are safe.  Between them float64 cannot tell the rank of W = X'^T X',
# whose eigenvalues are the squares: 1e-5 squared is 1e-10, well above eps.
GREY_LOW, GREY_HIGH = 1e-13, 1e-5


def eigen(matrix):
    """Eigenvalues, largest first, and eigenvectors of a symmetric matrix."""
    try:
        values, vectors = scipy.linalg.eigh(matrix)
    except np.linalg.LinAlgError:  # on some processors, of clustered eigenvalues
        values, vectors = scipy.linalg.eigh(matrix, driver="evd")
    return values[::-1], vectors[:, ::-1]


def thin_svd(matrix):
    """Singular value decomposition cut at the numerical rank: U, s, V."""
    U, s, Vt = scipy.linalg.svd(matrix, full_matrices=False)
    keep = s > max(matrix.shape) * EPS * s[0] if len(s) else s
    return U[:, keep], s[keep], Vt[keep].T


def truncated_inverse(matrix, rank, power=1.0):
    """``(M_k^power)^+`` of a symmetric M from its eigenvalues of largest modulus.

    The textbook route, by `eigh`, kept apart from the one of `nystheory.lowrank`
    so that the two can check each other.  Eigenvalues below a tenth of
    ``GREY_HIGH ** 2`` count as zero: on an instance whose rank is clear there are
    none between that and rounding.
    """
    values, vectors = eigen(matrix)
    order = np.argsort(-np.abs(values), kind="stable")[:rank]
    values, vectors = values[order], vectors[:, order]
    keep = np.abs(values) > 0.1 * GREY_HIGH**2 * np.abs(values).max(initial=0.0)
    values, vectors = values[keep], vectors[:, keep]
    return (vectors * values**-power) @ vectors.T


def as_float(value):
    """Exact numbers as floats, rows as an array."""
    if isinstance(value, (list, tuple)):
        return np.array([as_float(x) for x in value], dtype=float)
    return float(Fraction(str(value)) if isinstance(value, str) else value)


def in_fractions(value):
    """Numbers as text that means them exactly, arrays as lists."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [in_fractions(x) for x in value]
    return value if isinstance(value, str) else str(Fraction(value))


def diagonal(values) -> list:
    """Rows of a diagonal matrix of numbers, or of text that means them exactly.

    >>> diagonal([2, "1/3"])
    [[2, 0], [0, '1/3']]
    """
    n = len(values)
    return [[values[j] if i == j else 0 for j in range(n)] for i in range(n)]


# --- Coordinates of points ------------------------------------------------------------


def squared_distances(gram: np.ndarray) -> np.ndarray:
    """Of points with these inner products.

    Examples
    --------
    >>> squared_distances(np.array([[1.0, -1.0], [-1.0, 1.0]]))
    array([[0., 4.],
           [4., 0.]])
    """
    d = np.diag(gram)
    return d[:, None] + d - 2 * gram


def leading(spectrum, k: int) -> tuple[np.ndarray, np.ndarray]:
    """At most k largest eigenvalues above zero, and their vectors.

    Examples
    --------
    >>> leading(eigen(np.diag([-1.0, 2.0])), 2)[0]
    array([2.])
    """
    values, U = spectrum
    r = min(k, int((values > 0).sum()))
    return values[:r], U[:, :r]


def coordinates(spectrum, k: int) -> np.ndarray:
    """The coordinates that they make, a point a column.

    Examples
    --------
    >>> abs(coordinates(eigen(np.diag([4.0, 1.0])), 1))
    array([[2., 0.]])
    """
    values, U = leading(spectrum, k)
    return (U * np.sqrt(values)).T


def moved(Y: np.ndarray, Z: np.ndarray) -> float:
    """How far the columns of Y are from those of Z, turned to lie as near as they can.

    Examples
    --------
    >>> moved(np.array([[1.0, 0.0]]), np.array([[-1.0, 0.0]]))
    0.0
    """
    rows = max(len(Y), len(Z))
    Y, Z = (np.pad(A, ((0, rows - len(A)), (0, 0))) for A in (Y, Z))
    U, _, Vt = scipy.linalg.svd(Z @ Y.T)
    return float(np.linalg.norm(Z - U @ Vt @ Y))
