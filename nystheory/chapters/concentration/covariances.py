"""How far the covariance of a sample is from that of all points.

Section 5.1 of A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
thesis, New York University, 2010, before the Nyström method enters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from nystheory import datasets, kernels
from nystheory.chapters.concentration.theorems.bounded_difference import difference_F
from nystheory.chapters.concentration.theorems.mcdiarmid import hypergeometric_tails
from nystheory.engine.worlds.concentration import distances, value
from nystheory.engine.worlds.instances import Instance

# All samples of so many columns fit into one array that is indexed by bit masks.
MOST_COLUMNS = 18
# Makes normal points longer than wide.
SHEAR = np.array([[1.0, 0.4], [0.5, 0.8]])


def cloud(n: int = 60) -> np.ndarray:
    """Points in the plane, longer than wide, (2, n).

    Examples
    --------
    >>> cloud(5).shape
    (2, 5)
    """
    rng = np.random.default_rng(50)
    return SHEAR @ rng.standard_normal((2, n))


def ellipse(X: np.ndarray, S: Sequence[int] | None = None) -> np.ndarray:
    """The ellipse ``x' M^-1 x = 2`` of the mean M of ``x x'`` over points, (2, 181).

    Parameters
    ----------
    X : ndarray (2, n)
    S : sequence of int, optional
        The points that count; all by default.

    Examples
    --------
    >>> float(np.abs(ellipse(np.eye(2))).max())
    1.0
    """
    points = X if S is None else X[:, S]
    values, vectors = np.linalg.eigh(points @ points.T / points.shape[1])
    angles = np.linspace(0, 2 * np.pi, 181)
    circle = np.array([np.cos(angles), np.sin(angles)])
    axes = np.sqrt(2 * np.maximum(values, 0))
    return (vectors * axes) @ (vectors.T @ circle)


def digit_kernels(n: int = 400) -> dict[str, np.ndarray]:
    """Digits, centred, with a linear and a Gaussian kernel; largest entry 1, (n, n).

    Examples
    --------
    >>> [float(K.max()) for K in digit_kernels(10).values()]
    [1.0, 1.0]
    """
    order = np.random.default_rng(0).permutation(len(datasets.digits().X))
    X = datasets.digits().X[order[:n]]
    X = X - X.mean(axis=0)
    linear = X @ X.T
    return {
        "digits, linear": linear / linear.max(),
        "digits, RBF": kernels.rbf(X).dense(),
    }


# ---- distances of many samples ----


def paired_counts(n: int, drawn: int, draws: int, rng) -> tuple[np.ndarray, np.ndarray]:
    """Samples without and with replacement, each pair with the same columns in both.

    Parameters
    ----------
    n, drawn, draws : int
    rng : numpy.random.Generator

    Returns
    -------
    without, replaced : ndarray (draws, n)

    Examples
    --------
    >>> without, replaced = paired_counts(4, 3, 2, np.random.default_rng(0))
    >>> without.sum(axis=1).tolist(), bool((without >= (replaced > 0)).all())
    ([3, 3], True)
    """
    rows = n * np.arange(draws)[:, None]
    places = rows + rng.integers(n, size=(draws, drawn))
    replaced = np.bincount(places.ravel(), minlength=draws * n).reshape(draws, n)
    # Columns that were drawn come first, then others in random order.
    order = np.where(replaced > 0, -1, rng.random((draws, n))).argsort(axis=1)
    without = np.zeros_like(replaced)
    np.put_along_axis(without, order[:, :drawn], 1, axis=1)
    return without, replaced


@dataclass(frozen=True)
class Distances:
    """Distances of samples of several sizes, relative to ``|K|_F``, and the bounds.

    Attributes
    ----------
    counts : tuple of int, length m
        The numbers of columns l.
    without, replaced : ndarray (m, draws)
        Drawn in pairs.
    curves : mapping of str to ndarray (m,)
        ``e_l``, ``e_l replaced``, ``mean, printed``, and for the failure probability
        0.01 ``sharp`` and ``printed``.
    """

    counts: tuple[int, ...]
    without: np.ndarray
    replaced: np.ndarray
    curves: Mapping[str, np.ndarray]


DELTA = 0.01


def over_sizes(K, counts: Sequence[int], draws: int, rng) -> Distances:
    """Draw samples of several sizes and compute what the theorems say of them.

    Parameters
    ----------
    K : ndarray (n, n)
    counts : sequence of int
    draws : int
    rng : numpy.random.Generator

    Examples
    --------
    >>> K = digit_kernels(30)["digits, RBF"]
    >>> found = over_sizes(K, [3, 30], 5, np.random.default_rng(0))
    >>> bool((found.without[1] == 0).all()), float(found.curves["sharp"][1])
    (True, 0.0)
    """
    pairs = [paired_counts(len(K), drawn, draws, rng) for drawn in counts]
    size = np.linalg.norm(K)
    without, replaced = (
        np.array([distances(K, pair[side]) for pair in pairs]) / size for side in (0, 1)
    )
    rows = [promises(K, drawn) for drawn in counts]
    curves = {name: np.array([row[name] for row in rows]) / size for name in rows[0]}
    return Distances(tuple(counts), without, replaced, curves)


def promises(K: np.ndarray, drawn: int, delta: float = DELTA) -> dict[str, float]:
    """What (5.7), its exact form, and Theorem 5.1 with either constants promise.

    Parameters
    ----------
    K : ndarray (n, n)
    drawn : int
    delta : float
        The probability with which ``sharp`` and ``printed`` may fail.

    Examples
    --------
    >>> found = promises(np.eye(4), 2)
    >>> [round(found[name], 3) for name in ("e_l", "mean, printed")]
    [2.0, 2.828]
    """
    case, n = Instance(K, range(drawn), 1), len(K)
    e, R, d = (value(line, case) for line in ("e_l", "R", "d_max"))
    flat = np.ptp(np.diag(K)) < 1e-12 * R**2
    g = value("g_F_equal" if flat else "g_F", case)
    printed = n / math.sqrt(drawn) * R**2
    # With everything drawn nothing is random; the printed constant is 0 as well.
    some = drawn < n
    root = math.sqrt(math.log(1 / delta) / 2) * n / drawn
    sharp = g * root * math.sqrt(value("alpha_sharp", case)) if some else 0.0
    loose = 2 * d * R * root * math.sqrt(value("alpha_printed", case))
    return {
        "e_l": e,
        "e_l replaced": value("e_l_replaced", case),
        "mean, printed": printed,
        "sharp": e + sharp,
        "printed": printed + loose,
    }


# ---- every sample ----


@dataclass(frozen=True)
class EverySample:
    """The law of a function of a sample.

    Attributes
    ----------
    values : ndarray (m,)
    chances : ndarray (m,)
        The probability of each value.
    change : float
        The largest difference of two samples that differ in one element.
    """

    values: np.ndarray
    chances: np.ndarray
    change: float

    @property
    def mean(self) -> float:
        """Of the function over all samples."""
        return float(self.values @ self.chances)

    @property
    def deviation(self) -> float:
        """Standard deviation."""
        return float(np.sqrt((self.values - self.mean) ** 2 @ self.chances))

    @property
    def reach(self) -> float:
        """How far the largest value is above the mean."""
        return float(self.values.max() - self.mean)

    def tail(self, epsilon) -> np.ndarray:
        """The exact probability to be at least epsilon above the mean."""
        # Rounding must not take a value from its own step.
        least = self.mean + np.atleast_1d(epsilon) - 1e-12 * self.values.max()
        return (self.values >= least[:, None]) @ self.chances


def every_sample(K: np.ndarray, drawn: int) -> EverySample:
    """``|XX' - ZZ'|_F`` of every sample of a small matrix, and its largest change.

    Parameters
    ----------
    K : ndarray (n, n)
        With n at most `MOST_COLUMNS`.
    drawn : int

    Examples
    --------
    >>> found = every_sample(np.diag([2.0, 1.0]), 1)
    >>> found.values.round(3).tolist(), round(found.change, 3)
    ([2.236, 2.236], 0.0)
    """
    n = len(K)
    if n > MOST_COLUMNS:
        raise ValueError(f"K: expected at most {MOST_COLUMNS} columns, got {n}")
    masks = np.arange(2**n)
    bits = (masks[:, None] >> np.arange(n)) & 1
    chosen = bits.sum(axis=1) == drawn
    table = np.full(2**n, np.nan)
    table[chosen] = distances(K, bits[chosen])
    masks, bits, change = masks[chosen], bits[chosen].astype(bool).T, 0.0
    for out, new in combinations(range(n), 2):
        here = masks[bits[out] & ~bits[new]]
        if len(here):
            moved = np.abs(table[here] - table[here ^ (1 << out) ^ (1 << new)])
            change = max(change, float(moved.max()))
    values = table[chosen]
    return EverySample(values, np.full(len(values), 1 / len(values)), change)


def two_clusters(size: int, drawn: int) -> EverySample:
    """The same for two orthogonal clusters of equal points of length 1.

    The distance is ``sqrt(2) n / l |t - l/2|`` with t the points of one cluster in
    the sample, so that all of it follows from the law of a count.

    Parameters
    ----------
    size : int
        Points in each cluster.
    drawn : int

    Examples
    --------
    >>> found = two_clusters(1, 1)
    >>> found.values.round(3).tolist(), found.chances.tolist()
    ([1.414, 1.414], [0.5, 0.5])
    """
    n = 2 * size
    tails = hypergeometric_tails(n, size, drawn)
    t = np.array(sorted(tails))
    chances = [float(tails[s] - tails.get(s + 1, 0)) for s in t.tolist()]
    values = math.sqrt(2) * n / drawn * np.abs(t - drawn / 2)
    change = float(np.abs(np.diff(values)).max(initial=0))
    return EverySample(values, np.array(chances), change)


def exchange_bounds(K: np.ndarray, drawn: int) -> dict[str, float]:
    """Bounds for the largest change: the worst pair at hand, g_F, and as printed.

    Examples
    --------
    >>> found = exchange_bounds(np.eye(2), 1)
    >>> [round(value, 3) for value in found.values()]
    [2.828, 2.828, 5.657]
    """
    case, share = Instance(K, range(drawn), 1), len(K) / drawn
    return {
        "worst pair": share * float(difference_F(case)),
        "g_F": share * value("g_F", case),
        "printed": share * value("2 * d_max * R", case),
    }


def random_pairs(count: int, rng) -> dict[str, np.ndarray]:
    """Pairs of vectors in the plane, no longer than 1: distance and both norms.

    Parameters
    ----------
    count : int
    rng : numpy.random.Generator

    Returns
    -------
    dict of str to ndarray (count,)
        ``distance``, and ``|aa' - bb'|`` as ``spectral`` and ``Frobenius``.

    Examples
    --------
    >>> found = random_pairs(3, np.random.default_rng(0))
    >>> bool((found["spectral"] <= found["Frobenius"]).all())
    True
    """
    lengths = rng.random((2, count)) ** 0.3
    lengths[:, : count // 2] = 1
    angle = np.pi * rng.random(count) * rng.random(count)
    p, r = lengths**2
    s = lengths[0] * lengths[1] * np.cos(angle)
    root = np.sqrt(np.maximum((p + r) ** 2 - 4 * s**2, 0))
    return {
        "distance": np.sqrt(np.maximum(p + r - 2 * s, 0)),
        "spectral": (np.abs(p - r) + root) / 2,
        "Frobenius": np.sqrt(np.maximum(p**2 + r**2 - 2 * s**2, 0)),
    }
