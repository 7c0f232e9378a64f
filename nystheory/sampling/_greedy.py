"""Schemes that take the best column in sight, and centroids."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from nystheory import _checks
from nystheory.kernels import KernelMatrix, row_blocks
from nystheory.sampling._landmarks import Landmarks, Run, first_largest
from nystheory.sampling._pivoted import SMALL_BLOCKS, Factor


def sgma(
    K: KernelMatrix | np.ndarray,
    n_landmarks: int,
    rng: np.random.Generator,
    *,
    candidates: int = 59,
) -> Landmarks:
    """Sparse greedy matrix approximation: the best of a few random columns, l times.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number l of columns.
    rng : numpy.random.Generator
    candidates : int
        Columns looked at in each round.  The best of 59 is, with probability 0.95,
        among the best twentieth of all.

    Returns
    -------
    Landmarks
        With the factor, unless small pivots made its rounding large.  Asks for
        n (l (candidates + 1) + 1) entries at most.

    Raises
    ------
    ValueError, TypeError
        If ``n_landmarks`` or `candidates` is out of range, or K is zero.

    Warns
    -----
    FewerLandmarks
        If the columns explain K up to rounding before there are l of them.

    Notes
    -----
    The best column is the one that lowers the trace of the error most: the sum of
    squares of its residual column over its residual diagonal entry.  Costs
    O(candidates n l^2) operations and n l words; candidates are looked at in blocks
    of rows.  After [1]_ and section 4.2 of [2]_.

    References
    ----------
    .. [1] A. J. Smola and B. Schölkopf, "Sparse greedy matrix approximation for
       machine learning", International Conference on Machine Learning, 2000.
    .. [2] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010.

    Examples
    --------
    >>> K = np.diag([1.0, 3.0, 2.0])
    >>> sgma(K, 2, np.random.default_rng(0)).indices.tolist()
    [1, 2]
    """
    run = Run("sgma", K, n_landmarks, _checks.generator(rng))
    count = _checks.integer(candidates, "candidates")
    factor = Factor(run)
    while factor.wanted:
        left = np.flatnonzero(factor.residual)
        looked = run.rng.choice(left, size=min(count, len(left)), replace=False)
        looked.sort()  # ties then go to the smaller index
        squares = np.zeros(len(looked))
        for rows in row_blocks(run.n, SMALL_BLOCKS * len(looked)):
            part = factor.columns(looked, rows)
            squares += np.einsum("ij,ij->j", part, part)
        factor.add(looked[first_largest(squares / factor.residual[looked])])
    return factor.landmarks()


def incomplete_cholesky(
    K: KernelMatrix | np.ndarray,
    n_landmarks: int,
    rng: np.random.Generator | None = None,
) -> Landmarks:
    """Greedy pivots: the point of which the least is explained, l times.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number l of columns.
    rng : numpy.random.Generator, optional
        Not used: the scheme is deterministic.  Ties go to the smaller index.

    Returns
    -------
    Landmarks
        With the factor.  Asks for n (l + 1) entries.

    Raises
    ------
    ValueError, TypeError
        If ``n_landmarks`` is out of range, K is zero, or `rng` is no generator.

    Warns
    -----
    FewerLandmarks
        If the pivots explain K up to rounding before there are l of them.

    Notes
    -----
    Cholesky factorisation of K with diagonal pivoting, stopped after l steps [1]_; the
    factor is the Nyström approximation from the pivots [2]_.  Costs O(n l^2)
    operations and n l words.

    References
    ----------
    .. [1] S. Fine and K. Scheinberg, "Efficient SVM training using low-rank kernel
       representations", Journal of Machine Learning Research 2, 2001.
    .. [2] F. R. Bach and M. I. Jordan, "Predictive low-rank decomposition for kernel
       methods", International Conference on Machine Learning, 2005.

    Examples
    --------
    >>> K = np.array([[2.0, 2.0, 0.0], [2.0, 3.0, 0.0], [0.0, 0.0, 1.0]])
    >>> incomplete_cholesky(K, 2)
    Landmarks(incomplete_cholesky, l=2, indices=[1, 2], entries_asked=9)
    """
    run = Run("incomplete_cholesky", K, n_landmarks, rng)
    factor = Factor(run)
    while factor.wanted:
        factor.add(first_largest(factor.residual))
    return factor.landmarks()


def farthest_point(
    K: KernelMatrix | np.ndarray,
    n_landmarks: int,
    rng: np.random.Generator | None = None,
) -> Landmarks:
    """Each landmark is the point farthest from those before, in feature space.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number l of columns.
    rng : numpy.random.Generator, optional
        Not used: the scheme is deterministic.  The first landmark is the first point
        of largest ``K[i, i]``; ties go to the smaller index.

    Returns
    -------
    Landmarks
        Asks for n l entries: the diagonal, and all its columns but the last.

    Raises
    ------
    ValueError, TypeError
        If ``n_landmarks`` is out of range, K is zero, or `rng` is no generator.

    Warns
    -----
    FewerLandmarks
        If there are fewer than l different points.

    Notes
    -----
    The distance is ``d(i, j)^2 = K_ii + K_jj - 2 K_ij``; for kernels that fall with
    the distance of the points it has the same order.  The largest distance of a point
    from the nearest landmark is at most twice the smallest possible [1]_.  Costs
    O(n l) operations and 3 n words.

    References
    ----------
    .. [1] T. F. Gonzalez, "Clustering to minimize the maximum intercluster distance",
       Theoretical Computer Science 38, 1985.

    Examples
    --------
    >>> from nystheory.kernels import linear
    >>> farthest_point(linear([[0.0], [1.0], [2.0], [10.0]]), 3).indices.tolist()
    [3, 0, 2]
    """
    run = Run("farthest_point", K, n_landmarks, rng)
    diagonal = run.diagonal()
    # A distance is off by four entries, of two points that are nearly one.
    floor = np.maximum(4 * run.rounding * diagonal, run.exhausted(diagonal))
    chosen = [first_largest(diagonal)]
    nearest = np.full(run.n, np.inf)
    while len(chosen) < run.l:
        run.found(len(chosen))
        i = chosen[-1]
        column = run.K[:, [i]][:, 0].astype(np.float64, copy=False)
        np.minimum(nearest, diagonal + diagonal[i] - 2 * column, out=nearest)
        nearest[chosen] = 0
        nearest[nearest <= floor] = 0
        if not nearest.any():
            why = f"every point coincides with one of them, {run.in_its_type()}"
            run.fewer(len(chosen), why)
            break
        chosen.append(first_largest(nearest))
    return run.landmarks(np.array(chosen))


def kmeans(
    K: KernelMatrix,
    n_landmarks: int,
    rng: np.random.Generator,
    *,
    minibatch: bool = False,
) -> Landmarks:
    """Centroids of l clusters of the points: landmarks that are not rows of X.

    Parameters
    ----------
    K : KernelMatrix
        A kernel of points, from `nystheory.kernels`.
    n_landmarks : int
        The number l of clusters.
    rng : numpy.random.Generator
    minibatch : bool
        Cluster with scikit-learn's MiniBatchKMeans, for many points, in place of
        KMeans.

    Returns
    -------
    Landmarks
        With ``points`` (l, d) in place of indices; `nystheory.lowrank.nystrom` takes
        them, at n l + l^2 entries.  The scheme itself reads none.

    Raises
    ------
    ValueError
        If ``n_landmarks`` is out of range, or K has no points behind it.
    TypeError
        If `rng` is not a generator.

    Warns
    -----
    FewerLandmarks
        If there are fewer than l different points.

    Notes
    -----
    Costs O(n l d) operations for each of a few rounds [1]_, on one thread: the
    centroids are then the same however many there are.

    References
    ----------
    .. [1] K. Zhang, I. W. Tsang and J. T. Kwok, "Improved Nyström low-rank
       approximation and error analysis", International Conference on Machine
       Learning, 2008.

    Examples
    --------
    >>> from nystheory.kernels import rbf
    >>> K = rbf([[0.0], [0.2], [5.0], [5.2]])
    >>> drawn = kmeans(K, 2, np.random.default_rng(0))
    >>> drawn, sorted(drawn.points.ravel().round(9).tolist())
    (Landmarks(kmeans, l=2, points of their own, d=1, entries_asked=0), [0.1, 5.1])
    """
    name = "kmeans, minibatch" if _checks.truth(minibatch, "minibatch") else "kmeans"
    run = Run(name, K, n_landmarks, _checks.generator(rng))
    X = run.K.points
    if X is None:
        raise ValueError(
            f"K: expected a kernel of points, such as kernels.rbf(X), got {run.K!r}: "
            "clusters need points"
        )
    clustering = MiniBatchKMeans if minibatch else KMeans
    seed = int(run.rng.integers(2**31))
    # Sums by several threads differ in the last digits, and so would the centroids.
    with threadpool_limits(1, user_api="openmp"), warnings.catch_warnings():
        # Too few different points: said below, in our own words.
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = clustering(run.l, n_init=1, random_state=seed).fit(X)
    # A cluster without points is a copy of another, up to rounding.
    centres = found.cluster_centers_[np.unique(found.labels_)]
    if len(centres) < run.l:
        run.fewer(len(centres), "there are no more different points")
    return run.landmarks(None, points=centres)
