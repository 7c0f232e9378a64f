"""Part III: the rank of sampled rows of singular vectors.

Talwalkar 2010, section 5.2.2, equations (5.17) to (5.22).
"""

from __future__ import annotations

import numpy as np
import scipy.linalg
import sympy as sp

from nystheory.theorems import rational
from nystheory.theorems.base import Claim, Control, Hypothesis, Theorem
from nystheory.theorems.derivation import Step
from nystheory.theorems.instance import GREY_HIGH, Instance
from nystheory.theorems.routes import one

# In units of 1/sigma, on both sides of the limit 2.
FACTORS = np.array([0.1, 0.9, 1.5, 1.99, 2.01, 6.0])


def _thin(i: Instance):
    U, s, Vt = np.linalg.svd(i.points, full_matrices=False)
    return U[:, : i.rank_K], s[: i.rank_K], Vt[: i.rank_K].T


def _rows_through_points(i: Instance, _) -> np.ndarray:
    U, s, _Vt = _thin(i)
    return i.points[:, i.landmarks].T @ (U / s)


def _gram(i: Instance) -> np.ndarray:
    rows = _thin(i)[2][i.landmarks]
    return rows.T @ rows


def _ranks(i: Instance, _) -> np.ndarray:
    """Of W, of V_S and of A; eigenvalues are squares of singular values."""
    rows = scipy.linalg.svdvals(_thin(i)[2][i.landmarks])
    core = np.maximum(i.eigen_W[0], 0) / i.norm_K
    gram = np.maximum(np.linalg.eigvalsh(_gram(i)), 0)
    squares = np.array([(x > GREY_HIGH**1.5).sum() for x in (core, gram)])
    return np.array([squares[0], (rows > GREY_HIGH).sum(), squares[1]])


def _ranks_exactly(i: Instance) -> bool:
    """Rows of any basis of the row space have the ranks of V_S."""
    X = rational.rational(i.points)
    reduced, pivots = X.rref()
    chosen = [int(j) for j in i.landmarks]
    V_S = reduced.extract(range(len(pivots)), chosen)
    X_S = X.extract(range(X.shape[0]), chosen)
    W, A = rational.rational(i.W), V_S * V_S.transpose()
    ranks = {rational.rank(matrix) for matrix in (W, X_S, V_S, A)}
    return len(ranks) == 1


def _distances(i: Instance) -> np.ndarray:
    """``||c A - I||`` for every c of `FACTORS` over sigma."""
    values = np.linalg.eigvalsh(_gram(i))
    sigma = values[-1] if values[-1] > GREY_HIGH**1.5 else 1.0
    return np.abs(np.outer(FACTORS / sigma, values) - 1).max(axis=1)


def _near(i: Instance, _) -> np.ndarray:
    """A rank that is obvious puts them 1e-7 below 1, or at 1 up to rounding."""
    return _distances(i) < 1 - 1e-9


def _full_rank(i: Instance) -> bool:
    return i.rank_W == i.rank_K


def _derive_distance():
    c, lam = sp.symbols("c lambda", positive=True)
    return (
        Step(
            1 - (c * lam - 1) ** 2,
            r"$|c\lambda - 1| < 1$, for every eigenvalue $\lambda$ of $A$, says that "
            "this is positive",
        ),
        Step(
            c * lam * (2 - c * lam),
            r"which holds if and only if $0 < \lambda < 2/c$: no eigenvalue is zero, "
            r"and $c < 2/\sigma$",
        ),
    )


_NOT_ZERO = Hypothesis(
    r"$\operatorname{rank} K \ge 1$",
    ("rank_K",),
    lambda rank_K: rank_K >= 1,
    # Without it there are no singular vectors.
    domain=True,
)
_REPEATED = Instance.from_points(np.ones((1, 2)), [0, 1], 1, "two equal points")

RANKS = Theorem(
    id="talwalkar2010:eq-5.22",
    part="III",
    kind="identity",
    status="holds",
    title="A sample determines the matrix when its rows of singular vectors do",
    number="equations (5.17) to (5.22)",
    statement=(
        r"Let $K = X^\top X$ have rank $r \ge 1$, $X = U_X \Sigma_X V^\top$ the thin "
        r"singular value decomposition, $S$ any list of landmarks and $A = V_S^\top "
        r"V_S$ with $V_S = V_{S,:}$. Then $X_S^\top U_X \Sigma_X^{-1} = V_S$ and "
        r"$\operatorname{rank} W = \operatorname{rank} X_S = \operatorname{rank} V_S = "
        r"\operatorname{rank} A$. For $c > 0$ and $\sigma = \|A\|_2$: $\|c A - I\|_2 < "
        r"1$ if and only if $\operatorname{rank} A = r$ and $c \sigma < 2$. So for "
        r"every $c > 0$, $\|c A - I\|_2 < 1$ implies $\operatorname{rank} A = r$, and "
        r"for $c < 2/\sigma$ the two say the same."
    ),
    hypotheses=(_NOT_ZERO,),
    claims=(
        Claim(
            r"$X_S^\top U_X \Sigma_X^{-1} = V_S$",
            observe=_rows_through_points,
            expected=lambda i, _: _thin(i)[2][i.landmarks],
            scale=one,
            condition=lambda i: _thin(i)[1][0] / _thin(i)[1][-1],
            applies=lambda i: i.rank_is_clear,
        ),
        Claim(
            r"$W$, $V_S$ and $A$ have the rank of $X_S$",
            observe=_ranks,
            expected=lambda i, _: np.full(3, i.rank_W),
            scale=one,
            applies=lambda i: i.rank_is_obvious,
            exact=_ranks_exactly,
        ),
        Claim(
            r"$\|c A - I\| < 1$ exactly when $\operatorname{rank} A = r$ and $c \sigma "
            "< 2$",
            observe=_near,
            expected=lambda i, _: (FACTORS < 2) & _full_rank(i),
            scale=one,
            applies=lambda i: i.rank_is_obvious,
        ),
    ),
    derivation=_derive_distance,
    controls=(
        Control(
            Claim(
                r"the two say the same for every $c > 0$",
                observe=_near,
                expected=lambda i, _: np.full(len(FACTORS), _full_rank(i)),
                scale=one,
            ),
            _REPEATED,
            drops=r"$c < 2 / \sigma$",
        ),
        Control(
            Claim(
                r"$\operatorname{rank} A = r$ and $c \sigma < 2$ imply $\|c A - I\|_2 "
                "< 1$, $c = 0$",
                observe=lambda i, _: bool(
                    np.linalg.norm(0 * _gram(i) - np.eye(i.rank_K), 2) < 1
                ),
                expected=lambda i, _: _full_rank(i),
            ),
            _REPEATED,
            drops="$c > 0$",
        ),
        Control(
            Claim(
                r"$\|c A - I\| \le 1$ implies $\operatorname{rank} A = r$",
                observe=lambda i, _: bool((_distances(i) <= 1 + 1e-12).any()),
                expected=lambda i, _: _full_rank(i),
            ),
            Instance.from_points(np.eye(2), [0], 1, "one of two directions"),
        ),
    ),
)
