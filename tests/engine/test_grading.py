"""What somebody is told whose answer to an exercise comes short."""

import numpy as np
import pytest

from nystheory.engine.grading import grade, handed_in


@pytest.mark.parametrize(
    ("has", "assertion", "error", "says"),
    [
        ({}, "assert y", NameError, "1.1 needs y: define it in the cell above"),
        ({"y": None}, "assert y", NameError, "needs y"),
        ({"y": 0}, "assert y", AssertionError, "asks that y; here y is 0"),
        ({"y": 5}, "assert 0 < y < 4", AssertionError, "0 < y < 4; here y is 5$"),
        ({"y": 5}, "assert y[80]", AssertionError, "'int' object is not subscr.*y"),
        ({"y": {}}, "assert y['80']", AssertionError, "cannot be computed.*KeyError"),
        ({"y": 5}, "assert y == 4, f'half of {2 * y}'", AssertionError, "half of 10"),
        ({"y": 5}, "assert np.allclose(y, 4)", AssertionError, "here y is 5"),
        ({"y": 5}, "assert y > 4 and y < 5", AssertionError, "here y is 5"),
        ({"y": np.zeros(2)}, "assert (y > 1).all()", AssertionError, r"y is array\("),
        ({"y": [7] * 99}, "assert not y", AssertionError, r"y is \[7, 7.*\.\.\.$"),
    ],
)
def test_what_comes_short(has, assertion, error, says):
    with pytest.raises(error, match=says):
        grade("Exercise 1.1", {"np": np, **has}, assertion, ["y"])


def test_what_holds(capsys):
    grade("Exercise 1.1", {"y": 0.0, "z": []}, "assert y == 0\nassert not z", ["y"])
    assert capsys.readouterr().out == "Exercise 1.1: correct\n"


def test_the_shape_of_what_is_handed_in():
    assert handed_in("assert a.count < f(4)[1] + b", "abf") == [
        "a.count",
        "f(4)[1]",
        "b",
    ]
    assert handed_in("assert np.allclose(a, c)", "a") == ["a"]


@pytest.mark.parametrize(
    ("assertions", "got"), [("", "none"), ("# later", "none"), ("x = 3", "'x = 3'")]
)
def test_what_asserts_nothing_is_not_correct(assertions, got, capsys):
    with pytest.raises(ValueError, match=f"assertions: expected .*, got {got}"):
        grade("Exercise 1.1", {"x": 3}, assertions, ["x"])
    assert "correct" not in capsys.readouterr().out
