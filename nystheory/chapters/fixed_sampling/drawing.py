"""Laws of samples by enumeration, and samples that are drawn together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb

import numpy as np

from nystheory import lowrank

# ---- laws, by enumeration ----


def one_by_one(p: Sequence, count: int) -> dict[tuple[int, ...], Fraction]:
    """The law of a sample that is drawn one by one, each from what is left.

    Parameters
    ----------
    p : sequence of Fraction, length n
        Of sum 1.
    count : int
        The number l of columns.

    Returns
    -------
    dict of tuple to Fraction
        The probability of every ordered sample.

    Examples
    --------
    >>> law = one_by_one([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], 2)
    >>> law[0, 1], law[1, 0]
    (Fraction(1, 3), Fraction(1, 4))
    """
    law = {}
    for ordered in permutations(range(len(p)), count):
        chance, left = Fraction(1), Fraction(1)
        for i in ordered:
            chance, left = chance * p[i] / left, left - p[i]
        law[ordered] = chance
    return law


def inclusion(law: Mapping[tuple[int, ...], Fraction], n: int) -> list[Fraction]:
    """How likely each of n columns is to be in a sample.

    Examples
    --------
    >>> inclusion({(0, 1): Fraction(1, 3), (1, 2): Fraction(2, 3)}, 3)
    [Fraction(1, 3), Fraction(1, 1), Fraction(2, 3)]
    """
    return [sum((q for S, q in law.items() if i in S), Fraction(0)) for i in range(n)]


def miss_and_get(n: int, r: int, count: int) -> tuple[Fraction, Fraction]:
    """Probabilities that a uniform sample holds none, or all, of r columns out of n.

    Examples
    --------
    >>> miss_and_get(4, 1, 1)
    (Fraction(3, 4), Fraction(1, 4))
    """
    every = comb(n, count)
    rest = comb(n - r, count - r) if count >= r else 0
    return Fraction(comb(n - r, count), every), Fraction(rest, every)


def miss_and_get_listed(n: int, r: int, count: int) -> tuple[Fraction, Fraction]:
    """The same from a list of all samples.

    Examples
    --------
    >>> miss_and_get_listed(4, 1, 1)
    (Fraction(3, 4), Fraction(1, 4))
    """
    special = set(range(r))
    samples = [set(S) for S in combinations(range(n), count)]
    missed = sum(not S & special for S in samples)
    got = sum(special <= S for S in samples)
    return Fraction(missed, len(samples)), Fraction(got, len(samples))


# ---- samples that are drawn together ----


def swapped(drawn: np.ndarray, p: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Uniform draws, as few of them as possible replaced so that the law is p.

    Parameters
    ----------
    drawn : ndarray (l,)
        Independent uniform draws from n columns.
    p : ndarray (n,)
        Probabilities.
    rng : numpy.random.Generator

    Returns
    -------
    ndarray (l,)
        Independent draws from p.  Draw i stays with probability ``min(1, n p_i)``;
        one that does not is drawn anew from the columns with ``p_j > 1/n``, in
        proportion to the excess.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> swapped(np.array([0, 1, 1]), np.array([0.0, 1.0]), rng).tolist()
    [1, 1, 1]
    """
    n = len(p)
    gone = rng.random(len(drawn)) >= n * p[drawn] * (1 + 1e-12)
    excess = np.clip(p - 1 / n, 0, None)
    out = drawn.copy()
    if gone.any():
        out[gone] = rng.choice(n, gone.sum(), p=excess / excess.sum())
    return out


# ---- what the exercises break ----


def mean_errors(K: np.ndarray, n_landmarks: int, rank: int) -> tuple[float, float]:
    """Mean spectral errors over all samples, drawn with and without replacement.

    Examples
    --------
    >>> mean_errors(np.diag([2.0, 1.0]), 2, 1)
    (1.25, 1.0)
    """
    found = {
        S: lowrank.nystrom(K, S, rank).error(K, "spectral")
        for S in product(range(len(K)), repeat=n_landmarks)
    }
    different = [error for S, error in found.items() if len({*S}) == n_landmarks]
    return float(np.mean([*found.values()])), float(np.mean(different))
