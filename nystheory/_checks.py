"""Checks of arguments, shared by every room.

A message names the argument, what was expected, what came, and what to do where
that is not plain.  Wrong types raise TypeError, wrong values ValueError.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable
from contextlib import contextmanager
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse

# Entries whose squares, and their products with n, neither overflow nor vanish.
SMALLEST, LARGEST = 1e-150, 1e150
# joblib counts down from the number of cores; no machine has more of them, and a
# system may refuse more threads.
CORES, MOST_JOBS = 2**15, 2**10
# Larger integers are not exact as floats, and no array is as long.
WHOLE = 10**15
# Bits; longer integers are told by their length, for Python may not print them.
LONGEST = 200


def integer(
    value: Any, name: str, low: int = 1, high: int | None = None, why: str = ""
) -> int:
    """`value` as an int in ``low..high``; `why` says where `high` comes from.

    Raises
    ------
    TypeError
        If it is not an integer (booleans and 3.0 are not).
    ValueError
        If it is out of range.

    Examples
    --------
    >>> integer(np.int64(3), "rank", high=5)
    3
    >>> integer(7, "rank", high=5, why="the number of landmarks")
    Traceback (most recent call last):
    ValueError: rank: expected an integer from 1 to 5 (the number of landmarks), got 7
    >>> integer(1, "rank", high=0, why="the columns so far")
    Traceback (most recent call last):
    ValueError: rank: expected an integer of at least 1 and at most 0 (the columns so \
far), of which there is none, got 1
    """
    span = f"from {low} to {high}" if high is not None else f"of at least {low}"
    none = high is not None and high < low
    if none:
        span = f"of at least {low} and at most {high}"
    expected = f"{name}: expected an integer {span}" + (f" ({why})" if why else "")
    expected += ", of which there is none" if none else ""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{expected}, got {shown(value)}") from None
    if number < low or (high is not None and number > high):
        raise ValueError(f"{expected}, got {shown(number)}")
    if number > WHOLE:
        raise ValueError(f"{expected}, and at most {WHOLE:.0e}, got {shown(number)}")
    return number


def jobs(value: Any, name: str = "n_jobs") -> int | None:
    """`value` as a number of jobs at the same time, as joblib counts them, or None.

    Examples
    --------
    >>> jobs(0)
    Traceback (most recent call last):
    ValueError: n_jobs: expected a number of jobs other than 0, got 0
    """
    if value is None:
        return None
    number = integer(value, name, low=-CORES, high=MOST_JOBS)
    if number == 0:
        raise ValueError(f"{name}: expected a number of jobs other than 0, got 0")
    return number


def positive(value: Any, name: str) -> float:
    """`value` as a finite float above zero, of a size that can be inverted.

    Examples
    --------
    >>> positive(-1, "gamma")
    Traceback (most recent call last):
    ValueError: gamma: expected a finite number above 0, got -1
    """
    number = as_number(value, name)
    if not (np.isfinite(number) and number > 0):
        raise ValueError(f"{name}: expected a finite number above 0, got {value}")
    if not SMALLEST**2 <= number <= LARGEST**2:
        span = f"from {SMALLEST**2:.0e} to {LARGEST**2:.0e}"
        raise ValueError(f"{name}: expected a number {span}, got {number:.6g}")
    return number


def not_below_zero(value: Any, name: str) -> float:
    """`value` as a finite float of at least zero.

    Examples
    --------
    >>> not_below_zero(-1, "ridge")
    Traceback (most recent call last):
    ValueError: ridge: expected a finite number of at least 0, got -1
    """
    number = as_number(value, name)
    if not (np.isfinite(number) and number >= 0):
        raise ValueError(f"{name}: expected a finite number of at least 0, got {value}")
    return number


def as_number(value: Any, name: str) -> float:
    """`value` as a float; truths and words are no numbers.

    Examples
    --------
    >>> as_number("3", "alpha")
    Traceback (most recent call last):
    TypeError: alpha: expected a number, got '3'
    """
    try:
        if isinstance(value, (bool, np.bool_, str, bytes)) or np.ndim(value):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name}: expected a number, got {shown(value)}") from None


def float_type(value: Any, name: str) -> np.dtype:
    """`value` as NumPy's float32 or float64.

    Examples
    --------
    >>> float_type(int, "dtype")
    Traceback (most recent call last):
    TypeError: dtype: expected float32 or float64, got <class 'int'>
    """
    try:
        found = np.dtype(value)
    except TypeError:
        found = None
    if value is None or found not in (np.float32, np.float64):
        raise TypeError(f"{name}: expected float32 or float64, got {shown(value)}")
    return found


def truth(value: Any, name: str) -> bool:
    """`value` if it is True or False.

    Examples
    --------
    >>> truth("no", "replace")
    Traceback (most recent call last):
    TypeError: replace: expected True or False, got 'no'
    """
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: expected True or False, got {shown(value)}")
    return bool(value)


def choice(value: Any, name: str, options: Collection[str]) -> str:
    """`value` if it is one of `options`.

    Examples
    --------
    >>> choice("nuclear", "norm", ("spectral", "trace"))
    Traceback (most recent call last):
    ValueError: norm: expected one of 'spectral', 'trace', got 'nuclear'
    """
    if not isinstance(value, str) or value not in options:
        listed = ", ".join(repr(option) for option in options)
        raise ValueError(f"{name}: expected one of {listed}, got {shown(value)}")
    return value


def string(value: Any, name: str, what: str) -> str:
    """`value`, if it is a string.

    Examples
    --------
    >>> string(3, "id", "the id of a theorem")
    Traceback (most recent call last):
    TypeError: id: expected the id of a theorem, got 3
    """
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected {what}, got {shown(value)}")
    return value


def generator(rng: Any) -> np.random.Generator:
    """`rng` if it is a NumPy random generator.

    Examples
    --------
    >>> generator(0)
    Traceback (most recent call last):
    TypeError: rng: expected a numpy.random.Generator, such as \
numpy.random.default_rng(0), got 0
    """
    if not isinstance(rng, np.random.Generator):
        raise TypeError(
            "rng: expected a numpy.random.Generator, such as "
            f"numpy.random.default_rng(0), got {shown(rng)}"
        )
    return rng


def without_words(value: Any, name: str) -> Any:
    """`value` as it is, if it is not an array of words or dates.

    Examples
    --------
    >>> without_words(["1", "2"], "X")
    Traceback (most recent call last):
    TypeError: X: expected real numbers, got ['1', '2']
    """
    told = np.asarray(value[:1]) if isinstance(value, (list, tuple)) else value
    kind = getattr(getattr(told, "dtype", None), "kind", "f")
    if kind in "USMm" or kind == "O" and not _wordless(told):
        raise TypeError(f"{name}: expected real numbers, got {shown(value)}")
    return value


def real_array(value: Any, name: str, ndim: int) -> np.ndarray:
    """`value` as a finite float array: float32 stays, other real types widen.

    No copy is made when none is needed, and nothing is modified.

    Examples
    --------
    >>> real_array([[1, 2]], "X", 2).dtype
    dtype('float64')
    >>> real_array([1.0, np.nan], "v", 1)
    Traceback (most recent call last):
    ValueError: v: expected finite numbers, got nan at index 1
    """
    array = as_array(value, name)
    if array.dtype.kind not in "buif":
        raise TypeError(f"{name}: expected real numbers, got {shown(value)}")
    if array.dtype not in (np.float32, np.float64):
        array = array.astype(np.float64)
    if array.ndim != ndim:
        raise ValueError(
            f"{name}: expected {ndim} dimension{'s' * (ndim > 1)}, "
            f"got {f'an array of shape {array.shape}' if array.ndim else shown(value)}"
        )
    with np.errstate(over="ignore", invalid="ignore"):
        total = array.sum(dtype=np.float64)
    if not np.isfinite(total):
        _finite(array, name)
    return array


def as_array(value: Any, name: str) -> np.ndarray:
    """`value` as an array of numbers, where that loses nothing.

    Examples
    --------
    >>> as_array([[1], [2, 3]], "X")
    Traceback (most recent call last):
    ValueError: X: expected an array, got [[1], [2, 3]]
    """
    if scipy.sparse.issparse(value):
        raise TypeError(
            f"{name}: expected a dense array, got a sparse one of shape {value.shape}; "
            "its toarray() is dense"
        )
    if np.ma.is_masked(value):
        raise ValueError(
            f"{name}: expected no masked entries, got {int(np.ma.count_masked(value))}"
        )
    try:
        array = np.asarray(value)
    except ValueError as error:  # rows of different lengths
        raise ValueError(f"{name}: expected an array, got {shown(value)}") from error
    if array.dtype.kind != "O":
        return array
    if not _wordless(array):
        raise TypeError(f"{name}: expected real numbers, got {shown(value)}")
    try:  # pandas' nullable floats, fractions
        return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name}: expected real numbers, got {shown(value)}") from None


def rows(B: Any, n: int, name: str = "B") -> np.ndarray:
    """`B` as a finite real vector or matrix with n rows.

    Examples
    --------
    >>> rows([1, 2], 3)
    Traceback (most recent call last):
    ValueError: B: expected 3 rows, got shape (2,)
    """
    B = as_array(B, name)
    B = real_array(B, name, 1 if B.ndim == 1 else 2)
    if len(B) != n:
        raise ValueError(f"{name}: expected {n} rows, got shape {B.shape}")
    return B


def points(X: Any) -> np.ndarray:
    """`X` as (n, d) points with n, d >= 1.

    Examples
    --------
    >>> points([1.0, 2.0])
    Traceback (most recent call last):
    ValueError: X: expected 2 dimensions, got an array of shape (2,)
    """
    if scipy.sparse.issparse(X):
        raise TypeError(
            f"X: expected dense points, got sparse ones of shape {X.shape}; pass "
            "X.toarray(), or use features.NystromFeatures, which takes them"
        )
    X = real_array(X, "X", 2)
    if X.size == 0:
        raise ValueError(f"X: expected at least one row and column, got {X.shape}")
    return X


def iterable(value: Any) -> bool:
    """Whether `value` can be iterated; an array without dimensions cannot.

    Examples
    --------
    >>> iterable([1]), iterable(np.array(1))
    (True, False)
    """
    return isinstance(value, Iterable) and getattr(value, "ndim", 1) > 0


def _wordless(array):
    """Whether no entry of an array of objects is a word, though it spell a number."""
    return not any(isinstance(each, (str, bytes)) for each in np.asarray(array).flat)


@contextmanager
def told_as(theirs: str, ours: str):
    """Errors about an argument of another function, by the name that it has here.

    Examples
    --------
    >>> with told_as("others", "X"):
    ...     points([1.0])
    Traceback (most recent call last):
    ValueError: X: expected 2 dimensions, got an array of shape (1,)
    """
    try:
        yield
    except (ValueError, TypeError, IndexError) as error:
        head, colon, rest = str(error).partition(":")
        if head != theirs:
            raise
        raise type(error)(f"{ours}{colon}{rest}") from None


def indices(value: Any, n: int, name: str) -> np.ndarray:
    """`value` as a non-empty vector of integers in 0..n-1; repetitions are allowed.

    Examples
    --------
    >>> indices([2, 0, 2], 3, "landmarks")
    array([2, 0, 2])
    >>> indices([3], 3, "landmarks")
    Traceback (most recent call last):
    IndexError: landmarks: expected indices from 0 to 2, got 3
    """
    try:
        array = as_array(value, name)
    except TypeError:
        if scipy.sparse.issparse(value):
            raise
        expected = f"{name}: expected integer indices"
        raise TypeError(f"{expected}, got {shown(value)}") from None
    if array.ndim != 1 or array.size == 0:
        raise ValueError(
            f"{name}: expected a non-empty sequence of indices, got {shown(value)}"
        )
    if array.dtype.kind not in "ui":
        raise TypeError(
            f"{name}: expected integer indices, got {shown(value)} of {array.dtype}"
        )
    bad = (array < 0) | (array >= n)
    if bad.any():
        raise IndexError(
            f"{name}: expected indices from 0 to {n - 1}, got {array[bad][0]}"
        )
    return array.astype(np.intp)


def shown(value: Any) -> str:
    """`value` in a message: short, whatever it is.

    Examples
    --------
    >>> shown(2.5), shown([1, 2]), shown(10**400)
    ('2.5', '[1, 2]', 'an integer of 1329 bits')
    """
    if isinstance(value, np.ndarray) and value.size > 8:
        words = " of strings" if value.dtype.kind in "SU" else ""
        return f"an array{words} of shape {value.shape}"
    if isinstance(value, int) and value.bit_length() > LONGEST:
        return f"an integer of {value.bit_length()} bits"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _finite(array: np.ndarray, name: str) -> None:
    """Raise if an entry is not finite (a finite array may have an infinite sum)."""
    bad = ~np.isfinite(array)
    if bad.any():
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        where = f"index {place[0]}" if len(place) == 1 else f"index {place}"
        got = f"{array[place]} at {where}"
        raise ValueError(f"{name}: expected finite numbers, got {got}")
