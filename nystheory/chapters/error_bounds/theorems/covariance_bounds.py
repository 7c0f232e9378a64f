"""The error of Nyström in terms of the sampled covariance: (5.3) and sqrt 2.

Talwalkar 2010, section 5.1.  The proofs of the sharper constants are those of the book.
"""

from __future__ import annotations

import numpy as np

from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.quantities import quantity

# --- Ky Fan norms: sums of the j largest singular values, j = 1, ..., n --------------


def _ky_fan(values, i):
    moduli = np.sort(np.abs(values))[::-1][: i.n]
    return np.cumsum(np.pad(moduli, (0, i.n - len(moduli))))


@quantity(
    r"\|K-\tilde K\|_{(j)}",
    "Ky Fan norms of the error of the approximation",
    SAMPLE,
    condition=lambda i: i.condition,
)
def error_ky_fan(i):
    return _ky_fan(i.error_spectrum, i)


@quantity(r"\|K-K_k\|_{(j)}", "Ky Fan norms of the error of the best rank k")
def tail_ky_fan(i):
    return _ky_fan(i.spectrum[i.k :], i)


@quantity(r"\|XX^\top-ZZ^\top\|_{(j)}", "Ky Fan norms of the distance", SAMPLE)
def distance_ky_fan(i):
    return _ky_fan(i.distance, i)


# --- Extremal cases ------------------------------------------------------------------


def flipped(size: int, longer: str) -> Instance:
    """Two orthogonal clusters whose order the sample flips, k = 1.

    ``size`` equal points of length 1 and one that is a hair longer; the sample has one
    of each, so it takes the lone point for the leading direction.  As the hair gets
    shorter, the excess over the best rank one tends to ``size - 1``, which is twice
    ``|XX' - ZZ'|_2`` and sqrt 2 times ``|XX' - ZZ'|_F``.

    Examples
    --------
    >>> case = flipped(3, "1")
    >>> case.n, case.distance.round(12).tolist()
    (4, [-1.0, 1.0])
    """
    points = [[1] * size + [0], [0] * size + [longer]]
    name = "two clusters, order flipped by the sample"
    return Instance.exactly([0, size], 1, points=points, name=name)


_FLIP = flipped(2, "1.000001")
_ORTHOGONAL = Instance.exactly([0], 1, points=[[1, 0], [0, 1]])


def _nearly_tied(_):
    """The instances on which the constants are all but attained."""
    yield flipped(20, "1.00001")
    # k = l = 1: the sample does not see the other direction.
    yield _ORTHOGONAL


def _with_the_origin(rng):
    """The same, and samples of nothing but the origin."""
    yield from _nearly_tied(rng)
    for drawn in (1, 2, 3):
        for _ in range(20):
            X = rng.standard_normal((int(rng.integers(1, 5)), int(rng.integers(1, 5))))
            X = np.pad(X * 10.0 ** rng.uniform(-2, 2), ((0, 0), (drawn, 0)))
            yield Instance.from_points(X, range(drawn), drawn, "at the origin")


_SETTING = (
    r"Let $K = X^\top X$, let $X_S$ be any $l$ of the columns of $X$, repetitions "
    r"allowed, and $Z = \sqrt{n/l}\, X_S$."
)
# The inequalities also hold for k > l, where they are weaker than those for k = l.
_RANK = {"rank": Hypothesis("1 <= k <= l", necessary="not known")}

GENERAL = Theorem(
    id="talwalkar2010:eq-5.3",
    kind="inequality",
    status="holds",
    title="Error by the sampled covariance",
    number="inequality (5.3)",
    setting=_SETTING,
    hypotheses=_RANK,
    claims={
        "spectral norm": "error_2 <= tail_2 + 2 * distance_2",
        "Frobenius norm": "error_F <= tail_F + 2 * distance_F",
        "Ky Fan norms": Claim(
            "error_ky_fan <= tail_ky_fan + 2 * distance_ky_fan",
            says="The same holds in all Ky Fan norms, the sums of the $j$ largest "
            "singular values, and so in every unitarily invariant norm:",
        ),
        "trace norm": Claim(
            "error_trace <= tail_trace + distance_trace",
            says="In the trace norm the constant $1$ is enough:",
        ),
        "nothing cut": Claim(
            "error_ky_fan <= distance_ky_fan",
            when="k == l",
            says="In every such norm the tail and the factor disappear",
        ),
        "at the origin": Claim(
            "error_ky_fan == distance_ky_fan",
            when="k == l and trace(W) == 0",
            says="Equality holds with all sampled points at the origin, that is",
        ),
    },
    cases=_with_the_origin,
    controls={
        "1.99 in place of 2": Control("spectral norm", _FLIP, {"2 *": "1.99 *"}),
        "1.41 in place of 2": Control("Frobenius norm", _FLIP, {"2 *": "1.41 *"}),
        "1.99 in every norm": Control("Ky Fan norms", _FLIP, {"2 *": "1.99 *"}),
        "0.99 in place of 1": Control(
            "trace norm", _FLIP, {"distance": "0.99 * distance"}
        ),
        "0.99 without a cut": Control("nothing cut", _ORTHOGONAL, {"<=": "<= 0.99 *"}),
        "no tail with a cut": Control("nothing cut", _FLIP, lacks="k == l"),
        "equality elsewhere": Control(
            "at the origin", _ORTHOGONAL, lacks="trace(W) == 0"
        ),
    },
)

SQRT2 = Theorem(
    id="talwalkar2010:sqrt2-lemma",
    kind="inequality",
    status="new",
    title=r"The $\sqrt 2$ lemma",
    number="new, in place of the thesis's (5.3) and (5.8)",
    setting=_SETTING,
    hypotheses=_RANK,
    claims={
        "spectral norm": "error_2 <= tail_2 + sqrt(2) * distance_F",
        "Frobenius norm": "error_F <= tail_F + sqrt(2) * distance_F",
    },
    cases=_nearly_tied,
    controls={
        "1.414": Control("spectral norm", _FLIP, {"sqrt(2)": "1.414"}),
        "1.414, Frobenius norm": Control("Frobenius norm", _FLIP, {"sqrt(2)": "1.414"}),
        "the constant of k = l": Control("spectral norm", _FLIP, {"sqrt(2)": "1"}),
    },
)
