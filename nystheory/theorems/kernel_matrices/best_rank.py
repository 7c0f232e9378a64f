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


def _leading_terms(i: Instance) -> np.ndarray:
    """The k leading terms of the spectral decomposition, as the statement has them."""
    values, vectors = i.eigen_K
    return (vectors[:, : i.k] * values[: i.k]) @ vectors[:, : i.k].T


def _best_error(order):
    return lambda i, _: float(np.linalg.norm(i.K - _leading_terms(i), order))


def _of_the_package(i: Instance, _) -> np.ndarray:
    return lowrank.best_rank_k(i.K, min(i.k, i.n)).spectral_reconstruction()


def _gap(i: Instance) -> float:
    """From eigenvalue k to the next, over the largest; without it K_k is not unique."""
    values = np.append(i.eigen_K[0], 0.0)
    return (values[i.k - 1] - values[i.k]) / (i.norm_K or 1.0)


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
            observe=_best_error(2),
            formula=Formula(tail_2),
        ),
        Claim(
            "$K_k$ attains the Frobenius minimum",
            observe=_best_error("fro"),
            formula=Formula(tail_F),
        ),
        Claim(
            "the package's $K_k$ is this sum, where only one is possible",
            observe=_of_the_package,
            expected=lambda i, _: _leading_terms(i),
            applies=lambda i: _gap(i) > 1e-6,
            condition=lambda i: 1 / _gap(i),
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
            r"for an arbitrary matrix $T$, $T_k$ minimises $\|T - V\|_\xi$ over all "
            "$V$ of rank *equal to* $k$",
            "missing hypothesis",
            r"For $k \le r = \operatorname{rank} T$ this is right, and the next "
            "sentence of the source takes the top $k$ of $r$ singular values, so the "
            "condition is understood. The definition of $K_k$ after it states $k < r$ "
            "and is right as it stands. The sentence on $T_k$ states no condition, and "
            r"without one a minimiser of rank exactly $k$ need not exist: for the "
            r"$1 \times 1$ zero matrix and $k = 1$ the infimum $0$ is reached only by "
            "a matrix of rank $0$.",
            Claim(
                "some minimiser has rank exactly $k$",
                # Below rank k the error is zero, and only K itself attains it.
                observe=lambda i, _: i.rank_K >= i.k,
            ),
            Instance(np.zeros((1, 1)), [0], 1, X=np.zeros((1, 1))),
        ),
    ),
)
