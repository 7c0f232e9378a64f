"""Sizes of an error, inverses, functions, rounding."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory import style
from nystheory.chapters.certificates_afterwards.findings import (
    BY_NORM,
    BY_TRACE,
    ENTRY,
    FROBENIUS,
    OBSERVED,
    RIGHT,
    SPECTRAL,
    SQUARED,
    TRACE,
)
from nystheory.engine.findings import Field, Series
from nystheory.engine.findings.fields import plot
from nystheory.engine.report.curves import count_axis, curve

OF_SIZES = (
    (TRACE, ("blue", "o", "-")),
    (FROBENIUS, ("orange", "s", "--")),
    (SPECTRAL, ("green", "^", "-.")),
    (ENTRY, ("purple", "D", ":")),
)
OF_INVERSES = (
    (SQUARED, ("grey", "", ":")),
    (BY_TRACE, ("green", "", "-.")),
    (BY_NORM, ("vermilion", "", "--")),
    (OBSERVED, ("blue", "o", "")),
)
OF_WAYS = {
    "formed": ("vermilion", "^", "--"),
    "solved": ("orange", "s", "-."),
    "shifted": ("green", "D", ":"),
    "package": ("blue", "o", "-"),
}


def means(found, field: Field, competitor: str, data: str) -> np.ndarray:
    """Means over the draws, one for each setting.

    Parameters
    ----------
    found : Found
    field : Field
    competitor, data : str

    Returns
    -------
    ndarray (settings,)
    """
    return found.measured(field.name, competitor, data).mean(axis=0)


def draw_sizes(axes, found, data: str) -> None:
    """Draw four sizes of the error with random pivots.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    found : Found
        Of `findings.SIZES`.
    data : str
    """
    of = found.experiment
    for field, look in OF_SIZES:
        values = means(found, field, "pivots", data)
        curve(axes, of.settings, values, look, field.label)
    axes.set(xscale="log", yscale="log", ylabel="size of the error / trace of $K$")
    count_axis(axes, of.settings, of.along.axis)
    axes.legend(fontsize=8.5, loc="center left", bbox_to_anchor=(1, 0.5))


def plot_inverses(found, data: Sequence[str]) -> style.BookFigure:
    """Errors of a regularised inverse against the ridge, a panel for each data set.

    Parameters
    ----------
    found : Found
        Of `findings.INVERSES`.
    data : sequence of str

    Returns
    -------
    BookFigure
    """
    of = found.experiment
    figure, panels = style.panels(len(data), height=3.6)
    for axes, name in zip(panels, data, strict=True):
        for field, look in OF_INVERSES:
            values = means(found, field, "uniform", name)
            curve(axes, of.settings, values, look, field.label)
        axes.set(xscale="log", yscale="log", ylim=(None, 30), title=name)
        axes.set_xlabel(of.along.axis)
    panels[0].set_ylabel(r"error $\times\ \alpha$")
    panels[0].legend(fontsize=8.5)
    return figure


def draw_rounding(axes, found, data: str) -> None:
    """Draw the correct digits of several computations of one approximation.

    Parameters
    ----------
    axes : matplotlib Axes
    found : Found
        Of `findings.ROUNDING`.
    data : str
    """
    of = found.experiment
    columns = Series(of.along, of.settings)
    for name, look in OF_WAYS.items():
        values = means(found, RIGHT, name, data)
        plot(axes, columns, Series(RIGHT, values, of.competitors[name].label), look)
    axes.legend(fontsize=8.5)


def table_of_functions(found, data: str) -> style.Table:
    """Shares of three functions, in percent, in the mean over the draws.

    Parameters
    ----------
    found : Found
        Of `findings.FUNCTIONS`.
    data : str

    Returns
    -------
    Table
        A line for each function, a column for each share of eigenvalues kept.
    """
    of = found.experiment
    header = [f"{kept} % kept" for kept in of.settings]
    rows = [
        (each.axis, *(f"{x:.0f}" for x in means(found, each, "pivots", data)))
        for each in of.fields
    ]
    return style.Table(("with random pivots", *header), rows)
