"""Does an answer hold?  One line for whoever hands it in, and never the answer.

A cell that grades carries its assertions `sealed`: compressed and written in letters,
so that nobody reads an answer in passing.  It is a fold, not a lock.  Whoever opens
what is sealed, reads the chapter's modules in the package or has the book sees the
answers; a course that counts points asks other questions, or grades elsewhere.  A
digest of a rounded answer would be no lock either, for a number of few digits is soon
guessed, and it could not say *too large*.
"""

from __future__ import annotations

import ast
import base64
import textwrap
import warnings
import zlib
from collections.abc import Iterable, Mapping
from numbers import Real

import numpy as np

from nystheory.engine.report import forms


def sealed(assertions: str) -> str:
    """Assertions in a form in which no answer is read in passing.

    >>> opened(sealed("assert enough == 20"))
    'assert enough == 20'
    """
    packed = base64.b64encode(zlib.compress(assertions.encode(), 9)).decode()
    return "\n".join(textwrap.wrap(packed, 76))


def opened(text: str) -> str:
    """What was `sealed`."""
    return zlib.decompress(base64.b64decode("".join(text.split()))).decode()


def grade(
    exercise: str, values: Mapping, assertions: str, needs: Iterable[str] = ()
) -> None:
    """Print one line: *right*, *not yet* and what is missing, or *not right*.

    Nothing is raised on account of an answer, so that a notebook with open exercises
    runs to its end, and no line shows a value. *Not yet* says what kind of thing is
    expected. *Too large* or *too small* is said of one number that is off by more than
    a factor of two: a search by halving does not end at the answer.

    Parameters
    ----------
    exercise : str
        ``"Exercise 3.5"``, for the line.
    values : mapping of str to object
        What was defined, ``globals()`` of a notebook.
    assertions : str
        Statements ``assert ...``, as one writes them.
    needs : iterable of str
        The names that are handed in; None counts as nothing.

    Raises
    ------
    ValueError
        If there is no assertion, or something else beside them: nothing is right
        that was not checked.

    Examples
    --------
    >>> asked = "assert y == x**2"
    >>> grade("Exercise 1.1", {"x": 3, "y": 9}, asked, ["y"])
    Exercise 1.1: right
    >>> grade("Exercise 1.1", {"x": 3, "y": 8}, asked, ["y"])
    Exercise 1.1: not right: y
    >>> grade("Exercise 1.1", {"x": 3, "y": 81}, asked, ["y"])
    Exercise 1.1: not right: y is too large
    >>> grade("Exercise 1.1", {"x": 3, "y": [9]}, asked, ["y"])
    Exercise 1.1: not yet: y: expected a number, got a list of length 1
    >>> grade("Exercise 1.1", {"x": 3, "y": None}, asked, ["y"])
    Exercise 1.1: not yet: y is still None
    """
    told = judged(values, assertions, needs)
    _TOLD[exercise] = told
    print(f"{exercise}: {told}")


# What was said last of each exercise, while a notebook runs.
_TOLD = {}


def judged(values: Mapping, assertions: str, needs: Iterable[str] = ()) -> str:
    """What `grade` prints behind the name of an exercise.

    >>> judged({"y": 8}, "assert y == 9", ["y"])
    'not right: y'
    """
    statements = ast.parse(assertions).body
    rest = [each for each in statements if not isinstance(each, ast.Assert)]
    if rest or not statements:
        got = repr(ast.unparse(rest[0])) if rest else "none"
        raise ValueError(f"assertions: expected statements 'assert ...', got {got}")
    needs = list(needs)
    missing = [name for name in needs if values.get(name) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        return f"not yet: {_listed(missing)} {verb} still None"
    expected = forms.forms(assertions, needs)
    for statement in statements:
        if told := _told(statement, values, needs, expected):
            return told
    return "right"


def still_open(exercises: Iterable[str], on_paper: Iterable[str] = ()) -> None:
    """Print how many exercises are open, in one line at the end of a copy.

    Parameters
    ----------
    exercises : iterable of str
        What `grade` grades in this notebook.
    on_paper : iterable of str
        What a person grades.

    Examples
    --------
    >>> grade("Exercise 1.1", {"y": 9}, "assert y == 9", ["y"])
    Exercise 1.1: right
    >>> still_open(["Exercise 1.1", "Exercise 1.2"], ["Exercise 1.3"])
    1 of 2 right, 1 open: Exercise 1.2. A person grades Exercise 1.3.
    """
    exercises, on_paper = list(exercises), list(on_paper)
    left = [each for each in exercises if _TOLD.get(each) != "right"]
    counted = f"{len(exercises) - len(left)} of {len(exercises)} right, "
    counted += f"{len(left)} open: {'; '.join(left)}." if left else "none open."
    person = f" A person grades {'; '.join(on_paper)}." if on_paper else ""
    print(counted + person)


def _told(statement, values, needs, expected) -> str:
    """What is said of an assertion that does not hold; nothing of one that does."""
    raised = ""
    try:
        if value_of(statement.test, values):
            return ""
    except Exception as error:  # of an answer in another form, or its own
        raised = type(error).__name__
    used = {each.id for each in ast.walk(statement) if isinstance(each, ast.Name)}
    named = [name for name in needs if name in used]
    for name in named:
        if name in expected and not expected[name].fits(values[name]):
            got = forms.described(values[name])
            return f"not yet: {name}: expected {expected[name].words}, got {got}"
    hint = statement.msg.value if isinstance(statement.msg, ast.Constant) else ""
    if raised:
        told = f"not yet: {_listed(named)} cannot be checked ({raised})"
    else:
        told = "not right: " + (_way(statement.test, values, named) or _listed(named))
    return f"{told} ({hint})" if hint else told


def value_of(tree: ast.expr, values: Mapping) -> bool:
    """Whether an expression in the names of the reader is true; nothing is warned."""
    code = compile(ast.Expression(tree), "<exercise>", "eval")
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return bool(eval(code, dict(values)))


def _way(test, values, named) -> str:
    """In which direction one number is wrong, if it is so by more than twice."""
    for name, other, ways in _compared(test, named):
        code = compile(ast.Expression(other), "<exercise>", "eval")
        try:
            have, want = values[name], eval(code, dict(values))
        except Exception:  # behind an "and" that already failed
            continue
        if not all(isinstance(x, Real) and x > 0 for x in (have, want)):
            continue
        if "large" in ways and have > 2 * want:
            return f"{name} is too large"
        if "small" in ways and 2 * have < want:
            return f"{name} is too small"
    return ""


# In which ways the left side of a comparison can be wrong.
WAYS = {
    **{ast.Eq: ("large", "small")},
    **dict.fromkeys((ast.Lt, ast.LtE), ("large",)),
    **dict.fromkeys((ast.Gt, ast.GtE), ("small",)),
}
OTHER = {"large": "small", "small": "large"}


def _compared(test, named):
    """Each name with what it is compared with, that knows no name handed in."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for part in test.values:
            yield from _compared(part, named)
        return
    pairs = []
    if isinstance(test, ast.Compare):
        sides = [test.left, *test.comparators]
        for left, op, right in zip(sides, test.ops, sides[1:], strict=False):
            ways = WAYS.get(type(op), ())
            pairs += [(left, right, ways), (right, left, [OTHER[w] for w in ways])]
    elif isinstance(test, ast.Call) and getattr(test.func, "attr", "") == "isclose":
        left, right = test.args[:2]
        pairs += [(left, right, WAYS[ast.Eq]), (right, left, WAYS[ast.Eq])]
    for one, other, ways in pairs:
        inside = {x.id for x in ast.walk(other) if isinstance(x, ast.Name)}
        if isinstance(one, ast.Name) and one.id in named and not inside & {*named}:
            yield one.id, other, ways


def _listed(names) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
