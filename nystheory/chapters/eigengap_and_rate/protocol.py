"""The protocol of the comparison: feature maps, a split, cross-validation, a test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer

from nystheory.features import NystromFeatures, RandomFourierFeatures
from nystheory.learners import FeatureRidge

# The share of the points that is kept for the test.
ASIDE = 0.2
# Ridges for each point; a point has K(x, x) = 1.
RIDGES = tuple(10.0**k for k in range(-8, 1))
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
        In random order: folds are taken in turn.
    gammas : tuple of float
        Those that are tried.
    """

    learn: Points
    gammas: tuple[float, ...]


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
    >>> known.learn.X.shape, judged.Y.shape, len(known.gammas)
    ((8, 10), (2, 1), 6)
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
    For each gamma `learners.FeatureRidge` chooses the ridge by five folds, from sums of
    products of features that are formed once: O(n p^2 + p^3) operations with p
    features.

    Examples
    --------
    >>> from nystheory import datasets
    >>> rng = np.random.default_rng(0)
    >>> arm = datasets.robot_arm(500, rng)
    >>> sorted(cross_validated(landmarks, 20, *split(arm.X, arm.y, rng), seed=1))
    ['error', 'gamma', 'ridge']
    """
    learn = known.learn
    ridges = len(learn.X) * np.array(RIDGES)
    least = np.inf
    for tried in known.gammas:
        map = features(learn.X, count, tried, np.random.default_rng(seed))
        made = FeatureRidge(FrozenEstimator(map), ridges).fit(learn.X, learn.Y)
        loss = made.errors_.mean(axis=1).min()
        if loss < least:
            least, gamma, model = loss, tried, made
    told = model.predict(judged.X).reshape(judged.Y.shape)
    ridge = model.ridge_ / len(learn.X)
    return {"error": 100 * missed(told, judged.Y), "gamma": gamma, "ridge": ridge}


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
