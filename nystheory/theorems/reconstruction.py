"""Part I: spectral reconstruction, and when sampled columns give back the matrix.

Talwalkar 2010, section 2.2.2, equations (2.13) and (2.14), Theorems 2.2 and 2.3,
and the relative accuracy (2.24) of section 2.2.3.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from nystheory import lowrank
from nystheory.theorems import rational
from nystheory.theorems.base import Claim, Control, Hypothesis, Printed, Theorem
from nystheory.theorems.derivation import Step, letters
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance, truncated_inverse
from nystheory.theorems.quantities import quantity, tail_F
from nystheory.theorems.spectra import (
    RANK_IN_RANGE,
    nystrom,
    one,
    small,
    textbook_nystrom,
)

# --- (2.13): the block form -------------------------------------------------------


def _ordered(matrix, i: Instance) -> np.ndarray:
    """Rows and columns with the landmarks first."""
    order = np.r_[i.landmarks, i.others]
    return matrix[np.ix_(order, order)]


def _blocks(i: Instance, _) -> np.ndarray:
    K21 = i.C[i.others]
    lower = K21 @ truncated_inverse(i.W, i.l) @ K21.T
    return np.block([[i.W, K21.T], [K21, lower]])


def _error_is_schur_complement(i: Instance, _) -> np.ndarray:
    """Zero but for the Schur complement of W, by Gaussian elimination."""
    ordered = _ordered(i.K, i)
    for _step in range(i.l):
        j = int(np.argmax(ordered.diagonal()[: i.l]))
        pivot = ordered[j, j]
        if pivot > 1e-10 * i.norm_K:
            ordered = ordered - np.outer(ordered[:, j], ordered[j]) / pivot
    ordered[: i.l] = 0
    ordered[:, : i.l] = 0
    return ordered


def _distinct(i: Instance) -> bool:
    return len(set(i.landmarks.tolist())) == i.l


def _full_rank(i: Instance) -> Instance:
    return i.but(rank=i.l)


def _blocks_exactly(i: Instance) -> bool:
    C, W = rational.rational(i.C), rational.rational(i.W)
    approximation = C * rational.pseudo_inverse(W) * C.transpose()
    error = rational.rational(i.K) - approximation
    rows = list(range(i.n))
    return rational.is_zero(error.extract(i.landmarks.tolist(), rows))


def _derive_blocks():
    W, P, A, At = letters("W W^+ K_{21} K_{21}^T")
    C, Ct = sp.Matrix([[W], [A]]), sp.Matrix([[W, At]])
    return (
        Step(C * sp.Matrix([[P]]) * Ct, "$C$ in blocks"),
        Step(
            sp.Matrix([[W * P * W, W * P * At], [A * P * W, A * P * At]]),
            "multiply out",
        ),
        Step(
            sp.Matrix([[W, At], [A, A * P * At]]),
            "$W W^+ W = W$; and $\\ker W \\subseteq \\ker K_{21}$ because $K \\succeq 0$, "
            "so $K_{21} W^+ W = K_{21}$",
            {W * P * W: W, W * P * At: At, A * P * W: A},
        ),
    )


_HALF = np.array([[0.0, 1], [0, 0]])
_FOUR = np.block([[np.eye(2), _HALF.T], [_HALF, 2 * np.eye(2)]])

BLOCKS = Theorem(
    id="talwalkar2010:eq-2.13",
    part="I",
    kind="identity",
    status="refuted",
    title="Block form of the Nyström approximation",
    number="equation (2.13)",
    statement=(
        "For positive semidefinite $K$ and $k = l$, with the landmarks first, "
        "$C W^+ C^\\top = \\begin{pmatrix} W & K_{21}^\\top \\\\ K_{21} & "
        "K_{21} W^+ K_{21}^\\top \\end{pmatrix}$. The error $K - \\tilde K$ is zero "
        "but for the lower right block, where it is the Schur complement $K / W = "
        "K_{22} - K_{21} W^+ K_{21}^\\top$."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            "the four blocks",
            observe=lambda i, _: _ordered(nystrom(_full_rank(i)), i),
            expected=_blocks,
            applies=_distinct,
            condition=lambda i: _full_rank(i).condition,
            exact=_blocks_exactly,
        ),
        Claim(
            "the error is the Schur complement of $W$",
            observe=lambda i, _: _ordered(i.K - nystrom(_full_rank(i)), i),
            expected=_error_is_schur_complement,
            applies=_distinct,
            condition=lambda i: _full_rank(i).condition ** 2,
        ),
    ),
    derivation=_derive_blocks,
    controls=(
        Control(
            Claim(
                "three blocks come back for an indefinite matrix too",
                observe=lambda i, _: textbook_nystrom(i.K, i.landmarks, i.l),
                expected=_blocks,
                exact=_blocks_exactly,
            ),
            Instance(np.array([[0.0, 1], [1, 0]]), [0], 1),
        ),
    ),
    printed=(
        Printed(
            "the lower right block is $K_{21} W^+ K_{21}$",
            "misprint",
            "The last factor should be transposed. As it stands the product only has "
            "a meaning for $n = 2l$, and there it can be wrong: with $W = I_2$, "
            "$K_{21} = \\begin{pmatrix} 0 & 1 \\\\ 0 & 0 \\end{pmatrix}$ and "
            "$K_{22} = 2 I_2$ it gives $0$ instead of $\\operatorname{diag}(1, 0)$.",
            Claim(
                "the lower right block without the transpose",
                observe=lambda i, _: nystrom(i)[2:, 2:],
                expected=lambda i, _: (
                    i.C[i.others] @ truncated_inverse(i.W, i.l) @ i.C[i.others]
                ),
            ),
            Instance(_FOUR, [0, 1], 2),
        ),
        Printed(
            "the lower right block of $\\tilde K$ is the Schur complement of $W$ in $K$",
            "false statement",
            "The Schur complement is $K_{22} - K_{21} W^+ K_{21}^\\top$: what is "
            "missing from the approximation, not what is in it. For $K = I_2$ and one "
            "landmark the block is $0$ and the Schur complement is $1$.",
            Claim(
                "the block is the Schur complement",
                observe=lambda i, _: nystrom(i)[i.l :, i.l :],
                expected=lambda i, _: (
                    i.K[i.l :, i.l :]
                    - i.C[i.others] @ truncated_inverse(i.W, i.l) @ i.C[i.others].T
                ),
            ),
            Instance(np.eye(2), [0], 1),
        ),
    ),
)


# --- (2.14): Column-sampling spectral reconstruction ------------------------------


def column_reconstruction(i: Instance) -> np.ndarray:
    """Column-sampling spectral reconstruction by the package's route."""
    result = lowrank.column_sampling(i.K, i.landmarks, i.k)
    return result.spectral_reconstruction()


def _column_formula(i: Instance, scale: float) -> np.ndarray:
    return scale * i.C @ truncated_inverse(i.C.T @ i.C, i.k, 0.5) @ i.C.T


def _derive_column_reconstruction():
    U, S, P, V, Vt, Ut = letters("U_C Sigma Sigma^+ V V^T U_C^T")
    n, l = sp.symbols("n l", positive=True)  # noqa: E741
    root = sp.sqrt(n / l)
    return (
        Step(
            root * (U * S * Vt) * (V * P * Vt) * (V * S * Ut),
            "$((C^\\top C)_k^{1/2})^+ = V_k \\Sigma_k^+ V_k^\\top$, $C$ decomposed",
        ),
        Step(
            root * U * S * P * S * Ut,
            "$V^\\top V = I$",
            {Vt * V: sp.Integer(1)},
        ),
        Step(root * U * S * Ut, "$\\Sigma \\Sigma^+ \\Sigma = \\Sigma$", {S * P * S: S}),
    )


COLUMN_RECONSTRUCTION = Theorem(
    id="talwalkar2010:eq-2.14",
    part="I",
    kind="identity",
    status="holds",
    title="Column-sampling spectral reconstruction",
    number="equation (2.14)",
    statement=(
        "$\\sqrt{n/l}\\; C \\bigl((C^\\top C)_k^{1/2}\\bigr)^+ C^\\top = "
        "\\sqrt{n/l}\\; U_{C,k} \\Sigma_{C,k} U_{C,k}^\\top$."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            "reconstruction from the columns, by two routes",
            observe=lambda i, _: column_reconstruction(i),
            expected=lambda i, _: _column_formula(i, np.sqrt(i.n / i.l)),
            condition=lambda i: i.condition_of_columns,
            scale=lambda i: i.norm_K * np.sqrt(i.n),
        ),
    ),
    derivation=_derive_column_reconstruction,
    controls=(
        Control(
            Claim(
                "the same with $n/l$ in place of its root",
                observe=lambda i, _: column_reconstruction(i),
                expected=lambda i, _: _column_formula(i, i.n / i.l),
            ),
            Instance(np.ones((2, 2)), [0], 1),
        ),
    ),
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


COMMON_FORM = Theorem(
    id="talwalkar2010:thm-2.2-form",
    part="I",
    kind="identity",
    status="refuted",
    title="A common form for both reconstructions",
    number="Theorem 2.2, first part",
    statement=(
        "Let $X_S = U_{X'} \\Sigma_{X'} V_{X'}^\\top$ be the sampled points and $\\rho$ "
        "their rank. The Nyström approximation is $X^\\top U_{X',k} I_k U_{X',k}^\\top X$. "
        "Column-sampling is $X^\\top U_{X'} Z_{col} U_{X'}^\\top X$ with *all* $\\rho$ "
        "directions and $Z_{col} = \\sqrt{n/l}\\, \\Sigma_{X'} V_{X'}^\\top V_{C,k} "
        "\\Sigma_{C,k}^+ V_{C,k}^\\top V_{X'} \\Sigma_{X'}$ of size $\\rho$ and rank at "
        "most $k$. It has the form of the former for $k \\ge \\rho$."
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
            "for $k \\ge \\rho$ Column-sampling lies in the leading directions",
            observe=_outside_leading,
            expected=lambda i, _: np.zeros((i.n, i.n)),
            applies=lambda i: i.k >= i.rank_W,
            condition=_both_conditions,
            scale=lambda i: i.norm_K * np.sqrt(i.n),
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
    ),
    printed=(
        Printed(
            "Column-sampling is $X^\\top U_{X',k} Z U_{X',k}^\\top X$ with "
            "$Z \\in \\mathbb R^{k \\times k}$",
            "false statement",
            "For $k < \\rho$ the leading $k$ directions of the sampled points are not "
            "the leading ones of the sampled columns; the printed core has size "
            "$\\rho$, not $k$. In the counterexample $W = \\operatorname{diag}(2, 1)$ "
            "prefers the first point and $C^\\top C = \\operatorname{diag}(4, 10)$ the "
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
    """A symmetric competitor Z, at a random distance from the optimal one."""
    k = min(i.k, i.svd_X_S[0].shape[1])
    G = rng.standard_normal((k, k))
    return i.but(Z=np.eye(k) + 10.0 ** rng.uniform(-4, 0.5) * (G + G.T))


def _core_error(i: Instance, Z) -> float:
    A = _basis(i)
    return float(np.linalg.norm(i.K - A @ Z @ A.T))


@quantity(
    "outside",
    r"\|K - P_A K P_A\|_F",
    "what of K lies outside the leading sampled directions, on either side",
)
def outside(i: Instance) -> float:
    Q, _ = np.linalg.qr(_basis(i))
    return float(np.linalg.norm(i.K - Q @ (Q.T @ i.K @ Q) @ Q.T))


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
    a, b, c, z = sp.symbols("a b c z", real=True)
    K = sp.Matrix([[a, b], [b, c]])
    A = K[:, :1] / sp.sqrt(a)
    error = sp.trace((K - z * A * A.T) ** 2)
    z_star = (A.T * K * A)[0] / (A.T * A)[0] ** 2
    distance = (z - z_star) ** 2 * (A.T * A)[0] ** 2
    rest = error.subs(z, z_star)
    return (
        Step(error, "$\\|K - A z A^\\top\\|_F^2$ for one column of a $2 \\times 2$ $K$"),
        Step(
            rest + distance,
            "complete the square: the minimum is at $z^* = "
            "A^\\top K A / (A^\\top A)^2$",
        ),
    )


def _derive_at_least_one():
    a, b, c = sp.symbols("a b c", real=True)
    K = sp.Matrix([[a, b], [b, c]])
    A = K[:, :1] / sp.sqrt(a)
    z_star = (A.T * K * A)[0] / (A.T * A)[0] ** 2
    return (
        Step(z_star - 1, "how far the optimal core is above the Nyström core"),
        Step(
            b**2 * (a * c - b**2) / (a**2 + b**2) ** 2,
            "a square times the determinant: not negative for $K \\succeq 0$",
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
    "$k \\le \\operatorname{rank} X_S$", ("k", "rank_W"), lambda k, rank_W: k <= rank_W
)

OPTIMAL_CORE = Theorem(
    id="talwalkar2010:thm-2.2-optimum",
    part="I",
    kind="inequality",
    status="corrected",
    title="The optimal reconstruction",
    number="Theorem 2.2, second part",
    statement=(
        "Let $A = X^\\top U_{X',k}$ with $k \\le \\operatorname{rank} X_S$ and "
        "$Y = U_X^\\top U_{X',k}$. The unique minimiser of $\\|K - A Z A^\\top\\|_F$ is "
        "$Z^* = (Y^\\top \\Sigma_X^2 Y)^{-1} (Y^\\top \\Sigma_X^4 Y) "
        "(Y^\\top \\Sigma_X^2 Y)^{-1}$, and $A Z^* A^\\top = P_A K P_A$. Moreover "
        "$Z^* \\succeq I_k = Z_{nys}$, with equality if and only if the span of "
        "$U_{X',k}$ is invariant under $X X^\\top$."
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
            "the optimal approximation is $A Z^* A^\\top$",
            observe=lambda i, _: _optimum(i),
            expected=lambda i, _: _basis(i) @ _Z_star(i) @ _basis(i).T,
            condition=_condition_of_basis,
        ),
        Claim(
            "$Z^* \\succeq I_k$",
            observe=lambda i, _: 1 - float(np.linalg.eigvalsh(_Z_star(i))[0]),
            expected=lambda i, _: 0.0,
            relation="<=",
            condition=_condition_of_basis,
            scale=lambda i: float(np.linalg.norm(_Z_star(i))),
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
    ),
    printed=(
        Printed(
            "among all approximations of this form, neither the Column-sampling nor "
            "the Nyström approximation is optimal",
            "missing hypothesis",
            "Meant for matrices in general, as the proof says; not true of every "
            "matrix. For $K = I_2$ and one landmark $Z^* = 1$, which is the Nyström "
            "approximation. An example where both do fail is $K = "
            "\\begin{pmatrix} 2 & 1 \\\\ 1 & 1 \\end{pmatrix}$ with $l = k = 1$, where "
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
    ),
)


# --- Theorem 2.3: exact recovery --------------------------------------------------


def _recovers(i: Instance, _) -> bool | None:
    return small(nystrom(i) - i.K, i.norm_K) if i.condition < 1e7 else None


def _column_recovers(i: Instance, _) -> bool | None:
    return small(column_reconstruction(i) - i.K, i.norm_K)


def _column_condition(i: Instance, _) -> bool | None:
    """``W = ((l/n) C.T C)^{1/2}``, squared, so that nothing irrational appears."""
    return small(i.l / i.n * i.C.T @ i.C - i.W @ i.W, i.norm_K**2)


def _recovers_exactly(i: Instance) -> bool:
    C, W, K = (rational.rational(m) for m in (i.C, i.W, i.K))
    approximation = C * rational.pseudo_inverse(W) * C.transpose()
    return (approximation == K) == (rational.rank(W) == rational.rank(K))


def _recovery_cases(rng):
    """Matrices that their columns determine, and some that they nearly do."""
    for _ in range(12):
        core = rng.integers(-2, 3, (3, 3)).astype(float)
        yield Instance.from_points(np.tile(core, 2), [0, 1, 2], 3, "copies of a block")
        X = core[:2] @ rng.integers(-1, 2, (3, 6))
        yield Instance.from_points(X, rng.choice(6, 3, False), 3, "integers, rank 2")
    yield Instance(np.outer([1.0, 2], [1, 2]), [0], 1, X=np.array([[1.0, 2]]))
    yield Instance.from_points(np.ones((1, 2)), [0], 1, "two equal points")


def _derive_recovery():
    a, b, c = sp.symbols("a b c", positive=True)
    K = sp.Matrix([[a, b], [b, c]])
    C = K[:, :1]
    return (
        Step(K - C * C.T / a, "the error of one column of a $2 \\times 2$ matrix"),
        Step(
            sp.Matrix([[0, 0], [0, (a * c - b**2) / a]]),
            "zero if and only if $\\det K = 0$, that is, $\\operatorname{rank} K = 1$",
        ),
    )


RECOVERY = Theorem(
    id="talwalkar2010:thm-2.3",
    part="I",
    kind="identity",
    status="holds",
    title="Exact recovery",
    number="Theorem 2.3",
    statement=(
        "$\\tilde K = K$ if and only if $\\min(k, \\operatorname{rank} W) = "
        "\\operatorname{rank} K$. If $\\operatorname{rank} W = \\operatorname{rank} K "
        "\\le k \\le l$, then Column-sampling is exact if and only if "
        "$W = \\bigl(\\frac ln C^\\top C\\bigr)^{1/2}$, equivalently $K_{21}^\\top K_{21} "
        "= \\frac{n-l}{l} W^2$."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            "$\\tilde K = K$ exactly when $\\min(k, \\operatorname{rank} W) = "
            "\\operatorname{rank} K$",
            observe=_recovers,
            expected=lambda i, _: min(i.k, i.rank_W) == i.rank_K,
            applies=lambda i: i.rank_is_obvious,
        ),
        Claim(
            "the same for $k = l$ in exact arithmetic",
            observe=lambda i, r: _recovers(_full_rank(i), r),
            expected=lambda i, _: i.rank_W == i.rank_K,
            applies=lambda i: i.rank_is_obvious,
            exact=_recovers_exactly,
        ),
        Claim(
            "Column-sampling is exact exactly when $W^2 = \\frac ln C^\\top C$",
            observe=_column_recovers,
            expected=_column_condition,
            applies=lambda i: (
                i.rank_is_obvious
                and i.norm_K > 0
                and i.rank_W == i.rank_K <= i.k
                and i.condition_of_columns < 1e6
            ),
        ),
    ),
    instances=_recovery_cases,
    derivation=_derive_recovery,
    controls=(
        Control(
            Claim(
                "rank $\\operatorname{rank} K - 1$ is enough",
                observe=_recovers,
                expected=lambda i, _: min(i.k, i.rank_W) >= i.rank_K - 1,
            ),
            Instance(np.diag([2.0, 1]), [0, 1], 1, X=np.diag(np.sqrt([2.0, 1]))),
        ),
        Control(
            Claim(
                "Column-sampling is exact whenever the ranks agree",
                observe=_column_recovers,
                expected=lambda i, _: i.rank_W == i.rank_K,
            ),
            Instance(np.outer([1.0, 2], [1, 2]), [0], 1, X=np.array([[1.0, 2]])),
        ),
    ),
)


# --- (2.24): relative accuracy ----------------------------------------------------


def _accuracy(i: Instance, _) -> float:
    result = lowrank.nystrom(i.K, i.landmarks, i.k)
    return result.relative_accuracy(i.K)


def _average(i: Instance) -> np.ndarray:
    """Mean of the approximations from each landmark alone: rank up to l, not k."""
    alone = [nystrom(i.but(landmarks=[j], rank=1)) for j in i.landmarks]
    return np.mean(alone, axis=0)


RELATIVE_ACCURACY = Theorem(
    id="talwalkar2010:eq-2.24",
    part="I",
    kind="inequality",
    status="holds",
    title="Relative accuracy is at most one",
    number="equation (2.24)",
    statement=(
        "$\\|K - K_k\\|_F / \\|K - \\tilde K\\|_F \\le 1$ whenever "
        "$\\operatorname{rank} \\tilde K \\le k$ and the denominator is not zero."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            "the best rank $k$ is at least as close as Nyström",
            observe=lambda i, _: float(np.linalg.norm(i.K - nystrom(i))),
            formula=Formula(tail_F),
            relation=">=",
        ),
        Claim(
            "the ratio that the package reports is at most one",
            observe=_accuracy,
            formula=Formula(sp.Integer(1)),
            relation="<=",
            applies=lambda i: np.linalg.norm(i.K - nystrom(i)) > 1e-6 * i.norm_K,
            scale=one,
            # Both errors are at least 1e-6 of the norm, so their ratio keeps 1e-10.
            condition=lambda i: 1e6,
        ),
    ),
    controls=(
        Control(
            Claim(
                "the same for the average of $l$ approximations of rank 1",
                observe=lambda i, _: float(np.linalg.norm(i.K - _average(i))),
                formula=Formula(tail_F),
                relation=">=",
            ),
            Instance(np.eye(2), [0, 1], 1),
        ),
    ),
)
