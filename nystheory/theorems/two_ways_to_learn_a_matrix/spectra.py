"""Part I: the Nyström approximation, and the singular values and vectors of both.

Talwalkar 2010, sections 2.1.2 to 2.2.1, equations (2.2) to (2.4).
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from nystheory import lowrank
from nystheory.theorems.base import Claim, Control, Printed, Theorem
from nystheory.theorems.derivation import Step, letters
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance, truncated_inverse
from nystheory.theorems.quantities import k as k_
from nystheory.theorems.quantities import rank_W
from nystheory.theorems.routes import (
    RANK_IN_RANGE,
    condition_of_core,
    nystrom,
    one,
    projected,
    small,
    textbook_nystrom,
)

# --- (2.2): the Nyström approximation --------------------------------------------


def _textbook(i: Instance, _) -> np.ndarray:
    return textbook_nystrom(i.K, i.landmarks, i.k)


def _other_eigenvectors(i: Instance, rng) -> np.ndarray:
    """The formula with eigenvectors of a rotated W, turned back: others at a tie."""
    turn, _ = np.linalg.qr(rng.standard_normal((i.l, i.l)))
    inverse = turn @ truncated_inverse(turn.T @ i.W @ turn, i.k) @ turn.T
    return i.C @ inverse @ i.C.T


def _largest_eigenvalue(matrix) -> float:
    return float(np.linalg.eigvalsh(matrix)[-1])


def _numerical_rank(i: Instance, _):
    """Rank of the approximation; None where it cannot be counted."""
    if not i.rank_is_clear:
        return None
    factor = lowrank.nystrom(i.K, i.landmarks, i.k).factor
    s = np.linalg.svd(factor, compute_uv=False)
    return float((s > 1e-10 * max(s.max(initial=0), 1e-300)).sum()) if i.norm_K else 0.0


_TIE = Instance(np.array([[1.0, 0, 1], [0, 1, 1], [1, 1, 2]]), [0, 1], 1)

NYSTROM = Theorem(
    id="talwalkar2010:eq-2.2",
    part="I",
    kind="identity",
    status="corrected",
    title="Nyström approximation",
    number="equation (2.2)",
    statement=(
        r"Let $K = X^\top X$, and let $P$ be the orthogonal projector on the $k$ "
        "leading left singular vectors of the sampled points $X_S$. Then "
        r"$\tilde K = C W_k^+ C^\top = X^\top P X$. Hence "
        r"$0 \preceq \tilde K \preceq K$ and "
        r"$\operatorname{rank} \tilde K = \min(k, \operatorname{rank} W)$. It does "
        "not depend on the choice of eigenvectors of $W$ if "
        r"$\sigma_k(W) > \sigma_{k+1}(W)$ or $\sigma_k(W) = 0$."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            r"$\operatorname{rank} \tilde K = \min(k, \operatorname{rank} W)$",
            observe=_numerical_rank,
            formula=Formula(sp.Min(k_, rank_W)),
            scale=one,
        ),
        Claim(
            r"$\tilde K = X^\top P X$",
            observe=lambda i, _: nystrom(i),
            expected=lambda i, _: projected(i),
            condition=lambda i: i.condition,
        ),
        Claim(
            r"$\tilde K \succeq 0$",
            observe=lambda i, _: _largest_eigenvalue(-nystrom(i)),
            expected=lambda i, _: 0.0,
            relation="<=",
        ),
        Claim(
            r"$\tilde K \preceq K$",
            observe=lambda i, _: _largest_eigenvalue(nystrom(i) - i.K),
            expected=lambda i, _: 0.0,
            relation="<=",
            condition=condition_of_core,
        ),
        Claim(
            "the eigenvectors of $W$ may be chosen freely",
            observe=_other_eigenvectors,
            expected=_textbook,
            condition=lambda i: i.condition,
        ),
        Claim(
            r"$C W_k^+ C^\top = X^\top P X$, with the formula as it is written",
            observe=_textbook,
            expected=lambda i, _: projected(i),
            condition=lambda i: i.condition,
        ),
    ),
    controls=(
        Control(
            Claim(
                r"even $1.01\,\tilde K \preceq K$",
                observe=lambda i, _: _largest_eigenvalue(1.01 * nystrom(i) - i.K),
                expected=lambda i, _: 0.0,
                relation="<=",
            ),
            Instance(np.array([[2.0, 1], [1, 1]]), [0], 1),
        ),
        Control(
            Claim(
                "the eigenvectors of $W$ may be chosen freely at a tie",
                observe=_other_eigenvectors,
                expected=_textbook,
            ),
            _TIE,
        ),
    ),
    printed=(
        Printed(
            r"$\tilde K$ is a rank-$k$ approximation of $K$ for $k < n$",
            "missing hypothesis",
            "The rank is at most $k$, and equal to $k$ only if "
            r"$k \le \operatorname{rank} W$; one also needs $k \le l$. For "
            r"$K = \operatorname{diag}(1, 0)$ and the second column, $W = 0$ and the "
            "approximation of rank $1$ is the zero matrix.",
            Claim(
                r"$\operatorname{rank} \tilde K = k$",
                observe=_numerical_rank,
                formula=Formula(k_),
                scale=one,
            ),
            Instance(np.diag([1.0, 0]), [1], 1, X=np.array([[1.0, 0]])),
        ),
    ),
)


# --- (2.3): singular values and vectors of the Nyström method ---------------------


def _extrapolated(i: Instance):
    """The eigenpairs of (2.3): n / l times those of W, extended to all rows."""
    result = lowrank.nystrom(i.K, i.landmarks, i.k)
    return result.eigenvectors, result.eigenvalues


def _from_eigenpairs(i: Instance, _) -> np.ndarray:
    U, values = _extrapolated(i)
    return (U * values) @ U.T


def _core_eigenpairs(i: Instance):
    """Leading eigenpairs of W up to its rank."""
    values, vectors = i.eigen_W
    r = min(i.k, i.rank_W)
    return values[:r], vectors[:, :r]


def _spread(i: Instance) -> np.ndarray:
    """``S^-1 U' K21' K21 U S^-1``: how far the sample reaches the other points."""
    values, vectors = _core_eigenpairs(i)
    half = i.C[i.others] @ vectors / values
    return half.T @ half


def _distinct(i: Instance) -> bool:
    return len(set(i.landmarks.tolist())) == i.l and i.rank_is_clear


def _clear_spectrum(i: Instance) -> bool:
    """The k leading eigenvalues of W are simple, so that eigenvectors compare."""
    if not (_distinct(i) and i.rank_W >= i.k and i.condition < 1e6):
        return False
    values = np.append(i.eigen_W[0], 0.0)[: i.k + 1]
    return bool(np.all(values[:-1] - values[1:] > 1e-3 * values[0]))


def _signs(i: Instance) -> np.ndarray:
    """The sign of an eigenvector is a choice: what turns our choice into the package's.

    At the landmarks its vectors are ``sqrt(l/n)`` times the eigenvectors of W.
    """
    rows = _extrapolated(i)[0][i.landmarks]
    return np.sign(np.sum(rows * _core_eigenpairs(i)[1], axis=0))


def _gram(i: Instance, _) -> np.ndarray:
    """Inner products of the extrapolated vectors."""
    U, _ = _extrapolated(i)
    return U.T @ U


def _gram_formula(i: Instance, _) -> np.ndarray:
    signs = _signs(i)
    return i.l / i.n * (np.eye(i.k) + np.outer(signs, signs) * _spread(i))


def _vectors_formula(i: Instance) -> np.ndarray:
    """``sqrt(l/n) C U_{W,k} S^-1``, with the package's choice of signs."""
    values, vectors = _core_eigenpairs(i)
    return np.sqrt(i.l / i.n) * i.C @ (vectors / values * _signs(i))


def _padded(values, size: int) -> np.ndarray:
    """Zeros for the values that were cut off."""
    return np.pad(values, (0, size - len(values)))


def _derive_nystrom_svd():
    C, U, Ut, Ct, S, P = letters("C U U^T C^T Sigma Sigma^+")
    n, l = sp.symbols("n l", positive=True)  # noqa: E741
    with sp.evaluate(False):  # or the scalars would cancel before anybody saw them
        root, whole = sp.sqrt(l / n), n / l
        product = sp.Mul(root, C, U, P, whole, S, root, P, Ut, Ct)
    return (
        Step(product, "the vectors and values of (2.3)"),
        Step(C * U * P * S * P * Ut * Ct, "the scalars cancel"),
        Step(
            C * U * P * Ut * Ct,
            r"$\Sigma^+ \Sigma \Sigma^+ = \Sigma^+$; what is left is $C W_k^+ C^\top$",
            {P * S * P: P},
        ),
    )


# Its two Nyström vectors are not orthogonal.
_OBLIQUE = Instance(np.array([[2.0, 0, 1], [0, 1, 1], [1, 1, 2]]), [0, 1], 2)

NYSTROM_SVD = Theorem(
    id="talwalkar2010:eq-2.3",
    part="I",
    kind="identity",
    status="holds",
    title="Nyström singular values and vectors",
    number="equation (2.3)",
    statement=(
        r"With $\tilde\Sigma = \frac nl \Sigma_{W,k}$ and "
        r"$\tilde U = \sqrt{l/n}\, C U_{W,k} \Sigma_{W,k}^+$ one has "
        r"$\tilde U \tilde\Sigma \tilde U^\top = C W_k^+ C^\top$. If "
        r"$\operatorname{rank} W \ge k$, then $\tilde U^\top \tilde U = \frac ln "
        r"\bigl(I_k + \Sigma_{W,k}^{-1} U_{W,k}^\top K_{21}^\top K_{21} U_{W,k} "
        r"\Sigma_{W,k}^{-1}\bigr)$."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            r"$\tilde U \tilde\Sigma \tilde U^\top = C W_k^+ C^\top$",
            observe=_from_eigenpairs,
            expected=_textbook,
            condition=lambda i: i.condition,
        ),
        Claim(
            r"$\tilde U^\top \tilde U$ has the stated entries",
            observe=_gram,
            expected=_gram_formula,
            applies=_clear_spectrum,
            condition=lambda i: 1e3 * i.condition**2,
            scale=lambda i: float(np.linalg.norm(_gram_formula(i, None))),
        ),
        Claim(
            r"the values are $\frac nl \Sigma_{W,k}$",
            observe=lambda i, _: _padded(_extrapolated(i)[1], i.k),
            expected=lambda i, _: i.n / i.l * i.eigen_W[0][: i.k].clip(0),
            scale=lambda i: i.n / i.l * i.norm_K,
        ),
        Claim(
            r"the vectors are $\sqrt{l/n}\, C U_{W,k} \Sigma_{W,k}^+$",
            observe=lambda i, _: _extrapolated(i)[0],
            expected=lambda i, _: _vectors_formula(i),
            applies=_clear_spectrum,
            condition=lambda i: 1e3 * i.condition,
            scale=lambda i: float(np.linalg.norm(_vectors_formula(i))),
        ),
    ),
    derivation=_derive_nystrom_svd,
    controls=(
        Control(
            Claim(
                "the factor $n/l$ may be left out of the values",
                observe=lambda i, _: (
                    _extrapolated(i)[0]
                    * (_extrapolated(i)[1] * i.l / i.n)
                    @ _extrapolated(i)[0].T
                ),
                expected=_textbook,
            ),
            Instance(np.ones((2, 2)), [0], 1),
        ),
        Control(
            Claim(
                "two different vectors have the opposite inner product",
                observe=_gram,
                expected=lambda i, _: (
                    2 * np.diag(np.diag(_gram_formula(i, _))) - _gram_formula(i, _)
                ),
                applies=_clear_spectrum,
            ),
            _OBLIQUE,
        ),
    ),
)


# --- section 2.2.1: are the Nyström vectors orthonormal? --------------------------


def _orthonormal(i: Instance, _) -> bool | None:
    U, _ = _extrapolated(i)
    return small(U.T @ U - np.eye(U.shape[1]), 1.0)


def _spread_is_balanced(factor):
    """Whether ``U' K21' K21 U = factor * S^2``, relative to S."""

    def test(i: Instance, _) -> bool | None:
        if not _distinct(i) or i.rank_W < i.k:
            return None
        return small(_spread(i) - factor(i) * np.eye(i.k), 1.0)

    return test


def _kronecker(rng):
    """Instances on which the vectors are orthonormal: copies of one block."""
    for copies in (2, 3):
        core = rng.standard_normal((3, 3))
        X = np.tile(core, copies)
        for rank in (1, 2, 3):
            yield Instance.from_points(X, [0, 1, 2], rank, "copies of a block")
    yield Instance(np.diag([2.0, 1.0]), [0, 1], 2, X=np.diag(np.sqrt([2.0, 1.0])))
    yield Instance.from_points(np.ones((1, 2)), [0], 1, "two equal points")


ORTHONORMALITY = Theorem(
    id="talwalkar2010:rem-2.2.1",
    part="I",
    kind="claim",
    status="corrected",
    title="When Nyström vectors are orthonormal",
    number="section 2.2.1",
    statement=(
        r"Let $\operatorname{rank} W \ge k$. The vectors $\tilde U$ of (2.3) are "
        r"orthonormal if and only if $U_{W,k}^\top K_{21}^\top K_{21} U_{W,k} = "
        r"\frac{n-l}{l} \Sigma_{W,k}^2$."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            "orthonormal exactly when the spread is balanced",
            observe=_orthonormal,
            expected=_spread_is_balanced(lambda i: (i.n - i.l) / i.l),
            applies=lambda i: _distinct(i) and i.rank_W >= i.k and i.condition < 1e4,
        ),
    ),
    instances=_kronecker,
    controls=(
        Control(
            Claim(
                "orthonormal exactly when the spread is $(n-l)/n$",
                observe=_orthonormal,
                expected=_spread_is_balanced(lambda i: (i.n - i.l) / i.n),
            ),
            Instance.from_points(np.ones((1, 2)), [0], 1),
        ),
    ),
    printed=(
        Printed(
            r"$\tilde U_{nys}^\top \tilde U_{nys} \ne I_l$",
            "missing hypothesis",
            "True for almost every matrix, not for all. The exceptions are the "
            "matrices with balanced spread, $l = n$ among them. The smallest is "
            r"$K = \mathbf 1 \mathbf 1^\top$ with two rows and one landmark: the "
            r"vector is $(1, 1)^\top/\sqrt 2$. The identity matrix has size $k$.",
            Claim(
                "the Nyström vectors are never orthonormal",
                observe=_orthonormal,
                expected=lambda i, _: False,
            ),
            Instance.from_points(np.ones((1, 2)), [0], 1),
        ),
    ),
)


# --- (2.4): the singular value decomposition of the columns -----------------------


def _column_projector(i: Instance, _) -> np.ndarray:
    U = lowrank.column_sampling(i.K, i.landmarks, i.l).eigenvectors
    return U @ U.T


def _values_of_columns(i: Instance) -> np.ndarray:
    """The l approximate singular values, zeros included."""
    result = lowrank.column_sampling(i.K, i.landmarks, i.l)
    return _padded(result.eigenvalues, i.l)


def _singular_values(C) -> np.ndarray:
    """Largest eigenvalues of ``(0, C; C.T, 0)``: no decomposition of C, no square."""
    n, l = C.shape  # noqa: E741
    joined = np.block([[np.zeros((n, n)), C], [C.T, np.zeros((l, l))]])
    return np.linalg.eigvalsh(joined)[::-1][:l].clip(0)


def _root_mean_square(values) -> np.ndarray:
    return np.full(len(values), np.sqrt(np.mean(values**2)))


def _vectors_of_columns(i: Instance, _) -> np.ndarray:
    return lowrank.column_sampling(i.K, i.landmarks, i.l).eigenvectors


def _from_right_vectors(i: Instance, _) -> np.ndarray:
    """``C V S^-1`` with the right singular vectors ``V = C.T U S^-1`` to the left U."""
    result = lowrank.column_sampling(i.K, i.landmarks, i.l)
    s = np.sqrt(i.l / i.n) * result.eigenvalues
    return i.C @ (i.C.T @ result.eigenvectors / s) / s


def _square_condition_of_columns(i: Instance) -> float:
    s = i.svd_C[1]
    return float((s[0] / s[-1]) ** 2) if len(s) else 1.0


def _full_svd_gram(i: Instance, _) -> np.ndarray:
    """Gram matrix of ``C V S^+`` when zero singular values are kept."""
    _, s, Vt = np.linalg.svd(i.C)
    inverse = np.where(s > 1e-10 * s[0], 1 / np.where(s > 0, s, 1), 0)
    U = i.C @ Vt.T * inverse
    return U.T @ U


COLUMN_SVD = Theorem(
    id="talwalkar2010:eq-2.4",
    part="I",
    kind="identity",
    status="holds",
    title="Column-sampling singular values and vectors",
    number="equation (2.4)",
    statement=(
        r"Let $C = U_C \Sigma_C V_C^\top$ be the thin decomposition, of size "
        r"$\operatorname{rank} C$. Then $\tilde U_{col} = U_C = C V_C \Sigma_C^+$ has "
        r"orthonormal columns, $\tilde U_{col} \tilde U_{col}^\top$ projects on the "
        r"range of $C$, and $\tilde\Sigma_{col} = \sqrt{n/l}\, \Sigma_C$."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            "the vectors are orthonormal",
            observe=lambda i, _: _gram_of_columns(i),
            expected=lambda i, _: np.eye(len(_gram_of_columns(i))),
            scale=one,
        ),
        Claim(
            r"$U_C U_C^\top$ projects on the range of $C$",
            observe=_column_projector,
            expected=lambda i, _: i.C @ truncated_inverse(i.C.T @ i.C, i.l) @ i.C.T,
            condition=lambda i: i.but(rank=i.l).condition_of_columns,
            scale=one,
        ),
        Claim(
            r"the values are $\sqrt{n/l}$ times those of $C$",
            observe=lambda i, _: _values_of_columns(i),
            expected=lambda i, _: np.sqrt(i.n / i.l) * _singular_values(i.C),
            scale=lambda i: np.sqrt(i.n / i.l) * float(np.linalg.norm(i.C)),
        ),
        Claim(
            r"each vector is $C v / \sigma$ with its right singular vector $v$",
            observe=_vectors_of_columns,
            expected=_from_right_vectors,
            condition=_square_condition_of_columns,
            scale=one,
        ),
    ),
    controls=(
        Control(
            Claim(
                r"$C V \Sigma^+$ is orthonormal with zero singular values kept",
                observe=_full_svd_gram,
                expected=lambda i, _: np.eye(i.l),
                scale=one,
            ),
            Instance(np.ones((2, 2)), [0, 1], 1),
        ),
        Control(
            Claim(
                "every value is the root mean square of all",
                observe=lambda i, _: _values_of_columns(i),
                expected=lambda i, _: _root_mean_square(
                    np.sqrt(i.n / i.l) * _singular_values(i.C)
                ),
                scale=lambda i: np.sqrt(i.n / i.l) * float(np.linalg.norm(i.C)),
            ),
            Instance(np.diag([2.0, 1.0]), [0, 1], 2),
        ),
    ),
)


def _gram_of_columns(i: Instance) -> np.ndarray:
    U = lowrank.column_sampling(i.K, i.landmarks, i.l).eigenvectors
    return U.T @ U
