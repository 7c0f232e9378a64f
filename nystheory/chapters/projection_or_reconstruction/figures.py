"""A row rebuilt, differences of accuracy, columns needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nystheory import style
from nystheory.chapters.projection_or_reconstruction.experiments import MEASURES, OneRow
from nystheory.engine.findings.experiments import STYLES
from nystheory.engine.trial.statistics import Interval

METHOD_STYLES = {
    "Nyström": ("blue", "--"),
    "Column-sampling": ("vermilion", "-."),
}


def draw_row(axes, seen: OneRow, measure: str) -> None:
    """Draw the row of K and the two rows that were rebuilt under one measure.

    Parameters
    ----------
    axes : matplotlib Axes
    seen : OneRow
    measure : {"projection", "reconstruction"}

    Examples
    --------
    >>> from nystheory.chapters.projection_or_reconstruction.experiments import one_row
    >>> figure, (axes,) = style.panels(1)
    >>> draw_row(axes, one_row(), "projection")
    """
    axes.plot(seen.place, seen.row, color="black", label="row of $K$")
    for method in ("Nyström", "Column-sampling"):
        colour, dashes = METHOD_STYLES[method]
        row = seen.rebuilt[f"{method} {measure}"]
        axes.plot(seen.place, row, dashes, color=style.COLOURS[colour], label=method)
    at = seen.landmarks
    axes.plot(seen.place[at], seen.row[at], "o", color="black", label="landmarks")
    title = MEASURES[measure].replace("_", " ")
    axes.set(xlabel="place of the point", ylabel="entry of the row", title=title)


def draw(axes, settings: Sequence[float], means: Mapping[str, list[Interval]]) -> None:
    """Draw means and the band between their limits, one line for each kernel.

    Parameters
    ----------
    axes : matplotlib Axes
    settings : sequence of float, length m
        On the horizontal axis.
    means : mapping of str to list of Interval, length m

    Examples
    --------
    >>> from nystheory.engine.trial.statistics import mean_interval
    >>> figure, (axes,) = style.panels(1)
    >>> draw(axes, [1], {"digits, RBF": [mean_interval([0.0, 0.1])]})
    """
    for name, intervals in means.items():
        colour, marker = STYLES[name]
        colour = style.COLOURS[colour]
        low, mean, high = np.array([(i.low, i.estimate, i.high) for i in intervals]).T
        axes.plot(settings, mean, marker=marker, color=colour, label=name)
        axes.fill_between(settings, low, high, color=colour, alpha=0.2, linewidth=0)


def draw_needed(
    axes, sizes: Sequence[int], rank: int, percents: Mapping[str, list[Interval]]
) -> None:
    """Draw the percentage of columns needed against n, and the least possible one.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    sizes : sequence of int, length m
    rank : int
        At least this many columns are needed: the dotted line.
    percents : mapping of str to list of Interval, length m

    Examples
    --------
    >>> from nystheory.engine.trial.statistics import mean_interval
    >>> figure, (axes,) = style.panels(1)
    >>> percents = {"digits, RBF": [mean_interval([20.0, 30.0])]}
    >>> draw_needed(axes, [100], 10, percents)
    """
    draw(axes, sizes, percents)
    axes.plot(sizes, 100 * rank / np.asarray(sizes), ":", color="black")
    axes.loglog()
    axes.minorticks_off()
    ticks = (2, 5, 10, 20, 50, 100)
    axes.set_xticks(sizes, sizes)
    axes.set_yticks(ticks, ticks)
    axes.set(xlabel="points $n$", ylabel="columns needed (percent)")
