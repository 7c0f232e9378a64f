"""How the figures of the experiments are drawn."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.stats import ttest_rel

from nystheory import style
from nystheory.chapters.eigengap_and_rate import findings
from nystheory.chapters.eigengap_and_rate.experiments import Leading, verdict
from nystheory.engine.findings import Field, Series
from nystheory.engine.findings.fields import label_axes, plot
from nystheory.engine.trial.statistics import mean_interval

LOOKS = {
    "nystrom": ("blue", "o", "-"),
    "waves": ("vermilion", "s", "-"),
    "equal": ("orange", "^", "--"),
    "fast": ("grey", "D", ":"),
}
# By the ticks of the paper's panel (f) its first eigenvector has entries up to that.
PUBLISHED_TICK = 0.04
RANK = Field("rank", "rank")
EIGENVALUE = Field("eigenvalue", "eigenvalue over n")
POINT = Field("point", "point, by its ball")
ENTRY = Field("entry", "entry of an eigenvector")
CURVES = ("blue", "orange", "green", "purple")


def means(found, field: str, data: str) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Mean and standard deviation over draws, by competitor and setting.

    Parameters
    ----------
    found : Found
    field, data : str
    """
    each = {
        name: found.measured(field, name, data) for name in found.experiment.competitors
    }
    return {name: (x.mean(axis=0), x.std(axis=0, ddof=1)) for name, x in each.items()}


def draw_means(axes, found, field: Field, data: str) -> None:
    """Means against the number of samples, with bars of a standard deviation.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets a logarithmic horizontal scale.
    found : Found
        Of an experiment with settings.
    field : Field
    data : str
    """
    experiment = found.experiment
    x = Series(experiment.along, experiment.settings)
    for name, (mean, spread) in means(found, field.name, data).items():
        look = LOOKS[name]
        plot(axes, x, Series(field, mean, experiment.competitors[name].label), look)
        colour = style.COLOURS[look[0]]
        axes.errorbar(x.values, mean, spread, fmt="none", color=colour, linewidth=1)
    axes.set_xscale("log")
    axes.set_xticks(x.values, [f"{m:g}" for m in x.values])
    axes.minorticks_off()


def below(axes, columns: int = 2) -> None:
    """The legend of a panel below all of them.

    Examples
    --------
    >>> figure, panels = style.panels(2)
    >>> lines = panels[0].plot([1, 2], label="a line")
    >>> below(panels[0])
    """
    look = {"loc": "outside lower center", "ncols": columns, "fontsize": 8}
    axes.figure.legend(*axes.get_legend_handles_labels(), **look)


def draw_points(axes, X: np.ndarray, y: np.ndarray) -> None:
    """The first two coordinates, a colour for each label.

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_points(axes, np.eye(2), np.array([-1, 1]))
    """
    for label, colour, marker in ((-1, "blue", "."), (1, "vermilion", "x")):
        chosen = X[y == label]
        look = {"s": 6, "linewidth": 0.6, "color": style.COLOURS[colour]}
        axes.scatter(chosen[:, 0], chosen[:, 1], marker=marker, **look)
    axes.set(xlabel="first coordinate", ylabel="second coordinate", aspect="equal")


def draw_eigenvalues(axes, values: Mapping[str, np.ndarray], most: int) -> None:
    """Eigenvalues against their rank, on a logarithmic scale.

    Parameters
    ----------
    axes : matplotlib Axes
    values : mapping of str to ndarray
        Falling, by name.
    most : int
        So many of them.

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_eigenvalues(axes, {"digits": np.array([1.0, 0.1])}, 2)
    >>> axes.get_yscale()
    'log'
    """
    for (name, some), colour in zip(values.items(), CURVES, strict=False):
        ranks = Series(RANK, np.arange(1, len(some[:most]) + 1))
        plot(axes, ranks, Series(EIGENVALUE, some[:most], name), (colour, "", "-"))
    axes.set_yscale("log")


def draw_vectors(panels, shown: Mapping[str, Leading]) -> None:
    """The first two eigenvectors of several matrices, a panel for each.

    Parameters
    ----------
    panels : sequence of matplotlib Axes
    shown : mapping of str to Leading
        By title.

    Examples
    --------
    >>> figure, panels = style.panels(1)
    >>> draw_vectors(panels, {"kernel": Leading(np.ones(2), np.eye(2))})
    >>> panels[0].get_title()
    'kernel'
    """
    most = 1.1 * max(np.abs(each.vectors).max() for each in shown.values())
    for axes, (title, leading) in zip(panels, shown.items(), strict=True):
        label_axes(axes, POINT, ENTRY)
        places = np.arange(len(leading.vectors))
        second, first = leading.vectors[:, 1], leading.vectors[:, 0]
        for values, colour, told in (
            (second, "orange", "second"),
            (first, "blue", "first"),
        ):
            colour = style.COLOURS[colour]
            axes.plot(places, values, ".", markersize=2, color=colour, label=told)
        middle = len(places) / 2
        axes.axvline(middle, color="black", linewidth=0.8, linestyle=":")
        axes.set_xticks([middle / 2, 1.5 * middle], ["left", "right"])
        axes.set(title=title, ylim=(-most, most))
    panels[0].legend(markerscale=4)


LEVEL = 0.05


def compared(found, other: str, data: str, level: float = LEVEL) -> list[str]:
    """Paired t-tests of Nyström features against another map, by setting.

    Parameters
    ----------
    found : Found
    other : str
        The other competitor.
    data : str
    level : float

    Returns
    -------
    list of str
        ``better`` or ``worse``, said of Nyström features, where the test rejects equal
        means at that level; else ``open``.
    """
    ours, theirs = (found.measured("error", x, data) for x in ("nystrom", other))
    out = []
    for test in (ttest_rel(a, b) for a, b in zip(ours.T, theirs.T, strict=True)):
        told = "better" if test.statistic < 0 else "worse"
        # Equal errors in every draw leave no test.
        out.append(told if test.pvalue < level else "open")
    return out


def rows_of(found, data: str) -> list[tuple[str, ...]]:
    """Rows of a table: errors with their deviations, and what t-tests say.

    Parameters
    ----------
    found : Found
        Of `findings.ON_DATA` or `findings.WITH_500`.
    data : str
    """
    of = means(found, "error", data)
    others = [compared(found, name, data) for name in of if name != "nystrom"]
    rows = []
    for place, count in enumerate(found.experiment.settings or [findings.MOST_ON_DATA]):
        cells = [f"{mean[place]:.1f} ({each[place]:.1f})" for mean, each in of.values()]
        told = (each[place] for each in others)
        rows.append((data, f"{count:g}", *cells, *told))
    return rows


def rates(found) -> style.Table:
    """The slopes of `findings.RATES`, their intervals, and what these say.

    Parameters
    ----------
    found : Found
    """
    names = found.experiment.competitors
    rows = []
    for data in found.experiment.data:
        cells = []
        for name in names:
            slopes = found.measured("slope", name, data)[:, 0]
            mean, low, high, _ = mean_interval(slopes, LEVEL / 2)
            cells.append(f"{mean:.2f} ({low:.2f}, {high:.2f}): {verdict(low, high)}")
        rows.append((data, *cells))
    return style.Table(("data", *(each.label for each in names.values())), rows)
