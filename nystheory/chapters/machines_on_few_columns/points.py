"""Points with labels -1 and 1: even and uneven ones, moons and waves."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import make_moons

from nystheory import datasets
from nystheory.engine.findings.held_out import Points

# Coordinates of the points of `rare`, how far its light groups are, and how many.
D, FAR, GROUPS = 8, 8.0, 24


def digits(size: int, rng) -> Points:
    """Is a digit odd?"""
    return _some(datasets.digits(), lambda y: y.astype(int) % 2 == 1, size, rng)


def cells(size: int, rng) -> Points:
    """Is a cell sample benign?"""
    return _some(datasets.breast_cancer(), lambda y: y > 0, size, rng)


def photographs(size: int, rng) -> Points:
    """Which of two photographs is a patch from?"""
    return _some(datasets.patches(4000), lambda y: y > 0, size, rng)


def moons(size: int, rng, noise: float = 0.25) -> Points:
    """Which of two moons is a point from?

    Examples
    --------
    >>> some = moons(10, np.random.default_rng(0))
    >>> some.X.shape, sorted(set(some.y.tolist()))
    ((10, 2), [-1, 1])
    """
    return _mixed(*make_moons(size, noise=noise, random_state=_seed(rng)), rng)


def waves(size: int, rng, d: int = 4, flipped: float = 0.05) -> Points:
    """Whether a sum of waves, one along each coordinate, is above zero; labels flipped.

    Parameters
    ----------
    size : int
    rng : numpy.random.Generator
    d : int
        Coordinates, each between -1 and 1.
    flipped : float
        The chance that a label is: the least error of any classifier.

    Examples
    --------
    >>> some = waves(10, np.random.default_rng(0))
    >>> some.X.shape, sorted(set(some.y.tolist()))
    ((10, 4), [-1, 1])
    """
    X = rng.uniform(-1, 1, (size, d))
    signs = np.where(np.sin(4 * X).sum(axis=1) > 0, 1, -1)
    return Points(X, np.where(rng.random(size) < flipped, -signs, signs))


def rare(
    size: int, rng, share: float = 0.1, spread: float = 0.25, groups: int = GROUPS
) -> Points:
    """One heavy group of points, and many light ones far from it and from each other.

    The heavy group is divided in its middle; of the light ones the label is one or the
    other by turns.

    Parameters
    ----------
    size : int
    rng : numpy.random.Generator
    share : float
        Of the points in all light groups together.
    spread : float
        The deviation of each group, in each coordinate.
    groups : int

    Examples
    --------
    >>> some = rare(800, np.random.default_rng(0))
    >>> some.X.shape, int(far(some.X).sum())
    ((800, 8), 80)
    """
    centres = rng.standard_normal((groups, D))
    centres *= FAR / np.linalg.norm(centres, axis=1)[:, None]
    which = np.arange(round(share * size)) % groups
    X = spread * rng.standard_normal((size, D))
    y = X[:, 0] > 0
    X[: len(which)] += centres[which]
    y[: len(which)] = which % 2
    return _mixed(X, y, rng)


def far(X: np.ndarray) -> np.ndarray:
    """Whether points are of the light groups of `rare`.

    Examples
    --------
    >>> far(np.array([[0.0, 0.0], [8.0, 0.0]])).tolist()
    [False, True]
    """
    return np.linalg.norm(X, axis=1) > FAR / 2


def _some(data, which, size, rng):
    chosen = rng.permutation(len(data.X))[:size]
    return Points(data.X[chosen], np.where(which(data.y[chosen]), 1, -1))


def _mixed(X, y, rng):
    order = rng.permutation(len(X))
    return Points(X[order], np.where(y[order] > 0, 1, -1))


def _seed(rng):
    return int(rng.integers(2**31))
