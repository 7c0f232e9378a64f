"""Part I: spectral reconstruction, and when sampled columns give back the matrix.

Talwalkar 2010, section 2.2.2, equations (2.13) and (2.14), Theorems 2.2 and 2.3,
and the relative accuracy (2.24) of section 2.2.3.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from nystheory import lowrank
from nystheory.theorems import rational
from nystheory.theorems.base import Claim, Control, Printed, Theorem
from nystheory.theorems.derivation import Step, letters
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance, truncated_inverse
from nystheory.theorems.quantities import tail_F
from nystheory.theorems.routes import (
    RANK_IN_RANGE,
    column_projection,
    column_reconstruction,
    full_rank,
    nystrom,
    nystrom_projection,
    one,
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
            r"$W W^+ W = W$; and $\ker W \subseteq \ker K_{21}$ because $K \succeq 0$, "
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
    status="misprint",
    title="Block form of the Nyström approximation",
    number="equation (2.13)",
    statement=(
        "For positive semidefinite $K$ and $k = l$, with the landmarks first, "
        r"$C W^+ C^\top = \begin{pmatrix} W & K_{21}^\top \\ K_{21} & "
        r"K_{21} W^+ K_{21}^\top \end{pmatrix}$. The error $K - \tilde K$ is zero "
        "but for the lower right block, where it is the Schur complement $K / W = "
        r"K_{22} - K_{21} W^+ K_{21}^\top$."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            "the four blocks",
            observe=lambda i, _: _ordered(nystrom(full_rank(i)), i),
            expected=_blocks,
            applies=_distinct,
            condition=lambda i: full_rank(i).condition,
            exact=_blocks_exactly,
        ),
        Claim(
            "the error is the Schur complement of $W$",
            observe=lambda i, _: _ordered(i.K - nystrom(full_rank(i)), i),
            expected=_error_is_schur_complement,
            applies=_distinct,
            condition=lambda i: full_rank(i).condition ** 2,
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
            r"$K_{21} = \begin{pmatrix} 0 & 1 \\ 0 & 0 \end{pmatrix}$ and "
            r"$K_{22} = 2 I_2$ it gives $0$ instead of $\operatorname{diag}(1, 0)$.",
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
            r"the sentence before the display calls the lower right block the Schur "
            "complement of $W$ in $K$",
            "misprint",
            "A slip of the name only: the display shows the block. The Schur "
            r"complement is $K_{22} - K_{21} W^+ K_{21}^\top$, what is missing from "
            "the approximation and not what is in it. For $K = I_2$ and one landmark "
            "the block is $0$ and the Schur complement is $1$.",
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


def _column_formula(i: Instance, scale: float) -> np.ndarray:
    return scale * i.C @ truncated_inverse(i.C.T @ i.C, i.k, 0.5) @ i.C.T


def _derive_column_reconstruction():
    U, S, P, V, Vt, Ut = letters("U_C Sigma Sigma^+ V V^T U_C^T")
    n, l = sp.symbols("n l", positive=True)  # noqa: E741
    root = sp.sqrt(n / l)
    return (
        Step(
            root * (U * S * Vt) * (V * P * Vt) * (V * S * Ut),
            r"$((C^\top C)_k^{1/2})^+ = V_k \Sigma_k^+ V_k^\top$, $C$ decomposed",
        ),
        Step(
            root * U * S * P * S * Ut,
            r"$V^\top V = I$",
            {Vt * V: sp.Integer(1)},
        ),
        Step(root * U * S * Ut, r"$\Sigma \Sigma^+ \Sigma = \Sigma$", {S * P * S: S}),
    )


COLUMN_RECONSTRUCTION = Theorem(
    id="talwalkar2010:eq-2.14",
    part="I",
    kind="identity",
    status="holds",
    title="Column-sampling spectral reconstruction",
    number="equation (2.14)",
    statement=(
        r"Let $C = U_C \Sigma_C V_C^\top$ be the thin singular value decomposition "
        r"and $1 \le k \le l$. The Column-sampling spectral reconstruction is "
        r"$\sqrt{n/l}\; C \bigl((C^\top C)_k^{1/2}\bigr)^+ C^\top = "
        r"\sqrt{n/l}\; U_{C,k} \Sigma_{C,k} U_{C,k}^\top$."
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


# --- (2.24): relative accuracy ----------------------------------------------------


def _accuracy(i: Instance, _) -> float:
    result = lowrank.nystrom(i.K, i.landmarks, i.k)
    return result.relative_accuracy(i.K)


def _with_competitor(i: Instance, rng) -> Instance:
    """Two factors with k columns: the best approximation, disturbed."""
    values, vectors = i.eigen_K
    step = 10.0 ** rng.uniform(-6, 0.5)
    left, right = rng.standard_normal((2, i.n, min(i.k, i.n)))
    left = vectors[:, : i.k] * values[: i.k] + step * i.norm_K * left
    return i.but(left=left, right=(vectors[:, : i.k] + step * right).T)


def _competitor_error(i: Instance, _) -> float:
    return float(np.linalg.norm(i.K - i.extra["left"] @ i.extra["right"]))


def _least_other_error(i: Instance, _) -> float:
    """Of the approximations of the chapter but the Nyström reconstruction."""
    others = (column_reconstruction, column_projection, nystrom_projection)
    return min(float(np.linalg.norm(i.K - made(i))) for made in others)


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
        r"The relative accuracy of an approximation $\tilde K$ of rank at most $k$ "
        r"is at most one: $\|K - K_k\|_F / \|K - \tilde K\|_F \le 1$ whenever "
        r"$\operatorname{rank} \tilde K \le k$ and the denominator is not zero."
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
        Claim(
            "the best rank $k$ is at least as close as any matrix of rank at most $k$",
            observe=_competitor_error,
            formula=Formula(tail_F),
            relation=">=",
        ),
        Claim(
            "it is at least as close as Column-sampling and as both projections",
            observe=_least_other_error,
            formula=Formula(tail_F),
            relation=">=",
        ),
    ),
    complete=_with_competitor,
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
