"""The figures of the chapter, read back from their artists."""

import numpy as np
import pytest
import scipy.stats

from nystheory import style
from nystheory.chapters.newton_with_few_columns import both_forms, figures, findings
from nystheory.engine.report.artists import (
    by_look,
    looks,
    named,
    planted,
    ticks,
    unlike,
    unnamed,
    words,
)

DATA = "threes against eights"
COUNTS = findings.FORMS.settings


def limits(table):
    """The mean of each column, and the ends of its interval by Student's law."""
    mean, error = table.mean(axis=0), scipy.stats.sem(table, axis=0)
    away = error * scipy.stats.t.ppf(0.975, len(table) - 1)
    return mean, mean - away, mean + away


@pytest.fixture(scope="module")
def panels():
    forms, learners = planted(findings.FORMS), planted(findings.LEARNERS)
    _, axes = style.grid()
    figures.draw_columns(axes, forms, learners, DATA)
    return forms, learners, axes


def test_kernels_have_the_labels_that_they_tell_right(panels):
    _, learners, (axes, *_) = panels
    some = [learners.measured("right", x, DATA)[:, :1] for x in ("linear", "rbf")]
    mean, low, high = np.hstack([limits(table) for table in some])
    assert unlike(by_look(axes), {"blue with bars": ([0, 1], mean, low, high)}) == []
    assert ticks(axes.xaxis) == {0: "linear", 1: "Gaussian"}
    assert words(axes)[:2] == ("kernel", "labels told right, %")


@pytest.mark.parametrize(
    ("place", "field", "names"),
    [
        (1, findings.RIGHT, {"few": "blue", "quarter": "vermilion"}),
        (2, findings.STEPS, {"few": "blue"}),
        (3, findings.WORK, {"few": "blue"}),
    ],
)
def test_curves_are_the_means_of_their_competitors(panels, place, field, names):
    forms, _, axes = panels
    axes, curves, areas = axes[place], {}, {}
    for name, colour in names.items():
        mean, *ends = limits(forms.measured(field.name, name, DATA))
        curves[findings.FORMS.competitors[name].label] = COUNTS, mean
        areas[f"{colour} area"] = (COUNTS, *ends)
    whole = forms.measured(field.name, "all", DATA).mean()
    curves["all columns"] = [0, 1], [whole, whole]
    assert unlike(named(axes), curves) == []
    assert unlike(unnamed(axes), areas) == []
    told = [looks(axes)[findings.FORMS.competitors[x].label] for x in names]
    assert [look.split()[0] for look in told] == list(names.values())
    assert [*ticks(axes.xaxis)] == [*COUNTS]


def test_panels_have_the_words_of_their_fields(panels):
    _, _, axes = panels
    assert [words(each) for each in axes[1:]] == [
        ("columns $l$", "labels told right, %", "", "log linear"),
        ("columns $l$", "steps", "", "log log"),
        ("columns $l$", "operations,\n% of those with all columns", "", "log linear"),
    ]


def test_paths_are_those_of_their_forms():
    found = both_forms.Paths(np.array([1, 0.5, 0.4]), np.array([1, 0.2, 0.1]), 0, 0)
    _, (axes,) = style.panels(1)
    figures.draw_paths(axes, found)
    wanted = {
        "form (3.14), mended": ([0, 1, 2], [1, 0.5, 0.4]),
        "exact gradient": ([0, 1, 2], [1, 0.2, 0.1]),
    }
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    assert looks(axes) == {
        "form (3.14), mended": "vermilion --",
        "exact gradient": "blue -",
    }
    assert words(axes) == ("steps", "gradient, share of the first", "", "linear log")
