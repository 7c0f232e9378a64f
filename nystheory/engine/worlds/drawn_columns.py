"""Samples of columns: one drawn, or every one with its chance.

A ``..._draw(instance, rng)`` is the instance with a random sample.  A
``..._outcomes(instance)`` gives (probability, instance) for every sample, None where
there are too many.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, islice, permutations, product

import numpy as np
import scipy.stats

# All samples are tried where there are at most so many.
LISTED = 4000


def counts(sizes, l, repeated=False):  # noqa: E741
    """How many of each group may be drawn: lists of the length of `sizes`, of sum l.

    >>> list(counts((2, 1), 2))
    [[1, 1], [2, 0]]
    """
    if len(sizes) == 1:
        if l <= sizes[0] or repeated:
            yield [l]
        return
    most = l if repeated else min(l, sizes[0])
    for first in range(most + 1):
        for rest in counts(sizes[1:], l - first, repeated):
            yield [first, *rest]


def _grouped(i, chance, repeated=False):
    """Samples of groups of equal points: the first points of a group stand for all."""
    starts = np.cumsum([0, *i.groups[:-1]])
    found = list(islice(counts(i.groups, i.l, repeated), LISTED + 1))
    if len(found) > LISTED:
        return None
    return (
        (
            float(chance(c)),
            i.but(landmarks=np.concatenate(list(map(_some, starts, i.groups, c)))),
        )
        for c in found
    )


def _some(start, size, count):
    return start + np.arange(count, dtype=int) % size


def uniform_draw(i, rng):
    return i.but(landmarks=rng.choice(i.n, i.l, replace=False))


def uniform_outcomes(i):
    if i.groups:
        return _grouped(i, scipy.stats.multivariate_hypergeom(i.groups, i.l).pmf)
    count = math.comb(i.n, i.l)
    if count > LISTED:
        return None
    samples = combinations(range(i.n), i.l)
    return ((1 / count, i.but(landmarks=list(S))) for S in samples)


def in_turn_outcomes(i):
    """Groups are for what does not depend on the order."""
    if i.groups:
        return uniform_outcomes(i)
    count = math.perm(i.n, i.l)
    if count > LISTED:
        return None
    samples = permutations(range(i.n), i.l)
    return ((1 / count, i.but(landmarks=list(S))) for S in samples)


def replaced_draw(i, rng):
    return i.but(landmarks=rng.integers(i.n, size=i.l))


def replaced_outcomes(i):
    if i.groups:
        shares = np.array(i.groups) / i.n
        return _grouped(i, scipy.stats.multinomial(i.l, shares).pmf, repeated=True)
    if i.n**i.l > LISTED:
        return None
    return (
        (float(i.n) ** -i.l, i.but(landmarks=list(S)))
        for S in product(range(i.n), repeat=i.l)
    )


def replaced_counts(i):
    """How often each column is drawn, for what does not depend on the order."""
    return replaced_outcomes(i if i.groups else i.but(groups=(1,) * i.n))


def weighted_draw(i, rng):
    p = np.ravel(i.probabilities)
    return i.but(landmarks=rng.choice(i.n, i.l, p=p / p.sum()))


def weighted_outcomes(i):
    if i.n**i.l > LISTED:
        return None
    p = np.ravel(i.probabilities)
    return (
        (float(np.prod(p[list(S)])), i.but(landmarks=list(S)))
        for S in product(range(i.n), repeat=i.l)
        if np.prod(p[list(S)]) > 0
    )


def hits(inside):
    """Outcomes by the set of groups that are hit, each told by its first points.

    For what depends on nothing else of a sample.  `inside` gives the chance that all
    landmarks lie in a set of points; inclusion and exclusion does the rest.
    """

    def outcomes(i):
        sizes = np.array(i.groups or (1,) * i.n)
        if 2 ** len(sizes) > LISTED:
            return None
        sets = np.array(list(product((0, 1), repeat=len(sizes))), dtype=bool)
        chances = [inside(i, np.repeat(hit, sizes)) for hit in sets]
        chances = np.reshape(chances, (2,) * len(sizes))
        for axis in range(len(sizes)):
            chances = np.diff(chances, axis=axis, prepend=0)
        first = np.cumsum(sizes) - sizes
        listed = zip(chances.ravel(), sets, strict=True)
        return (
            (float(p), i.but(landmarks=np.resize(first[hit], i.l)))
            for p, hit in listed
            if p > 0 and 0 < hit.sum() <= i.l
        )

    return outcomes


def inside_uniformly(i, points):
    return math.comb(int(points.sum()), i.l) / math.comb(i.n, i.l)


def inside_weighted(i, points):
    return float(np.ravel(i.probabilities)[points].sum()) ** i.l


def in_proportion(weight, counts):
    def outcomes(i) -> Iterator | None:
        if sum(math.comb(i.n, c) for c in counts(i)) > LISTED:
            return None
        found = [
            (weight(i, list(S)), list(S))
            for count in counts(i)
            for S in combinations(range(i.n), count)
        ]
        whole = math.fsum(w for w, _ in found)
        return ((w / whole, i.but(landmarks=S)) for w, S in found if w > 0)

    return outcomes


def det(i, S):
    """A principal minor; below its rounding it is zero."""
    det = float(np.linalg.det(i.K[np.ix_(S, S)])) if S else 1.0
    return det if det > 1e-13 * float(np.prod(np.diag(i.K)[S])) else 0.0


def dpp(i, S):
    return det(i, S) / float(i.alpha) ** len(S)


def dpp_2(i, S):
    return dpp(i, S) ** 2


def sized(i):
    return [i.l]


def any_size(i):
    return range(i.n + 1)


def in_blocks(weight, size=lambda i: 1):
    """Blocks of independent pivots, each from the diagonal at its start.

    What is left depends on the set of the pivots alone, so the sets are listed, each
    with the chance of all orders together.
    """

    def outcomes(i):
        if sum(math.comb(i.n, c) for c in range(min(i.l, i.n) + 1)) > LISTED:
            return None
        return ((p, i.but(landmarks=sorted(S))) for S, p in _sets(i, weight, size(i)))

    return outcomes


def _sets(i, weight, size) -> list:
    """Sets of pivots after l of them, each with its chance."""
    running, finished = {frozenset(): (1.0, i.K)}, {}
    for _ in range(i.l // size):
        after = {}
        for S, (chance, E) in running.items():
            shares = _shares(i, weight, E)
            if shares is None:
                finished[S] = finished.get(S, 0.0) + chance
                continue
            for T, p in _block(shares, size).items():
                before, left = after.get(S | T, (0.0, None))
                left = _eliminated(E, T) if left is None else left
                after[S | T] = before + chance * p, left
        running = after
    return [*finished.items(), *((S, p) for S, (p, _) in running.items())]


def _shares(i, weight, E):
    """The law of the next pivot, None where nothing is left but rounding."""
    d = np.diag(E)
    weights = weight(np.where(d > 1e-12 * i.K.max(initial=0.0), d, 0.0))
    return weights / weights.sum() if weights.any() else None


def _block(shares, size) -> dict:
    """The set of so many independent draws, with its chance."""
    sets = {frozenset(): 1.0}
    for _ in range(size):
        after = {}
        for T, chance in sets.items():
            for j in np.flatnonzero(shares):
                grown = T | {int(j)}
                after[grown] = after.get(grown, 0.0) + chance * shares[j]
        sets = after
    return sets


def _eliminated(E, pivots):
    for j in pivots:
        if E[j, j] > 0:
            E = E - np.outer(E[:, j], E[j]) / E[j, j]
    return E


def pivots_draw(weight, size=lambda i: 1):
    def draw(i, rng):
        S, E = [], i.K
        for _ in range(i.l // size(i)):
            shares = _shares(i, weight, E)
            if shares is None:
                break
            block = rng.choice(i.n, size(i), p=shares).tolist()
            S, E = [*S, *block], _eliminated(E, block)
        return i.but(landmarks=S)

    return draw


def block_size(i) -> int:
    return int(i.block_size)


def decompositions(i):
    """Disjoint samples of l columns for every expert, in order."""
    p = i.samples_of(i)
    count = math.prod(math.comb(i.n - r * i.l, i.l) for r in range(p))
    if count > LISTED:
        return None
    return ((1 / count, i.but(landmarks=list(S))) for S in _split(range(i.n), i.l, p))


def _split(rest, l, p):  # noqa: E741
    if p == 0:
        yield ()
        return
    for part in combinations(rest, l):
        left = [j for j in rest if j not in part]
        for others in _split(left, l, p - 1):
            yield part + others


def decomposed(i, rng):
    return i.but(landmarks=rng.choice(i.n, len(i.landmarks), replace=False))
