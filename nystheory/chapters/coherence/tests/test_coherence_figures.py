"""The figures of the chapter, read back from their artists."""

from types import SimpleNamespace as Some

import numpy as np
import pytest

from nystheory import style
from nystheory.chapters.coherence import figures, findings
from nystheory.engine.findings import Data
from nystheory.engine.report.artists import (
    looks,
    named,
    planted,
    ticks,
    unlike,
    unnamed,
    words,
)


def mean(found, field, name, data):
    return found.measured(field, name, data).mean(axis=0)


def test_a_promise_has_the_colour_of_its_chance():
    counts, chances = [2, 5], {"even": ([0.3, 0.9], [0.1, 0.7]), "hidden": ([0, 1], [])}
    found = {name: tuple(map(np.array, pair)) for name, pair in chances.items()}
    found["hidden"] = (found["hidden"][0], None)
    found["spike"] = (np.array([0.2, 0.4]), np.array([0.05, 0.15]))
    _, (axes,) = style.panels(1)
    figures.draw_chances(axes, found, counts)
    wanted = {name: (counts, pair[0]) for name, pair in found.items()}
    assert unlike(named(axes), wanted) == []
    dotted = {"blue :": (counts, [0.1, 0.7]), "sky :": (counts, [0.05, 0.15])}
    assert unlike(unnamed(axes), dotted) == []
    assert looks(axes) == {"even": "blue -", "hidden": "green -.", "spike": "sky --"}
    labels = "columns $l$", "chance that $\\tilde K = K$"
    assert words(axes) == (*labels, "", "linear linear")


def test_a_bound_is_not_the_probability():
    _, (axes,) = style.panels(1)
    figures.draw_failure(axes, [3, 6], [0.4, 0.01], [0.9, 0.2], 5)
    wanted = {"exact": ([3, 6], [0.4, 0.01]), "bound": ([3, 6], [0.9, 0.2])}
    assert unlike(named(axes), wanted) == []
    assert unlike(unnamed(axes), {"grey :": ([5, 5], [0, 1])}) == []
    assert looks(axes) == {"exact": "blue -", "bound": "vermilion --"}
    assert words(axes) == ("columns $l$", "", "", "linear log")
    assert axes.get_ylim() == (1e-6, 1.5)


def test_recovery_shows_mean_errors_of_uniform_columns():
    found = planted(findings.RECOVERY)
    _, (axes,) = style.panels(1)
    figures.draw_recovery(axes, found)
    counts = found.experiment.settings
    wanted = {x: (counts, mean(found, "error", "uniform", x)) for x in findings.SIX}
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    labels = "columns $l$", "error, Frobenius norm, %"
    assert words(axes) == (*labels, "", "linear linear")


def test_two_coherences_of_each_matrix_stand_in_its_row():
    found = planted(findings.COHERENT)
    _, (axes,) = style.panels(1)
    figures.draw_coherences(axes, found)
    names = [*findings.SIX][::-1]
    rows = range(len(names))
    entries, space = (
        [mean(found, "share", way, x)[0] for x in names] for way in ("entries", "rows")
    )
    wanted = {"$M$": (space, rows), "$\\mu^2$": (entries, rows)}
    assert unlike(named(axes), wanted) == []
    between = np.array([entries, space]).T.ravel(), np.repeat(rows, 2)
    assert unlike(unnamed(axes), {"grey -": between}) == []
    assert looks(axes) == {"$M$": "vermilion s", "$\\mu^2$": "blue o"}
    assert ticks(axes.yaxis) == dict(enumerate(names))
    label = "coherence, % of its largest value"
    assert words(axes) == (label, "", "", "linear linear")


def test_growth_is_of_the_coherence_of_entries():
    found, names = planted(findings.COHERENT), ("digits, RBF", "patches, linear")
    sizes = found.experiment.settings
    _, (axes,) = style.panels(1)
    figures.draw_growth(axes, found, names)
    wanted = {x: (sizes, mean(found, "coherence", "entries", x)) for x in names}
    wanted["$\\sqrt{n}$"] = (sizes, np.sqrt(sizes))
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    assert words(axes) == ("points $n$", "coherence", "", "linear linear")
    assert axes.get_ylim()[0] == 0


@pytest.mark.parametrize("names", [findings.SPIKES, findings.GROUPS])
def test_chosen_vectors_are_labelled_by_mu_and_by_m(names):
    def drawn(size, rng):
        return Some(best=size)

    shown = {"flat": Data(drawn, 12), "steep": Data(drawn, 21)}
    of = {x: getattr(findings.CHOSEN, x) for x in ("competitors", "fields", "settings")}
    found = planted(Some(shown=shown, data=shown, **of))
    figure = figures.plot_chosen(found, names)
    counts = found.experiment.settings
    for axes, (data, best) in zip(
        figure.axes, (("flat", 12), ("steep", 21)), strict=True
    ):
        wanted = {}
        for name in names:
            mu, M = (mean(found, x, name, "flat")[0] for x in ("mu", "M"))
            label = f"{findings.VECTORS[name].label}: $\\mu = {mu:.0f}$, $M = {M:.0f}$"
            wanted[label] = counts, mean(found, "error", name, data)
        assert unlike(named(axes), wanted) == []
        assert unlike(unnamed(axes), {"black :": ([0, 1], [best, best])}) == []
        assert words(axes)[2:] == (data, "linear linear")
        assert axes.get_ylim()[0] == 0
    labels = [words(axes)[:2] for axes in figure.axes]
    one = "columns $l$"
    assert labels == [(one, "error, Frobenius norm, %"), (one, "")]


def test_bounds_and_errors_have_their_own_looks():
    found, data = planted(findings.BOUNDS), "digits, RBF"
    counts = found.experiment.settings
    _, (axes,) = style.panels(1)
    figures.draw_bounds(axes, found, data)
    wanted = {
        each.label: (counts, mean(found, "missed", name, data))
        for name, each in findings.BOUNDS.competitors.items()
    }
    assert unlike(named(axes), wanted) == []
    assert unlike(unnamed(axes), {"black :": ([0, 1], [1, 1])}) == []
    assert looks(axes) == {
        "error, uniform without replacement": "blue o -",
        "error, leverage with replacement": "green ^ -.",
        "structural bound": "orange s --",
        "bound from coherence": "vermilion P -",
        "leverage bound": "purple D -.",
        "trace of $K$": "grey --",
    }
    labels = "columns $l$", "trace of the error, tails"
    assert words(axes) == (*labels, "", "log log")
    assert [*ticks(axes.xaxis)] == [*counts]
