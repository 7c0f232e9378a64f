"""Kernel matrices of which every draw is another one."""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory import datasets, kernels
from nystheory.engine.findings import schemes
from nystheory.engine.findings.experiments import uneven_clusters
from nystheory.engine.findings.held_out import Points

# In the figure 400 points have clusters of 280, 80, 30 and 10.
SHARES = (28, 8, 3, 1)


def in_clusters(size: int, rng, shares=SHARES) -> kernels.PointKernel:
    """Gaussian clusters in the plane, of sizes with these shares.

    Examples
    --------
    >>> in_clusters(40, np.random.default_rng(0)).shape
    (40, 40)
    """
    sizes = [round(each * size / sum(shares)) for each in shares]
    return kernels.rbf(uneven_clusters(sizes, int(rng.integers(2**31))), gamma=0.5)


def normal(size: int, rng) -> kernels.PointKernel:
    """Normal points of the plane, with the kernel width of scikit-learn."""
    return kernels.rbf(rng.standard_normal((size, 2)))


def some(data: datasets.Dataset, size: int, rng) -> np.ndarray:
    """As many points of a data set, without replacement."""
    return data.X[rng.permutation(len(data.X))[:size]]


def standardised(size: int, rng) -> np.ndarray:
    """Cell samples, each coordinate of variance 1."""
    X = some(datasets.breast_cancer(), size, rng)
    return (X - X.mean(axis=0)) / X.std(axis=0)


def digits(size: int, rng) -> kernels.PointKernel:
    """Digits, with the kernel of the figure."""
    return kernels.rbf(some(datasets.digits(), size, rng), gamma=0.069)


def cells(size: int, rng) -> kernels.PointKernel:
    """Cell samples."""
    X = standardised(size, rng)
    return kernels.rbf(X, gamma=1 / X.shape[1])


clusters = in_clusters
lopsided = partial(in_clusters, shares=(30, 9, 1))
even = partial(in_clusters, shares=(1, 1, 1, 1))

# ---- matrices of which 20 eigenvalues hold 90 percent of the trace ----


def narrow(X: np.ndarray, step: float = 1e-3) -> kernels.PointKernel:
    """The narrowest Gaussian kernel that leaves 20 eigenvalues their share.

    Its gamma is a multiple of `step`, below 256 of them.
    """
    return kernels.rbf(X, schemes.largest_gamma(X, 20, schemes.SHARE, step=step))


def linear_digits(size: int, rng) -> kernels.PointKernel:
    """Digits, with a linear kernel."""
    return kernels.linear(some(datasets.digits(), size, rng))


def narrow_digits(size: int, rng) -> kernels.PointKernel:
    """Digits, with a narrow Gaussian kernel."""
    return narrow(some(datasets.digits(), size, rng))


def patches(size: int, rng) -> kernels.PointKernel:
    """Patches of photographs, with a linear kernel."""
    return kernels.linear(some(datasets.patches(4000, 16), size, rng))


def narrow_cells(size: int, rng) -> kernels.PointKernel:
    """Cell samples, with a narrow Gaussian kernel."""
    return narrow(standardised(size, rng))


def narrow_clusters(size: int, rng) -> kernels.PointKernel:
    """The clusters of the figure, with a narrow Gaussian kernel."""
    X = in_clusters(size, rng).points
    # They come cluster by cluster, and the seed of the schemes stays the same.
    return narrow(X[rng.permutation(size)], step=0.05)


# ---- labels ----


def labelled(size: int, rng, make=datasets.digits) -> Points:
    """As many labelled points of a data set, without replacement."""
    data = make()
    places = rng.permutation(len(data.X))[:size]
    return Points(data.X[places], data.y[places])


def labelled_cells(size: int, rng) -> Points:
    """Is a cell sample benign?"""
    return labelled(size, rng, datasets.breast_cancer)


def labelled_patches(size: int, rng) -> Points:
    """Which of two photographs is a patch from?"""
    return labelled(size, rng, partial(datasets.patches, 4000))
