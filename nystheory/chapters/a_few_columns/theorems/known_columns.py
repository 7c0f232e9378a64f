"""What is known stays as it is: the sampled columns are reproduced."""

from __future__ import annotations

from nystheory.engine import Control, Instance, Theorem
from nystheory.engine.worlds.between import SEMIDEFINITE, Between

_INDEFINITE = Between.exactly([0], 1, matrix=[[0, 1], [1, 0]])
_TWO_POINTS = Instance.exactly([0], 1, matrix=[[1, 1], [1, 2]])

KNOWN_COLUMNS = Theorem(
    id="modern:known-columns",
    kind="identity",
    status="new",
    title="The sampled columns stay",
    number="this book",
    setting=(
        r"Let $K$ be positive semidefinite, let $C$ be the columns of $K$ at the "
        r"landmarks and $W$ the rows of $C$ at the same places."
    ),
    claims={
        "columns": "C @ pinv(W) @ W == C",
    },
    controls={
        "no semidefinite matrix": Control("columns", _INDEFINITE, lacks=SEMIDEFINITE),
        "another column": Control("columns", _TWO_POINTS, {"== C": "== 1.01 * C"}),
    },
)
