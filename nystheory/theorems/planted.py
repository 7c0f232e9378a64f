"""A false theorem, planted on purpose: the proof that verification can go red.

It is not in the registry.  Chapter 1 runs it before the reader's eyes, and the
tests run it through `verify`, the ledger and a notebook.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from nystheory import kernels
from nystheory.theorems.base import Claim, Control, Theorem
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import deviation, tail_2
from nystheory.theorems.routes import RANK_IN_RANGE, nystrom


def demo(rng: np.random.Generator) -> Instance:
    """What a demonstration usually tries: random points, a kernel, random columns.

    Examples
    --------
    >>> demo(np.random.default_rng(0)).n
    30
    """
    points = rng.standard_normal((30, int(rng.integers(1, 6))))
    kernel = kernels.rbf if rng.random() < 0.5 else kernels.linear
    landmarks = rng.choice(30, int(rng.integers(2, 16)), replace=False)
    rank = int(rng.integers(1, len(landmarks) + 1))
    return Instance(kernel(points).dense(), landmarks, rank, name="demo")


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


# Twenty equal points and one that is orthogonal to them and a little longer.  The
# sample has one of each, so it takes the lone point for the leading direction.
FLIPPED = Instance.from_points(
    np.repeat(np.diag([1.0, 1.005]), (20, 1), axis=1),
    [0, 20],
    1,
    "two orthogonal clusters, order flipped by the sample",
)

CONSTANT_TOO_SMALL = Theorem(
    id="planted:eq-5.3-constant-1.8",
    part="planted",
    kind="inequality",
    status="planted",
    title="A constant that is too small",
    number="inequality (5.3) with 1.8 in place of 2",
    statement=(
        r"$\|K - \tilde K\|_2 \le \|K - K_k\|_2 + 1.8\, \|X X^\top - Z Z^\top\|_2$ "
        r"for every positive semidefinite $K = X^\top X$ and every sample of $l \ge k$ "
        r"columns, with $Z = \sqrt{n/l}\, X_S$. *This is false: the constant is $2$.*"
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(_bounded_with(sp.Float("1.8", 2), "the constant $1.8$ is enough"),),
    controls=(
        Control(_bounded_with(sp.Integer(1), "even the constant $1$ is"), FLIPPED),
    ),
)
