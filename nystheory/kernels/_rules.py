"""How entries come from points: the machinery behind `kernels.PointKernel`.

A rule has ``block(rows, columns)``, a fresh row-major array, ``diagonal()``, and
``on(X)``, the same rule for other points.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
from sklearn.gaussian_process.kernels import Kernel as GPKernel
from sklearn.metrics.pairwise import pairwise_kernels
from threadpoolctl import ThreadpoolController

# Up to this dimension squared differences are as cheap as a matrix product, and they
# are exact where points coincide: smooth kernels in few dimensions are the ones whose
# core is nearly singular, where every digit counts.
DIRECT_DIMENSION = 3

# A tile and the exponential over it stay near the core; in smaller ones, which would
# fit the second-level cache, preparing each product costs more than it saves.  So it
# does in tiles of few, long rows.
CACHE_BYTES = 2**22
TILE_WIDTH = 1024

# Points on which the rounding of a product is measured.
MEASURED = 1024

# Digits of float32 that cancel in an exponent, at most: beyond it is one of float64,
# since a matrix of entries that are off by more is not nearly semidefinite.
CANCELLED = 1e-3

# Below this many entries threads cost more than they bring.
THREADED_ENTRIES = 2**16


class Gaussian:
    """Entries ``exp(-gamma |x_i - x_j|^2)`` of the points X, (n, d)."""

    def __init__(self, X: np.ndarray, gamma: float):
        self._gamma = gamma
        self._n = len(X)
        self._dtype = X.dtype
        self._direct = X.shape[1] <= DIRECT_DIMENSION
        # One product [a x, -g|x|^2, 1] . [a y, 1, -g|y|^2] is the whole exponent.
        self._left = self._rows(X, X.dtype)
        if X.dtype == np.float32 and not self._direct:
            largest = -2.0 * float(self._left[:, -2].min())
            if largest * np.finfo(np.float32).eps > CANCELLED:
                self._left = self._rows(X, np.float64)

    def _rows(self, X, dtype):
        d = X.shape[1]
        left = np.empty((self._n, d if self._direct else d + 2), dtype=dtype)
        scaled = left[:, :d]
        # Differences do not see the mean, the expansion |x|^2 + |y|^2 - 2 x.y does:
        # without centring it loses digits in proportion to the squared offset.
        mean = X.mean(axis=0, dtype=np.float64)
        np.subtract(X, mean, out=scaled, casting="same_kind")
        scaled *= np.sqrt(self._gamma if self._direct else 2 * self._gamma)
        if not self._direct:
            # Norms of the rounded rows, so that the three terms belong together.
            norms = np.einsum("ij,ij->i", scaled, scaled, dtype=np.float64)
            left[:, -2] = -0.5 * norms
            left[:, -1] = 1
        return left

    def on(self, X: np.ndarray) -> Gaussian:
        """The same rule for other points."""
        return Gaussian(X, self._gamma)

    def diagonal(self) -> np.ndarray:
        """Ones, (n,)."""
        return np.ones(self._n, dtype=self._dtype)

    def moved(self) -> np.ndarray | float:
        """What the expansion |x|^2 + |y|^2 - 2 x.y adds to the error of entries, (n,).

        The exponent of a point and itself is 0: what the product makes of it is the
        rounding of terms that cancel, in proportion to |x|^2.  The share is measured on
        points of this kernel, since the worst case, gamma_{d+2}, would be many times as
        much; twice the largest, because there are more pairs than points measured.
        Points that are far from another have an entry near 0, with a smaller error.
        """
        if self._direct:  # differences of equal numbers are 0
            return 0.0
        squares = -2.0 * self._left[:, -2].astype(np.float64)
        some = np.unique(np.linspace(0, self._n - 1, MEASURED).astype(np.intp))
        left = self._left[some]
        right = np.hstack([left[:, :-2], left[:, [-1]], left[:, [-2]]])
        own = np.abs((left @ right.T).diagonal()).astype(np.float64)
        share = own / np.maximum(squares[some], np.finfo(np.float64).tiny)
        return 2 * float(share.max()) * squares

    def off(self) -> np.ndarray:
        """How far entries are from those of the given points, (n,).

        To `moved` comes that the centred and scaled points round, twice each: by
        delta = eps |a| together, a the point in units of the kernel's length.  The
        matrix is that of other points then, semidefinite all the same.  An entry
        ``exp(-t^2)`` moves by ``2 t exp(-t^2) (delta_i + delta_j)``, which is at most
        ``2 eps sqrt((1 + |a_i|) (1 + |a_j|))``, since t is ``|a_i| - |a_j|`` or more.
        """
        if self._direct:
            squares = np.einsum("ij,ij->i", self._left, self._left, dtype=np.float64)
        else:
            squares = -self._left[:, -2].astype(np.float64)
        return self.moved() + 2 * np.finfo(self._left.dtype).eps * np.sqrt(squares)

    def block(self, rows, columns) -> np.ndarray:
        """The entries of the rows and columns, a fresh row-major array."""
        left = self._left[rows]
        right = self._left[columns]
        if not self._direct:
            right = right.copy()
            right[:, [-2, -1]] = right[:, [-1, -2]]
        out = np.empty((len(left), len(right)), dtype=self._dtype)
        fill = self._fill_direct if self._direct else self._fill
        _in_tiles(lambda r, c: fill(left[r], right[c], out[r, c]), out)
        if not self._direct:
            out[_coincidences(rows, columns, self._n)] = 1
        return out

    @staticmethod
    def _fill(left, right, out):
        exponents = out if left.dtype == out.dtype else np.empty(out.shape, left.dtype)
        np.matmul(left, right.T, out=exponents)
        if exponents.max() > 0:  # rounding must not push an entry above 1
            np.minimum(exponents, 0, out=exponents)
        np.exp(exponents, out=out, casting="same_kind")

    @staticmethod
    def _fill_direct(left, right, out):
        np.subtract.outer(left[:, 0], right[:, 0], out=out)
        np.multiply(out, out, out=out)
        for j in range(1, left.shape[1]):
            difference = np.subtract.outer(left[:, j], right[:, j])
            difference *= difference
            out += difference
        np.negative(out, out=out)
        np.exp(out, out=out)


class Linear:
    """Entries of X X^T."""

    def __init__(self, X):
        self._X = X

    def on(self, X):
        return Linear(X)

    def block(self, rows, columns):
        return self._X[rows] @ self._X[columns].T

    def diagonal(self):
        # In float64: a sum of many equal numbers rounds the same way again and again.
        told = np.einsum("ij,ij->i", self._X, self._X, dtype=np.float64)
        return told.astype(self._X.dtype)

    def moved(self) -> float:
        """What the sums of inner products add to the error of entries: see `_sums`."""
        return _sums(self._X)

    def off(self) -> float:
        """The same, for sure: d roundings, half an eps each."""
        return _sums_at_most(self._X)


class Pairwise:
    """Entries of one of scikit-learn's kernels."""

    def __init__(self, X, metric, params):
        self._X, self._metric, self._params = X, metric, params

    def on(self, X):
        return Pairwise(X, self._metric, self._params)

    def block(self, rows, columns):
        left, right = self._X[rows], self._X[columns]
        if not (len(left) and len(right)):  # an empty slice, which scikit-learn rejects
            return np.empty((len(left), len(right)), dtype=self._X.dtype)
        if self._metric == "chi2":  # compiled for arrays that can be written to
            left, right = (x if x.flags.writeable else x.copy() for x in (left, right))
        if isinstance(self._metric, GPKernel):
            K = self._metric(left, right)
        else:
            K = pairwise_kernels(left, right, metric=self._metric, **self._params)
        return np.ascontiguousarray(K, dtype=self._X.dtype)

    def moved(self) -> float:
        """As of `Linear`, for each inner product that an entry is a product of."""
        power = self._inner_products()
        return power * _sums(self._X) if power else 0.0

    def off(self) -> float:
        """The same, for sure; of a function nobody knows.

        The distances of other kernels are sums, too: t is off by d roundings of itself,
        ``exp(-t)`` by less.
        """
        if callable(self._metric):
            return 0.0
        return (self._inner_products() or 1) * _sums_at_most(self._X)

    def _inner_products(self):
        """How many an entry is a product of: no sum of positive numbers is more."""
        if self._metric in ("polynomial", "poly"):
            return self._params.get("degree", 3)
        return 2 if self._metric == "cosine" else 0  # with two norms, a half each

    def diagonal(self, chunk=64):
        if isinstance(self._metric, GPKernel):
            return self._metric.diag(self._X).astype(self._X.dtype, copy=False)
        if callable(self._metric):  # n calls, where blocks would take 64 n
            told = [self._metric(x, x, **self._params) for x in self._X]
            return np.array(told, dtype=self._X.dtype)
        parts = [
            self.block(slice(i, i + chunk), slice(i, i + chunk)).diagonal()
            for i in range(0, len(self._X), chunk)
        ]
        return np.concatenate(parts)


def _sums(X):
    """By what share of itself an inner product is off, with room.

    A sum of d numbers is off by ``d eps / 2`` at most, and by much less unless they
    round alike, as equal ones do.  So that is measured, on inner products of points
    with themselves; twice the largest, as for `Gaussian.moved`.
    """
    some = X[np.unique(np.linspace(0, len(X) - 1, MEASURED // 8).astype(np.intp))]
    own = (some @ some.T).diagonal()
    true = [np.square(x.astype(np.longdouble)).sum() for x in some]
    off = [abs(a - b) / b for a, b in zip(own, true, strict=True) if b > 0]
    return 2 * float(max(off, default=0.0))


def _sums_at_most(X):
    """The same in the worst case."""
    return X.shape[1] * float(np.finfo(X.dtype).eps) / 2


def _in_tiles(work, out):
    """Call ``work(rows, columns)`` for tiles of `out`, on all cores.

    The tiles depend on the shape only, and each is the work of one thread, so the
    result does not depend on the number of cores.
    """
    n, width = out.shape
    step = max(8, CACHE_BYTES // (out.itemsize * max(1, min(width, TILE_WIDTH))))
    tiles = [
        (slice(i, min(i + step, n)), slice(j, min(j + TILE_WIDTH, width)))
        for i in range(0, n, step)
        for j in range(0, width, TILE_WIDTH)
    ]
    if out.size < THREADED_ENTRIES or len(tiles) == 1 or _cores() == 1:
        for tile in tiles:
            work(*tile)
        return
    # One BLAS thread for each of ours: the two pools would fight for the cores.
    with _controller().limit(limits=1, user_api="blas"):
        with ThreadPoolExecutor(_cores()) as pool:
            list(pool.map(lambda tile: work(*tile), tiles))


@cache
def _controller():
    return ThreadpoolController()


@cache
def _cores():
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def _coincidences(rows, columns, n):
    """Positions (i, j) of the block at which row and column are the same point."""
    everything = np.arange(n)
    r, c = everything[rows], everything[columns]
    order = np.argsort(r, kind="stable")
    first = np.searchsorted(r, c, side="left", sorter=order)
    counts = np.searchsorted(r, c, side="right", sorter=order) - first
    j = np.repeat(np.arange(len(c)), counts)
    within = np.arange(len(j)) - np.repeat(np.cumsum(counts) - counts, counts)
    return order[np.repeat(first, counts) + within], j
