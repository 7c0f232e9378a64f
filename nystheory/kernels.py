"""What is K?  Positive semidefinite kernel matrices that give entries on demand.

A kernel matrix gives blocks, its diagonal and products; a plain array becomes one
with `as_kernel`.  Every entry that is asked for is counted, since entries of K are
what a method that samples columns saves.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from nystheory import _checks, _rules

# Rows of a point kernel that are evaluated at a time in products, in bytes.
BLOCK_BYTES = 2**25

# Threads may ask the same kernel at once, and no entry may go uncounted.
_COUNTING = Lock()

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
        Entries asked for so far: rows times columns of each block, n for the
        diagonal, n^2 for a product.  A repeated entry counts again.

    Examples
    --------
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
        """The diagonal of K, (n,)."""

    def __getitem__(self, key: tuple[Index, Index]) -> np.ndarray:
        """``K[rows, columns]``, always a 2-d copy; outer indexing, as `numpy.ix_`."""

    def __matmul__(self, B: np.ndarray) -> np.ndarray:
        """``K @ B`` for B of shape (n, m)."""

    def dense(self) -> np.ndarray:
        """All of K, (n, n), exactly symmetric."""


class _Counted:
    """The part that both kinds of kernel matrix share: shape, counter, indexing."""

    name = "kernel matrix"

    def __init__(self, n: int, points: np.ndarray | None, dtype: np.dtype):
        self.n = n
        self.shape = (n, n)
        self.points = points
        self.dtype = dtype
        self.entries_asked = 0

    def _count(self, entries):
        with _COUNTING:
            self.entries_asked += entries

    def diagonal(self) -> np.ndarray:
        """The diagonal of K, (n,); asks for n entries."""
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
        B = np.asarray(B)
        if B.ndim not in (1, 2) or len(B) != self.n:
            raise ValueError(f"K @ B: expected {self.n} rows in B, got shape {B.shape}")
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


class DenseKernel(_Counted):
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
        return _mirror(self._array.copy())


class PointKernel(_Counted):
    """A kernel matrix whose entries are computed from points when they are asked for.

    Made by `rbf`, `linear` and `pairwise`.

    Parameters
    ----------
    points : ndarray (n, d)
    rule : object
        ``rule.block(rows, columns)`` gives the entries as a fresh row-major array,
        ``rule.diagonal()`` the diagonal, ``rule.on(points)`` the rule for other points.
    name : str
        Shown by ``repr``.

    Examples
    --------
    >>> K = rbf([[0.0], [1.0], [3.0]])
    >>> isinstance(K, PointKernel), K.shape, K.points.shape
    (True, (3, 3), (3, 1))
    """

    def __init__(self, points: np.ndarray, rule: Any, name: str):
        super().__init__(len(points), points, points.dtype)
        self._rule = rule
        self.name = name

    def columns_of(self, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The kernel between its points and others, and among the others.

        Parameters
        ----------
        others : array_like (m, d)
            Points that need not be rows of X: centroids, or test points.

        Returns
        -------
        ndarray (n, m), ndarray (m, m)
            n m + m^2 entries.

        Raises
        ------
        ValueError
            If they are not finite points of d coordinates.

        Examples
        --------
        >>> C, W = linear([[1.0], [2.0]]).columns_of([[3.0]])
        >>> C.tolist(), W.tolist()
        ([[3.0], [6.0]], [[9.0]])
        """
        others = _checks.real_array(others, "others", 2)
        if others.shape[1] != self.points.shape[1]:
            raise ValueError(
                f"others: expected points of {self.points.shape[1]} coordinates, "
                f"got shape {others.shape}"
            )
        n = self.n
        both = self._rule.on(np.vstack([self.points, others.astype(self.dtype)]))
        entries = both.block(slice(None), slice(n, n + len(others)))
        self._count(entries.size)
        return entries[:n], entries[n:]

    def _diagonal(self):
        return self._rule.diagonal()

    def _block(self, rows, columns):
        return self._rule.block(rows, columns)

    def _product(self, B):
        result = np.empty(B.shape, dtype=np.result_type(self.dtype, B.dtype))
        for rows in row_blocks(self.n, self.n, self.dtype.itemsize):
            np.matmul(self._block(rows, slice(None)), B, out=result[rows])
        return result

    def _dense(self):
        K = np.empty(self.shape, dtype=self.dtype)
        for rows in row_blocks(self.n, self.n, self.dtype.itemsize):
            K[rows, rows.start :] = self._block(rows, slice(rows.start, None))
        return _mirror(K)


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
    The check costs n^3/3 operations and n^2 words.  Every function of the package
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


def rbf(X: np.ndarray, gamma: float | None = None) -> PointKernel:
    """The Gaussian kernel matrix ``K[i, j] = exp(-gamma |x_i - x_j|^2)``.

    Parameters
    ----------
    X : array_like (n, d)
        Points, one a row.  float32 points give float32 blocks.
    gamma : float, optional
        Inverse squared length; by default 1 / (d Var X), Var X the variance of all
        entries (scikit-learn's ``gamma="scale"``), and 1 where that is 0.

    Returns
    -------
    PointKernel

    Raises
    ------
    ValueError
        If X is empty or not finite, or gamma is not above 0.

    Notes
    -----
    A block of a rows and b columns costs ``2 a b (d + 2)`` operations and a b
    exponentials, on all cores.  The points are centred first, so that an offset
    does not cost digits, and the diagonal is exactly 1.

    Examples
    --------
    >>> K = rbf([[0.0], [1.0], [3.0]], gamma=1.0)
    >>> K[[0], [0, 1]].round(4).tolist()
    [[1.0, 0.3679]]
    """
    X = _checks.points(X)
    if gamma is None:
        variance = float(X.var(dtype=np.float64))
        gamma = 1 / (X.shape[1] * variance) if variance > 0 else 1.0
    gamma = _checks.positive(gamma, "gamma")
    return PointKernel(X, _rules.Gaussian(X, gamma), f"RBF, gamma={gamma:.3g}")


def linear(X: np.ndarray) -> PointKernel:
    """The linear kernel matrix ``K = X X^T``.

    Parameters
    ----------
    X : array_like (n, d)
        Points, one a row.

    Returns
    -------
    PointKernel
        A block of a rows and b columns costs 2 a b d operations, a product with m
        columns 4 n d m.

    Raises
    ------
    ValueError
        If X is empty or not finite.

    Examples
    --------
    >>> linear([[1.0, 0.0], [1.0, 2.0]]).dense().tolist()
    [[1.0, 1.0], [1.0, 5.0]]
    """
    X = _checks.points(X)
    return PointKernel(X, _rules.Linear(X), "linear")


def pairwise(X: np.ndarray, metric: Any, **params: Any) -> PointKernel:
    """Any kernel of scikit-learn's ``pairwise_kernels``, or a function of two points.

    Parameters
    ----------
    X : array_like (n, d)
        Points, one a row.
    metric : str or callable
        As in `sklearn.metrics.pairwise.pairwise_kernels`, for example
        ``"polynomial"``, ``"laplacian"``, ``"cosine"``.
    **params
        Parameters of the kernel.

    Returns
    -------
    PointKernel
        Cost of a block as that of the metric; the diagonal costs n blocks of one
        entry, in chunks.

    Raises
    ------
    ValueError
        If X is empty or not finite, or scikit-learn does not know the metric.

    Notes
    -----
    Not every kernel there is positive semidefinite (``"sigmoid"`` is not); check
    with ``as_kernel(K.dense())`` on a small sample.

    Examples
    --------
    >>> K = pairwise([[1.0, 0.0], [1.0, 2.0]], "polynomial", degree=2, gamma=1)
    >>> K.dense().tolist()
    [[4.0, 4.0], [4.0, 36.0]]
    """
    X = _checks.points(X)
    if isinstance(metric, str) and metric == "precomputed":
        raise ValueError(
            "metric: expected a kernel of points, got 'precomputed'; "
            "pass the matrix itself to as_kernel"
        )
    rule = _rules.Pairwise(X, metric, params)
    rule.block(slice(0, 1), slice(0, 1))  # an unknown metric fails here, not later
    label = metric if isinstance(metric, str) else getattr(metric, "__name__", "custom")
    shown = "".join(f", {key}={value}" for key, value in params.items())
    return PointKernel(X, rule, f"{label}{shown}")


def row_blocks(n: int, width: int, itemsize: int = 8) -> list[slice]:
    """Slices that cut n rows of `width` entries into blocks of about 32 MB.

    Parameters
    ----------
    n, width, itemsize : int
        Numbers of rows, of entries in a row, of bytes in an entry.

    Returns
    -------
    list of slice
        At least one row each.

    Examples
    --------
    >>> row_blocks(5, 2**21)
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    step = max(1, BLOCK_BYTES // (itemsize * max(1, width)))
    return [slice(i, min(i + step, n)) for i in range(0, n, step)]


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


def _mirror(K):
    """K with its upper triangle copied on the lower one, in place."""
    for rows in row_blocks(len(K), len(K), K.itemsize):
        K[rows.stop :, rows] = K[rows, rows.stop :].T
        block = K[rows, rows]
        block[:] = np.triu(block) + np.triu(block, 1).T
    return K
