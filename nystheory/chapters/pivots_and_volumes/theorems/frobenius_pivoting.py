"""Part II: pivots by the square of the diagonal.

Steinerberger 2024.
"""

from __future__ import annotations

import numpy as np

from nystheory.chapters.pivots_and_volumes.theorems.pivoting import NOT_ZERO
from nystheory.engine import Claim, Control, Instance, Promise, Theorem
from nystheory.engine.worlds.listed import small
from nystheory.engine.worlds.matrices import diagonal
from nystheory.engine.worlds.quantities import quantity


@quantity(
    r"\textstyle\sum_i \|K_i\|^4",
    "sum of the fourth powers of the lengths of the columns",
    unit=4,
)
def fourth_powers(i):
    return (np.linalg.norm(i.K, axis=0) ** 4).sum()


@quantity(r"\textstyle\sum_i K_{ii}^2", "sum of the squares of the diagonal", unit=2)
def squared_diagonal(i):
    return (np.diag(i.K) ** 2).sum()


def _cases(rng):
    """Small matrices, and identities, where all three bounds are attained."""
    yield from small(rng)
    for size in (1, 2, 4, 6):
        for count in {1, min(3, size), size}:
            yield Instance(np.eye(size), range(count), 1, name="identity")


_PAIR = Instance.exactly([0], 1, matrix=diagonal([2, 1]))
_TWO = Instance.exactly([0], 1, matrix=diagonal([1, 1]))
_FOUR = Instance.exactly([0, 1], 1, matrix=diagonal([1, 1, 1, 1]))
_TWICE = Instance.exactly([0, 0], 1, matrix=[[1]])
_GAIN = "fourth_powers / squared_diagonal"

FROBENIUS = Theorem(
    id="modern:frobenius-pivoting",
    kind="expectation",
    status="holds",
    title="Pivots by the square of the diagonal",
    number="Steinerberger 2024, for one pivot",
    setting=(
        r"Let $K$ be positive semidefinite of size $n$ with columns $K_i$, and let $E$ "
        "be what $l$ pivots leave of it, each drawn in proportion to the squared "
        "diagonal of what is left before it."
    ),
    hypotheses={"not zero": NOT_ZERO, "no more than all": "l <= n"},
    claims={
        "one pivot": Claim(
            f"mean(norm_F(E) ** 2) <= norm_K_F ** 2 - {_GAIN}",
            when="l == 1",
            law="pivoted_squared",
        ),
        "the gain": f"norm_K_F ** 2 - {_GAIN} <= (1 - 1 / n) * norm_K_F ** 2",
        "several": Claim(
            "mean(norm_F(E) ** 2) <= (1 - l / n) * norm_K_F ** 2", law="pivoted_squared"
        ),
    },
    cases=_cases,
    promises={
        "several": Promise("Frobenius", "pivots by squared diagonal"),
        "one pivot": "for l = 1 only",
    },
    controls={
        "pivots by the diagonal": Control("one pivot", _PAIR, law="pivoted"),
        "uniform pivots": Control("one pivot", _PAIR, law="uniform"),
        "a hundredth more": Control("the gain", _TWO, {"1 / n": "1.01 / n"}),
        "a hundredth more of several": Control(
            "several", _FOUR, {"l / n": "1.01 * l / n"}
        ),
        "more than all": Control("several", _TWICE, drops="no more than all"),
    },
)
