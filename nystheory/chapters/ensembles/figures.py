"""Figures of the chapter on ensembles: two experts, errors of mixtures, equal time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nystheory import style
from nystheory.chapters.ensembles import mixtures as experiments
from nystheory.chapters.ensembles.equal_time import FixedTime
from nystheory.chapters.ensembles.pictured import Diagonals

# Colour, marker and line of each approximation.
STYLES = {
    "uniform": ("blue", "o", "-"),
    "exponential": ("sky", "v", "--"),
    "ridge": ("vermilion", "s", "-"),
    "linear": ("orange", "^", "--"),
    "optimal": ("grey", "", ":"),
    experiments.BEST: ("green", "^", "-."),
    experiments.MEAN: ("purple", "D", "-."),
    experiments.RANK_K: ("orange", "s", "--"),
    experiments.ONE: ("grey", "P", "--"),
    experiments.ONE_RANK_K: ("grey", "P", "--"),
}
SHOWN = (
    *("uniform", "exponential", "ridge", "optimal"),
    *(experiments.BEST, experiments.MEAN),
)


def draw_experts(axes, seen: Diagonals) -> None:
    """Draw what two experts, their mean and a joint approximation miss.

    Parameters
    ----------
    axes : matplotlib Axes
    seen : Diagonals

    Examples
    --------
    >>> from nystheory.chapters.ensembles.pictured import two_experts
    >>> figure, (axes,) = style.panels(1)
    >>> draw_experts(axes, two_experts())
    """
    looks = (("sky", "--"), ("orange", "-."), ("blue", "-"), ("vermilion", ":"))
    for (name, missing), (colour, dashes) in zip(
        seen.missing.items(), looks, strict=True
    ):
        colour = style.COLOURS[colour]
        axes.plot(seen.place, missing, dashes, color=colour, label=name)
    for at, (colour, _), marker in zip(seen.landmarks, looks, "o^", strict=False):
        place = seen.place[at]
        axes.plot(place, 0 * place, marker, color=style.COLOURS[colour], clip_on=False)
    axes.set(xlabel="place of the point", ylabel="missing from the diagonal")
    axes.legend(fontsize=8.5, ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1))


def draw_errors(axes, errors: experiments.Errors, names: Sequence[str] = SHOWN) -> None:
    """Draw mean percent errors, one line for each approximation.

    Parameters
    ----------
    axes : matplotlib Axes
    errors : Errors
    names : sequence of str
        Keys of ``errors.found``, with a style in `STYLES`.

    Examples
    --------
    >>> errors = experiments.Errors((2, 4), {"ridge": np.array([[2.0, 2], [1, 1]])})
    >>> figure, (axes,) = style.panels(1)
    >>> draw_errors(axes, errors, ["ridge"])
    """
    for name in names:
        colour, marker, dashes = STYLES[name]
        means = errors.found[name].mean(axis=1)
        colour = "black" if name == "optimal" else style.COLOURS[colour]
        axes.plot(
            errors.settings, means, dashes, marker=marker, color=colour, label=name
        )


def draw_all(
    errors: Mapping[str, experiments.Errors], names: Sequence[str] = SHOWN
) -> style.BookFigure:
    """A figure with one panel for each of four matrices, against the experts.

    Parameters
    ----------
    errors : mapping of str to Errors
        By name of the matrix, four of them.
    names : sequence of str
        As `draw_errors`.

    Returns
    -------
    BookFigure

    Examples
    --------
    >>> errors = experiments.Errors((2, 4), {"ridge": np.array([[2.0, 2], [1, 1]])})
    >>> len(draw_all({name: errors for name in "abcd"}, ["ridge"]).axes)
    4
    """
    figure, axes = style.grid()
    for panel, (name, each) in zip(axes, errors.items(), strict=True):
        draw_errors(panel, each, names)
        panel.set(title=name)
    for panel in axes[2:]:
        panel.set(xlabel="experts $p$")
    for panel in axes[::2]:
        panel.set(ylabel="percent error")
    figure.legend(
        *axes[0].get_legend_handles_labels(), ncols=3, loc="outside upper center"
    )
    return figure


def draw_fixed_time(axes, found: FixedTime) -> None:
    """Draw the percent error of each method in each draw, and the mean.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets a logarithmic horizontal scale.
    found : FixedTime

    Examples
    --------
    >>> from nystheory.chapters.ensembles.equal_time import (
    ...     fixed_time, patches_kernel,
    ... )
    >>> figure, (axes,) = style.panels(1)
    >>> draw_fixed_time(axes, fixed_time(patches_kernel(300), 2, 3, 10, 5))
    """
    names = list(found.errors)[::-1]
    for height, name in enumerate(names):
        errors = [interval.estimate for interval in found.errors[name]]
        single = name in (experiments.ONE, experiments.ONE_RANK_K, "K-means")
        colour = style.COLOURS["vermilion" if single else "blue"]
        marker = "s" if single else "o"
        level = [height] * len(errors)
        axes.plot(errors, level, marker, color=colour, alpha=0.5)
        axes.plot(np.mean(errors), height, "|", color="black", markersize=16)
    ticks = (1, 2, 5, 10, 20)
    axes.set_xscale("log")
    axes.minorticks_off()
    axes.set_xticks(ticks, ticks)
    axes.set_yticks(range(len(names)), names)
    axes.set(xlabel="percent error in the Frobenius norm")
