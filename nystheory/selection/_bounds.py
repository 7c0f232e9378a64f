"""Two matrices between which K plus a ridge lies, and what products with K add."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nystheory._rounding import allowed
from nystheory.kernels._base import entry_rounding
from nystheory.lowrank import Factored
from nystheory.lowrank._missing import missing
from nystheory.selection._problem import EPS, Problem, Spectrum, Squares, sums

# Approximations of which the rank of what they miss is known: n minus their own.
SPANNING = ("nystrom", "best")
# By what share the rounding of F'F may move the ends where it takes the place of F.
FAST = 1e-3
# How often that share counts in a form.
SQUARES = 8


@dataclass(frozen=True, eq=False)
class Bounds:
    """Two matrices between which ``K + ridge I`` lies, for each ridge.

    ``share F F' + low I <= K + ridge I <= F F' + high I``: K is above ``F F' - g I``
    and above 0, hence above each part of the first, and below ``F F' + (t + g) I``;
    g is what rounding may do to the trace.

    Attributes
    ----------
    asked : Problem
    approximation : Factored
    F : ndarray (n, k)
        The rows of the factor that count, times the roots of the weights.
    spectrum : Spectrum or Squares
        Of F F'.
    left : ndarray (n,)
        The diagonal of the error.
    trace, rounding : float
        t and g.
    moved, squared : float
        Bounds on the norms of what rounds in the factorisation of F and in F'F; the
        latter is 0 where F'F is not formed.
    share, low, high : ndarray (r,)
    """

    asked: Problem
    approximation: Factored
    F: np.ndarray
    spectrum: Spectrum | Squares
    left: np.ndarray
    trace: float
    rounding: float
    moved: float
    squared: float
    share: np.ndarray
    low: np.ndarray
    high: np.ndarray

    @classmethod
    def of(cls, asked: Problem, approximation: Factored) -> Bounds:
        """From the certificate of the trace, and one factorisation."""
        found = missing(approximation.kernel, approximation)
        left = asked.of_diagonal(found.left)
        diagonal = asked.of_diagonal(found.diagonal)
        F = asked.rows(approximation.factor)
        heaviest = 1.0 if asked.root is None else float(asked.root.max()) ** 2
        # What is left on the diagonal is a difference of sums of k products.
        rounding = heaviest * found.trace_floor + sums(F.shape[1]) * diagonal.sum()
        rounding = allowed("trace of a problem", rounding)
        trace, ridge = float(left.sum()) * (1 + sums(asked.n)), asked.ridge
        length = float(np.linalg.norm(F))
        moved = allowed("a factorisation", sums(asked.n) * length)
        squared = allowed("F'F", 2 * sums(asked.n) * length**2)
        share = np.ones(len(ridge))
        np.divide(ridge, 2 * rounding, out=share, where=2 * rounding > ridge)
        low, high = ridge - share * rounding, ridge + (trace + rounding)
        low, high = low * (1 - 4 * EPS), high * (1 + 4 * EPS)
        fast = F.shape[1] > 0 and SQUARES * squared <= FAST * low.min()
        spectrum = (Squares if fast else Spectrum).of_factor(F)
        rounded = trace, rounding, moved, squared if fast else 0.0
        return cls(asked, approximation, F, spectrum, left, *rounded, share, low, high)

    def factor(self, ridge: np.ndarray) -> np.ndarray:
        """By what rounding in F may multiply ``F F' + ridge I``, at most.

        `Squares` moves the inverse by ``e / (ridge - e)`` of itself, and a form that is
        computed from the solution by four times as much; e is a thousandth of a ridge
        at most.
        """
        moved = self.moved / np.sqrt(ridge)
        return 1 + moved + moved**2 + allowed("forms", SQUARES * self.squared / ridge)

    def energies(self, Y, errors) -> tuple[np.ndarray, np.ndarray]:
        """Ends of ``y'(K + ridge I)^-1 y`` for columns that are off by these norms.

        One column for all ridges, or one for each.
        """
        lengths = np.linalg.norm(Y, axis=0) * (1 + sums(self.asked.n))
        errors = errors + allowed("a column", 2 * sums(self.asked.n) * lengths)
        ends = []
        for sign, noise, share in ((-1, self.high, 1.0), (1, self.low, self.share)):
            share = np.broadcast_to(share, noise.shape)
            root = np.sqrt(self.spectrum.energies(Y, noise, share))
            root = (root + sign * errors / np.sqrt(noise)).clip(0)
            more = self.factor(noise) * (1 + allowed("an energy", sums(self.asked.n)))
            ends.append(root**2 * more**sign)
        # K is at least 0, however much rounds.
        most = (lengths + errors) ** 2 / self.asked.ridge * (1 + sums(0))
        return ends[0], np.minimum(ends[1], most)

    def logdet(self) -> tuple[np.ndarray, np.ndarray]:
        """Ends of ``log det(K + ridge I)``."""
        n, k, ridge = self.asked.n, len(self.spectrum.values), self.asked.ridge
        largest = self.spectrum.values.max(initial=0.0) + self.squared
        largest = largest * self.share * (1 + sums(n))
        missed = max(self.trace * (1 - 4 * sums(n)) - 2 * self.rounding, 0.0)
        least = np.log1p(self.share * missed / (self.low + largest))
        lower = self.spectrum.logdet(self.low, self.share)
        upper = self.spectrum.logdet(ridge) + self._determinant_of_error()
        top = self.spectrum.values.max(initial=0.0) + self.high
        size = n * (2 + np.abs(np.log(self.low)) + np.abs(np.log(top)))
        lost = allowed("a determinant, below", sums(n) * size)
        lower = lower - 2 * k * np.log(self.factor(self.low)) - lost
        lower += least / self.factor(self.low) ** 2 * (1 - sums(0))
        size += upper - lower
        lost = allowed("a determinant, above", sums(n) * size)
        return lower, upper + 2 * k * np.log(self.factor(ridge)) + lost

    def _determinant_of_error(self):
        """By how much the error raises the log determinant, at most.

        By Hadamard's inequality for ``I + error / ridge``; where its rank m is known
        ``m log(1 + t / (m ridge))`` may be less.
        """
        n, ridge = self.asked.n, self.asked.ridge
        more = n * np.log1p(self.rounding / (n * ridge))
        by_entries = np.array([np.log1p(self.left / each).sum() for each in ridge])
        m = min(n, self.approximation.n - self.F.shape[1])
        if not self.spans() or m < 1:
            return by_entries + more
        by_rank = m * np.log1p(self.trace / (m * ridge)) + more
        return np.minimum(by_entries, by_rank) + more

    def spans(self):
        """Whether the rank of the error is n minus the rank of the approximation."""
        near = self.approximation
        if getattr(near, "method", None) not in SPANNING:
            return False
        whole = near.landmarks is not None and near.rank_requested == len(
            near.landmarks
        )
        return near.method == "best" or whole


@dataclass(frozen=True, eq=False)
class Forms:
    """What products have shown of ``q = y'A^-1 y`` and of ``A^-1 y``.

    Attributes
    ----------
    lower, upper : ndarray (r,)
        Ends of q.
    a, r : ndarray (n, r)
        An approximate solution and what it leaves, ``y - A a``.
    energy : ndarray (r,)
        An upper end of ``r'A^-1 r``.
    off : ndarray (r,)
        How far r may be off, in norm.
    """

    lower: np.ndarray
    upper: np.ndarray
    a: np.ndarray
    r: np.ndarray
    energy: np.ndarray
    off: np.ndarray


def ends_of_form(bounds: Bounds, products: int) -> list[Forms]:
    """Ends of q without a product and with each, closer and closer."""
    asked, m = bounds.asked, len(bounds.asked.ridge)
    y, none = asked.y[:, None], np.zeros(m)
    lower, upper = bounds.energies(y, np.zeros(1))
    a, r = np.zeros((asked.n, m)), np.repeat(y, m, axis=1)
    forms = [Forms(lower, upper, a, r, upper, none)]
    if products:
        steps = _Steps(bounds)
        for _ in range(products):
            forms.append(steps.closer(forms[-1]))
    return forms


class _Steps:
    """Conjugate gradients for all ridges, and what rounding does to the residuals.

    `off` bounds the error of each entry of the residual ``y - A a``.
    """

    def __init__(self, bounds: Bounds):
        self.bounds, asked = bounds, bounds.asked
        K = bounds.approximation.kernel
        found = np.broadcast_to(entry_rounding(K), (K.n,))
        # K[i, j] is at most the root of the product of diagonal entries.
        diagonal = bounds.left + np.einsum("ij,ij->i", bounds.F, bounds.F)
        roots = np.sqrt(diagonal * (1 + sums(asked.n)) + bounds.rounding)
        own = found if asked.kept is None else found[asked.kept]
        self.roots, self.entries = roots, np.sqrt(own)
        self.off = np.zeros((asked.n, len(asked.ridge)))
        self.p = self.z = None

    def closer(self, forms: Forms) -> Forms:
        """One product more."""
        asked = self.bounds.asked
        p = self._direction(forms.r)
        Ap = asked.times(self.bounds.approximation.kernel, p) + asked.ridge * p
        curved = np.einsum("ij,ij->j", p, Ap)
        step = np.einsum("ij,ij->j", p, forms.r)
        step = np.divide(step, curved, out=np.zeros_like(step), where=curved > 0)
        a, r = forms.a + step * p, forms.r - step * Ap
        self._count(step * p, a, r, step * Ap)
        return self._enclosed(forms, a, r)

    def _direction(self, r):
        z = self.bounds.spectrum.solved(r, self.bounds.asked.ridge)
        rz = np.einsum("ij,ij->j", r, z)
        if self.p is None:
            self.p = z
        else:
            old = self.rz
            share = np.divide(rz, old, out=np.zeros_like(rz), where=old > 0)
            self.p = z + share * self.p
        self.rz = rz
        return self.p

    def _count(self, moved, a, r, taken):
        """Add what rounding did in one step to what it did before."""
        n, ridge, size = self.bounds.asked.n, self.bounds.asked.ridge, np.abs(moved)
        every = np.multiply.outer(self.roots, self.roots @ size)
        known = self.entries * self.roots
        every = sums(n) * every + np.multiply.outer(known, known @ size)
        few = ridge * size + np.abs(taken) + np.abs(r)
        again = np.multiply.outer(self.roots, self.roots @ np.abs(a))
        off = every + sums(0) * (few + again + ridge * np.abs(a))
        self.off += allowed("a residual", off)

    def _enclosed(self, forms, a, r):
        """The ends with this a, or those before where they are closer."""
        bounds, n = self.bounds, self.bounds.asked.n
        y, size = bounds.asked.y[:, None], np.abs(a)
        # 2a'y - a'A a is a'(y + r).
        form = np.einsum("ij,ij->j", a, y + r)
        loss = np.einsum("ij,ij->j", size, self.off)
        loss += sums(n) * np.einsum("ij,ij->j", size, np.abs(y) + np.abs(r))
        loss = allowed("a form of the solution", loss)
        off = np.linalg.norm(self.off, axis=0) * 1.01
        low, high = bounds.energies(r, off)
        lower = np.maximum(forms.lower, form + low - loss)
        upper = np.minimum(forms.upper, form + high + loss)
        return Forms(lower, upper, a, r, high, off)
