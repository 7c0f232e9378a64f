"""Populations whose eigenvalues are chosen, and how far a sample of them errs.

The points are the rows of a Hadamard matrix, cut to some columns, each column times the
root of an eigenvalue.  Over all points the columns are orthogonal, so that ``L_n`` is
exactly diagonal, and any point is computed without the others.
"""

from __future__ import annotations

import numpy as np

# Points of the population, a power of two.
POPULATION = 2**16
# Steps of the power method, which ends earlier where there is a gap.
STEPS = 1000


def rows(columns: int, draws: int, rng) -> np.ndarray:
    """Random rows of signs, of which any two columns are orthogonal over all rows.

    Parameters
    ----------
    columns, draws : int
        Fewer columns than there are points.
    rng : numpy.random.Generator

    Returns
    -------
    ndarray (draws, columns)

    Examples
    --------
    >>> rows(3, 2, np.random.default_rng(0)).shape
    (2, 3)
    """
    chosen = rng.integers(POPULATION, size=draws)
    both = chosen[:, None] & np.arange(1, columns + 1)
    return 1 - 2.0 * (np.bitwise_count(both) % 2)


def direction(values: np.ndarray, draws: int, rng) -> np.ndarray:
    """The leading eigenvector of a sample, where ``L_n`` has these eigenvalues.

    Parameters
    ----------
    values : ndarray (d,)
        Their sum is the squared length of every point.
    draws : int
        Landmarks, drawn independently.
    rng : numpy.random.Generator

    Returns
    -------
    ndarray (d,)

    Examples
    --------
    >>> v = direction(np.array([0.75, 0.25]), 400, np.random.default_rng(0))
    >>> bool(v[0] > 0.99)
    True
    """
    X = rows(len(values), draws, rng) * np.sqrt(values)
    v = np.eye(1, len(values))[0]
    for _ in range(STEPS):
        moved_on = X.T @ (X @ v)
        moved_on /= np.linalg.norm(moved_on)
        step, v = np.linalg.norm(moved_on - v), moved_on
        if step < 1e-14:
            break
    return v


def moved(values: np.ndarray, draws: int, rng) -> float:
    """``|L_n^(1/2) (H_1 - H^_1) L_n^(1/2)|`` for one sample.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> moved(np.array([0.75, 0.25]), 400, rng) < 0.1
    True
    """
    v = np.sqrt(values) * direction(values, draws, rng)
    first = np.sqrt(values[0]) * np.eye(1, len(v))[0]
    # The difference of two squares lives in the plane of both.
    a, b = np.linalg.qr(np.column_stack([first, v]))[1].T
    return float(np.linalg.norm(np.outer(a, a) - np.outer(b, b), 2))


def excess(values: np.ndarray, draws: int, rng) -> float:
    """``(|K - K~| - lambda_2) / n`` for one sample, the rank 1 and a flat tail.

    What the sample takes for the first direction is the first one but for an angle, and
    orthogonal to it the largest eigenvalue is ``t + (values[0] - t) sin^2``.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> 0 <= excess(np.array([0.75, 0.25]), 400, rng) < 0.01
    True
    """
    outside = np.linalg.norm(direction(values, draws, rng)[1:])
    return float((values[0] - values[1]) * outside**2)


def error(values: np.ndarray, draws: int, rng) -> float:
    """``|K - K~| / n`` for one sample, the rank 1 and a flat tail.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> 0.25 <= error(np.array([0.75, 0.25]), 400, rng) < 0.26
    True
    """
    return float(values[1]) + excess(values, draws, rng)


# --- Families: one strong direction, and a flat tail ----------------------------------

STRONG = 0.75


def spread(draws: int) -> np.ndarray:
    """A tail of trace 1/4 over as many directions as landmarks: each is 1 / (4 l)."""
    return np.r_[STRONG, np.full(draws, (1 - STRONG) / draws)]


def fixed(draws: int) -> np.ndarray:
    """A tail of trace 1/4 over three directions, whatever the number of landmarks."""
    return np.r_[STRONG, np.full(3, (1 - STRONG) / 3)]


def thin(draws: int) -> np.ndarray:
    """Three directions of 1 / (2 l) each: the trace of the tail falls as well."""
    return np.r_[STRONG, np.full(3, 1 / (2 * draws))]


# Sixteen times as many at the end; odd, so that no mean of signs is zero.
COUNTS = {spread: (31, 63, 127, 255, 511)}
COUNTS |= dict.fromkeys((fixed, thin), (255, 511, 1023, 2047, 4095))


def measured(measure, family, repeats: int, rng) -> np.ndarray:
    """A measure on a family, at each of its numbers of landmarks, so often.

    Parameters
    ----------
    measure, family : callable
        Those of this module.
    repeats : int
    rng : numpy.random.Generator

    Returns
    -------
    ndarray (m, repeats)

    Examples
    --------
    >>> measured(moved, fixed, 2, np.random.default_rng(0)).shape
    (5, 2)
    """
    counts = COUNTS[family]
    return np.array(
        [[measure(family(m), m, rng) for _ in range(repeats)] for m in counts]
    )
