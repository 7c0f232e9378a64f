"""What the theorems on random columns and ridge regression measure, and try.

How many columns make ``norm(K - K~)`` small beside a ridge: for draws of many columns
of few different points, of which only the set that is hit matters.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from nystheory.chapters.ridge_and_preconditioning.theorems.ridge_risk import (
    Risk,
    with_signal,
)
from nystheory.engine.language.quantity import CHOSEN
from nystheory.engine.worlds.quantities import quantity
from nystheory.engine.worlds.worlds import Given


class ScoredColumns(Risk):
    """Columns that are drawn with some probabilities, and a signal with noise."""

    # A share of the scores, in place of the one that the probabilities have.
    ridge_share = Given()

    @classmethod
    def drawn(cls, instance, rng):
        """A ridge, probabilities and a signal.

        The probabilities are the scores, exact or with errors up to a factor of 3.
        """
        size = 2.0 ** np.floor(np.log2(instance.norm_K or 1))
        i = instance.but(alpha=size * (1, 0.5, 0.25, 2.0**-6)[rng.integers(4)])
        p = scores(i) * rng.uniform(1, 3, i.n) ** rng.integers(2)
        p = p / p.sum() if p.sum() > 0 else np.full(i.n, 1 / i.n)
        accuracy, delta = 2.0 ** rng.integers(-3, 1), 2.0 ** rng.integers(-12, 1)
        return with_signal(i.but(probabilities=p, accuracy=accuracy, delta=delta), rng)

    @classmethod
    def draws(cls, count: int, **given):
        """So many draws, whichever they are: a law says with what chance.

        Where no chance of failure is told, everything may fail.
        """
        return cls.exactly([0] * count, 1, **{"delta": 1, **given})

    @classmethod
    def clusters(cls, sizes, lengths, columns: int, name: str):
        """So many draws from clusters of equal points on axes of their own."""
        X = np.repeat(np.diag(lengths), sizes, axis=1)
        return cls.from_points(X, [0] * columns, 1, name, groups=tuple(sizes))

    @classmethod
    def few_points(cls, rng, counts) -> Iterable:
        """Matrices of four points, with so many draws of them."""
        n = 4
        for name, X in (
            ("general", rng.standard_normal((n, n))),
            ("integers", rng.integers(-2, 3, (n, n)).astype(float)),
            ("more integers", rng.integers(-2, 3, (2, n)).astype(float)),
            ("orthogonal points", np.eye(n)),
            ("decaying", 0.3 ** np.arange(n)[:, None] * rng.standard_normal((n, n))),
            ("nearly equal points", 1.0 + 0.1 * rng.standard_normal((n, n))),
            ("unequal lengths", rng.standard_normal((n, n)) * 10.0 ** np.arange(-1, 3)),
        ):
            for columns in counts:
                yield cls.from_points(X, [0] * columns, 1, name)


def scores(i) -> np.ndarray:
    """Ridge leverage scores, the diagonal of ``K (K + alpha I)^-1``, for any K."""
    values, vectors = i.eigen_K
    return vectors**2 @ (values / (values + float(i.alpha)))


def _of_scores(i):
    return 1 + i.norm_K / float(i.alpha)


@quantity(
    r"N_\infty(\alpha)",
    "n times the largest ridge leverage score",
    unit=0,
    condition=_of_scores,
)
def largest_score(i):
    return i.n * scores(i).max()


def _of_smallest_score(i):
    found = scores(i)
    return _of_scores(i) / found[np.diag(i.K) > 0].min(initial=1.0)


@ScoredColumns.quantity(
    r"\beta",
    "least ratio of the probabilities to normalised ridge leverage scores",
    CHOSEN,
    unit=0,
    condition=_of_smallest_score,
)
def ridge_share(i):
    """As it is given, else the largest that is right; none without a ridge."""
    if i.brings("ridge_share"):
        return float(i.ridge_share)
    if i.alpha <= 0:
        return None
    p, found, some = i.probabilities, scores(i), np.diag(i.K) > 0
    ratios = p[some] / found[some] * found.sum()
    return ratios.min(initial=1.0)


def one_long_point(length: str, others: int) -> list:
    """One point, and many that are nearly nothing: a uniform sample misses it.

    The largest score is far above the effective dimension.
    """
    return [[length, *[0] * others], [0, *["0.02"] * others]]
