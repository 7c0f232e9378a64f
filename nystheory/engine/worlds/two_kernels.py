"""Two kernel matrices of the same points, K and K': how far a learner moves with them.

An instance brings K' along, or the points whose inner products it holds; else it is
the Nyström approximation from the landmarks.
"""

from __future__ import annotations

import numpy as np

from nystheory.engine.language.quantity import CHOSEN
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.quantities import QUANTITIES
from nystheory.engine.worlds.worlds import Given


class TwoKernels(Instance):
    """Two kernel matrices of the same points."""

    # K' itself, under the name that lines have for it.
    other = Given(axes=("n", "n"))
    other_points = Given(axes=("N", "n"))


def of_other(i) -> float:
    """How the way in which K' is made amplifies rounding."""
    if i.brings("other") or i.brings("other_points"):
        return 1.0
    return QUANTITIES["full_approximation"].condition(i)


@TwoKernels.quantity(
    "K'", "another kernel matrix of the same points", CHOSEN, condition=of_other
)
def other(i):
    if i.brings("other"):
        return i.other
    if i.brings("other_points"):
        return i.other_points.T @ i.other_points
    return i.full.approximation


def of_change(i) -> float:
    """Rounding in both matrices, in units of K."""
    grown = np.linalg.norm(other(i)) / i.norm_K if i.norm_K else 0.0
    return of_other(i) * (1.0 + grown)


@TwoKernels.quantity(
    r"\|K'-K\|_2",
    "spectral norm of the change of the kernel matrix",
    CHOSEN,
    condition=of_change,
)
def change_2(i):
    return np.linalg.norm(other(i) - i.K, 2)


def with_other(i, rng):
    """Most of the time another K': its points are those of K, moved a little or far.

    They move along one direction, where bounds are sharp, or each by itself; or K'
    misses K's largest direction, or is a multiple of K.
    """
    if rng.random() < 0.2:
        return i
    X, size = i.points, 2.0 ** rng.integers(-8, 3)
    rows = max(len(X), 1)
    unit = 2.0 ** np.round(np.log2(i.norm_K or 1.0) / 2)
    way = rng.integers(4)
    if way == 0:
        moved = np.outer(rng.integers(-2, 3, rows), rng.integers(-2, 3, i.n))
    elif way == 1:
        moved = rng.integers(-2, 3, (rows, i.n))
    elif way == 2:
        return i.but(other_points=X * 2.0 ** rng.integers(-3, 4))
    else:
        keep = rng.integers(0, 2, (rows, 1))
        return i.but(other_points=X * keep)
    return i.but(other_points=X + unit * size * moved)
