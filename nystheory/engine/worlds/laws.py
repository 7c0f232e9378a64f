"""How the parts of an instance are drawn: one outcome, and the list of all.

The names are those of `exact.laws.LAWS`, which lists the same outcomes with exact
probabilities.  A part that a world declares as drawn has a law of its own name.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from nystheory.engine.worlds import drawn_columns as columns
from nystheory.engine.worlds import drawn_vectors as vectors
from nystheory.engine.worlds.drawn_columns import LISTED


@dataclass(frozen=True)
class Law:
    """A law of samples, or of what else is drawn.

    Parameters
    ----------
    says : str
        In words.
    draw : callable (Instance, rng) -> Instance or None
        None where one of the outcomes is drawn.
    outcomes : callable (Instance) -> iterator of (probability, Instance) or None
        Every outcome; None where there are too many to list.
    means_only : bool
        Whether a finite measure stands for it, in means of polynomials.
    """

    says: str
    draw: Callable | None
    outcomes: Callable
    means_only: bool = False


LAWS: dict[str, Law] = {}


def of(world, name) -> Law:
    """The law of this name, or that of a part of the world; ``g@5`` of what degree."""
    own, _, degree = name.partition("@")
    part = world.parts.get(own)
    if hasattr(part, "replacement"):
        return _indices(part)
    if hasattr(part, "degree"):
        return _moments(part, int(degree or part.degree))
    if name not in LAWS:
        own = [n for n, part in world.parts.items() if part.drawn]
        near = difflib.get_close_matches(name, [*own, *LAWS], n=3, cutoff=0.4)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise ValueError(f"no law is called {name!r}{hint}")
    return LAWS[name]


def _indices(part) -> Law:
    """So many indices of so many, with or without replacement, in their order."""

    def sizes(i):
        for size in (part.of, part.count):
            if size not in i.sizes:
                told = f"expected a size of the world, {', '.join(i.sizes)}"
                raise ValueError(f"{part.name}: {told}, got {size!r}")
        n, l = i.sizes[part.of], i.sizes[part.count]  # noqa: E741 - the field's letter
        if l > n and not part.replacement:
            raise ValueError(f"{part.name}: expected at most {n} of {n}, got {l}")
        return n, l

    def outcomes(i):
        n, l = sizes(i)  # noqa: E741 - the field's letter
        whole = n**l if part.replacement else math.perm(n, l)
        if whole > LISTED:
            return None
        found = product(range(n), repeat=l) if part.replacement else None
        found = permutations(range(n), l) if found is None else found
        return ((1 / whole, i.but(**{part.name: np.array(S)})) for S in found)

    def draw(i, rng):
        n, l = sizes(i)  # noqa: E741 - the field's letter
        return i.but(**{part.name: rng.choice(n, l, replace=part.replacement)})

    kind = "with" if part.replacement else "without"
    return Law(f"{part.meaning or part.name}, {kind} replacement", draw, outcomes)


# Nodes and probabilities with the moments of a law up to an odd degree (Gauss).
RULES = {
    ("gaussian", 3): [(-1.0, 1 / 2), (1.0, 1 / 2)],
    ("gaussian", 5): [(-math.sqrt(3), 1 / 6), (0.0, 2 / 3), (math.sqrt(3), 1 / 6)],
    ("uniform", 3): [(-math.sqrt(1 / 3), 1 / 2), (math.sqrt(1 / 3), 1 / 2)],
    ("uniform", 5): [
        (-math.sqrt(3 / 5), 5 / 18),
        (0.0, 4 / 9),
        (math.sqrt(3 / 5), 5 / 18),
    ],
}
# One more node, by which it is seen that a line has no higher degree.
_root_6, _root_30 = math.sqrt(6), math.sqrt(30)
RULES["gaussian", 7] = [
    (sign * math.sqrt(3 + turn * _root_6), (3 - turn * _root_6) / 12)
    for sign in (-1, 1)
    for turn in (-1, 1)
]
RULES["uniform", 7] = [
    (sign * math.sqrt(3 / 7 + turn * 2 / 7 * math.sqrt(6 / 5)), weight / 2)
    for sign in (-1, 1)
    for turn, weight in ((-1, 0.5 + _root_30 / 36), (1, 0.5 - _root_30 / 36))
]
_DRAWN = {
    "gaussian": lambda rng, shape: rng.standard_normal(shape),
    "uniform": lambda rng, shape: rng.uniform(-1, 1, shape),
}


def finer(world, law: str) -> list[str]:
    """A law with closed moments up to a higher degree, one stage at a time."""
    stages = law.split(" >> ")
    found = []
    for k, name in enumerate(stages):
        degree = getattr(world.parts.get(name), "degree", None)
        if degree is not None:
            higher = [*stages[:k], f"{name}@{degree + 2}", *stages[k + 1 :]]
            found.append(" >> ".join(higher))
    return found


def _moments(part, degree) -> Law:
    """The finite measure that stands for a continuous law."""
    rule = RULES[part.law, degree]

    def shape(i):
        return tuple(i.sizes[axis] for axis in part.axes)

    def outcomes(i):
        entries = math.prod(shape(i))
        if len(rule) ** entries > LISTED:
            return None
        return (
            (
                math.prod(p for _, p in some),
                i.but(**{part.name: np.reshape([x for x, _ in some], shape(i))}),
            )
            for some in product(rule, repeat=entries)
        )

    def draw(i, rng):
        return i.but(**{part.name: _DRAWN[part.law](rng, shape(i))})

    return Law(f"{part.law} entries", draw, outcomes, means_only=True)


def enter(name, says, outcomes, draw=None):
    """Name a law; a name is taken once."""
    if name in LAWS:
        raise ValueError(f"law: expected a new name, got {name!r}, which is taken")
    LAWS[name] = Law(says, draw, outcomes)


enter("decompositions", "disjoint samples", columns.decompositions, columns.decomposed)
enter("surely", "the landmarks given", lambda i: iter([(1.0, i)]))
enter(
    "one_repeated",
    "one uniform column, repeated",
    lambda i: ((1 / i.n, i.but(landmarks=[j] * i.l)) for j in range(i.n)),
)
enter(
    "uniform",
    "different columns, uniformly",
    columns.uniform_outcomes,
    columns.uniform_draw,
)
enter(
    "in_turn",
    "different columns, in turn",
    columns.in_turn_outcomes,
    columns.uniform_draw,
)
enter(
    "with_replacement",
    "independent uniform",
    columns.replaced_outcomes,
    columns.replaced_draw,
)
enter(
    "replaced_counts",
    "independent uniform",
    columns.replaced_counts,
    columns.replaced_draw,
)
enter(
    "weighted",
    "independent, with weights",
    columns.weighted_outcomes,
    columns.weighted_draw,
)
enter(
    "uniform_hits",
    LAWS["uniform"].says,
    columns.hits(columns.inside_uniformly),
    columns.uniform_draw,
)
enter(
    "weighted_hits",
    LAWS["weighted"].says,
    columns.hits(columns.inside_weighted),
    columns.weighted_draw,
)
enter("determinantal", "k-DPP", columns.in_proportion(columns.det, columns.sized))
enter(
    "volume_squared",
    "squared determinants",
    columns.in_proportion(lambda i, S: columns.det(i, S) ** 2, columns.sized),
)
enter("dpp", "DPP", columns.in_proportion(columns.dpp, columns.any_size))
enter(
    "dpp_not_empty",
    "DPP, drawn again while it is empty",
    columns.in_proportion(columns.dpp, lambda i: range(1, i.n + 1)),
)
enter(
    "dpp_squared",
    "DPP with squared weights",
    columns.in_proportion(columns.dpp_2, columns.any_size),
)
for _name, _says, _weight, _size in (
    ("pivoted", "pivots from the diagonal", lambda d: d, lambda i: 1),
    ("pivoted_squared", "pivots from the squared diagonal", np.square, lambda i: 1),
    (
        "pivoted_blocks",
        "blocks of pivots from the diagonal",
        lambda d: d,
        columns.block_size,
    ),
):
    _outcomes, _draw = (
        columns.in_blocks(_weight, _size),
        columns.pivots_draw(_weight, _size),
    )
    enter(_name, _says, _outcomes, _draw)
enter(
    "signs",
    "test vectors of signs",
    vectors.listed_signs(lambda s: s),
    vectors.signs_draw,
)
enter("scaled_signs", "signs times 3/2 and 1/2", vectors.listed_signs(vectors.in_turn))
enter("repeated_signs", "one vector of signs, repeated", vectors.repeated_signs)
enter("signs_and_axes", "vectors of unlike laws", vectors.signs_and_axes)
enter("distinct_axes", "multiples of different axes", vectors.distinct_axes)
enter("last_signs", "a last test vector of signs", vectors.last_signs)
enter(
    "plane",
    "Gaussian directions in a plane",
    vectors.in_the_plane,
    vectors.gaussian_draw,
)
enter("gaussian", "standard normal entries", lambda i: None, vectors.gaussian_draw)
enter("second_moment", "observations of second moment K + noise", vectors.second_moment)
enter("single_errors", "an error on one point", vectors.errors(lambda i: range(i.n)))
enter("first_error", "an error on the first point", vectors.errors(lambda i: [0]))
