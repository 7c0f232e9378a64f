"""Good arguments: a kernel matrix, and all that is made of it."""

from functools import cached_property

import numpy as np

from nystheory import ensemble, kernels, lowrank, sampling

N = 12


class World:
    """A kernel matrix and what belongs to it: all good arguments are made of it.

    `unit` scales with K, and so do the ridges.
    """

    def __init__(self, K, kernel=None, unit=1.0):
        self.K, self.n, self.unit = K, len(K), unit
        self._kernel = kernel

    S, T, V = [0, 3, 5, 8], [1, 2, 9, 11], [4, 6, 7, 10]

    @cached_property
    def kernel(self):
        if self._kernel is not None:
            return self._kernel
        return kernels.linear(np.linalg.cholesky(np.asarray(self.K, float)))

    @cached_property
    def X(self):
        return self.kernel.points

    @cached_property
    def near(self):
        return lowrank.nystrom(self.K, self.S)

    @cached_property
    def truncated(self):
        return lowrank.nystrom(self.K, self.S, 2)

    @cached_property
    def made(self):
        return [self.near, lowrank.nystrom(self.K, self.T)]

    @cached_property
    def mixture(self):
        return ensemble.Ensemble(self.made, [0.25, 0.75])

    @cached_property
    def drawn(self):
        return sampling.incomplete_cholesky(self.K, 4)

    @cached_property
    def seen(self):
        return ensemble.validate(self.K, self.made, self.V[:2])

    @cached_property
    def held_out(self):
        return ensemble.validate(self.K, self.made, self.V[2:])

    @cached_property
    def regression(self):
        return ensemble.normal_equations(self.K, self.made, self.V)

    @cached_property
    def columns(self):
        return np.asarray(self.K)[:, self.S]

    @cached_property
    def core(self):
        return np.asarray(self.K)[np.ix_(self.S, self.S)]

    @cached_property
    def below(self):
        """On a kernel of points, where new points can be asked for."""
        return lowrank.nystrom(self.kernel, self.S)

    @property
    def rng(self):
        return np.random.default_rng(3)
