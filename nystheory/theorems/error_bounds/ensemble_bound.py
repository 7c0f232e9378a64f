"""The error of a mixture of Nyström experts: Theorem 5.3, refuted and repaired."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Hypothesis, Printed, Theorem
from nystheory.theorems.concentration.covariance import (
    NAMED,
    K_max,
    R,
    alpha_sharp,
    d_max,
    formula,
)
from nystheory.theorems.concentration.violations import (
    DIFFERENT,
    SEMIDEFINITE,
    UNIFORM,
)
from nystheory.theorems.derivation import Step
from nystheory.theorems.error_bounds import error_cases
from nystheory.theorems.error_bounds.error_cases import patients
from nystheory.theorems.error_bounds.error_formulas import (
    LOG,
    concentration,
    over,
    plus,
    root,
    times,
)
from nystheory.theorems.error_bounds.expert_samples import (
    Breach,
    ClusterExperts,
    all_decompositions,
    any_flipped,
    drawn_experts,
    two_flipped,
)
from nystheory.theorems.error_bounds.sampled_errors import (
    excess_at_once,
    holds_often,
    is_listed,
)
from nystheory.theorems.error_bounds.standard_method import HYPOTHESES
from nystheory.theorems.formula import Formula
from nystheory.theorems.quantities import delta, l, n, quantity, tail_2, tail_F
from nystheory.theorems.quantities import k as k_
from nystheory.theorems.routes import RANK_IN_RANGE, one

# All landmarks of an instance are one sample, hence one expert, unless it says more.
p = quantity("experts", "p", "number of experts, with l columns each")(
    lambda i: int(i.extra.get("experts", 1))
)
mu_max = quantity("mu_max", r"\mu_{\max}", "largest weight of an expert")(
    lambda i: float(i.extra.get("mu_max", 1.0))
)

# --- Formulas ---------------------------------------------------------------------

A, m, A_printed = (sp.Symbol(name, nonnegative=True) for name in ("A", "m", "A'"))
_SAMPLED = times(p, l)
_SECOND = times(mu_max**2, m, plus(1, over(m, n)) ** 2)


def _with(expr, **meanings) -> Formula:
    """A formula in the named symbols and some of this page's."""
    known = {"m": (m, _SAMPLED), "A": (A, meanings.get("A"))}
    own = {symbol: value for symbol, value in known.values() if value is not None}
    used = formula(plus(expr, *own.values())).where
    return Formula(expr, where={**used, **own})


_SMALLER = sp.Min(alpha_sharp, _SECOND, evaluate=False)


def fixed_weights(tail, variance=_SMALLER, factor=1) -> Formula:
    """The repaired bound; A is the smaller of its two branches by default."""
    return _with(plus(tail, _excess_of_fixed(factor)), A=variance)


def _excess_of_fixed(factor=1) -> sp.Expr:
    return times(sp.sqrt(2), concentration(alpha=A, factor=factor))


def any_weights(tail) -> Formula:
    """For weights computed from the sample: p events at once."""
    return formula(plus(tail, _excess_of_any()))


def _excess_of_any() -> sp.Expr:
    log = sp.log(over(p, delta), evaluate=False)
    return times(sp.sqrt(2), concentration(log=log))


q_p = sp.Symbol("q_p", nonnegative=True)
_LEFT = plus(n, -m)
_BETA = plus(1, -over(1, times(2, sp.Max(m, _LEFT, evaluate=False))))
_Q_P = over(_LEFT, times(plus(n, -sp.Rational(1, 2)), _BETA))


def _printed_bracket(lost):
    factors = (mu_max, sp.sqrt(p), root(times(q_p, LOG)), d_max, R)
    return plus(K_max, times(*(factors if lost == 1 else (lost, *factors))))


def _printed_formula(expr) -> Formula:
    return Formula(expr, where={R: NAMED[R], m: _SAMPLED, q_p: _Q_P})


def printed_2(lost=1) -> Formula:
    """The spectral bound of Theorem 5.3; with ``lost=sqrt(2)`` what (5.3) gives."""
    factor = over(times(2, n), sp.sqrt(l))
    return _printed_formula(plus(tail_2, times(factor, _printed_bracket(lost))))


def printed_F() -> Formula:
    """The Frobenius bound of Theorem 5.3."""
    factor = root(over(times(64, k_), l), 4)
    bracket = root(times(K_max, _printed_bracket(1)))
    return _printed_formula(plus(tail_F, times(factor, n, bracket)))


# --- Cases ------------------------------------------------------------------------

_WEIGHTS = {
    2: ([0.5, 0.5], [0.75, 0.25], [1.0, 0.0]),
    3: ([1 / 3] * 3, [0.5, 0.3, 0.2]),
}


def _small(rng):
    """Every decomposition: p l below n and equal to it, every k, fixed weights."""
    for size, each, count in ((5, 2, 2), (6, 2, 3), (6, 3, 2), (7, 3, 2), (8, 4, 2)):
        matrices = {
            "general": rng.standard_normal((size, size)),
            "rank 2": rng.standard_normal((2, size)),
            "clusters": np.repeat(np.eye(2), (size - size // 2, size // 2), axis=1),
            "one point far away": np.diag(np.r_[np.ones(size - 1), 10.0]),
            "rank 1": rng.uniform(size=(1, size)),
        }
        for name, X in matrices.items():
            for mu in _WEIGHTS[count]:
                ranks = range(1, each + 1)
                yield from all_decompositions(X, each, mu, ranks, (0.3, 0.02), name)


# Few of the columns are sampled, and A is the second of its branches.
FLIPPED = two_flipped(24_500, 15_500, 400)


def _cases(rng):
    yield from _small(rng)
    yield FLIPPED
    yield two_flipped(5_150, 4_850, 100)
    yield ClusterExperts(3, 3, 3, 2).case(0.09)
    yield ClusterExperts(9, 9, 9, 2, uniform=True).case(4e-5)
    yield ClusterExperts(825, 875, 17, 100).case(1e-5)
    yield ClusterExperts(40, 30, 4, 2, uniform=True).case(0.1)
    yield ClusterExperts(400, 20, 15, 2, uniform=True).case(0.4)
    mu = np.full(4, 0.25)
    yield drawn_experts(patients(), 20, mu, 3, 0.02, "diabetes, linear, 4 experts")


# --- As printed -------------------------------------------------------------------


def _breached(bound, norm, says) -> Claim:
    """The bound fails with probability at most delta, in exact logarithms."""
    return Claim(
        says,
        observe=lambda case, _: case.surprise(bound, norm),
        expected=lambda case, _: case.nats,
        relation=">=",
        scale=one,
    )


_IN_LOGS = r"the printed bound fails with probability at most $\delta$, in logarithms"
_SPECTRAL = (
    r"for any $\mu$ in the simplex $\|K - \tilde K^{ens}\|_2 \le \|K - K_k\|_2 + "
    r"\frac{2n}{\sqrt l} K_{\max} \bigl[1 + \mu_{\max} p^{1/2} \sqrt{\frac{n - pl}"
    r"{n - 1/2} \frac1{\beta(pl, n)} \log \frac1\delta}\, d_{\max} / K_{\max}^{1/2}"
    r"\bigr]$"
)
_FROBENIUS = (
    r"for any $\mu$ in the simplex $\|K - \tilde K^{ens}\|_F \le \|K - K_k\|_F + "
    r"\bigl[\frac{64 k}{l}\bigr]^{1/4} n K_{\max} \bigl[1 + \mu_{\max} p^{1/2} "
    r"\sqrt{\frac{n - pl}{n - 1/2} \frac1{\beta(pl, n)} \log \frac1\delta}\, d_{\max} "
    r"/ K_{\max}^{1/2}\bigr]^{1/2}$"
)

_PRINTED = (
    Printed(
        _SPECTRAL + ", here with equal weights",
        "false statement",
        r"Two orthogonal clusters of 65 equal points, $p = 2$, $l = 65$, $k = 2$ and "
        r"equal weights. All columns are used, $pl = n$, so the deviation is zero for "
        r"every $\delta$ and the bound is $260 / \sqrt{65} = 32.249$. With probability "
        r"$2 / \binom{130}{65}$ each expert sees one cluster only; then $K - \tilde "
        r"K^{ens} = \frac12 K$ and the error is 32.5. Theorem 5.1 needs a function "
        r"that is symmetric in all $pl$ columns; $\sum_r \mu_r \varphi_r$ depends on "
        "which expert gets which column.",
        _breached(printed_2(), 2, _IN_LOGS),
        Breach(ClusterExperts(65, 65, 65, 2, uniform=True), nats=87.0),
    ),
    Printed(
        _SPECTRAL + ", here with one expert of weight 1",
        "false statement",
        r"Clusters of 825 and 875 equal points, 100 experts with $l = 17$ columns each "
        r"and all weight on the first, $k = 2$. The first expert misses a cluster with "
        r"probability $1.58 \cdot 10^{-5}$ and then errs by 825 or 875; the bound is "
        r"824.62 for every $\delta$, because $pl = n$.",
        holds_often(
            r"the printed bound fails with probability at most $\delta = 10^{-5}$",
            "error_2",
            printed_2(),
        ),
        ClusterExperts(825, 875, 17, 100).case(1e-5),
    ),
    Printed(
        _SPECTRAL + r", here with $pl < n$ and the lost $\sqrt 2$ given back",
        "false statement",
        r"Not an artefact of $pl = n$: clusters of 5000 and 5001 points, 50 experts "
        r"with $l = 200$ columns, all weight on the first, $k = 2$, $\log \frac1\delta "
        r"= 140.64$. The bound is 3091.7, and 3786.4 with the factor $\sqrt 2$ that "
        "the proof of Theorem 5.2 loses; the first expert misses a cluster, an error "
        r"of at least 5000, with a probability above $\delta$.",
        _breached(printed_2(sp.sqrt(2)), 2, _IN_LOGS),
        Breach(ClusterExperts(5001, 5000, 200, 50), nats=140.64),
    ),
    Printed(
        _FROBENIUS + ", here with one expert of weight 1",
        "false statement",
        r"Clusters of 3800 and 200 equal points, 20 experts with $l = 200$ columns and "
        r"all weight on the first, $k = 2$, $pl = n$. If the first expert sees exactly "
        r"the small cluster, the error is 3800, and the bound is $(128/200)^{1/4} "
        r"\cdot 4000 = 3577.7$ for every $\delta$.",
        _breached(printed_F(), "F", _IN_LOGS),
        Breach(ClusterExperts(3800, 200, 200, 20), nats=1000.0),
    ),
    Printed(
        _FROBENIUS + ", here with equal weights",
        "false statement",
        r"Two clusters of $l = 8193$ equal points, $p = 2$, $k = 2$, equal weights and "
        r"$pl = n$. If each expert sees one cluster only, the error is $\frac12 \sqrt 2"
        r"\, l = 5793.33$; the bound is 5793.15 for every $\delta$. The event has the "
        r"probability $2 / \binom{2l}{l} > 0$.",
        _breached(printed_F(), "F", _IN_LOGS),
        Breach(ClusterExperts(8193, 8193, 8193, 2, uniform=True), nats=11400.0),
    ),
)


# --- The counterexample by algebra ------------------------------------------------


def _derive_smallest():
    """Two clusters of l points, two experts that see one each: squared error, bound."""
    size = sp.Symbol("l", positive=True)
    return (
        Step(
            sp.Mul(
                (size / 2) ** 2,
                sp.Pow((2 * (2 * size) / sp.sqrt(size)) ** 2, -1, evaluate=False),
                evaluate=False,
            ),
            r"the squared error $\frac l2$ of $K - \tilde K^{ens} = \frac12 K$ over "
            r"the square of the printed bound $\frac{2n}{\sqrt l}$, $n = 2l$",
        ),
        Step(size / 64, r"above 1 from $l = 65$ on"),
    )


# --- Theorem 5.3 ------------------------------------------------------------------


def _too_symmetric(tail) -> Formula:
    """The second branch with alpha(m, n - m), as if all m columns were one sample."""
    left = plus(n, -m)
    beta = plus(1, -over(1, times(2, sp.Max(m, left, evaluate=False))))
    alpha = over(times(m, left), times(plus(n, -sp.Rational(1, 2)), beta))
    return fixed_weights(tail, variance=times(mu_max**2, alpha))


def _alone(case):
    """A case of one sample as that of one expert."""
    return replace(case, values={**case.values, "experts": 1, "mu_max": 1.0})


def _without_hypotheses() -> Iterator[Control]:
    """The bound for fixed weights: one expert as in Theorem 5.2, and odd weights."""
    repeated = error_cases.with_repetitions(np.eye(2), 2, 2, 0.4, "two points, twice")
    far = all_decompositions(np.eye(2), 1, [10.0, -9.0], [1], [0.5], "two points")
    for drops, case in (
        (DIFFERENT, _alone(repeated)),
        (UNIFORM, _alone(error_cases.always_at_the_origin())),
        (SEMIDEFINITE, _alone(error_cases.indefinite())),
        ("weights of the simplex", next(far)),
        # Experts err too rarely for one of them alone, but there are 400.
        (
            "weights that are fixed before sampling",
            any_flipped(13_771, 6_629, 51, 400, 0.3),
        ),
    ):
        says = "fixed weights, spectral norm"
        yield Control(
            holds_often(says, "error_2", fixed_weights(tail_2)), case, drops=drops
        )


ENSEMBLE = Theorem(
    id="talwalkar2010:thm-5.3",
    part="III",
    kind="probability",
    status="refuted",
    title="Error of the ensemble Nyström method",
    number="Theorem 5.3",
    statement=(
        r"Let $K$ be positive semidefinite of size $n \ge 2$, let $pl \le n$ different "
        r"columns be drawn uniformly and cut into $p$ samples of $l$, let $\tilde K_r$ "
        r"be the rank-$k$ Nyström approximation from the $r$th, $k \le l$, and $\tilde "
        r"K^{ens} = \sum_r \mu_r \tilde K_r$ with weights $\mu$ of the simplex that "
        r"are fixed before sampling. Let $0 < \delta \le 1$; let $e_l$, $g_F$ and "
        r"$\alpha_\sharp$ be as in Theorem 5.2 and $A = \min\bigl\{\alpha_\sharp(l, "
        r"n-l),\; \mu_{\max}^2\, pl\, (1 + \frac{pl}{n})^2\bigr\}$. Then with "
        r"probability at least $1 - \delta$, for $\xi = 2$ and $\xi = F$ at once, $\|K "
        r"- \tilde K^{ens}\|_\xi \le \|K - K_k\|_\xi + \sqrt 2 \Bigl[e_l + \frac nl\, "
        r"g_F \sqrt{\tfrac12 A \log \tfrac1\delta}\Bigr]$. For weights that are "
        r"computed from the sample the same holds with $A = \alpha_\sharp(l, n-l)$ and "
        r"$\log \frac p\delta$ in place of $\log \frac1\delta$."
    ),
    # The factor 1 + pl/n is not known to be necessary either.
    not_known_necessary=(RANK_IN_RANGE.says,),
    hypotheses=(
        *HYPOTHESES,
        Hypothesis(
            r"$pl \le n$",
            ("n", "l", "experts"),
            lambda n, l, experts: experts * l <= n,  # noqa: E741
            domain=True,
        ),
    ),
    claims=(
        holds_often("fixed weights, spectral norm", "error_2", fixed_weights(tail_2)),
        holds_often(
            "fixed weights, Frobenius norm", "error_F", fixed_weights(tail_F), is_listed
        ),
        holds_often(
            "any weights, spectral norm: the worst expert",
            "worst_2",
            any_weights(tail_2),
            is_listed,
        ),
        holds_often(
            "any weights, Frobenius norm: the worst expert",
            "worst_F",
            any_weights(tail_F),
            is_listed,
        ),
        holds_often(
            "fixed weights, the larger excess of both norms",
            excess_at_once,
            _with(_excess_of_fixed(), A=_SMALLER),
            is_listed,
        ),
        holds_often(
            "any weights, the larger excess of both norms: the worst expert",
            lambda outcome: excess_at_once(outcome, ("worst_2", "worst_F")),
            formula(_excess_of_any()),
            is_listed,
        ),
    ),
    instances=_cases,
    own_suite=True,
    derivation=_derive_smallest,
    controls=(
        Control(
            holds_often(
                r"$A = \mu_{\max}^2 \alpha(pl, n - pl)$, all columns as one sample",
                "error_2",
                _too_symmetric(tail_2),
            ),
            ClusterExperts(3, 3, 3, 2).case(0.09),
        ),
        Control(
            holds_often(
                "the same with equal weights",
                "error_2",
                _too_symmetric(tail_2),
            ),
            ClusterExperts(9, 9, 9, 2, uniform=True).case(4e-5),
        ),
        Control(
            holds_often(
                "six tenths of the deviation; two experts that err in the same way",
                "error_2",
                fixed_weights(tail_2, factor=sp.Rational(3, 5)),
            ),
            FLIPPED,
        ),
        *_without_hypotheses(),
    ),
    printed=_PRINTED,
)
