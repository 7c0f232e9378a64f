"""What the theorems of the chapter speak of: labels and a regularization parameter.

The criterion of a kernel matrix is written once, for any matrix.  The source's l is
the book's n, its c is l; n times its parameter is a ridge in the units of K.
"""

from __future__ import annotations

import numpy as np

from nystheory.engine import Instance, Where
from nystheory.engine.worlds.between import SEMIDEFINITE as SEMIDEFINITE
from nystheory.engine.worlds.two_kernels import TwoKernels, with_other
from nystheory.engine.worlds.worlds import Given

PARAMETER = {"meaning": "regularization parameter", "range": "mu > 0"}


class Criterion(Instance):
    """The columns of one matrix, labels, and a regularization parameter."""

    mu = Given(r"\mu", **PARAMETER)
    y = Given("y", "labels", axes=("n", "one"))

    @classmethod
    def drawn(cls, instance, rng):
        """Labels of integers or along an eigenvector, n mu of any size beside K."""
        return with_labels(instance, rng)


class TwoCriteria(TwoKernels):
    """Two kernel matrices of the same points, labels, and a parameter."""

    mu = Given(r"\mu", **PARAMETER)
    y = Given("y", "labels", axes=("n", "one"))

    @classmethod
    def drawn(cls, instance, rng):
        """Another kernel matrix, and labels that tell the two apart."""
        return with_labels(with_other(instance, rng), rng)


def with_labels(i, rng):
    """Half of the time two classes; else integers, or an eigenvector of K."""
    unit = 2.0 ** (np.round(np.log2(i.norm_K or 1)) + rng.integers(-7, 8))
    signs = rng.choice([-1.0, 1.0], (i.n, 1))
    way = rng.integers(4)
    if way == 0:
        y = rng.integers(-3, 4, (i.n, 1)).astype(float)
    elif way == 1:
        vectors = i.eigen_K[1]
        y = np.round(64 * vectors[:, [rng.integers(i.n)]]) / 16
    else:
        y = signs
    return i.but(mu=unit / i.n, y=y)


def value_of(matrix: str) -> str:
    """The line of the criterion of a matrix."""
    return f"mu * trace(y.T @ inv({matrix} + n * mu * identity(n)) @ y)"


C_K = Where(r"\mathcal C(K)", value_of("K"), False)
C_APPROXIMATION = Where(r"\mathcal C(\tilde K)", value_of("approximation"), False)
LARGEST = Where("M", "max(abs(y))", False)
# What the settings of the chapter say of the criterion.
SAID = (
    r"$\mathcal C(A) = \mu\, y^\top (A + n \mu I)^{-1} y$ for a positive semidefinite "
    "$A$ and labels $y$"
)


def column(entries):
    """A vector as a matrix of one column."""
    return [[entry] for entry in entries]
