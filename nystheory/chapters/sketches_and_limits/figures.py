"""Promises, groups, steps of a spectrum."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory.chapters.sketches_and_limits import groups, promises_kept
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


def draw_groups(axes, grouped: groups.Groups) -> None:
    """Draw what columns can do where points come in groups.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    grouped : Groups

    Examples
    --------
    >>> from nystheory import style
    >>> figure, (axes,) = style.panels(1)
    >>> draw_groups(axes, groups.groups(12, 2, 0.9, [2, 4], draws=2))
    """
    counts = grouped.counts
    curve(axes, counts, grouped.sketch, ("purple", "s", "-."), "Gaussian sketch")
    curve(axes, counts, grouped.pivoted, ("green", "D", "-"), "RPCholesky")
    curve(axes, counts, grouped.uniform, ("orange", "^", ":"), "uniform columns")
    curve(axes, counts, grouped.limit, ("blue", "", "--"), "no columns do better")
    axes.axhline(1, color="black", linewidth=1, linestyle=":", label="best rank 3")
    axes.set(xscale="log", yscale="log")
    axes.set_ylabel(r"$\|E\|_2 / \lambda_{k+1}$")
    count_axis(axes, counts, "columns or test vectors $l$")
    axes.set_yticks([1, 2, 5, 10, 20, 50], [1, 2, 5, 10, 20, 50])
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
