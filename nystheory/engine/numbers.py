"""Numbers that know how much rounding has blurred them.

Every measured quantity comes with a bound for its rounding error, and arithmetic
carries it along, so that no claim states an allowance of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy.linalg
import scipy.special

EPS = np.finfo(float).eps
# One operation on numbers errs by half an eps; on n x n matrices by a modest multiple
# of n eps times the norms.
SCALAR, MATRIX = 4 * EPS, 16 * EPS


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """A number or an array, a bound for its rounding error, the size of what made it.

    Parameters
    ----------
    value : float or ndarray
    error : float
        No entry of a vector errs by more; the Frobenius norm for a matrix.
    scale : float
        The largest modulus that met on the way: ``1 - 1`` has the scale 1, so that
        what is left of a cancellation can be judged.
    """

    value: float | np.ndarray
    error: float
    scale: float

    @classmethod
    def exact(cls, value):
        """A number without error."""
        if isinstance(value, float):
            return cls(float(value), 0.0, abs(float(value)))
        array = np.asarray(value, dtype=float)
        size = float(np.abs(array).max(initial=0.0))
        return cls(float(array) if array.ndim == 0 else array, 0.0, size)

    @property
    def size(self) -> float:
        """Largest modulus of an entry, spectral norm of a matrix."""
        if isinstance(self.value, float):
            return abs(self.value)
        if self.value.ndim == 2:
            return float(np.linalg.norm(self.value)) if self.value.size else 0.0
        return float(np.abs(self.value).max(initial=0.0))

    def __neg__(self):
        return Number(-self.value, self.error, self.scale)

    def __add__(self, other):
        return _sum(self, other, self.value + other.value)

    def __sub__(self, other):
        _same_shape(self.value, other.value)
        return _sum(self, other, self.value - other.value)

    def __mul__(self, other):
        if self.unknown or other.unknown:
            return UNKNOWN
        value = _plain(self.value * other.value)
        scale = _product(self.scale, other.scale)
        error = _product(self.size, other.error) + _product(other.size, self.error)
        error += _product(self.error, other.error)
        if error or not _whole(value):
            error += SCALAR * _largest(value)
        return Number(value, error, scale)

    def __truediv__(self, other):
        smallest = _smallest(other.value)
        if smallest <= other.error:
            return Number(math.nan, math.inf, math.inf)
        value = _plain(self.value / other.value)
        error = (self.error + _size(value) * other.error) / (smallest - other.error)
        scale = max(self.scale / smallest, _largest(value))
        if error or not (_whole(value) and np.all(value * other.value == self.value)):
            error += SCALAR * _largest(value)
        return Number(value, error, scale)

    def __pow__(self, other):
        power = other.value
        if not isinstance(power, float):
            raise ValueError("an exponent is a number, not an array")
        if isinstance(self.value, float) and self.value == 0 and power > 0:
            with np.errstate(over="ignore"):
                error, scale = np.float_power([self.error, self.scale], power)
            return Number(0.0, float(error), float(scale))
        if power == 2:
            return self * self
        if other.error:
            raised = Number(*_log(self)) * other
            return _through(raised, np.exp)
        lowest = -math.inf if power > 0 and power == int(power) else 0.0
        # A negative power has no value at zero; one that is no integer none below.
        return _through(
            self, lambda x: np.float_power(x, power), lowest, closed=power > 0
        )

    def __matmul__(self, other):
        if self.unknown or other.unknown:
            return UNKNOWN
        value = self.value @ other.value
        size = _product(self.size, other.size)
        error = _product(self.size, other.error) + _product(other.size, self.error)
        error += _product(self.error, other.error)
        inner = np.shape(self.value)[-1]
        # A vector's error is that of an entry; it has as many as are summed over.
        vectors = (np.ndim(self.value) == 1) + (np.ndim(other.value) == 1)
        error *= max(inner, 1) ** (vectors / 2)
        return Number(value, error + MATRIX * max(inner, 1) * size, size)

    def transposed(self):
        return Number(_plain(np.transpose(self.value)), self.error, self.scale)

    @property
    def unknown(self) -> bool:
        """Whether it stands for a value, of any shape, that could not be measured."""
        return isinstance(self.value, float) and math.isnan(self.value)


UNKNOWN = Number(math.nan, math.inf, math.inf)


def _product(a, b):
    """A product in which zero times infinity is zero."""
    return 0.0 if a == 0 or b == 0 else a * b


# Most numbers are scalars, for which NumPy takes ten times as long as Python.


def _smallest(value) -> float:
    if isinstance(value, float):
        return abs(float(value))
    return float(np.abs(value).min()) if np.size(value) else 0.0


def _largest(value) -> float:
    if isinstance(value, float):
        return abs(float(value))
    return float(np.abs(value).max(initial=0.0)) if np.size(value) else 0.0


def _size(value) -> float:
    """In the norm of the errors: Frobenius for a matrix, else the largest entry."""
    return float(np.linalg.norm(value)) if np.ndim(value) == 2 else _largest(value)


def _plain(value):
    if isinstance(value, float):
        return float(value)
    return float(value) if np.ndim(value) == 0 else value


def _same_shape(a, b):
    if isinstance(a, float) or isinstance(b, float):
        return
    if np.ndim(a) and np.ndim(b) and np.shape(a) != np.shape(b):
        raise ValueError(f"two sides of shapes {np.shape(a)} and {np.shape(b)}")


def _sum(a, b, value):
    if a.unknown or b.unknown:
        return UNKNOWN
    error = _spread(a, value) + _spread(b, value)
    # What is added to zero is not rounded.
    if (error or not _whole(value)) and a.size and b.size:
        error += SCALAR * max(a.size, b.size)
    return Number(_plain(value), error, max(a.scale, b.scale, _largest(value)))


def _spread(x, value) -> float:
    """The error of a number that is added to every entry of a matrix."""
    every = isinstance(x.value, float) and np.ndim(value) == 2
    return x.error * math.sqrt(np.size(value)) if every else x.error


def _whole(value) -> bool:
    """Whether floats are integers that are computed without rounding."""
    if isinstance(value, float):
        return abs(value) < 2.0**53 and value % 1 == 0
    return bool(np.all(np.equal(np.mod(value, 1), 0)) and _largest(value) < 2.0**53)


def _through(x: Number, f, lowest=-math.inf, highest=math.inf, closed=True) -> Number:
    """A monotone function of a number; the error is what it does to both ends.

    Its domain is from `lowest` to `highest`: an end beyond it stands at its edge, and
    where the edge does not belong to the domain (not `closed`) nothing is known.
    """
    with np.errstate(all="ignore"):
        value = f(x.value)
        if not math.isfinite(x.error):
            return Number(_plain(value), math.inf, math.inf)
        # The ends themselves are rounded.
        reach = x.error + EPS * np.abs(x.value) if x.error else 0.0
        low, high = x.value - reach, x.value + reach
        ends = f(np.clip(low, lowest, highest)), f(np.clip(high, lowest, highest))
        ways = [np.abs(end - value) for end in ends]
        error = float(np.max(ways, initial=0.0)) + SCALAR * _largest(value)
    beyond = not closed and bool(np.any(low <= lowest))
    if np.isnan(error) or beyond:
        error = math.inf
    return Number(_plain(value), error, max(_largest(value), error))


def _log(x):
    found = _through(x, np.log, 0.0, closed=False)
    return found.value, found.error, found.scale


def _sine(x: Number) -> Number:
    """The sine, which moves by no more than its argument."""
    value = _plain(np.sin(x.value))
    return Number(value, x.error + SCALAR * _largest(x.value), 1.0)


def _root(x: Number) -> Number:
    """The root; a square that rounding has made negative is zero."""
    low = np.min(x.value) if np.size(x.value) else 0.0
    if -x.error <= low < 0:
        x = Number(_plain(np.maximum(x.value, 0.0)), x.error, x.scale)
    return _through(x, np.sqrt, 0.0)


def _extreme(choose):
    def of(*numbers):
        if len(numbers) == 1:
            (array,) = numbers
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
        # The nuclear norm of the error is at most sqrt(n) times its Frobenius norm.
        grown = math.sqrt(n) if order == "nuc" else 1.0
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
    if not s.size or s[0] == 0:
        return Number(np.zeros(np.shape(A.value)[::-1]), 0.0, 0.0)
    relative = s / s[0]
    if ((relative > GREY[0]) & (relative < GREY[1])).any():
        return UNKNOWN
    kept = relative >= GREY[1]
    value = (Vt[kept].T / s[kept]) @ U[:, kept].T
    moved = A.error + MATRIX * max(A.value.shape) * math.sqrt(kept.sum()) * s[0]
    size = 1 / s[kept][-1]
    if size * moved >= 0.5:  # the smallest of them may be as large as it likes
        return UNKNOWN
    # Wedin: root 2 times both spectral norms, of which the other is at most 2 size.
    return Number(value, 3 * size**2 * moved, size)


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
    values = np.linalg.eigvalsh(A.value)
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
    if any(np.ndim(M.value) == 0 and M.value != 0 for M in (A, B)):
        raise ValueError("below(A, B): expected matrices or 0")
    difference = B - A
    if not math.isfinite(difference.error):
        return None
    low = float(np.linalg.eigvalsh((difference.value + difference.value.T) / 2)[0])
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


def _inverse_squares(first, last):
    """The sum of 1 / j^2 over the positive integers from `first` to `last`."""
    low = max(first.value, 1.0)
    high = max(last.value + 1, low)
    left, right = scipy.special.polygamma(1, [low, high])
    return Number(float(left - right), 4 * SCALAR * left, float(left))


def _of_matrix(f):
    """A function that is unknown where its argument is."""
    return lambda A: UNKNOWN if A.unknown else f(A)


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
    "det": _of_matrix(_determinant),
    "log_det": _of_matrix(_log_determinant),
    "norm_2": _of_matrix(_norm(2)),
    "norm_F": _of_matrix(_norm("fro")),
    "norm_trace": _of_matrix(_norm("nuc")),
    "identity": _of_matrix(lambda n: Number.exact(np.eye(int(n.value)))),
    "below": _below,
}
