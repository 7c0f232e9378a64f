"""What the experiments of the chapter draw and measure, draw by draw."""

from __future__ import annotations

import tracemalloc
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from nystheory import datasets, manifold
from nystheory.chapters.a_million_points import experiments, pipeline
from nystheory.engine.worlds.matrices import moved

T, LANDMARKS = pipeline.NEIGHBOURS, 100

# ---- points ----


@dataclass(frozen=True, eq=False)
class Points:
    """Points with labels.

    Attributes
    ----------
    X : ndarray (n, d)
        In float32.
    labels : ndarray (n,)
    """

    X: np.ndarray
    labels: np.ndarray

    def __len__(self):
        return len(self.X)

    def __getitem__(self, rows):
        return Points(self.X[rows], self.labels[rows])


def heads(size: int, rng, people: int = 68) -> Points:
    """Pictures of heads as the page reduces them, with their poses."""
    shown = datasets.scenes(size, rng, people)
    return Points(pipeline.reduced(shown, dimension=min(50, size)), shown.pose)


def of_three(size: int, rng) -> Points:
    """Pictures of three people only."""
    return heads(size, rng, 3)


def roll(size: int, rng) -> Points:
    """Points of a strip with a hole, rolled up; labels are ten parts of the strip."""
    found = datasets.swiss_roll(size, rng)
    ends = np.quantile(found.y, np.linspace(0, 1, 11)[1:-1])
    return Points(found.X.astype(np.float32), np.searchsorted(ends, found.y))


def digits(size: int, rng) -> Points:
    """Some of the digits, those that are pictures of numbers by hand."""
    found = datasets.digits()
    rows = rng.permutation(len(found.X))[:size]
    return Points(found.X[rows].astype(np.float32), found.y[rows])


# ---- pieces ----


def pieces(trial) -> dict:
    """Largest component, without and within the limit, in percent; largest degree."""
    near = manifold.neighbours(trial.known.X, T, search="exact")
    limit = float(np.quantile(near.distances, 0.95))
    parts = near.components([trial.run], [None, limit]).rows
    degree = np.diff(near.graph(trial.run, whole=True).lengths.indptr)
    return {
        "joined": 100 * parts[0][3],
        "within": 100 * parts[1][3],
        "hub": degree.max() / np.median(degree),
    }


# ---- an index ----

COORDINATES = 10


@dataclass(frozen=True, eq=False)
class Placed:
    """Points with their exact graph, and coordinates from it.

    Attributes
    ----------
    X : ndarray (n, d)
    true : Neighbours
    graph : NeighbourGraph
    own, others : ndarray
        Landmarks, and sources that are held out, by their places in the graph.
    geodesics : ndarray (m, l)
        To the landmarks.
    coordinates : ndarray (m, k)
    """

    X: np.ndarray
    true: manifold.Neighbours
    graph: manifold.NeighbourGraph
    own: np.ndarray
    others: np.ndarray
    geodesics: np.ndarray
    coordinates: np.ndarray


def placed(points: Points, rng):
    """Exact neighbours, their graph, and coordinates from some landmarks."""
    true = manifold.neighbours(points.X, T, search="exact")
    graph = true.graph()
    own, others = sources(len(graph.kept), LANDMARKS, rng)
    far = graph.geodesics(own)
    Y = mapped(far, own, COORDINATES)
    return Placed(points.X, true, graph, own, others, far, Y), None


def sources(n: int, count: int, rng) -> tuple[np.ndarray, np.ndarray]:
    """Landmarks, and some points that are held out."""
    order = rng.choice(n, count + pipeline.HELD_OUT, replace=False)
    return order[:count], order[count:]


def mapped(distances, own, k: int) -> np.ndarray:
    """Coordinates by Landmark MDS."""
    return pipeline.quiet(manifold.LandmarkMDS(k), distances, own).embedding_


def off(Y: np.ndarray, exact: np.ndarray) -> float:
    """How far coordinates are from others, turned and shifted, in percent of these."""
    Y, exact = (Z - Z.mean(axis=0) for Z in (Y, exact))
    return 100 * moved(Y.T, exact.T) / np.linalg.norm(exact)


def missed(trial) -> dict:
    """What an index misses, and what that does; or what other landmarks do.

    With one cell the graph is in pieces, and there is nothing to compare.
    """
    of, rng = trial.known, trial.rng
    if trial.run is None:
        own = rng.choice(len(of.graph.kept), LANDMARKS, replace=False)
        Y = mapped(of.graph.geodesics(own), own, COORDINATES)
        return {"moved": off(Y, of.coordinates)}
    near = experiments.by_index(of.X, T, trial.run)
    graph = near.graph(limit=np.finfo(np.float32).max)  # without those not found
    farthest = of.true.distances[:, -1:] * (1 + 1e-5)
    found = {
        "recall": 100 * (near.distances <= farthest).mean(),
        "components": len(graph.sizes),
    }
    return found | (changes(of, graph) if trial.run > 1 else {})


def changes(of: Placed, graph: manifold.NeighbourGraph) -> dict:
    """What another graph does to geodesics and coordinates of points in both."""
    _, first, second = np.intersect1d(
        of.graph.kept, graph.kept, assume_unique=True, return_indices=True
    )
    there = np.full(len(of.graph.kept), -1)
    there[first] = second
    starts = there[of.own] >= 0
    own, others = (some[some >= 0] for some in (there[of.own], there[of.others]))
    found, before = graph.geodesics(own), of.geodesics[np.ix_(first, starts)]
    change = found[second][before > 0] / before[before > 0] - 1
    Y = mapped(found, own, of.coordinates.shape[1])
    return {
        "mean": 100 * abs(change).mean(),
        "longest": 1 + change.max(),
        "moved": off(Y[second], of.coordinates[first]),
        "held": 100 * pipeline.apart(Y, others, graph.geodesics(others)),
    }


# ---- more points ----

SIZES = (2000, 4000, 8000)


def grown(trial) -> dict:
    """Comparisons and memory, for more and more of the points."""
    X, rng = trial.known.X, trial.rng
    if trial.run == "exact":
        counts = np.array(SIZES) - 1
        return {"compared": counts, "power": power(counts)}
    counts = [experiments.compared(X[:n], 24) for n in SIZES]
    peaks = [peak(X[:n], rng) for n in SIZES]
    kept = [4 * n * LANDMARKS for n in SIZES]
    return {
        "compared": counts,
        "power": power(counts),
        "memory": np.divide(peaks, kept),
        "memory_power": power(peaks),
    }


def power(values) -> float:
    """By which power of the number of points something grows, over all sizes."""
    return float(np.log(values[-1] / values[0]) / np.log(SIZES[-1] / SIZES[0]))


def peak(X: np.ndarray, rng) -> int:
    """The largest number of bytes at once from the graph to the coordinates."""
    near = manifold.neighbours(X, T, search="approximate", rng=rng)
    own, _ = sources(len(near.graph().kept), LANDMARKS, rng)

    def work():
        mapped(near.graph().geodesics(own), own, COORDINATES)

    if len(X) == SIZES[0]:
        work()  # what Python keeps from its first run is no part of it
    tracemalloc.start()
    work()
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


# ---- how many landmarks ----

COUNTS, CERTIFIED = (25, 50, 100, 200, 400), (10, 20, 40, 80, 160, 320)


def all_paths(points: Points, rng):
    """All geodesics of the exact graph."""
    graph = manifold.neighbours(points.X, T, search="exact").graph()
    return graph.geodesics(np.arange(len(graph.kept)), dtype=np.float64), None


def enough(trial) -> dict:
    """How far coordinates are from those of all geodesics, and from each other."""
    far, k, rng = trial.known, trial.run, trial.rng
    whole = pipeline.quiet(manifold.LandmarkMDS(k), far, np.arange(len(far)))
    rows = []
    orders = [rng.permutation(len(far)) for _ in range(2)]
    for count in COUNTS:
        own, other = (order[:count] for order in orders)
        mds = pipeline.quiet(manifold.LandmarkMDS(k), far[:, own], own)
        Y, Z = mds.embedding_, mapped(far[:, other], other, k)
        rows.append((off(Y, whole.embedding_), off(Z, Y), mds.residual_))
    away, apart, residual = np.array(rows).T
    return {
        "away": away,
        "apart": apart,
        "residual": residual,
        "negative": 100 * whole.negative_share_,
        "gain": away[0] / away[-1],
    }


def pixels(size: int, rng) -> np.ndarray:
    """Pictures of heads, as they are."""
    return datasets.poses(size, rng, pipeline.SIZE).X


def patches(size: int, rng) -> np.ndarray:
    """Some large patches of two photographs."""
    X = datasets.patches(2000, 24).X
    return X[rng.permutation(len(X))[:size]]


def certified(trial) -> dict:
    """Errors of all coordinates of Euclidean points, and the bounds from columns."""
    X, rows = trial.known, []
    order, size = trial.rng.permutation(len(X)), np.linalg.norm(X - X.mean(axis=0))
    for count in CERTIFIED:
        own = order[:count]
        Z = X - X[own].mean(axis=0)
        mds = manifold.LandmarkMDS(count - 1).fit(cdist(X, X[own]), landmarks=own)
        bound = np.sqrt(max(mds.residual_, 0.0) * float((Z**2).sum()))
        rows.append((moved(mds.embedding_.T, Z.T), bound))
    error, bound = np.array(rows).T
    found = {"error": 100 * error / size, "bound": 100 * bound / size}
    return found | {"over": bound / error}


# ---- what fifty coordinates are worth ----

FIFTY, MORE, HELD = 50, 150, (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50)


@dataclass(frozen=True, eq=False)
class Embedded:
    """Points of a graph, reduced and embedded, and their geodesics.

    Attributes
    ----------
    points : Points
    own, others : ndarray
        Landmarks, and sources that are held out.
    geodesics, held : ndarray (m, l), (m, h)
        To both.
    coordinates : ndarray (m, k)
    """

    points: Points
    own: np.ndarray
    others: np.ndarray
    geodesics: np.ndarray
    held: np.ndarray
    coordinates: np.ndarray


def embedded(points: Points, rng):
    """Fifty coordinates from geodesics to landmarks."""
    graph = manifold.neighbours(points.X, T, search="exact").graph()
    own, others = sources(len(graph.kept), MORE, rng)
    far, held = graph.geodesics(own), graph.geodesics(others)
    Y = mapped(far, own, FIFTY)
    return Embedded(points[graph.kept], own, others, far, held, Y), None


def held_out(trial) -> dict:
    """Differences from geodesics held out, and distances that are too long."""
    of = trial.known
    found = pipeline.held_out(of.coordinates, of.others, of.held, HELD)
    apart = 100 * np.array([*found.values()])
    long = [
        (np.linalg.norm(of.coordinates - of.coordinates[i], axis=1) > 1.0001 * far)
        for i, far in zip(of.own, of.geodesics.T, strict=True)
    ]
    return {
        "apart": apart,
        "best": HELD[apart.argmin()],
        "worse": apart[-1] / apart.min(),
        "long": 100 * np.mean(long),
    }


def worth(trial) -> dict:
    """Purity of clusters, and errors of the nearest neighbour, in percent."""
    of = trial.known
    Z = of.coordinates if trial.run == "coordinates" else of.points.X
    purity, wrong = pipeline.judge(Z, of.points.labels)
    return {"purity": 100 * purity, "wrong": 100 * wrong}
