"""How large the rank may be for recovery from few columns.

Talwalkar 2010, section 5.2.2, first paragraph.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import partial

import numpy as np

from nystheory.chapters.coherence.theorems.clusters import missed
from nystheory.chapters.coherence.theorems.definition import signs
from nystheory.chapters.coherence.theorems.quantities import Orthonormal, columns
from nystheory.engine import Claim, Control, Hypothesis, Theorem, Where
from nystheory.engine.worlds.clusters import Clusters
from nystheory.engine.worlds.worlds import Given

# So many points, or groups, are counted one after another.
MOST = 5000


class SignColumns(Orthonormal):
    """Orthonormal columns of signs, and how many rows and groups of equal rows."""

    # Larger than those of the columns: there it is only counted.
    size = Given()
    group_count = Given()

    @classmethod
    def drawn(cls, instance, rng):
        """Columns in a group or not, and a larger size to count for."""
        return _drawn(rng)


_count = partial(SignColumns.quantity, unit=None)


@_count("n", "number of rows, that of K unless it is given")
def size(i):
    return i.size if i.brings("size") else i.n


@_count("r", "number of groups of equal rows, that of columns unless given")
def group_count(i):
    return i.group_count if i.brings("group_count") else columns(i).shape[1]


def _clusters(i, count) -> Clusters:
    some = int(group_count(i))
    return Clusters.of_ones([max(int(size(i) // some), 1)] * some, count)


@_count(
    r"\Pr\{\text{a group is missed}\}",
    "chance that $l$ distinct columns miss one of $r$ groups of $n/r$",
)
def group_missed(i):
    if group_count(i) > MOST:
        return None
    case = _clusters(i, i.l)
    return missed(case) if case.n > i.l else 0.0


@_count(r"l_{\min}", "fewest columns that miss a group with probability delta at most")
def fewest_columns(i):
    if size(i) > MOST:
        return None
    some = range(1, _clusters(i, 0).n)
    return 1 + bisect_left(
        some, True, key=lambda count: missed(_clusters(i, count)) <= i.delta
    )


def _subgroup(a, b, rng):
    """2^b columns of Sylvester's matrix of size 2^a that form a group."""
    chosen = np.zeros(1, dtype=int)
    while len(chosen) < 2**b:
        new = int(rng.integers(2**a))
        if new not in chosen:
            chosen = np.append(chosen, chosen ^ new)
    return signs(2**a, 2**a)[:, chosen]


def _drawn(rng) -> SignColumns:
    a = int(rng.integers(1, 5))
    b = int(rng.integers(0, a + 1))
    V = _subgroup(a, b, rng)
    if rng.random() < 0.4:
        V = signs(2**a, 2**a)[:, rng.choice(2**a, 2**b, replace=False)]
    count = int(rng.integers(1, 2**a + 1))
    delta = float(rng.choice([0.5, 0.1, 0.01]))
    case = SignColumns.of_basis(V, range(count), "signs", delta=delta)
    if rng.random() < 0.5:
        size = 2.0 ** int(rng.integers(4, 61))
        count = int(np.ceil(2 * np.log(2 / delta))) + int(rng.integers(4))
        case = case.but(size=size, group_count=2.0, landmarks=[0] * count)
    return case


def _cases(rng):
    yield from (_drawn(rng) for _ in range(160))
    for a, b in ((6, 1), (6, 3), (8, 3), (10, 6)):
        columns = int(np.ceil(2**b * np.log(2**b / 0.01)))
        one = SignColumns.of_basis(np.ones((1, 1)), [0] * columns, "sizes", delta=0.01)
        yield one.but(size=2.0**a, group_count=2.0**b)


def _of_size(size, groups, l=1, delta="1/100"):  # noqa: E741
    return SignColumns.of_fractions(
        [[1]], [0] * l, 1, size=size, group_count=groups, delta=delta
    )


_AXES = SignColumns.of_fractions([[1, 0], [0, 1], [0, 0], [0, 0]], delta="1/2")
# Four columns of eight, without the product of the second and the third.
_NO_GROUP = SignColumns.of_fractions(signs(8, 8)[:, [0, 1, 2, 4]].tolist(), delta="1/2")

HOW_LARGE_A_RANK = Theorem(
    id="talwalkar2010:rem-rank",
    kind="claim",
    status="remark",
    title="How large the rank may be",
    number="section 5.2.2, first paragraph",
    setting=(
        r"Let $U$ be $r$ columns of a Hadamard matrix of size $n$, scaled by $1/\sqrt "
        r"n$: orthonormal columns without a large entry. Let $r_n$ be the largest "
        r"power of $2$ up to $n / \log^2 n$."
    ),
    hypotheses={
        "signs": Hypothesis(
            "min(abs(U)) == max(abs(U))", "all entries of $U$ have the same modulus"
        ),
        # What follows counts in powers of 2, and in groups of one size.
        "power": Hypothesis(
            "2 ** floor(log(size) / log(2) + 1 / 2) == size",
            "$n$ be a power of $2$",
            domain=True,
        ),
        "groups": Hypothesis(
            "floor(size / group_count) == size / group_count",
            "$r$ divide $n$",
            domain=True,
        ),
        "four": "size >= 4",
    },
    where={"r_n": Where("r_n", "2 ** floor(log(size / log(size) ** 2) / log(2))")},
    claims={
        "coherence": Claim("sqrt(n) * max(abs(U)) == 1", says="Then the coherence is"),
        "the space": "basis_free_coherence == r",
        "at most n": "r_n <= size",
        "at least": "r_n >= size / (2 * log(size) ** 2)",
        "share": Claim(
            "ceil(r_n * log(r_n / delta)) / size"
            " <= 1 / log(size) + log(1 / delta) / log(size) ** 2 + 1 / size",
            says="At rank $r_n$ the theorem on exact recovery above requires at most "
            "this share of the columns:",
        ),
        "rank 64": Claim(
            "ceil(64 * log(64 / 0.01)) == 561",
            says=(
                r"At $n = 1024$, $\delta = 0.01$ and rank $64$ the theorem on exact "
                    "recovery requires this many columns:"
            ),
            reason="a number, which no instance changes",
        ),
        "rank 100": Claim(
            "ceil(100 * log(100 / 0.01)) == 922",
            says="At rank $100$ it requires this many:",
            reason="a number, which no instance changes",
        ),
        "equal rows": Claim("equal_or_orthogonal", when="closed"),
        "enough": Claim(
            "group_missed <= delta",
            when="l >= group_count * log(group_count / delta)",
            says=(
                "A sample that meets all $r$ groups of $n/r$ equal rows then "
                "determines the kernel matrix;"
            ),
        ),
        "fewest": Claim(
            "fewest_columns == 429",
            when="size == 1024 and group_count == 64 and delta == 0.01",
            says=(
                "The fewest columns that miss a group with probability at most "
                r"$\delta$ are,"
            ),
            reason="a number, computed on the one instance that it speaks of",
        ),
    },
    world=SignColumns,
    cases=_cases,
    suite=False,
    controls={
        "other columns": Control("coherence", _AXES, drops="signs"),
        "other columns, M": Control("the space", _AXES, drops="signs"),
        "n = 2": Control("at most n", _of_size(2, 1, delta="1/2"), drops="four"),
        "n = 2, share": Control("share", _of_size(2, 1, delta="1/2"), drops="four"),
        "twice the rank": Control(
            "at least", _of_size(1024, 1), {"(2 * log": "(1.01 * log"}
        ),
        "two points that stand alone": Control(
            "share", _of_size(1024, 1), {"ceil(r_n": "ceil(size"}
        ),
        "one fewer at 64": Control("rank 64", _of_size(1024, 64), {"561": "560"}),
        "one fewer at 100": Control("rank 100", _of_size(1024, 64), {"922": "921"}),
        "no group": Control("equal rows", _NO_GROUP, lacks="closed"),
        "half of the columns": Control(
            "enough",
            _of_size(16, 4, 8),
            lacks="l >= group_count * log(group_count / delta)",
        ),
        "one fewer": Control("fewest", _of_size(1024, 64), {"429": "428"}),
    },
)
