"""Risks, condition numbers and iterations, and a table of rules."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory import style
from nystheory.chapters.ridge_and_preconditioning.findings import (
    BOUND,
    BY_NORM,
    BY_TRACE,
    CONDITION,
    RISK,
    STEPS,
)
from nystheory.engine.findings import Field
from nystheory.engine.report.curves import count_axis, curve

OF_RISKS = (
    (BY_TRACE, "uniform", ("green", "", "-.")),
    (BY_NORM, "uniform", ("vermilion", "", "--")),
    (RISK, "uniform", ("grey", "o", "-")),
    (RISK, "scores", ("blue", "s", "-")),
)
OF_SOLVES = {
    "uniform": ("grey", "o", "-"),
    "pivots": ("blue", "s", "-"),
    "sketch": ("orange", "^", ":"),
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
    values = found.measured(field.name, competitor, data).mean(axis=0)
    return np.broadcast_to(values, len(found.experiment.settings))


def _along(found, axes, data):
    """The axis of the settings, and the title."""
    of = found.experiment
    axes.set(xscale="log", yscale="log", title=data)
    count_axis(axes, of.settings, of.along.axis)


def plot_risks(found) -> style.BookFigure:
    """Ratios of two risks and their bounds, a panel for each data set of the page.

    Parameters
    ----------
    found : Found
        Of `findings.RISKS`.

    Returns
    -------
    BookFigure
    """
    of = found.experiment
    figure, panels = style.panels(len(of.shown), height=3.8)
    for axes, data in zip(panels, of.shown, strict=True):
        for field, name, look in OF_RISKS:
            label = f"{field.label}, {of.competitors[name].label}"
            values = means(found, field, name, data)
            curve(axes, of.settings, values, look, label)
        _along(found, axes, data)
    panels[0].set_ylabel(RISK.axis)
    labels = panels[0].get_legend_handles_labels()
    figure.legend(*labels, fontsize=8, loc="outside lower center", ncol=2)
    return figure


def plot_solves(found, data: str) -> style.BookFigure:
    """Condition numbers on the left and iterations on the right.

    Parameters
    ----------
    found : Found
        Of `findings.SOLVES`.
    data : str

    Returns
    -------
    BookFigure
    """
    of = found.experiment
    figure, panels = style.panels(2, height=3.8)
    for axes, field in zip(panels, (CONDITION, STEPS), strict=True):
        plain = means(found, field, "none", data)[0]
        axes.axhline(
            plain, color="black", linewidth=1, label=of.competitors["none"].label
        )
        for name, look in OF_SOLVES.items():
            values = means(found, field, name, data)
            curve(axes, of.settings, values, look, of.competitors[name].label)
        _along(found, axes, data)
        axes.set_ylabel(field.axis)
    label = f"{BOUND.label}, {of.competitors['pivots'].label}"
    values = means(found, BOUND, "pivots", data)
    curve(panels[0], of.settings, values, ("vermilion", "", "--"), label)
    panels[1].set_yticks([2, 5, 10, 20, 50], [2, 5, 10, 20, 50])
    labels = panels[0].get_legend_handles_labels()
    figure.legend(*labels, fontsize=8, loc="outside lower center", ncol=3)
    return figure


def table_of_rules(found, fields: Sequence[Field]) -> style.Table:
    """What each rule takes and loses, on the data of the page.

    Parameters
    ----------
    found : Found
        Of `findings.RULES`.
    fields : sequence of Field

    Returns
    -------
    Table
        A line for each rule; for each data set and field the mean over the draws, and
        the smallest and the largest draw.
    """
    of = found.experiment
    header = [f"{data}: {each.axis}" for data in of.shown for each in fields]
    rows = [
        (
            each.label,
            *(
                _told(found.measured(field.name, name, data))
                for data in of.shown
                for field in fields
            ),
        )
        for name, each in of.competitors.items()
    ]
    return style.Table(("pivots taken", *header), rows)


def _told(values):
    low, high = values.min(), values.max()
    return f"{values.mean():.0f} ({low:.0f} to {high:.0f})".replace("-0", "0")
