"""Figures of the chapter on ensembles: two experts, errors of mixtures, equal time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory import style
from nystheory.chapters.ensembles import equal_time, findings
from nystheory.chapters.ensembles.equal_time import FixedTime
from nystheory.chapters.ensembles.pictured import Diagonals
from nystheory.engine.findings import Field, Series
from nystheory.engine.findings.fields import plot

# Colour, marker and line of each competitor.
LOOKS = {
    "uniform": ("blue", "o", "-"),
    "exponential": ("sky", "v", "--"),
    "ridge": ("vermilion", "s", "-"),
    "linear": ("orange", "^", "--"),
    "optimal": ("grey", "", ":"),
    "best": ("green", "^", "-."),
    "mean": ("purple", "D", "-."),
    "cut": ("orange", "s", "--"),
}
SHOWN = ("uniform", "exponential", "ridge", "optimal", "best", "mean")


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


def mean_errors(found, field: Field, name: str, data: str) -> np.ndarray:
    """The means over draws of a competitor on one data set, (settings,).

    Parameters
    ----------
    found : Found
    field : Field
    name, data : str
    """
    return found.measured(field.name, name, data).mean(axis=0)


def draw_errors(
    axes,
    found,
    data: str,
    names: Sequence[str] = SHOWN,
    field: Field = findings.FROBENIUS,
) -> None:
    """Draw mean errors on one data set, one line for each competitor.

    Parameters
    ----------
    axes : matplotlib Axes
    found : Found
    data : str
    names : sequence of str
        Competitors, with a look in `LOOKS`.
    field : Field
    """
    experiment = found.experiment
    settings = Series(experiment.along, experiment.settings)
    for name in names:
        label = experiment.competitors[name].label
        values = mean_errors(found, field, name, data)
        plot(axes, settings, Series(field, values, label), LOOKS[name])
    axes.set_title(data)


def plot_all(found, field: Field) -> style.BookFigure:
    """Mean errors against the experts, one panel for each matrix of the page.

    Parameters
    ----------
    found : Found
        Of `findings.EXPERTS`.
    field : Field
    """
    figure, panels = style.grid()
    for axes, data in zip(panels, found.experiment.shown, strict=True):
        draw_errors(axes, found, data, field=field)
    handles = panels[0].get_legend_handles_labels()
    for axes in panels[:2]:
        axes.set_xlabel("")
    for axes in panels[1::2]:
        axes.set_ylabel("")
    figure.legend(*handles, ncols=3, loc="outside upper center")
    return figure


def plot_two(found, data: Sequence[str], names: Sequence[str]) -> style.BookFigure:
    """Mean errors on two matrices side by side.

    Parameters
    ----------
    found : Found
    data, names : sequence of str
    """
    figure, panels = style.panels(2, height=3.3)
    for axes, each in zip(panels, data, strict=True):
        draw_errors(axes, found, each, names)
    panels[1].set_ylabel("")
    handles = panels[0].get_legend_handles_labels()
    figure.legend(*handles, ncols=len(names), loc="outside upper center", fontsize=8.5)
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
        single = name in equal_time.SINGLE
        colour = style.COLOURS["vermilion" if single else "blue"]
        marker, kind = ("s", "single") if single else ("o", "ensembles or experts")
        level = [height] * len(errors)
        look = {"color": colour, "alpha": 0.5, "label": f"_{kind}"}
        axes.plot(errors, level, marker, **look)
        axes.plot(np.mean(errors), height, "|", color="black", markersize=16)
    ticks = (1, 2, 5, 10, 20)
    axes.set_xscale("log")
    axes.minorticks_off()
    axes.set_xticks(ticks, ticks)
    axes.set_yticks(range(len(names)), names)
    axes.set(xlabel="percent error in the Frobenius norm")
