"""What a uniform sample sees of clusters: exact probabilities at any size.

The extremal case of theorems about coherence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import scipy.stats

from nystheory.engine.worlds.clusters import Clusters


def missed(case: Clusters) -> float:
    """Probability that a uniform sample without replacement misses a cluster.

    By inclusion and exclusion over the missed clusters: in exact fractions where all
    sizes are equal, else as `within`.

    Examples
    --------
    >>> missed(Clusters.of_ones((1, 1), 1)), missed(Clusters.of_ones((2, 1), 2))
    (1.0, 0.3333333333333333)
    """
    sizes, n, l = case.apart, case.n, case.l  # noqa: E741
    if len(set(sizes)) > 1:
        return 1 - within(case, [1] * len(sizes), sizes)
    terms = (
        (-1) ** (j + 1) * math.comb(len(sizes), j) * math.comb(n - j * sizes[0], l)
        for j in range(1, len(sizes) + 1)
    )
    return float(Fraction(sum(terms), math.comb(n, l)))


def within(case: Clusters, low: Sequence[int], high: Sequence[int]) -> float:
    """Probability that every cluster gets between `low` and `high` landmarks.

    Counts of a uniform sample without replacement are independent binomial counts
    given that their sum is l, so one convolution for each cluster is enough.

    Examples
    --------
    >>> round(within(Clusters.of_ones((2, 1), 2), [1, 1], [2, 1]), 12)
    0.666666666667
    """
    n, l, share = case.n, case.l, case.l / case.n  # noqa: E741
    chances, start = np.ones(1), 0
    limits = zip(case.apart, low, high, strict=True)
    for size, a, b in (*limits, (case.origin, 0, case.origin)):
        b = min(b, size, l - start)
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
    >>> round(far_from_isometry(Clusters.of_ones((2, 2), 2)), 12)
    0.333333333333
    """
    means = [Fraction(case.l * size, case.n) for size in case.apart]
    low = [math.floor(mean / 2) + 1 for mean in means]
    high = [math.ceil(3 * mean / 2) - 1 for mean in means]
    return max(0.0, 1 - within(case, low, high))


def one_group(m: int, n: int, l: int, delta=0.5) -> Clusters:  # noqa: E741
    """m equal points other than 0, all others at 0.

    Examples
    --------
    >>> [(round(p, 3), o.counts) for p, o in one_group(2, 4, 2).outcomes("uniform")]
    [(0.167, (0, 2)), (0.667, (1, 1)), (0.167, (2, 0))]
    """
    return Clusters.of_ones((m,), l, origin=n - m, delta=delta)
