"""How the columns of an instance are sampled: to draw, and to list every outcome.

The names are those of `exact.laws.LAWS`, which lists the same outcomes with exact
probabilities.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nystheory.engine.worlds import drawn_columns as columns
from nystheory.engine.worlds import drawn_vectors as vectors


@dataclass(frozen=True)
class Law:
    """A law of samples.

    Parameters
    ----------
    says : str
        In words.
    draw : callable (Instance, rng) -> Instance or None
        None where one of the outcomes is drawn.
    outcomes : callable (Instance) -> iterator of (probability, Instance) or None
        Every outcome; None where there are too many to list.
    """

    says: str
    draw: Callable | None
    outcomes: Callable


LAWS: dict[str, Law] = {}


def enter(name, says, outcomes, draw=None):
    """Name a law."""
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
