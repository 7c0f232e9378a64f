"""Criterion-driven sampling: errors on the sampled columns, weighted by targets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory import _checks
from nystheory.kernels import KernelMatrix, as_kernel, row_blocks
from nystheory.kernels._base import FEW, digits
from nystheory.sampling._adaptive import (
    _first_batch,
    _floor,
    _left_out,
    _next_batch,
    _on_others,
    _shares,
)
from nystheory.sampling._landmarks import Landmarks, Run, as_indices
from nystheory.sampling._pivoted import SMALL_BLOCKS


def criterion_driven(
    K: KernelMatrix | np.ndarray,
    n_landmarks: int,
    rng: np.random.Generator,
    *,
    y: Sequence[float],
    batch: int | None = None,
    rank: int | None = None,
    initial: Sequence[float] | None = None,
) -> Landmarks:
    """Columns drawn in batches, by errors on the sampled columns times the targets.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number l of columns.
    rng : numpy.random.Generator
    y : sequence of float, length n
        The targets, not all zero.  Two different numbers are two classes: they count as
        one over the size of the class, as in the experiments of [1]_.
    batch : int, optional
        The number s of columns drawn at a time; a tenth of l, rounded up, by
        default.  The last batch may be smaller.
    rank : int, optional
        The rank k of the approximation whose errors are measured; half the number
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
        If ``n_landmarks``, `batch` or `rank` is out of range, `initial` is no
        distribution, or `y` is not finite, all zero or of another length.
    TypeError
        If `rng` is not a generator, or `y` are no numbers.

    Notes
    -----
    Algorithms 1 and 2 of [1]_, with rows where the second prints columns, the targets
    of the sampled columns where it prints the first ones, and a uniform batch where all
    errors vanish (the printed form is then undefined: for k at least the rank of the
    core, in particular).  Each round costs O(n j^2 + j^3) for j columns so far; memory
    n l words.

    References
    ----------
    .. [1] L. Ding, Y. Liu, S. Liao, Y. Li, P. Yang, Y. Pan, C. Huang, L. Shao and
       X. Gao, "Approximate kernel selection with strong approximate consistency", AAAI
       Conference on Artificial Intelligence 33, 2019, algorithms 1 and 2.

    Examples
    --------
    >>> K = np.diag([3.0, 2.0, 1.0])
    >>> rng = np.random.default_rng(0)
    >>> drawn = criterion_driven(K, 3, rng, y=[1, -1, 1], batch=2, rank=1)
    >>> drawn.indices.tolist(), drawn.probabilities.tolist()  # nothing but a fallback
    ([1, 0, 2], [0.0, 0.0, 1.0])
    """
    run = Run("criterion_driven", K, n_landmarks, _checks.generator(rng))
    if rank is not None:
        rank = _checks.integer(rank, "rank", high=run.l, why="n_landmarks")
    weights = _weights(y, run.n)
    C = np.empty((run.n, run.l))
    chosen, p = _first_batch(run, batch, initial)
    known = 0
    while len(chosen) < run.l:
        run.found(len(chosen))
        C[:, known : len(chosen)] = run.K[:, chosen[known:]]
        known = len(chosen)
        p = _driven(C[:, :known], chosen, weights, rank, run.few)
        chosen = _next_batch(run, chosen, p, batch)
    return run.landmarks(np.array(chosen), probabilities=p)


def update_probability_criterion(
    K: KernelMatrix | np.ndarray,
    indices: Sequence[int],
    y: Sequence[float],
    rank: int | None = None,
) -> np.ndarray:
    """UpdateProbability: shares of squared row errors times targets, Algorithm 2 [1]_.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    indices : sequence of int
        The columns I so far, all different; not all of them.
    y : sequence of float, length n
        The targets, not all zero; two different numbers are two classes, as for
        `criterion_driven`.
    rank : int, optional
        The rank k, at most ``|I|``; half of ``|I|``, rounded down, by default.

    Returns
    -------
    ndarray (n,)
        ``p_i`` proportional to the sum over j in I of
        ``(y_i y_j (C - C D_k^+ D)_ij)^2``, zero on I; uniform on the other columns
        where all of these vanish.

    Raises
    ------
    ValueError, TypeError, IndexError
        If `indices` are not columns of K, `rank` is out of range, or `y` is not finite,
        all zero or of another length.

    Notes
    -----
    Asks for n |I| entries; costs ``4 n |I| (|I| - k)`` operations.

    References
    ----------
    .. [1] L. Ding, Y. Liu, S. Liao, Y. Li, P. Yang, Y. Pan, C. Huang, L. Shao and
       X. Gao, "Approximate kernel selection with strong approximate consistency", AAAI
       Conference on Artificial Intelligence 33, 2019, algorithm 2, with rows in place
       of columns, the targets of the sampled columns, and the missing case added.

    Examples
    --------
    >>> K = np.array([[2.0, 1.0, 1.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0]])
    >>> update_probability_criterion(K, [0], [1.0, -1.0, 3.0]).tolist()
    [0.0, 0.1, 0.9]
    """
    K = as_kernel(K)
    with _checks.told_as("landmarks", "indices"):
        chosen = as_indices(indices, K.n)
    if rank is not None:
        rank = _checks.integer(rank, "rank", high=len(chosen), why="the columns so far")
    if len(set(chosen.tolist())) == K.n:
        raise ValueError(f"indices: expected fewer than all {K.n} columns")
    weights = _weights(y, K.n)
    C = K[:, chosen].astype(np.float64, copy=False)
    return _driven(C, chosen, weights, rank, FEW * digits(K))


def _weights(y, n):
    """The size of each target beside the largest, (n,); of two classes one over theirs.

    Only shares are computed of them, so that their unit is free.
    """
    y = _checks.real_array(y, "y", 1)
    if len(y) != n:
        raise ValueError(
            f"y: expected {n} targets, one for each point, got shape {y.shape}"
        )
    values, members, counts = np.unique(y, return_inverse=True, return_counts=True)
    if len(values) == 2:
        y = 1.0 / counts[members]
    largest = float(np.abs(y).max())
    if largest == 0:
        raise ValueError("y: expected some target that is not zero, got all zero")
    return np.abs(y) / largest


def _driven(C, chosen, weights, rank, entries):
    """Shares of the row errors of C times weights of rows and of sampled columns.

    The error is C on the eigenvectors of the core that are left out, and back; no
    eigenvalue is inverted.
    """
    rest = _left_out(C[chosen], rank)
    back = rest.T * weights[chosen]
    squares = np.empty(len(C))
    for rows in row_blocks(len(C), SMALL_BLOCKS * len(chosen)):
        error = (C[rows] @ rest) @ back
        np.einsum("ij,ij->i", error, error, out=squares[rows])
    # What rounding leaves is told before rows are weighted: then it has no size.
    floor = _floor(C, entries) * float(weights[chosen].max())
    squares[squares <= floor**2] = 0
    p = _shares(squares * weights**2, chosen, 0.0)
    return _on_others(len(C), chosen) if p is None else p
