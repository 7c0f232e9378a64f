"""What a message advises is done, and helps; what is the other way about does not.

Advice on the argument itself is followed in the table of bad input (`advice.py`).  Here
are messages that speak of other arguments, or of a direction: each case is a call with
these arguments, its message, and what its words are to change.  Every such sentence in
the package is read by a case.
"""

import ast
import re
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from advice import VALUES
from advice_cases import CASES, SIGNS, K, X, Y

import nystheory
from nystheory import kernels, lowrank, sampling, selection

PACKAGE = Path(nystheory.__file__).parent
def said(case, **more):
    """What is said: an error, a warning, or the advice of an answer."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            answer = case.call(**case.given | more)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            return str(error)
    if heard:
        return "; ".join(str(each.message) for each in heard)
    return getattr(answer, "advice", "")


@pytest.mark.parametrize("name", CASES)
def test_advice_is_followed_and_helps(name):
    case = CASES[name]
    first = said(case)
    assert first, "nothing is said"
    told = {phrase for phrase in case.moves if phrase in first}
    assert told == set(case.moves), first
    # Two cases of one message may differ in what is said of a number.
    expected = re.sub(r"got .*?(?=;|$)|\d", "", first)[:50]
    for phrase, more in case.moves.items():
        after = said(case, **more)
        assert expected not in re.sub(r"got .*?(?=;|$)|\d", "", after), (phrase, after)


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name].turned])
def test_the_other_way_about_does_not_help_and_is_not_said(name):
    case, first = CASES[name], said(CASES[name])
    for phrase, more in case.turned.items():
        assert phrase not in first
        assert said(case, **more), phrase


# --- What messages say of others ------------------------------------------------------


def keeps_a_factor(name):
    rng = np.random.default_rng(0)
    given = {"indices": range(4)} if name == "user" else {}
    given |= {"y": Y} if name == "criterion_driven" else {}
    given |= {"alpha": 0.5} if name in ("bless", "ridge_leverage") else {}
    given |= {"rank": 2} if name == "leverage" else {}
    drawn = sampling.SCHEMES[name](K, 4, rng, **given)
    try:
        lowrank.from_factor(drawn)
    except ValueError as error:
        return "expected those of a scheme that keeps its factor" not in str(error)
    return True


def test_schemes_that_keep_a_factor_are_named_and_no_others():
    with pytest.raises(ValueError, match="keeps its factor") as error:
        lowrank.from_factor([0, 1])
    named = re.search(r"\((.*?)\)", str(error.value))[1].split(", ")
    assert {x for x in sampling.SCHEMES if keeps_a_factor(x)} == set(named)


FEW = re.compile(r"\bfew columns")


def frugal():
    """Schemes of which a string of the package says that they read few columns."""
    for path in PACKAGE.rglob("*.py"):
        if not {"chapters", "engine", "exact"} & {*path.relative_to(PACKAGE).parts}:
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                text = node.value if isinstance(node, ast.Constant) else ""
                if isinstance(text, str) and "\n" not in text and FEW.search(text):
                    for name in set(re.findall(r"\w+", text)) & {*sampling.SCHEMES}:
                        yield name, text


def test_schemes_that_are_said_to_read_few_columns_do():
    points = np.random.default_rng(0).standard_normal((600, 2))
    seen = [*frugal()]
    for name, text in seen:
        one = kernels.rbf(points, 0.5)
        sampling.SCHEMES[name](one, 10, np.random.default_rng(0))
        assert one.entries_asked < 600**2 / 6, (name, text)
    assert len(seen) >= 2


@pytest.mark.parametrize("ridges", [None, [0.1, 1.0]])
def test_what_is_said_to_grow_grows(ridges):
    """With the ridge, of the measure that the message names."""
    made = selection.KernelSelector(["rbf"], ridges, measure="criterion")
    with pytest.raises(ValueError, match="measure='criterion'") as error:
        made.fit(X, Y)
    found = re.search(r"which (grows|falls) with the (\w+)", str(error.value))
    values = selection.criterion(K, SIGNS, 10.0 ** np.arange(-3, 4))
    assert found[2] == "ridge"
    assert (np.diff(values) > 0).all() == (found[1] == "grows")


# --- Every sentence that advises something is read ------------------------------------

ADVISES = re.compile(
    r"would help|such as|: subtract|; [\w ,'-]*?\b(?:pass|take|raise|use|make it|set|"
    r"allow|subtract|wrap|drop|fill|divide|multiply|leave|approximate)\b"
)


def is_told(node):
    """Whether a call makes an error, a warning, or the words of an answer."""
    name = ast.unparse(node.func)
    return name.endswith(("Error", "Warning", "warn")) or name in ("Failed",)


@cache
def advice():
    """Sentences of errors and warnings that advise something, without their numbers."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        if {"chapters", "engine", "exact"} & {*path.relative_to(PACKAGE).parts}:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and is_told(node):
                for each in node.args:
                    text = words_of(each)
                    if ADVISES.search(text):
                        found[text] = f"{path.name}:{node.lineno}"
    return found


def words_of(node):
    """The text of a string, with a hole for each number."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value if isinstance(part, ast.Constant) else "\0"
            for part in node.values
        )
    if isinstance(node, ast.BinOp):
        return words_of(node.left) + words_of(node.right)
    return ""


def pattern(text):
    return re.compile(".*?".join(re.escape(part) for part in text.split("\0")), re.S)


# What takes a package, a machine or a search of its own to bring about.
UNREAD = (
    "expected few enough for D^2 words",
    "expected mean squared errors above their rounding",
    "expected approximate weights whose Laplacian",
    "got fewer where the index is sparse",
    "whose matrix takes half of the memory",
    "a kernel matrix of dense ones",
    "a coefficient in float64, got only larger ones",
)


def test_every_advice_is_read():
    """By a case, or in the table of bad input where it is on the argument itself."""
    heard, unread = [said(case) for case in CASES.values()], []
    for text, where in advice().items():
        own = any(re.search(each, text.replace("\0", "X"), re.S) for each in VALUES)
        if not own and not any(pattern(text).search(each) for each in heard):
            unread.append(f"{where}: {text}")
    left = [text for text in unread if not any(each in text for each in UNREAD)]
    assert left == []
    assert len(unread) <= len(advice()) / 8
