"""What the experiments of the chapter measure: ends of criteria, and searches."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nystheory import datasets, kernels, lowrank, sampling, selection
from nystheory.engine.findings.held_out import Points

# Widths of Gaussian kernels, in root mean square distances of the points.
WIDTHS = 2.0 ** np.linspace(-4, 4, 25)
# The ridge per point of the paper's experiments.
MU = 0.005


# ---- points ----


def diabetes(size: int, rng) -> Points:
    """Patients, and the progress of their disease."""
    data = datasets.diabetes()
    return _some(data.X / data.X.std(axis=0), data.y, size, rng)


def digits(size: int, rng) -> Points:
    """Images, and the digit that they show."""
    data = datasets.digits()
    return _some(data.X, data.y, size, rng)


def cells(size: int, rng) -> Points:
    """Samples of cells, and whether they are benign."""
    data = datasets.breast_cancer()
    return _some(data.X, data.y > 0, size, rng)


def photographs(size: int, rng) -> Points:
    """Patches of two photographs, and which of them it is."""
    data = datasets.patches(4000)
    return _some(data.X, data.y > 0, size, rng)


def waves(size: int, rng, noise: float = 0.5) -> Points:
    """Points in a cube of four dimensions; a sum of sines, with noise."""
    X = rng.uniform(-1, 1, (size, 4))
    y = np.sin(4 * X).sum(axis=1) + noise * rng.standard_normal(size)
    return _some(X, y, size, rng)


def _some(X, y, size, rng) -> Points:
    """Random points; the labels get mean 0 and mean square 1.

    >>> some = _some(np.eye(4), np.arange(4.0), 3, np.random.default_rng(0))
    >>> some.X.shape, abs(some.y.mean()) < 1e-12, round(some.y.std(), 12)
    ((3, 4), True, 1.0)
    """
    chosen = rng.permutation(len(X))[:size]
    y = np.asarray(y, float)[chosen]
    return Points(X[chosen], (y - y.mean()) / y.std())


def gamma_of(X: np.ndarray, width: float) -> float:
    """The parameter of a Gaussian kernel with a width.

    Parameters
    ----------
    X : ndarray (n, d)
    width : float
        In root mean square distances of the points.

    Examples
    --------
    >>> gamma_of(np.array([[0.0], [2.0]]), 1.0)
    0.5
    """
    return 1 / (2 * width**2 * X.var(axis=0).sum())


def kernels_of(X: np.ndarray, widths: Sequence[float] = WIDTHS) -> Iterator:
    """The Gaussian kernel of some points for each width, stored.

    Examples
    --------
    >>> [K.shape for K in kernels_of(np.eye(3), (1, 2))]
    [(3, 3), (3, 3)]
    """
    for width in widths:
        yield kernels.DenseKernel(kernels.rbf(X, gamma_of(X, width)).dense())


def nested(scheme: str, K, counts: Sequence[int], rng) -> list[lowrank.LowRank]:
    """Approximations from more and more columns of one run of a scheme.

    Parameters
    ----------
    scheme : str
        Of `sampling.SCHEMES`, one that chooses column by column.
    K : KernelMatrix
    counts : sequence of int
        Where the columns explain all of K before, there are fewer.
    rng : numpy.random.Generator

    Examples
    --------
    >>> K = kernels.rbf(np.arange(5.0)[:, None])
    >>> rng = np.random.default_rng(0)
    >>> [len(x.landmarks) for x in nested("uniform", K, (2, 4), rng)]
    [2, 4]
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        drawn = getattr(sampling, scheme)(K, max(counts), rng).indices
    return [lowrank.nystrom(K, drawn[:count]) for count in counts]


# ---- ends ----


@dataclass(frozen=True, eq=False)
class Ends:
    """Two ends of a measure, for each of some kernels.

    Attributes
    ----------
    lower, upper, estimate : ndarray (m,) or (m, r)
        For r ridges, a column each.
    """

    lower: np.ndarray
    upper: np.ndarray
    estimate: np.ndarray

    @property
    def worse(self) -> np.ndarray:
        """Which kernels are certainly worse than some other one, of the same shape.

        >>> Ends(np.array([1.0, 3.0]), np.array([2.0, 4.0]), None).worse.tolist()
        [False, True]
        """
        return self.lower > self.upper.min(axis=0)


def ends(near, y, ridge, measure="criterion", products=0) -> Ends:
    """The ends of all kernels, from an approximation of each.

    Parameters
    ----------
    near : sequence of LowRank
    y : ndarray (n,)
    ridge : float or sequence of float
        In units of the kernel.
    measure : str
        Of `selection.MEASURES`.
    products : int
        With each kernel.

    Examples
    --------
    >>> K = kernels.DenseKernel(np.eye(2))
    >>> found = ends([lowrank.nystrom(K, [0])], np.ones(2), 2.0)
    >>> found.lower.shape, bool(found.lower <= found.upper)
    ((1,), True)
    """
    found = [
        selection.enclosure(each, y, ridge, measure=measure, products=products)
        for each in near
    ]
    return Ends(
        *(
            np.array([getattr(each, name) for each in found])
            for name in ("lower", "upper", "estimate")
        )
    )


# ---- with certainty, or not ----


@dataclass(frozen=True, eq=False)
class Search:
    """The kernels of a search, approximated, and what is exact about them.

    Attributes
    ----------
    y : ndarray (n,)
    near : list of list of LowRank
        For each number of columns, an approximation for each width.
    exact : dict of str to ndarray (m, r)
        By measure, of the kernels themselves, for each ridge.
    """

    y: np.ndarray
    near: list
    exact: dict

    def ridges(self, mus: Sequence[float]) -> np.ndarray:
        """In units of the kernel, from those over the number of points."""
        return len(self.y) * np.asarray(mus)


def searched(points: Points, widths, counts, mus, measures, rng) -> Search:
    """Kernels of some widths by random pivots, and their measures.

    Parameters
    ----------
    points : Points
    widths : sequence of float
    counts : sequence of int
        Of columns.
    mus : sequence of float
        Ridges, over the number of points.
    measures : sequence of str
    rng : numpy.random.Generator
    """
    near, values = [], {name: [] for name in measures}
    for K in kernels_of(points.X, widths):
        near.append(nested("rp_cholesky", K, counts, rng))
        for name, rows in values.items():
            ridges = (len(points.y) * mu for mu in mus)
            rows.append([exact(K, points.y, ridge, name) for ridge in ridges])
    exacts = {name: np.array(rows) for name, rows in values.items()}
    return Search(points.y, list(zip(*near, strict=True)), exacts)


def exact(K, y, ridge, measure="criterion"):
    """The measure of a kernel, or of an approximation in its place."""
    return selection.criterion(K, y, ridge, measure=measure)


def told_worse(search: Search, mus, products: int | None) -> dict[str, list[float]]:
    """How many kernels are worse than another one, as it is told.

    Parameters
    ----------
    search : Search
    mus : sequence of float
    products : int or None
        With each kernel; None takes the criterion of the approximation for exact.

    Returns
    -------
    dict of str to list of float
        For each ridge, ``worse``, their number, and ``lost``, whether the best kernel
        is among them.
    """
    (near,), ridges = search.near, search.ridges(mus)
    if products is None:
        values = np.array([exact(each, search.y, ridges) for each in near])
        worse = values > values.min(axis=0)
    else:
        worse = ends(near, search.y, ridges, products=products).worse
    best = search.exact["criterion"].argmin(axis=0)
    lost = worse[best, np.arange(len(mus))]
    return {"worse": worse.sum(axis=0), "lost": lost}


def along_columns(search: Search, measure: str, mu: float) -> dict[str, list[float]]:
    """What is told of the kernels, and what is picked, with more and more columns.

    Parameters
    ----------
    search : Search
    measure : str
    mu : float

    Returns
    -------
    dict of str to list of float
        For each number of columns, ``worse``, how many kernels are certainly worse,
        with one product each; and of the width that the measure of the
        approximations picks: ``other``, 100 where the exact measure picks another and
        else 0, and ``wider``, by how many widths it is wider.
    """
    (ridge,) = search.ridges([mu])
    best = int(search.exact[measure][:, 0].argmin())
    found = {"worse": [], "other": [], "wider": []}
    for near in search.near:
        worse = ends(near, search.y, ridge, measure, products=1).worse
        values = [exact(each, search.y, ridge, measure) for each in near]
        place = int(np.argmin(values))
        found["worse"].append(int(worse.sum()))
        found["other"].append(100 * (place != best))
        found["wider"].append(place - best)
    return found
