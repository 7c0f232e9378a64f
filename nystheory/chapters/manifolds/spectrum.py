"""What negative eigenvalues and a missing centring do to coordinates."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg

from nystheory import manifold
from nystheory.engine.findings.experiments import one_thread

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
    squared = _symmetric(graph) ** 2
    mean = squared.mean(axis=0)
    K = -0.5 * (squared - mean - mean[:, None] + mean.mean())
    values = scipy.linalg.eigvalsh(K)
    return Spectrum(squared, K, values[np.argsort(-abs(values))])


def _symmetric(graph):
    """All geodesics; there and back they differ by rounding."""
    far = graph.geodesics(range(len(graph.kept)), dtype=np.float64)
    return (far + far.T) / 2


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
