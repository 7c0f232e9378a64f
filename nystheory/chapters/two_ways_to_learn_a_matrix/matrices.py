"""Kernel matrices of which every draw is another one, and how many columns are seen."""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory import datasets, kernels


def of_points(size, rng, make, kernel=kernels.linear, columns=100):
    """The kernel matrix of some points of a data set, and how many columns are seen."""
    X = make().X
    return kernel(X[rng.permutation(len(X))[:size]]), columns


def of_drawn(size, rng, make, kernel=kernels.rbf, columns=100):
    """The kernel matrix of points that are generated, and how many columns are seen."""
    return kernel(make(size, rng)), columns


def normal(size, rng):
    """Normal points in ten dimensions."""
    return rng.standard_normal((size, 10))


def roll(size, rng):
    """Points of a Swiss roll, without noise."""
    return datasets.swiss_roll(size, rng).X


def words(size, rng):
    """Documents over five thousand terms."""
    return datasets.documents(size, 5000, rng).X


def smooth(size, rng, make, gamma, columns, twice=False):
    """The matrix of a smooth kernel, and landmarks, the first of them perhaps twice."""
    K = kernels.rbf(make(size, rng), gamma=gamma).dense()
    S = rng.permutation(size)[:columns]
    return K, np.r_[S, S[0]] if twice else S


def line(size, rng):
    """Points of an interval."""
    return rng.random((size, 1))


def plane(size, rng):
    """Points of a square."""
    return rng.random((size, 2))


def circle(size, rng):
    """Points of a circle."""
    angles = 2 * np.pi * rng.random(size)
    return np.column_stack([np.cos(angles), np.sin(angles)])


linear_digits = partial(of_points, make=datasets.digits)
digits = partial(linear_digits, kernel=kernels.rbf)
patches = partial(of_points, make=partial(datasets.patches, 4000, 16))
cells = partial(of_points, make=datasets.breast_cancer, kernel=kernels.rbf)
points = partial(of_drawn, make=normal, kernel=partial(kernels.rbf, gamma=0.1))
documents = partial(of_drawn, make=words, kernel=kernels.linear)
swiss_roll = partial(of_drawn, make=roll)
on_a_line = partial(smooth, make=line, gamma=20.0, columns=40)
in_a_square = partial(smooth, make=plane, gamma=1.0, columns=80)
on_a_circle = partial(smooth, make=circle, gamma=2.0, columns=80)
