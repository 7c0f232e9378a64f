"""Algebra that a machine checks line by line, and that ends in the line of a claim.

A derivation is written in the language of the claims.  Names under a matrix product
are letters that do not commute, so that a word in them stands for matrices of every
size; SymPy compares two lines after the rules have been applied.  Every rule is a line
itself and is checked on random instances, as a claim is.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import sympy as sp

from nystheory.engine.language.lines import parse
from nystheory.engine.trial import search
from nystheory.engine.trial.compare import reader, relate
from nystheory.engine.worlds import suite

# For which sizes a derivation speaks.
SIZES = ("every n", "2 x 2", "scalars")


@dataclass(frozen=True)
class Derivation:
    """Lines that follow from one another, from one side of a claim to the other.

    Parameters
    ----------
    claim : str
        The name of the claim; the first and the last line are its two sides.
    steps : tuple of (str, str)
        Expression and the reason why it equals the one before.
    sizes : str
        One of `SIZES`.
    rules : mapping of str to str
        What may be put in the place of what: ``{"W @ pinv(W) @ W": "W"}``.
    """

    claim: str
    steps: tuple[tuple[str, str], ...]
    sizes: str = "every n"
    rules: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self):
        if self.sizes not in SIZES:
            raise ValueError(f"sizes: expected one of {SIZES}, got {self.sizes!r}")

    @property
    def grade(self) -> str:
        """The grade of evidence of its claim, once it is checked."""
        return f"symbolic for {self.sizes}"

    def state(self, theorem) -> str:
        """``checked, every n``, or ``broken`` and why."""
        fault = self.fault(theorem)
        return f"broken: {fault}" if fault else f"checked, {self.sizes}"

    def fault(self, theorem) -> str:
        """What is wrong, empty if nothing is."""
        lines = [line for line, _ in self.steps]
        everything = [*lines, *self.rules, *self.rules.values()]
        algebra = _Algebra(everything)
        rules = {algebra.of(a): algebra.of(b) for a, b in self.rules.items()}
        words = [algebra.of(line) for line in lines]
        for number, (before, after) in enumerate(
            zip(words, words[1:], strict=False), 2
        ):
            if not _same(before, after, rules):
                return f"line {number} does not follow from the one before"
        sides = [algebra.of(side) for side in self._sides(theorem)]
        for place, side, word in (
            ("first", sides[0], words[0]),
            ("last", sides[1], words[-1]),
        ):
            if not _same(side, word, {}):
                return f"the {place} line is no side of the claim {self.claim!r}"
        return self._false_rule(theorem)

    def _sides(self, theorem) -> tuple[str, str]:
        """What the first and the last line have to be.

        An inverse is derived by multiplying out: ``inv(T) == R`` from ``T @ R == I``.
        """
        left, right = theorem.claims[self.claim].sides
        if isinstance(left, ast.Call) and left.func.id == "inv":
            return f"({ast.unparse(left.args[0])}) @ ({ast.unparse(right)})", "1"
        return ast.unparse(left), ast.unparse(right)

    def _false_rule(self, theorem, tries: int = 20) -> str:
        rng, checked = np.random.default_rng(0), dict.fromkeys(self.rules, 0)
        for _ in range(tries):
            instance = search.ready(theorem, suite.random_instance(rng), rng)
            if instance is None:
                continue
            reading = reader(theorem, instance)
            for left, right in self.rules.items():
                sides = reading.value(parse(left)), reading.value(parse(right))
                found = relate("==", *sides)
                checked[left] += found.decided
                if found.violated:
                    return f"the rule {left} = {right} is false"
        for left, count in checked.items():
            if not count:
                return f"the rule for {left} was not checked"
        return ""


def _same(a, b, rules) -> bool:
    difference = _rewritten(a, rules) - _rewritten(b, rules)
    return sp.simplify(sp.expand(difference)) == 0


def _rewritten(expr, rules):
    """Apply rules to an expanded expression until nothing changes."""
    expr = sp.expand(expr)
    for _ in range(100):
        new = sp.expand(expr.subs(rules))
        if new == expr:
            return expr
        expr = new
    return expr


def _matrices(tree) -> set[str]:
    """Names that stand for matrices in a factor; its numbers are written first."""
    if isinstance(tree, ast.Name):
        return {tree.id}
    if isinstance(tree, ast.Call) and tree.func.id in ("inv", "pinv"):
        return _matrices(tree.args[0])
    if isinstance(tree, ast.Attribute):
        return _matrices(tree.value)
    if isinstance(tree, ast.UnaryOp):
        return _matrices(tree.operand)
    if not isinstance(tree, ast.BinOp):
        return set()
    left, right = _matrices(tree.left), _matrices(tree.right)
    if isinstance(tree.op, ast.Mult) and _is_identity(tree.right):
        return set()
    if isinstance(tree.op, ast.Mult):
        return right or left
    return left if isinstance(tree.op, ast.Div) else left | right


def _is_identity(tree) -> bool:
    return isinstance(tree, ast.Call) and tree.func.id == "identity"


class _Algebra:
    """Lines as SymPy expressions, matrices as letters that do not commute."""

    def __init__(self, lines):
        self.matrices = set()
        for line in lines:
            self._find(parse(line))

    def _find(self, tree):
        for node in ast.walk(tree):
            product = isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)
            called = isinstance(node, ast.Call) and node.func.id in ("inv", "pinv")
            if product or called or isinstance(node, ast.Attribute):
                self.matrices |= _matrices(node)

    def of(self, line):
        return self._read(parse(line))

    def _read(self, tree):
        if isinstance(tree, ast.Constant):
            return sp.Rational(ast.unparse(tree))
        if isinstance(tree, ast.Name):
            return self._letter(tree.id)
        if isinstance(tree, ast.UnaryOp):
            return -self._read(tree.operand)
        if isinstance(tree, ast.Attribute):
            return self._transposed(tree.value)
        if isinstance(tree, ast.BinOp):
            a, b = self._read(tree.left), self._read(tree.right)
            return _OPERATIONS[type(tree.op)](a, b)
        name = tree.func.id
        if name == "identity":
            return sp.Integer(1)
        if name in ("inv", "pinv"):
            return self._letter(ast.unparse(tree), matrix=True)
        if name in _FUNCTIONS:
            return _FUNCTIONS[name](*map(self._read, tree.args))
        return sp.Function(name)(*map(self._read, tree.args))

    def _letter(self, name, matrix=False):
        if matrix or name in self.matrices:
            return sp.Symbol(name, commutative=False)
        return sp.Symbol(name, positive=True)

    def _transposed(self, tree):
        """Of a product the reversed product, of a letter a letter of its own."""
        if isinstance(tree, ast.BinOp):
            a, b = self._transposed(tree.left), self._transposed(tree.right)
            return (
                b * a
                if isinstance(tree.op, ast.MatMult)
                else _OPERATIONS[type(tree.op)](a, b)
            )
        if isinstance(tree, ast.Attribute):
            return self._read(tree.value)
        return self._letter(f"{ast.unparse(tree)}.T", matrix=True)


_OPERATIONS = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.MatMult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: a**b,
}
_FUNCTIONS = {
    "sqrt": sp.sqrt,
    "log": sp.log,
    "exp": sp.exp,
    "abs": sp.Abs,
    "min": sp.Min,
    "max": sp.Max,
}
