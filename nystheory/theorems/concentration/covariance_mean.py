"""The mean distance of the sampled covariance: (5.7), as an identity."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb, factorial, prod

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Hypothesis, Law, Theorem
from nystheory.theorems.concentration.covariance import (
    K_max,
    covariance_error,
    e_l,
    e_l_bound,
    e_l_replaced,
    formula,
    g_F,
)
from nystheory.theorems.concentration.violations import DIFFERENT, UNIFORM, surely
from nystheory.theorems.derivation import Step
from nystheory.theorems.instance import Instance
from nystheory.theorems.laws import ENUMERABLE, without_replacement
from nystheory.theorems.quantities import l, measure, n
from nystheory.theorems.subsets import fractions_of, small_instances

# For n = 1 the only sample is everything.
_TWO_COLUMNS = Hypothesis(
    r"$n \ge 2$",
    ("n",),
    lambda n: n >= 2,
    domain=True,
)


def _psi(i: Instance, _) -> float:
    return float(np.linalg.norm(covariance_error(i)))


def _psi_squared(i: Instance, _) -> float:
    return _psi(i, _) ** 2


def _phi(i: Instance, _) -> float:
    return float(np.linalg.norm(covariance_error(i), 2))


def _scale(i: Instance) -> float:
    """Size of the scaled sample: every norm at hand is computed from it."""
    return float(np.trace(i.K)) * i.n / i.l


def _with_replacement() -> Law:
    """Uniform samples with repetitions; those of equal counts are listed once."""

    def draw(i, rng):
        return i.but(landmarks=rng.integers(i.n, size=i.l))

    def outcomes(i):
        if i.n**i.l > ENUMERABLE:
            return None
        listed = []
        for sample in combinations_with_replacement(range(i.n), i.l):
            counts = np.bincount(sample)
            orders = factorial(i.l) // prod(factorial(int(c)) for c in counts)
            listed.append((orders / i.n**i.l, i.but(landmarks=sample)))
        return listed

    return Law(draw, outcomes)


def _mean(observe, value, says: str, relation="=", squared=False, law=None) -> Claim:
    return Claim(
        says,
        observe=observe,
        formula=formula(value),
        relation=relation,
        scale=lambda i: _scale(i) ** (2 if squared else 1),
        applies=_listed_replaced if law else None,
        law=law or without_replacement(),
    )


def _listed_replaced(i: Instance) -> bool:
    return i.n**i.l <= ENUMERABLE


def exact_psi_squared(K, landmarks) -> Fraction:
    """``|XX' - ZZ'|_F^2`` in fractions, from K alone.

    Parameters
    ----------
    K : ndarray (n, n) of fractions
    landmarks : sequence of int

    Examples
    --------
    >>> exact_psi_squared(fractions_of([[2, 0], [0, 1]]), [0])
    Fraction(5, 1)
    """
    S = list(landmarks)
    share = Fraction(len(K), len(S))
    all_pairs = (K**2).sum()
    mixed = (K[:, S] ** 2).sum()
    among = (K[np.ix_(S, S)] ** 2).sum()
    return all_pairs - 2 * share * mixed + share**2 * among


def exact_mean_square(K, n_landmarks: int) -> Fraction:
    """Right-hand side of the identity, in fractions.

    Examples
    --------
    >>> exact_mean_square(fractions_of([[2, 0], [0, 1]]), 1)
    Fraction(5, 1)
    """
    size = len(K)
    spread = sum(K[j, j] ** 2 for j in range(size)) - (K**2).sum() / size
    share = Fraction(size * (size - n_landmarks), n_landmarks * (size - 1))
    return share * spread


def _exactly(i: Instance) -> bool:
    if i.n == 1:
        return exact_psi_squared(fractions_of(i.K), i.landmarks) == 0
    K = fractions_of(i.K)
    samples = combinations(range(i.n), i.l)
    total = sum((exact_psi_squared(K, S) for S in samples), Fraction(0))
    return total / comb(i.n, i.l) == exact_mean_square(K, i.l)


def _average(i: Instance, rng) -> float:
    """The mean of psi^2 over all samples, without the machinery."""
    outcomes = without_replacement().outcomes(i)
    return sum(p * _psi_squared(o, rng) for p, o in outcomes)


def _compared(value, other, says: str) -> Claim:
    smaller = formula(value)
    names = smaller.names
    return Claim(
        says,
        observe=lambda i, _: smaller(**measure(names, i, {})),
        formula=formula(other),
        relation="<=",
        scale=_scale,
    )


def _times(*factors):
    return sp.Mul(*factors, evaluate=False)


def _root(expr):
    return sp.Pow(expr, sp.Rational(1, 2), evaluate=False)


_REMAINS = _root(sp.Add(1, -_times(l, sp.Pow(n, -1)), evaluate=False))
_SHARE = _times(n, sp.Pow(sp.sqrt(l), -1))
_HALVED = _times(g_F, sp.Pow(sp.sqrt(2), -1, evaluate=False))
_BY_DISTANCE = _times(_SHARE, _REMAINS, _HALVED)


def _cases(rng):
    yield from small_instances(rng, most=7)
    # Both bounds are attained: orthogonal points of one length.
    for n_landmarks in (1, 3, 6):
        landmarks = range(n_landmarks)
        yield Instance.from_points(np.eye(7), landmarks, 1, "orthogonal points")
    # The spectral norm attains the mean: half the points at 0, half at 1.
    yield Instance.from_points([[1.0, 0.0]], [0], 1, "a point and the origin")


def _derive_mean():
    r"""``psi^2 = sum_ij c_i c_j K_ij^2`` with ``c_i = 1 - (n/l) [i in S]``."""
    size, drawn, A, F = sp.symbols("n l A F", positive=True)
    ratio, both = size / drawn, drawn * (drawn - 1) / (size * (size - 1))
    alone = drawn / size
    square = 1 - 2 * ratio * alone + ratio**2 * alone
    mixed = 1 - 2 * ratio * alone + ratio**2 * both
    left = (size - drawn) / drawn
    return (
        Step(
            square * A + mixed * (F - A),
            r"$\mathbb E\, c_i^2$ times $A = \sum_i K_{ii}^2$, and $\mathbb E\, c_i "
            r"c_j$ times the rest of $F = \|K\|_F^2$",
        ),
        Step(
            left * A - left / (size - 1) * (F - A),
            r"$\Pr[i \in S] = \frac ln$ and $\Pr[i, j \in S] = \frac{l(l-1)}{n(n-1)}$",
        ),
        Step(
            size * (size - drawn) / (drawn * (size - 1)) * (A - F / size),
            "collected",
        ),
    )


_ORTHOGONAL = Instance.from_points(np.eye(3), [0, 1], 1)

MEAN = Theorem(
    id="talwalkar2010:eq-5.7",
    part="III",
    kind="expectation",
    status="holds",
    title="The mean distance of the sampled covariance",
    number="inequality (5.7)",
    statement=(
        r"Let $K = X^\top X$ be of size $n \ge 2$, let $S$ be $l$ columns drawn "
        r"uniformly without replacement and $V = \sum_i K_{ii}^2 - \frac1n \|K\|_F^2$. "
        r"Then $\mathbb E\, \|X X^\top - Z Z^\top\|_F^2 = e_l^2 := \frac{n (n - l)}"
        r"{l (n - 1)}\, V$. Hence $\mathbb E\, \|X X^\top - Z Z^\top\|_2 \le \mathbb E"
        r"\, \|X X^\top - Z Z^\top\|_F \le e_l$, and $e_l \le \frac{n}{\sqrt l} "
        r"\sqrt{1 - \frac ln}\, g_F / \sqrt 2$ with $g_F \le \sqrt 2\, K_{\max}$ of "
        r"(5.6), which is at most the printed bound $\frac{n}{\sqrt l} K_{\max}$. For "
        r"columns drawn with replacement the mean square is $\frac nl V$."
    ),
    hypotheses=(_TWO_COLUMNS,),
    claims=(
        _mean(_psi, e_l, r"$\mathbb E\, \|X X^\top - Z Z^\top\|_F \le e_l$", "<="),
        _mean(_phi, e_l, r"$\mathbb E\, \|X X^\top - Z Z^\top\|_2 \le e_l$", "<="),
        _mean(
            _psi_squared,
            e_l**2,
            r"$\mathbb E\, \|X X^\top - Z Z^\top\|_F^2 = e_l^2$",
            squared=True,
        ),
        _mean(
            _psi_squared,
            e_l_replaced**2,
            r"with replacement the mean square is $\frac nl V$",
            squared=True,
            law=_with_replacement(),
        ),
        Claim(
            "the identity in exact arithmetic",
            observe=_average,
            formula=formula(e_l**2),
            scale=lambda i: _scale(i) ** 2,
            exact=_exactly,
        ),
        _compared(
            e_l,
            e_l_bound,
            r"$e_l \le \frac{n}{\sqrt l} \sqrt{1 - \frac ln}\, K_{\max}$",
        ),
        _compared(
            e_l,
            _BY_DISTANCE,
            r"$e_l \le \frac{n}{\sqrt l} \sqrt{1 - \frac ln}\, g_F / \sqrt 2$",
        ),
        Claim(
            r"$\|X X^\top - Z Z^\top\|_2 \le \|X X^\top - Z Z^\top\|_F$",
            observe=_phi,
            expected=_psi,
            relation="<=",
            scale=_scale,
        ),
        _compared(g_F, _times(sp.sqrt(2), K_max), r"$g_F \le \sqrt 2\, K_{\max}$"),
        _compared(
            _BY_DISTANCE, _times(_SHARE, K_max), "this is at most the printed bound"
        ),
    ),
    instances=_cases,
    own_suite=True,
    derivation=_derive_mean,
    controls=(
        Control(
            _mean(
                _psi_squared,
                e_l_replaced**2,
                "without replacement the mean square is the same as with it",
                squared=True,
            ),
            _ORTHOGONAL,
        ),
        Control(
            _mean(
                _psi,
                e_l,
                r"the mean of the norm is $e_l$, not only at most that",
            ),
            Instance.from_points(np.diag([1.0, 2.0, 3.0]), [0], 1),
        ),
        Control(
            _compared(
                e_l,
                _times(sp.Float("0.99", 2), e_l_bound),
                r"one percent less: orthogonal points of one length attain the bound",
            ),
            _ORTHOGONAL,
        ),
        Control(
            _mean(
                _psi_squared,
                e_l**2,
                r"$\mathbb E\, \|X X^\top - Z Z^\top\|_F^2 = e_l^2$ with repetitions",
                squared=True,
                law=_with_replacement(),
            ),
            _ORTHOGONAL,
            drops=DIFFERENT,
        ),
        Control(
            replace(
                _mean(
                    _psi, e_l, r"$\mathbb E\, \|X X^\top - Z Z^\top\|_F \le e_l$", "<="
                ),
                law=surely(),
            ),
            Instance.from_points([[1.0, 0, 0]], [0], 1),
            drops=UNIFORM,
        ),
    ),
)
