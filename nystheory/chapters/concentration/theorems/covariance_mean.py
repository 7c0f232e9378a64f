"""The mean distance of the sampled covariance, as an identity.

Talwalkar 2010, inequality (5.7).
"""

from __future__ import annotations

import numpy as np

from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.quantities import quantity


@quantity(
    r"\|XX^\top-ZZ^\top\|_F^2",
    "squared Frobenius distance of the covariances",
    SAMPLE,
    unit=2,
)
def distance_F_squared(i):
    return (i.distance**2).sum()


def _cases(_):
    """What attains the bounds: orthogonal points of one length, and a lonely one."""
    for drawn in (1, 2, 5):
        yield Instance.exactly(range(drawn), 1, points=np.eye(6, dtype=int).tolist())
    # The spectral norm attains the mean: half the points at 0, half at 1.
    yield _LONELY


_ORTHOGONAL = Instance.exactly([0, 1], 1, points=[[1, 0, 0], [0, 1, 0], [0, 0, 1]])
_LENGTHS = Instance.exactly([0], 1, points=[[1, 0, 0], [0, 2, 0], [0, 0, 3]])
_LONELY = Instance.exactly([0], 1, points=[[1, 0]])
_ONE_OF_THREE = Instance.exactly([0], 1, points=[[1, 0, 0]])
_LESS = {"<=": "<= 0.99 *"}
_PRINTED = "n / sqrt(l) * K_max"
_BY_DISTANCE = "n / sqrt(2 * l) * sqrt(1 - l / n) * g_F"

MEAN = Theorem(
    id="talwalkar2010:eq-5.7",
    kind="expectation",
    status="holds",
    title="The mean distance of the sampled covariance",
    number="inequality (5.7)",
    setting=(
        r"Let $K = X^\top X$ be of size $n$, let $S$ be $l$ columns drawn uniformly "
        r"without replacement, $Z = \sqrt{n/l}\, X_S$, $V = \sum_i K_{ii}^2 - \frac1n "
        r"\|K\|_F^2$, and let $d_{\max}$ be the largest distance $\|x_i - x_j\|$ "
        "between two points."
    ),
    hypotheses={"two columns": Hypothesis("n >= 2", domain=True)},
    claims={
        "mean": Claim("mean(distance_F) <= e_l", law="uniform"),
        "mean, spectral": Claim("mean(distance_2) <= e_l", law="uniform"),
        "mean square": Claim(
            "mean(distance_F_squared) == n * (n - l) / (l * (n - 1)) * spread",
            law="uniform",
        ),
        "with replacement": Claim(
            "mean(distance_F_squared) == n / l * spread",
            law="replaced_counts",
            says="For columns drawn with replacement",
        ),
        "by the length": Claim(
            "e_l <= n / sqrt(l) * sqrt(1 - l / n) * K_max", says="Moreover"
        ),
        "by the distance": f"e_l <= {_BY_DISTANCE}",
        "both": "g_F <= sqrt(2) * K_max",
        "as printed": Claim(
            f"{_BY_DISTANCE} <= {_PRINTED}",
            says="and this bound on $e_l$ is at most the printed one,",
        ),
        "norms": Claim("distance_2 <= distance_F", says="and for every sample"),
    },
    cases=_cases,
    controls={
        "a law that is not uniform": Control("mean", _ONE_OF_THREE, law="surely"),
        "the mean is e_l": Control("mean", _LENGTHS, {"<=": "=="}),
        "one percent less": Control("mean, spectral", _LONELY, _LESS),
        "the same as with replacement": Control(
            "mean square", _ORTHOGONAL, {"n * (n - l) / (l * (n - 1))": "n / l"}
        ),
        "with repetitions": Control("mean square", _ORTHOGONAL, law="replaced_counts"),
        "without repetitions": Control("with replacement", _ORTHOGONAL, law="uniform"),
        "less than the length": Control("by the length", _ORTHOGONAL, _LESS),
        "less than the distance": Control("by the distance", _ORTHOGONAL, _LESS),
        "1.4 in place of the root": Control("both", _ORTHOGONAL, {"sqrt(2)": "1.4"}),
        "half the printed bound": Control(
            "as printed", _ORTHOGONAL, {"<=": "<= 0.5 *"}
        ),
        "less in the other norm": Control("norms", _LONELY, _LESS),
    },
)
