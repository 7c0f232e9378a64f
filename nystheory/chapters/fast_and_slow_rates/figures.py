"""How exponents and excess risks are drawn, and what intervals for slopes say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.patches import Patch
from scipy.stats import t

from nystheory import style
from nystheory.chapters.fast_and_slow_rates.experiments import exponent, verdict
from nystheory.chapters.fast_and_slow_rates.theorems.rates import ROWS
from nystheory.engine.findings import Field, Series
from nystheory.engine.findings.fields import label_axes, plot
from nystheory.engine.trial.statistics import Interval, mean_interval

SOURCE = Field("r", "exponent $r$ of the approximation error")
NOISE = Field("gamma", r"noise exponent $\gamma$")
DECAY = Field("p", "exponent $p$ of the effective dimension")
RATE = Field("rate", "exponent of the rate")
NUMBER = Field("number", "exponent of the columns")
# Contours of the first figure.
LEVELS = (0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.4, 1.6)
# Two limits make an interval of 95 percent.
LEVEL = 0.025

SHOWN_ROWS = {
    "subspace": ("slow, (32)", ("grey", "", ":")),
    "random features": ("random features", ("orange", "", "-.")),
    "hinge, well specified": ("hinge loss, (42)", ("vermilion", "", "-")),
    "square, well specified": ("square loss, Corollary 13", ("blue", "", "--")),
}
LOOKS = {
    "few": ("blue", "o", "-"),
    "slow": ("vermilion", "s", "--"),
    "all": ("grey", "D", ":"),
    "more": ("green", "^", "-."),
    "half": ("orange", "v", "--"),
    "first": ("vermilion", "s", "--"),
    "own": ("green", "^", "-"),
    "square": ("blue", "o", "-."),
}


# ---- exponents ----


def quotient(r, gamma) -> np.ndarray:
    """The exponent of columns for the hinge loss over that for the square loss.

    Both for the same rate of the 0-1 loss: below 1 the hinge loss needs fewer columns.

    Examples
    --------
    >>> float(quotient(0.5, 0.5)), float(quotient(1, 1))
    (1.0, 2.0)
    """
    return np.divide(np.add(r, 1), np.subtract(2, gamma))


def draw_levels(axes) -> None:
    """Contours of `quotient`, and the line where neither loss is cheaper.

    Parameters
    ----------
    axes : matplotlib Axes

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_levels(axes)
    >>> axes.get_xlabel()
    'exponent $r$ of the approximation error'
    """
    label_axes(axes, SOURCE, NOISE)
    r, gamma = np.meshgrid(np.linspace(0, 1, 101), np.linspace(0, 1, 101))
    values = quotient(r, gamma)
    shades = [style.COLOURS["sky"], style.COLOURS["orange"]]
    axes.contourf(r, gamma, values, [0.5, 1, 2], colors=shades, alpha=0.35)
    widths = [2.5 if level == 1 else 1 for level in LEVELS]
    lines = axes.contour(r, gamma, values, LEVELS, colors="black", linewidths=widths)
    axes.clabel(lines, fmt="%g", fontsize=9)
    losses = ("fewer columns for the hinge loss", "fewer for the square loss")
    patches = [
        Patch(facecolor=shade, alpha=0.35, label=words)
        for shade, words in zip(shades, losses, strict=True)
    ]
    look = {"loc": "outside lower center", "ncols": 2, "fontsize": 8.5}
    axes.figure.legend(handles=patches, **look)
    axes.set(xlim=(0, 1), ylim=(0, 1))


def of_rows(field: str, p: np.ndarray) -> dict[str, np.ndarray]:
    """An exponent of each row that is drawn, against p.

    Parameters
    ----------
    field : str
        ``"rate"`` or ``"columns"``.
    p : ndarray (k,)

    Examples
    --------
    >>> of_rows("rate", np.array([0.5]))["random features"].tolist()
    [0.5]
    """
    return {
        name: np.array([exponent(getattr(ROWS[name], field), capacity=x) for x in p])
        for name in SHOWN_ROWS
    }


def draw_exponents(panels) -> None:
    """Exponents of the rate and of the number of columns against p.

    Parameters
    ----------
    panels : sequence of matplotlib Axes
        Two.

    Examples
    --------
    >>> figure, panels = style.panels(2)
    >>> draw_exponents(panels)
    >>> panels[1].get_ylabel()
    'exponent of the columns'
    """
    p = np.linspace(0.01, 0.99, 50)
    for axes, field, name in zip(
        panels, (RATE, NUMBER), ("rate", "columns"), strict=True
    ):
        for row, values in of_rows(name, p).items():
            label, look = SHOWN_ROWS[row]
            plot(axes, Series(DECAY, p), Series(field, values, label), look)
    below(panels[0])


# ---- excess risks ----


def below(axes, columns: int = 2) -> None:
    """The legend of a panel below all of them.

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> lines = axes.plot([1, 2], label="a line")
    >>> below(axes)
    """
    look = {"loc": "outside lower center", "ncols": columns, "fontsize": 8.5}
    axes.figure.legend(*axes.get_legend_handles_labels(), **look)


def means(found, data: str, field: str = "excess") -> dict[str, np.ndarray]:
    """Means over draws, for each number of points, by competitor.

    Parameters
    ----------
    found : Found
    data, field : str
    """
    names = found.experiment.competitors
    return {name: found.measured(field, name, data).mean(axis=0) for name in names}


def draw_excess(axes, found, data: str) -> None:
    """Mean excess risks against the number of points, and the promised slope.

    Parameters
    ----------
    axes : matplotlib Axes
        Gets logarithmic scales.
    found : Found
    data : str
    """
    experiment = found.experiment
    field = experiment.measured["excess"]
    n = Series(experiment.along, experiment.settings)
    drawn = means(found, data)
    for name, values in drawn.items():
        label = experiment.competitors[name].label
        plot(axes, n, Series(field, values, label), LOOKS[name])
    best = min(drawn, key=lambda name: drawn[name][-1])
    promised = found.measured("promised", best, data)[0, 0]
    sizes = np.array(experiment.settings, dtype=float)
    # A little below the lowest curve, where it crosses none.
    line = 0.6 * drawn[best][0] * (sizes / sizes[0]) ** promised
    axes.plot(sizes, line, color="black", linewidth=1, label="promised slope")
    axes.set(xscale="log", yscale="log", title=data)
    axes.set_xticks(sizes[::2], [f"{x:g}" for x in sizes[::2]])
    axes.minorticks_off()


def draw_all(found):
    """A panel for each problem that the page shows.

    Parameters
    ----------
    found : Found
        Of an experiment of `findings`.
    """
    figure, panels = style.panels(len(found.experiment.shown), height=3.8)
    for axes, data in zip(panels, found.experiment.shown, strict=True):
        draw_excess(axes, found, data)
        axes.set_title(data, fontsize=9.5)
        if axes is not panels[0]:
            axes.set_ylabel("")
    below(panels[0], 3)
    return figure


# ---- slopes ----


def slope_of(found, name: str, data: str) -> Interval:
    """The mean slope of a competitor, and its 95 percent interval.

    Parameters
    ----------
    found : Found
    name, data : str
    """
    return mean_interval(found.measured("slope", name, data)[:, 0], LEVEL)


def said_of(found, name: str, data: str) -> str:
    """What the interval of a slope says of the rate that is promised.

    Parameters
    ----------
    found : Found
    name, data : str
    """
    seen = slope_of(found, name, data)
    promised = found.measured("promised", name, data)[0, 0]
    return verdict(seen.low, seen.high, promised)


def verdicts(found, names: Sequence[str] = ()) -> style.Table:
    """Slopes with their intervals, and what these say of the promised rates.

    Parameters
    ----------
    found : Found
    names : sequence of str
        Competitors; all of them by default.
    """
    names = names or tuple(found.experiment.competitors)
    rows = []
    for data in found.experiment.data:
        cells = []
        for name in names:
            seen = slope_of(found, name, data)
            limits = f"{seen.estimate:.2f} ({seen.low:.2f}, {seen.high:.2f})"
            cells.append(f"{limits}: {said_of(found, name, data)}")
        promised = found.measured("promised", names[0], data)[0, 0]
        rows.append((data, f"{promised:.2f}", *cells))
    labels = [found.experiment.competitors[name].label for name in names]
    return style.Table(("problem", "promised", *labels), rows)


def draws_to_tell(slopes: np.ndarray, apart: float) -> int:
    """How many draws make an interval that holds but one of two slopes.

    Parameters
    ----------
    slopes : ndarray (T,)
        Of independent draws.
    apart : float
        The difference of two slopes.

    Returns
    -------
    int
        The least number of draws whose 95 percent interval, with this deviation of
        slopes, is shorter than the difference.

    Examples
    --------
    >>> draws_to_tell(np.array([-1.0, 1.0, 0.0]), 0.5)
    64
    """
    spread = np.std(slopes, ddof=1)
    counts = np.arange(2, 100_000)
    lengths = 2 * t.isf(LEVEL, counts - 1) * spread / np.sqrt(counts)
    return int(counts[np.argmax(lengths < apart)])


def quotients(found, name: str, other: str, data: str) -> np.ndarray:
    """The excess risk of one competitor over that of another, both means over draws.

    Parameters
    ----------
    found : Found
    name, other, data : str

    Returns
    -------
    ndarray (settings,)
    """
    drawn = means(found, data)
    return drawn[name] / drawn[other]
