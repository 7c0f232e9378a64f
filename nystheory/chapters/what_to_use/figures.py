"""How the figure of the chapter is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nystheory import style


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
    """
    figure, (axes,) = style.panels(1, height=3.6)
    columns = np.arange(1, len(pivots) + 1)
    axes.plot(columns, 100 * pivots, label="random pivots", color=style.COLOURS["blue"])
    dots = axes.plot(counts, 100 * uniform.T, "o", color=style.COLOURS["orange"])
    dots[0].set_label("uniform columns, each draw")
    axes.plot(
        list(promised),
        [100 * share for share in promised.values()],
        "--D",
        color=style.COLOURS["vermilion"],
        label="promised beforehand for random pivots, on average",
    )
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="columns",
        ylabel="missed, % of the trace",
    )
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter("")
    axes.set_yticks([2, 5, 10, 20, 50])
    axes.legend()
    return figure
