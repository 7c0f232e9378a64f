"""Losses of margins on features, and the gap that bounds how far the minimum is.

    minimise  P(w) = ridge / 2 |w|^2 + sum_i c_i loss(y_i f_i'w)
    maximise  D(a) = - |sum_i a_i y_i f_i|^2 / (2 ridge) - sum_i c_i loss*(-a_i / c_i)

With ``v = sum_i a_i y_i f_i`` the gap ``P(w) - D(a)`` is ``|ridge w - v|^2 / (2
ridge)`` and a sum over the points, of terms that are at least zero: no digits cancel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.special import expit

from nystheory import _checks
from nystheory._rounding import allowed
from nystheory.kernels import row_blocks

LOSSES = ("hinge", "logistic", "square")
EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Problem:
    """Features, (n, k), labels -1 and 1, (n, q), weights, (n,), the ridge, a loss."""

    F: np.ndarray | sparse.csr_array
    signs: np.ndarray
    weights: np.ndarray
    ridge: float
    loss: str

    def start(self) -> float:
        """The value at w = 0."""
        at_zero = {"hinge": 1.0, "logistic": math.log(2), "square": 0.5}
        return at_zero[self.loss] * float(self.weights.sum())

    def largest(self) -> float:
        """The largest squared length of the features of a point."""
        return max(float(_row_lengths(F).max()) for _, F in self.blocks()) ** 2

    def blocks(self):
        """Slices of points, and their features in float64."""
        for rows in row_blocks(*self.F.shape):
            yield rows, in_float64(self.F[rows])

    def features(self, points: np.ndarray) -> np.ndarray:
        """Those of some points, dense and in float64."""
        F = self.F[points]
        return in_float64(F.toarray() if sparse.issparse(F) else F)


def in_float64(F):
    """Features in float64; those that are, as they are."""
    return F.astype(np.float64, copy=False)


# --- Losses ---------------------------------------------------------------------------


def losses(name: str, margins: np.ndarray) -> np.ndarray:
    """The loss of each margin.

    >>> [losses(name, np.array([0.0])).round(3).tolist() for name in LOSSES]
    [[1.0], [0.693], [0.5]]
    """
    if name == "hinge":
        return np.maximum(0.0, 1 - margins)
    return np.logaddexp(0, -margins) if name == "logistic" else (1 - margins) ** 2 / 2


def _pulls(name: str, margins: np.ndarray) -> np.ndarray:
    """Minus the slope of the loss, at each margin.

    >>> [_pulls(name, np.array([0.0])).tolist() for name in LOSSES]
    [[1.0], [0.5], [1.0]]
    """
    if name == "hinge":
        return (margins < 1).astype(float)
    return expit(-margins) if name == "logistic" else 1 - margins


# --- The gap --------------------------------------------------------------------------


def certified(
    problem: Problem, w: np.ndarray, dual: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """P(w), a bound of its gap, rounding included, v / ridge, and the margins.

    They are (q,), (q,), (k, q) and (n, q).  Both w itself and the number that is told
    for P(w) are above the minimum by the bound at most.

    The dual point is the one that is given, with ``0 <= a_i <= c_i``, for the hinge
    loss.  For the others it is ``a_i = c_i pull(y_i f_i'w)``, of which the sum over the
    points is zero, and v that of the gradient, ``ridge w - v``.

    An inner product of k numbers is off by at most ``k eps`` of the product of the
    lengths, and v by ``n eps sum_i a_i |f_i|``; with eps twice the unit of rounding the
    few roundings beside are in it.  The number that is told for P(w) is a sum without
    rounding of its own.  Of margins that are off by e_i it is above D(a) by the terms
    at these margins and ``sum_i a_i e_i``, and P(w) by the terms and ``sum_i max(a_i,
    c_i - a_i) e_i`` for the hinge loss, and ``c_i e_i^2`` for the others.
    """
    n, k = problem.F.shape
    ridge, hinge = problem.ridge, problem.loss == "hinge"
    v, off = np.zeros_like(w), np.zeros(w.shape[1])
    terms, lost = np.zeros_like(off), np.zeros_like(off)
    lengths, all_margins = np.linalg.norm(w, axis=0), np.empty((n, w.shape[1]))
    for rows, F in problem.blocks():
        y, c = problem.signs[rows], problem.weights[rows, None]
        margins = all_margins[rows] = y * (F @ w)
        a = dual[rows] if hinge else c * _pulls(problem.loss, margins)
        sizes = _row_lengths(F)[:, None]
        slack = allowed("a margin", EPS * (k + 8) * sizes * lengths)
        v += F.T @ (a * y)
        off += allowed("v", EPS * (n + 8) * (np.abs(a) * sizes).sum(axis=0))
        if hinge:
            short = 1 - margins
            terms += np.where(short > 0, (c - a) * short, -a * short).sum(axis=0)
            lost += (c * slack).sum(axis=0)
        else:  # what a margin is off, its pull is at most
            off += (c * slack * sizes).sum(axis=0)
            lost += ((np.abs(a) + c * slack) * slack).sum(axis=0)
    each = problem.weights[:, None] * losses(problem.loss, all_margins)
    value = np.array([math.fsum(column.tolist()) for column in each.T])
    value += ridge / 2 * lengths**2
    own = EPS * (8 * value + (k + 8) * ridge / 2 * lengths**2)
    lost += allowed("the value", own)
    apart = np.linalg.norm(w - v / ridge, axis=0) * (1 + EPS * (k + 8))
    apart += allowed("w beside v", off / ridge + 4 * EPS * lengths)
    gap = ridge / 2 * apart**2 + terms * (1 + EPS * (n + 8)) + lost
    return value, gap * (1 + 8 * EPS), v / ridge, all_margins


def _row_lengths(F):
    """The lengths of the rows."""
    if sparse.issparse(F):
        return np.sqrt(np.asarray((F * F).sum(axis=1)).ravel())
    return np.sqrt(np.einsum("ij,ij->i", F, F))


def weights_of(value, n: int, name: str) -> np.ndarray:
    """`value` as n numbers of at least 0, in float64, whose sum can be inverted.

    Examples
    --------
    >>> weights_of([1, -1], 2, "weights")
    Traceback (most recent call last):
    ValueError: weights: expected 2 numbers of at least 0, one for each point, not all \
zero, got [1, -1]
    >>> weights_of([1e200, 1], 2, "weights")
    Traceback (most recent call last):
    ValueError: weights: expected numbers up to 1e+150 with a sum of at least 1e-150, \
got a largest of 1e+200
    """
    numbers = _checks.real_array(value, name, 1).astype(np.float64, copy=False)
    if len(numbers) != n or not (numbers >= 0).all() or not numbers.any():
        raise ValueError(
            f"{name}: expected {n} numbers of at least 0, one for each point, not all "
            f"zero, got {_checks.shown(value)}"
        )
    if not (numbers.max() <= _checks.LARGEST and numbers.sum() >= _checks.SMALLEST):
        raise ValueError(
            f"{name}: expected numbers up to {_checks.LARGEST:.0e} with a sum of "
            f"at least {_checks.SMALLEST:.0e}, got a largest of {numbers.max():.3g}"
        )
    return numbers
