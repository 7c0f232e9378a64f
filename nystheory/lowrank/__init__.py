"""What do the columns say of K?  Low-rank approximations from sampled columns.

Notation of A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
thesis, New York University, 2010, chapter 2, which equation numbers refer to:
C is the n x l matrix of sampled columns, W its l rows at the landmarks.

Costs are stated for a `kernels.KernelMatrix`; an array is checked first, at n^3 / 3
operations.
"""

from nystheory.lowrank._approximation import LowRank, best_rank_k
from nystheory.lowrank._factored import Factored
from nystheory.lowrank._sampled import (
    column_sampling,
    from_factor,
    nystrom,
    optimal_reconstruction,
    orthonormal_nystrom,
)

__all__ = [
    "Factored",
    "LowRank",
    "best_rank_k",
    "column_sampling",
    "from_factor",
    "nystrom",
    "optimal_reconstruction",
    "orthonormal_nystrom",
]
