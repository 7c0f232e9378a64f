"""Which points every scheme picks, and two boxes as they are printed.

Figures 4.3 and 4.4 of A. Talwalkar, "Matrix Approximation for Large-scale Learning",
PhD thesis, New York University, 2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nystheory import kernels, lowrank, sampling
from nystheory.chapters.adaptive_sampling.schemes import ALL, DETERMINISTIC

# ---- points in the plane ----


PICTURED = (
    *("uniform", "adaptive_full", "adaptive_partial"),
    *("sgma", "incomplete_cholesky", "farthest_point"),
    *("kmeans", "k_dpp", "rp_cholesky"),
)


@dataclass(frozen=True, eq=False)
class Pick:
    """Where the landmarks of one scheme lie, and what they miss.

    Attributes
    ----------
    name : str
    places : ndarray (l, 2)
    missed : float
        The trace of the error as a share of the trace of K.
    """

    name: str
    places: np.ndarray
    missed: float


def picks(
    K: kernels.PointKernel, n_landmarks: int, seed: int, draws: int = 1
) -> list[Pick]:
    """The landmarks of the schemes in `PICTURED`.

    Parameters
    ----------
    K : PointKernel (n, n)
        Of points in the plane.
    n_landmarks : int
    seed : int
    draws : int
        The share that is missed is the mean of so many; shown is the first.

    Returns
    -------
    list of Pick

    Examples
    --------
    >>> from nystheory.engine.experiments import uneven_clusters
    >>> K = kernels.rbf(uneven_clusters((20, 5)), gamma=0.5)
    >>> [pick.name for pick in picks(K, 3, seed=0)][:2]
    ['Uniform', 'Adapt-Full']
    """
    found, trace = [], float(K.diagonal().sum())
    for scheme in PICTURED:
        errors, shown = [], None
        for draw in range(1 if scheme in DETERMINISTIC else draws):
            rng = np.random.default_rng([seed, draw])
            S = sampling.SCHEMES[scheme](K, n_landmarks, rng)
            errors.append(lowrank.nystrom(K, S).error(K, "trace") / trace)
            shown = S if shown is None else shown
        places = K.points[shown.indices] if shown.points is None else shown.points
        found.append(Pick(ALL[scheme], places, float(np.mean(errors))))
    return found


# ---- the two boxes, line by line as printed ----


def printed_full(K: np.ndarray, R: Sequence[int]) -> np.ndarray:
    """UPDATE-PROBABILITY-FULL as figure 4.3 prints it: divided by the Euclidean norm.

    Parameters
    ----------
    K : ndarray (n, n)
    R : sequence of int
        The columns so far.

    Returns
    -------
    ndarray (n,)
        What line 8 leaves: not a distribution in general.

    Examples
    --------
    >>> printed_full(np.eye(3), [0]).round(3).tolist()
    [0.0, 0.707, 0.707]
    """
    U = np.linalg.svd(K[:, R], full_matrices=False)[0]
    E = K - U @ (U.T @ K)
    P = (E**2).sum(axis=0)
    P[R] = 0
    return P / np.linalg.norm(P)


def printed_partial(K: np.ndarray, R: Sequence[int], rank: int) -> np.ndarray:
    """UPDATE-PROBABILITY-PARTIAL as figure 4.4 prints it.

    Parameters
    ----------
    K : ndarray (n, n)
    R : sequence of int
        The columns so far.
    rank : int
        The rank k'.

    Returns
    -------
    ndarray (n,)
        What line 10 leaves; not a number where all errors vanish.

    Examples
    --------
    >>> printed_partial(np.diag([3.0, 2.0, 1.0]), [0, 1], rank=1).tolist()
    [nan, nan, nan]
    """
    C = K[:, R]
    made = lowrank.nystrom(kernels.DenseKernel(K), R, rank).spectral_reconstruction()
    P = ((C - made[:, R]) ** 2).sum(axis=1)
    P[R] = 0
    with np.errstate(invalid="ignore"):
        return P / np.linalg.norm(P)


def cut_at_one(P: np.ndarray) -> np.ndarray:
    """What a sampler draws that trusts P: the first index where a running sum passes.

    Parameters
    ----------
    P : ndarray (n,)
        Not negative, of sum 1 or more.

    Returns
    -------
    ndarray (n,)
        The true probabilities of ``searchsorted(cumsum(P), uniform)``.

    Examples
    --------
    >>> cut_at_one(np.array([0.0, 0.75, 0.75])).tolist()
    [0.0, 0.75, 0.25]
    """
    return np.diff(np.minimum(np.cumsum(P), 1), prepend=0)
