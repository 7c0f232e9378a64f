"""Part III: how large the rank may be for recovery from few columns.

Talwalkar 2010, section 5.2.2, first paragraph.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Theorem
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
        """With the largest power of 2 up to ``n / ln(n)^2``; above n for n = 2."""
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

    def failure(self, columns: int) -> float:
        """Exact probability of failure where the columns form a group."""
        return missed(Clusters.equal(self.r, self.n // self.r, columns))

    @property
    def least(self) -> int:
        """The fewest that fail with probability delta at most, as `failure` has it.

        Examples
        --------
        >>> HadamardColumns(10, 6, 0.01).least
        429
        """
        counts = range(self.columns)
        return bisect_left(counts, True, key=lambda x: self.failure(x) <= self.delta)


def _exact_failure(i, _) -> float:
    return i.failure(i.columns)


def _similarities(i) -> np.ndarray:
    """Inner products of the rows, 1 for a row and itself."""
    V = hadamard(i.n, i.r)
    return i.n / i.r * (V @ V.T)


def _both_coherences(i, _) -> np.ndarray:
    case = of_basis(hadamard(i.n, i.r))
    return np.array([*measured(case, "coherence", "basis_free_coherence").values()])


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
    status="remark",
    title="How large the rank may be",
    number="section 5.2.2, first paragraph",
    statement=(
        r"Let $n \ge 4$ be a power of $2$, $0 < \delta < 1$, and let $V$ be $r$ "
        r"columns of a Hadamard matrix of size $n$, scaled by $1/\sqrt n$: $\mu = 1$ "
        r"and $M = r$. With $r$ the largest power of $2$ up to $n / \ln^2 n$ (so $n / "
        r"(2 \ln^2 n) \le r \le n$), the share of columns that Theorem 5.5 asks for is "
        r"at most $\frac{1}{\ln n} + \frac{\ln(1/\delta)}{\ln^2 n} + \frac1n$. For $n "
        r"= 1024$ and $\delta = 0.01$ it asks for $561$ columns at rank $64$ and for "
        "$922$ at rank $100$. If the $64$ columns form a group under products of "
        "their signs, their rows are equal or orthogonal; then $429$ columns "
        r"determine the kernel matrix with probability $1 - \delta$ or more, and $428$ "
        "do not."
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
        Claim(
            "rows of columns that form a group are equal or orthogonal",
            observe=lambda i, _: _similarities(i),
            expected=lambda i, _: _similarities(i) ** 2,
            scale=lambda i: float(i.n),
            applies=lambda i: i.n <= 1024,
        ),
        Claim(
            "429 columns for rank 64 where they form a group, and no fewer",
            observe=lambda i, _: i.least,
            expected=lambda i, _: 429,
            applies=lambda i: i == HadamardColumns(10, 6, 0.01),
        ),
        Claim(
            "the rank is at most $n$",
            observe=lambda i, _: i.r,
            formula=Formula(n),
            relation="<=",
            condition=no_matrix,
            applies=lambda i: i == HadamardColumns.largest(i.a, i.delta),
        ),
    ),
    instances=lambda rng: [
        *(HadamardColumns.largest(a, d) for a in range(2, 61) for d in (0.5, 0.01)),
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
            drops="columns of a Hadamard matrix",
        ),
        Control(
            Claim(
                "the share of the columns for $n = 2$, where $r = 4$",
                observe=lambda i, _: i.columns / i.n,
                formula=_SHARE,
                relation="<=",
                scale=one,
                condition=no_matrix,
            ),
            HadamardColumns.largest(1, 0.5),
            drops=r"$n \ge 4$",
        ),
    ),
)
