"""Picked points, accuracy against entries, expected errors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from nystheory import style
from nystheory.chapters.adaptive_sampling.expected_errors import Expected
from nystheory.chapters.adaptive_sampling.pictured import Pick
from nystheory.chapters.adaptive_sampling.schemes import ALL, Comparison

# Colour and marker of each scheme.
STYLES = {
    "uniform": ("black", "o"),
    "incomplete_cholesky": ("green", "s"),
    "sgma": ("orange", "D"),
    "adaptive_partial": ("vermilion", "^"),
    "kmeans": ("purple", "P"),
    "adaptive_full": ("blue", "v"),
    "farthest_point": ("sky", "X"),
    "leverage": ("grey", "<"),
    "recursive_rls": ("grey", "p"),
    "bless": ("grey", "h"),
    "k_dpp": ("sky", ">"),
    "rp_cholesky": ("vermilion", "*"),
}

_CURVES = {
    "best rank $k$": ("black", "-"),
    "RPCholesky, limit": ("vermilion", "--"),
    "$k$-DPP, exact": ("blue", "-"),
    "DPP, exact": ("sky", ":"),
}
_RUNS = {
    "uniform": ("black", "x"),
    "RPCholesky": ("vermilion", "*"),
    "$k$-DPP": ("blue", "o"),
}


def draw_picks(X: np.ndarray, picks: Sequence[Pick], *, columns: int = 3) -> Figure:
    """Small multiples: all points, and on them the landmarks of one scheme each.

    Parameters
    ----------
    X : ndarray (n, 2)
    picks : sequence of Pick
    columns : int
        Panels in a row.

    Returns
    -------
    BookFigure
        With the same axes in all panels; titles give the share of the trace missed.

    Examples
    --------
    >>> X = np.arange(6.0).reshape(3, 2)
    >>> len(draw_picks(X, [Pick("Uniform", X[:1], 0.5)]).axes)
    1
    """
    rows = -(-len(picks) // columns)
    with style.figures():
        figure = style.BookFigure(figsize=(7.6, 2.45 * rows))
        grid = figure.subplots(rows, min(columns, len(picks)), sharex=True, sharey=True)
    panels = np.atleast_1d(grid).ravel()
    for axes, pick in zip(panels, picks, strict=True):
        axes.scatter(*X.T, s=5, color=style.COLOURS["grey"], alpha=0.35, linewidth=0)
        axes.scatter(
            *pick.places.T,
            s=34,
            color=style.COLOURS["orange"],
            edgecolor="black",
            linewidth=0.7,
        )
        axes.set_title(f"{pick.name}: {100 * pick.missed:.0f} %", fontsize=10)
        axes.set_aspect("equal")
    for axes in panels[-columns:]:
        axes.set_xlabel("$x_1$")
    for axes in panels[::columns]:
        axes.set_ylabel("$x_2$")
    return figure


def draw_entries(axes, found: Comparison, n: int, names: Sequence[str]) -> None:
    """Draw accuracy against the entries of K asked for, in multiples of n^2.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets a logarithmic horizontal axis, and a line at n^2.
    found : Comparison
    n : int
    names : sequence of str
        Schemes, as in ``scheme_comparison.ALL``.

    Examples
    --------
    >>> from nystheory import datasets, kernels
    >>> from nystheory.chapters.adaptive_sampling.schemes import (
    ...     compare,
    ... )
    >>> K = kernels.rbf(datasets.digits(40).X)
    >>> figure, (axes,) = style.panels(1)
    >>> found = compare(K, 2, [4, 8], runs=2, schemes=["uniform"])
    >>> draw_entries(axes, found, 40, ["uniform"])
    """
    for name in names:
        colour, marker = STYLES[name]
        axes.plot(
            found.entries[name].mean(axis=1) / n**2,
            found.accuracy[name].mean(axis=1),
            marker=marker,
            color=style.COLOURS.get(colour, colour),
            label=ALL[name],
            linewidth=1.2,
        )
    axes.axvline(1, color="black", linewidth=1, linestyle=":")
    axes.set(xscale="log", xlabel="entries of $K$ asked for, over $n^2$")
    axes.set_xticks([0.05, 0.2, 1, 10], ["0.05", "0.2", "1", "10"])
    axes.minorticks_off()


def draw_expected(axes, found: Expected) -> None:
    """Draw computed trace errors as lines and measured means as marks with limits.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    found : Expected

    Examples
    --------
    >>> from nystheory.engine.statistics import mean_interval
    >>> figure, (axes,) = style.panels(1)
    >>> one = {"uniform": [mean_interval([0.4, 0.5])]}
    >>> draw_expected(axes, Expected(np.array([2]), {"best rank $k$": [0.3]}, one))
    """
    for name, curve in found.computed.items():
        colour, dashes = _CURVES[name]
        colour = style.COLOURS.get(colour, colour)
        axes.plot(found.counts, curve, dashes, color=colour, label=name, linewidth=1.4)
    for name, intervals in found.measured.items():
        colour, marker = _RUNS[name]
        colour = style.COLOURS.get(colour, colour)
        mean = [i.estimate for i in intervals]
        reach = [i.high - i.estimate for i in intervals]
        axes.errorbar(
            found.counts,
            mean,
            reach,
            fmt=marker,
            color=colour,
            markersize=6,
            linewidth=1,
            label=f"{name}, runs",
        )
    axes.loglog()
    axes.set_xticks(found.counts, found.counts)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=20))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.minorticks_off()
    axes.set(xlabel="landmarks $l$", ylabel="trace error, share of the trace")
