"""The common form of both reconstructions, and the optimal core.

Talwalkar 2010, section 2.2.2, Theorem 2.2.
"""

from __future__ import annotations

import numpy as np

from nystheory.chapters.projection_or_reconstruction.theorems.projections import (
    AXES,
    IDENTITY,
    IN_RANGE,
    OBLIQUE,
)
from nystheory.chapters.projection_or_reconstruction.theorems.quantities import (
    best_core,
    leading,
)
from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem
from nystheory.engine.language.claims import Printed, Where
from nystheory.engine.language.quantity import CHOSEN
from nystheory.engine.worlds.worlds import Given

# --- Theorem 2.2: the common form ----------------------------------------------------

# The core prefers the first of two landmarks, their columns prefer the second.
_TURNED = Instance.exactly([0, 1], 1, matrix=[[2, 0, 0], [0, 1, 3], [0, 3, 10]])
_IN_LEADING = "K_col == QQ @ K_col @ QQ"

COMMON_FORM = Theorem(
    id="talwalkar2010:thm-2.2-form",
    kind="identity",
    status="refuted",
    title="A common form for both reconstructions",
    number="Theorem 2.2, first part",
    setting=(
        r"Let $X_S = U_{X'} \Sigma_{X'} V_{X'}^\top$ be the sampled points, $\rho = "
        r"\operatorname{rank} W$ their rank, $P = U_{X',k} I_k U_{X',k}^\top$, and "
        r"$Z_{col} = \sqrt{n/l}\, \Sigma_{X'} V_{X'}^\top V_{C,k} \Sigma_{C,k}^+ "
        r"V_{C,k}^\top V_{X'} \Sigma_{X'}$. Let $Q$ hold an orthonormal basis of the "
        r"range of $X^\top U_{X',k}$."
    ),
    hypotheses={"rank": IN_RANGE},
    claims={
        "Nyström": Claim(
            "approximation == X.T @ projector @ X",
            says="The Nyström approximation has the $k$ leading directions and the "
            "core $I_k$:",
        ),
        "Column-sampling": Claim(
            "K_col == X.T @ column_core @ X",
            says=r"Column-sampling has *all* $\rho$ directions:",
        ),
        "core": Claim(
            "size_column_core == rank_W and rank_column_core <= k",
            says=r"The core of Column-sampling has size $\rho$ and rank at most $k$:",
        ),
        "leading directions": Claim(
            _IN_LEADING,
            when="k >= rank_W",
            says="Column-sampling is in the leading directions too, and so of the same "
            "form,",
        ),
    },
    controls={
        "all directions": Control("Nyström", AXES, {"projector @ ": ""}),
        "the core of Nyström": Control(
            "Column-sampling", OBLIQUE, {"column_core": "projector"}
        ),
        "rank below k": Control("core", AXES, {"<= k": "<= k - 1"}),
        "size k": Control("core", AXES, {"rank_W": "k"}),
        "k below the rank": Control("leading directions", _TURNED, lacks="k >= rank_W"),
    },
    printed={
        "leading directions for every k": Printed(
            _IN_LEADING,
            "false statement",
            "Right for the Nyström method. For Column-sampling and "
            r"$k < \rho$ the leading $k$ directions of the sampled points are not "
            "the leading ones of the sampled columns; the printed core has size "
            r"$\rho$, not $k$. In the counterexample $W = \operatorname{diag}(2, 1)$ "
            r"prefers the first point and $C^\top C = \operatorname{diag}(4, 10)$ the "
            "second, so the two ranges are different lines.",
            _TURNED,
            says="Column-sampling and Nyström spectral reconstructions of rank $k$ are "
            r"of the form $X^\top U_{X',k} Z U_{X',k}^\top X$, where "
            r"$Z \in \mathbb R^{k \times k}$ is SPSD",
        ),
    },
)


# --- Theorem 2.2: the optimal core ---------------------------------------------------


class ReconstructionCore(Instance):
    """The columns of one matrix, and any core between their leading directions."""

    # What the core Z is made of, in the coordinates of the points: it is U' G U.
    G = Given(axes=("N", "N"))

    @classmethod
    def drawn(cls, instance, rng):
        """Not symmetric, at a random distance from the optimal one."""
        if not instance.rank_is_clear or instance.k > instance.rank_W:
            return None
        optimal = best_core(instance)
        step = 10.0 ** rng.uniform(-4, 0.5) * np.linalg.norm(optimal)
        return instance.but(G=optimal + step * rng.standard_normal(optimal.shape))


def _of_given_core(i):
    return i.condition * max(1.0, np.linalg.norm(i.G))


@ReconstructionCore.quantity(
    r"U Z U^\top",
    "any core between the leading directions",
    CHOSEN,
    unit=0.0,
    condition=_of_given_core,
)
def given_core(i):
    U = leading(i)
    return U @ (U.T @ i.G @ U) @ U.T


def _in_space(rng):
    for k in (1, 1, 2, 2):
        yield Instance.from_points(rng.integers(-2, 3, (3, 4)), [0, 1], k, "in space")


_MORE = [["26/25", 0], [0, "26/25"]]
_BETTER = ReconstructionCore.exactly([0], 1, points=[[1, 1], [1, 0]], G=_MORE)
_SQUARES = ReconstructionCore.exactly(
    [0, 1], 2, points=[[2, 0], [0, 1]], G=[[1, 0], [0, 2]]
)

OPTIMAL_CORE = Theorem(
    id="talwalkar2010:thm-2.2-optimum",
    kind="inequality",
    status="corrected",
    title="The optimal reconstruction",
    number="Theorem 2.2, second part",
    setting=(
        r"Let $X = U_X \Sigma_X V_X^\top$, let $U = U_{X',k}$ hold the leading "
        r"directions of the sampled points, $P = U I_k U^\top$, $A = X^\top U$, "
        r"$Y = U_X^\top U$, let $Q$ hold an orthonormal basis of the range of $A$, and "
        r"let $Z \in \mathbb R^{k \times k}$ be any matrix, symmetric or not."
    ),
    hypotheses={"rank": IN_RANGE, "full rank": Hypothesis("k <= rank_W", domain=True)},
    where={"form": Where(r"A Z A^\top", "X.T @ given_core @ X")},
    claims={
        "minimum": Claim(
            "norm_F(K - form) >= norm_F(K - optimum)",
            says="Among all cores $Z$ one, $Z^*$, has the smallest error:",
        ),
        "projection": "optimum == QQ @ K @ QQ",
        "core": Claim(
            "best_core == pinv(second_moment) @ fourth_moment @ pinv(second_moment)",
            says=r"This core is $Z^* = (Y^\top \Sigma_X^2 Y)^{-1} (Y^\top \Sigma_X^4 "
            r"Y) (Y^\top \Sigma_X^2 Y)^{-1}$, that is,",
        ),
        "only one": Claim(
            "norm_F(K - form) ** 2 >= norm_F(K - optimum) ** 2"
            " + least_of_basis ** 4 * norm_F(given_core - best_core) ** 2",
            says="$Z^*$ is the only optimal core:",
        ),
        "at least one": Claim(
            "below(projector, best_core)",
            says=r"$Z^* \succeq I_k = Z_{nys}$, that is,",
        ),
        "equality": Claim(
            "(best_core == projector) == invariant",
            says="The two cores are equal exactly when the span is invariant:",
            reason="float64 shows invariance only where the core is well conditioned; "
            "most integer instances are decided exactly",
        ),
    },
    world=ReconstructionCore,
    cases=_in_space,
    controls={
        "Nyström is the best": Control(
            "minimum", _BETTER, {"optimum": "approximation"}
        ),
        "projected once": Control("projection", OBLIQUE, {"@ K @ QQ": "@ K"}),
        "the square of the second moment": Control(
            "core", OBLIQUE, {"fourth_moment": "second_moment @ second_moment"}
        ),
        "the largest singular value": Control(
            "only one", _SQUARES, {"least_of_basis": "norm_2(X.T @ projector)"}
        ),
        "below K": Control(
            "at least one", OBLIQUE, {"projector, best_core": "optimum, K"}
        ),
        "exact for an invariant span": Control(
            "equality", IDENTITY, {"best_core == projector": "optimum == K"}
        ),
    },
    printed={
        "neither is optimal": Printed(
            "error_F != norm_F(K - optimum)",
            "missing hypothesis",
            "Meant for matrices in general, as the proof says; not true of every "
            "matrix. For $K = I_2$ and one landmark $Z^* = 1$, which is the Nyström "
            "approximation. An example where both do fail is $K = "
            r"\begin{pmatrix} 2 & 1 \\ 1 & 1 \end{pmatrix}$ with $l = k = 1$, where "
            "$Z^* = 26/25$.",
            IDENTITY,
            says="among all approximations of this form, neither the Column-sampling "
            r"nor the Nyström approximation is optimal (in $\|\cdot\|_F$)",
        ),
        "size of the identity": Printed(
            "rank_K == coordinates",
            "misprint",
            "In (2.18), in the proof. "
            "With the thin decomposition that the source uses, $U_X$ has "
            r"$r = \operatorname{rank} X$ columns, so $Y$ has $r$ rows and the "
            "identity matrix is $I_r$. For two equal points in the plane $N = 2$ and "
            "$r = 1$. The minimiser is the same.",
            Instance.exactly([0], 1, points=[[1, 1], [0, 0]]),
            says=r"$I_N - Y Z Y^\top$",
        ),
    },
)
