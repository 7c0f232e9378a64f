"""How the figure of the chapter is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nystheory import style
from nystheory.chapters.what_to_use.findings import COLUMNS, MISSED, PROMISE, SCHEMES
from nystheory.engine.findings.fields import Series, plot


def plot_missed(
    pivots: np.ndarray,
    counts: Sequence[int],
    uniform: np.ndarray,
    promised: Mapping[int, float],
):
    """Share of the trace that is missed against the number of columns.

    Parameters
    ----------
    pivots : ndarray (l,)
        For 1, ..., l random pivots.
    counts, uniform : sequence of int, ndarray (repeats, len(counts))
        For uniform columns.
    promised : mapping of int to float
        The promised mean for random pivots, by number of columns.

    Examples
    --------
    >>> figure = plot_missed(np.array([0.5, 0.2]), [1], np.array([[0.6]]), {2: 0.3})
    >>> figure.axes[0].get_ylabel()
    'share of the trace missed, %'
    """
    figure, (axes,) = style.panels(1, height=3.6)
    every = Series(COLUMNS, np.arange(1, len(pivots) + 1))
    shown = Series(MISSED, 100 * pivots, SCHEMES["pivots"].label)
    plot(axes, every, shown, ("blue", "", "-"))
    label = SCHEMES["uniform"].label
    for row in 100 * uniform:
        dots = Series(MISSED, row, label)
        plot(axes, Series(COLUMNS, counts), dots, ("orange", "o", ""))
        label = ""
    told = Series(MISSED, 100 * np.array([*promised.values()]), PROMISE.label)
    plot(axes, Series(COLUMNS, list(promised)), told, ("vermilion", "D", "--"))
    axes.set(xscale="log", yscale="log")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter("")
    axes.set_yticks([2, 5, 10, 20, 50])
    axes.legend()
    return figure
