"""The figures of the chapter, read back from their artists."""

import numpy as np

from nystheory import style
from nystheory.chapters.sketches_and_limits import (
    figures,
    findings,
    measured,
    promises_kept,
)
from nystheory.engine.findings.fields import strays
from nystheory.engine.findings.found import judged
from nystheory.engine.report.artists import named, ticks, unlike, unnamed, words

COUNTS = (5, 20)


def halves(first):
    """A falling pair of its own."""
    return np.array([first, first / 2])


def test_promises_are_percent_and_bars_two_standard_errors():
    promised = {x: halves(0.1 * i) for i, x in enumerate(promises_kept.PROMISED, 3)}
    some = promises_kept.Curves(
        COUNTS, promised, halves(0.2), halves(0.21), halves(0.01)
    )
    _, (axes,) = style.panels(1)
    figures.draw_promises(axes, some)
    wanted = {name: (COUNTS, 100 * y) for name, y in promised.items()}
    wanted["observed, and certified"] = COUNTS, [20, 10]
    wanted["leave one out"] = COUNTS, [21, 10.5], [19, 9.5], [23, 11.5]
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    label = "trace error, % of tr K"
    assert words(axes) == ("columns $l$", label, "", "log log")
    assert ticks(axes.yaxis) == {10: "10", 20: "20", 50: "50", 100: "100"}


def typed_groups():
    """Numbers of its own for each competitor, in ten draws that differ."""
    of = findings.GROUPS
    each = {"sketch": 7.0, "pivots": 3.0, "uniform": 5.0}

    def draw(at):
        falling = (10 - at) / np.arange(1.0, 5)
        return {
            name: {"ratio": tuple(x * falling), "over": tuple(x / 2 + 0 * falling)}
            for name, x in each.items()
        }

    return judged(of, {x: [draw(i) for i in range(of.draws)] for x in of.data}, {})


def test_columns_and_sketches_have_their_own_names():
    found = typed_groups()
    _, (axes,) = style.panels(1)
    figures.draw_groups(axes, found, findings.THREE)
    mean = 5.5 / np.arange(1.0, 5)
    wanted = {
        "Gaussian sketches": (measured.COUNTS, 7 * mean),
        "RPCholesky": (measured.COUNTS, 3 * mean),
        "uniform columns, without replacement": (measured.COUNTS, 5 * mean),
        "no columns do better": (measured.COUNTS, 2 * mean),
        "best rank $k$": ([0, 1], [1, 1]),
    }
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    drawn = [*figures.group_series(found, findings.THREE).values()]
    assert strays(axes, findings.COLUMNS, drawn) == []
    labels = "columns or test vectors $l$", findings.RATIO.axis
    assert words(axes) == (*labels, "", "log log")
    assert ticks(axes.xaxis) == {x: str(x) for x in measured.COUNTS}
    assert ticks(axes.yaxis)[50] == "50"


def test_stairs_lie_between_the_exact_and_the_worst_case():
    counts = (1, 2, 3)
    exact, limit = np.array([1.5, 1.2, 1.1]), np.array([1.9, 1.8, 1.7])
    _, (axes,) = style.panels(1)
    figures.draw_stairs(axes, counts, exact, limit)
    wanted = {
        "worst case, $l + 1$": (counts, [2, 3, 4]),
        "bound, best $k$": (counts, limit),
        "exact": (counts, exact),
    }
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    label = "error / best of rank $l$"
    assert words(axes) == ("columns $l$", label, "", "linear log")
    assert ticks(axes.yaxis) == {1: "1", 10: "10", 100: "100"}
