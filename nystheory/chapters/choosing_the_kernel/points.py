"""Points with labels -1 and 1, in a unit in which two of them are one apart."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import make_moons

from nystheory import datasets
from nystheory.engine.findings.held_out import Points


def cells(size: int, rng) -> Points:
    """Is a cell sample benign?"""
    data = datasets.breast_cancer()
    return _some(data.X, data.y > 0, size, rng)


def digits(size: int, rng) -> Points:
    """Is a digit a four or a nine?  Only these two are drawn."""
    data = datasets.digits()
    two = np.isin(data.y, (4, 9))
    return _some(data.X[two], data.y[two] == 4, size, rng)


def parity(size: int, rng) -> Points:
    """Is a digit odd?"""
    data = datasets.digits()
    return _some(data.X, data.y % 2 == 1, size, rng)


def photographs(size: int, rng) -> Points:
    """Which of two photographs is a patch from?"""
    data = datasets.patches(4000)
    return _some(data.X, data.y > 0, size, rng)


def moons(size: int, rng, noise: float = 0.25) -> Points:
    """Which of two moons is a point from?

    Examples
    --------
    >>> some = moons(10, np.random.default_rng(0))
    >>> some.X.shape, sorted(set(some.y.tolist()))
    ((10, 2), [-1.0, 1.0])
    """
    seed = int(rng.integers(2**31))
    return _some(*make_moons(size, noise=noise, random_state=seed), size, rng)


def waves(size: int, rng, d: int = 3, flipped: float = 0.05) -> Points:
    """Whether a sum of waves, one along each coordinate, is above zero; labels flipped.

    Parameters
    ----------
    size : int
    rng : numpy.random.Generator
    d : int
        Coordinates.
    flipped : float
        The chance that a label is.

    Examples
    --------
    >>> some = waves(10, np.random.default_rng(0))
    >>> some.X.shape, sorted(set(some.y.tolist()))
    ((10, 3), [-1.0, 1.0])
    """
    X = rng.uniform(-1, 1, (size, d))
    above = np.sin(4 * X).sum(axis=1) > 0
    return _some(X, above ^ (rng.random(size) < flipped), size, rng)


def scaled(X: np.ndarray) -> np.ndarray:
    """Points over the root of the mean square distance of two of them.

    Examples
    --------
    >>> far = np.array([[0.0], [4.0]])  # half of the pairs are alike
    >>> scaled(far)[:, 0].round(6).tolist()
    [0.0, 1.414214]
    """
    return X / np.sqrt(2 * X.var(axis=0).sum())


def _some(X, positive, size, rng) -> Points:
    chosen = rng.permutation(len(X))[:size]
    return Points(scaled(X[chosen]), np.where(positive[chosen], 1.0, -1.0))
