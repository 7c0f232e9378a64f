"""When sampled columns determine the matrix.

Talwalkar 2010, section 2.2.2, Theorem 2.3.
"""

from __future__ import annotations

import numpy as np

from nystheory.chapters.projection_or_reconstruction.theorems.projections import (
    AXES,
    EQUAL,
    IN_RANGE,
)
from nystheory.engine import Claim, Control, Instance, Theorem


class Clear(Instance):
    """The columns of one matrix, where float64 tells a missing rank or direction."""

    @classmethod
    def drawn(cls, instance, rng):
        """Nothing besides; None where they do not show."""
        i = instance
        clear = i.rank_is_obvious and max(i.condition, i.condition_of_columns) < 1e4
        return i if clear else None


def _cases(rng):
    """Matrices that their columns determine, and some that they nearly do."""
    for _ in range(12):
        core = rng.integers(-2, 3, (3, 3)).astype(float)
        yield Instance.from_points(np.tile(core, 2), [0, 1, 2], 3, "copies of a block")
        X = core[:2] @ rng.integers(-1, 2, (3, 6))
        yield Instance.from_points(X, rng.choice(6, 3, False), 3, "integers, rank 2")
    yield _LINE
    yield EQUAL


_LINE = Instance.exactly([0], 1, points=[[1, 2]])
_REPEATED = Instance.exactly([0, 0, 0, 0], 1, points=[[1, 1]])
_COPIES = Instance.exactly([0, 1], 1, points=[[2, 0, 2, 0], [0, 1, 0, 1]])

RECOVERY = Theorem(
    id="talwalkar2010:thm-2.3",
    kind="identity",
    status="holds",
    title="Exact recovery",
    number="Theorem 2.3",
    setting=(
        r"Let $K$ be positive semidefinite, $\tilde K = C W_k^+ C^\top$ the Nyström "
        r"approximation and $\tilde K_{col}$ the Column-sampling reconstruction."
    ),
    hypotheses={"rank": IN_RANGE},
    claims={
        "Nyström": "(approximation == K) == (min(k, rank_W) == rank_K)",
        "Column-sampling": Claim(
            "(K_col == K) == (W @ W == l / n * C.T @ C)",
            when="rank_W == rank_K <= k",
            says="Column-sampling is exact for one core only",
        ),
        "spread": Claim(
            "(W @ W == l / n * C.T @ C) == (K_21.T @ K_21 == (n - l) / l * (W @ W))",
            when="different == l",
            says="For distinct landmarks the condition on $W$ is one on the other "
            "points,",
        ),
    },
    world=Clear,
    cases=_cases,
    controls={
        "one rank less": Control("Nyström", AXES, {"== rank_K": ">= rank_K - 1"}),
        "equal ranks": Control(
            "Column-sampling", _LINE, {"W @ W == l / n * C.T @ C": "rank_W == rank_K"}
        ),
        "k below the rank": Control(
            "Column-sampling", _COPIES, lacks="rank_W == rank_K <= k"
        ),
        "another share": Control("spread", EQUAL, {"(n - l) / l": "n / l"}),
        "repeated landmarks": Control("spread", _REPEATED, lacks="different == l"),
    },
)
