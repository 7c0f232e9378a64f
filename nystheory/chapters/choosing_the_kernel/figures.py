"""How the experiments of the chapter are drawn, and what they pick in tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nystheory import style
from nystheory.chapters.choosing_the_kernel import experiments, findings, points
from nystheory.chapters.choosing_the_kernel.experiments import Known
from nystheory.engine.findings import Field, Series
from nystheory.engine.findings.fields import plot
from nystheory.engine.trial.statistics import clopper_pearson

LOOKS = {
    "original": ("grey", "", "-"),
    "optimal": ("green", "^", "-"),
    "uniform": ("blue", "o", "-"),
    "norm": ("sky", "v", "--"),
    "leverage": ("purple", "D", "--"),
    "full": ("orange", "s", "-"),
    "partial": ("grey", "X", ":"),
    "driven": ("vermilion", "P", "-"),
}
# Either limit of an interval is wrong with this probability: two make 95 percent.
LEVEL = 0.025


# ---- curves of the criterion ----


def means(found, data: str) -> dict[str, np.ndarray]:
    """The criterion along the widths, mean over draws, by competitor.

    Parameters
    ----------
    found : Found
        Of `findings.FIGURE`.
    data : str
    """
    names = found.experiment.competitors
    field = findings.CRITERION.name
    return {name: found.measured(field, name, data).mean(axis=0) for name in names}


def draw_curves(axes, found, data: str, names: Sequence[str] = tuple(LOOKS)) -> None:
    """The mean criterion against the width, and a ring where each curve is lowest.

    Parameters
    ----------
    axes : matplotlib Axes
    found : Found
        Of `findings.FIGURE`.
    data : str
    names : sequence of str
        Which competitors.
    """
    experiment = found.experiment
    settings = Series(experiment.along, experiment.settings)
    curves = means(found, data)
    for name in names:
        label = experiment.competitors[name].label
        plot(
            axes, settings, Series(findings.CRITERION, curves[name], label), LOOKS[name]
        )
        line = axes.lines[-1]
        line.set(markersize=4, linewidth=2.4 if name == "original" else 1.2)
        lowest = int(np.argmin(curves[name]))
        ring = {"s": 70, "facecolor": "none", "edgecolor": line.get_color()}
        ring["label"] = "_least value"
        axes.scatter(experiment.settings[lowest], curves[name][lowest], **ring)
    axes.set_xscale("log", base=2)
    axes.set_title(data)


def plot_two(found, data: Sequence[str], names: Sequence[str]):
    """Panels side by side, some competitors in each."""
    figure, panels = style.panels(len(data), height=3.3)
    for axes, each in zip(panels, data, strict=True):
        draw_curves(axes, found, each, names)
    panels[0].legend(fontsize=8.5)
    return figure


def plot_eight(found):
    """All competitors on the data of the page.

    Parameters
    ----------
    found : Found
        Of `findings.FIGURE`.
    """
    figure, panels = style.grid(height=6.2)
    for axes, data in zip(panels, found.experiment.shown, strict=True):
        draw_curves(axes, found, data)
    handles = panels[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=4, fontsize=8.5)
    return figure


# ---- tables ----


def hits(found, names: Sequence[str] = tuple(LOOKS)) -> dict[str, dict[str, int]]:
    """In how many draws the width is right, by competitor and data set.

    Parameters
    ----------
    found : Found
        Of `findings.FIGURE`.
    names : sequence of str
    """
    return {
        name: {
            data: round(found.measured("right", name, data).sum() / 100)
            for data in found.experiment.data
        }
        for name in names
    }


def limits(count: int, draws: int) -> tuple[float, float]:
    """Between which percentages the share of draws lies, with confidence 95 percent.

    Examples
    --------
    >>> [round(x) for x in limits(0, 40)]
    [0, 9]
    """
    low, high = clopper_pearson(count, draws, LEVEL)
    return 100 * low, 100 * high


def table_of_hits(found) -> style.Table:
    """How often each approximation picks the width of the exact criterion.

    Parameters
    ----------
    found : Found
        Of `findings.FIGURE`.
    """
    experiment = found.experiment
    rows = []
    for name, counts in hits(found).items():
        if name != "original":
            told = [
                f"{limits(x, experiment.draws)[0]:.0f} to "
                f"{limits(x, experiment.draws)[1]:.0f}"
                for x in counts.values()
            ]
            cells = [f"{x} ({t})" for x, t in zip(counts.values(), told, strict=True)]
            rows.append((experiment.competitors[name].label, *cells))
    caption = (
        f"Draws of {experiment.draws} with the right width, and between which "
        "percentages their share lies, with confidence 95 percent."
    )
    return style.Table(("columns", *experiment.data), rows, caption)


def table_of_means(found, field: Field) -> style.Table:
    """A field in the mean over draws, a competitor a row, a data set a column.

    Parameters
    ----------
    found : Found
    field : Field
    """
    experiment = found.experiment
    rows = [
        (each.label, *(mean(found, field, name, data) for data in experiment.data))
        for name, each in experiment.competitors.items()
    ]
    rows = [(row[0], *(f"{x:.3g}" for x in row[1:])) for row in rows]
    return style.Table(("", *experiment.data), rows, f"{field.axis}, mean over draws.")


def mean(found, field: Field, name: str, data: str) -> float:
    """Of a field over draws, and over settings where there are any.

    Parameters
    ----------
    found : Found
    field : Field
    name : str
        The competitor.
    data : str
    """
    return float(found.measured(field.name, name, data).mean())


def not_claimed(found, name: str) -> str:
    """The data sets of which a finding says nothing, as a sentence lists them.

    Parameters
    ----------
    found : Found
    name : str
        The finding.
    """
    every = found.experiment.data
    on = found[name].finding.on or every
    return " and ".join(f"the {data}" for data in every if data not in on)


# ---- where the columns are ----

PLACE, LOW = 11, 0.5


def clumps(seed: int = 0, n: int = 200):
    """Points of two moons with uniform and criterion-driven columns for a narrow width.

    Returns
    -------
    Points, dict of str to ndarray, dict of str to float
        The points, the columns, and how many percent of the points no column reaches.

    Examples
    --------
    >>> learn, columns, unseen = clumps(n=100)
    >>> len(columns["uniform"]), sorted(unseen)
    (20, ['criterion_driven', 'uniform'])
    """
    rng = np.random.default_rng(seed)
    known = Known.of(points.moons(n, rng), experiments.GAMMAS)
    columns = experiments.column_sets(known, PLACE, rng)
    K = known.matrices[PLACE]
    unseen = {k: experiments.unseen(K, S, LOW) for k, S in columns.items()}
    return known.points, columns, unseen


def plot_clumps(learn, columns: Mapping[str, np.ndarray], unseen: Mapping[str, float]):
    """The points, rings around the columns, and how many points none reaches."""
    figure, panels = style.panels(len(columns), height=3.2)
    titles = {"uniform": "uniform columns", "criterion_driven": "criterion-driven"}
    for axes, (name, S) in zip(panels, columns.items(), strict=True):
        for label, colour, marker in ((-1, "sky", "."), (1, "orange", "+")):
            some = learn.X[learn.y == label]
            dots = {"s": 14, "linewidth": 0.8, "color": style.COLOURS[colour]}
            axes.scatter(*some.T, marker=marker, **dots, label=f"label {label}")
        ring = {"s": 42, "facecolor": "none", "edgecolor": "black"}
        axes.scatter(*learn.X[S].T, **ring, label="column")
        told = f"{titles[name]}: {unseen[name]:.0f} % not reached"
        axes.set_title(told, fontsize=10)
        axes.set(aspect="equal", xticks=[], yticks=[])
        axes.grid(visible=False)
    handles = panels[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=3, fontsize=8.5)
    return figure
