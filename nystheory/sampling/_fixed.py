"""Fixed distributions: every column has its probability before the first is drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory import _checks
from nystheory.kernels import KernelMatrix, row_blocks
from nystheory.sampling._landmarks import Landmarks, Run, sizes_of_points

# How far given probabilities may be from a sum of one.
SUM_SLACK = 1e-8


def uniform(
    K: KernelMatrix | np.ndarray,
    n_landmarks: int,
    rng: np.random.Generator,
    *,
    replace: bool = False,
) -> Landmarks:
    """Columns drawn uniformly at random, without replacement unless asked.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number l of columns, at most n without replacement.
    rng : numpy.random.Generator
    replace : bool
        Draw independently, so that a column may come twice; then the landmarks
        carry the weights n / l.

    Returns
    -------
    Landmarks
        Asks for no entry of K.

    Raises
    ------
    ValueError
        If ``n_landmarks`` is below 1, or above n without replacement.
    TypeError
        If `rng` is not a generator.

    Notes
    -----
    Costs O(n), and the checks of `as_kernel` when K is an array.  Without
    replacement it is the scheme of Theorem 5.2 of [1]_.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 4.1.

    Examples
    --------
    >>> uniform(np.eye(10), 3, np.random.default_rng(0))
    Landmarks(uniform, l=3, indices=[5, 9, 6], entries_asked=0)
    """
    run = Run("uniform", K, n_landmarks, _checks.generator(rng), replace=replace)
    indices = run.rng.choice(run.n, size=run.l, replace=bool(replace))
    weights = np.full(run.l, run.n / run.l) if replace else None
    return run.landmarks(
        indices,
        _named(run, replace),
        probabilities=np.full(run.n, 1 / run.n),
        weights=weights,
    )


def diagonal(
    K: KernelMatrix | np.ndarray,
    n_landmarks: int,
    rng: np.random.Generator,
    *,
    replace: bool = False,
) -> Landmarks:
    """Columns drawn with probability proportional to ``K[i, i]``.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number l of columns.
    rng : numpy.random.Generator
    replace : bool
        Draw independently; then the landmarks carry weights.

    Returns
    -------
    Landmarks
        Asks for the n entries of the diagonal.

    Raises
    ------
    ValueError
        If ``n_landmarks`` is out of range, or the diagonal is zero, negative
        somewhere or not finite.
    TypeError
        If `rng` is not a generator.

    Warns
    -----
    FewerLandmarks
        If, without replacement, fewer than l columns have a positive probability.

    Notes
    -----
    With replacement it was analysed in [1]_; compared with others in [2]_.  Costs
    O(n l).  Without replacement the columns are drawn one by one, each from what is
    left.  On a kernel of constant diagonal it is uniform sampling.

    References
    ----------
    .. [1] P. Drineas and M. W. Mahoney, "On the Nyström method for approximating a
       Gram matrix for improved kernel-based learning", Journal of Machine Learning
       Research 6, 2005.
    .. [2] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 4.1.

    Examples
    --------
    >>> diagonal(np.diag([5.0, 0.0, 4.0]), 2, np.random.default_rng(0)).probabilities
    array([0.55555556, 0.        , 0.44444444])
    """
    run = Run("diagonal", K, n_landmarks, _checks.generator(rng), replace=replace)
    return draw(run, run.diagonal(), replace)


def column_norm(
    K: KernelMatrix | np.ndarray,
    n_landmarks: int,
    rng: np.random.Generator,
    *,
    replace: bool = False,
    squared: bool = False,
) -> Landmarks:
    """Columns drawn with probability proportional to their length.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number l of columns.
    rng : numpy.random.Generator
    replace : bool
        Draw independently; then the landmarks carry weights.
    squared : bool
        Proportional to the squared length, as in the analysis of Drineas et al.;
        the thesis [1]_ takes the length itself.

    Returns
    -------
    Landmarks
        Asks for all n^2 entries of K.

    Raises
    ------
    ValueError
        If ``n_landmarks`` is out of range, or K is zero.
    TypeError
        If `rng` is not a generator.

    Warns
    -----
    FewerLandmarks
        If, without replacement, fewer than l columns differ from zero.

    Notes
    -----
    Costs O(n^2) operations, in blocks of rows that are not kept.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 4.1.

    Examples
    --------
    >>> K = np.diag([3.0, 1.0])
    >>> column_norm(K, 1, np.random.default_rng(0), squared=True).probabilities
    array([0.9, 0.1])
    """
    _checks.truth(squared, "squared")
    run = Run("column_norm", K, n_landmarks, _checks.generator(rng), replace=replace)
    squares = np.empty(run.n)
    for rows in row_blocks(run.n, run.n):
        block = run.K[rows, :].astype(np.float64, copy=False)
        np.einsum("ij,ij->i", block, block, out=squares[rows])
    sizes_of_points(squares)
    return draw(run, squares if squared else np.sqrt(squares), replace)


def user(
    K: KernelMatrix | np.ndarray,
    n_landmarks: int,
    rng: np.random.Generator,
    *,
    indices: Sequence[int] | None = None,
    probabilities: Sequence[float] | None = None,
    replace: bool = False,
) -> Landmarks:
    """Columns given by index, or drawn from a given distribution.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number l of columns.
    rng : numpy.random.Generator
        Not used where `indices` are given, and may then be None.
    indices : sequence of int, length l, optional
    probabilities : sequence of float, length n, optional
        Not negative, of sum 1.  Just one of the two must be given.
    replace : bool
        Draw independently; then the landmarks carry weights.

    Returns
    -------
    Landmarks
        Asks for no entry of K.

    Raises
    ------
    ValueError, TypeError
        If `indices` are not l columns of K, `probabilities` are not a distribution
        on its n columns, or not just one of the two is given.
    IndexError
        If an index is not in 0..n-1.

    Warns
    -----
    FewerLandmarks
        If, without replacement, fewer than l columns have a positive probability.

    Notes
    -----
    Costs O(n l) operations; the book's own, for landmarks that come from elsewhere.

    Examples
    --------
    >>> user(np.eye(4), 2, None, indices=[3, 0])
    Landmarks(user, l=2, indices=[3, 0], entries_asked=0)
    >>> p = [0.0, 0.5, 0.5, 0.0]
    >>> drawn = user(np.eye(4), 2, np.random.default_rng(0), probabilities=p)
    >>> sorted(drawn.indices.tolist())
    [1, 2]
    """
    if (indices is None) == (probabilities is None):
        given = "neither" if indices is None else "both"
        raise ValueError(f"user: expected indices or probabilities, got {given}")
    if indices is not None:
        run = Run("user", K, n_landmarks, rng, replace=True)
        chosen = _checks.indices(indices, run.n, "indices")
        if len(chosen) != run.l:
            raise ValueError(f"indices: expected n_landmarks = {run.l}, got {indices}")
        return run.landmarks(chosen)
    run = Run("user", K, n_landmarks, _checks.generator(rng), replace=replace)
    return draw(run, distribution(probabilities, run.n, "probabilities"), replace)


def distribution(value, n: int, name: str) -> np.ndarray:
    """`value` as n probabilities of sum 1.

    Examples
    --------
    >>> distribution([0.5, 0.25], 2, "p")
    Traceback (most recent call last):
    ValueError: p: expected probabilities of sum 1, got sum 0.75
    """
    p = _checks.real_array(value, name, 1).astype(np.float64, copy=False)
    if len(p) != n:
        raise ValueError(f"{name}: expected one for each of {n} points, got {len(p)}")
    if p.min() < 0:
        i = int(p.argmin())
        raise ValueError(
            f"{name}: expected no negative number, got {p[i]:.6g} at index {i}"
        )
    if abs(p.sum() - 1) > SUM_SLACK:
        raise ValueError(
            f"{name}: expected probabilities of sum 1, got sum {p.sum():.6g}"
        )
    return p / p.sum()


def draw(run: Run, scores: np.ndarray, replace: bool, **parts) -> Landmarks:
    """Landmarks drawn with probability proportional to `scores`.

    Without replacement they come one by one, each in proportion to the scores of
    those that are left.
    """
    p = scores / scores.sum()
    if replace:
        indices = run.rng.choice(run.n, size=run.l, replace=True, p=p)
        parts["weights"] = 1 / (run.l * p[indices])
    else:
        possible = int(np.count_nonzero(p))
        if possible < run.l:
            why = f"{run.n - possible} of {run.n} columns have probability zero"
            run.fewer(possible, why)
        count = min(run.l, possible)
        indices = run.rng.choice(run.n, size=count, replace=False, p=p)
    return run.landmarks(indices, _named(run, replace), probabilities=p, **parts)


def _named(run, replace):
    return f"{run.scheme} with replacement" if replace else run.scheme
