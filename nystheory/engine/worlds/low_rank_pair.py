"""Another matrix of rank at most k, which a statement compares with."""

from __future__ import annotations

from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.worlds import Given


class LowRankPair(Instance):
    """The columns of one matrix, and another matrix of rank at most k, factorised."""

    left = Given("L", "left factor of a competitor, n x k", axes=("n", "k"))
    right = Given("R", "right factor of a competitor, k x n", axes=("k", "n"))

    @classmethod
    def drawn(cls, instance, rng):
        """The best competitor, disturbed."""
        values, vectors = instance.eigen_K
        k, step = min(instance.k, instance.n), 10.0 ** rng.uniform(-6, 0.5)
        noise = rng.standard_normal((2, instance.n, k)) * step
        left = vectors[:, :k] * values[:k] + instance.norm_K * noise[0]
        return instance.but(left=left, right=(vectors[:, :k] + noise[1]).T)
