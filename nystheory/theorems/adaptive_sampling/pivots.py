"""Exact laws of randomly chosen pivots on small matrices, and what bounds iterate.

What is left of K after some pivots depends on the set of pivots alone, so a law of
ordered pivots is followed on the 2^n sets: every order is counted, none is sampled.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy.special

from nystheory.theorems.instance import EPS

# Sets of so many indices are listed: 2^7 of them, and 2^6 starts of a block.
MOST, MOST_IN_BLOCKS = 7, 6


# --- What is left after every set of pivots ---------------------------------------


def residuals(K) -> np.ndarray:
    """What is left of K after every set of pivots, (2^n, n, n).

    The set is the index, one bit for each pivot.  A pivot below the rounding of its
    own diagonal entry is a zero: its row and column are.

    Raises
    ------
    ValueError
        If n is above 10.

    Examples
    --------
    >>> residuals(np.array([[2.0, 1], [1, 2]]))[0b01].tolist()
    [[0.0, 0.0], [0.0, 1.5]]
    """
    K = np.asarray(K, dtype=float)
    n = len(K)
    if n > 10:
        raise ValueError(f"K: expected at most 10 rows to list all sets, got {n}")
    left = np.empty((1 << n, n, n))
    left[0] = K
    for i in range(n):
        before = left[: 1 << i]
        column = before[:, :, i]
        inverse = _inverse(before[:, i, i], 64 * n * EPS * K[i, i])
        product = column[:, :, None] * column[:, None, :]
        after = before - inverse[:, None, None] * product
        after[:, i, :] = after[:, :, i] = 0
        left[1 << i : 2 << i] = after
    return left


def _inverse(pivots, floor):
    return np.divide(1, pivots, out=np.zeros_like(pivots), where=pivots > floor)


def diagonals(K, left) -> np.ndarray:
    """Diagonals of `residuals`, (2^n, n), with zeros where only rounding is left."""
    diagonal = np.einsum("sii->si", left)
    return np.where(diagonal > 64 * len(K) * EPS * np.diag(K), diagonal, 0)


# --- The law of the set of pivots -------------------------------------------------


def law_of_sets(weights, blocks: int, block: int = 1) -> np.ndarray:
    """Probability of every set of pivots after some blocks of independent draws.

    Parameters
    ----------
    weights : ndarray (2^n, n)
        For every set of pivots the weights of the draws that follow; a row of zeros
        ends the process.
    blocks, block : int
        Number of blocks, and of independent draws in each.

    Returns
    -------
    ndarray (2^n,)

    Examples
    --------
    >>> weights = np.array([[3.0, 1], [0, 1], [3, 0], [0, 0]])
    >>> law_of_sets(weights, 1).tolist(), law_of_sets(weights, 1, 2).tolist()
    ([0.0, 0.75, 0.25, 0.0], [0.0, 0.5625, 0.0625, 0.375])
    """
    total = weights.sum(axis=1)
    over = np.where(total > 0, total, 1)
    chances = (weights / over[:, None]).T
    stops = (total == 0).astype(float)
    mass = np.zeros(len(weights))
    mass[0] = 1
    for _ in range(blocks):
        if block == 1:
            mass = _draw(mass, chances, stops)
            continue
        # Rows: the set at the start of the block, whose weights its draws follow.
        joint = np.diag(mass)
        for _ in range(block):
            joint = _draw(joint, chances[:, :, None], stops[:, None])
        mass = joint.sum(axis=0)
    return mass


def _draw(mass, chances, stops):
    """One draw: the mass on S moves to S with i, for every i."""
    after = mass * stops
    for i, chance in enumerate(chances):
        pairs = (*mass.shape[:-1], -1, 2, 1 << i)
        after.reshape(pairs)[..., 1, :] += (mass * chance).reshape(pairs).sum(-2)
    return after


def mean_residual(K, blocks: int, block: int = 1, power: float = 1.0) -> np.ndarray:
    """Exact mean of what is left, pivots drawn in proportion to diagonal ** power.

    Parameters
    ----------
    K : array (n, n)
        Positive semidefinite, n small.
    blocks, block : int
        Number of blocks and of draws in each; a block of one is RPCholesky.
    power : float
        Two for Frobenius pivoting, zero for uniform pivots.

    Returns
    -------
    ndarray (n, n)

    Examples
    --------
    >>> mean_residual(np.diag([3.0, 1.0]), 1).tolist()
    [[0.75, 0.0], [0.0, 0.75]]
    """
    left, mass = _left_and_law(K, blocks, block, power)
    return np.tensordot(mass, left, 1)


def mean_square(K, steps: int, power: float = 2.0) -> float:
    """Exact mean of the squared Frobenius norm of what is left."""
    left, mass = _left_and_law(K, steps, 1, power)
    return float(mass @ np.einsum("sij,sij->s", left, left))


def _left_and_law(K, blocks, block, power):
    left = residuals(K)
    diagonal = diagonals(K, left)
    weights = diagonal**power * (diagonal > 0)
    return left, law_of_sets(weights, blocks, block)


# --- The map that bounds iterate --------------------------------------------------


def pivot_map(values, block: int = 1) -> np.ndarray:
    r"""The eigenvalues of the bound after one block of b pivots.

    .. math:: \varphi_b(\lambda)_i = \lambda_i\,
       \frac{T - \lambda_i}{T + (b - 1) \lambda_i}, \qquad T = \sum_j \lambda_j

    Examples
    --------
    >>> pivot_map([3.0, 1.0]).tolist(), pivot_map([1.0, 1.0], block=3).tolist()
    ([0.75, 0.75], [0.25, 0.25])
    """
    values = np.maximum(values, 0)
    total = values.sum()
    if total == 0:
        return values
    return values * (total - values) / (total + (block - 1) * values)


def calculator(values, blocks: int, block: int = 1) -> float:
    """Bound on the mean trace error after some blocks, from the eigenvalues of K.

    Examples
    --------
    >>> calculator([1.0, 1.0], 1), calculator([1.0, 1.0], 2)
    (1.0, 0.5)
    """
    for _ in range(blocks):
        values = pivot_map(values, block)
    return float(np.sum(values))


# --- The number of pivots ---------------------------------------------------------


class Needed(NamedTuple):
    """Numbers of pivots, each enough for a mean trace error of (1 + eps) tail."""

    calculator: int
    first: float
    second: float


def pivots_needed(values, rank: int, accuracy: float, block: int = 1) -> Needed:
    """How many pivots are enough by the calculator and by each branch of the theorem.

    Parameters
    ----------
    values : array (n,)
        Eigenvalues of K.
    rank : int
        The rank k to compare with.
    accuracy : float
        The number eps: the mean trace error is at most ``(1 + eps)`` times the error
        of the best rank k.
    block : int
        Pivots drawn at once; the second branch is for one.

    Returns
    -------
    Needed
        The calculator's number, and the two right-hand sides of the theorem.

    Examples
    --------
    >>> values = np.r_[1e12, 1e12, np.ones(50)]
    >>> [math.ceil(number) for number in pivots_needed(values, 2, 0.5)]
    [40, 55, 11]
    """
    values = np.sort(np.maximum(values, 0))[::-1]
    goal = (1 + accuracy) * values[rank:].sum()
    share = values[rank:].sum() / values.sum()
    odds = math.inf if share == 0 else 1 / (accuracy * share)
    first = rank / accuracy + (rank + block - 1) * math.log(odds)
    second = rank / accuracy + rank + rank * max(0, math.log(2**rank / accuracy))
    goal, steps = max(goal, EPS * values.sum()), 0
    # The trace of the bound falls in every step, but without a tail never to zero.
    while values.sum() > goal:
        values, steps = pivot_map(values, block), steps + block
    return Needed(steps, first, second if block == 1 else math.inf)


def first_excess(total, tail, rank: int, pivots: int, block: int = 1) -> float:
    r"""The smallest excess over the tail that the first branch allows.

    With :math:`x = \varepsilon \cdot` tail the branch reads
    ``rank * tail / x + c * log(total / x) <= pivots``, ``c = rank + block - 1``.

    Examples
    --------
    >>> x = first_excess(10.0, 1.0, 2, 8)
    >>> round(2 * 1 / x + 2 * math.log(10 / x), 12)
    8.0
    """
    c = rank + block - 1
    if rank * tail <= np.finfo(float).tiny * max(total, 1):
        return total * math.exp(-pivots / c)
    # y + log(y) = z for y = rank * tail / (c * x): the Wright omega function.
    y = _omega(pivots / c + math.log(rank * tail / (c * total)))
    return rank * tail / (c * y)


def second_excess(tail, rank: int, pivots: int) -> float:
    """The same for the second branch; infinite unless there are more pivots than k.

    Examples
    --------
    >>> x = second_excess(1.0, 2, 8)
    >>> round(2 / x + 2 + 2 * math.log(4 / x), 12)
    8.0
    """
    if pivots <= rank:
        return 0.0 if tail == 0 and pivots == rank else math.inf
    return tail / _omega((pivots - rank) / rank - rank * math.log(2))


def _omega(z: float) -> float:
    return float(scipy.special.wrightomega(z))
