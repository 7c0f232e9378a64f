"""Centring when only the distances to landmarks are known, and Landmark MDS.

Talwalkar 2010, section 3.1.3; de Silva and Tenenbaum 2004; Platt 2005.
"""

from __future__ import annotations

from nystheory.chapters.manifolds.theorems import quantities as q
from nystheory.engine import Claim, Control, Hypothesis, Printed, Theorem, Where

_DEFINITION = (
    r"Let $D$ be symmetric with zeros on its diagonal, $H = I - \frac1l \mathbf 1 "
    r"\mathbf 1^\top$, $W = -\frac12 H D_{SS} H$ and $C_1 = -\frac12 (D_{:,S} - "
    r"\mathbf 1 \bar\delta^\top)$ with the mean $\bar\delta$ of the columns of "
    r"$D_{SS}$. "
)
_RANK = Hypothesis("1 <= k <= l", domain=True)

_LINE = q.exactly(q.between([(0,), (1,), (3,)]), (0, 1))
_TRIANGLE = q.exactly(q.between([(0, 0), (1, 0), (0, 1)]), (0, 1), 2)
_CORNERS = q.exactly(q.between([(0, 0), (2, 0), (0, 1), (3, 3)]), (0, 1, 2), 2)


def _cases(rng):
    """Whole points, most of them with landmarks that span them."""
    for _ in range(80):
        n, dimension = int(rng.integers(2, 6)), int(rng.integers(1, 3))
        D = q.between(rng.integers(-3, 4, (n, dimension)).tolist())
        count = int(rng.integers(min(n, dimension + 1), n + 1))
        S = rng.permutation(n)[:count].tolist()
        yield q.exactly(D, S, int(rng.integers(1, count + 1)), name="whole points")


CENTRING = Theorem(
    id="talwalkar2010:isomap-centering",
    kind="identity",
    status="corrected",
    title="Single and double centring",
    number="section 3.1.3",
    setting=(
        _DEFINITION + r"Let $C_2 = C_1 H$, and $K^{(S)} = -\frac12 J D J^\top$ with "
        r"$J = I - \frac1l \mathbf 1 \mathbf 1_S^\top$: $D$ centred at the mean of the "
        "landmarks. Let $W_k$ have the $k$ largest eigenvalues of $W$ above zero."
    ),
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
            says="and they span no more dimensions than the points have:",
        ),
    },
    complete=q.with_squares,
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
    printed={
        "one matrix for both": Printed(
            "single.T @ single == double.T @ double",
            "missing hypothesis",
            "For the Nyström method both centrings give one result. For "
            "Column-sampling they do not, and its columns have to be centred twice. "
            "The text does not say whether they were; if the singly centred matrix was "
            "used for both, this affects the comparison of both methods for Isomap, "
            "which the thesis explains by negative eigenvalues. Points 0, 1 and 3 on a "
            "line, of which the first two are landmarks: the singly centred columns "
            "have rank 2, the doubly centred ones rank 1.",
            _LINE,
            says=r"$C$ is obtained from the squared distances by single centring; for "
            r"Column-sampling $C^\top C$ is decomposed",
        ),
    },
)

MDS = Theorem(
    id="modern:landmark-mds",
    kind="identity",
    status="holds",
    title="Landmark MDS is a Nyström method",
    number="de Silva and Tenenbaum 2004; Platt 2005",
    setting=(
        _DEFINITION + r"Let the rows of $L^\#$ be $u^\top / \sqrt\sigma$ for the $k$ "
        r"largest eigenvalues $\sigma$ of $W$ above zero, with their eigenvectors $u$; "
        r"let $Y = L^\# C_1^\top$, so that a point with the squared distances $d$ to "
        r"the landmarks lies at $-\frac12 L^\# (d - \bar\delta)$, let $D_Y$ hold the "
        "squared distances of the columns of $Y$, and let $K^{(n)}$ be $D$ centred at "
        "the mean of all points."
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
            says="It is the Nyström approximation of $D$ centred at the mean of the "
            "landmarks:",
        ),
        "least squares": Claim(
            "landmarks_placed == pinv(landmarks_at.T) @ double.T",
            says="Each point lies where the distances to the landmarks fit best, by "
            "linear least squares:",
        ),
        "distances": Claim(
            "squares_from_landmarks == squares",
            when="below(0, centred) and rank_landmark_core == rank_centred "
            "and rank_centred <= k",
            says="Squared distances of points that the landmarks span are given back:",
        ),
        "trace": Claim(
            "trace(landmark_centred) == sum(landmark_squares) / l "
            "- n * sum(core_squares) / (2 * l**2)",
            says="The trace of what is approximated asks for no other distances:",
        ),
    },
    complete=q.with_squares,
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
            lacks=r"$\operatorname{rank} W = \operatorname{rank} K^{(n)}$",
        ),
        "twice the core": Control("trace", _LINE, {"(2 * l**2)": "l**2"}),
    },
)
