"""What the theorems on random columns and ridge regression measure, and try.

How many columns make ``norm(K - K~)`` small beside a ridge: for draws of many columns
of few different points, of which only the set that is hit matters.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from nystheory.chapters.ridge_and_preconditioning.theorems.ridge_risk import with_signal
from nystheory.engine import Instance
from nystheory.engine.language.quantity import CHOSEN
from nystheory.engine.worlds.quantities import quantity


def scores(i) -> np.ndarray:
    """Ridge leverage scores, the diagonal of ``K (K + alpha I)^-1``, for any K."""
    values, vectors = i.eigen_K
    return vectors**2 @ (values / (values + float(i.extra["alpha"])))


def _of_scores(i):
    return 1 + i.norm_K / float(i.extra["alpha"])


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


@quantity(
    r"\beta",
    "least ratio of the probabilities to normalised ridge leverage scores",
    CHOSEN,
    unit=0,
    condition=_of_smallest_score,
)
def ridge_share(i):
    """As it is given, else the largest that is right."""
    if "ridge_share" in i.extra:
        return float(i.extra["ridge_share"])
    if "probabilities" not in i.extra:
        raise ValueError("ridge_share: expected the probabilities, got none")
    found, some = scores(i), np.diag(i.K) > 0
    ratios = np.ravel(i.extra["probabilities"])[some] / found[some] * found.sum()
    return ratios.min(initial=1.0)


# --- Instances ------------------------------------------------------------------------


def drawn(i, rng):
    """What the theorems need besides K: a ridge, probabilities, a signal and so on.

    The probabilities are the scores, exact or with errors up to a factor of 3.
    """
    size = 2.0 ** np.floor(np.log2(i.norm_K or 1))
    i = i.but(alpha=size * (1, 0.5, 0.25, 2.0**-6)[rng.integers(4)])
    p = scores(i) * rng.uniform(1, 3, i.n) ** rng.integers(2)
    p = p / p.sum() if p.sum() > 0 else np.full(i.n, 1 / i.n)
    accuracy, delta = 2.0 ** rng.integers(-3, 1), 2.0 ** rng.integers(-12, 1)
    return with_signal(i.but(probabilities=p, accuracy=accuracy, delta=delta), rng)


def clusters(sizes, lengths, columns: int, name: str) -> Instance:
    """Clusters of equal points on axes of their own."""
    X = np.repeat(np.diag(lengths), sizes, axis=1)
    return Instance(X.T @ X, [0] * columns, 1, X=X, name=name, groups=tuple(sizes))


def few_points(rng, counts) -> Iterable[Instance]:
    """Matrices of four points, with so many draws of them."""
    n = 4
    for name, X in (
        ("general", rng.standard_normal((n, n))),
        ("integers", rng.integers(-2, 3, (n, n)).astype(float)),
        ("more integers", rng.integers(-2, 3, (2, n)).astype(float)),
        ("orthogonal points", np.eye(n)),
        ("decaying", 0.3 ** np.arange(n)[:, None] * rng.standard_normal((n, n))),
        ("nearly equal points", np.ones((n, n)) + 0.1 * rng.standard_normal((n, n))),
        ("unequal lengths", rng.standard_normal((n, n)) * 10.0 ** np.arange(-1, 3)),
    ):
        for columns in counts:
            yield Instance.from_points(X, [0] * columns, 1, name)


def draws(count: int, **given) -> Instance:
    """So many draws, whichever they are: a law says with what chance."""
    return Instance.exactly([0] * count, 1, **given)


def one_long_point(length: str, others: int) -> list:
    """One point, and many that are nearly nothing: a uniform sample misses it.

    The largest score is far above the effective dimension.
    """
    return [[length, *[0] * others], [0, *["0.02"] * others]]
