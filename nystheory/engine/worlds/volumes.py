"""Landmarks of locally largest volume: no exchange of one increases ``det W``."""

from __future__ import annotations

import numpy as np

from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.matrices import EPS
from nystheory.engine.worlds.quantities import quantity

# An exchange that gains less, relatively, is rounding; one that gains more is not.
TIE, GAIN = 1e-12, 1e-9


def _gains(K, S):
    """By how much each exchange multiplies ``det W``; None where W is nearly singular.

    Of the landmark j for the point i: ``B_ij^2 + E_ii (W^-1)_jj`` with ``B = C W^-1``.
    """
    values, vectors = np.linalg.eigh(K[np.ix_(S, S)])
    if values[0] <= 1e-10 * max(values[-1], np.finfo(float).tiny):
        return None
    inverse = (vectors / values) @ vectors.T
    B = K[:, S] @ inverse
    error = np.diag(K) - (B * K[:, S]).sum(axis=1)
    # A little below zero is rounding; more is a K that is not semidefinite.
    error[(error < 0) & (error > -1e-5 * np.diag(K).max())] = 0
    gains = B**2 + np.outer(error, np.diag(inverse))
    gains[S] = 0
    return gains


def local_maximum_volume(K, landmarks, most: int = 200) -> np.ndarray | None:
    """Landmarks of which none can be exchanged for a larger determinant of W.

    Parameters
    ----------
    K : ndarray (n, n)
        Positive semidefinite.
    landmarks : sequence of int
        Where the search starts; the best exchange is made until none gains.
    most : int
        Exchanges to make at most.

    Returns
    -------
    ndarray (l,) or None
        None where W is singular at the start, or to float64, or the search does
        not end.

    Examples
    --------
    >>> local_maximum_volume(np.diag([1.0, 3, 2]), [0, 2]).tolist()
    [1, 2]
    """
    S = np.array(landmarks)
    for _ in range(most):
        gains = _gains(K, S)
        if gains is None:
            return None
        i, j = np.unravel_index(np.argmax(gains), gains.shape)
        if gains[i, j] <= 1 + 100 * EPS:
            return S
        S[j] = i
    return None


@quantity(
    r"\det W > 0 \text{ and no exchange of one landmark increases } \det W",
    "whether the volume is locally largest",
    SAMPLE,
    unit=None,
)
def locally_largest(i):
    """None where rounding may decide it."""
    if len(set(i.landmarks.tolist())) < i.l:
        return False
    gains = _gains(i.K, i.landmarks)
    if gains is None:
        return False if i.rank_is_clear and i.rank_W < i.l else None
    best = gains.max(initial=0.0)
    return None if TIE < best - 1 < GAIN else bool(best <= 1 + TIE)
