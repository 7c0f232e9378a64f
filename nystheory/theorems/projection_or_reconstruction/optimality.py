"""Part I: the common form of both reconstructions and the optimal core.

Talwalkar 2010, section 2.2.2, Theorem 2.2.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from nystheory import lowrank
from nystheory.theorems.base import Claim, Control, Hypothesis, Printed, Theorem
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance, truncated_inverse
from nystheory.theorems.quantities import quantity
from nystheory.theorems.routes import (
    RANK_IN_RANGE,
    column_reconstruction,
    nystrom,
    small,
)

# --- Theorem 2.2: the common form -------------------------------------------------


def _Z_col(i: Instance) -> np.ndarray:
    """The core of Column-sampling in the basis of all of ``U_{X'}``."""
    _, s, V = i.svd_X_S
    inverse_root = truncated_inverse(i.C.T @ i.C, i.k, 0.5)
    half = s[:, None] * V.T
    return np.sqrt(i.n / i.l) * half @ inverse_root @ half.T


def _column_form(i: Instance, _) -> np.ndarray:
    A = i.points.T @ i.svd_X_S[0]
    return A @ _Z_col(i) @ A.T


def _outside_leading(i: Instance, _) -> np.ndarray:
    """What Column-sampling has outside the range of ``X.T U_{X',k}``."""
    A = i.points.T @ i.svd_X_S[0][:, : i.k]
    Q, _ = np.linalg.qr(A)
    K_col = column_reconstruction(i)
    return K_col - Q @ (Q.T @ K_col)


def _both_conditions(i: Instance) -> float:
    return i.condition_of_columns * i.condition


def _rank_of_Z_col(i: Instance) -> int:
    """Singular values above the rounding in the product that makes the core."""
    _, s, V = i.svd_X_S
    root = truncated_inverse(i.C.T @ i.C, i.k, 0.5)
    sizes = np.sqrt(i.n / i.l) * np.linalg.norm(s[:, None] * V.T) ** 2
    rounding = 1e-12 * sizes * np.linalg.norm(root)
    return int((np.linalg.svd(_Z_col(i), compute_uv=False) > rounding).sum())


def _core_is_small(less: int):
    """Whether Z_col has size rho and rank at most ``k - less``; None if unclear."""

    def test(i: Instance, _) -> bool | None:
        if not _both_conditions(i) < 1e10:
            return None
        return len(_Z_col(i)) == i.rank_W and _rank_of_Z_col(i) <= i.k - less

    return test


def _nystrom_form(i: Instance, k: int) -> np.ndarray:
    """``X.T U_{X',k} I_k U_{X',k}.T X``, as the statement has it."""
    A = i.points.T @ i.svd_X_S[0][:, :k]
    return A @ A.T


COMMON_FORM = Theorem(
    id="talwalkar2010:thm-2.2-form",
    part="I",
    kind="identity",
    status="refuted",
    title="A common form for both reconstructions",
    number="Theorem 2.2, first part",
    statement=(
        r"Let $X_S = U_{X'} \Sigma_{X'} V_{X'}^\top$ be the sampled points and $\rho$ "
        r"their rank. The Nyström approximation is "
        r"$X^\top U_{X',k} I_k U_{X',k}^\top X$. Column-sampling is "
        r"$X^\top U_{X'} Z_{col} U_{X'}^\top X$ with *all* $\rho$ "
        r"directions and $Z_{col} = \sqrt{n/l}\, \Sigma_{X'} V_{X'}^\top V_{C,k} "
        r"\Sigma_{C,k}^+ V_{C,k}^\top V_{X'} \Sigma_{X'}$ of size $\rho$ and rank at "
        r"most $k$. For $k \ge \rho$ the directions $U_{X'}$ and $U_{X',k}$ are the "
        "same, and so is the form."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            "Column-sampling with all directions of the sample",
            observe=lambda i, _: column_reconstruction(i),
            expected=_column_form,
            condition=_both_conditions,
            scale=lambda i: i.norm_K * np.sqrt(i.n),
        ),
        Claim(
            r"for $k \ge \rho$ Column-sampling lies in the leading directions",
            observe=_outside_leading,
            expected=lambda i, _: np.zeros((i.n, i.n)),
            applies=lambda i: i.k >= i.rank_W,
            condition=_both_conditions,
            scale=lambda i: i.norm_K * np.sqrt(i.n),
        ),
        Claim(
            "Nyström is the form with $I_k$ and the $k$ leading directions",
            observe=lambda i, _: nystrom(i),
            expected=lambda i, _: _nystrom_form(i, i.k),
            condition=lambda i: i.condition,
        ),
        Claim(
            r"$Z_{col}$ has size $\rho$ and rank at most $k$", observe=_core_is_small(0)
        ),
    ),
    controls=(
        Control(
            Claim(
                "Column-sampling is the Nyström approximation, $Z_{col} = I$",
                observe=lambda i, _: column_reconstruction(i),
                expected=lambda i, _: nystrom(i),
            ),
            Instance(np.array([[2.0, 1], [1, 1]]), [0], 1),
        ),
        Control(
            Claim(
                "Nyström has all directions of the sample too",
                observe=lambda i, _: nystrom(i),
                expected=lambda i, _: _nystrom_form(i, i.l),
            ),
            Instance(np.diag([2.0, 1.0]), [0, 1], 1),
        ),
        Control(
            Claim("$Z_{col}$ has rank at most $k - 1$", observe=_core_is_small(1)),
            Instance.from_points(np.diag([2.0, 1.0]), [0, 1], 1),
        ),
    ),
    printed=(
        Printed(
            r"Column-sampling is $X^\top U_{X',k} Z U_{X',k}^\top X$ with "
            r"$Z \in \mathbb R^{k \times k}$",
            "false statement",
            r"For $k < \rho$ the leading $k$ directions of the sampled points are not "
            "the leading ones of the sampled columns; the printed core has size "
            r"$\rho$, not $k$. In the counterexample $W = \operatorname{diag}(2, 1)$ "
            r"prefers the first point and $C^\top C = \operatorname{diag}(4, 10)$ the "
            "second, so the two ranges are different lines.",
            Claim(
                "Column-sampling lies in the $k$ leading directions of the sample",
                observe=_outside_leading,
                expected=lambda i, _: np.zeros((i.n, i.n)),
            ),
            Instance(np.array([[2.0, 0, 0], [0, 1, 3], [0, 3, 10]]), [0, 1], 1),
        ),
    ),
)


# --- Theorem 2.2: the optimal core ------------------------------------------------


def _basis(i: Instance) -> np.ndarray:
    """``A = X.T U_{X',k}``, of full column rank by hypothesis."""
    return i.points.T @ i.svd_X_S[0][:, : i.k]


def _Z_star(i: Instance) -> np.ndarray:
    """The optimal core in the notation of the source."""
    U, s, _ = np.linalg.svd(i.points, full_matrices=False)
    Y = U.T @ i.svd_X_S[0][:, : i.k]
    inner = np.linalg.inv((Y.T * s**2) @ Y)
    return inner @ ((Y.T * s**4) @ Y) @ inner


def _with_Z(i: Instance, rng) -> Instance:
    """A competitor Z, not symmetric, at a random distance from the optimal one."""
    optimal = _Z_star(i)
    step = 10.0 ** rng.uniform(-4, 0.5) * np.linalg.norm(optimal)
    return i.but(Z=optimal + step * rng.standard_normal(optimal.shape))


def _core_error(i: Instance, Z) -> float:
    A = _basis(i)
    return float(np.linalg.norm(i.K - A @ Z @ A.T))


@quantity(
    "outside",
    r"\|K - P_A K P_A\|_F",
    "what of K lies outside the leading sampled directions, on either side",
)
def outside(i: Instance) -> float:
    return _outside(i)


def _outside(i: Instance) -> float:
    Q, _ = np.linalg.qr(_basis(i))
    return float(np.linalg.norm(i.K - Q @ (Q.T @ i.K @ Q) @ Q.T))


def _least_error_so_far_away(i: Instance, stretch: int) -> float:
    """Root of ``|K - P_A K P_A|^2 + s^4 |Z - Z*|^2``, s a singular value of A."""
    s = np.linalg.svd(_basis(i), compute_uv=False)[stretch]
    apart = float(np.linalg.norm(i.extra["Z"] - _Z_star(i)))
    return float(np.hypot(_outside(i), s**2 * apart))


def _no_more(matrix, scale) -> bool | None:
    """Zero or not, with room for the factor 900 between the two sides below."""
    return small(matrix, scale, zero=1e-12, clear=1e-8)


def _is_invariant(i: Instance, _) -> bool | None:
    """Whether ``X X.T`` maps the span of ``U_{X',k}`` into itself.

    The part that leaves the span enters ``Z* - I`` squared, so it is squared here.
    """
    X, U = i.points, i.svd_X_S[0][:, : i.k]
    moved = X @ (X.T @ U)
    leaves = moved - U @ (U.T @ moved)
    return _no_more(leaves.T @ leaves, i.norm_K**2)


def _optimum(i: Instance) -> np.ndarray:
    result = lowrank.optimal_reconstruction(i.K, i.landmarks, i.k)
    return result.spectral_reconstruction()


def _optimal_error(i: Instance, _) -> float:
    return float(np.linalg.norm(i.K - _optimum(i)))


def _condition_of_basis(i: Instance) -> float:
    """Forming and inverting ``A.T A`` squares the condition of A."""
    s = np.linalg.svd(_basis(i), compute_uv=False)
    return float((s[0] / s[-1]) ** 2 * i.condition) if s[-1] > 0 else np.inf


def _derive_optimum():
    a = sp.Symbol("a", positive=True)
    b, c, z = sp.symbols("b c z", real=True)
    K = sp.Matrix([[a, b], [b, c]])
    A = K[:, :1] / sp.sqrt(a)
    error = sp.trace((K - z * A * A.T) ** 2)
    z_star = sp.factor((A.T * K * A)[0] / (A.T * A)[0] ** 2)
    distance = (z - z_star) ** 2 * sp.factor((A.T * A)[0] ** 2)
    rest = sp.factor(error.subs(z, z_star))
    return (
        Step(
            sp.collect(sp.expand(error), z, sp.factor),
            r"$\|K - A z A^\top\|_F^2$ for one column of a $2 \times 2$ $K$",
        ),
        Step(
            rest + distance,
            "complete the square: the minimum is at $z^* = "
            r"A^\top K A / (A^\top A)^2$",
        ),
    )


def _derive_at_least_one():
    a = sp.Symbol("a", positive=True)
    b, c = sp.symbols("b c", real=True)
    K = sp.Matrix([[a, b], [b, c]])
    A = K[:, :1] / sp.sqrt(a)
    z_star = sp.factor((A.T * K * A)[0] / (A.T * A)[0] ** 2)
    return (
        Step(z_star - 1, "how far the optimal core is above the Nyström core"),
        Step(
            b**2 * (a * c - b**2) / (a**2 + b**2) ** 2,
            r"a square times the determinant: not negative for $K \succeq 0$",
        ),
    )


def _derive_both():
    """The square completed, then the same minimiser compared with 1."""
    first, second = _derive_optimum(), _derive_at_least_one()
    # Two derivations after one another: lines must follow, so stack them.
    return tuple(
        Step(sp.Matrix([one.expr, two.expr]), f"{one.because}; and {two.because}")
        for one, two in zip(first, second, strict=True)
    )


_A_HAS_FULL_RANK = Hypothesis(
    r"$k \le \operatorname{rank} X_S$", ("k", "rank_W"), lambda k, rank_W: k <= rank_W
)

OPTIMAL_CORE = Theorem(
    id="talwalkar2010:thm-2.2-optimum",
    part="I",
    kind="inequality",
    status="corrected",
    title="The optimal reconstruction",
    number="Theorem 2.2, second part",
    statement=(
        r"Let $A = X^\top U_{X',k}$ with $k \le \operatorname{rank} X_S$ and "
        r"$Y = U_X^\top U_{X',k}$. The unique minimiser of $\|K - A Z A^\top\|_F$ over "
        r"all $Z \in \mathbb R^{k \times k}$, symmetric or not, is "
        r"$Z^* = (Y^\top \Sigma_X^2 Y)^{-1} (Y^\top \Sigma_X^4 Y) "
        r"(Y^\top \Sigma_X^2 Y)^{-1}$, and $A Z^* A^\top = P_A K P_A$. Moreover "
        r"$Z^* \succeq I_k = Z_{nys}$, with equality if and only if the span of "
        r"$U_{X',k}$ is invariant under $X X^\top$."
    ),
    hypotheses=(RANK_IN_RANGE, _A_HAS_FULL_RANK),
    claims=(
        Claim(
            "no $Z$ does better than $Z^*$",
            observe=lambda i, _: _core_error(i, i.extra["Z"]),
            formula=Formula(outside),
            relation=">=",
            applies=lambda i: i.condition < 1e8,
            scale=lambda i: i.norm_K * (1 + float(np.linalg.norm(i.extra["Z"]))),
        ),
        Claim(
            r"the optimal approximation is $A Z^* A^\top$",
            observe=lambda i, _: _optimum(i),
            expected=lambda i, _: _basis(i) @ _Z_star(i) @ _basis(i).T,
            condition=_condition_of_basis,
        ),
        Claim(
            r"$Z^* \succeq I_k$",
            observe=lambda i, _: 1 - float(np.linalg.eigvalsh(_Z_star(i))[0]),
            expected=lambda i, _: 0.0,
            relation="<=",
            condition=_condition_of_basis,
            scale=lambda i: float(np.linalg.norm(_Z_star(i))),
        ),
        Claim(
            r"$Z^* = I_k$ exactly when the span of $U_{X',k}$ is invariant",
            observe=lambda i, _: _no_more(_Z_star(i) - np.eye(i.k), 1.0),
            expected=_is_invariant,
            applies=lambda i: i.condition < 30,
        ),
        Claim(
            r"every other $Z$ is worse: its squared error is above the least one by "
            r"$\sigma_k(A)^4 \|Z - Z^*\|_F^2$ or more",
            observe=lambda i, _: _core_error(i, i.extra["Z"]),
            expected=lambda i, _: _least_error_so_far_away(i, -1),
            relation=">=",
            condition=_condition_of_basis,
            scale=lambda i: i.norm_K * (1 + float(np.linalg.norm(i.extra["Z"]))),
        ),
    ),
    complete=_with_Z,
    derivation=_derive_both,
    controls=(
        Control(
            Claim(
                "the optimal approximation is below $K$, as Nyström is",
                observe=lambda i, _: float(np.linalg.eigvalsh(_optimum(i) - i.K)[-1]),
                expected=lambda i, _: 0.0,
                relation="<=",
            ),
            Instance(np.array([[2.0, 1], [1, 1]]), [0], 1),
        ),
        Control(
            Claim(
                r"by $\sigma_1(A)^4 \|Z - Z^*\|_F^2$ or more",
                observe=lambda i, _: _core_error(i, i.extra["Z"]),
                expected=lambda i, _: _least_error_so_far_away(i, 0),
                relation=">=",
            ),
            Instance.from_points(
                np.diag([2.0, 1.0]), [0, 1], 2, Z=np.array([[1.0, 0], [0, 2]])
            ),
        ),
    ),
    printed=(
        Printed(
            "among all approximations of this form, neither the Column-sampling nor "
            "the Nyström approximation is optimal",
            "missing hypothesis",
            "Meant for matrices in general, as the proof says; not true of every "
            "matrix. For $K = I_2$ and one landmark $Z^* = 1$, which is the Nyström "
            "approximation. An example where both do fail is $K = "
            r"\begin{pmatrix} 2 & 1 \\ 1 & 1 \end{pmatrix}$ with $l = k = 1$, where "
            "$Z^* = 26/25$.",
            Claim(
                "the Nyström approximation has a larger error than the optimal one",
                observe=lambda i, _: (
                    float(np.linalg.norm(i.K - nystrom(i)))
                    > _optimal_error(i, _) + 1e-9 * i.norm_K
                ),
            ),
            Instance(np.eye(2), [0], 1),
        ),
        Printed(
            r"$I_N - Y Z Y^\top$ in the display (2.18) of the proof",
            "misprint",
            "With the thin decomposition that the source uses, $U_X$ has "
            r"$r = \operatorname{rank} X$ columns, so $Y$ has $r$ rows and the "
            "identity matrix is $I_r$. For two equal points in the plane $N = 2$ and "
            "$r = 1$. The minimiser is the same.",
            Claim(
                "$Y$ has $N$ rows",
                observe=lambda i, _: i.rank_K == len(i.points),
            ),
            Instance.from_points([[1, 1], [0, 0]], [0], 1),
        ),
    ),
)
