"""The eigenvalues of a kernel matrix, each between two ends."""

from __future__ import annotations

import numpy as np
import scipy.linalg

from nystheory import _semidefinite
from nystheory._rounding import allowed
from nystheory.engine.worlds.instances import Instance
from nystheory.guarantees._estimate import Estimated
from nystheory.guarantees._known import check_room, know
from nystheory.kernels import DenseKernel, as_kernel
from nystheory.kernels._base import entry_error


class Entries:
    """A matrix of two points or more that is not zero: its diagonal, and parts of it.

    Attributes
    ----------
    kernel : KernelMatrix
    n : int
    diagonal : ndarray (n,)
    moved : ndarray (n,)
        By how much the rounding of entries may move those of a diagonal.
    """

    def __init__(self, K):
        self.kernel = _kernel(K)
        self.n = self.kernel.n
        if self.n < 2:
            raise ValueError("K: expected two points or more, got one")
        found = np.asarray(self.kernel.diagonal(), dtype=np.float64)
        if not np.isfinite(found).all():
            raise ValueError("K: expected a finite diagonal, got infinity or nan")
        if not found.any():
            raise ValueError("K: expected a matrix that is not zero, got zeros only")
        self.moved = np.broadcast_to(entry_error(self.kernel) * np.abs(found), self.n)
        slack = float(self.moved.sum())
        self.diagonal = _semidefinite.not_negative(found, slack, "a diagonal entry")

    def blur(self, values, some=slice(None)) -> float:
        """What rounding may do to each eigenvalue of the part of some points.

        A matrix with entries up to ``sqrt(m_i m_j)`` has no norm above the sum of m;
        the rest is what a symmetric eigensolver loses.
        """
        lost = np.sqrt(len(values)) * np.finfo(np.float64).eps * float(values[0])
        return allowed("computed eigenvalues", float(self.moved[some].sum()) + lost)

    def part(self, some) -> np.ndarray:
        """Eigenvalues of the part that belongs to some points, largest first."""
        block = self.kernel[some, some].astype(np.float64, copy=False)
        return self._values(block)

    def whole(self) -> np.ndarray:
        """All eigenvalues, largest first; n^3 operations."""
        check_room(self.n)
        return self._values(self.kernel.dense().astype(np.float64))

    def _values(self, block):
        values = scipy.linalg.eigvalsh(block, overwrite_a=True)[::-1]
        # That of an array was checked up to this when it came.
        slack = max(self.blur(values), _semidefinite.ROUNDING_SLACK * _unit(self))
        return _semidefinite.not_negative(values, slack, "an eigenvalue")


def _unit(entries) -> float:
    """The eps of the entries, in units of the trace."""
    eps = np.finfo(getattr(entries.kernel, "dtype", np.float64)).eps
    return float(eps * entries.diagonal.sum())


def _kernel(K):
    """The matrix itself, whatever is known of it."""
    if isinstance(K, Estimated):
        return K.matrix.kernel
    if isinstance(K, Instance):
        return DenseKernel(know(K).K)
    return as_kernel(K)


class Eigenvalues:
    """Eigenvalues of K between two ends, from all of K or from an approximation below.

    Attributes
    ----------
    kernel : KernelMatrix
    n : int
    diagonal : ndarray (n,)
    values : ndarray (n,)
        As they were computed.
    low, high : ndarray (n,)
        Largest first; rounding included.
    source : str
        Where they come from, in words.
    """

    def __init__(self, K):
        self._entries = Entries(K)
        self.n, self.diagonal = self._entries.n, self._entries.diagonal
        self.kernel = self._entries.kernel
        self._spectrum = K.matrix if isinstance(K, Estimated) else None
        if self._spectrum is None:
            self._exactly(K)
        else:
            self._from_below(self._spectrum)

    def _exactly(self, K):
        own = isinstance(K, Instance)
        values = K.spectrum.astype(float) if own else self._entries.whole()
        blur = self._entries.blur(values)
        self.low, self.high = np.maximum(values - blur, 0.0), values + blur
        self.values, self.source = values, "from all of K"

    def _from_below(self, s):
        self.values = np.pad(s.values, (0, max(0, self.n - len(s.values))))[: self.n]
        self.low = np.maximum(self.values - s.blur, 0.0)
        self.high = np.maximum(s.leading, self.low)
        share = 100 * s.missed / float(self.diagonal.sum())
        self.source = f"from an approximation that misses {share:.2g} % of tr K"

    @property
    def trace(self) -> float:
        """Of K."""
        return float(self.diagonal.sum())

    def dimension(self, alpha: float) -> tuple[float, float]:
        """Two ends of the effective dimension."""
        low = dimension_of(self.low, alpha)
        # Quotients of Python's floats: infinity is an end, and no warning.
        moved = float(self._entries.moved.sum()) / alpha
        moved = allowed("the dimension of a diagonal", moved)
        known = dimension_of(self.diagonal, alpha) + moved
        ends = [dimension_of(self.high, alpha), known]
        if self._spectrum is not None:
            ends += self._from_what_is_missed(alpha)
        # Sums of n numbers between 0 and 1; the smallest ones round to a whole number
        # of the least that there is.
        told = np.finfo(np.float64)
        rounds, least = (
            1 + self.n * float(told.eps),
            self.n * float(told.smallest_subnormal),
        )
        high = max(low, float(min(ends))) * rounds + least
        return max(low / rounds - least, 0.0), float(high)

    def _from_what_is_missed(self, alpha):
        """Upper ends: the most even spectrum that is possible, and what is missed."""
        s = self._spectrum
        blur = (len(s.values) + 1) * float(s.blur) / alpha
        left = np.maximum(self.diagonal - s.squared @ s.values, 0.0)
        more = max(float(s.missed - left.sum()), 0.0) / alpha
        together = dimension_of(s.values, alpha) + dimension_of(left, alpha) + more
        return [dimension_of(s.levelled, alpha) + blur, together + blur]

    def part(self, some) -> np.ndarray:
        """Eigenvalues of the part of K, or of K~, that belongs to some points."""
        return (self._spectrum or self._entries).part(some)


def dimension_of(values, alpha) -> float:
    """``sum s_j / (s_j + alpha)``.

    >>> dimension_of(np.array([3.0, 1.0]), 1.0)
    1.25
    """
    return float((values / (values + alpha)).sum())
