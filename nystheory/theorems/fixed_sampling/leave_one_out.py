"""The error with one landmark fewer, estimated from the sampled columns alone.

The leave-one-out estimators of Epperly and Tropp 2024, for uniform columns.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import sympy as sp

from nystheory import certificates, lowrank
from nystheory.certificates import residual_columns, schur_complements
from nystheory.kernels import DenseKernel
from nystheory.theorems import rational
from nystheory.theorems.adaptive_sampling.determinantal import trace_error, volume_law
from nystheory.theorems.base import Claim, Control, Hypothesis, Theorem
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.laws import without_replacement
from nystheory.theorems.quantities import l, n, quantity
from nystheory.theorems.routes import full_rank
from nystheory.theorems.subsets import (
    LISTED,
    fractions_of,
    small_instances,
)

schur_sum = quantity(
    "schur_sum",
    r"\textstyle\sum_j 1 / (W^{-1})_{jj}",
    "sum of the Schur complements of the landmarks in W",
    of_sample=True,
)(lambda i: float(schur_complements(i.W).sum()))

residual_sum = quantity(
    "residual_sum",
    r"\textstyle\sum_j \|C W^{-1} e_j\|^2 / (W^{-1})_{jj}^2",
    "sum of the squared sampled columns, each after the other landmarks",
    of_sample=True,
)(lambda i: float((residual_columns(i.C, i.landmarks) ** 2).sum()))

_DISTINCT = Hypothesis(
    "no landmark repeats",
    ("repeats",),
    lambda repeats: repeats == 0,
)
quantity("repeats", r"l - |S|", "landmarks that were drawn before", of_sample=True)(
    lambda i: i.l - len(set(i.landmarks.tolist()))
)

_SCALED = sp.Mul(sp.Add(n, -l, 1, evaluate=False), sp.Pow(l, -1), evaluate=False)
_TRACE = Formula(sp.Mul(_SCALED, schur_sum, evaluate=False))
_FROBENIUS = Formula(sp.Mul(_SCALED, residual_sum, evaluate=False))


def _without(i: Instance, j: int) -> Instance:
    return i.but(landmarks=np.delete(i.landmarks, j))


def _error(i: Instance) -> np.ndarray:
    if i.l == 0:
        return i.K
    return i.K - lowrank.nystrom(i.K, i.landmarks).spectral_reconstruction()


def _one_by_one(i: Instance, _) -> float:
    """The trace estimator from l approximations with a landmark left out."""
    left = [_error(_without(i, j))[m, m] for j, m in enumerate(i.landmarks)]
    return (i.n - i.l + 1) / i.l * float(sum(left))


def _columns_one_by_one(i: Instance, _) -> float:
    left = [_error(_without(i, j))[:, m] for j, m in enumerate(i.landmarks)]
    return (i.n - i.l + 1) / i.l * float(np.sum(np.square(left)))


def _mean_with_one_fewer(measured):
    """The mean of a measure of the error over all samples of size l - 1."""

    def mean(i, _):
        law = without_replacement()
        fewer = i.but(landmarks=i.landmarks[1:])
        return sum(p * measured(outcome) for p, outcome in law.outcomes(fewer))

    return mean


def _squared_error(i: Instance) -> float:
    return float(np.linalg.norm(_error(i)) ** 2)


def _estimate(formula):
    return lambda i, _: formula(
        n=i.n,
        l=i.l,
        schur_sum=schur_complements(i.W).sum(),
        residual_sum=(residual_columns(i.C, i.landmarks) ** 2).sum(),
    )


def _from_the_core(i: Instance, rng) -> float:
    """The estimate of the package with noise for all that is outside W."""
    K = i.norm_K * rng.standard_normal(i.K.shape)
    K = K + K.T
    K[np.ix_(i.landmarks, i.landmarks)] = i.W
    return certificates.leave_one_out_trace(DenseKernel(K), i.landmarks).value


def _mean(estimate):
    """The mean of an estimate over all samples of size l, without the machinery."""

    def mean(i, rng):
        law = without_replacement()
        return sum(p * estimate(outcome, rng) for p, outcome in law.outcomes(i))

    return mean


def _left_exactly(K, S) -> np.ndarray:
    """K less its approximation from S, in fractions; a pivot 0 is skipped."""
    for j in S:
        if K[j, j] != 0:
            K = K - np.outer(K[:, j], K[j]) / K[j, j]
    return K


def _by_inverse_exactly(i, K, S) -> np.ndarray | None:
    """``C W^-1 e_j / (W^-1)_jj`` for every j in fractions, None for a singular W."""
    W = rational.rational(i.K[np.ix_(S, S)])
    if rational.rank(W) < len(S):
        return None
    entries = W.inv().to_list()
    inverse = np.array([[Fraction(str(x)) for x in row] for row in entries])
    return K[:, S] @ inverse / np.diag(inverse)


def _means_exactly(i: Instance) -> bool:
    K = fractions_of(i.K)
    share = Fraction(i.n - i.l + 1, i.l) / comb(i.n, i.l)
    trace = frobenius = Fraction(0)
    for S in combinations(range(i.n), i.l):
        columns = _by_inverse_exactly(i, K, S)
        if columns is None:
            left = [_left_exactly(K, [m for m in S if m != j])[:, j] for j in S]
            columns = np.column_stack(left)
        trace += share * sum(columns[j, m] for m, j in enumerate(S))
        frobenius += share * (columns**2).sum()
    fewer = [_left_exactly(K, S) for S in combinations(range(i.n), i.l - 1)]
    return trace * len(fewer) == sum(np.trace(E) for E in fewer) and frobenius * len(
        fewer
    ) == sum((E**2).sum() for E in fewer)


def _worst_condition(i: Instance) -> float:
    """The worst amplification of rounding over all samples of the same size."""
    outcomes = without_replacement().outcomes(i)
    return max(full_rank(outcome).condition for _, outcome in outcomes)


def _listed(i: Instance) -> bool:
    return i.n <= LISTED


def _something_left(i: Instance) -> bool:
    """With l - 1 >= rank K landmarks both means are often 0, and a ratio is noise."""
    return _listed(i) and i.l <= i.rank_K


def _cases(rng):
    yield from small_instances(rng)
    low = rng.standard_normal((5, 30))
    for name, X in (
        ("rank 5", low),
        ("decaying", 0.7 ** np.arange(30)[:, None] * rng.standard_normal((30, 30))),
        ("repeated points", np.repeat(low[:, :10], 3, axis=1)),
    ):
        for n_landmarks in (1, 4, 12):
            landmarks = rng.choice(30, n_landmarks, replace=False)
            yield Instance.from_points(X, landmarks, n_landmarks, name)


def _derive_two():
    a, c = sp.symbols("a c", positive=True)
    b = sp.Symbol("b", real=True)
    K = sp.Matrix([[a, b], [b, c]])
    inverse = K.inv()
    half = sp.Rational(1, 2)
    return (
        Step(
            half * (1 / inverse[0, 0] + 1 / inverse[1, 1]),
            r"the estimate for $n = l = 2$",
        ),
        Step(
            half * (a - b**2 / c) + half * (c - b**2 / a),
            "what the second column leaves, and what the first",
        ),
    )


_ESTIMATE_TRACE, _ESTIMATE_FROBENIUS = _estimate(_TRACE), _estimate(_FROBENIUS)
_DIAGONAL = Instance(np.diag([1.0, 2, 3]), [0, 1], 2, X=np.diag(np.sqrt([1.0, 2, 3])))

LEAVE_ONE_OUT = Theorem(
    id="modern:leave-one-out-columns",
    part="II",
    kind="expectation",
    status="holds",
    title="Leave one landmark out",
    number="after Epperly and Tropp 2024",
    statement=(
        r"Let $K$ be positive semidefinite and let $S$ be $l$ landmarks drawn "
        r"uniformly without replacement. If $W = K_{SS}$ is invertible, put "
        r"$\hat T = \frac{n-l+1}{l} \sum_j \frac{1}{(W^{-1})_{jj}}$ and "
        r"$\hat F = \frac{n-l+1}{l} \sum_j \frac{\|C W^{-1} e_j\|^2}"
        r"{(W^{-1})_{jj}^2}$; if it is not, put what the other landmarks leave of "
        r"column $j$ in the place of $C W^{-1} e_j / (W^{-1})_{jj}$, and its entry $j$ "
        r"in the place of $1 / (W^{-1})_{jj}$. Then $\mathbb E\, \hat T = \mathbb E "
        r"\operatorname{tr}(K - \tilde K_{l-1})$ and $\mathbb E\, \hat F = \mathbb E\, "
        r"\|K - \tilde K_{l-1}\|_F^2$, where $\tilde K_{l-1}$ is the Nyström "
        r"approximation from $l - 1$ landmarks drawn in the same way and "
        r"$\tilde K_0 = 0$. $\hat T$ needs no entry of $K$ outside $W$."
    ),
    hypotheses=(_DISTINCT,),
    claims=(
        Claim(
            r"$\mathbb E\, \hat T$ is the mean error in the trace with $l - 1$",
            observe=_ESTIMATE_TRACE,
            expected=_mean_with_one_fewer(lambda i: trace_error(i, None)),
            condition=_worst_condition,
            applies=_something_left,
            law=without_replacement(),
        ),
        Claim(
            r"$\mathbb E\, \hat F$ is the mean squared Frobenius error with $l - 1$",
            observe=_ESTIMATE_FROBENIUS,
            expected=_mean_with_one_fewer(_squared_error),
            condition=_worst_condition,
            scale=lambda i: i.norm_K**2,
            applies=_something_left,
            law=without_replacement(),
        ),
        Claim(
            r"$\hat T$ is what $l$ approximations with a landmark left out give",
            observe=_one_by_one,
            formula=_TRACE,
            condition=lambda i: full_rank(i).condition,
        ),
        Claim(
            r"so is $\hat F$",
            observe=_columns_one_by_one,
            formula=_FROBENIUS,
            condition=lambda i: full_rank(i).condition,
            scale=lambda i: i.norm_K**2,
        ),
        Claim(
            "both means in exact arithmetic",
            observe=_mean(_ESTIMATE_TRACE),
            expected=_mean_with_one_fewer(lambda i: float(np.trace(_error(i)))),
            condition=_worst_condition,
            applies=_listed,
            exact=_means_exactly,
        ),
        Claim(
            r"$\hat T$ by the package, with noise for the entries outside $W$",
            observe=_from_the_core,
            formula=_TRACE,
            condition=lambda i: full_rank(i).condition,
        ),
    ),
    instances=_cases,
    own_suite=True,
    derivation=_derive_two,
    controls=(
        Control(
            Claim(
                "the mean error with $l$ landmarks instead of $l - 1$",
                observe=_ESTIMATE_TRACE,
                expected=lambda i, _: sum(
                    p * trace_error(o, None)
                    for p, o in without_replacement().outcomes(i)
                ),
                law=without_replacement(),
            ),
            _DIAGONAL,
        ),
        Control(
            Claim(
                "the factor $(n - l)/l$ instead of $(n - l + 1)/l$",
                observe=lambda i, r: (
                    (i.n - i.l) / (i.n - i.l + 1) * _ESTIMATE_TRACE(i, r)
                ),
                expected=_mean_with_one_fewer(lambda i: trace_error(i, None)),
                law=without_replacement(),
            ),
            _DIAGONAL,
        ),
        Control(
            Claim(
                r"the same mean for samples in proportion to $\det W$",
                observe=_ESTIMATE_TRACE,
                expected=_mean_with_one_fewer(lambda i: trace_error(i, None)),
                law=volume_law,
            ),
            _DIAGONAL,
        ),
        Control(
            Claim(
                r"a singular $W$ may be replaced by its pseudo-inverse",
                observe=lambda i, _: (
                    (i.n - i.l + 1)
                    / i.l
                    * float(np.sum(1 / np.diag(np.linalg.pinv(i.W, hermitian=True))))
                ),
                expected=_mean_with_one_fewer(lambda i: trace_error(i, None)),
                law=without_replacement(),
            ),
            Instance(np.ones((2, 2)), [0, 1], 1, X=np.ones((1, 2))),
        ),
    ),
)
