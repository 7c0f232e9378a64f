"""Isomap's last step: coordinates of least strain from all distances.

Talwalkar 2010, section 3.1.1, equation (3.1).
"""

from __future__ import annotations

from nystheory.chapters.manifolds.theorems.quantities import Distances, between
from nystheory.engine import Claim, Control, Hypothesis, Printed, Theorem, Where

# Corners of a rectangle of width 4 and height 2, and its width alone.
_CORNERS = between([(2, 1), (2, -1), (-2, 1), (-2, -1)])
_WIDTH = Distances.of_whole(_CORNERS, placed=[[2, 2, -2, -2]])
_TWO = Distances.of_whole([[0, 1], [1, 0]], placed=[[0, 0]])
# Sides 1, 1 and 3: no triangle.
_NO_TRIANGLE = Distances.of_whole(
    [[0, 1, 9], [1, 0, 1], [9, 1, 0]], (0, 1, 2), 3, placed=[[0, 0, 0]] * 3
)


def _cases(rng):
    """All coordinates of a few whole points, and fewer."""
    for _ in range(60):
        n, dimension = int(rng.integers(2, 7)), int(rng.integers(1, 4))
        D = between(rng.integers(-3, 4, (n, dimension)).tolist())
        k = int(rng.integers(1, n + 1))
        Z = rng.integers(-3, 4, (k, n)).tolist()
        yield Distances.of_whole(D, range(k), k, placed=Z, name="whole points")


STRAIN = Theorem(
    id="talwalkar2010:eq-3.1",
    kind="claim",
    status="misprint",
    title="Coordinates of least strain",
    number="equation (3.1)",
    setting=(
        r"Let $D$ be symmetric with zeros on its diagonal, $K^{(n)} = -\frac12 H D H$ "
        r"with $H = I - \frac1n \mathbf 1 \mathbf 1^\top$, and let $Y = "
        r"\Sigma_k^{1/2} U_k^\top$ with the $k$ largest positive eigenvalues of "
        "$K^{(n)}$, or all if there are fewer. Let $D_Y$ hold the squared distances "
        r"of the columns of $Y$, and let $Z \in \mathbb R^{k \times n}$."
    ),
    hypotheses={"rank": Hypothesis("1 <= k <= n", domain=True)},
    where={
        "gram_projected": Where(
            "K_Z",
            "centred @ placed.T @ pinv(placed @ centred @ placed.T) @ placed @ centred",
        )
    },
    claims={
        "least strain": (
            "norm_F(centred - gram_Y) <= norm_F(centred - placed.T @ placed)"
        ),
        "strain": Claim(
            "norm_F(centred - gram_Y)**2 == norm_F(centred)**2 - norm_F(gram_Y)**2",
            says="with",
        ),
        "distances": Claim(
            "squares_Y == squares",
            when="below(0, centred) and rank_centred <= k",
            says="Where $D$ holds squared distances of points, enough coordinates give "
            "them back:",
        ),
        "projections": Claim(
            "sum(squares_Y) >= 2 * n * trace(gram_projected)",
            when="below(0, centred)",
            says="and no projection of these points onto $k$ dimensions keeps more of "
            "their sum: for that onto the span of the combinations $Z$ of them, with "
            "the inner products $K_Z$,",
        ),
    },
    world=Distances,
    cases=_cases,
    controls={
        "one percent less": Control("least strain", _WIDTH, {"<=": "<= 0.99 *"}),
        "one percent of it": Control(
            "strain", _WIDTH, {"- norm_F(gram_Y)": "- 0.99 * norm_F(gram_Y)"}
        ),
        "one coordinate of two": Control(
            "distances", _WIDTH, lacks="rank_centred <= k"
        ),
        "no triangle": Control("distances", _NO_TRIANGLE, lacks="below(0, centred)"),
        "one percent more": Control("projections", _WIDTH, {">= 2": ">= 2.02"}),
    },
    printed={
        "least sum": Printed(
            "sum(squares_Y - squares) <= sum(squares_Z - squares)",
            "misprint",
            "The solution is right, the sum that it is said to minimise is not: it is "
            "least where all points fall together. With the sign turned, and minimised "
            "over the projections of points that have these distances, it is a "
            "classical property of the coordinates of (3.1), the last claim of the "
            "box. Two points at distance 1: the sum is 0 at the solution, and -2 with "
            "both in one place.",
            _TWO,
            says=r"$Y = \operatorname{argmin}_{Y'} \sum_{i,j} (\|y'_i - y'_j\|_2^2 - "
            r"\Delta_{ij}^2)$. The solution is given by, "
            r"$Y = (\Sigma_k)^{1/2} U_k^\top$",
        ),
    },
)
