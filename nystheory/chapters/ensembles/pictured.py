"""Two experts that can be pictured: what they, and their mean, miss of a diagonal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nystheory import ensemble, kernels, lowrank


@dataclass(frozen=True, eq=False)
class Diagonals:
    """What approximations miss of the diagonal of one kernel matrix.

    Attributes
    ----------
    place : ndarray (n,)
        Where the points lie.
    landmarks : list of ndarray
        The landmarks of each expert.
    missing : dict of str to ndarray (n,)
        ``K_ii - K~_ii``, by name of the approximation.
    """

    place: np.ndarray
    landmarks: list[np.ndarray]
    missing: dict[str, np.ndarray]


def two_experts(n: int = 200) -> Diagonals:
    """Two experts of three landmarks each, their mean, and one with all six.

    Parameters
    ----------
    n : int
        Points, evenly spaced from 0 to 1, with a Gaussian kernel.

    Returns
    -------
    Diagonals

    Examples
    --------
    >>> seen = two_experts()
    >>> mean, both = seen.missing["their mean"], seen.missing["one with all six"]
    >>> bool((both <= mean + 1e-12).all())
    True
    """
    place = np.linspace(0, 1, n)
    K = kernels.DenseKernel(kernels.rbf(place[:, None], gamma=40.0).dense())
    shares = ((0.06, 0.28, 0.80), (0.18, 0.52, 0.92))
    landmarks = [np.round(np.array(s) * (n - 1)).astype(int) for s in shares]
    experts = ensemble.experts(K, landmarks)
    mean = ensemble.combine(K, experts, np.random.default_rng(0))
    joined = lowrank.nystrom(K, np.concatenate(landmarks))
    diagonals = {
        "first expert": (experts[0].factor ** 2).sum(axis=1),
        "second expert": (experts[1].factor ** 2).sum(axis=1),
        "their mean": np.einsum("ij,ij->i", *mean.factor_pair),
        "one with all six": (joined.factor**2).sum(axis=1),
    }
    return Diagonals(place, landmarks, {m: 1 - d for m, d in diagonals.items()})
