"""Points with two labels, and points with values, of which some few are far off."""

from __future__ import annotations

import numpy as np

from nystheory import datasets
from nystheory.chapters.random_subspaces.circle import Circle, Power
from nystheory.engine.findings.held_out import Points, some_of


def border(x: np.ndarray) -> np.ndarray:
    """The height of the wave that separates two classes in the plane.

    Examples
    --------
    >>> border(np.array([0.0, 0.25])).round(9).tolist()
    [0.0, 0.5]
    """
    return 0.5 * np.sin(2 * np.pi * x)


def wave(size: int, rng, flipped: float = 0.1) -> Points:
    """Even points of a rectangle, above a wave or not; some labels are flipped.

    Parameters
    ----------
    size : int
    rng : numpy.random.Generator
    flipped : float
        The chance that a label is: the least error of any classifier.

    Examples
    --------
    >>> some = wave(200, np.random.default_rng(0))
    >>> some.X.shape, sorted(set(some.y.tolist()))
    ((200, 2), [-1, 1])
    """
    X = rng.uniform([-1, -1], [1, 1], (size, 2))
    y = np.where(X[:, 1] > border(X[:, 0]), 1, -1)
    return Points(X, _with_flips(y, flipped, rng))


def digits(size: int, rng, flipped: float = 0.0) -> Points:
    """Is a digit odd?"""
    found = _some(datasets.digits(), lambda y: y.astype(int) % 2 == 1, size, rng)
    return Points(found.X, _with_flips(found.y, flipped, rng))


def cells(size: int, rng, flipped: float = 0.0) -> Points:
    """Is a cell sample benign?"""
    found = _some(datasets.breast_cancer(), lambda y: y > 0, size, rng)
    return Points(found.X, _with_flips(found.y, flipped, rng))


def photographs(size: int, rng) -> Points:
    """Which of two photographs is a patch from?"""
    return _some(datasets.patches(4000), lambda y: y > 0, size, rng)


# ---- points with values ----


def circle(size: int, rng, share: float = 0.5) -> Points:
    """Three waves along a circle in the plane, a share of the points on one half.

    Examples
    --------
    >>> some = circle(100, np.random.default_rng(0), share=1.0)
    >>> bool((some.X[:, 1] >= 0).all()), some.y.shape
    (True, (100, 1))
    """
    law = Circle(Power(2), share, clear=1.0)
    t, _ = law.draw(size, rng)
    X = np.column_stack([np.cos(2 * np.pi * t), np.sin(2 * np.pi * t)])
    return Points(X, _noisy(law.mean(t), rng))


def rare(size: int, rng, per: int = 4) -> Points:
    """A cloud of points, and eight groups of a few points far from it.

    Parameters
    ----------
    size : int
    rng : numpy.random.Generator
    per : int
        Points of the groups among each hundred points.

    Examples
    --------
    >>> some = rare(800, np.random.default_rng(0))
    >>> int((np.linalg.norm(some.X, axis=1) > 4.5).sum())
    32
    """
    count = round(per * size / 100)
    which = np.arange(count) % 8
    angle = 2 * np.pi * which / 8
    centres = 6 * np.column_stack([np.cos(angle), np.sin(angle)])
    X = np.concatenate(
        [
            rng.standard_normal((size - count, 2)),
            centres + 0.3 * rng.standard_normal((count, 2)),
        ]
    )
    cloud = np.sin(X[: size - count, 0])
    values = np.concatenate([cloud, np.where(which % 2, 2.0, -2.0)])
    mixed = rng.permutation(size)
    return Points(X[mixed], _noisy(values, rng)[mixed])


def arm(size: int, rng) -> Points:
    """How far is the hand of a robot arm from a point?"""
    return some_of(lambda rng: datasets.robot_arm(size, rng), size, rng)


def roll(size: int, rng) -> Points:
    """How far along a Swiss roll, with noise?"""
    return some_of(lambda rng: datasets.swiss_roll(size, rng, noise=0.5), size, rng)


def which_digit(size: int, rng) -> Points:
    """Which digit is it?  A column for each."""
    return some_of(lambda rng: datasets.digits(), size, rng, of_classes=True)


def which_cell(size: int, rng) -> Points:
    """Is a cell sample benign?"""
    return some_of(lambda rng: datasets.breast_cancer(), size, rng)


def _noisy(values, rng):
    return (values + 0.1 * rng.standard_normal(len(values)))[:, None]


def _some(data, which, size, rng):
    chosen = rng.permutation(len(data.X))[:size]
    return Points(data.X[chosen], np.where(which(data.y[chosen]), 1, -1))


def _with_flips(y, flipped, rng):
    return np.where(rng.random(len(y)) < flipped, -y, y)
