"""Experts on a small kernel, and their mixtures written out as dense matrices."""

import numpy as np

from nystheory import ensemble, kernels, lowrank

NORMS = {
    "spectral": lambda E: np.linalg.norm(E, 2),
    "frobenius": np.linalg.norm,
    "trace": lambda E: np.linalg.norm(E, "nuc"),
}


def an_instance(n=60, p=4, l=8, rank=5, seed=0):  # noqa: E741
    rng = np.random.default_rng(seed)
    K = kernels.rbf(rng.standard_normal((n, 3)))
    made = ensemble.experts(K, ensemble.samples(K, p, l, rng), rank)
    return K, K.dense(), made


def dense_of(made):
    return np.array([each.spectral_reconstruction() for each in made])


# One landmark of four points: what error messages are tried on.
EYE = np.eye(4)
ONE = lowrank.nystrom(EYE, [0])
SEEN = ensemble.validate(EYE, [ONE], [0])
