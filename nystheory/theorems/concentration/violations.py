"""What breaks a statement about random columns when a hypothesis is left out.

Laws that are not uniform, or whose draws are not independent, and the error of an
indefinite matrix: the controls of part III that drop a hypothesis are built of these.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nystheory.theorems.base import Law
from nystheory.theorems.instance import Instance

# How controls name the hypotheses that stand in many statements.
SEMIDEFINITE = "a positive semidefinite $K$"
UNIFORM = "a uniform law of the sample"
DIFFERENT = "different columns"
INDEPENDENT = "independent draws"


def surely(delta: Callable | None = None) -> Law:
    """The landmarks of the instance, with certainty: not uniform.

    Examples
    --------
    >>> case = Instance(np.eye(3), [2], 1)
    >>> [(p, o.landmarks.tolist()) for p, o in surely().outcomes(case)]
    [(1.0, [2])]
    """
    return Law(lambda i, rng: i, lambda i: [(1.0, i)], delta)


def one_repeated(delta: Callable | None = None) -> Law:
    """One uniform column, l times: every draw is uniform, none is independent.

    Examples
    --------
    >>> case = Instance(np.eye(2), [0, 1], 1)
    >>> [(p, o.landmarks.tolist()) for p, o in one_repeated().outcomes(case)]
    [(0.5, [0, 0]), (0.5, [1, 1])]
    """

    def outcomes(i):
        return [(1 / i.n, i.but(landmarks=[j] * i.l)) for j in range(i.n)]

    def draw(i, rng):
        return i.but(landmarks=[rng.integers(i.n)] * i.l)

    return Law(draw, outcomes, delta)


def error_of_any(i: Instance, _=None) -> float:
    """Spectral norm of ``K - C W^+ C.T`` as it is, for a K of any signs.

    Examples
    --------
    >>> round(error_of_any(Instance(np.array([[0.5, 1], [1, 0.5]]), [0], 1)), 12)
    1.5
    """
    inverse = np.linalg.pinv(i.W, hermitian=True)
    return float(np.linalg.norm(i.K - i.C @ inverse @ i.C.T, 2))
