"""Part II: randomly pivoted Cholesky, one pivot at a time.

Chen, Epperly, Tropp and Webber 2025.
"""

from __future__ import annotations

from nystheory.chapters.pivots_and_volumes.theorems import pivots
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
from nystheory.engine.worlds.quantities import quantity


@quantity(
    r"\textstyle\sum_i \varphi^l(\lambda)_i",
    "bound on the mean trace error after l pivots, from the eigenvalues",
)
def trace_after_pivots(i):
    return pivots.calculator(i.spectrum, i.l)


class Pivots(Instance):
    """The pivots of one matrix, and an accuracy for which they are enough."""

    @classmethod
    def drawn(cls, instance, rng):
        """The smallest that l pivots allow, or that the first branch allows."""
        i = instance
        total, tail = float(i.spectrum.sum()), float(i.spectrum[i.k :].sum())
        if tail <= 1e-12 * total:
            return i.but(accuracy=1.0)
        first = pivots.first_excess(total, tail, i.k, i.l)
        least = min(first, pivots.second_excess(tail, i.k, i.l))
        return i.but(accuracy=(1 + 1e-9) * float(rng.choice([first, least])) / tail)


def _cases(rng):
    """Small matrices, and spectra on which a bound is close."""
    yield from small(rng)
    for large in (2.0, 1e3, 1e6):
        yield large_and_flat(large, 3, 3, 4)
        yield large_and_flat(large, 1, 5, 1)
    # Three pivots leave more than 1/2 + epsilon times the tail.
    yield large_and_flat(7.0, 1, 20, 3)


# 26 points of length 1 of which any two have the same inner product.
_ALIKE = Pivots.exactly(
    [0, 1],
    1,
    matrix=[[1 if a == b else "0.45" for b in range(26)] for a in range(26)],
    name="all alike",
    accuracy="0.256",
)
# Three pivots are asked for; one leaves nearly twice the tail.
_LESS = Pivots.exactly([0], 1, matrix=diagonal([100, 1]), accuracy="9/10")
_HUGE = Pivots.exactly([0] * 11, 2, matrix=diagonal([10**6, 10**6, 1]), accuracy="1/2")
_PAIR = Pivots.exactly([0], 1, matrix=diagonal([2, 1]), accuracy=1)

RANK = Hypothesis("1 <= k <= l", domain=True)
NOT_ZERO = Hypothesis("trace_K > 0", r"$K \ne 0$", domain=True)
ETA = Where(r"\eta", "tail_trace / trace_K")

RPCHOLESKY = Theorem(
    id="modern:rpcholesky",
    kind="expectation",
    status="holds",
    title="Randomly pivoted Cholesky",
    number="Chen, Epperly, Tropp and Webber 2025",
    setting=(
        r"Let $K$ be positive semidefinite with eigenvalues $\lambda_1 \ge \lambda_2 "
        r"\ge \dots$, and let $E$ be the residual of $K$ after $l$ pivots, each drawn "
        "with probability proportional to the diagonal of the residual before it. "
        r"Let $\varphi(\lambda)_i = \lambda_i - \lambda_i^2 / \sum_j \lambda_j$, and "
        r"$\varphi^l$ this map applied $l$ times. Let $K_k$ be the best approximation "
        r"of rank $k$, so that $\|K - K_k\|_* = \sum_{j>k} \lambda_j$."
    ),
    hypotheses={"rank": RANK, "not zero": NOT_ZERO},
    claims={
        "map": Claim("mean(trace_E) <= trace_after_pivots", law="pivoted"),
        "one pivot": Claim(
            "mean(E) == K - K @ K / trace_K",
            when="l == 1",
            law="pivoted",
            says="With one pivot, that is",
        ),
        "accuracy": Claim(
            "mean(trace_E) <= (1 + accuracy) * tail_trace",
            when="l >= N_1 or l >= N_2",
            law="pivoted",
            says="This many pivots are enough:",
        ),
        "first branch": Claim(
            "trace_after_pivots <= (1 + accuracy) * tail_trace",
            when="l >= N_1",
            says=r"The bound by $\varphi$ implies this",
        ),
        "k pivots": Claim(
            "mean(trace_E) <= 2**k * tail_trace",
            when="l == k",
            law="pivoted",
            says="With as many pivots as the rank, that is",
        ),
    },
    where={
        "missed_share": ETA,
        "N_1": Where("N_1", "k / accuracy + k * log(1 / (accuracy * missed_share))"),
        "N_2": Where("N_2", "k / accuracy + k + k * max(log(2**k / accuracy), 0)"),
    },
    world=Pivots,
    cases=_cases,
    promises={
        "map": Promise("trace", "RPCholesky", given={"accuracy": 1}),
        "accuracy": Promise("trace", "RPCholesky", {"k": EACH, "accuracy": SMALLEST}),
        "k pivots": Promise("trace", "RPCholesky", {"k": EACH}, {"accuracy": 1}),
    },
    controls={
        "two pivots leave as much": Control(
            "map",
            Pivots.exactly([0, 1], 1, matrix=diagonal([1, 1]), accuracy=1),
            {"<=": "=="},
        ),
        "a thousandth less": Control("map", _PAIR, {"<= trace": "<= 0.999 * trace"}),
        "uniform pivots": Control("one pivot", _PAIR, law="uniform"),
        "a third as many": Control("accuracy", _LESS, lacks="l >= N_1 or l >= N_2"),
        "the logarithm alone": Control(
            "accuracy", _ALIKE, lacks="l >= N_1 or l >= N_2"
        ),
        "the second branch": Control("first branch", _HUGE, lacks="l >= N_1"),
        "1.9 in place of 2": Control(
            "k pivots",
            Pivots.exactly([0], 1, matrix=diagonal([1000, 1, 1, 1, 1]), accuracy=1),
            {"2**k": "1.9**k"},
        ),
    },
)
