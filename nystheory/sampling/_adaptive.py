"""Adaptive sampling: the columns drawn so far decide where to look next."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.linalg

from nystheory import _checks
from nystheory.kernels import KernelMatrix, as_kernel, row_blocks
from nystheory.kernels._base import FEW, digits
from nystheory.sampling._costs import announce
from nystheory.sampling._fixed import distribution
from nystheory.sampling._landmarks import Landmarks, Run, as_indices
from nystheory.sampling._pivoted import SMALL_BLOCKS


def adaptive_full(
    K: KernelMatrix | np.ndarray,
    n_landmarks: int,
    rng: np.random.Generator,
    *,
    batch: int | None = None,
    initial: Sequence[float] | None = None,
) -> Landmarks:
    """Columns drawn in batches, in proportion to what the last ones left of them.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number l of columns.
    rng : numpy.random.Generator
    batch : int, optional
        The number s of columns drawn at a time; a tenth of l, rounded up, by
        default.  The last batch may be smaller.
    initial : sequence of float, length n, optional
        The distribution of the first batch; uniform by default.

    Returns
    -------
    Landmarks
        With the probabilities of the last batch.  Asks for all n^2 entries, once.

    Raises
    ------
    ValueError
        If ``n_landmarks`` or `batch` is out of range, `initial` is no distribution,
        or K is zero.
    TypeError
        If `rng` is not a generator.
    MemoryError
        If K is larger than the memory.

    Warns
    -----
    FewerLandmarks
        If the columns drawn span all others, so that there is nothing to sample.
    Costly
        If it is about to take over a minute or half of the memory.

    Notes
    -----
    Figure 4.3 of [2]_, after [1]_, corrected in two places: the squared residuals
    are divided by their sum (the printed Euclidean norm does not give a
    distribution), and sampling ends when all are zero.  A batch is drawn without
    replacement.  Costs 4 n^2 l operations and n^2 words.

    References
    ----------
    .. [1] A. Deshpande, L. Rademacher, S. Vempala and G. Wang, "Matrix approximation
       and projective clustering via volume sampling", Theory of Computing 2, 2006.
    .. [2] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, figure 4.3.

    Examples
    --------
    >>> K = np.diag([4.0, 3.0, 2.0, 1.0])
    >>> drawn = adaptive_full(K, 2, np.random.default_rng(0), batch=1)
    >>> drawn.indices.tolist(), drawn.probabilities.round(3).tolist()
    ([2, 0], [0.615, 0.346, 0.0, 0.038])
    """
    run = Run("adaptive_full", K, n_landmarks, _checks.generator(rng))
    announce(run, 4 * run.n**2 * (run.l + 10), copies=2)
    E = run.dense()
    size = float(np.linalg.norm(E))
    floor = _rounding(run.n, run.few, size)
    chosen, p = _first_batch(run, batch, initial)
    while len(chosen) < run.l:
        run.found(len(chosen))
        _deflate(E, chosen, floor)
        p = _shares(np.einsum("ij,ij->j", E, E), chosen, floor**2)
        if p is None:
            why = f"they span every other column, {run.in_its_type()}"
            run.fewer(len(chosen), why)
            break
        chosen = _next_batch(run, chosen, p, batch)
    return run.landmarks(np.array(chosen), probabilities=p)


def adaptive_partial(
    K: KernelMatrix | np.ndarray,
    n_landmarks: int,
    rng: np.random.Generator,
    *,
    batch: int | None = None,
    rank: int | None = None,
    initial: Sequence[float] | None = None,
) -> Landmarks:
    """Columns drawn in batches, in proportion to errors on the sampled columns alone.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number l of columns.
    rng : numpy.random.Generator
    batch : int, optional
        The number s of columns drawn at a time; a tenth of l, rounded up, by
        default.  The last batch may be smaller.
    rank : int, optional
        The rank k' of the approximation whose errors are measured; half the number
        of columns so far, rounded down, by default.
    initial : sequence of float, length n, optional
        The distribution of the first batch; uniform by default.

    Returns
    -------
    Landmarks
        With the probabilities of the last batch.  Asks for at most n l entries.

    Raises
    ------
    ValueError
        If ``n_landmarks``, `batch` or `rank` is out of range, or `initial` is no
        distribution.
    TypeError
        If `rng` is not a generator.

    Notes
    -----
    Figure 4.4 of [1]_, corrected in two places: squared errors are divided by
    their sum, not by their Euclidean norm, and where all of them vanish the batch
    is uniform on the columns that are left (the printed form is then undefined).
    Each round costs O(n j k' + j^3) for j columns so far; memory n l words.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, figure 4.4.

    Examples
    --------
    >>> K = np.diag([3.0, 2.0, 1.0])
    >>> drawn = adaptive_partial(K, 3, np.random.default_rng(0), batch=2, rank=1)
    >>> drawn.indices.tolist(), drawn.probabilities.tolist()  # nothing but a fallback
    ([1, 0, 2], [0.0, 0.0, 1.0])
    """
    run = Run("adaptive_partial", K, n_landmarks, _checks.generator(rng))
    if rank is not None:
        rank = _checks.integer(rank, "rank", high=run.l, why="n_landmarks")
    C = np.empty((run.n, run.l))
    chosen, p = _first_batch(run, batch, initial)
    known = 0
    while len(chosen) < run.l:
        run.found(len(chosen))
        C[:, known : len(chosen)] = run.K[:, chosen[known:]]
        known = len(chosen)
        p = _partial(C[:, :known], chosen, rank, run.few)
        chosen = _next_batch(run, chosen, p, batch)
    return run.landmarks(np.array(chosen), probabilities=p)


def update_probability_full(
    K: KernelMatrix | np.ndarray, indices: Sequence[int]
) -> np.ndarray | None:
    """UPDATE-PROBABILITY-FULL: shares of squared column residuals, figure 4.3 of [1]_.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    indices : sequence of int
        The columns R so far.

    Returns
    -------
    ndarray (n,) or None
        ``p_j`` proportional to ``|K_j - U U^T K_j|^2`` with U an orthonormal basis of
        the columns in R, zero on R; None where all residuals vanish.

    Raises
    ------
    ValueError, TypeError, IndexError
        If `indices` are not columns of K.

    Notes
    -----
    Costs 4 n^2 |R| operations and n^2 words.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, figure 4.3, with its normalisation corrected.

    Examples
    --------
    >>> update_probability_full(np.diag([3.0, 2.0, 1.0]), [0])
    array([0. , 0.8, 0.2])
    >>> update_probability_full(np.ones((2, 2)), [0]) is None
    True
    """
    K = as_kernel(K)
    with _checks.told_as("landmarks", "indices"):
        chosen = as_indices(indices, K.n)
    E = K.dense().astype(np.float64, copy=False)
    floor = _rounding(K.n, FEW * digits(K), float(np.linalg.norm(E)))
    _deflate(E, chosen, floor)
    return _shares(np.einsum("ij,ij->j", E, E), chosen, floor**2)


def update_probability_partial(
    K: KernelMatrix | np.ndarray, indices: Sequence[int], rank: int | None = None
) -> np.ndarray:
    """UPDATE-PROBABILITY-PARTIAL: shares of squared row errors, figure 4.4 of [1]_.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    indices : sequence of int
        The columns R so far; not all of them.
    rank : int, optional
        The rank k', at most ``|R|``; half of ``|R|``, rounded down, by default.

    Returns
    -------
    ndarray (n,)
        ``p_j`` proportional to the squared length of row j of ``C' - C' W_k'^+ W``,
        zero on R; uniform on the other columns where all of these vanish.

    Raises
    ------
    ValueError, TypeError, IndexError
        If `indices` are not columns of K, or `rank` is out of range.

    Notes
    -----
    Asks for n |R| entries; costs ``2 n |R| (|R| - k')`` operations.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, figure 4.4, with its normalisation corrected
       and its missing case added.

    Examples
    --------
    >>> K = np.array([[2.0, 1.0, 1.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0]])
    >>> update_probability_partial(K, [0])
    array([0. , 0.5, 0.5])
    """
    K = as_kernel(K)
    with _checks.told_as("landmarks", "indices"):
        chosen = as_indices(indices, K.n)
    if rank is not None:
        rank = _checks.integer(rank, "rank", high=len(chosen), why="the columns so far")
    if len(set(chosen.tolist())) == K.n:
        raise ValueError(f"indices: expected fewer than all {K.n} columns")
    C = K[:, chosen].astype(np.float64, copy=False)
    return _partial(C, chosen, rank, FEW * digits(K))


def _first_batch(run, batch, initial):
    """The first batch, and the distribution it came from."""
    p = np.full(run.n, 1 / run.n)
    if initial is not None:
        p = distribution(initial, run.n, "initial")
    return _next_batch(run, [], p, batch), p


def _next_batch(run, chosen, p, batch):
    """The columns so far and the next batch, drawn without replacement."""
    if batch is None:
        batch = -(-run.l // 10)
    size = _checks.integer(batch, "batch", high=run.l, why="n_landmarks")
    size = min(size, run.l - len(chosen), int(np.count_nonzero(p)))
    new = run.rng.choice(run.n, size=size, replace=False, p=p)
    return [*chosen, *new.tolist()]


def _rounding(n, entries, size):
    """What is left of a column that the others span, by rounding alone.

    Two products, each of sums of n numbers in float64, and entries that are off by
    `entries` of themselves; all of it beside the size of all columns, since those that
    span may be nearly dependent.
    """
    return (4 * n * np.finfo(np.float64).eps + entries) * size


def _deflate(E, chosen, floor):
    """Take from E, in place, its projection on the columns `chosen` of itself."""
    U, s, _ = scipy.linalg.svd(E[:, chosen], full_matrices=False)
    U = U[:, s > floor]
    E -= U @ (U.T @ E)


def _partial(C, chosen, rank, entries):
    """Shares of the row errors of C' under its Nyström approximation of rank k'.

    ``C' W_k'^+ W = C' V V^T`` with V the leading eigenvectors of W, so the error is
    C' on the others: no eigenvalue is inverted.
    """
    rest = _left_out(C[chosen], rank)
    squares = np.empty(len(C))
    for rows in row_blocks(len(C), SMALL_BLOCKS * len(chosen)):
        error = C[rows] @ rest
        np.einsum("ij,ij->i", error, error, out=squares[rows])
    p = _shares(squares, chosen, _floor(C, entries) ** 2)
    return _on_others(len(C), chosen) if p is None else p


def _left_out(W, rank):
    """The eigenvectors of the core that an approximation of this rank leaves out."""
    k = len(W) // 2 if rank is None else min(rank, len(W))
    _, vectors = scipy.linalg.eigh(W)
    return vectors[:, : len(W) - k]


def _floor(C, entries):
    """What is left of a row of sampled columns by rounding alone."""
    size = np.sqrt(np.einsum("ij,ij->", C, C))  # norm would copy C
    return _rounding(len(C), entries, float(size))


def _on_others(n, chosen):
    """The uniform distribution on what is not chosen."""
    left = np.ones(n)
    left[chosen] = 0
    return left / left.sum()


def _shares(squares, chosen, floor):
    """Squares as a distribution, zero on `chosen`; None where only rounding is left."""
    squares[chosen] = 0
    # A distribution of rounding errors would be one too, but of nothing.
    squares[squares <= floor] = 0
    total = squares.sum()
    return squares / total if total > 0 else None
