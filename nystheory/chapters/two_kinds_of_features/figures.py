"""How the figures of the chapter are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nystheory import style
from nystheory.chapters.two_kinds_of_features import experiments
from nystheory.chapters.two_kinds_of_features.findings import (
    COLUMNS,
    DISTANCE,
    FUNCTIONS,
    MACHINES,
    UNLEARNED,
    WAVES,
)
from nystheory.engine.findings.fields import Series, plot
from nystheory.engine.report.curves import curve
from nystheory.engine.report.slider import Frame, Slider

LOOKS = {
    "columns": ("blue", "o", "-"),
    "waves": ("orange", "s", "-"),
    "weighted": ("purple", "^", "-"),
}
NAMES = {"pairs": "sine and cosine", "phases": "cosine with phase"}


def means(found, field: str, competitor: str, data: str) -> np.ndarray:
    """What was measured, in the mean over draws, one number for each setting."""
    return found.measured(field, competitor, data).mean(axis=0)


def plot_spans(found: experiments.Spans):
    """Functions of two spans, and the machine in each beside the one with all.

    Parameters
    ----------
    found : Spans

    Examples
    --------
    >>> figure = plot_spans(experiments.spans(np.random.default_rng(0)))
    >>> len(figure.axes)
    4
    """
    figure, axes = style.grid(height=4.6)
    for place, (title, functions, _, colour) in enumerate(_kinds(found)):
        above = axes[place]
        for each in functions.T:
            curve(above, found.grid, each, (colour, "", "-"), "")
        above.set_title(title)
    axes[1].plot(
        found.landmarks, 0 * found.landmarks, "^", color="black", clip_on=False
    )
    axes[0].set_ylabel("functions")
    _alike(axes[:2])
    _draw_fits(axes[2:], found)
    return figure


def _kinds(found):
    return (
        ("waves of drawn frequencies", found.waves, found.by_waves, "orange"),
        ("bumps at some of the points", found.bumps, found.by_bumps, "blue"),
    )


def _draw_fits(axes, found):
    """The fit in the span of each kind, beside that of all functions."""
    for below, (_, functions, values, colour) in zip(axes, _kinds(found), strict=True):
        curve(below, found.grid, found.by_all, ("grey", "", "--"), "all functions")
        label = f"these {functions.shape[1]}"
        curve(below, found.grid, values, (colour, "", "-"), label)
        below.plot(found.X[:, 0], found.y, "o", color="black", markersize=4)
        below.set_xlabel("$x$")
        below.legend(fontsize=8.5)
    axes[0].set_ylabel("fit")
    _alike(axes)


def _alike(axes):
    """The same heights on each."""
    low = min(each.get_ylim()[0] for each in axes)
    high = max(each.get_ylim()[1] for each in axes)
    for each in axes:
        each.set_ylim(low, high)


def plot_spans_by_count(found: Mapping[int, experiments.Spans], first: int) -> Slider:
    """The fits in both spans with more and more functions, with a slider.

    Parameters
    ----------
    found : mapping of int to Spans
        By the number of functions.
    first : int
        The number that is shown first.

    Returns
    -------
    Slider

    Examples
    --------
    >>> some = experiments.spans(np.random.default_rng(1), 8)
    >>> plot_spans_by_count({8: some}, 8)
    Functions
    8: Distance from the fit with all functions: waves 0.41, bumps 0.01.
    """
    frames = []
    for count, each in found.items():
        waves, bumps = (
            np.sqrt(np.mean((fit - each.by_all) ** 2))
            for fit in (each.by_waves, each.by_bumps)
        )
        words = (
            "Distance from the fit with all functions: "
            f"waves {waves:.2f}, bumps {bumps:.2f}."
        )
        figure, axes = style.panels(2, height=2.5)
        _draw_fits(axes, each)
        for panel, (title, *_) in zip(axes, _kinds(each), strict=True):
            panel.set_title(title)
            panel.set_ylim(-2.2, 2.2)
        frames.append(Frame(f"{count}", words, figure))
    return Slider("Functions", frames, [*found].index(first))


def draw_estimates(left, right, found: experiments.Estimates) -> None:
    """Draw a few estimates, and the exact standard deviation beside that of many.

    Parameters
    ----------
    left, right : matplotlib Axes
    found : Estimates

    Examples
    --------
    >>> figure, (left, right) = style.panels(2)
    >>> draw_estimates(
    ...     left, right, experiments.estimates(20, 5, np.random.default_rng(0))
    ... )
    """
    z, k, spread = found.distances, found.kernel, found.deviations["pairs"]
    left.fill_between(z, k - spread, k + spread, color=style.COLOURS["sky"], alpha=0.4)
    for row in found.estimates["pairs"][:5]:
        left.plot(z, row, color=style.COLOURS["blue"], linewidth=0.8)
    left.plot(z, k, color="black", label="kernel")
    left.set(xlabel="distance", ylabel="kernel and estimates")
    left.legend(fontsize=8.5)
    for kind, look in (("pairs", "blue"), ("phases", "sky")):
        curve(right, z, found.deviations[kind], (look, "", "-"), NAMES[kind])
        many = (found.estimates[kind] - k).std(axis=0)
        right.plot(z[::8], many[::8], "o", color=style.COLOURS[look], markersize=4)
    right.set(xlabel="distance", ylabel="standard deviation", ylim=(0, None))
    right.legend(fontsize=8.5)


def draw_families(axes: Sequence, found, settings, data: Sequence[str]) -> None:
    """Draw what is not learned of a wave, in the mean over draws, on each lattice.

    On the first also the chance that the rare frequency is not drawn.

    Parameters
    ----------
    axes : sequence of matplotlib Axes
    found : Found
    settings : sequence of int
    data : sequence of str
        One for each of the axes.
    """
    labels = {"columns": COLUMNS.label, "waves": WAVES.label}
    _draw_means(axes, found, settings, data, UNLEARNED, labels)
    n, counts = found.experiment.data[data[0]].size, np.arange(2, max(settings) + 1, 2)
    chance = 100 * (1 - 1 / n) ** (counts / 2)
    curve(axes[0], counts, chance, ("grey", "", "--"), "chance not to draw it")
    axes[0].legend(fontsize=8.5, loc="center left")


def draw_machines(axes: Sequence, found, settings, data: Sequence[str]) -> None:
    """Draw how far machines are from the one with all functions, on each data set.

    Parameters
    ----------
    axes : sequence of matplotlib Axes
    found : Found
    settings : sequence of int
    data : sequence of str
        One for each of the axes.
    """
    labels = {name: each.label for name, each in MACHINES.items()}
    _draw_means(axes, found, settings, data, DISTANCE, labels)
    for each in axes:
        each.set_xscale("log")
        each.minorticks_off()
        each.set_xticks(settings, settings)
    axes[-1].legend(fontsize=8.5, loc="lower left")


def _draw_means(axes, found, settings, data, field, labels):
    for each, name in zip(axes, data, strict=True):
        for competitor, label in labels.items():
            shown = Series(field, means(found, field.name, competitor, name), label)
            plot(each, Series(FUNCTIONS, settings), shown, LOOKS[competitor])
        each.set(title=name, ylim=(0, 105))
    for each in axes[1:]:
        each.set_ylabel("")
