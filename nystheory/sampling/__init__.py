"""Which columns?  Schemes that choose landmarks, all with one signature.

``scheme(K, n_landmarks, rng, **options) -> Landmarks``; `SCHEMES` has them by name.
"""

from nystheory.sampling._adaptive import (
    adaptive_full,
    adaptive_partial,
    update_probability_full,
    update_probability_partial,
)
from nystheory.sampling._costs import Costly
from nystheory.sampling._determinantal import dpp, k_dpp, log_elementary, volume
from nystheory.sampling._driven import criterion_driven, update_probability_criterion
from nystheory.sampling._estimated_leverage import bless, recursive_rls
from nystheory.sampling._fixed import column_norm, diagonal, uniform, user
from nystheory.sampling._greedy import (
    farthest_point,
    incomplete_cholesky,
    kmeans,
    sgma,
)
from nystheory.sampling._landmarks import FewerLandmarks, Landmarks, as_indices
from nystheory.sampling._leverage import (
    leverage,
    leverage_scores,
    ridge_leverage,
    ridge_leverage_scores,
)
from nystheory.sampling._pivoted import rp_cholesky
from nystheory.sampling._schemes import SCHEMES

__all__ = [
    "SCHEMES",
    "Costly",
    "FewerLandmarks",
    "Landmarks",
    "adaptive_full",
    "adaptive_partial",
    "as_indices",
    "bless",
    "column_norm",
    "criterion_driven",
    "diagonal",
    "dpp",
    "farthest_point",
    "incomplete_cholesky",
    "k_dpp",
    "kmeans",
    "leverage",
    "leverage_scores",
    "log_elementary",
    "recursive_rls",
    "ridge_leverage",
    "ridge_leverage_scores",
    "rp_cholesky",
    "sgma",
    "uniform",
    "update_probability_criterion",
    "update_probability_full",
    "update_probability_partial",
    "user",
    "volume",
]
