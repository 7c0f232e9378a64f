"""Kernel matrices, what they cost, their spectra."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nystheory import lowrank, style
from nystheory.chapters.kernel_matrices.experiments import (
    TASKS,
    Cost,
    extrapolated_seconds,
    holding,
)
from nystheory.style import COLOUR_MAP


def plot_two_orders(K, order: np.ndarray, y: np.ndarray):
    """The kernel matrix of the same points twice: as they came, and sorted.

    Parameters
    ----------
    K : KernelMatrix
    order : ndarray of int
        The points to show, sorted by class.
    y : ndarray (n,)
        Labels of all points.

    Returns
    -------
    BookFigure

    Examples
    --------
    >>> from nystheory import datasets, kernels
    >>> from nystheory.chapters.kernel_matrices.experiments import by_class
    >>> points = datasets.gaussian_clusters(40, np.random.default_rng(0))
    >>> order = by_class(points.y, 5)
    >>> len(plot_two_orders(kernels.rbf(points.X), order, points.y).axes)
    3
    """
    figure, axes = style.panels(2, height=3.7)
    titles = ("in the order of the file", "sorted by digit")
    for panel, indices, title in zip(
        axes, (np.sort(order), order), titles, strict=True
    ):
        picture = _picture(panel, K[indices, indices], title)
    starts = np.flatnonzero(np.diff(y[order], prepend=-1))
    middles = (starts + np.append(starts[1:], len(order))) / 2
    axes[1].set_xticks(middles, y[order[starts]])
    axes[1].set_yticks(middles, y[order[starts]])
    axes[1].set(xlabel="digit", ylabel="digit")
    axes[0].set(xlabel="column $j$", ylabel="row $i$")
    figure.colorbar(picture, ax=axes, label="similarity $K_{ij}$", shrink=0.85)
    return figure


def plot_best_ranks(K: np.ndarray, ranks: Sequence[int]):
    """A kernel matrix beside its best approximations of some ranks.

    Parameters
    ----------
    K : ndarray (n, n)
    ranks : sequence of int

    Returns
    -------
    BookFigure

    Examples
    --------
    >>> len(plot_best_ranks(np.diag([3.0, 2.0, 1.0]), [1, 2]).axes)
    4
    """
    figure, axes = style.panels(1 + len(ranks), height=2.5)
    picture = _picture(axes[0], K, "$K$")
    for panel, k in zip(axes[1:], ranks, strict=True):
        best = lowrank.best_rank_k(K, k)
        share = best.error(K) / np.linalg.norm(K)
        title = f"rank {k}: error {100 * share:.0f} %"
        _picture(panel, best.spectral_reconstruction(), title)
    for panel in axes:
        panel.set(xticks=[], yticks=[])
        panel.title.set_fontsize(9.5)
    figure.colorbar(picture, ax=axes, label="entry", shrink=0.75)
    return figure


def _picture(panel, matrix, title):
    panel.grid(False)
    panel.set_title(title)
    return panel.imshow(
        matrix, cmap=COLOUR_MAP, vmin=0, vmax=1, interpolation="nearest"
    )


def plot_costs(costs: Mapping[str, Sequence[Cost]]):
    """Memory and time against n: measured, and extrapolated to a million points.

    Parameters
    ----------
    costs : mapping of str to sequence of Cost
        As `measure_costs` gives them, for all of `TASKS`.

    Returns
    -------
    BookFigure

    Examples
    --------
    >>> costs = {task.name: [Cost(500, 0, task.words(500) * 8, 0.1)] for task in TASKS}
    >>> [axes.get_ylabel() for axes in plot_costs(costs).axes]
    ['memory to keep it', 'time']
    """
    figure, (memory, time) = style.panels(2, height=3.9)
    looks = zip(("blue", "vermilion", "green"), "osD", strict=True)
    for task, (colour, marker) in zip(TASKS, looks, strict=True):
        measured, look = costs[task.name], {"color": style.COLOURS[colour]}
        sizes = [cost.n for cost in measured]
        beyond = [measured[-1].n, 10**6]
        spent = [cost.seconds for cost in measured]
        time.plot(sizes, spent, marker=marker, label=task.name, **look)
        seconds = [extrapolated_seconds(task, measured, n) for n in beyond]
        time.plot(beyond, seconds, "--", **look)
        if task.exponent == 3:  # keeps as much as K itself
            continue
        memory.plot(sizes, [cost.kept for cost in measured], marker=marker, **look)
        memory.plot(beyond, [8 * task.words(n) for n in beyond], "--", **look)
    memory.axhline(16e9, color="black", linewidth=1)
    label = {"transform": memory.get_yaxis_transform(), "fontsize": 9}
    memory.text(0.02, 2.2e10, "a laptop: 16 GB", **label)
    _scale(memory, "memory to keep it", {1e6: "1 MB", 1e9: "1 GB", 1e12: "1 TB"})
    marks = {1e-3: "1 ms", 1: "1 s", 60: "1 min", 3600: "1 h", 86400: "1 day"}
    _scale(time, "time", marks | {365.25 * 86400: "1 year"})
    time.plot([], [], "o-", color=style.COLOURS["grey"], label="measured")
    time.plot([], [], "--", color=style.COLOURS["grey"], label="extrapolated")
    figure.legend(loc="outside upper center", ncols=5, fontsize=9, columnspacing=1.2)
    return figure


def _scale(axes, what, marks):
    axes.set(xscale="log", yscale="log", xlim=(130, 1.5e6))
    axes.set(xlabel="number of points $n$", ylabel=what)
    axes.set_yticks(list(marks), list(marks.values()), minor=False)
    axes.set_yticks([], minor=True)


def plot_spectra(spectra: Mapping[str, np.ndarray], share: float = 0.9):
    """Eigenvalues over the largest, and the share of the trace that the first hold.

    Parameters
    ----------
    spectra : mapping of str to ndarray (n,)
        Eigenvalues, largest first; the kernel is the last word of the name.
    share : float
        A line is drawn at this share of the trace.

    Returns
    -------
    BookFigure

    Examples
    --------
    >>> figure = plot_spectra({"digits, linear": np.array([2.0, 1.0, 0.0])})
    >>> [axes.get_yscale() for axes in figure.axes]
    ['log', 'linear']
    """
    figure, (left, right) = style.panels(2, height=3.9)
    colours = {"digits": "blue", "patches": "orange", "documents": "green"}
    colours |= {"breast cancer": "purple", "diabetes": "sky"}
    for name, values in spectra.items():
        points, kernel = name.split(", ")
        look = {
            "color": style.COLOURS[colours[points]],
            "linestyle": "-" if kernel == "linear" else "--",
            "label": name,
        }
        ranks = np.arange(1, len(values) + 1)
        seen = values > 1e-7 * values[0]
        left.plot(ranks[seen], values[seen] / values[0], **look)
        right.plot(ranks, np.cumsum(values) / values.sum(), **look)
        count = holding(values, share)
        held = values[:count].sum() / values.sum()
        right.plot(count, held, "o", color=look["color"], label="_curve at the share")
    right.axhline(share, color="black", linewidth=1)
    left.set(xscale="log", yscale="log", ylim=(1e-7, 2), xlabel="index $j$")
    left.set_ylabel("$\\sigma_j / \\sigma_1$")
    right.set(xscale="log", ylim=(0, 1.03), xlabel="number of eigenvalues $k$")
    right.set_ylabel("share of the trace that the first $k$ hold")
    handles = left.get_lines()
    figure.legend(
        handles=handles,
        loc="outside upper center",
        ncols=5,
        fontsize=9,
        columnspacing=1.2,
    )
    return figure


def plot_errors(K, ranks: Sequence[int]):
    """Error of the best rank k in three norms: from eigenvalues, and computed.

    Parameters
    ----------
    K : ndarray (n, n)
    ranks : sequence of int
        Where the approximation is formed and its error computed.

    Returns
    -------
    BookFigure

    Examples
    --------
    >>> figure = plot_errors(np.diag([3.0, 2.0, 1.0]), [1, 2])
    >>> len(figure.axes[0].lines)
    6
    """
    values = np.linalg.eigvalsh(K)[::-1].clip(0)
    figure, (axes,) = style.panels(1, height=3.4)
    looks = (("trace", 1, "-", "D"), ("Frobenius", 2, "--", "s"))
    looks += (("spectral", np.inf, ":", "o"),)
    best = [lowrank.best_rank_k(K, k) for k in ranks]
    for (name, order, line, marker), colour in zip(
        looks, ("green", "blue", "vermilion"), strict=True
    ):
        size, colour = np.linalg.norm(values, order), style.COLOURS[colour]
        tails = [np.linalg.norm(values[k:], order) for k in range(1, len(values))]
        axes.plot(range(1, len(values)), tails / size, line, color=colour, label=name)
        errors = [each.error(K, name.lower()) / size for each in best]
        axes.plot(ranks, errors, marker, color=colour)
    axes.set(xscale="log", yscale="log", xlabel="rank $k$")
    axes.set_ylabel("$\\|K - K_k\\|\\; /\\; \\|K\\|$")
    axes.legend(title="norm")
    return figure
