"""Part II: blocks of pivots that do not know of each other.

Chen, Epperly, Tropp and Webber 2025; Epperly, Tropp and Webber 2024.
"""

from __future__ import annotations

import numpy as np

from nystheory.chapters.pivots_and_volumes.theorems.pivoting import (
    ETA,
    NOT_ZERO,
    RANK,
)
from nystheory.chapters.pivots_and_volumes.theorems.pivots import (
    calculator,
    first_excess,
)
from nystheory.engine import (
    Claim,
    Control,
    Hypothesis,
    Instance,
    Promise,
    Theorem,
    Where,
)
from nystheory.engine.promises.promises import EACH, SMALLEST
from nystheory.engine.worlds.listed import large_and_flat, small
from nystheory.engine.worlds.matrices import diagonal
from nystheory.engine.worlds.worlds import Given

# All sets of pivots of one block are listed up to this size.
LISTED = 6


class Blocks(Instance):
    """The pivots of one matrix in blocks, and an accuracy that is promised."""

    block_size = Given(
        "b",
        "number of pivots in a block",
        range="1 <= floor(block_size) == block_size",
        says=r"$b \ge 1$ be an integer",
    )

    @classmethod
    def drawn(cls, instance, rng):
        """A block size that divides l."""
        l = instance.l  # noqa: E741 - the field's letter
        divisors = [d for d in range(1, l + 1) if l % d == 0]
        return instance.in_blocks_of(int(rng.choice(divisors)))

    def in_blocks_of(self, b) -> Blocks:
        """With blocks of b, and the smallest accuracy that is promised."""
        total, tail = float(self.spectrum.sum()), float(self.spectrum[self.k :].sum())
        if tail <= 1e-12 * total:
            return self.but(block_size=b, accuracy=1.0)
        least = first_excess(total, tail, self.k, self.l, b)
        return self.but(block_size=b, accuracy=(1 + 1e-9) * least / tail)


def _size(i) -> int:
    return int(i.block_size)


@Blocks.quantity(
    r"\textstyle\sum_i \varphi_b^{l/b}(\lambda)_i",
    "bound on the mean trace error after l pivots in blocks, from the eigenvalues",
)
def trace_after_blocks(i):
    return calculator(i.spectrum, i.l // _size(i), _size(i))


@Blocks.quantity(r"\mathbb E\, E_b", "mean of what the first block leaves")
def block_mean(i):
    """Over all sets of pivots; None where they are too many."""
    if i.n > LISTED:
        return None
    one = i.but(landmarks=np.arange(_size(i)) % i.n)
    return sum(p * o.full.error for p, o in one.outcomes("pivoted_blocks"))


def _cases(rng):
    """Small matrices, repeated draws, and one or two large eigenvalues."""
    yield from small(rng)
    for i in small(rng, most=2):
        if i.n <= 4:
            yield i.but(landmarks=np.tile(i.landmarks, 2))
    for large in (2.0, 1e3, 1e6):
        yield large_and_flat(large, 2, 4, 4)
    # What is left here is more than 1/2 + epsilon times the tail.
    yield Blocks.of(large_and_flat(7.0, 1, 20, 3)).in_blocks_of(1)
    yield Blocks.of(large_and_flat(10.0, 1, 15, 6)).in_blocks_of(2)


def _map_of(size) -> str:
    """The line of the bound for one block."""
    scale = "trace_K * identity(n)"
    return f"K @ ({scale} - K) @ inv({scale} + {size} * K)"


_THREE = Blocks.exactly([0, 1], 1, matrix=diagonal([1, 1, 1]), block_size=2, accuracy=1)
_MISSED = Blocks.exactly(
    [0] * 8, 2, matrix=diagonal([7, 1, "0.0001"]), block_size=8, accuracy=1500
)

_NO_B = "$b - 1$ at the logarithm"

BLOCK_RPCHOLESKY = Theorem(
    id="modern:block-rpcholesky",
    kind="expectation",
    status="holds",
    title="Pivots in blocks",
    number="after Epperly, Tropp and Webber 2024",
    setting=(
        r"Let $K$ be positive semidefinite with eigenvalues $\lambda_1 \ge \lambda_2 "
        r"\ge \dots$. Draw $b$ indices independently, with probability proportional "
        "to the diagonal of $K$, and let $E_b$ be the residual after these pivots. "
        "Let $E$ be the residual after $l / b$ such blocks, each drawn from the "
        r"diagonal of the residual before it. With $T = \sum_j \lambda_j$ let "
        r"$\varphi_b(\lambda)_i = \lambda_i (T - \lambda_i) / (T + (b - 1) "
        r"\lambda_i)$. Let $K_k$ be the best approximation of rank $k$."
    ),
    hypotheses={
        "rank": RANK,
        "not zero": NOT_ZERO,
        "whole blocks": Hypothesis(
            "floor(l / block_size) * block_size == l",
            "$l$ a multiple of $b$",
            domain=True,
        ),
    },
    claims={
        "map": Claim("mean(trace_E) <= trace_after_blocks", law="pivoted_blocks"),
        "one block": Claim(
            "below(block_mean, Phi)",
            says="The mean error after one block satisfies",
            reason="all sets of pivots are listed, of up to six points",
        ),
        "one pivot": Claim(
            "block_mean == Phi",
            when="block_size == 1",
            says="with equality",
            reason="all sets of pivots are listed, of up to six points",
        ),
        "accuracy": Claim(
            "mean(trace_E) <= (1 + accuracy) * tail_trace",
            when="l >= N",
            law="pivoted_blocks",
            says="This many pivots are enough:",
        ),
        "first branch": Claim(
            "trace_after_blocks <= (1 + accuracy) * tail_trace",
            when="l >= N",
            says=r"The bound by $\varphi_b$ implies this",
        ),
    },
    where={
        "Phi": Where(r"\Phi_b(K)", _map_of("(block_size - 1)")),
        "missed_share": ETA,
        "N": Where(
            "N",
            "k / accuracy + (k + block_size - 1) * log(1 / (accuracy * missed_share))",
        ),
    },
    world=Blocks,
    cases=_cases,
    promises={
        "map": Promise("trace", "RPCholesky in blocks", given={"accuracy": 1}),
        "accuracy": Promise(
            "trace", "RPCholesky in blocks", {"k": EACH, "accuracy": SMALLEST}
        ),
    },
    controls={
        # One large point and one small: a block wastes draws on the large one.
        "as good as single pivots": Control(
            "map",
            Blocks.exactly(
                [0, 1, 0], 1, matrix=diagonal([3, 1]), block_size=3, accuracy=1
            ),
            {"trace_after_blocks": "trace_after_pivots"},
        ),
        "one more in the block": Control(
            "one block", _THREE, {"Phi": _map_of("block_size")}
        ),
        "equality for two": Control("one pivot", _THREE, lacks="block_size == 1"),
        "k at the logarithm": Control("accuracy", _MISSED, lacks="l >= N"),
        "k at the logarithm, by the map": Control(
            "first branch", _MISSED, lacks="l >= N"
        ),
    },
)
