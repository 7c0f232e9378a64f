"""What ridge regression learns from features of columns, and from random waves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nystheory.features import NystromFeatures, RandomFourierFeatures
from nystheory.learners import FeatureRidge

LANDMARKS = 100
# Those that are tried, over the number of points.
RIDGES = 10.0 ** np.arange(-10, 1)


@dataclass(frozen=True, eq=False)
class Points:
    """Points, and what is to be predicted of them.

    Attributes
    ----------
    X, y : ndarray (n, d), ndarray (n, q)
    """

    X: np.ndarray
    y: np.ndarray


@dataclass(frozen=True, eq=False)
class Known:
    """What is learned from, what ridges are chosen by, and the seed of all features.

    Attributes
    ----------
    learn, aside : Points
    seed : int
    """

    learn: Points
    aside: Points
    seed: int


def labelled(make: Callable, size: int, rng: np.random.Generator) -> Points:
    """Random points of a data set, with a column for each class where there are any.

    Examples
    --------
    >>> from nystheory import datasets
    >>> rng = np.random.default_rng(0)
    >>> labelled(lambda rng: datasets.digits(), 50, rng).y.shape
    (50, 10)
    """
    data = make(rng)
    some = rng.permutation(len(data.X))[:size]
    y = data.y[:, None]
    y = y == np.unique(y) if y.dtype.kind == "i" else y
    return Points(data.X[some], y[some].astype(float))


def in_fifths(points: Points, rng: np.random.Generator) -> tuple[Known, Points]:
    """Three fifths to learn from, a fifth to choose ridges by, a fifth to judge by.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> known, judged = in_fifths(Points(np.eye(10), np.ones((10, 1))), rng)
    >>> known.learn.X.shape, known.aside.X.shape, judged.X.shape
    ((6, 10), (2, 10), (2, 10))
    """
    n = len(points.X)
    parts = np.split(rng.permutation(n), np.array([3, 4]) * n // 5)
    y = points.y - points.y[parts[0]].mean(axis=0)
    learn, aside, judged = (Points(points.X[some], y[some]) for some in parts)
    return Known(learn, aside, int(rng.integers(2**31))), judged


@lru_cache(maxsize=2)
def unlearned(make: Callable, known: Known, judged: Points) -> dict[float, float]:
    """The percentage of the variance that ridge regression misses, by ridge over n.

    Parameters
    ----------
    make : callable (seed) -> transformer
    known : Known
    judged : Points

    Examples
    --------
    >>> from nystheory import datasets
    >>> rng = np.random.default_rng(0)
    >>> arm = labelled(lambda rng: datasets.robot_arm(400, rng), 400, rng)
    >>> known, judged = in_fifths(arm, rng)
    >>> 20 < min(unlearned(of_waves, known, judged).values()) < 80
    True
    """
    features, learn = make(known.seed), known.learn
    F = features.fit_transform(learn.X)
    weights = FeatureRidge().fit(F, learn.y).path(RIDGES * len(F))
    G = features.transform(judged.X)
    missed = np.array([np.sum((G @ w - judged.y) ** 2) for w in weights])
    whole = np.sum((judged.y - judged.y.mean(axis=0)) ** 2)
    return dict(zip(RIDGES.tolist(), (100 * missed / whole).tolist(), strict=True))


def of_columns(seed: int) -> NystromFeatures:
    """Nyström features of uniform columns."""
    return NystromFeatures(
        gamma="scale", landmarks="uniform", n_landmarks=LANDMARKS, random_state=seed
    )


def of_waves(seed: int, times: int = 1) -> RandomFourierFeatures:
    """Random Fourier features, a multiple of the number of columns."""
    return RandomFourierFeatures(
        gamma="scale",
        n_components=times * LANDMARKS,
        draws="orthogonal",
        random_state=seed,
    )
