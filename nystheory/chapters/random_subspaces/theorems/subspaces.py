"""The columns of one matrix as a subspace: the world of three theorems of the chapter.

The ridge is in the units of the covariance of the points; n times it is a ridge in the
units of K.
"""

from __future__ import annotations

import numpy as np

from nystheory.engine import Instance, Where
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.between import with_ridge


class Subspace(Instance):
    """The columns of one matrix, the span of the sampled points, and a ridge."""

    @classmethod
    def drawn(cls, instance, rng):
        """A ridge of any size beside the covariance."""
        found = with_ridge(instance, rng)
        return found.but(alpha=found.alpha / found.n)


@Subspace.quantity("N", "number of coordinates of the points", unit=None)
def dimension(i):
    return len(i.points)


@Subspace.quantity("X_S", "sampled points as columns", SAMPLE, unit=0.5)
def points_S(i):
    return i.points[:, i.landmarks]


@Subspace.quantity(r"\hat\sigma_j", "eigenvalues of the covariance of the points")
def sigma(i):
    X = i.points
    return np.maximum(np.linalg.eigvalsh(X @ X.T / i.n), 0.0)


COVARIANCE = Where(r"\hat\Sigma", "X @ X.T / n")
RIDGED = Where(r"\hat\Sigma_\alpha", "Sigma + alpha * identity(dimension)")
PROJECTOR = Where("P", "points_S @ pinv(points_S)")
REST = Where("(I - P)", "identity(dimension) - P", False)
# The square of a norm is that of the matrix times its transpose.
MISSED = Where(
    r"\bigl\|\hat\Sigma_\alpha^{1/2} (I - P)\bigr\|^2",
    "norm_2(Q @ Sigma_alpha @ Q)",
)
