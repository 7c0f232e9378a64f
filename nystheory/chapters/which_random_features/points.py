"""The points of the experiments, with what is to be predicted of them, (n, q)."""

from __future__ import annotations

from nystheory import datasets
from nystheory.engine.findings.held_out import some_of


def digits(size, rng):
    """Which digit is it?"""
    return some_of(lambda rng: datasets.digits(), size, rng, of_classes=True)


def cells(size, rng):
    """Is a cell sample benign?"""
    return some_of(lambda rng: datasets.breast_cancer(), size, rng)


def patients(size, rng):
    """The progress of diabetes in a year."""
    return some_of(lambda rng: datasets.diabetes(), size, rng)


def patches(size, rng):
    """Which photograph is a patch from?"""
    return some_of(lambda rng: datasets.patches(20_000), size, rng)


def arm(size, rng):
    """How far is the hand from a point?"""
    return some_of(lambda rng: datasets.robot_arm(size, rng), size, rng)


def balls(size, rng, n_redundant=100):
    """Which of two discs is a point in?"""
    return some_of(lambda rng: datasets.two_balls(size, rng, n_redundant), size, rng)


def clusters(size, rng):
    """Which of eight clusters is a point from?"""
    made = datasets.gaussian_clusters
    return some_of(lambda rng: made(size, rng, 8), size, rng, of_classes=True)


def roll(size, rng):
    """How far along a Swiss roll, with noise?"""
    return some_of(lambda rng: datasets.swiss_roll(size, rng, noise=0.5), size, rng)
