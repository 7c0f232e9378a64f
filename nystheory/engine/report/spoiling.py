"""Can an answer fail?  The assertions of an exercise, on answers that were spoiled.

What grades a student's answer must refuse a wrong one. Each name that is handed in is
made wrong in some simple ways; one of them has to be refused, or the assertions let
everything pass.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from numbers import Number

import numpy as np

from nystheory.engine.report.grading import value_of


def unfailing(values: Mapping, assertions: str, needs: Iterable[str]) -> list[str]:
    """Names that may be anything, and assertions that no spoiled name fails.

    An assertion that cannot be computed refuses nothing: it would stop a slip in the
    form of an answer, and not a wrong answer.

    Parameters
    ----------
    values : mapping of str to object
        What was defined, with a right answer under each name.
    assertions : str
        Statements ``assert ...``.
    needs : iterable of str
        The names that are handed in.

    Returns
    -------
    list of str
        Empty where each name and each assertion can fail.

    Examples
    --------
    >>> unfailing({"x": 3, "y": 9}, "assert y == x**2", ["x", "y"])
    []
    >>> unfailing({"y": 9}, "assert y > -9", ["y"])
    ['y', 'assert y > -9']
    >>> unfailing({"x": 3, "y": 9}, "assert y == 9\\nassert x + y > 1", ["x", "y"])
    ['x', 'assert x + y > 1']
    """
    needs, refused = list(needs), set()
    statements = ast.parse(assertions).body
    for name in needs:
        for wrong in _spoilings(values[name]):
            for statement in statements:
                if _fails(statement, name, {**values, name: wrong}):
                    refused |= {name, ast.unparse(statement)}
    asked = needs + [ast.unparse(statement) for statement in statements]
    return [each for each in asked if each not in refused]


def spoiled(value, way: Callable):
    """Something of the same form as an answer, with other numbers and other words.

    >>> spoiled([3, 2.0, True, "ICL"], WAYS["more"])
    [5, 4.0, False, '']
    >>> spoiled({80: np.ones(2)}, WAYS["none"])
    {80: array([0., 0.])}
    >>> spoiled(len, WAYS["less"])("four")
    2
    """
    if isinstance(value, (bool, np.bool_)):
        return not value
    if isinstance(value, Number):
        return way(value)
    if isinstance(value, np.ndarray) and value.dtype != object:
        return ~value if value.dtype == bool else way(value)
    if isinstance(value, str):
        return ""
    if isinstance(value, dict):
        return {key: spoiled(each, way) for key, each in value.items()}
    if isinstance(value, tuple):
        wrong = (spoiled(each, way) for each in value)
        return type(value)(*wrong) if hasattr(value, "_make") else tuple(wrong)
    if isinstance(value, list):
        return [spoiled(each, way) for each in value]
    if isinstance(value, (set, frozenset)):
        return type(value)()
    return _Spoiled(value, way)


def _whole(value) -> bool:
    return isinstance(value, int) or np.asarray(value).dtype.kind in "iu"


# Numbers that are wrong: too large, too small, none, and all alike.
# Integers stay integers.
WAYS = {
    "more": lambda x: x + x // 2 + 1 if _whole(x) else 1.5 * x + 1,
    "less": lambda x: x // 2 if _whole(x) else x / 2,
    "none": lambda x: 0 * x,
    "alike": lambda x: 0 * x + 1,
}


def _spoilings(value):
    """All that is tried in the place of an answer; one entry may be missing, too."""
    yield from (spoiled(value, way) for way in WAYS.values())
    if isinstance(value, np.ndarray) and value.dtype.kind in "if":
        yield -value
        yield _with_another_entry(value)
    if isinstance(value, (list, tuple, np.ndarray)) and getattr(value, "ndim", 1):
        yield value[:-1]


def _with_another_entry(values):
    """One entry is greater: a symmetric matrix stays one, its copies are none."""
    wrong = values.copy()
    wrong.flat[:1] = 2 * abs(values.flat[:1]) + 1
    return wrong


class _Spoiled:
    """A function or another object: whatever it tells is spoiled."""

    def __init__(self, value, way):
        self._of, self._way = value, way

    def __getattr__(self, name):
        return spoiled(getattr(self._of, name), self._way)

    def __getitem__(self, key):
        return spoiled(self._of[key], self._way)

    def __call__(self, *given, **named):
        return spoiled(self._of(*given, **named), self._way)

    def __bool__(self):
        return not self._of


def _fails(statement, name, values) -> bool:
    """Whether an assertion that speaks of a name is false."""
    if name not in {n.id for n in ast.walk(statement.test) if isinstance(n, ast.Name)}:
        return False
    try:
        return not value_of(statement.test, values)
    except Exception:
        return False
