"""What do several samples say together?  Mixtures of Nyström approximations.

Section 4.3 of A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
thesis, New York University, 2010, which equation numbers refer to.

Costs are stated for a `kernels.KernelMatrix`; an array is checked first, at n^3 / 3
operations.
"""

from nystheory.ensemble._combine import combine
from nystheory.ensemble._experts import best_learner, experts, mean_error, samples
from nystheory.ensemble._mixture import Ensemble
from nystheory.ensemble._validation import Validation, normal_equations, validate
from nystheory.ensemble._weights import (
    WEIGHTS,
    choose_weights,
    exponential_weights,
    nonnegative_weights,
    ridge_weights,
    uniform_weights,
)

__all__ = [
    "WEIGHTS",
    "Ensemble",
    "Validation",
    "best_learner",
    "choose_weights",
    "combine",
    "experts",
    "exponential_weights",
    "mean_error",
    "nonnegative_weights",
    "normal_equations",
    "ridge_weights",
    "samples",
    "uniform_weights",
    "validate",
]
