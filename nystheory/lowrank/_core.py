"""From sampled columns to factors and eigenpairs: the machinery behind `lowrank`."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from scipy.linalg.blas import dtrsm, strsm
from scipy.linalg.lapack import dpstrf

from nystheory._rounding import allowed
from nystheory.kernels import row_blocks
from nystheory.lowrank._missing import summed

# Rows that are reordered at a time, in bytes: they stay in a core's own cache.
REORDER_BYTES = 2**19

# Smallest to largest pivot of L above which W is far from singular (a condition of
# about 1e6): the order of elimination is then indifferent, and the natural one saves
# a pass over the columns.
SAFE_RATIO = 1e-3


def nystrom_factor(C, W):
    """F (n, r), L (l, r), order (r,): W = L L^T, C W^+ C^T = F F^T, up to rounding.

    The rows of L may be in the order of pivots, which changes neither its singular
    values nor its right singular vectors.  ``F = C[:, order] L_r^{-T}`` with the r
    leading rows of L: so are rows for new points.  C is overwritten.
    """
    C = np.ascontiguousarray(C)
    W = W.astype(np.float64, copy=False)
    L, order = _pivoted_cholesky(W, C.dtype)
    r = L.shape[1]
    if r == len(W) and L[-1, -1] > SAFE_RATIO * L[0, 0]:
        L = scipy.linalg.cholesky(W, lower=True)
        return solved_in_place(C, L), L, np.arange(r)
    return solved_in_place(_reordered_in_place(C, order[:r]), L), L, order[:r]


def _reordered_in_place(C, order):
    """``C[:, order]`` in the memory of C, for no more columns than C has."""
    n, r = len(C), len(order)
    out = C.reshape(-1)[: n * r].reshape(n, r)
    step = max(1, REORDER_BYTES // (C.itemsize * C.shape[1]))
    for start in range(0, n, step):
        # Rows move towards the front: none is overwritten before it was read.
        rows = slice(start, start + step)
        out[rows] = np.take(C[rows], order, axis=1)
    return out


def solved_in_place(F, L):
    """``F L_r^{-T}`` in the memory of F, with L_r the leading rows of L."""
    r = L.shape[1]
    if r == 0:
        return F
    # The transposed view of a row-major F is what BLAS calls F^T; it is overwritten.
    solve = strsm if F.dtype == np.float32 else dtrsm
    return solve(1.0, L[:r].astype(F.dtype), F.T, side=0, lower=1, overwrite_b=1).T


def blur(F, L, entries):
    """By how much rounding may have lifted F F^T above K, in the trace.

    Each pivot p is known to ``entries max W_ii``, the rounding of an entry of K, and to
    ``sqrt(r) eps max W_ii``, the r roundings of an inner product in the type of F, as
    independent numbers; so what its column adds to F F^T is known to that share of p.
    The largest roundings of entries do not meet all pivots: see `_missing.summed`.  To
    first order, and no bound for the worst case; the worst that was seen of points in
    near pairs is a quarter of it.
    """
    r = L.shape[1]
    if r == 0:
        return 0.0
    pivots = L.diagonal()[:r] ** 2
    largest = float(np.einsum("ij,ij->i", L, L).max())
    added = np.einsum("ij,ij->j", F, F, dtype=np.float64)
    shares = (largest / pivots - 1).clip(0) * added
    own = np.sqrt(r) * float(np.finfo(F.dtype).eps) * float(shares.sum())
    return allowed("a small pivot", own + summed(entries * shares))


def _pivoted_cholesky(W, dtype):
    """L (l, r) and pivots with W[pivots][:, pivots] = L L^T, up to rounding.

    A pivot below eps (tr W + 16 max W_ii) counts as zero: the entries of W are known
    to eps of themselves at best, which moves W by eps |W|_F <= eps tr W, and the inner
    products behind them and the elimination round a few times more, which counts
    when W is small.  It is relative: W and c W have the same rank.
    """
    l = len(W)  # noqa: E741
    trace = float(np.trace(W))
    eps = np.finfo(dtype).eps
    if trace <= 0 and not W.any():
        return np.empty((l, 0)), np.arange(l)
    tolerance = eps * (trace + 16 * float(W.diagonal().max()))
    factored, order, r, info = dpstrf(W, lower=1, tol=tolerance)
    if info < 0:  # pragma: no cover - only on arguments that LAPACK rejects
        raise RuntimeError(f"dpstrf: argument {-info}")
    order = order - 1
    L = np.tril(factored)[:, :r]
    if r < l:
        _check_remainder(W[np.ix_(order[r:], order[r:])], L[r:], np.sqrt(eps) * trace)
    return L, order


def _check_remainder(W, L, allowance):
    """Raise if what is left of W after its pivots is not zero up to rounding."""
    left = W - L @ L.T
    # Entries of a semidefinite matrix are bounded by its diagonal, which is zero up to
    # rounding here.  The allowance is wide, since kernels computed carelessly are
    # common, and what it lets pass is an error of this size in the approximation.
    if np.abs(left).max() > allowance:
        raise ValueError(
            "K: expected a positive semidefinite matrix, got one whose core W has "
            f"eigenvalue {scipy.linalg.eigvalsh(left)[0]:.3g} or less"
        )


def right_singular(L):
    """Singular values and right singular vectors (as columns) of L."""
    if L.shape[1] == 0:
        return np.empty(0), np.empty((0, 0))
    _, S, Qt = scipy.linalg.svd(L, full_matrices=False)
    return S, Qt.T


def core_pairs(F, L):
    """The eigenpairs (2.3) of full rank, from the factor F and W = L L^T."""
    S, Q = right_singular(L)
    share = np.sqrt(len(L) / len(F))
    return S**2 / share**2, F @ (Q * (share / S)).astype(F.dtype, copy=False)


def scaled_pairs(root, S, l):  # noqa: E741
    """The eigenpairs (2.3) from ``C U_W Sigma_W^{-1/2}`` and the roots S of Sigma_W."""
    share = np.sqrt(l / len(root))
    return S**2 / share**2, root * (share / S)


def leading_pairs(F, k):
    """The k leading eigenpairs of F F^T, orthonormal, and V with factor F V."""
    if k == 0:
        return np.empty(0), np.empty((len(F), 0)), np.empty((F.shape[1], 0))
    copied = np.array(F, dtype=np.float64, order="F")  # LAPACK then takes no other
    keep = {"overwrite_a": True, "check_finite": False}
    Q, R = scipy.linalg.qr(copied, mode="economic", **keep)
    U, S, Vt = scipy.linalg.svd(R)
    for rows in row_blocks(len(Q), Q.shape[1]):
        Q[rows, :k] = Q[rows] @ U[:, :k]
    vectors = Q if k == Q.shape[1] else Q[:, :k].copy()
    return S[:k] ** 2, vectors, Vt[:k].T


def orthonormal(vectors):
    """An orthonormal basis, column by column, each on the side of the given one."""
    if vectors.shape[1] == 0:
        return vectors
    Q, R = scipy.linalg.qr(vectors, mode="economic")
    return Q * np.where(R.diagonal() < 0, -1.0, 1.0)


def given(values, vectors):
    return values, vectors
