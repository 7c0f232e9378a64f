"""Pictures of landmarks: where each scheme looks, on points in the plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from nystheory import kernels, lowrank, sampling, style
from nystheory.engine.findings.schemes import ALL, DETERMINISTIC


@dataclass(frozen=True, eq=False)
class Pick:
    """Where the landmarks of one scheme lie, and what they miss.

    Attributes
    ----------
    name : str
    places : ndarray (l, 2)
    missed : float
        The trace of the error as a share of the trace of K.
    """

    name: str
    places: np.ndarray
    missed: float


def picks(
    K: kernels.PointKernel,
    schemes: Sequence[str],
    n_landmarks: int,
    seed: int,
    draws: int = 1,
) -> list[Pick]:
    """The landmarks of some schemes on points in the plane.

    Parameters
    ----------
    K : PointKernel (n, n)
        Of points in the plane.
    schemes : sequence of str
        Names, as in `nystheory.engine.findings.schemes.ALL`.
    n_landmarks : int
    seed : int
    draws : int
        The share that is missed is the mean of so many; shown is the first.

    Returns
    -------
    list of Pick

    Examples
    --------
    >>> from nystheory.engine.findings.experiments import uneven_clusters
    >>> K = kernels.rbf(uneven_clusters((20, 5)), gamma=0.5)
    >>> [pick.name for pick in picks(K, ["uniform", "sgma"], 3, seed=0)]
    ['Uniform', 'SGMA']
    """
    found, trace = [], float(K.diagonal().sum())
    for scheme in schemes:
        errors, shown = [], None
        for draw in range(1 if scheme in DETERMINISTIC else draws):
            rng = np.random.default_rng([seed, draw])
            S = sampling.SCHEMES[scheme](K, n_landmarks, rng)
            errors.append(lowrank.nystrom(K, S).error(K, "trace") / trace)
            shown = S if shown is None else shown
        places = K.points[shown.indices] if shown.points is None else shown.points
        found.append(Pick(ALL[scheme], places, float(np.mean(errors))))
    return found


def draw_picks(X: np.ndarray, picks: Sequence[Pick], *, columns: int = 3) -> Figure:
    """Small multiples: all points, and on them the landmarks of one scheme each.

    Parameters
    ----------
    X : ndarray (n, 2)
    picks : sequence of Pick
    columns : int
        Panels in a row.

    Returns
    -------
    BookFigure
        With the same axes in all panels; titles give the share of the trace missed.

    Examples
    --------
    >>> X = np.arange(6.0).reshape(3, 2)
    >>> len(draw_picks(X, [Pick("Uniform", X[:1], 0.5)]).axes)
    1
    """
    rows = -(-len(picks) // columns)
    with style.figures():
        figure = style.BookFigure(figsize=(7.6, 2.45 * rows))
        grid = figure.subplots(rows, min(columns, len(picks)), sharex=True, sharey=True)
    panels = np.atleast_1d(grid).ravel()
    for axes, pick in zip(panels, picks, strict=True):
        axes.scatter(*X.T, s=5, color=style.COLOURS["grey"], alpha=0.35, linewidth=0)
        axes.scatter(
            *pick.places.T,
            s=34,
            color=style.COLOURS["orange"],
            edgecolor="black",
            linewidth=0.7,
        )
        axes.set_title(f"{pick.name}: {100 * pick.missed:.0f} %", fontsize=10)
        axes.set_aspect("equal")
    for axes in panels[-columns:]:
        axes.set_xlabel("$x_1$")
    for axes in panels[::columns]:
        axes.set_ylabel("$x_2$")
    return figure
