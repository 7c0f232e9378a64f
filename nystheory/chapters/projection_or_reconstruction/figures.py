"""A row rebuilt, differences of accuracy, columns needed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory import style
from nystheory.chapters.projection_or_reconstruction import findings, measured
from nystheory.chapters.projection_or_reconstruction.experiments import MEASURES, OneRow
from nystheory.engine.findings import Field, Series
from nystheory.engine.findings.experiments import STYLES
from nystheory.engine.findings.fields import plot
from nystheory.engine.findings.found import LEVEL
from nystheory.engine.trial.statistics import Interval, mean_interval

EXACT_LOOKS = {
    "uniform": ("blue", "o", ""),
    "dark": ("orange", "", "--"),
    "line": ("grey", "", "-"),
}
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


def ahead(found, field: Field, first: str, second: str, data: str) -> list[Interval]:
    """The mean lead of one method over another at each setting, with limits.

    Parameters
    ----------
    found : Found
    field : Field
        What is compared.
    first, second : str
        Competitors.
    data : str

    Returns
    -------
    list of Interval
        Each limit alone is wrong with probability `found.LEVEL`.
    """
    one, other = (found.measured(field.name, x, data) for x in (first, second))
    return [mean_interval(column, LEVEL) for column in (one - other).T]


def draw_leads(
    axes, found, field: Field, pair: tuple[str, str], lead: Field, data: Sequence[str]
) -> None:
    """Draw the mean lead of one method over another, one line for each matrix.

    Parameters
    ----------
    axes : matplotlib Axes
    found : Found
    field : Field
        What is compared.
    pair : (str, str)
        Competitors, the second is subtracted.
    lead : Field
        What the difference is called.
    data : sequence of str
    """
    leads = {name: ahead(found, field, *pair, name) for name in data}
    _draw(axes, found, lead, leads)
    axes.axhline(0, color="black", linewidth=1)


def draw_means(axes, found, field: Field, competitor: str, data: Sequence[str]) -> None:
    """Draw the means of a field with limits, one line for each matrix.

    Parameters
    ----------
    axes : matplotlib Axes
    found : Found
    field : Field
    competitor : str
    data : sequence of str
    """
    columns = {name: found.measured(field.name, competitor, name).T for name in data}
    means = {
        name: [mean_interval(x, LEVEL) for x in row] for name, row in columns.items()
    }
    _draw(axes, found, field, means)


def _draw(axes, found, field, means):
    """Means, and the band between their limits, for each matrix."""
    settings = Series(found.experiment.along, found.experiment.settings)
    for name, intervals in means.items():
        colour, marker = STYLES[name]
        middle = Series(field, [i.estimate for i in intervals], name)
        plot(axes, settings, middle, (colour, marker, "-"))
        low, high = ([getattr(i, end) for i in intervals] for end in ("low", "high"))
        shade = {"color": style.COLOURS[colour], "alpha": 0.2, "linewidth": 0}
        axes.fill_between(settings.values, low, high, **shade)


def draw_needed(axes, found, data: Sequence[str]) -> None:
    """Draw the percentage of columns needed against n, and the least possible one.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    found : Found
        Of `findings.SIZES`.
    data : sequence of str
    """
    draw_means(axes, found, findings.SHARE, "nystrom", data)
    sizes = np.array(found.experiment.settings)
    line = {"color": "black", "label": "_$l = k$"}
    axes.plot(sizes, 100 * measured.FIXED / sizes, ":", **line)
    axes.loglog()
    axes.minorticks_off()
    ticks = (5, 10, 20, 50, 100)
    axes.set_xticks(sizes, sizes)
    axes.set_yticks(ticks, ticks)


def draw_exact(axes, found, data: str) -> None:
    """Draw how often samples determine a matrix, and what explains it.

    Parameters
    ----------
    axes : matplotlib Axes
    found : Found
        Of `findings.RECOVERY`.
    data : str
    """
    of = found.experiment
    settings = Series(of.along, of.settings)
    for name, look in EXACT_LOOKS.items():
        means = found.measured("exact", name, data).mean(axis=0)
        shown = Series(findings.EXACT, means, of.competitors[name].label)
        plot(axes, settings, shown, look)
