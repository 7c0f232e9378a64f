"""A matrix that is known by its factors: what can be computed with it."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import LinearOperator

from nystheory import _checks, _semidefinite
from nystheory.kernels import (
    DenseKernel,
    Index,
    KernelMatrix,
    row_blocks,
    same_matrix,
)
from nystheory.kernels._base import _one_side, is_kernel


class Factored:
    """What a low-rank approximation and a mixture of them can do alike.

    A class that inherits from it has n, the number of points; `factor_pair`, A and B of
    shape (n, m) with ``A B^T`` the approximation; `factor`, F with ``F F^T``; and
    `kernel`, the K that it approximates, or None.

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> near = nystrom([[2.0, 1.0], [1.0, 1.0]], [0])
    >>> near.shape, near @ [2.0, 0.0], near.diagonal()
    ((2, 2), array([4., 2.]), array([2. , 0.5]))
    """

    @property
    def shape(self) -> tuple[int, int]:
        """``(n, n)``."""
        return self.n, self.n

    def of(self, K: KernelMatrix | np.ndarray) -> KernelMatrix:
        """K as a kernel matrix, if it is the one that is approximated.

        Parameters
        ----------
        K : KernelMatrix or array_like (n, n)

        Returns
        -------
        KernelMatrix

        Raises
        ------
        ValueError, TypeError
            If it is another matrix, of the same size or not, or was changed since.

        Notes
        -----
        Nothing for the same object; else as `kernels.same_matrix`.

        Examples
        --------
        >>> from nystheory.lowrank import nystrom
        >>> nystrom(np.eye(2), [0]).of(2 * np.eye(2))
        Traceback (most recent call last):
        ValueError: K: expected the matrix that was approximated, \
DenseKernel(stored, n=2), got another one: DenseKernel(stored, n=2)
        """
        if not is_kernel(K):
            K = DenseKernel._of_checked(_semidefinite.symmetric(K))
        if K.n != self.n:
            raise ValueError(f"K: expected shape {(self.n, self.n)}, got {K.shape}")
        if self.kernel is not None and not same_matrix(self.kernel, K):
            raise ValueError(
                f"K: expected the matrix that was approximated, {self.kernel!r}, got "
                f"another one: {K!r}"
            )
        return K

    def spectral_reconstruction(self) -> np.ndarray:
        """``A B^T``, all of it: for a LowRank ``U Sigma U^T``, equation (2.5) of [1]_.

        Returns
        -------
        ndarray (n, n)
            Symmetric; positive semidefinite but for a mixture with negative weights.

        Notes
        -----
        Costs n^2 m operations and n^2 words; K is not read.

        References
        ----------
        .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
           thesis, New York University, 2010, equations (2.5) and (4.1).

        Examples
        --------
        >>> from nystheory.lowrank import nystrom
        >>> nystrom([[2.0, 1.0], [1.0, 1.0]], [0]).spectral_reconstruction().round(12)
        array([[2. , 1. ],
               [1. , 0.5]])
        """
        return self.factor_pair[0] @ self.factor_pair[1].T

    def __matmul__(self, B: np.ndarray) -> np.ndarray:
        """The approximation times B, (n,) or (n, q): 4 n m q operations."""
        B = _checks.rows(B, self.n).astype(np.float64, copy=False)
        left, right = self.factor_pair
        return left @ (right.T @ B)

    def diagonal(self) -> np.ndarray:
        """The diagonal of the approximation.

        Returns
        -------
        ndarray (n,)

        Notes
        -----
        Costs 2 n m operations; K is not read.  The book's own.

        Examples
        --------
        >>> from nystheory.lowrank import nystrom
        >>> nystrom(np.diag([3.0, 2.0]), [0]).diagonal().tolist()
        [3.0, 0.0]
        """
        left, right = self.factor_pair
        return np.einsum("ij,ij->i", left, right, dtype=np.float64)

    def block(self, rows: Index, columns: Index) -> np.ndarray:
        """Rows and columns of the approximation, without the rest of it.

        Parameters
        ----------
        rows : sequence of int, length a, or slice
        columns : sequence of int, length b, or slice

        Returns
        -------
        ndarray (a, b)

        Raises
        ------
        IndexError, ValueError, TypeError
            If a row or a column is not one of the n.

        Notes
        -----
        Costs 2 a b m operations; K is not read.  The book's own.

        Examples
        --------
        >>> from nystheory.lowrank import nystrom
        >>> near = nystrom(np.diag([3.0, 2.0, 1.0]), [0, 1])
        >>> near.block([1, 2], slice(0, 2)).tolist()
        [[0.0, 2.0], [0.0, 0.0]]
        """
        left, right = self.factor_pair
        with _checks.told_as("K[...] rows", "rows"):
            rows = _one_side(rows, self.n, "rows")
        with _checks.told_as("K[...] columns", "columns"):
            columns = _one_side(columns, self.n, "columns")
        return left[rows] @ right[columns].T

    def solve(self, B: np.ndarray, alpha: float) -> np.ndarray:
        """``(alpha I + F F^T)^-1 B``, by the Woodbury identity.

        Parameters
        ----------
        B : array_like (n,) or (n, q)
        alpha : float
            The ridge, above 0.

        Returns
        -------
        ndarray, the shape of B

        Raises
        ------
        ValueError, TypeError
            If alpha is not above 0, B has other rows or is not finite, or a weight of a
            mixture is negative.

        Notes
        -----
        ``(B - F (alpha I + F^T F)^-1 F^T B) / alpha``: ``n m^2 + m^3 / 3 + 4 n m q``
        operations.  The relative error is of order eps times the condition number
        ``1 + |F|^2 / alpha``.  The identity is
        ``theorems["talwalkar2010:ensemble-woodbury"]``.

        Examples
        --------
        >>> from nystheory.lowrank import nystrom
        >>> nystrom(np.diag([3.0, 2.0]), [0]).solve([4.0, 1.0], alpha=1.0).tolist()
        [1.0, 1.0]
        """
        alpha = _checks.positive(alpha, "alpha")
        B = _checks.rows(B, self.n).astype(np.float64, copy=False)
        F = self.factor.astype(np.float64, copy=False)
        if F.shape[1] == 0:
            return B / alpha
        return (B - F @ scipy.linalg.cho_solve(_core(F, alpha), F.T @ B)) / alpha

    def logdet(self, alpha: float) -> float:
        """``log det(alpha I + F F^T)``.

        Parameters
        ----------
        alpha : float
            The ridge, above 0.

        Returns
        -------
        float

        Raises
        ------
        ValueError, TypeError
            If alpha is not above 0, or a weight of a mixture is negative.

        Notes
        -----
        ``(n - m) log alpha + log det(alpha I + F^T F)``: n m^2 operations.  Of K itself
        it is a lower bound where the approximation is below K:
        ``theorems["modern:log-determinant"]``.

        Examples
        --------
        >>> from nystheory.lowrank import nystrom
        >>> bool(np.isclose(nystrom(np.diag([3.0, 2.0]), [0]).logdet(1.0), np.log(4)))
        True
        """
        alpha = _checks.positive(alpha, "alpha")
        F = self.factor.astype(np.float64, copy=False)
        core = np.log(np.diag(_core(F, alpha)[0])).sum() if F.shape[1] else 0.0
        return float((self.n - F.shape[1]) * np.log(alpha) + 2 * core)

    def inverse_diagonal(self, alpha: float) -> np.ndarray:
        """The diagonal of ``(alpha I + F F^T)^-1``.

        Parameters
        ----------
        alpha : float
            The ridge, above 0.

        Returns
        -------
        ndarray (n,)
            Each between ``1 / (alpha + |F_i|^2)``, with the rows F_i, and 1 / alpha.

        Raises
        ------
        ValueError, TypeError
            If alpha is not above 0, or ``F^T F + alpha I`` has no Cholesky factor, as
            ``F^T F`` is singular and alpha below its rounding, or a weight of a mixture
            is negative.

        Notes
        -----
        ``(1 - F_i (alpha I + F^T F)^-1 F_i^T) / alpha``, the Woodbury identity entry by
        entry: ``2 n m^2 + m^3 / 3`` operations and n m words.  That ``F^T F`` is formed
        leaves an error of order ``eps (1 + |F|_2^2 / alpha) / alpha``.  What leaving a
        point out of ridge regression does is read off it.  The identity is
        ``theorems["talwalkar2010:ensemble-woodbury"]``.

        Examples
        --------
        >>> from nystheory.lowrank import nystrom
        >>> nystrom(np.diag([3.0, 2.0]), [0]).inverse_diagonal(1.0).tolist()
        [0.25, 1.0]
        """
        alpha = _checks.positive(alpha, "alpha")
        F = self.factor.astype(np.float64, copy=False)
        lengths = np.einsum("ij,ij->i", F, F)
        if F.shape[1]:
            L = _core(F, alpha)[0]
            half = scipy.linalg.solve_triangular(L, F.T, lower=True)
            explained = np.einsum("ji,ji->i", half, half)
        else:
            explained = lengths
        # By the inequality of Cauchy and Schwarz no entry is below this one.
        return np.maximum((1 - explained) / alpha, 1 / (alpha + lengths))

    def to_linear_operator(self) -> LinearOperator:
        """The approximation as SciPy's solvers take it.

        Returns
        -------
        scipy.sparse.linalg.LinearOperator (n, n)

        Notes
        -----
        A product costs 4 n m operations; K is not read.  The book's own.

        Examples
        --------
        >>> from scipy.sparse.linalg import eigsh
        >>> from nystheory.lowrank import nystrom
        >>> near = nystrom(np.diag([3.0, 2.0, 1.0]), [0, 1])
        >>> eigsh(near.to_linear_operator(), 1, v0=np.ones(3))[0].round(9).tolist()
        [3.0]
        """
        times = self.__matmul__
        return LinearOperator(self.shape, times, times, times, np.float64, times)


def _core(F, alpha):
    """The Cholesky factor of ``alpha I + F^T F``, as `cho_solve` takes it."""
    core = np.zeros((F.shape[1], F.shape[1]))
    for rows in row_blocks(*F.shape):  # those of float32 are summed in float64
        part = F[rows].astype(np.float64, copy=False)
        core += part.T @ part
    size = float(core.trace())
    core[np.diag_indices_from(core)] += alpha
    try:
        return scipy.linalg.cho_factor(core, lower=True, overwrite_a=True)
    except np.linalg.LinAlgError:
        raise ValueError(
            f"alpha: expected a ridge above the rounding of F^T F, whose trace is "
            f"{size:.3g}, got {alpha:.3g}"
        ) from None
