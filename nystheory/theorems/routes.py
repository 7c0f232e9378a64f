"""The approximations of part I by the package's route and by the textbook's.

A check compares two routes to one thing; both are here, apart from each other.
Also the scales and thresholds that the theorems of the part share.
"""

from __future__ import annotations

import numpy as np

from nystheory import lowrank
from nystheory.theorems.base import Hypothesis
from nystheory.theorems.instance import Instance, truncated_inverse

RANK_IN_RANGE = Hypothesis(
    r"$1 \le k \le l$",
    ("k", "l"),
    lambda k, l: 1 <= k <= l,  # noqa: E741
)


def nystrom(i: Instance) -> np.ndarray:
    """The Nyström approximation by the package's route, (n, n)."""
    return lowrank.nystrom(i.K, i.landmarks, i.k).spectral_reconstruction()


def textbook_nystrom(K, landmarks, rank) -> np.ndarray:
    """``C W_k^+ C.T`` by the eigenvalues of W, as (2.2) is written."""
    C = K[:, landmarks]
    return C @ truncated_inverse(C[landmarks], rank) @ C.T


def projected(i: Instance) -> np.ndarray:
    """``X.T P X``, P the projector on the k leading directions of the sample."""
    U = i.svd_X_S[0][:, : i.k]
    half = U.T @ i.points
    return half.T @ half


def full_rank(i: Instance) -> Instance:
    """The same columns with k = l."""
    return i.but(rank=i.l)


def one(_) -> float:
    """Scale of claims about numbers without a unit."""
    return 1.0


def small(matrix, scale: float, zero=1e-9, clear=1e-7) -> bool | None:
    """Whether a matrix is zero; None between rounding and a clear no.

    Zero means below ``zero * scale``, not zero above ``clear * scale``.  The defaults
    suit instances on which no rank is hidden below ``1e-6``.
    """
    size = float(np.linalg.norm(matrix))
    if size <= zero * scale:
        return True
    return False if size >= clear * scale else None
