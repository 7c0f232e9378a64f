"""How the experiments of the chapter are drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory import style
from nystheory.chapters.random_subspaces import findings
from nystheory.chapters.random_subspaces.circle import GRID, eigenvalues
from nystheory.chapters.random_subspaces.experiments import (
    LAMBDAS,
    Classified,
    Groups,
)
from nystheory.chapters.random_subspaces.points import border
from nystheory.engine.findings import Field, Series
from nystheory.engine.findings.fields import plot

LOOKS = {
    "hinge": ("sky", "o", ":"),
    "hinge_scores": ("blue", "o", "-"),
    "square": ("orange", "s", ":"),
    "square_scores": ("vermilion", "s", "-"),
    "uniform": ("grey", "X", ":"),
    "exact": ("blue", "o", "-"),
    "recursive": ("orange", "^", "--"),
}
INDEX = Field("index", "index of the eigenvalue")
EIGENVALUE = Field("eigenvalue", "eigenvalue of the covariance")
# The points of a picture in the plane, in each direction.
SIDE = 120
PLACE = np.linspace(-1, 1, SIDE)


def means(found, field: Field, data: str) -> dict[str, np.ndarray]:
    """The means over draws on one data set, by competitor, (settings,).

    Parameters
    ----------
    found : Found
    field : Field
    data : str
    """
    names = found.experiment.competitors
    return {n: found.measured(field.name, n, data).mean(axis=0) for n in names}


# ---- the first picture ----


def places() -> np.ndarray:
    """The points of the plane at which a picture asks what was learned, (q, 2).

    Examples
    --------
    >>> places().shape
    (14400, 2)
    """
    across, up = np.meshgrid(PLACE, PLACE)
    return np.column_stack([across.ravel(), up.ravel()])


def plot_borders(groups: Groups, learned: Sequence[Classified]):
    """Two classes in the plane, and the border learned from more and more columns.

    Parameters
    ----------
    groups : Groups
        Of points of the plane.
    learned : sequence of Classified
        With scores at `places`.
    """
    figure, panels = style.panels(len(learned), height=3.2)
    for axes, each in zip(panels, learned, strict=True):
        _draw_border(axes, groups.learn, each)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, fontsize=8.5)
    return figure


def _draw_border(axes, learn, each):
    scores = each.scores.reshape(SIDE, SIDE)
    axes.contour(PLACE, PLACE, scores, [0], colors="black", linewidths=1.5)
    axes.plot([], [], color="black", linewidth=1.5, label="learned border")
    look = {"color": style.COLOURS["green"], "linestyle": "--", "linewidth": 1.5}
    axes.plot(PLACE, border(PLACE), **look, label="best border")
    for label, colour, marker in ((-1, "blue", "."), (1, "vermilion", "+")):
        some = learn.X[learn.y == label]
        dots = {"s": 12, "linewidth": 0.7, "color": style.COLOURS[colour]}
        axes.scatter(*some.T, marker=marker, **dots, label=f"label {label}")
    if len(each.chosen) < len(learn.X):
        ring = {"s": 45, "facecolor": "none", "edgecolor": "black", "linewidth": 1.2}
        axes.scatter(*each.chosen.T, **ring, label="landmark")
    count = len(each.chosen)
    told = f"all {count} columns" if count == len(learn.X) else f"{count} columns"
    axes.set_title(told, fontsize=10)
    axes.set(aspect="equal", xticks=[], yticks=[], xlim=(-1, 1), ylim=(-1, 1))
    axes.grid(visible=False)


# ---- the trade-off ----


def plot_spectra(circles: dict):
    """Eigenvalues of covariances against their index, and the law of the labels.

    Parameters
    ----------
    circles : dict of str to Circle
    """
    figure, (left, right) = style.panels(2, height=3.0)
    looks = (("blue", "", "-"), ("vermilion", "", "--"), ("green", "", ":"))
    for (name, circle), look in zip(circles.items(), looks, strict=False):
        values = eigenvalues(circle)[:100]
        index = Series(INDEX, np.arange(1, len(values) + 1))
        plot(left, index, Series(EIGENVALUE, values, name), look)
    left.set(xscale="log", yscale="log", ylim=(1e-9, 1))
    left.legend(fontsize=8.5)
    circle = next(iter(circles.values()))
    place = Series(Field("t", "place on the circle"), GRID)
    labels = Series(Field("mean", "mean of the labels"), circle.mean(GRID))
    plot(right, place, labels, ("blue", "", "-"))
    right.axhline(0, color="black", linewidth=1, linestyle=":")
    return figure


def plot_tradeoff(found):
    """Excess risk against columns, for each loss and scheme, and what is prescribed.

    Parameters
    ----------
    found : Found
        Of `findings.TRADEOFF`.
    """
    figure, panels = style.grid(height=6.4)
    for axes, data in zip(panels, found.experiment.shown, strict=True):
        _draw_tradeoff(axes, found, data)
    handles = panels[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=2, fontsize=8.5)
    return figure


def _draw_tradeoff(axes, found, data):
    experiment = found.experiment
    columns = Series(experiment.along, experiment.settings)
    whole, number = (means(found, x, data) for x in (findings.WHOLE, findings.NUMBER))
    prescribed = means(found, findings.PRESCRIBED, data)
    for name, values in means(found, findings.EXCESS, data).items():
        label, look = experiment.competitors[name].label, LOOKS[name]
        plot(axes, columns, Series(findings.EXCESS, values, label), look)
        if not name.endswith("_scores"):
            continue
        colour = style.COLOURS[look[0]]
        axes.axhline(whole[name][0], color=colour, linewidth=0.8)
        axes.axvline(number[name][0], color=colour, linewidth=0.8, linestyle="--")
        star = {"marker": "*", "markersize": 12, "linestyle": "none"}
        star["label"] = "_prescribed"
        axes.plot(number[name], prescribed[name], color=colour, **star)
    # One range, so that the panels can be compared.
    axes.set(xscale="log", yscale="log", xlim=(3.6, 300), ylim=(2, 55))
    axes.set_title(data, fontsize=10)
    ticks = [*experiment.settings, 128, 256]
    axes.set_xticks(ticks, [f"{m:g}" for m in ticks])
    some = [2, 5, 10, 20, 50]
    axes.set_yticks(some, [f"{x}" for x in some])
    axes.minorticks_off()


# ---- the map ----


def table(found, data: str) -> np.ndarray:
    """Mean errors, a row for each lambda from the smallest on, (lambdas, columns).

    Parameters
    ----------
    found : Found
        Of `findings.MAP`.
    data : str
    """
    rows = means(found, findings.ERROR, data)
    return np.array([rows[f"lambda_{k}"] for k in range(len(LAMBDAS), 0, -1)])


def plot_map(found):
    """Errors over lambda and columns, in colour; the best lambda of each column marked.

    Parameters
    ----------
    found : Found
        Of `findings.MAP`.
    """
    shown = list(found.experiment.shown)
    figure, panels = style.panels(len(shown), height=3.4)
    columns = found.experiment.settings
    for axes, data in zip(panels, shown, strict=True):
        errors = table(found, data)
        look = {"cmap": style.COLOUR_MAP, "origin": "lower", "aspect": "auto"}
        picture = axes.imshow(errors, **look)
        best = errors.argmin(axis=0)
        mark = {"marker": "D", "markersize": 5, "linestyle": "none"}
        mark["label"] = r"_best $\lambda$"
        axes.plot(range(len(columns)), best, color=style.COLOURS["vermilion"], **mark)
        axes.set_xticks(range(len(columns)), [f"{m:g}" for m in columns], fontsize=8)
        powers = [rf"$10^{{{-k}}}$" for k in range(len(LAMBDAS), 0, -1)]
        axes.set_yticks(range(len(powers)), powers)
        axes.set_xlabel(found.experiment.along.axis)
        axes.set_title(data, fontsize=9.5)
        axes.grid(visible=False)
        bar = figure.colorbar(picture, ax=axes, location="bottom", shrink=0.95)
        bar.set_label(findings.ERROR.axis)
    panels[0].set_ylabel(r"$\lambda$")
    return figure


# ---- the columns ----


def plot_scores(found):
    """Errors of the projection against columns, for each scheme.

    Parameters
    ----------
    found : Found
        Of `findings.SCORES`.
    """
    figure, panels = style.grid(height=5.6)
    experiment = found.experiment
    columns = Series(experiment.along, experiment.settings)
    for axes, data in zip(panels, experiment.shown, strict=True):
        for name, values in means(found, findings.APART, data).items():
            label = experiment.competitors[name].label
            plot(axes, columns, Series(findings.APART, values, label), LOOKS[name])
        # One range, so that the panels can be compared.
        axes.set(xscale="log", yscale="log", ylim=(5e-4, 8))
        axes.set_title(data, fontsize=10)
        axes.set_xticks(columns.values, [f"{m:g}" for m in columns.values])
        axes.minorticks_off()
    handles = panels[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=2, fontsize=8.5)
    return figure
