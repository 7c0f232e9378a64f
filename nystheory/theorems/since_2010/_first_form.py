"""What the results that are not yet lines still use."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import scipy.linalg

from nystheory import lowrank
from nystheory.theorems.base import Hypothesis
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import QUANTITIES, quantity
from nystheory.theorems.routes import full_rank

# --- The error, by two routes -----------------------------------------------------

# One comparison asks for the same decomposition several times.
_remembered = lru_cache(maxsize=4)


@_remembered
def approximation(i: Instance) -> lowrank.LowRank:
    """The full Nyström approximation, k = l."""
    return lowrank.nystrom(i.K, i.landmarks)


@_remembered
def residual(i: Instance) -> np.ndarray:
    """``E = K - C W^+ C.T`` by the package's approximation, (n, n)."""
    return i.K - approximation(i).spectral_reconstruction()


@_remembered
def missed_points(i: Instance) -> np.ndarray:
    """The points less their projection on the landmarks, R with ``E = R.T R``.

    Nothing cancels here: a small error is found to as many digits as a large one.
    """
    U = i.svd_X_S[0]
    return i.points - U @ (U.T @ i.points)


@_remembered
def error_eigenvalues(i: Instance) -> np.ndarray:
    """Eigenvalues of E, largest first, as squares of singular values."""
    return scipy.linalg.svdvals(missed_points(i)) ** 2


@_remembered
def factor_eigen(i: Instance) -> tuple[np.ndarray, np.ndarray]:
    """All n eigenvalues of the approximation, largest first, and eigenvectors."""
    F = approximation(i).factor
    U, s, _ = scipy.linalg.svd(F, full_matrices=True)
    values = np.zeros(i.n)
    values[: len(s)] = s**2
    return values, U


@_remembered
def condition_of_error(i: Instance) -> float:
    """How rounding in W is amplified in the full approximation."""
    return full_rank(i).condition


trace_E = quantity(
    "trace_E",
    r"\operatorname{tr}E",
    "trace of the error of the full approximation",
    of_sample=True,
)(lambda i: float(error_eigenvalues(i).sum()))
norm_E = quantity(
    "norm_E",
    r"\|E\|_2",
    "spectral norm of the error of the full approximation",
    of_sample=True,
)(lambda i: float(error_eigenvalues(i)[0]))
factor_F = quantity(
    "factor_F", r"\|F\|_F", "Frobenius norm of the factor, K~ = F F^T", of_sample=True
)(lambda i: float(np.linalg.norm(approximation(i).factor)))


def _gap(i: Instance) -> float:
    values = np.append(factor_eigen(i)[0], 0.0)
    return float(values[i.k - 1] - values[i.k])


approximate_gap = quantity(
    "approximate_gap",
    r"\tilde\lambda_k-\tilde\lambda_{k+1}",
    "gap of the eigenvalues of the approximation after the k-th",
    of_sample=True,
)(_gap)


def shift(i: Instance) -> float:
    """The ridge of an instance; 1 where it carries none."""
    return QUANTITIES["alpha"].measure(i)


POSITIVE_RIDGE = Hypothesis(
    r"$\alpha > 0$", ("alpha",), lambda alpha: alpha > 0, domain=True
)


def variance(i: Instance) -> float:
    """The noise that an instance carries; 1 where it carries none."""
    return float(i.extra.get("noise", 1.0))
