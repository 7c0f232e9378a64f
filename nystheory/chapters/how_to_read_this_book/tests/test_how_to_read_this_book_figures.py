"""The figure of the chapter, read back from its artists."""

import math

import numpy as np

from nystheory.chapters.how_to_read_this_book import figures
from nystheory.engine.report.artists import looks, named, unlike, unnamed, words
from nystheory.engine.trial.compare import Comparison


def test_a_search_and_demonstrations_are_counted_apart():
    def demo(ratio, decided=True):
        return Comparison(ratio, 1.0, ratio, ratio, decided)

    demos = [demo(0.1), demo(0.1), demo(0.3), demo(0.9, decided=False)]
    demos += [demo(math.nan), demo(math.inf)]
    searched = np.array([0.5, 0.5, 0.5, 2.0])
    (axes,) = figures.plot_ratios(demos, searched).axes
    # 46 bars up to 2.1, a twentieth beyond the largest ratio.
    width = 2.1 / 46
    middles = width * (np.arange(46) + 0.5)
    counts = np.zeros((2, 46))
    for row, ratios in zip(counts, ([0.5] * 3 + [2.0], [0.1, 0.1, 0.3]), strict=True):
        for ratio in ratios:
            row[int(ratio / width)] += 1
    wanted = {"search": (middles, counts[0]), "demonstrations": (middles, counts[1])}
    assert unlike(named(axes), wanted) == []
    assert unlike(unnamed(axes), {"black -": ([1, 1], [0, 1])}) == []
    assert looks(axes)["search"] == "orange area"
    labels = "left side / right side", "cases"
    assert words(axes) == (*labels, "", "linear log")
