"""The block that is filled, what is read, a small cluster, functions from nodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory import kernels, lowrank, style
from nystheory.chapters.a_few_columns import findings
from nystheory.engine.findings import Field, Series
from nystheory.engine.findings.fields import label_axes, plot
from nystheory.engine.report.slider import Frame, Slider
from nystheory.style import COLOUR_MAP

X_AXIS, Y_AXIS = Field("x", "x"), Field("phi", "eigenfunction")
FIRST, SECOND = Field("first", "first coordinate"), Field("second", "second coordinate")
NODES = ("blue", "orange", "green")


def plot_filled(K: np.ndarray, landmarks: Sequence[int]):
    """Some columns of a matrix, all of it made from them, and what that misses.

    Parameters
    ----------
    K : ndarray (n, n)
    landmarks : sequence of int, length l

    Returns
    -------
    BookFigure

    Examples
    --------
    >>> len(plot_filled(np.eye(6), [1, 4]).axes)
    5
    """
    filled = lowrank.nystrom(K, landmarks).spectral_reconstruction()
    known = np.zeros_like(K)
    known[:, landmarks] = 1
    figure, axes = style.panels(3, height=3.1, width=8.6)
    pictures = (K, filled, np.abs(K - filled))
    titles = (f"{len(landmarks)} of {len(K)} columns", "filled", "missed")
    limits = [(K.min(), K.max())] * 2 + [(0, K.max())]
    for panel, matrix, title, (low, high) in zip(
        axes, pictures, titles, limits, strict=True
    ):
        panel.set_facecolor("#e4e4e4")
        panel.grid(False)
        look = {"cmap": COLOUR_MAP, "vmin": low, "vmax": high}
        alpha = known if matrix is K else np.ones_like(K)
        drawn = panel.imshow(matrix, alpha=alpha, interpolation="nearest", **look)
        panel.set(title=title, xlabel="column", xticks=[], yticks=[])
        if panel is not axes[0]:
            label = "entry" if panel is axes[1] else "size of the error"
            figure.colorbar(drawn, ax=panel, label=label, shrink=0.75)
    axes[0].set_ylabel("row")
    return figure


def plot_one_by_one(
    K: np.ndarray, landmarks: Sequence[int], kind: np.ndarray, counts: Sequence[int]
) -> Slider:
    """The same for the first columns, with a slider; all of them are shown first.

    Parameters
    ----------
    K : ndarray (n, n)
    landmarks : sequence of int, length l
    kind : ndarray (n,)
        The digit that each picture shows.
    counts : sequence of int
        How many landmarks, frame by frame; the last is shown first.

    Returns
    -------
    Slider

    Examples
    --------
    >>> plot_one_by_one(np.eye(4), [1, 2], np.array([3, 3, 5, 5]), [1, 2])
    Columns that are known
    1 of 4: Digits with a column: 3. Missed: 87 % in the Frobenius norm.
    2 of 4: Digits with a column: 3, 5. Missed: 71 % in the Frobenius norm.
    """
    frames = []
    for count in counts:
        own = landmarks[:count]
        error = lowrank.nystrom(K, own).error(K) / np.linalg.norm(K)
        digits = ", ".join(map(str, np.unique(kind[own])))
        words = (
            f"Digits with a column: {digits}. "
            f"Missed: {100 * error:.0f} % in the Frobenius norm."
        )
        frames.append(Frame(f"{count} of {len(K)}", words, plot_filled(K, own)))
    return Slider("Columns that are known", frames, len(frames) - 1)


def plot_read(found, data: str):
    """What share is right with some columns, and with all of them.

    Parameters
    ----------
    found : Found
        Of `findings.READ`.
    data : str

    Returns
    -------
    BookFigure
        Each draw, the means over draws, and the mean with all columns.
    """
    experiment = found.experiment
    counts = Series(findings.COLUMNS, experiment.settings)
    right, label = findings.RIGHT, experiment.competitors["some"].label
    each = found.measured(right.name, "some", data)
    best = found.measured(right.name, "all", data).mean()
    figure, (axes,) = style.panels(1)
    for draw in each:
        axes.plot(counts.values, draw, color=style.COLOURS["sky"], linewidth=0.7)
    plot(axes, counts, Series(right, each.mean(axis=0), label), ("blue", "o", "-"))
    everything = Series(right, [best] * len(counts.values), "all columns")
    plot(axes, counts, everything, ("grey", "", "--"))
    axes.set_xticks(counts.values)
    axes.legend(loc="lower right")
    return figure


def plot_missed(X: np.ndarray, schemes: dict[str, Sequence[int]]):
    """Points, the landmarks of each scheme, and how much of each point is missed.

    Parameters
    ----------
    X : ndarray (n, 2)
    schemes : dict of str to sequence of int
        The landmarks by the label of their scheme.

    Returns
    -------
    BookFigure
    """
    K = kernels.rbf(X, findings.WIDTH)
    figure, axes = style.panels(len(schemes), height=3.4, width=8)
    for panel, (label, landmarks) in zip(axes, schemes.items(), strict=True):
        missed = 1 - lowrank.nystrom(K, landmarks).diagonal() / K.diagonal()
        look = {"cmap": COLOUR_MAP, "vmin": 0, "vmax": 100, "s": 22}
        # An edge parts a dark point from a dark page, and a bright one from a white.
        look |= {"edgecolors": "0.5", "linewidths": 0.5}
        drawn = panel.scatter(*X.T, c=100 * missed, **look)
        ring = {"marker": "o", "facecolors": "none", "edgecolors": "black", "s": 70}
        panel.scatter(*X[landmarks].T, label="landmarks", linewidth=1.3, **ring)
        label_axes(panel, FIRST, SECOND)
        panel.set(title=label, aspect="equal")
    axes[0].legend(loc="upper right", fontsize=8)
    figure.colorbar(drawn, ax=axes, label="share of the point missed, %", shrink=0.85)
    return figure


def extended(x: np.ndarray, count: int, functions: int):
    """Eigenfunctions of min(x, y) on (0, 1) from nodes, as Nyström extends them.

    Parameters
    ----------
    x : ndarray (m,)
        Where they are wanted.
    count : int
        The number of nodes, the middles of equal parts.
    functions : int
        How many.

    Returns
    -------
    nodes : ndarray (count,)
    values : ndarray (functions,)
        Eigenvalues, the largest first.
    at_nodes : ndarray (count, functions)
    everywhere : ndarray (m, functions)

    Examples
    --------
    >>> nodes, values, at_nodes, everywhere = extended(np.array([0.5]), 4, 1)
    >>> bool(np.allclose(at_nodes[:, 0], np.sqrt(2) * np.sin(np.pi / 2 * nodes)))
    True
    """
    nodes = (np.arange(count) + 0.5) / count
    W = np.minimum.outer(nodes, nodes)
    values, vectors = np.linalg.eigh(W / count)
    values, U = values[::-1][:functions], vectors[:, ::-1][:, :functions]
    U = np.sqrt(count) * U * np.sign(U[0])
    return nodes, values, U, np.minimum.outer(x, nodes) @ U / (count * values)


def plot_extended(count: int, functions: int = 3):
    """Eigenfunctions from a few nodes, and as they are.

    Parameters
    ----------
    count : int
        The number of nodes.
    functions : int
        How many, at most three.

    Returns
    -------
    BookFigure
    """
    x = np.linspace(0, 1, 241)
    nodes, _, at_nodes, everywhere = extended(x, count, functions)
    figure, (axes,) = style.panels(1, height=3.3)
    for j, colour in zip(range(functions), NODES, strict=False):
        exact = np.sqrt(2) * np.sin((j + 0.5) * np.pi * x)
        name = f"{('first', 'second', 'third')[j]}"
        across = Series(X_AXIS, x)
        plot(axes, across, Series(Y_AXIS, everywhere[:, j], name), (colour, "", "-"))
        plot(axes, across, Series(Y_AXIS, exact, "_exact"), ("grey", "", ":"))
        dots = {"linestyle": "none", "marker": "o", "color": style.COLOURS[colour]}
        axes.plot(nodes, at_nodes[:, j], label="_eigenvectors", **dots)
    axes.lines[1].set_label("exact")
    lines = [*axes.lines[::3], axes.lines[1]]
    axes.legend(handles=lines, fontsize=8, loc="lower left")
    return figure
