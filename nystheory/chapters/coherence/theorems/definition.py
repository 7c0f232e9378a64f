"""Coherence, and the number that belongs to the space.

Talwalkar 2010, section 5.2.1: Definition 5.1 and its footnote.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from nystheory.chapters.coherence.theorems.quantities import Orthonormal
from nystheory.engine import Claim, Control, Hypothesis, Theorem


def signs(size: int, columns: int) -> np.ndarray:
    """The first columns of Sylvester's matrix, of signs, (size, columns)."""
    return scipy.linalg.hadamard(size)[:, :columns]


def _sign_columns(rng):
    """Some columns of Sylvester's matrices, with the signs of rows changed."""
    for size in (1, 2, 4, 8) * 6:
        count = int(rng.integers(1, size + 1))
        chosen = rng.choice(size, count, replace=False)
        flips = rng.choice([-1, 1], (size, 1))
        yield Orthonormal.of_basis(
            flips * signs(size, size)[:, chosen], name="Hadamard"
        )


_AXIS = [[1], [0], [0], [0]]
_AXES = [[1, 0], [0, 1], [0, 0], [0, 0]]
_SIGNS = [[1, 1], [1, -1], [1, 1], [1, -1]]
_FLAT = [[1]] * 6
ORTHONORMAL = "U.T @ U == identity(r)"

COHERENCE = Theorem(
    id="talwalkar2010:def-5.1",
    kind="definition",
    status="holds",
    title="Coherence, and the number that depends on the space alone",
    number="Definition 5.1, equation (5.16)",
    setting=(
        r"Let $U \in \mathbb R^{n \times r}$, $r \ge 1$. Its coherence is $\mu = "
        r"\sqrt n \max_{i,j} |U_{ij}|$; it belongs to the matrix $U$. The number $M = "
        r"n \max_i \|U_{i,:}\|^2$ belongs to the space: let $V$ be another "
        "orthonormal basis of it, and $M(V)$ its number. Let $s_2$ count the sign "
        "vectors of length $n$ that are orthogonal to the vector of ones, and $s_3$ "
        "the pairs of them that are also orthogonal to each other."
    ),
    hypotheses={"orthonormal": ORTHONORMAL},
    claims={
        "least": "coherence >= 1",
        "largest": "coherence <= sqrt(n)",
        "at most": "basis_free_coherence <= min(n, r * coherence**2)",
        "at least": "basis_free_coherence >= max(r, coherence**2)",
        "another basis": Claim(
            "basis_free_coherence == other_free",
            says="For every orthonormal basis of the space",
        ),
        "signs": Claim(
            "sqrt(n) * min(abs(U)) >= 1",
            when="coherence == 1",
            says=r"No entry is smaller than $1/\sqrt n$",
        ),
        "two columns": Claim(
            "(sign_pairs > 0) == (2 * floor(n / 2) == n)",
            says="Two orthogonal columns of signs exist exactly for even $n$:",
        ),
        "three columns": Claim(
            "(sign_triples > 0) == (4 * floor(n / 4) == n)",
            says="Three that are pairwise orthogonal exist exactly if $4$ divides $n$:",
        ),
    },
    world=Orthonormal,
    cases=lambda rng: [
        *_sign_columns(rng),
        Orthonormal.of_basis(np.eye(6)[:, :2], name="identity block (5.1)"),
        *(Orthonormal.of_basis(np.eye(size)[:, :1]) for size in range(3, 9)),
    ],
    controls={
        "entries all alike": Control(
            "least", Orthonormal.of_fractions(_SIGNS), {">= 1": ">= 1.01"}
        ),
        "a single entry": Control(
            "largest", Orthonormal.of_fractions(_AXIS), {"sqrt(n)": "0.99 * sqrt(n)"}
        ),
        "without the factor r": Control(
            "at most", Orthonormal.of_fractions(_SIGNS), {"r * ": ""}
        ),
        "columns of length one": Control(
            "at most",
            Orthonormal.of_fractions(_AXES, columns=[[1, 1], [0, 0], [0, 0], [0, 0]]),
            drops="orthonormal",
        ),
        "more than a row": Control(
            "at least",
            Orthonormal.of_fractions(_AXES),
            {"coherence**2": "1.01 * coherence**2"},
        ),
        "of the space": Control(
            "another basis",
            Orthonormal.of_fractions([[1, 0], [0, 1]]),
            {"basis_free_coherence == other_free": "coherence == other_coherence"},
        ),
        "a larger coherence": Control(
            "signs", Orthonormal.of_fractions([[1], [1], [0]]), lacks="coherence == 1"
        ),
        "two for multiples of three": Control(
            "two columns",
            Orthonormal.of_fractions([[1]] * 3),
            {"2 * floor(n / 2)": "3 * floor(n / 3)"},
        ),
        "three wherever two": Control(
            "three columns",
            Orthonormal.of_fractions(_FLAT),
            {"4 * floor(n / 4)": "2 * floor(n / 2)"},
        ),
    },
)

FOOTNOTE = Theorem(
    id="talwalkar2010:footnote-coherence",
    kind="inequality",
    status="holds",
    title="Two coherences of the matrix-completion literature",
    number="footnote 1 of section 5.2.1",
    setting=(
        r"Let $U \in \mathbb R^{n \times r}$, and let $\mu_1 = \frac{n}{\sqrt r} "
        r"\max_{i,j} |(U U^\top)_{ij}|$, the second coherence of Candès and Recht for "
        "a positive semidefinite matrix, whose left and right singular vectors agree."
    ),
    hypotheses={
        # U U' is semidefinite for any U, so its largest entry is on its diagonal: the
        # proof does not use that the columns are orthonormal.
        "orthonormal": Hypothesis(ORTHONORMAL, necessary="not known")
    },
    claims={
        "the first": "coherence**2 <= sqrt(r) * mu_1",
        "the space": Claim(
            "basis_free_coherence == sqrt(r) * mu_1",
            says="The largest entry of a projector is on its diagonal:",
        ),
    },
    world=Orthonormal,
    controls={
        "other right vectors": Control(
            "the first",
            Orthonormal.of_fractions(_AXIS, right=[["1/2"]] * 4),
            lacks="a positive semidefinite matrix",
        ),
        "without the root": Control(
            "the first", Orthonormal.of_fractions(_AXES), {"sqrt(r) * ": ""}
        ),
        "without a root": Control(
            "the space", Orthonormal.of_fractions(_AXES), {"sqrt(r)": "r"}
        ),
    },
)
