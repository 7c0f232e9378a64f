"""Picked points, gains, failures, ratios, a self-test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nystheory import style
from nystheory.chapters.fixed_sampling import findings
from nystheory.chapters.fixed_sampling.crowds import Crowd
from nystheory.chapters.fixed_sampling.drawing import miss_and_get
from nystheory.chapters.fixed_sampling.leverage_scores import Scores, SelfTest
from nystheory.chapters.fixed_sampling.measured import DELTA
from nystheory.chapters.fixed_sampling.tables import ahead
from nystheory.engine.findings import Field, Series
from nystheory.engine.findings.experiments import STYLES
from nystheory.engine.findings.fields import plot

LOOKS = STYLES | {"patches, RBF": ("vermilion", "v"), "crowd": ("purple", "D")}
SCHEME_LOOKS = {"ridge": ("blue", "o", "-"), "uniform": ("orange", "s", "--")}
# By scheme, and by competitor.
CUT_LOOKS = {
    "uniform": {
        "uniform": ("blue", "o", "-"),
        "uniform_core": ("vermilion", "s", "--"),
    },
    "leverage": {
        "leverage": ("blue", "o", "-"),
        "leverage_weighted": ("green", "^", "-."),
        "leverage_core": ("vermilion", "s", "--"),
    },
}


def draw_crowd(axes, crowd: Crowd, S: Sequence[int], title: str) -> None:
    """Draw all points in grey and the landmarks on top.

    Parameters
    ----------
    axes : matplotlib Axes
    crowd : Crowd
    S : sequence of int
    title : str

    Examples
    --------
    >>> from nystheory.chapters.fixed_sampling.crowds import crowd_and_groups
    >>> figure, (axes,) = style.panels(1)
    >>> draw_crowd(axes, crowd_and_groups(), [0, 5], "two columns")
    """
    grey, orange = style.COLOURS["grey"], style.COLOURS["orange"]
    axes.scatter(*crowd.X.T, s=3, color=grey, alpha=0.4)
    at = crowd.X[np.asarray(S)]
    axes.scatter(*at.T, s=30, color=orange, edgecolor="black", linewidth=0.6)
    axes.set_title(title, fontsize=9.5)
    axes.set(xlabel="$x_1$", ylabel="$x_2$", aspect="equal")


def draw_leads(axes, found, first: str, second: str, data: Sequence[str], field: Field):
    """Draw the mean lead of one competitor over another, one line for each matrix.

    Parameters
    ----------
    axes : matplotlib Axes
    found : Found
        Of `findings.SCHEMES`.
    first, second : str
    data : sequence of str
    field : Field
        What their difference is called.
    """
    percents = Series(found.experiment.along, found.experiment.settings)
    for name in data:
        leads = ahead(found, first, second, name)
        means = [each.estimate for each in leads]
        plot(axes, percents, Series(field, means, name), (*LOOKS[name], "-"))
        axes.fill_between(
            percents.values,
            [each.low for each in leads],
            [each.high for each in leads],
            color=style.COLOURS[LOOKS[name][0]],
            alpha=0.15,
            linewidth=0,
        )
    axes.axhline(0, color="black", linewidth=1)
    axes.set_xticks(percents.values, percents.values)


def draw_misses(axes, n: int, r: int, counts: Sequence[int]) -> None:
    """Draw how likely a uniform sample holds none, or all, of r special columns.

    Parameters
    ----------
    axes : matplotlib Axes
    n, r : int
    counts : sequence of int

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_misses(axes, 10, 2, [1, 5, 10])
    """
    chances = np.array([[float(c) for c in miss_and_get(n, r, l)] for l in counts])  # noqa: E741
    names = ("none of them", "all of them")
    for name, line, colour, dashes in zip(
        names, chances.T, ("vermilion", "blue"), ("--", "-"), strict=True
    ):
        axes.plot(counts, line, dashes, color=style.COLOURS[colour], label=name)
    axes.set(xlabel="columns $l$", ylabel="probability", ylim=(-0.02, 1.02))


def draw_means(
    axes, found, field: Field, data: str, looks: Mapping[str, tuple[str, str, str]]
) -> None:
    """Draw means over draws on one data set, one line for each competitor.

    Parameters
    ----------
    axes : matplotlib Axes
    found : Found
    field : Field
    data : str
    looks : mapping of str to (str, str, str)
        By competitor.
    """
    settings = Series(found.experiment.along, found.experiment.settings)
    for name, look in looks.items():
        means = found.measured(field.name, name, data).mean(axis=0)
        label = found.experiment.competitors[name].label
        plot(axes, settings, Series(field, means, label), look)
    axes.set_title(data)


def plot_cuts(found) -> style.BookFigure:
    """Relative accuracy on the crowd for each way to cut, uniform and by leverage.

    Parameters
    ----------
    found : Found
        Of `findings.CROWDS`.
    """
    figure, panels = style.panels(2, height=3.4)
    for axes, (scheme, looks) in zip(panels, CUT_LOOKS.items(), strict=True):
        draw_means(axes, found, findings.ACCURACY, "crowd", looks)
        axes.set(title=scheme, ylim=(0, 105))
        axes.set_xticks(found.experiment.settings, found.experiment.settings)
        axes.legend(fontsize=8, loc="best")
    panels[1].set_ylabel("")
    return figure


def plot_failures(found) -> style.BookFigure:
    """The share of failures against the constant, by leverage and uniform.

    Parameters
    ----------
    found : Found
        Of `findings.LOOSE`.
    """
    figure, panels = style.panels(2, height=3.1)
    constants = found.experiment.settings
    for axes, data in zip(panels, found.experiment.shown, strict=True):
        draw_means(axes, found, findings.FAILURES, data, SCHEME_LOOKS)
        look = {"color": "black", "linestyle": ":", "linewidth": 1.2}
        axes.axhline(100 * DELTA, **look, label="_allowed by the theorem")
        axes.set_xscale("log", base=2)
        axes.set_xticks(constants, [f"{c:g}" for c in constants])
        axes.minorticks_off()
        axes.set(ylim=(-3, 103))
    panels[1].set_ylabel("")
    panels[1].legend(fontsize=8)
    return figure


def draw_ratios(axes, scores: Scores, title: str) -> None:
    """Draw estimated over exact score against the exact score, point by point.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    scores : Scores
    title : str

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> found = Scores(np.array([0.1, 0.2]), np.array([1.1, 0.9]), 1, 2)
    >>> draw_ratios(axes, found, "two points")
    """
    look = {"color": style.COLOURS["blue"], "ms": 3, "alpha": 0.5}
    axes.plot(scores.exact, scores.ratio, ".", **look)
    axes.axhline(1, color="black", linewidth=1)
    axes.loglog()
    axes.set_yticks([0.5, 1, 2], ["1/2", "1", "2"])
    low, high = axes.get_xlim()
    ticks = [digit * 10.0**power for power in range(-6, 1) for digit in (1, 2, 5)]
    some = [x for x in ticks if low <= x <= high]
    axes.set_xticks(some, [f"{x:g}" for x in some])
    axes.minorticks_off()
    axes.set(ylim=(0.4, 2.5), xlabel="exact score", ylabel="estimated / exact")
    axes.set_title(title)


def draw_self_test(axes, tests: Mapping[str, SelfTest]) -> None:
    """Draw estimated against true errors, sample by sample.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    tests : mapping of str to SelfTest

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> one = SelfTest((2,), np.array([[0.5]]), np.array([[0.4]]))
    >>> draw_self_test(axes, {"crowd": one})
    """
    for name, test in tests.items():
        colour, marker = LOOKS[name]
        look = {"color": style.COLOURS[colour], "marker": marker, "alpha": 0.6}
        error, estimate = test.error.ravel(), test.estimate.ravel()
        axes.plot(error, estimate, linestyle="", ms=4, label=name, **look)
    ends = [min(t.error.min() for t in tests.values())]
    ends.append(max(t.error.max() for t in tests.values()))
    axes.plot(ends, ends, color="black", linewidth=1)
    axes.loglog()
    axes.set(xlabel="true error, share of the trace", ylabel="estimate from $W$ alone")
