"""Leverage scores, the effective dimension, and what a subspace misses.

Della Vecchia, De Vito, Mourtada and Rosasco 2024, equations (5) and (22), and the
identity that turns the condition of their Lemma 22 into one on K.
"""

from __future__ import annotations

from nystheory.chapters.random_subspaces.theorems.subspaces import (
    COVARIANCE,
    MISSED,
    PROJECTOR,
    REST,
    RIDGED,
    Subspace,
)
from nystheory.engine import Claim, Control, Theorem, Where


def _example(*points, landmarks=(0,), alpha=1) -> Subspace:
    """Points in the plane by their coordinates, of which some are sampled."""
    X = [list(row) for row in zip(*points, strict=True)]
    return Subspace.exactly(list(landmarks), 1, points=X, alpha=alpha)


def _cases(rng):
    """Points in few dimensions, of which some are sampled."""
    for n, N in ((4, 2), (5, 3), (6, 6), (3, 5)) * 4:
        X = rng.integers(-3, 4, (N, n))
        landmarks = rng.integers(n, size=int(rng.integers(1, 4)))
        yield Subspace.from_points(X, landmarks, 1, "integers")


# One point twice; the axes of the plane, of which the first or both are sampled.
_TWICE = _example((1, 0), (1, 0), alpha="1/2")
_AXES = _example((1, 0), (0, 1), alpha="1/2")
_BOTH = _example((1, 0), (0, 1), landmarks=(0, 1))
_LEFT = "rank_W < dimension"

DEFINITIONS = Theorem(
    id="dellavecchia2024:definitions",
    kind="identity",
    status="holds",
    title="Leverage scores and the missed part of the covariance",
    number="Della Vecchia et al. 2024, equations (5), (22) and (65)",
    setting=(
        r"Let $K = X^\top X$ with $n$ points of $N$ coordinates as the columns of $X$, "
        r"let $\hat\sigma_j$ be the eigenvalues of their covariance $\hat\Sigma$, and "
        r"let $h_i = \bigl(K (K + n \alpha I)^{-1}\bigr)_{ii}$ be the leverage scores. "
        r"Let $P$ be the projector on the span of the sampled points $X_S$, and $E = "
        r"K - C W^+ C^\top$."
    ),
    claims={
        "sum": Claim(
            "sum(leverage) == trace(Sigma @ inv(Sigma_alpha))",
            says="The sum of the scores is the effective dimension of the data, "
            r"$\hat d_\alpha$:",
        ),
        "eigenvalues": "sum(leverage) == sum(sigma / (sigma + alpha))",
        "at most": Claim(
            "leverage <= diag(K) / (diag(K) + n * alpha)",
            says="A score lies between two functions of the length of its point:",
        ),
        "at least": "leverage >= diag(K) / (norm_K + n * alpha)",
        "missed": Claim(
            "missed == alpha + norm_E / n",
            when=_LEFT,
            says="What the span misses of the covariance is what the approximation "
            "misses of $K$",
        ),
        "three": Claim(
            "(missed <= 3 * alpha) == (norm_E <= 2 * n * alpha)",
            says="Three times the ridge is therefore a condition on $K$:",
        ),
    },
    where={
        "leverage": Where("h", "diag(K @ inv(K + n * alpha * identity(n)))", False),
        "Sigma": COVARIANCE,
        "Sigma_alpha": RIDGED,
        "P": PROJECTOR,
        "Q": REST,
        "missed": MISSED,
    },
    world=Subspace,
    cases=_cases,
    controls={
        "one percent more": Control("sum", _TWICE, {"== trace": "== 1.01 * trace"}),
        "half the ridge": Control(
            "eigenvalues", _TWICE, {"sigma + alpha": "sigma + alpha / 2"}
        ),
        "twice the ridge": Control("at most", _AXES, {"n * alpha": "2 * n * alpha"}),
        "nine tenths of the norm": Control(
            "at least", _AXES, {"norm_K +": "0.9 * norm_K +"}
        ),
        "in the units of K": Control("missed", _AXES, {"norm_E / n": "norm_E"}),
        "every direction": Control("missed", _BOTH, lacks=_LEFT),
        "once the ridge": Control("three", _AXES, {"2 * n": "0.9 * n"}),
    },
)
