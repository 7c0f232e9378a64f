"""The error of any sample, from how it sees the leading eigenvectors.

Gittens and Mahoney 2013 and 2016; in every unitarily invariant norm by a shorter
proof, that of the book.
"""

from __future__ import annotations

import numpy as np

from nystheory.chapters.coherence.theorems import (
    leading_quantities,  # noqa: F401 - enters them
)
from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem

# A long first axis at 45 degrees to the sampled point, and a short one.
_LONG = Instance.exactly([0], 1, points=[[1000, 1000], [-1, 1]])
# The longer of the two sampled points is not on the larger cluster.
_FLIPPED = Instance.exactly([0, 2], 1, points=[[1, 1, 0], [0, 0, "1.1"]])
# Four planes; in each the sampled point is far from the long axis.
_PLANES = Instance.exactly(
    range(0, 8, 2), 4, points=np.kron(np.eye(4), [[100, 400], [4, -1]]).tolist()
)
_BLIND = Instance.exactly([1], 1, points=[[2, 0], [0, 1]])

STRUCTURAL = Theorem(
    id="modern:structural",
    kind="inequality",
    status="holds",
    title="The error of any sample that sees the leading eigenvectors",
    number="Gittens and Mahoney 2013, 2016",
    setting=(
        r"Let $K = U \Lambda U^\top$ be positive semidefinite with eigenvalues in "
        r"decreasing order, split at $k$ into $U_1, \Lambda_1$ and $U_2, \Lambda_2$, "
        r"and let $S \in \mathbb R^{n \times l}$ pick any landmarks. Put $G = "
        r"\Lambda_2^{1/2} (U_2^\top S)(U_1^\top S)^+$ and $E = K - C W^+ C^\top$, and "
        r"let $\|\cdot\|_{(j)}$ be the sum of the $j$ largest singular values."
    ),
    hypotheses={
        # The second implies k <= l, and k = 0 says that norm(E) <= norm(K).
        "rank": Hypothesis("1 <= k <= l", necessary="not known"),
        "sees the head": Hypothesis(
            "head_seen > 0", r"$U_1^\top S$ have full row rank"
        ),
    },
    claims={
        "every norm": Claim(
            "ky_fan_E <= ky_fan_tail + ky_fan_G",
            says=(
                "Then the inequality holds in every unitarily invariant norm; by Ky "
                "Fan's theorem it is enough that for every $j$"
            ),
        ),
        "spectral": Claim("norm_E <= tail_2 + G_2**2", says="In particular"),
        "Frobenius": "norm_F(E) <= tail_F + G_gram_F",
        "trace": "trace_E <= tail_trace + G_F**2",
        "published": Claim(
            "norm_F(E) <= tail_F + G_2 * (sqrt(2 * tail_trace) + G_F)",
            says="The published Frobenius bound follows:",
        ),
    },
    cases=lambda rng: [_PLANES],
    controls={
        "a blind sample": Control("spectral", _BLIND, drops="sees the head"),
        "cut to rank k": Control("spectral", _FLIPPED, {"norm_E": "error_2"}),
        "0.99 of G": Control("spectral", _LONG, {"G_2**2": "0.99 * G_2**2"}),
        "sides of a right angle": Control(
            "Frobenius", _LONG, {"tail_F + G_gram_F": "sqrt(tail_F**2 + G_gram_F**2)"}
        ),
        "0.99 in the trace": Control("trace", _LONG, {"G_F**2": "0.99 * G_F**2"}),
        "0.99 in every norm": Control(
            "every norm", _LONG, {"ky_fan_G": "0.99 * ky_fan_G"}
        ),
        "without the first term": Control(
            "published", _BLIND.but(landmarks=[0]), {"tail_F + ": ""}
        ),
    },
)
