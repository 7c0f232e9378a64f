"""A preconditioner, and what is exact of risks and chances on clusters."""

from __future__ import annotations

import math

import numpy as np
from scipy.sparse.linalg import LinearOperator

# ---- preconditioners ----


def divided_out(approximation, ridge: float) -> LinearOperator:
    """What applies the inverse of the preconditioner made of an approximation.

    Parameters
    ----------
    approximation : LowRank
        Below K, of rank l.
    ridge : float

    Returns
    -------
    LinearOperator (n, n)
        One decomposition of the factor, ``O(n l^2)``; then ``4 n l`` operations for
        each vector.

    Examples
    --------
    >>> from nystheory import lowrank
    >>> near = lowrank.nystrom(np.diag([7.0, 1.0]), [0, 1])
    >>> divided_out(near, 1.0) @ np.ones(2)
    array([0.25, 1.  ])
    """
    U, s, _ = np.linalg.svd(approximation.factor, full_matrices=False)
    share = (s[-1] ** 2 + ridge) / (s**2 + ridge) - 1
    n = len(U)

    def apply(x):
        return x + (U * share) @ (U.T @ x)

    return LinearOperator((n, n), apply, matmat=apply, dtype=float)


# ---- risks on clusters ----


def mean_factor(clusters: int, size: int, ratio: float, columns: int) -> float:
    """The mean risk with uniform columns over the risk with K, on equal clusters.

    The points of a cluster are equal and those of two clusters orthogonal; the signal
    is one cluster, without noise.  Its risk grows by ``(1 + ratio)**2`` if no column of
    that cluster is drawn, and not at all otherwise.

    Parameters
    ----------
    clusters, size : int
    ratio : float
        Spectral norm of K over the ridge.
    columns : int
        Drawn uniformly, without replacement.

    Examples
    --------
    >>> mean_factor(2, 2, 1.0, 1)
    2.5
    """
    n = clusters * size
    missed = math.comb(n - size, columns) / math.comb(n, columns)
    return 1 + missed * ((1 + ratio) ** 2 - 1)


def columns_for_factor(clusters: int, size: int, ratio: float, factor: float) -> int:
    """Fewest uniform columns for which `mean_factor` is at most `factor`.

    Examples
    --------
    >>> columns_for_factor(2, 2, 1.0, 2.5)
    1
    """
    for columns in range(1, clusters * size):
        if mean_factor(clusters, size, ratio, columns) <= factor:
            return columns
    return clusters * size


def chance_over_bound(clusters: int, size: int, columns: int, accuracy: float) -> float:
    """The chance of a large error over the bound of `modern:bach`, on equal clusters.

    Their eigenvalues are a thousandth above the accuracy times the ridge, so that a
    sample errs by more than that if it misses a cluster.  The theorem is for an
    accuracy of at most 1; here it may be larger.

    Examples
    --------
    >>> chance_over_bound(2, 2, 2, 1.0) < 1
    True
    """
    n = clusters * size
    missed = sum(
        (-1) ** (j + 1) * math.comb(clusters, j) * math.comb(n - j * size, columns)
        for j in range(1, clusters + 1)
    )
    ratio = 1.001 * accuracy
    largest_score = clusters * ratio / (1 + ratio)
    bound = n * math.exp(-columns / (8 * (largest_score / accuracy + 1 / 6)))
    return missed / math.comb(n, columns) / bound
