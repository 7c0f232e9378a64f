"""The best approximation of rank k, which any other is measured against.

Talwalkar 2010, section 2.1.1.
"""

from __future__ import annotations

import numpy as np

from nystheory import lowrank
from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem
from nystheory.engine.language.claims import Printed, Where
from nystheory.engine.worlds.low_rank_pair import LowRankPair
from nystheory.engine.worlds.quantities import quantity, tail_2, tail_F


@quantity(r"\sigma_k", "last eigenvalue that rank k keeps")
def sigma_last(i):
    return i.spectrum[i.k - 1]


# The same numbers as the tails of the engine, under the symbols of the definition.
quantity(
    r"\sigma_{k+1}", "first singular value that rank k leaves out", name="sigma_next"
)(tail_2)
quantity(
    r"\textstyle\bigl(\sum_{j>k} \sigma_j^2\bigr)^{1/2}",
    "root of the sum of the squared singular values that rank k leaves out",
    name="sigma_rest",
)(tail_F)


def _at_the_cut(i):
    """How much rounding turns the leading directions; without a gap they are free."""
    values = np.append(i.eigen_K[0], 0.0)
    gap = (values[i.k - 1] - values[i.k]) / (i.norm_K or 1.0)
    return 1 / gap if gap > 0 else np.inf


@quantity(
    r"\textstyle\sum_{j\le k} \sigma_j u_j u_j^\top",
    "sum of the k leading terms of the spectral decomposition",
    condition=_at_the_cut,
)
def leading_terms(i):
    values, vectors = i.eigen_K
    return (vectors[:, : i.k] * values[: i.k]) @ vectors[:, : i.k].T


@quantity("K_k", "best approximation of rank k, one of them at a tie", name="some_best")
@quantity("K_k", "best approximation of rank k, by the package", condition=_at_the_cut)
def best(i):
    return lowrank.best_rank_k(i.K, min(i.k, i.n)).spectral_reconstruction()


_TWO = LowRankPair.exactly(
    [0], 1, matrix=[[2, 0], [0, 1]], left=[[2], [0]], right=[[1, 0]]
)
_RANK_TWO = LowRankPair.exactly(
    [0], 1, matrix=[[2, 0], [0, 1]], left=[[2, 0], [0, 1]], right=[[1, 0], [0, 1]]
)

BEST_RANK_K = Theorem(
    id="talwalkar2010:def-2.1",
    kind="definition",
    status="corrected",
    title="Best rank-k approximation",
    number="section 2.1.1",
    setting=(
        r"Let $K$ be positive semidefinite with eigenvalues $\sigma_1 \ge \sigma_2 "
        r"\ge \dots \ge \sigma_n$ and orthonormal eigenvectors $u_1, \dots, u_n$. Let "
        r"$L \in \mathbb R^{n \times k}$ and $R \in \mathbb R^{k \times n}$ be any "
        "matrices; their products are exactly the matrices of rank *at most* $k$."
    ),
    hypotheses={"rank": Hypothesis("1 <= k <= n", domain=True)},
    where={"low_rank": Where("B", "left @ right")},
    claims={
        "definition": Claim("best == leading_terms", when="sigma_last > sigma_next"),
        "spectral minimum": Claim(
            "norm_2(K - low_rank) >= sigma_next", says="Whether or not there is a tie,"
        ),
        "Frobenius minimum": "norm_F(K - low_rank) >= sigma_rest",
        "attained, spectral": "norm_2(K - some_best) == sigma_next",
        "attained, Frobenius": "norm_F(K - some_best) == sigma_rest",
    },
    world=LowRankPair,
    controls={
        "rank k + 1": Control("Frobenius minimum", _RANK_TWO, lacks="rank of B"),
        "rank k + 1, spectral": Control(
            "spectral minimum", _RANK_TWO, lacks="rank of B"
        ),
        "twice": Control("definition", _TWO, {"best ==": "2 * best =="}),
        "a quarter": Control(
            "attained, spectral", _TWO, {"- some_best": "- 0.25 * some_best"}
        ),
        "a quarter, Frobenius": Control(
            "attained, Frobenius", _TWO, {"- some_best": "- 0.25 * some_best"}
        ),
    },
    printed={
        "rank equal to k": Printed(
            "rank_K >= k",
            "missing hypothesis",
            r"For $k \le r = \operatorname{rank} T$ this is right, and the next "
            "sentence of the source takes the top $k$ of $r$ singular values, so the "
            "condition is understood. The definition of $K_k$ after it states $k < r$ "
            "and is right as it stands. The sentence on $T_k$ is of an "
            r"arbitrary $a \times b$ matrix $T$ and states no condition, and without "
            "one a minimiser of rank exactly $k$ need not exist: for the "
            r"$1 \times 1$ zero matrix and $k = 1$ the infimum $0$ is reached only by "
            "a matrix of rank $0$.",
            Instance.exactly([0], 1, points=[[0]]),
            says=r"$T_k = \operatorname{argmin}_{V \in \mathbb R^{a \times b}, "
            r"\operatorname{rank}(V) = k} \|T - V\|_\xi$",
        )
    },
)
