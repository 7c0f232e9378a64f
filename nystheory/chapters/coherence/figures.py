"""Figures of the chapter on coherence: recovery, coherences, failure, errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nystheory import style
from nystheory.chapters.coherence import findings
from nystheory.engine.findings import Field, Series
from nystheory.engine.findings.fields import plot

LOOKS = (
    *(("blue", "o", "-"), ("green", "^", "-."), ("sky", "v", "--")),
    *(("orange", "s", "--"), ("purple", "D", "-."), ("vermilion", "P", "-")),
)
BOUNDS = {
    "uniform": LOOKS[0],
    "leverage": LOOKS[1],
    "structural": LOOKS[3],
    "coherence": LOOKS[5],
    "scores": LOOKS[4],
    "nothing": ("grey", "", "--"),
}


def draw_chances(axes, found: Mapping[str, tuple], counts: Sequence[int]) -> None:
    """Draw probabilities of recovery, and what a theorem promises, dotted.

    Parameters
    ----------
    axes : matplotlib Axes
    found : mapping of str to (ndarray (counts,), ndarray (counts,) or None)
        Probability and promise, by name.
    counts : sequence of int

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_chances(axes, {"all": (np.array([0, 1.0]), None)}, [1, 2])
    """
    for (name, (chance, promise)), look in zip(found.items(), LOOKS, strict=False):
        colour, _, dashes = look
        colour = style.COLOURS[colour]
        axes.plot(counts, chance, dashes, color=colour, label=name)
        if promise is not None:
            axes.plot(counts, promise, ":", color=colour, linewidth=1.3)
    axes.set(xlabel="columns $l$", ylabel="chance that $\\tilde K = K$")


def means(found, field: Field, name: str, data: str) -> np.ndarray:
    """The means over draws of a competitor on one data set, (settings,).

    Parameters
    ----------
    found : Found
    field : Field
    name, data : str
    """
    return found.measured(field.name, name, data).mean(axis=0)


def draw_recovery(axes, found) -> None:
    """Draw mean percent errors of each matrix of the page against the columns.

    Parameters
    ----------
    axes : matplotlib Axes
    found : Found
        Of `findings.RECOVERY`.
    """
    counts = Series(findings.COLUMNS, found.experiment.settings)
    for name, look in zip(found.experiment.shown, LOOKS, strict=True):
        errors = means(found, findings.ERROR, "uniform", name)
        plot(axes, counts, Series(findings.ERROR, errors, name), look)
    axes.legend(fontsize=8.5)


def draw_coherences(axes, found) -> None:
    """Draw mean shares of the largest coherence, in both ways of counting.

    Parameters
    ----------
    axes : matplotlib Axes
    found : Found
        Of `findings.COHERENT`.
    """
    names = list(found.experiment.shown)[::-1]
    ends = np.array(
        [
            [means(found, findings.SHARE, way, name)[0] for way in ("entries", "rows")]
            for name in names
        ]
    )
    for at, pair in enumerate(ends):
        axes.plot(pair, [at, at], "-", color=style.COLOURS["grey"], linewidth=1)
    looks = (("s", 7, "vermilion", "$M$"), ("o", 4, "blue", "$\\mu^2$"))
    for values, (marker, size, colour, label) in zip(ends.T[::-1], looks, strict=True):
        axes.plot(
            values, range(len(names)), marker, markersize=size, label=label,
            color=style.COLOURS[colour],
        )  # fmt: skip
    axes.legend(
        ncols=2, fontsize=9, loc="lower right", bbox_to_anchor=(1, 1),
        borderaxespad=0.1,
    )  # fmt: skip
    axes.set_yticks(range(len(names)), names)
    axes.set(xlim=(0, 102), xlabel=findings.SHARE.axis)


def draw_growth(axes, found, names: Sequence[str]) -> None:
    """Draw the mean coherence mu of submatrices against their size.

    Parameters
    ----------
    axes : matplotlib Axes
    found : Found
        Of `findings.COHERENT`.
    names : sequence of str
        Of data.
    """
    sizes = found.experiment.settings
    for name, look in zip(names, LOOKS[::5], strict=False):
        mu = means(found, findings.COHERENCE, "entries", name)
        shown = Series(findings.COHERENCE, mu, name)
        plot(axes, Series(findings.POINTS, sizes), shown, look)
    axes.plot(sizes, np.sqrt(sizes), ":", color="black", label="$\\sqrt{n}$")
    axes.set_ylim(0)
    axes.legend(fontsize=8.5)


def draw_failure(axes, columns, exact, bound, wanted: float) -> None:
    """Draw a probability of failure, its bound, and the columns that are asked for.

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_failure(axes, [1, 2], [0.5, 0.1], [1, 0.2], 2)
    """
    axes.semilogy(columns, exact, "-", color=style.COLOURS["blue"], label="exact")
    axes.semilogy(columns, bound, "--", color=style.COLOURS["vermilion"], label="bound")
    look = {"color": style.COLOURS["grey"], "linestyle": ":"}
    axes.axvline(wanted, **look, label="_columns by the theorem")
    axes.set(xlabel="columns $l$", ylim=(1e-6, 1.5))


def plot_chosen(found, names: Sequence[str]) -> style.BookFigure:
    """Mean errors against the columns: a panel for each spectrum, a line for each kind.

    Parameters
    ----------
    found : Found
        Of `findings.CHOSEN`.
    names : sequence of str
        Competitors.

    Returns
    -------
    BookFigure
    """
    experiment = found.experiment
    figure, panels = style.panels(len(experiment.shown), height=3.2)
    counts = Series(findings.COLUMNS, experiment.settings)
    for axes, (data, source) in zip(panels, experiment.shown.items(), strict=True):
        for name, look in zip(names, (*LOOKS[:2], *LOOKS[3:]), strict=False):
            errors = means(found, findings.ERROR, name, data)
            plot(
                axes, counts, Series(findings.ERROR, errors, _named(found, name)), look
            )
        best = source.draw(source.size, None).best
        axes.axhline(best, color="black", linestyle=":", linewidth=1)
        axes.set(title=data, ylim=(0, None))
    panels[1].set_ylabel("")
    handles = panels[0].get_legend_handles_labels()
    figure.legend(*handles, ncols=2, loc="outside upper center", fontsize=9)
    return figure


def _named(found, name):
    """The label of a kind of eigenvectors, with both coherences."""
    data = next(iter(found.experiment.shown))
    mu, M = (means(found, f, name, data)[0] for f in (findings.MU, findings.SPACE))
    label = found.experiment.competitors[name].label
    return f"{label}: $\\mu = {mu:.0f}$, $M = {M:.0f}$"


def draw_bounds(axes, found, data: str) -> None:
    """Draw mean trace errors of samples as multiples of the tail, and three bounds.

    No bound is above the trace of K, and one that does not apply is as large.

    Parameters
    ----------
    axes : matplotlib Axes
    found : Found
        Of `findings.BOUNDS`.
    data : str
    """
    counts = found.experiment.settings
    for name, look in BOUNDS.items():
        values = means(found, findings.MISSED, name, data)
        label = found.experiment.competitors[name].label
        shown = Series(findings.MISSED, values, label)
        plot(axes, Series(findings.COLUMNS, counts), shown, look)
    axes.axhline(1, color="black", linestyle=":", linewidth=1)
    axes.set(xscale="log", yscale="log")
    axes.minorticks_off()
    axes.set_xticks(counts, counts)
    axes.legend(fontsize=8.5, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1))
