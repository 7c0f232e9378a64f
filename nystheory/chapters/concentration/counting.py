"""Counting ones, with and without replacement, in exact numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from nystheory.chapters.concentration.theorems.mcdiarmid import hypergeometric_tails
from nystheory.engine.worlds.concentration import value


def binomial_tails(n: int, ones: int, drawn: int) -> dict[int, Fraction]:
    """``P[at least t ones among those drawn]``, drawn with replacement.

    Examples
    --------
    >>> binomial_tails(3, 1, 2)[1]
    Fraction(5, 9)
    """
    p, total, tails = Fraction(ones, n), Fraction(0), {}
    for t in range(drawn, -1, -1):
        total += math.comb(drawn, t) * p**t * (1 - p) ** (drawn - t)
        tails[t] = total
    return tails


def mean_and_variance(tails: Mapping[int, Fraction]) -> tuple[Fraction, Fraction]:
    """Of a count, from its tails.

    Examples
    --------
    >>> mean_and_variance(binomial_tails(2, 1, 2))
    (Fraction(1, 1), Fraction(1, 2))
    """
    chances = {t: q - tails.get(t + 1, 0) for t, q in tails.items()}
    mean = sum(t * q for t, q in chances.items())
    return mean, sum((t - mean) ** 2 * q for t, q in chances.items())


def needed_constant(n: int, drawn: int, ones: int | None = None) -> float:
    """The smallest alpha with which Theorem 5.1 holds for every count of ones.

    Parameters
    ----------
    n, drawn : int
    ones : int, optional
        Only for a population with so many ones.

    Examples
    --------
    >>> round(needed_constant(2, 1) * 2 * math.log(2), 12)
    1.0
    """
    worst = 0.0
    for some in range(1, n) if ones is None else (ones,):
        mean = Fraction(some * drawn, n)
        for t, tail in hypergeometric_tails(n, some, drawn).items():
            if t > mean and tail < 1:
                # Of integers, since the fraction may be too small for a float.
                log = math.log(tail.denominator) - math.log(tail.numerator)
                worst = max(worst, 2 * float(t - mean) ** 2 / log)
    return worst


def needed_by_any(n: int, drawn: int) -> float:
    """The smallest alpha with which Theorem 5.1 holds for every symmetric function.

    Parameters
    ----------
    n, drawn : int
        At most 24 samples: every set of them is tried.

    Notes
    -----
    A function that changes by at most 1 at an exchange, and exceeds its mean by
    epsilon on the samples A, is at most d(S, A) smaller at a sample S that is d
    exchanges away from A.  So epsilon is at most the mean of d(S, A), and -d(S, A) is
    a function that attains this: one function for each set A is enough.

    Examples
    --------
    >>> round(needed_by_any(2, 1) * 2 * math.log(2), 12)
    1.0
    """
    samples = [frozenset(S) for S in combinations(range(n), drawn)]
    count = len(samples)
    if count > 24:
        raise ValueError(f"expected at most 24 samples, got {count}")
    apart = np.array([[drawn - len(S & T) for T in samples] for S in samples])
    bits = 1 << np.arange(count)
    # d(S, A) is the number of radii r at which S is not within r of A.
    total = np.zeros(2**count, dtype=int)
    for radius in range(apart.max()):
        near = np.where(apart <= radius, bits, 0).sum(axis=1)
        total += count - np.bitwise_count(_unions(near))
    size = np.bitwise_count(np.arange(2**count))
    some = (size > 0) & (size < count)
    mean, share = total[some] / count, size[some] / count
    return float((2 * mean**2 / -np.log(share)).max())


def _unions(masks) -> np.ndarray:
    """The union of every subset of some sets, all as bits, (2^m,)."""
    found = np.zeros(1, dtype=int)
    for mask in masks:
        found = np.concatenate([found, found | mask])
    return found


def constants(n: int) -> dict[str, np.ndarray]:
    """For every l from 1 to n - 1: what is needed, the two branches, as printed, l.

    Examples
    --------
    >>> {name: found.tolist() for name, found in constants(2).items()}["sharp"]
    [1.0]
    """
    drawn = range(1, n)
    lines = {
        "drawn": "u ** 2 * inverse_squares(u, n - 1)",
        "left": "l ** 2 * inverse_squares(l, n - 1)",
        "sharp": "alpha_sharp",
        "printed": "alpha_printed",
    }
    found = {
        name: np.array([value(line, n=n, l=count) for count in drawn])
        for name, line in lines.items()
    }
    found["needed"] = np.array([needed_constant(n, count) for count in drawn])
    found["with replacement"] = np.array(drawn, dtype=float)
    return found


# ---- with beside without replacement ----


def mean_given_the_set(
    values: Sequence, drawn: int, function: Callable = sum
) -> dict[tuple[int, ...], Fraction]:
    """Fill draws with replacement up to a set: the mean over draws, given the set.

    Parameters
    ----------
    values : sequence of Fraction or int, length n
    drawn : int
        Draws, and elements of the set.
    function : callable
        Of the list of the values drawn.

    Returns
    -------
    dict of tuple to Fraction
        By set, of which all are equally likely.

    Examples
    --------
    >>> mean_given_the_set([1, 3], 2)
    {(0, 1): Fraction(4, 1)}
    """
    n = len(values)
    weight = dict.fromkeys(combinations(range(n), drawn), Fraction(0))
    total = dict(weight)
    for draws in product(range(n), repeat=drawn):
        seen = set(draws)
        full = [T for T in weight if seen <= set(T)]
        for T in full:
            chance = Fraction(1, n**drawn * len(full))
            weight[T] += chance
            total[T] += chance * function([values[i] for i in draws])
    return {T: total[T] / weight[T] for T in weight}
