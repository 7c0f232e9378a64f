"""How many columns drawn by scores ridge regression needs.

Alaoui and Mahoney 2015, by the matrix Bernstein inequality.
"""

from __future__ import annotations

from functools import partial

from nystheory.chapters.ridge_and_preconditioning.theorems.column_chance import (
    ScoredColumns,
    one_long_point,
)
from nystheory.chapters.ridge_and_preconditioning.theorems.ridge_risk import (
    of_risk,
    risk_of,
    risk_of_between,
)
from nystheory.engine import Claim, Control, Hypothesis, Promise, Theorem
from nystheory.engine.language.claims import SUMS
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.promises.promises import SMALLEST
from nystheory.engine.worlds.matrices import diagonal


def _ridge(i) -> float:
    """The regression has the ridge ``alpha / epsilon``."""
    return float(i.alpha) / float(i.accuracy)


def _of_eased(i) -> float:
    return of_risk(i.but(alpha=_ridge(i)))


_eased = partial(ScoredColumns.quantity, unit=0, condition=_of_eased)


@_eased("R(K)", r"risk with the ridge $\alpha / \varepsilon$")
def eased_risk(i):
    return risk_of(i, *i.eigen_K, _ridge(i))


@_eased(
    r"R(\tilde K)",
    r"risk with the ridge $\alpha / \varepsilon$ and a matrix below $K$",
    SAMPLE,
)
def eased_risk_below(i):
    return risk_of_between(i, _ridge(i))


def _cases(rng):
    clusters = ScoredColumns.clusters
    yield from ScoredColumns.few_points(rng, (30, 100))
    yield clusters([3, 5, 8, 14], [1.0, 2, 1, 0.5], 60, "unequal clusters")
    yield clusters([1, 2, 4, 8], [1.0] * 4, 200, "sizes double")


_FAILS = (
    "chance(not (below(between, K) and below(K, between + alpha * identity(n)) "
    "and eased_risk_below <= (1 + accuracy)**2 * eased_risk))"
)
_BOUND = "n * exp(-l / (8 * (d_eff / ridge_share + 1 / 6)))"


def _example(count, p, alpha, accuracy=1, **given) -> ScoredColumns:
    """No signal, where none is given."""
    known = {"signal": [[0]] * len(p), "noise": 1, "probabilities": p}
    known |= {"alpha": alpha, "accuracy": accuracy}
    return ScoredColumns.draws(count, **{**known, **given})


def _six(count, **given) -> ScoredColumns:
    return _example(count, ["1/6"] * 6, "0.99", matrix=diagonal([1] * 6), **given)


_LONG = _example(
    31,
    ["1/31"] * 31,
    1,
    points=one_long_point("1.05", 30),
    groups=(1, 30),
    ridge_share=1,
)
# The signal on a point that is seldom drawn, with an eigenvalue far below the ridge.
_SHORT = _example(
    20,
    ["21/23", "2/23"],
    1,
    400,
    matrix=diagonal([1, "1/20"]),
    signal=[[0], [1]],
    noise=0,
)
_TWO = _example(100, ["1/2", "1/2"], "1/2", matrix=diagonal([1, 1]))
# Eigenvalues 1.3 and -0.7, and two points that take all the probability.
_NEGATIVE = _example(
    100,
    [0, 0, "1/2", "1/2"],
    "1.2",
    matrix=[["0.3", 1, 0, 0], [1, "0.3", 0, 0], [0, 0, 1000, 0], [0, 0, 0, 1000]],
    ridge_share="0.55",
)

ALAOUI_MAHONEY = Theorem(
    id="modern:alaoui-mahoney",
    kind="probability",
    status="holds",
    title="Ridge regression on columns drawn by scores",
    number="Alaoui and Mahoney 2015",
    setting=(
        r"Let $K$ be positive semidefinite and $l_i = \bigl(K (K + \alpha "
        r"I)^{-1}\bigr)_{ii}$ with sum $d_{\mathrm{eff}}(\alpha)$. Draw $l$ columns "
        r"independently with probabilities $p_i \ge \beta\, l_i / "
        r"d_{\mathrm{eff}}(\alpha)$. Let $\tilde K$ be their Nyström approximation "
        r"$C W^+ C^\top$ and $E = K - \tilde K$. Let $R$ be the risk of ridge "
        r"regression with the ridge $\alpha / \varepsilon$ on a fixed signal, with "
        r"errors of mean zero and covariance $\sigma^2 I$ that are independent of the "
        r"columns drawn."
    ),
    hypotheses={
        "not zero": Hypothesis("norm_K > 0", says=r"$K \ne 0$", domain=True),
        "share": Hypothesis("ridge_share > 0", domain=True),
    },
    claims={
        "error": Claim(f"chance(gap_2 > alpha) <= {_BOUND}", law="weighted_hits"),
        "all at once": Claim(
            f"{_FAILS} <= {_BOUND}",
            law="weighted_hits",
            says="The bounds on the error and on the risk rarely fail:",
        ),
        "enough columns": Claim(
            f"{_BOUND} <= delta",
            when="l >= 8 * (d_eff / ridge_share + 1 / 6) * log(n / delta)",
            says=r"So this chance is at most $\delta$",
        ),
    },
    world=ScoredColumns,
    cases=_cases,
    promises={
        "error": Promise(
            "spectral",
            "ridge leverage scores, with replacement",
            {"alpha": SMALLEST},
            {"ridge_share": 1, "accuracy": 1},
        ),
        "all at once": "the error and the risk, at once",
    },
    loose={"error": SUMS, "all at once": SUMS},
    controls={
        "1.5 for the error": Control("error", _six(60), {"8 *": "1.5 *"}),
        "1.5": Control("all at once", _six(60), {"8 *": "1.5 *"}),
        "uniform columns": Control(
            "all at once",
            _LONG,
            lacks=r"$p_i \ge \beta\, l_i / d_{\mathrm{eff}}(\alpha)$",
        ),
        "without the square": Control(
            "all at once", _SHORT, {"(1 + accuracy)**2": "(1 + accuracy)"}
        ),
        "one column repeated": Control("all at once", _TWO, law="one_repeated"),
        "two points of negative score": Control(
            "all at once", _NEGATIVE, lacks="a positive semidefinite $K$"
        ),
        "nine for eight": Control(
            "enough columns", _six(106, delta="1/10"), {"8 *": "9 *"}
        ),
    },
)
