"""Which columns come back, and which directions the two methods span.

Talwalkar 2010, section 2.2.2, Observations 2.1 and 2.2.
"""

from __future__ import annotations

import numpy as np

from nystheory.chapters.projection_or_reconstruction.theorems.projections import (
    IDENTITY,
    INDEFINITE,
    OBLIQUE,
    TWO,
)
from nystheory.engine import Claim, Control, Instance, Printed, Theorem

WHOLE = {"k = l": "k == l"}


def landmarks_first(i):
    """The same columns with k = l, and if they are different, in the first places."""
    if i.l > i.n or len(set(i.landmarks.tolist())) < i.l:
        return i.full
    order, first = np.r_[i.landmarks, i.others], np.arange(i.l)
    if i.X is None:
        return i.but(K=i.K[np.ix_(order, order)], landmarks=first, rank=i.l)
    return i.but(X=i.X[:, order], landmarks=first, rank=i.l)


class ClearColumns(Instance):
    """The columns of one matrix, with k = l, where float64 tells a missing rank."""

    @classmethod
    def drawn(cls, instance, rng):
        """Beyond the rounding in C, and different columns in the first places."""
        clear = instance.rank_is_obvious and instance.full.condition_of_columns < 1e4
        return landmarks_first(instance) if clear else None


class WholeCore(Instance):
    """The columns of one matrix, with k = l."""

    @classmethod
    def drawn(cls, instance, rng):
        """The same columns."""
        return instance.full


def _with_repetitions(rng):
    for _ in range(12):
        yield Instance.from_points(rng.integers(-2, 3, (2, 3)), [1, 1], 2, "repeated")


OBSERVATION_1 = Theorem(
    id="talwalkar2010:obs-2.1",
    kind="identity",
    status="holds",
    title="Column-sampling reproduces the sampled columns",
    number="Observation 2.1, equation (2.11)",
    setting=(
        r"Let $P_C = C C^+$, and let $\bar C$ hold the columns that were not sampled."
    ),
    hypotheses=WHOLE,
    claims={
        "formula": Claim(
            "column_projection == C @ pinv(C.T @ C) @ C.T @ K",
            says="The Column-sampling projection is",
        ),
        "projector": "C @ pinv(C.T @ C) @ C.T == P_C",
        "columns": Claim(
            "column_projection == block(C, P_C @ other_columns)",
            when="landmarks_first",
            says="The sampled columns come back exactly,",
        ),
        "everything": Claim(
            "(column_projection == K) == (rank_W == rank_K)",
            says="The whole matrix comes back if and only if the core has its rank:",
        ),
    },
    world=ClearColumns,
    cases=_with_repetitions,
    controls={
        "one direction of two": Control("formula", TWO, drops="k = l"),
        "every column": Control("projector", OBLIQUE, {"P_C": "identity(n)"}),
        "nine tenths": Control("columns", OBLIQUE, {"P_C @": "0.9 * P_C @"}),
        "one rank less": Control("everything", IDENTITY, {"rank_W": "rank_W + 1"}),
    },
    printed={
        "all of K": Printed(
            "column_projection == block(C, other_columns)",
            "gap in the proof",
            "The observation itself, that $C$ is reproduced, is right. The display "
            "that is to show it goes a step too far: its last equality needs "
            r"$\operatorname{rank} W = \operatorname{rank} K$; without it one column "
            "would project every matrix exactly. For $K = I_2$ and the first column, "
            r"$P_C \bar C = 0$.",
            IDENTITY,
            says=r"$\tilde K_l^{col} = C (C^\top C)^+ C^\top K = [C \quad C "
            r"(C^\top C)^+ C^\top \bar C] = [C \quad \bar C]$",
        ),
    },
)

OBSERVATION_2 = Theorem(
    id="talwalkar2010:obs-2.2",
    kind="identity",
    status="holds",
    title="Orthonormal Nyström spans the sampled columns",
    number="Observation 2.2",
    setting=(
        "Let $K$ be positive semidefinite, let $P_C$ be the orthogonal projector onto "
        "the range of $C$, and let $Q$ hold the orthonormalised Nyström vectors."
    ),
    hypotheses=WHOLE,
    claims={
        "range": Claim(
            "C @ pinv(W) @ pinv(C @ pinv(W)) == P_C",
            says="The range of $C W^+$ is the range of $C$, in projectors:",
        ),
        "span": Claim(
            "QQ == P_C", says=r"Hence $Q$ and $\tilde U_{col}$ have the same span:"
        ),
        "projections": Claim(
            "QQ @ K == column_projection",
            says="The two matrix projections are the same:",
        ),
    },
    world=WholeCore,
    controls={
        "an indefinite matrix": Control(
            "range", INDEFINITE, lacks="positive semidefinite $K$"
        ),
        "one direction of two": Control("span", TWO, drops="k = l"),
        "not orthonormal": Control(
            "projections", OBLIQUE, {"QQ @ K": "nystrom_projection"}
        ),
    },
)
