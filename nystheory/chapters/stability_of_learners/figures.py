"""How far hypotheses moved, beside their bounds."""

from __future__ import annotations

from matplotlib.ticker import NullFormatter

from nystheory.chapters.stability_of_learners import experiments, findings
from nystheory.engine.findings.fields import Series, plot

_LOOKS = {
    "bound": ("vermilion", "", "--"),
    "small ridge": ("green", "", "-."),
    "residual": ("orange", "", ":"),
    "printed": ("vermilion", "", "--"),
    "sharper": ("green", "", "-."),
    "farthest": ("grey", "", "-"),
    "test": ("blue", "o", "-"),
    "mean": ("blue", "s", "-"),
}


def shown(moves: experiments.Moves, bounds: dict[str, str]) -> dict[str, Series]:
    """What a panel shows of some moves: the bounds, and what is observed.

    Parameters
    ----------
    moves : Moves
    bounds : dict of str to str
        Labels, as in `findings.OF_RIDGE`.
    """
    names = bounds | dict(reversed(findings.OBSERVED.items()))
    return {
        name: Series(findings.CHANGE, findings.changes(moves, name), label)
        for name, label in names.items()
    }


# The data as the text calls them.
_TITLES = {"diabetes": "patients", "breast_cancer": "cell samples"}
_TITLES |= {"robot_arm": "robot arm"}


def _draw_both(panels, both, bounds):
    for axes, moves in zip(panels, both, strict=True):
        x = Series(findings.ERROR, moves.relative)
        for name, series in shown(moves, bounds).items():
            plot(axes, x, series, _LOOKS[name])
        title = _TITLES.get(moves.name, moves.name)
        axes.set(xscale="log", yscale="log", title=title)
        axes.xaxis.set_minor_formatter(NullFormatter())  # two decades have no room
    panels[1].set_ylabel("")
    drawn = panels[0].get_legend_handles_labels()
    below = {"loc": "outside lower center", "ncols": 3, "fontsize": 8}
    panels[0].figure.legend(*drawn, **below)


def draw_ridge(
    panels,
    both: tuple[experiments.Moves, experiments.Moves],
    fewer: tuple[experiments.Moves, experiments.Moves],
) -> None:
    """Draw the changes of ridge regression against the error of the matrix.

    Parameters
    ----------
    panels : two matplotlib Axes
        Get logarithmic scales.
    both, fewer : (Moves, Moves)
        Of all points; and of some, the mean change alone.

    Examples
    --------
    >>> import numpy as np
    >>> from nystheory import datasets, style
    >>> rng = np.random.default_rng(0)
    >>> small = experiments.split(datasets.diabetes(), 0.1, rng, 40)
    >>> moves = experiments.ridge_moves(small, rng, [0.1, 0.5], 1)
    >>> draw_ridge(style.panels(2)[1], (moves, moves), (moves, moves))
    """
    for axes, moves in zip(panels, fewer, strict=True):
        label = f"{findings.OBSERVED['mean']}, fewer points"
        mean = Series(findings.CHANGE, moves.mean, label)
        x = Series(findings.ERROR, moves.relative)
        plot(axes, x, mean, ("purple", "^", "-"))
    _draw_both(panels, both, findings.OF_RIDGE)


def draw_vectors(panels, both: tuple[experiments.Moves, experiments.Moves]) -> None:
    """Draw the changes of a support vector machine and of support vector regression.

    Parameters
    ----------
    panels : two matplotlib Axes
        Get logarithmic scales.
    both : (Moves, Moves)

    Examples
    --------
    >>> import numpy as np
    >>> from nystheory import datasets, style
    >>> rng = np.random.default_rng(0)
    >>> small = experiments.split(datasets.diabetes(), 0.1, rng, 40)
    >>> moves = experiments.vector_moves(small, 1.0, rng, 0.1, [0.1, 0.5], 1)
    >>> draw_vectors(style.panels(2)[1], (moves, moves))
    """
    _draw_both(panels, both, findings.OF_VECTORS)


def draw_graphs(panels, both: dict[str, experiments.Spreads]) -> None:
    """Draw how far labels on graphs moved, as shares of their size.

    Parameters
    ----------
    panels : two matplotlib Axes
        Get logarithmic scales.
    both : dict of str to Spreads
        By title.

    Examples
    --------
    >>> import numpy as np
    >>> from nystheory import datasets, style
    >>> rng, cells = np.random.default_rng(0), datasets.breast_cancer(60)
    >>> found = experiments.graph_moves(cells, 0.05, 1.0, [5, 30], rng, 10)
    >>> draw_graphs(style.panels(2)[1], {"cells": found, "again": found})
    """
    looks = {"bound": ("green", "", "-."), "moved": ("blue", "o", "-")}
    for axes, (title, found) in zip(panels, both.items(), strict=True):
        x = Series(findings.LAPLACIAN, found.relative)
        for name, series in spreads(found).items():
            plot(axes, x, series, looks[name])
        axes.set(xscale="log", yscale="log", title=title)
        axes.xaxis.set_minor_formatter(NullFormatter())  # two decades have no room
    panels[1].set_ylabel("")
    panels[0].legend(fontsize=8)


def spreads(found: experiments.Spreads) -> dict[str, Series]:
    """What a panel shows of labels that moved, as shares of the size of all.

    Parameters
    ----------
    found : Spreads
    """
    return {
        name: Series(findings.SPREAD, getattr(found, name) / found.size, each.label)
        for name, each in findings.OF_GRAPHS.items()
    }
