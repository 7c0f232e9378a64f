"""The points of the experiments, with labels."""

from __future__ import annotations

import numpy as np

from nystheory import datasets
from nystheory.chapters.stability_of_learners.experiments import without_far


def labelled(make, size, rng, gamma):
    """Random points of a data set, with the width of their kernel."""
    data = make(rng)
    some = rng.permutation(len(data.X))[:size]
    chosen = datasets.Dataset(data.name, data.X[some], data.y[some], "", "")
    return chosen, gamma


def patients(rng):
    """The diabetes patients."""
    return datasets.diabetes()


def arm(rng):
    """Positions of a robot arm."""
    return datasets.robot_arm(1000, rng)


def cells(rng):
    """Cell samples."""
    return datasets.breast_cancer()


def roll(rng):
    """A Swiss roll, and the angle along which it is rolled."""
    return datasets.swiss_roll(1000, rng)


def odd(rng):
    """Is a digit odd?"""
    digits = datasets.digits()
    y = (digits.y % 2).astype(float)
    return datasets.Dataset("odd digits", digits.X, y, "", "")


def waves(rng, size=1500):
    """Waves in the plane that change sign many times: many eigenvalues matter."""
    X = rng.uniform(-1, 1, (size, 2))
    y = np.sin(20 * X[:, 0] + 5 * X[:, 1]) + np.cos(25 * X[:, 1])
    y += 0.1 * rng.standard_normal(len(X))
    return datasets.Dataset("waves", X, y, "", "")


def two(first, second, size, rng):
    """Pictures of two digits."""
    digits = datasets.digits()
    some = np.flatnonzero((digits.y == first) | (digits.y == second))[:size]
    y = (digits.y[some] == second).astype(int)
    return datasets.Dataset(f"{first}, {second}", digits.X[some], y, "", "")


def first_cells(size, rng, without=0):
    """The first cell samples, without those that are farthest from the rest."""
    cells = datasets.breast_cancer(size + without)
    return without_far(cells, 0.02, without)


def other_cells(size, rng):
    """The last cell samples."""
    cells = datasets.breast_cancer()
    return datasets.Dataset("cells", cells.X[-size:], cells.y[-size:], "", "")
