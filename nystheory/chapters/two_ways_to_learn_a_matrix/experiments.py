"""What sampled columns say of singular values and vectors.

Figure 2.1 of A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
thesis, New York University, 2010, on data that need no download.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from threadpoolctl import threadpool_limits

from nystheory import kernels, lowrank, sampling, style
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

# What the thesis says of figure 2.1; vectors can be compared in two ways.
CLAIMS = {
    "singular values": (NYSTROM, "values"),
    "vectors, one by one": (NYSTROM, "vectors"),
    "vectors, ten at a time": (NYSTROM, "subspaces"),
    "orthonormalised, one by one": (ORTHONORMALISED, "vectors"),
    "orthonormalised, ten at a time": (ORTHONORMALISED, "subspaces"),
}


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


def error_accuracy(values: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """100 percent minus the relative error; below 0 for a value more than doubled.

    Parameters and result as `value_accuracy`.

    Examples
    --------
    >>> error_accuracy([8.0, 1.0], np.array([4.0, 2.0, 1.0])).tolist()
    [0.0, 50.0, 0.0]
    """
    return 100 * (1 - np.abs(_padded(values, len(exact)) - exact) / exact)


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

    @property
    def outcome(self) -> str:
        """What the limits say of the claim that Column-sampling is better.

        *reproduced*: in every group; *on average*: over all pairs;
        *reversed*: over all pairs the other is better; else *not reproduced*.
        """
        if all(group.high < 0 for group in self.groups):
            return "reproduced"
        if self.mean.high < 0:
            return "on average"
        return "reversed" if self.mean.low > 0 else "not reproduced"

    def __str__(self) -> str:
        below = sum(group.high < 0 for group in self.groups)
        above = sum(group.low > 0 for group in self.groups)
        against = f", {above} against" if above else ""
        return f"{self.outcome}\n({below} of {len(self.groups)}{against})"


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
    of_values: Callable = value_accuracy,
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
    of_values : callable
        `value_accuracy` or `error_accuracy`.

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
                measured = _measure(method(K, landmarks, rank), best, of_values)
                for measure, accuracy in measured.items():
                    rows.setdefault((name, measure), []).append(accuracy)
    found = {key: np.array(accuracy) for key, accuracy in rows.items()}
    return Accuracies(n_landmarks, found)


def _measure(made, best, of_values):
    """Accuracies of one approximation, by measure."""
    vectors = made.eigenvectors, best.eigenvectors
    return {
        "values": of_values(made.eigenvalues, best.eigenvalues),
        "vectors": cosines(*vectors),
        "subspaces": principal_cosines(*vectors),
    }


def findings(
    results: Mapping[str, Accuracies],
    claims: Mapping[str, tuple[str, str]] = CLAIMS,
) -> style.Table:
    """Each claim on each matrix: does Column-sampling do better?

    Parameters
    ----------
    results : mapping of str to Accuracies
        By name of the matrix.
    claims : mapping of str to (str, str)
        In words, and the method and measure it is about.

    Returns
    -------
    Table

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> result = compare_spectra(np.diag([3.0, 2, 1, 1]), 2, 2, rng)
    >>> findings({"diagonal": result}).header
    ('Column-sampling is better at', 'diagonal')
    """
    rows = [
        (says, *(str(r.against_columns(*claim)) for r in results.values()))
        for says, claim in claims.items()
    ]
    return style.Table(("Column-sampling is better at", *_two_lines(results)), rows)


def _two_lines(names):
    """Names of matrices, points above kernel, for the heads of narrow columns."""
    return [name.replace(", ", ",\n") for name in names]


def mean_accuracies(results: Mapping[str, Accuracies], measure: str) -> style.Table:
    """Mean accuracy of each method on each matrix.

    Parameters
    ----------
    results : mapping of str to Accuracies
    measure : {"values", "vectors", "subspaces"}

    Returns
    -------
    Table

    Examples
    --------
    >>> result = compare_spectra(np.eye(3), 3, 2, np.random.default_rng(0))
    >>> mean_accuracies({"identity": result}, "values").rows[0]
    ('Nyström', '100')
    """
    form = "{:.0f}" if measure == "values" else "{:.2f}"
    rows = [
        (name, *(form.format(r.mean(name, measure)) for r in results.values()))
        for name in METHODS
    ]
    return style.Table(("method", *_two_lines(results)), rows)
