"""Two boxes, line by line as they are printed.

Figures 4.3 and 4.4 of A. Talwalkar, "Matrix Approximation for Large-scale Learning",
PhD thesis, New York University, 2010.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory import kernels, lowrank


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
