"""How many random pivots are enough: the map that the bounds iterate, and counts."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy.special

from nystheory.engine.worlds.matrices import EPS

# --- The map that bounds iterate --------------------------------------------------


def pivot_map(values, block: int = 1, counts=1) -> np.ndarray:
    r"""The eigenvalues of the bound after one block of b pivots.

    .. math:: \varphi_b(\lambda)_i = \lambda_i\,
       \frac{T - \lambda_i}{T + (b - 1) \lambda_i}, \qquad T = \sum_j \lambda_j

    With `counts` each value stands for so many that are equal.

    Examples
    --------
    >>> pivot_map([3.0, 1.0]).tolist(), pivot_map([1.0, 1.0], block=3).tolist()
    ([0.75, 0.75], [0.25, 0.25])
    """
    values = np.maximum(values, 0)
    total = np.sum(counts * values)
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
    # Equal ones stay equal; of an estimate all but a few are.
    values, counts = np.unique(values, return_counts=True)
    for _ in range(blocks):
        values = pivot_map(values, block, counts)
    return float(np.sum(counts * values))


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
