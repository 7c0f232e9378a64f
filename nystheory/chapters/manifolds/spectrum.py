"""What negative eigenvalues and a missing centring do to coordinates."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg

from nystheory import manifold
from nystheory.chapters.manifolds import experiments
from nystheory.engine.experiments import one_thread

NYSTROM, DOUBLY, SINGLY = "Nyström", "Column-sampling", "singly centred"
WAYS = (NYSTROM, DOUBLY, SINGLY)


# --- By hand -------------------------------------------------------------------------


def column_coordinates(
    squared: np.ndarray, landmarks: Sequence[int], k: int, doubly: bool = True
) -> np.ndarray:
    """Column-sampling coordinates with C centred on one side or on both.

    Parameters
    ----------
    squared : ndarray (n, l)
        Squared distances to the landmarks.
    landmarks : sequence of int, length l
    k : int
    doubly : bool
        The right way; the package knows no other.

    Returns
    -------
    ndarray (n, k)

    Examples
    --------
    >>> squared = np.array([[0.0, 1.0], [1.0, 0.0], [9.0, 4.0]])
    >>> column_coordinates(squared, [0, 1], 1).shape
    (3, 1)
    """
    C = -0.5 * (squared - squared[landmarks].mean(axis=0))
    if doubly:
        C = C - C.mean(axis=1, keepdims=True)
    U, sizes, _ = scipy.linalg.svd(C, full_matrices=False)
    scale = (len(C) / len(landmarks)) ** 0.25
    return scale * U[:, :k] * np.sqrt(sizes[:k])


def of_all_columns(K: np.ndarray, k: int) -> dict[str, np.ndarray]:
    """Coordinates from all of K, by its positive eigenvalues or by all moduli.

    Examples
    --------
    >>> found = of_all_columns(np.diag([1.0, -4.0]), 1)
    >>> [abs(places).T.tolist() for places in found.values()]
    [[[1.0, 0.0]], [[0.0, 2.0]]]
    """
    values, U = scipy.linalg.eigh(K)
    top, large = np.argsort(-values)[:k], np.argsort(-abs(values))[:k]
    return {
        "positive eigenvalues": U[:, top] * np.sqrt(np.maximum(values[top], 0)),
        "all moduli": U[:, large] * np.sqrt(abs(values[large])),
    }


def distances_lost(squared: np.ndarray, places: np.ndarray) -> float:
    """``|D - D~|_F / |D|_F`` for squared distances.

    Examples
    --------
    >>> distances_lost(np.array([[0.0, 4.0], [4.0, 0.0]]), np.array([[0.0], [2.0]]))
    0.0
    """
    lengths = (places**2).sum(axis=1)
    found = lengths[:, None] + lengths - 2 * places @ places.T
    return float(np.linalg.norm(squared - found) / np.linalg.norm(squared))


# --- Heads ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The centred kernel of all geodesics.

    Attributes
    ----------
    squared : ndarray (n, n)
        Squared geodesics.
    K : ndarray (n, n)
    values : ndarray (n,)
        Its eigenvalues, largest modulus first.
    """

    squared: np.ndarray
    K: np.ndarray
    values: np.ndarray

    @property
    def negative_share(self) -> float:
        """Of the moduli of all eigenvalues the share of the negative ones."""
        return float(-self.values[self.values < 0].sum() / abs(self.values).sum())


@one_thread
def spectrum(graph: manifold.NeighbourGraph) -> Spectrum:
    """All geodesics of a graph, and the eigenvalues of their centred kernel.

    Examples
    --------
    >>> circle = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]
    >>> found = spectrum(manifold.neighbours(circle, 2).graph())
    >>> round(found.negative_share, 9)
    0.2
    """
    n = len(graph.kept)
    far = graph.geodesics(range(n), dtype=np.float64)
    squared = ((far + far.T) / 2) ** 2
    mean = squared.mean(axis=0)
    K = -0.5 * (squared - mean - mean[:, None] + mean.mean())
    values = scipy.linalg.eigvalsh(K)
    return Spectrum(squared, K, values[np.argsort(-abs(values))])


@dataclass(frozen=True, eq=False)
class Centring:
    """Three ways to coordinates from the same columns, draw by draw.

    Attributes
    ----------
    purity, error, lost : dict of str to ndarray (draws,)
        In percent: purity of k-means, error of the nearest neighbour, and what
        distances lose, by name as in `WAYS`.
    of_mean : ndarray (draws,)
        With C centred on one side: the largest correlation of one of the first three
        coordinates with the mean squared distance to the landmarks.
    """

    purity: dict[str, np.ndarray]
    error: dict[str, np.ndarray]
    lost: dict[str, np.ndarray]
    of_mean: np.ndarray


@one_thread
def centring(
    all_of_it: Spectrum, labels, k: int, count: int, draws: int, times: int = 5
) -> Centring:
    """Compare Nyström and Column-sampling with C centred on both sides or on one.

    Parameters
    ----------
    all_of_it : Spectrum
    labels : ndarray (n,)
    k, count : int
        Coordinates and landmarks.
    draws, times : int
        Samples of landmarks, and runs of k-means for each.

    Examples
    --------
    >>> points = np.random.default_rng(0).standard_normal((40, 2))
    >>> whole = spectrum(manifold.neighbours(points, 8).graph())
    >>> centring(whole, np.arange(40) % 2, 2, 10, 2, times=1).of_mean.shape
    (2,)
    """
    n = len(labels)
    measured = {what: {way: [] for way in WAYS} for what in ("purity", "error", "lost")}
    of_mean = []
    for seed in range(draws):
        own = experiments.some_landmarks(n, count, seed)
        squared = all_of_it.squared[:, own]
        found = three_ways(squared, own, k)
        of_mean.append(_of_mean(found[SINGLY], squared))
        for way, places in found.items():
            one = experiments.judged(places, labels, times, neighbours=(1,))
            measured["purity"][way].append(one.purity.mean())
            measured["error"][way].append(one.errors[1].mean())
            lost = 100 * distances_lost(all_of_it.squared, places)
            measured["lost"][way].append(lost)
    arrays = (
        {way: np.array(row) for way, row in measured[what].items()} for what in measured
    )
    return Centring(*arrays, np.array(of_mean))


def three_ways(squared: np.ndarray, landmarks, k: int) -> dict[str, np.ndarray]:
    """Coordinates from squared distances to landmarks, by name as in `WAYS`.

    Examples
    --------
    >>> squared = np.array([[0.0, 1.0], [1.0, 0.0], [9.0, 4.0]])
    >>> list(three_ways(squared, [0, 1], 1))
    ['Nyström', 'Column-sampling', 'singly centred']
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", manifold.NegativeEigenvalues)
        mds = manifold.LandmarkMDS(k).fit(np.sqrt(squared), landmarks=landmarks)
    return {
        NYSTROM: mds.embedding_,
        DOUBLY: column_coordinates(squared, landmarks, k),
        SINGLY: column_coordinates(squared, landmarks, k, doubly=False),
    }


def _of_mean(places, squared):
    """The largest correlation of one of three coordinates with the mean distance."""
    mean = squared.mean(axis=1)
    return max(abs(np.corrcoef(x, mean)[0, 1]) for x in places[:, :3].T)


def paired(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    """Mean of the differences of draws, and its standard error.

    Examples
    --------
    >>> paired(np.array([2.0, 4.0]), np.array([1.0, 1.0]))
    (2.0, 1.0)
    """
    gap = first - second
    return float(gap.mean()), float(gap.std(ddof=1) / np.sqrt(len(gap)))
