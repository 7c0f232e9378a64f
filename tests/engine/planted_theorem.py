"""A true theorem, and how an observer of it is made blind, for plants.

The error of the approximation is bounded by the best error and twice the distance of
the covariances.
"""

from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from nystheory.engine import Control, Instance, Theorem
from nystheory.engine.trial import verification
from nystheory.engine.worlds.quantities import QUANTITIES


def flipped(t=20, longer="1.0001"):
    """t + 1 equal points and a lone one, a landmark in each."""
    rows = [[1] * (t + 1) + [0], [0] * (t + 1) + [longer]]
    return Instance.exactly([0, t + 1], 1, points=rows, name="flip")


def base():
    return Theorem(
        id="planted:base",
        title="Error by the sampled covariance",
        number="(5.3)",
        kind="inequality",
        status="planted",
        setting="Let $K = X^\\top X$.",
        hypotheses={"rank": "1 <= k <= l"},
        claims={"spectral": "error_2 <= tail_2 + 2 * distance_2"},
        controls={"1.8 for 2": Control("spectral", flipped(), {"2 *": "1.8 *"})},
    )


BASE = base()
QUICK = "quick"


def outcome(theorem):
    return verification.verify(theorem, np.random.default_rng(1), QUICK).outcome


@contextmanager
def exchanged():
    """What exchanges the fast route of a quantity for the time of a test."""
    honest = dict(QUANTITIES)

    def exchange(name, **fields):
        QUANTITIES[name] = replace(honest[name], **fields)

    try:
        yield exchange
    finally:
        for name, quantity in honest.items():
            QUANTITIES[name] = quantity
        for name in set(QUANTITIES) - set(honest):
            del QUANTITIES[name]
