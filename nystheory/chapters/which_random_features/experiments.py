"""What ridge regression learns from features of several kinds, each with its ridge."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from nystheory import kernels, sampling
from nystheory.chapters.which_random_features import costs
from nystheory.engine.findings.held_out import RIDGES, Points, in_fifths, missed
from nystheory.features import (
    NystromFeatures,
    RandomBinningFeatures,
    RandomFourierFeatures,
)
from nystheory.learners import FeatureRidge, KernelRidge


@dataclass(frozen=True, eq=False)
class Known:
    """What is learned from, and what ridges are chosen by.

    Attributes
    ----------
    learn, aside : Points
    kernel : str
        ``"rbf"`` or ``"laplacian"``.
    gamma : float
    number : int
        Of features, of grids, or of the columns that set a budget.
    seed : int
        The same for each competitor.
    """

    learn: Points
    aside: Points
    kernel: str
    gamma: float
    number: int
    seed: int
    _losses: dict = field(default_factory=dict)

    @property
    def shape(self) -> tuple[int, int]:
        """Points to learn from, and coordinates."""
        return self.learn.X.shape

    def losses(self, make: Callable) -> dict[float, float]:
        """What is missed of the points that are set aside, by ridge over n."""
        if make not in self._losses:
            features, n = make(self), self.shape[0]
            F, G = made(features, self.learn.X, self.aside.X)
            found = predictions(F, self.learn.y, RIDGES * n, G)
            each = [missed(some, self.aside.y) for some in found]
            self._losses[make] = dict(zip(RIDGES.tolist(), each, strict=True))
        return self._losses[make]


def split(
    points: Points, kernel: str, number: int, width: float, rng
) -> tuple[Known, Points]:
    """Three fifths to learn from, a fifth to choose ridges by, a fifth to judge by.

    Parameters
    ----------
    points : Points
    kernel : str
    number : int
        As in `Known`.
    width : float
        Of the kernel, as a multiple of the usual one.
    rng : numpy.random.Generator

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> points = Points(rng.random((20, 3)), np.ones((20, 1)))
    >>> known, judged = split(points, "rbf", 8, 1, rng)
    >>> known.shape, known.aside.X.shape, judged.X.shape
    ((12, 3), (4, 3), (4, 3))
    """
    learn, aside, judged = in_fifths(points, rng)
    gamma, seed = usual_gamma(learn.X, kernel, width), int(rng.integers(2**31))
    return Known(learn, aside, kernel, gamma, number, seed), judged


def usual_gamma(X: np.ndarray, kernel: str, width: float = 1.0) -> float:
    """The gamma with which two points at the mean distance have the similarity 1/e.

    For the Gaussian kernel that is the root of the mean square distance; for the
    Laplacian the mean sum of absolute differences, of neighbours in the order of X,
    which is to be random.

    Examples
    --------
    >>> usual_gamma(np.array([[0.0], [2.0]]), "rbf")
    0.5
    >>> usual_gamma(np.array([[0.0], [2.0]]), "laplacian", width=4)
    0.125
    """
    if kernel == "rbf":
        return float(1 / (2 * X.var(axis=0).sum() * width**2))
    return float(1 / (np.abs(np.diff(X, axis=0)).sum(axis=1).mean() * width))


def made(features, X: np.ndarray, new: np.ndarray) -> tuple:
    """Features of the points that a map is fitted on, and of new ones.

    Fewer than asked for where fewer columns explain all of K.

    Examples
    --------
    >>> F, G = made(RandomFourierFeatures(n_components=4), np.eye(3), np.eye(3)[:2])
    >>> F.shape, G.shape
    ((3, 4), (2, 4))
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        return features.fit_transform(X), features.transform(new)


def predictions(F, y, ridges, G) -> list[np.ndarray]:
    """Of ridge regression on features F, at points with features G, for each ridge.

    Examples
    --------
    >>> F, y = np.eye(2), np.array([[2.0], [4.0]])
    >>> one, two = predictions(F, y, [1.0, 3.0], F)
    >>> one.ravel().tolist(), two.ravel().tolist()
    ([1.0, 2.0], [0.5, 1.0])
    """
    if F.shape[1] <= F.shape[0]:
        model = FeatureRidge(ridge=ridges[0]).fit(F, y)
        return [G @ w for w in model.path(ridges)]
    K, across = inner_products(F, F), inner_products(G, F)
    models = (KernelRidge(r, method="exact", kernel="precomputed") for r in ridges)
    return [each.fit(K, y).predict(across) for each in models]


def inner_products(F, G) -> np.ndarray:
    """``F G^T`` of features, which may be sparse.

    Examples
    --------
    >>> inner_products(np.eye(2), sparse.csr_array([[3.0, 4.0]])).tolist()
    [[3.0], [4.0]]
    """
    found = F @ G.T
    return found.toarray() if sparse.issparse(found) else found


def error_of_matrix(F, known: Known) -> float:
    """``100 |K - F F^T|_F / |K|_F`` at the points to learn from."""
    K = kernels.pairwise(known.learn.X, known.kernel, gamma=known.gamma).dense()
    return float(100 * np.linalg.norm(K - inner_products(F, F)) / np.linalg.norm(K))


# ---- the competitors ----


def waves(known: Known, number: int | None = None, **options) -> RandomFourierFeatures:
    """Random Fourier features, as many as are asked for."""
    return RandomFourierFeatures(
        known.kernel,
        gamma=known.gamma,
        n_components=number or known.number,
        random_state=known.seed,
        **options,
    )


def grids(known: Known) -> RandomBinningFeatures:
    """As many grids as others have features."""
    return RandomBinningFeatures(
        gamma=known.gamma, n_grids=known.number, random_state=known.seed
    )


def columns(known: Known, landmarks) -> NystromFeatures:
    """Nyström features of columns, as many as are asked for."""
    return NystromFeatures(
        known.kernel,
        gamma=known.gamma,
        landmarks=landmarks,
        n_landmarks=known.number,
        random_state=known.seed,
    )


def uniform(known: Known) -> NystromFeatures:
    """Of uniform columns."""
    return columns(known, "uniform")


def pivots(known: Known) -> NystromFeatures:
    """Of random pivots."""
    return columns(known, "rp_cholesky")


def first_tenth(known: Known) -> NystromFeatures:
    """Of random columns among the first tenth, where points come ordered by label."""
    first = np.lexsort(known.learn.y.T)[: known.shape[0] // 10]
    rng = np.random.default_rng(known.seed)
    return columns(known, rng.choice(first, known.number, replace=False))


def as_many(known: Known) -> RandomFourierFeatures:
    """As many orthogonal waves as columns."""
    return waves(known, draws="orthogonal")


def for_the_work(known: Known) -> RandomFourierFeatures:
    """Orthogonal waves for the work of columns, ridge regression included."""
    number = costs.waves_for_the_work(known.number, *known.shape)
    return waves(known, number, draws="orthogonal")


def for_the_memory(known: Known) -> RandomFourierFeatures:
    """Orthogonal waves for the memory of columns."""
    number = costs.waves_for_the_memory(known.number, known.shape[1])
    return waves(known, number, draws="orthogonal")


def fourfold(known: Known) -> RandomFourierFeatures:
    """Four times as many orthogonal waves as columns."""
    return waves(known, 4 * known.number, draws="orthogonal")


# ---- seconds ----


def seconds(features, X: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Seconds for the features of points, and for their ridge regression.

    Examples
    --------
    >>> X = np.random.default_rng(0).random((50, 2))
    >>> min(seconds(RandomFourierFeatures(n_components=10), X, X[:, 0])) > 0
    True
    """
    start = time.perf_counter()
    F = features.fit_transform(X)
    middle = time.perf_counter()
    FeatureRidge(ridge=1e-3 * len(X)).fit(F, y)
    return middle - start, time.perf_counter() - middle
