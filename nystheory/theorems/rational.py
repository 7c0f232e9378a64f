"""Exact arithmetic on small integer matrices: no rounding, so no tolerance."""

from __future__ import annotations

import numpy as np
from sympy import QQ
from sympy.polys.matrices import DomainMatrix


def rational(matrix) -> DomainMatrix:
    """A matrix of integers as exact fractions.

    Raises
    ------
    ValueError
        If an entry is not an integer.

    Examples
    --------
    >>> rank(rational([[1, 2], [2, 4]]))
    1
    """
    matrix = np.atleast_2d(np.asarray(matrix))
    if not np.array_equal(matrix, np.round(matrix)):
        raise ValueError("matrix: expected integers for an exact check")
    entries = [[QQ(int(x)) for x in row] for row in matrix]
    return DomainMatrix(entries, matrix.shape, QQ)


def rank(matrix: DomainMatrix) -> int:
    """Exact rank."""
    return matrix.rank()


def pseudo_inverse(matrix: DomainMatrix) -> DomainMatrix:
    """Exact Moore-Penrose inverse, from a full-rank factorisation M = B G.

    Examples
    --------
    >>> M = rational([[1, 1], [1, 1]])
    >>> M * pseudo_inverse(M) * M == M
    True
    """
    reduced, pivots = matrix.rref()
    if not pivots:
        return DomainMatrix.zeros(matrix.shape[::-1], QQ)
    B = matrix.extract(range(matrix.shape[0]), pivots)
    G = reduced.extract(range(len(pivots)), range(matrix.shape[1]))
    left = (B.transpose() * B).inv() * B.transpose()
    return G.transpose() * (G * G.transpose()).inv() * left


def is_zero(matrix: DomainMatrix) -> bool:
    """Whether every entry is exactly zero."""
    return matrix.to_dense() == DomainMatrix.zeros(matrix.shape, QQ).to_dense()
