"""The figures of the chapter, read back from their artists."""

from types import SimpleNamespace as Some

import numpy as np
import pytest

from nystheory import style
from nystheory.chapters.ensembles import equal_time, figures, findings
from nystheory.chapters.ensembles.pictured import Diagonals
from nystheory.engine.report.artists import looks, named, ticks, unlike, unnamed, words

NAMES = ("first expert", "second expert", "their mean", "one with all six")


def test_experts_have_the_colour_of_their_landmarks():
    place = np.array([0.0, 0.4, 0.8])
    missing = {x: np.array([0.1, 0.2, 0.3]) * i for i, x in enumerate(NAMES, 1)}
    landmarks = [np.array([0, 1]), np.array([2])]
    _, (axes,) = style.panels(1)
    figures.draw_experts(axes, Diagonals(place, landmarks, missing))
    assert unlike(named(axes), {x: (place, y) for x, y in missing.items()}) == []
    dots = {"sky o": ([0, 0.4], [0, 0]), "orange ^": ([0.8], [0])}
    assert unlike(unnamed(axes), dots) == []
    colours = {x: look.split()[0] for x, look in looks(axes).items()}
    assert colours["first expert"] == "sky" and colours["second expert"] == "orange"
    labels = "place of the point", "missing from the diagonal"
    assert words(axes) == (*labels, "", "linear linear")


def planted(experiment):
    """Numbers of their own for each competitor, field and data."""
    names, fields = list(experiment.competitors), list(experiment.measured)

    def measured(field, name, data):
        factor = 1 + names.index(name) + 100 * fields.index(field)
        factor += 0.01 * list(experiment.data).index(data)
        return factor * np.array([[1.0], [3.0]]) / np.array(experiment.settings)

    return Some(experiment=experiment, measured=measured)


def means(found, field, names, data):
    """By the labels of competitors: twice the first of two draws."""
    experiment = found.experiment
    return {
        experiment.competitors[name].label: (
            experiment.settings,
            2 * found.measured(field.name, name, data)[0],
        )
        for name in names
    }


@pytest.mark.parametrize("norm", ["Frobenius", "spectral"])
def test_each_panel_has_its_data_and_its_norm(norm):
    field = {"Frobenius": findings.FROBENIUS, "spectral": findings.SPECTRAL}[norm]
    assert field.name == norm.lower()
    found = planted(findings.EXPERTS)
    figure = figures.plot_all(found, field)
    panels = zip(figure.axes, found.experiment.shown, strict=True)
    for place, (axes, data) in enumerate(panels):
        wanted = means(found, field, figures.SHOWN, data)
        assert unlike(named(axes), wanted) == []
        x = "experts" if place > 1 else ""
        y = "" if place % 2 else f"error, {norm} norm, %"
        assert words(axes) == (x, y, data, "linear linear")


def test_two_panels_share_the_legend_of_their_competitors():
    found, names = planted(findings.VALIDATION), ("uniform", "linear", "ridge")
    figure = figures.plot_two(found, findings.DIGITS, names)
    for axes, data in zip(figure.axes, findings.DIGITS, strict=True):
        wanted = means(found, findings.FROBENIUS, names, data)
        assert unlike(named(axes), wanted) == []
        assert words(axes)[2] == data
    left, right = map(words, figure.axes)
    assert left[:2] == ("validation columns", "error, Frobenius norm, %")
    assert right[:2] == ("validation columns", "")


def test_one_field_is_drawn_for_the_competitors_that_are_named():
    found = planted(findings.EXPERTS)
    _, (axes,) = style.panels(1)
    names = ("ridge", "best")
    figures.draw_errors(axes, found, "digits, RBF", names, findings.SPECTRAL)
    wanted = means(found, findings.SPECTRAL, names, "digits, RBF")
    assert unlike(named(axes), wanted) == []
    labels = "experts", "error, spectral norm, %"
    assert words(axes) == (*labels, "digits, RBF", "linear linear")


def test_each_method_has_its_errors_and_their_mean():
    single, other = equal_time.ONE, "some ensemble"
    errors = {single: [Some(estimate=2.0), Some(estimate=4.0)]}
    errors[other] = [Some(estimate=6.0), Some(estimate=12.0)]
    _, (axes,) = style.panels(1)
    figures.draw_fixed_time(axes, Some(errors=errors))
    wanted = {
        "vermilion s": ([2, 4], [1, 1]),
        "blue o": ([6, 12], [0, 0]),
        "black |": ([9, 3], [0, 1]),
    }
    assert unlike(unnamed(axes), wanted) == []
    assert ticks(axes.yaxis) == {0: other, 1: single}
    label = "percent error in the Frobenius norm"
    assert words(axes) == (label, "", "", "log linear")
