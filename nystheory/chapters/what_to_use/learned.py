"""What ridge regression learns from features of columns, and from random waves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nystheory.engine.findings.held_out import RIDGES, Points, in_fifths, missed
from nystheory.features import NystromFeatures, RandomFourierFeatures
from nystheory.learners import FeatureRidge

LANDMARKS = 100


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


def known_of(points: Points, rng: np.random.Generator) -> tuple[Known, Points]:
    """What is known of points, and a fifth of them to judge by.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> known, judged = known_of(Points(np.eye(10), np.ones((10, 1))), rng)
    >>> known.learn.X.shape, known.aside.X.shape, judged.X.shape
    ((6, 10), (2, 10), (2, 10))
    """
    learn, aside, judged = in_fifths(points, rng)
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
    >>> from nystheory.engine.findings.held_out import some_of
    >>> rng = np.random.default_rng(0)
    >>> arm = some_of(lambda rng: datasets.robot_arm(400, rng), 400, rng)
    >>> known, judged = known_of(arm, rng)
    >>> 20 < min(unlearned(of_waves, known, judged).values()) < 80
    True
    """
    features, learn = make(known.seed), known.learn
    F = features.fit_transform(learn.X)
    weights = FeatureRidge().fit(F, learn.y).path(RIDGES * len(F))
    G = features.transform(judged.X)
    found = [missed(G @ w, judged.y) for w in weights]
    return dict(zip(RIDGES.tolist(), found, strict=True))


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
