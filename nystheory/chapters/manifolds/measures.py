"""What the experiments of the chapter draw, and what they measure in one draw."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA

from nystheory import datasets, kernels, manifold, sampling
from nystheory.chapters.manifolds import rolls, spectrum
from nystheory.chapters.manifolds.experiments import APPROXIMATE

# Numbers of neighbours of a graph that may fall apart, and of one with short circuits.
PIECES, BRIDGED = (1, 2, 3, 5), (8, 20)
# Edges are no longer than this quantile of the distances to neighbours.
QUANTILE = 0.95
FEW_LANDMARKS, LANDMARKS = 50, 80
# Coordinates: of the table of losses, and of the judges.
COORDINATES, MANY, FEW = (8, 20, 40), 40, 20
COLUMNS, OF_COLUMNS = (15, 30, 60), 10
NUMBERS, OF_NUMBERS = (5, 10, 20, 50), 60
POINTS = (100, 200, 400)
FRESH = 100


@dataclass(frozen=True, eq=False)
class Seen:
    """Pictures, the graph of their neighbours, and landmarks.

    Attributes
    ----------
    X : ndarray (n, d)
        Of the largest component of the graph.
    labels : ndarray (n,)
    side, light : ndarray (n,), ndarray (n, 2)
        Degrees; empty where the pictures are no heads.
    graph : NeighbourGraph
    own : ndarray (l,)
        Places of the landmarks.
    """

    X: np.ndarray
    labels: np.ndarray
    side: np.ndarray
    light: np.ndarray
    graph: manifold.NeighbourGraph
    own: np.ndarray


# ---- data ----


def heads(size, rng, noise=0.0, t=5, people=68) -> Seen:
    """Rendered heads; the noise is that of a pixel by the deviation of all pixels.

    Examples
    --------
    >>> heads(200, np.random.default_rng(0)).X.shape[1]
    1024
    """
    shown = datasets.scenes(size, rng, n_people=people)
    X = datasets.rendered(shown)
    X = X + noise * X.std() * rng.standard_normal(X.shape)
    return _joined(X, shown.pose, shown.angles[:, 0], shown.light, t, rng)


def digits(size, rng) -> Seen:
    """Some of the digits.

    Examples
    --------
    >>> len(digits(200, np.random.default_rng(0)).own)
    80
    """
    data = datasets.digits()
    some = rng.permutation(len(data.X))[:size]
    nothing = np.zeros(size)
    return _joined(data.X[some], data.y[some], nothing, nothing[:, None], 5, rng)


def _joined(X, labels, side, light, t, rng) -> Seen:
    graph = manifold.neighbours(X, t).graph()
    own = rng.choice(len(graph.kept), LANDMARKS, replace=False)
    parts = (each[graph.kept] for each in (X, labels, side, light))
    return Seen(*parts, graph, own)


def roll(size, rng, noise=0.0):
    """A Swiss roll."""
    return datasets.swiss_roll(size, rng, noise=noise)


def strip(size, rng, length=2.0, hole=0.0):
    """Points of a strip of width 1, with a square hole in its middle or without one.

    Examples
    --------
    >>> strip(5, np.random.default_rng(0)).shape
    (5, 2)
    """
    X = rng.uniform((0, 0), (length, 1), (3 * size, 2))
    inside = (abs(X - (length / 2, 0.5)) < hole / 2).all(axis=1)
    return X[~inside][:size]


def matrix(size, rng, name):
    """A kernel matrix of random points.

    Examples
    --------
    >>> matrix(20, np.random.default_rng(0), "patches, linear").shape
    (20, 20)
    """
    kind = name.partition(", ")[0]
    if kind == "documents":
        X = datasets.documents(size, 5000, rng).X
    elif kind == "heads":
        X = datasets.poses(size, rng).X
    elif kind == "roll":
        X = datasets.swiss_roll(size, rng).X
    else:
        some = {
            "digits": datasets.digits,
            "patches": lambda: datasets.patches(2000, 16),
            "cells": datasets.breast_cancer,
            "patients": datasets.diabetes,
        }
        X = some[kind]().X
        X = X[rng.permutation(len(X))[:size]]
    kernel = kernels.rbf if name.endswith("RBF") else kernels.linear
    return kernels.DenseKernel(kernel(X).dense())


# ---- graphs, and short circuits ----


def pieces(trial) -> dict:
    """The share of the points in the largest component, with each number."""
    X = trial.known
    near, joined = manifold.neighbours(X, max(PIECES)), []
    # The limit is that of the largest graph, as on the page.
    limit = None if trial.run is None else np.quantile(near.distances, trial.run)
    for t in PIECES:
        sizes = near.graph(t, limit).sizes
        joined.append(100 * sizes[0] / sizes.sum())
    return {"joined": joined}


def bridges(trial) -> dict:
    """Wrong edges of a roll, and how it lies, with each number of neighbours."""
    found = [rolls.unrolled(trial.known, t, trial.run, FEW_LANDMARKS) for t in BRIDGED]
    return {
        "wrong": [each.edges for each in found],
        "along": [each.along for each in found],
        "left_out": [100 * (1 - each.share) for each in found],
    }


# ---- centrings, and negative eigenvalues ----


def all_paths(drawn: Seen, rng):
    """All geodesics and the spectrum of their kernel, which competitors share."""
    return (drawn, spectrum.spectrum(drawn.graph)), None


def ways(trial) -> dict:
    """Coordinates of heads from the same columns, or from all of them."""
    seen, whole = trial.known
    if trial.run in spectrum.WAYS:
        squared = whole.squared[:, seen.own]
        places = spectrum.three_ways(squared, seen.own, MANY)[trial.run]
    else:
        places = spectrum.of_all_columns(whole.K, MANY)[trial.run]
    lost = [spectrum.distances_lost(whole.squared, places[:, :k]) for k in COORDINATES]
    pure, _ = clusters(places, seen.labels, trial.rng)
    return {
        "lost": 100 * np.array(lost),
        "purity": pure,
        "error": nearest(places, seen.labels, trial.rng),
        "negative": 100 * whole.negative_share,
    }


def laid_flat(trial) -> dict:
    """A roll in two coordinates: the mean distance in them, and the strip's width."""
    width, own, squared = trial.known
    places = spectrum.three_ways(squared, own, 2)[trial.run]
    mean = squared.mean(axis=1)
    of_mean = max(abs(np.corrcoef(x, mean)[0, 1]) for x in places.T)
    return {"of_mean": of_mean, "width": 100 * told(places, width)}


def with_columns(drawn, rng):
    """Squared geodesics to 150 landmarks of a roll."""
    graph = manifold.neighbours(drawn.X, 8).graph()
    own = rng.choice(len(graph.kept), 150, replace=False)
    width = drawn.X[graph.kept, 1]
    return (width, own, graph.geodesics(own, dtype=np.float64) ** 2), None


def told(places, values) -> float:
    """The share of the variance of values that a linear function of places has.

    Examples
    --------
    >>> round(told(np.eye(3)[:, :2], np.array([0.0, 1.0, 5.0])), 9)
    1.0
    """
    A = np.column_stack([places, np.ones(len(places))])
    off = values - A @ np.linalg.lstsq(A, values, rcond=None)[0]
    return float(1 - off.var() / values.var())


# ---- what errors of geodesics move ----


def moves(trial) -> dict:
    """How far points of a strip move, with more and more of them."""
    found = rolls.moved_of([trial.known[:n] for n in POINTS], trial.run)
    return {
        "error": 100 * found.error,
        "moved": 100 * found.moved,
        "bound": 100 * found.bound,
    }


# ---- distances of kernel matrices ----


def with_best(drawn, rng):
    """A kernel matrix and its best coordinates, which competitors share."""
    values, U = np.linalg.eigh(drawn.dense())
    best = U[:, ::-1] * np.sqrt(np.maximum(values[::-1], 0))
    return (drawn, best), None


def preserved(trial, k, count) -> float:
    """Relative accuracy of distances, of one method on one sample."""
    K, best = trial.known
    own = sampling.uniform(K, count, trial.rng)
    found = APPROXIMATE[trial.run](K, own, k).factor
    return manifold.distance_preservation(K, found, best[:, :k])


def by_columns(trial) -> dict:
    """With each number of columns, and always as many coordinates."""
    return {"accuracy": [preserved(trial, OF_COLUMNS, x) for x in COLUMNS]}


def by_numbers(trial) -> dict:
    """With each number of coordinates, and always as many columns."""
    return {"accuracy": [preserved(trial, x, OF_NUMBERS) for x in NUMBERS]}


# ---- how well coordinates tell the poses ----


def coordinates(seen: Seen, name: str, k: int) -> np.ndarray:
    """Coordinates of pictures, (n, k), by one of the methods."""
    with warnings.catch_warnings():
        for each in (manifold.NegativeEigenvalues, manifold.LeftOut):
            warnings.simplefilter("ignore", each)
        if name == "components":
            return PCA(k, random_state=0).fit_transform(seen.X)
        if name == "exact":
            all_points = manifold.Isomap(k, method="exact", disconnected="largest")
            return all_points.fit_transform(seen.graph)[seen.graph.kept]
        if name == "eigenmaps":
            maps = manifold.LaplacianEigenmaps(k, disconnected="largest")
            return maps.fit_transform(seen.graph)[seen.graph.kept]
        mds = manifold.LandmarkMDS(k, method=name)
        far = seen.graph.geodesics(seen.own)
        return mds.fit_transform(far, landmarks=seen.own)


def judges(trial) -> dict:
    """Clusters and nearest neighbours, for each method as many coordinates."""
    places, labels = coordinates(trial.known, trial.run, MANY), trial.known.labels
    pure, found = clusters(places, labels, trial.rng)
    return {
        "purity": pure,
        "accuracy": found,
        "error": nearest(places, labels, trial.rng),
        "error_5": nearest(places, labels, trial.rng, 5),
    }


def angles(trial) -> dict:
    """What two coordinates see: the side to which a head is turned, or the light."""
    seen = trial.known
    places = coordinates(seen, trial.run, 2)
    return {
        "turning": most_alike(places, seen.side[:, None]),
        "light": most_alike(places, seen.light),
    }


def most_alike(places, values) -> float:
    """The largest correlation of a coordinate with one of some values.

    Examples
    --------
    >>> x = np.array([[0.0], [1.0], [5.0]])
    >>> round(most_alike(x, -2 * x), 9)
    1.0
    """
    pairs = ((x, y) for x in places.T for y in values.T)
    return float(max(abs(np.corrcoef(x, y)[0, 1]) for x, y in pairs))


def clusters(places, labels, rng, times=2) -> tuple[float, float]:
    """Purity and accuracy of k-means with as many clusters as labels, in percent.

    Examples
    --------
    >>> line = np.repeat([[0.0], [9.0]], 9, axis=0)
    >>> clusters(line, np.repeat([0, 1], 9), np.random.default_rng(0))
    (100.0, 100.0)
    """
    count, rows = len(np.unique(labels)), []
    for seed in rng.integers(2**31, size=times):
        found = KMeans(count, n_init=1, random_state=int(seed)).fit(places).labels_
        measures = (manifold.purity, manifold.accuracy)
        rows.append([100 * measure(labels, found) for measure in measures])
    pure, accurate = np.mean(rows, axis=0)
    return float(pure), float(accurate)


def nearest(places, labels, rng, t=1, times=2) -> float:
    """The error of nearest neighbours on a half that is held out, in percent.

    Examples
    --------
    >>> line = np.repeat([[0.0], [9.0]], 9, axis=0)
    >>> nearest(line, np.repeat([0, 1], 9), np.random.default_rng(0))
    0.0
    """
    some = [manifold.neighbour_error(places, labels, rng, t) for _ in range(times)]
    return 100 * float(np.mean(some))


# ---- new heads ----


def known_and_new(drawn, rng):
    """Known heads, and new ones that no method has seen."""
    X, values = drawn
    return (X[:-FRESH], values[:-FRESH]), (X[-FRESH:], values[-FRESH:])


def heads_and_angles(size, rng):
    """Pictures of heads, and how far they are turned to the side."""
    shown = datasets.scenes(size + FRESH, rng)
    return datasets.rendered(shown), shown.angles[:, 0]


def roll_and_place(size, rng):
    """A roll, and the place along the strip."""
    data = datasets.swiss_roll(size + FRESH, rng)
    return data.X, rolls.arc_length(data.y)


def placed(trial) -> dict:
    """How far a linear function of coordinates is from the truth, by its deviation."""
    (X, y), (new, y_new) = trial.known, trial.judged
    own = trial.rng.choice(len(X), LANDMARKS, replace=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", manifold.NegativeEigenvalues)
        isomap = manifold.Isomap(FEW, landmarks=own, method=trial.run, n_neighbors=8)
        places = [isomap.fit_transform(X), isomap.transform(new)]
    A, B = (np.column_stack([each, np.ones(len(each))]) for each in places)
    weights = np.linalg.lstsq(A, y, rcond=None)[0]
    off = [np.sqrt(np.mean((A @ weights - y) ** 2)),
           np.sqrt(np.mean((B @ weights - y_new) ** 2))]  # fmt: skip
    known, new = 100 * np.array(off) / y.std()
    return {"known": known, "new": new}
