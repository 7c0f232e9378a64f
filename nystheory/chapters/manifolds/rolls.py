"""A strip that is rolled up: paths along it, short circuits, and what errors move."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg
from scipy.sparse.csgraph import dijkstra
from scipy.spatial.distance import cdist

from nystheory import datasets, manifold
from nystheory.chapters.manifolds import spectrum
from nystheory.chapters.manifolds.experiments import some_landmarks
from nystheory.engine.findings.experiments import one_thread
from nystheory.engine.worlds import matrices


def arc_length(angle: np.ndarray) -> np.ndarray:
    """How far along the spiral ``r = angle`` a point is.

    Examples
    --------
    >>> arc_length(np.array([0.0, 1.0])).round(3).tolist()
    [0.0, 1.148]
    """
    return 0.5 * (angle * np.sqrt(1 + angle**2) + np.arcsinh(angle))


# --- One path ------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Walk:
    """A shortest path on the Swiss roll, and the roll laid flat.

    Attributes
    ----------
    X : ndarray (n, 3)
    angle : ndarray (n,)
    path : ndarray (p,)
        The points on the way, from the innermost to the outermost.
    straight, along : float
        The distance of its ends in space, and the length of the path.
    flat : ndarray (n, 2)
        Coordinates by exact Isomap.
    negative_share : float
    """

    X: np.ndarray
    angle: np.ndarray
    path: np.ndarray
    straight: float
    along: float
    flat: np.ndarray
    negative_share: float


@one_thread
def walk(n: int, n_neighbors: int, seed: int = 0) -> Walk:
    """Walk along the Swiss roll, and unroll it.

    Examples
    --------
    >>> found = walk(400, 8)
    >>> found.along > 2 * found.straight
    True
    """
    data = datasets.swiss_roll(n, np.random.default_rng(seed))
    graph = manifold.neighbours(data.X, n_neighbors).graph()
    start, end = int(data.y.argmin()), int(data.y.argmax())
    far, before = dijkstra(graph.lengths, indices=start, return_predecessors=True)
    path = [end]
    while path[-1] != start:
        path.append(int(before[path[-1]]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", manifold.NegativeEigenvalues)
        isomap = manifold.Isomap(2, method="exact").fit(graph)
    straight = float(np.linalg.norm(data.X[start] - data.X[end]))
    flat, share = isomap.embedding_, isomap.negative_share_
    return Walk(
        data.X, data.y, np.array(path[::-1]), straight, float(far[end]), flat, share
    )


# --- Short circuits ------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Bridges:
    """Graphs of a Swiss roll, for numbers of neighbours.

    Attributes
    ----------
    counts : tuple of int, length m
        Neighbours.
    edges : ndarray (m,)
        Of the graph, those that join two windings.
    along : ndarray (m,)
        Correlation of the first coordinate with the place along the strip.
    kept : ndarray (m,)
        The share of the points that have coordinates.
    """

    counts: tuple[int, ...]
    edges: np.ndarray
    along: np.ndarray
    kept: np.ndarray


@dataclass(frozen=True, eq=False)
class Unrolled:
    """Coordinates from one graph.

    Attributes
    ----------
    places : ndarray (m, 2)
    angle : ndarray (m,)
    edges : int
        Those that join two windings.
    share : float
        Of the points, those that have coordinates.
    """

    places: np.ndarray
    angle: np.ndarray
    edges: int
    share: float

    @property
    def along(self) -> float:
        """Correlation of the first coordinate with the place along the strip."""
        place = arc_length(self.angle)
        return float(abs(np.corrcoef(self.places[:, 0], place)[0, 1]))


@one_thread
def unrolled(
    data: datasets.Dataset,
    n_neighbors: int,
    quantile: float | None = None,
    n_landmarks: int = 150,
) -> Unrolled:
    """Unroll a Swiss roll by Nyström Isomap.

    Parameters
    ----------
    data : Dataset
    n_neighbors : int
    quantile : float, optional
        No edge is longer than this quantile of the distances to neighbours.
    n_landmarks : int

    Examples
    --------
    >>> roll = datasets.swiss_roll(400, np.random.default_rng(0))
    >>> unrolled(roll, 5, n_landmarks=50).edges
    0
    """
    near = manifold.neighbours(data.X, n_neighbors)
    limit = None if quantile is None else np.quantile(near.distances, quantile)
    graph = near.graph(limit=limit)
    angle, m = data.y[graph.kept], len(graph.kept)
    own = some_landmarks(m, n_landmarks)
    far = graph.geodesics(own)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", manifold.NegativeEigenvalues)
        places = manifold.LandmarkMDS(2).fit_transform(far, landmarks=own)
    edges = _between_windings(graph, data.y)
    return Unrolled(places, angle, edges, m / len(data.X))


def _between_windings(graph, angle):
    """The edges of a graph whose ends are more than half a turn apart."""
    angle = angle[graph.kept]
    one, other = graph.lengths.tocoo().coords
    return int((abs(angle[one] - angle[other]) > np.pi).sum()) // 2


def bridges(
    data: datasets.Dataset, counts: Sequence[int], quantile: float | None = None
) -> Bridges:
    """Unroll a Swiss roll with more and more neighbours.

    Examples
    --------
    >>> roll = datasets.swiss_roll(400, np.random.default_rng(0))
    >>> bridges(roll, [5, 30]).edges[0]
    np.int64(0)
    """
    found = [unrolled(data, t, quantile) for t in counts]
    rows = [(one.edges, one.along, one.share) for one in found]
    edges, along, kept = np.array(rows).T
    return Bridges(tuple(counts), edges.astype(int), along, kept)


# --- One centring too few ------------------------------------------------------------


@one_thread
def centred(n: int, n_neighbors: int, count: int, seed: int = 0):
    """The Swiss roll in two coordinates, by three methods from the same columns.

    Returns
    -------
    places : dict of str to ndarray (n, 2)
        By name as in `spectrum.WAYS`.
    angle : ndarray (n,)
    of_mean : ndarray (2,)
        Correlation of both coordinates, with C centred on one side, with the mean
        squared distance to the landmarks.

    Examples
    --------
    >>> places, angle, of_mean = centred(400, 8, 40)
    >>> of_mean.shape
    (2,)
    """
    data = datasets.swiss_roll(n, np.random.default_rng(seed))
    graph = manifold.neighbours(data.X, n_neighbors).graph()
    own = some_landmarks(n, count)
    squared = graph.geodesics(own, dtype=np.float64) ** 2
    places = spectrum.three_ways(squared, own, 2)
    mean = squared.mean(axis=1)
    of_mean = [abs(np.corrcoef(x, mean)[0, 1]) for x in places[spectrum.SINGLY].T]
    return places, data.y, np.array(of_mean)


# --- What errors of geodesics move ---------------------------------------------------


@dataclass(frozen=True, eq=False)
class Moved:
    """Points of a flat strip, and coordinates from paths between them.

    Attributes
    ----------
    counts : tuple of int, length m
        Numbers of points.
    error : ndarray (m,)
        ``|D' - D|_F / |D|_F`` of the squared distances.
    moved, bound : ndarray (m,)
        How far all points move, and at most, by size of all points.
    """

    counts: tuple[int, ...]
    error: np.ndarray
    moved: np.ndarray
    bound: np.ndarray


@one_thread
def moved(counts: Sequence[int], seed: int = 0) -> Moved:
    """How far coordinates are from points that lie in the plane.

    Parameters
    ----------
    counts : sequence of int
        Numbers n of points, uniform in a strip of two by one; as neighbours count the
        square root of n nearest.
    seed : int

    Examples
    --------
    >>> found = moved([60, 120])
    >>> bool((found.moved <= found.bound).all())
    True
    """
    low, high = (0, 0), (2, 1)
    rngs = (np.random.default_rng(seed) for _ in counts)
    sets = (rng.uniform(low, high, (n, 2)) for n, rng in zip(counts, rngs, strict=True))
    return moved_of(list(sets))


def moved_of(sets: Sequence[np.ndarray], per_root: float = 1.0) -> Moved:
    """The same for given points of a plane, those of the largest component.

    Parameters
    ----------
    sets : sequence of ndarray (n, 2)
    per_root : float
        Neighbours, by the square root of n.

    Examples
    --------
    >>> moved_of([np.random.default_rng(0).uniform(size=(40, 2))]).counts
    (40,)
    """
    rows = []
    for points in sets:
        near = manifold.neighbours(points, round(per_root * np.sqrt(len(points))))
        graph = near.graph()
        X = points[graph.kept] - points[graph.kept].mean(axis=0)
        D = cdist(X, X) ** 2
        found = spectrum.spectrum(graph)
        places = spectrum.of_all_columns(found.K, 2)["positive eigenvalues"]
        error, size = np.linalg.norm(found.squared - D), np.linalg.norm(X)
        smallest = scipy.linalg.svdvals(X)[-1]
        bound = error / (np.sqrt(2 * (np.sqrt(2) - 1)) * smallest)
        off = matrices.moved(places.T, X.T)
        rows.append((error / np.linalg.norm(D), off / size, bound / size))
    return Moved(tuple(map(len, sets)), *np.array(rows).T)
