"""Projection or reconstruction: what chapter 4 tries and draws.

The figures 2.2, 2.3 and 2.4 of A. Talwalkar, "Matrix Approximation for Large-scale
Learning", PhD thesis, New York University, 2010, on data that need no download.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import sympy as sp

from nystheory import datasets, kernels, lowrank, sampling, style
from nystheory.verify.statistics import Interval, mean_interval

METHODS = {
    "Nyström": lowrank.nystrom,
    "Column-sampling": lowrank.column_sampling,
    "Orthonormal Nyström": lowrank.orthonormal_nystrom,
}
MEASURES = ("matrix_projection", "spectral_reconstruction")
ALL = tuple((measure, method) for measure in MEASURES for method in METHODS)
RECONSTRUCTIONS = (
    ("spectral_reconstruction", "Nyström"),
    ("spectral_reconstruction", "Column-sampling"),
)

# Each limit of an interval is wrong with this probability.  The report of the chapter
# reads about a hundred limits, so it is right as a whole with about 90 percent.
LEVEL = 1e-3

# Two accuracies that differ by less are the same number, computed twice.
SAME = 1e-6


# --- the kernels ------------------------------------------------------------------


def kernel_matrices(n: int) -> dict[str, kernels.DenseKernel]:
    """The four kernel matrices of the comparison, each of size n.

    Digits with a linear and a Gaussian kernel, patches of 16 x 16 pixels of two
    photographs, and generated documents, whose spectrum decays slowly.

    Parameters
    ----------
    n : int
        Number of points, at most 1797, the size of the digits.

    Returns
    -------
    dict of str to DenseKernel
        Stored, since each is used many times: n^2 words each.

    Examples
    --------
    >>> list(kernel_matrices(20))
    ['digits, linear', 'digits, RBF', 'patches, linear', 'documents, linear']
    """
    # The digits come in the order in which they were written; a smaller set should
    # be like the larger one, so the order is shuffled first.
    order = np.random.default_rng(0).permutation(len(datasets.digits().X))
    digits = datasets.digits().X[order[:n]]
    documents = datasets.documents(n, 5000, np.random.default_rng(1))
    lazy = {
        "digits, linear": kernels.linear(digits),
        "digits, RBF": kernels.rbf(digits),
        "patches, linear": kernels.linear(datasets.patches(n, 16).X),
        "documents, linear": kernels.linear(documents.X),
    }
    return {name: kernels.DenseKernel(K.dense()) for name, K in lazy.items()}


# --- relative accuracy over a range of l or of k ----------------------------------


@dataclass(frozen=True, eq=False)
class Sweep:
    """Relative accuracies over a range of settings, all methods on the same columns.

    Attributes
    ----------
    settings : tuple of int
        The numbers of landmarks, or the ranks.
    accuracy : dict of (str, str) to ndarray (settings, draws)
        By measure (`MEASURES`) and method (`METHODS`).  In the same draw all see the
        same landmarks, so differences are paired.
    """

    settings: tuple[int, ...]
    accuracy: dict[tuple[str, str], np.ndarray]

    def difference(self, measure: str, first: str, second: str) -> list[Interval]:
        """Mean of first minus second at each setting, with limits of level `LEVEL`."""
        paired = self.accuracy[measure, first] - self.accuracy[measure, second]
        return [mean_interval(values, LEVEL) for values in paired]


def accuracies(
    K, landmarks, best: lowrank.LowRank, asked: Sequence[tuple[str, str]] = ALL
) -> list[float]:
    """Relative accuracy (2.24) of several approximations from the same columns.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    landmarks : Landmarks or sequence of int, length l
    best : LowRank
        ``best_rank_k(K, k)``; the rank of the approximations is its k.
    asked : sequence of (str, str)
        Measure and method of each.

    Returns
    -------
    list of float

    Examples
    --------
    >>> K = np.diag([3.0, 1.0])
    >>> accuracies(K, [0], lowrank.best_rank_k(K, 1), RECONSTRUCTIONS)
    [1.0, 0.627...]
    """
    rank = best.rank_requested
    methods = {method for _, method in asked}
    made = {method: METHODS[method](K, landmarks, rank) for method in methods}
    return [made[method].relative_accuracy(K, of, best) for of, method in asked]


def over_landmarks(
    K, rank: int, counts: Sequence[int], draws: int, seed: int = 0
) -> Sweep:
    """Relative accuracies at a fixed rank for several numbers of landmarks.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    rank : int
        The rank k.
    counts : sequence of int
        The numbers of landmarks l, each at least k.
    draws : int
        Independent uniform samples for each l, without replacement.
    seed : int

    Returns
    -------
    Sweep
        Of all methods under both measures.

    Examples
    --------
    >>> sweep = over_landmarks(np.diag([3.0, 2.0, 1.0]), 1, [1, 3], draws=4)
    >>> sweep.accuracy["matrix_projection", "Nyström"].shape
    (2, 4)
    """
    best = lowrank.best_rank_k(K, rank)
    rng = np.random.default_rng(seed)
    found = [
        [accuracies(K, sampling.uniform(K, l, rng), best) for _ in range(draws)]
        for l in counts  # noqa: E741
    ]
    return Sweep(tuple(counts), _by_name(found, ALL))


def over_ranks(
    K, n_landmarks: int, ranks: Sequence[int], draws: int, seed: int = 0
) -> Sweep:
    """Relative accuracies of both reconstructions for several ranks.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number of landmarks l.
    ranks : sequence of int
        The ranks k, each at most l.
    draws : int
        Independent uniform samples of l columns; every rank sees the same ones.
    seed : int

    Returns
    -------
    Sweep
        Of the Nyström and the Column-sampling spectral reconstruction.

    Examples
    --------
    >>> over_ranks(np.diag([3.0, 2.0, 1.0]), 2, [1, 2], draws=4).settings
    (1, 2)
    """
    rng = np.random.default_rng(seed)
    samples = [sampling.uniform(K, n_landmarks, rng) for _ in range(draws)]
    found = []
    for rank in ranks:
        best = lowrank.best_rank_k(K, rank)
        found.append([accuracies(K, S, best, RECONSTRUCTIONS) for S in samples])
    return Sweep(tuple(ranks), _by_name(found, RECONSTRUCTIONS))


def _by_name(found, asked):
    """Settings x draws x asked, as one array (settings, draws) for each name."""
    return dict(zip(asked, np.moveaxis(np.array(found), 2, 0), strict=True))


# --- how many columns are enough --------------------------------------------------


def columns_needed(
    K, order: Sequence[int], best: lowrank.LowRank, target: float = 0.75
) -> int:
    """The fewest columns from which Nyström reaches a relative accuracy.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    order : sequence of int, length n
        The columns in the order in which they are taken.
    best : LowRank
        ``best_rank_k(K, k)``; the rank of the approximation is its k.
    target : float
        The relative accuracy (2.24) of the spectral reconstruction, below 1.

    Returns
    -------
    int
        From k to n, on a grid with steps of five percent, found by bisection:
        exact to one step where the accuracy grows with the columns.

    Examples
    --------
    >>> K = np.diag([3.0, 2.0, 1.0])
    >>> columns_needed(K, [2, 1, 0], lowrank.best_rank_k(K, 1))
    3
    """
    n, rank = len(order), best.rank_requested
    steps = np.arange(int(np.log(n / rank) / np.log(1.05)) + 2)
    grid = np.unique(np.minimum(n, np.ceil(rank * 1.05**steps).astype(int)))
    low, high = -1, len(grid) - 1  # all columns are enough
    while high - low > 1:
        middle = (low + high) // 2
        approximation = lowrank.nystrom(K, order[: grid[middle]], rank)
        if approximation.relative_accuracy(K, best=best) >= target:
            high = middle
        else:
            low = middle
    return int(grid[high])


def needed_by_size(
    sizes: Sequence[int], rank: int, draws: int, seed: int = 0
) -> dict[str, np.ndarray]:
    """Columns needed for 75 percent relative accuracy, for growing data sets.

    Parameters
    ----------
    sizes : sequence of int
        The sizes n of the data sets.
    rank : int
        The rank k, the same for every n.
    draws : int
        Random orders of the columns.
    seed : int

    Returns
    -------
    dict of str to ndarray (sizes, draws)
        The number of columns, for each kernel of `kernel_matrices`.

    Examples
    --------
    >>> needed = needed_by_size([30], 5, draws=2)
    >>> needed["documents, linear"].shape
    (1, 2)
    """
    rng = np.random.default_rng(seed)
    found = {}
    for n in sizes:
        orders = [rng.permutation(n) for _ in range(draws)]
        for name, K in kernel_matrices(n).items():
            best = lowrank.best_rank_k(K, rank)
            counts = [columns_needed(K, order, best) for order in orders]
            found.setdefault(name, []).append(counts)
    return {name: np.array(counts) for name, counts in found.items()}


# --- exact recovery ---------------------------------------------------------------


def recovery_share(X, counts: Sequence[int], draws: int, seed: int = 0) -> np.ndarray:
    """How often random columns determine the linear kernel matrix of points.

    Parameters
    ----------
    X : array_like (n, d)
        Points as rows; the matrix is ``X X^T``.
    counts : sequence of int
        Numbers of landmarks.
    draws : int
        Random samples for each number.
    seed : int

    Returns
    -------
    ndarray (counts,)
        Share of the samples with ``rank W = rank K``.  Both ranks are counted on
        the points, which is exact where W, their square, is not.

    Examples
    --------
    >>> recovery_share(np.eye(3), [2, 3], draws=5).tolist()
    [0.0, 1.0]
    """
    X, rng = np.asarray(X, dtype=float), np.random.default_rng(seed)
    full = np.linalg.matrix_rank(X)
    shares = []
    for l in counts:  # noqa: E741
        samples = (rng.choice(len(X), l, replace=False) for _ in range(draws))
        ranks = [np.linalg.matrix_rank(X[sample]) for sample in samples]
        shares.append(np.mean(np.array(ranks) == full))
    return np.array(shares)


def chance_no_pixel_is_missed(X, share):
    """How likely it is that every feature is seen at least once in the sample.

    Parameters
    ----------
    X : array_like (n, d)
        Points as rows; features that are zero everywhere do not count.
    share : array_like
        The share l/n of the points that is sampled, each independently.

    Returns
    -------
    ndarray
        ``prod_j (1 - (1 - share)^(c_j))`` over the features j, present in c_j
        points, as if they were present independently of each other.

    Examples
    --------
    >>> chance_no_pixel_is_missed([[1, 0], [1, 2]], [0.5])
    array([0.375])
    """
    counts = (np.asarray(X) != 0).sum(axis=0)
    missed = (1 - np.asarray(share, dtype=float)[:, None]) ** counts[counts > 0]
    return (1 - missed).prod(axis=1)


# --- pictures and tables ----------------------------------------------------------


@dataclass(frozen=True, eq=False)
class OneRow:
    """One row of a kernel matrix and what each method makes of it.

    Attributes
    ----------
    place : ndarray (n,)
        Where the points lie.
    row : ndarray (n,)
        The row of K.
    landmarks : ndarray (l,)
    rebuilt : dict of (str, str) to ndarray (n,)
        The row of the approximation, by measure and method.
    """

    place: np.ndarray
    row: np.ndarray
    landmarks: np.ndarray
    rebuilt: dict[tuple[str, str], np.ndarray]


def one_row(n: int = 120, n_landmarks: int = 5, seed: int = 0) -> OneRow:
    """A row of a Gaussian kernel matrix on the line, rebuilt in four ways.

    Parameters
    ----------
    n : int
        Points, evenly spaced from 0 to 1.
    n_landmarks : int
    seed : int

    Returns
    -------
    OneRow
        A row that is not a landmark's, from Nyström and Column-sampling.

    Examples
    --------
    >>> seen = one_row()
    >>> error = seen.row - seen.rebuilt["spectral_reconstruction", "Nyström"]
    >>> bool(np.abs(error[seen.landmarks]).max() < 1e-12)
    True
    """
    place = np.linspace(0, 1, n)
    K = kernels.DenseKernel(kernels.rbf(place[:, None], gamma=12.0).dense())
    landmarks = sampling.uniform(K, n_landmarks, np.random.default_rng(seed)).indices
    away = np.abs(np.subtract.outer(np.arange(n), landmarks)).min(axis=1)
    chosen = int(np.argmax(away[n // 4 : 3 * n // 4])) + n // 4
    rebuilt = {}
    for name in ("Nyström", "Column-sampling"):
        made = METHODS[name](K, landmarks)
        whole = made.matrix_projection(K), made.spectral_reconstruction()
        for measure, matrix in zip(MEASURES, whole, strict=True):
            rebuilt[measure, name] = matrix[chosen]
    return OneRow(place, K[[chosen], :][0], landmarks, rebuilt)


STYLES = {
    "Nyström": ("blue", "--"),
    "Column-sampling": ("vermilion", "-."),
    "digits, linear": ("blue", "o"),
    "digits, RBF": ("orange", "s"),
    "patches, linear": ("green", "^"),
    "documents, linear": ("purple", "D"),
}


def draw_row(axes, seen: OneRow, measure: str) -> None:
    """Draw the row of K and the two rows that were rebuilt under one measure.

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_row(axes, one_row(), "matrix_projection")
    """
    axes.plot(seen.place, seen.row, color="black", label="row of $K$")
    for name in ("Nyström", "Column-sampling"):
        colour, dashes = STYLES[name]
        row = seen.rebuilt[measure, name]
        axes.plot(seen.place, row, dashes, color=style.COLOURS[colour], label=name)
    at = seen.landmarks
    axes.plot(seen.place[at], seen.row[at], "o", color="black", label="landmarks")
    axes.set(xlabel="place of the point", title=measure.replace("_", " "))


def draw_differences(
    axes, settings: Sequence[float], gaps: Mapping[str, Sequence[Interval]]
) -> None:
    """Draw means with their limits against the settings, one line for each kernel.

    Parameters
    ----------
    axes : matplotlib Axes
    settings : sequence of float, length m
        On the horizontal axis.
    gaps : mapping of str to sequence of Interval, length m

    Examples
    --------
    >>> figure, (axes,) = style.panels(1)
    >>> draw_differences(axes, [1], {"digits, RBF": [mean_interval([0.0, 0.1])]})
    """
    for name, intervals in gaps.items():
        colour, marker = STYLES[name]
        low, mean, high = np.array([(i.low, i.estimate, i.high) for i in intervals]).T
        colour = style.COLOURS[colour]
        axes.plot(settings, mean, marker=marker, color=colour, label=name)
        axes.fill_between(settings, low, high, color=colour, alpha=0.2, linewidth=0)
    axes.axhline(0, color="black", linewidth=1)


@dataclass(frozen=True)
class Table:
    """Rows under a header, shown as a table in a notebook.

    Attributes
    ----------
    header : tuple of str
    rows : list of tuple
    caption : str
    """

    header: tuple[str, ...]
    rows: list[tuple]
    caption: str = ""

    def _repr_html_(self) -> str:
        return style.table(self.rows, self.header, self.caption)


def lines(theorem) -> Table:
    """The derivation of a theorem, line by line, as SymPy checked it.

    Parameters
    ----------
    theorem : Theorem
        With a derivation.

    Returns
    -------
    Table
        A line that SymPy writes like the one before it is not shown again; its
        reason is.

    Raises
    ------
    TypeError
        If the theorem has no derivation.

    Examples
    --------
    >>> from nystheory.theorems import theorems
    >>> len(lines(theorems["talwalkar2010:eq-2.14"]).rows)
    3
    """
    if theorem.derivation is None:
        raise TypeError(f"{theorem.id} has no derivation to show")
    rows: list[tuple[str, str]] = []
    for step in theorem.derivation():
        line = f"${sp.latex(step.expr)}$"
        if rows and rows[-1][0] == line:
            rows[-1] = line, f"{rows[-1][1]}; {step.because}"
        else:
            rows.append((line, step.because))
    return Table(("line", "because"), rows, f"{theorem.title}, {theorem.number}")


@dataclass(frozen=True)
class Reading:
    """What the settings of one experiment say about 'first is better than second'.

    Attributes
    ----------
    yes, no, open, same : int
        Settings whose lower limit is above 0, whose upper limit is below 0, neither,
        and those where the two are the same number.
    least, most : float
        The smallest and largest mean difference.
    """

    yes: int
    no: int
    open: int
    same: int
    least: float
    most: float

    def __str__(self):
        tried = self.yes + self.no + self.open
        says = f"{self.yes} of {tried}"
        if self.no:
            says += f", opposite at {self.no}"
        return f"{says}: {self.least:.3f} to {self.most:.3f}"


def read(intervals: Iterable[Interval]) -> Reading:
    """Count at how many settings a difference is positive beyond its limits.

    Examples
    --------
    >>> print(read([Interval(0.2, 0.1, 0.3, ""), Interval(0.1, -0.1, 0.3, "")]))
    1 of 2: 0.100 to 0.200
    """
    intervals = list(intervals)
    different = [i for i in intervals if max(abs(i.low), abs(i.high)) > SAME]
    yes = sum(i.low > 0 for i in different)
    no = sum(i.high < 0 for i in different)
    means = [i.estimate for i in different] or [0.0]
    same = len(intervals) - len(different)
    rest = len(different) - yes - no
    return Reading(yes, no, rest, same, min(means), max(means))
