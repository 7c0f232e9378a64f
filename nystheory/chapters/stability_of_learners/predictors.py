"""Which kernel predicts: all points, features of an approximation, true rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nystheory import kernels, lowrank, sampling
from nystheory.learners import KernelRidge


@dataclass(frozen=True, eq=False)
class Learned:
    """What predictors learn from, and what their ridges are chosen by.

    Attributes
    ----------
    K : DenseKernel (n, n)
    near : LowRank
        From uniform columns.
    y : ndarray (n,)
    aside : Judged
        Points that are set aside to choose with.
    """

    K: kernels.DenseKernel
    near: lowrank.LowRank
    y: np.ndarray
    aside: Judged


@dataclass(frozen=True, eq=False)
class Judged:
    """Points at which predictions are judged.

    Attributes
    ----------
    across : ndarray (m, n)
        Kernel values between these points and those that were learned from.
    y : ndarray (m,)
    """

    across: np.ndarray
    y: np.ndarray


def in_fifths(
    X: np.ndarray, y: np.ndarray, gamma: float, rng, share: float = 0.2
) -> tuple[Learned, Judged]:
    """Three fifths to learn from, a fifth to choose ridges with, a fifth to judge by.

    Parameters
    ----------
    X, y : ndarray (n, d), (n,)
    gamma : float
        Of the Gaussian kernel.
    rng : numpy.random.Generator
    share : float
        Of the columns, which are uniform.

    Examples
    --------
    >>> from nystheory import datasets
    >>> rng = np.random.default_rng(0)
    >>> arm = datasets.robot_arm(50, rng)
    >>> known, judged = in_fifths(arm.X, arm.y, 0.1, rng)
    >>> known.K.n, known.aside.across.shape, judged.across.shape
    (30, (10, 30), (10, 30))
    """
    order = rng.permutation(len(X))
    learn, choose, judge = np.split(order, np.array([3, 4]) * len(order) // 5)
    y, whole = y - y[learn].mean(), kernels.rbf(X, gamma=gamma).dense()
    K = kernels.DenseKernel(whole[np.ix_(learn, learn)])
    near = lowrank.nystrom(K, sampling.uniform(K, round(share * K.n), rng))
    aside, judged = (Judged(whole[np.ix_(x, learn)], y[x]) for x in (choose, judge))
    return Learned(K, near, y[learn], aside), judged


def ridges(known: Learned) -> np.ndarray:
    """Those that are tried: powers of 4 times the number of points."""
    return known.K.n * 4.0 ** np.arange(-9, 3)


def share_explained(method: str, ridge: float, known: Learned, judged: Judged) -> float:
    """The share of the variance of labels that a predictor explains.

    Parameters
    ----------
    method : str
        As in `KernelRidge`: all points with "exact", features of the approximation
        with "regressors", true rows with "nystrom".
    ridge : float
    known : Learned
    judged : Judged

    Examples
    --------
    >>> from nystheory import datasets
    >>> rng = np.random.default_rng(0)
    >>> arm = datasets.robot_arm(200, rng)
    >>> known, judged = in_fifths(arm.X, arm.y, 0.1, rng)
    >>> 0 < share_explained("exact", 0.1, known, judged) < 1
    True
    """
    matrix = known.K if method == "exact" else known.near
    learner = KernelRidge(ridge, method=method).fit(matrix, known.y)
    across = judged.across
    if learner.regressors_ is not None:
        across = across[:, learner.regressors_]
    missed = across @ learner.dual_coef_ - judged.y
    return float(1 - np.mean(missed**2) / np.var(judged.y))
