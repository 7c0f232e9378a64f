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
    return float(np.linalg.det(i.K[np.ix_(S, S)])) if S else 1.0


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


def _pivot_outcomes(weight):
    def outcomes(i):
        if i.n**i.l > LISTED:
            return None
        return _grown(i, weight, 1.0, [], i.K)

    return outcomes


def _grown(i, weight, chance, S, E):
    d = weight(np.maximum(np.diag(E), 0.0))
    d = np.where(d > 1e-12 * weight(np.diag(i.K)).max(initial=0.0), d, 0.0)
    if len(S) == i.l or d.sum() == 0:
        yield chance, i.but(landmarks=S)
        return
    for j in np.flatnonzero(d):
        rest = E - np.outer(E[:, j], E[j]) / E[j, j]
        yield from _grown(i, weight, chance * d[j] / d.sum(), [*S, int(j)], rest)


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
_enter(
    "dpp",
    "DPP",
    _in_proportion(
        lambda i, S: _det(i, S) / float(i.extra["alpha"]) ** len(S), _any_size
    ),
)
_enter("pivoted", "pivots from the diagonal", _pivot_outcomes(lambda d: d))
_enter(
    "pivoted_squared", "pivots from the squared diagonal", _pivot_outcomes(np.square)
)
