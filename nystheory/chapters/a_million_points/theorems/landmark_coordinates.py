"""How far coordinates from landmarks are from those of all points.

By the inequality of Powers and Størmer 1970.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory.engine import Claim, Control, Instance, Theorem
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.matrices import (
    EPS,
    coordinates,
    eigen,
    moved,
    squared_distances,
)
from nystheory.engine.worlds.measured import ROUNDING
from nystheory.engine.worlds.quantities import QUANTITIES, quantity

_of_whole_core = QUANTITIES["full_approximation"].condition
of_core = partial(quantity, when=SAMPLE, condition=_of_whole_core)


def _of_root(i) -> float:
    """Rounding in inner products moves coordinates by its root at most."""
    rounding = ROUNDING * i.n * EPS
    return float(np.sqrt(_of_whole_core(i) * np.sqrt(i.n) / rounding))


@quantity(
    r"\min_Q\|\tilde Y-QY\|_F",
    "how far the coordinates from the landmarks are from those of all points, turned",
    SAMPLE,
    unit=0.5,
    condition=_of_root,
)
def moved_by_landmarks(i):
    both = (eigen(A) for A in (i.K, i.full.approximation))
    return moved(*(coordinates(spectrum, i.n) for spectrum in both))


@quantity("D", "squared distances of the points")
def squares_of_K(i):
    return squared_distances(i.K)


@of_core(r"\tilde D", "squared distances of the coordinates from the landmarks")
def squares_of_landmarks(i):
    return squared_distances(i.full.approximation)


@of_core(r"\tilde K_k", "best approximation of rank k of the Nyström approximation")
def cut_to_k(i):
    values, U = eigen(i.full.approximation)
    kept = values[: i.k].clip(0)
    return (U[:, : i.k] * kept) @ U[:, : i.k].T


_AXES = Instance.exactly([0], 1, matrix=[[1, 0], [0, 1]])
_LINE = Instance.exactly([0], 1, points=[[1, -1]])
# The landmark lies in the middle of the other points.
_MIDDLE = Instance.exactly([0], 1, points=[[0, 1, -1]])
_MISSED = Instance.exactly([1], 1, matrix=[[1, 0], [0, 0]])

COORDINATES = Theorem(
    id="modern:landmark-coordinates",
    kind="inequality",
    status="new",
    title="Coordinates from landmarks",
    number="after Powers and Størmer 1970",
    setting=(
        r"Let $K$ be positive semidefinite, $\tilde K$ its Nyström approximation from "
        r"the whole core, $E = K - \tilde K$, and let $Y$ and $\tilde Y$ be all "
        r"coordinates of $K$ and of $\tilde K$, padded with zeros to the same size: "
        r"$Y^\top Y = K$ and $\tilde Y^\top \tilde Y = \tilde K$. Let $D$ and $\tilde "
        r"D$ hold the squared distances of their columns, and let $\tilde K_k$ be "
        r"what the $k$ leading coordinates of $\tilde Y$ keep of $\tilde K$. The "
        "minimum is over orthogonal $Q$."
    ),
    claims={
        "coordinates": "moved_by_landmarks**2 <= trace_E",
        "no longer": Claim(
            "max(squares_of_landmarks - squares_of_K) <= 0",
            says="No distance gets longer,",
        ),
        "sum": Claim(
            "sum(squares_of_K - squares_of_landmarks) <= 2 * n * trace_E",
            says="and all of them together lose at most",
        ),
        "leading": Claim(
            "norm_trace(K - cut_to_k) <= tail_trace + trace_E",
            says="With $k$ coordinates,",
        ),
    },
    controls={
        "one percent less": Control("coordinates", _AXES, {"<=": "<= 0.99 *"}),
        "one percent longer": Control("no longer", _LINE, {"max(": "max(1.01 * "}),
        "one percent less, summed": Control("sum", _MIDDLE, {"2 * n": "1.98 * n"}),
        "one percent less, leading": Control(
            "leading", _MISSED, {"+ trace_E": "+ 0.99 * trace_E"}
        ),
    },
)
