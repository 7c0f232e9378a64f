"""How is the information spread?  Coherence, effective dimension, stable rank.

Leverage scores themselves are in `nystheory.sampling`, which draws by them:
`sampling.leverage_scores` and `sampling.ridge_leverage_scores`.

What needs all of K costs n^3.  The functions that take an approximation instead cost
n l^2 and answer with an interval: the approximation is below K, so what it says is a
bound on one side, and the trace of what it misses gives the other.

Costs are stated for a `kernels.KernelMatrix`; an array is checked first, at n^3 / 3
operations.
"""

from nystheory.coherence._enclosed import (
    Enclosure,
    approximate_effective_dimension,
    approximate_leverage_scores,
    approximate_of_matrix,
    approximate_ridge_scores,
    approximate_stable_rank,
)
from nystheory.coherence._exact import (
    basis_free,
    effective_dimension,
    of_matrix,
    of_vectors,
    stable_rank,
)

__all__ = [
    "Enclosure",
    "approximate_effective_dimension",
    "approximate_leverage_scores",
    "approximate_of_matrix",
    "approximate_ridge_scores",
    "approximate_stable_rank",
    "basis_free",
    "effective_dimension",
    "of_matrix",
    "of_vectors",
    "stable_rank",
]
