"""What does the approximation do to the learner?  Kernel methods, exact and cheap.

Each takes points, a kernel matrix or an approximation of one through the same door, and
follows scikit-learn's conventions.
"""

from nystheory.learners._learner import Learner
from nystheory.learners._restricted import restricted
from nystheory.learners._ridge import KernelRidge
from nystheory.learners._system import (
    NotConverged,
    Preconditioner,
    Solution,
    conjugate_gradients,
    tolerated_error,
)

__all__ = [
    "KernelRidge",
    "Learner",
    "NotConverged",
    "Preconditioner",
    "Solution",
    "conjugate_gradients",
    "restricted",
    "tolerated_error",
]
