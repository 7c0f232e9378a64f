"""Points, kernels and the formula, for the tests of features."""

import numpy as np
from sklearn.metrics.pairwise import pairwise_kernels

rng = np.random.default_rng(11)
X = rng.normal(size=(150, 5))
NEW = rng.normal(size=(40, 5))
SOME = [3, 140, 17, 60, 99, 5, 72, 31]

# Parameters by kernel, of few digits lost.
KERNELS = {
    "rbf": {"gamma": 0.3},
    "linear": {},
    "laplacian": {"gamma": 0.2},
    "polynomial": {"degree": 2, "gamma": 0.5, "coef0": 1.0},
    "cosine": {},
}


def formula(left, right, at, kernel, **params):
    """``k(X, S) W^+ k(S, Y)``, by a pseudoinverse."""

    def k(A, B):
        return pairwise_kernels(A, B, metric=kernel, **params)

    core = np.linalg.pinv(k(at, at), rcond=1e-12, hermitian=True)
    return k(left, at) @ core @ k(at, right)


def gram(F, G=None):
    return F @ (F if G is None else G).T
