"""A false theorem, planted on purpose: the proof that verification can go red.

It is not in the registry.  Chapter 1 runs it before the reader's eyes, and the
tests run it through `verify`, the ledger and a notebook.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Theorem
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import deviation, tail_2
from nystheory.theorems.spectra import RANK_IN_RANGE, nystrom


def _error(i: Instance, _) -> float:
    return float(np.linalg.norm(i.K - nystrom(i), 2))


def _bounded_with(constant, says: str) -> Claim:
    product = sp.Mul(constant, deviation, evaluate=False)
    formula = Formula(sp.Add(tail_2, product, evaluate=False))
    return Claim(
        says,
        observe=_error,
        formula=formula,
        relation="<=",
        # At a tie of W the choice of its eigenvectors moves the error.
        condition=lambda i: i.condition,
    )


def two_clusters(first: int, second: int, sampled: tuple[int, int]) -> Instance:
    """Two orthogonal clusters of equal points, with so many landmarks in each, k = 1.

    Examples
    --------
    >>> two_clusters(3, 2, (1, 2)).landmarks.tolist()
    [0, 3, 4]
    """
    X = np.repeat(np.eye(2), (first, second), axis=1)
    landmarks = [*range(sampled[0]), *range(first, first + sampled[1])]
    return Instance.from_points(X, landmarks, 1, "two orthogonal clusters")


# n = 2m + 1 points, the larger cluster gets one landmark fewer than the smaller.
FLIPPED = two_clusters(51, 50, (50, 50)).but(
    landmarks=np.r_[0:25, 51:77], name="two clusters, order flipped by the sample"
)

CONSTANT_TOO_SMALL = Theorem(
    id="planted:eq-5.3-constant-1.8",
    part="planted",
    kind="inequality",
    status="planted",
    title="A constant that is too small",
    number="inequality (5.3) with 1.8 in place of 2",
    statement=(
        "$\\|K - \\tilde K\\|_2 \\le \\|K - K_k\\|_2 + 1.8\\, \\|X X^\\top - Z Z^\\top\\|_2$ "
        "for every positive semidefinite $K = X^\\top X$ and every sample of $l \\ge k$ "
        "columns, with $Z = \\sqrt{n/l}\\, X_S$. *This is false: the constant is $2$.*"
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(_bounded_with(sp.Float("1.8", 2), "the constant $1.8$ is enough"),),
    controls=(
        Control(_bounded_with(sp.Integer(1), "even the constant $1$ is"), FLIPPED),
    ),
)
