"""The race, condition numbers, and a Gaussian process on a line."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from nystheory import style
from nystheory.chapters.solving_with_few_columns import experiments, findings
from nystheory.engine.findings import Field, Series
from nystheory.engine.findings.fields import plot
from nystheory.engine.report.curves import count_axis, curve
from nystheory.engine.report.slider import Frame, Slider
from nystheory.engine.trial.statistics import Interval, mean_interval

# Either limit of an interval is wrong with this probability: two make 95 percent.
LEVEL = 0.025
LOOKS = {"few": ("blue", "o", -0.12), "paid": ("vermilion", "s", 0.12)}


# ---- all points, or inducing points ----


def lost(found, data: str, name: str) -> Interval:
    """How many times the test error of all points a competitor has.

    The geometric mean over draws, with limits of level `LEVEL`, paired.

    Parameters
    ----------
    found : Found
        Of `findings.RACE`.
    data, name : str
    """
    logs = np.log(found.measured(findings.RATIO.name, name, data)[:, 0])
    limits = mean_interval(logs, LEVEL)
    return Interval(*map(math.exp, limits[:3]), limits.method)


def draw_race(axes, found) -> None:
    """Draw what inducing points lose on the data of the page, with intervals.

    Parameters
    ----------
    axes : matplotlib Axes
    found : Found
        Of `findings.RACE`.
    """
    tasks, learners = [*found.experiment.shown], found.experiment.competitors
    for name, (colour, marker, lift) in LOOKS.items():
        ends = np.array([lost(found, task, name)[:3] for task in tasks])
        middle, low, high = ends.T
        axes.errorbar(
            middle,
            np.arange(len(tasks)) + lift,
            xerr=[middle - low, high - middle],
            fmt=marker,
            color=style.COLOURS[colour],
            capsize=3,
            label=learners[name].label,
        )
    label = learners["all"].label
    axes.axvline(1, color="black", linewidth=1, linestyle=":", label=label)
    axes.set(xscale="log", xlabel=findings.RATIO.axis)
    axes.minorticks_off()
    axes.set_xticks([1, 1.25, 1.5, 2, 3, 5], [1, 1.25, 1.5, 2, 3, 5])
    axes.set_yticks(range(len(tasks)), tasks)
    axes.set_ylim(len(tasks) - 0.5, -0.5)
    axes.legend(fontsize=8.5)


def table_of_race(found) -> style.Table:
    """Means over draws, and what inducing points lose, a data set a row.

    Parameters
    ----------
    found : Found
        Of `findings.RACE`.
    """

    def mean(field: Field, name: str, data: str) -> float:
        return found.measured(field.name, name, data).mean()

    rows = []
    for data in found.experiment.data:
        ends = (lost(found, data, name)[1:3] for name in LOOKS)
        rows.append(
            (
                data,
                f"{mean(findings.NORM, 'few', data):.2g}",
                f"{mean(findings.ERROR, 'all', data):.0f} %",
                f"{mean(findings.STEPS_TAKEN, 'all', data):.0f}",
                *(f"{low:.2f} to {high:.2f}" for low, high in ends),
                f"{mean(findings.COLUMNS, 'paid', data):.0f}",
            )
        )
    header = ("data", "missed", "error", "steps", "same memory", "same work", "columns")
    return style.Table(header, rows)


# ---- steps ----

CURVES = (
    (findings.BY_TRACE, ("vermilion", "", "--")),
    (findings.BY_NORM, ("orange", "", "-.")),
    (findings.CONDITION, ("blue", "o", "-")),
)


def draw_solves(left, right, found, data: str) -> None:
    """Draw condition numbers with their bounds, and steps; means over draws.

    Parameters
    ----------
    left, right : matplotlib Axes
        Get logarithmic scales.
    found : Found
        Of `findings.CONDITIONS`.
    data : str
    """
    names, counts = found.experiment.competitors, found.experiment.settings

    def mean(field: Field, name: str = "pivots") -> np.ndarray:
        return found.measured(field.name, name, data).mean(axis=0)

    for field, look in CURVES:
        curve(left, counts, mean(field), look, field.label)
    steps = Series(findings.STEPS, mean(findings.STEPS), names["pivots"].label)
    plot(right, Series(findings.COUNT, counts), steps, ("blue", "o", "-"))
    for axes, field in ((left, findings.CONDITION), (right, findings.STEPS)):
        plain = mean(field, "plain")[0]
        label = names["plain"].label
        axes.axhline(plain, color="black", linewidth=1, label=label)
        axes.set(xscale="log", yscale="log")
        count_axis(axes, counts, findings.COUNT.axis)
        axes.legend(fontsize=8)
    left.set_ylim(top=300 * mean(findings.CONDITION, "plain")[0])  # for the legend
    right.set_yticks([5, 10, 20, 30], [5, 10, 20, 30])


# ---- a Gaussian process on a line ----


def draw_line(left, right, found: experiments.Line) -> None:
    """Draw the means on the left and the variances on the right.

    Parameters
    ----------
    left, right : matplotlib Axes
    found : Line

    Examples
    --------
    >>> figure, (left, right) = style.panels(2)
    >>> draw_line(left, right, experiments.line(30, 5, 0.1))
    """
    mean, deviation = found.exact
    left.fill_between(
        found.places,
        mean - 2 * deviation,
        mean + 2 * deviation,
        color=style.COLOURS["blue"],
        alpha=0.2,
        linewidth=0,
    )
    left.plot(found.x, found.y, ".", color="grey", markersize=3)
    curve(left, found.places, mean, ("blue", "", "-"), "all points")
    curve(left, found.places, found.near[0], ("vermilion", "", "--"), "inducing points")
    left.set_ylim(-2.5, 4.2)  # room for the legend
    left.plot(
        found.x[found.landmarks],
        np.full(len(found.landmarks), -2.3),
        "|",
        color="black",
        label="landmarks",
    )
    curve(right, found.places, deviation**2, ("blue", "", "-"), "all points")
    curve(
        right,
        found.places,
        found.near[1] ** 2,
        ("vermilion", "", "--"),
        "inducing points",
    )
    curve(right, found.places, found.mixed, ("green", "", ":"), "true rows")
    right.set(ylim=(-0.35, 1.7), xlabel="place", ylabel="variance")
    left.set(xlabel="place", ylabel="mean")
    for axes in (left, right):
        axes.legend(fontsize=8, loc="upper right")


def plot_line_by_landmarks(found: Mapping[int, experiments.Line], first: int) -> Slider:
    """The same with more and more inducing points, with a slider.

    Parameters
    ----------
    found : mapping of int to Line
        By the number of inducing points.
    first : int
        The number that is shown first.

    Returns
    -------
    Slider

    Examples
    --------
    >>> slider = plot_line_by_landmarks({5: experiments.line(30, 5, 0.1)}, 5)
    >>> print(slider.frames[0].words)
    The means are at most 0.87 apart; the variance is up to 48.6 times the exact one.
    """
    frames = []
    for count, each in found.items():
        figure, (left, right) = style.panels(2, height=2.6)
        draw_line(left, right, each)
        apart = np.abs(each.exact[0] - each.near[0]).max()
        ratio = (each.near[1] ** 2 / each.exact[1] ** 2).max()
        words = (
            f"The means are at most {apart:.2g} apart; "
            f"the variance is up to {ratio:.1f} times the exact one."
        )
        frames.append(Frame(f"{count}", words, figure))
    return Slider("Inducing points", frames, [*found].index(first))
