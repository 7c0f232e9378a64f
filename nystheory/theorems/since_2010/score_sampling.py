"""Part III: how many columns drawn by scores ridge regression needs.

Alaoui and Mahoney 2015, by the matrix Bernstein inequality.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from nystheory import lowrank
from nystheory.theorems.base import Claim, Control, Hypothesis, Law, Theorem
from nystheory.theorems.fixed_sampling.ridge_leverage import (
    failure_probability,
    largest_error,
)
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import l, n
from nystheory.theorems.routes import one
from nystheory.theorems.since_2010 import risk_violations
from nystheory.theorems.since_2010._first_form import POSITIVE_RIDGE
from nystheory.theorems.since_2010.column_chance import (
    CLASSES,
    TWO_SIZES,
    chance_claim,
    counted,
    error_above,
    exponential,
    leverage_cases,
    over,
    per_column,
    ridge_share,
    tolerated_share,
)
from nystheory.theorems.since_2010.ridge_risk import approximate_risk, exact_risk
from nystheory.theorems.spectral import d_eff, ridge

_SIXTH = sp.Rational(1, 6)
# Rounding of a reconstruction from nearly equal points, in units of norm(K).
_ORDER = 1e-12


_BY_SCORES = exponential(n, l, per_column(8, over(d_eff, ridge_share), _SIXTH))


def _at_its_ridge(i: Instance) -> Instance:
    """The regression has the ridge ``alpha / tolerance``."""
    return i.but(alpha=ridge(i) / tolerated_share(i))


def _risk_above(power):
    def fails(i: Instance) -> bool:
        case = _at_its_ridge(i)
        limit = (1 + tolerated_share(i)) ** power * exact_risk(case)
        return approximate_risk(case) > limit * (1 + 1e-9)

    return fails


def _any_part_fails(i: Instance) -> bool:
    """Whether one of ``K~ <= K <= K~ + alpha I`` and the bound on the risk fails.

    Both orders by the eigenvalues of the package's ``K - K~``.
    """
    below = lowrank.nystrom(i.K, i.landmarks).spectral_reconstruction()
    error = np.linalg.eigvalsh(i.K - below)
    slack = _ORDER * i.norm_K
    ordered = error[0] >= -slack and error[-1] <= ridge(i) + slack
    return not ordered or _risk_above(2)(i)


def _draw(i: Instance, rng) -> Instance:
    p = i.extra["probabilities"]
    return i.but(landmarks=rng.choice(i.n, i.l, p=p))


def _is_small(i: Instance) -> bool:
    """Few points, each a class of its own; their matrices show what is below what."""
    return i.n <= CLASSES


def _is_on_trial(i: Instance) -> bool:
    return "trial" in i.extra


def _is_counted(i: Instance) -> bool:
    return not _is_on_trial(i)


_EQUAL_LENGTHS = Instance.from_points(np.eye(6), [0] * 60, 1, alpha=0.99, tolerance=1.0)
_ONE_MISSED = Instance.from_points(
    np.eye(2), [0], 1, alpha=1.0, tolerance=1.0, signal=np.array([0.0, 1]), noise=0.0
)

ALAOUI_MAHONEY = Theorem(
    id="modern:alaoui-mahoney",
    part="III",
    kind="probability",
    status="holds",
    title="Ridge regression on columns drawn by scores",
    number="Alaoui and Mahoney 2015",
    statement=(
        r"Let $K$ be positive semidefinite, $\alpha, \varepsilon > 0$, and $l_i = "
        r"\bigl(K (K + \alpha I)^{-1}\bigr)_{ii}$ with sum $d_{\mathrm{eff}}(\alpha)$. "
        r"Draw $l$ columns independently with probabilities $p_i \ge \beta\, l_i / "
        r"d_{\mathrm{eff}}(\alpha)$. Let $R$ be the risk of ridge regression with the "
        r"ridge $\alpha / \varepsilon$ on a fixed signal, with errors of mean zero and "
        r"covariance $\sigma^2 I$ that are independent of the columns drawn. Then, "
        r"but for a probability of at most $n \exp\bigl(-l / (8 "
        r"(\frac{d_{\mathrm{eff}}(\alpha)}{\beta} + \frac16))\bigr)$, "
        r"$\tilde K \preceq K \preceq \tilde K + \alpha I$ and $R(\tilde K) \le "
        r"(1 + \varepsilon)^2 R(K)$. So $l \ge 8\, (\frac{d_{\mathrm{eff}}(\alpha)}"
        r"{\beta} + \frac16) \log \frac n\delta$ columns fail with probability "
        r"$\delta$ at most."
    ),
    hypotheses=(
        POSITIVE_RIDGE,
        Hypothesis(
            r"$\beta > 0$",
            ("ridge_share",),
            lambda ridge_share: ridge_share > 0,
            domain=True,
        ),
    ),
    claims=(
        chance_claim(
            r"the chance that $\|E\|_2 > \alpha$",
            error_above(ridge),
            _BY_SCORES,
            applies=_is_counted,
        ),
        chance_claim(
            r"the chance that $R(\tilde K) > (1 + \varepsilon)^2 R(K)$",
            _risk_above(2),
            _BY_SCORES,
            applies=_is_counted,
        ),
        Claim(
            r"$\|E\|_2 \le \alpha$ but for probability $\delta$, points in general "
            "position",
            observe=largest_error,
            expected=lambda i, _: ridge(i),
            relation="<=",
            scale=ridge,
            applies=_is_on_trial,
            law=Law(_draw, delta=failure_probability),
        ),
        chance_claim(
            r"the chance that $\tilde K \preceq K \preceq \tilde K + \alpha I$ or the "
            "bound on the risk fails",
            _any_part_fails,
            _BY_SCORES,
            applies=_is_small,
        ),
    ),
    instances=leverage_cases,
    own_suite=True,
    controls=(
        Control(
            chance_claim(
                r"the constant $1.5$ is enough",
                error_above(ridge),
                exponential(n, l, per_column(1.5, over(d_eff, ridge_share), _SIXTH)),
            ),
            _EQUAL_LENGTHS.but(probabilities=np.full(6, 1 / 6)),
        ),
        Control(
            chance_claim(
                r"uniform columns obey the bound with $\beta = 1$",
                error_above(ridge),
                exponential(n, l, per_column(8, d_eff, _SIXTH)),
            ),
            counted(TWO_SIZES, 200).but(probabilities=np.full(303, 1 / 303)),
            drops=r"$p_i \ge \beta\, l_i / d_{\mathrm{eff}}(\alpha)$",
        ),
        Control(
            Claim(
                r"$R(\tilde K) \le (1 + \varepsilon) R(K)$ where $\|E\|_2 \le \alpha$",
                observe=approximate_risk,
                expected=lambda i, _: (1 + tolerated_share(i)) * exact_risk(i),
                relation="<=",
                scale=one,
            ),
            _ONE_MISSED,
        ),
        *risk_violations.of_scores(_BY_SCORES),
    ),
)
