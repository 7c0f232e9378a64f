"""The figures of the chapter, read back from their artists."""

from types import SimpleNamespace as Some

import numpy as np
import pytest

from nystheory import style
from nystheory.chapters.two_kinds_of_features import experiments, figures, findings
from nystheory.engine.report.artists import (
    by_look,
    looks,
    named,
    ticks,
    unlike,
    unnamed,
    words,
)


def spans():
    """Two functions and three, and machines of their own."""
    grid = np.array([0.0, 1.0])
    waves, bumps = np.array([[1.0, 2], [3, 4]]), np.array([[5.0, 6, 7], [8, 9, 10]])
    X, y, landmarks = np.array([[0.2], [0.4]]), np.array([1.0, -1]), np.array([0.4])
    fits = grid + 1, grid + 2, grid + 3
    return experiments.Spans(X, y, grid, waves, bumps, landmarks, *fits)


def test_functions_of_a_span_stand_above_its_machine():
    found = spans()
    waves, bumps, by_waves, by_bumps = figures.plot_spans(found).axes
    above = {"orange -": ([0, 1, 0, 1], [1, 3, 2, 4])}
    assert unlike(by_look(waves), above) == []
    above = {"blue -": ([0, 1] * 3, [5, 8, 6, 9, 7, 10]), "black ^": ([0.4], [0])}
    assert unlike(by_look(bumps), above) == []
    points = {"black o": ([0.2, 0.4], [1, -1])}
    for axes, label, fit in ((by_waves, "these 2", 1), (by_bumps, "these 3", 2)):
        fits = {"all functions": ([0, 1], [3, 4]), label: ([0, 1], [fit, fit + 1])}
        assert unlike(named(axes), fits) == []
        assert unlike(unnamed(axes), points) == []
    assert looks(by_waves)["these 2"] == "orange -"
    texts = [words(axes)[:3] for axes in (waves, bumps, by_waves, by_bumps)]
    assert texts == [
        ("", "functions", "waves of drawn frequencies"),
        ("", "", "bumps at some of the points"),
        ("$x$", "fit", ""),
        ("$x$", "", ""),
    ]
    assert waves.get_ylim() == bumps.get_ylim()
    assert by_waves.get_ylim() == by_bumps.get_ylim()


def test_spreads_are_those_of_their_kind():
    z, k = np.linspace(0, 1, 17), np.linspace(1, 0.5, 17)
    rng = np.random.default_rng(0)
    drawn = {kind: k + rng.standard_normal((7, 17)) for kind in ("pairs", "phases")}
    exact = {"pairs": 0.1 + z, "phases": 0.3 + z}
    _, (left, right) = style.panels(2)
    figures.draw_estimates(left, right, experiments.Estimates(z, k, drawn, exact))
    assert unlike(named(left), {"kernel": (z, k)}) == []
    five = np.tile(z, 5), drawn["pairs"][:5].ravel()
    around = {"blue -": five, "sky area": (z, k - 0.1 - z, k + 0.1 + z)}
    assert unlike(unnamed(left), around) == []
    labels = {"sine and cosine": (z, 0.1 + z), "cosine with phase": (z, 0.3 + z)}
    assert unlike(named(right), labels) == []
    dots = {}
    for look, kind in (("blue o", "pairs"), ("sky o", "phases")):
        away = drawn[kind] - k
        many = np.sqrt((away**2).mean(axis=0) - away.mean(axis=0) ** 2)
        dots[look] = z[[0, 8, 16]], many[[0, 8, 16]]
    assert unlike(unnamed(right), dots) == []
    assert looks(right)["sine and cosine"] == "blue -"
    assert words(left) == ("distance", "kernel and estimates", "", "linear linear")
    assert words(right) == ("distance", "standard deviation", "", "linear linear")


def planted(experiment):
    """Numbers of their own for each competitor and data set."""
    names = list(experiment.competitors)

    def measured(field, name, data):
        key = names.index(name), list(experiment.data).index(data), len(field)
        return np.random.default_rng(key).uniform(1, 9, (2, len(experiment.settings)))

    return Some(experiment=experiment, measured=measured)


def means(found, names, field, data):
    """The mean of two draws, by label."""
    experiment = found.experiment
    return {
        experiment.competitors[name].label: (
            experiment.settings,
            sum(found.measured(field.name, name, data)) / 2,
        )
        for name in names
    }


def test_families_are_on_their_lattices():
    found = planted(findings.FAMILIES)
    data, settings = [*findings.FAMILIES.shown], findings.FAMILIES.settings
    _, panels = style.panels(len(data))
    figures.draw_families(panels, found, settings, data)
    for axes, name in zip(panels, data, strict=True):
        wanted = means(found, ("columns", "waves"), findings.UNLEARNED, name)
        if axes is panels[0]:
            n, m = found.experiment.data[name].size, np.arange(2, max(settings) + 1, 2)
            wanted["chance not to draw it"] = m, 100 * ((n - 1) / n) ** (m // 2)
        assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
        y = "what is not learned of the wave, %" if axes is panels[0] else ""
        assert words(axes) == ("functions", y, name, "linear linear")
        assert axes.get_ylim() == (0, 105)


@pytest.mark.parametrize("experiment", [findings.SPECTRA], ids=lambda each: each.id)
def test_machines_are_on_their_data(experiment):
    found, data = planted(experiment), [*experiment.shown]
    _, panels = style.panels(len(data))
    figures.draw_machines(panels, found, experiment.settings, data)
    for axes, name in zip(panels, data, strict=True):
        some = ("columns", "waves", "weighted")
        wanted = means(found, some, findings.DISTANCE, name)
        assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
        y = "distance from the whole machine, %" if axes is panels[0] else ""
        assert words(axes) == ("functions", y, name, "log linear")
        assert [*ticks(axes.xaxis)] == [*experiment.settings]


def test_frames_have_the_fits_of_their_number():
    found = {2: spans(), 5: spans()}
    slider = figures.plot_spans_by_count(found, first=5)
    assert slider.first == 1 and [x.name for x in slider.frames] == ["2", "5"]
    for frame in slider.frames:
        by_waves, by_bumps = frame.figure.axes
        for axes, label, fit in ((by_waves, "these 2", 1), (by_bumps, "these 3", 2)):
            fits = {"all functions": ([0, 1], [3, 4]), label: ([0, 1], [fit, fit + 1])}
            assert unlike(named(axes), fits) == []
        assert (words(by_waves)[2], words(by_bumps)[2]) == (
            "waves of drawn frequencies",
            "bumps at some of the points",
        )
        assert frame.words == (
            "Distance from the fit with all functions: waves 2.00, bumps 1.00."
        )
