"""Any matrix between 0 and K, which several theorems call K~; instances they share.

An instance brings it along, or weights G, or a test matrix that it comes from; else it
is the Nyström approximation from its landmarks.  With weights it is ``X.T M X`` for
``M = G (I + G.T G)^-1 G.T``, which has the rank of G and eigenvalues below 1: every
matrix between 0 and K is one of these, or a limit of them.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.quantities import QUANTITIES
from nystheory.engine.worlds.sketched import of_seen, seen
from nystheory.engine.worlds.worlds import Given

SEMIDEFINITE = "a positive semidefinite $K$"


class Between(Instance):
    """The columns of one matrix, and a matrix between 0 and K."""

    # The matrix itself, or what it is made of.
    between = Given(axes=("n", "n"))
    weights = Given(axes=("N", "c"))
    omega = Given(axes=("n", "l"), drawn=True)


def _of_its_source(i):
    """How the way in which K~ is made amplifies rounding."""
    if i.brings("between") or i.brings("weights"):
        return 1.0
    if i.brings("omega"):
        return of_seen(i, i.omega)
    return QUANTITIES["norm_E"].condition(_distinct(i))


def _distinct(i):
    """The same landmarks once each: repeated ones change nothing but the time."""
    S = np.unique(i.landmarks)
    return i if len(S) == i.l else i.but(landmarks=S, rank=len(S))


def of_ridge(i):
    """As `_of_its_source` where K~ is inverted, with a ridge."""
    ridge = float(i.alpha)
    return _of_its_source(i) * (1 + i.norm_K / ridge) if ridge > 0 else np.inf


@Between.quantity(
    r"\tilde K", "a matrix between 0 and K", SAMPLE, condition=_of_its_source
)
def between(i):
    if i.brings("between"):
        return i.between
    if i.brings("weights"):
        U, s, _ = scipy.linalg.svd(i.weights, full_matrices=False)
        kept = (s / np.sqrt(1 + s**2))[:, None] * (U.T @ i.points)
    elif i.brings("omega"):
        kept = seen(i, i.omega)[0].T @ i.points
    else:
        return _distinct(i).full.approximation
    return kept.T @ kept


@Between.quantity(
    r"\|E\|_2", "what the matrix below K misses", SAMPLE, condition=_of_its_source
)
def gap_2(i):
    return np.linalg.norm(i.K - between(i), 2)


def with_ridge(i, rng):
    """A ridge of any size beside K, a power of two."""
    return i.but(alpha=2.0 ** (np.round(np.log2(i.norm_K or 1)) + rng.integers(-7, 8)))


class Ridged(Instance):
    """The columns of one matrix, and a ridge."""

    @classmethod
    def drawn(cls, instance, rng):
        """A ridge of any size beside K."""
        return with_ridge(instance, rng)


def with_weights(i, rng, columns):
    """Half of the time weights of so many columns, near the best directions or any."""
    if rng.random() < 0.4:
        return i
    G = rng.integers(-9, 10, (len(i.points), columns)) * 2.0 ** rng.integers(-6, 4)
    if rng.random() < 0.5:
        # Near the best directions, where bounds are sharp.
        best = scipy.linalg.svd(i.points, full_matrices=False)[0][:, :columns]
        G[:, : best.shape[1]] = np.round(640 * best + G[:, : best.shape[1]]) / 64
    return i.but(weights=G)
