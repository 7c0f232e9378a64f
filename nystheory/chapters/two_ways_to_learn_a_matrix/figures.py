"""Known columns, shadows, inner products, values and vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.patches import Rectangle
from matplotlib.ticker import LogLocator

from nystheory import lowrank, sampling, style
from nystheory.chapters.two_ways_to_learn_a_matrix.experiments import (
    COLUMNS,
    GROUP,
    METHODS,
    NYSTROM,
)
from nystheory.engine.findings import Field
from nystheory.engine.findings.found import LEVEL
from nystheory.engine.trial.statistics import Interval, mean_interval
from nystheory.style import COLOUR_MAP

# Colour and marker of the data that are drawn.
LOOKS = {
    "linear digits": ("blue", "o"),
    "RBF digits": ("orange", "s"),
    "linear patches": ("green", "^"),
    "documents": ("purple", "D"),
}


def gaps(found, method: str, field: Field, data: str) -> list[Interval]:
    """What is measured of a method less that of Column-sampling, by setting.

    Parameters
    ----------
    found : Found
        Of `findings.SPECTRA`.
    method : str
        A competitor.
    field : Field
    data : str

    Returns
    -------
    list of Interval
        Of means over draws, with limits for all settings together.
    """
    paired = found.measured(field.name, method, data) - found.measured(
        field.name, "columns", data
    )
    return [mean_interval(each, LEVEL / paired.shape[1]) for each in paired.T]


def draw_differences(axes, found, method: str, field: Field) -> None:
    """Draw, group by group, accuracy minus that of Column-sampling, with limits.

    Parameters
    ----------
    axes : matplotlib Axes
    found : Found
        Of `findings.SPECTRA`.
    method : str
        A competitor.
    field : Field
    """
    experiment = found.experiment
    shifts = np.linspace(-0.21, 0.21, len(experiment.shown))
    for shift, data in zip(shifts, experiment.shown, strict=True):
        colour, marker = LOOKS[data]
        groups = gaps(found, method, field, data)
        centres = [group.estimate for group in groups]
        reach = [group.high - group.estimate for group in groups]
        places = np.arange(len(groups)) + shift
        look = {"color": style.COLOURS[colour], "capsize": 2.5, "linewidth": 1.4}
        axes.errorbar(places, centres, reach, fmt=marker, label=data, **look)
    names = [f"{start}–{start + GROUP - 1}" for start in experiment.settings]
    axes.set_xticks(range(len(names)), names)
    axes.set_xlabel("singular pairs, by index")
    columns = experiment.competitors["columns"].label
    axes.set_ylabel(f"{field.axis},\nminus that of {columns}")
    axes.grid(False, axis="x")
    axes.axhline(0, color="black", linewidth=1)


def table_of_means(found, field: Field) -> style.Table:
    """A field in the mean over draws, a method a row, a data set a column.

    Parameters
    ----------
    found : Found
    field : Field
    """
    experiment = found.experiment
    rows = [
        (each.label, *(f"{mean(found, field, name, data):.2f}" for data in found.draws))
        for name, each in experiment.competitors.items()
    ]
    return style.Table(("", *found.draws), rows, f"{field.axis}, mean over draws.")


def mean(found, field: Field, name: str, data: str) -> float:
    """Of a field over draws.

    Parameters
    ----------
    found : Found
    field : Field
    name : str
        The competitor.
    data : str
    """
    return float(found.measured(field.name, name, data).mean())


def table_of_digits(found) -> style.Table:
    """How many digits each recipe gets right, in the mean over draws, in both units.

    Parameters
    ----------
    found : Found
        Of `findings.INVERSION`.
    """
    experiment = found.experiment
    cases = [(f, data) for data in experiment.shown for f in experiment.fields]
    rows = [
        (each.label, *(f"{mean(found, f, name, data):.1f}" for f, data in cases))
        for name, each in experiment.competitors.items()
    ]
    heads = [
        f"{data}, {'$K$' if f.name == 'right' else '$10^{-8} K$'}" for f, data in cases
    ]
    told = f"{experiment.fields[0].axis}, mean over draws."
    return style.Table(("how $W$ is inverted", *heads), rows, told)


def plot_columns(K: np.ndarray, landmarks: Sequence[int]):
    """A matrix of which some columns are known, and the blocks that they make.

    Parameters
    ----------
    K : ndarray (n, n)
    landmarks : sequence of int, length l

    Returns
    -------
    BookFigure
        Left the columns at their places; right rows and columns reordered with the
        landmarks first.

    Examples
    --------
    >>> figure = plot_columns(np.eye(6), [1, 4])
    >>> [text.get_text() for text in figure.axes[1].texts]
    ['$W$', '$K_{21}$', '$K_{21}^\\\\top$', '$K_{22}$\\nunknown']
    """
    n, count = len(K), len(landmarks)
    order = np.r_[landmarks, np.setdiff1d(np.arange(n), landmarks)]
    figure, (left, right) = style.panels(2, height=3.9)
    known = np.zeros((n, n))
    known[:, landmarks] = 1
    _faded(left, K, known)
    left.set(title="$K$, of which $C$ is known", xlabel="column", ylabel="row")
    known = np.zeros((n, n))
    known[:count] = 0.4
    known[:, :count] = 1
    picture = _faded(right, K[np.ix_(order, order)], known)
    for draw in (right.axvline, right.axhline):
        draw(count - 0.5, color="black", linewidth=1.5)
    near, far = (count - 1) / 2, (count + n - 1) / 2
    _on_a_card(right, near, near, "$W$", n)
    _on_a_card(right, near, far, "$K_{21}$", n)
    _on_a_card(right, far, near, "$K_{21}^\\top$", n)
    right.text(far, far, "$K_{22}$\nunknown", ha="center", va="center", fontsize=12)
    right.set(title="landmarks first", xlabel="column, in the new order")
    right.set_ylabel("row, in the new order")
    figure.colorbar(picture, ax=[left, right], label="entry", shrink=0.85)
    return figure


def _on_a_card(axes, x, y, label, n):
    """A label over a picture, on a card that is drawn dark on dark pages."""
    wide, high = 0.13 * n, 0.1 * n
    look = {"facecolor": "white", "alpha": 0.85, "edgecolor": "none", "zorder": 2}
    axes.add_patch(Rectangle((x - wide / 2, y - high / 2), wide, high, **look))
    axes.text(x, y, label, ha="center", va="center", fontsize=12, zorder=3)


def _faded(axes, matrix, known):
    axes.set_facecolor("#e4e4e4")
    axes.grid(False)
    return axes.imshow(matrix, cmap=COLOUR_MAP, alpha=known, interpolation="nearest")


def plot_shadows(X: np.ndarray, landmark: int):
    """Points of the plane, their shadows on one of them, and the squared lengths.

    Parameters
    ----------
    X : ndarray (2, n)
        Points as columns.
    landmark : int

    Returns
    -------
    BookFigure

    Examples
    --------
    >>> len(plot_shadows(np.array([[1.0, 1.0], [0.0, 2.0]]), 0).axes)
    2
    """
    direction = X[:, landmark] / np.linalg.norm(X[:, landmark])
    along = direction @ X
    shadows = np.outer(direction, along)
    figure, (left, right) = style.panels(2, height=3.3)
    ends = np.outer(direction, [min(0, along.min()) - 0.3, along.max() + 0.3])
    left.plot(*ends, color=style.COLOURS["grey"], linewidth=1)
    for point, shadow in zip(X.T, shadows.T, strict=True):
        left.plot(*np.column_stack([point, shadow]), ":", color=style.COLOURS["grey"])
    left.plot(*X, "o", color=style.COLOURS["orange"], label="points")
    left.plot(*shadows, "D", color=style.COLOURS["blue"], label="shadows")
    left.plot(*X[:, landmark], "o", color="black", markersize=8, label="landmark")
    left.plot(0, 0, "+", color="black", markersize=9)
    left.set(aspect="equal", xlabel="first coordinate", ylabel="second coordinate")
    left.legend(fontsize=9)
    places = np.arange(X.shape[1])
    look = {"width": 0.36}
    right.bar(places - 0.19, (X**2).sum(axis=0), color=style.COLOURS["orange"], **look)
    right.bar(places + 0.19, along**2, color=style.COLOURS["blue"], hatch="//", **look)
    right.set_xticks(places, places + 1)
    right.set(xlabel="point $i$", ylabel="squared length")
    right.legend(["$K_{ii}$", "$\\tilde K_{ii}$"], fontsize=9)
    return figure


def plot_grams(grams: Mapping[str, np.ndarray]):
    """Inner products of vectors that should be orthonormal, without their signs.

    Parameters
    ----------
    grams : mapping of str to ndarray (k, k)
        By title.

    Returns
    -------
    BookFigure

    Examples
    --------
    >>> len(plot_grams({"a": np.eye(2), "b": np.ones((2, 2))}).axes)
    3
    """
    figure, axes = style.panels(len(grams), height=3.5)
    top = max(np.abs(gram).max() for gram in grams.values())
    for panel, (title, gram) in zip(axes, grams.items(), strict=True):
        k = len(gram)
        ticks = [1, *range(10, k + 1, 10)] if k >= 10 else np.arange(k) + 1
        picture = panel.imshow(
            np.abs(gram),
            cmap=COLOUR_MAP,
            vmin=0,
            vmax=top,
            interpolation="nearest",
            extent=(0.5, k + 0.5, k + 0.5, 0.5),
        )
        panel.grid(False)
        panel.set(title=title, xlabel="vector $j$", ylabel="vector $i$")
        panel.set(xticks=ticks, yticks=ticks)
    label = "$|\\tilde u_i^\\top \\tilde u_j|$"
    figure.colorbar(picture, ax=axes, label=label, shrink=0.85)
    return figure


def plot_values(matrices: Mapping, n_landmarks: int, rank: int, seed: int = 0):
    """Singular values and what one sample of columns makes of them.

    Parameters
    ----------
    matrices : mapping of str to KernelMatrix
        One panel each.
    n_landmarks, rank : int
    seed : int

    Returns
    -------
    BookFigure

    Examples
    --------
    >>> figure = plot_values({"diagonal": np.diag([3.0, 2.0, 1.0])}, 2, 2)
    >>> len(figure.axes[0].lines)
    3
    """
    figure, axes = style.panels(len(matrices), height=3.3)
    for panel, (name, K) in zip(axes, matrices.items(), strict=True):
        landmarks = sampling.uniform(K, n_landmarks, np.random.default_rng(seed))
        exact = lowrank.best_rank_k(K, rank).eigenvalues
        panel.plot(np.arange(1, len(exact) + 1), exact, color="black", label="exact")
        looks = zip((NYSTROM, COLUMNS), ("blue", "vermilion"), "os", strict=True)
        for method, colour, marker in looks:
            values = METHODS[method](K, landmarks, rank).eigenvalues
            look = {"color": style.COLOURS[colour], "markersize": 3.5}
            indices = np.arange(1, len(values) + 1)
            panel.plot(indices, values, marker, label=method, **look)
        panel.set(yscale="log", xlabel="index $j$", title=name)
        panel.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        panel.yaxis.set_major_formatter("{x:g}")
        panel.yaxis.set_minor_formatter("")
    axes[0].set_ylabel("singular value")
    axes[-1].legend(fontsize=9)
    return figure
