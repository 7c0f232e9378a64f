r"""An algorithm box runs: its steps are lines of Python, and their formulas are made.

A line assigns, ``f = K[:, i] / sqrt(d[i])``, gives a value or states a relation; what
it takes from a name, ``P -= outer(f, f)``, is shown alone, for the words say from what.
Who runs a box calls its steps in the order of the algorithm and compares what comes
with the function of the package.  A cost is a line in the sizes, held against a count.
"""

from __future__ import annotations

import ast
import re
from copy import deepcopy
from dataclasses import dataclass, field

import numpy as np

from nystheory.engine.language.latex import _ATOM, _POWER, _PRODUCT, _Writer

_GREEK = "alpha beta gamma delta eta theta kappa mu nu phi sigma omega pi ell".split()
_GREEK += "max min sharp Delta Theta Lambda Sigma Phi Omega".split()
_SYMBOLS = {name: rf"\{name}" for name in _GREEK}
_SYMBOLS |= {"lam": r"\lambda", "eps": r"\epsilon"}
# The end of a name may be a sign over or beside its letter; else it is an index.
_SIGNS = {name: rf"\{name} {{}}" for name in ("tilde", "bar", "hat")} | {"prime": "{}'"}
_NAMED = re.compile(r"(?P<name>\w+) \((?P<latex>.+?)\)(?P<rest> = .+)")
_STEP = re.compile(r"\d+(?=\. )")
# The costs that something counts; other words of a cost are the referee's.
COUNTED = ("entries", "operations")


@dataclass
class Box:
    r"""The lines of an algorithm box by the number of their step, and its costs.

    An identity is held to be one where it runs; an inequality is a truth that whoever
    runs the box makes something of.

    Examples
    --------
    >>> box = Box("alg-root")
    >>> box.step("2. Put")
    >>> box.line("r = sqrt(a[0, 0]) / 2")
    'r = \\frac{\\sqrt{a_{00}}}{2}'
    >>> float(box.run(a=np.array([[4.0]]))(2))
    1.0
    """

    label: str
    steps: dict[int, list[str]] = field(default_factory=dict)
    costs: list[tuple[str, str]] = field(default_factory=list)
    symbols: dict[str, str] = field(default_factory=dict)
    at: int = 0

    def step(self, text: str) -> None:
        """What follows belongs to the step of this number, if one begins here."""
        if found := _STEP.match(text):
            self.at = int(found[0])

    def line(self, text: str) -> str:
        """A step; return its formula.

        Raises
        ------
        ValueError
            If it is no statement of Python that a formula can show.
        """
        if found := _NAMED.fullmatch(text):
            self.symbols[found["name"]] = found["latex"]
            text = found["name"] + found["rest"]
        try:
            (tree,) = ast.parse(text).body
            formula = self._shown(tree)
        except (SyntaxError, ValueError, AttributeError, KeyError) as error:
            told = f"expected a line that can be shown, got {text!r}"
            raise ValueError(f"{self.label}: {told}") from error
        self.steps.setdefault(self.at, []).append(text)
        return formula

    def cost(self, text: str) -> str:
        """``entries: n * l``, or ``operations: O(n * l**2)``; return its formula."""
        what, _, line = text.partition(": ")
        if what not in COUNTED or not line:
            told = f"expected one of {', '.join(COUNTED)} and a line, got {text!r}"
            raise ValueError(f"{self.label}: a cost: {told}")
        self.costs.append((what, line))
        return self._shown(ast.parse(line).body[0])

    def cost_of(self, line: str, sizes: dict) -> float:
        """What a cost says at these sizes."""
        return float(eval(line, FUNCTIONS | {"O": float} | sizes))

    def run(self, **given) -> Run:
        """Begin with these values."""
        return Run(self, given)

    def changed(self) -> list[tuple[str, Box]]:
        """The box with one line changed: its value grows, its relation is turned."""
        found = []
        for number, some in self.steps.items():
            for place, text in enumerate(some):
                tree = _Changed().visit(ast.parse(text))
                other = ast.unparse(ast.fix_missing_locations(tree))
                steps = deepcopy(self.steps)
                steps[number][place] = other
                found.append((text, Box(self.label, steps, self.costs)))
        return found

    def _shown(self, tree) -> str:
        writer = _BoxWriter(self.symbols)
        if isinstance(tree, ast.Assign):
            (target,) = tree.targets
            sides = (writer.piece(x, flat=False)[0] for x in (target, tree.value))
            return " = ".join(sides)
        return writer.piece(tree.value, flat=False)[0]


def symbol(name: str) -> str:
    r"""The symbol of a name: its letter, a sign over that, and its indices.

    >>> symbol("Sigma_W_k"), symbol("lam_tilde"), symbol("d_max")
    ('\\Sigma_{W,k}', '\\tilde \\lambda', 'd_{\\max}')
    """
    first, *rest = name.split("_")
    told = _SYMBOLS.get(first, first)
    for part in rest:
        if part in _SIGNS:
            told = _SIGNS[part].format(told)
    below = ",".join(_SYMBOLS.get(part, part) for part in rest if part not in _SIGNS)
    return told + (f"_{{{below}}}" if len(below) > 1 else f"_{below}" if below else "")


class Run:
    """A box at work: call a step by its number, read what was assigned by name."""

    def __init__(self, box: Box, given: dict):
        self.box, self.names = box, dict(given)
        self.done: set[tuple[int, int]] = set()

    def __call__(self, number: int, only: int | None = None, **given):
        """Do the lines of a step, or one of them; return the value of the last."""
        self.names |= given
        value = None
        for place, text in enumerate(self.box.steps.get(number, ())):
            if only in (None, place):
                value = self._do(text)
                self.done.add((number, place))
        return value

    def __getitem__(self, name):
        return self.names[name]

    def sides(self, number: int, place: int) -> list:
        """The values of the sides of a relation."""
        (tree,) = ast.parse(self.box.steps[number][place]).body
        return [self._value(side) for side in _sides(tree.value)]

    def _do(self, text):
        (tree,) = ast.parse(text).body
        if isinstance(tree, ast.Expr) and _is_identity(tree.value):
            left, right = (self._value(side) for side in _sides(tree.value))
            np.testing.assert_allclose(left, right, rtol=1e-6, atol=1e-9, err_msg=text)
            return left
        if isinstance(tree, ast.Expr):
            return self._value(tree.value)
        target = tree.targets[0] if isinstance(tree, ast.Assign) else tree.target
        if isinstance(target, ast.Subscript):  # r[j] = ...: what is found one by one
            self.names.setdefault(target.value.id, {})
        value = self._value(tree.value)
        names = self.names | {"value of the line": value}
        stored = deepcopy(tree)
        stored.value = ast.Name("value of the line", ast.Load())
        whole = ast.fix_missing_locations(ast.Module([stored], []))
        exec(compile(whole, "box", "exec"), {}, names)
        self.names = {k: v for k, v in names.items() if k != "value of the line"}
        return value

    def _value(self, tree):
        whole = ast.fix_missing_locations(ast.Expression(tree))
        return eval(compile(whole, "box", "eval"), FUNCTIONS | self.names)


def _is_identity(tree) -> bool:
    return isinstance(tree, ast.Compare) and isinstance(tree.ops[0], ast.Eq)


def _sides(tree):
    return tree.left, *tree.comparators


class _Changed(ast.NodeTransformer):
    """Of a statement: its value is a hundredth larger, or its relation turned."""

    def visit_Expr(self, tree):
        return ast.Expr(_grown(tree.value))

    def visit_Assign(self, tree):
        return ast.Assign(tree.targets, _grown(tree.value))

    def visit_AugAssign(self, tree):
        return ast.AugAssign(tree.target, tree.op, _grown(tree.value))


def _grown(value):
    if _is_identity(value):
        return ast.Compare(value.left, value.ops, [_grown(value.comparators[0])])
    if isinstance(value, ast.Compare):
        return ast.Call(ast.Name("opposite", ast.Load()), [value], [])
    return ast.BinOp(ast.Constant(1.01), ast.Mult(), value)


class _Unit:
    """A vector with a one at a place, right of a matrix: it takes a column out."""

    __array_ufunc__ = None

    def __init__(self, place):
        self.place = place

    def __rmatmul__(self, matrix):
        return matrix[:, self.place]


def _norm(x):
    return np.sqrt(np.sum(np.abs(np.asarray(x)) ** 2))


FUNCTIONS = {
    "sqrt": np.sqrt,
    "log": np.log,
    "exp": np.exp,
    "cos": np.cos,
    "sin": np.sin,
    "arccos": np.arccos,
    "arcsin": np.arcsin,
    "abs": np.abs,
    "floor": np.floor,
    "min": lambda *x: min(x if len(x) > 1 else x[0]),
    "max": lambda *x: max(x if len(x) > 1 else x[0]),
    "sum": sum,
    "norm": _norm,
    "norm_2": lambda A: np.linalg.norm(A, 2),
    "norm_F": _norm,
    "trace": np.trace,
    "diag": np.diag,
    "inv": np.linalg.inv,
    "pinv": np.linalg.pinv,
    "identity": np.eye,
    "outer": np.outer,
    "unit": _Unit,
    "power": lambda A, p: np.diag(np.diag(A) ** p),
    "opposite": lambda truth: not np.all(truth),
}
_OVER = {"sum": r"\sum", "max": r"\max", "min": r"\min"}
_PREFIX = {"cos": r"\cos", "sin": r"\sin", "arccos": r"\arccos", "arcsin": r"\arcsin"}


class _BoxWriter(_Writer):
    """What a line of a box has besides: entries, blocks, and sums over a letter."""

    def _Name(self, tree, flat):
        return self.symbols.get(tree.id) or symbol(tree.id), _ATOM

    def _Subscript(self, tree, flat):
        base, own = self.piece(tree.value, flat)
        if own < _ATOM or "_" in base or "^" in base:
            base = f"({base})"
        parts = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
        told = [self._place(part) for part in parts]
        joint = "," if any(len(t) > 1 or t == ":" for t in told) else ""
        joint = r"" if all(re.fullmatch(r"\w|\\\w+ ", t) for t in told) else joint
        inside = joint.join(told)
        return f"{base}_{inside}" if len(inside) == 1 else f"{base}_{{{inside}}}", _ATOM

    def _place(self, part):
        if isinstance(part, ast.Slice):
            return ":"
        return self.piece(part, True)[0]

    def _Call(self, tree, flat):
        name, arguments = tree.func.id, tree.args
        if arguments and isinstance(arguments[0], ast.GeneratorExp):
            return self._over(name, arguments[0], flat)
        if name == "norm":
            return rf"\|{self.piece(arguments[0], True)[0]}\|", _ATOM
        if name == "unit":
            return f"e_{self.piece(arguments[0], True)[0]}", _ATOM
        if name in _PREFIX:
            return self._prefixed(_PREFIX[name], arguments[0], flat), _PRODUCT
        if name == "identity":
            return "I", _ATOM
        if name == "diag":
            return rf"\operatorname{{diag}}({self._list(arguments, flat)})", _ATOM
        if name == "O":
            return f"O({self.piece(arguments[0], True)[0]})", _ATOM
        if name not in FUNCTIONS:  # a function that is given
            called = self.symbols.get(name) or symbol(name)
            return f"{called}({self._list(arguments, flat)})", _ATOM
        return super()._Call(tree, flat)

    def _over(self, name, terms, flat):
        """A sum, or the largest, over a letter."""
        (part,) = terms.generators
        letter = self.piece(part.target, True)[0]
        inside = self.within(terms.elt, _PRODUCT, flat)
        return rf"{_OVER[name]}_{letter} {inside}", _PRODUCT

    def _Attribute(self, tree, flat):
        """Of a row or a column that an index names the sign stands behind the index."""
        if isinstance(tree.value, ast.Subscript):
            return rf"{self.piece(tree.value, flat)[0]}^\top", _POWER
        return super()._Attribute(tree, flat)
