"""The race, condition numbers, and a Gaussian process on a line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory import style
from nystheory.chapters.solving_with_few_columns import experiments
from nystheory.chapters.solving_with_few_columns.race import (
    FULL,
    SAME_MEMORY,
    SAME_WORK,
    Race,
)
from nystheory.engine.report.curves import count_axis, curve

LOOKS = {SAME_MEMORY: ("blue", "o", -0.12), SAME_WORK: ("vermilion", "s", 0.12)}


def draw_race(axes, found: Race, tasks: Sequence[str]) -> None:
    """Draw by how many percent inducing points lose, with intervals.

    Parameters
    ----------
    axes : matplotlib Axes
    found : Race
    tasks : sequence of str

    Examples
    --------
    >>> from nystheory.chapters.solving_with_few_columns import race
    >>> figure, (axes,) = style.panels(1)
    >>> draw_race(axes, race.race(100, [0, 1], ["surface"]), ["surface"])
    """
    for method, (colour, marker, lift) in LOOKS.items():
        lost = [found.lost(task, method) for task in tasks]
        means = np.array([1 + each.estimate for each in lost])
        low, high = (np.array([1 + getattr(e, side) for e in lost]) for side in ENDS)
        axes.errorbar(
            means,
            np.arange(len(tasks)) + lift,
            xerr=[means - low, high - means],
            fmt=marker,
            color=style.COLOURS[colour],
            capsize=3,
            label=method,
        )
    axes.axvline(1, color="black", linewidth=1, linestyle=":", label=FULL)
    axes.set(xscale="log", xlabel="test error / test error with all points")
    axes.minorticks_off()
    axes.set_xticks([1, 1.25, 1.5, 2, 3, 5], [1, 1.25, 1.5, 2, 3, 5])
    axes.set_yticks(range(len(tasks)), tasks)
    axes.set_ylim(len(tasks) - 0.5, -0.5)
    axes.legend(fontsize=8.5)


ENDS = ("low", "high")


def draw_solves(left, right, solved: experiments.Solves) -> None:
    """Draw condition numbers with their bounds, and iterations.

    Parameters
    ----------
    left, right : matplotlib Axes
        Get logarithmic scales.
    solved : Solves

    Examples
    --------
    >>> from nystheory.engine.findings.experiments import digits_kernel
    >>> figure, (left, right) = style.panels(2)
    >>> K = digits_kernel(40, 0.02)
    >>> draw_solves(left, right, experiments.solves(K, 0.01, [5, 20]))
    """
    counts = solved.counts
    for values, look, label in (
        (solved.promised, ("green", "", ":"), "mean, promised"),
        (solved.by_trace, ("vermilion", "", "--"), "bound from the trace"),
        (solved.by_norm, ("orange", "", "-."), "bound from the norm"),
        (solved.condition, ("blue", "o", "-"), "condition number"),
    ):
        curve(left, counts, values, look, label)
    curve(right, counts, solved.iterations, ("blue", "o", "-"), "iterations")
    for axes, plain in zip((left, right), solved.plain, strict=True):
        axes.axhline(plain, color="black", linewidth=1, label="no preconditioner")
        axes.set(xscale="log", yscale="log")
        count_axis(axes, counts, "pivots $l$")
        axes.legend(fontsize=8)
    left.set_ylim(top=600 * solved.plain[0])  # room for the legend
    right.set_yticks([5, 10, 20, 50, 100], [5, 10, 20, 50, 100])


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
