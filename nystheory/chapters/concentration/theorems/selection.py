"""The selection matrix: sampling written as a product.

Talwalkar 2010, section 5.1.
"""

from __future__ import annotations

import numpy as np

from nystheory.engine import Claim, Control, Instance, Printed, Theorem
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.quantities import composed, quantity


@quantity("S", "selection matrix of the landmarks", SAMPLE, unit=None)
def S(i):
    return np.eye(i.n)[:, i.landmarks]


@quantity(
    "S", r"the same as printed: $S_{ii} = 1$ if $i$ is sampled", SAMPLE, unit=None
)
def S_printed(i):
    return np.eye(i.n, i.l) * np.isin(np.arange(i.l), i.landmarks)


@quantity(r"|\{s_1, \dots, s_l\}|", "number of distinct landmarks", SAMPLE, unit=None)
def distinct(i):
    return len(np.unique(i.landmarks))


composed("Z", "Z", "sqrt(n / l) * X @ S", "sampled points, scaled up to all", SAMPLE)

_TWO = Instance.exactly([0], 1, points=[[2, 1], [0, 1]])
_TWICE = Instance.exactly([0, 0], 1, points=[[1, 0], [0, 1]])

SELECTION = Theorem(
    id="talwalkar2010:selection-matrix",
    kind="definition",
    status="misprint",
    title="The selection matrix",
    number="section 5.1",
    setting=(
        r"The selection matrix of the landmarks $s_1, \dots, s_l$, repetitions "
        r"allowed, is the $S \in \mathbb R^{n \times l}$ with $S_{s_j j} = 1$ for "
        r"$j = 1, \dots, l$ and zeros elsewhere. Let $C$ be the sampled columns of "
        r"$K = X^\top X$ and $W$ the core."
    ),
    claims={
        "columns": "C == K @ S",
        "core": "W == S.T @ K @ S",
        "covariances": "X @ X.T - Z @ Z.T == X @ (identity(n) - n / l * S @ S.T) @ X.T",
        "repetitions": Claim(
            "(S.T @ S == identity(l)) == (distinct == l)",
            says="The columns of $S$ are orthonormal exactly when no landmark repeats:",
        ),
    },
    controls={
        "the columns are S itself": Control("columns", _TWO, {"K @ S": "S"}),
        "the core of K = I": Control("core", _TWO, {"S.T @ K @ S": "S.T @ S"}),
        "all of S S' is the identity": Control(
            "covariances", _TWO, {"n / l * S @ S.T": "n / l * identity(n)"}
        ),
        "always orthonormal": Control(
            "repetitions", _TWICE, {" == (distinct == l)": ""}
        ),
    },
    printed={
        "on the diagonal": Printed(
            "C == K @ S_printed",
            "misprint",
            "Right where the sampled columns come first, as the thesis's (2.1) "
            "arranges them, and then only. An $n$ by $l$ matrix has no entry $(i, i)$ "
            "with $i > l$: for the third of three columns and $l = 1$ the printed "
            "matrix is zero, and $K S$ is not that column.",
            Instance.exactly([2], 1, matrix=[[1, 0, 0], [0, 2, 0], [0, 0, 3]]),
            says=r"the matrix $S \in \mathbb R^{n \times l}$ defined by $S_{ii} = 1$ "
            r"if the $i$th column of $K$ is among those sampled, $S_{ij} = 0$ "
            "otherwise",
        ),
    },
)
