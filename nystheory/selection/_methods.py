"""The eight methods that were compared for kernel selection, under one interface."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory import _checks, sampling
from nystheory.kernels import KernelMatrix, as_kernel
from nystheory.lowrank import LowRank, best_rank_k, nystrom

# The scheme of each method that samples columns.
_SCHEMES = {
    "uniform": sampling.uniform,
    "column_norm": sampling.column_norm,
    "leverage": sampling.leverage,
    "adaptive_full": sampling.adaptive_full,
    "adaptive_partial": sampling.adaptive_partial,
    "criterion_driven": sampling.criterion_driven,
}
METHODS = ("original", "optimal", *_SCHEMES)


def approximate(
    K: KernelMatrix | np.ndarray,
    method: str,
    n_landmarks: int,
    rng: np.random.Generator,
    *,
    y: Sequence[float] | None = None,
    rank: int | None = None,
) -> LowRank | KernelMatrix:
    """What stands for K in one of the eight methods that figure 1 of [1]_ compares.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    method : str
        One of `METHODS`: ``"original"``, K itself; ``"optimal"``, its best
        approximation of rank k; or the scheme that draws the columns of a Nyström
        approximation: ``"uniform"``, ``"column_norm"``, ``"leverage"``,
        ``"adaptive_full"``, ``"adaptive_partial"``, ``"criterion_driven"``.
    n_landmarks : int
        The number l of columns.
    rng : numpy.random.Generator
    y : sequence of float, length n, optional
        The targets, for ``"criterion_driven"``; the others do not look at them.
    rank : int, optional
        The rank k, from 1 to l; l by default.  Leverage scores are of this rank, too.

    Returns
    -------
    LowRank
        Or K as a kernel matrix, for ``"original"``.  `criterion` takes both.

    Raises
    ------
    ValueError, TypeError
        If the method is none of the eight, `n_landmarks` or `rank` is out of range,
        `y` is missing for ``"criterion_driven"``, or K is zero.

    Warns
    -----
    FewerLandmarks
        If the columns explain K before there are l of them.

    Notes
    -----
    The approximation is ``C W_k^+ C^T``, with W_k the best rank-k approximation of the
    core, as steps 11 and 12 of algorithm 1 of [1]_ have it.  Adaptive schemes draw a
    tenth of the columns at a time and measure errors at half of the rank so far, their
    default: the source leaves its inner rank open.  ``"uniform"``,
    ``"adaptive_partial"`` and ``"criterion_driven"`` read at most 2 n l entries and
    cost O(n l^2) operations (each round of the last two once more), the others read all
    n^2, and cost up to O(n^3).

    References
    ----------
    .. [1] L. Ding, Y. Liu, S. Liao, Y. Li, P. Yang, Y. Pan, C. Huang, L. Shao and
       X. Gao, "Approximate kernel selection with strong approximate consistency", AAAI
       Conference on Artificial Intelligence 33, 2019, algorithm 1 and figure 1.

    Examples
    --------
    >>> K, rng = np.diag([3.0, 2.0, 1.0]), np.random.default_rng(0)
    >>> approximate(K, "optimal", 2, rng)
    LowRank(best, n=3, rank=2)
    >>> approximate(K, "criterion_driven", 2, rng, y=[1.0, -1.0, 1.0]).rank
    2
    """
    _checks.choice(method, "method", METHODS)
    K = as_kernel(K)
    l = _checks.integer(  # noqa: E741
        n_landmarks, "n_landmarks", high=K.n, why="the number of points"
    )
    if rank is not None:
        rank = _checks.integer(rank, "rank", high=l, why="n_landmarks")
    if method == "original":
        return K
    if method == "optimal":
        return best_rank_k(K, l if rank is None else rank)
    drawn = _SCHEMES[method](K, l, rng, **_options(method, y, rank))
    return nystrom(K, drawn, None if rank is None else min(rank, len(drawn)))


def _options(method, y, rank):
    """What a scheme takes beside the number of columns."""
    if method == "leverage":
        return {"rank": rank}
    if method != "criterion_driven":
        return {}
    if y is None:
        raise ValueError(
            "y: expected the targets, which method='criterion_driven' weighs errors "
            "with, got None"
        )
    return {"y": y}
