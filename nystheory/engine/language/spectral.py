"""Eigenvalues, powers and leading projectors of symmetric matrices in a line."""

from __future__ import annotations

import math

import numpy as np
import scipy.special

from nystheory.engine.language.numbers import MATRIX, SCALAR, UNKNOWN, Number, _largest

# A cut between eigenvalues nearer to each other, relatively, is hidden by rounding.
TIE = 1e-9


def spectrum(A):
    """Eigenvalues, ascending, eigenvectors, and how far the eigenvalues moved.

    None where A is not symmetric, or unknown.
    """
    if A.unknown or not math.isfinite(A.error):
        return None
    turned = A.value.T
    if np.linalg.norm(A.value - turned) > 2 * A.error + MATRIX * A.size:
        return None
    values, vectors = np.linalg.eigh((A.value + turned) / 2)
    return values, vectors, A.error + MATRIX * len(values) * A.size


def eigenvalues(A):
    """Of a symmetric matrix, descending; none moves by more than A errs (Weyl)."""
    found = spectrum(A)
    if found is None:
        return UNKNOWN
    values, _, moved = found
    return Number(values[::-1].copy(), moved, A.scale)


def power(A, exponent):
    """A semidefinite matrix to a power from -1 to 1, by its eigenvalues.

    An operator monotone power moves by at most its derivative at the lowest eigenvalue
    times the error of A, a root of a singular matrix by at most that of the error.
    """
    if exponent.unknown or exponent.error > SCALAR or not -1 <= exponent.value <= 1:
        return UNKNOWN
    p, found = exponent.value, spectrum(A)
    if found is None:
        return UNKNOWN
    values, vectors, moved = found
    if p == 0:
        return Number.exact(np.eye(len(values)))
    low = float(values.min(initial=math.inf)) - moved
    if low < -2 * moved or (p < 0 and low <= 0):
        return UNKNOWN  # not semidefinite, or singular
    raised = np.maximum(values, 0.0) ** p
    error = abs(p) * low ** (p - 1) * moved if low > 0 else math.inf
    if p > 0:
        error = min(error, math.sqrt(len(values)) * moved**p)
    value = (vectors * raised) @ vectors.T
    size = _largest(raised)
    # The exponent 1/3 is no float: its error goes times the logarithms.
    logs = scipy.special.xlogy(raised, raised) / p
    error += exponent.error * float(np.linalg.norm(logs))
    return Number(value, error + MATRIX * len(values) * size, size)


def leading(A, k):
    """The projector on k leading eigenvectors of a semidefinite A, or on its range.

    On the range where the rank is at most k.  In the Frobenius norm it moves by at most
    root 8 times the error of A over the gap at the cut (Davis, Kahan).
    """
    found = spectrum(A)
    if found is None or k.unknown or k.error or k.value % 1 or k.value < 0:
        return UNKNOWN
    values, vectors, moved = found
    n, kept = len(values), _kept(values[::-1], int(k.value))
    if kept is None:
        return UNKNOWN
    chosen = vectors[:, n - kept :]
    gap = _gap(values[::-1], kept)
    if gap <= 4 * moved or gap <= TIE * float(values[-1]):
        return UNKNOWN
    error = 2 * math.sqrt(2) * moved / gap
    return Number(chosen @ chosen.T, error + MATRIX * max(n, 1), 1.0)


def _kept(values, k) -> int | None:
    """How many of k descending eigenvalues are not zero; None where that is hidden."""
    top, k = max(float(values.max(initial=0.0)), 0.0), min(k, len(values))
    if top == 0 or k == 0:
        return 0
    if values[k - 1] >= TIE * top:
        return k
    grey = (values > 1e-13 * top) & (values < TIE * top)
    return None if grey.any() else int((values >= TIE * top).sum())


def _gap(values, kept) -> float:
    """From the last eigenvalue that is kept to the next; infinite where none is."""
    if kept in (0, len(values)):
        return math.inf
    return float(values[kept - 1] - max(values[kept], 0.0))


FUNCTIONS = {"eigenvalues": eigenvalues, "power": power, "leading": leading}
