"""Components of the digits: from few columns, and from samples of the points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg

from nystheory import datasets, kernels, lowrank, sampling
from nystheory.chapters import theorems
from nystheory.chapters.kernel_principal_components.theorems.residuals import left_out
from nystheory.engine.findings.experiments import one_thread
from nystheory.learners import KernelPCA

# --- The picture ---------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Picture:
    """Points on their two leading components, from all of K and from few columns.

    Attributes
    ----------
    labels : ndarray (n,)
        The digits.
    counts : tuple of int, length m
        Columns; the first is n, for all of K.
    places : tuple of ndarray (n, 2), length m
    """

    labels: np.ndarray
    counts: tuple[int, ...]
    places: tuple[np.ndarray, ...]


def some_digits(kept: Sequence[int], count: int):
    """The first images of some digits, and which digit each is.

    Examples
    --------
    >>> X, labels = some_digits([0, 1], 10)
    >>> X.shape, sorted(set(labels.tolist()))
    ((10, 64), [0, 1])
    """
    digits = datasets.digits()
    chosen = np.flatnonzero(np.isin(digits.y, kept))[:count]
    return digits.X[chosen], digits.y[chosen]


def turned_to(places: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Points in the plane, turned and mirrored to lie as near as they can.

    Examples
    --------
    >>> turned_to(np.array([[0.0, 2.0]]), np.array([[1.0, 0.0]])).round(9).tolist()
    [[2.0, 0.0]]
    """
    rotation, _ = scipy.linalg.orthogonal_procrustes(places, target)
    return places @ rotation


@one_thread
def picture(
    kept: Sequence[int], count: int, gamma: float, columns: Sequence[int], seed: int = 0
) -> Picture:
    """The leading components of the images of some digits, with a Gaussian kernel.

    Parameters
    ----------
    kept : sequence of int
        Digits.
    count : int
        The number n of images.
    gamma : float
        As in `kernels.rbf`.
    columns : sequence of int
        Numbers of uniform columns; each sample holds the one before.
    seed : int

    Returns
    -------
    Picture
        Turned to the picture from all of K.

    Examples
    --------
    >>> picture([0, 1], 30, 0.02, [5]).counts
    (30, 5)
    """
    X, labels = some_digits(kept, count)
    K = kernels.DenseKernel(kernels.rbf(X, gamma).dense())
    order = np.random.default_rng(seed).permutation(count)
    exact = KernelPCA(2).fit_transform(K)
    near = (lowrank.nystrom(K, order[:l]) for l in columns)  # noqa: E741
    places = [turned_to(KernelPCA(2).fit_transform(each), exact) for each in near]
    return Picture(labels, (count, *columns), (exact, *places))


@one_thread
def moved(K, order: Sequence[int], columns: Sequence[int]) -> list[float]:
    """By how much of their size points move on the two leading components, in percent.

    Parameters
    ----------
    K : KernelMatrix (n, n)
    order : sequence of int
        Points; the first ones are the landmarks.
    columns : sequence of int
        Numbers of landmarks.

    Examples
    --------
    >>> K = kernels.linear([[3.0, 0.0], [0.0, 1.0], [-2.0, 0.5]])
    >>> round(moved(K, [0, 1, 2], [2])[0], 6)
    0.0
    """
    exact = KernelPCA(2).fit_transform(K)
    near = (lowrank.nystrom(K, order[:l]) for l in columns)  # noqa: E741
    places = (turned_to(KernelPCA(2).fit_transform(each), exact) for each in near)
    size = np.linalg.norm(exact)
    return [float(100 * np.linalg.norm(each - exact) / size) for each in places]


# --- Residuals -----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Residuals:
    """Residuals for numbers of columns, each of them a mean squared distance.

    Attributes
    ----------
    counts : tuple of int, length m
    best : float
        The residual of K.
    own : ndarray (m,)
        Of the approximation, at its own features.
    true : ndarray (m,)
        What the components of the approximation leave of the points themselves.
    certified : ndarray (m,)
        The residual of the approximation plus the trace of its error over n.
    change : ndarray (m,)
        The bound on the difference of the residuals of both matrices.
    """

    counts: tuple[int, ...]
    best: float
    own: np.ndarray
    true: np.ndarray
    certified: np.ndarray
    change: np.ndarray


@one_thread
def residuals(K, k: int, counts: Sequence[int], seed: int = 0) -> Residuals:
    """The residuals of one matrix and of its approximations from uniform columns.

    Parameters
    ----------
    K : KernelMatrix (n, n)
    k : int
        Number of components.
    counts : sequence of int
        Numbers of columns; each sample holds the one before.
    seed : int

    Examples
    --------
    >>> found = residuals(kernels.linear(np.eye(6)), 2, [3, 6])
    >>> round(found.best, 9), found.own.round(9).tolist()
    (0.666666667, [0.166666667, 0.666666667])
    """
    dense, n = K.dense(), K.n
    X, bound = _square_root(dense), theorems["talwalkar2010:prop-5.4"].bound
    order = np.random.default_rng(seed).permutation(n)
    rows = []
    for count in counts:
        near = lowrank.nystrom(K, order[:count])
        V = _components(X[:, order[:count]], X, k)
        values = scipy.linalg.svdvals(near.factor) ** 2
        own = values[k:].sum() / n
        true = np.mean((X**2).sum(axis=0) - ((V.T @ X) ** 2).sum(axis=0))
        missed = np.trace(dense) - values.sum()
        change = bound(claim="bound", k=k, n=n, change_2=_norm(dense, near))
        rows.append((own, true, own + missed / n, change))
    columns = np.array(rows).T
    return Residuals(tuple(counts), left_out(X, k), *columns)


def _norm(K, near):
    """Spectral norm of the error."""
    n, F = len(K), near.factor
    top = scipy.linalg.eigvalsh(K - F @ F.T, subset_by_index=[n - 1, n - 1])
    return float(top[0])


def _square_root(K):
    """Points with these inner products, as columns."""
    values, vectors = scipy.linalg.eigh(K)
    return (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T


def _components(landmarks, X, k):
    """The k components of all points after projection on the span of the landmarks."""
    Q = scipy.linalg.orth(landmarks)
    U = scipy.linalg.svd(Q.T @ X, full_matrices=False)[0]
    return Q @ U[:, :k]


# --- Subspaces -----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Turns:
    """How far the leading subspace turns, for each number of components.

    Attributes
    ----------
    values : ndarray (m + 1,)
        Eigenvalues of K, largest first.
    natural, roots : ndarray (m,)
        Frobenius distance of the projectors for 1, ..., m components: for the features
        of the Nyström method, and for square roots.
    by_covariance, by_kernel : ndarray (m,)
        The bounds: from the change of the covariance, and of the kernel matrix.
    by_spectral : ndarray (m,)
        From the spectral norm of the change of the covariance, by Yu, Wang and
        Samworth: the root of 2 k times it over half of the gap.
    by_residual : ndarray (m,)
        From what all of K leaves of the components of the approximation, by Davis and
        Kahan; infinite where the eigenvalues overlap.
    """

    values: np.ndarray
    natural: np.ndarray
    roots: np.ndarray
    by_covariance: np.ndarray
    by_kernel: np.ndarray
    by_spectral: np.ndarray
    by_residual: np.ndarray


@one_thread
def turns(K, landmarks, most: int, centred: bool = False) -> Turns:
    """How far the components of an approximation are from those of K.

    Parameters
    ----------
    K : KernelMatrix (n, n)
    landmarks : sequence of int
    most : int
        Largest number of components, at most the rank of the approximation.
    centred : bool
        Whether the mean of the points is subtracted first, and of the projected ones.

    Notes
    -----
    The components of K are ``V = X U S^-1/2``, those of the projected points are
    ``V' = X' U' S'^-1/2``, and ``X' X' = K~``.  So ``V.T V'`` is
    ``S^-1/2 U' U S'^1/2``: no feature is formed.  For square roots it is ``U.T U'``.
    The covariance A leaves ``A V' - V' S'`` of them, of squared length
    ``S'_j (u'_j K u'_j - S'_j)`` for the component j.

    Examples
    --------
    >>> K = kernels.linear(np.diag([3.0, 2.0, 1.0]))
    >>> turns(K, [0, 1], 2).natural.round(9).tolist()
    [0.0, 0.0]
    """
    F, X = lowrank.nystrom(K, landmarks).factor, _square_root(K.dense())
    Q = scipy.linalg.orth(X[:, list(landmarks)])
    if centred:
        F, X = F - F.mean(axis=0), X - X.mean(axis=1, keepdims=True)
    dense, near = X.T @ X, F @ F.T
    (values, U), (theirs, T) = (_leading(A, most + 1) for A in (dense, near))
    square = (U[:, :most].T @ T[:, :most]) ** 2
    natural = square * theirs[:most] / values[:most, None]
    covariance = np.sqrt(max(0.0, (dense**2).sum() - (near**2).sum()))
    change, gaps = np.linalg.norm(dense - near), (values[:-1] - values[1:]) / 2
    by_covariance = _bounds("covariances", gaps, covariance_change_F=covariance)
    by_kernel = _bounds("kernel matrices", gaps, change_F=change)
    spectral = np.sqrt(2 * np.arange(1, most + 1)) * _turned_by(X, Q) / gaps
    left = theirs[:most] * ((T * (dense @ T)).sum(axis=0) - theirs)[:most]
    apart = theirs[:most] - values[1:]
    left = np.sqrt(2 * np.maximum(left, 0.0).cumsum())
    residual = np.where(apart > 0, left / np.where(apart > 0, apart, 1.0), np.inf)
    bounds = by_covariance, by_kernel, spectral, residual
    return Turns(values, _apart(natural), _apart(square), *bounds)


def _turned_by(X, Q):
    """Spectral norm of the change of the covariance of points that are projected."""
    A = X @ X.T
    ends = scipy.linalg.eigvalsh(A - Q @ (Q.T @ A @ Q) @ Q.T)
    return float(max(-ends[0], ends[-1]))


def largest_turn(tries: int, rng: np.random.Generator, share: float = 0.5) -> float:
    """Distance of the leading directions over its bound, at most, in a random search.

    Parameters
    ----------
    tries : int
        Matrices for each dimension from two to four.
    rng : Generator
    share : float
        The change is so many times half of the gap, in the Frobenius norm.

    Returns
    -------
    float

    Examples
    --------
    >>> 0.4 < largest_turn(200, np.random.default_rng(0)) < 0.51
    True
    """
    best = 0.0
    for n in (2, 3, 4):
        A = np.zeros((n, n))
        A[0, 0] = 1.0  # half of the gap is 1/2
        moved = rng.standard_normal((tries, n, n)) * rng.random((tries, 1, 1))
        moved[:, 0, 1:] += rng.choice([0, 3], (tries, 1))
        moved = moved + moved.transpose(0, 2, 1)
        size = np.linalg.norm(moved, axis=(1, 2), keepdims=True)
        turned = np.linalg.eigh(A + share / 2 * moved / size)[1][:, 0, -1]
        best = max(best, float(np.sqrt(2 * (1 - turned**2)).max()) / share)
    return best


def _bounds(claim, gaps, **known):
    bound = theorems["talwalkar2010:thm-5.7"].bound
    return np.array([bound(claim=claim, half_gap=gap, **known) for gap in gaps])


def _leading(A, count):
    n = len(A)
    values, vectors = scipy.linalg.eigh(A, subset_by_index=[n - count, n - 1])
    return values[::-1], vectors[:, ::-1]


def _apart(squares):
    """Distances of projectors from squared inner products of their directions."""
    shared = squares.cumsum(axis=0).cumsum(axis=1).diagonal()
    k = np.arange(1, len(shared) + 1)
    return np.sqrt(np.maximum(2 * (k - shared), 0))


# --- Samples of the points -----------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Samples:
    """Samples of points, drawn with replacement, beside all of them.

    Attributes
    ----------
    counts : tuple of int, length m
    residual : ndarray (m, draws)
        Residual of all points less that of the sample.
    distance : ndarray (m, draws)
        Frobenius distance of the leading projectors.
    residual_bound, printed_bound, distance_bound : ndarray (m,)
    """

    counts: tuple[int, ...]
    residual: np.ndarray
    distance: np.ndarray
    residual_bound: np.ndarray
    printed_bound: np.ndarray
    distance_bound: np.ndarray


@one_thread
def samples(
    K, k: int, counts: Sequence[int], draws: int = 20, seed: int = 0
) -> Samples:
    """Residuals and components of samples, with the bounds for a failure of 0.1.

    Parameters
    ----------
    K : KernelMatrix (n, n)
        Of normalised points.
    k : int
        Number of components.
    counts : sequence of int
        Sizes of the samples.
    draws, seed : int

    Examples
    --------
    >>> K = kernels.linear(np.eye(3)[[0, 0, 0, 1, 2]])
    >>> found = samples(K, 1, [2, 4], draws=3)
    >>> bool((abs(found.residual) <= found.residual_bound[:, None]).all())
    True
    """
    dense, n = K.dense(), K.n
    values, U = _leading(dense, n)
    rng, residual, distance = np.random.default_rng(seed), [], []
    for count in counts:
        found = []
        for _ in range(draws):
            drawn = sampling.uniform(K, count, rng, replace=True).indices
            found.append(_beside(dense, values, U, drawn, k))
        for out, each in zip((residual, distance), np.array(found).T, strict=True):
            out.append(each)
    known = {"n": n, "k": k, "delta": 0.1, "K_max": np.diag(dense).max()}
    known |= {"half_gap": (values[k - 1] - values[k]) / 2, "sample_change_2": 0.0}

    def bounds(id, claim):
        needed = theorems[id].needed(theorems[id].bounding(claim))
        given = {name: known[name] for name in needed if name != "l"}
        of = theorems[id].right_side
        return np.array([of(claim, l=count, **given) for count in counts])

    return Samples(
        tuple(counts),
        np.array(residual),
        np.array(distance),
        bounds("talwalkar2010:thm-5.6", "from above"),
        bounds("talwalkar2010:cor-5.4", "as printed"),
        bounds("talwalkar2010:thm-5.8", "every size"),
    )


def _beside(dense, values, U, drawn, k):
    """What a sample's residual is too small by, and how far its components are.

    With ``V = X U S^-1/2`` and the sample's ``X_S T R^-1/2``, the products of their
    columns are ``S^1/2 U_S.T T R^-1/2``.
    """
    theirs, T = _leading(dense[np.ix_(drawn, drawn)], len(drawn))
    residual = values[k:].sum() / len(dense) - theirs[k:].sum() / len(drawn)
    square = (U[drawn, :k].T @ T[:, :k]) ** 2 * values[:k, None] / theirs[:k]
    return residual, _apart(square)[-1]
