"""Matrices and samples on which bounds that may fail with probability delta are tried.

Small ones with every sample, clusters at any size through one count, a real one by
trials, and those that break a bound when a hypothesis is dropped.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy.special
import scipy.stats

from nystheory import datasets
from nystheory.theorems.error_bounds.error_formulas import at_log, printed_covariance
from nystheory.theorems.error_bounds.sampled_errors import (
    Case,
    all_samples,
    drawn,
    known_of,
    principal,
    sampled,
)
from nystheory.theorems.formula import Formula
from nystheory.theorems.routes import textbook_nystrom
from nystheory.theorems.subsets import small_instances

SMALL_DELTAS = (0.7, 0.3, 0.1, 0.01)


def two_clusters(a, b, l, delta=None, replace=False) -> Case:  # noqa: E741
    """Orthogonal clusters of a and b equal points, ``a >= b``, and k = 1.

    The sample takes the smaller cluster for the leading direction when it has at
    least as many points of it; the chance is that of a count, so any size is exact.
    Delta is, if not given, a little less than that chance.

    Examples
    --------
    >>> case = two_clusters(2, 1, 1, delta=0.5)
    >>> case.chances.round(3).tolist(), case.outcomes["error_2"].tolist()
    ([0.667, 0.333], [1.0, 2.0])
    """
    n, count = a + b, np.arange(l + 1)
    law = scipy.stats.binom(l, b / n) if replace else scipy.stats.hypergeom(n, b, l)
    chances, wrong = law.pmf(count), 2 * count >= l
    error = np.where(wrong, float(a), float(b))
    psi = np.sqrt(2) * np.abs(b - n / l * count)
    values = {"n": n, "l": l, "k": 1, "K_max": 1.0, "d_max": math.sqrt(2)}
    values |= {"spread": n - (a**2 + b**2) / n, "tail_2": b, "tail_F": b, "head_F": a}
    values["constant"] = True
    values["delta"] = 0.99 * chances[wrong].sum() if delta is None else delta
    seen = {"error_2": error, "error_F": error, "psi": psi}
    return Case("two orthogonal clusters", values, float(a), chances, seen)


@lru_cache(maxsize=1)
def patients() -> np.ndarray:
    """200 patients in ten measured coordinates, points as columns."""
    return datasets.diabetes(200).X.T


def small_cases(rng, sizes=(4, 5, 6)) -> Iterator[Case]:
    """All samples of matrices of every kind in the stress suite, every l and k."""
    for n in sizes:
        for i in small_instances(rng, n):
            if i.l == 1 and i.n > 1:
                counts = range(1, i.n + 1)
                yield from all_samples(i.points, counts, counts, SMALL_DELTAS, i.name)


def _larger_cases(rng) -> Iterator[Case]:
    """All samples for n = 7, 8 and half-samples for n = 12, 14."""
    for size in (7, 8):
        counts = range(1, size + 1)
        X = rng.standard_normal((3, size))
        yield from all_samples(X, counts, counts, (0.3, 0.01), "rank 3")
        X = np.repeat(np.eye(2), (size - 3, 3), axis=1)
        yield from all_samples(X, counts, (1, 2), (0.3, 0.01), "two clusters")
        angle = np.linspace(0, 0.4, size)
        X = np.array([np.cos(angle), np.sin(angle)])
        yield from all_samples(X, counts, (1, 2), (0.1, 0.03), "an arc of a circle")
    for size, delta in ((12, 0.1), (12, 2e-3), (14, 0.01), (14, 5e-4)):
        half = [size // 2]
        X = np.repeat(np.eye(2), (size - size // 3, size // 3), axis=1)
        yield from all_samples(X, half, (1,), (delta,), "two clusters")
    yield from all_samples(rng.standard_normal((5, 12)), [6], (2,), (0.01,), "rank 5")
    yield from all_samples(rng.standard_normal((5, 14)), [7], (1,), (5e-4,), "rank 5")


def cases(rng) -> Iterator[Case]:
    """All of them for samples without replacement."""
    yield from small_cases(rng)
    yield from _larger_cases(rng)
    for a, b, l in ((2150, 1850, 800), (1100, 900, 600), (30, 20, 10)):  # noqa: E741
        yield two_clusters(a, b, l)
        yield two_clusters(a, b, l, delta=1e-6)
    yield FLIPPED
    yield drawn(patients(), 40, 3, 0.02, "diabetes, linear")


# --- Without a hypothesis ---------------------------------------------------------

# A quarter of 4000 points; six and a half standard deviations from the mean count.
FLIPPED = two_clusters(2356, 1644, 1000)


def with_repetitions(X, l, rank, delta, name) -> Case:  # noqa: E741
    """Every ordered sample with replacement."""
    samples = np.array(list(np.ndindex(*(np.shape(X)[1],) * l)))
    seen = sampled(principal(X), samples, rank)
    values = {**known_of(X, rank), "l": l, "delta": delta}
    return Case(name, values, 1.0, np.full(len(samples), 1 / len(samples)), seen)


def always_at_the_origin(ones=180, zeros=40, delta=0.5) -> Case:
    """Equal points and points at the origin, of which the sample surely consists."""
    X = np.r_[np.ones(ones), np.zeros(zeros)][None]
    seen = sampled(X, [np.arange(ones, ones + zeros)], 1)
    values = {**known_of(X, 1), "l": zeros, "delta": delta}
    values |= {"tail_2": 0.0, "tail_F": 0.0}
    return Case("always at the origin", values, ones, np.ones(1), seen)


def one_column_repeated(l, delta) -> Case:  # noqa: E741
    """Two orthogonal points, one of them drawn, and that l times; k = 2."""
    X = np.eye(2)
    seen = sampled(X, np.array([[0] * l, [1] * l]), 2)
    values = {**known_of(X, 2), "l": l, "delta": delta}
    return Case("one column repeated", values, 1.0, np.full(2, 0.5), seen)


def indefinite(delta=0.5) -> Case:
    """``J - I`` of size 3, not semidefinite: diagonal and distances are zero."""
    K = np.ones((3, 3)) - np.eye(3)
    values = {"n": 3, "l": 1, "k": 1, "K_max": 0.0, "d_max": 0.0, "spread": 0.0}
    values |= {"tail_2": 1.0, "tail_F": math.sqrt(2), "delta": delta}
    left = [K - textbook_nystrom(K, [j], 1) for j in range(3)]
    seen = {
        "error_2": np.array([np.linalg.norm(E, 2) for E in left]),
        "error_F": np.array([np.linalg.norm(E) for E in left]),
    }
    return Case("not semidefinite", values, 2.0, np.full(3, 1 / 3), seen)


# --- Far in the tail: probabilities through their logarithms ----------------------


@dataclass(frozen=True)
class FarFlip:
    """Two orthogonal clusters as in `two_clusters`, with chances that underflow.

    Examples
    --------
    >>> case = FarFlip(2, 1, 1)
    >>> round(case.surprise(), 6), round(math.log(3), 6)
    (1.098612, 1.098612)
    """

    a: int
    b: int
    l: int  # noqa: E741

    def surprise(self) -> float:
        """Minus the logarithm of the chance that the sample flips the order."""
        count = np.arange((self.l + 1) // 2, min(self.l, self.b) + 1)
        law = scipy.stats.hypergeom(self.a + self.b, self.b, self.l)
        return -float(scipy.special.logsumexp(law.logpmf(count)))

    def allowed(self, bound: Formula) -> float:
        """The ``log(1/delta)`` at which a bound reaches the error of a flip.

        The excess of the bound is of the form ``A + B sqrt(log(1/delta))``.
        """
        given = two_clusters(self.a, self.b, 1, delta=1.0).values | {"l": self.l}
        start, one = (at_log(bound, nats)(**given) for nats in (0, 1))
        return ((self.a - start) / (one - start)) ** 2


@dataclass(frozen=True)
class Halves:
    """Rank one: half of the points at 1, half at t, half of them sampled.

    Parameters
    ----------
    half : int
        ``n = 2 half``, ``l = half``.
    t : float
    nats : float
        ``log(1 / delta)``.
    """

    half: int
    t: float
    nats: float

    def surprise(self, counts: int = 3000) -> float:
        """At most this: minus the log of the chance that ``|XX' - ZZ'|`` is larger.

        Than the half of the printed excess, that is.  Only the first few thousand
        counts beyond it are added, so that the chance is at least what this says.
        """
        n, l = 2 * self.half, self.half  # noqa: E741
        known = {"n": n, "l": l, "K_max": 1.0, "d_max": 1 - self.t}
        bound = at_log(printed_covariance(), self.nats)(**known)
        # With h ones the two traces differ by (1 - t^2) |2 h - l|.
        first = math.floor((bound / (1 - self.t**2) + l) / 2) + 1
        law = scipy.stats.hypergeom(n, self.half, l)
        tail = law.logpmf(np.arange(first, min(first + counts, l) + 1))
        return -float(scipy.special.logsumexp(tail) + math.log(2))
