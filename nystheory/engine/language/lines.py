"""A claim is a line of text in named quantities: parsed, measured, displayed.

``error_2 <= tail_2 + 2 * distance_2`` is Python's own syntax, so Python parses it.
One walk over the tree gives the number with its rounding error (`Reader`), one the
LaTeX of the page (`latex`); `exact` has a third, without rounding, which shares nothing
with these but what a line may combine (`exact.kinds`).
"""

from __future__ import annotations

import ast
import math
import operator
import sys
from collections.abc import Mapping
from functools import lru_cache, reduce

import numpy as np

from nystheory.engine.language.functions import FUNCTIONS
from nystheory.engine.language.numbers import UNKNOWN, Number
from nystheory.exact import kinds
from nystheory.exact.kinds import OVER_SAMPLES, RELATIONS

_TURNED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "==": "==", "!=": "!="}


@lru_cache(maxsize=4096)
def parse(line: str) -> ast.expr:
    """The tree of a line.

    Raises
    ------
    ValueError
        If it is no expression.

    Examples
    --------
    >>> ast.unparse(parse("error_2 <= tail_2 + 2 * distance_2").left)
    'error_2'
    """
    try:
        tree = ast.parse(line.strip(), mode="eval").body
    except SyntaxError as error:
        hint = "; equality is ==" if "=" in line else ""
        told = f"line: expected an expression, got {line!r}{hint}"
        raise ValueError(told) from error
    for node in ast.walk(tree):
        _check(node, line)
    return tree


_PARTS = (ast.Constant, ast.Name, ast.BinOp, ast.UnaryOp, ast.Call, ast.Attribute)
_PARTS += (ast.Compare, ast.BoolOp, ast.Load, ast.And, ast.Or, ast.USub, ast.Not)
_PARTS += (ast.Add, ast.Sub, ast.Mult, ast.MatMult, ast.Div, ast.Pow, *RELATIONS)


def _check(node, line):
    """A line has only what all its readers understand in the same way."""
    wrong = ""
    if not isinstance(node, _PARTS):
        wrong = type(node).__name__
    elif isinstance(node, ast.Constant) and not _is_number(node.value):
        wrong = repr(node.value)
    elif isinstance(node, ast.Attribute) and node.attr != "T":
        wrong = f".{node.attr}"
    elif isinstance(node, ast.Call):
        wrong = _wrong_call(node)
    if wrong:
        raise ValueError(f"line: expected names and numbers, got {wrong} in {line!r}")


def _is_number(value) -> bool:
    """Whether a constant is a truth, or a number that a float can hold."""
    real = isinstance(value, (int, float))
    return real and abs(value) <= sys.float_info.max


def _wrong_call(node) -> str:
    called = ast.unparse(node.func)
    if called not in FUNCTIONS and called not in OVER_SAMPLES or node.keywords:
        return f"{ast.unparse(node)}; known functions: {', '.join(FUNCTIONS)}"
    if called in OVER_SAMPLES:
        many = len(node.args) != 1
        return f"{ast.unparse(node)} with {len(node.args)} parts" if many else ""
    kinds.counted(called, len(node.args))
    return ""


def names(tree: ast.AST) -> list[str]:
    """The names in a tree that are not called as functions, in the order written."""
    return list(_names(tree))


@lru_cache(maxsize=4096)
def _names(tree) -> tuple[str, ...]:
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    found = [
        (node.lineno, node.col_offset, node.id)
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and id(node) not in called
    ]
    return tuple(dict.fromkeys(name for _, _, name in sorted(found)))


def relation(tree: ast.AST) -> str:
    """The relation of a comparison, empty for a property."""
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1:
        return RELATIONS[type(tree.ops[0])]
    return ""


class Reader:
    """Evaluates expressions on one instance, in float64 with rounding errors.

    Parameters
    ----------
    quantities : mapping of str to Quantity
    instance : Instance or None
    given : mapping of str to float
        Values that take precedence over measured ones.
    where : mapping of str to str
        Lines of named sub-expressions.
    law : str
        What means and chances are taken over, where all its outcomes can be listed.
    """

    def __init__(self, quantities, instance, given=None, where=None, law=""):
        self.quantities, self.instance, self.law = quantities, instance, law
        self.given: Mapping = given or {}
        self.where: Mapping = where or {}
        self._seen: dict[str, Number] = {}

    def value(self, tree):
        """A `Number`, or True, False or None (not to be told) for a truth."""
        if isinstance(tree, ast.Constant):
            return tree.value if isinstance(tree.value, bool) else _number(tree.value)
        if isinstance(tree, ast.Name):
            return self._name(tree.id)
        if isinstance(tree, ast.BinOp):
            return _combined(tree.op, self.value(tree.left), self.value(tree.right))
        if isinstance(tree, ast.UnaryOp):
            return _signed(tree.op, self.value(tree.operand))
        if isinstance(tree, ast.Call):
            return self._call(tree)
        if isinstance(tree, ast.Attribute) and tree.attr == "T":
            value = self.value(tree.value)
            result = kinds.transposed(kind_of(value))
            return value if result is None else _as(value.transposed(), result)
        if isinstance(tree, ast.Compare):
            return self._truth(tree)
        if isinstance(tree, ast.BoolOp):
            return _joined(tree.op, [self.value(part) for part in tree.values])
        raise ValueError(f"a line has no {type(tree).__name__}: {ast.unparse(tree)}")

    def truth(self, line: str) -> bool | None:
        """Whether a line is so; None if it is not to be told."""
        return as_truth(self.value(parse(line)))

    def _name(self, name):
        if name not in self._seen:
            self._seen[name] = self._read(name)
        return self._seen[name]

    def _read(self, name):
        if name in self.given:
            return _as_value(self.given[name])
        if name in self.where:
            return self.value(parse(self.where[name]))
        if name not in self.quantities:
            raise ValueError(f"no quantity is called {name!r}")
        quantity = self.quantities[name]
        if quantity.line:
            return self.value(parse(quantity.line))
        if self.instance is None:
            raise ValueError(f"{name}: expected a value by name, or a matrix")
        return self.instance.measured(quantity)

    def _call(self, tree):
        name = tree.func.id
        if name in OVER_SAMPLES:
            return self._over_samples(name, tree)
        if name not in FUNCTIONS:
            raise ValueError(f"no function is called {name!r}; known: {[*FUNCTIONS]}")
        values = [self.value(argument) for argument in tree.args]
        kinds.called(name, [kind_of(value) for value in values])
        return FUNCTIONS[name](*values)

    def _over_samples(self, name, tree):
        """A mean or a chance, over every outcome of its stage of the law."""
        if not self.law:
            raise ValueError(f"{name}(...): expected to be taken over a law of samples")
        law, rest = kinds.stages(self.law, tree)
        outcomes = self.instance.outcomes(law)
        if outcomes is None:
            raise ValueError(f"{law}: too many outcomes to list for {name}(...)")
        terms = []
        for chance, outcome in outcomes:
            args = self.quantities, outcome, self.given, self.where, rest
            value = Reader(*args).value(tree.args[0])
            kinds.averaged(name, kind_of(value))
            if name == "chance":
                value = UNKNOWN if value is None else Number.exact(float(value))
            terms.append(Number.exact(chance) * value)
        return reduce(operator.add, terms)

    def _truth(self, tree):
        values = [self.value(part) for part in (tree.left, *tree.comparators)]
        found = [
            decide(RELATIONS[type(op)], a, b)
            for op, a, b in zip(tree.ops, values, values[1:], strict=False)
        ]
        return _joined(ast.And(), found)


def _as_value(x):
    return x if isinstance(x, (bool, Number)) else Number.exact(x)


# --- What is combined with what -------------------------------------------------------


class Row(Number):
    """A vector transposed."""

    __slots__ = ()


_KINDS = (kinds.NUMBER, kinds.VECTOR, kinds.MATRIX)


def kind_of(x) -> kinds.Kind | None:
    """What a value is; None where it could not be measured."""
    if not isinstance(x, Number):
        return kinds.Kind(kinds.TRUTH)
    if isinstance(x.value, float):
        return None if x.unknown else kinds.Kind(kinds.NUMBER)
    shape = np.shape(x.value)
    name = kinds.ROW if isinstance(x, Row) else _KINDS[len(shape)]
    return kinds.Kind(name, shape)


def _as(number, name):
    """A number as it came out, or as a row or none."""
    if (name == kinds.ROW) is isinstance(number, Row) or number.unknown:
        return number
    kind = Row if name == kinds.ROW else Number
    return kind(number.value, number.error, number.scale)


def _number(value) -> Number:
    """A constant; an integer that no float has is off by half a unit in the last."""
    number = Number.exact(float(value))
    missed = abs(int(number.value) - value) if isinstance(value, int) else 0
    return Number(number.value, float(missed), number.scale)


def _combined(op, a, b):
    """Two values, by an operator that takes them."""
    operate = _OPERATIONS.get(type(op))
    plain = _is_plain(a) and _is_plain(b) and not isinstance(op, ast.MatMult)
    if plain and operate is not None:
        return operate(a, b)
    result = kinds.combined(op, kind_of(a), kind_of(b))
    return UNKNOWN if result is None else _as(operate(a, b), result)


def _is_plain(x) -> bool:
    return isinstance(x, Number) and isinstance(x.value, float)


def _signed(op, value):
    """Not, or minus."""
    if isinstance(op, ast.Not):
        return None if as_truth(value) is None else not value
    kind = kind_of(value)
    kinds.negated(kind)
    return value if kind is None else _as(-value, kind.name)


def as_truth(x):
    """A truth value; None where it could not be measured.

    Raises
    ------
    ValueError
        If it is a number.
    """
    if isinstance(x, Number) and not x.unknown:
        raise ValueError(f"line: expected a truth, got {kind_of(x)}")
    return x if isinstance(x, bool) else None


def _joined(op, truths):
    """And, or of truths that may be None."""
    truths = [as_truth(t) for t in truths]
    stop = isinstance(op, ast.Or)
    if any(t is stop for t in truths):
        return stop
    return None if None in truths else not stop


_OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.MatMult: operator.matmul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


# Where the error reaches this share of the scale a violation by 0.1 percent would be
# invisible: the comparison is then not counted as evidence.
BLURRED = 1e-3


def is_clear(number: Number) -> bool:
    """Whether so little of a number is rounding that it counts as evidence.

    >>> is_clear(Number(1.0, 1e-9, 1.0)), is_clear(Number(1.0, math.inf, math.inf))
    (True, False)
    """
    return bool(math.isfinite(number.error) and number.error <= BLURRED * number.scale)


def decide(relation: str, a, b):
    """Whether a relation holds: True, False, or None where rounding hides it.

    Two numbers are equal if they differ by less than rounding explains.
    """
    kinds.compared(relation, kind_of(a), kind_of(b))
    if isinstance(a, (bool, type(None))) or isinstance(b, (bool, type(None))):
        a, b = as_truth(a), as_truth(b)
        return None if a is None or b is None else (a == b) is (relation == "==")
    if relation in (">=", ">"):
        return decide(_TURNED[relation], b, a)
    difference = a - b
    error, values = difference.error, np.asarray(difference.value)
    if not is_clear(difference) or np.isnan(values).any():
        return None
    if relation in ("==", "!="):
        size = difference.size
        if error < size <= 100 * error:
            return None
        return bool(size <= error) is (relation == "==")
    high = float(values.max(initial=-math.inf))
    if relation == "<":
        return True if high < -error else False if high >= error else None
    return True if high <= -error else False if high > error else None
