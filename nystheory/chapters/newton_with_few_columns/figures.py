"""Accuracy, steps and time against the number of columns; where steps end."""

from __future__ import annotations

import numpy as np

from nystheory import style
from nystheory.chapters.newton_with_few_columns import both_forms, experiments
from nystheory.engine.report.curves import count_axis, curve
from nystheory.engine.trial.statistics import mean_interval


def _with_limits(axes, places, table, look, label):
    """The means of the rows of a table, with limits for each."""
    found = [mean_interval(row, experiments.LEVEL) for row in table]
    means = np.array([i.estimate for i in found])
    curve(axes, places, means, look, label)
    low, high = (np.array([getattr(i, end) for i in found]) for end in ("low", "high"))
    colour = style.COLOURS[look[0]]
    axes.fill_between(places, low, high, color=colour, alpha=0.2, linewidth=0)


def _round_ticks(axes) -> None:
    """Label a logarithmic axis with round numbers of the range that it shows."""
    low, high = axes.get_ylim()
    round_numbers = [a * 10**b for b in range(4) for a in (1, 2, 5)]
    ticks = [x for x in round_numbers if low <= x <= high]
    axes.set_yticks(ticks, [f"{x}" for x in ticks])
    axes.set_yticks([], minor=True)


def draw_columns(axes, kernels, found: experiments.Columns) -> None:
    """Draw four panels: kernels, relative accuracy, steps, time.

    Parameters
    ----------
    axes : sequence of four matplotlib Axes
    kernels : mapping of str to array (splits,)
        Accuracies by name of the kernel.
    found : Columns

    Examples
    --------
    >>> X, y = experiments.two_digits()
    >>> K = experiments.gram(X, 0.02)
    >>> found = experiments.few_columns(K, y, 0.1, 80, [5, 10], splits=2)
    >>> figure, axes = style.grid()
    >>> draw_columns(axes, {"linear": found.whole, "RBF": found.whole}, found)
    """
    first, second, third, fourth = axes
    for place, (_, values) in enumerate(kernels.items()):
        i = mean_interval(values, experiments.LEVEL)
        reach = [[i.estimate - i.low], [i.high - i.estimate]]
        colour = style.COLOURS["blue"]
        first.errorbar([place], [i.estimate], reach, fmt="o", capsize=4, color=colour)
    first.set_xticks(range(len(kernels)), [*kernels])
    first.set(xlabel="kernel", ylabel="share told right", xlim=(-0.5, 1.5))
    counts = found.counts
    looks = ("blue", "o", "-"), ("vermilion", "s", "--")
    _with_limits(second, counts, found.relative, looks[0], "exact gradient")
    _with_limits(second, counts, found.printed, looks[1], "form (3.14), mended")
    second.set(ylabel="relative accuracy")
    _with_limits(third, counts, found.steps, looks[0], "few columns")
    third.axhline(found.whole_steps.mean(), color="black", label="all columns")
    third.set(ylabel="steps", yscale="log")
    seconds = np.median(found.seconds, axis=1)
    curve(fourth, counts, 1000 * seconds, looks[0], "few columns")
    whole = 1000 * np.median(found.whole_seconds)
    fourth.axhline(whole, color="black", label="all columns")
    fourth.set(ylabel="milliseconds", yscale="log")
    for panel in (second, third, fourth):
        panel.set_xscale("log")
        count_axis(panel, counts)
        panel.legend(fontsize=8)
    _round_ticks(third)
    _round_ticks(fourth)


def draw_paths(axes, found: both_forms.Paths) -> None:
    """Draw the gradients of both forms, step by step.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets a logarithmic scale.
    found : Paths

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_paths(axes, both_forms.paths(np.eye(2), np.ones(2), 1.0, [0]))
    """
    steps = np.arange(len(found.printed))
    curve(axes, steps, found.printed, ("vermilion", "", "--"), "form (3.14), mended")
    curve(axes, steps, found.repaired, ("blue", "", "-"), "exact gradient")
    axes.set(xlabel="steps", ylabel="gradient, share of the first", yscale="log")
    axes.legend(fontsize=8.5)
