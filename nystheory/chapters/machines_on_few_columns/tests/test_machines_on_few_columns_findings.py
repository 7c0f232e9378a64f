"""The experiments in small, and their figures read back."""

from dataclasses import replace

import numpy as np
import pytest

from nystheory import guarantees, style
from nystheory.chapters.machines_on_few_columns import (
    experiments,
    figures,
    findings,
    machines,
    points,
    spectra,
)
from nystheory.engine.findings import Data, Finding, Series
from nystheory.engine.findings.drawing import one_draw
from nystheory.engine.findings.fields import strays
from nystheory.engine.findings.found import judged

SMALL = {
    "table": (findings.TABLE, (points.moons, 60, 10)),
    "scores": (findings.SCORES, (points.rare, 150, findings.is_far)),
    "gaps": (findings.GAPS, (points.moons, 10, experiments.place_of(0.6, 1e-2))),
}


def one(name):
    """A draw of an experiment on few points."""
    experiment, (make, *rest) = SMALL[name]
    data = Data(lambda n, rng: (make(n, rng), *rest), 240)
    line = next(iter(experiment.findings.values()))
    some = {
        "some": Finding(
            line.line, line.scope, when=line.when, on=("small",), but_on="others"
        )
    }
    small = replace(
        experiment, shown={"small": data}, beyond={"others": data}, findings=some
    )
    return small, one_draw(small, "small", 0)[0]


def test_the_table_tells_errors_and_what_was_chosen():
    experiment, found = one("table")
    assert set(found) == set(experiment.competitors)
    for each in found.values():
        place = int(each["pair"][0])
        assert machines.PAIRS[place] == (each["width"][0], each["lambda"][0])
        assert 0 <= each["error"][0] <= 100
    assert found["kernel"]["error"][0] < 20


def test_scores_are_told_along_columns(monkeypatch):
    monkeypatch.setattr(findings, "COUNTS", (2, 4, 8, 12, 16))
    _, found = one("scores")
    for name, each in found.items():
        lengths = {len(values) for values in each.values()}
        assert lengths == ({1} if name == "kernel" else {len(findings.COUNTS)})
    assert found["kernel"]["share"][0] == pytest.approx(10, abs=5)


def test_gaps_fall_and_coordinates_are_ahead_at_the_end():
    _, found = one("gaps")
    for each in found.values():
        assert each["gap"][-1] < each["gap"][0] and each["power"][0] > 0.5
    last = {name: each["gap"][-1] for name, each in found.items()}
    assert last["coordinates"] < last["pegasos"]


@pytest.mark.parametrize("experiment", [findings.TABLE, findings.SCORES, findings.GAPS])
def test_findings_are_of_ten_draws_and_more_data_than_the_page_shows(experiment):
    assert experiment.draws >= 10 and experiment.beyond
    assert experiment.found().complaints() == []


def typed(experiment, rng):
    """Random numbers for all fields, in ten draws."""
    count = len(experiment.settings)
    return [
        {
            name: {
                f: tuple(rng.uniform(1, 2, 1 if name == "kernel" else count))
                for f in experiment.measured
            }
            for name in experiment.competitors
        }
        for _ in range(experiment.draws)
    ]


@pytest.mark.parametrize(
    ("experiment", "field"),
    [(findings.SCORES, findings.ERROR), (findings.GAPS, findings.GAP)],
)
def test_curves_have_the_labels_and_the_values_of_their_fields(experiment, field):
    draws = typed(experiment, np.random.default_rng(0))
    found = judged(experiment, dict.fromkeys(experiment.data, draws), {})
    data = next(iter(experiment.data))
    _, (axes,) = style.panels(1)
    figures.draw_curves(axes, found, field, data)
    drawn = [
        Series(field, values, experiment.competitors[name].label)
        for name, values in figures.means(found, field, data).items()
        if len(values) > 1
    ]
    assert drawn and strays(axes, experiment.along, drawn) == []


def test_a_panel_of_the_page_has_the_field_that_its_label_names():
    figure = figures.plot_columns(findings.SCORES.found())
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert sum("light groups" in label for label in labels) == 1
    assert len(figure.axes) == len(findings.SCORES.shown)
    gaps = figures.plot_gaps(findings.GAPS.found())
    assert len(gaps.axes) == len(findings.GAPS.shown)


def test_borders_come_nearer_to_that_of_all_columns():
    learn, found = figures.borders(120)
    assert [each.columns for each in found] == [*figures.FEW, 120]
    assert found[0].differs > found[1].differs > found[2].differs == 0
    figure = figures.plot_borders(learn, found)
    assert [len(axes.get_title()) > 0 for axes in figure.axes] == [True] * 3


def test_eigenvalues_are_drawn_by_index():
    found = spectra.spectra(guarantees.landmarks_for_learning, 60)
    (axes,) = figures.plot_spectra(found).axes
    drawn = [
        Series(figures.EIGENVALUE, each.values[each.values > 1e-9], name)
        for name, each in found.items()
    ]
    assert strays(axes, figures.INDEX, drawn) == []
