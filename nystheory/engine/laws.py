"""How the columns of an instance are sampled: to draw, and to list every outcome.

The names are those of `nystheory.exact.case.LAWS`, which lists the same outcomes with
exact probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
import scipy.stats

# All samples are tried where there are at most so many.
LISTED = 4000


@dataclass(frozen=True)
class Law:
    """A law of samples.

    Parameters
    ----------
    says : str
        In words.
    draw : callable (Instance, rng) -> Instance
    outcomes : callable (Instance) -> iterator of (probability, Instance) or None
        Every outcome; None where there are too many to list.
    """

    says: str
    draw: Callable
    outcomes: Callable


LAWS: dict[str, Law] = {}


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
    found = list(counts(i.groups, i.l, repeated))
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


def _uniform_draw(i, rng):
    return i.but(landmarks=rng.choice(i.n, i.l, replace=False))


def _uniform_outcomes(i):
    if i.groups:
        return _grouped(i, scipy.stats.multivariate_hypergeom(i.groups, i.l).pmf)
    count = math.comb(i.n, i.l)
    if count > LISTED:
        return None
    samples = combinations(range(i.n), i.l)
    return ((1 / count, i.but(landmarks=list(S))) for S in samples)


def _replaced_draw(i, rng):
    return i.but(landmarks=rng.integers(i.n, size=i.l))


def _replaced_outcomes(i):
    if i.groups:
        shares = np.array(i.groups) / i.n
        return _grouped(i, scipy.stats.multinomial(i.l, shares).pmf, repeated=True)
    if i.n**i.l > LISTED:
        return None
    return (
        (float(i.n) ** -i.l, i.but(landmarks=list(S)))
        for S in product(range(i.n), repeat=i.l)
    )


def _weighted_draw(i, rng):
    p = np.ravel(i.extra["probabilities"])
    return i.but(landmarks=rng.choice(i.n, i.l, p=p / p.sum()))


def _weighted_outcomes(i):
    if i.n**i.l > LISTED:
        return None
    p = np.ravel(i.extra["probabilities"])
    return (
        (float(np.prod(p[list(S)])), i.but(landmarks=list(S)))
        for S in product(range(i.n), repeat=i.l)
        if np.prod(p[list(S)]) > 0
    )


def _in_proportion(weight, counts):
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


def _det(i, S):
    """A principal minor; below its rounding it is zero."""
    det = float(np.linalg.det(i.K[np.ix_(S, S)])) if S else 1.0
    return det if det > 1e-13 * float(np.prod(np.diag(i.K)[S])) else 0.0


def _dpp(i, S):
    return _det(i, S) / float(i.extra["alpha"]) ** len(S)


def _dpp_2(i, S):
    return _dpp(i, S) ** 2


def _sized(i):
    return [i.l]


def _any_size(i):
    return range(i.n + 1)


def _drawn(outcomes):
    """A draw from the list of outcomes."""

    def draw(i, rng):
        listed = list(outcomes(i))
        p = np.array([chance for chance, _ in listed])
        return listed[rng.choice(len(listed), p=p / p.sum())][1]

    return draw


def _in_blocks(weight, size=lambda i: 1):
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


def _pivots_draw(weight, size=lambda i: 1):
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


def _block_size(i) -> int:
    return int(i.extra["block"])


def _enter(name, says, outcomes, draw=None):
    LAWS[name] = Law(says, draw or _drawn(outcomes), outcomes)


_enter("surely", "the landmarks given", lambda i: iter([(1.0, i)]))
_enter(
    "one_repeated",
    "one uniform column, repeated",
    lambda i: ((1 / i.n, i.but(landmarks=[j] * i.l)) for j in range(i.n)),
)
_enter("uniform", "different columns, uniformly", _uniform_outcomes, _uniform_draw)
_enter("with_replacement", "independent uniform", _replaced_outcomes, _replaced_draw)
_enter("weighted", "independent, with weights", _weighted_outcomes, _weighted_draw)
_enter("determinantal", "k-DPP", _in_proportion(_det, _sized))
_enter(
    "volume_squared",
    "squared determinants",
    _in_proportion(lambda i, S: _det(i, S) ** 2, _sized),
)
_enter("dpp", "DPP", _in_proportion(_dpp, _any_size))
_enter(
    "dpp_not_empty",
    "DPP, drawn again while it is empty",
    _in_proportion(_dpp, lambda i: range(1, i.n + 1)),
)
_enter("dpp_squared", "DPP with squared weights", _in_proportion(_dpp_2, _any_size))
for _name, _says, _weight, _size in (
    ("pivoted", "pivots from the diagonal", lambda d: d, lambda i: 1),
    ("pivoted_squared", "pivots from the squared diagonal", np.square, lambda i: 1),
    ("pivoted_blocks", "blocks of pivots from the diagonal", lambda d: d, _block_size),
):
    _outcomes, _draw = _in_blocks(_weight, _size), _pivots_draw(_weight, _size)
    _enter(_name, _says, _outcomes, _draw)
