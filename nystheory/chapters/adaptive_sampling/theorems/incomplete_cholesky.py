"""Part II: pivoted incomplete Cholesky is the Nyström approximation on its pivots.

Talwalkar 2010, section 4.2, after Bach and Jordan 2005.
"""

from __future__ import annotations

import warnings

import numpy as np

from nystheory import sampling
from nystheory.engine import Claim, Control, Instance, Theorem
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.matrices import GREY_HIGH, truncated_inverse
from nystheory.engine.worlds.quantities import quantity
from nystheory.engine.worlds.worlds import Given
from nystheory.kernels import DenseKernel

# --- Elimination in the order of the landmarks ---------------------------------------


def _factor(i) -> tuple[np.ndarray, np.ndarray]:
    """Columns of the factor, and the pivots; zero where a pivot is passed over.

    Column by column from K, without forming what is left.
    """
    F, pivots = np.zeros((i.n, i.l)), np.zeros(i.l)
    for t, j in enumerate(i.landmarks):
        column = i.K[:, j] - F @ F[j]
        if column[j] > 0.1 * GREY_HIGH**2 * i.norm_K:
            F[:, t], pivots[t] = column / np.sqrt(column[j]), column[j]
    return F, pivots


def _growth(i) -> float:
    """How much an elimination in the given order amplifies rounding, at most.

    An error e in what is left becomes ``e (1 + |c| / p)^2`` by a pivot p with the
    column c, and ``|c| <= sqrt(p * largest)`` in a semidefinite matrix.
    """
    F, pivots = _factor(i)
    growth, left = 1.0, np.diag(i.K).copy()
    for t, j in enumerate(i.landmarks):
        if pivots[t] > 0:
            growth *= (1 + np.sqrt(left.max() / pivots[t])) ** 2
            left -= F[:, t] ** 2
        elif abs(left[j]) > 1e-14 * i.norm_K * growth:
            return np.inf
    return float(growth)


def _of_elimination(i):
    return max(_growth(i), i.full.condition)


@quantity(r"F F^\top", "product of the factor", SAMPLE, condition=_of_elimination)
def eliminated(i):
    F = _factor(i)[0]
    return F @ F.T


@quantity("d", "pivots, zero where passed over", SAMPLE, condition=_growth)
def pivots(i):
    return _factor(i)[1]


# --- Greedy pivots --------------------------------------------------------------------


class Greedy(Instance):
    """The columns of one matrix, and its greedy pivots."""

    # For controls: pivots in an order of their own, which is not greedy.
    order = Given(axes=("l",))


def _greedy(i):
    """Pivots and factor of the package; none for K = 0, which it refuses."""
    if i.brings("order"):
        order = np.asarray(i.order).astype(int)
        return order, _factor(i.but(landmarks=order))[0]
    if i.norm_K == 0:
        return np.array([], dtype=int), np.zeros((i.n, 0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        drawn = sampling.incomplete_cholesky(DenseKernel(i.K), min(i.l, i.n))
    return drawn.indices, drawn.factor


def _on_pivots(i):
    return i.but(landmarks=_greedy(i)[0]).full


def _of_pivots(i):
    greedy = _on_pivots(i)
    return greedy.condition if greedy.l else 1.0


@Greedy.quantity(
    r"F_* F_*^\top", "that of l greedy pivots, by the package", condition=_of_pivots
)
def greedy_product(i):
    F = _greedy(i)[1]
    return F @ F.T


@Greedy.quantity(
    r"C_* W_*^{-1} C_*^\top", "approximation from them", condition=_of_pivots
)
def greedy_nystrom(i):
    greedy = _on_pivots(i)
    return greedy.C @ truncated_inverse(greedy.W, greedy.l) @ greedy.C.T


@Greedy.quantity("(d_*)_t", "greedy pivots, by the package")
def greedy_pivots(i):
    chosen, F = _greedy(i)
    return np.array([F[j, t] ** 2 for t, j in enumerate(chosen)])


@Greedy.quantity(
    r"\max\operatorname{diag}(K-F_{*,<t}F_{*,<t}^\top)",
    "largest that is left before each",
)
def greedy_largest(i):
    left, found = i.K, []
    for j in _greedy(i)[0]:
        found.append(np.diag(left).max())
        left = left - np.outer(left[:, j], left[j]) / left[j, j]
    return np.array(found)


_TWO = Instance.exactly([0, 1], 1, matrix=[[2, 0], [0, 1]])
_LATER = Instance.exactly([0], 1, matrix=[[1, 0], [0, 2]])
_IN_ORDER = Greedy.exactly([0], 1, matrix=[[1, 0], [0, 2]], order=[0])
_CROSSED = Instance.exactly([0], 1, matrix=[[2, 1], [1, 1]])

INCOMPLETE_CHOLESKY = Theorem(
    id="talwalkar2010:icl",
    kind="identity",
    status="holds",
    title="Incomplete Cholesky is Nyström on its pivots",
    number="section 4.2",
    setting=(
        "Let $K$ be positive semidefinite. Eliminate $l$ columns of $K$ one after the "
        "other, in any order; a zero pivot is skipped. Let $F$ be the factor of this "
        "incomplete Cholesky decomposition, with a column for each non-zero pivot, "
        "$d$ the pivots, $C$ the $l$ columns and $W$ their rows in $C$."
    ),
    claims={
        "determinant": Claim(
            "log_det(W) == sum(log(pivots))",
            when="min(pivots) > 0",
            says="The core $W$ is invertible",
        ),
        "inverse": Claim("eliminated == C @ inv(W) @ C.T", when="min(pivots) > 0"),
        "passed over": Claim(
            "eliminated == C @ pinv(W) @ C.T", says="Whatever the columns that were "
                "tried,"
        ),
        "largest": Claim(
            "greedy_pivots == greedy_largest",
            says="The greedy pivot $t$ is the largest entry of the diagonal that its "
            "predecessors, the columns $F_{*,<t}$, have left,",
        ),
        "greedy": Claim(
            "greedy_product == greedy_nystrom",
            says="and the factor $F_*$ is that of the Nyström approximation with "
            "$k = l$ from the pivots:",
        ),
    },
    world=Greedy,
    controls={
        "half the determinant": Control(
            "determinant", _TWO, {"sum(log(pivots))": "sum(log(pivots / 2))"}
        ),
        "for k below l": Control(
            "inverse", _TWO, {"C @ inv(W) @ C.T": "approximation"}
        ),
        "for k below l, passed over": Control(
            "passed over", _TWO, {"C @ pinv(W) @ C.T": "approximation"}
        ),
        "the best of its rank": Control(
            "passed over", _CROSSED, {"C @ pinv(W) @ C.T": "some_best"}
        ),
        "the largest of K": Control("largest", _TWO, {"greedy_largest": "K_max"}),
        "first columns, not the largest": Control(
            "largest", _IN_ORDER, lacks="greedy pivots"
        ),
        "first columns, not pivots": Control(
            "greedy", _LATER, {"greedy_nystrom": "full_approximation"}
        ),
    },
)
