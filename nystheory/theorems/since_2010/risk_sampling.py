"""Part III: how many uniform columns ridge regression needs.

Bach 2013, and of Rudi, Camoriano and Rosasco 2015 the part that speaks of the matrix.
Both are the matrix Bernstein inequality.
"""

from __future__ import annotations

import math

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Hypothesis, Law, Theorem
from nystheory.theorems.concentration.covariance import K_max
from nystheory.theorems.concentration.violations import DIFFERENT
from nystheory.theorems.fixed_sampling.ridge_leverage import (
    clusters,
    exact_scores,
)
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import l, n
from nystheory.theorems.routes import one
from nystheory.theorems.since_2010 import risk_violations
from nystheory.theorems.since_2010._first_form import POSITIVE_RIDGE
from nystheory.theorems.since_2010.column_chance import (
    TWO_SIZES,
    chance_claim,
    clustered,
    counted,
    dominant,
    error_above,
    exponential,
    largest_score,
    outcomes,
    over,
    per_column,
    small_matrices,
    tolerance,
    tolerated_share,
    with_signal,
)
from nystheory.theorems.since_2010.ridge_risk import approximate_risk, exact_risk, risk
from nystheory.theorems.since_2010.risk_violations import tolerated, twice
from nystheory.theorems.spectral import alpha, d_eff, ridge

_SIXTH = sp.Rational(1, 6)


# --- Uniform columns: Bach --------------------------------------------------------

_UNIFORM = exponential(n, l, per_column(8, over(largest_score, tolerance), _SIXTH))
_INFLATED = sp.Mul(
    sp.Add(1, sp.Mul(4, tolerance, evaluate=False), evaluate=False),
    risk,
    evaluate=False,
)
_ASKED = Formula(
    sp.Mul(
        sp.Add(sp.Mul(32, over(largest_score, tolerance), evaluate=False), 2),
        sp.log(
            over(sp.Mul(n**2, K_max, evaluate=False), sp.Mul(tolerance, alpha)),
            evaluate=False,
        ),
        evaluate=False,
    )
)


def columns_asked(i: Instance) -> float:
    """``(32 N / eps + 2) log(n^2 K_max / (eps alpha))``."""
    return _ASKED(
        n=i.n,
        largest_score=i.n * exact_scores(i).max(),
        K_max=float(np.diag(i.K).max()),
        tolerance=tolerated_share(i),
        alpha=ridge(i),
    )


def _is_whole(i: Instance) -> bool:
    return columns_asked(i) <= i.l


def _uniform_cases(rng):
    for case in clustered():
        for share in (0.1, 0.3, 0.7):
            for allowed in (1.0, 0.4):
                columns = max(1, int(share * case.n))
                chosen = counted(case.but(tolerance=allowed), columns)
                yield with_signal(chosen, rng)
    # Enough columns, and fewer than the matrix has: only where the ridge is large.
    for sizes, ratio in (([1, 2, 3, 294], 1.0), ([1, 4, 95, 500], 0.6)):
        total = sum(sizes)
        case = clusters(sizes, sizes, ratio * total, name="a large ridge")
        case = case.but(tolerance=1.0)
        yield with_signal(counted(case, math.ceil(columns_asked(case))), rng)


def _uniform_law() -> Law:
    def draw(i, rng):
        return i.but(landmarks=rng.choice(i.n, i.l, replace=False))

    return Law(draw, outcomes)


def _mean_claim(says, **changes) -> Claim:
    fields = {
        "observe": approximate_risk,
        "formula": Formula(_INFLATED),
        "relation": "<=",
        "scale": lambda i: exact_risk(i),
        "law": _uniform_law(),
    }
    return Claim(says, **(fields | changes))


_EIGHT = clusters([20.0] * 8, [8] * 8, 1.0, name="eight clusters").but(tolerance=1.0)
_EIGHT = _EIGHT.but(signal=np.ones(64), noise=0.0)
_SIX = clusters([1.01] * 6, [50] * 6, 1.0).but(tolerance=1.0)

_SMALL_TOLERANCE = Hypothesis(
    r"$0 < \varepsilon \le 1$",
    ("tolerance",),
    lambda tolerance: 0 < tolerance <= 1,
)
_RIDGE_WITHIN = Hypothesis(
    r"$\alpha \le n K_{\max}$",
    ("alpha", "n", "K_max"),
    lambda alpha, n, K_max: alpha <= n * K_max * (1 + 1e-12),
)

BACH = Theorem(
    id="modern:bach",
    part="III",
    kind="expectation",
    status="holds",
    title="Ridge regression on uniform columns",
    number="Bach 2013",
    statement=(
        r"Let $K$ be positive semidefinite, $K_{ii} \le K_{\max}$, and $N_\infty"
        r"(\alpha) = n \max_i \bigl(K (K + \alpha I)^{-1}\bigr)_{ii}$ for a ridge $0 < "
        r"\alpha \le n K_{\max}$. Draw $l$ different columns uniformly and let $0 < "
        r"\varepsilon \le 1$. Then $\|E\|_2 \le \varepsilon\alpha$ but for a "
        r"probability of at most $n \exp\bigl(-l / (8 (\frac{N_\infty(\alpha)}"
        r"{\varepsilon} + \frac16))\bigr)$. Let $R(K) = \frac1n \mathbb E\, \|K (K + "
        r"\alpha I)^{-1} y - z\|^2$ be the risk of ridge regression on $y = z + \xi$, "
        r"with a fixed signal $z \in \mathbb R^n$ and errors $\xi$ of mean zero and "
        r"covariance $\sigma^2 I$ that are independent of the columns drawn. If $l \ge "
        r"\bigl(\frac{32\, N_\infty(\alpha)}{\varepsilon} + 2\bigr) \log \frac{n^2 "
        r"K_{\max}}{\varepsilon \alpha}$, its mean over the draws obeys $\mathbb E\, "
        r"R(\tilde K) \le (1 + 4 \varepsilon)\, R(K)$."
    ),
    hypotheses=(POSITIVE_RIDGE, _SMALL_TOLERANCE, _RIDGE_WITHIN),
    # The inequality of Bernstein is proved for draws with replacement.  For a larger
    # ridge the risk hardly changes even where the sample misses everything.
    not_known_necessary=(_RIDGE_WITHIN.says, DIFFERENT),
    claims=(
        chance_claim(
            r"the chance that $\|E\|_2 > \varepsilon\alpha$",
            error_above(tolerated),
            _UNIFORM,
        ),
        _mean_claim(
            r"the mean risk, with as many columns as are asked for", applies=_is_whole
        ),
    ),
    instances=_uniform_cases,
    own_suite=True,
    controls=(
        Control(
            _mean_claim(
                r"the mean risk with $l \ge N_\infty(\alpha) / \varepsilon$ columns"
            ),
            counted(_EIGHT, 8),
            drops=(
                r"$l \ge (\frac{32 N_\infty(\alpha)}{\varepsilon} + 2) \log "
                r"\frac{n^2 K_{\max}}{\varepsilon\alpha}$"
            ),
        ),
        Control(
            chance_claim(
                r"the constant $0.8$ is enough",
                error_above(tolerated),
                exponential(
                    n, l, per_column(0.8, over(largest_score, tolerance), _SIXTH)
                ),
            ),
            counted(_SIX, 60),
        ),
        Control(
            chance_claim(
                r"the effective dimension may stand for $N_\infty$",
                error_above(tolerated),
                exponential(n, l, per_column(8, over(d_eff, tolerance), _SIXTH)),
            ),
            counted(TWO_SIZES, 180).but(tolerance=1.0),
        ),
        *risk_violations.of_uniform(_UNIFORM, _SMALL_TOLERANCE.says),
    ),
)

# --- Uniform columns again: Rudi, Camoriano and Rosasco ---------------------------

_INTRINSIC = exponential(
    sp.Mul(8, d_eff, evaluate=False),
    l,
    sp.Add(sp.Mul(sp.Rational(9, 2), largest_score, evaluate=False), 1, evaluate=False),
)


def _rudi_cases(rng):
    for case in small_matrices(rng):
        for columns in (10, 40, 150):
            uniform = np.full(case.n, 1 / case.n)
            yield counted(case, columns).but(probabilities=uniform)
    for case in clustered():
        for share in (0.05, 0.2, 0.5):
            yield counted(case, max(1, int(share * case.n)))


RUDI = Theorem(
    id="modern:rudi",
    part="III",
    kind="rate",
    status="to-confirm",
    title="Computational regularisation by uniform columns",
    number="Rudi, Camoriano and Rosasco 2015",
    statement=(
        r"Let $K$ be positive semidefinite, $\alpha > 0$, and $N_\infty(\alpha) = n "
        r"\max_i \bigl(K (K + \alpha I)^{-1}\bigr)_{ii}$. Draw $l$ columns uniformly, "
        r"with or without replacement. *Confirmed*: $\|E\|_2 \le 2 \alpha$ but for a "
        r"probability of at most $8\, d_{\mathrm{eff}}(\alpha) \exp\bigl(-l / "
        r"(\tfrac92 N_\infty(\alpha) + 1)\bigr)$; so, with $K_{ii} \le \kappa^2$ and "
        r"$\alpha = n \lambda$, $l \ge \max(67,\, 5 N_\infty(\alpha)) \log \frac{12 "
        r"\kappa^2}{\lambda\delta}$ columns are enough for that with probability $1 - "
        r"\delta$. *Open* here: the theorem of the source, where the points are random "
        r"and the covariance operator of their law stands in the place of $K / n$, in "
        r"the error and in $N_\infty$; the rates of the excess risk that follow; and "
        r"the constants $334$, $78$ and $48$ for columns drawn by approximate leverage "
        "scores."
    ),
    hypotheses=(POSITIVE_RIDGE,),
    claims=(
        chance_claim(
            r"confirmed: the chance that $\|E\|_2 > 2 \alpha$",
            error_above(twice),
            _INTRINSIC,
        ),
        Claim(
            r"confirmed: with $\max(67, 5 N_\infty) \log (12 \kappa^2 / (\lambda "
            r"\delta))$ columns that is at most $\delta$, from $1$ to $10^{-9}$",
            observe=lambda i, _: max(_at_published(i, d) / d for d in _LEVELS),
            expected=lambda i, _: 1.0,
            relation="<=",
            scale=one,
            applies=dominant,
        ),
    ),
    instances=_rudi_cases,
    own_suite=True,
    controls=(
        Control(
            chance_claim(
                r"$8\, d_{\mathrm{eff}} \exp(-l / N_\infty)$",
                error_above(twice),
                exponential(sp.Mul(8, d_eff, evaluate=False), l, largest_score),
            ),
            Instance.from_points(
                np.eye(6),
                [0] * 60,
                1,
                alpha=0.49,
                probabilities=np.full(6, 1 / 6),
            ),
        ),
        Control(
            chance_claim(
                "the effective dimension may stand for $N_\\infty$",
                error_above(twice),
                exponential(sp.Mul(8, d_eff, evaluate=False), l, 4.5 * d_eff + 1),
            ),
            counted(TWO_SIZES, 180),
        ),
        Control(
            chance_claim(
                r"180 of 303 columns give $\|E\|_2 \le 2 \alpha$ but for $\delta = "
                "0.01$",
                error_above(twice),
                sp.Rational(1, 100),
            ),
            counted(TWO_SIZES, 180),
            drops=(
                r"$l \ge \max(67,\, 5 N_\infty(\alpha)) \log \frac{12 \kappa^2}"
                r"{\lambda\delta}$"
            ),
        ),
        *risk_violations.of_intrinsic(_INTRINSIC),
    ),
)


# The levels of probability at which the published number of columns is tried.
_LEVELS = (1.0, 0.5, 0.1, 1e-2, 1e-4, 1e-9)


def _at_published(i: Instance, level: float) -> float:
    """The bound for ``max(67, 5 N) log(12 kappa^2 / (lambda level))`` columns."""
    N = i.n * float(exact_scores(i).max())
    ratio = float(np.diag(i.K).max()) * i.n / ridge(i)
    columns = max(67.0, 5 * N) * math.log(12 * ratio / level)
    dimension = float(exact_scores(i).sum())
    return 8 * dimension * math.exp(-columns / (4.5 * N + 1))
