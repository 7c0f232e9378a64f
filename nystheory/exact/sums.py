"""Sums, products and coefficients over places that are counted, without rounding."""

from functools import reduce
from math import comb

from flint import arb, arb_mat, fmpq, fmpq_mat

from nystheory.exact import balls
from nystheory.exact.balls import Unknown


def count(x) -> int:
    """An integer; a ball is none, nor is half of an odd number."""
    if not isinstance(x, fmpq) or x.q != 1:
        raise Unknown("a number that is no integer, where one is counted")
    return int(x.p)


def counting(m):
    """The vector 0, 1, ..., m - 1; empty for m up to 0."""
    return [fmpq(j) for j in range(count(m))]


def prod(values):
    """The product of the entries."""
    return reduce(balls.times, values, fmpq(1))


def elementary(values, j):
    """The elementary symmetric polynomial: the sum of all products of j entries."""
    sums = [fmpq(1)] + [fmpq(0)] * count(j)
    for value in values:
        for i in range(count(j), 0, -1):
            sums[i] = balls.plus(sums[i], balls.times(value, sums[i - 1]))
    return sums[count(j)]


def binomial(n, k):
    """How many sets of k of n things there are."""
    if min(count(n), count(k)) < 0:
        raise Unknown("sets of a negative number of things")
    return fmpq(comb(count(n), count(k)))


def outer(a, b):
    """The matrix of all products of an entry of a and one of b."""
    rows = [[balls.times(x, y) for y in b] for x in a]
    if any(isinstance(x, arb) for row in rows for x in row):
        return arb_mat([[balls.ball(x) for x in row] for row in rows])
    return fmpq_mat(rows) if rows and b else balls.zeros(len(a), len(b))
