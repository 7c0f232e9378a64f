"""The leading eigenpairs of K itself: dense, or by Lanczos."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import LinearOperator, eigsh

from nystheory import _semidefinite
from nystheory.lowrank import _norms

# Above this size the best approximation of small rank is found by Lanczos.
DENSE_EIGEN = 1500
# How far beyond eigenvalue k one may be that Lanczos has missed, relative to the first.
MISSED = 1e-10


def leading_pairs(K, k):
    """The k largest eigenvalues of K, largest first, and orthonormal eigenvectors.

    Without those that are zero up to rounding.
    """
    values, vectors = _dense_pairs(K, k) if K.n <= DENSE_EIGEN else _lanczos_pairs(K, k)
    order = np.argsort(-values)
    floor = K.n * np.finfo(np.float64).eps * max(values.max(), 0)
    digits = np.finfo(getattr(K, "dtype", np.float64)).eps / np.finfo(np.float64).eps
    _semidefinite.not_negative(values, 100 * digits * floor, "an eigenvalue")
    keep = order[values[order] > floor]
    return values[keep], vectors[:, keep]


def _dense_pairs(K, k):
    dense = K.dense().astype(np.float64, copy=False)
    last = [K.n - k, K.n - 1]
    return scipy.linalg.eigh(dense, subset_by_index=last, overwrite_a=True)


def _lanczos_pairs(K, k):
    if k > K.n // 20:
        return _dense_pairs(K, k)
    # Stored where it fits: hundreds of products would compute it anew each time.
    stored = K.dense() if 8 * K.n**2 <= _norms.KEEP_BYTES else K
    start = _norms.start_vector(K.n)
    if not np.any(stored @ start):  # the zero matrix, on which Lanczos does not start
        return np.zeros(1), np.zeros((K.n, 1))
    operator = LinearOperator(K.shape, matvec=stored.__matmul__, dtype=np.float64)
    values, vectors = eigsh(operator, k, which="LA", v0=start)
    if _missed(stored, values, vectors) > values.min() + MISSED * values.max():
        return _dense_pairs(K, k)
    return values, vectors


def _missed(K, values, vectors):
    """The largest eigenvalue of what is left: of a copy that a single start misses."""

    def left(v):
        return K @ v - vectors @ (values * (vectors.T @ v))

    start = _norms.start_vector(len(vectors))[::-1].copy()
    if not np.any(left(start)):
        return 0.0
    operator = LinearOperator(K.shape, matvec=left, dtype=np.float64)
    return float(
        eigsh(operator, 1, which="LA", v0=start, tol=1e-6, return_eigenvectors=False)[0]
    )
