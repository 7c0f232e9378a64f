"""A matrix too large for its eigenpairs: what bounds must know of it, with two ends."""

from __future__ import annotations

import ast

import numpy as np

from nystheory import style
from nystheory.engine.language.numbers import UNKNOWN, Number
from nystheory.engine.language.quantity import CHOSEN
from nystheory.engine.promises.known import Known, KnownReader
from nystheory.guarantees._ends import ENDS
from nystheory.guarantees._spectrum import Spectrum

SIZES = {"n", "l", "k"}


class Estimated(Known):
    """What is known of a matrix from an approximation: each quantity has two ends.

    Attributes
    ----------
    missed : float
        The trace of what the approximation misses is at most this; all ends are as
        far apart as that makes them.

    Examples
    --------
    >>> from nystheory.engine import QUANTITIES
    >>> from nystheory.lowrank import nystrom
    >>> known = estimate(np.diag([4.0, 2.0, 1.0]), nystrom(np.diag([4.0, 2, 1]), [0]))
    >>> known
    Estimated(3 points, of whose trace 42.9% is not known)
    >>> tail = known.but(rank=1).measured(QUANTITIES["tail_trace"])
    >>> round(tail.value - tail.error, 6), round(tail.value + tail.error, 6)
    (0.0, 3.0)
    """

    def __repr__(self) -> str:
        share = 100 * self.missed / float(self.diagonal.sum())
        return f"Estimated({self.n} points, of whose trace {share:.3g}% is not known)"

    def __getattr__(self, name):
        if not name.startswith("_") and name in self.world.parts:
            return self._part(self.world.parts[name])
        raise AttributeError(f"an estimate of a kernel matrix has no {name}")

    def _repr_html_(self) -> str:
        share = 100 * self.missed / float(self.diagonal.sum())
        row = (self.n, f"{share:.3g}", self.rank_K)
        header = ("points", "% of the trace not known", "rank, at least")
        return style.table([row], header)

    @property
    def missed(self) -> float:
        """The trace of what the approximation misses is at most this."""
        return self.matrix.missed

    @property
    def n(self) -> int:
        """Number of points."""
        return self.matrix.n

    @property
    def diagonal(self) -> np.ndarray:
        """Of K."""
        return self.matrix.diagonal

    @property
    def norm_K(self) -> float:
        """An upper end."""
        return self.matrix.norm_K

    @property
    def rank_K(self) -> int:
        """The rank is at least this."""
        return self.matrix.clear_rank

    @property
    def rank_is_clear(self) -> bool:
        """An approximation gives a least rank only."""
        return False

    def said(self, found) -> float:
        """The upper end of what a bound says."""
        return found.value + found.error

    def lacks(self, names) -> list[str]:
        """Which of these an approximation does not tell."""
        known = SIZES | {"rank_K", *ENDS}
        kept = (x for x in names if self.quantities[x].when != CHOSEN)
        return sorted(name for name in kept if name not in known)

    def measured(self, quantity):
        """A quantity as a `Number`: the middle of its ends, and how far they are."""
        if quantity.name in SIZES or quantity.when == CHOSEN:
            return super().measured(quantity)
        if quantity.name not in ENDS:
            return UNKNOWN
        return self.memo.get(quantity, self, lambda: self._between(quantity))

    def _between(self, quantity):
        low, high = ENDS[quantity.name](self.matrix, self.but())
        if isinstance(high, bool):
            return high
        if not (np.isfinite(low) and np.isfinite(high)):
            return UNKNOWN
        middle = (low + high) / 2
        error = max(high - middle, middle - low)
        return Number(float(middle), float(error) * (1 + 1e-12), abs(float(high)))

    def over_ranks(self, quantity):
        """Its upper end for every rank from 1 to n, (n,)."""
        first = self.measured(quantity)
        if not self.memo.depends(quantity, "rank"):
            return np.asarray(first.value + first.error)

        def compute():
            ends = ENDS[quantity.name](self.matrix, self.but(rank=every))
            return np.asarray(ends[1], dtype=float)

        every = np.arange(1, self.n + 1)
        return self.memo.get(("ranks", quantity), self, compute, {"rank"})

    def reader(self, where):
        """What evaluates lines on it."""
        return _Reader(self.quantities, self, self.chosen, where)


class _Reader(KnownReader):
    """Takes K for semidefinite: it was checked, or is assumed, where it was wrapped."""

    def _call(self, tree):
        if ast.unparse(tree) == "below(0, K)":
            return True
        return super()._call(tree)


def estimate(K, approximation) -> Estimated:
    """What bounds must know of a large matrix, from an approximation below it.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
        Positive semidefinite.
    approximation : LowRank or Ensemble
        Of K, and known to lie between 0 and K (``below``), of rank r.

    Returns
    -------
    Estimated
        To be passed to `promises` or `columns` in place of K.  What is promised is
        true of every matrix that the approximation leaves possible; a theorem that
        needs what it does not tell is listed under ``unasked``.

    Raises
    ------
    ValueError, TypeError
        If the approximation is not one of K or not known to be below K, K is zero or
        has one point only.

    Notes
    -----
    Every quantity lies between two ends, which rest on ``0 <= K~ <= K`` and on the
    trace t of ``K - K~`` alone (``theorems["modern:error-chain"]``); they are the
    book's own.  A sum of eigenvalues is known to t, what is concave and symmetric in
    the eigenvalues is largest where t is spread as evenly as can be, and eigenvalue j
    is at most ``lambda_i(K~) + t / (j - i + 1)``.  It is assumed, and not checked, that
    K is semidefinite.  Costs one singular value decomposition of n x r numbers,
    O(n r^2) operations and 3 n r words, and 16 columns of K.

    Examples
    --------
    >>> from nystheory.guarantees import promises
    >>> from nystheory.lowrank import nystrom
    >>> K = np.diag([1000.0, 500.0, *np.ones(98)])
    >>> known = estimate(K, nystrom(K, range(50)))
    >>> promises(known, 40).best("trace").scheme
    'k-DPP'
    """
    matrix = Spectrum(K, approximation)
    if matrix.n < 2:
        raise ValueError("K: expected two points or more, got one")
    if not matrix.diagonal.any():
        raise ValueError("K: expected a matrix that is not zero, got zeros only")
    return Estimated(matrix, 1, 1)
