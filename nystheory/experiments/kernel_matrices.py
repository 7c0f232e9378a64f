"""Chapter 2: semidefinite in three ways, what n x n costs, spectra, best rank k."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from time import perf_counter

import numpy as np
import scipy.linalg
from threadpoolctl import threadpool_limits

from nystheory import datasets, kernels, lowrank, sampling, style
from nystheory.theorems import Claim

# Enough for the picture of a kernel matrix in which one still sees single rows.
COLOUR_MAP = "cividis"

# Landmarks of the method that the costs of n x n are compared with.
FEW = 100


# ---- a kernel matrix as a picture ----


def by_class(y: np.ndarray, count: int) -> np.ndarray:
    """The first `count` points of each class, class after class.

    Parameters
    ----------
    y : ndarray (n,)
        Labels.
    count : int
        Points to take of each class; fewer where a class has fewer.

    Returns
    -------
    ndarray of int

    Examples
    --------
    >>> by_class(np.array([1, 0, 1, 0, 1]), 2).tolist()
    [1, 3, 0, 2]
    """
    y = np.asarray(y)
    return np.concatenate(
        [np.flatnonzero(y == label)[:count] for label in np.unique(y)]
    )


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


# ---- semidefinite in three ways ----


def semidefinite_three_ways() -> np.ndarray:
    """Three tests on every symmetric 3 x 3 matrix with entries -1, 0 and 1.

    Returns
    -------
    ndarray (729, 3) of bool
        For each matrix: ``x' K x >= 0`` for every integer vector x with entries
        from -2 to 2; the package factors it as ``K = X' X``; no eigenvalue is
        negative.

    Notes
    -----
    The first column is exact, as all its numbers are integers; for these matrices
    the 125 vectors are enough.  The others round, at 1e-12.

    Examples
    --------
    >>> semidefinite_three_ways().sum(axis=0).tolist()
    [24, 24, 24]
    """
    vectors = np.array(list(product(range(-2, 3), repeat=3)))
    rows, columns = np.triu_indices(3)
    tests = []
    for entries in product((-1, 0, 1), repeat=6):
        K = np.zeros((3, 3), dtype=int)
        K[rows, columns] = K[columns, rows] = entries
        forms = np.einsum("ij,jk,ik->i", vectors, K, vectors)
        least = np.linalg.eigvalsh(K.astype(float))[0]
        tests.append((forms.min() >= 0, _factors(K), least >= -1e-12))
    return np.array(tests)


def _factors(K) -> bool:
    """Whether the Cholesky factorisation behind `as_kernel` succeeds."""
    try:
        kernels.as_kernel(K)
    except ValueError:
        return False
    return True


# ---- what n x n costs ----


@dataclass(frozen=True)
class Task:
    """Something one does with a kernel matrix, and how its costs grow.

    Attributes
    ----------
    name : str
    run : callable (KernelMatrix) -> ndarray
        Does it; returns the array that has to be kept.
    words : callable (n) -> int
        Numbers of eight bytes that are kept, counted.
    exponent : int
        The number of operations grows as n to this power.
    sizes : tuple of int
        Where it is measured.
    """

    name: str
    run: Callable
    words: Callable[[int], int]
    exponent: int
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class Cost:
    """What one run of a task cost.

    Attributes
    ----------
    n : int
    entries_asked : int
    kept : int
        Bytes of the array that is kept.
    seconds : float
        The faster of two runs.
    """

    n: int
    entries_asked: int
    kept: int
    seconds: float


def _all_entries(K):
    return K.dense()


def _eigenvectors(K):
    return scipy.linalg.eigh(K.dense(), overwrite_a=True)[1]


def _few_columns(K):
    landmarks = sampling.uniform(K, FEW, np.random.default_rng(0))
    return lowrank.nystrom(K, landmarks).factor


TASKS = (
    Task("all of $K$", _all_entries, lambda n: n * n, 2, (500, 1000, 2000, 4000)),
    Task(
        "eigenvectors of $K$", _eigenvectors, lambda n: n * n, 3, (200, 400, 800, 1600)
    ),
    Task(f"{FEW} columns", _few_columns, lambda n: FEW * n, 1, (1000, 10_000, 100_000)),
)


def measure_costs(
    tasks: Sequence[Task] = TASKS, largest: int | None = None
) -> dict[str, list[Cost]]:
    """Run tasks on the RBF kernel of image patches and note what they cost.

    Parameters
    ----------
    tasks : sequence of Task
    largest : int, optional
        Leave out larger sizes.

    Returns
    -------
    dict of str to list of Cost
        For each task by name, by increasing size.

    Notes
    -----
    About five seconds for all tasks, and 200 MB.

    Examples
    --------
    >>> costs = measure_costs(TASKS[:1], largest=500)
    >>> [(cost.n, cost.entries_asked, cost.kept) for cost in costs["all of $K$"]]
    [(500, 250000, 2000000)]
    """
    costs = {}
    for task in tasks:
        sizes = [n for n in task.sizes if largest is None or n <= largest]
        costs[task.name] = [_cost(task, n) for n in sizes]
    return costs


def _cost(task, n):
    X = datasets.patches(n).X
    seconds = []
    # One thread for linear algebra: two that wait for each other on a busy machine
    # measure the machine.
    with threadpool_limits(1, user_api="blas"):
        for _ in range(2):
            K = kernels.rbf(X)
            start = perf_counter()
            kept = task.run(K).nbytes
            seconds.append(perf_counter() - start)
    return Cost(n, K.entries_asked, kept, min(seconds))


def extrapolated_seconds(task: Task, costs: Sequence[Cost], n: int) -> float:
    """Time for n points: that of the largest size measured, times a power of n.

    Parameters
    ----------
    task : Task
    costs : sequence of Cost
        By increasing size.
    n : int

    Returns
    -------
    float

    Examples
    --------
    >>> extrapolated_seconds(TASKS[1], [Cost(1000, 0, 0, 0.2)], 10_000)
    200.0
    """
    last = costs[-1]
    return last.seconds * (n / last.n) ** task.exponent


def duration(seconds: float) -> str:
    """A time as one says it, in the largest unit of which there are two.

    Examples
    --------
    >>> [duration(t) for t in (0.0123, 2.345, 100, 86400 * 3)]
    ['12 milliseconds', '2.3 seconds', '100 seconds', '3 days']
    """
    units = (
        (365.25 * 86400, "years"),
        (86400, "days"),
        (3600, "hours"),
        (60, "minutes"),
    )
    for size, unit in units:
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    if seconds < 1:
        return f"{1000 * seconds:.0f} milliseconds"
    return f"{seconds:.1f} seconds" if seconds < 10 else f"{seconds:.0f} seconds"


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


# ---- spectra ----


def gallery() -> dict[str, kernels.PointKernel]:
    """The kernel matrices of the chapter, by name: points, comma, kernel.

    Returns
    -------
    dict of str to PointKernel

    Examples
    --------
    >>> [K.n for K in gallery().values()]
    [1797, 1797, 1800, 1800, 569, 442, 1800]
    """
    digits, patches = datasets.digits().X, datasets.patches(1800).X
    documents = datasets.documents(1800, 4000, np.random.default_rng(1)).X
    return {
        "digits, linear": kernels.linear(digits),
        "digits, RBF": kernels.rbf(digits),
        "patches, linear": kernels.linear(patches),
        "patches, RBF": kernels.rbf(patches),
        "breast cancer, RBF": kernels.rbf(datasets.breast_cancer().X),
        "diabetes, RBF": kernels.rbf(datasets.diabetes().X),
        "documents, linear": kernels.linear(documents),
    }


def holding(values: np.ndarray, share: float) -> int:
    """How many of the largest values hold a share of the sum of all.

    Parameters
    ----------
    values : ndarray (n,)
        Not negative, largest first.
    share : float
        Above 0, at most 1.

    Returns
    -------
    int

    Examples
    --------
    >>> holding(np.array([6.0, 3.0, 1.0]), 0.8)
    2
    """
    reached = np.cumsum(values) >= share * np.sum(values) * (1 - 1e-12)
    return int(reached.argmax()) + 1


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
        right.plot(count, held, "o", color=look["color"])
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


# ---- the best approximation of rank k ----


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


# The claim that exercise 5 breaks.
LARGEST_ENTRY = Claim(
    "no matrix of rank at most $k$ has a smaller largest error of an entry",
    observe=lambda i, _: float(np.abs(i.K - i.extra["left"] @ i.extra["right"]).max()),
    expected=lambda i, _: float(
        np.abs(i.K - lowrank.best_rank_k(i.K, i.k).spectral_reconstruction()).max()
    ),
    relation=">=",
)
