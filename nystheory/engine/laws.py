"""How the columns of an instance are sampled: to draw, and to list every outcome.

The names are those of `nystheory.exact.case.LAWS`, which lists the same outcomes with
exact probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import (
    combinations,
    combinations_with_replacement,
    permutations,
    product,
)

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


def _in_turn_outcomes(i):
    """Groups are for what does not depend on the order."""
    if i.groups:
        return _uniform_outcomes(i)
    count = math.perm(i.n, i.l)
    if count > LISTED:
        return None
    samples = permutations(range(i.n), i.l)
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


def _replaced_counts(i):
    """How often each column is drawn, for what does not depend on the order."""
    return _replaced_outcomes(i if i.groups else i.but(groups=(1,) * i.n))


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


def _hits(inside):
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


def _inside_uniformly(i, points):
    return math.comb(int(points.sum()), i.l) / math.comb(i.n, i.l)


def _inside_weighted(i, points):
    return float(np.ravel(i.extra["probabilities"])[points].sum()) ** i.l


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
        found = outcomes(i)
        if found is None:
            raise ValueError(f"{i!r}: too many samples to list and draw from")
        listed = list(found)
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
    return int(i.extra["block_size"])


# --- What is drawn besides columns: test vectors, errors of observations --------------


def _sign_matrices(n, columns) -> list:
    signs = product((-1.0, 1.0), repeat=n * columns)
    return [np.array(row).reshape(n, columns) for row in signs]


def _listed_signs(scale):
    """All matrices of signs, changed by `scale`."""

    def outcomes(i):
        if 2 ** (i.n * i.l) > LISTED:
            return None
        found = _sign_matrices(i.n, i.l)
        return ((1 / len(found), i.but(omega=scale(signs))) for signs in found)

    return outcomes


def _in_turn(signs):
    return signs * np.where(np.arange(len(signs)) % 2, 0.5, 1.5)[:, None]


def _signs_draw(i, rng):
    return i.but(omega=rng.choice([-1.0, 1.0], (i.n, i.l)))


def _repeated_signs(i):
    found = _sign_matrices(i.n, 1)
    return ((1 / len(found), i.but(omega=np.repeat(v, i.l, axis=1))) for v in found)


def _signs_and_axes(i):
    """Vectors of signs and multiples of axes take turns, all independent."""
    signs = [v[:, 0] for v in _sign_matrices(i.n, 1)]
    kinds = [math.sqrt(i.n) * np.eye(i.n) if j % 2 else signs for j in range(i.l)]
    if math.prod(map(len, kinds)) > LISTED:
        return None
    found = [np.column_stack(vectors) for vectors in product(*kinds)]
    return ((1 / len(found), i.but(omega=omega)) for omega in found)


def _distinct_axes(i):
    """Multiples of different axes: of second moment I, and not independent."""
    axes = math.sqrt(i.n) * np.eye(i.n)
    found = [axes[:, list(S)] for S in permutations(range(i.n), i.l)]
    return ((1 / len(found), i.but(omega=omega)) for omega in found)


def _last_signs(i):
    """The last test vector of signs, the others as they are."""
    rest, found = i.extra["omega"][:, :-1], _sign_matrices(i.n, 1)
    return ((1 / len(found), i.but(omega=np.hstack([rest, v]))) for v in found)


# Directions of a rule for a mean over the half circle.  Its error falls as
# ((1 - r) / (1 + r))^m, with r^2 the ratio of the two eigenvalues: below rounding for
# ratios above RESOLVED.
DIRECTIONS, RESOLVED = 12, 0.75


def _in_the_plane(i):
    """Directions in the range of a K of rank 2, at equal angles, of length sqrt 2.

    A Gaussian vector there is a length times a direction, independent of each other.
    For what does not depend on their order.
    """
    values, vectors = i.eigen_K
    if i.rank_K != 2 or values[1] < RESOLVED * values[0]:
        return None
    angles = (np.arange(DIRECTIONS) + 0.5) * np.pi / DIRECTIONS
    found = math.sqrt(2) * vectors[:, :2] @ [np.cos(angles), np.sin(angles)]
    orders, listed = DIRECTIONS**i.l, []
    for some in combinations_with_replacement(range(DIRECTIONS), i.l):
        ways = math.factorial(i.l) // math.prod(
            math.factorial(some.count(j)) for j in set(some)
        )
        listed.append((ways / orders, i.but(omega=found[:, list(some)])))
    return listed


def _gaussian_draw(i, rng):
    return i.but(omega=rng.standard_normal((i.n, i.l)))


def _errors(points):
    """An error of either sign on one of some points, of variance sigma^2 on average."""

    def outcomes(i):
        which = points(i)
        size = math.sqrt(len(which) * float(i.extra["noise"]))
        signal = np.reshape(i.extra["signal"], (-1, 1))
        found = [(j, sign * size) for j in which for sign in (-1, 1)]
        return (
            (1 / len(found), i.but(y=signal + error * np.eye(i.n)[:, [j]]))
            for j, error in found
        )

    return outcomes


def _second_moment(i):
    """n equally likely observations with the second moment ``K + sigma^2 I``."""
    root = np.linalg.cholesky(i.K + float(i.extra["noise"]) * np.eye(i.n))
    return ((1 / i.n, i.but(y=math.sqrt(i.n) * root[:, [j]])) for j in range(i.n))


def _enter(name, says, outcomes, draw=None):
    LAWS[name] = Law(says, draw or _drawn(outcomes), outcomes)


def _decompositions(i):
    """Disjoint samples of l columns for every expert, in order."""
    p = int(i.extra.get("experts", 1))
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


def _decomposed(i, rng):
    return i.but(landmarks=rng.choice(i.n, len(i.landmarks), replace=False))


_enter("decompositions", "disjoint samples", _decompositions, _decomposed)
_enter("surely", "the landmarks given", lambda i: iter([(1.0, i)]))
_enter(
    "one_repeated",
    "one uniform column, repeated",
    lambda i: ((1 / i.n, i.but(landmarks=[j] * i.l)) for j in range(i.n)),
)
_enter("uniform", "different columns, uniformly", _uniform_outcomes, _uniform_draw)
_enter("in_turn", "different columns, in turn", _in_turn_outcomes, _uniform_draw)
_enter("with_replacement", "independent uniform", _replaced_outcomes, _replaced_draw)
_enter("replaced_counts", "independent uniform", _replaced_counts, _replaced_draw)
_enter("weighted", "independent, with weights", _weighted_outcomes, _weighted_draw)
_enter("uniform_hits", LAWS["uniform"].says, _hits(_inside_uniformly), _uniform_draw)
_enter("weighted_hits", LAWS["weighted"].says, _hits(_inside_weighted), _weighted_draw)
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
_enter("signs", "test vectors of signs", _listed_signs(lambda s: s), _signs_draw)
_enter("scaled_signs", "signs times 3/2 and 1/2", _listed_signs(_in_turn))
_enter("repeated_signs", "one vector of signs, repeated", _repeated_signs)
_enter("signs_and_axes", "vectors of unlike laws", _signs_and_axes)
_enter("distinct_axes", "multiples of different axes", _distinct_axes)
_enter("last_signs", "a last test vector of signs", _last_signs)
_enter("plane", "Gaussian directions in a plane", _in_the_plane, _gaussian_draw)
_enter("gaussian", "standard normal entries", lambda i: None, _gaussian_draw)
_enter("second_moment", "observations of second moment K + noise", _second_moment)
_enter("single_errors", "an error on one point", _errors(lambda i: range(i.n)))
_enter("first_error", "an error on the first point", _errors(lambda i: [0]))
