"""What may be combined in a line: one decision for all who read lines.

A number, a vector, a row, a matrix, a truth.  A vector is a column, its transpose a
row.  A line has to mean what its formula says to a mathematician, so nothing is
stretched until it fits: a matrix and a number have no sum, two matrices one product.

The readers of floats and of balls compute apart; what is a line at all, they ask here.
"""

import ast
from typing import NamedTuple

NUMBER, VECTOR, ROW, MATRIX, TRUTH = "number", "vector", "row", "matrix", "truth"


class Kind(NamedTuple):
    """What a value is, and its shape."""

    name: str
    shape: tuple = ()

    def __str__(self):
        size = " x ".join(map(str, self.shape))
        return f"a {self.name}" + (f" of {size}" if size else "")


SIGNS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.MatMult: "@",
    ast.Pow: "**",
}
RELATIONS = {
    ast.LtE: "<=",
    ast.GtE: ">=",
    ast.Lt: "<",
    ast.Gt: ">",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_NUMBERS = (NUMBER, VECTOR, ROW, MATRIX)
# Entry by entry there are vectors only: of matrices a formula would say another thing.
_SUM = {(x, x): x for x in _NUMBERS}
_SUM |= {(NUMBER, VECTOR): VECTOR, (VECTOR, NUMBER): VECTOR}
_TIMES = {(NUMBER, x): x for x in _NUMBERS} | {(x, NUMBER): x for x in _NUMBERS}
_TIMES |= {(VECTOR, VECTOR): VECTOR}
_OVER = {(x, NUMBER): x for x in _NUMBERS}
_OVER |= {(NUMBER, VECTOR): VECTOR, (VECTOR, VECTOR): VECTOR}
_PRODUCT = {(MATRIX, MATRIX): MATRIX, (MATRIX, VECTOR): VECTOR}
_PRODUCT |= {(ROW, MATRIX): ROW, (ROW, VECTOR): NUMBER}
_RESULTS = {
    "+": _SUM,
    "-": _SUM,
    "*": _TIMES,
    "/": _OVER,
    "@": _PRODUCT,
    "**": {(NUMBER, x): x for x in (NUMBER, VECTOR)} | {(VECTOR, NUMBER): VECTOR},
}
_SHIFT = "a multiple of the identity is added by M + c * identity(n)"
_ADVICE = {
    "+": _SHIFT,
    "-": _SHIFT,
    "*": "matrices are multiplied by A @ B, their entries by hadamard(A, B)",
    "/": "a matrix is inverted by inv(M)",
    "@": "a vector is a column, so write M @ x, x.T @ M or x.T @ y; "
    "numbers are multiplied by *",
    "**": "a matrix is squared by M @ M, its entries by hadamard(M, M)",
}


def combined(op: ast.operator, a: Kind | None, b: Kind | None) -> str | None:
    """The kind of what an operator makes of two; None where one is not known.

    Raises
    ------
    ValueError
        If it makes nothing of them.

    Examples
    --------
    >>> combined(ast.MatMult(), Kind(ROW, (3,)), Kind(VECTOR, (3,)))
    'number'
    """
    sign = SIGNS.get(type(op))
    if sign is None:
        raise ValueError(f"line: expected one of {' '.join(_RESULTS)}, got {op}")
    _no_truths(sign, a, b)
    if a is None or b is None:
        return None
    result = _RESULTS[sign].get((a.name, b.name))
    if result is None:
        told = f"line: expected what {sign} combines, got {a} {sign} {b}"
        raise ValueError(f"{told}; {_ADVICE[sign]}")
    if NUMBER not in (a.name, b.name) and not _fit(sign, a.shape, b.shape):
        raise ValueError(f"line: expected shapes that agree, got {a} {sign} {b}")
    return result


def _fit(sign, left, right):
    return left[-1] == right[0] if sign == "@" else left == right


def _no_truths(what, *kinds):
    if any(kind is not None and kind.name == TRUTH for kind in kinds):
        raise ValueError(f"line: expected numbers for {what}, got a truth")


def negated(a: Kind | None) -> None:
    """A truth has no minus."""
    _no_truths("-", a)


def transposed(a: Kind | None) -> str | None:
    """The kind of the transpose: a vector becomes a row, a row a vector."""
    if a is None:
        return None
    turned = {VECTOR: ROW, ROW: VECTOR, MATRIX: MATRIX}
    if a.name not in turned:
        raise ValueError(f"line: expected a matrix or a vector for .T, got {a}")
    return turned[a.name]


def compared(sign: str, a: Kind | None, b: Kind | None) -> None:
    """Two of a kind and of a shape, or a number with every entry of the other.

    Truths are the same or not; neither is more than the other.
    """
    if a is None or b is None:
        return
    truths = (a.name == TRUTH) + (b.name == TRUTH)
    if truths == 2 and sign in ("==", "!="):
        return
    if truths:
        raise ValueError(
            f"line: expected two truths and == or !=, or none, got {a} {sign} {b}"
        )
    if NUMBER not in (a.name, b.name) and a != b:
        raise ValueError(f"line: expected shapes that agree, got {a} {sign} {b}")


# --- Functions ------------------------------------------------------------------------

_ENTRIES = ((NUMBER, VECTOR),)
_ANY = ((NUMBER, VECTOR, MATRIX),)
_MATRIX = ((MATRIX,),)
_SQUARE = ("trace", "diag", "inv", "det", "log_det", "eigenvalues")
# What each argument may be.
_ARGUMENTS = {
    **dict.fromkeys(("log", "exp", "erf", "sin", "asin"), _ENTRIES),
    **dict.fromkeys(("sqrt", "abs", "sum"), _ANY),
    **dict.fromkeys(("floor", "ceil", "identity", "counting"), ((NUMBER,),)),
    **dict.fromkeys((*_SQUARE, "pinv", "rank", "norm_F", "norm_trace"), _MATRIX),
    "norm_2": ((VECTOR, MATRIX),),
    **dict.fromkeys(("inverse_squares", "binomial"), ((NUMBER,), (NUMBER,))),
    **dict.fromkeys(("power", "leading", "column"), ((MATRIX,), (NUMBER,))),
    **dict.fromkeys(("prod", "diagonal"), ((VECTOR,),)),
    "elementary": ((VECTOR,), (NUMBER,)),
    "outer": ((VECTOR,), (VECTOR,)),
    "hadamard": _MATRIX * 2,
    "taken": ((VECTOR, MATRIX), (VECTOR,)),
    "below": ((NUMBER, MATRIX),) * 2,
}
NAMES = (*_ARGUMENTS, "block", "min", "max")
# What is taken over all samples of a law.
OVER_SAMPLES = ("mean", "chance")


def _arguments(name, count):
    """What each of so many arguments may be; None where there are too many or few."""
    if name == "block":
        return _MATRIX * count if count in (2, 4) else None
    if name in ("min", "max"):
        return _ANY if count == 1 else ((NUMBER,),) * count or None
    return _ARGUMENTS[name] if len(_ARGUMENTS[name]) == count else None


def counted(name: str, count: int) -> None:
    """Whether a function takes so many arguments."""
    if _arguments(name, count) is None:
        raise ValueError(f"line: expected other arguments, got {count} for {name}(...)")


def called(name: str, kinds) -> None:
    """Whether a function takes arguments of these kinds; None is not known.

    Raises
    ------
    ValueError
        If it does not.

    Examples
    --------
    >>> called("norm_2", [Kind(VECTOR, (3,))])
    """
    counted(name, len(kinds))
    _no_truths(f"{name}(...)", *kinds)
    for kind, expected in zip(kinds, _arguments(name, len(kinds)), strict=True):
        if kind is not None and kind.name not in expected:
            told = f"expected a {' or a '.join(expected)}, got {kind}"
            raise ValueError(f"line: {name}(...): {told}")
    known = [kind for kind in kinds if kind is not None]
    if len(known) == len(kinds) and not _shaped(name, [k.shape for k in kinds]):
        told = f"got {' and '.join(map(str, kinds))}"
        raise ValueError(f"line: {name}(...): expected other shapes, {told}")


def _shaped(name, shapes) -> bool:
    if name in (*_SQUARE, "power", "leading"):
        return shapes[0][0] == shapes[0][1]
    if name == "hadamard":
        return shapes[0] == shapes[1]
    if name == "below":
        # A number has no shape; two of them have no order of matrices.
        sizes = {shape for shape in shapes if shape}
        return len(sizes) == 1 and all(x == y for x, y in sizes)
    if name == "block":
        return _block_fits(shapes)
    return True


def _block_fits(shapes) -> bool:
    rows = [shapes[:2], shapes[2:]] if len(shapes) == 4 else [shapes]
    level = all(left[0] == right[0] for left, right in rows)
    columns = {tuple(shape[1] for shape in row) for row in rows}
    return level and len(columns) == 1


def averaged(name: str, kind: Kind | None) -> None:
    """A chance is that of a truth, a mean that of numbers."""
    if kind is None:
        return
    if (kind.name == TRUTH) is not (name == "chance") or kind.name == ROW:
        told = "a truth" if name == "chance" else "a number, a vector or a matrix"
        raise ValueError(f"line: {name}(...): expected {told}, got {kind}")


# --- Laws in stages -------------------------------------------------------------------


def stages(law: str, tree: ast.Call) -> tuple[str, str]:
    """The law over which a mean or a chance is taken, and what one inside it has left.

    ``first >> second`` draws one after the other.  A mean with another one inside is
    taken over the first stage, and the one inside over the rest; else over all.

    Raises
    ------
    ValueError
        If there are more of them than stages.

    Examples
    --------
    >>> stages("data >> columns", ast.parse("mean(chance(x > 1))", mode="eval").body)
    ('data', 'columns')
    >>> stages("data >> columns", ast.parse("mean(x)", mode="eval").body)
    ('data >> columns', '')
    """
    inside = (n for part in tree.args for n in ast.walk(part))
    if not any(map(_over_samples, inside)):
        return law, ""
    first, _, rest = law.partition(" >> ")
    if not rest:
        raise ValueError(
            f"line: expected a law with as many stages as means within each other, "
            f"got {law!r} for {ast.unparse(tree)}"
        )
    return first, rest


def check_stages(law: str, tree: ast.AST) -> None:
    """Whether a law has a stage for each mean or chance within another."""
    for node in ast.walk(tree):
        if _over_samples(node):
            _, rest = stages(law, node)
            for part in node.args:
                check_stages(rest, part)


def _over_samples(node) -> bool:
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return called and node.func.id in OVER_SAMPLES
