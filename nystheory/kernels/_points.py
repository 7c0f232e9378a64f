"""Kernel matrices of points: entries are computed when they are asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from nystheory import _checks
from nystheory.kernels import _rules
from nystheory.kernels._base import Counted
from nystheory.kernels._blocks import mirror, row_blocks


class PointKernel(Counted):
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
        return mirror(K)


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

    Notes
    -----
    The values are those of scikit-learn's ``linear_kernel``.

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
