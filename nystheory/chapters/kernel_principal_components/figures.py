"""Components, residuals and turned subspaces."""

from __future__ import annotations

import numpy as np

from nystheory import style
from nystheory.chapters.kernel_principal_components import experiments
from nystheory.engine.report.curves import count_axis, curve

LOOKS = ("blue", "o"), ("vermilion", "^"), ("green", "s")


def draw_picture(panels, found: experiments.Picture) -> None:
    """Draw points on two components, a panel for each number of columns.

    Parameters
    ----------
    panels : sequence of matplotlib Axes, length m
    found : Picture

    Examples
    --------
    >>> from nystheory import style
    >>> figure, panels = style.panels(2)
    >>> some = experiments.picture([0, 1], 40, 0.02, [5])
    >>> draw_picture(panels, some)
    """
    for axes, count, places in zip(panels, found.counts, found.places, strict=True):
        for digit, (colour, marker) in zip(
            np.unique(found.labels), LOOKS, strict=False
        ):
            x, y = places[found.labels == digit].T
            look = {"color": style.COLOURS[colour], "s": 9, "linewidths": 0}
            axes.scatter(x, y, marker=marker, label=str(digit), **look)
        whole = count == len(found.labels)
        axes.set_title("all of K" if whole else f"{count} columns", fontsize=10)
        axes.set(xlabel="component 1", xticks=[], yticks=[])
    panels[0].set_ylabel("component 2")
    panels[0].legend(fontsize=8, markerscale=1.6)


def draw_residuals(axes, found: experiments.Residuals) -> None:
    """Draw residuals against the number of columns.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets a logarithmic scale.
    found : Residuals

    Examples
    --------
    >>> from nystheory import kernels
    >>> some = experiments.residuals(kernels.linear(np.eye(6)), 2, [3, 6])
    >>> figure, (axes,) = style.panels()
    >>> draw_residuals(axes, some)
    """
    counts = found.counts
    curve(axes, counts, found.true, ("blue", "o", "-"), "of the points")
    axes.axhline(found.best, color="black", linewidth=1, label="of K")
    curve(axes, counts, found.own, ("green", "s", "-."), "of the approximation")
    axes.set(xscale="log", ylabel="residual")
    count_axis(axes, counts)
    axes.legend(fontsize=8.5)


def draw_turns(left, right, found: experiments.Turns) -> None:
    """Draw the gaps of the spectrum, and how far each leading subspace turns.

    Parameters
    ----------
    left, right : matplotlib Axes
        Get logarithmic scales.
    found : Turns

    Examples
    --------
    >>> from nystheory import kernels
    >>> K = kernels.linear(np.diag([4.0, 3.0, 2.0, 1.0]))
    >>> figure, (left, right) = style.panels(2)
    >>> draw_turns(left, right, experiments.turns(K, [0, 1, 2], 2))
    """
    places = np.arange(1, len(found.natural) + 1)
    gaps = found.values[:-1] - found.values[1:]
    left.bar(places, gaps, color=style.COLOURS["sky"], label="eigengap")
    curve(left, places, found.values[:-1], ("grey", "o", "-"), "eigenvalue")
    left.set(yscale="log")
    left.legend(fontsize=8.5)
    curve(right, places, found.by_covariance, ("vermilion", "", "--"), "bound")
    curve(right, places, found.natural, ("blue", "o", "-"), "Nyström features")
    curve(right, places, found.roots, ("green", "s", "-."), "square roots")
    right.set(yscale="log", ylabel="distance of the projectors")
    most = np.sqrt(2 * places)
    right.plot(places, most, ":", color="black", linewidth=1, label="largest possible")
    for axes in (left, right):
        count_axis(axes, places[::2], "components $k$")
    right.legend(fontsize=8.5)


def draw_samples(left, right, found: experiments.Samples) -> None:
    """Draw what samples of the points miss, with bounds.

    Parameters
    ----------
    left, right : matplotlib Axes
        Get logarithmic scales.
    found : Samples

    Examples
    --------
    >>> from nystheory import kernels
    >>> K = kernels.linear(np.eye(3)[[0, 0, 0, 1, 2]])
    >>> figure, (left, right) = style.panels(2)
    >>> draw_samples(left, right, experiments.samples(K, 1, [2, 4], draws=3))
    """
    counts = found.counts
    curve(left, counts, found.printed_bound, ("vermilion", "", "--"), "printed bound")
    curve(left, counts, found.residual_bound, ("green", "", "-."), "without signs")
    curve(right, counts, found.distance_bound, ("vermilion", "", "--"), "bound")
    for axes, values in ((left, found.residual), (right, found.distance)):
        largest = np.abs(values).max(axis=1)
        curve(axes, counts, largest, ("blue", "o", "-"), "largest of the draws")
        axes.set(xscale="log", yscale="log")
        count_axis(axes, counts, "points drawn")
    # Where no curve runs.
    left.set_ylim(bottom=np.abs(found.residual).max(axis=1).min() / 30)
    left.legend(fontsize=8.5, loc="lower left")
    right.legend(fontsize=8.5, loc="center left")
    left.set_ylabel("difference of the residuals")
    right.set_ylabel("distance of the projectors")
