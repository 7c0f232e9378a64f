"""The figures of the experiments read back, and what tables say of slopes."""

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats

from nystheory import style
from nystheory.chapters.fast_and_slow_rates import figures, findings
from nystheory.engine.findings import Series
from nystheory.engine.findings.fields import strays

ALL = (findings.SLOPES, findings.FEWER, findings.MACHINES)


def planted(experiment):
    """Numbers in place of what was measured: each competitor and problem its own."""
    names, problems = list(experiment.competitors), list(experiment.data)

    def measured(field, name, data):
        factor = (1 + names.index(name)) * (1 + problems.index(data))
        if field == "promised":
            return np.full((2, 1), -0.75)
        if field == "slope":
            return np.array([[-0.7], [-0.8]]) - 0.01 * factor
        n = np.array(experiment.settings)
        return factor * np.array([[1.0], [3.0]]) / n

    return SimpleNamespace(experiment=experiment, measured=measured)


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.id)
def test_panels_have_the_means_and_labels_of_their_fields(experiment):
    figure = figures.draw_all(planted(experiment))
    assert len(figure.axes) == len(experiment.shown)
    n = np.array(experiment.settings)
    for place, (axes, data) in enumerate(
        zip(figure.axes, experiment.shown, strict=True), 1
    ):
        drawn = [
            Series(experiment.measured["excess"], 2 * i * place / n, each.label)
            for i, each in enumerate(experiment.competitors.values(), 1)
        ]
        curves = {x.get_label(): x.get_ydata() for x in axes.lines}
        for each in drawn:
            assert curves[each.of] == pytest.approx(each.values)
        exact = [Series(e.field, curves[e.of], e.of) for e in drawn]
        assert strays(axes, experiment.along, exact) == []
        assert axes.get_title() == data
        line = curves["promised slope"]
        fit = scipy.stats.linregress(np.log(n), np.log(line))
        assert fit.slope == pytest.approx(-0.75)


def test_contours_are_those_of_the_exponents():
    """At one rate ``p (r + 1) / r`` for hinge, ``p (2 - gamma) / r`` for square."""
    r, gamma = 0.3, 0.2
    assert figures.quotient(r, gamma) == pytest.approx((r + 1) / (2 - gamma))
    x = np.linspace(0.05, 0.95, 20)
    assert figures.quotient(x, 1 - x) == pytest.approx(np.ones(20))
    assert (figures.quotient(x, 0.9 * (1 - x)) < 1).all()
    figure, (axes,) = style.panels(1)
    figures.draw_levels(axes)
    drawn = [each for each in axes.collections if each.get_paths()]
    (lines,) = (each for each in drawn if len(each.get_paths()) == len(figures.LEVELS))
    for level, path in zip(figures.LEVELS, lines.get_paths(), strict=True):
        r, gamma = path.vertices.T
        assert figures.quotient(r, gamma) == pytest.approx(level, abs=1e-3)


def test_curves_of_exponents_are_those_of_the_list():
    figure, panels = style.panels(2)
    figures.draw_exponents(panels)
    curves = {line.get_label(): line for line in panels[1].lines}
    p = curves["hinge loss, (42)"].get_xdata()
    of = {label: line.get_ydata() for label, line in curves.items()}
    assert of["slow, (32)"] == pytest.approx(p)
    assert of["hinge loss, (42)"] == pytest.approx(2 * p / (1 + p))
    assert of["random features"] == pytest.approx(2 * p / (2 * p + 1))
    assert of["square loss, Corollary 13"] == pytest.approx(p / (1 + p))
    rates = {line.get_label(): line.get_ydata() for line in panels[0].lines}
    assert rates["slow, (32)"] == pytest.approx(np.full(len(p), 0.5))
    assert rates["square loss, Corollary 13"] == pytest.approx(1 / (1 + p))


def test_a_table_has_the_intervals_and_their_verdicts():
    found = planted(findings.SLOPES)
    table = figures.verdicts(found, ("few",))
    assert [row[0] for row in table.rows] == list(findings.SLOPES.data)
    # Two slopes, 0.1 apart: the interval is wide and holds both rates.
    seen = figures.slope_of(found, "few", findings.HALVES)
    reach = scipy.stats.t.isf(0.025, 1) * 0.05
    assert seen.estimate == pytest.approx(-0.76)
    assert seen.high - seen.estimate == pytest.approx(reach)
    assert table.rows[0][2].endswith("undecided")
    assert table.rows[0][1] == "-0.75"


def test_draws_that_tell_two_slopes_apart():
    slopes = np.random.default_rng(0).standard_normal(30)
    count = figures.draws_to_tell(slopes, 0.4)
    for some, shorter in ((count, True), (count - 1, False)):
        reach = scipy.stats.t.isf(0.025, some - 1) * slopes.std(ddof=1) / np.sqrt(some)
        assert (2 * reach < 0.4) == shorter


def test_quotients_are_of_means():
    found = planted(findings.FEWER)
    shares = figures.quotients(found, "few", "all", findings.HALVES)
    assert shares == pytest.approx(np.full(len(findings.FEWER.settings), 3.0))


def test_problems_beyond_the_page_differ_from_those_on_it():
    shown = [findings.PROBLEMS[name] for name in findings.SLOPES.shown]
    beyond = [findings.PROBLEMS[name] for name in findings.SLOPES.beyond]
    assert len({*shown, *beyond}) == len(findings.PROBLEMS)
    arcs = [findings.ARCS[name] for name in findings.MACHINES.data]
    assert len(set(arcs)) == len(arcs)
    # Nothing but the square of the noise, or the target, tells some of them apart.
    assert findings.PROBLEMS[findings.NOISY].noise == 2 * shown[0].noise
    assert findings.PROBLEMS[findings.TURNED].kernel == shown[1].kernel


def test_a_draw_is_of_the_largest_size():
    rng = np.random.default_rng(0)
    for experiment in ALL:
        data = next(iter(experiment.shown.values()))
        assert data.size == experiment.settings[-1]
        problem, x, y = data.draw(40, rng)
        assert len(x) == len(y) == 40 and hasattr(problem, "similar")
