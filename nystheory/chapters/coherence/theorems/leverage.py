"""Columns drawn by leverage scores of the leading eigenvectors.

Gittens and Mahoney 2016: the structural bound with Tropp's matrix Chernoff inequality
and Markov's.
"""

from __future__ import annotations

import math

import numpy as np

from nystheory.chapters.coherence.theorems.leading_quantities import head, of_head
from nystheory.chapters.coherence.theorems.uniform_columns import ONE_ALONE
from nystheory.engine import Claim, Control, Hypothesis, Instance, Promise, Theorem
from nystheory.engine.language.claims import SUMS
from nystheory.engine.language.quantity import CHOSEN
from nystheory.engine.promises.promises import EACH, SMALLEST
from nystheory.engine.worlds.clusters import groups_of
from nystheory.engine.worlds.matrices import diagonal


class Weighted(Instance):
    """Columns that are drawn independently, with any probabilities."""

    @classmethod
    def drawn(cls, instance, rng):
        """Few draws, where a probability of failure near 0.8 allows them."""
        r = instance.rank_K
        if r == 0:
            return None
        i = instance.but(rank=int(rng.integers(1, min(3, r + 1))))
        i = i.but(delta=rng.uniform(0.2, 0.79), accuracy=rng.uniform(0.8, 4))
        return _sized(i.but(probabilities=_mixed(i, rng)))


@Weighted.quantity(
    r"\beta",
    "least ratio of the probabilities to leverage scores of rank k over k",
    CHOSEN,
    unit=0,
    condition=of_head,
)
def score_share(i):
    scores = head(i) / i.k
    some = scores > 1e-15
    return (np.ravel(i.probabilities)[some] / scores[some]).min()


def draws_for(k, delta, share, accuracy) -> int:
    """The number of draws that the theorem asks for, rounded up.

    Examples
    --------
    >>> draws_for(5, 0.1, 1.0, 0.7)
    205
    """
    seen = 6.52 * k * math.log(k / delta) / share
    tail = 20 * k / (share * accuracy**2)
    return math.ceil(max(seen, tail) * (1 - 1e-12))


def _sized(case):
    """As many draws as the theorem asks for, and one more."""
    count = draws_for(case.k, case.delta, score_share(case), case.accuracy)
    return case.but(landmarks=np.resize(np.arange(case.n // 2 + 1), count + 1))


def _mixed(i, rng):
    """Leverage scores over k, mixed with any other probabilities."""
    share = rng.uniform(0.3, 1)
    return share * head(i) / i.k + (1 - share) * rng.dirichlet(np.ones(i.n))


def _grouped(points, sizes, rank) -> Weighted:
    case = Weighted.of(groups_of(points, sizes, rank))
    return case.but(accuracy=1.0, delta=0.1)


def _cases(rng):
    lengths = np.diag(np.sqrt([4.0, 3, 2, 1, 0.5, 0.2]))
    for rank, sizes in ((3, (20, 5, 30, 10, 4, 7)), (2, (9, 5, 3, 60, 20, 7))):
        case = _grouped(lengths, sizes, rank)
        yield _sized(case.but(probabilities=head(case) / rank))
    case = _grouped(np.eye(6), (8, 8, 9, 9, 12, 7), 6)
    yield _sized(case.but(probabilities=_mixed(case, rng)))
    case = _grouped(np.eye(5) + 0.5, (3, 4, 5, 6, 7), 1)
    for p in (np.full(25, 0.04), _mixed(case, rng)):
        yield _sized(case.but(probabilities=p))
    # A long point that is seldom drawn.
    for rest in (0.0, 1e-6):
        given = {"probabilities": np.array([0.01, 0.99]), "delta": 0.79}
        case = Weighted(np.diag([1.0, rest]), [0], 1, **given, accuracy=4.0)
        yield case.but(landmarks=[0] * draws_for(1, 0.79, 0.01, 4.0))


def _five_and(short) -> Weighted:
    """Five long points, orthogonal; a short one is drawn nine times in ten."""
    return Weighted.exactly(
        [0] * 113,
        5,
        points=diagonal([9, 8, 7, 6, 5, short]),
        probabilities=["0.01994"] * 5 + ["0.9003"],
        delta="1/5",
        accuracy=4,
    )


# One long direction that all points share.
_SHARED = Weighted.exactly(
    [0, 1],
    1,
    points=[[10 + int(i == j) for j in range(8)] for i in range(8)],
    probabilities=["1/8"] * 8,
    delta="79/100",
    accuracy="1/2",
)
_LOOSE = {"delta": "1/10", "accuracy": 1}
_ALONE = Weighted.exactly(
    [0] * 20, 1, **ONE_ALONE, probabilities=["1/20"] * 20, **_LOOSE
)
# Two long points, of which a repeated column sees one, and a short one.
_REPEATED = Weighted.exactly(
    [0] * 61,
    2,
    points=diagonal([2, 2, 1]),
    probabilities=["1/3"] * 3,
    **_LOOSE,
)
# Two pairs; each of them is of little use without its other half.
_SIGNED = Weighted.exactly(
    [0] * 17,
    1,
    matrix=[["0.01", 2, 0, 0], [2, "0.01", 0, 0], [0, 0, "0.01", 1], [0, 0, 1, "0.01"]],
    probabilities=["0.45", "0.45", "0.05", "0.05"],
    delta="1/10",
    accuracy="6/5",
)

_SPECTRAL = "norm_E > tail_2 + accuracy**2 * tail_trace"
_FROBENIUS = "norm_F(E) > tail_F + accuracy**2 * tail_trace"
_TRACE = "trace_E > (1 + accuracy**2) * tail_trace"


def _rarely(event, when="rank_K > k", says="") -> Claim:
    line = f"chance({event}) <= 0.2 + delta"
    return Claim(line, when=when, law="weighted_hits", says=says)


SCORES = "leverage scores, with replacement"
BEST_ACCURACY, EXACT_SCORES = {"k": EACH, "accuracy": SMALLEST}, {"score_share": 1}

LEVERAGE = Theorem(
    id="modern:leverage",
    kind="probability",
    status="holds",
    title="Columns drawn by leverage scores",
    number="after Gittens and Mahoney 2016, with constants",
    setting=(
        r"Let $K$ be positive semidefinite and $U_1$ its $k$ leading eigenvectors. "
        r"Draw $l$ columns independently, column $i$ with probability $p_i \ge "
        r"\frac\beta k \|(U_1)_{i,:}\|^2$, and let $E = K - C W^+ C^\top$."
    ),
    hypotheses={
        "share": Hypothesis("score_share > 0", domain=True),
        "enough columns": (
            "l >= max(6.52 * k * log(k / delta) / score_share,"
            " 20 * k / (score_share * accuracy**2))"
        ),
    },
    claims={
        "the spectral norm": _rarely(_SPECTRAL),
        "the Frobenius norm": _rarely(_FROBENIUS),
        "the trace": _rarely(_TRACE),
        "all at once": _rarely(
            f"{_SPECTRAL} or {_FROBENIUS} or {_TRACE}", says="All three together,"
        ),
        "exact recovery": _rarely("E != 0 * K", when="rank_K == k"),
    },
    world=Weighted,
    cases=_cases,
    promises={
        "the spectral norm": Promise("spectral", SCORES, BEST_ACCURACY, EXACT_SCORES),
        "the Frobenius norm": Promise("Frobenius", SCORES, BEST_ACCURACY, EXACT_SCORES),
        "the trace": Promise("trace", SCORES, BEST_ACCURACY, EXACT_SCORES),
        "exact recovery": Promise("spectral", SCORES, BEST_ACCURACY, EXACT_SCORES),
        "all at once": "the other bounds, all at once",
    },
    loose={"exact recovery": SUMS},
    controls={
        "0.7 for the head": Control(
            "all at once", _five_and("1/10"), drops="enough columns"
        ),
        "0.7, exact recovery": Control(
            "exact recovery", _five_and(0), drops="enough columns"
        ),
        "0.5 for the tail": Control("the trace", _SHARED, drops="enough columns"),
        "uniform probabilities": Control(
            "the spectral norm",
            _ALONE,
            drops="enough columns",
        ),
        "one column, repeated": Control(
            "the spectral norm", _REPEATED, law="one_repeated"
        ),
        "one column, Frobenius": Control(
            "the Frobenius norm", _REPEATED, law="one_repeated"
        ),
        "of both signs": Control(
            "the spectral norm", _SIGNED, lacks="a positive semidefinite $K$"
        ),
    },
)
