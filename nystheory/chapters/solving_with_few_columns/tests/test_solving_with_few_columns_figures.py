"""The figures of the chapter, read back from their artists."""

import numpy as np
import pytest

from nystheory import style
from nystheory.chapters.solving_with_few_columns import experiments, figures, findings
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

TASKS = ["surface", "pixels", "arm", "waves"]


def test_what_is_lost_is_a_ratio_with_its_limits():
    found = planted(findings.RACE)
    _, (axes,) = style.panels(1)
    figures.draw_race(axes, found)
    wanted = {"all points": ([1, 1], [0, 1])}
    for label, name, lift in (("memory", "few", -0.12), ("work", "paid", 0.12)):
        logs = [np.log(found.measured("ratio", name, x)[:, 0]) for x in TASKS]
        limits = [mean_interval(x, 0.025) for x in logs]
        ends = [[x.mean() for x in logs]]
        ends += [[x.low for x in limits], [x.high for x in limits]]
        wanted[f"inducing points, same {label}"] = np.arange(4) + lift, *np.exp(ends)
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    assert looks(axes) == {
        "inducing points, same memory": "blue with bars",
        "inducing points, same work": "vermilion with bars",
        "all points": "black :",
    }
    assert ticks(axes.yaxis) == dict(enumerate(TASKS))
    assert axes.get_ylim() == (3.5, -0.5)
    told = {1.0: "1", 1.25: "1.25", 1.5: "1.5", 2.0: "2", 3.0: "3", 5.0: "5"}
    assert ticks(axes.xaxis) == told
    label = "test error / test error with all points"
    assert words(axes) == (label, "", "", "log linear")


def test_conditions_stand_left_and_steps_right():
    found, data = planted(findings.CONDITIONS), "digits"
    _, (left, right) = style.panels(2)
    figures.draw_solves(left, right, found, data)
    counts = found.experiment.settings

    def mean(field, name="pivots"):
        return found.measured(field, name, data).mean(axis=0)

    plain = {x: [mean(x, "plain")[0]] * 2 for x in ("condition", "steps")}
    conditions = {
        "bound from the trace": (counts, mean("by_trace")),
        "bound from the norm": (counts, mean("by_norm")),
        "condition number": (counts, mean("condition")),
        "no preconditioner": ([0, 1], plain["condition"]),
    }
    steps = {
        "pivots of RPCholesky": (counts, mean("steps")),
        "no preconditioner": ([0, 1], plain["steps"]),
    }
    for axes, wanted in ((left, conditions), (right, steps)):
        assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
        assert [*ticks(axes.xaxis)] == [*counts]
    dashes = ["vermilion --", "orange -.", "blue o -", "black -"]
    assert [*looks(left).values()] == dashes
    assert left.get_ylim()[1] == pytest.approx(300 * plain["condition"][0])
    assert [*ticks(right.yaxis).values()] == ["5", "10", "20", "30"]
    label = "steps to a relative residual of 1e-6"
    assert words(left) == ("columns $l$", "", "", "log log")
    assert words(right) == ("columns $l$", label, "", "log log")


def seen_on_a_line():
    """Five points, four places; each row is another one."""
    x, places = np.arange(5.0), np.array([0.5, 1.5, 2.5, 3.5])
    exact = np.array([1.0, 2, 3, 4]), np.array([0.1, 0.2, 0.3, 0.4])
    near = np.array([1.5, 2.5, 2, 1]), np.array([0.2, 0.5, 0.6, 0.7])
    mixed, landmarks = np.array([-0.1, 0.8, 0.9, 1.1]), np.array([3, 0])
    return experiments.Line(
        x, x**2 / 8, landmarks, places, exact, near, mixed, 1.0, 0.1, np.ones(4)
    )


def test_means_stand_left_and_variances_right():
    some = seen_on_a_line()
    _, (left, right) = style.panels(2)
    figures.draw_line(left, right, some)
    at, (mean, deviation) = some.places, some.exact
    means = {
        "all points": (at, mean),
        "inducing points": (at, some.near[0]),
        "landmarks": ([3, 0], [-2.3, -2.3]),
    }
    variances = {
        "all points": (at, [0.01, 0.04, 0.09, 0.16]),
        "inducing points": (at, [0.04, 0.25, 0.36, 0.49]),
        "true rows": (at, some.mixed),
    }
    around = {
        "blue area": (at, mean - 2 * deviation, mean + 2 * deviation),
        "middle grey .": (some.x, some.y),
    }
    assert unlike(named(left), means) == [] and unlike(named(right), variances) == []
    assert unlike(unnamed(left), around) == [] and unnamed(right) == {}
    dashes = {"all points": "blue -", "inducing points": "vermilion --"}
    assert looks(left) == dashes | {"landmarks": "black |"}
    assert looks(right) == dashes | {"true rows": "green :"}
    assert words(left) == ("place", "mean", "", "linear linear")
    assert words(right) == ("place", "variance", "", "linear linear")


def test_frames_have_the_lines_of_their_number():
    found = {k: experiments.line(20, k, 0.1) for k in (3, 6)}
    slider = figures.plot_line_by_landmarks(found, first=6)
    assert slider.first == 1 and [x.name for x in slider.frames] == ["3", "6"]
    for frame, each in zip(slider.frames, found.values(), strict=True):
        left, right = frame.figure.axes
        means, variances = named(left), named(right)
        assert np.array_equal(means["inducing points"][1], each.near[0])
        assert np.allclose(variances["inducing points"][1], each.near[1] ** 2)
        apart = np.ptp([means["inducing points"][1], means["all points"][1]], axis=0)
        ratio = variances["inducing points"][1] / variances["all points"][1]
        assert frame.words == (
            f"The means are at most {apart.max():.2g} apart; "
            f"the variance is up to {ratio.max():.1f} times the exact one."
        )
