"""Part I: matrix projection, the product of approximate singular vectors with K.

Talwalkar 2010, section 2.2.2, equations (2.5) to (2.7) and Theorem 2.1.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Printed, Theorem
from nystheory.theorems.derivation import Step, letters
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance, truncated_inverse
from nystheory.theorems.quantities import quantity
from nystheory.theorems.routes import (
    RANK_IN_RANGE,
    column_projection,
    nystrom_projection,
    one,
    small,
)

# --- (2.5): when reconstruction and projection agree ------------------------------


def _with_pairs(i: Instance, rng) -> Instance:
    """Vectors U and values, sometimes true eigenpairs of K (not the leading ones)."""
    values, vectors = i.eigen_K
    k = min(i.k, i.n)
    chosen = np.sort(rng.choice(i.n, k, replace=False))
    # Eigenvectors of any length: the statement does not ask for orthonormal ones.
    U, sigma = vectors[:, chosen] * rng.uniform(0.5, 2, k), values[chosen]
    kind = rng.integers(3)
    if kind == 1:
        sigma = sigma + i.norm_K * rng.uniform(0.1, 1, k)
    if kind == 2:
        U = rng.standard_normal((i.n, k))
    return i.but(U=U, sigma=sigma)


def _agree(i: Instance, _) -> bool | None:
    U, sigma = i.extra["U"], i.extra["sigma"]
    size = i.norm_K * np.linalg.norm(U) ** 2
    return small((U * sigma) @ U.T - U @ U.T @ i.K, size)


def _are_eigenpairs(i: Instance, _) -> bool | None:
    U, sigma = i.extra["U"], i.extra["sigma"]
    return small(i.K @ U - U * sigma, i.norm_K * np.linalg.norm(U))


def _are_leading(i: Instance, _) -> bool | None:
    values = np.sort(i.eigen_K[0][: len(i.extra["sigma"])])
    distance = small(np.sort(i.extra["sigma"]) - values, i.norm_K)
    pairs = _are_eigenpairs(i, _)
    return None if None in (distance, pairs) else distance and pairs


SAME_ONLY_IF = Theorem(
    id="talwalkar2010:eq-2.5",
    part="I",
    kind="identity",
    status="holds",
    title="When reconstruction and projection agree",
    number="equation (2.5)",
    statement=(
        r"Let $U$ have full column rank and $\Sigma$ be diagonal. Then "
        r"$U \Sigma U^\top = U U^\top K$ if and only if $K U = U \Sigma$, that is, if "
        r"the columns of $U$ are eigenvectors of $K$ and $\Sigma$ holds their "
        "eigenvalues."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            "the two agree exactly for eigenpairs of $K$",
            observe=_agree,
            expected=_are_eigenpairs,
            applies=lambda i: i.norm_K > 0 and np.linalg.cond(i.extra["U"]) < 1e3,
        ),
    ),
    complete=_with_pairs,
    controls=(
        Control(
            Claim(
                "the two agree exactly for the *leading* eigenpairs",
                observe=_agree,
                expected=_are_leading,
            ),
            Instance(
                np.diag([2.0, 1.0]),
                [1],
                1,
                extra={"U": np.array([[0.0], [1.0]]), "sigma": np.array([1.0])},
            ),
        ),
    ),
)


# --- (2.6) and (2.7): the two projections -----------------------------------------


def _gram_of_columns_inverse(i: Instance, rank: int) -> np.ndarray:
    return truncated_inverse(i.C.T @ i.C, rank)


COLUMN_PROJECTION = Theorem(
    id="talwalkar2010:eq-2.6",
    part="I",
    kind="identity",
    status="misprint",
    title="Column-sampling matrix projection",
    number="equation (2.6)",
    statement=(
        r"Let $C = U_C \Sigma_C V_C^\top$ be the thin singular value decomposition "
        r"and $1 \le k \le l$. The Column-sampling matrix projection is "
        r"$U_{C,k} U_{C,k}^\top K = C \bigl((C^\top C)_k\bigr)^+ C^\top K$ with "
        r"$(C^\top C)_k = V_{C,k} \Sigma_{C,k}^2 V_{C,k}^\top$."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            "projection on the leading vectors of $C$, by two routes",
            observe=lambda i, _: column_projection(i),
            expected=lambda i, _: i.C @ _gram_of_columns_inverse(i, i.k) @ i.C.T @ i.K,
            condition=lambda i: i.condition_of_columns,
        ),
    ),
    controls=(
        Control(
            Claim(
                r"the same with $C^\top C$ not truncated",
                observe=lambda i, _: column_projection(i),
                expected=lambda i, _: (
                    i.C @ _gram_of_columns_inverse(i, i.l) @ i.C.T @ i.K
                ),
            ),
            Instance(np.diag([2.0, 1.0]), [0, 1], 1),
        ),
    ),
    printed=(
        Printed(
            r"$(C^\top C)_k = V_{C,k} (\Sigma_{C,k}^2)^+ V_{C,k}^\top$ in the "
            "where-clause",
            "misprint",
            "The pseudo-inverse is taken once in the display and again in its "
            r"where-clause. With $K = (2)$ the display would give $C \cdot 4 \cdot C "
            r"\cdot K = 32$ where the projection is $2$.",
            Claim(
                "the projection, with the pseudo-inverse taken twice",
                observe=lambda i, _: column_projection(i),
                expected=lambda i, _: (
                    i.C @ truncated_inverse(i.C.T @ i.C, i.k, power=-1) @ i.C.T @ i.K
                ),
            ),
            Instance(np.array([[2.0]]), [0], 1),
        ),
    ),
)


def _derive_nystrom_projection():
    C, U, Ut, Ct, P, K = letters("C U U^T C^T Sigma^+ K")
    n, l = sp.symbols("n l", positive=True)  # noqa: E741
    root = sp.sqrt(l / n)
    # Braces keep SymPy from reading the name as a symbol with a subscript.
    P2 = letters("{(W_k^2)^+}")
    return (
        Step((root * C * U * P) * (root * P * Ut * Ct) * K, "the vectors of (2.3)"),
        Step(l / n * C * U * P**2 * Ut * Ct * K, "collect the scalars"),
        Step(
            l / n * C * P2 * Ct * K,
            r"$U_k (\Sigma_k^+)^2 U_k^\top = (W_k^2)^+$",
            {U * P**2 * Ut: P2},
        ),
    )


NYSTROM_PROJECTION = Theorem(
    id="talwalkar2010:eq-2.7",
    part="I",
    kind="identity",
    status="holds",
    title="Nyström matrix projection",
    number="equation (2.7)",
    statement=(
        r"Let $\tilde U_{nys}$ hold the $k$ Nyström vectors of (2.3), "
        r"$1 \le k \le l$. The Nyström matrix projection is "
        r"$\tilde U_{nys} \tilde U_{nys}^\top K = "
        r"\frac ln\, C (W_k^2)^+ C^\top K$."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            "product of the extrapolated vectors with $K$, by two routes",
            observe=lambda i, _: nystrom_projection(i),
            expected=lambda i, _: (
                i.l / i.n * i.C @ truncated_inverse(i.W, i.k, 2) @ i.C.T @ i.K
            ),
            condition=lambda i: i.condition**2,
        ),
    ),
    derivation=_derive_nystrom_projection,
    controls=(
        Control(
            Claim(
                "the same without the factor $l/n$",
                observe=lambda i, _: nystrom_projection(i),
                expected=lambda i, _: (
                    i.C @ truncated_inverse(i.W, i.k, 2) @ i.C.T @ i.K
                ),
            ),
            Instance(np.ones((2, 2)), [0], 1),
        ),
    ),
)


# --- Theorem 2.1: Column-sampling projects best -----------------------------------


def _with_R(i: Instance, rng) -> Instance:
    """What the competitor R is made of: indefinite, semidefinite, near the identity."""
    G = rng.standard_normal((i.n, i.n))
    kind = rng.integers(3)
    if kind == 1:
        G = G @ G.T
    if kind == 2:
        G = np.eye(i.n) + 10.0 ** rng.uniform(-4, 0) * G
    return i.but(G=G)


def _R(i: Instance) -> np.ndarray:
    """Symmetric part of ``U_C.T G U_C``: of size rank C whatever the sample."""
    U = i.svd_C[0]
    R = U.T @ i.extra["G"] @ U
    return (R + R.T) / 2


def _projection_error(i: Instance, R) -> float:
    U = i.svd_C[0]
    return float(np.linalg.norm(i.K - U @ R @ (U.T @ i.K)))


@quantity("E_col", r"E_{\mathrm{col}}", "error of the full Column-sampling projection")
def E_col(i: Instance) -> float:
    U = i.svd_C[0]
    return float(np.linalg.norm(i.K - U @ (U.T @ i.K)))


@quantity(
    "detour",
    r"\|(R-I)U_C^\top K\|_F",
    "what R does to the projected columns beyond leaving them alone",
)
def detour(i: Instance) -> float:
    if "G" not in i.extra:
        return 0.0
    U = i.svd_C[0]
    R = _R(i)
    return float(np.linalg.norm((R - np.eye(len(R))) @ (U.T @ i.K)))


def _R_nystrom(i: Instance) -> np.ndarray:
    """``Y (S_{W,k}^2)^+ Y.T`` with ``Y = sqrt(l/n) S_C V_C.T U_{W,k}``."""
    _, s, V = i.svd_C
    half = np.sqrt(i.l / i.n) * s[:, None] * V.T
    return half @ truncated_inverse(i.W, i.k, 2) @ half.T


def _R_column(i: Instance) -> np.ndarray:
    """Ones in the first k places, zeros in the others."""
    rank = i.svd_C[0].shape[1]
    return np.diag((np.arange(rank) < i.k).astype(float))


def _smallest_eigenvalue_of_both(i: Instance, _) -> float:
    both = [np.linalg.eigvalsh(R) for R in (_R_nystrom(i), _R_column(i))]
    return float(np.concatenate(both).min(initial=0.0))


def _derive_theorem_2_1():
    K, U, Ut, R = letters("K U U^T R")
    error_R = (K - K * U * R * Ut) * (K - U * R * Ut * K)
    error_I = (K - K * U * Ut) * (K - U * Ut * K)
    return (
        Step(error_R - error_I, "the two squared errors; their traces are compared"),
        Step(
            K * U * R * R * Ut * K - 2 * K * U * R * Ut * K + K * U * Ut * K,
            r"$U_C^\top U_C = I$",
            {Ut * U: sp.Integer(1)},
        ),
        Step(
            (K * U * (R - 1)) * ((R - 1) * Ut * K),
            "a square, so its trace is not negative",
        ),
    )


_THREE = Instance(np.eye(3), [0, 1], 1, extra={"G": np.eye(3)})

COLUMN_SAMPLING_PROJECTS_BEST = Theorem(
    id="talwalkar2010:thm-2.1",
    part="I",
    kind="inequality",
    status="holds",
    title="Column-sampling projects best",
    number="Theorem 2.1",
    statement=(
        r"Let $\rho = \operatorname{rank} C$, and let $U_C \in \mathbb R^{n \times "
        r"\rho}$ hold the left singular vectors of $C$. Both matrix projections, "
        r"for every $k \le l$, are of the form $U_C R\, U_C^\top K$ with a "
        r"positive semidefinite $R \in \mathbb R^{\rho \times \rho}$. For every "
        r"symmetric $R$, $\|K - U_C R U_C^\top K\|_F^2 = \|K - U_C U_C^\top K\|_F^2 "
        r"+ \|(R - I) U_C^\top K\|_F^2$. Hence for $k \ge \rho$ Column-sampling has "
        "the smallest error of this form."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            "no $R$ has a smaller error than $R = I$",
            observe=lambda i, _: _projection_error(i, _R(i)),
            formula=Formula(sp.Symbol("E_col", nonnegative=True)),
            relation=">=",
            # R multiplies K, so its size sets the size of what is rounded.
            scale=lambda i: i.norm_K * (1 + np.linalg.norm(_R(i))),
        ),
        Claim(
            "the squared error is the sum of the two squares",
            observe=lambda i, _: _projection_error(i, _R(i)),
            formula=Formula(sp.sqrt(E_col**2 + detour**2)),
            scale=lambda i: i.norm_K * (1 + np.linalg.norm(_R(i))),
        ),
        Claim(
            r"the Nyström projection is of the form $U_C R\, U_C^\top K$",
            observe=lambda i, _: nystrom_projection(i),
            expected=lambda i, _: i.svd_C[0] @ _R_nystrom(i) @ i.svd_C[0].T @ i.K,
            condition=lambda i: i.condition**2,
        ),
        Claim(
            r"for $k \ge \operatorname{rank} C$ Column-sampling is $R = I$",
            observe=lambda i, _: column_projection(i),
            expected=lambda i, _: i.svd_C[0] @ i.svd_C[0].T @ i.K,
            applies=lambda i: i.k >= i.svd_C[0].shape[1],
            condition=lambda i: i.condition_of_columns,
        ),
        Claim(
            r"the Column-sampling projection is of that form for every $k$",
            observe=lambda i, _: column_projection(i),
            expected=lambda i, _: i.svd_C[0] @ _R_column(i) @ i.svd_C[0].T @ i.K,
            condition=lambda i: i.condition_of_columns,
        ),
        Claim(
            "the $R$ of both is positive semidefinite",
            observe=_smallest_eigenvalue_of_both,
            expected=lambda i, _: 0.0,
            relation=">=",
            scale=one,
            condition=lambda i: i.condition**2,
        ),
    ),
    complete=_with_R,
    derivation=_derive_theorem_2_1,
    controls=(
        Control(
            Claim(
                r"also for $k < \operatorname{rank} C$ Column-sampling is the best",
                observe=lambda i, _: _projection_error(i, _R(i)),
                expected=lambda i, _: float(np.linalg.norm(i.K - column_projection(i))),
                relation=">=",
            ),
            _THREE,
        ),
        Control(
            Claim(
                r"for every $k$ the Column-sampling projection has $R = I$",
                observe=lambda i, _: column_projection(i),
                expected=lambda i, _: i.svd_C[0] @ i.svd_C[0].T @ i.K,
            ),
            Instance(np.diag([2.0, 1.0]), [0, 1], 1),
        ),
    ),
    printed=(
        Printed(
            r"$R \in \mathbb R^{l \times l}$ and, in the proof, "
            r"$U_C^\top U_C = I_n$",
            "misprint",
            "With the thin decomposition that the source uses, $U_C$ has "
            r"$\operatorname{rank} C$ columns, so $R$ and both identity matrices have "
            r"that size. For $K = \mathbf 1 \mathbf 1^\top$ with two rows and both "
            "columns sampled it is $1$, not $l = 2$. The argument is unchanged.",
            Claim(
                "$U_C$ has $l$ columns",
                observe=lambda i, _: i.svd_C[0].shape[1] == i.l,
            ),
            Instance(np.ones((2, 2)), [0, 1], 2),
        ),
    ),
)
