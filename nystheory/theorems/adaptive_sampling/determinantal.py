"""Determinantal samples: the mean of the approximation in closed form.

Deshpande, Rademacher, Vempala and Wang 2006; Guruswami and Sinop 2012; Derezinski and
Mahoney 2021; Fanuel, Schreurs and Suykens 2021.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import sympy as sp

from nystheory import lowrank
from nystheory.theorems.base import Claim, Control, Hypothesis, Law, Theorem
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.laws import without_replacement
from nystheory.theorems.quantities import k, l
from nystheory.theorems.routes import RANK_IN_RANGE, one
from nystheory.theorems.spectral import (
    alpha,
    d_eff,
    log_symmetric,
    ratio_of_symmetric,
    ridge,
    symmetric_ratio,
    tail_trace,
)
from nystheory.theorems.subsets import (
    LISTED,
    elementary_symmetric,
    fractions_of,
    small_instances,
    subsets,
)

# --- Samples of a fixed size ------------------------------------------------------


_WHOLE_SAMPLE = Hypothesis(
    r"$l \le \operatorname{rank} K$",
    ("l", "rank_K"),
    lambda l, rank_K: l <= rank_K,  # noqa: E741
)


def _normalised(outcomes) -> list:
    """Weights scaled to sum 1."""
    outcomes = list(outcomes)
    total = math.fsum(weight for weight, _ in outcomes)
    return [(weight / total, outcome) for weight, outcome in outcomes]


def _law(weights) -> Law:
    """The law whose outcomes `weights` lists, with weights of any sum."""

    def outcomes(i):
        return _normalised(weights(i)) if i.n <= LISTED else None

    def draw(i, rng):
        listed = _normalised(weights(i))
        return listed[rng.choice(len(listed), p=[p for p, _ in listed])][1]

    return Law(draw, outcomes)


def _of_size_l(i: Instance):
    for S, det, _ in subsets(i.K):
        if len(S) == i.l:
            yield det, i.but(landmarks=S)


volume_law = _law(_of_size_l)


def trace_error(i: Instance, _) -> float:
    """Trace of the error with the landmarks of i, K itself without any."""
    if i.l == 0:
        return float(np.trace(i.K))
    return lowrank.nystrom(i.K, i.landmarks).error(i.K, "trace")


def _mean_by_elimination(i: Instance, _) -> float:
    listed = [(d, np.trace(E)) for S, d, E in subsets(i.K) if len(S) == i.l]
    return sum(d * t for d, t in listed) / sum(d for d, _ in listed)


def _mean_exactly(i: Instance) -> bool:
    """Sums of determinants against the characteristic polynomial, in fractions."""
    K = fractions_of(i.K)
    listed = [(d, np.trace(E)) for S, d, E in subsets(K) if len(S) == i.l]
    e = [*elementary_symmetric(K), 0]
    return (
        sum(d for d, _ in listed) == e[i.l]
        and sum(d * t for d, t in listed) == (i.l + 1) * e[i.l + 1]
    )


@lru_cache(maxsize=16)
def _mean_over_tail(l) -> float:  # noqa: E741
    """The mean error over the best one of rank l, for ``10^6, ..., 10^6, 1``."""
    K = np.diag(np.r_[np.full(l, 1e6), 1.0])
    return _mean_by_elimination(Instance(K, range(l), l), None)


def _condition_of_sample(i: Instance) -> float:
    """Mean amplification of rounding in a determinant: ``norm(K) / det * d det``."""
    logs = log_symmetric(i, i.l)
    return 1.0 + i.norm_K * i.n * math.exp(logs[-2] - logs[-1])


def _is_listed(i: Instance) -> bool:
    return i.n <= LISTED


def _spectra(rng):
    """Small matrices, and larger ones for which only the formulas are compared."""
    yield from small_instances(rng)
    j = np.arange(60.0)
    for name, values in (
        ("slow spectrum", 1 / (1 + j)),
        ("fast spectrum", 0.6**j),
        ("flat spectrum", np.ones(60)),
        ("a step of 1e6", np.r_[np.full(10, 1e6), np.ones(50)]),
    ):
        for n_landmarks in (1, 10, 40, 60):
            rank = int(rng.integers(1, n_landmarks + 1))
            X = np.diag(np.sqrt(values))
            yield Instance.from_points(X, range(n_landmarks), rank, name)


def _times(constant, factor) -> Formula:
    return Formula(sp.Mul(constant, factor, evaluate=False))


_SIZE = sp.Add(l, 1, evaluate=False)
_SHARE = sp.Mul(_SIZE, sp.Pow(sp.Add(l, 1, -k, evaluate=False), -1), evaluate=False)
_VALUE = _times(_SIZE, symmetric_ratio)
_BOUND = _times(_SHARE, tail_trace)


def _derive_fixed_size():
    a, c = sp.symbols("a c", positive=True)
    b = sp.Symbol("b", real=True)
    one_left, other_left = c - b**2 / a, a - b**2 / c
    return (
        Step(
            a / (a + c) * one_left + c / (a + c) * other_left,
            r"one landmark of a $2 \times 2$ matrix with diagonal $a, c$ and "
            "off-diagonal entry $b$, chosen in proportion to the diagonal",
        ),
        Step(2 * (a * c - b**2) / (a + c), r"$(l+1)\, e_2 / e_1$ for $l = 1$"),
    )


_FAR = Instance(np.diag([1000.0, 1]), [0], 1, X=np.diag(np.sqrt([1000.0, 1])))

K_DPP = Theorem(
    id="modern:k-dpp-expectation",
    part="II",
    kind="expectation",
    status="holds",
    title="Mean error of volume-weighted samples",
    number="Deshpande et al. 2006; Guruswami and Sinop 2012",
    statement=(
        r"Let $K$ be positive semidefinite with eigenvalues $\lambda_1 \ge \lambda_2 "
        r"\ge \dots$, let $1 \le k \le l \le \operatorname{rank} K$, and let a set $S$ "
        r"of $l$ landmarks be drawn with probability proportional to $\det K_{SS}$. "
        r"Then $\mathbb E \operatorname{tr}(K - \tilde K) = (l+1)\, "
        r"\frac{e_{l+1}(\lambda)}{e_l(\lambda)} \le \frac{l+1}{l+1-k} "
        r"\sum_{j>k} \lambda_j$, where $e_j$ is the elementary symmetric polynomial "
        r"of degree $j$. For $k = l$ the factor is $l + 1$, and no smaller one will "
        "do, whatever $l$ is."
    ),
    hypotheses=(RANK_IN_RANGE, _WHOLE_SAMPLE),
    claims=(
        Claim(
            "the mean error in the trace",
            observe=trace_error,
            formula=_VALUE,
            condition=_condition_of_sample,
            applies=_is_listed,
            law=volume_law,
        ),
        Claim(
            "the same mean by elimination, and in exact arithmetic",
            observe=_mean_by_elimination,
            formula=_VALUE,
            condition=_condition_of_sample,
            applies=_is_listed,
            exact=_mean_exactly,
        ),
        Claim(
            r"at most $\frac{l+1}{l+1-k}$ times the best error of rank $k$",
            observe=lambda i, _: (i.l + 1) * ratio_of_symmetric(i),
            formula=_BOUND,
            relation="<=",
        ),
        Claim(
            "for each $k = l$ tried, a matrix reaches the factor $l + 1$ to $10^{-4}$",
            observe=lambda i, _: _mean_over_tail(i.l),
            expected=lambda i, _: (i.l + 1) * (1 - 1e-4),
            relation=">=",
            applies=lambda i: i.l < LISTED,
            scale=lambda i: i.l + 1.0,
        ),
    ),
    instances=_spectra,
    own_suite=True,
    derivation=_derive_fixed_size,
    controls=(
        Control(
            Claim(
                r"the factor $l + \frac{99}{100}$ is enough for $k = l$",
                observe=trace_error,
                formula=_times(l + sp.Rational(99, 100), tail_trace),
                relation="<=",
                law=volume_law,
            ),
            _FAR,
        ),
        Control(
            Claim(
                "uniform samples of the same size obey the bound",
                observe=trace_error,
                formula=_BOUND,
                relation="<=",
                law=without_replacement(),
            ),
            _FAR,
        ),
        Control(
            Claim(
                "the mean is the same for weights that are squared determinants",
                observe=trace_error,
                formula=_VALUE,
                law=_law(lambda i: ((det**2, o) for det, o in _of_size_l(i))),
            ),
            _FAR,
        ),
    ),
)


# --- Samples of random size -------------------------------------------------------


_POSITIVE_RIDGE = Hypothesis(r"$\alpha > 0$", ("alpha",), lambda alpha: alpha > 0)


def _of_any_size(i: Instance):
    for S, det, _ in subsets(i.K):
        yield det / ridge(i) ** len(S), i.but(landmarks=S)


def _mean_approximation(i: Instance, _) -> np.ndarray:
    listed = [(d / ridge(i) ** len(S), E) for S, d, E in subsets(i.K)]
    total = math.fsum(weight for weight, _ in listed)
    return i.K - sum(weight / total * E for weight, E in listed)


def _ridge_shrunk(i: Instance, _) -> np.ndarray:
    return i.K @ np.linalg.solve(i.K + ridge(i) * np.eye(i.n), i.K)


def _mean_approximation_exactly(i: Instance) -> bool:
    """The identity times ``det(I + K / alpha) (K + alpha I)``, in fractions."""
    K, a = fractions_of(i.K), fractions_of(ridge(i))[0, 0]
    weighted = sum(d / a ** len(S) * (K - E) for S, d, E in subsets(K))
    total = sum(e / a**j for j, e in enumerate(elementary_symmetric(K)))
    shifted = K + a * fractions_of(np.eye(i.n))
    return bool((weighted @ shifted == total * (K @ K)).all())


def _sum_of_weights(i: Instance, _) -> float:
    return math.fsum(weight for weight, _ in _of_any_size(i))


def _sum_of_weights_exactly(i: Instance) -> bool:
    K, a = fractions_of(i.K), fractions_of(ridge(i))[0, 0]
    found = sum(d / a ** len(S) for S, d, _ in subsets(K))
    return found == sum(e / a**j for j, e in enumerate(elementary_symmetric(K)))


def _determinant(i: Instance, _=None) -> float:
    """``det(I + K / alpha)``."""
    return float(np.linalg.det(np.eye(i.n) + i.K / ridge(i)))


def _with_ridge(i: Instance, rng) -> Instance:
    return i.but(alpha=int(rng.integers(1, 6)))


def _ridged(rng):
    """Small matrices, each with a ridge between a thousandth and tenfold of norm(K)."""
    for i in small_instances(rng):
        if i.l == i.n:
            ratio = 10.0 ** rng.uniform(-3, 1)
            yield i.but(alpha=ratio * (i.norm_K or 1.0))


def _condition_of_ridge(i: Instance) -> float:
    return 1.0 + i.n * i.norm_K / ridge(i)


def _derive_random_size():
    a, c, t = sp.symbols("a c alpha", positive=True)
    b = sp.Symbol("b", real=True)
    K = sp.Matrix([[a, b], [b, c]])
    weights = (a / t, c / t, K.det() / t**2)
    parts = (K[:, :1] * K[:1, :] / a, K[:, 1:] * K[1:, :] / c, K)
    total = 1 + sum(weights)
    mean = sum((w * p for w, p in zip(weights, parts, strict=True)), sp.zeros(2))
    return (
        Step(
            mean / total,
            r"the four subsets of a $2 \times 2$ matrix; the empty one adds nothing",
        ),
        Step(
            K * (K + t * sp.eye(2)).inv() * K,
            r"$K (K + \alpha I)^{-1} K$, multiplied out",
        ),
    )


def _not_empty(i: Instance):
    return ((weight, o) for weight, o in _of_any_size(i) if o.l > 0)


_ERROR = _times(alpha, d_eff)
_TWO = Instance(np.diag([2.0, 1]), [0], 1, extra={"alpha": 1})

DPP = Theorem(
    id="modern:dpp-expectation",
    part="II",
    kind="expectation",
    status="holds",
    title="The mean of a determinantal sample is ridge regression",
    number="Dereziński and Mahoney 2021; Fanuel, Schreurs and Suykens 2021",
    statement=(
        r"Let $K$ be positive semidefinite, $\alpha > 0$, and let $S$ be drawn among "
        r"all subsets of $\{1, \dots, n\}$ with probability $\det(K_{SS} / \alpha) / "
        r"\det(I + K / \alpha)$, where the empty set has determinant $1$ and "
        r"$\tilde K = 0$. Then $\mathbb E\, \tilde K = K (K + \alpha I)^{-1} K$. With "
        r"the effective dimension $d_{\mathrm{eff}}(\alpha) = \operatorname{tr} "
        r"K (K + \alpha I)^{-1}$, the mean error is $\mathbb E \operatorname{tr}"
        r"(K - \tilde K) = \alpha\, d_{\mathrm{eff}}(\alpha)$ and the mean number of "
        r"landmarks is $\mathbb E |S| = d_{\mathrm{eff}}(\alpha)$."
    ),
    hypotheses=(_POSITIVE_RIDGE,),
    claims=(
        Claim(
            r"the mean error in the trace is $\alpha\, d_{\mathrm{eff}}(\alpha)$",
            observe=trace_error,
            formula=_ERROR,
            condition=_condition_of_ridge,
            law=_law(_of_any_size),
        ),
        Claim(
            r"the mean number of landmarks is $d_{\mathrm{eff}}(\alpha)$",
            observe=lambda i, _: i.l,
            formula=Formula(d_eff),
            condition=_condition_of_ridge,
            scale=one,
            law=_law(_of_any_size),
        ),
        Claim(
            r"$\mathbb E\, \tilde K = K (K + \alpha I)^{-1} K$, every entry",
            observe=_mean_approximation,
            expected=_ridge_shrunk,
            condition=_condition_of_ridge,
            exact=_mean_approximation_exactly,
        ),
        Claim(
            r"the weights $\det(K_{SS} / \alpha)$ sum to $\det(I + K / \alpha)$",
            observe=_sum_of_weights,
            expected=_determinant,
            condition=_condition_of_ridge,
            scale=_determinant,
            exact=_sum_of_weights_exactly,
        ),
    ),
    complete=_with_ridge,
    instances=_ridged,
    own_suite=True,
    derivation=_derive_random_size,
    controls=(
        Control(
            Claim(
                "the same mean error when the empty sample is drawn again",
                observe=trace_error,
                formula=_ERROR,
                law=_law(_not_empty),
            ),
            Instance(np.eye(1), [0], 1, extra={"alpha": 1}),
        ),
        Control(
            Claim(
                "the same mean error for weights that are squared determinants",
                observe=trace_error,
                formula=_ERROR,
                law=_law(lambda i: ((w**2, o) for w, o in _of_any_size(i))),
            ),
            _TWO,
        ),
        Control(
            Claim(
                r"$\mathbb E\, \tilde K = K (K + 2 \alpha I)^{-1} K$",
                observe=_mean_approximation,
                expected=lambda i, r: _ridge_shrunk(i.but(alpha=2 * ridge(i)), r),
            ),
            _TWO,
        ),
    ),
)
