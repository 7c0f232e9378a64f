"""Picked points, gains, failures, ratios, a self-test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nystheory import style
from nystheory.chapters.fixed_sampling.crowds import Crowd
from nystheory.chapters.fixed_sampling.drawing import miss_and_get
from nystheory.chapters.fixed_sampling.leverage_scores import (
    Constants,
    Scores,
    SelfTest,
)
from nystheory.engine.findings.experiments import STYLES
from nystheory.engine.trial.statistics import Interval

LOOKS = STYLES | {"patches, RBF": ("vermilion", "v"), "crowd": ("purple", "D")}
SCHEME_LOOKS = {"ridge leverage": ("blue", "o", "-"), "uniform": ("orange", "s", "--")}
CUT_LOOKS = {
    "approximation": ("blue", "o", "-"),
    "weighted core": ("green", "^", "-."),
    "core": ("vermilion", "s", "--"),
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


def draw_against(
    axes, percents: Sequence[float], found: Mapping[str, list[Interval]]
) -> None:
    """Draw mean differences with their limits, one line for each matrix.

    Parameters
    ----------
    axes : matplotlib Axes
    percents : sequence of float, length m
        Columns in percent of n.
    found : mapping of str to list of Interval, length m

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_against(axes, [5], {"digits, RBF": [Interval(1.0, 0.5, 1.5, "")]})
    """
    shifts = np.linspace(-0.45, 0.45, len(found)) if len(found) > 1 else [0.0]
    for shift, (name, intervals) in zip(shifts, found.items(), strict=True):
        colour, marker = LOOKS[name]
        low, mean, high = np.array([(i.low, i.estimate, i.high) for i in intervals]).T
        axes.errorbar(
            np.asarray(percents) + shift,
            mean,
            (mean - low, high - mean),
            marker=marker,
            color=style.COLOURS[colour],
            linewidth=1.2,
            capsize=2,
            label=name,
        )
    axes.axhline(0, color="black", linewidth=1)
    axes.set_xticks(percents, percents)
    axes.set_xlabel("columns $l/n$ (percent)")


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


def draw_cuts(axes, counts: Sequence[int], found: Mapping[str, list[Interval]]) -> None:
    """Draw relative accuracies for three ways to cut the rank.

    Parameters
    ----------
    axes : matplotlib Axes
    counts : sequence of int, length m
    found : mapping of str to list of Interval, length m

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_cuts(axes, [5], {"core": [Interval(1.0, 0.5, 1.5, "")]})
    """
    for name, intervals in found.items():
        colour, marker, dashes = CUT_LOOKS[name]
        colour = style.COLOURS[colour]
        low, mean, high = np.array([(i.low, i.estimate, i.high) for i in intervals]).T
        axes.plot(counts, mean, dashes, marker=marker, color=colour, label=name)
        axes.fill_between(counts, low, high, color=colour, alpha=0.2, linewidth=0)
    axes.set(xlabel="columns $l$", ylim=(0, 1.05))
    axes.set_xticks(counts, counts)


def draw_constants(
    axes, constants: Sequence[float], found: Mapping[str, Constants], delta: float
) -> None:
    """Draw the share of failures against the constant, with exact limits.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets a logarithmic horizontal scale.
    constants : sequence of float
    found : mapping of str to Constants
    delta : float
        What the theorem promises: a dotted line up to 16.

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> one = Constants(np.ones(1), np.zeros(1), np.array([[0.0, 0.1]]))
    >>> draw_constants(axes, [16], {"uniform": one}, 0.1)
    """
    for name, at in found.items():
        colour, marker, dashes = SCHEME_LOOKS[name]
        colour = style.COLOURS[colour]
        axes.plot(
            constants, at.failures, dashes, marker=marker, color=colour, label=name
        )
        axes.fill_between(constants, *at.limits.T, color=colour, alpha=0.2, linewidth=0)
    axes.axhline(delta, color="black", linestyle=":", linewidth=1.2)
    axes.set_xscale("log", base=2)
    axes.set_xticks(constants, [f"{c:g}" for c in constants])
    axes.minorticks_off()
    axes.set(xlabel="constant in place of 16", ylim=(-0.03, 1.03))


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
