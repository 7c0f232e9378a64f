"""How the experiments of the chapter are drawn and told, data set by data set."""

from __future__ import annotations

import numpy as np
from matplotlib.patches import Rectangle

from nystheory import style
from nystheory.chapters.which_random_features import findings
from nystheory.engine.findings import Field, Series
from nystheory.engine.findings.fields import plot

SETS = Field("sets", "")
# On logarithmic axes that show some decades, and on those that show less than one.
TICKS = (0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100)
NEAR_ONE = (0.7, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.2, 1.3)

_LOOKS = {
    "pairs": ("blue", "o", ""),
    "phases": ("sky", "v", ""),
    "orthogonal": ("green", "s", ""),
    "quasi": ("purple", "D", ""),
    "binning": ("vermilion", "^", ""),
    "uniform": ("grey", "X", ""),
    "pivots": ("grey", "P", ""),
    "many": ("blue", "o", ""),
    "work": ("orange", "s", ""),
    "memory": ("purple", "D", ""),
    "fourfold": ("vermilion", "^", ""),
}


def means(found, field: Field) -> dict[str, Series]:
    """The means over draws on the data of the page, by competitor.

    Parameters
    ----------
    found : Found
    field : Field
    """
    competitors = found.experiment.competitors.items()
    return {
        name: Series(field, [_mean(found, field, name, data) for data in shown], label)
        for shown in [found.experiment.shown]
        for name, label in ((name, each.label) for name, each in competitors)
    }


def over(found, base: str) -> dict[str, Series]:
    """What others miss, over what one competitor misses; means over draws.

    Parameters
    ----------
    found : Found
    base : str
        The competitor.
    """
    missed = means(found, findings.MISSED)
    one = missed.pop(base)
    field = Field("quotient", "variance missed", f"over that of {one.of}")
    return {
        name: Series(field, np.divide(each.values, one.values), each.of)
        for name, each in missed.items()
    }


def tally(result) -> str:
    """On how many data sets a finding held, failed, or is open.

    Parameters
    ----------
    result : FindingResult
    """
    outcomes = [part.outcome for part in result.parts.values()]
    told = [f"held on {outcomes.count('held')} of {len(outcomes)} data sets"]
    words = {"failed": "failed on", "open": "is open on"}
    told += [f"{x} {outcomes.count(k)}" for k, x in words.items() if k in outcomes]
    return ", ".join(told[:-1]) + " and " * bool(told[1:]) + told[-1]


def _mean(found, field, name, data):
    return float(found.measured(field.name, name, data).mean())


def plot_kinds(found):
    """The error of the kernel matrix, and what is missed, over pairs.

    Parameters
    ----------
    found : Found
        Of `findings.KINDS` or `findings.BINNING`.
    """
    figure, panels = style.panels(2, height=3.6)
    _draw(panels[0], means(found, findings.ERROR), found)
    _draw(panels[1], over(found, "pairs"), found)
    panels[1].axvline(1, color="black", linewidth=1, linestyle=":")
    panels[1].tick_params(labelleft=False)
    _legend_below(figure, panels[0], 4)
    return figure


def plot_budgets(found):
    """What is missed for the same number, work and memory, over uniform columns.

    Parameters
    ----------
    found : Found
        Of `findings.BUDGETS`.
    """
    figure, (axes,) = style.panels(1, height=4.2)
    _draw(axes, over(found, "uniform"), found)
    axes.axvline(1, color="black", linewidth=1, linestyle=":")
    _legend_below(figure, axes, 3)
    return figure


def _draw(axes, drawn, found):
    names = list(found.experiment.shown)
    rows = np.arange(len(names))
    for place, (name, each) in enumerate(drawn.items()):
        # Beside each other, so that none hides another.
        shifted = rows + 0.12 * (place - (len(drawn) - 1) / 2)
        plot(axes, each, Series(SETS, shifted, each.of), _LOOKS[name])
    axes.set(xscale="log")
    axes.set_yticks(rows, names)
    axes.invert_yaxis()
    low, high = axes.get_xlim()
    ticks = NEAR_ONE if high < 1.5 * low else TICKS
    some = [x for x in ticks if low <= x <= high]
    axes.set_xticks(some, [f"{x:g}" for x in some])
    axes.xaxis.set_minor_formatter("")


def _legend_below(figure, axes, columns):
    handles = axes.get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=columns, fontsize=8.5)


def draw_grid(axes, X, pitch, shift) -> None:
    """Draw the bins of points in the plane, and shade that of the first point.

    Parameters
    ----------
    axes : matplotlib Axes
    X : ndarray (n, 2)
    pitch, shift : ndarray (2,)
        Of the grid: the sides of a bin, and where one of them begins.

    Examples
    --------
    >>> _, (axes,) = style.panels(1)
    >>> draw_grid(axes, np.array([[0.2, 0.1], [0.4, 1.0]]), np.ones(2), np.zeros(2))
    >>> len(axes.patches)
    1
    """
    low, high = X.min(axis=0) - 0.1, X.max(axis=0) + 0.1
    for axis, line in enumerate((axes.axvline, axes.axhline)):
        first = np.floor((low[axis] - shift[axis]) / pitch[axis])
        last = np.ceil((high[axis] - shift[axis]) / pitch[axis])
        for edge in shift[axis] + pitch[axis] * np.arange(first, last + 1):
            line(edge, color=style.COLOURS["grey"], linewidth=1)
    corner = shift + pitch * np.floor((X[0] - shift) / pitch)
    sky = style.COLOURS["sky"]
    axes.add_patch(Rectangle(corner, *pitch, facecolor=sky, alpha=0.4, linewidth=0))
    axes.plot(*X[1:].T, "o", color="black", markersize=5)
    axes.plot(*X[0], "^", color="black", markersize=8)
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    axes.set(xticks=[], yticks=[])
