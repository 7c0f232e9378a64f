"""Points from features: a linear regression with a ridge."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from scipy import sparse


def regression(F: np.ndarray, X, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """B (k, d) and b (d,) with ``F B + b`` near the points X.

    Minimises ``|F B + b - X|_F^2 + a |B|_F^2``, with a the share alpha of the mean
    eigenvalue of the covariance of the features: X and c X, K and c K behave alike.
    """
    F = F.astype(np.float64, copy=False)
    means = F.mean(axis=0), np.asarray(X.mean(axis=0), dtype=np.float64).ravel()
    centred = F - means[0]
    core = centred.T @ centred
    right = (X.T @ centred).T if sparse.issparse(X) else centred.T @ X
    size = float(np.trace(core))
    if size == 0:  # one point, or copies of one
        return np.zeros(right.shape), means[1]
    core[np.diag_indices_from(core)] += alpha * size / len(core)
    B = scipy.linalg.solve(core, right, assume_a="pos")
    return B, means[1] - means[0] @ B
