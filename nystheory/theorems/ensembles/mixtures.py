"""Several experts from the landmarks of one instance, weights, and their mixture.

The landmarks are cut into at most three parts, one expert each; a repeated landmark
may stand in several.  Weights and ridges ride in ``extra``, so that a search moves
them: any array of numbers is read as a point of the simplex, a positive number, or a
set of columns.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from nystheory import lowrank
from nystheory.kernels import DenseKernel
from nystheory.theorems.instance import EPS, Instance
from nystheory.theorems.quantities import quantity
from nystheory.theorems.subsets import fractions_of

MOST_EXPERTS = 3


def parts(i: Instance) -> list[np.ndarray]:
    """The landmarks of each expert.

    >>> [part.tolist() for part in parts(Instance(np.eye(5), [0, 1, 2, 3], 1))]
    [[0, 1], [2], [3]]
    """
    p = min(i.l, MOST_EXPERTS)
    size, more = divmod(i.l, p)
    ends = [(r + 1) * size + min(r + 1, more) for r in range(p)]
    return [i.landmarks[a:b] for a, b in zip([0, *ends], ends, strict=False)]


@lru_cache(maxsize=256)
def package_experts(i: Instance) -> tuple[lowrank.LowRank, ...]:
    """The experts by the package's route."""
    K = DenseKernel(i.K)
    made = (lowrank.nystrom(K, part, min(i.k, len(part))) for part in parts(i))
    return tuple(made)


@lru_cache(maxsize=256)
def factors(i: Instance) -> list[np.ndarray]:
    """``F_r = X.T U_r`` with ``F_r F_r.T`` the experts: nothing is inverted."""
    made = []
    for part in parts(i):
        X_S = i.points[:, part]
        U, s, _ = np.linalg.svd(X_S, full_matrices=False)
        keep = s[: i.k] > max(X_S.shape) * EPS * s[0]
        made.append(i.points.T @ U[:, : i.k][:, keep])
    return made


@lru_cache(maxsize=256)
def experts(i: Instance) -> np.ndarray:
    """The experts as projections ``X.T P_r X``, (p, n, n)."""
    return np.array([F @ F.T for F in factors(i)])


@lru_cache(maxsize=256)
def condition(i: Instance) -> float:
    """Amplification of rounding in the least certain expert."""
    alone = (i.but(landmarks=part, rank=min(i.k, len(part))) for part in parts(i))
    return max(each.condition for each in alone)


def mix(weights, matrices) -> np.ndarray:
    """``sum_r mu_r M_r``."""
    return np.tensordot(weights, matrices, 1)


def on_simplex(numbers) -> np.ndarray:
    """Shares of the absolute values: a point of the simplex from any numbers.

    >>> on_simplex([3.0, -1.0]).tolist(), on_simplex([0.0, 0.0]).tolist()
    ([0.75, 0.25], [0.5, 0.5])
    """
    sizes = np.abs(np.asarray(numbers, dtype=float))
    if not sizes.max() > 0:
        return np.full(len(sizes), 1 / len(sizes))
    sizes = sizes / sizes.max()
    return sizes / sizes.sum()


def weights(i: Instance) -> np.ndarray:
    """Mixture weights of the instance; uniform if it brings none."""
    return on_simplex(i.extra.get("mu", np.ones(len(parts(i)))))


def signed(i: Instance) -> np.ndarray:
    """The weights as given, of any sign."""
    return np.asarray(i.extra["mu"], dtype=float)


def with_weights(i: Instance, rng) -> Instance:
    """Uniform weights, one expert alone, or anything between."""
    p = len(parts(i))
    kind = rng.integers(3)
    if kind == 0:
        return i.but(mu=np.ones(p))
    return i.but(mu=np.eye(p)[0] if kind == 1 else rng.dirichlet(np.ones(p)))


def number(i: Instance, name: str, default: float) -> float:
    """A number that rides in ``extra``, as an array of one entry or as it is."""
    return float(np.ravel(i.extra.get(name, default))[0])


def columns(i: Instance) -> np.ndarray:
    """The validation columns: where ``extra["V"]`` is positive, at least one."""
    scores = i.extra.get("V", np.ones(i.n))
    return np.flatnonzero(scores > 0) if (scores > 0).any() else scores.argmax()[None]


def norms(symmetric) -> np.ndarray:
    """Frobenius, spectral and trace norm, largest entry, largest row sum."""
    size = np.abs(np.linalg.eigvalsh(symmetric))
    entries = np.abs(symmetric)
    return np.array(
        [
            np.linalg.norm(size),
            size.max(),
            size.sum(),
            entries.max(),
            entries.sum(axis=1).max(),
        ]
    )


@lru_cache(maxsize=256)
def expert_errors(i: Instance) -> np.ndarray:
    """Errors of the experts, (p, 5), in the norms of `norms`."""
    return np.array([norms(i.K - expert) for expert in experts(i)])


@lru_cache(maxsize=256)
def mixture_errors(i: Instance) -> np.ndarray:
    """Errors of the mixture, (5,), in the norms of `norms`."""
    return norms(i.K - mix(weights(i), experts(i)))


quantity("p", "p", "number of experts")(lambda i: len(parts(i)))


@quantity(
    "mean_error_F",
    r"\textstyle\sum_r\mu_r\|K-\tilde K_r\|_F",
    "weighted mean of the Frobenius errors of the experts; equal weights if not given",
    of_sample=True,
)
def mean_error_F(i: Instance) -> float:
    return float(weights(i) @ expert_errors(i)[:, 0])


# --- the same in exact fractions --------------------------------------------------


def exact_experts(i: Instance) -> list[np.ndarray]:
    """The experts of full rank as exact fractions: columns are eliminated in turn."""
    K = fractions_of(i.K)
    made = []
    for part in parts(i):
        left = K
        for j in part:
            if left[j, j] > 0:
                left = left - np.outer(left[:, j], left[j]) / left[j, j]
        made.append(K - left)
    return made


def pivots(matrix) -> list | None:
    """Non-zero pivots of a semidefinite matrix of fractions, None if it is not one.

    >>> len(pivots(fractions_of([[1, 1], [1, 1]]))), pivots(fractions_of([[-1]]))
    (1, None)
    """
    found = []
    for j in range(len(matrix)):
        pivot = matrix[j, j]
        if pivot < 0 or (pivot == 0 and any(matrix[j] != 0)):
            return None
        if pivot > 0:
            found.append(pivot)
            matrix = matrix - np.outer(matrix[:, j], matrix[j]) / pivot
    return found
