"""Chapter 11: one approximation, computed in four ways in floating point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.linalg

from nystheory import kernels, lowrank

FORMED = "$W^+$ formed"
SOLVED = "least squares with $W$"
SHIFTED = "Cholesky with a shift"
PACKAGE = "the package"
EPS = np.finfo(float).eps


def line(n: int = 400, gamma: float = 3.0) -> kernels.DenseKernel:
    """The Gaussian kernel of n points on a line from -1 to 1.

    Examples
    --------
    >>> line(3).shape
    (3, 3)
    """
    points = np.linspace(-1, 1, n)[:, None]
    return kernels.DenseKernel(kernels.rbf(points, gamma).dense())


def _formed(C, W):
    return C @ np.linalg.pinv(W) @ C.T


def _solved(C, W):
    return C @ np.linalg.lstsq(W, C.T, rcond=None)[0]


def _shifted(C, W):
    shift = len(C) * EPS * np.linalg.norm(W, 2)
    L = np.linalg.cholesky(W + shift * np.eye(len(W)))
    F = scipy.linalg.solve_triangular(L, C.T, lower=True).T
    return F @ F.T


def rounding(
    K, counts: Sequence[int], draws: int = 5, seed: int = 0
) -> dict[str, np.ndarray]:
    """Relative spectral errors of four computations, medians over uniform samples.

    Parameters
    ----------
    K : DenseKernel (n, n)
    counts : sequence of int, length m
        Numbers of landmarks.
    draws : int
    seed : int

    Returns
    -------
    dict of str to ndarray (m,)

    Examples
    --------
    >>> errors = rounding(line(50), [3, 30], draws=3)
    >>> bool(errors[PACKAGE][1] < 1e-12 < errors[FORMED][1])
    True
    """
    rng, K_ = np.random.default_rng(seed), K.dense()
    size = np.linalg.norm(K_, 2)
    ways = {FORMED: _formed, SOLVED: _solved, SHIFTED: _shifted}
    errors = {name: np.empty((len(counts), draws)) for name in (*ways, PACKAGE)}
    for row, count in enumerate(counts):
        for draw in range(draws):
            S = rng.choice(len(K_), count, replace=False)
            C, W = K_[:, S], K_[np.ix_(S, S)]
            made = {name: way(C, W) for name, way in ways.items()}
            made[PACKAGE] = lowrank.nystrom(K, S).spectral_reconstruction()
            for name, near in made.items():
                errors[name][row, draw] = np.linalg.norm(K_ - near, 2) / size
    return {name: np.median(each, axis=1) for name, each in errors.items()}
