"""How far coordinates move when distances err.

Tu and others 2016, Lemma 5.4; Arias-Castro, Javanmard and Pelletier 2020.
"""

from __future__ import annotations

from nystheory.chapters.manifolds.theorems.quantities import Distances, between
from nystheory.engine import Claim, Control, Hypothesis, Theorem

_CONSTANT = "2 * (sqrt(2) - 1)"
_LEVEL = [(1,), (-1,), (0,)]
# The coordinates turn by a right angle, and get shorter.
_TURNED = Distances.of_whole(
    between(_LEVEL), placed=[["3/8", "3/8", "-3/4"]], other_squares=between(_LEVEL)
)
# What the squares of four points change by is centred already.
_CIRCLE = Distances.of_whole(
    [[0, 2, 2, 2], [2, 0, 2, 2], [2, 2, 0, 2], [2, 2, 2, 0]],
    other_squares=[[0, 3, 0, 3], [3, 0, 3, 0], [0, 3, 0, 3], [3, 0, 3, 0]],
)
# The longer side of a rectangle becomes the shorter one.
_RECTANGLE, _UPRIGHT = (
    between([(a, b), (a, -b), (-a, b), (-a, -b)]) for a, b in ((21, 20), (20, 21))
)
_SIDES = Distances.of_whole(_RECTANGLE, other_squares=_UPRIGHT)
# A direction of another line has become almost as long as what is left of the first.
_SWAPPED = Distances.of_whole(
    between(_LEVEL),
    other_squares=[
        [0, "228/100", "231/100"],
        ["228/100", 0, "231/100"],
        ["231/100", "231/100", 0],
    ],
    placed=[[0, 0, 0]],
)
# All distances twice as long; squares of two points.
_TWICE = Distances.of_whole(
    [[0, 1], [1, 0]], other_squares=[[0, 4], [4, 0]], placed=[[0, 0]]
)


def _cases(rng):
    """Whole points on a line or in a plane, and others near them or far."""
    yield _SWAPPED
    for _ in range(80):
        n, k = int(rng.integers(2, 6)), int(rng.integers(1, 3))
        P = rng.integers(-4, 5, (n, k))
        Q = P + rng.integers(-2, 3, (n, k)) if rng.random() < 0.7 else -P[::-1]
        given = {"other_squares": between(Q.tolist())}
        given["placed"] = rng.integers(-4, 5, (k, n)).tolist()
        yield Distances.of_whole(
            between(P.tolist()), range(k), k, name="whole points", **given
        )


ERRORS = Theorem(
    id="modern:geodesic-errors",
    kind="inequality",
    status="holds",
    title="Coordinates from distances that err",
    number="after Tu et al. 2016, Lemma 5.4",
    setting=(
        "Let $D$ and $D'$ hold squared distances, symmetric with zeros on the "
        r"diagonal, $K^{(n)} = -\frac12 H D H$ with $H = I - \frac1n \mathbf 1 "
        r"\mathbf 1^\top$, $K'^{(n)}$ the same for $D'$, let $Y$ and $Y'$ be "
        "coordinates from their $k$ largest eigenvalues above zero, and let "
        r"$\lambda_k(K^{(n)})$ be the $k$-th largest eigenvalue. Let $\varepsilon$ be "
        r"the largest relative error of a distance, $\sqrt{D'_{ij}} = (1 \pm "
        r"\varepsilon_{ij}) \sqrt{D_{ij}}$ with $\varepsilon_{ij} \le \varepsilon$, "
        r"and let $Z \in \mathbb R^{k \times n}$. Minima are over orthogonal $Q$."
    ),
    hypotheses={"rank": Hypothesis("1 <= k <= n", domain=True)},
    claims={
        "kernel": (
            "norm_F(other_centred - centred) <= norm_F(other_squares - squares) / 2"
        ),
        "share": Claim(
            "norm_F(other_squares - squares) "
            "<= (2 * distance_share + distance_share**2) * norm_F(squares)",
        ),
        "any coordinates": Claim(
            "moved_Z <= norm_F(placed.T @ placed - gram_Y) "
            f"/ sqrt({_CONSTANT} * centred_last)",
            when="centred_last > 0",
            says="For any $k$ coordinates $Z$,",
        ),
        "coordinates": Claim(
            "moved_Y <= 2 * norm_F(other_centred - centred) "
            f"/ sqrt({_CONSTANT} * centred_last)",
            when="below(0, centred) and rank_centred == k",
            says="Where $D$ holds squared distances of points in $k$ dimensions and no "
            "fewer,",
        ),
    },
    world=Distances,
    cases=_cases,
    controls={
        "one percent less": Control("kernel", _CIRCLE, {"/ 2": "/ 2.02"}),
        "without the square": Control("share", _TWICE, {" + distance_share**2": ""}),
        "two percent more below the root": Control(
            "any coordinates", _TURNED, {"2 * (": "2.04 * ("}
        ),
        "a smaller constant": Control("coordinates", _SWAPPED, {"<= 2 *": "<= 1.5 *"}),
        "points in a plane": Control("coordinates", _SIDES, lacks="rank_centred == k"),
    },
)
