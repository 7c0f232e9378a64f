"""Heads that turn: coordinates by five methods, and how well they tell the poses."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from threadpoolctl import threadpool_limits

from nystheory import datasets, kernels, lowrank, manifold, sampling, style
from nystheory.engine.findings.experiments import Sweep, four_matrices, one_thread

N_POSES = 13
NEIGHBOURS = (1, 3, 5)
# In percent: Tables 3.2 to 3.5 of A. Talwalkar, "Matrix Approximation for Large-scale
# Learning", PhD thesis, New York University, 2010.
PRINTED = {
    "PCA": {"purity": 54.3, "accuracy": 46.1},
    "exact Isomap": {"purity": 58.4, "accuracy": 53.3, 1: 10.9, 3: 14.1, 5: 15.8},
    "Nyström Isomap": {"purity": 59.1, "accuracy": 53.3, 1: 11.0, 3: 14.0, 5: 15.8},
    "Column-sampling Isomap": {
        "purity": 56.5,
        "accuracy": 49.4,
        1: 12.0,
        3: 15.3,
        5: 16.6,
    },
    "Laplacian eigenmaps": {
        "purity": 35.8,
        "accuracy": 69.2,
        1: 12.7,
        3: 16.6,
        5: 18.9,
    },
}
PRINTED_LARGER = {
    "PCA": {"purity": 54.6, "accuracy": 46.8},
    "Nyström Isomap": {"purity": 59.9, "accuracy": 53.7, 1: 9.8},
    "Column-sampling Isomap": {"purity": 56.1, "accuracy": 50.7, 1: 10.3},
    "Laplacian eigenmaps": {"purity": 39.3, "accuracy": 74.7, 1: 11.1},
}


# --- The heads, and their coordinates ------------------------------------------------


@dataclass(frozen=True, eq=False)
class Heads:
    """Pictures of heads, and the graph of their neighbours.

    Attributes
    ----------
    X : ndarray (n, size^2)
        Pictures, a row each.
    pose : ndarray (n,)
        Which of the thirteen poses.
    angles : ndarray (n, 2)
        How far each is turned to the side, and up: degrees.
    light : ndarray (n, 2)
        Where the light is, to the side and up: degrees.
    neighbours : Neighbours
    graph : NeighbourGraph
        Connected.
    """

    X: np.ndarray
    pose: np.ndarray
    angles: np.ndarray
    light: np.ndarray
    neighbours: manifold.Neighbours
    graph: manifold.NeighbourGraph


def heads(n: int, n_neighbors: int = 5, seed: int = 0) -> Heads:
    """Draw heads and join neighbours.

    Raises
    ------
    ValueError
        If the graph is not connected.

    Examples
    --------
    >>> heads(300).graph
    NeighbourGraph(n=300, connected, 965 edges)
    """
    shown = datasets.scenes(n, np.random.default_rng(seed))
    X = datasets.rendered(shown)
    near = manifold.neighbours(X, n_neighbors)
    graph = near.graph()
    if len(graph.sizes) > 1:
        raise ValueError(f"n: expected a connected graph, got {graph!r}")
    return Heads(X, shown.pose, shown.angles, shown.light, near, graph)


def some_landmarks(n: int, count: int, seed: int = 0) -> np.ndarray:
    """Uniform landmarks, without replacement.

    Examples
    --------
    >>> len(set(some_landmarks(10, 4).tolist()))
    4
    """
    return np.random.default_rng(seed).choice(n, count, replace=False)


@one_thread
def coordinates(seen: Heads, k: int, landmarks, exact: bool = True):
    """Coordinates of heads, by name of the method.

    Parameters
    ----------
    seen : Heads
    k : int
        The number of coordinates.
    landmarks : sequence of int
        The same for both methods of sampling.
    exact : bool
        Whether Isomap is done with all points, too.

    Returns
    -------
    dict of str to ndarray (n, k)

    Examples
    --------
    >>> found = coordinates(heads(300), 3, range(40), exact=False)
    >>> list(found)
    ['PCA', 'Nyström Isomap', 'Column-sampling Isomap', 'Laplacian eigenmaps']
    """
    found = {"PCA": PCA(k, random_state=0).fit_transform(seen.X)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", manifold.NegativeEigenvalues)
        if exact:
            all_points = manifold.Isomap(k, method="exact")
            found["exact Isomap"] = all_points.fit_transform(seen.graph)
        far = seen.graph.geodesics(landmarks)
        for name in ("Nyström", "Column-sampling"):
            method = {"Nyström": "nystrom"}.get(name, "column-sampling")
            mds = manifold.LandmarkMDS(k, method=method)
            found[f"{name} Isomap"] = mds.fit_transform(far, landmarks=landmarks)
    maps = manifold.LaplacianEigenmaps(k)
    found["Laplacian eigenmaps"] = maps.fit_transform(seen.graph)
    return found


@one_thread
def told_angles(n: int, fresh: int, k: int, landmarks) -> tuple[float, float]:
    """How well a linear function of coordinates tells the angle to the side.

    Parameters
    ----------
    n, fresh : int
        Heads that are known, and new ones.
    k : int
        The number of coordinates, by Nyström Isomap of the known ones.
    landmarks : sequence of int

    Returns
    -------
    known, new : float
        Degrees, root of the mean square.

    Examples
    --------
    >>> known, new = told_angles(400, 50, 3, range(60))
    >>> known < 60 and new < 60
    True
    """
    shown = datasets.scenes(n + fresh, np.random.default_rng(0))
    X, angle = datasets.rendered(shown), shown.angles[:, 0]
    isomap = manifold.Isomap(k, landmarks=landmarks, method="nystrom")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", manifold.NegativeEigenvalues)
        places = isomap.fit_transform(X[:n])
    places = np.concatenate([places, isomap.transform(X[n:])])
    places = np.concatenate([places, np.ones((n + fresh, 1))], axis=1)
    told = places @ np.linalg.lstsq(places[:n], angle[:n], rcond=None)[0]
    off = (told - angle) ** 2
    return float(np.sqrt(off[:n].mean())), float(np.sqrt(off[n:].mean()))


# --- How well they tell the poses ----------------------------------------------------


@dataclass(frozen=True, eq=False)
class Judged:
    """What some coordinates are worth, in percent.

    Attributes
    ----------
    purity, accuracy : ndarray (times,)
        Of k-means, each from its own first centres.
    errors : dict of int to ndarray (times,)
        Of 1, 3 and 5 nearest neighbours, each for its own half that is held out.
    """

    purity: np.ndarray
    accuracy: np.ndarray
    errors: dict[int, np.ndarray]


@one_thread
def judged(
    places: np.ndarray,
    labels: np.ndarray,
    times: int = 10,
    neighbours: Sequence[int] = NEIGHBOURS,
) -> Judged:
    """Cluster points and classify them, several times.

    Parameters
    ----------
    places : ndarray (n, k)
    labels : ndarray (n,)
    times : int
    neighbours : sequence of int
        How many decide on a label.

    Examples
    --------
    >>> line = np.repeat([[0.0], [1.0]], 40, axis=0) + np.linspace(0, 0.1, 80)[:, None]
    >>> found = judged(line, np.repeat([0, 1], 40), 2)
    >>> found.purity.tolist(), found.errors[1].tolist()
    ([100.0, 100.0], [0.0, 0.0])
    """
    pure, found = clustered(places, labels, times), {}
    for t in neighbours:
        rngs = map(np.random.default_rng, range(times))
        told = [manifold.neighbour_error(places, labels, rng, t) for rng in rngs]
        found[t] = 100 * np.array(told)
    return Judged(*pure, found)


def clustered(places: np.ndarray, labels: np.ndarray, times: int) -> np.ndarray:
    """Purity and accuracy of k-means in percent, (2, times).

    Examples
    --------
    >>> line = np.linspace(0, 1, 26)[:, None]
    >>> clustered(line, np.repeat([0, 1], 13), 1).shape
    (2, 1)
    """
    measures, rows = (manifold.purity, manifold.accuracy), []
    for seed in range(times):
        means = KMeans(min(N_POSES, len(places)), n_init=1, random_state=seed)
        with threadpool_limits(1):  # other programs keep more of them waiting
            cluster = means.fit(places).labels_
        rows.append([measure(labels, cluster) for measure in measures])
    return 100 * np.array(rows).T


def all_judged(found: Mapping[str, np.ndarray], labels, **options) -> dict[str, Judged]:
    """`judged` for each method.

    Examples
    --------
    >>> line = np.linspace(0, 1, 40)[:, None]
    >>> list(all_judged({"line": line}, np.repeat([0, 1], 20), times=1))
    ['line']
    """
    return {name: judged(places, labels, **options) for name, places in found.items()}


def judged_table(found: Mapping[str, Judged], printed: Mapping) -> style.Table:
    """Means and standard deviations beside what the thesis has for its faces.

    Parameters
    ----------
    found : mapping of str to Judged
    printed : mapping of str to mapping
        `PRINTED` or `PRINTED_LARGER`.

    Examples
    --------
    >>> line = np.linspace(0, 1, 40)[:, None]
    >>> found = all_judged({"PCA": line}, np.repeat([0, 1], 20), times=2)
    >>> judged_table(found, PRINTED).rows[0][0]
    'PCA'
    """
    first = next(iter(found.values()))
    tried = tuple(first.errors)
    rows = []
    for name, one in found.items():
        columns = {"purity": one.purity, "accuracy": one.accuracy, **one.errors}
        rows.append((name, *(_told(columns[c], printed[name].get(c)) for c in columns)))
    heading = (f"error, $K = {t}$" for t in tried)
    return style.Table(("method", "purity", "accuracy", *heading), rows)


def _told(values, printed):
    """Mean, standard deviation, and what was printed."""
    other = "" if printed is None else f" ({printed})"
    return f"{values.mean():.1f} ± {values.std(ddof=1):.1f}{other}"


# --- How well distances are kept: Figure 3.1 -----------------------------------------

NYSTROM, COLUMNS = "Nyström", "Column-sampling"
APPROXIMATE = {NYSTROM: lowrank.nystrom, COLUMNS: lowrank.column_sampling}


def five_matrices(n: int) -> dict[str, kernels.DenseKernel]:
    """The four of the book's other comparison, and a linear kernel of heads.

    Examples
    --------
    >>> list(five_matrices(30))[3:]
    ['documents, linear', 'heads, linear']
    """
    drawn = datasets.poses(n, np.random.default_rng(0))
    linear = kernels.DenseKernel(kernels.linear(drawn.X).dense())
    return {**four_matrices(n), "heads, linear": linear}


@one_thread
def preserved(K, k: int, counts: Sequence[int], draws: int, seed: int = 0) -> Sweep:
    """How well coordinates from some columns keep distances: section 3.1.2.

    Parameters
    ----------
    K : KernelMatrix (n, n)
    k : int
        The number of coordinates.
    counts : sequence of int
        Numbers of uniform columns.
    draws : int
        Samples for each; both methods see the same ones.
    seed : int

    Returns
    -------
    Sweep
        Relative accuracy ``|D - D_k|_F / |D - D~|_F``.

    Examples
    --------
    >>> sweep = preserved(kernels.linear(np.diag([3.0, 2.0, 1.0])), 1, [1, 3], 4)
    >>> sweep.accuracy["Nyström"][1].round(6).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    best = lowrank.best_rank_k(K, k).factor
    rng = np.random.default_rng(seed)
    found = {name: [] for name in APPROXIMATE}
    for count in counts:
        samples = [sampling.uniform(K, count, rng) for _ in range(draws)]
        for name, approximate in APPROXIMATE.items():
            near = (approximate(K, drawn, k).factor for drawn in samples)
            kept = [manifold.distance_preservation(K, F, best) for F in near]
            found[name].append(kept)
    return Sweep(tuple(counts), {name: np.array(kept) for name, kept in found.items()})
