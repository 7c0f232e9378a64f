"""What sampled columns say of singular values and vectors.

Figure 2.1 of A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
thesis, New York University, 2010, on data that need no download.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from threadpoolctl import threadpool_limits

from nystheory import kernels, lowrank, sampling
from nystheory.engine.trial.statistics import Interval, mean_interval

NYSTROM, ORTHONORMALISED = "Nyström", "orthonormalised Nyström"
TRUNCATED_LAST, COLUMNS = "Nyström, truncated last", "Column-sampling"

METHODS: dict[str, Callable] = {
    NYSTROM: lowrank.nystrom,
    ORTHONORMALISED: lowrank.orthonormal_nystrom,
    TRUNCATED_LAST: partial(lowrank.nystrom, truncate="approximation"),
    COLUMNS: lowrank.column_sampling,
}

# Each limit of an interval is wrong with this probability, if differences are normal.
LEVEL = 1e-3

# Singular pairs that are averaged together.
GROUP = 10
# Singular pairs that are compared.
RANK = 50


# ---- accuracy of singular values and vectors ----


def value_accuracy(values: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """The smaller of a value and its approximation over the larger, in percent.

    Parameters
    ----------
    values : array_like (r,)
        Approximate singular values, largest first; those beyond r count as 0.
    exact : ndarray (k,)
        Singular values above 0, ``k >= r``.

    Returns
    -------
    ndarray (k,)
        From 0 to 100.

    Examples
    --------
    >>> value_accuracy([8.0, 1.0], np.array([4.0, 2.0, 1.0])).tolist()
    [50.0, 50.0, 0.0]
    """
    values = _padded(values, len(exact))
    return 100 * np.minimum(values, exact) / np.maximum(values, exact)


def cosines(vectors: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """Cosine of the angle between each vector and the exact one, without the sign.

    Parameters
    ----------
    vectors : ndarray (n, r)
        Of any length but 0; those beyond r count as orthogonal.
    exact : ndarray (n, k)
        Orthonormal, ``k >= r``.

    Returns
    -------
    ndarray (k,)

    Examples
    --------
    >>> cosines(np.array([[3.0], [-4.0]]), np.eye(2)).tolist()
    [0.6, 0.0]
    """
    r = vectors.shape[1]
    products = np.abs((vectors * exact[:, :r]).sum(axis=0))
    return _padded(products / np.linalg.norm(vectors, axis=0), exact.shape[1])


def principal_cosines(
    vectors: np.ndarray, exact: np.ndarray, size: int = GROUP
) -> np.ndarray:
    """Cosines of the principal angles between groups of consecutive vectors.

    Parameters
    ----------
    vectors : ndarray (n, r)
        Not necessarily orthonormal; those beyond r are missing.
    exact : ndarray (n, k)
        Orthonormal, ``k >= r``.
    size : int
        Vectors in a group; the last group may have fewer.

    Returns
    -------
    ndarray (k,)
        For each group the cosines between its span and that of the exact group,
        largest first; 0 for missing vectors.

    Examples
    --------
    >>> turned = np.eye(3)[:, [1, 0]]
    >>> principal_cosines(turned, np.eye(3)[:, :2], 2).tolist()
    [1.0, 1.0]
    >>> cosines(turned, np.eye(3)[:, :2]).tolist()
    [0.0, 0.0]
    """
    found = []
    for start in range(0, exact.shape[1], size):
        group = slice(start, start + size)
        count = exact[:, group].shape[1]
        basis, _ = np.linalg.qr(vectors[:, group])
        cosine = np.linalg.svd(exact[:, group].T @ basis, compute_uv=False)
        found.append(_padded(np.minimum(cosine, 1.0)[: basis.shape[1]], count))
    return np.concatenate(found)


def _padded(values, length):
    values = np.asarray(values, dtype=float)
    return np.concatenate([values, np.zeros(length - len(values))])


# ---- the comparison ----


@dataclass(frozen=True)
class Paired:
    """How a method differs from Column-sampling: on average, and group by group.

    Attributes
    ----------
    mean : Interval
        Over all k pairs.
    groups : tuple of Interval
        Over each group of consecutive pairs.
    """

    mean: Interval
    groups: tuple[Interval, ...]


@dataclass(frozen=True, eq=False)
class Accuracies:
    """How accurate each method was in each sample.

    Attributes
    ----------
    n_landmarks : int
    found : dict of (str, str) to ndarray (samples, k)
        By method, a key of `METHODS`, and measure: "values" (percent), "vectors"
        (cosines) or "subspaces" (principal cosines).
    """

    n_landmarks: int
    found: dict[tuple[str, str], np.ndarray]

    def against_columns(self, method: str, measure: str) -> Paired:
        """Accuracy of a method minus that of Column-sampling, sample by sample."""
        paired = self.found[method, measure] - self.found[COLUMNS, measure]
        starts = np.arange(0, paired.shape[1], GROUP)
        counts = np.diff(starts, append=paired.shape[1])
        groups = np.add.reduceat(paired, starts, axis=1) / counts
        return Paired(
            mean_interval(paired.mean(axis=1), LEVEL),
            tuple(mean_interval(group, LEVEL) for group in groups.T),
        )

    def mean(self, method: str, measure: str) -> float:
        """Mean accuracy over samples and pairs."""
        return float(self.found[method, measure].mean())


def compare_spectra(
    K,
    n_landmarks: int,
    rank: int,
    rng: np.random.Generator,
    samples: int = 10,
) -> Accuracies:
    """Approximate the leading singular pairs from random columns, by all methods.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number of columns l, uniform without replacement.
    rank : int
        The number of pairs k, at most l and the rank of K.
    rng : numpy.random.Generator
    samples : int
        In one sample all methods see the same columns.

    Returns
    -------
    Accuracies

    Notes
    -----
    Costs one eigenvalue decomposition of K, and about ``8 n l^2`` operations for
    each sample.

    Examples
    --------
    >>> found = compare_spectra(np.diag([3.0, 2, 1]), 3, 2, np.random.default_rng(0))
    >>> found.mean(NYSTROM, "values"), round(found.mean(COLUMNS, "vectors"), 12)
    (100.0, 1.0)
    """
    K = kernels.as_kernel(K)
    rows: dict[tuple[str, str], list] = {}
    # Thousands of small decompositions: on a busy machine threads wait for each other.
    with threadpool_limits(1, user_api="blas"):
        best = lowrank.best_rank_k(K, rank)
        for _ in range(samples):
            landmarks = sampling.uniform(K, n_landmarks, rng)
            for name, method in METHODS.items():
                found = measured(method(K, landmarks, rank), best)
                for measure, accuracy in found.items():
                    rows.setdefault((name, measure), []).append(accuracy)
    arrays = {key: np.array(accuracy) for key, accuracy in rows.items()}
    return Accuracies(n_landmarks, arrays)


def measured(made: lowrank.LowRank, best: lowrank.LowRank) -> dict[str, np.ndarray]:
    """Accuracies of one approximation, by measure.

    Parameters
    ----------
    made, best : LowRank
        An approximation, and the best of rank k.

    Returns
    -------
    dict of str to ndarray (k,)
    """
    vectors = made.eigenvectors, best.eigenvectors
    return {
        "values": value_accuracy(made.eigenvalues, best.eigenvalues),
        "vectors": cosines(*vectors),
        "subspaces": principal_cosines(*vectors),
    }


# ---- one draw of the findings ----


@dataclass(frozen=True, eq=False)
class Known:
    """What all methods see in one draw, and what they are compared with.

    Attributes
    ----------
    K : DenseKernel (n, n)
    landmarks : Landmarks
    best : LowRank
        The best approximation of rank k.
    """

    K: kernels.DenseKernel
    landmarks: sampling.Landmarks
    best: lowrank.LowRank

    @classmethod
    def of(cls, K, n_landmarks: int, rank: int, rng: np.random.Generator) -> Known:
        """Uniform columns of a kernel matrix."""
        stored = kernels.DenseKernel(K.dense())
        landmarks = sampling.uniform(stored, n_landmarks, rng)
        return cls(stored, landmarks, lowrank.best_rank_k(stored, rank))


def lengths(vectors: np.ndarray) -> tuple[float, float]:
    """The longest of some vectors, and the largest inner product of two.

    Parameters
    ----------
    vectors : ndarray (n, r)

    Examples
    --------
    >>> lengths(np.array([[3.0, 0.0], [4.0, -1.0]]))
    (5.0, 4.0)
    """
    gram = np.abs(vectors.T @ vectors)
    longest = float(np.sqrt(gram.diagonal().max()))
    return longest, float((gram - np.diag(gram.diagonal())).max())


def factors(values: np.ndarray, exact: np.ndarray, size: int = GROUP) -> np.ndarray:
    """Approximate singular values over the exact ones, mean by group.

    Parameters
    ----------
    values : array_like (r,)
        Largest first; those beyond r count as 0.
    exact : ndarray (k,)
        Above 0; k a multiple of `size`.
    size : int

    Examples
    --------
    >>> factors([8.0, 1.0], np.array([4.0, 2.0, 1.0, 1.0]), 2).tolist()
    [1.25, 0.0]
    """
    ratios = _padded(values, len(exact)) / exact
    return ratios.reshape(-1, size).mean(axis=1)


def with_columns(drawn, rng) -> tuple[Known, None]:
    """The leading singular pairs, and columns that all methods see."""
    K, columns = drawn
    return Known.of(K, columns, RANK, rng), None


def accuracies(trial) -> dict:
    """How near the leading singular pairs of a method are, ten at a time and all."""
    known = trial.known
    made = trial.run(known.K, known.landmarks, RANK)
    found = measured(made, known.best)
    groups = {k: x.reshape(-1, GROUP).mean(axis=1) for k, x in found.items()}
    longest, mixed = lengths(made.eigenvectors)
    return {
        "values": groups["values"],
        "spans": groups["subspaces"],
        "factor": factors(made.eigenvalues, known.best.eigenvalues),
        "all_values": found["values"].mean(),
        "all_vectors": found["vectors"].mean(),
        "all_spans": found["subspaces"].mean(),
        "longest": longest,
        "mixed": mixed,
    }
