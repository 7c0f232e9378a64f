"""Two ends for each quantity, from an approximation below K: `estimate` reads them.

``ENDS[name](s, i)`` gives both ends, rounding included: s is the `Spectrum`, i tells
the rank k, the number of columns l and what was chosen.  A rank may be many.
"""

from __future__ import annotations

import numpy as np

from nystheory._rounding import allowed
from nystheory.chapters.pivots_and_volumes.theorems import pivots

ENDS: dict = {}


def _ends(enter):
    """Enter the ends of the quantity of this name."""
    ENDS[enter.__name__[1:]] = enter
    return enter


def _after(values, k):
    """The sum of all but the k largest, for one k or many."""
    sums = np.append(np.cumsum(values[::-1])[::-1], 0.0)
    return sums[np.minimum(k, len(values))]


def _up_to(values, k):
    """The sum of the k largest."""
    return np.append(0.0, np.cumsum(values))[np.minimum(k, len(values))]


def _at(values, k):
    """Value number k, counted from 0; 0 after the last."""
    return np.append(values, 0.0)[np.minimum(k, len(values))]


def _widened(s, low, up):
    """Widened by rounding, and not below 0."""
    blur = allowed("a sum of eigenvalues", s.blur)
    return np.maximum(low - blur, 0.0), low + up + blur


# --- The diagonal, and distances ------------------------------------------------------


@_ends
def _trace_K(s, i):
    total = float(s.diagonal.sum())
    return total, total


@_ends
def _K_max(s, i):
    top = float(s.diagonal.max())
    return top, top


@_ends
def _constant_diagonal(s, i):
    same = bool(np.ptp(s.diagonal) <= 1e-12 * s.diagonal.max())
    return same, same


@_ends
def _d_max(s, i):
    return s.distance


@_ends
def _spread(s, i):
    whole, (low, high) = float((s.diagonal**2).sum()), _norm_K_F(s, i)
    return max(whole - high**2 / s.n, 0.0), max(whole - low**2 / s.n, 0.0)


# --- Norms and tails ------------------------------------------------------------------


@_ends
def _norm_K(s, i):
    return _widened(s, _at(s.values, 0), s.missed)


@_ends
def _norm_K_F(s, i):
    return _widened(s, np.linalg.norm(s.values), s.missed)


@_ends
def _head_F(s, i):
    return _widened(s, np.sqrt(_up_to(s.values**2, i.k)), s.missed)


@_ends
def _tail_trace(s, i):
    return _widened(s, _after(s.values, i.k), s.missed)


@_ends
def _tail_l(s, i):
    return _widened(s, _after(s.values, i.l), s.missed)


@_ends
def _tail_2(s, i):
    return _widened(s, _at(s.values, i.k), 0.0)[0], _at(s.leading, i.k)


@_ends
def _next_eigenvalue(s, i):
    return _widened(s, _at(s.values, i.l), 0.0)[0], _at(s.leading, i.l)


@_ends
def _tail_F(s, i):
    low, high = _widened(s, np.sqrt(_after(s.values**2, i.k)), s.missed)
    each = np.sqrt(_after(s.leading**2, i.k))
    together = np.sqrt(_at(s.leading, i.k) * _tail_trace(s, i)[1])
    return low, np.minimum(high, np.minimum(each, together))


@_ends
def _tail_rank(s, i):
    least, most = _tail_2(s, i)
    low, high = _tail_trace(s, i)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.maximum(low / most, 1.0), high / least


# --- What is concave in the eigenvalues: at most that of the levelled ones ------------


@_ends
def _symmetric_ratio(s, i):
    logs = s.elementary
    found = float(np.exp(logs[i.l + 1] - logs[i.l]))
    return 0.0, found + allowed("a ratio", s.blur)


@_ends
def _trace_after_pivots(s, i):
    found = pivots.calculator(s.levelled, i.l)
    return 0.0, found + allowed("after pivots", s.blur)


@_ends
def _trace_after_blocks(s, i):
    size = int(i.block_size)
    found = pivots.calculator(s.levelled, i.l // size, size)
    return 0.0, found + allowed("after blocks", s.blur)


@_ends
def _d_eff(s, i):
    alpha = float(i.alpha)
    low, high = (float((x / (x + alpha)).sum()) for x in (s.values, s.levelled))
    blur = allowed("the dimension of an estimate", len(s.values) * s.blur / alpha)
    return max(low - blur, 0.0), high + blur


@_ends
def _score_sum(s, i):
    return _d_eff(s, i)


# --- Scores ---------------------------------------------------------------------------


@_ends
def _largest_score(s, i):
    alpha = float(i.alpha)
    found, known = s.squared @ (s.values / (s.values + alpha)), s.diagonal
    blur = allowed("scores of an estimate", len(s.values) * s.blur / alpha)
    more = np.minimum(
        found + s.missed / (alpha + s.missed) + blur, known / (known + alpha)
    )
    low = max(float(found.max()) - blur, 0.0)
    return s.n * low, s.n * max(low, float(more.max()))


@_ends
def _leading_coherence(s, i):
    return np.ones_like(i.k, dtype=float), s.n / i.k * _at(_leading(s), i.k - 1)


def _leading(s):
    """At most so large is a leverage score of each rank; 1 where nothing is known."""
    high = np.ones(s.n)
    r = len(s.values)
    with np.errstate(divide="ignore"):
        least = (s.values - allowed("the least eigenvalue", s.blur)).clip(0)
        high[:r] = np.minimum(1.0, s.diagonal.max() / least)
    if not r:
        return high
    gap = s.values - np.append(s.values[1:], 0.0) - allowed("two ends", 2 * s.blur)
    turned = np.flatnonzero(s.missed < gap)
    turn = np.arcsin(s.missed / gap[turned]) / 2
    turn += allowed("an angle of an estimate", np.sqrt(s.blur / s.values[0]))
    angle = np.arccos(np.sqrt(s.leading_scores[turned]))
    nearer = np.cos(np.maximum(angle - turn, 0.0)) ** 2
    high[turned] = np.minimum(high[turned], nearer)
    return high
