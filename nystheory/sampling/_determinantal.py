"""Determinantal sampling: sets of columns in proportion to a squared volume."""

from __future__ import annotations

import numpy as np

from nystheory import _checks
from nystheory.kernels import KernelMatrix
from nystheory.sampling._costs import kept_eigenpairs
from nystheory.sampling._landmarks import Landmarks, Run
from nystheory.sampling._leverage import ridge_for


def k_dpp(
    K: KernelMatrix | np.ndarray, n_landmarks: int, rng: np.random.Generator
) -> Landmarks:
    """A set S of l columns with probability proportional to ``det K[S, S]``.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number l of columns.
    rng : numpy.random.Generator

    Returns
    -------
    Landmarks
        Asks for all n^2 entries, the first time of one kernel matrix.

    Raises
    ------
    ValueError, TypeError
        If ``n_landmarks`` is out of range, or K is zero.

    Warns
    -----
    Costly
        If it is about to take over a minute, or half of the memory.
    FewerLandmarks
        If K has a rank below l: then every determinant of size l is zero, and the
        columns are as many as the rank.

    Notes
    -----
    Exact: l eigenvectors are drawn with the help of elementary symmetric polynomials
    of the eigenvalues, in logarithms, then l points from the projection on them
    [1]_.  It is volume sampling [2]_ of the points behind K (`volume` is that of
    its columns).  Costs O(n^3) operations for the eigenvectors, then O(n l^2), and n^2
    words.

    References
    ----------
    .. [1] A. Kulesza and B. Taskar, "k-DPPs: fixed-size determinantal point
       processes", International Conference on Machine Learning, 2011.
    .. [2] A. Deshpande, L. Rademacher, S. Vempala and G. Wang, "Matrix approximation
       and projective clustering via volume sampling", Theory of Computing 2, 2006.

    Examples
    --------
    >>> K = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    >>> 2 in k_dpp(K, 2, np.random.default_rng(0)).indices  # never both copies
    True
    """
    run = Run("k_dpp", K, n_landmarks, _checks.generator(rng))
    return _fixed_size(run, *kept_eigenpairs(run))


def volume(
    K: KernelMatrix | np.ndarray, n_landmarks: int, rng: np.random.Generator
) -> Landmarks:
    """A set of l columns in proportion to the squared volume that they span.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number l of columns.
    rng : numpy.random.Generator

    Returns
    -------
    Landmarks
        Asks for all n^2 entries, the first time of one kernel matrix.

    Raises
    ------
    ValueError, TypeError
        If ``n_landmarks`` is out of range, or K is zero.

    Warns
    -----
    Costly
        If it is about to take over a minute, or half of the memory.
    FewerLandmarks
        If K has a rank below l.

    Notes
    -----
    The probability of C is proportional to ``det C^T C = det (K^2)[S, S]``, so this
    is a k-DPP of K^2, sampled as in `k_dpp` at the same cost.  It is the scheme for
    matrix projection: ``E |K - C C^+ K|_F^2 = (l + 1) e_(l+1) / e_l`` with the
    elementary symmetric polynomials of the squared eigenvalues [1]_.

    References
    ----------
    .. [1] A. Deshpande, L. Rademacher, S. Vempala and G. Wang, "Matrix approximation
       and projective clustering via volume sampling", Theory of Computing 2, 2006.

    Examples
    --------
    >>> K = np.diag([3.0, 0.0, 1.0])
    >>> sorted(volume(K, 2, np.random.default_rng(0)).indices.tolist())
    [0, 2]
    """
    run = Run("volume", K, n_landmarks, _checks.generator(rng))
    values, vectors = kept_eigenpairs(run)
    # Squares of eigenvalues over the largest: K itself may be tiny or huge.
    return _fixed_size(run, (values / values[0]) ** 2, vectors)


def dpp(
    K: KernelMatrix | np.ndarray,
    n_landmarks: int | None,
    rng: np.random.Generator,
    *,
    alpha: float | None = None,
) -> Landmarks:
    """A set S of random size, in proportion to ``det(K[S, S] / alpha)``.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int or None
        The mean number of columns; below the rank of K.  None where `alpha` is
        given.
    rng : numpy.random.Generator
    alpha : float, optional
        The ridge for which the effective dimension is the mean number of columns.

    Returns
    -------
    Landmarks
        Perhaps none at all.  With the inclusion probabilities of the columns, which
        are the ridge leverage scores, divided by their sum.  Asks for all n^2 entries.

    Raises
    ------
    ValueError, TypeError
        If ``n_landmarks`` is not below the rank of K, `alpha` is not above 0, not just
        one of them is given, or K is zero.

    Notes
    -----
    Eigenvector j is kept with probability ``lambda_j / (lambda_j + alpha)``, then as
    many points are drawn from the projection on those kept [1]_.  On the average the
    Nyström approximation is ``K (K + alpha I)^-1 K`` [2]_.  Costs O(n^3) operations
    and n^2 words.

    References
    ----------
    .. [1] J. B. Hough, M. Krishnapur, Y. Peres and B. Virag, "Determinantal processes
       and independence", Probability Surveys 3, 2006.
    .. [2] M. Fanuel, J. Schreurs and J. A. K. Suykens, "Diversity sampling is an
       implicit regularization for kernel methods", SIAM Journal on Mathematics of Data
       Science 3, 2021.

    Examples
    --------
    >>> drawn = dpp(np.eye(4), None, np.random.default_rng(1), alpha=1.0)
    >>> len(drawn), drawn.probabilities.tolist()
    (1, [0.25, 0.25, 0.25, 0.25])
    """
    if (n_landmarks is None) == (alpha is None):
        given = "neither" if alpha is None else "both"
        raise ValueError(f"dpp: expected n_landmarks or alpha, got {given}")
    wanted = 1 if n_landmarks is None else n_landmarks
    run = Run("dpp", K, wanted, _checks.generator(rng))
    values, vectors = kept_eigenpairs(run)
    if alpha is None:
        if run.l >= len(values):
            raise ValueError(
                "n_landmarks: expected a mean number below the rank of K, which is "
                f"{len(values)}, got {run.l}"
            )
        alpha = ridge_for(values, run.l)
    shares = values / (values + _checks.positive(alpha, "alpha"))
    kept = run.rng.random(len(values)) < shares
    scores = np.einsum("ij,j,ij->i", vectors, shares, vectors)
    indices = _projection(vectors[:, kept], run.rng)
    return run.landmarks(indices, probabilities=scores / scores.sum())


def log_elementary(values: np.ndarray, degree: int) -> np.ndarray:
    """Logarithms of elementary symmetric polynomials of the first j values.

    Parameters
    ----------
    values : ndarray (r,)
        Positive.
    degree : int
        The largest degree d.

    Returns
    -------
    ndarray (r + 1, d + 1)
        Entry (j, i) is ``log e_i(values[:j])``, minus infinity for i > j.

    Raises
    ------
    ValueError, TypeError
        If a value is not a finite number above 0, or `degree` not an integer from 0 on.

    Notes
    -----
    ``e_i(v_1..v_j) = e_i(v_1..v_{j-1}) + v_j e_{i-1}(v_1..v_{j-1})``, as for
    ``theorems["modern:k-dpp-expectation"]``.  Costs O(r d).  In logarithms nothing
    underflows, and nothing cancels since all terms are positive.

    Examples
    --------
    >>> np.exp(log_elementary(np.array([2.0, 3.0, 5.0]), 3))[-1].round(9).tolist()
    [1.0, 10.0, 31.0, 30.0]
    """
    values = _checks.real_array(values, "values", 1).astype(np.float64)
    degree = _checks.integer(degree, "degree", low=0)
    if len(values) and values.min() <= 0:
        raise ValueError(f"values: expected numbers above 0, got {values.min():.6g}")
    table = np.full((len(values) + 1, degree + 1), -np.inf)
    table[:, 0] = 0
    for j, log in enumerate(np.log(values)):
        table[j + 1, 1:] = np.logaddexp(table[j, 1:], log + table[j, :-1])
    return table


def _fixed_size(run, values, vectors):
    size = run.l
    if len(values) < size:
        size = len(values)
        run.fewer(size, "K has no higher rank")
    kept = _subset(values, size, run.rng)
    return run.landmarks(_projection(vectors[:, kept], run.rng))


def _subset(values, size, rng):
    """A set of `size` indices in proportion to the product of their values."""
    logs, table = np.log(values), log_elementary(values, size)
    chances = rng.random(len(values))
    kept = []
    for j in range(len(values), 0, -1):
        left = size - len(kept)
        if left == 0:
            break
        # Index j - 1 is in a set of the first j with this probability.
        share = np.exp(logs[j - 1] + table[j - 1, left - 1] - table[j, left])
        if left == j or chances[j - 1] < share:
            kept.append(j - 1)
    return kept


def _projection(V, rng):
    """Points from the projection on orthonormal columns V, by pivots at random.

    Randomly pivoted Cholesky of a projection, run to its end, has the law of the
    determinantal process of that projection: each conditional probability is the
    residual diagonal over its sum, the number of columns that are left.
    """
    n, k = V.shape
    residual = np.einsum("ij,ij->i", V, V)
    F = np.zeros((n, k))
    chosen = np.empty(k, dtype=np.intp)
    for t in range(k):
        cumulative = np.cumsum(residual)
        target = rng.random() * cumulative[-1]
        i = int(np.searchsorted(cumulative, target, side="right"))
        column = V @ V[i] - F[:, :t] @ F[i, :t]
        F[:, t] = column / np.sqrt(column[i])
        residual = np.clip(residual - F[:, t] ** 2, 0, None)
        chosen[t] = i
        residual[chosen[: t + 1]] = 0
    return chosen
