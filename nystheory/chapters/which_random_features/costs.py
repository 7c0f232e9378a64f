"""What features and their ridge regression cost, in operations and in words.

The counts are those of the docstrings of `features` and `learners.FeatureRidge`: the
leading terms, at any number of points.
"""

from __future__ import annotations

from collections.abc import Callable

# Operations that a cosine, a sine or an exponential counts for.
WAVE = 20


def operations_of_columns(n_columns: int, n: int, d: int) -> float:
    """Operations for Nyström features of columns of a Gaussian kernel.

    For l columns of n points: an entry takes 2 d operations and an exponential, the
    triangular system of the core l^2 at each point, its factor l^3 / 3.

    Parameters
    ----------
    n_columns, n, d : int
        Columns, points, coordinates.

    Examples
    --------
    >>> operations_of_columns(30, 1000, 10)
    2109000.0
    """
    return n * n_columns * (2 * d + WAVE + n_columns) + n_columns**3 / 3


def operations_of_waves(n_features: int, n: int, d: int) -> float:
    """Operations for random Fourier features in pairs: d and a wave for each.

    Examples
    --------
    >>> operations_of_waves(30, 1000, 10)
    900000
    """
    return n * n_features * (d + WAVE)


def operations_of_ridge(n_features: int, n: int) -> float:
    """Operations of ridge regression: the matrix ``F^T F`` and its factor.

    Examples
    --------
    >>> operations_of_ridge(30, 1000)
    909000.0
    """
    return n * n_features**2 + n_features**3 / 3


def words_of_columns(n_columns: int, d: int) -> float:
    """Words that stay while points pass: landmarks, factor of the core, ``F^T F``.

    Examples
    --------
    >>> words_of_columns(100, 10)
    21000
    """
    return n_columns * d + 2 * n_columns**2


def words_of_waves(n_features: int, d: int) -> float:
    """The same for random Fourier features in pairs: frequencies and ``F^T F``.

    Examples
    --------
    >>> words_of_waves(100, 10)
    10500.0
    """
    return n_features * d / 2 + n_features**2


def waves_for_the_work(n_columns: int, n: int, d: int) -> int:
    """How many waves cost, with their ridge regression, what columns cost with theirs.

    Between once and twice as many: twice as many waves take four times as many
    operations for ``F^T F``, where columns take twice as many for the core.

    Examples
    --------
    >>> waves_for_the_work(100, 10_000, 10)
    140
    """
    budget = operations_of_columns(n_columns, n, d) + operations_of_ridge(n_columns, n)
    return _most(
        lambda D: operations_of_waves(D, n, d) + operations_of_ridge(D, n), budget
    )


def waves_for_the_memory(n_columns: int, d: int) -> int:
    """How many waves take the words of columns.

    Examples
    --------
    >>> waves_for_the_memory(100, 10), waves_for_the_memory(100, 10_000)
    (142, 196)
    """
    return _most(lambda D: words_of_waves(D, d), words_of_columns(n_columns, d))


def waves_for_the_features(n_columns: int, n: int, d: int) -> int:
    """How many waves cost what columns cost, the learner left aside.

    Examples
    --------
    >>> waves_for_the_features(100, 10_000, 10)
    466
    """
    budget = operations_of_columns(n_columns, n, d)
    return _most(lambda D: operations_of_waves(D, n, d), budget)


def _most(cost: Callable[[int], float], budget: float) -> int:
    """The largest even number within a budget, at least 2."""
    D = 2
    while cost(D + 2) <= budget:
        D += 2
    return D
