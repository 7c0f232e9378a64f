"""Part III: uniform columns, and what the coherence of the leading vectors costs.

Gittens 2011; Gittens and Mahoney 2013: the structural bound with Tropp's matrix
Chernoff inequality.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Hypothesis, Law, Theorem
from nystheory.theorems.coherence.clusters import Clusters, missed
from nystheory.theorems.coherence.exact_recovery import recovery_case
from nystheory.theorems.coherence.hit_clusters import (
    bounded,
    by_cluster,
    clusters,
    has_exact_law,
    head,
    resampled,
    spread_out,
)
from nystheory.theorems.coherence.sampled_rows import ONE_AND_ORIGIN, no_matrix
from nystheory.theorems.concentration.violations import (
    DIFFERENT,
    SEMIDEFINITE,
    UNIFORM,
    error_of_any,
    surely,
)
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import (
    delta,
    failure_probability,
    k,
    l,
    n,
    quantity,
    tail_2,
)
from nystheory.theorems.routes import one
from nystheory.theorems.spectral import tail_trace

# All samples are listed up to so many.
LISTED = 300


def _inside_uniformly(i: Instance, points) -> float:
    """Probability that l different uniform columns all lie in a set of points."""
    return math.comb(int(points.sum()), i.l) / math.comb(i.n, i.l)


def _uniform_outcomes(i: Instance):
    if "cluster" in i.extra:
        return by_cluster(i, _inside_uniformly)
    count = math.comb(i.n, i.l)
    if count > LISTED:
        return None
    samples = combinations(range(i.n), i.l)
    return [(1 / count, resampled(i, list(s))) for s in samples]


def _uniformly(times: float = 1) -> Law:
    """Columns without replacement; the claim may fail `times` delta of the time."""
    return Law(
        lambda i, rng: resampled(i, rng.choice(i.n, i.l, replace=False)),
        _uniform_outcomes,
        lambda i: min(1.0, times * failure_probability(i)),
    )


epsilon = quantity(
    "kept_share",
    r"\varepsilon",
    "share of its mean that the smallest eigenvalue of the sampled rows must keep",
    chosen=True,
)(lambda i: float(i.extra["kept_share"]))
mu_k = quantity(
    "leading_coherence",
    r"\mu_k",
    "(n/k) times the largest leverage score of rank k",
)(lambda i: i.M / i.k if isinstance(i, Clusters) else i.n / i.k * head(i).max())


def _exponent(x):
    """Chernoff's exponent for a share x of the mean; at least ``(1 - x)^2 / 2``."""
    return 1 - x + x * sp.log(x)


_h = sp.Symbol("h")
_COLUMNS = Formula(
    sp.Mul(mu_k, k, sp.log(k / delta), 1 / _h, evaluate=False),
    where={_h: _exponent(epsilon)},
)
_PUBLISHED = Formula(
    sp.Mul(2, mu_k, k, sp.log(k / delta), (1 - epsilon) ** -2, evaluate=False)
)
_UNIFORM_2 = Formula(
    sp.Mul(
        sp.Add(1, n / (epsilon * l), evaluate=False),
        tail_2,
        evaluate=False,
    )
)
_UNIFORM_TRACE = Formula(
    sp.Mul(sp.Add(1, 1 / (delta * epsilon), evaluate=False), tail_trace, evaluate=False)
)


def _enough(kept_share, delta, l, k, leading_coherence) -> bool:  # noqa: E741
    given = {"kept_share": kept_share, "delta": delta, "k": k}
    return l >= _COLUMNS(leading_coherence=leading_coherence, **given) * (1 - 1e-12)


# Where the share or delta is not positive the formulas are no numbers; a share above
# 1, and fewer columns, are refuted by controls.
_UNIFORM_HYPOTHESES = (
    Hypothesis(
        r"$0 < \varepsilon < 1$ and $0 < \delta < 1$",
        ("kept_share", "delta"),
        lambda kept_share, delta: 0 < kept_share < 1 and 0 < delta < 1,
    ),
    Hypothesis(
        r"$l \ge \mu_k k \ln(k/\delta) / h(\varepsilon)$",
        ("kept_share", "delta", "l", "k", "leading_coherence"),
        _enough,
    ),
)


def with_columns(i: Instance, **extra) -> Instance:
    """As many columns as the theorem on uniform columns asks for, rounded up."""
    case = i.but(extra={**i.extra, **extra})
    names = ("kept_share", "delta")
    given = {name: case.extra[name] for name in names}
    wanted = _COLUMNS(k=case.k, leading_coherence=i.n / i.k * head(i).max(), **given)
    return case.but(landmarks=range(min(case.n, math.ceil(wanted))))


def _uniform_cases(rng):
    masses = [4e6, 3e6, 2e6, 1.0, 0.5]
    few = {"kept_share": 0.01, "delta": 0.1}
    yield with_columns(clusters(masses, [60, 60, 60, 60, 20], 3), **few)
    yield with_columns(clusters(masses, [300, 80, 90, 60, 20], 3), **few)
    yield with_columns(clusters([1e6] * 6, [50] * 6, 6), kept_share=0.001, delta=0.3)
    yield with_columns(clusters(masses, [60] * 5, 3), kept_share=0.4, delta=0.3)
    for spread in (0.2, 1.0):
        u = 1 + spread * rng.uniform(-1, 1, 10)
        X = np.vstack([100 * u, rng.standard_normal((5, 10))])
        case = Instance.from_points(X, [0], 1, "one long direction")
        yield with_columns(case, kept_share=0.2, delta=0.4)
    yield with_columns(spread_out(256, 80, 3), kept_share=0.5, delta=0.1, trials=True)


def _derive_exponent():
    s, t, x = sp.symbols("s t varepsilon", positive=True)
    lower = -(sp.exp(-s) - 1 + s * (1 - t))
    best = {s: -sp.log(1 - t)}
    at_best = [sp.simplify(e.subs(best)) for e in (lower, sp.diff(lower, s))]
    return (
        Step(
            sp.Matrix([lower, sp.diff(lower, s)]),
            "Laplace transform: the exponent of the lower tail at deviation $t$, and "
            "its slope in the free parameter $s$",
        ),
        Step(sp.Matrix(at_best), r"at $s = -\ln(1 - t)$ the slope vanishes", best),
        Step(
            sp.Matrix([_exponent(x), 0]),
            r"with $t = 1 - \varepsilon$: $h(\varepsilon)$",
            {t: 1 - x},
        ),
    )


_ALONE = clusters([100.0, 1.0], [1, 199], 1, 20, kept_share=0.5, delta=0.1)

# A flat leading vector; the second eigenvector is on two of the ten points.
_TWO_STAND_OUT = Instance.from_points(
    np.vstack([np.full(10, 1e3), np.r_[1.0, -1.0, np.zeros(8)]]),
    [0],
    1,
    "two points stand out",
    kept_share=4.0,
    delta=0.1,
)
_SMALL_DIAGONAL = Instance(
    np.array([[0.01, 1], [1, 0.01]]), [0], 1, extra={"kept_share": 0.1, "delta": 0.6}
)

UNIFORM_COHERENCE = Theorem(
    id="modern:uniform-coherence",
    part="III",
    kind="probability",
    status="holds",
    title="Uniform columns and the coherence of the leading eigenvectors",
    number="Gittens 2011; Gittens and Mahoney 2013",
    statement=(
        r"Let $K$ be positive semidefinite, $U_1$ its $k$ leading eigenvectors, $\mu_k "
        r"= \frac nk \max_i \|(U_1)_{i,:}\|^2$, $0 < \varepsilon < 1$, $0 < \delta < "
        r"1$ and $h(\varepsilon) = 1 - \varepsilon + \varepsilon \ln \varepsilon$. Let "
        r"$l \ge \mu_k k \ln(k/\delta) / h(\varepsilon)$ different columns be drawn "
        r"uniformly; since $h(\varepsilon) \ge \frac12 (1 - \varepsilon)^2$, the "
        r"published $2 \mu_k k \ln(k/\delta) / (1 - \varepsilon)^2$ are enough. Then, "
        r"with $E = K - C W^+ C^\top$, $\|E\|_2 \le (1 + \frac{n}{\varepsilon l}) "
        r"\lambda_{k+1}$ with probability at least $1 - \delta$, and "
        r"$\operatorname{tr} E \le (1 + \frac{1}{\delta \varepsilon}) \sum_{j>k} "
        r"\lambda_j$ with probability at least $1 - 2 \delta$. If $\operatorname{rank} "
        r"K = k$ this is exact recovery."
    ),
    hypotheses=_UNIFORM_HYPOTHESES,
    # The inequality of Chernoff holds for repeated columns too, but not the norm 1 of
    # the matrix that picks the columns, which the proof also uses.
    not_known_necessary=(DIFFERENT,),
    claims=(
        bounded("the spectral norm", 0, _UNIFORM_2, _uniformly()),
        bounded("the trace", 2, _UNIFORM_TRACE, _uniformly(2), applies=has_exact_law),
        Claim(
            r"the published number of columns is at least $\mu_k k \ln(k/\delta) / "
            r"h(\varepsilon)$",
            observe=lambda i, _: _COLUMNS(
                kept_share=i.extra["kept_share"],
                delta=i.extra["delta"],
                k=i.k,
                leading_coherence=i.n / i.k * head(i).max(),
            ),
            formula=_PUBLISHED,
            relation="<=",
            scale=lambda i: float(i.n),
        ),
    ),
    derivation=_derive_exponent,
    instances=_uniform_cases,
    own_suite=True,
    controls=(
        Control(
            Claim(
                r"$0.9\, \mu_k k \ln(k/\delta)$ columns recover rank $k$, $\varepsilon "
                r"\to 0$",
                observe=lambda i, _: missed(i),
                formula=Formula(delta),
                relation="<=",
                scale=one,
                condition=no_matrix,
            ),
            recovery_case(Clusters.equal(50, 400, 1, delta=0.05), 0.9),
        ),
        Control(
            bounded(
                r"coherence does not matter: $k \ln(k/\delta)/h(\varepsilon)$ columns",
                0,
                _UNIFORM_2,
                _uniformly(),
            ),
            _ALONE,
            drops=_UNIFORM_HYPOTHESES[1].says,
        ),
        Control(
            bounded(
                r"the spectral norm, $\varepsilon = 4$", 0, _UNIFORM_2, _uniformly()
            ),
            _TWO_STAND_OUT,
            drops=_UNIFORM_HYPOTHESES[0].says,
        ),
        Control(
            bounded(
                "the spectral norm, where only the origin is drawn",
                0,
                _UNIFORM_2,
                surely(failure_probability),
            ),
            ONE_AND_ORIGIN.but(kept_share=0.5, delta=0.1),
            drops=UNIFORM,
        ),
        Control(
            Claim(
                "the spectral norm, eigenvalues $1.01$ and $-0.99$",
                observe=error_of_any,
                formula=_UNIFORM_2,
                relation="<=",
                law=_uniformly(),
            ),
            _SMALL_DIAGONAL,
            drops=SEMIDEFINITE,
        ),
    ),
)
