"""From squared distances to landmarks to coordinates: one map, found in two ways."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import eigsh
from sklearn.utils.extmath import svd_flip

from nystheory import _checks
from nystheory.kernels import row_blocks
from nystheory.sampling._landmarks import _calls_inside

METHODS = ("nystrom", "column-sampling")
# Up to as many landmarks all eigenvalues are computed.
SMALL = 1000
# Lengths whose squares, and the squares of these, fit, and paths of them fit float32.
SHORTEST, LONGEST = 1e-30, 1e30
# What is discarded, and what cannot be.
DISCARDED = {
    "nystrom": "whose directions are discarded",
    "column-sampling": "which singular values do not tell from positive ones",
}


class NegativeEigenvalues(UserWarning):
    """Distances that no points in a Euclidean space have; directions were discarded.

    Examples
    --------
    >>> issubclass(NegativeEigenvalues, UserWarning)
    True
    """


@dataclass(frozen=True, eq=False)
class _Map:
    """Coordinates of a point from its squared distances to the landmarks.

    They are ``-1/2 (d - mean) weights``, for the points of the fit and for new ones.

    Attributes
    ----------
    mean : ndarray (l,)
        The mean squared distance of the landmarks to each landmark.
    weights : ndarray (l, k)
    eigenvalues : ndarray (k,)
        Those of the matrix that is approximated, as the method estimates them.
    negative_share : float
        Of the moduli of the eigenvalues of W, the share of the negative ones; of more
        than 1000 landmarks, between 1000 of them.

    Examples
    --------
    >>> _Map(np.zeros(1), np.ones((1, 1)), np.ones(1), 0.0).of(np.array([[2.0]]))
    array([[-1.]])
    """

    mean: np.ndarray
    weights: np.ndarray
    eigenvalues: np.ndarray
    negative_share: float

    def of(self, squared: np.ndarray) -> np.ndarray:
        """Coordinates, (m, k), of squared distances, (m, l)."""
        return -0.5 * ((squared - self.mean) @ self.weights)

    def of_distances(self, distances: np.ndarray) -> np.ndarray:
        """The same of distances, in blocks."""
        found = np.empty((len(distances), self.weights.shape[1]))
        for rows in row_blocks(len(distances), len(self.mean)):
            found[rows] = self.of(distances[rows].astype(np.float64) ** 2)
        return found


def fitted(distances, landmarks, n_components: int, method: str) -> _Map:
    """The map of points whose distances to some of them are known.

    Parameters
    ----------
    distances : ndarray (m, l)
    landmarks : ndarray (l,)
        Which of the m points are the landmarks.
    n_components : int
        The number k of coordinates.
    method : {"nystrom", "column-sampling"}

    Raises
    ------
    ValueError
        If all distances are zero, or not k eigenvalues are above zero.

    Examples
    --------
    >>> line = fitted(np.array([[0.0], [2.0]]), np.array([0]), 1, "nystrom")
    Traceback (most recent call last):
    ValueError: n_components: expected at most 0, the eigenvalues above zero among 1 \
landmark, got 1
    """
    between = distances[landmarks].astype(np.float64) ** 2
    between = (between + between.T) / 2  # paths there and back differ by rounding
    if len(landmarks) > 1 and not between.any():
        raise ValueError(
            "X: expected landmarks that are not all equal, got distances of 0 between "
            f"all {len(landmarks)}"
        )
    mean = between.mean(axis=0)
    W = -0.5 * (between - mean - mean[:, None] + mean.mean())
    # Entries that are rounded move no eigenvalue by more than all of them together.
    eps = float(np.finfo(distances.dtype).eps)
    rounding = len(landmarks) * np.finfo(float).eps * np.abs(between).max()
    rounding += eps * float(np.linalg.norm(between))
    values, U, share = _spectrum(W, n_components, rounding)
    scale = len(distances) / len(landmarks)
    if method == "column-sampling":
        values, U = _of_columns(distances, mean)
        # Squares lose half of the digits.
        rounding = rounding * np.sqrt(scale) + values[-1] * np.sqrt(np.finfo(float).eps)
    above = int((values > rounding).sum())
    if above < n_components:
        count = len(landmarks)
        raise ValueError(
            f"n_components: expected at most {above}, the eigenvalues above zero among "
            f"{count} landmark{'s' * (count != 1)}, got {n_components}"
        )
    values, U = values[: -n_components - 1 : -1], U[:, : -n_components - 1 : -1]
    U, _ = svd_flip(U, None)
    if method == "column-sampling":
        # Their columns sum to zero, so that the rows of C need not be centred again.
        weights = U * (scale**0.25 / np.sqrt(values))
        return _Map(mean, weights, np.sqrt(scale) * values, share)
    return _Map(mean, U / np.sqrt(values), scale * values, share)


def _spectrum(W, k, rounding):
    """Eigenvalues, ascending, and vectors, k or more of them; the negative share."""
    if len(W) <= SMALL or k > len(W) // 10:
        values, U = scipy.linalg.eigh(W)
        return values, U, negative_share(values, rounding)
    # A fixed start: the same coordinates each time.
    start = np.random.default_rng(0).standard_normal((1, len(W)))[0]
    values, U = eigsh(W, k, which="LA", v0=start)
    rows = np.linspace(0, len(W) - 1, SMALL).astype(int)
    part = W[np.ix_(rows, rows)]
    part = part - part.mean(axis=0) - part.mean(axis=1)[:, None] + part.mean()
    share = negative_share(scipy.linalg.eigvalsh(part), rounding)
    order = np.argsort(values)
    return values[order], U[:, order], share


def _of_columns(distances, mean):
    """Singular values of the doubly centred C, ascending, and its right vectors."""
    gram = np.zeros((len(mean), len(mean)))
    for rows in row_blocks(len(distances), len(mean)):
        C = distances[rows].astype(np.float64) ** 2 - mean
        C -= C.mean(axis=1, keepdims=True)
        gram += C.T @ C
    squares, V = scipy.linalg.eigh(gram / 4)
    return np.sqrt(np.maximum(squares, 0)), V


def negative_share(values, rounding: float = 0.0) -> float:
    """Of the moduli of eigenvalues the share of those below zero, beyond rounding.

    Examples
    --------
    >>> negative_share(np.array([-1.0, 0.0, 3.0]))
    0.25
    """
    below = values < -rounding
    return float(-values[below].sum() / np.abs(values).sum()) if below.any() else 0.0


def warn_of(share: float, method: str) -> None:
    """Warn that there are negative eigenvalues, and how large a share they are.

    Examples
    --------
    >>> warn_of(0.0, "nystrom")
    """
    if share:
        warnings.warn(
            f"the distances are not Euclidean: {100 * share:.2g} percent of the moduli "
            "of the eigenvalues between landmarks are of negative ones, "
            + DISCARDED[method],
            NegativeEigenvalues,
            stacklevel=_calls_inside() + 1,
        )


def trace_left(distances, landmarks, embedded) -> float:
    """The share of the trace of the centred kernel that coordinates leave out.

    The kernel is centred at the mean of the landmarks: its diagonal is the mean squared
    distance to them, less a constant, and needs no other distances.

    Examples
    --------
    >>> d = np.array([[0.0, 2.0], [2.0, 0.0]])
    >>> trace_left(d, np.array([0, 1]), np.array([[1.0], [-1.0]]))
    0.0
    """
    constant = 0.5 * (distances[landmarks].astype(np.float64) ** 2).mean()
    trace = 0.0
    for rows in row_blocks(len(distances), len(landmarks)):
        squares = distances[rows].astype(np.float64) ** 2
        trace += float((squares.mean(axis=1) - constant).sum())
    return float(1 - (embedded**2).sum() / trace)


def of_a_size(lengths, least: float = SHORTEST, name: str = "X") -> None:
    """Raise if the largest length, unless zero, is too small or too large to square.

    Examples
    --------
    >>> of_a_size(np.array([1e80]))
    Traceback (most recent call last):
    ValueError: X: expected distances whose largest is from 1e-30 to 1e+30, so that \
squares fit, got 1e+80; multiply X by a power of two
    """
    size = float(lengths.max(initial=0))
    if size and not least <= size <= LONGEST:
        raise ValueError(
            f"{name}: expected distances whose largest is from {least:.0e} to "
            f"{LONGEST:.0e}, so that squares fit, got {size:.4g}; multiply {name} by a "
            "power of two"
        )


def checked_distances(distances, name: str = "distances") -> np.ndarray:
    """Distances, (m, l), finite and not negative.

    Examples
    --------
    >>> checked_distances([[-1.0]])
    Traceback (most recent call last):
    ValueError: distances: expected distances of at least 0, got -1
    """
    distances = _checks.real_array(distances, name, 2)
    if distances.size == 0:
        raise ValueError(f"{name}: expected some distances, got {distances.shape}")
    if distances.min() < 0:
        raise ValueError(
            f"{name}: expected distances of at least 0, got {distances.min():.4g}"
        )
    return distances
