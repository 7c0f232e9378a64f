"""Points of which only distances are known: what the theorems speak of.

A kernel matrix is what centring makes of squared distances, at the mean of all points
or at that of the landmarks.
"""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np
import scipy.linalg
from scipy.sparse.csgraph import shortest_path

from nystheory.engine import Instance
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds import columns
from nystheory.engine.worlds.matrices import (
    EPS,
    GREY_HIGH,
    GREY_LOW,
    coordinates,
    eigen,
    leading,
    moved,
    squared_distances,
)
from nystheory.engine.worlds.measured import ROUNDING
from nystheory.engine.worlds.worlds import Given

# The search takes no more points: what it looks for is small.
LARGEST = 40


class Distances(Instance):
    """Points of which the squared distances are known, and any coordinates of them."""

    # Those above the diagonal count, in modulus; under the names of the matrices.
    squares = Given(axes=("n", "n"))
    other_squares = Given(axes=("n", "n"))
    placed = Given("Z", "any coordinates, a point a column", axes=("k", "n"))

    @classmethod
    def drawn(cls, instance, rng):
        """Squared distances: of the points, of paths between them, or any.

        Besides other ones, near or far, and coordinates near the best or far from them.
        """
        i = instance
        if i.n > LARGEST:
            return None
        D = _some_squares(i, rng)
        size = 2.0 ** np.round(np.log2(D.max(initial=0.0) or 1.0) / 2)
        Z = size * rng.integers(-2, 3, (i.k, i.n)) * 2.0 ** rng.integers(-3, 1)
        if rng.random() < 0.4:  # near the best
            best = coordinates(eigen(centred_at(D, uniformly(i.n))), i.k)
            Z = Z * 2.0**-6
            Z[: len(best)] += best
        return i.but(squares=D, placed=Z, other_squares=_moved_squares(D, rng))

    @classmethod
    def of_whole(cls, D, landmarks=(0,), k=1, **given):
        """An instance of whole squared distances; K plays no part."""
        n = len(D)
        unit = [[int(a == b) for b in range(n)] for a in range(n)]
        return cls.exactly(landmarks, k, matrix=unit, squares=D, **given)


def _some_squares(i, rng):
    way, unit = rng.integers(4), 4.0 ** np.round(np.log2(i.norm_K or 1.0) / 2)
    D = np.maximum(squared_distances(i.K), 0.0)
    if way == 0:
        edges = np.triu(D / unit * rng.integers(0, 2, D.shape), 1)
        edges[np.arange(i.n - 1), np.arange(1, i.n)] = 1.0
        D = unit * shortest_path(edges, directed=False) ** 2
    elif way == 1:
        D = np.triu(unit * rng.integers(0, 5, D.shape), 1)
        D = D + D.T
    D = (D + D.T) / 2
    np.fill_diagonal(D, 0.0)
    return D


def _moved_squares(D, rng):
    share = 1 + rng.integers(-4, 5, D.shape) * 2.0 ** rng.integers(-8, -2)
    share = np.tril(share, -1)
    return D * (share + share.T) ** 2


def between(points) -> list:
    """Squared distances of points in fractions, a point a row."""
    return [
        [sum((a - b) ** 2 for a, b in zip(p, q, strict=True)) for q in points]
        for p in points
    ]


# --- The distances --------------------------------------------------------------------


def mirrored(table: np.ndarray) -> np.ndarray:
    """Symmetric, with zeros on the diagonal: what is above it, in modulus.

    Examples
    --------
    >>> mirrored(np.array([[1.0, -2.0], [3.0, 1.0]]))
    array([[0., 2.],
           [2., 0.]])
    """
    upper = np.triu(np.abs(table), 1)
    return upper + upper.T


@Distances.quantity("D", "squared distances, n x n", CHOSEN, unit=None)
def squares(i):
    return mirrored(i.squares)


@Distances.quantity("D'", "other squared distances, n x n", CHOSEN, unit=None)
def other_squares(i):
    return mirrored(i.other_squares)


def _size(i) -> float:
    """The size of the distances: centring adds some of them up."""
    return float(np.linalg.norm(squares(i))) or 1.0


def _size_of_both(i) -> float:
    return _size(i) + float(np.linalg.norm(other_squares(i)))


def _in_units(size):
    """A size in units of K."""
    return lambda i: size(i) / i.norm_K if i.norm_K else np.inf


of_points = partial(Distances.quantity, when=CHOSEN, condition=_in_units(_size))
of_both = partial(Distances.quantity, when=CHOSEN, condition=_in_units(_size_of_both))


def clear_rank(values) -> int | None:
    """How many moduli are more than rounding; None where that is not clear.

    Examples
    --------
    >>> clear_rank(np.array([2.0, 1e-16])), clear_rank(np.array([2.0, 1e-9]))
    (1, None)
    """
    share = np.abs(values) / (np.abs(values).max(initial=0.0) or 1.0)
    grey = (share > GREY_LOW) & (share < GREY_HIGH)
    return None if grey.any() else int((share >= GREY_HIGH).sum())


# --- Centred at the mean of all points ------------------------------------------------


def centred_at(D: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Inner products of points about a weighted mean of them.

    Examples
    --------
    >>> centred_at(np.array([[0.0, 4.0], [4.0, 0.0]]), np.array([0.5, 0.5]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    left = D - weights @ D
    return -0.5 * (left - (left @ weights)[:, None])


def uniformly(n: int) -> np.ndarray:
    """The weights of a mean of n points.

    >>> uniformly(2)
    array([0.5, 0.5])
    """
    return np.full(n, 1 / n)


@of_points("K^{(n)}", "D centred at the mean of all points")
def centred(i):
    return centred_at(squares(i), uniformly(i.n))


@lru_cache(maxsize=4)
def spectrum(i) -> tuple[np.ndarray, np.ndarray]:
    """The eigenvalues of the centred matrix and its vectors; several share them."""
    return eigen(centred(i))


@Distances.quantity(
    r"\operatorname{rank} K^{(n)}", "rank of the centred matrix", CHOSEN, unit=None
)
def rank_centred(i):
    return clear_rank(spectrum(i)[0])


@of_points(r"\lambda_k(K^{(n)})", "k-th largest eigenvalue of the centred matrix")
def centred_last(i):
    return spectrum(i)[0][i.k - 1]


# At a tie of eigenvalues each choice of coordinates is right.
@of_points(r"Y^\top Y", "inner products of the coordinates")
def gram_Y(i):
    values, U = leading(spectrum(i), i.k)
    return (U * values) @ U.T


@of_points("D_Y", "squared distances of the coordinates")
def squares_Y(i):
    return squared_distances(gram_Y(i))


@Distances.quantity("D_Z", "squared distances of any coordinates", CHOSEN, unit=None)
def squares_Z(i):
    return squared_distances(i.placed.T @ i.placed)


# --- Other distances ------------------------------------------------------------------


@of_both("K'^{(n)}", "the other squared distances, centred")
def other_centred(i):
    return centred_at(other_squares(i), uniformly(i.n))


@Distances.quantity(
    r"\varepsilon",
    "the largest share by which a distance errs",
    CHOSEN,
    unit=0,
)
def distance_share(i):
    """None where a distance of zero is another one."""
    D, other = squares(i), other_squares(i)
    if (other[D == 0] != 0).any():
        return None
    known = D > 0
    return np.abs(np.sqrt(other[known] / D[known]) - 1).max(initial=0.0)


def _of_root(size):
    """Rounding in inner products moves coordinates by its root at most.

    By the inequality of Powers and Størmer: the square of how far they move is at most
    the trace norm of what the inner products change by.
    """

    def condition(i):
        rounding = ROUNDING * i.n * EPS
        return np.sqrt(_in_units(size)(i) * np.sqrt(i.n) / rounding)

    return condition


@Distances.quantity(
    r"\min_Q\|Z-QY\|_F",
    "how far Z is from the coordinates, turned",
    CHOSEN,
    unit=0.5,
    condition=_of_root(_size),
)
def moved_Z(i):
    return moved(coordinates(spectrum(i), i.k), i.placed)


@Distances.quantity(
    r"\min_Q\|Y'-QY\|_F",
    "how far the other coordinates are from the coordinates, turned",
    CHOSEN,
    unit=0.5,
    condition=_of_root(_size_of_both),
)
def moved_Y(i):
    other = eigen(other_centred(i))
    return moved(coordinates(spectrum(i), i.k), coordinates(other, i.k))


# --- Centred at the mean of the landmarks ---------------------------------------------

of_landmarks = partial(Distances.quantity, when=SAMPLE, condition=_in_units(_size))


@of_landmarks("D_{:,S}", "squared distances to the landmarks")
def landmark_squares(i):
    return squares(i)[:, i.landmarks]


@of_landmarks("D_{SS}", "squared distances between the landmarks")
def core_squares(i):
    return landmark_squares(i)[i.landmarks]


@of_landmarks("C_1", "singly centred columns")
def single(i):
    far = landmark_squares(i)
    return -0.5 * (far - far[i.landmarks].mean(axis=0))


@of_landmarks("C_2", "doubly centred columns")
def double(i):
    C = single(i)
    return C - C.mean(axis=1, keepdims=True)


@of_landmarks("K^{(S)}", "D centred at the mean of the landmarks")
def landmark_centred(i):
    return centred_at(squares(i), _weights(i))


def _weights(i):
    return np.bincount(i.landmarks, minlength=i.n) / i.l


@of_landmarks("K^{(S)}_{:,S}", "its columns at the landmarks")
def landmark_columns(i):
    return landmark_centred(i)[:, i.landmarks]


@of_landmarks("W", "squared distances between the landmarks, doubly centred")
def landmark_core(i):
    return centred_at(core_squares(i), uniformly(i.l))


def _gap(i, single=False) -> tuple[float, float]:
    """The smallest kept eigenvalue of the core, and how far it is from the others.

    With `single`, how far any kept one is.  No gap where rounding hides the rank.
    """
    values = np.append(eigen(landmark_core(i))[0], 0.0)
    r = min(i.k, int((values > GREY_LOW * np.abs(values).max()).sum()))
    if clear_rank(values) is None:
        return 1.0, 0.0
    if not r:
        return 1.0, 1.0
    steps = values[:r] - np.minimum(values[1 : r + 1], values[:r])
    gap = steps.min() if single else steps[-1]
    return values[r - 1], min(gap, values[r - 1])


def _of_inverse(what, single=False):
    """How the inverse of the core, its root or a product with it amplifies rounding."""

    def condition(i):
        if not core_squares(i).any():
            return 0.0  # landmarks at one place: the core is zero, without rounding
        size, (smallest, gap) = _size(i), _gap(i, single)
        if gap <= GREY_LOW * size or not i.norm_K:
            return np.inf
        factor = {"inverse": 1 / smallest, "root": smallest**-0.5}
        factor["product"] = size**2 / smallest
        unit = i.norm_K ** {"inverse": -1, "root": -0.5, "product": 1}[what]
        return size * factor[what] / gap / unit

    return condition


def kept_of_core(i) -> tuple[np.ndarray, np.ndarray]:
    """The k leading eigenvalues of the core above zero, beyond rounding; vectors.

    Examples
    --------
    >>> i = Distances(np.eye(2), [0, 1], 2, squares=4 - 4 * np.eye(2))
    >>> kept_of_core(i)[0]
    array([2.])
    """
    values, U = leading(eigen(landmark_core(i)), i.k)
    kept = values > GREY_LOW * _size(i)
    return values[kept], U[:, kept]


@Distances.quantity(
    "W_k^+",
    "pseudo-inverse of W with its k largest eigenvalues above zero alone",
    SAMPLE,
    unit=-1.0,
    condition=_of_inverse("inverse"),
)
def landmark_core_inverse(i):
    values, U = kept_of_core(i)
    return (U / values) @ U.T


@Distances.quantity(
    r"L^\#",
    "leading eigenvectors of W over the roots of their eigenvalues, a row each",
    SAMPLE,
    unit=-0.5,
    condition=_of_inverse("root", single=True),
)
def landmark_map(i):
    values, U = kept_of_core(i)
    signed = columns.signed(U, U)
    if signed is None:
        return None
    return columns.padded(signed / np.sqrt(values), i.k).T


@Distances.quantity(
    r"\operatorname{rank} W", "rank of the centred core", SAMPLE, unit=None
)
def rank_landmark_core(i):
    return clear_rank(scipy.linalg.eigvalsh(landmark_core(i)))


def _rank_of(name, latex, matrix):
    def fast(i):
        return clear_rank(scipy.linalg.svdvals(matrix(i)))

    Distances.quantity(
        latex, f"rank of {name}", SAMPLE, unit=None, name=f"rank_{name}"
    )(fast)


_rank_of("single", r"\operatorname{rank} C_1", single)
_rank_of("double", r"\operatorname{rank} C_2", double)


@Distances.quantity(
    "D_Y",
    "squared distances of the coordinates from the landmarks",
    SAMPLE,
    condition=_of_inverse("product"),
)
def squares_from_landmarks(i):
    values, U = kept_of_core(i)
    Y = (U / np.sqrt(values)).T @ single(i).T
    return squared_distances(Y.T @ Y)
