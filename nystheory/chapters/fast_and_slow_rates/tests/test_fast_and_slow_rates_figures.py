"""The figures of the chapter, read back from their artists."""

from types import SimpleNamespace as Some

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.contour import QuadContourSet

from nystheory import style
from nystheory.chapters.fast_and_slow_rates import figures, findings
from nystheory.engine.report.artists import named, ticks, unlike, words

SLOPE = -0.75


def planted(experiment):
    """Numbers of their own for each competitor and problem."""
    names, problems = list(experiment.competitors), list(experiment.data)

    def measured(field, name, data):
        if field == "promised":
            # The best competitor, the first, promises this; others something else.
            return np.full((2, 1), SLOPE - 0.1 * names.index(name))
        factor = (1 + names.index(name)) * (1 + problems.index(data))
        return factor * np.array([[1.0], [3.0]]) / np.array(experiment.settings)

    return Some(experiment=experiment, measured=measured)


def curves(experiment, data):
    """The means of two draws, and the slope a little below the lowest."""
    n = np.array(experiment.settings, dtype=float)
    place = 1 + list(experiment.data).index(data)
    labels = [each.label for each in experiment.competitors.values()]
    lowest = 2 * place / n[0]
    slope = {"promised slope": (n, 0.6 * lowest * (n / n[0]) ** SLOPE)}
    return {x: (n, 2 * i * place / n) for i, x in enumerate(labels, 1)} | slope


LABELS = {
    findings.SLOPES: "excess risk",
    findings.FEWER: "excess risk",
    findings.MACHINES: "excess risk, hinge loss",
}
ALL = tuple(LABELS)


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.id)
def test_excess_risks_are_those_of_their_competitors(experiment):
    data = list(experiment.data)[-1]
    _, (axes,) = style.panels(1)
    figures.draw_excess(axes, planted(experiment), data)
    assert unlike(named(axes), curves(experiment, data)) == []
    assert words(axes) == ("points", LABELS[experiment], data, "log log")
    assert [*ticks(axes.xaxis)] == [*experiment.settings[::2]]


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.id)
def test_each_panel_has_its_problem(experiment):
    figure = figures.draw_all(planted(experiment))
    for axes, data in zip(figure.axes, experiment.shown, strict=True):
        assert unlike(named(axes), curves(experiment, data)) == []
        assert words(axes)[2:] == (data, "log log")
    others = [""] * (len(figure.axes) - 1)
    assert [words(axes)[1] for axes in figure.axes] == [LABELS[experiment], *others]


def test_exponents_are_those_of_the_sources():
    """At r = 1/2 and gamma = 1/2, as functions of p."""
    _, panels = style.panels(2)
    figures.draw_exponents(panels)
    p = np.linspace(0.01, 0.99, 50)
    rates = {
        "slow, (32)": np.full(50, 1 / 2),
        "random features": 1 / (2 * p + 1),
        "hinge loss, (42)": 1 / (1 + p),
        "square loss, Corollary 13": 1 / (1 + p),
    }
    numbers = {
        "slow, (32)": p,
        "random features": 2 * p / (2 * p + 1),
        "hinge loss, (42)": 2 * p / (1 + p),
        "square loss, Corollary 13": p / (1 + p),
    }
    x = "exponent $p$ of the effective dimension"
    labels = "exponent of the rate", "exponent of the columns"
    for axes, wanted, y in zip(panels, (rates, numbers), labels, strict=True):
        shown = named(axes)
        assert words(axes) == (x, y, "", "linear linear")
        assert unlike(shown, {k: (p, v) for k, v in wanted.items()}) == []


def test_the_colour_says_which_loss_needs_fewer_columns():
    figure, (axes,) = style.panels(1)
    figures.draw_levels(axes)
    areas, lines = (x for x in axes.collections if isinstance(x, QuadContourSet))
    keys = {
        text.get_text(): to_hex(key.get_facecolor())
        for text, key in zip(
            figure.legends[0].get_texts(), figure.legends[0].legend_handles, strict=True
        )
    }
    shades = [to_hex(x) for x in areas.get_facecolor()]
    assert keys == {
        "fewer columns for the hinge loss": shades[0],
        "fewer for the square loss": shades[1],
    }
    assert shades[0] != shades[1]
    below, above = (path.vertices.T for path in areas.get_paths())
    # r + 1 over 2 - gamma: below 1 where r + gamma is.
    assert (below.sum(axis=0) <= 1 + 1e-9).all()
    assert (above.sum(axis=0) >= 1 - 1e-9).all()
    (one,) = (p for x, p in zip(lines.levels, lines.get_paths(), strict=True) if x == 1)
    assert one.vertices.sum(axis=1) == pytest.approx(1)
    labels = "exponent $r$ of the approximation error", r"noise exponent $\gamma$"
    assert words(axes) == (*labels, "", "linear linear")
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 1), (0, 1))


def test_contours_have_the_numbers_of_their_levels():
    _, (axes,) = style.panels(1)
    figures.draw_levels(axes)
    lines = [x for x in axes.collections if isinstance(x, QuadContourSet)][1]
    for level, path in zip(figures.LEVELS, lines.get_paths(), strict=True):
        r, gamma = path.vertices.T
        assert (r + 1) / (2 - gamma) == pytest.approx(level, abs=1e-3)
    assert len(lines.labelTexts) >= len(figures.LEVELS) - 1
    for each in lines.labelTexts:
        x, y = each.get_position()
        assert (x + 1) / (2 - y) == pytest.approx(float(each.get_text()), rel=0.02)
