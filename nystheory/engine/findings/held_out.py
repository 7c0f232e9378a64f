"""Ridges that are chosen on points set aside, the same way for each competitor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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


def some_of(make, size: int, rng, of_classes: bool = False) -> Points:
    """Random points of a data set, and a column for each class where there are any.

    Parameters
    ----------
    make : callable (rng) -> Dataset
    size : int
    rng : numpy.random.Generator
    of_classes : bool
        Whether the labels are names and not numbers.

    Examples
    --------
    >>> from nystheory import datasets
    >>> rng = np.random.default_rng(0)
    >>> some_of(lambda rng: datasets.digits(), 50, rng, of_classes=True).y.shape
    (50, 10)
    """
    data = make(rng)
    chosen = rng.permutation(len(data.X))[:size]
    y = data.y[chosen].astype(float)[:, None]
    return Points(
        data.X[chosen], (y == np.unique(y)).astype(float) if of_classes else y
    )


def in_fifths(points: Points, rng) -> tuple[Points, Points, Points]:
    """Three fifths to learn from, a fifth to choose by, a fifth to judge by.

    The mean of what is learned from is subtracted from all labels.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> parts = in_fifths(Points(np.eye(10), np.ones((10, 1))), rng)
    >>> [part.X.shape for part in parts]
    [(6, 10), (2, 10), (2, 10)]
    """
    n = len(points.X)
    parts = np.split(rng.permutation(n), np.array([3, 4]) * n // 5)
    y = points.y - points.y[parts[0]].mean(axis=0)
    learn, aside, judged = (Points(points.X[some], y[some]) for some in parts)
    return learn, aside, judged


def missed(found: np.ndarray, y: np.ndarray) -> float:
    """The share of the variance of y that predictions miss, in percent.

    Examples
    --------
    >>> missed(np.array([[1.0], [2.0]]), np.array([[1.0], [3.0]]))
    50.0
    """
    return float(100 * np.sum((found - y) ** 2) / np.sum((y - y.mean(axis=0)) ** 2))
