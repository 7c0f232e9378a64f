"""What an answer has to look like: a number, a list of three, a function.

It is read from the assertions that grade the answer, and from nothing else: they are
what it has to fit, and a solution may be of another form.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from numbers import Number

import numpy as np


@dataclass(frozen=True)
class Form:
    """What is expected under a name.

    Attributes
    ----------
    words : str
        ``a list of 3 numbers``
    fits : callable (value) -> bool
        Whether something looks like that, whatever it says.
    """

    words: str
    fits: Callable


def forms(assertions: str, needs: Iterable[str]) -> dict[str, Form]:
    """What the assertions expect under each of some names, where they show it.

    Parameters
    ----------
    assertions : str
        Statements ``assert ...``.
    needs : iterable of str
        The names that are handed in.

    Returns
    -------
    dict of str to Form

    Examples
    --------
    >>> asked = '''
    ... assert share == 0.5 and np.shape(K) == (2, 2) and set(names) == {"ICL"}
    ... assert half(4) == 2 and np.allclose(errors, [1, 2, 3]) and not violated
    ... '''
    >>> found = forms(asked, ["share", "K", "names", "half", "errors", "violated"])
    >>> for name, form in found.items():
    ...     print(name, "is", form.words)
    share is a number
    K is an array of shape (2, 2)
    names is a set of words
    half is a function of one argument
    errors is a list of 3 numbers
    violated is True or False
    """
    tree = ast.parse(assertions)
    above = {
        child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)
    }
    uses = {name: [] for name in needs}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in uses:
            uses[node.id].append(node)
    found = {}
    for name, nodes in uses.items():
        seen = [each for node in nodes for each in _seen(node, above)]
        if form := _form(seen):
            found[name] = form
    return found


def described(value) -> str:
    """What something looks like, and not what it says.

    >>> described([3, 4]), described(np.eye(2)), described(7.5), described(len)
    ('a list of length 2', 'an array of shape (2, 2)', 'a number', 'a function')
    """
    if value is None:
        return "nothing"
    if _is_truth(value):
        return "True or False"
    if _is_number(value):
        return "a number"
    if isinstance(value, str):
        return "a word"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, dict):
        return f"a dict of length {len(value)}"
    if isinstance(value, (list, tuple, set, frozenset)):
        return f"a {type(value).__name__} of length {len(value)}"
    if callable(value):
        return "a function"
    return f"a {type(value).__name__}"


# ---- what one use of a name shows: a pair (kind, details) ----


def _seen(node, above) -> list:
    """What one use of a name in an assertion shows of it."""
    parent = above[node]
    if isinstance(parent, ast.Attribute):
        call = above[parent]
        called = isinstance(call, ast.Call) and call.func is parent
        return _of_attribute(parent.attr, called)
    if isinstance(parent, ast.Subscript):
        whole = node is parent.value
        return [("item", _literal(parent.slice)) if whole else ("number", None)]
    if isinstance(parent, ast.Call) and node is parent.func:
        return [("function", len(parent.args))]
    if isinstance(parent, ast.Call):
        return _of_call(node, parent, above)
    if isinstance(parent, (ast.List, ast.Tuple)):
        return _of_list(parent, above)
    if isinstance(parent, ast.Compare):
        return _of_comparison(node, parent)
    if isinstance(parent, ast.BinOp):
        matrices = isinstance(parent.op, ast.MatMult)
        return [("array", None) if matrices else ("number", None)]
    if isinstance(parent, ast.UnaryOp) and not isinstance(parent.op, ast.Not):
        return [("number", None)]
    if isinstance(parent, (ast.BoolOp, ast.UnaryOp, ast.Assert)):
        return [("truth", None)]
    if isinstance(parent, (ast.comprehension, ast.Starred)):
        return [("some", None)]
    return []


OF_ARRAYS = {"max", "min", "sum", "mean", "any", "all", "shape"}


def _of_attribute(name, called) -> list:
    if name in OF_ARRAYS:
        return [("array", None)]
    if called and name in ("items", "keys", "values"):
        return [("dict", None)]
    return [] if called else [("attribute", name)]


def _of_call(node, call, above) -> list:
    """An argument: ``set(names) == {...}``, ``np.isclose(x, 3)``, ``abs(x) < 1``."""
    function = getattr(call.func, "attr", getattr(call.func, "id", ""))
    outer = above[call]
    with_what = None
    if isinstance(outer, ast.Compare):
        sides = [outer.left, *outer.comparators]
        with_what = next((each for each in sides if each is not call), None)
    value = _literal(with_what) if with_what is not None else None
    if function in ("isclose", "allclose") and node in call.args[:2]:
        other = call.args[1] if node is call.args[0] else call.args[0]
        outside = ""
        if isinstance(other, ast.Call) and len(other.args) == 1:  # np.sqrt([2, 5])
            outside = getattr(other.func, "attr", "")
            other = other.args[0]
        if isinstance(other, (ast.List, ast.Tuple)):
            square = (len(other.elts),) * 2
            return [("shape", square)] if outside == "diag" else _of_elements(other)
        return [("number", None)] if function == "isclose" else []
    if function == "set":
        return [("set", _kind(value))]
    if function in ("list", "tuple"):
        if isinstance(outer, ast.Subscript):  # of its beginning
            return [("some", None)]
        known = isinstance(with_what, (ast.List, ast.Tuple))
        return _of_elements(with_what) if known else [("some", None)]
    if function == "shape":
        return [("shape", value)] if isinstance(value, tuple) else [("array", None)]
    if function == "ndim" and value == 2:
        return [("matrix", None)]
    if function == "len":
        return [("some", value if isinstance(outer.ops[0], ast.Eq) else None)]
    if function == "abs":
        return [("number", None)]
    if function in ("eigvalsh", "matrix_rank"):
        return [("matrix", None)]
    if function in ("max", "min") and len(call.args) > 1:
        return [("number", None)]
    return [("some", None)] if function in ("max", "min", "sum", "mean") else []


def _of_list(shown, above) -> list:
    """One of some that are compared together: ``np.allclose([a, b], 0.5)``."""
    outer = above[shown]
    rows = (ast.List, ast.Tuple)
    if isinstance(outer, ast.Call) and len(outer.args) >= 2:
        other = outer.args[1] if shown is outer.args[0] else outer.args[0]
    elif isinstance(outer, ast.Compare):
        other = outer.comparators[0] if shown is outer.left else outer.left
    else:
        return []
    nested = isinstance(other, rows) and any(isinstance(x, rows) for x in other.elts)
    return [] if nested else [("number", None)]


def _of_comparison(node, comparison) -> list:
    """A side: ``x == 3``, ``0 < x < 4``, ``word == "refuted"``, ``a > 2 * b``."""
    sides = [comparison.left, *comparison.comparators]
    at = sides.index(node)
    other = sides[at + 1] if at + 1 < len(sides) else sides[at - 1]
    if any(isinstance(op, (ast.In, ast.NotIn)) for op in comparison.ops):
        return []
    value = _literal(other)
    if isinstance(other, ast.Dict):
        return [("keys", tuple(map(_literal, other.keys)))]
    if isinstance(value, str):
        return [("word", None)]
    if isinstance(other, ast.Tuple):
        return [("tuple", len(other.elts))]
    if isinstance(other, ast.List):
        return _of_elements(other)
    if isinstance(value, bool):
        return [("truth", None)]
    return [("number", None)]


def _of_elements(shown) -> list:
    """The other side is a list or a tuple that is written out."""
    rows = [each for each in shown.elts if isinstance(each, (ast.List, ast.Tuple))]
    if rows:
        return [("shape", (len(rows), len(rows[0].elts)))]
    values = [_literal(each) for each in shown.elts]
    words = bool(values) and all(isinstance(each, str) for each in values)
    return [("words" if words else "numbers", len(values))]


def _literal(node):
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):
        return None


def _kind(values) -> str:
    if isinstance(values, (set, tuple, list)) and values:
        words = all(isinstance(each, str) for each in values)
        return " of words" if words else " of numbers"
    return ""


# ---- what all uses show together ----


def _form(seen) -> Form | None:
    """The form of which most is known."""
    known = {}
    for kind, detail in seen:
        known.setdefault(kind, []).append(detail)
    for kind in _MADE:
        if kind in known and (form := _MADE[kind](known[kind])):
            return form
    return None


def _attributes(names) -> Form:
    names = list(dict.fromkeys(names))
    if set(names) <= {"outcome", "control_refuted"}:
        return Form("what `verify` returns", lambda x: hasattr(x, names[0]))
    told = ", ".join(f".{name}" for name in names)
    return Form(f"an object with {told}", lambda x: all(hasattr(x, n) for n in names))


def _function(counts) -> Form:
    some = "one argument" if counts[0] == 1 else f"{counts[0]} arguments"
    return Form(f"a function of {some}", callable)


def _shape(shapes) -> Form:
    shape = next((each for each in shapes if each), None)
    return Form(f"an array of shape {shape}", lambda x: _shape_of(x) == shape)


# Up to here a number in brackets is a place in a list, and not a key.
FEW = 8


def _items(keys) -> Form | None:
    """``x[80]`` is of a dict, ``x[0]`` of a list that has at least one."""
    keys = list(dict.fromkeys(keys))
    if None in keys:  # computed
        return Form("a list", lambda x: hasattr(x, "__getitem__") and not _is_one(x))
    if all(isinstance(key, int) and 0 <= key < FEW for key in keys):
        count = max(keys) + 1
        least = f"a list of at least {count}" if count > 1 else "a list"
        return Form(least, lambda x: _length(x) >= count and not _is_one(x))
    return _keys([tuple(keys)])


def _keys(several) -> Form:
    keys = several[0]
    told = ", ".join(map(repr, keys))
    return Form(
        f"a dict with {'the keys ' if len(keys) > 1 else 'the key '}{told}",
        lambda x: isinstance(x, dict) and all(key in x for key in keys),
    )


def _several(what) -> Callable:
    def made(counts):
        count = counts[0]
        return Form(
            f"a list of {count} {what}",
            lambda x: _length(x) == count and not _is_one(x),
        )

    return made


def _some(counts) -> Form:
    count = next((each for each in counts if isinstance(each, int)), None)
    if count is None:
        return Form("a list", lambda x: _length(x) >= 0 and not _is_one(x))
    return Form(f"a list of {count}", lambda x: _length(x) == count)


_MADE = {
    "attribute": _attributes,
    "function": _function,
    "keys": _keys,
    "shape": _shape,
    "tuple": lambda counts: Form(
        f"a tuple of {counts[0]}",
        lambda x: isinstance(x, tuple) and len(x) == counts[0],
    ),
    "numbers": _several("numbers"),
    "words": _several("words"),
    "set": lambda kinds: Form(
        f"a set{kinds[0]}", lambda x: _length(x) >= 0 and not _is_one(x)
    ),
    "matrix": lambda _: Form("a matrix", lambda x: len(_shape_of(x) or ()) == 2),
    "item": _items,
    "dict": lambda _: Form("a dict", lambda x: isinstance(x, dict)),
    "array": lambda _: Form("an array", lambda x: isinstance(x, np.ndarray)),
    "some": _some,
    "word": lambda _: Form("a word", lambda x: isinstance(x, str)),
    "number": lambda _: Form("a number", lambda x: _is_number(x)),
    "truth": lambda _: Form("True or False", lambda x: _is_truth(x)),
}


def _is_truth(x) -> bool:
    return isinstance(x, (bool, np.bool_))


def _is_number(x) -> bool:
    number = isinstance(x, Number) or (isinstance(x, np.ndarray) and x.ndim == 0)
    return number and not _is_truth(x)


def _is_one(x) -> bool:
    return isinstance(x, (str, Number, np.bool_)) or getattr(x, "ndim", 1) == 0


def _length(x) -> int:
    try:
        return len(x)
    except TypeError:
        return -1


def _shape_of(x):
    try:
        return np.shape(x)
    except ValueError:  # rows of different lengths
        return None
