"""Norms of K - A B^T: the machinery behind `LowRank.error`."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import LinearOperator, eigsh

from nystheory.kernels import row_blocks

# Up to this size the spectral norm comes from all eigenvalues, above from Lanczos.
DENSE_SPECTRAL = 1000

# The residual is kept between Lanczos steps where it fits: in float64 if that takes
# no more bytes than this, else in float32 (a relative error of 1e-7 of the residual
# itself, not of K), else it is computed anew in each step.
KEEP_BYTES = 2 * 10**9

# Bound on the relative error of the spectral norm; mostly it is far smaller.
LANCZOS_TOLERANCE = 1e-6


class Residual:
    """``E = K - A B^T`` with A and B of shape (n, k)."""

    def __init__(self, K, A, B, *, symmetric):
        self._K, self._n, self._symmetric = K, K.n, symmetric
        self._A = A.astype(np.float64, copy=False)
        self._B = B.astype(np.float64, copy=False)

    def frobenius(self) -> float:
        """Blocks of rows, right of the diagonal only where E is symmetric."""
        total = 0.0
        for rows in row_blocks(self._n, self._n):
            if not self._symmetric:
                total += _squares(self._rows(rows, slice(None)))
                continue
            total += _squares(self._rows(rows, rows))
            if rows.stop < self._n:
                total += 2 * _squares(self._rows(rows, slice(rows.stop, None)))
        return float(np.sqrt(total))

    def trace(self) -> float:
        """The sum of all singular values."""
        return float(np.abs(self._spectrum()).sum())

    def spectral(self) -> float:
        """The largest singular value."""
        if self._n <= DENSE_SPECTRAL:
            return float(np.abs(self._spectrum()).max())
        return self._lanczos()

    def _spectrum(self):
        E = self._dense()
        if self._symmetric:
            return scipy.linalg.eigvalsh(E, overwrite_a=True, check_finite=False)
        return scipy.linalg.svdvals(E, overwrite_a=True, check_finite=False)

    def _dense(self):
        E = self._K.dense().astype(np.float64, copy=False)
        E -= self._A @ self._B.T
        return E

    def _rows(self, rows, columns):
        E = self._K[rows, columns].astype(np.float64, copy=False)
        E -= self._A[rows] @ self._B[columns].T
        return E

    def _lanczos(self):
        n = self._n
        times, times_transposed, unit = self._products()
        start = start_vector(n)
        if not np.any(times(start)):
            return 0.0
        if self._symmetric:
            operator = LinearOperator((n, n), matvec=times, dtype=np.float64)
        else:
            operator = LinearOperator(
                (n, n), matvec=lambda v: times_transposed(times(v)), dtype=np.float64
            )
        value = eigsh(
            operator,
            1,
            which="LM",
            v0=start,
            ncv=min(n, 32),
            tol=LANCZOS_TOLERANCE,
            return_eigenvectors=False,
        )[0]
        return float(unit * (abs(value) if self._symmetric else np.sqrt(abs(value))))

    def _products(self):
        """Products with E/unit and its transpose, and the unit, the mean of diag K."""
        n, K, A, B = self._n, self._K, self._A, self._B
        unit = float(np.mean(K.diagonal(), dtype=np.float64)) or 1.0
        if 4 * n * n > KEEP_BYTES:
            return (
                lambda v: (K @ v - A @ (B.T @ v)) / unit,
                lambda v: (K @ v - B @ (A.T @ v)) / unit,
                unit,
            )
        E = np.empty((n, n), np.float64 if 8 * n * n <= KEEP_BYTES else np.float32)
        for rows in row_blocks(n, n):
            E[rows] = self._rows(rows, slice(None)) / unit
        return lambda v: E @ v.astype(E.dtype), lambda v: E.T @ v.astype(E.dtype), unit


def start_vector(n: int) -> np.ndarray:
    """The fixed start of every Lanczos iteration, so that results reproduce, (n,)."""
    return np.random.default_rng(0).standard_normal(n)


def _squares(E):
    return float(np.vdot(E, E))
