"""From what a user names to a kernel matrix of the library."""

from __future__ import annotations

import numbers
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.metrics.pairwise import KERNEL_PARAMS, pairwise_kernels
from sklearn.utils.validation import validate_data

from nystheory import _checks
from nystheory._progress import counter
from nystheory.kernels import (
    KernelMatrix,
    as_kernel,
    linear,
    pairwise,
    rbf,
    row_blocks,
)
from nystheory.kernels._base import Counted
from nystheory.kernels._points import NO_KERNELS, PointKernel, _parameter, _tried

# Kernels by name, and the parameters that each takes.
NAMES = {name: KERNEL_PARAMS[name] for name in sorted({*KERNEL_PARAMS} - {*NO_KERNELS})}
# Those of them that scikit-learn computes of sparse points.
OF_SPARSE = tuple(name for name in NAMES if name != "chi2")
# The types that features keep.
KEPT = (np.float64, np.float32)


def validated(estimator, X, *, copy, reset):
    """X as scikit-learn checks it, and without masked entries, which it ignores.

    Words, which it converts, are no points.
    """
    if isinstance(X, Counted):
        raise TypeError(
            f"X: expected an array, got {X!r}; pass K.dense() with "
            f"kernel='precomputed', or use lowrank.nystrom(K, ...)"
        )
    if X is None or isinstance(X, numbers.Number):
        raise TypeError(f"X: expected points, one a row, got {X!r}")
    if np.ma.is_masked(X):
        raise ValueError("X: expected no masked entries; fill them, or drop rows")
    X = _checks.without_words(X, "X")
    if isinstance(X, np.ndarray):  # scikit-learn's words, without all of the entries
        if X.dtype.kind == "c":
            raise ValueError(f"X: Complex data not supported, got {X.dtype}")
        if X.ndim < 2:
            raise ValueError(
                f"X: expected 2 dimensions, got an array of shape {X.shape}. Reshape "
                "your data: X.reshape(-1, 1) for one coordinate, (1, -1) for one point"
            )
    how = dict(accept_sparse="csr", dtype=KEPT, copy=copy, reset=reset)
    try:
        return validate_data(estimator, X, **how)
    except (TypeError, OverflowError) as error:  # the latter of integers of many digits
        if "X" in str(error):
            raise
        raise TypeError(f"X: expected an array of numbers, got {error}") from None
    except ValueError as error:  # words among the numbers
        if not str(error).startswith("could not convert string"):
            raise
        raise ValueError(f"X: expected an array of numbers, {error}") from None


def kernel_matrix(X, kernel: Any, direct: dict, more: dict | None) -> KernelMatrix:
    """The kernel matrix of the points X; X itself where it is precomputed.

    `direct` holds gamma, coef0 and degree, None where they were not given, and `more`
    what the user passes on to the kernel.
    """
    _known(kernel)
    params = _parameters(X, kernel, direct, more)
    if kernel == "precomputed":
        X = X.toarray() if sparse.issparse(X) else X
        with _checks.told_as("K", "X"):
            return as_kernel(X)
    with _checks.told_as("metric", "kernel"):
        if sparse.issparse(X):
            return SparseKernel.of(X, kernel, params)
        if kernel == "rbf":
            return rbf(X, params["gamma"])
        return linear(X) if kernel == "linear" else pairwise(X, kernel, **params)


def point_blocks(K: KernelMatrix, X, width: int) -> Iterator[tuple[slice, Any]]:
    """X in blocks of rows, as ``K.between`` takes them, for `width` entries each.

    A block of entries, or of sparse points that are made dense, has about 32 MB.
    """
    if isinstance(K, SparseKernel):
        X = sparse.csr_array(X)
    thin = sparse.issparse(X) and not isinstance(K, SparseKernel)
    blocks = row_blocks(X.shape[0], max(width, thin * X.shape[1]))
    if len(blocks) == 1:
        yield blocks[0], X.toarray() if thin else X
        return
    with counter("points", X.shape[0]) as bar:
        for rows in blocks:
            yield rows, X[rows].toarray() if thin else X[rows]
            bar.update(rows.stop - rows.start)


def _known(kernel):
    """Raise unless it is a function, or a name of a semidefinite kernel."""
    if callable(kernel):
        return
    if not isinstance(kernel, str):
        raise TypeError(
            "kernel: expected a name, a function of two points or 'precomputed', got "
            f"{_checks.shown(kernel)}"
        )
    if kernel in NO_KERNELS and kernel != "precomputed":
        raise ValueError(
            f"kernel: expected a positive semidefinite one, got {kernel!r}: "
            f"{NO_KERNELS[kernel]}"
        )
    _checks.choice(kernel, "kernel", (*NAMES, "precomputed"))


def _parameters(X, kernel, direct, more):
    """The parameters of the kernel, by name; the user's dict is not modified."""
    if more is not None and not isinstance(more, dict):
        raise TypeError(f"kernel_params: expected a dict, got {_checks.shown(more)}")
    direct, more = _given(direct), dict(more or {})
    if not callable(kernel) and kernel != "precomputed":
        return _of_name(X, kernel, direct, more)
    if direct:
        raise ValueError(
            f"{next(iter(direct))}: expected None for a function, which takes "
            "kernel_params, or a precomputed kernel"
        )
    if more and kernel == "precomputed":
        raise ValueError("kernel_params: expected None for a precomputed kernel")
    return more


def _given(values):
    return {name: value for name, value in values.items() if value is not None}


def _of_name(X, kernel, direct, more):
    """Parameters that a kernel by name takes; of the direct ones it ignores others."""
    takes = NAMES[kernel]
    if strange := sorted(set(more) - set(takes)):
        raise ValueError(
            f"kernel_params: expected parameters of the {kernel} kernel, "
            f"{sorted(takes)}, got {strange[0]!r}"
        )
    params = _given({name: direct.get(name, more.get(name)) for name in takes})
    if kernel == "rbf":
        params.setdefault("gamma", 1 / X.shape[1])
    for name, value in params.items():
        if name == "gamma" and isinstance(value, str):
            params[name] = _scale(X, value)
        else:
            params[name] = _checks.as_number(value, name)
    return params


def _scale(X, gamma):
    """``1 / (d Var X)``, as scikit-learn's SVC takes it."""
    _checks.choice(gamma, "gamma", ("scale",))
    if sparse.issparse(X):
        mean, count = float(X.mean(dtype=np.float64)), X.shape[0] * X.shape[1]
        stored = np.square(X.data.astype(np.float64) - mean).sum()
        variance = float(stored + (count - X.nnz) * mean**2) / count
    else:
        variance = float(X.var(dtype=np.float64))
    return 1 / (X.shape[1] * variance) if variance > 0 else 1.0


class SparseKernel(Counted):
    """A kernel matrix of sparse points, by scikit-learn's functions."""

    _product, _dense = PointKernel._product, PointKernel._dense

    def __init__(self, X, metric: Any, params: dict):
        super().__init__(X.shape[0], None, X.dtype)
        self._X, self.metric, self.parameters = X, metric, params
        self.name = f"{getattr(metric, '__name__', metric)}, sparse points"

    @classmethod
    def of(cls, X, metric: Any, params: dict) -> SparseKernel:
        """Of a kernel that takes sparse points and is semidefinite on some of them."""
        if not callable(metric):
            _checks.choice(metric, "kernel (of sparse X)", OF_SPARSE)
            for name, value in params.items():
                _parameter(name, value, metric)
        K = cls(X, metric, params)
        _tried(SimpleNamespace(block=K._block), range(K.n), metric, params)
        return K

    def between(self, others, own) -> np.ndarray:
        """The kernel between other points and its own (indices), or points."""
        own = own if own.ndim == 2 else self._X[own]
        if own.shape[1] != self._X.shape[1]:
            raise ValueError(
                f"others: expected points of {self._X.shape[1]} coordinates, got shape "
                f"{own.shape}"
            )
        C = _entries(others, own, self.metric, self.parameters, self.dtype)
        self._count(C.size)
        return C

    def columns_of(self, others) -> tuple[np.ndarray, np.ndarray]:
        """The kernel between its points and others, and among the others."""
        return self.between(self._X, others), self.between(others, others)

    def _block(self, rows, columns):
        X = self._X
        return _entries(X[rows], X[columns], self.metric, self.parameters, self.dtype)

    def _diagonal(self, chunk=64):
        parts = [slice(i, i + chunk) for i in range(0, self.n, chunk)]
        return np.concatenate([self._block(part, part).diagonal() for part in parts])


def _entries(left, right, metric, params, dtype):
    if not (left.shape[0] and right.shape[0]):  # scikit-learn rejects it
        return np.empty((left.shape[0], right.shape[0]), dtype=dtype)
    K = pairwise_kernels(left, right, metric=metric, **params)
    return np.ascontiguousarray(K, dtype=dtype)
