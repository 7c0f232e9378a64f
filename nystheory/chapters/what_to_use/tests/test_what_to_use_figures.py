"""The figure of the chapter, read back from its artists."""

import numpy as np

from nystheory.chapters.what_to_use import figures
from nystheory.engine.report.artists import looks, named, ticks, unlike, unnamed, words


def test_what_is_missed_is_percent_and_each_scheme_its_own():
    pivots, uniform = np.array([0.6, 0.3, 0.2]), np.array([[0.7, 0.4], [0.8, 0.5]])
    figure = figures.plot_missed(pivots, [1, 3], uniform, {2: 0.9, 4: 0.8})
    (axes,) = figure.axes
    wanted = {
        "random pivots": ([1, 2, 3], [60, 30, 20]),
        "uniform columns": ([1, 3, 1, 3], [70, 40, 80, 50]),
        "promise": ([2, 4], [90, 80]),
    }
    shown = {key(label): places for label, places in named(axes).items()}
    assert unlike(shown, wanted) == [] and unnamed(axes) == {}
    assert [*looks(axes).values()] == ["blue -", "orange o", "vermilion D --"]
    labels = "columns", "share of the trace missed, %"
    assert words(axes) == (*labels, "", "log log")
    assert ticks(axes.yaxis) == {float(x): f"{x}" for x in (2, 5, 10, 20, 50)}


def key(label):
    """The promise says in the legend for which scheme it is."""
    return "promise" if "promise" in label else label
