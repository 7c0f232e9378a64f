"""Which ranks can keep a promise?  A look at all of them at once, in plain numbers.

A promise is at its best at one rank of thousands.  A `Screen` evaluates the lines of a
claim for all ranks together, without rounding errors, and so leaves out what cannot be
best; what it leaves in is then read as every line is, by a `Reader`, and that alone
counts.
"""

from __future__ import annotations

import ast
import operator

import numpy as np

from nystheory.engine.language import lines
from nystheory.engine.language.functions import FUNCTIONS

# What a condition may be missed by, as a share of its sides, and still be left in.
SLACK = 1e-9

_PLAIN = {
    "sqrt": lambda x: np.sqrt(np.maximum(x, 0.0)),  # of a zero that is rounded
    "log": np.log,
    "exp": np.exp,
    "abs": np.abs,
    "floor": np.floor,
    "ceil": np.ceil,
    "min": lambda *xs: np.minimum.reduce(np.broadcast_arrays(*xs)),
    "max": lambda *xs: np.maximum.reduce(np.broadcast_arrays(*xs)),
}
_OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: np.float_power,
}


class Beyond(Exception):
    """A part of a line that is no number for each rank."""


class Screen:
    """Lines on what is known of a matrix, for many ranks at once.

    Parameters
    ----------
    known : Known
    quantities : mapping of str to Quantity
    where : mapping of str to str
    ranks : ndarray of int
    given : mapping of str to number or array
        An array has a number for each rank.
    """

    def __init__(self, known, quantities, where, ranks, given):
        self.known, self.quantities, self.where = known, quantities, where
        self.ranks, self.given = ranks, {**given, "k": ranks}
        self._seen, self._below = {}, {}

    def but(self, **given):
        """The same with other values; what does not depend on them is kept."""
        given = {**self.given, **given}
        other = Screen(self.known, self.quantities, self.where, self.ranks, given)
        other._below = self._below
        same = {name for name, x in self.given.items() if given[name] is x}
        changed = set(given) - same
        for name, x in self._seen.items():
            if not changed & self._in(name):
                other._seen[name] = x
        return other

    def of(self, some):
        """For some of the ranks, before anything depends on one but K itself."""
        other = Screen(
            self.known, self.quantities, self.where, self.ranks[some], self.given
        )
        other.given["k"] = other.ranks
        other._below = self._below
        return other

    def _in(self, name) -> set:
        """What a name is made of."""
        if name not in self._below:
            line = self._line(name)
            inner = lines.names(lines.parse(line)) if line else []
            self._below[name] = {name}.union(*map(self._in, inner))
        return self._below[name]

    def _line(self, name) -> str:
        known = self.quantities[name] if name in self.quantities else None
        return self.where.get(name) or (known.line if known else "")

    def value(self, tree):
        """A number, or one for each rank."""
        with np.errstate(all="ignore"):
            return self._value(tree)

    def may(self, tree):
        """For each rank whether a condition may be met; certainly not where False."""
        try:
            with np.errstate(all="ignore"):
                return self._may(tree)
        except Beyond:
            return np.True_

    def _value(self, tree):
        if isinstance(tree, ast.Constant):
            return float(tree.value)
        if isinstance(tree, ast.Name):
            return self._name(tree.id)
        if isinstance(tree, ast.BinOp) and type(tree.op) in _OPERATIONS:
            a, b = self._value(tree.left), self._value(tree.right)
            return np.asarray(_OPERATIONS[type(tree.op)](np.asarray(a), b))
        if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
            return -self._value(tree.operand)
        if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
            return self._call(tree)
        raise Beyond(ast.unparse(tree))

    def _call(self, tree):
        values = [self._value(part) for part in tree.args]
        if tree.func.id in _PLAIN and (len(values) > 1 or tree.func.id[0] != "m"):
            return _PLAIN[tree.func.id](*values)
        if any(np.ndim(x) for x in values) or tree.func.id not in FUNCTIONS:
            raise Beyond(ast.unparse(tree))
        found = FUNCTIONS[tree.func.id](*(lines._as_value(float(x)) for x in values))
        return found.value

    def _name(self, name):
        if name not in self._seen:
            self._seen[name] = self._read(name)
        return self._seen[name]

    def _read(self, name):
        if name in self.given:
            value = self.given[name]
        elif line := self._line(name):
            return self._value(lines.parse(line))
        else:
            value = self._measured(self.quantities[name])
        if np.ndim(value) and np.shape(value) != self.ranks.shape:
            raise Beyond(name)
        return value

    def _measured(self, quantity):
        first = self.known.measured(quantity)
        if np.ndim(getattr(first, "value", 0.0)):
            raise Beyond(quantity.name)
        found = self.known.over_ranks(quantity)
        return found[self.ranks - 1] if np.ndim(found) else found

    def _may(self, tree):
        if isinstance(tree, ast.BoolOp):
            joined = np.logical_or if isinstance(tree.op, ast.Or) else np.logical_and
            return joined.reduce([*np.broadcast_arrays(*map(self.may, tree.values))])
        if isinstance(tree, ast.Compare):
            parts = [self._value(part) for part in (tree.left, *tree.comparators)]
            pairs = zip(tree.ops, parts, parts[1:], strict=False)
            met = [_nearly(op, a, b) for op, a, b in pairs]
            return np.logical_and.reduce([*np.broadcast_arrays(*met)])
        return np.True_


def _nearly(op, a, b):
    """Whether a relation holds up to rounding; no reader says so of what is unknown."""
    a, b = (b, a) if isinstance(op, (ast.Gt, ast.GtE)) else (a, b)
    slack = SLACK * (np.abs(a) + np.abs(b))
    difference = np.asarray(a, dtype=float) - b
    if isinstance(op, ast.NotEq):
        return np.True_
    missed = np.abs(difference) if isinstance(op, ast.Eq) else difference
    return (missed <= slack) | (np.isinf(a) | np.isinf(b))
