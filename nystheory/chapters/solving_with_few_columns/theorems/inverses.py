"""Solving with an approximation in the place of K: the forms of one inverse.

Talwalkar 2010, section 3.2, equations (3.6) to (3.9).
"""

from __future__ import annotations

from nystheory.engine import Claim, Control, Hypothesis, Theorem
from nystheory.engine.language.claims import Printed, Where
from nystheory.engine.trial.derivation import Derivation
from nystheory.engine.worlds.between import Ridged

_INVERSE = "inv(alpha * identity(n) + approximation)"
_BY_COLUMNS = "inv(alpha * identity(l) + core_inverse @ C.T @ C)"
# The identity of the rank asked for, filled up with zeros to the size of the core.
_ZERO = "identity(k) - identity(k)"
_AS_PRINTED = _BY_COLUMNS.replace(
    "identity(l)", f"block(identity(k), {_ZERO}, {_ZERO}, {_ZERO})"
)
_COLUMNS = "(identity(n) - C @ {} @ core_inverse @ C.T) / alpha"

_TWO = Ridged.exactly([0, 1], 1, matrix=[[2, 1], [1, 2]], alpha=1)
_ALL = Ridged.exactly([0, 1], 2, matrix=[[2, 0], [0, 1]], alpha=1)
_RANK_ONE = Ridged.exactly([0, 1], 2, matrix=[[1, 0], [0, 0]], alpha=1)
_HALF = Ridged.exactly([0, 1], 1, matrix=[[4, 0], [0, 1]], alpha=2)

WOODBURY = Theorem(
    id="talwalkar2010:eq-3.9",
    kind="identity",
    status="misprint",
    title="Solving with a low-rank kernel",
    number="equations (3.6) to (3.9)",
    setting=(
        r"Let $K$ be positive semidefinite, $\tilde K = C W_k^+ C^\top$ and $W_k = "
        r"U_{W,k} \Sigma_{W,k} U_{W,k}^\top$, with zeros in place of missing "
        "eigenvalues."
    ),
    hypotheses={
        "rank": Hypothesis("1 <= k <= l", domain=True),
    },
    where={"F": Where("F", "C @ core_vectors @ core_roots")},
    claims={
        "columns": Claim(
            f"{_INVERSE} == {_COLUMNS.format(_BY_COLUMNS)}",
            says="With a matrix of size $l$, which is not symmetric,",
        ),
        "factor": Claim(
            f"{_INVERSE} == (identity(n) - F @ inv(alpha * identity(k) + F.T @ F) "
            "@ F.T) / alpha",
            says="With a symmetric one of size $k$,",
        ),
        "determinant": Claim(
            "det(identity(n) + approximation / alpha) "
            "== det(identity(k) + F.T @ F / alpha)",
            says="Its determinant comes with it,",
        ),
        "not below": Claim(
            "below(alpha * identity(k), alpha * identity(k) + F.T @ F)",
            says=r"and its condition number is at most $1 + \|K\|_2 / \alpha$:",
        ),
        "not above": "below(alpha * identity(k) + F.T @ F, "
        "(alpha + norm_K) * identity(k))",
    },
    world=Ridged,
    derivation=Derivation(
        "factor",
        (
            (
                "(alpha * identity(n) + approximation) "
                "@ (identity(n) - F @ inv(alpha * identity(k) + F.T @ F) @ F.T) "
                "/ alpha",
                "the claim is that this is $I$",
            ),
            (
                "identity(n) + F @ F.T / alpha "
                "- F @ inv(alpha * identity(k) + F.T @ F) @ F.T "
                "- F @ (identity(k) - alpha * inv(alpha * identity(k) + F.T @ F)) "
                "@ F.T / alpha",
                r"$F^\top F\, (\alpha I + F^\top F)^{-1} = I - \alpha (\alpha I + "
                r"F^\top F)^{-1}$, and $\tilde K = F F^\top$",
            ),
            ("identity(n)", "what is left cancels"),
        ),
        rules={
            "approximation": "F @ F.T",
            "F.T @ F @ inv(alpha * identity(k) + F.T @ F)": (
                "identity(k) - alpha * inv(alpha * identity(k) + F.T @ F)"
            ),
        },
    ),
    controls={
        "twice the ridge": Control(
            "columns", _ALL, {"inv(alpha * identity(l) + ": "inv(2 * identity(l) + "}
        ),
        "a ridge of one": Control(
            "factor", _HALF, {"inv(alpha * identity(k) +": "inv(identity(k) +"}
        ),
        "without the ridge, determinant": Control(
            "determinant", _HALF, {"F.T @ F / alpha": "F.T @ F"}
        ),
        "1.1 of the ridge": Control(
            "not below", _RANK_ONE, {"below(alpha": "below(1.1 * alpha"}
        ),
        "0.9 of the norm": Control("not above", _ALL, {"+ norm_K": "+ 0.9 * norm_K"}),
    },
    printed={
        "size of the identity": Printed(
            f"{_INVERSE} == {_COLUMNS.format(_AS_PRINTED)}",
            "misprint",
            "The matrix $W_k^+ C^\\top C$ that $I_k$ is added to has the size $l$, so "
            "that the sum has no meaning for $k < l$; for $k = l$ all is right. Read "
            r"with $k$ ones and $l - k$ zeros on the diagonal, the right side is not "
            r"the inverse: $K = \begin{pmatrix} 2 & 1 \\ 1 & 2 \end{pmatrix}$, "
            r"both columns, $k = 1$ and $\lambda = 1$. The same identity stands in "
            r"(3.16). The form with $F$ is one with an inverse of size $k$.",
            _TWO,
            says=r"$(\lambda I + C W_k^+ C^\top)^{-1} = \frac1\lambda \bigl(I - C "
            r"[\lambda I_k + W_k^+ C^\top C]^{-1} W_k^+ C^\top\bigr)$",
        )
    },
)
