"""Part III: coherence and exact recovery.

Figures 5.1 to 5.3 of A. Talwalkar, "Matrix Approximation for Large-scale Learning",
PhD thesis, New York University, 2010, on data that need no download.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg
from scipy.stats import poisson

from nystheory import coherence as spread
from nystheory import datasets, kernels
from nystheory.chapters.coherence.theorems.clusters import missed
from nystheory.engine.findings.experiments import one_thread
from nystheory.engine.worlds.clusters import Clusters

RANK = 50

# An eigenvalue of W is taken for zero below this share of the largest, and a percent
# error below RECOVERED for none: between the two kinds lie many powers of ten.
ZERO = 1e-14
RECOVERED = 1e-8


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

    def errors(self, counts, draws: int, rng) -> np.ndarray:
        """Percent errors in the Frobenius norm from l uniform columns.

        With ``F = U Lambda^(1/2)`` and P the projector on the span of the sampled
        rows of F, ``K - K~ = F (I - P) F^T`` has the norm of the r x r matrix
        ``Lambda^(1/2) (I - P) Lambda^(1/2)``, so K is never formed.

        Parameters
        ----------
        counts : sequence of int
        draws : int
        rng : numpy.random.Generator

        Returns
        -------
        ndarray (counts, draws)

        Examples
        --------
        >>> K = LowRankMatrix(np.ones(2), np.eye(3)[:, :2])
        >>> float(K.errors([3], 1, np.random.default_rng(0))[0, 0])
        0.0
        """
        found = np.empty((len(counts), draws))
        for draw in range(draws):
            order = rng.permutation(self.n)
            for at, count in enumerate(counts):
                found[at, draw] = self._error(order[:count])
        return found

    def _error(self, S):
        root = np.sqrt(self.values)
        _, singular, rows = np.linalg.svd(self.vectors[S] * root, full_matrices=False)
        rows = rows[singular**2 > ZERO * singular[0] ** 2]
        E = np.diag(self.values) - (rows * root).T @ (rows * root)
        # Rounding leaves some 1e-15 of the largest eigenvalue.
        percent = 100 * np.linalg.norm(E) / np.linalg.norm(self.values)
        return percent if percent > RECOVERED else 0.0


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


def kernel_matrices(n: int = 1000) -> dict[str, np.ndarray]:
    """Six kernel matrices, of digits, patches, documents and cells.

    Parameters
    ----------
    n : int
        Number of points, at most 1000; the cells are 569 or n.

    Returns
    -------
    dict of str to ndarray

    Examples
    --------
    >>> list(kernel_matrices(20))[-1]
    'cells, narrow RBF'
    """
    order = np.random.default_rng(0).permutation(len(datasets.digits().X))[:n]
    digits, patches = datasets.digits().X[order], datasets.patches(n, 16).X
    documents = datasets.documents(n, 2000, np.random.default_rng(1)).X
    cells = datasets.breast_cancer(min(n, 569)).X
    return {
        "digits, linear": digits @ digits.T,
        "patches, linear": patches @ patches.T,
        "documents, linear": documents @ documents.T,
        "digits, RBF": kernels.rbf(digits, 0.061).dense(),
        "patches, RBF": kernels.rbf(patches, 0.048).dense(),
        "cells, narrow RBF": kernels.rbf(cells, 3.0).dense(),
    }


@one_thread
def low_rank_matrices(Ks: Mapping[str, np.ndarray], rank: int = RANK) -> dict:
    """The best approximations of some rank, by name.

    Examples
    --------
    >>> list(low_rank_matrices({"a": np.eye(3)}, 1))
    ['a']
    """
    return {name: leading(K, rank) for name, K in Ks.items()}


@one_thread
def recovery_errors(
    low: Mapping[str, LowRankMatrix], counts: Sequence[int], draws: int = 10
) -> dict[str, np.ndarray]:
    """Percent errors (counts, draws) of each matrix.

    Examples
    --------
    >>> low = low_rank_matrices({"a": np.ones((4, 4))}, 1)
    >>> recovery_errors(low, [1], 2)["a"].tolist()
    [[0.0, 0.0]]
    """
    rng = np.random.default_rng(0)
    return {name: each.errors(counts, draws, rng) for name, each in low.items()}


@one_thread
def growth(
    K: np.ndarray, sizes: Sequence[int], rank: int = RANK, draws: int = 5, seed: int = 0
) -> np.ndarray:
    """Coherences mu and M of random principal submatrices, (2, sizes), mean of draws.

    Examples
    --------
    >>> growth(np.diag([3.0, 2.0, 1.0]), [3], 2, 1).round(6).tolist()
    [[1.732051], [3.0]]
    """
    rng = np.random.default_rng(seed)
    found = np.zeros((2, len(sizes)))
    for _ in range(draws):
        order = rng.permutation(len(K))
        for at, size in enumerate(sizes):
            part = leading(K[np.ix_(order[:size], order[:size])], rank)
            found[:, at] += np.array([part.mu, part.M]) / draws
    return found


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
