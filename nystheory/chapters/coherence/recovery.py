"""Part III: coherence and exact recovery.

Figures 5.1 to 5.3 of A. Talwalkar, "Matrix Approximation for Large-scale Learning",
PhD thesis, New York University, 2010, on data that need no download.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg
from scipy.stats import poisson

from nystheory import coherence as spread
from nystheory import datasets, kernels
from nystheory.chapters.coherence.theorems.clusters import missed
from nystheory.engine.worlds.clusters import Clusters

RANK = 50

# The matrix is recovered if the sampled rows of its eigenvectors have full rank, that
# is, if their smallest singular value is above this; otherwise an eigenvalue is
# taken for zero below a share of the largest.
FULL = 1e-9
ZERO = 1e-14


# ---- the picture ----


def chances(case: Clusters, counts: Sequence[int]) -> np.ndarray:
    """Probability that l uniform columns recover the matrix of some clusters.

    Parameters
    ----------
    case : Clusters
        Its own number of columns does not matter.
    counts : sequence of int
        The numbers l of columns.

    Returns
    -------
    ndarray (counts,)

    Examples
    --------
    >>> chances(Clusters.of_ones((1, 1), 1), [1, 2]).tolist()
    [0.0, 1.0]
    """
    sized = (Clusters.of_ones(case.apart, int(c), case.origin) for c in counts)
    return np.array([1 - missed(each) for each in sized])


def points_of(case: Clusters) -> np.ndarray:
    """The points of some clusters and of the origin, as rows.

    Examples
    --------
    >>> points_of(Clusters.of_ones((2,), 1, origin=1)).tolist()
    [[1.0], [1.0], [0.0]]
    """
    X = datasets.clusters(case.apart).X
    return np.concatenate([X, np.zeros((case.origin, case.rank_K))])


# ---- matrices of low rank ----


@dataclass(frozen=True, eq=False)
class LowRankMatrix:
    """The r leading eigenpairs of a kernel matrix: K_r without the tail.

    Attributes
    ----------
    values : ndarray (r,)
        Eigenvalues.
    vectors : ndarray (n, r)
        Orthonormal eigenvectors.
    """

    values: np.ndarray
    vectors: np.ndarray

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.vectors)

    @property
    def mu(self) -> float:
        """Coherence of the eigenvectors, Definition 5.1."""
        return spread.of_vectors(self.vectors)

    @property
    def M(self) -> float:
        """Coherence of their space."""
        return spread.basis_free(self.vectors)

    @property
    def reach(self) -> np.ndarray:
        """On how many points each eigenvector lives, ``1 / sum_i U_ij^4``, (r,).

        From 1, an entry of its own, to n, all entries alike.
        """
        return 1 / (self.vectors**4).sum(axis=0)

    def error(self, S: Sequence[int]) -> float:
        """Percent error in the Frobenius norm from some columns, 0 if recovered.

        With ``F = U Lambda^(1/2)`` and P the projector on the span of the sampled
        rows of F, ``K - K~ = F (I - P) F^T`` has the norm of the r x r matrix
        ``Lambda^(1/2) (I - P) Lambda^(1/2)``, so K is never formed.

        Parameters
        ----------
        S : sequence of int

        Examples
        --------
        >>> K = LowRankMatrix(np.ones(2), np.eye(3)[:, :2])
        >>> K.error([0, 1, 2]), round(K.error([0]), 1)
        (0.0, 70.7)
        """
        if len(S) >= len(self.values) and self.least(S) > FULL:
            return 0.0
        root = np.sqrt(self.values)
        _, singular, rows = np.linalg.svd(self.vectors[S] * root, full_matrices=False)
        rows = rows[singular**2 > ZERO * singular[0] ** 2]
        E = np.diag(self.values) - (rows * root).T @ (rows * root)
        return float(100 * np.linalg.norm(E) / np.linalg.norm(self.values))

    def least(self, S: Sequence[int]) -> float:
        """The smallest singular value of the sampled rows of the eigenvectors.

        Examples
        --------
        >>> LowRankMatrix(np.ones(2), np.eye(3)[:, :2]).least([0, 2])
        0.0
        """
        return float(np.linalg.svd(self.vectors[S], compute_uv=False)[-1])


def leading(K: np.ndarray, rank: int = RANK) -> LowRankMatrix:
    """The leading eigenpairs of a stored matrix.

    Examples
    --------
    >>> leading(np.diag([3.0, 2.0, 1.0]), 2).M
    3.0
    """
    n = len(K)
    values, vectors = scipy.linalg.eigh(K, subset_by_index=[n - rank, n - 1])
    return LowRankMatrix(values[::-1], vectors[:, ::-1])


# ---- matrices of which every draw is another one ----


def some_of(X: np.ndarray, size: int, rng, gamma: float | None = None) -> np.ndarray:
    """The matrix of random points, with a linear or a Gaussian kernel, (size, size).

    Examples
    --------
    >>> some_of(np.eye(3), 3, np.random.default_rng(0)).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    some = X[rng.permutation(len(X))[:size]]
    return some @ some.T if gamma is None else kernels.rbf(some, gamma).dense()


def digits(size: int, rng, gamma: float | None = None) -> np.ndarray:
    """Some of the digits."""
    return some_of(datasets.digits().X, size, rng, gamma)


def photographs(size: int, rng, gamma: float | None = None) -> np.ndarray:
    """Some patches of 16 x 16 pixels of two photographs."""
    return some_of(datasets.patches(4000, 16).X, size, rng, gamma)


def documents(size: int, rng) -> np.ndarray:
    """Generated documents, with a linear kernel."""
    X = datasets.documents(size, 2000, rng).X
    return X @ X.T


def cells(size: int, rng, gamma: float) -> np.ndarray:
    """Some of the cell samples."""
    return some_of(datasets.breast_cancer().X, size, rng, gamma)


def patients(size: int, rng, gamma: float) -> np.ndarray:
    """Some of the patients."""
    return some_of(datasets.diabetes().X, size, rng, gamma)


def gaussian(size: int, rng, gamma: float = 1.0) -> np.ndarray:
    """Gaussian points in five dimensions."""
    return kernels.rbf(rng.standard_normal((size, 5)), gamma).dense()


# ---- how coherent they are ----

POINTS = (100, 200, 300, 400)


def shared(K: np.ndarray, rng) -> tuple:
    """The leading eigenpairs of a matrix and of growing parts of it.

    Returns
    -------
    (LowRankMatrix, list of LowRankMatrix), None
    """
    order = rng.permutation(len(K))
    parts = [leading(K[np.ix_(order[:m], order[:m])]) for m in POINTS]
    return (leading(K), parts), None


def by_entries(low: LowRankMatrix) -> tuple[float, float]:
    """The coherence mu, and its square over n in percent."""
    return low.mu, 100 * low.mu**2 / low.n


def by_rows(low: LowRankMatrix) -> tuple[float, float]:
    """The coherence M, and M over n in percent."""
    return low.M, 100 * low.M / low.n


def how_coherent(trial) -> dict:
    """The coherence against the points, and its share for all points."""
    low, parts = trial.known
    values = [trial.run(part)[0] for part in parts]
    return {"coherence": values, "share": trial.run(low)[1]}


# ---- how many columns recover them ----

DELTA = 0.05
COLUMNS = (5, 10, 20, 30, 40, 50, 60, 75, 100, 125, 150, 200)


def cut(K: np.ndarray, rng) -> tuple:
    """The leading eigenpairs, and the columns in random order."""
    return (leading(K), rng.permutation(len(K))), None


def uniform_columns(low: LowRankMatrix, order) -> dict:
    """Percent errors, and how well conditioned the first r rows are."""
    errors = [low.error(order[:count]) for count in COLUMNS]
    return {"error": errors, "least": low.least(order[: len(low.values)])}


def asked_by_space(low: LowRankMatrix, order) -> dict:
    """What Theorem 5.5 asks for, in percent of all columns."""
    asked = columns_by_space(len(low.values), low.M, DELTA)
    return {"asked": 100 * asked / low.n}


def asked_as_printed(low: LowRankMatrix, order) -> dict:
    """What the printed condition asks for, in percent of all columns."""
    asked = columns_as_printed(len(low.values), low.mu, DELTA)
    return {"asked": 100 * asked / low.n}


def reach_of_vectors(low: LowRankMatrix, order) -> dict:
    """On how many points the eigenvector in the middle lives."""
    return {"reach": float(np.median(low.reach))}


def how_recovered(trial) -> dict:
    """What each of them says of a matrix of low rank."""
    return trial.run(*trial.known)


# ---- how many columns ----


def columns_by_space(r: int, M: float, delta: float) -> int:
    """The number of columns that Theorem 5.5 asks for, ``M ln(r / delta)``.

    Examples
    --------
    >>> columns_by_space(64, 64, 0.01)
    561
    """
    return math.ceil(M * math.log(r / delta))


def columns_as_printed(r: int, mu: float, delta: float) -> int:
    """The printed condition with the constants 2.

    Examples
    --------
    >>> columns_as_printed(64, 1.0, 0.01)
    731
    """
    return math.ceil(r * mu**2 * 2 * max(math.log(r), math.log(3 / delta)))


def poisson_rates(mean):
    """Minus the logarithm of two Poisson tails, over the mean.

    Parameters
    ----------
    mean : array of float

    Returns
    -------
    tuple of array
        Of at most half the mean and of at least one and a half times the mean.

    Examples
    --------
    >>> [rate.round(2).tolist() for rate in poisson_rates(np.array([200.0]))]
    [[0.17], [0.12]]
    """
    lower = -poisson.logcdf(mean / 2, mean) / mean
    return lower, -poisson.logsf(1.5 * mean - 1, mean) / mean


def tried_on(theorem, control: str, case):
    """A theorem whose control is tried on another case.

    Examples
    --------
    >>> from nystheory.chapters import theorems
    >>> theorem = theorems["talwalkar2010:thm-5.4"]
    >>> case = theorem.controls["the constant 6"].on
    >>> tried_on(theorem, "the constant 6", case).controls["the constant 6"].on is case
    True
    """
    other = replace(theorem.controls[control], on=case)
    return theorem.but(controls={**theorem.controls, control: other})
