"""What a kernel matrix is: the protocol, and the indexing and counting behind it."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np

from nystheory import _checks

# Threads may ask the same kernel at once, and no entry may go uncounted.
_COUNTING = Lock()

# Roundings of an entry, in eps of its type and beside those of long sums: 13 is the
# most that was seen of any kernel, any landmarks and either precision.
FEW = 16

Index: TypeAlias = slice | Sequence[int] | np.ndarray


@runtime_checkable
class KernelMatrix(Protocol):
    """What every function of the package asks of a symmetric matrix K.

    Attributes
    ----------
    n : int
        Number of points.
    shape : tuple of int
        ``(n, n)``.
    points : ndarray (n, d) or None
        The points behind K, where there are any.
    entries_asked : int
        Entries read so far: rows times columns of each block, n for the
        diagonal, n^2 for a product.  A repeated entry counts again.

    Examples
    --------
    >>> from nystheory.kernels import linear
    >>> K = linear([[1.0], [2.0]])
    >>> isinstance(K, KernelMatrix)
    True
    >>> K.diagonal().tolist(), K.entries_asked
    ([1.0, 4.0], 2)
    """

    n: int
    shape: tuple[int, int]
    points: np.ndarray | None
    entries_asked: int

    def diagonal(self) -> np.ndarray:
        """The diagonal of K.

        Returns
        -------
        ndarray (n,)

        Notes
        -----
        The n entries of the diagonal, O(n d) operations for points.

        Examples
        --------
        >>> from nystheory import kernels
        >>> kernels.as_kernel([[2.0, 1.0], [1.0, 1.0]]).diagonal().tolist()
        [2.0, 1.0]
        """

    def __getitem__(self, key: tuple[Index, Index]) -> np.ndarray:
        """``K[rows, columns]``, always a 2-d copy; outer indexing, as `numpy.ix_`."""

    def __matmul__(self, B: np.ndarray) -> np.ndarray:
        """``K @ B`` for B of shape (n, m)."""

    def dense(self) -> np.ndarray:
        """All of K, exactly symmetric.

        Returns
        -------
        ndarray (n, n)

        Raises
        ------
        MemoryError
            If n^2 words are more than there are.

        Notes
        -----
        All n^2 entries, and as many words.

        Examples
        --------
        >>> from nystheory import kernels
        >>> kernels.linear([[1.0], [2.0]]).dense().tolist()
        [[1.0, 2.0], [2.0, 4.0]]
        """


def same_matrix(K: KernelMatrix, other: KernelMatrix) -> bool:
    """Whether two kernel matrices are known to be the same.

    Parameters
    ----------
    K, other : KernelMatrix

    Returns
    -------
    bool
        True for one object, for one rule with the same parameters on equal points, for
        stored arrays of equal entries, and for a stored array with the entries of a
        kernel of points, up to rounding.  Of a kernel of another class only the object
        itself is the same.

    Raises
    ------
    ValueError, TypeError
        If a stored array was changed since it was wrapped, or one is no kernel matrix.

    Notes
    -----
    Costs nothing for one object; else one comparison of the points, n d, or of the
    entries, n^2.  None of them is counted.  The book's own: a certificate of one kernel
    says nothing of another, however alike their diagonals are.

    Examples
    --------
    >>> from nystheory.kernels import rbf
    >>> X = [[0.0], [1.0]]
    >>> same_matrix(rbf(X, 1.0), rbf(X, 1.0)), same_matrix(rbf(X, 1.0), rbf(X, 2.0))
    (True, False)
    """
    for name, each in (("K", K), ("other", other)):
        if not is_kernel(each):
            raise TypeError(
                f"{name}: expected a kernel matrix, such as as_kernel(K), got "
                f"{_checks.shown(each)}"
            )
    told = getattr(K, "_same_as", None)
    return K is other if told is None else bool(told(other))


def is_kernel(K) -> bool:
    """Whether it is a kernel matrix: our own are told fast.

    >>> is_kernel(np.eye(2))
    False
    """
    return isinstance(K, Counted) or isinstance(K, KernelMatrix)


def digits(K) -> float:
    """The eps of the type in which K has its entries.

    >>> digits(np.eye(2, dtype=np.float32)) == 2.0**-23
    True
    """
    return float(np.finfo(getattr(K, "dtype", np.float64)).eps)


def entry_rounding(K) -> np.ndarray | float:
    """By how much rounding may move entries of K, each e_i of its own point, or one e.

    ``K[i, j]`` is off by ``sqrt(e_i K_ii e_j K_jj)``.  A kernel of points may know of
    more than `FEW` roundings.

    >>> entry_rounding(np.eye(2)) == FEW * 2.0**-52
    True
    """
    told = getattr(K, "_moved", None)
    return FEW * digits(K) + (0.0 if told is None else told())


def entry_error(K) -> np.ndarray | float:
    """The same, of what is said of the kernel of the points themselves.

    It may be more: points that rounded are others, of which K is semidefinite, too.

    >>> entry_error(np.eye(2)) == FEW * 2.0**-52
    True
    """
    told = getattr(K, "_off", None)
    return entry_rounding(K) if told is None else FEW * digits(K) + told()


class Counted:
    """The part that both kinds of kernel matrix share: shape, counter, indexing."""

    name = "kernel matrix"

    def __init__(self, n: int, points: np.ndarray | None, dtype: np.dtype):
        self.n = n
        self.shape = (n, n)
        self.points = points
        self.dtype = dtype
        self.entries_asked = 0

    def _same_as(self, other: KernelMatrix) -> bool:
        """Whether the other is known to be the same matrix."""
        return self is other

    def _count(self, entries):
        with _COUNTING:
            self.entries_asked += entries

    def diagonal(self) -> np.ndarray:
        """The diagonal of K, (n,); reads n entries."""
        self._count(self.n)
        return self._diagonal()

    def __getitem__(self, key: tuple[Index, Index]) -> np.ndarray:
        """``K[rows, columns]`` as a copy; slices and sequences of int on each side."""
        if not (isinstance(key, tuple) and len(key) == 2):
            raise TypeError(f"K[...]: expected K[rows, columns], got K[{key!r}]")
        rows = _one_side(key[0], self.n, "rows")
        columns = _one_side(key[1], self.n, "columns")
        self._count(_length(rows, self.n) * _length(columns, self.n))
        return self._block(rows, columns)

    def __matmul__(self, B: np.ndarray) -> np.ndarray:
        """``K @ B`` for B of shape (n, m) or (n,); n^2 m operations, n^2 entries."""
        B = _checks.rows(B, self.n)
        self._count(self.n**2)
        return self._product(B)

    def dense(self) -> np.ndarray:
        """All of K, (n, n), exactly symmetric; a copy.  n^2 entries."""
        self._count(self.n**2)
        return self._dense()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name}, n={self.n})"

    def _repr_html_(self) -> str:
        from nystheory.style import table

        d = "-" if self.points is None else self.points.shape[1]
        row = (self.name, self.n, d, str(self.dtype), self.entries_asked)
        return table([row], ("kernel", "$n$", "$d$", "type", "entries asked"))


def _one_side(index, n, name):
    """One side of ``K[rows, columns]``: a slice with bounds, or checked indices."""
    if isinstance(index, slice):
        start, stop, step = index.indices(n)
        if step > 0:
            return slice(start, max(start, stop), step)
        return np.arange(start, stop, step)
    return _checks.indices(index, n, f"K[...] {name}")


def _length(index, n):
    return len(range(*index.indices(n))) if isinstance(index, slice) else len(index)
