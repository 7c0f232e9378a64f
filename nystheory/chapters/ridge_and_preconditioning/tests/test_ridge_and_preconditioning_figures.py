"""The figures of the chapter, read back from their artists."""

import numpy as np

from nystheory import style
from nystheory.chapters.ridge_and_preconditioning import experiments, figures
from nystheory.engine.report.artists import named, ticks, unlike, unnamed, words

COUNTS = (5, 10)


def halves(first):
    """A falling pair of its own."""
    return np.array([first, first / 2])


def test_condition_numbers_and_iterations_have_their_own_panels():
    some = experiments.Solves(
        COUNTS, halves(30.0), halves(70.0), halves(44.0), (900.0, 120), 7.5
    )
    _, (left, right) = style.panels(2)
    figures.draw_solves(left, right, some)
    one = {
        "bound from the trace": (COUNTS, [70, 35]),
        "condition number": (COUNTS, [30, 15]),
        "no preconditioner": ([0, 1], [900, 900]),
        "effective dim.": ([7.5, 7.5], [0, 1]),
    }
    two = {
        "iterations": (COUNTS, [44, 22]),
        "no preconditioner": ([0, 1], [120, 120]),
        "effective dim.": ([7.5, 7.5], [0, 1]),
    }
    for axes, wanted in ((left, one), (right, two)):
        assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
        assert words(axes) == ("pivots $l$", "", "", "log log")
        assert [*ticks(axes.xaxis)] == [*COUNTS]


def test_risks_are_over_that_with_all_of_k():
    _, (axes,) = style.panels(1)
    some = experiments.Risks(COUNTS, halves(2.0), halves(3.0), halves(5.0))
    figures.draw_risks(axes, some)
    wanted = {
        "observed": (COUNTS, [2, 1]),
        "bound from the norm": (COUNTS, [3, 1.5]),
        "bound from the trace": (COUNTS, [5, 2.5]),
    }
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    label = "risk / risk with all of K"
    assert words(axes) == ("columns $l$", label, "", "log log")
