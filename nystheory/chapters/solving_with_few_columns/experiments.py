"""A Gaussian process on a line, with all points and with inducing points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nystheory import kernels, lowrank, sampling
from nystheory.learners import GaussianProcess


@dataclass(frozen=True, eq=False)
class Line:
    """What is predicted on a line, with all points and with inducing points.

    Attributes
    ----------
    x, y : ndarray (n,)
        Points and observations.
    landmarks : ndarray (l,)
        Indices.
    places : ndarray (m,)
        Where it is predicted.
    exact, near : (ndarray, ndarray)
        Mean and standard deviation, (m,) each.
    mixed : ndarray (m,)
        The variance with the approximate inverse and the true kernel.
    gap_2, noise : float
        The norm of the error, and the variance of the noise.
    reach : ndarray (m,)
        How far the means may be apart at most.
    """

    x: np.ndarray
    y: np.ndarray
    landmarks: np.ndarray
    places: np.ndarray
    exact: tuple[np.ndarray, np.ndarray]
    near: tuple[np.ndarray, np.ndarray]
    mixed: np.ndarray
    gap_2: float
    noise: float
    reach: np.ndarray


def line(n: int, count: int, noise: float, seed: int = 0) -> Line:
    """Observations of a wave with a hole in the middle.

    Parameters
    ----------
    n, count : int
        Points and landmarks.
    noise : float
        Variance.
    seed : int

    Examples
    --------
    >>> found = line(30, 5, 0.1)
    >>> bool((abs(found.exact[0] - found.near[0]) <= found.reach).all())
    True
    """
    rng = np.random.default_rng(seed)
    x = np.sort(np.r_[rng.uniform(0, 4, n // 2), rng.uniform(6, 10, n - n // 2)])
    y = np.sin(x) + np.sqrt(noise) * rng.standard_normal(n)
    K = kernels.rbf(x[:, None], 2.0)
    S = sampling.rp_cholesky(K, count, rng).indices
    near = lowrank.nystrom(K, S)
    places = np.linspace(-1, 11, 241)
    exact, rough = (
        GaussianProcess(noise, method=method).fit(X, y).predict(places[:, None], True)
        for method, X in (("exact", K), ("inducing", near))
    )
    rows = K.between(places[:, None], np.arange(n))
    mixed = 1 - (rows * near.solve(rows.T, noise).T).sum(axis=1)
    gap = near.error(K, "spectral")
    fit = y @ near.solve(y, noise) - y @ np.linalg.solve(
        K.dense() + noise * np.eye(n), y
    )
    reach = exact[1] * np.sqrt(max(fit, 0.0))
    return Line(x, y, S, places, exact, rough, mixed, gap, noise, reach)
