"""How many landmarks are enough, and how good an index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from nystheory import datasets, manifold
from nystheory.chapters.a_million_points import pipeline
from nystheory.engine.findings.experiments import one_thread
from nystheory.engine.worlds.matrices import moved

# --- What is placed -------------------------------------------------------------------


def pictures(n: int, seed: int = 0) -> np.ndarray:
    """A few pictures of heads, (n, 1024).

    Examples
    --------
    >>> pictures(3).shape
    (3, 1024)
    """
    return datasets.poses(n, np.random.default_rng(seed), pipeline.SIZE).X


def centred(Y: np.ndarray) -> np.ndarray:
    """Coordinates with mean zero.

    Examples
    --------
    >>> centred(np.array([[1.0], [3.0]])).T.tolist()
    [[-1.0, 1.0]]
    """
    return Y - Y.mean(axis=0)


# --- Landmarks -----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Certified:
    """Coordinates of points of a Euclidean space from their distances to landmarks.

    Attributes
    ----------
    counts : tuple of int, length m
        Numbers of landmarks.
    size : float
        The Frobenius norm of the points about their mean.
    error : ndarray (m,)
        How far the coordinates are from the points.
    bound : ndarray (m,)
        The root of the trace that is left out, from the same distances.
    """

    counts: tuple[int, ...]
    size: float
    error: np.ndarray
    bound: np.ndarray


@one_thread
def certified(X: np.ndarray, counts: Sequence[int], seed: int = 0) -> Certified:
    """Landmark MDS with all coordinates, beside the bound that it tells itself.

    Parameters
    ----------
    X : ndarray (n, d)
        Points.
    counts : sequence of int
        Numbers of landmarks, at most d + 1; each sample holds the one before.
    seed : int

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((30, 8))
    >>> found = certified(X, [3, 9])
    >>> bool((found.error <= found.bound + 1e-6).all()), bool(found.error[1] < 1e-6)
    (True, True)
    """
    order, rows = np.random.default_rng(seed).permutation(len(X)), []
    for count in counts:
        own = order[:count]
        distances = cdist(X, X[own])
        mds = manifold.LandmarkMDS(count - 1).fit(distances, landmarks=own)
        trace = float(((X - X[own].mean(axis=0)) ** 2).sum())
        error = moved(mds.embedding_.T, (X - X[own].mean(axis=0)).T)
        rows.append((error, np.sqrt(max(mds.residual_, 0.0) * trace)))
    error, bound = np.array(rows).T
    return Certified(tuple(counts), float(np.linalg.norm(centred(X))), error, bound)


@dataclass(frozen=True, eq=False)
class Landmarks:
    """Coordinates from geodesics to landmarks, beside those from all geodesics.

    Attributes
    ----------
    counts : tuple of int, length m
    error : ndarray (m, draws)
        How far the coordinates are from those of exact Isomap, as a share of these.
    residual : ndarray (m, draws)
        The share of the trace that the coordinates leave out.
    exact_residual, negative_share : float
        The same of all geodesics, and the share of negative eigenvalues.
    """

    counts: tuple[int, ...]
    error: np.ndarray
    residual: np.ndarray
    exact_residual: float
    negative_share: float


@one_thread
def landmarks(
    graph: manifold.NeighbourGraph,
    k: int,
    counts: Sequence[int],
    draws: int = 5,
    seed: int = 0,
) -> Landmarks:
    """How many landmarks Isomap needs, for uniform draws.

    Parameters
    ----------
    graph : NeighbourGraph
        Small: all its geodesics are computed.
    k : int
        The number of coordinates.
    counts : sequence of int
    draws, seed : int

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((60, 3))
    >>> found = landmarks(manifold.neighbours(X, 8).graph(), 2, [10, 60], draws=2)
    >>> found.error.shape, bool((found.error[1] < 1e-6).all())
    ((2, 2), True)
    """
    m, rng = len(graph.kept), np.random.default_rng(seed)
    distances = graph.geodesics(np.arange(m), dtype=np.float64)
    whole = pipeline.quiet(manifold.LandmarkMDS(k), distances, np.arange(m))
    exact, rows = centred(whole.embedding_), []
    size = np.linalg.norm(exact)
    for _ in range(draws):
        order, row = rng.permutation(m), []
        for count in counts:
            own = order[:count]
            mds = pipeline.quiet(manifold.LandmarkMDS(k), distances[:, own], own)
            near = moved(centred(mds.embedding_).T, exact.T) / size
            row.append((near, mds.residual_))
        rows.append(row)
    error, residual = np.array(rows).T
    negative = whole.negative_share_
    return Landmarks(tuple(counts), error, residual, whole.residual_, negative)


# --- The index -----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Recalls:
    """Graphs from neighbours of which some were missed.

    Attributes
    ----------
    probes : tuple of int, length m
        Cells that were looked through.
    recall : ndarray (m,)
        The share of true neighbours that were found.
    components : ndarray (m,)
    share : ndarray (m,)
        Of the points, those in the largest component.
    longer, shorter : ndarray (m,)
        Largest share by which a geodesic is longer, and shorter, than in the graph of
        all true neighbours.
    mean : ndarray (m,)
        The mean share, without sign, by which it differs.
    moved : ndarray (m,)
        How far the coordinates move, as a share of them.  It and the three before are
        NaN where too few landmarks are left in the largest component.
    """

    probes: tuple[int, ...]
    recall: np.ndarray
    components: np.ndarray
    share: np.ndarray
    longer: np.ndarray
    shorter: np.ndarray
    mean: np.ndarray
    moved: np.ndarray


def by_index(X: np.ndarray, t: int, probes: int, a_cell: int = 60, seed: int = 1234):
    """Neighbours by an inverted file that looks through some of its cells.

    Parameters
    ----------
    X : ndarray (n, d)
    t : int
        Neighbours.
    probes, a_cell : int
        Cells that are looked through, and points in one.
    seed : int
        Of the first centres of the cells; by default that of the library.

    Returns
    -------
    Neighbours

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((500, 3)).astype(np.float32)
    >>> by_index(X, 2, 1).indices.shape
    (500, 2)
    """
    import faiss

    X = np.ascontiguousarray(X, np.float32)
    cells = max(1, len(X) // a_cell)
    index = faiss.IndexIVFFlat(faiss.IndexFlatL2(X.shape[1]), X.shape[1], cells)
    index.cp.min_points_per_centroid, index.cp.seed = 1, seed
    index.train(X)
    index.add(X)
    index.nprobe = probes
    far, near = index.search(X, t + 1)
    # Distinct points: each is its own nearest.
    return manifold.Neighbours(near[:, 1:], np.sqrt(np.maximum(far[:, 1:], 0)))


@one_thread
def recalls(
    X, probes: Sequence[int], sources: int, k: int, t: int = 5, seed: int = 0
) -> Recalls:
    """What an index that misses neighbours does to geodesics and coordinates.

    Parameters
    ----------
    X : ndarray (n, d)
        Distinct points.
    probes : sequence of int
        Numbers of cells.
    sources : int
        The number of landmarks.
    k, t : int
        The numbers of coordinates and of neighbours.
    seed : int

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((400, 2)).astype(np.float32)
    >>> found = recalls(X, [1, 6], 10, 2)
    >>> bool(found.recall[0] < found.recall[1] <= 1)
    True
    """
    true = manifold.neighbours(X, t, search="exact")
    whole = true.graph()
    own = np.random.default_rng(seed).choice(len(whole.kept), sources, replace=False)
    right = whole.geodesics(own)
    exact = _placed(right, own, k)
    farthest, rows = true.distances[:, -1:] * (1 + 1e-5), []
    for count in probes:
        near = by_index(X, t, count)
        graph, share = near.graph(), (near.distances <= farthest).mean()
        told = share, len(graph.sizes), graph.sizes[0] / len(X)
        rows.append((*told, *_changes(whole, graph, own, right, exact)))
    return Recalls(tuple(probes), *np.array(rows).T)


def _changes(whole, graph, own, right, exact):
    """What another graph does to geodesics and coordinates of points in both."""
    _, first, second = np.intersect1d(
        whole.kept, graph.kept, assume_unique=True, return_indices=True
    )
    starts = np.isin(own, first)
    if starts.sum() <= exact.shape[1]:
        return 4 * [np.nan]
    left = second[np.searchsorted(first, own[starts])]
    found, before = graph.geodesics(left), right[np.ix_(first, starts)]
    change = found[second][before > 0] / before[before > 0] - 1
    place = centred(exact[first])
    places = centred(_placed(found, left, exact.shape[1])[second])
    off = moved(places.T, place.T) / np.linalg.norm(place)
    return change.max(), -change.min(), abs(change).mean(), off


def _placed(distances, own, k):
    return pipeline.quiet(manifold.LandmarkMDS(k), distances, own).embedding_


@dataclass(frozen=True, eq=False)
class Beside:
    """How far coordinates move by an index, beside what other landmarks do.

    Each is a share of the coordinates; NaN where a graph is in pieces.

    Attributes
    ----------
    index, other_index : float
        By an index, and by one with other cells, from those of the exact graph, with
        the same landmarks.
    between : float
        From one index to the other.
    landmarks : float
        By other landmarks, in the exact graph.
    """

    index: float
    other_index: float
    between: float
    landmarks: float


@one_thread
def beside(X, probes: int, sources: int, k: int, t: int = 5, seed: int = 0) -> Beside:
    """Two indexes and two sets of landmarks.

    Parameters
    ----------
    X : ndarray (n, d)
        Distinct points.
    probes, sources : int
        Cells that are looked through, and landmarks.
    k, t : int
        The numbers of coordinates and of neighbours.
    seed : int
        Of the landmarks.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((400, 2)).astype(np.float32)
    >>> found = beside(X, 3, 10, 2)
    >>> bool(found.landmarks > 0)
    True
    """
    whole = manifold.neighbours(X, t, search="exact").graph()
    both = [by_index(X, t, probes, seed=s).graph() for s in (1234, 1235)]
    if any(len(graph.sizes) > 1 for graph in (whole, *both)):
        return Beside(*4 * [np.nan])
    rng = np.random.default_rng(seed)
    own, others = (rng.choice(len(X), sources, replace=False) for _ in range(2))
    exact, one, other = (_from(graph, own, k) for graph in (whole, *both))
    pairs = (one, exact), (other, exact), (other, one), (_from(whole, others, k), exact)
    return Beside(*(moved(a.T, b.T) / np.linalg.norm(b) for a, b in pairs))


def _from(graph, landmarks, k):
    """Coordinates with mean zero, from geodesics to landmarks."""
    return centred(_placed(graph.geodesics(landmarks), landmarks, k))


def in_a_plane(n: int, count: int, draws: int) -> np.ndarray:
    """The residual of points in a plane, where it is zero but for rounding.

    Parameters
    ----------
    n, count : int
        Points and landmarks; their distances are told in float32, as geodesics are.
    draws : int

    Returns
    -------
    ndarray (draws,)

    Examples
    --------
    >>> bool((abs(in_a_plane(50, 5, 3)) < 1e-5).all())
    True
    """
    found = []
    for seed in range(draws):
        X = np.random.default_rng(seed).standard_normal((n, 2))
        far = cdist(X, X[:count]).astype(np.float32)
        mds = pipeline.quiet(manifold.LandmarkMDS(2), far, np.arange(count))
        found.append(mds.residual_)
    return np.array(found)


# --- What an exercise asks -----------------------------------------------------------


def of_a_graph(far: np.ndarray) -> bool:
    """Whether some lengths of shortest paths are these, between points and landmarks.

    Parameters
    ----------
    far : ndarray (n, l)
        Distances of n points to the first l of them.

    Examples
    --------
    >>> of_a_graph(np.array([[0.0, 2.0], [2.0, 0.0], [1.0, 1.0]]))
    True
    >>> of_a_graph(np.array([[0.0, 2.0], [2.0, 0.0], [0.5, 0.5]]))
    False
    """
    far = np.asarray(far, float)
    own = far[: far.shape[1]]
    near = 1e-9 * abs(far).max(initial=0.0)
    if (far < 0).any() or np.diag(own).any() or abs(own - own.T).max() > near:
        return False
    # How far two landmarks are by way of a third point: n x l x l.
    around = far[:, :, None] + far[:, None, :]
    longer = abs(far[:, :, None] - far[:, None, :]) - own
    return bool(max(longer.max(), (own - around).max()) <= near)


def cut_short(
    graph: manifold.NeighbourGraph, landmarks, length: float, by: float = 0.01
) -> float:
    """The share of geodesics to landmarks that one more edge makes shorter.

    The edge joins the first landmark to the point that is farthest from it; a shortest
    path takes it once, in one of its directions, or not at all.

    Parameters
    ----------
    graph : NeighbourGraph
    landmarks : sequence of int
    length : float
        Of the edge.
    by : float
        The share of its length by which a geodesic must be shorter to be counted.

    Examples
    --------
    >>> line = manifold.neighbours(np.arange(4.0)[:, None], 1).graph()
    >>> cut_short(line, [0], 1.0)
    0.25
    """
    far = graph.geodesics(landmarks)
    one, other = graph.geodesics([landmarks[0], int(far[:, 0].argmax())]).T
    there = one[:, None] + length + other[landmarks]
    back = other[:, None] + length + one[landmarks]
    return float((np.minimum(there, back) < (1 - by) * far).mean())
