"""The rank of sampled rows of singular vectors.

Talwalkar 2010, section 5.2.2, equations (5.17) to (5.22).
"""

from __future__ import annotations

from nystheory.chapters.coherence.theorems import quantities  # noqa: F401 - enters them
from nystheory.engine import Control, Hypothesis, Instance, Theorem
from nystheory.engine.worlds.quantities import QUANTITIES

# In units of 1/sigma, on both sides of the limit 2.
FACTORS = (0.1, 0.9, 1.5, 1.99, 2.01, 6.0)


def _with_factor(i, rng):
    """A factor c near the limit 2/sigma, or far from it."""
    if i.rank_K == 0:
        return None
    sigma = i.measured(QUANTITIES["sigma_A"]).value
    return i.but(scaling=rng.choice(FACTORS) / (sigma if sigma > 1e-6 else 1.0))


_EQUAL = Instance.exactly([0, 1], 1, points=[[1, 1]], scaling=6)
_TIMES_0 = Instance.exactly([0, 1], 1, points=[[1, 1]], scaling=0)
_STRETCHED = Instance.exactly([0, 1], 2, points=[[2, 0], [0, 1]], scaling=1)
_HALF = Instance.exactly([0], 1, points=[[1, 0], [0, 1]], scaling=1)

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
        "positive": "scaling > 0",
    },
    claims={
        "rows": "X_S.T @ U_X @ inv(Sigma_X) == V_S",
        "ranks": "rank_core == rank_X_S == rank_V_S == rank_A",
        "distance": "(from_identity < 1) == (rank_A == r and scaling * sigma_A < 2)",
    },
    complete=_with_factor,
    controls={
        "times the singular values": Control(
            "rows", _STRETCHED, {"inv(Sigma_X)": "Sigma_X"}
        ),
        "all of them": Control("ranks", _HALF, {"rank_core": "rank_K"}),
        "every c": Control("distance", _EQUAL, {" and scaling * sigma_A < 2": ""}),
        "c = 0": Control("distance", _TIMES_0, drops="positive"),
        "one allowed": Control(
            "distance", _HALF, {"from_identity < 1": "from_identity <= 1"}
        ),
    },
)
