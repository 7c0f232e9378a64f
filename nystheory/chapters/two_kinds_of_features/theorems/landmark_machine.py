"""A linear machine on Nyström features is a kernel machine on the landmarks' span.

Yang, Li, Mahdavi, Jin and Zhou 2012, Proposition 2.
"""

from __future__ import annotations

from nystheory.chapters.two_kinds_of_features.theorems.eigenfunctions import (
    Eigenfunctions,
)
from nystheory.engine import Claim, Control, Theorem, Where
from nystheory.engine.worlds.between import with_ridge
from nystheory.engine.worlds.worlds import Given


class LandmarkMachine(Eigenfunctions):
    """The columns of one matrix, and a function in the span of the landmarks."""

    a = Given("a", "coefficients of a function at the landmarks", axes=("l", "one"))

    @classmethod
    def drawn(cls, instance, rng):
        """Integers as coefficients, and a ridge of any size."""
        a = rng.integers(-3, 4, (instance.l, 1)).astype(float)
        return with_ridge(instance, rng).but(a=a)


def _cases(rng):
    for _ in range(12):
        X = rng.integers(-3, 4, (3, 4))
        yield LandmarkMachine.from_points(X, [0, 2], 2, "integers")


def _example(landmarks, a) -> LandmarkMachine:
    """Points (2, 0) and (0, 1) in the plane, and some of them as landmarks."""
    points, rank = [[2, 0], [0, 1]], len(set(landmarks))
    given = {"a": [[x] for x in a], "alpha": 1}
    return LandmarkMachine.exactly(landmarks, rank, points=points, **given)


_BOTH = _example([0, 1], [1, 1])
_TWICE = _example([0, 0, 1], [1, 1, 1])
_FEATURES = "C @ V_W @ inv(sqrt(Lambda_S))"
_WEIGHTS = "sqrt(Lambda_S) @ V_W.T @ a"

LANDMARK_MACHINE = Theorem(
    id="yang2012:prop-2",
    kind="identity",
    status="holds",
    title="Nyström features as a kernel machine",
    number="Proposition 2",
    setting=(
        r"Let $X_S$ be $l$ landmarks, repetitions allowed, let $\hat\Lambda$ be the "
        r"diagonal matrix of the eigenvalues of $W$ above zero with orthonormal "
        r"eigenvectors $\hat V$, and let $z(x) = \hat\Lambda^{-1/2} \hat V^\top "
        r"(\kappa(x, \hat x_1), \dots, \kappa(x, \hat x_l))^\top$ be the features of a "
        r"point, those of the examples the rows of $Z$. Let $f = \sum_j a_j "
        r"\kappa(\hat x_j, \cdot)$ be a function, and $w$ its weights."
    ),
    claims={
        "values": Claim("C @ a == features @ w", says="The values at the examples are"),
        "norm": Claim(
            "norm_2(points_S @ a) == norm_2(w)",
            says="and the norm of $f$ in the space of the kernel is",
        ),
        "Gram matrix": Claim(
            "features @ features.T == C @ pinv(W) @ C.T",
            says="The features have the Nyström approximation as inner products:",
        ),
        "ridge regression": Claim(
            "features @ inv(features.T @ features + n * alpha * identity(rank_W)) "
            "@ features.T"
            " == C @ pinv(C.T @ C + n * alpha * W) @ C.T",
            says="For the squared loss both machines map labels to the same values:",
        ),
    },
    where={"features": Where("Z", _FEATURES), "w": Where("w", _WEIGHTS)},
    world=LandmarkMachine,
    cases=_cases,
    controls={
        "columns for features": Control("values", _BOTH, {"features": "C"}),
        "coefficients for weights": Control("norm", _TWICE, {"norm_2(w)": "norm_2(a)"}),
        "a ridge in the core": Control(
            "Gram matrix", _TWICE, {"pinv(W)": "inv(W + 0.1 * identity(l))"}
        ),
        "a ridge that is not multiplied by n": Control(
            "ridge regression", _TWICE, {"n * alpha * W": "alpha * W"}
        ),
    },
)
