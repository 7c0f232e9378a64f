"""An index that misses neighbours, points of a plane, and what exercises ask."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from nystheory import manifold
from nystheory.chapters.a_million_points import pipeline

# Points in a cell of an index, as in the package.
A_CELL = 60


# --- The index -----------------------------------------------------------------------


def an_index(X: np.ndarray, probes: int, seed: int = 1234):
    """An inverted file that looks through some of its cells.

    Parameters
    ----------
    X : ndarray (n, d)
    probes : int
        Cells that are looked through.
    seed : int
        Of the first centres of the cells; by default that of the library.

    Returns
    -------
    faiss.IndexIVFFlat

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((500, 3)).astype(np.float32)
    >>> an_index(X, 1).nlist
    8
    """
    import faiss

    cells = max(1, len(X) // A_CELL)
    index = faiss.IndexIVFFlat(faiss.IndexFlatL2(X.shape[1]), X.shape[1], cells)
    index.cp.min_points_per_centroid, index.cp.seed = 1, seed
    X = np.ascontiguousarray(X, np.float32)
    index.train(X)
    index.add(X)
    index.nprobe = min(probes, cells)
    return index


def by_index(X: np.ndarray, t: int, probes: int, seed: int = 1234):
    """Neighbours by `an_index`.

    Parameters
    ----------
    X : ndarray (n, d)
        Distinct points: each is its own nearest.
    t : int
        Neighbours.
    probes, seed : int

    Returns
    -------
    Neighbours
        At an infinite distance where the cells hold fewer than t others.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((500, 3)).astype(np.float32)
    >>> by_index(X, 2, 1).indices.shape
    (500, 2)
    """
    far, near = an_index(X, probes, seed).search(np.asarray(X, np.float32), t + 1)
    far = np.where(near < 0, np.inf, np.sqrt(np.maximum(far, 0)))
    return manifold.Neighbours(near[:, 1:], far[:, 1:])


def compared(X: np.ndarray, probes: int) -> float:
    """With how many points of its cells a point is compared, in the mean.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((500, 3)).astype(np.float32)
    >>> compared(X, 8)
    500.0
    """
    index = an_index(X, probes)
    cells = index.quantizer.search(np.asarray(X, np.float32), index.nprobe)[1]
    sizes = np.array([index.invlists.list_size(c) for c in range(index.nlist)])
    return float(sizes[cells].sum(axis=1).mean())


# --- Points of a plane ----------------------------------------------------------------


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
