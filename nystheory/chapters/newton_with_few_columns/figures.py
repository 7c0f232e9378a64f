"""Accuracy, steps and operations against the number of columns; where steps end."""

from __future__ import annotations

import numpy as np

from nystheory import style
from nystheory.chapters.newton_with_few_columns import (
    both_forms,
    experiments,
    findings,
)
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


LOOKS = {
    "few": ("blue", "o", "-"),
    "quarter": ("vermilion", "s", "--"),
}


def draw_columns(axes, found, learners, data: str) -> None:
    """Draw four panels: learners, labels told right, steps, operations.

    Parameters
    ----------
    axes : sequence of four matplotlib Axes
    found, learners : Found
        Of `findings.FORMS` and `findings.LEARNERS`.
    data : str
    """
    first, second, third, fourth = axes
    names = {"linear": "linear", "rbf": "Gaussian"}
    for place, name in enumerate(names):
        values = learners.measured(findings.RIGHT.name, name, data)[:, 0]
        i = mean_interval(values, experiments.LEVEL)
        reach = [[i.estimate - i.low], [i.high - i.estimate]]
        colour = style.COLOURS["blue"]
        first.errorbar([place], [i.estimate], reach, fmt="o", capsize=4, color=colour)
    first.set_xticks(range(len(names)), [*names.values()])
    first.set(xlabel="kernel", xlim=(-0.5, 1.5), ylabel=findings.RIGHT.axis)
    drawn = (
        (second, findings.RIGHT, LOOKS),
        (third, findings.STEPS, ("few",)),
        (fourth, findings.WORK, ("few",)),
    )
    counts = found.experiment.settings
    for panel, field, some in drawn:
        for name in some:
            table = found.measured(field.name, name, data).T
            label = found.experiment.competitors[name].label
            _with_limits(panel, counts, table, LOOKS[name], label)
        whole = found.measured(field.name, "all", data).mean()
        label = found.experiment.competitors["all"].label
        panel.axhline(whole, color="black", linewidth=1, label=label)
        panel.set(ylabel=field.axis, xscale="log")
        count_axis(panel, counts, findings.COLUMNS.axis)
    third.set_yscale("log")
    _round_ticks(third)
    fourth.set_ylabel(findings.WORK.axis.replace(", ", ",\n"))
    # From zero there is room for a legend below the curves.
    for panel in (second, fourth):
        panel.set_ylim(0)
    for panel, place in ((second, "lower right"), (third, "best"), (fourth, "best")):
        panel.legend(fontsize=8, loc=place)


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
