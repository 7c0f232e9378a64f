"""The rank of sampled rows of singular vectors.

Talwalkar 2010, section 5.2.2, equations (5.17) to (5.22).
"""

from __future__ import annotations

from nystheory.chapters.coherence.theorems import quantities
from nystheory.chapters.coherence.theorems.quantities import Orthonormal
from nystheory.engine import Control, Hypothesis, Theorem
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.worlds import Given

# In units of 1/sigma, on both sides of the limit 2.
FACTORS = (0.1, 0.9, 1.5, 1.99, 2.01, 6.0)


class Scaled(Orthonormal):
    """Orthonormal columns, and a factor of the Gram matrix of sampled rows."""

    scaling = Given("c", "a positive factor", range="scaling > 0")

    @classmethod
    def drawn(cls, instance, rng):
        """A factor near the limit 2/sigma, or far from it."""
        if instance.rank_K == 0:
            return None
        sigma = instance.measured(cls.quantities["sigma_A"]).value
        return instance.but(
            scaling=rng.choice(FACTORS) / (sigma if sigma > 1e-6 else 1.0)
        )


@Scaled.quantity(
    r"\|cA-I\|_2", "spectral distance of c A from the identity", SAMPLE, unit=None
)
def from_identity(i):
    return quantities.from_identity(i, i.scaling) if i.rank_is_obvious else None


_EQUAL = Scaled.exactly([0, 1], 1, points=[[1, 1]], scaling=6)
_TIMES_0 = Scaled.exactly([0, 1], 1, points=[[1, 1]], scaling=0)
_STRETCHED = Scaled.exactly([0, 1], 2, points=[[2, 0], [0, 1]], scaling=1)
_HALF = Scaled.exactly([0], 1, points=[[1, 0], [0, 1]], scaling=1)

RANKS = Theorem(
    id="talwalkar2010:eq-5.22",
    kind="identity",
    status="holds",
    title="A sample determines the matrix when its rows of singular vectors do",
    number="equations (5.17) to (5.22)",
    setting=(
        r"Let $K = X^\top X$ have rank $r$, $X = U_X \Sigma_X V^\top$ the thin "
        r"singular value decomposition, $S$ any list of landmarks, $V_S = V_{S,:}$, $A "
        r"= V_S^\top V_S$ and $\sigma = \|A\|_2$."
    ),
    hypotheses={
        # Without it there are no singular vectors.
        "not zero": Hypothesis("rank_K >= 1", domain=True),
    },
    claims={
        "rows": "X_S.T @ U_X @ inv(Sigma_X) == V_S",
        "ranks": "rank_core == rank_X_S == rank_V_S == rank_A",
        "distance": "(from_identity < 1) == (rank_A == r and scaling * sigma_A < 2)",
    },
    world=Scaled,
    controls={
        "times the singular values": Control(
            "rows", _STRETCHED, {"inv(Sigma_X)": "Sigma_X"}
        ),
        "all of them": Control("ranks", _HALF, {"rank_core": "rank_K"}),
        "every c": Control("distance", _EQUAL, {" and scaling * sigma_A < 2": ""}),
        "c = 0": Control("distance", _TIMES_0, drops="scaling"),
        "one allowed": Control(
            "distance", _HALF, {"from_identity < 1": "from_identity <= 1"}
        ),
    },
)
