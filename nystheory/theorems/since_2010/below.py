"""Every matrix between 0 and K: what statements about ``0 <= B <= K`` are tried on.

They are the ``X.T M X`` with ``0 <= M <= I``.  An instance brings M along as a matrix
G, ``M = G (I + G.T G)^-1 G.T``: every M with eigenvalues below 1, and of the rank of
G.  Those with an eigenvalue 1, the Nyström approximations, are limits.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from nystheory.theorems.instance import Instance


def has_competitor(i: Instance) -> bool:
    """Whether the instance brings a matrix between 0 and K along."""
    return "G" in i.extra


def with_competitor(i: Instance, rng, columns: int) -> Instance:
    """The instance with a G of so many columns, near the best directions or any."""
    G = rng.standard_normal((len(i.points), columns)) * 10.0 ** rng.uniform(-1, 2)
    if rng.random() < 0.5:
        # Near the best directions, where bounds are sharp.
        best = scipy.linalg.svd(i.points, full_matrices=False)[0][:, :columns]
        G[:, : best.shape[1]] = 10 * best + 0.1 * G[:, : best.shape[1]]
    return i.but(G=G)


def _weights(i: Instance) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvectors and eigenvalues of M."""
    U, s, _ = scipy.linalg.svd(i.extra["G"], full_matrices=False)
    return U, s**2 / (1 + s**2)


def competitor(i: Instance, full: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues, largest first, and eigenvectors of ``B = X.T M X``.

    As many as G has columns; all n, zeros included, if `full`.
    """
    U, weights = _weights(i)
    half = np.sqrt(weights)[:, None] * (U.T @ i.points)
    _, s, Vt = scipy.linalg.svd(half, full_matrices=full)
    values = np.zeros(len(Vt))
    values[: len(s)] = s**2
    return values, Vt.T


def left_by_competitor(i: Instance) -> np.ndarray:
    """R with ``K - B = R.T R``, so that a small difference has its digits."""
    U, weights = _weights(i)
    held_back = (1 - np.sqrt(1 - weights))[:, None] * (U.T @ i.points)
    return i.points - U @ held_back


def competitor_gap(i: Instance) -> float:
    """Trace of ``K - B``."""
    return float(np.linalg.norm(left_by_competitor(i)) ** 2)


def competitor_error(i: Instance) -> float:
    """Spectral norm of ``K - B``."""
    return float(np.linalg.norm(left_by_competitor(i), 2) ** 2)
