"""Experts on disjoint parts of one sample: every decomposition with its chance.

All ordered decompositions of small matrices, orthogonal clusters at any size through
hypergeometric probabilities in exact fractions, and draws of real ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
import scipy.stats

from nystheory.theorems.error_bounds.error_formulas import at_log
from nystheory.theorems.error_bounds.sampled_errors import (
    Case,
    alike,
    errors,
    known_of,
    principal,
    projectors,
)
from nystheory.theorems.formula import Formula

# --- Every decomposition of a small matrix ----------------------------------------


def decompositions(n: int, l: int, p: int) -> Iterator[tuple[tuple[int, ...], ...]]:  # noqa: E741
    """Every way to draw p disjoint samples of l of n columns, in order.

    Examples
    --------
    >>> list(decompositions(2, 1, 2))
    [((0,), (1,)), ((1,), (0,))]
    >>> len(list(decompositions(6, 2, 3)))
    90
    """
    waiting = [((), tuple(range(n)))]
    while waiting:
        chosen, rest = waiting.pop(0)
        if len(chosen) == p:
            yield chosen
            continue
        for part in combinations(rest, l):
            left = tuple(j for j in rest if j not in part)
            waiting.append(((*chosen, part), left))


def _observed(x, parts, rank, weights) -> dict[str, np.ndarray]:
    """Errors of the mixture and of the worst expert."""
    p, l = parts.shape[1:]  # noqa: E741
    flat = parts.reshape(-1, l)
    kept = projectors(x, flat, rank)
    mixed = np.tensordot(kept.reshape(len(parts), p, *kept.shape[1:]), weights, (1, 0))
    error_2, error_F = errors(x, mixed)
    alone_2, alone_F = (e.reshape(-1, p).max(axis=1) for e in errors(x, kept))
    return {
        "error_2": error_2,
        "error_F": error_F,
        "worst_2": alone_2,
        "worst_F": alone_F,
    }


def all_decompositions(X, l, weights, ranks, deltas, name) -> Iterator[Case]:  # noqa: E741
    """Every outcome for experts with fixed weights, for each rank and delta.

    Examples
    --------
    >>> case, = all_decompositions(np.eye(2), 1, [0.5, 0.5], [1], [0.5], "two points")
    >>> case.outcomes["error_2"].tolist(), case.outcomes["worst_2"].tolist()
    ([0.5], [1.0])
    """
    x, weights = principal(X), np.asarray(weights, dtype=float)
    parts = np.array(list(decompositions(np.shape(X)[1], l, len(weights))))
    chances = np.full(len(parts), 1 / len(parts))
    scale = float(np.linalg.norm(x, axis=1).max() ** 2)
    more = {"l": l, "experts": len(weights), "mu_max": weights.max()}
    for rank in ranks:
        merged = alike(chances, _observed(x, parts, rank, weights), scale)
        for delta in deltas:
            values = {**known_of(X, rank), **more, "delta": delta}
            yield Case(name, values, scale, *merged)


def drawn_experts(X, l, weights, rank, delta, name) -> Case:  # noqa: E741
    """A matrix too large to list: one decomposition is drawn at a time."""
    x, n, weights = principal(X), np.shape(X)[1], np.asarray(weights, dtype=float)

    def draw(rng):
        chosen = rng.choice(n, l * len(weights), replace=False)
        seen = _observed(x, chosen.reshape(1, len(weights), l), rank, weights)
        return {name: float(values[0]) for name, values in seen.items()}

    more = {"l": l, "experts": len(weights), "mu_max": weights.max(), "delta": delta}
    scale = float(np.linalg.norm(x, axis=1).max() ** 2)
    return Case(name, {**known_of(X, rank), **more}, scale, draw=draw)


# --- Two clusters, exactly --------------------------------------------------------


@dataclass(frozen=True)
class ClusterExperts:
    """Orthogonal clusters of a and b equal points, experts of rank 2.

    An expert reproduces the clusters that its sample has met; what all experts have
    missed, in their weights, is the error.

    Parameters
    ----------
    a, b : int
    l, p : int
        p disjoint samples of l points.
    uniform : bool
        Equal weights of two experts, else all weight on the first of p.

    Examples
    --------
    >>> case = ClusterExperts(1, 1, 1, 2, uniform=True)
    >>> [(str(chance), missed) for chance, missed in case.outcomes()]
    [('0', (0.5, 0.0)), ('0', (0.0, 0.5)), ('1', (0.5, 0.5)), ('0', (0.0, 0.0))]
    """

    a: int
    b: int
    l: int  # noqa: E741
    p: int
    uniform: bool = False

    def __post_init__(self):
        if self.uniform and self.p != 2:
            raise ValueError(f"p: expected 2 experts of equal weight, got {self.p}")

    @property
    def n(self) -> int:
        """Number of points."""
        return self.a + self.b

    def outcomes(self) -> list[tuple[Fraction, tuple[float, float]]]:
        """Chances and the shares of either cluster that the mixture misses."""
        a, b, n, l = self.a, self.b, self.n, self.l  # noqa: E741

        def only(size, total):
            return Fraction(math.comb(size, l), math.comb(total, l))

        miss_a, miss_b = only(b, n), only(a, n)
        if not self.uniform:
            rest = 1 - miss_a - miss_b
            return [(miss_a, (1.0, 0.0)), (miss_b, (0.0, 1.0)), (rest, (0.0, 0.0))]
        both = [miss_a * only(b - l, n - l) if b >= l else Fraction(0)]
        both += [miss_b * only(a - l, n - l) if a >= l else Fraction(0)]
        # One expert misses a and the other b, in either order.
        crossed = 2 * miss_a * only(a, n - l)
        half_a = 2 * (miss_a - both[0]) - crossed
        half_b = 2 * (miss_b - both[1]) - crossed
        listed = [
            (half_a, (0.5, 0.0)),
            (half_b, (0.0, 0.5)),
            (crossed, (0.5, 0.5)),
            (both[0], (1.0, 0.0)),
            (both[1], (0.0, 1.0)),
        ]
        listed.append((1 - sum(chance for chance, _ in listed), (0.0, 0.0)))
        return [row for i, row in enumerate(listed) if row[0] or i not in (3, 4)]

    def values(self) -> dict[str, float]:
        """The quantities that bounds are written in."""
        n = self.n
        known = {"n": n, "l": self.l, "k": 2, "experts": self.p, "K_max": 1.0}
        known |= {"spread": n - (self.a**2 + self.b**2) / n, "d_max": math.sqrt(2)}
        known |= {"mu_max": 0.5 if self.uniform else 1.0, "tail_2": 0.0, "tail_F": 0.0}
        return known | {"head_F": math.hypot(self.a, self.b), "constant": True}

    def error(self, missed, norm) -> float:
        """Of the mixture that misses these shares, in norm 2 or ``"F"``."""
        left = (missed[0] * self.a, missed[1] * self.b)
        return max(left) if norm == 2 else math.hypot(*left)

    def case(self, delta) -> Case:
        """As a case with float chances."""
        rows = self.outcomes()
        seen = {
            f"error_{norm}": np.array([self.error(missed, norm) for _, missed in rows])
            for norm in (2, "F")
        }
        alone = [(float(m[0] > 0), float(m[1] > 0)) for _, m in rows]
        if self.uniform:
            # Crossed experts miss one cluster each, never one of them both.
            alone[2] = (1.0, 0.0) if self.a >= self.b else (0.0, 1.0)
        for norm in (2, "F"):
            worst = [self.error(missed, norm) for missed in alone]
            seen[f"worst_{norm}"] = np.array(worst)
        chances = np.array([float(chance) for chance, _ in rows])
        values = {**self.values(), "delta": delta}
        return Case("two clusters", values, float(self.a), chances, seen)


def two_flipped(a, b, l, delta=None) -> Case:  # noqa: E741
    """Two experts of rank 1 and equal weight on orthogonal clusters, ``a >= b``.

    An expert takes the smaller cluster for the leading direction when it has at least
    as many of its points.  If both do, the error is a, and else at most b or a / 2.
    Delta is, if not given, a little less than the chance of that.

    Examples
    --------
    >>> case = two_flipped(3, 1, 1, delta=0.5)
    >>> case.chances.round(6).tolist(), case.outcomes["error_2"].tolist()
    ([0.5, 0.5, 0.0], [1.0, 1.5, 3.0])
    """
    n, count = a + b, np.arange(l + 1)
    # SciPy's pmf of large populations takes seconds, its logarithm none.
    first = scipy.stats.hypergeom(n, b, l).logpmf(count)
    left = np.maximum(b - count, 0)
    second = scipy.stats.hypergeom(n - l, left[:, None], l).logpmf(count)
    both = np.exp(first[:, None] + second)
    both /= both.sum()
    wrong = 2 * count >= l
    number = wrong[:, None].astype(int) + wrong
    chances = np.bincount(number.ravel(), weights=both.ravel(), minlength=3)
    share = np.arange(3) / 2
    missed = np.array([share * a, (1 - share) * b])
    alone = np.array([b, a, a], dtype=float)
    seen = {
        "error_2": missed.max(axis=0),
        "error_F": np.linalg.norm(missed, axis=0),
        "worst_2": alone,
        "worst_F": alone,
    }
    values = ClusterExperts(a, b, l, 2, uniform=True).values()
    values |= {"k": 1, "tail_2": b, "tail_F": b, "head_F": a}
    values["delta"] = 0.99 * chances[2] if delta is None else delta
    return Case("two experts, order flipped", values, float(a), chances, seen)


def any_flipped(a, b, l, p, delta) -> Case:  # noqa: E741
    """All weight on an expert of rank 1 that takes the wrong cluster, if one does.

    The clusters are orthogonal, of ``a > b`` equal points, and all ``a + b = p l`` are
    sampled, l of them odd in number by each expert: the counts of the smaller cluster
    are binomial, given their sum.

    Examples
    --------
    >>> case = any_flipped(2, 1, 1, 3, delta=0.5)
    >>> case.chances.round(6).tolist(), case.outcomes["error_2"].tolist()
    ([0.0, 1.0], [1.0, 2.0])
    """
    n = a + b
    right = scipy.stats.binom(l, b / n).pmf(np.arange((l + 1) // 2))
    sums = np.ones(1)
    for _ in range(p):
        sums = np.convolve(sums, right)
    given = scipy.stats.binom(n, b / n).pmf(b)
    none = sums[b] / given if b < len(sums) else 0.0
    seen = {"error_2": np.array([b, a], dtype=float)}
    values = ClusterExperts(a, b, l, p).values()
    values |= {"k": 1, "tail_2": b, "tail_F": b, "head_F": a, "delta": delta}
    chances = np.array([none, 1 - none])
    return Case("one of many experts, order flipped", values, float(a), chances, seen)


@dataclass(frozen=True)
class Breach:
    """Two clusters and a delta, however small, at which a bound is to be broken.

    Parameters
    ----------
    experts : ClusterExperts
    nats : float
        ``log(1 / delta)``.
    """

    experts: ClusterExperts
    nats: float

    def surprise(self, bound: Formula, norm) -> float:
        """Minus the log of the exact chance of an error above the bound."""
        limit = at_log(bound, self.nats)(**self.experts.values())
        failed = sum(
            chance
            for chance, missed in self.experts.outcomes()
            if self.experts.error(missed, norm) > limit
        )
        if not failed:
            return math.inf
        return math.log(failed.denominator) - math.log(failed.numerator)
