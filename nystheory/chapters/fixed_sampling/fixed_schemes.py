"""The matrices of the comparison, and the accuracy that is compared."""

from __future__ import annotations

from copy import copy

import numpy as np

from nystheory import datasets, kernels, lowrank

# For 1000 points and rank 25: the largest multiple of 0.001 for which the 25 leading
# eigenvalues hold 90 percent of the trace.
GAMMAS = {"digits": 0.061, "patches": 0.048}


def matrices(n: int = 1000) -> dict[str, kernels.DenseKernel]:
    """Digits and patches of photographs, centred, with a linear and an RBF kernel.

    Parameters
    ----------
    n : int
        Number of points, at most 1797.

    Returns
    -------
    dict of str to DenseKernel

    Examples
    --------
    >>> list(matrices(20))
    ['digits, linear', 'digits, RBF', 'patches, linear', 'patches, RBF']
    """
    order = np.random.default_rng(0).permutation(len(datasets.digits().X))
    points = {
        "digits": datasets.digits().X[order[:n]],
        "patches": datasets.patches(n, 16).X,
    }
    found = {}
    for name, X in points.items():
        X = X - X.mean(axis=0)
        found[f"{name}, linear"] = kernels.DenseKernel(X @ X.T)
        rbf = kernels.rbf(X, GAMMAS[name])
        found[f"{name}, RBF"] = kernels.DenseKernel(rbf.dense())
    return found


def energy(best: lowrank.LowRank, K) -> float:
    """The share of the trace of K that its leading eigenvalues hold.

    Examples
    --------
    >>> K = kernels.DenseKernel(np.diag([3.0, 1.0]))
    >>> energy(lowrank.best_rank_k(K, 1), K)
    0.75
    """
    return float(best.eigenvalues.sum() / K.diagonal().sum())


# ---- accuracies ----


class Accuracy:
    """Relative accuracy of many Nyström approximations of one matrix.

    The squared error is ``|K|^2 - 2 <KF, F> + |F'F|^2``, which stores nothing of
    size n^2; good to about eps |K|^2, far below the errors of low rank met here.

    Parameters
    ----------
    K : KernelMatrix (n, n)
    rank : int
    truncate : {"core", "approximation"}
        As for `lowrank.nystrom`.

    Examples
    --------
    >>> K = kernels.DenseKernel(np.diag([3.0, 1.0]))
    >>> round(Accuracy(K, 1)([1]), 12) == round(1 / 3, 12)
    True
    """

    def __init__(self, K, rank: int, truncate: str = "core"):
        self.K, self.rank, self.truncate = K, rank, truncate
        self.best = lowrank.best_rank_k(K, rank)
        self._least = self.best.error(K)
        self._square = float((K.dense() ** 2).sum())

    def cut(self, truncate: str) -> Accuracy:
        """The same matrix and rank, with the rank cut in another way."""
        other = copy(self)
        other.truncate = truncate
        return other

    def __call__(self, S) -> float:
        return self.of(lowrank.nystrom(self.K, S, self.rank, self.truncate).factor)

    def of(self, F: np.ndarray) -> float:
        """The relative accuracy of ``F F'``, F (n, k)."""
        fit = float(((self.K @ F) * F).sum())
        square = self._square - 2 * fit + float(((F.T @ F) ** 2).sum())
        return self._least / float(np.sqrt(square))
