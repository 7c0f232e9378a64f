"""Part II: pivots by the square of the diagonal.

Steinerberger 2024.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from nystheory.theorems.adaptive_sampling.pivoting import NOT_ZERO, few
from nystheory.theorems.adaptive_sampling.pivots import mean_square
from nystheory.theorems.base import Claim, Control, Theorem
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import l, n, norm_F, quantity

fourth_powers = quantity(
    "fourth_powers",
    r"\textstyle\sum_i\|K_i\|^4",
    "sum of the fourth powers of the lengths of the columns",
)(lambda i: float((np.linalg.norm(i.K, axis=0) ** 4).sum()))
squared_diagonal = quantity(
    "squared_diagonal",
    r"\textstyle\sum_i K_{ii}^2",
    "sum of the squares of the diagonal",
)(lambda i: float((np.diag(i.K) ** 2).sum()))


def _mean_square_with(power):
    """The mean of the squared norm after one pivot, for any n, pivot by pivot."""

    def observe(i: Instance, _) -> float:
        diagonal = np.diag(i.K)
        weights = diagonal**power * (diagonal > 0)
        mean = 0.0
        for p in np.flatnonzero(weights):
            column = i.K[:, p] / np.sqrt(diagonal[p])
            left = np.linalg.norm(i.K - np.outer(column, column))
            mean += weights[p] / weights.sum() * left**2
        return float(mean)

    return observe


def _squared(i: Instance) -> float:
    return float(np.linalg.norm(i.K) ** 2)


def _between(i: Instance, _) -> float:
    lengths = np.linalg.norm(i.K, axis=0)
    return float(_squared(i) - (lengths**4).sum() / (np.diag(i.K) ** 2).sum())


def _identities(_):
    """Where all three bounds are attained."""
    for size in (1, 2, 4, 7, 30):
        for count in {1, min(3, size), size}:
            yield Instance(np.eye(size), np.arange(count), 1, name="identity")


def _less(share) -> Formula:
    return Formula(sp.Mul(share, norm_F**2, evaluate=False))


def _not_more_than_all(i: Instance) -> bool:
    """Whether l pivots can be different: after n of them nothing is left."""
    return few(i) and i.l <= i.n


_KEEPS = sp.Add(1, -1 / n, evaluate=False)
_KEEPS_OF_L = sp.Add(1, -l / n, evaluate=False)
_GAIN = sp.Mul(fourth_powers, 1 / squared_diagonal, evaluate=False)
_BETWEEN = sp.Add(norm_F**2, -_GAIN, evaluate=False)

FROBENIUS = Theorem(
    id="modern:frobenius-pivoting",
    part="II",
    kind="expectation",
    status="holds",
    title="Pivots by the square of the diagonal",
    number="Steinerberger 2024, for one pivot",
    statement=(
        r"Let $K \ne 0$ be positive semidefinite of size $n$ with columns $K_i$, and "
        r"let $E_1$ be what one pivot leaves of it, drawn with $P(i) = K_{ii}^2 / "
        r"\sum_j K_{jj}^2$. Then $$\mathbb E\, \|E_1\|_F^2 \le \|K\|_F^2 - "
        r"\frac{\sum_i \|K_i\|^4}{\sum_i K_{ii}^2} \le \Bigl(1 - \frac1n\Bigr) "
        r"\|K\|_F^2 .$$ With the law renewed after every pivot, and $1 \le l \le n$, "
        r"$$\mathbb E\, \|E_l\|_F^2 \le \Bigl(1 - \frac ln\Bigr) \|K\|_F^2 .$$"
    ),
    hypotheses=(NOT_ZERO,),
    claims=(
        Claim(
            "one pivot leaves at most the first bound",
            observe=_mean_square_with(2),
            formula=Formula(_BETWEEN),
            relation="<=",
            applies=lambda i: i.n <= 40,
            scale=_squared,
        ),
        Claim(
            "the first bound is at most the second",
            observe=_between,
            formula=_less(_KEEPS),
            relation="<=",
            scale=_squared,
        ),
        Claim(
            "$l$ pivots leave at most $1 - l/n$ of the square",
            observe=lambda i, _: mean_square(i.K, i.l),
            formula=_less(_KEEPS_OF_L),
            relation="<=",
            applies=_not_more_than_all,
            scale=_squared,
        ),
    ),
    instances=_identities,
    controls=(
        Control(
            Claim(
                r"the same for pivots with $P(i) = K_{ii} / \operatorname{tr} K$",
                observe=_mean_square_with(1),
                formula=Formula(_BETWEEN),
                relation="<=",
            ),
            Instance(np.diag([2.0, 1]), [0], 1),
        ),
        Control(
            Claim(
                "the same for uniform pivots",
                observe=_mean_square_with(0),
                formula=Formula(_BETWEEN),
                relation="<=",
            ),
            Instance(np.diag([2.0, 1]), [0], 1),
        ),
        Control(
            Claim(
                r"at most $1 - 1.01/n$ of the square is left",
                observe=_mean_square_with(2),
                formula=_less(sp.Add(1, -sp.Float("1.01", 3) / n, evaluate=False)),
                relation="<=",
            ),
            Instance(np.eye(2), [0], 1),
        ),
        Control(
            Claim(
                "$l$ pivots leave at most $1 - 1.01\\, l/n$ of the square",
                observe=lambda i, _: mean_square(i.K, i.l),
                formula=_less(sp.Add(1, -sp.Float("1.01", 3) * l / n, evaluate=False)),
                relation="<=",
                applies=_not_more_than_all,
            ),
            Instance(np.eye(4), [0, 1], 1),
        ),
    ),
)
