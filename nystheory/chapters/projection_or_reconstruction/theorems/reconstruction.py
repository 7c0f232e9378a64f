"""Spectral reconstruction, and how close it can be.

Talwalkar 2010, section 2.2.2, equations (2.13) and (2.14), and the relative accuracy
(2.24) of section 2.2.3.
"""

from __future__ import annotations

from nystheory.chapters.projection_or_reconstruction.theorems.observations import (
    WHOLE,
    landmarks_first,
)
from nystheory.chapters.projection_or_reconstruction.theorems.projections import (
    EQUAL,
    IDENTITY,
    IN_RANGE,
    INDEFINITE,
    OBLIQUE,
    TWO,
)
from nystheory.engine import Claim, Control, Instance, Theorem
from nystheory.engine.language.claims import Printed, Where
from nystheory.engine.worlds.low_rank_pair import LowRankPair

# --- (2.13): the block form ----------------------------------------------------------


class InBlocks(Instance):
    """The columns of one matrix, with k = l different landmarks in the first places."""

    @classmethod
    def drawn(cls, instance, rng):
        """Only where float64 can tell the rank of W."""
        clear = instance.rank_is_clear and len(set(instance.landmarks)) == instance.l
        return landmarks_first(instance) if clear else None


_FOUR_POINTS = [[1, 0, 0, 0], [0, 1, 1, 0], [0, 1, 2, 0], [0, 0, 0, 2]]
_FOUR = Instance.exactly([0, 1], 2, matrix=_FOUR_POINTS)

BLOCKS = Theorem(
    id="talwalkar2010:eq-2.13",
    kind="identity",
    status="misprint",
    title="Block form of the Nyström approximation",
    number="equation (2.13)",
    setting=(
        r"Let $K$ be positive semidefinite, with the landmarks first, and let "
        r"$\tilde K = C W_k^+ C^\top$."
    ),
    hypotheses=WHOLE,
    claims={
        "four blocks": "C @ pinv(W) @ C.T == block(W, K_21.T, K_21,"
        " K_21 @ pinv(W) @ K_21.T)",
        "error": Claim(
            "K - approximation == block(0 * W, 0 * K_21.T, 0 * K_21, schur)",
            says="The error is zero except in the lower right block, where it is the "
            "Schur complement of $W$:",
        ),
        "Schur complement": "schur == K_22 - K_21 @ pinv(W) @ K_21.T",
    },
    world=InBlocks,
    controls={
        "an indefinite matrix": Control(
            "four blocks", INDEFINITE, lacks="positive semidefinite $K$"
        ),
        "k below l": Control("error", TWO, drops="k = l"),
        "all of the block is missing": Control("error", OBLIQUE, {"schur": "K_22"}),
        "too much is taken away": Control("Schur complement", OBLIQUE, {"-": "- 2 *"}),
    },
    printed={
        "no transpose": Printed(
            "C @ pinv(W) @ C.T == block(W, K_21.T, K_21, K_21 @ pinv(W) @ K_21)",
            "misprint",
            "The last factor of the lower right block should be transposed. As it "
            "stands the product only has a meaning for $n = 2l$, and there it can be "
            r"wrong: with $W = I_2$, $K_{21} = \begin{pmatrix} 0 & 1 \\ 0 & 0 "
            r"\end{pmatrix}$ and $K_{22} = 2 I_2$ it gives $0$ instead of "
            r"$\operatorname{diag}(1, 0)$.",
            _FOUR,
            says=r"$C W^+ C^\top = \begin{bmatrix} W & K_{21}^\top \\ K_{21} & "
            r"K_{21} W^+ K_{21} \end{bmatrix}$",
        ),
        "name of the block": Printed(
            "schur == K_21 @ pinv(W) @ K_21.T",
            "misprint",
            "A slip of the name only, before the display, which shows the block. The "
            r"Schur complement is $K_{22} - K_{21} W^+ K_{21}^\top$, what is missing "
            "from the approximation and not what is in it. For $K = I_2$ and one "
            "landmark the block is $0$ and the Schur complement is $1$.",
            IDENTITY,
            says="$K_{22}$ is approximated by the Schur Complement of $W$ in $K$",
        ),
    },
)


# --- (2.14): Column-sampling spectral reconstruction ---------------------------------

COLUMN_RECONSTRUCTION = Theorem(
    id="talwalkar2010:eq-2.14",
    kind="identity",
    status="holds",
    title="Column-sampling spectral reconstruction",
    number="equation (2.14)",
    setting=(
        r"Let $C = U_C \Sigma_C V_C^\top$ be the thin singular value decomposition "
        r"and $\tilde K_{col} = \sqrt{n/l}\, U_{C,k} \Sigma_{C,k} U_{C,k}^\top$ the "
        "Column-sampling spectral reconstruction."
    ),
    hypotheses={"rank": IN_RANGE},
    claims={"formula": "K_col == sqrt(n / l) * C @ root_inverse @ C.T"},
    controls={"no root": Control("formula", EQUAL, {"sqrt(n / l)": "n / l"})},
)


# --- (2.24): relative accuracy -------------------------------------------------------


_UNIT, _HALF = [[1, 0], [0, 1]], [["1/2", 0], [0, "1/2"]]
_AVERAGE = LowRankPair.exactly([0, 1], 1, matrix=_UNIT, left=_HALF, right=_UNIT)
_BEST = LowRankPair.exactly(
    [0], 1, matrix=[[2, 0], [0, 1]], left=[[2], [0]], right=[[1, 0]]
)

RELATIVE_ACCURACY = Theorem(
    id="talwalkar2010:eq-2.24",
    kind="inequality",
    status="holds",
    title="Relative accuracy is at most one",
    number="equation (2.24)",
    setting=(
        r"Let $\tilde K$ be the Nyström approximation. Let $L \in \mathbb R^{n \times "
        r"k}$ and $R \in \mathbb R^{k \times n}$ be any matrices; their products are "
        "exactly the matrices of rank *at most* $k$."
    ),
    hypotheses={"rank": IN_RANGE},
    where={"low_rank": Where("B", "left @ right")},
    claims={
        "Nyström": "error_F >= tail_F",
        "ratio": Claim(
            "relative_accuracy <= 1",
            when="error_F > 0",
            says="The relative accuracy is at most one",
        ),
        "any matrix": Claim(
            "norm_F(K - low_rank) >= tail_F",
            says="The same lower bound holds for every matrix of rank at most $k$:",
        ),
        "the other three": Claim(
            "min(norm_F(K - K_col), norm_F(K - column_projection),"
            " norm_F(K - nystrom_projection)) >= tail_F",
            says="in particular for Column-sampling and for both projections:",
        ),
    },
    world=LowRankPair,
    controls={
        "a tenth better": Control("Nyström", _BEST, {"error_F": "0.9 * error_F"}),
        "never attained": Control("ratio", _BEST, {"<= 1": "<= 0.99"}),
        "average of two of rank 1": Control(
            "any matrix", _AVERAGE, lacks="rank of $B$"
        ),
        "one percent more": Control("the other three", _BEST, {">=": ">= 1.01 *"}),
    },
)
