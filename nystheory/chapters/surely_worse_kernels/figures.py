"""How the experiments of the chapter are drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nystheory import style
from nystheory.chapters.surely_worse_kernels import experiments, findings
from nystheory.chapters.surely_worse_kernels.experiments import WIDTHS, Ends
from nystheory.engine.findings import Field, Series
from nystheory.engine.findings.fields import plot

WIDTH = Field("width", "width, in root mean square distances")
CRITERION = Field("criterion", "criterion")
LOOKS = {
    "criterion": ("blue", "o", "-"),
    "likelihood": ("vermilion", "s", "--"),
    "alone": ("green", "^", "-."),
}


# ---- two ends ----


@dataclass(frozen=True, eq=False)
class Widths:
    """The criterion of kernels of all widths, and its ends.

    Attributes
    ----------
    n : int
        Points.
    exact : ndarray (m,)
    ends : list of Ends
        One for each number of columns.
    near : list of list of LowRank
        The approximations, for each number of columns.
    y : ndarray (n,)
    ridge : float
        In units of the kernel.
    """

    n: int
    exact: np.ndarray
    ends: list[Ends]
    near: list
    y: np.ndarray
    ridge: float


def of_digits(n: int, counts, seed: int = 0) -> Widths:
    """The digits, with ends by the trace alone for each number of columns.

    Examples
    --------
    >>> found = of_digits(60, (5, 20))
    >>> [int(each.worse.sum()) for each in found.ends]
    [0, 5]
    """
    rng = np.random.default_rng(seed)
    points = experiments.digits(n, rng)
    mu, measure = experiments.MU, "criterion"
    search = experiments.searched(points, WIDTHS, counts, [mu], [measure], rng)
    (ridge,) = search.ridges([mu])
    ends = [experiments.ends(near, search.y, ridge) for near in search.near]
    exact = search.exact[measure][:, 0]
    return Widths(n, exact, ends, search.near, search.y, float(ridge))


def plot_ends(exact: np.ndarray, ends: dict[str, Ends]):
    """The two ends against the width; widths that are certainly worse are crosses.

    Parameters
    ----------
    exact : ndarray (m,)
    ends : dict of str to Ends
        By the title of the panel.
    """
    figure, panels = style.panels(len(ends), height=3.3)
    for axes, (title, each) in zip(panels, ends.items(), strict=True):
        draw_ends(axes, exact, each)
        axes.set_title(title, fontsize=10)
    handles = panels[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=5, fontsize=8.5)
    return figure


def draw_ends(axes, exact: np.ndarray, each: Ends) -> None:
    """One panel: the ends, the criterion itself, and the smallest upper end."""
    across = Series(WIDTH, WIDTHS)
    for values, label, look in (
        (each.upper, "upper end", ("vermilion", "", "-")),
        (each.lower, "lower end", ("blue", "", "-")),
        (exact, "criterion", ("grey", ".", "")),
    ):
        plot(axes, across, Series(CRITERION, values, label), look)
    axes.fill_between(WIDTHS, each.lower, each.upper, color="grey", alpha=0.15)
    line = {"color": "black", "linestyle": ":", "linewidth": 1}
    axes.axhline(each.upper.min(), **line, label="smallest upper end")
    cross = {"marker": "x", "color": "black", "linestyle": "none", "markersize": 5}
    axes.plot(WIDTHS[each.worse], each.lower[each.worse], **cross, label="worse")
    axes.set_xscale("log", base=2)


# ---- more and more columns ----


def means(found, field: Field, data: str) -> dict[str, np.ndarray]:
    """The means over draws on one data set, by competitor, (settings,)."""
    names = found.experiment.competitors
    return {n: found.measured(field.name, n, data).mean(axis=0) for n in names}


def draw_told(axes, found, data: str) -> None:
    """How many widths are certainly worse, against columns, for each measure."""
    experiment = found.experiment
    settings = Series(experiment.along, experiment.settings)
    for name, values in means(found, findings.WORSE, data).items():
        label = experiment.competitors[name].label
        plot(axes, settings, Series(findings.WORSE, values, label), LOOKS[name])
    axes.set(xscale="log", title=data, ylim=(0, len(findings.FEWER)))
    axes.set_xticks(experiment.settings, [f"{x}" for x in experiment.settings])
    axes.set_yticks(range(0, len(findings.FEWER), 4))
    axes.minorticks_off()


def plot_told(found):
    """The same on the data of the page, a panel each.

    Parameters
    ----------
    found : Found
        Of `findings.TELL`.
    """
    figure, panels = style.panels(len(found.experiment.shown), height=3.0)
    for axes, data in zip(panels, found.experiment.shown, strict=True):
        draw_told(axes, found, data)
        axes.set_ylabel("")
    panels[0].set_ylabel("widths that are certainly worse")
    handles = panels[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=3, fontsize=8.5)
    return figure
