"""The span of Gaussian combinations of the points, in place of that of landmarks."""

from __future__ import annotations

from functools import partial

import numpy as np
import scipy.linalg

from nystheory.kernels import KernelMatrix
from nystheory.lowrank import LowRank, _core
from nystheory.lowrank._sampled import _Times


def gaussian(K: KernelMatrix, count: int, rng: np.random.Generator) -> LowRank:
    """``K G (G^T K G)^+ G^T K`` with G of `count` columns of normal numbers.

    All of K is read, 2 n^2 `count` operations, and of a new point n entries.

    >>> from nystheory.kernels import as_kernel
    >>> near = gaussian(as_kernel(np.diag([3.0, 1.0])), 2, np.random.default_rng(0))
    >>> near, (near.factor @ near.factor.T).round(9).tolist()
    (LowRank(gaussian, n=2, l=2, rank=2), [[3.0, 0.0], [0.0, 1.0]])
    """
    G = rng.standard_normal((K.n, count))
    C = (K @ G).astype(np.float64, copy=False)
    W = G.T @ C
    factor, L, order = _core.nystrom_factor(C, (W + W.T) / 2)
    r = len(order)
    # Rows for a new point: k(x, .) of all points, times G, then as of any core.
    turned = np.ascontiguousarray(G[:, order])
    B = scipy.linalg.solve_triangular(L[:r], turned.T, lower=True).T if r else turned
    return LowRank(
        *("gaussian", K.n, np.arange(K.n), count, r, True, partial(_pairs, factor)),
        *(factor, K, _Times(B)),
    )


def _pairs(factor):
    """Eigenpairs of ``F F^T``."""
    return _core.leading_pairs(factor, factor.shape[1])[:2]
