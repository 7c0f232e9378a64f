"""The bounds of Theorem 5.2, printed and sharper, each written once."""

from __future__ import annotations

import sympy as sp

from nystheory.theorems.concentration.covariance import (
    K_max,
    R,
    alpha_sharp,
    d_max,
    e_l,
    formula,
    g_F,
    q,
)
from nystheory.theorems.error_bounds.sampled_errors import head_F
from nystheory.theorems.formula import Formula
from nystheory.theorems.quantities import delta, l, n, tail_2, tail_F
from nystheory.theorems.quantities import k as k_


def times(*factors) -> sp.Expr:
    """A product in the order in which it was written."""
    return sp.Mul(*factors, evaluate=False)


def plus(*terms) -> sp.Expr:
    """A sum in the order in which it was written."""
    return sp.Add(*terms, evaluate=False)


def over(numerator, denominator) -> sp.Expr:
    """A fraction as it was written."""
    return times(numerator, sp.Pow(denominator, -1, evaluate=False))


def root(expr, degree=2) -> sp.Expr:
    """A root as it was written."""
    return sp.Pow(expr, sp.Rational(1, degree), evaluate=False)


HALF = sp.Rational(1, 2)
LOG = sp.log(sp.Pow(delta, -1, evaluate=False), evaluate=False)


def at_log(bound: Formula, nats: float) -> Formula:
    """A bound at ``log(1/delta) = nats``, also where delta is too small for a float.

    Examples
    --------
    >>> bound = formula(times(n, LOG))
    >>> at_log(bound, 800.0)(n=2), round(bound(n=2, delta=0.5), 6)
    (1600.0, 1.386294)
    """
    return Formula(bound.expr.xreplace({LOG: sp.Float(nats)}), where=bound.where)


def concentration(
    mean=e_l, difference=g_F, alpha=alpha_sharp, log=LOG, factor=1
) -> sp.Expr:
    """``e_l + (n/l) g_F sqrt(alpha log(1/delta) / 2)``, where psi is but for delta.

    Parameters
    ----------
    mean, difference, alpha, log : sympy.Expr
        The terms, to be exchanged.
    factor : number
        In front of the deviation.

    Examples
    --------
    >>> formula(concentration())(n=2, l=1, K_max=1, d_max=0, spread=0, delta=0.5)
    0.0
    """
    deviation = times(over(n, l), difference, root(times(HALF, alpha, log)))
    return plus(mean, deviation if factor == 1 else times(factor, deviation))


def endorsed(tail, **exchanged) -> Formula:
    """The tail and sqrt 2 times the `concentration`: the bound in either norm."""
    return formula(plus(tail, times(sp.sqrt(2), concentration(**exchanged))))


def _bracket(lost) -> sp.Expr:
    """``K_max [1 + lost sqrt(q log(1/delta)) d_max / R]``, a number at K = 0 too."""
    deviation = times(root(times(q, LOG)), d_max, R)
    return plus(K_max, deviation if lost == 1 else times(lost, deviation))


def printed_covariance() -> Formula:
    """``n / sqrt(l) K_max [1 + sqrt(q log(1/delta)) d_max / R]``: half the excess."""
    return formula(times(over(n, sp.sqrt(l)), _bracket(1)))


def printed_2(lost=1) -> Formula:
    """The spectral bound of Theorem 5.2; ``lost=sqrt(2)`` is what its proof gives."""
    return formula(plus(tail_2, times(over(times(2, n), sp.sqrt(l)), _bracket(lost))))


def printed_F(lost=1) -> Formula:
    """The Frobenius bound of Theorem 5.2; ``lost=sqrt(2)`` is what its proof gives."""
    factor = root(over(times(64, k_), l), 4)
    return formula(plus(tail_F, times(factor, n, root(times(K_max, _bracket(lost))))))


def by_squares() -> Formula:
    """The Frobenius bound by the sharp form of (5.15)."""
    excess = times(2 * sp.sqrt(2), head_F, plus(concentration()))
    return formula(root(plus(tail_F**2, excess)))


ENDORSED_2, ENDORSED_F = endorsed(tail_2), endorsed(tail_F)
PRINTED_2, PRINTED_F = printed_2(), printed_F()
