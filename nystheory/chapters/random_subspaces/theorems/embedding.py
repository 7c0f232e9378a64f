"""The embedding of Della Vecchia et al. 2024, equations (24) and (25).

With the root of the pseudo-inverse in place of the eigenvectors of the core, and for
any vector of the space in place of coefficients at the landmarks.
"""

from __future__ import annotations

import numpy as np

from nystheory.chapters.random_subspaces.theorems.subspaces import (
    PROJECTOR,
    Subspace,
)
from nystheory.engine import Claim, Control, Theorem, Where
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.worlds import Given


class Embedded(Subspace):
    """A subspace, two vectors of the whole space, and labels."""

    v = Given("v", "a vector", axes=("N", "one"))
    x = Given("x", "a point", axes=("N", "one"))

    @classmethod
    def drawn(cls, instance, rng):
        """Vectors and labels of integers, as long as the points have coordinates."""
        found = super().drawn(instance, rng)
        N = len(found.points)
        given = {name: rng.integers(-3, 4, (N, 1)).astype(float) for name in ("v", "x")}
        return found.but(y=rng.integers(-3, 4, (found.n, 1)).astype(float), **given)


def _of_core(i):
    """How rounding in the core is amplified where it is inverted."""
    values = np.linalg.eigvalsh(i.W)
    kept = values[-i.rank_W :] if i.rank_W else values[:0]
    return i.norm_K / kept.min() if kept.size and i.rank_is_clear else np.inf


@Embedded.quantity(
    r"(W^+)^{1/2}",
    "root of the pseudo-inverse of the core",
    SAMPLE,
    unit=-0.5,
    condition=_of_core,
)
def inverse_root(i):
    values, V = np.linalg.eigh(i.W)
    r = i.rank_W
    V, values = V[:, i.l - r :], values[i.l - r :]
    return (V / np.sqrt(values)) @ V.T


def _cases(rng):
    for n, N in ((4, 2), (5, 3), (6, 6), (3, 5)) * 6:
        X = rng.integers(-3, 4, (N, n))
        landmarks = rng.integers(n, size=int(rng.integers(1, 4)))
        yield Embedded.from_points(X, landmarks, 1, "integers")


def _column(entries):
    return [[entry] for entry in entries]


def _example(landmarks=(0,), v=(1, 0), x=(1, 0), **given) -> Embedded:
    """The points (2, 0) and (0, 1), of which some are sampled."""
    rest = {"y": [[1], [1]], "alpha": 1, "v": _column(v), "x": _column(x)} | given
    return Embedded.exactly(list(landmarks), 1, points=[[2, 0], [0, 1]], **rest)


_FIRST = _example()
_OUTSIDE = _example(v=(1, 1))
_REPEATED = _example(landmarks=(0, 0))
_FIT = "inv(embedded.T @ embedded + n * alpha * identity(l)) @ embedded.T @ y"

EMBEDDING = Theorem(
    id="dellavecchia2024:embedding",
    kind="identity",
    status="holds",
    title="Risk on a subspace as risk on an embedding",
    number="Della Vecchia et al. 2024, equations (24) and (25)",
    setting=(
        r"Let $K = X^\top X$ with the points as the columns of $X$, let $X_S$ be $l$ "
        r"of them, repetitions allowed, with the core $W = X_S^\top X_S$, and $P$ the "
        r"projector on their span. Let $z(x) = (W^+)^{1/2} X_S^\top x$ be the "
        r"embedding of a point, those of the examples the rows of $Z$, let $v$ be any "
        r"vector and $y$ the labels."
    ),
    claims={
        "values": Claim(
            "embedded @ w == X.T @ P @ v",
            says="The linear function $P v$ has weights $w$ on the embedding, with "
            "which its values at the examples are",
        ),
        "norm": Claim("norm_2(w) == norm_2(P @ v)", says="and its norm is"),
        "inner products": Claim(
            "embedded @ z == X.T @ P @ x",
            says="Inner products of embeddings are those of projections:",
        ),
        "Gram matrix": "embedded @ embedded.T == full_approximation",
        "square loss": Claim(
            "x.T @ points_S @ pinv(C.T @ C + n * alpha * W) @ C.T @ y == z.T @ weights",
            says="For the square loss, the minimisers in coefficients and in weights "
            "have the same value at any point $x$:",
        ),
    },
    where={
        "P": PROJECTOR,
        "embedded": Where("Z", "C @ inverse_root"),
        "z": Where("z", "inverse_root @ points_S.T @ x"),
        "w": Where("w", "inverse_root @ points_S.T @ v"),
        "weights": Where(r"\hat w", _FIT),
    },
    world=Embedded,
    cases=_cases,
    controls={
        "without the projector": Control("values", _OUTSIDE, {"P @ v": "v"}),
        "the whole vector": Control("norm", _OUTSIDE, {"P @ v": "v"}),
        "the whole point": Control(
            "inner products", _example(x=(1, 1)), {"P @ x": "x"}
        ),
        "one percent less": Control("Gram matrix", _REPEATED, {"full": "0.99 * full"}),
        "a ridge that is not multiplied by n": Control(
            "square loss", _FIRST, {"n * alpha * W": "alpha * W"}
        ),
    },
)
