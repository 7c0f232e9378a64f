"""Kernel matrices that are stored, and plain arrays that become one."""

from __future__ import annotations

import numpy as np

from nystheory import _checks
from nystheory.kernels._base import Counted, KernelMatrix
from nystheory.kernels._blocks import mirror


class DenseKernel(Counted):
    """A kernel matrix that is stored.

    The array is checked to be square, finite and symmetric, not copied, and never
    modified.  It is *not* checked to be semidefinite: that is what `as_kernel`
    adds, and what is left out here for matrices that are meant to fail.

    Parameters
    ----------
    array : array_like (n, n)

    Raises
    ------
    ValueError
        If the array is not square, not finite or not symmetric up to rounding.

    Examples
    --------
    >>> K = DenseKernel([[2.0, 1.0], [1.0, 1.0]])
    >>> K[:, [1]].tolist(), K.entries_asked
    ([[1.0], [1.0]], 2)
    """

    name = "stored"

    def __init__(self, array: np.ndarray):
        self._array = _checks.symmetric(array)
        super().__init__(len(self._array), None, self._array.dtype)

    def _diagonal(self):
        return self._array.diagonal().copy()

    def _block(self, rows, columns):
        # Two steps of which the second is a plain take keep the block in row-major
        # order; the mixed index a[:, columns] would transpose its memory.
        if isinstance(columns, slice):
            return np.array(self._array[rows, columns], order="C")
        return np.take(self._array[rows], columns, axis=1)

    def _product(self, B):
        return self._array @ B

    def _dense(self):
        return mirror(self._array.copy())


def as_kernel(K: KernelMatrix | np.ndarray) -> KernelMatrix:
    """K as a kernel matrix: passed through if it is one, else checked and wrapped.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
        An array is checked to be square, finite, symmetric and positive
        semidefinite, up to rounding relative to its size.  It is not copied.

    Returns
    -------
    KernelMatrix

    Raises
    ------
    ValueError
        If the array fails a check; the message gives the most negative eigenvalue.

    Notes
    -----
    Semidefinite by a Cholesky factorisation of K with a small shift, the book's own
    check.  It costs n^3/3 operations and n^2 words.  Every function of the package
    calls `as_kernel`, so call it once yourself when one array is used many times.

    Examples
    --------
    >>> as_kernel([[2.0, 1.0], [1.0, 1.0]])
    DenseKernel(stored, n=2)
    """
    if isinstance(K, KernelMatrix):
        return K
    kernel = DenseKernel(K)
    _checks.semidefinite(kernel._array)
    return kernel
