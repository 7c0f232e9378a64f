"""Promises, groups of points, steps of a spectrum."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory.chapters.sketches_and_limits import promises_kept
from nystheory.chapters.sketches_and_limits.findings import COLUMNS, OVER, RATIO
from nystheory.engine.findings import Series
from nystheory.engine.findings.fields import plot
from nystheory.engine.report.curves import count_axis, curve

# Colour, marker and line of each promise.
PROMISES = {
    "uniform, coherence": ("grey", "", "--"),
    "leverage scores": ("vermilion", "^", "--"),
    "Gaussian sketch": ("purple", "s", "--"),
    "RPCholesky, limit": ("green", "D", "--"),
}


def draw_promises(axes, curves: promises_kept.Curves) -> None:
    """Draw what is promised and what is observed, in percent of the trace.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    curves : Curves

    Examples
    --------
    >>> from nystheory import style
    >>> K = promises_kept.three_matrices(40)["digits, RBF"]
    >>> figure, (axes,) = style.panels(1)
    >>> draw_promises(axes, promises_kept.over_columns(K, [5, 20]))
    """
    for name, look in PROMISES.items():
        curve(axes, curves.counts, 100 * curves.promised[name], look, name)
    observed = ("blue", "o", "-")
    label = "observed, and certified"
    curve(axes, curves.counts, 100 * curves.observed, observed, label)
    axes.errorbar(
        curves.counts,
        100 * curves.estimated,
        200 * curves.spread,
        fmt="x",
        color="black",
        zorder=3,
        label="leave one out",
    )
    axes.set(xscale="log", yscale="log", ylabel="trace error, % of tr K")
    count_axis(axes, curves.counts)
    axes.set_yticks([10, 20, 50, 100], [10, 20, 50, 100])


# Those of the competitors of the experiment on groups, in its order.
LOOKS = {
    "sketch": ("purple", "s", "-."),
    "pivots": ("green", "D", "-"),
    "uniform": ("orange", "^", ":"),
}


def group_series(found, data: str) -> dict[str, Series]:
    """Means over the draws of the median errors, and what no columns beat.

    Parameters
    ----------
    found : Found
        Of `findings.GROUPS`.
    data : str

    Returns
    -------
    dict of str to Series
        By competitor, and "limit".
    """
    of = found.experiment
    ratios = {
        name: found.measured(RATIO.name, name, data).mean(axis=0)
        for name in of.competitors
    }
    over = found.measured(OVER.name, "pivots", data).mean(axis=0)
    drawn = {
        name: Series(RATIO, values, of.competitors[name].label)
        for name, values in ratios.items()
    }
    limit = ratios["pivots"] / over
    return drawn | {"limit": Series(RATIO, limit, "no columns do better")}


def draw_groups(axes, found, data: str) -> None:
    """Draw what columns and sketches do where points come in groups.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    found : Found
        Of `findings.GROUPS`.
    data : str
    """
    counts = found.experiment.settings
    looks = LOOKS | {"limit": ("blue", "", "--")}
    for name, series in group_series(found, data).items():
        plot(axes, Series(COLUMNS, counts), series, looks[name])
    axes.axhline(1, color="black", linewidth=1, linestyle=":", label="best rank $k$")
    axes.set(xscale="log", yscale="log")
    axes.set_xticks(counts, [str(x) for x in counts])
    axes.set_yticks([1, 2, 5, 10, 20, 50], [1, 2, 5, 10, 20, 50])
    axes.minorticks_off()
    axes.legend(fontsize=8.5)


def draw_stairs(
    axes, counts: Sequence[int], exact: np.ndarray, limit: np.ndarray
) -> None:
    """Draw the mean error of volume-weighted samples over that of the best rank.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets a logarithmic vertical scale.
    counts : sequence of int, length m
    exact, limit : ndarray (m,)

    Examples
    --------
    >>> from nystheory import style
    >>> figure, (axes,) = style.panels(1)
    >>> draw_stairs(axes, [1, 2], np.ones(2), np.ones(2))
    """
    worst = np.asarray(counts) + 1.0
    curve(axes, counts, worst, ("grey", "", "--"), "worst case, $l + 1$")
    curve(axes, counts, limit, ("vermilion", "", "-."), "bound, best $k$")
    curve(axes, counts, exact, ("blue", "", "-"), "exact")
    axes.set(yscale="log", xlabel="columns $l$", ylabel="error / best of rank $l$")
    axes.set_yticks([1, 10, 100], [1, 10, 100])
    axes.legend(fontsize=8.5)
