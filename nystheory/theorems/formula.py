"""A bound, written once: the number, the line on the page and the curve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import sympy as sp
from sympy.printing.latex import LatexPrinter

from nystheory.theorems.quantities import QUANTITIES


@dataclass(frozen=True, eq=False)
class Formula:
    """A SymPy expression in named quantities.

    Parameters
    ----------
    expr : sympy.Expr
        The expression, built unevaluated where its written form matters.
    where : mapping of sympy.Symbol to sympy.Expr
        Named sub-expressions, printed on lines of their own ('where q = ...').
        A later one may use an earlier one.

    Examples
    --------
    >>> from nystheory.theorems.quantities import n, l
    >>> q = sp.Symbol("q")
    >>> formula = Formula(2 * q, where={q: n / l})
    >>> formula.names, formula(n=10, l=4)
    (('l', 'n'), 5.0)
    >>> formula.latex()
    '2 q \\\\quad\\\\text{where } q = \\\\frac{n}{l}'
    """

    expr: sp.Expr
    where: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)

    @cached_property
    def flat(self) -> sp.Expr:
        """The expression with every named sub-expression put in."""
        flat = sp.sympify(self.expr)
        for symbol, meaning in reversed(list(self.where.items())):
            flat = flat.xreplace({symbol: sp.sympify(meaning)})
        return flat

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the quantities it needs, sorted."""
        return tuple(sorted(symbol.name for symbol in self.flat.free_symbols))

    @cached_property
    def _compiled(self):
        symbols = [QUANTITIES[name].symbol for name in self.names]
        return sp.lambdify(symbols, self.flat, modules=["scipy", "numpy"])

    def __call__(self, **values: float) -> float:
        """Its value; every quantity by name."""
        return float(self._compiled(*(values[name] for name in self.names)))

    def latex(self) -> str:
        """As the page shows it, in the order in which it was written."""
        line = _latex(self.expr)
        for i, (symbol, meaning) in enumerate(self.where.items()):
            joint = r" \quad\text{where }" if i == 0 else r",\;"
            line += f"{joint} {_latex(symbol)} = {_latex(meaning)}"
        return line


def _latex(expr) -> str:
    names = {q.symbol: q.latex for q in QUANTITIES.values()}
    settings = {"order": "none", "symbol_names": names, "root_notation": True}
    return LatexPrinter(settings).doprint(sp.sympify(expr))
