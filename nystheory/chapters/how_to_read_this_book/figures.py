"""Demonstrations beside a search."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory import style
from nystheory.engine.trial.compare import Comparison


def plot_ratios(demos: Sequence[Comparison], searched: np.ndarray):
    """Left over right side of a claim: what demonstrations show, and a search.

    Parameters
    ----------
    demos : sequence of Comparison
    searched : ndarray
        Ratios that a search met.

    Returns
    -------
    BookFigure

    Examples
    --------
    >>> figure = plot_ratios([], np.array([0.5, 1.1]))
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['search', 'demonstrations']
    """
    ratios = [each.ratio for each in demos if each.decided and np.isfinite(each.ratio)]
    figure, (axes,) = style.panels(1)
    edges = np.linspace(0, 1.05 * max(1.1, searched.max()), 47)
    axes.hist(searched, edges, color=style.COLOURS["orange"], label="search")
    axes.hist(ratios, edges, color=style.COLOURS["blue"], label="demonstrations")
    axes.axvline(1, color="black")
    axes.set(xlabel="left side / right side", ylabel="cases", yscale="log")
    axes.legend()
    return figure
