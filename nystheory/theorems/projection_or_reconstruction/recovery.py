"""Part I: when sampled columns determine the matrix.

Talwalkar 2010, section 2.2.2, Theorem 2.3.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from nystheory.theorems import rational
from nystheory.theorems.base import Claim, Control, Theorem
from nystheory.theorems.derivation import Step
from nystheory.theorems.instance import Instance
from nystheory.theorems.routes import (
    RANK_IN_RANGE,
    column_reconstruction,
    full_rank,
    nystrom,
    small,
)


def _recovers(i: Instance, _) -> bool | None:
    return small(nystrom(i) - i.K, i.norm_K) if i.condition < 1e7 else None


def _column_recovers(i: Instance, _) -> bool | None:
    return small(column_reconstruction(i) - i.K, i.norm_K)


def _column_condition(i: Instance, _) -> bool | None:
    """``W = ((l/n) C.T C)^{1/2}``, squared, so that nothing irrational appears."""
    return small(i.l / i.n * i.C.T @ i.C - i.W @ i.W, i.norm_K**2)


def _spread_condition(i: Instance, _) -> bool | None:
    """``K21.T K21 = (n - l) / l W^2``, on the scale of the other form."""
    K21 = i.C[i.others]
    difference = i.l / i.n * (K21.T @ K21 - (i.n - i.l) / i.l * i.W @ i.W)
    return small(difference, i.norm_K**2)


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
        Step(K - C * C.T / a, r"the error of one column of a $2 \times 2$ matrix"),
        Step(
            sp.Matrix([[0, 0], [0, (a * c - b**2) / a]]),
            r"zero if and only if $\det K = 0$, that is, $\operatorname{rank} K = 1$",
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
        r"Let $K$ be positive semidefinite, $1 \le k \le l$, and $\tilde K = C W_k^+ "
        r"C^\top$ the Nyström approximation. Then $\tilde K = K$ if and only if "
        r"$\min(k, \operatorname{rank} W) = \operatorname{rank} K$. If "
        r"$\operatorname{rank} W = \operatorname{rank} K \le k \le l$, then "
        "Column-sampling is exact if and only if "
        r"$W = \bigl(\frac ln C^\top C\bigr)^{1/2}$, equivalently $K_{21}^\top K_{21} "
        r"= \frac{n-l}{l} W^2$."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            r"$\tilde K = K$ exactly when $\min(k, \operatorname{rank} W) = "
            r"\operatorname{rank} K$",
            observe=_recovers,
            expected=lambda i, _: min(i.k, i.rank_W) == i.rank_K,
            applies=lambda i: i.rank_is_obvious,
        ),
        Claim(
            "the same for $k = l$ in exact arithmetic",
            observe=lambda i, r: _recovers(full_rank(i), r),
            expected=lambda i, _: i.rank_W == i.rank_K,
            applies=lambda i: i.rank_is_obvious,
            exact=_recovers_exactly,
        ),
        Claim(
            r"Column-sampling is exact exactly when $W^2 = \frac ln C^\top C$",
            observe=_column_recovers,
            expected=_column_condition,
            applies=lambda i: (
                i.rank_is_obvious
                and i.norm_K > 0
                and i.rank_W == i.rank_K <= i.k
                and i.condition_of_columns < 1e6
            ),
        ),
        Claim(
            r"the two forms of that condition agree",
            observe=_column_condition,
            expected=_spread_condition,
            applies=lambda i: len(set(i.landmarks.tolist())) == i.l and i.norm_K > 0,
        ),
    ),
    instances=_recovery_cases,
    derivation=_derive_recovery,
    controls=(
        Control(
            Claim(
                r"rank $\operatorname{rank} K - 1$ is enough",
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
