"""How the experiments of the chapter are drawn, and their figures read back."""

import numpy as np
import pytest

from nystheory.chapters.random_subspaces import experiments, figures, findings, points
from nystheory.chapters.random_subspaces.circle import GRID, Circle, Geometric, Power
from nystheory.engine.findings import Series, Trial
from nystheory.engine.findings.fields import strays
from nystheory.engine.findings.found import judged

ALL = [findings.TRADEOFF, findings.MAP, findings.SCORES]


def rng(seed=0):
    return np.random.default_rng(seed)


def planted(experiment):
    """Numbers in place of what was measured, for each competitor, field and draw."""
    drawn, many = rng(), len(experiment.settings)
    singles = {"whole", "prescribed", "plain", "number", "dimension"}
    singles |= {"fewer", "half", "all"}

    def numbers(field):
        return tuple(drawn.uniform(3, 40, 1 if field in singles else many))

    def draw():
        return {
            name: {each.name: numbers(each.name) for each in experiment.fields}
            for name in experiment.competitors
        }

    draws = {x: [draw() for _ in range(experiment.draws)] for x in experiment.data}
    return judged(experiment, draws, {})


def some_known(experiment, size=None):
    """What is prepared of a draw of the first data of the page."""
    source = next(iter(experiment.shown.values()))
    return experiment.prepare(source.draw(size or source.size, rng()), rng())[0]


# ---- what is prepared and measured ----


def test_both_schemes_take_all_columns_and_differ_by_the_scores_alone():
    sample, orders = some_known(findings.TRADEOFF, 40)
    assert set(orders) == {x.run for x in findings.TRADEOFF.competitors.values()}
    for some in orders.values():
        assert sorted(some) == list(range(len(sample.t)))
    uniform = orders["hinge", "uniform"]
    assert np.array_equal(uniform, orders["square", "uniform"])
    assert not np.array_equal(uniform, orders["hinge", "leverage"])


def test_what_is_traded_is_what_is_learned_on_the_first_columns():
    known = some_known(findings.TRADEOFF, 70)
    sample, orders = known
    found = findings.traded(Trial(("square", "leverage"), known, None, None, rng()))
    drawn = orders["square", "leverage"]
    for place, m in enumerate(findings.FEW):
        one = sample.learned("square", drawn[:m])
        assert found["excess"][place] == one["excess"]
        assert found["over"][place] == pytest.approx(
            100 * one["excess"] / found["whole"]
        )
    number = sample.number("square")
    assert found["number"] == number > found["dimension"]
    assert found["prescribed"] == sample.learned("square", drawn[:number])["excess"]


@pytest.mark.parametrize("decay", [Power(2), Power(4), Geometric(0.8)])
def test_the_square_loss_is_prescribed_no_more_columns(decay):
    law = Circle(decay)
    assert law.prescribed("square", 300) <= law.prescribed("hinge", 300)


def test_the_map_has_a_row_for_each_lambda():
    assert [x.run for x in findings.MAP.competitors.values()] == [
        *experiments.LAMBDAS,
        None,
    ]
    table = {x: list(range(7)) for x in (*experiments.LAMBDAS, None)}
    found = findings.mapped(Trial(1e-3, table, None, None, rng()))
    at = dict(zip(findings.COUNTS, range(7), strict=True))
    assert (found["fewer"], found["half"], found["all"]) == (at[32], at[128], at[256])


def test_values_are_centred_by_the_points_to_learn_from():
    groups = some_known(findings.SCORES)
    assert len(groups.learn.X) == 300
    assert groups.learn.y.mean() == pytest.approx(0, abs=1e-12)


def test_columns_of_a_scheme_are_those_that_are_measured():
    groups = some_known(findings.SCORES)
    run = findings.SCORES.competitors["uniform"].run
    found = findings.compared(Trial(run, groups, None, None, rng()))
    drawn = rng()
    for place, m in enumerate(findings.SOME):
        chosen = run(np.eye(300), m, drawn).indices
        wanted = experiments.projected(groups, chosen)["error"]
        assert found["error"][place] == pytest.approx(wanted)


# ---- figures ----


def test_the_trade_off_is_drawn_as_it_was_measured():
    found = planted(findings.TRADEOFF)
    panels = figures.plot_tradeoff(found).axes
    for axes, data in zip(panels, findings.TRADEOFF.shown, strict=True):
        means = figures.means(found, findings.EXCESS, data)
        drawn = [
            Series(findings.EXCESS, values, findings.TRADEOFF.competitors[name].label)
            for name, values in means.items()
        ]
        assert strays(axes, findings.COLUMNS, drawn) == []
        marked = {x.get_xdata()[0] for x in axes.lines if x.get_marker() == "*"}
        number = figures.means(found, findings.NUMBER, data)
        assert marked == {number["hinge_scores"][0], number["square_scores"][0]}


def test_scores_are_drawn_as_they_were_measured():
    found = planted(findings.SCORES)
    panels = figures.plot_scores(found).axes
    for axes, data in zip(panels, findings.SCORES.shown, strict=True):
        means = figures.means(found, findings.APART, data)
        drawn = [
            Series(findings.APART, values, findings.SCORES.competitors[name].label)
            for name, values in means.items()
        ]
        assert strays(axes, findings.COLUMNS, drawn) == []


def test_the_map_is_drawn_as_it_was_measured():
    found = planted(findings.MAP)
    panels = figures.plot_map(found).axes[: len(findings.MAP.shown)]
    for axes, data in zip(panels, findings.MAP.shown, strict=True):
        table = figures.table(found, data)
        assert np.array_equal(axes.images[0].get_array(), table)
        first = found.measured("error", "lambda_6", data).mean(axis=0)
        assert np.array_equal(table[0], first)
        best = axes.lines[0].get_ydata()
        assert np.array_equal(best, table.argmin(axis=0))


def test_borders_are_drawn_of_what_was_learned():
    groups = experiments.Groups.of(points.wave(120, rng()), 60, 0.3)
    learned = [
        experiments.Classified.of(groups, np.arange(m), figures.places())
        for m in (5, 60)
    ]
    panels = figures.plot_borders(groups, learned).axes
    assert [x.get_title() for x in panels] == ["5 columns", "all 60 columns"]
    names = panels[0].get_legend_handles_labels()[1]
    assert names == ["learned border", "best border", "label -1", "label 1", "landmark"]


def test_spectra_are_those_of_the_laws():
    circles = {"slow": Circle(Power(2)), "fast": Circle(Power(4))}
    left, right = figures.plot_spectra(circles).axes
    values = [figures.eigenvalues(x)[:100] for x in circles.values()]
    assert all(
        np.array_equal(line.get_ydata(), some)
        for line, some in zip(left.lines, values, strict=True)
    )
    mean = next(iter(circles.values())).mean(GRID)
    assert np.array_equal(right.lines[0].get_ydata(), mean)


@pytest.mark.parametrize("experiment", ALL, ids=lambda x: x.id)
def test_what_the_page_says_is_on_data_beyond_it_too(experiment):
    """At least one finding of each experiment speaks of data that are not shown."""
    beyond = set(experiment.beyond)
    assert any(not x.on or set(x.on) & beyond for x in experiment.findings.values())
