"""Part I: the best approximation of rank k, which any other is measured against.

Talwalkar 2010, section 2.1.1.
"""

from __future__ import annotations

import numpy as np

from nystheory import lowrank
from nystheory.theorems.base import Claim, Control, Printed, Theorem
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import tail_2, tail_F
from nystheory.theorems.routes import RANK_IN_RANGE

# --- Definition 2.1: the best rank-k approximation -------------------------------


def _with_competitor(i: Instance, rng) -> Instance:
    """A factorised competitor of rank at most k: the best one, disturbed."""
    values, vectors = i.eigen_K
    rank = i.k
    step = 10.0 ** rng.uniform(-6, 0.5)
    left = (vectors[:, :rank] * values[:rank]) + step * i.norm_K * _noise(i, rank, rng)
    return i.but(left=left, right=vectors[:, :rank].T + step * _noise(i, rank, rng).T)


def _noise(i, rank, rng):
    return rng.standard_normal((i.n, min(rank, i.n)))


def _competitor_error(i: Instance, order) -> float:
    return float(np.linalg.norm(i.K - i.extra["left"] @ i.extra["right"], order))


def _best_error(norm: str):
    return lambda i, _: lowrank.best_rank_k(i.K, min(i.k, i.n)).error(i.K, norm)


def _above_tail(norm, order, tail):
    return Claim(
        f"no matrix of rank at most $k$ is closer in the {norm} norm",
        observe=lambda i, _: _competitor_error(i, order),
        formula=Formula(tail),
        relation=">=",
    )


BEST_RANK_K = Theorem(
    id="talwalkar2010:def-2.1",
    part="I",
    kind="definition",
    status="corrected",
    title="Best rank-k approximation",
    number="section 2.1.1",
    statement=(
        r"Let $K$ be positive semidefinite with eigenvalues $\sigma_1 \ge \sigma_2 \ge "
        r"\dots \ge \sigma_n$ and orthonormal eigenvectors $u_1, \dots, u_n$. Then "
        r"$K_k = \sum_{j \le k} \sigma_j u_j u_j^\top$ minimises $\|K - B\|_\xi$ over "
        r"all $B$ of rank *at most* $k$, for $\xi \in \{2, F\}$. The minimum is "
        r"$\sigma_{k+1}$ in the spectral norm (zero for $k = n$) and "
        r"$(\sum_{j>k} \sigma_j^2)^{1/2}$ in the Frobenius norm."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        _above_tail("spectral", 2, tail_2),
        _above_tail("Frobenius", "fro", tail_F),
        Claim(
            "$K_k$ attains the spectral minimum",
            observe=_best_error("spectral"),
            formula=Formula(tail_2),
        ),
        Claim(
            "$K_k$ attains the Frobenius minimum",
            observe=_best_error("frobenius"),
            formula=Formula(tail_F),
        ),
    ),
    complete=_with_competitor,
    controls=(
        Control(
            Claim(
                "a competitor of rank $k + 1$ is no closer either",
                observe=lambda i, _: _competitor_error(i, "fro"),
                formula=Formula(tail_F),
                relation=">=",
            ),
            Instance(
                np.diag([2.0, 1.0]),
                [0],
                1,
                extra={"left": np.diag([2.0, 1.0]), "right": np.eye(2)},
            ),
        ),
    ),
    printed=(
        Printed(
            "$K_k$ is the minimiser over all matrices of rank *equal to* $k$",
            "missing hypothesis",
            r"For $k \le \operatorname{rank} K$, which the source assumes when it "
            "defines $K_k$, this is right. Without that condition a minimiser of rank "
            r"exactly $k$ need not exist: for the $1 \times 1$ zero matrix and $k = 1$ "
            "the infimum $0$ is reached only by a matrix of rank $0$.",
            Claim(
                "some minimiser has rank exactly $k$",
                # Below rank k the error is zero, and only K itself attains it.
                observe=lambda i, _: i.rank_K >= i.k,
            ),
            Instance(np.zeros((1, 1)), [0], 1, X=np.zeros((1, 1))),
        ),
    ),
)
