"""All methods by name, the norms as numpy has them, and awkward matrices."""

import numpy as np
import scipy.linalg
from hypothesis import strategies as st

from nystheory import kernels, lowrank

SAMPLED = {
    "nystrom": lowrank.nystrom,
    "nystrom, truncated after": lambda K, S, k=None: lowrank.nystrom(
        K, S, k, truncate="approximation"
    ),
    "column_sampling": lowrank.column_sampling,
    "orthonormal_nystrom": lowrank.orthonormal_nystrom,
    "optimal_reconstruction": lowrank.optimal_reconstruction,
}
METHODS = {"best": lambda K, S, k=None: lowrank.best_rank_k(K, k or len(S)), **SAMPLED}
NORMS = {
    "spectral": lambda E: np.linalg.norm(E, 2),
    "frobenius": np.linalg.norm,
    "trace": lambda E: np.linalg.norm(E, "nuc"),
}
OF = ("spectral_reconstruction", "matrix_projection")

# A matrix and landmarks by name.
AWKWARD = {
    "one point": (np.array([[3.0]]), [0]),
    "one landmark": (np.array([[2.0, 1.0], [1.0, 1.0]]), [1]),
    "all landmarks": (np.diag([3.0, 2.0, 1.0]) + 1, [2, 0, 1]),
    "zero": (np.zeros((4, 4)), [1, 2]),
    "zero core": (np.diag([1.0, 0.0, 0.0]), [1, 2]),
    "repeated landmarks": (np.diag([3.0, 2.0, 1.0]) + 1, [0, 0, 1, 0]),
    "repeated points": (np.kron(np.diag([2.0, 1.0]) + 1, np.ones((3, 3))), [0, 1, 4]),
    "singular core": (scipy.linalg.block_diag(np.ones((3, 3)), np.eye(2)), [0, 1]),
    "coherent": (np.diag([1.0, 1.0, 0, 0, 0]), [0, 3]),
    "graded": (np.diag(10.0 ** -np.arange(0, 30, 3.0)), [0, 1, 2, 3, 4]),
    "tiny": (1e-140 * (np.eye(3) + 1), [0, 1]),
}


def an_instance(n=40, d=5, n_landmarks=9, seed=0):
    rng = np.random.default_rng(seed)
    K = kernels.rbf(rng.standard_normal((n, d)))
    return K, K.dense(), rng.choice(n, n_landmarks, replace=False)


@st.composite
def small_instances(draw):
    """A matrix of small integers with landmarks (repetitions allowed) and a rank."""
    n = draw(st.integers(1, 7))
    rows = draw(st.integers(1, 5))
    entries = st.integers(-2, 2)
    X = draw(st.lists(entries, min_size=n * rows, max_size=n * rows))
    X = np.array(X, dtype=float).reshape(n, rows)
    landmarks = draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=n))
    return X @ X.T, landmarks, draw(st.integers(1, len(landmarks)))
