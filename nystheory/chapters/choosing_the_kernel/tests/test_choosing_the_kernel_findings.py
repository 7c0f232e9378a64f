"""The experiments in small, and their figures and tables read back."""

from dataclasses import replace

import numpy as np
import pytest

from nystheory import style
from nystheory.chapters.choosing_the_kernel import (
    experiments,
    figures,
    findings,
    points,
)
from nystheory.engine.findings import Data, Finding, Series
from nystheory.engine.findings.drawing import one_draw
from nystheory.engine.findings.fields import strays
from nystheory.engine.findings.found import judged

ALL = [findings.FIGURE, findings.RANKS, findings.JUDGED]


def one(experiment, size):
    """A draw of an experiment on few points."""
    data = Data(points.moons, size)
    line = next(iter(experiment.findings.values()))
    some = {
        "some": Finding(
            line.line, line.scope, when=line.when, on=("small",), but_on="others"
        )
    }
    small = replace(
        experiment, shown={"small": data}, beyond={"others": data}, findings=some
    )
    return one_draw(small, "small", 0)[0]


def test_a_draw_of_the_figure_has_all_widths_and_one_pick():
    found = one(findings.FIGURE, 40)
    assert set(found) == set(findings.EIGHT)
    for name, each in found.items():
        assert len(each["criterion"]) == len(experiments.GAMMAS)
        assert len(each["right"]) == 1 and each["right"][0] in (0, 100)
        assert name != "original" or each["apart"] == (0,)


def test_a_draw_of_the_ranks_falls_with_the_rank():
    found = one(findings.RANKS, 40)
    for each in found.values():
        assert len(each["apart"]) == len(findings.SHARES)
        assert each["apart"][0] > each["apart"][-1]


def test_rules_are_judged_on_points_that_none_of_them_sees():
    drawn = points.moons(60 + findings.NEW, np.random.default_rng(0))
    known, new = findings.learn_and_judge(drawn, None)
    assert len(known.points.y) == 60 and len(new.y) == findings.NEW
    rows = [{tuple(x) for x in part.X} for part in (known.points, new)]
    assert not rows[0] & rows[1]
    found = one(findings.JUDGED, 60 + findings.NEW)
    assert set(found) == set(findings.RULES)
    for each in found.values():
        assert each["gamma"][0] in experiments.GAMMAS
        assert 0 <= each["few"][0] <= 60


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.id)
def test_findings_are_of_ten_draws_and_more_data_than_the_page_shows(experiment):
    assert experiment.draws >= 10 and experiment.beyond
    assert experiment.found().complaints() == []


def typed(experiment, rng):
    """Random numbers for all fields, in ten draws."""
    count = len(experiment.settings)
    return [
        {
            name: {
                "criterion": tuple(rng.uniform(0, 1, count)),
                "apart": (rng.uniform(0, 1),),
                "right": (float(rng.choice([0, 100])),),
                "narrower": (0.0,),
                "excess": (rng.uniform(0, 9),),
            }
            for name in experiment.competitors
        }
        for _ in range(experiment.draws)
    ]


def typed_found():
    experiment, rng = findings.FIGURE, np.random.default_rng(0)
    draws = {data: typed(experiment, rng) for data in experiment.data}
    return judged(experiment, draws, {})


def test_curves_have_the_labels_and_the_values_of_their_fields():
    found = typed_found()
    data = next(iter(found.experiment.data))
    _, (axes,) = style.panels(1)
    figures.draw_curves(axes, found, data)
    drawn = [
        Series(findings.CRITERION, values, findings.EIGHT[name].label)
        for name, values in figures.means(found, data).items()
    ]
    assert len(drawn) == 8 and strays(axes, findings.GAMMA, drawn) == []


def test_each_curve_has_its_ring_at_its_least_value():
    found = typed_found()
    _, (axes,) = style.panels(1)
    figures.draw_curves(axes, found, "waves", ("original", "driven"))
    rings = [each.get_offsets()[0] for each in axes.collections]
    curves = figures.means(found, "waves")
    for ring, name in zip(rings, ("original", "driven"), strict=True):
        place = int(np.argmin(curves[name]))
        assert ring[0] == experiments.GAMMAS[place]
        assert ring[1] == pytest.approx(curves[name].min())


def test_the_figure_of_the_page_has_a_panel_for_each_of_its_data():
    found = findings.FIGURE.found()
    assert len(figures.plot_eight(found).axes) == len(findings.FIGURE.shown)
    two = figures.plot_two(found, ("moons", "waves"), ("original", "uniform"))
    assert [axes.get_title() for axes in two.axes] == ["moons", "waves"]


def test_hits_are_counted_and_have_exact_limits():
    found = typed_found()
    counts = figures.hits(found)
    draws = found.draws["moons"]
    assert counts["full"]["moons"] == sum(x["full"]["right"][0] > 50 for x in draws)
    rows = figures.table_of_hits(found).rows
    assert len(rows) == 7 and len(rows[0]) == 1 + len(found.experiment.data)
    # None of ten: 1 - 0.025 ** (1 / 10).
    assert figures.limits(0, 10)[1] == pytest.approx(100 * (1 - 0.025**0.1))
    assert figures.limits(10, 10)[1] == 100


def test_tables_of_means_have_the_means():
    found = typed_found()
    rows = figures.table_of_means(found, findings.APART).rows
    told = found.measured("apart", "original", "cell samples").mean()
    assert rows[0][:2] == ("all columns", f"{told:.3g}")


def test_driven_columns_reach_fewer_points_of_the_moons():
    for seed in range(3):
        learn, columns, unseen = figures.clumps(seed)
        assert len(set(columns["criterion_driven"].tolist())) == 40
        assert unseen["criterion_driven"] > unseen["uniform"] + 10
    figure = figures.plot_clumps(learn, columns, unseen)
    assert "not reached" in figure.axes[0].get_title()
