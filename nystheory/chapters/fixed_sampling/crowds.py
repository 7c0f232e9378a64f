"""One crowd and nine groups, a matrix on which leverage wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg

from nystheory import kernels, lowrank, sampling
from nystheory.chapters.fixed_sampling.fixed_schemes import Accuracy
from nystheory.engine.findings.experiments import one_thread

CUTS = ("core", "weighted core", "approximation")


@dataclass(frozen=True, eq=False)
class Crowd:
    """Points in the plane, most of them in one place.

    Attributes
    ----------
    X : ndarray (n, 2)
    group : ndarray (n,)
        0 for the crowd.
    """

    X: np.ndarray
    group: np.ndarray

    def seen(self, S) -> int:
        """How many of the groups a sample has a point of.

        Examples
        --------
        >>> crowd_and_groups().seen([0, 1, 999])
        2
        """
        return len(set(self.group[np.asarray(S)].tolist()))


def crowd_and_groups(
    crowd: int = 910, groups: int = 9, size: int = 10, seed: int = 0
) -> Crowd:
    """One large Gaussian cluster in the middle of a circle of small ones.

    Parameters
    ----------
    crowd : int
        Points in the middle.
    groups, size : int
        Clusters on a circle of radius 4, and points in each.
    seed : int

    Returns
    -------
    Crowd
        Standard deviation 0.25 in every cluster.

    Examples
    --------
    >>> crowd_and_groups().X.shape
    (1000, 2)
    """
    group = np.repeat(np.arange(groups + 1), [crowd, *[size] * groups])
    angle = 2 * np.pi * np.arange(groups) / groups
    ring = 4 * np.column_stack([np.cos(angle), np.sin(angle)])
    noise = np.random.default_rng(seed).standard_normal((len(group), 2))
    return Crowd(np.vstack([[0, 0], ring])[group] + 0.25 * noise, group)


def crowd_kernel(crowd: Crowd) -> kernels.DenseKernel:
    """The RBF kernel matrix of the crowd, gamma = 1/2, stored.

    Examples
    --------
    >>> crowd_kernel(crowd_and_groups(4, 2, 1)).n
    6
    """
    return kernels.DenseKernel(kernels.rbf(crowd.X, 0.5).dense())


def laws(K, rank: int, n_landmarks: int) -> dict[str, np.ndarray]:
    """Distributions on the columns, from the cheapest to the most expensive.

    Parameters
    ----------
    K : KernelMatrix (n, n)
    rank : int
        Of the leverage scores.
    n_landmarks : int
        The ridge is the one of effective dimension ``n_landmarks / 2``.

    Returns
    -------
    dict of str to ndarray (n,)

    Examples
    --------
    >>> found = laws(kernels.DenseKernel(np.diag([3.0, 1.0])), 1, 1)
    >>> found["leverage"].tolist()
    [1.0, 0.0]
    """
    rng = np.random.default_rng(0)
    ridge = sampling.ridge_leverage(K, n_landmarks, rng, replace=True)
    return {
        "uniform": np.full(K.n, 1 / K.n),
        "column norm": sampling.column_norm(K, 1, rng).probabilities,
        "leverage": sampling.leverage(K, 1, rng, rank=rank).probabilities,
        "ridge leverage": ridge.probabilities,
    }


@one_thread
def cuts(
    K, rank: int, counts: Sequence[int], p: np.ndarray, draws: int, seed: int = 0
) -> dict[str, np.ndarray]:
    """Relative accuracy when the rank is cut in the core, or after.

    Parameters
    ----------
    K : KernelMatrix (n, n)
    rank : int
        The rank k.
    counts : sequence of int
        The numbers of landmarks l, drawn with replacement from p.
    p : ndarray (n,)
    draws : int
    seed : int

    Returns
    -------
    dict of str to ndarray (counts, draws)
        ``core``: the k leading directions of the sampled points; ``weighted core``:
        of the points times the root of their weights; ``approximation``: of
        ``C W^+ C^T``.

    Examples
    --------
    >>> K = kernels.DenseKernel(np.diag([2.0, 1.0]))
    >>> found = cuts(K, 1, [20], np.array([0.1, 0.9]), draws=1)
    >>> [round(float(a.item()), 2) for a in found.values()]
    [0.5, 1.0, 1.0]
    """
    rng, measure = np.random.default_rng(seed), Accuracy(K, rank)
    found = {name: np.empty((len(counts), draws)) for name in CUTS}
    for row, count in enumerate(counts):
        for draw in range(draws):
            S = rng.choice(K.n, count, p=p)
            factors = cut_factors(K, S, 1 / (count * p[S]), rank)
            for name, F in factors.items():
                found[name][row, draw] = measure.of(F)
    return found


def cut_factors(K, S, weights, rank: int) -> dict[str, np.ndarray]:
    """Factors F of three approximations ``F F^T`` of rank k from the same columns.

    Examples
    --------
    >>> K = kernels.DenseKernel(np.diag([2.0, 1.0]))
    >>> factors = cut_factors(K, [0, 1, 1, 1], np.array([2, 2/3, 2/3, 2/3]), 1)
    >>> {name: (F @ F.T).trace().round(12).item() for name, F in factors.items()}
    {'core': 1.0, 'weighted core': 2.0, 'approximation': 2.0}
    """
    F = lowrank.nystrom(K, S).factor
    L, root = F[S], np.sqrt(weights)[:, None]
    turns = {
        "core": scipy.linalg.svd(L, full_matrices=False)[2],
        "weighted core": scipy.linalg.svd(root * L, full_matrices=False)[2],
        "approximation": scipy.linalg.eigh(F.T @ F)[1][:, ::-1].T,
    }
    return {name: F @ turn[:rank].T for name, turn in turns.items()}


def against_long_columns(K, rank: int, draws: int = 20) -> float:
    """Accuracy of 60 columns drawn by ``1 / |K_{:i}|`` minus that of uniform ones.

    Means over samples with replacement, the rank cut after.

    Examples
    --------
    >>> against_long_columns(np.eye(80), 1, draws=2)
    0.0
    """
    K = kernels.as_kernel(K)
    lengths = np.linalg.norm(K.dense(), axis=0)
    both = 1 / lengths / (1 / lengths).sum(), np.full(K.n, 1 / K.n)
    friend, uniform = (cuts(K, rank, [60], p, draws)["approximation"] for p in both)
    return float(friend.mean() - uniform.mean())
