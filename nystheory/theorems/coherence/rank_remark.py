"""Part III: how large the rank may be for recovery from few columns.

Talwalkar 2010, section 5.2.2, first paragraph.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Printed, Theorem
from nystheory.theorems.coherence.clusters import Clusters, missed
from nystheory.theorems.coherence.definition import hadamard, of_basis
from nystheory.theorems.coherence.sampled_rows import measured, no_matrix
from nystheory.theorems.formula import Formula
from nystheory.theorems.quantities import delta, n
from nystheory.theorems.routes import one


@dataclass(frozen=True)
class HadamardColumns:
    """2^b columns of a Hadamard matrix of size 2^a: mu = 1 and M = r.

    Where the columns form a group their rows repeat, and are r equal clusters in
    turned coordinates.

    Examples
    --------
    >>> HadamardColumns(10, 6, 0.01).columns
    561
    """

    a: int
    b: int
    delta: float

    @classmethod
    def largest(cls, a: int, delta: float) -> HadamardColumns:
        """With the largest power of 2 up to ``n / ln(n)^2``."""
        return cls(a, math.floor(a - 2 * math.log2(a * math.log(2))), delta)

    @property
    def n(self) -> int:
        """Number of rows."""
        return 2**self.a

    @property
    def r(self) -> int:
        """Number of columns."""
        return 2**self.b

    M = r

    @property
    def columns(self) -> int:
        """The l that Theorem 5.5 asks for."""
        return math.ceil(self.r * math.log(self.r / self.delta))

    @property
    def extra(self) -> dict:
        """The probability of failure."""
        return {"delta": self.delta}


def _exact_failure(i, _) -> float:
    return missed(Clusters.equal(i.r, i.n // i.r, i.columns))


def _both_coherences(i, _) -> np.ndarray:
    case = of_basis(hadamard(i.n, i.r))
    return np.array([*measured(case, "coherence", "basis_free_coherence").values()])


def _few_but_many(i, _) -> bool:
    """Never: a tenth of the columns is enough, and r is above the root of n."""
    return i.columns <= i.n / 10 and i.r > math.sqrt(i.n)


_SHARE = Formula(
    sp.Add(
        1 / sp.log(n),
        sp.Mul(sp.log(1 / delta), 1 / sp.log(n) ** 2, evaluate=False),
        1 / n,
        evaluate=False,
    )
)

HOW_LARGE_A_RANK = Theorem(
    id="talwalkar2010:rem-rank",
    part="III",
    kind="claim",
    status="corrected",
    title="How large the rank may be",
    number="section 5.2.2, first paragraph",
    statement=(
        r"Theorem 5.5 promises recovery from fewer than $n$ columns as soon as $M "
        r"\ln(r/\delta) \le n - 1$. For singular vectors of bounded coherence, where "
        r"$r \le M \le r \mu^2$, this is the case for $r = o(n / \ln n)$, far beyond "
        r"$\sqrt n$. Let $V$ be $r$ columns of a Hadamard matrix of size $n$, scaled "
        r"by $1/\sqrt n$: $\mu = 1$ and $M = r$. With $r$ the largest power of $2$ up "
        r"to $n / \ln^2 n$ (so $r \ge n / (2 \ln^2 n)$), the share of columns that is "
        r"asked for is at most $\frac{1}{\ln n} + \frac{\ln(1/\delta)}{\ln^2 n} + "
        r"\frac1n \to 0$, while $r / \sqrt n \to \infty$. For $n = 1024$ and $\delta = "
        r"0.01$, rank $64$ needs $561$ columns and rank $100$ needs $922$."
    ),
    claims=(
        Claim(
            "the share of the columns",
            observe=lambda i, _: i.columns / i.n,
            formula=_SHARE,
            relation="<=",
            scale=one,
            condition=no_matrix,
            applies=lambda i: i == HadamardColumns.largest(i.a, i.delta),
        ),
        Claim(
            r"the rank as a share of $n$ is at least $1 / (2 \ln^2 n)$",
            observe=lambda i, _: i.r / i.n,
            formula=Formula(1 / (2 * sp.log(n) ** 2)),
            relation=">=",
            scale=one,
            condition=no_matrix,
            applies=lambda i: i == HadamardColumns.largest(i.a, i.delta),
        ),
        Claim(
            r"$\mu = 1$ and $M = r$",
            observe=_both_coherences,
            expected=lambda i, _: np.array([1.0, i.r]),
            scale=lambda i: float(i.r),
            applies=lambda i: i.n <= 1024,
        ),
        Claim(
            "the exact probability of failure, where the columns form a group",
            observe=_exact_failure,
            formula=Formula(delta),
            relation="<=",
            scale=one,
            condition=no_matrix,
            applies=lambda i: i.n <= 1024 and i.columns <= i.n,
        ),
        Claim(
            "561 columns for rank 64, and 922 for rank 100",
            observe=lambda i, _: np.ceil([x * math.log(100 * x) for x in (64, 100)]),
            expected=lambda i, _: np.array([561.0, 922.0]),
            applies=lambda i: i.n == 1024,
        ),
    ),
    instances=lambda rng: [
        *(HadamardColumns.largest(a, d) for a in range(8, 61, 4) for d in (0.5, 0.01)),
        *(HadamardColumns(a, b, 0.01) for a in (6, 8, 10) for b in (1, 3, 6)),
    ],
    own_suite=True,
    controls=(
        Control(
            Claim(
                "no logarithm: half of the columns recover any rank up to $n/4$",
                observe=lambda i, _: missed(i),
                formula=Formula(delta),
                relation="<=",
                scale=one,
                condition=no_matrix,
            ),
            Clusters.equal(64, 4, 128, delta=0.01),
        ),
        Control(
            Claim(
                "the share of the columns for two points that stand alone",
                observe=lambda i, _: i.M * math.log(i.r / i.delta) / i.n,
                formula=_SHARE,
                relation="<=",
                scale=one,
                condition=no_matrix,
            ),
            Clusters((1, 1), 1, 1022, delta=0.01),
            drops="bounded coherence",
        ),
    ),
    printed=(
        Printed(
            r"the bounds are only interesting when $r = o(\sqrt n)$",
            "missing hypothesis",
            r"Up to logarithms this is right for $\mu^2$ of the order of $r$, where "
            r"the condition reads $l \ge r^2 \ln(r/\delta)$. For bounded $\mu$ it is "
            r"much too pessimistic: with $n = 2^{40}$ and $r = 2^{30}$, which is $1024 "
            r"\sqrt n$, Hadamard columns are recovered from $2.5\,\%$ of the columns.",
            Claim(
                r"where a tenth of the columns is enough, $r \le \sqrt n$",
                observe=_few_but_many,
                expected=lambda i, _: False,
            ),
            HadamardColumns(40, 30, 0.01),
        ),
    ),
)
