"""Numbers that know how much rounding has blurred them.

Every measured quantity comes with a bound for its rounding error, and arithmetic
carries it along, so that no claim states an allowance of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

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
        _same_shape(self.value, other.value)
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
            error += SCALAR * _size(value)
        return Number(value, error, scale)

    def __truediv__(self, other):
        smallest = _smallest(other.value)
        if smallest <= other.error:
            return Number(math.nan, math.inf, math.inf)
        value = _plain(self.value / other.value)
        error = (self.error + _size(value) * other.error) / (smallest - other.error)
        scale = max(self.scale / smallest, _largest(value))
        if error or not (_whole(value) and np.all(value * other.value == self.value)):
            error += SCALAR * _size(value)
        return Number(value, error, scale)

    def __pow__(self, other):
        power = other.value
        if not isinstance(power, float):
            return self._to_each(other)
        if power == 0 and not other.error and not self.unknown:
            # An empty product, of zeros too.
            ones = np.ones(np.shape(self.value))
            return Number(_plain(ones), 0.0, 1.0)
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

    def _to_each(self, powers):
        """A number to each entry of a vector."""
        if not isinstance(self.value, float):
            raise ValueError("an exponent of an array is a number")
        each = [self ** Number(float(p), powers.error, abs(p)) for p in powers.value]
        error = max((x.error for x in each), default=0.0)
        if self.unknown or not math.isfinite(error):
            return UNKNOWN
        scale = max((x.scale for x in each), default=0.0)
        return Number(np.array([x.value for x in each]), error, scale)

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
        grown = max(inner, 1) ** (vectors / 2)
        error = (error + MATRIX * max(inner, 1) * size) * grown
        return Number(_plain(value), error, size)

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
    return float(np.abs(value).min(initial=math.inf))


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
