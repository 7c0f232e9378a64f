"""Ends of the leave-one-out error, from an approximation below K.

With ``A = K + ridge I``, ``a = A^-1 y`` and h the diagonal of ``A^-1``, the error at
point i is ``a_i / h_i``.  Ends of h come from the matrices below and above A and from
the points among the landmarks; those of a from the energy of what an approximate
solution leaves.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from nystheory.selection._bounds import Bounds, Forms
from nystheory.selection._problem import EPS, sums


def ends(bounds: Bounds, steps: list[Forms]) -> tuple[np.ndarray, np.ndarray]:
    """Ends of the mean of ``(a_i / h_i)^2``, (r,) each, from all that products show."""
    n, ridge = bounds.asked.n, bounds.asked.ridge
    diagonals = inverse_diagonal(bounds)
    low, high = diagonals[2:]
    most = np.sqrt(_spread(low, high, ridge))
    # Ends of the error at each point, and of the length of all of them.
    lower, upper = np.zeros(high.shape), np.full(high.shape, np.inf)
    shortest, longest = np.zeros(len(ridge)), np.full(len(ridge), np.inf)
    for a, energy in _solutions(bounds, steps):
        size, root = np.abs(a), np.sqrt(energy)
        lower = np.maximum(lower, size / high - root / np.sqrt(high))
        upper = np.minimum(upper, size / low + root / np.sqrt(low))
        one = np.linalg.norm(size / high, axis=0) - root * most
        other = np.linalg.norm(size / low, axis=0) + root * most
        shortest, longest = np.maximum(shortest, one), np.minimum(longest, other)
    for middle, radius in _about_the_middle(bounds, steps, diagonals):
        lower = np.maximum(lower, np.abs(middle) - radius)
        upper = np.minimum(upper, np.abs(middle) + radius)
    shortest = np.maximum(shortest, np.linalg.norm(lower, axis=0))
    longest = np.minimum(longest, np.linalg.norm(upper, axis=0))
    few = 1 + 4 * sums(n)
    return shortest**2 / n / few, longest**2 / n * few


def _spread(low, high, ridge):
    """The most that ``sum_i (x_i / h_i)^2`` can be for ``x = A^-1 r`` of energy 1.

    ``x_i^2`` is at most h_i, and the sum of all at most 1 / ridge: what is allowed goes
    to the smallest h.
    """
    order = np.argsort(low, axis=0)
    low, most = (np.take_along_axis(each, order, axis=0) for each in (low, high))
    before = np.cumsum(most, axis=0) - most
    given = np.minimum((1 / ridge - before).clip(0), most)
    few = 1 + 4 * sums(len(low))
    # What rounding of the sums may have taken from the next.
    given = np.minimum(given + few * EPS * len(low) / ridge, most)
    return few * (given / low / low).sum(axis=0)


def inverse_diagonal(bounds: Bounds) -> tuple[np.ndarray, ...]:
    """Diagonals of matrices below and above ``A^-1``, and the ends of its own.

    Four of shape (n, r); the ends are closer by what the landmarks say.
    """
    n, ridge, spectrum = bounds.asked.n, bounds.asked.ridge, bounds.spectrum
    off = 4 * sums(n)
    noise = np.append(bounds.high, bounds.low)
    share = np.append(np.ones(len(ridge)), bounds.share)
    low, high = np.hsplit(spectrum.inverse_diagonal(noise, share), 2)
    low = (low - off / bounds.high).clip(0) / bounds.factor(bounds.high)
    high = (high + off / bounds.low) * bounds.factor(bounds.low)
    lengths = np.einsum("ij,ij->i", bounds.F, bounds.F)
    diagonal = lengths * (1 + sums(n)) + bounds.left + bounds.rounding
    below, above = low, high
    low = np.maximum(low, 1 / np.add.outer(diagonal, ridge))
    if bounds.spans() and bounds.approximation.landmarks is not None:
        low = np.maximum(low, _among_landmarks(bounds, lengths))
    few = 1 + sums(n)
    high = np.minimum(high * few, few / ridge)
    return below, above, np.minimum(low / few, high), high


def _among_landmarks(bounds, lengths):
    """Lower ends from the entries of K between a point and the landmarks.

    ``h_i`` is at least the same of any principal submatrix.  At the landmarks S the
    error of the approximation is 0 up to rounding, s of its trace, so that with i
    beside them the submatrix is at most ``F_T F_T' + (1 + c) d_i e_i e_i' +
    (ridge + (1 + 1 / c) s) I``, for any c above 0.
    """
    chosen, ridge = _kept_landmarks(bounds), bounds.asked.ridge
    if len(chosen) == 0:
        return 0.0
    F, n = bounds.F, bounds.asked.n
    s = float(bounds.left[chosen].sum()) + bounds.rounding
    c = np.sqrt(s / ridge).clip(EPS, 1.0)
    noise = ridge + (1 + 1 / c) * s
    P, S, Q = scipy.linalg.svd(F[chosen], full_matrices=False, check_finite=False)
    inside = np.add.outer(S**2, noise)
    turned = F @ Q.T
    rest = (lengths - np.einsum("ij,ij->i", turned, turned)).clip(0)
    missed = turned**2 @ (1 / inside) + np.divide.outer(rest, noise)
    few, root = 1 + sums(n), np.sqrt(lengths)
    missed = np.sqrt(missed) + 4 * sums(n) * np.divide.outer(root, np.sqrt(noise))
    left = np.multiply.outer(bounds.left + bounds.rounding, 1 + c)
    found = 1 / (few * (noise + left + noise * missed**2 * bounds.factor(noise)))
    noise = ridge + s
    rest = (1 - np.einsum("ij,ij->i", P, P)).clip(0)
    own = P**2 @ (1 / np.add.outer(S**2, noise)) + np.divide.outer(rest, noise)
    own = (own - 4 * sums(n) / noise) / bounds.factor(noise)
    found[chosen] = own / few
    return found


def _kept_landmarks(bounds):
    """The landmarks, each once, as positions among the points that count."""
    chosen, kept = np.unique(bounds.approximation.landmarks), bounds.asked.kept
    if kept is None:
        return chosen
    return np.searchsorted(kept, np.intersect1d(chosen, kept))


def _solutions(bounds, steps):
    """Approximate solutions a, (n, r), and upper ends of the energy of their error.

    Of nothing, of what each product has found, and of this with one more solve.
    """
    yield np.zeros_like(steps[0].a), steps[-1].upper
    for forms in steps:
        if forms.a.any():
            yield forms.a, forms.energy
        yield _solved_again(bounds, forms)


def _solved_again(bounds, forms):
    """One solve with the approximation more, and the energy of its error.

    What it leaves is the residual of the solve and ``-D b``, with D the error of the
    approximation; ``D (D + ridge I)^-1 D`` is at most ``t / (t + ridge) D``.
    """
    n, ridge, F = bounds.asked.n, bounds.asked.ridge, bounds.F
    b = bounds.spectrum.solved(forms.r, ridge)
    length, whole = np.linalg.norm(b, axis=0), float(np.linalg.norm(F)) ** 2
    own = forms.r - F @ (F.T @ b) - ridge * b
    size = np.linalg.norm(forms.r, axis=0) + (2 * whole + ridge) * length
    own = np.linalg.norm(own, axis=0) + 2 * sums(n) * size + forms.off
    # Adding b to a rounds, and the residual moves by A times that.
    own += EPS * (length + np.linalg.norm(forms.a, axis=0)) * (bounds.high + whole)
    g, t = bounds.rounding, bounds.trace + bounds.rounding
    by_entries = np.sqrt(bounds.left) @ np.abs(b) + np.sqrt(g) * length
    root = np.minimum(by_entries, np.sqrt(t) * length)
    root = root * np.sqrt(t / (bounds.share * t + bounds.low))
    root = (root + (own + g * length) / np.sqrt(ridge)) * (1 + 2 * sums(n))
    return forms.a + b, root**2


def _about_the_middle(bounds, steps, diagonals):
    """For each step numbers near the errors at the points, (n, r), and how near.

    With ``L <= A^-1 <= N``, M their middle and ``G = N - L``, ``x'(A^-1 - M)z`` is at
    most half the root of ``x'G x z'G z``.  For any c, a_i - c h_i is
    ``a0_i + e_i'A^-1 (r - c e_i)`` with a0 the approximate solution.
    """
    below, above, low, high = diagonals
    n, noise = bounds.asked.n, bounds.low
    more, less = bounds.factor(noise), bounds.factor(bounds.high)
    gap, unit = above - below, 16 * sums(n) * more / noise
    for forms in steps:
        length = np.linalg.norm(forms.r, axis=0)
        one = bounds.spectrum.solved(forms.r, noise, bounds.share) * more
        other = bounds.spectrum.solved(forms.r, bounds.high, 1.0) / less
        middle, apart = (one + other) / 2, one - other
        c = (forms.a + middle) / ((above + below) / 2)
        # What rounds of products with the two is at most this, and r' of them.
        moved = unit * length
        whole = np.abs(np.einsum("ij,ij->j", forms.r, apart)) + moved * length
        square = whole - 2 * c * apart + 2 * np.abs(c) * moved + c**2 * gap
        off = np.abs(forms.a + middle - c * (above + below) / 2) + moved
        off += np.abs(c) * unit + sums(0) * (np.abs(forms.a) + np.abs(middle))
        off += np.sqrt(high) * forms.off / np.sqrt(bounds.asked.ridge)
        size = whole + 2 * np.abs(c * apart) + c**2 * gap
        square = square.clip(0) + sums(n) * size
        yield c, (off + np.sqrt(gap.clip(0) * square) / 2) / low * (1 + 4 * sums(n))
