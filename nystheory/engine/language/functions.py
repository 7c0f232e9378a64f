"""The functions of a line: each with what rounding of its arguments does to it."""

from __future__ import annotations

import math

import numpy as np
import scipy.linalg
import scipy.special

from nystheory.engine.language import spectral, sums
from nystheory.engine.language.numbers import (
    MATRIX,
    SCALAR,
    UNKNOWN,
    Number,
    _largest,
    _log,
    _plain,
    _size,
    _through,
    _whole,
)


def _sine(x: Number) -> Number:
    """The sine, which moves by no more than its argument."""
    value = _plain(np.sin(x.value))
    return Number(value, x.error + SCALAR * _largest(x.value), 1.0)


def _root(x: Number) -> Number:
    """The root; a square that rounding has made negative is zero.

    Of a matrix only where it is diagonal: there the roots of the entries are the root.
    """
    if np.ndim(x.value) == 2:
        return _diagonal_root(x)
    low = np.min(x.value) if np.size(x.value) else 0.0
    if -x.error <= low < 0:
        x = Number(_plain(np.maximum(x.value, 0.0)), x.error, x.scale)
    return _through(x, np.sqrt, 0.0)


def _diagonal_root(A: Number) -> Number:
    values = np.diag(A.value)
    if A.value.shape != (len(values),) * 2 or (A.value != np.diag(values)).any():
        raise ValueError("sqrt(...): expected a number, a vector or a diagonal matrix")
    roots = _root(Number(values, A.error, A.scale))
    # Each root may err by as much.
    error = math.sqrt(max(len(values), 1)) * roots.error
    return Number(np.diag(roots.value), error, roots.scale)


def _extreme(choose):
    def of(*numbers):
        if len(numbers) == 1:
            (array,) = numbers
            if not np.size(array.value):
                return UNKNOWN  # of nothing
            return Number(float(choose(array.value)), array.error, array.scale)
        value = choose([n.value for n in numbers])
        error = max(n.error for n in numbers)
        return Number(float(value), error, max(n.scale for n in numbers))

    return of


def _over_entries(f):
    def of(array):
        count = np.size(array.value)
        value = float(f(array.value))
        return Number(value, count * (array.error + SCALAR * array.size), array.scale)

    return of


def _trace(A):
    value, n = float(np.trace(A.value)), len(A.value)
    return Number(value, math.sqrt(max(n, 1)) * A.error + n * SCALAR * A.size, A.scale)


def _norm(order):
    def of(A):
        value = float(np.linalg.norm(A.value, order)) if np.size(A.value) else 0.0
        n = max(np.shape(A.value))
        # The nuclear norm of the error is at most sqrt(n) times its Frobenius norm, and
        # the length of a vector's is at most that of n times its largest entry.
        long = order == "nuc" or np.ndim(A.value) == 1
        grown = math.sqrt(n) if long else 1.0
        return Number(value, grown * A.error + MATRIX * n * A.size, max(A.scale, value))

    return of


def _inverse(A):
    """Inverse, with the error of a backward stable solver."""
    try:
        value = np.linalg.inv(A.value)
    except np.linalg.LinAlgError:
        return UNKNOWN
    size = float(np.linalg.norm(value))
    moved = A.error + MATRIX * len(A.value) * A.size
    if size * moved >= 0.5:
        return UNKNOWN
    return Number(value, 2 * size**2 * moved, size)


# Relative singular values between these could be a zero or not.
GREY = 1e-13, 1e-9


def _pseudo_inverse(A):
    """Moore-Penrose inverse; unknown where rounding hides the rank."""
    U, s, Vt = scipy.linalg.svd(A.value, full_matrices=False)
    kept, moved = _kept(A, s)
    if kept is None:
        return UNKNOWN
    if not kept.any():
        return Number(np.zeros(np.shape(A.value)[::-1]), 0.0, 0.0)
    value = (Vt[kept].T / s[kept]) @ U[:, kept].T
    size = 1 / s[kept][-1]
    # Wedin: root 2 times both spectral norms, of which the other is at most 2 size.
    return Number(value, 3 * size**2 * moved, size)


def _rank(A):
    """The rank; unknown where rounding hides it."""
    kept, _ = _kept(A, np.linalg.svd(A.value, compute_uv=False))
    return UNKNOWN if kept is None else Number.exact(float(kept.sum()))


def _kept(A, s):
    """Which singular values are not zero, None if unclear, and how far they moved."""
    if not s.size or s[0] == 0:
        return np.zeros(s.size, bool), 0.0
    relative = s / s[0]
    if ((relative > GREY[0]) & (relative < GREY[1])).any():
        return None, math.inf
    kept = relative >= GREY[1]
    moved = A.error + MATRIX * max(A.value.shape) * math.sqrt(kept.sum()) * s[0]
    # Else the smallest of them may be as small as it likes.
    return (kept if 2 * moved < s[kept][-1] else None), moved


def _determinant(A):
    n = len(A.value)
    lengths = np.linalg.norm(A.value, axis=0) if n else np.ones(1)
    with np.errstate(over="ignore"):
        # Hadamard's bound for every term of the expansion by columns.
        size, most = float(np.prod(lengths)), float(np.prod(lengths + A.error))
    if not math.isfinite(most):
        return UNKNOWN
    value = float(np.linalg.det(A.value)) if n else 1.0
    return Number(value, most - size + MATRIX * n * size, size)


def _log_determinant(A):
    """Of a positive definite matrix; its eigenvalues move by no more than its error."""
    turned = A.value.T
    if np.linalg.norm(A.value - turned) > 2 * A.error:
        return UNKNOWN  # not symmetric
    values = np.linalg.eigvalsh((A.value + turned) / 2)
    moved = A.error + MATRIX * len(values) * A.size
    low = values - moved
    if not math.isfinite(moved) or low.min(initial=1.0) <= 0:
        return UNKNOWN
    logs = np.log(values)
    error = moved * float(np.linalg.norm(1 / low)) + SCALAR * _largest(logs)
    return Number(float(logs.sum()), error, float(np.abs(logs).sum()))


def _below(A, B):
    """Whether B - A is semidefinite; None where rounding hides it.

    One of them may be the number 0, which stands for the zero matrix.
    """
    if A.unknown or B.unknown:
        return None
    for M in (A, B):
        if np.ndim(M.value) == 0 and abs(M.value) > M.error:
            raise ValueError("below(A, B): expected matrices or 0")
        if np.ndim(M.value) == 0 and M.error:
            return None
    difference = B - A
    if not math.isfinite(difference.error):
        return None
    if not np.size(difference.value):
        return True
    low = float(np.linalg.eigvalsh((difference.value + difference.value.T) / 2)[0])
    return semidefinite(difference, low)


def semidefinite(difference: Number, low: float):
    """Whether a symmetric matrix is, from its lowest eigenvalue; None if unclear.

    >>> semidefinite(Number.exact(np.eye(2)), 1.0)
    True
    """
    error = difference.error + MATRIX * len(difference.value) * difference.scale
    if low < -error:
        return False
    return True if error <= 1e-3 * difference.scale else None


def _rounded(f):
    def of(x):
        if not math.isfinite(x.value) or not math.isfinite(x.error):
            return UNKNOWN
        low, high = f(x.value - x.error), f(x.value + x.error)
        return Number.exact(low) if low == high else UNKNOWN

    return of


def _identity(n):
    if not sums.is_count(n) or n.value < 0:
        return UNKNOWN
    return Number.exact(np.eye(int(n.value)))


def _hadamard(A, B):
    """The product of the entries, each of which is at most the largest."""
    if A.unknown or B.unknown:
        return UNKNOWN
    value = A.value * B.value
    error = _largest(A.value) * B.error + (_largest(B.value) + B.error) * A.error
    if error or not _whole(value):
        error += SCALAR * _size(value)
    return Number(value, error, A.scale * B.scale)


def _taken(x, places):
    """Entries of a vector, or columns of a matrix, at these places, from 0."""
    if x.unknown or places.unknown:
        return UNKNOWN
    chosen, size = np.asarray(places.value), np.shape(x.value)[-1]
    if (chosen != np.floor(chosen)).any() or ((chosen < 0) | (chosen >= size)).any():
        got = ", ".join(f"{j:g}" for j in chosen)
        raise ValueError(f"line: expected places from 0 below {size}, got {got}")
    return Number(x.value[..., chosen.astype(int)], x.error, x.scale)


def _column(A, j):
    """A column of a matrix as a vector, by its place, from 0."""
    if A.unknown or not sums.is_count(j):
        return UNKNOWN
    one = _taken(A, Number(np.array([j.value]), 0.0, j.scale))
    return Number(one.value[:, 0], one.error, one.scale)


def _inverse_squares(first, last):
    """The sum of 1 / j^2 over the positive integers from `first` to `last`."""
    if not (sums.is_count(first) and sums.is_count(last)):
        return UNKNOWN
    low = max(first.value, 1.0)
    high = max(last.value + 1, low)
    left, right = scipy.special.polygamma(1, [low, high])
    return Number(float(left - right), 4 * SCALAR * left, float(left))


def _of_matrix(f):
    """A function that is unknown where its argument is, or an entry of that."""
    return lambda A: UNKNOWN if A.unknown or not math.isfinite(A.error) else f(A)


def _block(*parts):
    """A row of two matrices, or two rows of two."""
    if any(part.unknown for part in parts):
        return UNKNOWN
    values = [part.value for part in parts]
    value = np.block([values] if len(values) == 2 else [values[:2], values[2:]])
    error = sum(part.error for part in parts)
    return Number(value, error, max(part.scale for part in parts))


FUNCTIONS = {
    "block": _block,
    "inverse_squares": _inverse_squares,
    "sqrt": _root,
    "log": lambda x: Number(*_log(x)),
    "exp": lambda x: _through(x, np.exp),
    "erf": lambda x: _through(x, scipy.special.erf),
    "sin": _sine,
    "asin": lambda x: _through(x, np.arcsin, -1.0, 1.0),
    "abs": lambda x: Number(_plain(np.abs(x.value)), x.error, x.scale),
    "floor": _rounded(math.floor),
    "ceil": _rounded(math.ceil),
    "min": _extreme(np.min),
    "max": _extreme(np.max),
    "sum": _over_entries(np.sum),
    "trace": _of_matrix(_trace),
    "diag": _of_matrix(lambda A: Number(np.diag(A.value).copy(), A.error, A.scale)),
    "inv": _of_matrix(_inverse),
    "pinv": _of_matrix(_pseudo_inverse),
    "rank": _of_matrix(_rank),
    "hadamard": _hadamard,
    "column": _column,
    "taken": _taken,
    "det": _of_matrix(_determinant),
    "log_det": _of_matrix(_log_determinant),
    "norm_2": _of_matrix(_norm(2)),
    "norm_F": _of_matrix(_norm("fro")),
    "norm_trace": _of_matrix(_norm("nuc")),
    "identity": _identity,
    "below": _below,
    **spectral.FUNCTIONS,
    **sums.FUNCTIONS,
}
