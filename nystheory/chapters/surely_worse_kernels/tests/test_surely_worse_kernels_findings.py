"""The experiments in small, and their figures read back."""

from dataclasses import replace

import numpy as np
import pytest

from nystheory import style
from nystheory.chapters.surely_worse_kernels import experiments, figures, findings
from nystheory.chapters.surely_worse_kernels.experiments import WIDTHS, Ends
from nystheory.engine.findings import Data, Finding, Series
from nystheory.engine.findings.drawing import one_draw
from nystheory.engine.findings.fields import strays
from nystheory.engine.findings.found import judged

ALL = (findings.CERTAIN, findings.TELL, findings.SEARCHES)


def one(experiment, size):
    """A draw of an experiment on few points."""
    data = Data(experiments.digits, size)
    line = next(iter(experiment.findings.values()))
    some = Finding(
        line.line, line.scope, when=line.when, on=("small",), but_on="others"
    )
    small = replace(
        experiment,
        shown={"small": data},
        beyond={"others": data},
        findings={"some": some},
    )
    return one_draw(small, "small", 0)[0]


def test_what_is_certain_is_told_for_each_ridge():
    found = one(findings.CERTAIN, 120)
    worse = {name: np.array(each["worse"]) for name, each in found.items()}
    assert (worse["trace"] <= worse["one"]).all()
    assert (worse["one"] <= worse["two"]).all()
    assert (worse["bare"] == len(WIDTHS) - 1).all()
    for name in ("trace", "one", "two"):
        assert found[name]["lost"] == (0, 0, 0)


def test_more_columns_tell_more_by_each_measure():
    for each in one(findings.TELL, 100).values():
        assert list(each["worse"]) == sorted(each["worse"])
        assert set(each["other"]) <= {0, 100}


def test_searches_are_judged_on_the_same_points():
    found = one(findings.SEARCHES, 160)
    assert set(found) == set(findings.SEARCHES.competitors)
    for each in found.values():
        assert 0 < each["missed"][0] < 110
        assert each["lambda"][0] == pytest.approx(
            experiments.LAMBDAS[np.argmin(abs(experiments.LAMBDAS - each["lambda"][0]))]
        )


@pytest.mark.parametrize("experiment", ALL)
def test_findings_are_of_ten_draws_and_more_data_than_the_page_shows(experiment):
    assert experiment.draws >= 10 and experiment.beyond
    assert experiment.found().complaints() == []


def test_curves_have_the_labels_and_the_values_of_their_fields():
    experiment, rng = findings.TELL, np.random.default_rng(0)
    draws = [
        {
            name: {f: tuple(rng.uniform(1, 2, 3)) for f in experiment.measured}
            for name in experiment.competitors
        }
        for _ in range(experiment.draws)
    ]
    found = judged(experiment, dict.fromkeys(experiment.data, draws), {})
    _, (axes,) = style.panels(1)
    figures.draw_told(axes, found, "digits")
    drawn = [
        Series(findings.WORSE, values, experiment.competitors[name].label)
        for name, values in figures.means(found, findings.WORSE, "digits").items()
    ]
    assert drawn and strays(axes, experiment.along, drawn) == []
    assert len(figures.plot_told(found).axes) == len(experiment.shown)


def test_both_ends_are_drawn_against_the_width():
    exact = np.linspace(1, 2, len(WIDTHS))
    ends = Ends(exact - 0.1, exact + 0.1, exact)
    _, (axes,) = style.panels(1)
    figures.draw_ends(axes, exact, ends)
    drawn = [
        Series(figures.CRITERION, values, label)
        for values, label in (
            (ends.upper, "upper end"),
            (ends.lower, "lower end"),
            (exact, "criterion"),
        )
    ]
    assert strays(axes, figures.WIDTH, drawn) == []
    crosses = next(x for x in axes.lines if x.get_label() == "worse")
    assert len(crosses.get_xdata()) == ends.worse.sum() > 0


def test_the_first_figure_has_ends_for_each_number_of_columns():
    shown = figures.of_digits(60, (5, 20))
    assert len(shown.ends) == len(shown.near) == 2
    for each in shown.ends:
        assert (each.lower <= shown.exact).all() and (shown.exact <= each.upper).all()
    titles = {"5 columns": shown.ends[0], "20 columns": shown.ends[1]}
    figure = figures.plot_ends(shown.exact, titles)
    assert [axes.get_title() for axes in figure.axes] == list(titles)
