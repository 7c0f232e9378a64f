"""The figures of the chapter, read back from their artists."""

from types import SimpleNamespace as Some

import numpy as np
import pytest
from matplotlib.contour import QuadContourSet

from nystheory.chapters.random_subspaces import experiments, figures, findings
from nystheory.chapters.random_subspaces.circle import GRID, Circle, Power
from nystheory.engine.findings.held_out import Points
from nystheory.engine.report.artists import (
    by_look,
    looks,
    named,
    ticks,
    unlike,
    unnamed,
    words,
)

SINGLES = {"whole", "prescribed", "number"}


def planted(experiment):
    """Numbers of their own for each competitor, field and data set."""
    names, fields = list(experiment.competitors), list(experiment.measured)

    def measured(field, name, data):
        count = 1 if field in SINGLES else len(experiment.settings)
        key = names.index(name), fields.index(field), list(experiment.data).index(data)
        return np.random.default_rng(key).uniform(1, 9, (2, count))

    return Some(experiment=experiment, measured=measured)


def means(found, field, data):
    """The mean of two draws, by competitor."""
    names = found.experiment.competitors
    return {x: sum(found.measured(field.name, x, data)) / 2 for x in names}


def curves(found, field, data):
    """The same by label, along the settings."""
    experiment = found.experiment
    return {
        experiment.competitors[name].label: (experiment.settings, y)
        for name, y in means(found, field, data).items()
    }


# ---- the first picture ----


def learned(points, count):
    """A machine whose score is the height, less a tenth for each landmark."""
    scores = figures.places()[:, 1] - 0.1 * count
    return experiments.Classified(points.X[:count], scores, 0.0)


def test_borders_are_those_of_their_machines():
    X = np.array([[0.1, 0.2], [-0.3, 0.4], [0.5, -0.6], [0.7, 0.8]])
    points = Points(X, np.array([1, -1, 1, -1]))
    some = [learned(points, 2), learned(points, 4)]
    panels = figures.plot_borders(Some(learn=points), some).axes
    dots = {"label -1": X[1::2].T, "label 1": X[::2].T}
    x = np.linspace(-1, 1, 120)
    dots["best border"] = x, 0.5 * np.sin(2 * np.pi * x)
    shown = named(panels[0])
    assert shown.pop("learned border").shape == (2, 0)
    assert unlike(shown, dots | {"landmark": X[:2].T}) == []
    assert not any("rings" in look for look in by_look(panels[1]))
    for axes, height in zip(panels, (0.2, 0.4), strict=True):
        (line,) = (c for c in axes.collections if isinstance(c, QuadContourSet))
        (path,) = line.get_paths()
        assert path.vertices[:, 1] == pytest.approx(height)
        assert line.get_edgecolor()[0].tolist() == [0, 0, 0, 1]
    assert [words(axes)[2] for axes in panels] == ["2 columns", "all 4 columns"]
    keys = [look.split()[0] for look in looks(panels[0]).values()]
    assert keys == ["black", "green", "blue", "vermilion", "black"]


# ---- the trade-off ----


def test_spectra_are_those_of_their_circles():
    circles = {"slow": Circle(Power(2)), "fast": Circle(Power(4), waves=1)}
    left, right = figures.plot_spectra(circles).axes
    shown = named(left)
    assert list(shown) == ["slow", "fast"]
    for name, power, sum_of_powers in (
        ("slow", 2, np.pi**2 / 6),
        ("fast", 4, np.pi**4 / 90),
    ):
        j, values = shown[name]
        assert j.tolist() == [*range(1, 101)]
        # Of the constant, and of two waves of each frequency.
        frequency = np.maximum(j[:40] // 2, 1.0)
        told = 1 / frequency**power / (1 + 2 * sum_of_powers)
        assert values[:40] == pytest.approx(told, rel=0.02)
    label = "eigenvalue of the covariance"
    assert words(left) == ("index of the eigenvalue", label, "", "log log")
    wave = {"blue -": (GRID, 0.8 * np.sin(6 * np.pi * GRID))}
    assert unlike(by_look(right), wave | {"black :": ([0, 1], [0, 0])}) == []
    assert words(right)[:2] == ("place on the circle", "mean of the labels")


def test_the_trade_off_has_stars_at_what_is_prescribed():
    found = planted(findings.TRADEOFF)
    for axes, data in zip(
        figures.plot_tradeoff(found).axes, findings.TRADEOFF.shown, strict=True
    ):
        assert unlike(named(axes), curves(found, findings.EXCESS, data)) == []
        fields = findings.WHOLE, findings.NUMBER, findings.PRESCRIBED
        whole, number, there = (means(found, x, data) for x in fields)
        wanted = {}
        for name in ("hinge_scores", "square_scores"):
            colour = figures.LOOKS[name][0]
            wanted[f"{colour} -"] = [0, 1], [whole[name][0]] * 2
            wanted[f"{colour} --"] = [number[name][0]] * 2, [0, 1]
            wanted[f"{colour} *"] = number[name], there[name]
        assert unlike(unnamed(axes), wanted) == []
        labels = "columns", "excess risk, hundredths"
        assert words(axes) == (*labels, data, "log log")


# ---- the map, and the columns ----


def test_the_map_has_its_lambdas_from_the_smallest_on():
    found, m = planted(findings.MAP), len(findings.MAP.settings)
    shown = list(findings.MAP.shown)
    axes_of = figures.plot_map(found).axes
    for axes, data in zip(axes_of[: len(shown)], shown, strict=True):
        each = means(found, findings.ERROR, data)
        rows = np.array([each[f"lambda_{k}"] for k in (6, 5, 4, 3, 2, 1)])
        picture = axes.images[0]
        assert np.allclose(picture.get_array(), rows) and picture.origin == "lower"
        best = range(m), rows.argmin(axis=0)
        assert unlike(by_look(axes), {"vermilion D": best}) == []
        powers = [rf"$10^{{-{k}}}$" for k in (6, 5, 4, 3, 2, 1)]
        assert [*ticks(axes.yaxis).values()] == powers
        assert [*ticks(axes.xaxis).values()] == [
            f"{x:g}" for x in findings.MAP.settings
        ]
        assert words(axes)[0] == "columns" and words(axes)[2] == data
    assert words(axes_of[0])[1] == r"$\lambda$"
    assert [words(x)[0] for x in axes_of[len(shown) :]] == ["wrong labels, %"] * len(
        shown
    )


def test_errors_of_projections_are_those_of_their_columns():
    found = planted(findings.SCORES)
    panels = figures.plot_scores(found).axes
    for axes, data in zip(panels, findings.SCORES.shown, strict=True):
        assert unlike(named(axes), curves(found, findings.APART, data)) == []
        labels = "columns", "projection error, % of the trace"
        assert words(axes) == (*labels, data, "log log")
        assert [*ticks(axes.xaxis)] == [*findings.SCORES.settings]
