r"""A line as the page shows it, in the order and with the brackets of a person.

No ``1 \cdot``, no fraction inside a fraction, brackets only where they are needed.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from copy import deepcopy
from itertools import groupby

# How tightly a piece of a formula holds together.
_RELATION, _SUM, _PRODUCT, _POWER, _ATOM = range(5)

_RELATIONS = {
    ast.LtE: r"\le",
    ast.GtE: r"\ge",
    ast.Lt: "<",
    ast.Gt: ">",
    ast.Eq: "=",
    ast.NotEq: r"\ne",
}
# Symbols that would swallow what stands behind them.
_OPEN = (r"\sum", r"\textstyle\sum", r"\prod", r"\log", r"\ln", r"\operatorname")


def latex(tree: ast.AST, symbols: Mapping[str, str]) -> str:
    r"""The LaTeX of a tree.

    Parameters
    ----------
    tree : ast.AST
    symbols : mapping of str to str
        LaTeX of each name; a name that is missing is shown as it is.

    Examples
    --------
    >>> from nystheory.engine.language.lines import parse
    >>> latex(parse("e <= t + 2 * sqrt(log(1 / d)) / (l + 1)"), {"d": r"\delta"})
    'e \\le t + \\frac{2 \\sqrt{\\log(1 / \\delta)}}{l + 1}'
    """
    return _Writer(symbols).piece(tree, flat=False)[0]


class _Writer:
    """Each method gives LaTeX and how tightly it holds together."""

    def __init__(self, symbols):
        self.symbols = symbols

    def piece(self, tree, flat) -> tuple[str, int]:
        """`flat` where a fraction would be too tall: inside another, in an exponent."""
        return getattr(self, f"_{type(tree).__name__}")(tree, flat)

    def within(self, tree, level, flat) -> str:
        """In brackets if it holds together less tightly than `level`."""
        text, own = self.piece(tree, flat)
        return text if own >= level else _bracketed(text)

    def _Constant(self, tree, flat):
        return ast.unparse(tree), _ATOM

    def _Name(self, tree, flat):
        text = self.symbols.get(tree.id, tree.id)
        return text, _PRODUCT if text.startswith(_OPEN) else _ATOM

    def _Attribute(self, tree, flat):
        return rf"{self._base(tree.value, flat)}^\top", _POWER

    def _base(self, tree, flat):
        """What an exponent can stand on."""
        text = self.within(tree, _ATOM, flat)
        return _bracketed(text) if "^" in text and text[-1] != ")" else text

    def _UnaryOp(self, tree, flat):
        if isinstance(tree.op, ast.Not):
            return rf"\text{{not }} {self.within(tree.operand, _SUM, flat)}", _RELATION
        return _negative(self.within(tree.operand, _PRODUCT, flat)), _SUM

    def _BinOp(self, tree, flat):
        return getattr(self, f"_{type(tree.op).__name__}")(tree, flat)

    def _Add(self, tree, flat):
        left = self.piece(tree.left, flat)[0]
        return f"{left} + {self.within(tree.right, _SUM, flat)}", _SUM

    def _Sub(self, tree, flat):
        left = self.within(tree.left, _SUM, flat)
        return f"{left} - {self.within(tree.right, _PRODUCT, flat)}", _SUM

    def _Mult(self, tree, flat):
        if (positive := _without_minus(tree)) is not None:
            return _negative(self.piece(positive, flat)[0]), _SUM
        factors = [f for f in _factors(tree, ast.Mult) if not _is_one(f)]
        if any(_is_zero(f) for f in factors):
            return "0", _ATOM
        text = ""
        for position, factor in enumerate(factors):
            piece, own = self.piece(factor, flat)
            last = position == len(factors) - 1
            slashed = flat and _is_quotient(factor)
            is_open = (piece.startswith(_OPEN) or slashed) and not last
            if own < _PRODUCT or is_open or piece.startswith("-"):
                piece = _bracketed(piece)
            joint = r" \cdot " if text and _digit(text[-1], piece[0]) else r" "
            text += joint + piece if text else piece
        return text or "1", _PRODUCT

    def _MatMult(self, tree, flat):
        """A matrix times itself is a square."""
        parts = [self.within(f, _PRODUCT, flat) for f in _factors(tree, ast.MatMult)]
        runs = [(part, len(list(same))) for part, same in groupby(parts)]
        return " ".join(_raised(part, times) for part, times in runs), _PRODUCT

    def _Div(self, tree, flat):
        if (positive := _without_minus(tree)) is not None:
            return _negative(self.piece(positive, flat)[0]), _SUM
        if flat:
            above = self.within(tree.left, _PRODUCT, True)
            return f"{above} / {self.within(tree.right, _POWER, True)}", _PRODUCT
        above, below = self.piece(tree.left, True)[0], self.piece(tree.right, True)[0]
        return rf"\frac{{{above}}}{{{below}}}", _PRODUCT

    def _Pow(self, tree, flat):
        if isinstance(tree.right, ast.Constant) and tree.right.value == 0.5:
            return rf"\sqrt{{{self.piece(tree.left, flat)[0]}}}", _ATOM
        base, own = self.piece(tree.left, True)
        closed = isinstance(tree.left, ast.Call) and tree.left.func.id in _NORMS
        # Inside the bars of a norm an exponent is no hindrance.
        raised = "^" in base.rpartition(r"\|")[2] and not closed
        if own < _ATOM or raised or base.startswith((r"\frac", r"\text")):
            base = _bracketed(base)
        return f"{base}^{{{self.piece(tree.right, True)[0]}}}", _POWER

    def _Call(self, tree, flat):
        name, arguments = tree.func.id, tree.args
        if name in ("min", "max") and _is_call(arguments[0], "eigenvalues"):
            matrix = self._list(arguments[0].args, True)
            return rf"\lambda_{{\{name}}}({matrix})", _ATOM
        if name in _OF_PLACES and (places := _counting(arguments[0])):
            return self._over_places(_OF_PLACES[name], arguments[0], places, flat)
        if name == "sqrt" and _is_plain_quotient(arguments[0]):
            flat = True
        if name in _FENCED:
            left, right = _FENCED[name]
            inside = self._list(arguments, flat)
            if name == "abs" and r"\|" in inside:
                left, right = r"\bigl|", r"\bigr|"
            if name in ("min", "max") and r"\frac" in inside:
                left, right = rf"\{name}\left\{{", r"\right\}"
            return f"{left}{inside}{right}", _ATOM
        if name in _PREFIXED:
            return self._prefixed(_PREFIXED[name], arguments[0], flat), _PRODUCT
        if name in _RAISED:
            return f"{self._base(arguments[0], flat)}{_RAISED[name]}", _POWER
        if name == "exp":
            return f"e^{{{self.piece(arguments[0], True)[0]}}}", _POWER
        if name == "inverse_squares":
            first, last = (self.piece(x, True)[0] for x in arguments)
            return rf"\sum_{{j={first}}}^{{{last}}} j^{{-2}}", _PRODUCT
        if name == "block":
            return self._block([self.piece(x, True)[0] for x in arguments]), _ATOM
        if name == "identity":
            return f"I_{{{self.piece(arguments[0], True)[0]}}}", _ATOM
        if name in _CALLED:
            pieces = [self.piece(x, True)[0] for x in arguments]
            return _CALLED[name].format(*pieces), _ATOM
        if name == "power":
            raised = self.piece(arguments[1], True)[0]
            return f"{self._base(arguments[0], flat)}^{{{raised}}}", _POWER
        if name == "outer":
            left = self.within(arguments[0], _PRODUCT, flat)
            return rf"{left} {self._base(arguments[1], flat)}^\top", _PRODUCT
        if name == "hadamard":
            a, b = (self.within(x, _POWER, flat) for x in arguments)
            return rf"{a} \circ {b}", _SUM
        if name == "taken" and _is_call(arguments[0], "eigenvalues"):
            place, (matrix,) = self.piece(arguments[1], True)[0], arguments[0].args
            return rf"\lambda_{{{place}}}({self.piece(matrix, True)[0]})", _ATOM
        if name == "column":
            matrix, place = self.within(arguments[0], _ATOM, flat), _next(arguments[1])
            return rf"{matrix}_{{:,{self.piece(place, True)[0]}}}", _ATOM
        if name == "taken" and _is_call(arguments[1], "counting"):
            last = self.piece(arguments[1].args[0], True)[0]
            return rf"{self.within(arguments[0], _ATOM, flat)}_{{1:{last}}}", _ATOM
        if name == "taken":
            a, b = (
                self.within(arguments[0], _ATOM, flat),
                self.piece(arguments[1], True)[0],
            )
            return rf"({a})_{{{b}}}" if "_" in a else rf"{a}_{{{b}}}", _ATOM
        if name == "below":
            a, b = (self.within(x, _SUM, flat) for x in arguments)
            return rf"{a} \preceq {b}", _RELATION
        return rf"\operatorname{{{name}}}({self._list(arguments, flat)})", _ATOM

    def _over_places(self, sign, argument, places, flat):
        r"""A sum or a product over what `counting` runs through, by the letter j.

        Where it only takes entries, they are counted from 1, as a person does.
        """
        last = self.piece(places.args[0], True)[0]
        own = _Writer({**self.symbols, _PLACE: "j"})
        inside = own.within(_Placed().visit(deepcopy(argument)), _PRODUCT, flat)
        until = "<" if _is_number_itself(argument) else r"\le"
        return rf"{sign}_{{j {until} {last}}} {inside}", _PRODUCT

    @staticmethod
    def _block(parts):
        if len(parts) == 2:
            return rf"[\,{parts[0]} \;\; {parts[1]}\,]"
        rows = rf"{parts[0]} & {parts[1]} \\ {parts[2]} & {parts[3]}"
        return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"

    def _list(self, trees, flat):
        return ", ".join(self.piece(tree, flat)[0] for tree in trees)

    def _prefixed(self, sign, argument, flat):
        if _is_quotient(argument) and not flat:
            return f"{sign}{self.piece(argument, False)[0]}"
        text, own = self.piece(argument, True)
        plain = (ast.Pow, ast.MatMult, *([ast.Mult] if sign == r"\sum" else []))
        compound = isinstance(argument, ast.BinOp) and not isinstance(
            argument.op, plain
        )
        return f"{sign}({text})" if compound or own < _PRODUCT else rf"{sign} {text}"

    def _Compare(self, tree, flat):
        sides = (tree.left, *tree.comparators)
        truths = any(isinstance(side, (ast.Compare, ast.BoolOp)) for side in sides)
        if truths and isinstance(tree.ops[0], ast.Eq):
            joint = r" \quad\Longleftrightarrow\quad "
            return joint.join(self.piece(s, flat)[0] for s in sides), _RELATION
        text = self.within(tree.left, _SUM, flat)
        for op, side in zip(tree.ops, tree.comparators, strict=True):
            text += f" {_RELATIONS[type(op)]} {self.within(side, _SUM, flat)}"
        return text, _RELATION

    def _BoolOp(self, tree, flat):
        parts = [self.piece(value, flat)[0] for value in tree.values]
        if isinstance(tree.op, ast.Or):
            return r" \text{ or } ".join(parts), _RELATION
        *first, last = parts  # three and more have commas
        return r",\ ".join(first) + rf" \text{{ and }} {last}", _RELATION


_FENCED = {
    "sqrt": (r"\sqrt{", "}"),
    "abs": ("|", "|"),
    "min": (r"\min\{", r"\}"),
    "max": (r"\max\{", r"\}"),
    "floor": (r"\lfloor ", r"\rfloor"),
    "ceil": (r"\lceil ", r"\rceil"),
    "norm_2": (r"\|", r"\|_2"),
    "norm_F": (r"\|", r"\|_F"),
    "norm_trace": (r"\|", r"\|_*"),
    "chance": (r"\Pr\left[", r"\right]"),
}
_NORMS = ("norm_2", "norm_F", "norm_trace")
_PREFIXED = {
    "log": r"\log",
    "sin": r"\sin",
    "asin": r"\arcsin",
    "trace": r"\operatorname{tr}",
    "det": r"\det",
    "log_det": r"\log\det",
    "rank": r"\operatorname{rank}",
    "sum": r"\sum",
    "prod": r"\prod",
    "diagonal": r"\operatorname{diag}",
    "diag": r"\operatorname{diag}",
    "mean": r"\mathbb E\,",
}
_CALLED = {
    "eigenvalues": r"\lambda({})",
    "leading": r"P_{{{1}}}({0})",
    "elementary": r"e_{{{1}}}({0})",
    "binomial": r"\binom{{{0}}}{{{1}}}",
    "counting": r"(0, \dots, {0} - 1)",
}
_OF_PLACES = {"sum": r"\sum", "prod": r"\prod"}
_PLACE = "place"  # no name of a quantity
_RAISED = {"inv": "^{-1}", "pinv": "^+"}


class _Placed(ast.NodeTransformer):
    """The letter of a place where `counting` stands."""

    def visit_Call(self, tree):
        if _is_call(tree, "counting"):
            return ast.Name(_PLACE)
        return self.generic_visit(tree)


def _next(place):
    """A place that a line counts from 0, as a person counts it."""
    if isinstance(place, ast.Constant):
        return ast.Constant(place.value + 1)
    ends = isinstance(place, ast.BinOp) and isinstance(place.op, ast.Sub)
    return place.left if ends and _is_one(place.right) else _plus_one(place)


def _plus_one(place):
    return ast.BinOp(place, ast.Add(), ast.Constant(1))


def _is_call(tree, name) -> bool:
    return isinstance(tree, ast.Call) and tree.func.id == name


def _is_number_itself(tree) -> bool:
    """Whether what is counted is a number in a sum, from 0, and no place of an entry.

    Raises
    ------
    ValueError
        If it is both: no letter j could be shown.
    """
    taken = [node.args[1] for node in ast.walk(tree) if _is_call(node, "taken")]
    places = sum(_is_call(node, "counting") for node in taken)
    every = sum(_is_call(node, "counting") for node in ast.walk(tree))
    if 0 < places < every:
        told = "line: expected counting(...) as places or as numbers, got both in "
        raise ValueError(told + ast.unparse(tree))
    return not places


def _counting(tree):
    """What counts the places of a sum, None where nothing does or two differ."""
    found = [node for node in ast.walk(tree) if _is_call(node, "counting")]
    return found[0] if len({ast.unparse(node) for node in found}) == 1 else None


def _factors(tree, kind):
    """The factors of a product, from left to right."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, kind):
        return [*_factors(tree.left, kind), tree.right]
    return [tree]


def _raised(part, times):
    """A factor that comes several times."""
    if times > 1 and (part.endswith("^+") or part.startswith(r"\frac")):
        part = _bracketed(part)
    elif times > 1 and ("^" in part or " " in part):
        return " ".join([part] * times)
    return part if times == 1 else f"{part}^{{{times}}}"


def _is_plain_quotient(tree):
    """A quotient of two letters or digits, which under a root stands on one line."""
    plain = (ast.Name, ast.Constant)
    return (
        isinstance(tree, ast.BinOp)
        and isinstance(tree.op, ast.Div)
        and isinstance(tree.left, plain)
        and isinstance(tree.right, plain)
    )


def _is_zero(tree):
    return isinstance(tree, ast.Constant) and tree.value == 0


def _without_minus(tree):
    """A product or quotient that starts with a minus, without it; else None."""
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
        return tree.operand
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, (ast.Mult, ast.Div)):
        left = _without_minus(tree.left)
        return None if left is None else ast.BinOp(left, tree.op, tree.right)
    return None


def _negative(text):
    return f"-({text})" if text.startswith("-") else f"-{text}"


def _is_one(tree):
    return isinstance(tree, ast.Constant) and tree.value == 1


def _is_quotient(tree):
    return isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Div)


def _digit(end, start):
    return end.isdigit() and start.isdigit()


def _bracketed(text):
    tall = any(sign in text for sign in (r"\frac", r"\sum", r"\prod"))
    return rf"\left({text}\right)" if tall else f"({text})"
