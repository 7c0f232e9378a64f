"""How far hypotheses moved, beside their bounds."""

from __future__ import annotations

from nystheory.chapters.stability_of_learners import experiments
from nystheory.engine.report.curves import curve

_DISTANCE = r"$100\, \|\tilde K - K\|_2 / \|K\|_2$"
# Name of a claim, its look, and what the legend calls it.
_OF_RIDGE = (
    ("bound", ("vermilion", "", "--"), "bound as printed"),
    ("small ridge", ("green", "", "-."), "bound for a small ridge"),
    ("residual", ("orange", "", ":"), "from the residual"),
)
_OF_VECTORS = (
    ("printed", ("vermilion", "", "--"), "bound as printed"),
    ("sharper", ("green", "", "-."), "sharper bound"),
)


def _draw(axes, moves, bounds):
    x = moves.relative
    for name, look, label in bounds:
        curve(axes, x, moves.bounds[name], look, label)
    curve(axes, x, moves.farthest, ("grey", "", "-"), "largest change of all")
    curve(axes, x, moves.largest, ("blue", "o", "-"), "largest change of the test")
    curve(axes, x, moves.mean, ("blue", "s", "-"), "mean change of the test")
    title = moves.name.replace("_", " ")
    axes.set(xscale="log", yscale="log", xlabel=_DISTANCE, title=title)


def _draw_both(panels, both, bounds):
    for axes, moves in zip(panels, both, strict=True):
        _draw(axes, moves, bounds)
    panels[0].set_ylabel("change of the prediction")
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
        look = ("purple", "^", "-")
        curve(axes, moves.relative, moves.mean, look, "mean change, fewer points")
    _draw_both(panels, both, _OF_RIDGE)


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
    _draw_both(panels, both, _OF_VECTORS)


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
    for axes, (title, found) in zip(panels, both.items(), strict=True):
        bound = ("green", "", "-.")
        curve(axes, found.relative, found.bound / found.size, bound, "bound")
        moved = ("blue", "o", "-")
        curve(axes, found.relative, found.moved / found.size, moved, "observed")
        axes.set(xscale="log", yscale="log", title=title)
        axes.set_xlabel(r"$100\, \|L' - L\|_2 / \|L\|_2$")
    panels[0].set_ylabel(r"$\|h' - h\| / \|h\|$")
    panels[0].legend(fontsize=8)
