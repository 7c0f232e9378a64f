"""Leverage: how much of the leading directions of K hangs on one point."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq

from nystheory import _checks
from nystheory.kernels import KernelMatrix, as_kernel
from nystheory.sampling._costs import eigenpairs, kept_eigenpairs
from nystheory.sampling._fixed import draw
from nystheory.sampling._landmarks import Landmarks, Run


def leverage(
    K: KernelMatrix | np.ndarray,
    n_landmarks: int,
    rng: np.random.Generator,
    *,
    rank: int | None = None,
    replace: bool = False,
) -> Landmarks:
    """Columns drawn in proportion to their leverage scores of rank k.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number l of columns.
    rng : numpy.random.Generator
    rank : int, optional
        The rank k; l, or n where that is less, by default.
    replace : bool
        Draw independently; then the landmarks carry weights.

    Returns
    -------
    Landmarks
        Asks for all n^2 entries, the first time of one kernel matrix.

    Raises
    ------
    ValueError, TypeError
        If ``n_landmarks`` or `rank` is out of range, or K is zero.

    Warns
    -----
    Costly
        If it is about to take over a minute, or half of the memory.
    FewerLandmarks
        If, without replacement, fewer than l columns have a positive score.

    Notes
    -----
    The scheme of [1]_.  Costs O(n^3) operations (eigenvectors) and n^2 words: it is
    what cheaper schemes are measured by.

    References
    ----------
    .. [1] A. Gittens and M. W. Mahoney, "Revisiting the Nyström method for improved
       large-scale machine learning", Journal of Machine Learning Research 17, 2016.

    Examples
    --------
    >>> K = np.diag([3.0, 2.0, 1.0])
    >>> leverage(K, 2, np.random.default_rng(0), rank=2).probabilities
    array([0.5, 0.5, 0. ])
    """
    run = Run("leverage", K, n_landmarks, _checks.generator(rng), replace=replace)
    k = min(run.l, run.n) if rank is None else rank
    k = _checks.integer(k, "rank", high=run.n, why="the number of points")
    _, vectors = kept_eigenpairs(run, k)
    return draw(run, np.einsum("ij,ij->i", vectors, vectors), replace)


def ridge_leverage(
    K: KernelMatrix | np.ndarray,
    n_landmarks: int,
    rng: np.random.Generator,
    *,
    alpha: float | None = None,
    replace: bool = False,
) -> Landmarks:
    """Columns drawn in proportion to their exact ridge leverage scores.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number l of columns.
    rng : numpy.random.Generator
    alpha : float, optional
        The ridge, in units of K; by default the one for which the effective
        dimension is l/2 (half the rank of K, where that is less).
    replace : bool
        Draw independently; then the landmarks carry weights.

    Returns
    -------
    Landmarks
        Asks for all n^2 entries, the first time of one kernel matrix.

    Raises
    ------
    ValueError, TypeError
        If ``n_landmarks`` or `alpha` is out of range, or K is zero.

    Warns
    -----
    Costly
        If it is about to take over a minute, or half of the memory.
    FewerLandmarks
        If, without replacement, fewer than l columns have a positive score.

    Notes
    -----
    The scores of [1]_ and [2]_.  Costs O(n^3) operations and n^2 words;
    `recursive_rls` and `bless` approximate the scores from few columns.

    References
    ----------
    .. [1] A. Alaoui and M. W. Mahoney, "Fast randomized kernel ridge regression with
       statistical guarantees", Advances in Neural Information Processing Systems 28,
       2015.
    .. [2] C. Musco and C. Musco, "Recursive sampling for the Nyström method", Advances
       in Neural Information Processing Systems 30, 2017.

    Examples
    --------
    >>> K = np.diag([9.0, 1.0])
    >>> ridge_leverage(K, 1, np.random.default_rng(0), alpha=1).probabilities.round(3)
    array([0.643, 0.357])
    """
    run = Run("ridge_leverage", K, n_landmarks, _checks.generator(rng), replace=replace)
    values, vectors = kept_eigenpairs(run)
    if alpha is None:
        alpha = ridge_for(values, min(run.l, len(values)) / 2)
    alpha = _checks.positive(alpha, "alpha")
    return draw(run, _ridge_scores(values, vectors, alpha), replace)


def leverage_scores(K: KernelMatrix | np.ndarray, rank: int) -> np.ndarray:
    """Squared row lengths of the k leading eigenvectors of K.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    rank : int
        The rank k, from 1 to n.

    Returns
    -------
    ndarray (n,)
        From 0 to 1, of sum k (of sum rank K, where that is less).

    Raises
    ------
    ValueError, TypeError
        If `rank` is not an integer from 1 to n.

    Notes
    -----
    Unique where eigenvalue k is above eigenvalue k + 1.  They are the scores of
    ``theorems["modern:leverage"]``.  Costs O(n^3) operations and n^2 words.

    Examples
    --------
    >>> leverage_scores(np.diag([3.0, 2.0, 1.0]), 2).round(12)
    array([1., 1., 0.])
    """
    return _leverage(as_kernel(K).dense().astype(np.float64, copy=False), rank)


def ridge_leverage_scores(K: KernelMatrix | np.ndarray, alpha: float) -> np.ndarray:
    """The diagonal of ``K (K + alpha I)^-1``.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    alpha : float
        The ridge, above 0.

    Returns
    -------
    ndarray (n,)
        From 0 to 1; the sum is the effective dimension.

    Raises
    ------
    ValueError, TypeError
        If `alpha` is not above 0.

    Notes
    -----
    The scores of ``theorems["modern:ridge-leverage"]``.  Costs O(n^3) operations and
    n^2 words.

    Examples
    --------
    >>> ridge_leverage_scores(np.diag([3.0, 1.0]), 1.0).round(12)
    array([0.75, 0.5 ])
    """
    values, vectors = eigenpairs(as_kernel(K).dense().astype(np.float64, copy=False))
    return _ridge_scores(values, vectors, _checks.positive(alpha, "alpha"))


def ridge_for(values: np.ndarray, dimension: float) -> float:
    """The ridge for which ``sum values / (values + ridge)`` is `dimension`.

    Examples
    --------
    >>> round(ridge_for(np.array([1.0, 1.0]), 0.5), 9)
    3.0
    """

    def excess(log):
        return float((values / (values + np.exp(log))).sum()) - dimension

    # At these ends the sum is above and below: each term is at least 1 - d/r there,
    # or at most d/r, with r terms and 0 < d < r.
    share = dimension / len(values)
    low = np.log(values.min() * (1 - share) / share) - 1
    high = np.log(values.max() * (1 - share) / share) + 1
    return float(np.exp(brentq(excess, low, high, xtol=1e-12)))


def _leverage(dense, rank):
    k = _checks.integer(rank, "rank", high=len(dense), why="the number of points")
    _, vectors = eigenpairs(dense, k)
    return np.einsum("ij,ij->i", vectors, vectors)


def _ridge_scores(values, vectors, alpha):
    return np.einsum("ij,j,ij->i", vectors, values / (values + alpha), vectors)
