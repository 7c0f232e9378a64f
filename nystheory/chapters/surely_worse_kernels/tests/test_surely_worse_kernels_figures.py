"""The figures of the chapter, read back from their artists."""

from types import SimpleNamespace as Some

import numpy as np

from nystheory import style
from nystheory.chapters.surely_worse_kernels import figures, findings
from nystheory.chapters.surely_worse_kernels.experiments import WIDTHS, Ends
from nystheory.engine.report.artists import (
    looks,
    named,
    ticks,
    unlike,
    unnamed,
    words,
)


def ends(reach):
    """A criterion that rises from 1 to 2, and ends as far as that from it."""
    exact = np.linspace(1, 2, len(WIDTHS))
    return exact, Ends(exact - reach, exact + 2 * reach, exact)


def wanted(reach):
    """What a reader should take from such a panel."""
    exact, each = ends(reach)
    worse = each.lower > 1 + 2 * reach
    assert 0 < worse.sum() < len(WIDTHS)
    return {
        "upper end": (WIDTHS, exact + 2 * reach),
        "lower end": (WIDTHS, exact - reach),
        "criterion": (WIDTHS, exact),
        "smallest upper end": ([0, 1], [1 + 2 * reach] * 2),
        "worse": (np.array(WIDTHS)[worse], each.lower[worse]),
    }


LABELS = "width, in root mean square distances", "criterion"


def test_ends_and_crosses_are_those_of_their_widths():
    exact, each = ends(0.1)
    _, (axes,) = style.panels(1)
    figures.draw_ends(axes, exact, each)
    assert unlike(named(axes), wanted(0.1)) == []
    band = {"middle grey area": (WIDTHS, each.lower, each.upper)}
    assert unlike(unnamed(axes), band) == []
    assert words(axes) == (*LABELS, "", "log linear")
    assert looks(axes)["upper end"] == "vermilion -"
    assert looks(axes)["worse"] == "black x"


def test_each_panel_has_its_ends():
    titles = {"20 columns": ends(0.1)[1], "40 columns": ends(0.05)[1]}
    figure = figures.plot_ends(ends(0.1)[0], titles)
    for axes, title, reach in zip(figure.axes, titles, (0.1, 0.05), strict=True):
        assert unlike(named(axes), wanted(reach)) == []
        assert words(axes) == (*LABELS, title, "log linear")


def planted(experiment):
    """Numbers of their own for each measure and data set."""
    names = list(experiment.competitors)

    def measured(field, name, data):
        assert field == findings.WORSE.name
        key = names.index(name), list(experiment.data).index(data)
        return np.random.default_rng(key).uniform(1, 9, (2, len(experiment.settings)))

    return Some(experiment=experiment, measured=measured)


def test_how_many_are_worse_is_the_mean_of_the_draws():
    found = planted(findings.TELL)
    experiment = found.experiment
    figure = figures.plot_told(found)
    labels = []
    for axes, data in zip(figure.axes, experiment.shown, strict=True):
        curves = {
            each.label: (experiment.settings, sum(found.measured("worse", x, data)) / 2)
            for x, each in experiment.competitors.items()
        }
        assert unlike(named(axes), curves) == [] and unnamed(axes) == {}
        x, y, title, scales = words(axes)
        assert (x, title, scales) == ("columns", data, "log linear")
        assert [*ticks(axes.xaxis)] == [*experiment.settings]
        labels.append(y)
    assert labels == ["widths that are certainly worse"] + [""] * (len(labels) - 1)


def test_one_panel_has_the_label_of_its_field():
    _, (axes,) = style.panels(1)
    figures.draw_told(axes, planted(findings.TELL), "digits")
    assert words(axes)[1] == "number of widths that are certainly worse"
    assert len(named(axes)) == 3
