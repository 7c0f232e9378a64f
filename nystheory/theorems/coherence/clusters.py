"""Clusters of equal points: what a sample does depends on a few counts alone.

The extremal case of theorems about coherence, with exact probabilities at any size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import scipy.stats

from nystheory.engine.numbers import Number


@dataclass(frozen=True)
class Clusters:
    """Equal points on orthogonal axes, the matrix that they define never formed.

    Row i of the eigenvectors is ``e_c / sqrt(size of c)`` for a point of cluster c,
    and 0 for a point at the origin.

    Parameters
    ----------
    sizes : tuple of int
        Points in each of the r clusters.
    l : int
        Number of landmarks.
    origin : int
        Points at the origin.

    Examples
    --------
    >>> case = Clusters((2, 4), l=3)
    >>> case.n, case.r, case.M
    (6, 2, 3.0)
    """

    sizes: tuple[int, ...]
    l: int  # noqa: E741 - the field's letter
    origin: int = 0

    @classmethod
    def equal(cls, r: int, size: int, l: int, origin: int = 0):  # noqa: E741
        """The same number of points in each of r clusters."""
        return cls((size,) * r, l, origin)

    def __repr__(self):
        kinds = sorted(set(self.sizes))
        sizes = f"{kinds[0]}" if len(kinds) == 1 else f"{kinds[0]} to {kinds[-1]}"
        zero = f", {self.origin} at the origin" if self.origin else ""
        return f"Clusters({self.r} of {sizes} points{zero}; l={self.l})"

    @property
    def n(self) -> int:
        """Number of points."""
        return sum(self.sizes) + self.origin

    @property
    def r(self) -> int:
        """Number of clusters, the rank of K."""
        return len(self.sizes)

    @property
    def M(self) -> float:
        """Basis-free coherence: the points of the smallest cluster stand out most."""
        return self.n / min(self.sizes)


def missed(case: Clusters) -> float:
    """Probability that a uniform sample without replacement misses a cluster.

    By inclusion and exclusion over the missed clusters: in exact fractions where all
    sizes are equal, else as `within`.

    Examples
    --------
    >>> missed(Clusters((1, 1), l=1)), missed(Clusters((2, 1), l=2))
    (1.0, 0.3333333333333333)
    """
    if len(set(case.sizes)) > 1:
        return 1 - within(case, [1] * case.r, case.sizes)
    size, total = case.sizes[0], math.comb(case.n, case.l)
    terms = (
        (-1) ** (j + 1) * math.comb(case.r, j) * math.comb(case.n - j * size, case.l)
        for j in range(1, case.r + 1)
        if case.n - j * size >= case.l
    )
    return float(Fraction(sum(terms), total))


def within(case: Clusters, low: Sequence[int], high: Sequence[int]) -> float:
    """Probability that every cluster gets between `low` and `high` landmarks.

    Counts of a uniform sample without replacement are independent binomial counts
    given that their sum is l, so one convolution for each cluster is enough.

    Examples
    --------
    >>> round(within(Clusters((2, 1), l=2), [1, 1], [2, 1]), 12)
    0.666666666667
    """
    n, l, share = case.n, case.l, case.l / case.n  # noqa: E741
    chances, start = np.ones(1), 0
    origin = [(case.origin, 0, case.origin)] if case.origin else []
    for size, a, b in [*zip(case.sizes, low, high, strict=True), *origin]:
        b = min(b, l - start)
        if b < a:
            return 0.0
        counts = scipy.stats.binom.pmf(np.arange(a, b + 1), size, share)
        start += a
        chances = np.convolve(chances, counts)[: l - start + 1]
    if not 0 <= l - start < len(chances):
        return 0.0
    return float(chances[l - start] / scipy.stats.binom.pmf(l, n, share))


def far_from_isometry(case: Clusters) -> float:
    """Probability that ``||(n/l) V_S' V_S - I|| >= 1/2`` for the rows V_S of a sample.

    The matrix is diagonal with entries ``(n/l) count / size``, so every count has to
    lie strictly between half and one and a half times its mean.

    Examples
    --------
    >>> round(far_from_isometry(Clusters((2, 2), l=2)), 12)
    0.333333333333
    """
    means = [Fraction(case.l * size, case.n) for size in case.sizes]
    low = [math.floor(mean / 2) + 1 for mean in means]
    high = [math.ceil(3 * mean / 2) - 1 for mean in means]
    caps = [min(b, size) for b, size in zip(high, case.sizes, strict=True)]
    return max(0.0, 1 - within(case, low, caps))


@dataclass(frozen=True)
class OneGroup:
    """Equal points other than 0, all others at 0, as an instance of any size.

    The matrix is never formed: one point of the group stands for all, and a sample is
    told by how many of the group it has.

    Parameters
    ----------
    m, n, l : int
        Points in the group, points, landmarks.
    delta : float
        Probability with which a statement may fail.
    drawn : int
        How many landmarks are in the group.

    Examples
    --------
    >>> [(round(p, 3), o.drawn) for p, o in OneGroup(2, 4, 2).outcomes("uniform")]
    [(0.167, 0), (0.667, 1), (0.167, 2)]
    """

    m: int
    n: int
    l: int  # noqa: E741
    delta: float = 0.5
    drawn: int = 0

    k = 1

    @property
    def extra(self) -> dict:
        """What the instance carries besides."""
        return {"delta": self.delta}

    def measured(self, quantity):
        """Its values, which are integers and quotients of them."""
        if quantity.name == "equal_or_zero":
            return True
        return Number.exact(self._values()[quantity.name])

    def _values(self) -> dict:
        sizes = {"n": self.n, "l": self.l, "k": 1, "r": 1, "different": self.l}
        M = self.n / self.m
        coherences = {"basis_free_coherence": M, "coherence": math.sqrt(M)}
        return {
            **sizes,
            **coherences,
            "delta": self.delta,
            "points_off_zero": self.m,
            "K": [[1.0]],
            "U": [[1.0]],
            "approximation": [[float(self.drawn > 0)]],
            "isometry_defect": abs(M * self.drawn / self.l - 1),
        }

    def but(self, **changes) -> OneGroup:
        """A copy with some fields exchanged."""
        return replace(self, **changes)

    def outcomes(self, law: str):
        """How many landmarks are in the group, for different uniform ones."""
        mean = self.l * self.m / self.n
        reach = 20 + 12 * math.sqrt(mean)
        low, high = max(0, int(mean - reach)), min(self.m, self.l, int(mean + reach))
        counts = np.arange(low, high + 1)
        chances = scipy.stats.hypergeom.pmf(counts, self.n, self.m, self.l)
        return [
            (float(p), self.but(drawn=int(count)))
            for count, p in zip(counts, chances, strict=True)
            if p > 0
        ]
