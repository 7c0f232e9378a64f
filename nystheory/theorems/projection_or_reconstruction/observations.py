"""Part I: which columns come back, and which directions the two methods span.

Talwalkar 2010, section 2.2.2, Observations 2.1 and 2.2.
"""

from __future__ import annotations

import numpy as np

from nystheory import lowrank
from nystheory.theorems import rational
from nystheory.theorems.base import Claim, Control, Printed, Theorem
from nystheory.theorems.instance import Instance, truncated_inverse
from nystheory.theorems.routes import (
    RANK_IN_RANGE,
    column_projection,
    full_rank,
    one,
    small,
)

# --- Observation 2.1: the sampled columns are reproduced --------------------------


def _projector(i: Instance) -> np.ndarray:
    U = lowrank.column_sampling(i.K, i.landmarks, i.l).eigenvectors
    return U @ U.T


def _is_exact(i: Instance, _) -> bool | None:
    return small(_projector(i) @ i.K - i.K, i.norm_K) if i.rank_is_obvious else None


def _reproduces_columns_exactly(i: Instance) -> bool:
    C = rational.rational(i.C)
    Ct = C.transpose()
    return C * rational.pseudo_inverse(Ct * C) * Ct * C == C


def _projects_exactly(i: Instance) -> bool:
    C = rational.rational(i.C)
    Ct = C.transpose()
    projector = C * rational.pseudo_inverse(Ct * C) * Ct
    return projector == C * rational.pseudo_inverse(C)


def _exact_iff_rank(i: Instance) -> bool:
    K, C = rational.rational(i.K), rational.rational(i.C)
    Ct = C.transpose()
    left = C * rational.pseudo_inverse(Ct * C) * Ct * K == K
    return left == (rational.rank(rational.rational(i.W)) == rational.rank(K))


OBSERVATION_1 = Theorem(
    id="talwalkar2010:obs-2.1",
    part="I",
    kind="identity",
    status="corrected",
    title="Column-sampling reproduces the sampled columns",
    number="Observation 2.1, equation (2.11)",
    statement=(
        r"For $k = l$ the Column-sampling projection is $C (C^\top C)^+ C^\top K = "
        r"[\,C \;\; P_C \bar C\,]$, where $P_C = C C^+$ and $\bar C$ holds the "
        "columns that were not sampled: the sampled columns come back exactly. The "
        r"whole matrix does if and only if $\operatorname{rank} W = "
        r"\operatorname{rank} K$."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            "the sampled columns come back",
            observe=lambda i, _: _projector(i) @ i.C,
            expected=lambda i, _: i.C,
            scale=lambda i: max(float(np.linalg.norm(i.C)), np.finfo(float).tiny),
            exact=_reproduces_columns_exactly,
        ),
        Claim(
            r"all of $K$ comes back exactly when $\operatorname{rank} W = "
            r"\operatorname{rank} K$",
            observe=_is_exact,
            expected=lambda i, _: i.rank_W == i.rank_K,
            applies=lambda i: i.norm_K > 0,
            exact=_exact_iff_rank,
        ),
        Claim(
            "the whole projection is $P_C K$ with $P_C = C C^+$",
            observe=lambda i, _: column_projection(full_rank(i)),
            expected=lambda i, _: i.C @ np.linalg.pinv(i.C, rcond=1e-10) @ i.K,
            condition=lambda i: full_rank(i).condition_of_columns,
            exact=_projects_exactly,
        ),
    ),
    controls=(
        Control(
            Claim(
                r"$\operatorname{rank} W = \operatorname{rank} K - 1$ is enough",
                observe=_is_exact,
                expected=lambda i, _: i.rank_W >= i.rank_K - 1,
            ),
            Instance(np.eye(2), [0], 1, X=np.eye(2)),
        ),
    ),
    printed=(
        Printed(
            r"$[\,C \;\; C (C^\top C)^+ C^\top \bar C\,] = [\,C \;\; \bar C\,]$",
            "missing hypothesis",
            "The observation itself, that $C$ is reproduced, is right. The last "
            r"equality of its display needs $\operatorname{rank} W = "
            r"\operatorname{rank} K$; without it one column would project every matrix "
            r"exactly. For $K = I_2$ and the first column, $P_C \bar C = 0$.",
            Claim(
                "the projection is all of $K$",
                observe=lambda i, _: _projector(i) @ i.K,
                expected=lambda i, _: i.K,
            ),
            Instance(np.eye(2), [0], 1),
        ),
    ),
)


# --- Observation 2.2: orthonormal Nyström spans the same --------------------------


def _span_by_formula(i: Instance, _) -> np.ndarray:
    """Projector on the range of ``C W^+``, by the textbook route."""
    U, _, _ = np.linalg.svd(i.C @ truncated_inverse(i.W, i.l))
    r = np.linalg.matrix_rank(i.C @ truncated_inverse(i.W, i.l), tol=1e-9)
    return U[:, :r] @ U[:, :r].T


def _span_orthonormal(i: Instance, _) -> np.ndarray:
    U = lowrank.orthonormal_nystrom(i.K, i.landmarks, i.l).eigenvectors
    return U @ U.T


def _orthonormal_projection(i: Instance) -> np.ndarray:
    return lowrank.orthonormal_nystrom(i.K, i.landmarks, i.l).matrix_projection(i.K)


def _same_span_exactly(i: Instance) -> bool:
    C, W = rational.rational(i.C), rational.rational(i.W)
    B = C * rational.pseudo_inverse(W)
    joined = B.hstack(C)
    return rational.rank(B) == rational.rank(C) == rational.rank(joined)


OBSERVATION_2 = Theorem(
    id="talwalkar2010:obs-2.2",
    part="I",
    kind="identity",
    status="holds",
    title="Orthonormal Nyström spans the sampled columns",
    number="Observation 2.2",
    statement=(
        "For positive semidefinite $K$ and $k = l$, the range of $C W^+$ is the range "
        r"of $C$. Hence the orthonormalised Nyström vectors and $\tilde U_{col}$ have "
        "the same span, and the two matrix projections are the same."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            "the projectors on the two spans are equal",
            observe=_span_orthonormal,
            expected=lambda i, _: _projector(i),
            condition=lambda i: i.but(rank=i.l).condition ** 2,
            scale=one,
            exact=_same_span_exactly,
        ),
        Claim(
            "the two matrix projections are equal",
            observe=lambda i, _: _orthonormal_projection(i),
            expected=lambda i, _: column_projection(full_rank(i)),
            condition=lambda i: full_rank(i).condition ** 2,
        ),
    ),
    controls=(
        Control(
            Claim(
                "the same for an indefinite matrix",
                observe=_span_by_formula,
                expected=lambda i, _: _projector_by_svd(i),
                scale=one,
                exact=_same_span_exactly,
            ),
            Instance(np.array([[0.0, 1], [1, 0]]), [0], 1),
        ),
    ),
)


def _projector_by_svd(i: Instance) -> np.ndarray:
    U = i.svd_C[0]
    return U @ U.T
