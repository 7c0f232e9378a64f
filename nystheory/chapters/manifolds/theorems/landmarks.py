"""Centring when only the distances to landmarks are known, and Landmark MDS.

Talwalkar 2010, section 3.1.3; de Silva and Tenenbaum 2004; Platt 2005.
"""

from __future__ import annotations

from nystheory.chapters.manifolds.theorems.quantities import Distances, between
from nystheory.engine import Claim, Control, Hypothesis, Theorem, Where

_DEFINITION = (
    r"Let $D$ be symmetric with zeros on its diagonal, $H = I - \frac1l \mathbf 1 "
    r"\mathbf 1^\top$, $W = -\frac12 H D_{SS} H$, $C_1 = -\frac12 (D_{:,S} - "
    r"\mathbf 1 \bar\delta^\top)$ with the mean $\bar\delta$ of the columns of "
    r"$D_{SS}$, and $C_2 = C_1 H$. Let $K^{(S)} = -\frac12 J D J^\top$ with $J = I - "
    r"\frac1l \mathbf 1 \mathbf 1_S^\top$, where $\mathbf 1_S$ counts how often a "
    "point is a landmark: $D$ centred at the mean of the landmarks. Let $K^{(n)}$ be "
    "$D$ centred at the mean of all points, and let $W_k$ have the $k$ largest "
    "positive eigenvalues of $W$, or all if there are fewer."
)
_RANK = Hypothesis("1 <= k <= l", domain=True)

_LINE = Distances.of_whole(between([(0,), (1,), (3,)]), (0, 1))
_TRIANGLE = Distances.of_whole(between([(0, 0), (1, 0), (0, 1)]), (0, 1), 2)
# Sides 1, 1 and 3.
_NO_TRIANGLE = Distances.of_whole([[0, 1, 9], [1, 0, 1], [9, 1, 0]], (0, 1, 2), 3)
_CORNERS = Distances.of_whole(between([(0, 0), (2, 0), (0, 1), (3, 3)]), (0, 1, 2), 2)


def _cases(rng):
    """Whole points, most of them with landmarks that span them."""
    for _ in range(80):
        n, dimension = int(rng.integers(2, 6)), int(rng.integers(1, 3))
        D = between(rng.integers(-3, 4, (n, dimension)).tolist())
        count = int(rng.integers(min(n, dimension + 1), n + 1))
        S = rng.permutation(n)[:count].tolist()
        yield Distances.of_whole(
            D, S, int(rng.integers(1, count + 1)), name="whole points"
        )


CENTRING = Theorem(
    id="talwalkar2010:isomap-centering",
    kind="identity",
    status="remark",
    title="Single and double centring",
    number="section 3.1.3",
    setting=_DEFINITION,
    hypotheses={"rank": _RANK},
    claims={
        "Nyström": (
            "single @ landmark_core_inverse @ single.T "
            "== double @ landmark_core_inverse @ double.T"
        ),
        "columns": Claim(
            "double == landmark_columns",
            says="The doubly centred columns are those of one symmetric matrix, whose "
            "core is $W$,",
        ),
        "rank": Claim(
            "rank_double <= rank_centred",
            says="and their rank is no higher than that of all of $D$, centred:",
        ),
    },
    world=Distances,
    cases=_cases,
    controls={
        "without the inverse": Control(
            "Nyström",
            _LINE,
            {
                "single @ landmark_core_inverse @ single.T "
                "== double @ landmark_core_inverse @ double.T": (
                    "single @ single.T == double @ double.T"
                )
            },
        ),
        "singly centred": Control("columns", _LINE, {"double": "single"}),
        "singly centred, rank": Control("rank", _LINE, {"rank_double": "rank_single"}),
    },
)

MDS = Theorem(
    id="modern:landmark-mds",
    kind="identity",
    status="holds",
    title="Landmark MDS is a Nyström method",
    number="de Silva and Tenenbaum 2004; Platt 2005",
    setting=(
        _DEFINITION + r" Let the rows of $L^\#$ be $u^\top / \sqrt\sigma$ for the "
        r"positive eigenvalues $\sigma$ of $W_k$, with orthonormal eigenvectors $u$; "
        r"let $Y = L^\# C_1^\top$, so that a point with the squared distances $d$ to "
        r"the landmarks lies at $-\frac12 L^\# (d - \bar\delta)$, and let $D_Y$ hold "
        "the squared distances of the columns of $Y$."
    ),
    hypotheses={"rank": _RANK},
    where={
        "landmarks_placed": Where("Y", "landmark_map @ single.T"),
        "landmarks_at": Where("Y_S", "landmark_map @ landmark_core"),
    },
    claims={
        "Nyström": Claim(
            "landmarks_placed.T @ landmarks_placed == landmark_columns "
            "@ landmark_core_inverse @ landmark_columns.T",
            says="The inner products of these coordinates are the Nyström "
            "approximation of $K^{(S)}$:",
        ),
        "least squares": Claim(
            "landmarks_placed == pinv(landmarks_at.T) @ double.T",
            says="Each point lies where its inner products with the coordinates $Y_S$ "
            "of the landmarks fit its row of $C_2$ best, by least squares:",
        ),
        "distances": Claim(
            "squares_from_landmarks == squares",
            when="below(0, centred) and rank_landmark_core == rank_centred "
            "and rank_centred <= k",
            says="Points in the span of the landmarks keep their squared distances:",
        ),
        "trace": Claim(
            "trace(landmark_centred) == sum(landmark_squares) / l "
            "- n * sum(core_squares) / (2 * l**2)",
            says="The trace of $K^{(S)}$ needs only distances to landmarks:",
        ),
    },
    world=Distances,
    cases=_cases,
    controls={
        "the singly centred columns": Control(
            "Nyström",
            _LINE,
            {
                "landmark_columns @ landmark_core_inverse @ landmark_columns.T": (
                    "single @ single.T"
                )
            },
        ),
        "no fit": Control(
            "least squares", _CORNERS, {"pinv(landmarks_at.T)": "landmarks_at"}
        ),
        "two landmarks in a plane": Control(
            "distances",
            _TRIANGLE,
            lacks="rank_landmark_core == rank_centred",
        ),
        "one coordinate of two": Control(
            "distances",
            _CORNERS.but(rank=1),
            lacks="rank_centred <= k",
        ),
        "no triangle": Control("distances", _NO_TRIANGLE, lacks="below(0, centred)"),
        "twice the core": Control("trace", _LINE, {"(2 * l**2)": "l**2"}),
    },
)
