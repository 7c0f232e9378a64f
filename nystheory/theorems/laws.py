"""How landmarks are drawn: to sample from, and to enumerate on small matrices."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import comb

from nystheory.theorems.base import Law

# All samples are tried where there are at most so many: every C(14, l) is below.
ENUMERABLE = 4000


def without_replacement(
    delta: Callable | None = None, support: Callable | None = None
) -> Law:
    """Uniform samples of l different columns, every C(n, l) of them on small n.

    Parameters
    ----------
    delta : callable (instance) -> float, optional
        The probability of failure that the claim allows.
    support : callable (instance) -> (float, float), optional
        Sure limits of the observed value, for claims about a mean.

    Returns
    -------
    Law

    Examples
    --------
    >>> import numpy as np
    >>> from nystheory.theorems import Instance
    >>> case = Instance(np.eye(3), [0, 1], 1)
    >>> outcomes = without_replacement().outcomes(case)
    >>> [(round(p, 3), o.landmarks.tolist()) for p, o in outcomes]
    [(0.333, [0, 1]), (0.333, [0, 2]), (0.333, [1, 2])]
    """

    def draw(instance, rng):
        chosen = rng.choice(instance.n, instance.l, replace=False)
        return instance.but(landmarks=chosen)

    def outcomes(instance):
        count = comb(instance.n, instance.l)
        if count > ENUMERABLE:
            return None
        samples = combinations(range(instance.n), instance.l)
        return [(1 / count, instance.but(landmarks=list(s))) for s in samples]

    return Law(draw, outcomes, delta, support)
