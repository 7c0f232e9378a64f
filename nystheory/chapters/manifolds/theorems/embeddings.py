"""Coordinates from sampled columns: of the Nyström method, and of Column-sampling.

Talwalkar 2010, section 3.1.2, equations (3.4) and (3.5).
"""

from __future__ import annotations

from nystheory.engine import Claim, Control, Hypothesis, Instance, Printed, Theorem
from nystheory.engine.language.claims import Where

_IN_RANGE = Hypothesis("1 <= k <= l", domain=True)

_MINUS_ONE = Instance.exactly([0], 1, matrix=[[-1]])
_EQUAL = Instance.exactly([0], 1, points=[[1, 1]])
_FOUR = Instance.exactly([0], 1, matrix=[[4]])
_AXES = Instance.exactly([0, 1], 2, matrix=[[4, 0], [0, 1]])
_BOTH_SIGNS = Instance.exactly([0, 1], 2, matrix=[[2, 0], [0, -1]])

NYSTROM = Theorem(
    id="talwalkar2010:eq-3.4",
    kind="identity",
    status="holds",
    title="Nyström coordinates",
    number="equation (3.4)",
    setting=(
        r"Let $K$ be positive semidefinite, and let $Y$ be the coordinates from its "
        r"columns $C$ and the $k$ leading eigenvalues and eigenvectors of $W$."
    ),
    hypotheses={"rank": _IN_RANGE},
    where={
        "embedded": Where("Y", "core_roots @ core_vectors.T @ C.T"),
        "embedded_landmarks": Where("Y_S", "core_roots @ core_vectors.T @ W"),
    },
    claims={
        "product": "embedded.T @ embedded == approximation",
        "square roots": Claim(
            "embedded == sqrt(nystrom_values) @ nystrom_vectors.T",
            says="The coordinates are the roots of the approximate values times the "
            "vectors,",
        ),
        "least squares": Claim(
            "embedded == pinv(embedded_landmarks.T) @ C.T",
            says="and the shortest whose inner products with the coordinates $Y_S$ of "
            "the landmarks fit each row of $C$ best, so that a new point is placed as "
            "the points at hand are:",
        ),
    },
    controls={
        "a negative eigenvalue": Control("product", _MINUS_ONE, lacks=r"$0 \preceq K$"),
        "one percent more": Control("product", _FOUR, {"==": "== 1.01 *"}),
        "the vectors alone": Control(
            "square roots", _FOUR, {"sqrt(nystrom_values) @ nystrom": "nystrom"}
        ),
        "no fit": Control(
            "least squares", _FOUR, {"pinv(embedded_landmarks.T)": "embedded_landmarks"}
        ),
    },
)

_PRINTED = (
    "(sqrt(n / l) * column_roots @ leading_V_C.T @ C.T).T "
    "@ (sqrt(n / l) * column_roots @ leading_V_C.T @ C.T) == K_col"
)


def _indefinite(rng):
    """Symmetric matrices of whole numbers, with all of their columns or a few."""
    for trial in range(120):
        n = int(rng.integers(1, 5))
        A = rng.integers(-3, 4, (n, n))
        A = (A + A.T).tolist()
        count = int(rng.integers(1, n + 1)) if trial % 2 else n
        S = rng.permutation(n)[:count].tolist()
        k = int(rng.integers(1, count + 1)) if trial % 2 else n
        yield Instance.exactly(S, k, matrix=A, name="indefinite")


COLUMN_SAMPLING = Theorem(
    id="talwalkar2010:eq-3.5",
    kind="identity",
    status="misprint",
    title="Column-sampling coordinates",
    number="equation (3.5)",
    setting=(
        r"Let $K$ be symmetric, let $\Sigma_{C,k}$ and $V_{C,k}$ hold $k$ leading "
        r"singular values and right singular vectors of $C$, and let $Y$ be the "
        "coordinates from them."
    ),
    hypotheses={"rank": _IN_RANGE},
    where={
        "embedded": Where("Y", "(n / l)**(1 / 4) * column_roots @ leading_V_C.T @ C.T")
    },
    claims={
        "product": "embedded.T @ embedded == K_col",
        "what it embeds": Claim(
            "embedded.T @ embedded @ embedded.T @ embedded == n / l * C @ C.T",
            when="rank_C <= k",
            says="With all singular values of $C$ the square of what is embedded is "
            "known:",
        ),
        "all columns": Claim(
            "embedded.T @ embedded == K",
            when="rank_C <= k and l == n and different == n and below(0, K)",
            says="From all columns of a semidefinite $K$ what is embedded is $K$ "
            "itself:",
        ),
        "signs": Claim(
            "embedded.T @ embedded @ embedded.T @ embedded == K @ K",
            when="rank_C <= k and l == n and different == n",
            says="For any other $K$ it is the root of $K^2$, in which each negative "
            "eigenvalue becomes positive:",
        ),
    },
    cases=_indefinite,
    controls={
        "without the factor": Control(
            "product", _EQUAL, {"== K_col": "== l / n * K_col"}
        ),
        "without the factor, squared": Control(
            "what it embeds", _EQUAL, {"n / l * C @ C.T": "C @ C.T"}
        ),
        "a negative eigenvalue": Control(
            "all columns", _BOTH_SIGNS, lacks="below(0, K)"
        ),
        "one percent more": Control("signs", _AXES, {"==": "== 1.01 *"}),
    },
    printed={
        "another power": Printed(
            _PRINTED,
            "misprint",
            "The first equality of (3.5) is right, and says which power it is: the "
            r"root of $\sqrt{n/l}$, since the factor stands before a root of the "
            r"singular values. For $K = \mathbf 1 \mathbf 1^\top$ with two rows and "
            r"one column the printed coordinates have the inner products $\sqrt 2\, K$ "
            "in place of $K$.",
            _EQUAL,
            says=r"$\tilde Y^{col} = \tilde\Sigma_{col,k}^{1/2} \tilde U_{col,k}^\top "
            r"= \sqrt{\frac nl} ((\Sigma_C)_k^{1/2})^+ V_{C,k}^\top C^\top$ (the text "
            "at hand lacks a bracket)",
        ),
    },
)
