"""Algebra that a machine checks line by line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import sympy as sp


@dataclass(frozen=True)
class Step:
    """One line of a derivation: an expression and why it equals the line before.

    Parameters
    ----------
    expr : sympy.Expr or sympy.Matrix
        The line.  Matrices of any size are non-commuting symbols, so a product of
        them is a word and a derivation holds for every n, l and k.
    because : str
        The reason in words, Markdown with formulas.
    rules : mapping of sympy.Expr to sympy.Expr
        Facts used, as rewritings: ``{S * P * S: S}`` for a pseudo-inverse.
    """

    expr: sp.Expr
    because: str = ""
    rules: Mapping[sp.Expr, sp.Expr] = field(default_factory=dict)

    def follows_from(self, before: Step) -> bool:
        """Whether rewriting the line before by the rules gives this line."""
        difference = rewrite(before.expr, self.rules) - rewrite(self.expr, self.rules)
        return _is_zero(difference)


def rewrite(expr, rules):
    """Apply rewriting rules to an expanded expression until nothing changes."""
    expr = _expand(expr)
    while True:
        new = _expand(expr.subs(dict(rules)))
        if new == expr:
            return expr
        expr = new


def broken_step(steps: Sequence[Step]) -> int | None:
    """Index of the first line that does not follow from the one before, or None.

    Examples
    --------
    >>> A, P = letters("A P")
    >>> line = Step(A * P * A * P), Step(A * P, "Penrose", {A * P * A: A})
    >>> broken_step(line) is None, broken_step([Step(A), Step(P)])
    (True, 1)
    """
    for i in range(1, len(steps)):
        if not steps[i].follows_from(steps[i - 1]):
            return i
    return None


def letters(names: str):
    """Non-commuting symbols that stand for matrices; transposes are own letters."""
    return sp.symbols(names, commutative=False)


def _expand(expr):
    if isinstance(expr, sp.MatrixBase):
        return expr.applyfunc(sp.expand)
    return sp.expand(expr)


def _is_zero(expr) -> bool:
    if isinstance(expr, sp.MatrixBase):
        return all(_is_zero(entry) for entry in expr)
    return sp.simplify(expr) == 0
