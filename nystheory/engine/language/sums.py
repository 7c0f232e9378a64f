"""Sums, products and coefficients over places that are counted, in a line."""

from __future__ import annotations

import math

import numpy as np

from nystheory.engine.language.numbers import SCALAR, UNKNOWN, Number, _size


def is_count(x: Number) -> bool:
    """Whether it is an integer, and surely that."""
    return not x.unknown and x.error == 0 and x.value % 1 == 0


def counting(m):
    """The vector 0, 1, ..., m - 1; empty for m up to 0."""
    if not is_count(m):
        return UNKNOWN
    return Number.exact(np.arange(max(m.value, 0.0)))


def prod(x):
    """The product of the entries; no factor errs by more than the error of x."""
    value = float(np.prod(x.value))
    return _of_factors(value, np.abs(x.value), x.error, np.prod)


def elementary(x, j):
    """The elementary symmetric polynomial: the sum of all products of j entries."""
    if x.unknown or not is_count(j) or j.value < 0:
        return UNKNOWN

    def of(values):
        return _coefficients(values, int(j.value))

    return _of_factors(of(x.value), np.abs(x.value), x.error, of)


def _coefficients(values, j) -> float:
    sums = np.zeros(j + 1)
    sums[0] = 1.0
    for value in values:
        sums[1:] += value * sums[:-1]
    return float(sums[j])


def _of_factors(value, sizes, error, f) -> Number:
    """A polynomial with positive coefficients moves most where all factors grow."""
    if not math.isfinite(error):
        return UNKNOWN
    size, most = float(f(sizes)), float(f(sizes + error))
    rounding = SCALAR * max(np.size(sizes), 1) * most
    return Number(value, most - size + rounding, size)


def binomial(n, k):
    """How many sets of k of n things there are."""
    if not (is_count(n) and is_count(k)) or n.value < 0 or k.value < 0:
        return UNKNOWN
    count = math.comb(int(n.value), int(k.value))
    try:
        value = float(count)
    except OverflowError:
        return UNKNOWN  # more than a float can hold
    return Number(value, float(abs(count - int(value))), value)


def outer(a, b):
    """The matrix of all products of an entry of a and one of b."""
    if a.unknown or b.unknown:
        return UNKNOWN
    value = np.outer(a.value, b.value)
    grown = math.sqrt(max(np.size(value), 1))
    error = (a.size * b.error + b.size * a.error + a.error * b.error) * grown
    return Number(value, error + SCALAR * _size(value), a.scale * b.scale)


def diagonal(x):
    """The diagonal matrix with these entries."""
    if x.unknown:
        return UNKNOWN
    error = math.sqrt(max(np.size(x.value), 1)) * x.error
    return Number(np.diag(x.value), error, x.scale)


FUNCTIONS = {
    "counting": counting,
    "prod": lambda x: UNKNOWN if x.unknown else prod(x),
    "elementary": elementary,
    "binomial": binomial,
    "outer": outer,
    "diagonal": diagonal,
}
