"""The figures of the chapter, read back from their artists."""

import numpy as np
import pytest

from nystheory import style
from nystheory.chapters.projection_or_reconstruction import (
    experiments,
    figures,
    findings,
)
from nystheory.engine.report.artists import (
    looks,
    named,
    planted,
    ticks,
    unlike,
    unnamed,
    words,
)
from nystheory.engine.trial.statistics import mean_interval

DATA = {"digits, RBF": "orange s -", "patches, linear": "green ^ -"}


def bands(found, values):
    """Means and, in their colours, limits of 95 percent, of draws of each matrix."""
    settings, curves, areas = found.experiment.settings, {}, {}
    for name, rows in values.items():
        limits = [mean_interval(x, 0.025) for x in rows.T]
        curves[name] = settings, rows.mean(axis=0)
        ends = [x.low for x in limits], [x.high for x in limits]
        areas[f"{DATA[name].split()[0]} area"] = settings, *ends
    return curves, areas


@pytest.mark.parametrize("measure", ["projection", "reconstruction"])
def test_rows_are_rebuilt_under_one_measure(measure):
    place, row = np.array([0.0, 1, 2, 3]), np.array([5.0, 6, 8, 7])
    made = {name: row * at for at, name in enumerate(experiments.ALL, 2)}
    seen = experiments.OneRow(place, row, np.array([1, 3]), made)
    _, (axes,) = style.panels(1)
    figures.draw_row(axes, seen, measure)
    wanted = {
        "row of $K$": (place, row),
        "Nyström": (place, made[f"Nyström {measure}"]),
        "Column-sampling": (place, made[f"Column-sampling {measure}"]),
        "landmarks": ([1, 3], [6, 7]),
    }
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    assert [*looks(axes).values()] == ["black -", "blue --", "vermilion -.", "black o"]
    kind = {"projection": "matrix", "reconstruction": "spectral"}[measure]
    labels = "place of the point", "entry of the row", f"{kind} {measure}"
    assert words(axes) == (*labels, "linear linear")


@pytest.mark.parametrize(
    ("experiment", "field", "pair", "along"),
    [
        (
            findings.METHOD,
            findings.PROJECTION,
            ("orthonormal", "column"),
            "columns $l/n$, %",
        ),
        (
            findings.RANKED,
            findings.RECONSTRUCTION,
            ("nystrom", "column"),
            "rank $k$",
        ),
    ],
    ids=["methods", "ranks"],
)
def test_leads_are_the_first_less_the_second(experiment, field, pair, along):
    found = planted(experiment)
    _, (axes,) = style.panels(1)
    figures.draw_leads(axes, found, field, pair, findings.LEAD, [*DATA])
    kind = "projection" if field is findings.PROJECTION else "reconstruction"
    first, second = pair
    leads = {
        x: found.measured(kind, first, x) - found.measured(kind, second, x)
        for x in DATA
    }
    curves, areas = bands(found, leads)
    assert unlike(named(axes), curves) == [] and looks(axes) == DATA
    assert unlike(unnamed(axes), areas | {"black -": ([0, 1], [0, 0])}) == []
    label = "difference in relative accuracy, points"
    assert words(axes) == (along, label, "", "linear linear")


def test_columns_needed_are_above_the_least_possible():
    found = planted(findings.SIZED)
    _, (axes,) = style.panels(1)
    figures.draw_needed(axes, found, [*DATA])
    values = {x: found.measured("share", "nystrom", x) for x in DATA}
    curves, areas = bands(found, values)
    assert unlike(named(axes), curves) == [] and looks(axes) == DATA
    sizes = np.array(found.experiment.settings)
    assert unlike(unnamed(axes), areas | {"black :": (sizes, 2000 / sizes)}) == []
    labels = "points $n$", "columns needed, %"
    assert words(axes) == (*labels, "", "log log")
    assert [*ticks(axes.xaxis)] == [*sizes]
    shown = [*ticks(axes.yaxis).items()]
    assert shown == [(float(x), str(x)) for x in (5, 10, 20, 50, 100)]


def test_means_have_their_limits():
    found = planted(findings.METHOD)
    _, (axes,) = style.panels(1)
    figures.draw_means(axes, found, findings.RECONSTRUCTION, "column", [*DATA])
    values = {x: found.measured("reconstruction", "column", x) for x in DATA}
    curves, areas = bands(found, values)
    assert unlike(named(axes), curves) == [] and unlike(unnamed(axes), areas) == []
    labels = "columns $l/n$, %", "relative accuracy of the reconstruction, %"
    assert words(axes)[:2] == labels


def test_samples_are_marks_and_what_explains_them_lines():
    found, data = planted(findings.RECOVERY), "all digits"
    _, (axes,) = style.panels(1)
    figures.draw_exact(axes, found, data)
    names = {"uniform": "uniform samples", "dark": "no pixel is dark", "line": "$l/n$"}
    wanted = {
        label: (
            found.experiment.settings,
            found.measured("exact", name, data).mean(axis=0),
        )
        for name, label in names.items()
    }
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    assert [*looks(axes).values()] == ["blue o", "orange --", "grey -"]
    labels = "columns $l/n$, %", "samples that determine the matrix, %"
    assert words(axes) == (*labels, "", "linear linear")
