"""Ridge regression on features: cross-validation and a test, from sums of products.

What least squares needs to know of a block of rows is the sum of their products.  Those
of five folds add up to those of all points, less one fold they are those of the other
four: each pair of features is multiplied once, and no row is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer

from nystheory.features import NystromFeatures, RandomFourierFeatures

FOLDS = 5
# The share of the points that is kept for the test.
ASIDE = 0.2
# Ridges per point; a point has K(x, x) = 1.
RIDGES = tuple(10.0**k for k in range(-9, 1))
# Values of gamma, times the sum of the variances of the coordinates.
WIDTHS = tuple(4.0**k for k in range(-4, 2))


# ---- feature maps ----


def landmarks(X: np.ndarray, count: int, gamma: float, rng) -> NystromFeatures:
    """Nyström features of so many uniform landmarks.

    Parameters
    ----------
    X : ndarray (n, d)
        Points to learn from.
    count : int
    gamma : float
        Of the Gaussian kernel.
    rng : numpy.random.Generator

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((20, 2))
    >>> landmarks(X, 5, 0.5, np.random.default_rng(0)).transform(X).shape
    (20, 5)
    """
    chosen = X[rng.choice(len(X), count, replace=False)]
    return NystromFeatures(gamma=gamma, landmarks=range(count)).fit(chosen)


def waves(X: np.ndarray, count: int, gamma: float, rng) -> Pipeline:
    """Sines and cosines of so many frequencies: twice as many features.

    Those of float32 are several times as fast, and right to 1e-7.

    Parameters
    ----------
    X : ndarray (n, d)
        Only its number of columns is used.
    count : int
    gamma : float
    rng : numpy.random.Generator

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((20, 2))
    >>> waves(X, 5, 0.5, np.random.default_rng(0)).transform(X).shape
    (20, 10)
    """
    made = RandomFourierFeatures(gamma=gamma, n_components=2 * count, random_state=rng)
    return make_pipeline(FunctionTransformer(np.float32), made).fit(X)


def half_as_many(X: np.ndarray, count: int, gamma: float, rng) -> Pipeline:
    """`waves` of half as many frequencies, rounded up: as many features as landmarks.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((20, 2))
    >>> half_as_many(X, 5, 0.5, np.random.default_rng(0)).transform(X).shape
    (20, 6)
    """
    return waves(X, (count + 1) // 2, gamma, rng)


def fast_waves(X: np.ndarray, count: int, gamma: float, rng) -> Pipeline:
    """`waves` with frequencies from N(0, I), whatever the width of the kernel.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((20, 2))
    >>> fast_waves(X, 5, 0.01, np.random.default_rng(0))[-1].gamma
    0.5
    """
    return waves(X, count, 0.5, rng)


# ---- least squares from sums of products ----


@dataclass(frozen=True, eq=False)
class Products:
    """Sums of products over rows, of features Z and targets Y.

    Attributes
    ----------
    features : ndarray (p, p)
        Z' Z.
    both : ndarray (p, k)
        Z' Y.
    targets : float
        The sum of the squares of Y.
    rows : int
    """

    features: np.ndarray
    both: np.ndarray
    targets: float
    rows: int

    @classmethod
    def of(cls, Z: np.ndarray, Y: np.ndarray) -> Products:
        """Those of rows (n, p) and (n, k)."""
        Z = Z.astype(float, copy=False)
        return cls(Z.T @ Z, Z.T @ Y, float(np.sum(Y**2)), len(Y))

    def __add__(self, other: Products) -> Products:
        return self._with(other, 1)

    def __sub__(self, other: Products) -> Products:
        return self._with(other, -1)

    def _with(self, other, sign):
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return Products(*(a + sign * b for a, b in pairs))

    def coefficients(self, ridges: Sequence[float]) -> np.ndarray:
        """Minimisers of ``|Z w - Y|^2 + ridge n |w|^2``, (ridges, p, k).

        One eigendecomposition serves all ridges.
        """
        values, vectors = np.linalg.eigh(self.features)
        turned = vectors.T @ self.both
        shifts = np.array(ridges)[:, None] * self.rows
        return vectors @ (turned / (np.maximum(values, 0) + shifts)[:, :, None])

    def losses(self, coefficients: np.ndarray) -> np.ndarray:
        """Mean squared errors in these rows, with each of some coefficients."""
        W = coefficients
        squares = np.sum(W * (self.features @ W - 2 * self.both), axis=(1, 2))
        return (squares + self.targets) / self.rows


# ---- cross-validation ----


@dataclass(frozen=True, eq=False)
class Points:
    """Points with targets.

    Attributes
    ----------
    X : ndarray (n, d)
    Y : ndarray (n, k)
        One column for a number; for classes one for each, 1 where a point is in it.
    """

    X: np.ndarray
    Y: np.ndarray


@dataclass(frozen=True, eq=False)
class Learned:
    """What is known before the test.

    Attributes
    ----------
    learn : Points
        In random order, so that folds are runs of them.
    gammas : tuple of float
        Those that are tried.
    """

    learn: Points
    gammas: tuple[float, ...]

    @property
    def folds(self) -> list[Points]:
        """Five blocks of its points."""
        X, Y = (np.array_split(each, FOLDS) for each in (self.learn.X, self.learn.Y))
        return [Points(*each) for each in zip(X, Y, strict=True)]


def split(X, y, rng, gammas: Sequence[float] = ()) -> tuple[Learned, Points]:
    """Four fifths of the points to learn from, and a fifth for the test.

    Parameters
    ----------
    X : ndarray (n, d)
    y : ndarray (n,)
        Integers are classes, floats are numbers.
    rng : numpy.random.Generator
    gammas : sequence of float
        By default those of `WIDTHS`.

    Returns
    -------
    Learned, Points
        Numbers less their mean over the points to learn from, over their deviation.

    Examples
    --------
    >>> known, judged = split(np.eye(10), np.arange(10.0), np.random.default_rng(0))
    >>> known.learn.X.shape, judged.Y.shape, len(known.folds), len(known.gammas)
    ((8, 10), (2, 1), 5, 6)
    """
    order = rng.permutation(len(X))
    aside, rest = np.split(order, [round(ASIDE * len(X))])
    if y.dtype.kind in "iu":
        Y = (y[:, None] == np.unique(y)).astype(float)
    else:
        Y = ((y - y[rest].mean()) / y[rest].std())[:, None]
    tried = tuple(gammas) or tuple(x / X[rest].var(axis=0).sum() for x in WIDTHS)
    return Learned(Points(X[rest], Y[rest]), tried), Points(X[aside], Y[aside])


def cross_validated(
    features: Callable, count: int, known: Learned, judged: Points, seed: int
) -> dict[str, float]:
    """Gamma and ridge by cross-validation, a fit to all points, and the test.

    Parameters
    ----------
    features : callable (X, count, gamma, rng) -> fitted transformer
        `landmarks`, for example.
    count : int
    known : Learned
    judged : Points
    seed : int
        For each gamma the same landmarks, or the same directions of frequencies.

    Returns
    -------
    dict
        ``error``, in percent: the share of wrong labels, or the share of the variance
        that predictions miss; ``gamma`` and ``ridge``, as chosen.

    Notes
    -----
    Costs O(n p^2 + p^3) operations for each gamma, with p features.

    Examples
    --------
    >>> from nystheory import datasets
    >>> rng = np.random.default_rng(0)
    >>> arm = datasets.robot_arm(500, rng)
    >>> sorted(cross_validated(landmarks, 20, *split(arm.X, arm.y, rng), seed=1))
    ['error', 'gamma', 'ridge']
    """
    least, best = np.inf, {}
    for gamma in known.gammas:
        rng = np.random.default_rng(seed)
        transform = features(known.learn.X, count, gamma, rng).transform
        parts = [Products.of(transform(each.X), each.Y) for each in known.folds]
        whole = sum(parts[1:], parts[0])
        each = [part.losses((whole - part).coefficients(RIDGES)) for part in parts]
        losses = np.mean(each, axis=0)
        place = int(losses.argmin())
        if losses[place] < least:
            least, ridge = losses[place], RIDGES[place]
            (W,) = whole.coefficients([ridge])
            error = 100 * missed(transform(judged.X) @ W, judged.Y)
            best = {"error": error, "gamma": gamma, "ridge": ridge}
    return best


def missed(told: np.ndarray, Y: np.ndarray) -> float:
    """The share of wrong labels; of one number, the share of the variance missed.

    Parameters
    ----------
    told, Y : ndarray (n, k)
        Predictions, and what they should be.

    Examples
    --------
    >>> missed(np.array([[0.9, 0.2], [0.6, 0.5]]), np.array([[1, 0], [0, 1]]))
    0.5
    """
    if Y.shape[1] > 1:
        return float(np.mean(told.argmax(axis=1) != Y.argmax(axis=1)))
    return float(np.mean((told - Y) ** 2) / np.var(Y))
