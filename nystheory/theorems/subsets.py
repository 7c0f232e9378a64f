"""Every set of landmarks of a small matrix, and small matrices to try them on."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from nystheory.theorems.instance import Instance

# All 2^n sets are listed up to this size: 256 of them.
LISTED = 8


def subsets(K) -> Iterator[tuple[tuple[int, ...], object, np.ndarray]]:
    """Every S with ``det K[S, S] > 0``, that determinant, and what S leaves of K.

    Columns are eliminated one after another: a pivot is the factor by which the
    determinant grows, and the matrix that is left is ``K - K[:, S] W^-1 K[S, :]``.
    The empty set comes first, with determinant 1 and error K.

    Parameters
    ----------
    K : ndarray (n, n)
        Positive semidefinite, of floats or of exact fractions (see `fractions_of`).
        The cost is ``2^n n^2``.

    Examples
    --------
    >>> for S, det, error in subsets(np.array([[2.0, 1], [1, 1]])):
    ...     print(S, det, error.tolist())
    () 1 [[2.0, 1.0], [1.0, 1.0]]
    (0,) 2.0 [[0.0, 0.0], [0.0, 0.5]]
    (0, 1) 1.0 [[0.0, 0.0], [0.0, 0.0]]
    (1,) 1.0 [[1.0, 0.0], [0.0, 0.0]]
    """
    waiting = [((), 1, np.asarray(K))]
    while waiting:
        S, det, error = waiting.pop()
        yield S, det, error
        for j in reversed(range(S[-1] + 1 if S else 0, len(error))):
            pivot = error[j, j]
            if pivot > 0:
                rest = error - np.outer(error[:, j], error[j]) / pivot
                rest[j] = rest[:, j] = 0
                waiting.append(((*S, j), det * pivot, rest))


def fractions_of(matrix) -> np.ndarray:
    """A matrix of integers as exact fractions, an object array.

    Raises
    ------
    ValueError
        If an entry is not an integer.

    Examples
    --------
    >>> (fractions_of([[1, 2]]) / 3)[0, 1]
    Fraction(2, 3)
    """
    matrix = np.atleast_2d(np.asarray(matrix))
    if not np.array_equal(matrix, np.round(matrix)):
        raise ValueError("matrix: expected integers for an exact check")
    entries = [[Fraction(int(x)) for x in row] for row in matrix]
    return np.array(entries, dtype=object).reshape(matrix.shape)


def elementary_symmetric(K: np.ndarray) -> list[Fraction]:
    """``e_0, ..., e_n`` of the eigenvalues of K, exactly and without eigenvalues.

    Faddeev and LeVerrier: they are the coefficients of the characteristic
    polynomial, up to sign.

    Examples
    --------
    >>> elementary_symmetric(fractions_of([[2, 1], [1, 1]]))
    [Fraction(1, 1), Fraction(3, 1), Fraction(1, 1)]
    """
    n = len(K)
    identity = fractions_of(np.eye(n))
    e, M = [Fraction(1)], identity
    for j in range(1, n + 1):
        KM = K @ M
        e.append(Fraction((-1) ** (j + 1)) * np.trace(KM) / j)
        M = KM + (-1) ** j * e[j] * identity
    return e


def small_instances(rng: np.random.Generator, most: int = 6) -> Iterator[Instance]:
    """Matrices of the kinds in the stress suite, small enough to list all samples.

    Each comes with every number of landmarks l up to n, and a rank k <= l.
    """
    for name, X in _points(rng, most):
        n = X.shape[1]
        for l in range(1, n + 1):  # noqa: E741
            landmarks = rng.choice(n, l, replace=False)
            rank = int(rng.integers(1, l + 1))
            yield Instance.from_points(X, landmarks, rank, name)


def _points(rng, n):
    basis = np.linalg.qr(rng.standard_normal((n, n)))[0]
    low = rng.standard_normal((3, n))
    yield "general", rng.standard_normal((n, n))
    yield "rank 3", low
    yield "rank 1", np.ones((1, n))
    yield "geometric spectrum", 0.3 ** np.arange(n)[:, None] * basis
    yield "geometric spectrum, coherent", np.diag(0.3 ** np.arange(n))
    yield "constant diagonal", low / np.linalg.norm(low, axis=0)
    yield "wild diagonal", rng.standard_normal((n, n)) * 10.0 ** rng.uniform(-2, 2, n)
    yield "repeated points", np.repeat(low[:, : n // 2], 2, axis=1)
    yield "clusters", np.repeat(np.diag([1.0, 2, 3]), (n - 3, 2, 1), axis=1)
    yield "one point far away", np.diag(np.r_[np.ones(n - 1), 100.0])
    yield "tiny", 1e-8 * low
    yield "huge", 1e8 * low
    yield "integers", rng.integers(-2, 3, (4, n)).astype(float)
    yield "n = 1", np.array([[3.0]])
    yield "zero", np.zeros((1, 3))
