"""How to invert the core: several recipes, and what each of them loses."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import scipy.linalg

from nystheory import kernels, lowrank


def _by_cholesky(C, W):
    factor = np.linalg.cholesky(W)
    half = scipy.linalg.solve_triangular(factor, C.T, lower=True)
    return half.T @ half


def _by_clipping(C, W):
    U, s, Vt = np.linalg.svd(W)
    half = C @ (U / np.sqrt(np.maximum(s, 1e-12)) @ Vt).T
    return half @ half.T


INVERSES: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "Cholesky": _by_cholesky,
    "`pinv`, default cut": lambda C, W: C @ np.linalg.pinv(W) @ C.T,
    "singular values at least $10^{-12}$": _by_clipping,
    "add $10^{-8} I$, then Cholesky": lambda C, W: _by_cholesky(
        C, W + 1e-8 * np.eye(len(W))
    ),
}


def inversion_errors(K: np.ndarray, landmarks: Sequence[int]) -> dict[str, float]:
    """Relative spectral error of ``C W^+ C'`` by several ways to invert W.

    Parameters
    ----------
    K : ndarray (n, n)
    landmarks : sequence of int

    Returns
    -------
    dict of str to float
        By the names of `INVERSES`, and "this package" for `lowrank.nystrom`;
        infinite where the factorisation fails.

    Examples
    --------
    >>> errors = inversion_errors(np.ones((3, 3)), [0, 0])
    >>> errors["Cholesky"], errors["this package"] < 1e-14
    (inf, True)
    """
    K = np.asarray(K, dtype=float)
    C = K[:, landmarks]
    made = lowrank.nystrom(kernels.DenseKernel(K), landmarks)
    approximations = {
        name: _tried(way, C, C[landmarks]) for name, way in INVERSES.items()
    }
    approximations["this package"] = made.spectral_reconstruction()
    size = _norm(K)
    return {name: _norm(K - made) / size for name, made in approximations.items()}


def _tried(way, C, W):
    try:
        return way(C, W)
    except np.linalg.LinAlgError:
        return np.inf


def _norm(matrix):
    return float(np.linalg.norm(matrix, 2)) if np.isfinite(matrix).all() else np.inf


def right_digits(error: float) -> float:
    """The decimal digits that are right where the relative error is this.

    Parameters
    ----------
    error : float
        Infinite where nothing was computed: no digit is right.

    Examples
    --------
    >>> right_digits(0.01), right_digits(np.inf), right_digits(2.0)
    (2.0, 0.0, 0.0)
    """
    return float(max(0.0, -np.log10(error)))


def inverted(drawn, rng) -> tuple[list, None]:
    """The errors of all recipes, in either unit."""
    K, S = drawn
    return [inversion_errors(unit * K, S) for unit in (1, 1e-8)], None


def of_recipe(trial) -> dict:
    """How many digits a recipe gets right."""
    right, small = (right_digits(x[trial.run]) for x in trial.known)
    return {"right": right, "small": small}
