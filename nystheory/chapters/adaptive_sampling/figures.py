"""Accuracies of the schemes: against the entries that they ask for, and as a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory import style
from nystheory.chapters.adaptive_sampling.findings import ACCURACY, ENTRIES
from nystheory.engine.findings import Field, Series
from nystheory.engine.findings.fields import plot
from nystheory.engine.findings.schemes import STYLES

LOOKS = STYLES | {"uniform": ("grey", "o")}


def means(found, field: Field, scheme: str, data: str) -> np.ndarray:
    """Means over the draws, one for each percentage of the columns.

    Parameters
    ----------
    found : Found
        Of `findings.SIX`.
    field : Field
    scheme, data : str

    Returns
    -------
    ndarray (percentages,)
    """
    return found.measured(field.name, scheme, data).mean(axis=0)


def series(found, field: Field, scheme: str, data: str) -> Series:
    """The same as a figure draws them."""
    label = found.experiment.competitors[scheme].label
    return Series(field, means(found, field, scheme, data), label)


def plot_entries(found, data: Sequence[str]) -> style.BookFigure:
    """Accuracy against the entries of K asked for, a panel for each data set.

    Parameters
    ----------
    found : Found
        Of `findings.SIX`.
    data : sequence of str, length 2

    Returns
    -------
    BookFigure
    """
    figure, panels = style.panels(len(data), height=4.2)
    for axes, name in zip(panels, data, strict=True):
        for scheme in found.experiment.competitors:
            x, y = (series(found, f, scheme, name) for f in (ENTRIES, ACCURACY))
            plot(axes, x, y, (*LOOKS[scheme], "-"))
        look = {"color": "black", "linewidth": 1, "linestyle": ":"}
        axes.axvline(1, **look, label="_all of $K$")
        axes.set(xscale="log", title=name, ylim=(25, 95))
        axes.set_xticks([0.05, 0.2, 1, 10], ["0.05", "0.2", "1", "10"])
        axes.minorticks_off()
    panels[-1].set_ylabel("")
    labels = panels[0].get_legend_handles_labels()
    figure.legend(*labels, fontsize=8, loc="outside lower center", ncol=3)
    return figure


def accuracy_table(found, field: Field) -> style.Table:
    """Mean accuracy in percent of every scheme, as in Table 4.2.

    Parameters
    ----------
    found : Found
        Of `findings.SIX`.
    field : Field

    Returns
    -------
    Table
        One line for each scheme, one column for each matrix of the page; in a cell
        the means for the percentages of columns, and the largest standard deviation.
    """
    of = found.experiment
    rows = [
        (each.label, *(_cell(found.measured(field.name, name, x)) for x in of.shown))
        for name, each in of.competitors.items()
    ]
    return style.Table(("scheme", *of.shown), rows)


def _cell(values):
    told = ", ".join(f"{mean:.0f}" for mean in values.mean(axis=0))
    return f"{told} ({values.std(axis=0, ddof=1).max():.0f})"
