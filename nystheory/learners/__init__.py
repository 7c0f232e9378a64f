"""What does the approximation do to the learner?  Kernel methods, exact and cheap.

Each takes points, a kernel matrix or an approximation of one through the same door, and
follows scikit-learn's conventions.
"""

from nystheory.learners._learner import Learner

__all__ = ["Learner"]
