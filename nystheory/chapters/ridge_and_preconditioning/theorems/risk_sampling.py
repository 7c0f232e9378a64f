"""How many uniform columns ridge regression needs.

Bach 2013, and of Rudi, Camoriano and Rosasco 2015 the part that speaks of the matrix.
Both are the matrix Bernstein inequality.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from nystheory.chapters.ridge_and_preconditioning.theorems.column_chance import (
    ScoredColumns,
    one_long_point,
)
from nystheory.engine import Claim, Control, Hypothesis, Promise, Theorem
from nystheory.engine.language.claims import SUMS
from nystheory.engine.promises.promises import SMALLEST
from nystheory.engine.worlds.matrices import diagonal
from nystheory.engine.worlds.quantities import value


class RidgedColumns(ScoredColumns):
    """Columns that are drawn, a signal with noise, and ridges far above K as well."""

    @classmethod
    def drawn(cls, instance, rng):
        """Half of the ridges are above n K_max, so far that few errors matter."""
        case = super().drawn(instance, rng)
        above = case.n * np.diag(case.K).max() * 2.0 ** rng.integers(1, 7)
        return case.but(alpha=above) if above > 0 and rng.integers(2) else case


def _equal_clusters(count, size, length) -> list:
    """Points of so many clusters, on axes of their own."""
    return [[x for x in row for _ in range(size)] for row in diagonal([length] * count)]


def _from_clusters(columns, count, size, length, **given) -> RidgedColumns:
    """So many draws from so many equal clusters, with the ridge 1."""
    given |= {"points": _equal_clusters(count, size, length), "alpha": 1}
    return RidgedColumns.draws(columns, groups=(size,) * count, **given)


_INDEFINITE = "a positive semidefinite $K$"


# --- Bach -----------------------------------------------------------------------------

_ASKED = "(32 * largest_score / accuracy + 2) * log(n**2 * K_max / (accuracy * alpha))"


def _uniform_cases(rng):
    drawn, clusters = ScoredColumns.drawn, RidgedColumns.clusters
    yield from RidgedColumns.few_points(rng, (1, 2, 3))
    for columns in (3, 10, 25):
        yield clusters([3, 5, 8, 14], [1.0, 2, 1, 0.5], columns, "unequal clusters")
        yield clusters([5] * 6, [1.0] * 6, columns, "equal clusters")
    # So many columns that the bound is below 1.
    case = drawn(clusters([40] * 4, [1.0] * 4, 110, "just above the ridge"), rng)
    yield case.but(alpha=39.0, accuracy=1.0)
    # Enough columns, and fewer than there are: for many points and a large ridge.
    for sizes in ((36, 37, 38, 39), (5, 60, 60, 60), (1, 60, 60, 64)):
        case = clusters(sizes, [1.0] * 4, 1, "a large ridge")
        case = drawn(case, rng).but(alpha=0.99 * case.n, accuracy=1.0)
        columns = np.zeros(math.ceil(value(_ASKED, case)), dtype=int)
        if len(columns) < case.n:
            yield case.but(landmarks=columns)
    # The same for ridges above n K_max, with so small an error that it may be missed.
    for ratio, lonely in product((1.01, 1.5, 4, 16), (1, 2, 5)):
        sizes = lonely, 66, 66, 68 - lonely
        case = drawn(clusters(sizes, [1.0] * 4, 1, "a larger ridge"), rng)
        case = case.but(alpha=ratio * case.n, accuracy=0.99 / ratio)
        yield case.but(landmarks=np.zeros(math.ceil(value(_ASKED, case)), dtype=int))


def _pairs(count) -> list:
    """Blocks with 1 on the diagonal and 2 off it: eigenvalues 3 and -1."""
    every, block = range(2 * count), [[1, 2], [2, 1]]
    return [
        [block[i % 2][j % 2] if i // 2 == j // 2 else 0 for j in every] for i in every
    ]


_SIX_CLUSTERS = _from_clusters(16, 6, 8, "0.36", accuracy=1)
_EIGHT_CLUSTERS = _from_clusters(10, 8, 3, "4.1", accuracy=50)
_TWO_PAIRS = _from_clusters(2, 2, 2, 3, accuracy=1, signal=[[1]] * 4, noise=0)
_LONG_POINT = RidgedColumns.draws(
    36, points=one_long_point("1.05", 44), groups=(1, 44), alpha=1, accuracy=1
)
_ONE_OF_TWO = RidgedColumns.exactly(
    range(45), 1, points=_equal_clusters(2, 45, "0.15"), alpha=1, accuracy=1
)
# With the ridge 3 all scores are 0, as if every sample saw all there is.
_INDEFINITE_BLOCKS = RidgedColumns.draws(3, matrix=_pairs(3), alpha=3, accuracy="1/2")

BACH = Theorem(
    id="modern:bach",
    kind="expectation",
    status="holds",
    title="Ridge regression on uniform columns",
    number="Bach 2013",
    setting=(
        r"Let $K$ be positive semidefinite with largest diagonal entry $K_{\max}$, and "
        r"$N_\infty(\alpha) = n \max_i \bigl(K (K + \alpha I)^{-1}\bigr)_{ii}$. Draw "
        r"$l$ columns uniformly without replacement. Let $\tilde K$ be their Nyström "
        r"approximation $C W^+ C^\top$ and $E = K - \tilde K$. Let $R(K) = \frac1n "
        r"\mathbb E\, \|K (K + \alpha I)^{-1} y - z\|^2$ be the risk of ridge "
        r"regression on $y = z + \xi$, with a fixed signal $z \in \mathbb R^n$ and "
        r"errors $\xi$ of mean zero and covariance $\sigma^2 I$ that are independent "
        r"of the columns drawn."
    ),
    hypotheses={
        "accuracy": Hypothesis("0 < accuracy <= 1"),
    },
    claims={
        "error": Claim(
            "chance(gap_2 > accuracy * alpha) "
            "<= n * exp(-l / (8 * (largest_score / accuracy + 1 / 6)))",
            law="uniform_hits",
        ),
        "mean risk": Claim(
            "mean(risk_below) <= (1 + 4 * accuracy) * risk",
            when=f"l >= {_ASKED}",
            law="uniform_hits",
            says="The mean risk over the draws obeys",
        ),
    },
    world=RidgedColumns,
    cases=_uniform_cases,
    promises={
        "error": Promise("spectral", "uniform", {"alpha": SMALLEST}, {"accuracy": 1})
    },
    loose={"error": SUMS},
    controls={
        "0.8": Control("error", _SIX_CLUSTERS, {"8 *": "0.8 *"}),
        "the effective dimension for the largest score": Control(
            "error", _LONG_POINT, {"largest_score / accuracy": "d_eff / accuracy"}
        ),
        "accuracy 50": Control("error", _EIGHT_CLUSTERS, drops="accuracy"),
        "one cluster only": Control("error", _ONE_OF_TWO, law="surely"),
        "eigenvalues 3 and -1": Control("error", _INDEFINITE_BLOCKS, lacks=_INDEFINITE),
        "as many columns as dimensions": Control(
            "mean risk",
            _TWO_PAIRS,
            lacks=f"l >= {_ASKED}",
        ),
    },
)


# --- Rudi, Camoriano and Rosasco ------------------------------------------------------


def _uniformly(case, rng) -> ScoredColumns:
    drawn = ScoredColumns.drawn(case, rng)
    return drawn.but(probabilities=np.full(case.n, 1 / case.n))


def _rudi_cases(rng):
    """With the probability that so many columns allow, where they allow one."""
    clusters = ScoredColumns.clusters
    for case in ScoredColumns.few_points(rng, (2, 40, 400, 1000)):
        case = _uniformly(case, rng)
        # A little more than what is allowed, so that rounding does not decide.
        delta = 1.001 * value(_ALLOWED, case)
        yield case.but(delta=min(1.0, max(delta, 1e-9)))
    for columns in (3, 10, 25):
        case = clusters([3, 5, 8, 14], [1.0, 2, 1, 0.5], columns, "unequal clusters")
        yield _uniformly(case, rng)
    # With 5 times the largest score near 67 the columns are hardly more than enough.
    case = _uniformly(clusters([1] * 20, [1.0] * 20, 368, "orthogonal points"), rng)
    yield case.but(alpha=0.99, delta=1.0)


_SIX = ScoredColumns.draws(
    60, matrix=diagonal([1] * 6), alpha="0.49", probabilities=["1/6"] * 6
)
_TWO = ScoredColumns.draws(100, matrix=diagonal([1, 1]), alpha="1/5")
_MISSED = ScoredColumns.draws(
    15,
    points=one_long_point("1.45", 20),
    groups=(1, 20),
    alpha=1,
    delta="1/100",
    probabilities=["1/21"] * 21,
)
_ONE_OF_LARGER = ScoredColumns.exactly(
    range(30), 1, points=_equal_clusters(2, 30, "0.41"), alpha=1, delta=1
)
_PAIR_AND_POINT = ScoredColumns.draws(
    1, matrix=[["0.1", 1, 0], [1, "0.1", 0], [0, 0, "0.348"]], alpha=4
)
_INTRINSIC = "8 * d_eff * exp(-l / (9 * largest_score / 2 + 1))"
_ALLOWED = "12 * n * K_max / alpha * exp(-l / max(67, 5 * largest_score))"
_ENOUGH = "l >= max(67, 5 * largest_score) * log(12 * n * K_max / (alpha * delta))"

RUDI = Theorem(
    id="modern:rudi",
    kind="rate",
    status="to-confirm",
    title="Computational regularisation by uniform columns",
    number="after Rudi, Camoriano and Rosasco 2015, for the matrix",
    setting=(
        r"Let $K$ be positive semidefinite with largest diagonal entry $K_{\max}$, "
        r"$N_\infty(\alpha) = n \max_i \bigl(K (K + \alpha I)^{-1}\bigr)_{ii}$ and "
        r"$d_{\mathrm{eff}}(\alpha) = \operatorname{tr} K (K + \alpha I)^{-1}$. Draw "
        r"$l$ columns uniformly. Let $\tilde K$ be their Nyström approximation "
        r"$C W^+ C^\top$ and $E = K - \tilde K$."
    ),
    claims={
        "with replacement": Claim(
            f"chance(gap_2 > 2 * alpha) <= {_INTRINSIC}",
            law="weighted_hits",
            says="With replacement,",
        ),
        "without replacement": Claim(
            f"chance(gap_2 > 2 * alpha) <= {_INTRINSIC}",
            when="l <= n",
            law="uniform_hits",
            says="Without replacement,",
        ),
        "columns": Claim(
            f"{_INTRINSIC} <= delta",
            when=f"norm_K >= alpha and {_ENOUGH}",
            says=r"The bound on the chance is at most $\delta$",
        ),
        "enough columns": Claim(
            "chance(gap_2 > 2 * alpha) <= delta",
            when=_ENOUGH,
            law="weighted_hits",
            says="So this many columns, with replacement, are enough:",
        ),
    },
    world=ScoredColumns,
    cases=_rudi_cases,
    promises={
        "with replacement": Promise(
            "spectral", "uniform, with replacement", {"alpha": SMALLEST}
        ),
        "without replacement": Promise("spectral", "uniform", {"alpha": SMALLEST}),
        "enough columns": "'with replacement', solved for l",
    },
    loose={
        "with replacement": SUMS,
        "without replacement": SUMS,
        "enough columns": SUMS,
    },
    controls={
        "the largest score alone": Control(
            "with replacement", _SIX, {"(9 * largest_score / 2 + 1)": "largest_score"}
        ),
        "one column repeated": Control("with replacement", _TWO, law="one_repeated"),
        "the effective dimension for the largest score": Control(
            "without replacement", _MISSED, {"largest_score": "d_eff"}
        ),
        "one cluster only": Control(
            "without replacement", _ONE_OF_LARGER, law="surely"
        ),
        "eigenvalues 1.1 and -0.9": Control(
            "without replacement", _PAIR_AND_POINT, lacks=_INDEFINITE
        ),
        "15 columns, in number": Control(
            "columns",
            _MISSED,
            lacks=_ENOUGH,
        ),
        "15 of 21 columns": Control(
            "enough columns",
            _MISSED,
            lacks=_ENOUGH,
        ),
    },
)
