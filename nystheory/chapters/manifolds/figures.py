"""Heads at their places, rolls and strips, and what the methods are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nystheory import datasets, manifold, style
from nystheory.chapters.manifolds import experiments, findings, rolls, spectrum
from nystheory.engine.findings.experiments import STYLES, Sweep
from nystheory.engine.report.curves import count_axis, curve
from nystheory.engine.report.slider import Frame, Slider

# Colour and marker of a matrix, and of a noise.
LOOKS = {**STYLES, "heads, linear": ("vermilion", "X")}
NOISES = (("blue", "o"), ("vermilion", "^"))
MOVES = {
    findings.BOUND: ("vermilion", "", "--"),
    findings.SQUARES: ("grey", "s", "-."),
    findings.MOVED: ("blue", "o", "-"),
}


def apart(places: np.ndarray, distance: float) -> list[int]:
    """Points of which no two are nearer, coordinate by coordinate, than a distance.

    Examples
    --------
    >>> apart(np.array([[0.0, 0.0], [0.1, 0.0], [1.0, 0.0]]), 0.5)
    [0, 2]
    """
    kept = []
    for i, place in enumerate(places):
        if all(abs(places[j] - place).max() >= distance for j in kept):
            kept.append(i)
    return kept


def draw_heads(axes, X: np.ndarray, places: np.ndarray, across: int = 18) -> int:
    """Draw pictures at their places, as many as do not cover one another.

    Parameters
    ----------
    axes : matplotlib Axes
    X : ndarray (n, size^2)
        Pictures; what is 0 is not drawn.
    places : ndarray (n, 2)
    across : int
        How many pictures would stand side by side.

    Returns
    -------
    int
        How many are drawn.

    Examples
    --------
    >>> from nystheory import datasets
    >>> X = datasets.poses(3, np.random.default_rng(0), 8).X
    >>> figure, (axes,) = style.panels(1)
    >>> draw_heads(axes, X, np.array([[0.0, 0.0], [5.0, 0.0], [0.0, 9.0]]))
    3
    """
    width = np.ptp(places[:, 0]) / across
    size, kept = round(np.sqrt(X.shape[1])), apart(places, width)
    half = 0.5 * width
    for i in kept:
        x, y = places[i]
        grey = X[i].reshape(size, size)
        picture = np.dstack([grey, grey, grey, grey > 0]).astype(float)
        extent = (x - half, x + half, y - half, y + half)
        axes.imshow(np.clip(picture, 0, 1), extent=extent, interpolation="none")
    axes.set_xlim(places[:, 0].min() - half, places[:, 0].max() + half)
    axes.set_ylim(places[:, 1].min() - half, places[:, 1].max() + half)
    axes.set(xlabel="coordinate 1", ylabel="coordinate 2", xticks=[], yticks=[])
    axes.set_aspect("equal")
    return len(kept)


def draw_walk(side, flat, found: rolls.Walk) -> None:
    """Draw the roll from its side, and laid flat, with a path on both.

    Examples
    --------
    >>> figure, (side, flat) = style.panels(2)
    >>> draw_walk(side, flat, rolls.walk(400, 8))
    """
    seen = found.X[:, [0, 2]]
    # From the side the path would cover the strip: larger points, a thinner line.
    for axes, places, size, width in ((side, seen, 40, 1), (flat, found.flat, 7, 1.6)):
        _points(axes, places, found.angle, size)
        line = {"color": "black", "linewidth": width, "label": "geodesic"}
        axes.plot(*places[found.path].T, **line)
        axes.set(xticks=[], yticks=[])
    ends = seen[found.path[[0, -1]]]
    line = {"color": style.COLOURS["vermilion"], "linewidth": 1.6}
    side.plot(*ends.T, "--", label="straight", **line)
    side.set(title="from the side")
    flat.set(title="Isomap", xlabel="coordinate 1", ylabel="coordinate 2")
    for axes in (side, flat):
        axes.set_aspect("equal")
    side.legend(fontsize=8.5, loc="upper left")


def draw_preserved(axes, sweeps: Mapping[str, Sweep]) -> None:
    """Draw how much better Nyström keeps distances, for each matrix.

    Examples
    --------
    >>> from nystheory import kernels
    >>> K = kernels.linear(np.diag([3.0, 2.0, 1.0]))
    >>> figure, (axes,) = style.panels(1)
    >>> draw_preserved(axes, {"digits, RBF": experiments.preserved(K, 1, [1, 2], 3)})
    """
    for name, sweep in sweeps.items():
        colour, marker = LOOKS[name]
        gaps = sweep.difference(experiments.NYSTROM, experiments.COLUMNS)
        middle = np.array([gap.estimate for gap in gaps])
        low, high = np.array([(gap.low, gap.high) for gap in gaps]).T
        bars = np.maximum([middle - low, high - middle], 0)
        look = {"color": style.COLOURS[colour], "marker": marker, "capsize": 3}
        axes.errorbar(sweep.settings, middle, bars, label=name, **look)
    axes.axhline(0, color="black", linewidth=1)
    axes.set(xscale="log", ylabel="Nyström less Column-sampling")
    count_axis(axes, sweep.settings)
    axes.legend(fontsize=8.5, loc="upper left", bbox_to_anchor=(1, 1))


def draw_projections(
    panels: Sequence, found: Mapping[str, np.ndarray], seen: experiments.Heads
) -> None:
    """Draw the two leading coordinates, coloured by pose, a panel for each method.

    Examples
    --------
    >>> seen = experiments.heads(300)
    >>> found = experiments.coordinates(seen, 2, range(40), exact=False)
    >>> figure, panels = style.grid()
    >>> draw_projections(panels, found, seen)
    """
    side = np.zeros(seen.pose.max() + 1)
    for pose in np.unique(seen.pose):
        side[pose] = seen.angles[seen.pose == pose, 0].mean()
    last = None
    for axes, (name, places) in zip(panels, found.items(), strict=True):
        last = _points(axes, places[:, :2], side[seen.pose])
        axes.set(title=name, xticks=[], yticks=[])
    bar = last.figure.colorbar(last, ax=list(panels), shrink=0.6)
    bar.set_label("degrees to the side, of the pose")
    for axes in panels[-2:]:
        axes.set_xlabel("coordinate 1")
    for axes in panels[::2]:
        axes.set_ylabel("coordinate 2")


def draw_spectrum(axes, found: spectrum.Spectrum, count: int = 40) -> None:
    """Draw the eigenvalues of largest modulus.

    Examples
    --------
    >>> circle = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]
    >>> from nystheory import manifold
    >>> figure, (axes,) = style.panels(1)
    >>> graph = manifold.neighbours(circle, 2).graph()
    >>> draw_spectrum(axes, spectrum.spectrum(graph), 3)
    """
    values = found.values[:count] / found.values[0]
    places = np.arange(1, len(values) + 1)
    for sign, colour, label in (
        (1, "blue", "positive"),
        (-1, "vermilion", "negative"),
    ):
        of = sign * values > 0
        heights = abs(values[of])
        axes.bar(places[of], heights, color=style.COLOURS[colour], label=label)
    axes.set(yscale="log", xlabel="number", ylabel="modulus, by the first")
    axes.legend(fontsize=8.5)


def draw_bridges(axes, found: Mapping[float, Sequence[rolls.Bridges]]) -> None:
    """Draw how well a roll is unrolled against the number of neighbours.

    Parameters
    ----------
    axes : matplotlib Axes
    found : mapping of float to (Bridges, Bridges)
        For each noise, without and with an upper limit.

    Examples
    --------
    >>> from nystheory import datasets
    >>> roll = datasets.swiss_roll(300, np.random.default_rng(0))
    >>> figure, (axes,) = style.panels(1)
    >>> some = rolls.bridges(roll, [8, 20])
    >>> draw_bridges(axes, {0.0: (some, some)})
    """
    for (noise, pair), (colour, marker) in zip(found.items(), NOISES, strict=False):
        for one, dashes, words in zip(
            pair, ("-", ":"), ("no limit", "limit"), strict=True
        ):
            look = (colour, marker if dashes == "-" else "", dashes)
            curve(axes, one.counts, one.along, look, f"noise {noise:g}, {words}")
    axes.set(ylim=(0, 1.05), ylabel="correlation along the strip")
    axes.set_xlabel("neighbours $t$")
    axes.legend(fontsize=8)


def draw_unrolled(axes, places: np.ndarray, angle: np.ndarray, title: str) -> None:
    """Draw a roll in two coordinates, coloured along the strip.

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_unrolled(axes, np.eye(2), np.arange(2.0), "two points")
    """
    _points(axes, places, angle)
    axes.set(title=title, xticks=[], yticks=[], xlabel="coordinate 1")
    axes.set_aspect("equal", adjustable="datalim")


def plot_short_circuits(
    data: datasets.Dataset, found: Mapping[int, rolls.Unrolled]
) -> Slider:
    """A roll from its side with its wrong edges, and laid flat, with a slider.

    Parameters
    ----------
    data : Dataset
        The roll.
    found : mapping of int to Unrolled
        By the number of neighbours.

    Returns
    -------
    Slider

    Examples
    --------
    >>> roll = datasets.swiss_roll(300, np.random.default_rng(0))
    >>> plot_short_circuits(roll, {5: rolls.unrolled(roll, 5, n_landmarks=50)})
    Neighbours
    5: Edges between two windings: 0. Correlation with the place along the strip: 1.00.
    """
    frames, seen = [], data.X[:, [0, 2]]
    for count, each in found.items():
        figure, (side, flat) = style.panels(2, height=2.8)
        _points(side, seen[::5], data.y[::5])
        for ends in between_windings(data, count):
            side.plot(*seen[ends].T, color=style.COLOURS["vermilion"], linewidth=3)
        side.set(title=f"{count} neighbours", xticks=[], yticks=[], aspect="equal")
        draw_unrolled(flat, each.places[::5], each.angle[::5], "laid flat")
        words = (
            f"Edges between two windings: {each.edges}. "
            f"Correlation with the place along the strip: {each.along:.2f}."
        )
        frames.append(Frame(f"{count}", words, figure))
    return Slider("Neighbours", frames)


def between_windings(data: datasets.Dataset, n_neighbors: int) -> np.ndarray:
    """The edges of the graph of a roll whose ends are more than half a turn apart.

    Returns
    -------
    ndarray (m, 2)
        Their ends.

    Examples
    --------
    >>> between_windings(datasets.swiss_roll(300, np.random.default_rng(0)), 5).shape
    (0, 2)
    """
    graph = manifold.neighbours(data.X, n_neighbors).graph()
    ends = graph.kept[np.transpose(graph.lengths.tocoo().coords)]
    angle = data.y[ends]
    once = ends[:, 0] < ends[:, 1]
    return ends[once & (abs(angle[:, 0] - angle[:, 1]) > np.pi)]


def means(found, field, name: str, data: str) -> np.ndarray:
    """A field in the mean over draws, one number for each setting.

    Parameters
    ----------
    found : Found
    field : Field
    name : str
        The competitor.
    data : str
    """
    return found.measured(field.name, name, data).mean(axis=0)


def draw_moves(axes, found, data: str) -> None:
    """Draw how far points move, and the bound, in the mean over draws.

    Parameters
    ----------
    axes : matplotlib Axes
    found : Found
        Of `findings.MOVES`.
    data : str
    """
    counts = found.experiment.settings
    for field, look in MOVES.items():
        values = means(found, field, "root", data)
        curve(axes, counts, values, look, field.label)
    (unit,) = {field.unit for field in MOVES}
    axes.set(xscale="log", yscale="log", ylabel=f"relative size, {unit}")
    count_axis(axes, counts, findings.POINTS.label)
    axes.set_yticks([2, 5, 10, 20, 50, 100], [2, 5, 10, 20, 50, 100])
    axes.legend(fontsize=8.5)


def table_of(found, fields: Sequence, data: str, names: Sequence[str]):
    """Fields in the mean over draws at the last setting, a competitor a column.

    Parameters
    ----------
    found : Found
    fields : sequence of Field
    data : str
    names : sequence of str
        Which competitors.
    """
    rows = [
        (field.axis, *(f"{means(found, field, x, data)[-1]:.1f}" for x in names))
        for field in fields
    ]
    labels = (found.experiment.competitors[x].label for x in names)
    return style.Table(("mean over draws", *labels), rows)


def _points(axes, places, values, size=7):
    """Points coloured by a value."""
    look = {"cmap": style.COLOUR_MAP, "s": size, "linewidths": 0}
    return axes.scatter(*places.T, c=values, **look)
