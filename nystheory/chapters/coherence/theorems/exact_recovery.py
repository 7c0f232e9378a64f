"""How many uniformly drawn columns determine a matrix of low rank.

Talwalkar 2010, section 5.2.2, Theorem 5.5.
"""

from __future__ import annotations

import math

import numpy as np

from nystheory.chapters.coherence.theorems.clusters import one_group
from nystheory.chapters.coherence.theorems.definition import signs
from nystheory.chapters.coherence.theorems.quantities import (
    Orthonormal,
    basis_free_coherence,
)
from nystheory.engine import Claim, Control, Hypothesis, Promise, Theorem
from nystheory.engine.language.claims import Printed, Where
from nystheory.engine.promises.promises import EACH
from nystheory.engine.worlds.clusters import groups_of


class LowRank(Orthonormal):
    """A matrix of low rank, its singular vectors, and how often it may be missed."""

    @classmethod
    def drawn(cls, instance, rng):
        """The probability of failure that the columns just allow, or any."""
        r = instance.rank_K
        if r == 0:
            return None
        just = 1.000001 * r * math.exp(-instance.l / basis_free_coherence(instance))
        return instance.but(delta=just if 0.001 < just < 1 else rng.uniform(0.01, 0.99))


def lone(n, l, delta="1/2", m=1) -> LowRank:  # noqa: E741
    """m equal points among n - m at the origin."""
    points = [[1] * m + [0] * (n - m)]
    groups = (m, n - m)
    return LowRank.exactly(range(l), 1, points=points, groups=groups, delta=delta)


def _flat(size, delta) -> LowRank:
    """All columns of Sylvester's matrix of signs, all of them sampled."""
    return LowRank.of_fractions(signs(size, size).tolist(), range(size), delta=delta)


def _cases(rng):
    for m, n, l in ((1000, 500_000, 1000), (10, 9999, 100), (1, 9, 3)):  # noqa: E741
        yield one_group(m, n, l, 0.95)
    yield one_group(30, 3000, 300, 0.05)
    yield groups_of(np.diag([1, 2, 3]), (8, 9, 12), 3, range(16), delta=0.2)
    for m in (1, 2):
        for n in (4, 5, 6):
            yield from (lone(n, l, "0.9", m) for l in (1, n - m - 1))  # noqa: E741
    # Each term of the printed maximum is needed: r > 9 / delta, and r < 1 / delta.
    yield from (_flat(16, "0.9"), _flat(4, "0.1"))


_TWO = LowRank.exactly([0, 1], 1, matrix=[[2, 0], [0, 1]], delta="1/2")
_ORIGIN = LowRank.exactly([3], 1, points=[[1, 1, 1, 0]], delta="1/2")
# Rank 2 with mu = 1: two eigenvectors of signs.
_PAIR = LowRank.exactly(range(8), 1, points=[[2] * 8, [1, -1] * 4], delta="1/2")

EXACT_RECOVERY = Theorem(
    id="talwalkar2010:thm-5.5",
    kind="probability",
    status="corrected",
    title="How many columns determine a matrix of low rank",
    number="Theorem 5.5",
    setting=(
        r"Let $K \in \mathbb R^{n \times n}$ have rank $r \ge 1$, let $V$ be its $r$ "
        r"orthonormal singular vectors, $\mu$ their coherence and $M = n \max_i "
        r"\|V_{i,:}\|^2$. Let $S$ be $l$ columns, drawn uniformly without replacement, "
        r"and $\tilde K$ the Nyström approximation of rank $k$."
    ),
    hypotheses={
        # For any symmetric K the approximation is exact when W has the rank of K, and
        # it has where the sampled singular vectors do; of these the proof speaks.
        "semidefinite": Hypothesis(
            "below(0, K)", r"$K \succeq 0$", necessary="not known"
        ),
        # The inequality of Chernoff is proved for draws with replacement.
        "different": Hypothesis("different == l", necessary="not known"),
        "rank": "1 <= r <= k",
        "columns": Hypothesis("k <= l", necessary="not known"),
    },
    where={"crowding": Where("c", "n / (n - points_off_zero - l)")},
    claims={
        "chance": Claim(
            "chance(approximation != K) <= r * exp(-l / basis_free_coherence)",
            law="uniform",
        ),
        "columns": Claim(
            "chance(approximation != K) <= delta",
            when="l >= basis_free_coherence * log(r / delta)",
            law="uniform",
        ),
        "printed columns": Claim(
            "basis_free_coherence * log(r / delta)"
            " <= r * coherence**2 * max(2 * log(r), 2 * log(3 / delta))",
            says=(
                r"The printed condition $l \ge r \mu^2 \max(C_1 \ln r, C_2 "
                    r"\ln(3/\delta))$ with $C_1 = C_2 = 2$ requires at least as many:"
            ),
        ),
        "one group": Claim(
            "chance(approximation != K) >= exp(-crowding * l / basis_free_coherence)",
            when="equal_or_zero and n - points_off_zero > l",
            law="uniform",
            says=(
                "The constant $1$ in the exponent cannot be improved: with $m$ points "
                "other than $0$,"
            ),
        ),
    },
    world=LowRank,
    cases=_cases,
    promises={
        "chance": Promise("spectral", "uniform", {"k": EACH}),
        "columns": "'chance', solved for l",
    },
    controls={
        "a tenth fewer": Control(
            "columns",
            lone(41, 6, "0.85"),
            lacks="l >= basis_free_coherence * log(r / delta)",
        ),
        "1.05 in the exponent": Control("chance", lone(20, 1), {"-l /": "-1.05 * l /"}),
        "r in place of M": Control(
            "chance", lone(20, 10), {"basis_free_coherence": "r"}
        ),
        "a smaller rank": Control("chance", _TWO, drops="rank"),
        "only the origin is drawn": Control("chance", _ORIGIN, law="surely"),
        "half of the printed constants": Control(
            "printed columns",
            _flat(4, "1/2"),
            {"2 * log(r), 2 * log(3 / delta)": "log(r), log(3 / delta)"},
        ),
        "without c": Control("one group", lone(3, 1), {"-crowding * l": "-l"}),
    },
    printed={
        "any k": Printed(
            "chance(approximation != K) <= delta",
            "missing hypothesis",
            "The text before the theorem says $l \\ge k \\ge r$, the statement does "
            "not. An approximation of rank $k < r$ is never exact, not even from all "
            r"$n$ columns: rank $2$ with $\mu = 1$ and $k = 1$. For $n = 8$ the "
            r"condition with $C_1 = C_2 = 2$ and $\delta = \frac12$ requires $7.2$ "
            "columns, and the same matrix on more points meets it for any constants.",
            _PAIR,
            says=(
                r"it suffices to sample $l \ge r \mu^2(V) \max(C_1 \log(r), C_2 "
                r"\log(3/\delta))$ columns, where $C_1$ and $C_2$ are positive "
                r"constants, to have with probability at least $1 - \delta$, "
                r"$\|K - \tilde K_k\| = 0$"
            ),
            law="uniform",
            drops="rank",
        )
    },
)
