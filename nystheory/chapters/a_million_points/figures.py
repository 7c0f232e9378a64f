"""A million pictures, the line of cost, and what landmarks miss."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory import style
from nystheory.chapters.a_million_points import costs, pipeline
from nystheory.chapters.a_million_points.findings import AWAY, BOUND, COUNT, ERROR
from nystheory.engine.findings import Field, Series
from nystheory.engine.findings.fields import plot
from nystheory.engine.report.curves import count_axis, curve

LOOKS = {
    "render": ("sky", "v", ":"),
    "neighbours": ("vermilion", "^", "-"),
    "graph": ("grey", "D", ":"),
    "geodesics": ("blue", "o", "-"),
    "coordinates": ("green", "s", "-."),
}
TICKS = (1, 2, 5, 10, 20, 50, 100)
# Errors and bounds on one axis.
SIZE = Field("size", "coordinates off", "% of their size")


def draw_places(figure, axes, found: pipeline.Run) -> None:
    """Draw some points of a run on two coordinates, coloured by the head's turn.

    Parameters
    ----------
    figure : matplotlib Figure
        Gets a bar of colours.
    axes : matplotlib Axes
    found : Run

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_places(figure, axes, pipeline.stored(10_000))
    """
    x, y, turned = np.array(found.shown).T
    look = {"c": turned, "cmap": style.COLOUR_MAP, "s": 7, "linewidths": 0}
    # Without the ends of the map, which one of the grounds would swallow.
    points = axes.scatter(x, y, vmin=-150, vmax=110, **look)
    bar = figure.colorbar(points, ax=axes, ticks=[-80, -40, 0, 40, 80])
    bar.ax.set_ylim(-90, 90)
    bar.set_label("turned to the side, degrees")
    axes.set(xlabel="coordinate 1", ylabel="coordinate 2", aspect="equal")


def draw_costs(left, right, runs: Sequence[pipeline.Run]) -> None:
    """Draw seconds and memory against the number of points.

    Parameters
    ----------
    left, right : matplotlib Axes
        Get logarithmic scales.
    runs : sequence of Run
        By size.

    Examples
    --------
    >>> figure, (left, right) = style.panels(2)
    >>> draw_costs(left, right, [pipeline.stored(10**4), pipeline.stored(10**5)])
    """
    sizes = [run.n for run in runs]
    for name, look in LOOKS.items():
        curve(left, sizes, [run.of(name).seconds for run in runs], look, name)
    left.plot(sizes, [run.seconds for run in runs], color="black", label="all")
    right.plot(sizes, [run.memory for run in runs], color="black", label="peak")
    kept = [costs.words(run.n, run.n_landmarks) for run in runs]
    for name, look in (("geodesics", LOOKS["geodesics"]), ("points", LOOKS["render"])):
        curve(right, sizes, [each[name] for each in kept], look, f"{name}, formula")
    whole = [each["all geodesics"] for each in kept]
    curve(right, sizes, whole, ("orange", "", "--"), "all geodesics, formula")
    for axes in (left, right):
        axes.set(xscale="log", yscale="log", xlabel="points $n$")
    left.set_ylabel("seconds")
    right.set_ylabel("GB")
    left.set_ylim(bottom=1e-4)  # room for the legend
    left.legend(fontsize=8.5, ncols=2, loc="lower right")
    right.legend(fontsize=8.5)


def draw_certified(axes, found, data: str) -> None:
    """Draw the error of Landmark MDS and its bound against the number of landmarks.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    found : Found
        Of `findings.CERTIFIED`.
    data : str
    """
    looks = (BOUND, ("vermilion", "", "--")), (ERROR, ("blue", "o", "-"))
    for field, look in looks:
        mean = found.measured(field.name, "all", data).mean(axis=0)
        plot(axes, _counts(found), Series(SIZE, mean, field.label), look)
    _scaled(axes, found)


def draw_landmarks(axes, found, data: str) -> None:
    """Draw how far coordinates are from exact Isomap, means and ranges of the draws.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    found : Found
        Of `findings.ENOUGH`.
    data : str
    """
    looks = {"two": ("blue", "o", "-"), "ten": ("green", "s", "-.")}
    for name, look in looks.items():
        each = found.measured(AWAY.name, name, data)
        label = found.experiment.competitors[name].label
        plot(axes, _counts(found), Series(AWAY, each.mean(axis=0), label), look)
        low, high, colour = each.min(axis=0), each.max(axis=0), style.COLOURS[look[0]]
        axes.fill_between(found.experiment.settings, low, high, color=colour, alpha=0.2)
    _scaled(axes, found)


def _counts(found):
    return Series(COUNT, found.experiment.settings)


def _scaled(axes, found):
    axes.set(xscale="log", yscale="log")
    counts = found.experiment.settings
    axes.set_xticks(counts, [str(x) for x in counts])
    axes.set_yticks(TICKS, [str(x) for x in TICKS])
    axes.minorticks_off()
    axes.legend(fontsize=8.5)


def draw_held_out(axes, runs: Sequence[pipeline.Run]) -> None:
    """Draw how far distances between coordinates are from geodesics held out.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets a logarithmic scale.
    runs : sequence of Run

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_held_out(axes, [pipeline.stored(10_000)])
    """
    looks = ("sky", "v", ":"), ("green", "s", "-."), ("blue", "o", "-")
    for run, look in zip(runs, looks, strict=False):
        places, off = zip(*run.held_out.items(), strict=True)
        curve(axes, places, np.array(off), look, f"{run.n} points")
    axes.set(xscale="log", ylabel="share of the geodesics")
    axes.set_ylim(bottom=0)
    count_axis(axes, places, "coordinates $k$")
    axes.legend(fontsize=8.5)
