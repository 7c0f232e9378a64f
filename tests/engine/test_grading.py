"""What somebody is told whose answer to an exercise comes short."""

import re

import numpy as np
import pytest

from nystheory.engine.report.forms import described, forms
from nystheory.engine.report.grading import grade, opened, sealed, still_open

RAISED = "y cannot be checked (ZeroDivisionError)"


@pytest.mark.parametrize(
    ("y", "assertion", "says"),
    [
        (None, "assert y", "not yet: y is still None"),
        (5, "assert 0 < y < 4", "not right: y"),
        (50, "assert 0 < y < 4", "not right: y is too large"),
        (1, "assert y == 4", "not right: y is too small"),
        (1, "assert np.isclose(y, 4)", "not right: y is too small"),
        (3, "assert y == 4", "not right: y"),
        (-3, "assert y == 4", "not right: y"),
        (9, "assert y > 1 and y != 9", "not right: y"),
        (9, "assert not y > 1", "not right: y"),
        ({"a": []}, "assert y['a'] > 1", "not yet: y cannot be checked (TypeError)"),
        (lambda x: 1 / 0, "assert y(2)", f"not yet: {RAISED}"),
        (3, "assert y == 4, 'half of it'", "not right: y (half of it)"),
        (3, "assert y == 4, f'half of {8}'", "not right: y"),
    ],
)
def test_what_comes_short(y, assertion, says, capsys):
    grade("Exercise 1.1", {"np": np, "y": y}, assertion, ["y"])
    assert capsys.readouterr().out == f"Exercise 1.1: {says}\n"


@pytest.mark.parametrize(
    ("y", "assertion", "expected", "got"),
    [
        (5, "assert y[80] == 1", "a dict with the key 80", "a number"),
        ({}, "assert y['a'] > 1", "a dict with the key 'a'", "a dict of length 0"),
        ([4], "assert y == 4", "a number", "a list of length 1"),
        ("4", "assert y == 4", "a number", "a word"),
        (np.zeros(2), "assert y == 4", "a number", "an array of shape (2,)"),
        ("", "assert np.allclose(y, [1, 2])", "a list of 2 numbers", "a word"),
        (2, "assert y(2) == 1", "a function of one argument", "a number"),
        ("", "assert np.shape(y) == (3,)", "an array of shape (3,)", "a word"),
    ],
)
def test_what_is_of_another_form(y, assertion, expected, got, capsys):
    grade("Exercise 1.1", {"np": np, "y": y}, assertion, ["y"])
    says = f"not yet: y: expected {expected}, got {got}"
    assert capsys.readouterr().out == f"Exercise 1.1: {says}\n"


def test_a_name_that_is_not_defined_is_missing(capsys):
    grade("Exercise 1.1", {}, "assert y > z", ["y", "z"])
    assert "not yet: y and z are still None" in capsys.readouterr().out


@pytest.mark.parametrize("y", [0, 1, 3, 1000, -7, [17], "17", np.arange(17), print])
def test_no_line_has_the_answer_or_a_value_of_it(y, capsys):
    asked = "assert y == 17\nassert y + 400 == 417"
    grade("Exercise 1.1", {"y": y}, asked, ["y"])
    told = capsys.readouterr()
    assert told.out.count("\n") == 1 and not told.err
    said = told.out.replace("shape (17,)", "")  # of what came, and not of the answer
    assert not re.search("17|400|==", said)


def test_a_search_by_halving_does_not_end_at_the_answer(capsys):
    """Only what is off by more than a factor of two is called large or small."""
    silent = []
    for y in range(1, 400):
        grade("Exercise 1.1", {"y": y}, "assert y == 109", ["y"])
        told = capsys.readouterr().out
        if "right: y\n" in told:
            silent.append(y)
    assert (min(silent), max(silent)) == (55, 218)


def test_what_holds(capsys):
    grade("Exercise 1.1", {"y": 0.0, "z": []}, "assert y == 0\nassert not z", ["y"])
    assert capsys.readouterr().out == "Exercise 1.1: right\n"


def test_a_right_answer_of_another_form_is_right(capsys):
    """The form is looked at where something fails, and only there."""
    has = {"np": np, "y": np.array([2.0]), "z": (1, 2)}
    grade("E", has, "assert y == 2\nassert np.allclose(z, [1, 2])", ["y", "z"])
    assert capsys.readouterr().out == "E: right\n"


def test_what_is_sealed_is_not_read_in_passing():
    text = "assert enough == 20\nassert np.allclose(factors, [10000, 1000])"
    assert opened(sealed(text)) == text
    assert not re.search("assert|enough|==|10000|factors", sealed(text))


@pytest.mark.parametrize(
    ("assertion", "words"),
    [
        ("assert x == (3, 4)", "a tuple of 2"),
        ("assert x[0] < x[1]", "a list of at least 2"),
        ("assert x[80] < 1 < x[400]", "a dict with the keys 80, 400"),
        ("assert x == {'a': 3 * 4, 'b': 0}", "a dict with the keys 'a', 'b'"),
        ("assert x and x.control_refuted", "what `verify` returns"),
        ("assert x.observed > 3 * x.bound", "an object with .observed, .bound"),
        ("assert np.abs(x.distance).max() > 1", "an object with .distance"),
        ("assert np.allclose([x, y], 0.5)", "a number"),
        ("assert np.allclose(x, [[1, 2], [3, 4], [5, 6]])", "an array of shape (3, 2)"),
        ("assert np.allclose(x, np.sqrt([1, 2]))", "a list of 2 numbers"),
        ("assert not np.allclose(x, np.diag([3, 0]))", "an array of shape (2, 2)"),
        ("assert y[-x - 1] < 2", "a number"),
        ("assert y[x] < 2", "a number"),
        ("assert y < min(x, 3)", "a number"),
        ("assert y < min(x)", "a list"),
        ("assert len(x) == 3 and min(x) > 0", "a list of 3"),
        ("assert set(x) == {1, 2}", "a set of numbers"),
        ("assert not x", "True or False"),
        ("assert x == 'refuted'", "a word"),
        ("assert all(x(m) > 1 for m in (2, 20))", "a function of one argument"),
        ("assert f(x) > 1", None),
    ],
)
def test_what_an_assertion_shows_of_the_form(assertion, words):
    found = forms(assertion, ["x"])
    assert (found["x"].words if found else None) == words


@pytest.mark.parametrize(
    ("assertion", "right", "wrong"),
    [
        ("assert x == 3", [3, 2.5, np.float64(1), np.array(4)], [[3], True, "3"]),
        ("assert np.allclose(x, [1, 2])", [[3, 4], (3, 4), np.ones(2)], [3, [3], "ab"]),
        ("assert np.shape(x) == (2, 2)", [np.eye(2), [[1, 2], [3, 4]]], [3, np.eye(3)]),
        ("assert set(x) == {'a'}", [{"b"}, ["b", "c"]], ["ab", 3]),
        ("assert not x", [True, np.bool_(False)], [0, print]),
        ("assert x(2) > 1", [print], [2]),
    ],
)
def test_a_form_fits_what_it_describes(assertion, right, wrong):
    form = forms(assertion, ["x"])["x"]
    assert [form.fits(each) for each in right] == [True] * len(right)
    assert [form.fits(each) for each in wrong] == [False] * len(wrong)


def test_what_came_is_described_without_its_values():
    values = (17, True, "17", [17] * 2, {17: 1}, np.ones(3), {17}, print, None)
    told = [described(value) for value in values]
    assert not any("17" in each for each in told)
    assert told[:3] == ["a number", "True or False", "a word"]


@pytest.mark.parametrize("y", [3, 10])
def test_every_assertion_has_to_hold(y, capsys):
    grade("Exercise 1.1", {"y": y}, "assert y > 2\nassert 4 < y < 9", ["y"])
    assert capsys.readouterr().out == "Exercise 1.1: not right: y\n"


@pytest.mark.parametrize(
    ("assertions", "got"), [("", "none"), ("# later", "none"), ("x = 3", "'x = 3'")]
)
def test_what_asserts_nothing_is_not_right(assertions, got, capsys):
    with pytest.raises(ValueError, match=f"assertions: expected .*, got {got}"):
        grade("Exercise 1.1", {"x": 3}, assertions, ["x"])
    assert "right" not in capsys.readouterr().out


def test_what_is_open_is_what_was_not_right_last(capsys):
    """An exercise that was right and is spoiled is open again."""
    for y in (3, 4):
        grade("Exercise 8.1", {"y": y}, "assert y == 3", ["y"])
    grade("Exercise 8.2", {"y": 3}, "assert y == 3", ["y"])
    still_open(["Exercise 8.1", "Exercise 8.2", "Exercise 8.3"])
    still_open(["Exercise 8.2"], ["Exercise 8.4"])
    told = capsys.readouterr().out.splitlines()
    assert told[-2:] == [
        "1 of 3 right, 2 open: Exercise 8.1; Exercise 8.3.",
        "1 of 1 right, none open. A person grades Exercise 8.4.",
    ]
