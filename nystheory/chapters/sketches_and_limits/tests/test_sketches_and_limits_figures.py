"""The figures of the chapter, read back from their artists."""

import numpy as np

from nystheory import style
from nystheory.chapters.sketches_and_limits import figures, groups, promises_kept
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


def test_columns_and_sketches_have_their_own_names():
    each = dict(limit=2.0, pivoted=3.0, uniform=5.0, sketch=7.0)
    some = groups.Groups(COUNTS, **{name: halves(x) for name, x in each.items()})
    _, (axes,) = style.panels(1)
    figures.draw_groups(axes, some)
    wanted = {
        "Gaussian sketch": (COUNTS, [7, 3.5]),
        "RPCholesky": (COUNTS, [3, 1.5]),
        "uniform columns": (COUNTS, [5, 2.5]),
        "no columns do better": (COUNTS, [2, 1]),
        "best rank 3": ([0, 1], [1, 1]),
    }
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    labels = "columns or test vectors $l$", r"$\|E\|_2 / \lambda_{k+1}$"
    assert words(axes) == (*labels, "", "log log")
    assert [*ticks(axes.xaxis)] == [*COUNTS]


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
