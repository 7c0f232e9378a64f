"""All optima of a small dual problem, by trying every set of active bounds.

Support vector machines and support vector regression without offset minimise
``b.T K b / 2 + sum_i f_i(b_i)`` with a convex, piecewise linear f_i between two bounds.
At an optimum each b_i stands at a kink of f_i, or between two of them where
``(K b)_i`` is minus the slope.  With one of these chosen for each point the rest is a
linear system, and the slopes on both sides say whether it is optimal.
"""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import product
from typing import NamedTuple

import numpy as np

from nystheory.engine import Instance
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.quantities import point_bound
from nystheory.engine.worlds.two_kernels import TwoKernels, of_other, other, with_other
from nystheory.engine.worlds.worlds import Given

# Points up to which all choices are tried: 5 to the power of it for regression.
MOST = 3
# A free block whose smallest eigenvalue, relative to K, is in between may be singular.
SINGULAR, REGULAR = 1e-13, 1e-7
# What rounding takes from a condition of optimality, for a well conditioned block, and
# what it surely does not: relative to the numbers that are compared.
HELD, BROKEN = 1e-13, 1e-6


class Dual(NamedTuple):
    """A dual problem: kinks (n, m + 1) and slopes between them (n, m), of each point.

    Parameters
    ----------
    K : ndarray (n, n)
    kinks : ndarray (n, m + 1)
        In increasing order; the first and the last are the bounds.
    slopes : ndarray (n, m)
    """

    K: np.ndarray
    kinks: np.ndarray
    slopes: np.ndarray


def of_machine(K, y, bound) -> Dual:
    """The dual of the support vector machine, for ``b_i = y_i alpha_i``."""
    inverse = np.divide(1.0, y, out=np.zeros_like(y), where=y != 0)
    kinks = np.sort(np.stack([np.zeros_like(y), bound * y], axis=1), axis=1)
    return Dual(K, kinks, -inverse[:, None])


def of_regression(K, y, bound, tube) -> Dual:
    """The dual of support vector regression."""
    kinks = np.outer(np.ones_like(y), [-bound, 0.0, bound])
    return Dual(K, kinks, np.stack([-y - tube, tube - y], axis=1))


class Optima(NamedTuple):
    """Extreme optima, one a row, and by how much they may err.

    Attributes
    ----------
    values : ndarray (m, n)
        Every optimum is a mean of these.
    errors : ndarray (m,)
        Their lengths of rounding, in units of the machine precision.
    sure : ndarray (m,)
        Whether it is an optimum; the others are where rounding hides it.
    """

    values: np.ndarray
    errors: np.ndarray
    sure: np.ndarray


@lru_cache
def _choices(n, kinks):
    """At the kink j: 2 j; between it and the next: 2 j + 1."""
    return np.array([*product(range(2 * kinks - 1), repeat=n)])


def optima(dual: Dual) -> Optima | None:
    """The extreme optima; None where rounding hides which blocks are singular.

    Examples
    --------
    >>> y = np.array([1.0, 1.0])
    >>> found = optima(of_machine(np.ones((2, 2)), y, 1.0))
    >>> np.unique(found.values[found.sure].round(9) + 0.0, axis=0).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    K, kinks, slopes = dual
    n, m = len(K), kinks.shape[1]
    norm = float(np.linalg.norm(K, 2)) or 1.0
    choice = _choices(n, m)
    free, at = choice % 2 == 1, choice // 2
    points = np.arange(n)
    fixed = np.where(free, 0.0, kinks[points, at])
    slope = np.where(free, slopes[points, np.minimum(at, m - 2)], 0.0)
    blocks = K * free[:, :, None] * free[:, None, :]
    blocks[:, points, points] += norm * ~free
    lowest = np.linalg.eigvalsh(blocks)[:, 0] / norm
    if ((lowest > SINGULAR) & (lowest <= REGULAR)).any():
        return None
    kept = lowest > REGULAR
    free, at, fixed, slope = free[kept], at[kept], fixed[kept], slope[kept]
    right = np.where(free, -slope - fixed @ K, norm * fixed)
    b = np.linalg.solve(blocks[kept], right[:, :, None])[:, :, 0]
    size = np.abs(b).max(axis=1)
    slack = _slack(dual, b, free, at, norm * size + np.abs(slopes).max())
    near, lowest = slack >= -BROKEN, lowest[kept]
    push = size + np.abs(slope).max(axis=1) / norm
    errors = size + free.any(axis=1) * push / lowest
    return Optima(b[near], errors[near], (slack >= -HELD / lowest)[near])


def _slack(dual, b, free, at, steep):
    """By how much each condition of optimality holds, relative to what it compares."""
    K, kinks, slopes = dual
    points, m = np.arange(len(K)), kinks.shape[1]
    size = np.maximum(np.abs(b).max(axis=1), 1e-300)[:, None]
    pull = b @ K
    inside = np.minimum(
        b - kinks[points, at], kinks[points, np.minimum(at + 1, m - 1)] - b
    )
    after = np.where(at < m - 1, slopes[points, np.minimum(at, m - 2)] + pull, np.inf)
    before = np.where(at > 0, -pull - slopes[points, np.maximum(at - 1, 0)], np.inf)
    steep = np.maximum(steep, 1e-300)[:, None]
    held = np.where(free, inside / size, np.minimum(before, after) / steep)
    return held.min(axis=1)


# --- Two machines, and how far they move ----------------------------------------------


class TwoMachines(TwoKernels):
    """Two kernel matrices of the same points, each with a support vector machine."""

    C_0 = Given(
        "C_0", "weight of the mean loss beside the half squared norm", range="C_0 > 0"
    )

    @classmethod
    def drawn(cls, instance, rng):
        """Another kernel matrix, labels of one sign or of both, and a weight.

        From where every point is at its bound to where few are.
        """
        if instance.n > MOST:
            return None
        y = rng.choice([-1.0, 1.0], (instance.n, 1)) ** rng.integers(2)
        weight = 2.0 ** rng.integers(-2, 11) / power_of_two(instance.diagonal.max())
        room = rng.integers(2) * power_of_two(instance.norm_K)
        return with_other(instance, rng).but(y=y, C_0=weight, room=room)


class TwoRegressions(TwoMachines):
    """Two kernel matrices of the same points, each with a support vector regression."""

    tube = Given(
        r"\epsilon",
        "half width of the tube in which an error costs nothing",
        range="tube >= 0",
    )

    @classmethod
    def drawn(cls, instance, rng):
        """Observations of any size, and a tube or none."""
        i = super().drawn(instance, rng)
        if i is None:
            return None
        reach = power_of_two(float(i.C_0) * i.diagonal.max() or 1.0)
        y = rng.integers(-4, 5, (i.n, 1)) * reach * 2.0 ** rng.integers(-6, 1)
        size = power_of_two(np.abs(y).max())
        return i.but(y=y, tube=rng.integers(2) * size * 2.0 ** rng.integers(-4, 1))


def machine(i, K) -> Dual:
    """The dual of the support vector machine of an instance."""
    return of_machine(K, np.ravel(i.y), float(i.C_0) / i.n)


def regression(i, K) -> Dual:
    """The dual of the support vector regression of an instance."""
    return of_regression(K, np.ravel(i.y), float(i.C_0) / i.n, float(i.tube))


class Pair(NamedTuple):
    """An optimum with K, and the optima with K'.

    Attributes
    ----------
    here : ndarray (n,)
    there : ndarray (m, n)
        Extreme optima; those that are not `sure` are perhaps none.
    sure : ndarray (m,)
    error : float
        Of what is told of their differences, in units of the machine precision.
    """

    here: np.ndarray
    there: np.ndarray
    sure: np.ndarray
    error: float


def pair(i, learner) -> Pair | None:
    """The optima of a learner with both matrices, computed once."""
    kept = i.__dict__.setdefault("_pairs", {})
    if learner not in kept:
        kept[learner] = _pair(i, learner)
    return kept[learner]


def _pair(i, learner):
    if i.n > MOST:
        return None
    made = of_other(i)
    with_K, with_other = (optima(learner(i, A)) for A in (i.K, other(i)))
    if with_K is None or with_other is None or not np.isfinite(made):
        return None
    if not (with_K.sure.any() and with_other.sure.any()):
        return None
    place = int(np.argmax(with_K.sure))
    error = with_K.errors[place] + made * with_other.errors.max()
    return Pair(with_K.values[place], with_other.values, with_other.sure, error)


def largest(values, sure) -> float | None:
    """The largest value of an optimum; None where it is perhaps another's."""
    found = float(values[sure].max())
    return None if values.max() > found * (1 + 1e-9) + 1e-300 else found


def _of_pair(learner):
    def condition(i):
        found = pair(i, learner)
        if found is None:
            return np.inf
        return np.sqrt(point_bound(i) * i.norm_K * i.n) * found.error

    return condition


def change(i, learner) -> float | None:
    """Over all x with ``K(x, x) <= kappa`` and over all optima with K'."""
    found = pair(i, learner)
    if found is None:
        return None
    moved = (found.there - found.here) @ i.points.T
    size = largest(np.linalg.norm(moved, axis=1), found.sure)
    return None if size is None else float(np.sqrt(point_bound(i))) * size


@TwoMachines.quantity(
    r"\max_x |h'(x)-h(x)|",
    "largest change of the value of the support vector machine",
    SAMPLE,
    unit=0,
    condition=_of_pair(machine),
)
def machine_change(i):
    return change(i, machine)


@TwoRegressions.quantity(
    r"\max_x |h'(x)-h(x)|",
    "largest change of the prediction of support vector regression",
    SAMPLE,
    unit=0,
    condition=_of_pair(regression),
)
def regression_change(i):
    return change(i, regression)


# --- The optima themselves, for proofs ------------------------------------------------


def first_optimum(i, learner, K) -> np.ndarray | None:
    """Of the extreme optima the first by its entries; None where that is unsure."""
    found = optima(learner(i, K)) if i.n <= MOST else None
    if found is None or not len(found.values):
        return None
    size = np.abs(found.values).max() or 1.0
    first = np.lexsort((found.values / size).round(9).T[::-1])[0]
    return found.values[first][:, None] if found.sure[first] else None


def _enter_optima(world, learner, name, words):
    for matrix, mark, when in (("", "", "K"), ("other_", "'", "K'")):
        world.quantity(
            rf"\beta{mark}",
            f"an optimum of {words} with {when}, the first by its entries",
            SAMPLE,
            unit=0,
            condition=_of_pair(learner),
            name=f"{matrix}{name}",
        )(partial(_optimum, learner=learner, of=other if matrix else None))


def _optimum(i, learner, of):
    return first_optimum(i, learner, of(i) if of else i.K)


_enter_optima(TwoMachines, machine, "machine_optimum", "the support vector machine")
_enter_optima(
    TwoRegressions, regression, "regression_optimum", "support vector regression"
)


# --- Instances ------------------------------------------------------------------------


def power_of_two(x: float) -> float:
    """A power of two near it."""
    return 2.0 ** np.round(np.log2(x or 1.0))


def some_points(rng):
    """A few points of integers, to which each world adds its own."""
    for n in (*range(1, MOST + 1),) * 4:
        X = rng.integers(-2, 3, (2, n))
        yield Instance.from_points(X, [rng.integers(n)], 1, "integers")
