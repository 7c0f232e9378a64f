"""Kernel matrices that are stored, and plain arrays that become one."""

from __future__ import annotations

import math
import weakref
import zlib

import numpy as np

from nystheory import _checks, _semidefinite
from nystheory.kernels._base import Counted, KernelMatrix, is_kernel
from nystheory.kernels._blocks import mirror, row_blocks

# Entries that tell whether an array was changed since it was checked.
SEALED = 2**16

# Roundings by which an entry differs that is computed in another block of rows.
ALIKE = 64

# Arrays that passed the check of `as_kernel`, by identity, while they live.
_PASSED: dict[int, _Passed] = {}


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
    ValueError, TypeError
        If the array is not square, not finite or not symmetric up to rounding.

    Examples
    --------
    >>> K = DenseKernel([[2.0, 1.0], [1.0, 1.0]])
    >>> K[:, [1]].tolist(), K.entries_asked
    ([[1.0], [1.0]], 2)
    """

    name = "stored"

    def __init__(self, array: np.ndarray):
        self._array = _semidefinite.symmetric(array, "array")
        self._seal = _sealed(self._array)
        super().__init__(len(self._array), None, self._array.dtype)

    @classmethod
    def _of_checked(cls, array):
        """Of an array that was checked before: nothing is checked again."""
        self = cls.__new__(cls)
        self._array, self._seal = array, _sealed(array)
        Counted.__init__(self, len(array), None, array.dtype)
        return self

    def between(self, others: np.ndarray, own: np.ndarray) -> np.ndarray:
        """The entries between other points and some of its own.

        Parameters
        ----------
        others : array_like (m, n)
            What a stored matrix can know of new points: a row k(x, x_i), i = 1..n, for
            each.
        own : sequence of int, length l
            Indices of its points.

        Returns
        -------
        ndarray (m, l)

        Raises
        ------
        ValueError, TypeError, IndexError
            If they are not finite rows of n entries in the type of the matrix, or not
            its indices.

        Notes
        -----
        Asks for m l entries; the others are only checked to be finite.

        Examples
        --------
        >>> K = DenseKernel([[2.0, 1.0], [1.0, 1.0]])
        >>> K.between([[3.0, 5.0]], [1]).tolist()
        [[5.0]]
        """
        others = _checks.real_array(others, "others", 2)
        if others.shape[1] != self.n:
            raise ValueError(
                f"others: expected rows of {self.n} entries k(x, x_i), since a stored "
                f"matrix knows no points, got shape {others.shape}"
            )
        own = _checks.indices(own, self.n, "own")
        self._count(len(others) * len(own))
        with np.errstate(over="ignore"):
            found = others[:, own].astype(self.dtype, copy=False)
        if not np.isfinite(found).all():
            raise ValueError(
                f"others: expected entries that {self.dtype} has, the type of K, got "
                f"some up to {np.abs(others).max():.3g}"
            )
        return found

    def _same_as(self, other) -> bool:
        """Whether the other holds the same entries, none of them changed since."""
        if not isinstance(other, Counted) or self.shape != other.shape:
            return False
        for each in (self, other):
            if isinstance(each, DenseKernel) and not each._unchanged():
                raise ValueError(
                    "K: expected the array as it was when it was wrapped, got one that "
                    "was changed since; wrap it anew with as_kernel"
                )
        if not isinstance(other, DenseKernel):
            return self._stores(other)
        one, another = self._array, other._array
        return one is another or (
            one.dtype == another.dtype
            and self._seal == other._seal
            and np.array_equal(one, another)
        )

    def _stores(self, other):
        """Whether the entries are those of a kernel of points, up to rounding."""
        digits = max(np.finfo(K.dtype).eps for K in (self, other))
        slack = ALIKE * digits * float(np.abs(self._array.diagonal()).max())
        return all(
            np.abs(self._array[rows] - other._block(rows, slice(None))).max() <= slack
            for rows in row_blocks(self.n, self.n)
        )

    def _unchanged(self) -> bool:
        """Whether the array is as it was when it was wrapped, as far as a sample shows.

        The diagonal and 65536 other entries, evenly spaced.
        """
        return self._seal == _sealed(self._array)

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


def _sealed(array) -> int:
    """A checksum of the diagonal and of entries that are evenly spaced."""
    step = max(1, array.size // SEALED)
    while math.gcd(step, len(array)) > 1:  # or only some columns would be met
        step += 1
    some = array.reshape(-1)[::step] if array.flags.c_contiguous else array.flat[::step]
    told = zlib.crc32(np.ascontiguousarray(some).tobytes())
    return zlib.crc32(np.ascontiguousarray(array.diagonal()).tobytes(), told)


def as_kernel(K: KernelMatrix | np.ndarray) -> KernelMatrix:
    """K as a kernel matrix: passed through if it is one, else checked and wrapped.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
        An array is checked to be square, finite and symmetric, and tried for
        semidefiniteness, up to rounding relative to its size.  It is not copied.

    Returns
    -------
    KernelMatrix

    Raises
    ------
    ValueError, TypeError
        If the array fails a check; the message says where.

    Notes
    -----
    *Assumed, not proved, above 1000 points*: that K is semidefinite.  Up to there all
    of K is factored; above, all pairs of points and a sample of 1000 points are tried,
    and what an algorithm meets later on its way is an error there.  Costs one pass over
    the n^2 words and 1000^3 / 3 operations at most.  An array is checked once as long
    as it lives and is not changed, so it may be passed again and again.  The check is
    the book's own.

    Examples
    --------
    >>> as_kernel([[2.0, 1.0], [1.0, 1.0]])
    DenseKernel(stored, n=2)
    """
    if is_kernel(K):
        return K
    if id(K) in _PASSED and _PASSED[id(K)]() is not None:
        kernel = DenseKernel._of_checked(K)
        if kernel._seal == _PASSED[id(K)].seal:
            return kernel
    kernel = DenseKernel._of_checked(_semidefinite.symmetric(K))
    _semidefinite.semidefinite(kernel._array)
    if kernel._array is K:
        _PASSED[id(K)] = _Passed(K, kernel._seal)
    return kernel


class _Passed(weakref.ref):
    """A checked array, which is forgotten when it is gone, and its seal."""

    __slots__ = ("key", "seal")

    def __new__(cls, array, seal):
        self = super().__new__(cls, array, _forget)
        self.key, self.seal = id(array), seal
        return self

    def __init__(self, array, seal):
        super().__init__(array, _forget)


def _forget(passed):
    _PASSED.pop(passed.key, None)
