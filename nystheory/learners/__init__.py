"""What does the approximation do to the learner?  Kernel methods, exact and cheap.

Each takes points, a kernel matrix, an approximation of one or a feature map through the
same door, and follows scikit-learn's conventions; `FeatureRidge` reads any number of
points once.
"""

from nystheory.learners._components import KernelPCA
from nystheory.learners._falkon import falkon, logistic_falkon
from nystheory.learners._feature_ridge import FeatureRidge
from nystheory.learners._graph import LaplacianRegression
from nystheory.learners._learner import Learner
from nystheory.learners._logistic import KernelLogistic
from nystheory.learners._newton import Minimum, newton
from nystheory.learners._preconditioner import Preconditioner, tolerated_error
from nystheory.learners._process import GaussianProcess
from nystheory.learners._restricted import restricted
from nystheory.learners._ridge import KernelRidge
from nystheory.learners._subspace import SubspaceClassifier
from nystheory.learners._system import (
    NotConverged,
    Solution,
    conjugate_gradients,
)
from nystheory.learners._vectors import KernelSVC, KernelSVR

__all__ = [
    "FeatureRidge",
    "GaussianProcess",
    "KernelLogistic",
    "KernelPCA",
    "KernelRidge",
    "KernelSVC",
    "KernelSVR",
    "LaplacianRegression",
    "Learner",
    "Minimum",
    "NotConverged",
    "Preconditioner",
    "Solution",
    "SubspaceClassifier",
    "conjugate_gradients",
    "falkon",
    "logistic_falkon",
    "newton",
    "restricted",
    "tolerated_error",
]
