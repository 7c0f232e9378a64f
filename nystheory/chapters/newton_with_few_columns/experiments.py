"""Two similar digits, for the thesis's Figure 3.8 on data that need no download."""

from __future__ import annotations

import numpy as np

from nystheory import datasets, kernels

# A limit of an interval is wrong with this probability: two make 95 percent.
LEVEL = 0.025


# ---- two digits ----


def two_digits(first: int = 3, second: int = 8) -> tuple[np.ndarray, np.ndarray]:
    """The images of two digits, and the label 1 for the second.

    Returns
    -------
    X : ndarray (n, 64)
    y : ndarray (n,)

    Examples
    --------
    >>> X, y = two_digits()
    >>> X.shape, int(y.sum())
    ((357, 64), 174)
    """
    data = datasets.digits()
    kept = np.isin(data.y, (first, second))
    return data.X[kept], (data.y[kept] == second).astype(float)


def gram(X: np.ndarray, gamma: float | None) -> np.ndarray:
    """The Gaussian kernel, or without `gamma` the linear one with mean diagonal 1.

    Examples
    --------
    >>> gram(np.array([[1.0], [3.0]]), None).tolist()
    [[0.2, 0.6], [0.6, 1.8]]
    """
    if gamma is not None:
        return kernels.rbf(X, gamma).dense()
    K = kernels.linear(X).dense()
    return K / np.diag(K).mean()


def right(rows, w, y) -> float:
    """The share of the labels that the signs of the scores tell.

    Examples
    --------
    >>> right(np.eye(2), np.array([1.0, -1.0]), np.array([1, 1]))
    0.5
    """
    return float(np.mean((rows @ w > 0) == (y == 1)))


def order(n: int, seed: int) -> np.ndarray:
    """The points in the order of a split; the first of them are for training.

    Examples
    --------
    >>> sorted(order(3, seed=0).tolist())
    [0, 1, 2]
    """
    return np.random.default_rng(seed).permutation(n)
