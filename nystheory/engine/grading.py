"""Does an answer hold?  The check of an exercise, with words for who comes short."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

# A longer value is cut: the message is for a reader, not for a log.
LONGEST = 70


def grade(
    exercise: str, values: Mapping, assertions: str, needs: Iterable[str] = ()
) -> None:
    """Check some assertions one by one, and say of the first that fails what it asks.

    Parameters
    ----------
    exercise : str
        ``"Exercise 3.5"``, for the messages.
    values : mapping of str to object
        What was defined, ``globals()`` of a notebook.
    assertions : str
        Statements ``assert ...``, as one writes them.
    needs : iterable of str
        The names that are handed in; None counts as nothing.

    Raises
    ------
    NameError
        If a name is not defined, or is None.
    AssertionError
        If an assertion is false, or cannot be evaluated with what was handed in.
    ValueError
        If there is no assertion, or something else beside them: nothing is correct
        that was not checked.

    Examples
    --------
    >>> grade("Exercise 1.1", {"x": 3, "y": 9}, "assert y == x**2", ["y"])
    Exercise 1.1: correct
    >>> grade("Exercise 1.1", {"x": 3, "y": 8}, "assert y == x**2", ["y"])
    Traceback (most recent call last):
    AssertionError: Exercise 1.1 asks that y == x ** 2; here y is 8, x ** 2 is 9
    >>> grade("Exercise 1.1", {"x": 3, "y": None}, "assert y == x**2", ["y"])
    Traceback (most recent call last):
    NameError: Exercise 1.1 needs y: define it in the cell above
    """
    statements = ast.parse(assertions).body
    rest = [each for each in statements if not isinstance(each, ast.Assert)]
    if rest or not statements:
        got = repr(ast.unparse(rest[0])) if rest else "none"
        raise ValueError(f"assertions: expected statements 'assert ...', got {got}")
    missing = [name for name in needs if values.get(name) is None]
    if missing:
        it = "it" if len(missing) == 1 else "them"
        told = f"{exercise} needs {', '.join(missing)}: define {it} in the cell above"
        raise NameError(told)
    for statement in statements:
        asked = ast.unparse(statement.test)
        try:
            holds = bool(_value(statement.test, values))
            more = _value(statement.msg, values) if statement.msg else ""
        except Exception as error:
            told = f"{exercise} asks that {asked}, which cannot be computed here: "
            came = f"{type(error).__name__}: {error}; "
            raise AssertionError(told + came + _shown(statement, values)) from error
        if not holds:
            told = f"{exercise} asks that {asked}; here {_shown(statement, values)}"
            raise AssertionError(f"{told}. {more}" if more else told)
    print(f"{exercise}: correct")


def handed_in(assertions: str, needs: Iterable[str]) -> list[str]:
    """How some names are used: ``enough[80]``, ``promise.count``, ``half(4)``.

    >>> handed_in("assert half(4) < asked <= enough[80]", ["half", "asked", "enough"])
    ['half(4)', 'asked', 'enough[80]']
    """
    wanted, found, inner = set(needs), {}, set()
    for node in ast.walk(ast.parse(assertions)):  # from the outside in
        root, depth = node, 0
        while isinstance(root, (ast.Attribute, ast.Subscript, ast.Call)):
            root = root.func if isinstance(root, ast.Call) else root.value
            depth += 1
        if isinstance(root, ast.Name) and root.id in wanted and id(root) not in inner:
            inner.add(id(root))
            place = (root.lineno, root.col_offset)
            found[place] = ast.unparse(node)
    return list(dict.fromkeys(found[place] for place in sorted(found)))


def _value(tree, values):
    """An expression in the names of the reader."""
    code = compile(ast.Expression(tree), "<exercise>", "eval")
    return eval(code, dict(values))


def _shown(statement, values) -> str:
    """The sides of what is compared, and the arguments of what is called."""
    told = {}
    for node in _sides(statement.test):
        words = ast.unparse(node)
        if words in told or isinstance(node, ast.Constant):
            continue
        try:
            value = " ".join(repr(_value(node, values)).split())
        except Exception:
            value = "nothing that can be computed"
        short = value if len(value) <= LONGEST else value[: LONGEST - 3] + "..."
        told[words] = short
    return ", ".join(f"{words} is {value}" for words, value in told.items())


def _sides(test) -> list:
    if isinstance(test, ast.BoolOp):
        return [side for value in test.values for side in _sides(value)]
    if isinstance(test, ast.UnaryOp):
        return _sides(test.operand)
    if isinstance(test, ast.Compare):
        return [test.left, *test.comparators]
    if isinstance(test, ast.Call):
        method = isinstance(test.func, ast.Attribute)
        own = [test.func.value] if method and not test.args else []
        return [side for each in own for side in _sides(each)] or test.args or [test]
    return [test]
