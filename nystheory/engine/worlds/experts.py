"""Several experts on one instance: its landmarks in runs, one for each weight."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from nystheory import ensemble, lowrank
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.matrices import EPS
from nystheory.engine.worlds.worlds import Given
from nystheory.kernels import DenseKernel

MOST = 3


class Experts(Instance):
    """The columns of one matrix, dealt to several experts that are mixed."""

    weights = Given(r"\mu_r", "mixture weights, one for each expert", axes=("p",))

    @classmethod
    def drawn(cls, instance, rng):
        """Up to three experts: one alone counts, or anything between."""
        count = int(rng.integers(1, min(instance.l, MOST) + 1))
        alone = rng.random() < 0.2
        weights = np.eye(count)[0] if alone else in_64ths(rng, count)
        return instance.but(weights=weights)


@Experts.quantity("p", "number of experts", unit=None)
def p(i):
    return len(weights_of(i))


def weights_of(i) -> np.ndarray:
    """The weights that an instance brings along."""
    return np.asarray(i.weights, dtype=float)


def parts(i) -> list[np.ndarray]:
    """The landmarks of each expert: the first runs are longer by one at most.

    >>> case = Experts(np.eye(5), [0, 1, 2, 3, 4], 1, weights=[0.5, 0.5])
    >>> [part.tolist() for part in parts(case)]
    [[0, 1, 2], [3, 4]]
    """
    return np.array_split(i.landmarks, len(weights_of(i)))


@lru_cache(maxsize=64)
def by_package(i) -> tuple[lowrank.LowRank, ...]:
    """The experts, each of rank k or of as many columns as it has."""
    K = DenseKernel(i.K)
    return tuple(lowrank.nystrom(K, part, min(i.k, len(part))) for part in parts(i))


@lru_cache(maxsize=64)
def projections(i) -> np.ndarray:
    """The experts as projections ``X.T P_r X``, (p, n, n): nothing is inverted."""
    made = []
    for part in parts(i):
        X_S = i.points[:, part]
        U, s, _ = np.linalg.svd(X_S, full_matrices=False)
        keep = s[: i.k] > max(X_S.shape) * EPS * s.max(initial=0.0)
        F = i.points.T @ U[:, : i.k][:, keep]
        made.append(F @ F.T)
    return np.array(made)


@lru_cache(maxsize=64)
def condition(i) -> float:
    """Amplification of rounding in the least certain expert."""
    some = [part for part in parts(i) if len(part)]
    alone = (i.but(landmarks=part, rank=min(i.k, len(part))) for part in some)
    return max(each.condition for each in alone)


def mix(weights, matrices) -> np.ndarray:
    """``sum_r mu_r M_r``."""
    return np.tensordot(weights, matrices, 1)


@Experts.quantity(
    r"\tilde K^{ens}",
    "mixture of the experts, by the package",
    SAMPLE,
    condition=condition,
)
def mixture(i):
    made = ensemble.Ensemble(by_package(i), weights_of(i))
    return made.spectral_reconstruction()


def in_64ths(rng, count) -> np.ndarray:
    """A point of the simplex of fractions with denominator 64, exact in float64."""
    return rng.multinomial(64, rng.dirichlet(np.ones(count))) / 64
