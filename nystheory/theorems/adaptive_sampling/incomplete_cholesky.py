"""Part II: pivoted incomplete Cholesky is the Nyström approximation on its pivots.

Talwalkar 2010, section 4.2, after Bach and Jordan 2005.
"""

from __future__ import annotations

import math
import warnings
from functools import lru_cache

import numpy as np

from nystheory import sampling
from nystheory.kernels import DenseKernel
from nystheory.theorems import rational
from nystheory.theorems.base import Claim, Control, Theorem
from nystheory.theorems.derivation import Step, letters
from nystheory.theorems.instance import GREY_HIGH, Instance
from nystheory.theorems.routes import full_rank, nystrom, one, textbook_nystrom
from nystheory.theorems.subsets import elementary_symmetric, fractions_of

# Entries of the diagonal that are so close count as equal: the first one is taken.
TIES = 1e-9


@lru_cache(maxsize=256)
def _pivoted(i: Instance):
    """What l steps of the package leave: pivots and factor."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        drawn = sampling.incomplete_cholesky(DenseKernel(i.K), min(i.l, i.n))
    return drawn.indices, drawn.factor


def _product(i: Instance, _) -> np.ndarray:
    F = _pivoted(i)[1]
    return F @ F.T


def _on_pivots(i: Instance) -> Instance:
    pivots = _pivoted(i)[0]
    return i.but(landmarks=pivots, rank=len(pivots))


def _nystrom_on_pivots(i: Instance, _) -> np.ndarray:
    case = _on_pivots(i)
    return textbook_nystrom(case.K, case.landmarks, case.k)


def eliminated(K, landmarks, floor=0) -> np.ndarray:
    """K minus what is left after elimination of the landmarks, one after the other.

    A landmark whose pivot is not above `floor` is passed over.

    >>> eliminated(np.array([[2.0, 1], [1, 1]]), [0]).tolist()
    [[2.0, 1.0], [1.0, 0.5]]
    """
    left = K
    for j in landmarks:
        if left[j, j] > floor:
            left = left - np.outer(left[:, j], left[j]) / left[j, j]
    return K - left


def used_pivots(K, landmarks, floor=0) -> dict:
    """The landmarks that `eliminated` does not pass over, and their pivots.

    >>> list(used_pivots(np.array([[2.0, 2], [2, 2]]), [0, 1]))
    [0]
    """
    left, used = K, {}
    for j in landmarks:
        if left[j, j] > floor:
            used[int(j)] = left[j, j]
            left = left - np.outer(left[:, j], left[j]) / left[j, j]
    return used


def _any_order(i: Instance, _) -> np.ndarray:
    return eliminated(i.K, i.landmarks, _floor(i))


def _floor(i: Instance) -> float:
    return 0.1 * GREY_HIGH**2 * i.norm_K


def _growth(i: Instance) -> float:
    """How much an elimination in the given order amplifies rounding, at most.

    An error e in what is left becomes ``e (1 + |c| / p)^2`` by a pivot p with the
    column c, and ``|c| <= sqrt(p * largest)`` in a semidefinite matrix.
    """
    if i.norm_K == 0:
        return 1.0
    left, growth = i.K, 1.0
    floor = _floor(i)
    for j in i.landmarks:
        pivot, largest = left[j, j], left.diagonal().max()
        if pivot > floor:
            growth *= (1 + np.sqrt(largest / pivot)) ** 2
            left = left - np.outer(left[:, j], left[j]) / pivot
        elif abs(pivot) > 1e-14 * i.norm_K * growth:
            return np.inf
    return float(growth)


def _any_order_exactly(i: Instance) -> bool:
    C, W = rational.rational(i.C), rational.rational(i.W)
    product = C * rational.pseudo_inverse(W) * C.transpose()
    made = eliminated(fractions_of(i.K), i.landmarks)
    return bool((made == np.array(product.to_Matrix().tolist())).all())


def _core_of_used(i: Instance) -> tuple[np.ndarray, np.ndarray]:
    used = used_pivots(i.K, i.landmarks, _floor(i))
    return i.K[np.ix_(list(used), list(used))], np.array(list(used.values()))


def _log_det_of_core(i: Instance, _) -> float:
    return float(np.linalg.slogdet(_core_of_used(i)[0])[1])


def _log_of_pivots(i: Instance, _) -> float:
    return float(np.log(_core_of_used(i)[1]).sum())


def _condition_of_core(i: Instance) -> float:
    W, pivots = _core_of_used(i)
    return max(_growth(i), float(np.linalg.cond(W)) if len(pivots) else 1.0)


def _core_exactly(i: Instance) -> bool:
    """In fractions: W has full rank, and its determinant is that of the pivots."""
    used = used_pivots(fractions_of(i.K), i.landmarks)
    if not used:
        return True
    W = fractions_of(i.K[np.ix_(list(used), list(used))])
    product = math.prod(used.values())
    return product > 0 and elementary_symmetric(W)[-1] == product


def _greed(i: Instance, _) -> float:
    """By how much a pivot fell short of the largest that was left, at worst."""
    diagonal, worst = i.K.diagonal().copy(), 0.0
    pivots, F = _pivoted(i)
    for pivot, column in zip(pivots, F.T, strict=True):
        short = (1 - TIES) * diagonal.max() - diagonal[pivot]
        worst, diagonal = max(worst, float(short)), diagonal - column**2
    return worst


def _not_zero(i: Instance) -> bool:
    return i.norm_K > 0


def _derive_step():
    """One more pivot: from l to l + 1 columns by the inverse of a block matrix."""
    C, P, Ct, c, ct, d = letters("C W^{-1} C^T c c^T d^{-1}")
    b, bt = letters("b b^T")
    return (
        Step(
            C * P * Ct + (c - C * P * b) * d * (ct - bt * P * Ct),
            "the approximation so far, and the next column of what is left divided "
            "by its pivot, which is a number $d$",
        ),
        Step(
            C * (P + P * b * d * bt * P) * Ct
            - C * P * b * d * ct
            - c * d * bt * P * Ct
            + c * d * ct,
            r"the four blocks of the inverse of $\begin{pmatrix} W & b \\ b^\top & "
            r"\beta \end{pmatrix}$ between $(C, c)$ and its transpose",
        ),
    )


_TIE = Instance(np.eye(2), [0, 1], 1)

INCOMPLETE_CHOLESKY = Theorem(
    id="talwalkar2010:icl",
    part="II",
    kind="identity",
    status="holds",
    title="Incomplete Cholesky is Nyström on its pivots",
    number="section 4.2",
    statement=(
        r"Let $K$ be positive semidefinite. Eliminate $l$ columns of $K$ one after "
        r"the other, each with a pivot that is not zero, and let $F$ be the $n \times "
        r"l$ factor of this incomplete Cholesky decomposition. Then $W$, the rows and "
        r"columns of the pivots, is invertible, and $F F^\top = C W^{-1} C^\top$: the "
        r"Nyström approximation with $k = l$ from the pivots, in whatever order they "
        r"came. With pivots that are zero passed over, $F F^\top = C W^+ C^\top$ "
        r"for all columns that were tried."
    ),
    claims=(
        Claim(
            r"$F F^\top = C W^{-1} C^\top$ for the greedy pivots of the package",
            observe=_product,
            expected=_nystrom_on_pivots,
            applies=_not_zero,
            condition=lambda i: _on_pivots(i).condition,
        ),
        Claim(
            "elimination in any order, pivots of zero passed over",
            observe=_any_order,
            expected=lambda i, _: nystrom(full_rank(i)),
            condition=lambda i: max(_growth(i), full_rank(i).condition),
            exact=_any_order_exactly,
        ),
        Claim(
            "each pivot of the package is the largest entry of the diagonal that is "
            "left, to one part in $10^9$",
            observe=_greed,
            expected=lambda i, _: 0.0,
            relation="<=",
            applies=_not_zero,
        ),
        Claim(
            r"$\det W$ is the product of the pivots, so $W$ is invertible",
            observe=_log_det_of_core,
            expected=_log_of_pivots,
            applies=_not_zero,
            scale=one,
            condition=_condition_of_core,
            exact=_core_exactly,
        ),
    ),
    derivation=_derive_step,
    controls=(
        Control(
            Claim(
                "the same for $k < l$",
                observe=_product,
                expected=lambda i, _: textbook_nystrom(i.K, _pivoted(i)[0], i.k),
            ),
            _TIE,
        ),
        Control(
            Claim(
                "the Nyström approximation from the first columns, not the pivots",
                observe=_product,
                expected=lambda i, _: textbook_nystrom(i.K, [0], 1),
            ),
            Instance(np.diag([1.0, 2]), [0], 1),
        ),
        Control(
            Claim(
                "the best approximation of rank $l$",
                observe=lambda i, r: float(np.linalg.norm(i.K - _product(i, r))),
                expected=lambda i, _: float(np.linalg.norm(i.eigen_K[0][i.l :])),
            ),
            Instance(np.array([[2.0, 1], [1, 1]]), [0], 1),
        ),
    ),
)
