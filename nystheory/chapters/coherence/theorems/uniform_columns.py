"""Uniform columns, and what the coherence of the leading vectors costs.

Gittens 2011; Gittens and Mahoney 2013: the structural bound with Tropp's matrix
Chernoff inequality.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from nystheory.chapters.coherence.theorems.leading_quantities import leading_coherence
from nystheory.engine import (
    Claim,
    Control,
    Hypothesis,
    Instance,
    Promise,
    Theorem,
    Where,
)
from nystheory.engine.promises.promises import EACH, LARGEST
from nystheory.engine.worlds.clusters import groups_of
from nystheory.engine.worlds.worlds import Given


class UniformColumns(Instance):
    """Uniformly drawn columns, and what they must keep of the leading eigenvectors."""

    kept_share = Given(
        r"\varepsilon",
        "share of its mean that the smallest eigenvalue of the sampled rows must keep",
        range="0 < kept_share < 1",
    )

    @classmethod
    def drawn(cls, instance, rng):
        """As many columns as the theorem asks for, where there are so many."""
        n, rank = instance.n, instance.rank_K
        if rank == 0:
            return None
        k = rank if rng.random() < 0.3 else int(rng.integers(1, min(instance.k, n) + 1))
        case = instance.but(rank=k, kept_share=rng.uniform(0.02, 0.5))
        least = 1.01 * k * math.exp(-n / scale(case))  # that all columns allow
        if least > 0.98:
            return None
        case = _sized(case.but(delta=rng.uniform(max(least, 0.05), 0.99)))
        return case if k <= case.l <= n else None


def columns_for(i) -> float:
    """What the theorem asks for."""
    return scale(i) * math.log(i.k / i.delta)


def scale(i) -> float:
    """``mu_k k / h``: columns for each unit of the logarithm."""
    x = i.kept_share
    return float(leading_coherence(i) * i.k / (1 - x + x * math.log(x)))


def _sized(case):
    return case.but(landmarks=range(math.ceil(1.0001 * columns_for(case))))


def _cases(rng):
    lengths = np.diag(np.sqrt([40.0, 30, 20, 1, 0.5]))
    for points, sizes, rank, share, delta in (
        (lengths, (60, 60, 60, 60, 20), 3, 0.01, 0.1),
        (lengths, (90, 80, 90, 60, 20), 3, 0.01, 0.1),
        (np.eye(5), (50,) * 5, 5, 0.001, 0.3),
        (np.eye(5), (40, 50, 60, 70, 80), 5, 0.001, 0.3),
        (lengths, (60,) * 5, 3, 0.4, 0.3),
    ):
        case = UniformColumns.of(groups_of(points, sizes, rank))
        yield _sized(case.but(kept_share=share, delta=delta))
    for spread in (0.2, 1.0):
        u = 1 + spread * rng.uniform(-1, 1, 8)
        X = np.vstack([100 * u, rng.standard_normal((5, 8))])
        case = UniformColumns.from_points(X, [0], 1, "one long direction")
        yield _sized(case.but(kept_share=0.2, delta=0.4))
    yield _lonely(20, 2, 0.01)
    yield _lonely(10, 1, 0.05)
    yield _lonely(20, 15, 0.01)


def _lonely(n, count, share):
    """One long point among short ones, all orthogonal: it is missed, or it is not."""
    values = np.diag([1e6] + [1.0] * (n - 1))
    case = UniformColumns(values, range(count), 1, name="a long point")
    case = case.but(kept_share=share)
    delta = 1.0001 * math.exp(-count / scale(case))  # that so many columns allow
    return case.but(delta=delta)


# Three points at the origin; two of the others are apart by a hair.
_ORIGIN = UniformColumns.exactly(
    [17, 18],
    1,
    points=[[1] * 17 + [0] * 3, ["1/100", "-1/100"] + [0] * 18],
    kept_share="1/100",
    delta="1/4",
)
_FEW = {"kept_share": "1/1000", "delta": "0.85"}
_LONE = UniformColumns.exactly(
    range(6), 1, points=[[1] + [0] * 40], groups=(1, 40), **_FEW
)
# A long point among short ones that are equal.
ONE_ALONE = {"points": [[10] + [0] * 19, [0] + [1] * 19], "groups": (1, 19)}
_ALONE = UniformColumns.exactly(
    range(16), 1, **ONE_ALONE, kept_share="1/2", delta="1/10"
)
# A flat leading vector; the second eigenvector is on two of the ten points.
_TWO_STAND_OUT = UniformColumns.exactly(
    [0], 1, points=[[1000] * 10, [1, -1] + [0] * 8], kept_share=4, delta="1/10"
)
# One more point, so that the rank is above k.
_SMALL_DIAGONAL = UniformColumns.exactly(
    [0],
    1,
    matrix=[["1/100", 1, 0], [1, "1/100", 0], [0, 0, "1/2"]],
    kept_share="1/10",
    delta="13/20",
)

_of_samples = partial(Claim, law="uniform_hits")

BEST_SHARE = {"k": EACH, "kept_share": LARGEST}

UNIFORM_COHERENCE = Theorem(
    id="modern:uniform-coherence",
    kind="probability",
    status="holds",
    title="Uniform columns and the coherence of the leading eigenvectors",
    number="Gittens 2011; Gittens and Mahoney 2013",
    setting=(
        "Let $K$ be positive semidefinite, $U_1$ its $k$ leading eigenvectors and "
        r"$\mu_k = \frac nk \max_i \|(U_1)_{i,:}\|^2$. Let $S$ be $l$ columns, drawn "
        r"uniformly without replacement, $E = K - C W^+ C^\top$, and $h = 1 - "
        r"\varepsilon + \varepsilon \log \varepsilon$."
    ),
    hypotheses={
        # The inequality of Chernoff holds for repeated columns too, but not the norm 1
        # of the matrix that picks the columns, which the proof also uses.
        "different": Hypothesis("different == l", necessary="not known"),
        "enough columns": "l >= leading_coherence * k * log(k / delta) / h",
    },
    where={
        "h": Where("h", "1 - kept_share + kept_share * log(kept_share)", told=False)
    },
    claims={
        "the spectral norm": _of_samples(
            "chance(norm_E > (1 + n / (kept_share * l)) * tail_2) <= delta",
            when="rank_K > k",
        ),
        "the trace": _of_samples(
            "chance(trace_E > (1 + 1 / (delta * kept_share)) * tail_trace)"
            " <= 2 * delta",
            when="rank_K > k",
        ),
        "exact recovery": _of_samples(
            "chance(E != 0 * K) <= delta", when="rank_K == k"
        ),
        "published": Claim(
            "leading_coherence * k * log(k / delta) / h"
            " <= 2 * leading_coherence * k * log(k / delta) / (1 - kept_share) ** 2",
            says="The published number of columns is enough:",
        ),
    },
    world=UniformColumns,
    cases=_cases,
    promises={
        "the spectral norm": Promise("spectral", "uniform", BEST_SHARE),
        "the trace": Promise("trace", "uniform", BEST_SHARE),
        "exact recovery": Promise("spectral", "uniform", BEST_SHARE),
    },
    loose={
        "the trace": "it adds the chances of two events, and what was tried has one of "
        "them only"
    },
    controls={
        "a tenth fewer": Control("exact recovery", _LONE, drops="enough columns"),
        "without coherence": Control(
            "the spectral norm", _ALONE, drops="enough columns"
        ),
        "a share of 4": Control(
            "the spectral norm", _TWO_STAND_OUT, drops="kept_share"
        ),
        "only the origin is drawn": Control("the spectral norm", _ORIGIN, law="surely"),
        "only the origin is drawn, trace": Control("the trace", _ORIGIN, law="surely"),
        "of both signs": Control(
            "the spectral norm", _SMALL_DIAGONAL, lacks="a positive semidefinite $K$"
        ),
        "half of the published number": Control(
            "published", _ORIGIN, {"2 * leading_coherence": "leading_coherence"}
        ),
    },
)
