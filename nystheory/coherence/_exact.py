"""Coherence, effective dimension and stable rank from all of K."""

from __future__ import annotations

import numpy as np
import scipy.linalg

from nystheory import _checks, _semidefinite
from nystheory.kernels import KernelMatrix, as_kernel
from nystheory.sampling import ridge_leverage_scores

# How far the columns of a basis may be from orthonormal.
ORTHONORMAL = 1e-8

# Two eigenvalues closer than this, relative to the largest, are told apart by rounding
# alone, and so are the spaces that they split.
TIE = 1e-10


def of_vectors(U: np.ndarray) -> float:
    """Coherence of an orthonormal basis, ``sqrt(n) max |U_ij|``: Definition 5.1, [1]_.

    Parameters
    ----------
    U : array_like (n, r)
        Orthonormal columns, such as r leading eigenvectors.

    Returns
    -------
    float
        From 1 (all entries alike) to sqrt(n) (a column with a single entry).

    Raises
    ------
    ValueError, TypeError
        If the columns are not orthonormal, or not real numbers.

    Notes
    -----
    Costs O(n r^2) operations, most of them to check the columns.

    It belongs to the basis, not to the space: the columns of the identity and the
    vectors ``(1, 1)/sqrt(2)``, ``(1, -1)/sqrt(2)`` span the same plane, with
    coherence sqrt(2) and 1.  So where eigenvalues of K tie it is no function of K;
    `basis_free` is.  The ranges are ``theorems["talwalkar2010:def-5.1"]``.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 5.2.1.

    Examples
    --------
    >>> turned = np.array([[1, 1], [1, -1]]) / np.sqrt(2)
    >>> round(of_vectors(np.eye(2)), 6), round(of_vectors(turned), 6)
    (1.414214, 1.0)
    """
    U = _orthonormal(U)
    return float(np.sqrt(len(U)) * np.abs(U).max())


def basis_free(U: np.ndarray) -> float:
    """``n`` times the largest squared row length of an orthonormal basis.

    Parameters
    ----------
    U : array_like (n, r)
        Orthonormal columns; every basis of the same space gives the same number.

    Returns
    -------
    float
        From r to n.  With the coherence mu of any basis it is at least mu^2 and at
        most r mu^2.

    Raises
    ------
    ValueError, TypeError
        If the columns are not orthonormal, or not real numbers.

    Notes
    -----
    Costs O(n r^2) operations, most of them to check the columns.  The range, and that
    it belongs to the space, are ``theorems["talwalkar2010:def-5.1"]``; in other units
    it is a number of the matrix-completion literature,
    ``theorems["talwalkar2010:footnote-coherence"]``.

    Examples
    --------
    >>> turned = np.array([[1, 1], [1, -1]]) / np.sqrt(2)
    >>> basis_free(np.eye(2)), round(basis_free(turned), 9)
    (2.0, 2.0)
    """
    U = _orthonormal(U)
    return float(len(U) * np.einsum("ij,ij->i", U, U).max())


def of_matrix(K: KernelMatrix | np.ndarray, rank: int) -> float:
    """The basis-free coherence of the space of the r leading eigenvectors of K.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    rank : int
        The dimension r.

    Returns
    -------
    float
        n times the largest leverage score of rank r.

    Raises
    ------
    ValueError, TypeError
        If `rank` is not an integer from 1 to n, or eigenvalues r and r + 1 tie: then
        there is no such space.

    Notes
    -----
    Costs O(n^3) operations, n^2 words and n^2 entries.  For every basis of the space
    it is the same: ``theorems["talwalkar2010:def-5.1"]``.

    Examples
    --------
    >>> of_matrix(np.diag([3.0, 2.0, 1.0]), 2)
    3.0
    >>> of_matrix(np.eye(3), 2)
    Traceback (most recent call last):
    ValueError: rank: expected a gap below eigenvalue 2, got eigenvalues 1 and 1: the \
leading eigenvectors are not determined
    """
    K = as_kernel(K)
    r = _checks.integer(rank, "rank", high=K.n, why="the number of points")
    dense = K.dense().astype(np.float64, copy=False)
    if r == K.n:
        return float(r)
    span = [K.n - r - 1, K.n - 1]
    values, vectors = scipy.linalg.eigh(dense, subset_by_index=span)
    if values[1] - values[0] <= TIE * max(values[-1], 0):
        raise ValueError(
            f"rank: expected a gap below eigenvalue {r}, got eigenvalues "
            f"{values[1]:.6g} and {values[0]:.6g}: the leading eigenvectors are "
            "not determined"
        )
    return basis_free(vectors[:, 1:])


def effective_dimension(K: KernelMatrix | np.ndarray, alpha: float) -> float:
    """``tr K (K + alpha I)^-1``: how many directions of K stand above a ridge.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    alpha : float
        The ridge, above 0.

    Returns
    -------
    float
        From 0 to rank K.

    Raises
    ------
    ValueError, TypeError
        If alpha is not above 0, or an array K is not a kernel matrix.

    Notes
    -----
    Costs O(n^3) operations, n^2 words and n^2 entries.  It is the mean number of
    columns of a determinantal sample, ``theorems["modern:dpp-expectation"]``, and how
    many columns ``theorems["modern:alaoui-mahoney"]`` requires grows with it.

    Examples
    --------
    >>> effective_dimension(np.diag([3.0, 1.0]), 1.0)
    1.25
    """
    return float(ridge_leverage_scores(K, alpha).sum())


def stable_rank(K: KernelMatrix | np.ndarray, beyond: int = 0) -> float:
    """``sum_{i > s} lambda_i / lambda_{s+1}``: rank, counted in largest eigenvalues.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    beyond : int
        The number s of leading eigenvalues that are left out.

    Returns
    -------
    float
        From 1 to rank K - s; 0 where nothing is left.

    Raises
    ------
    ValueError, TypeError
        If `beyond` is not an integer from 0 to n - 1, or an array K is not a kernel
        matrix.

    Notes
    -----
    Costs O(n^3) operations, n^2 words and n^2 entries.  It is the r_s of
    ``theorems["modern:k-dpp-beyond-worst-case"]``.

    Examples
    --------
    >>> stable_rank(np.diag([8.0, 2.0, 1.0, 1.0])), stable_rank(np.eye(5), beyond=2)
    (1.5, 3.0)
    """
    K = as_kernel(K)
    s = _checks.integer(beyond, "beyond", low=0, high=K.n - 1, why="n - 1")
    dense = K.dense().astype(np.float64, copy=False)
    values = scipy.linalg.eigvalsh(dense, overwrite_a=True)[::-1]
    slack = K.n * np.finfo(getattr(K, "dtype", np.float64)).eps * abs(values[0])
    values = _semidefinite.not_negative(values, float(slack), "an eigenvalue")
    if values[s] <= K.n * np.finfo(np.float64).eps * values[0]:
        return 0.0
    return float(values[s:].sum() / values[s])


def _orthonormal(U):
    U = _checks.real_array(U, "U", 2).astype(np.float64, copy=False)
    off = np.abs(U.T @ U - np.eye(U.shape[1])).max(initial=0.0)
    if U.size == 0 or off > ORTHONORMAL:
        raise ValueError(
            f"U: expected orthonormal columns, got shape {U.shape} whose inner "
            f"products are off by {off:.3g}"
        )
    return U
