"""When a span misses little of the covariance: what is explicit of Lemma 22.

The lemma of Della Vecchia, De Vito, Mourtada and Rosasco 2024 has constants that are
not told.  Behind it is a statement without chance: a matrix on the span that is nearly
as large as the covariance, beside the ridge.
"""

from __future__ import annotations

import numpy as np

from nystheory.chapters.random_subspaces.theorems.subspaces import (
    COVARIANCE,
    MISSED,
    PROJECTOR,
    REST,
    RIDGED,
    Subspace,
)
from nystheory.engine import Claim, Control, Hypothesis, Theorem, Where
from nystheory.engine.worlds.worlds import Given


class Witnessed(Subspace):
    """A subspace, and a semidefinite matrix on it."""

    witness = Given("R", "coefficients at the landmarks", axes=("l", "c"))
    beta = Given(
        r"\beta", "share of the covariance that it lacks", range="0 <= beta < 1"
    )

    @classmethod
    def drawn(cls, instance, rng):
        """A weighted sample or any matrix; the least ridge for a share, or more."""
        n, l = instance.n, instance.l  # noqa: E741 - the field's letter
        if rng.random() < 0.5:
            R = np.diag(2.0 ** rng.integers(-2, 2, l)) / np.sqrt(n)
        else:
            R = rng.integers(-2, 3, (l, int(rng.integers(1, 3)))) / np.sqrt(n)
        beta, R = float(rng.choice([0.25, 0.5, 0.75])), np.round(256 * R) / 256
        return cls.ridged(instance.but(alpha=1.0), R, beta, rng.choice([1.01, 1.5]))

    @classmethod
    def ridged(cls, i, R, beta, more):
        """The ridge beside which the matrix lacks this share, times something."""
        X, T = i.points, i.points[:, i.landmarks] @ R
        lacking = (1 - beta) * X @ X.T / i.n - T @ T.T
        least = np.linalg.eigvalsh(lacking)[-1] / beta
        size = (i.norm_K or 1.0) / i.n
        alpha = 2.0**-20 * np.ceil(2.0**20 * more * max(least / size, 0.01)) * size
        return cls.of(i).but(witness=R, beta=beta, alpha=alpha)


def _cases(rng):
    for n, N in ((4, 2), (5, 3), (6, 6), (3, 5)) * 8:
        X = rng.integers(-3, 4, (N, n)).astype(float)
        S = rng.integers(n, size=int(rng.integers(1, 4)))
        yield Witnessed.drawn(Witnessed.from_points(X, S, 1, "integers"), rng)


def _axes(R, **given) -> Witnessed:
    """The axes of the plane, of which the first is sampled."""
    rest = {"witness": [[R]], "beta": "1/2", "alpha": "1/2"} | given
    return Witnessed.exactly([0], 1, points=[[1, 0], [0, 1]], **rest)


# The second axis is missed, and there the covariance is 1/2.
_TIGHT = _axes("3/5")
# Both axes, and a matrix that is larger than the covariance.
_NEGATIVE = Witnessed.exactly(
    [0, 1],
    1,
    points=[[1, 0], [0, 1]],
    witness=[[2, 0], [0, 2]],
    beta="-1/2",
    alpha="1/2",
)
_TOO_LITTLE = _axes("3/5", beta="1/4")

LEMMA_22 = Theorem(
    id="dellavecchia2024:lem-22",
    kind="probability",
    status="unspecified",
    title="A span that misses little",
    number="Della Vecchia et al. 2024, of Lemma 22 what is explicit",
    setting=(
        r"Let $K = X^\top X$ with $n$ points of $N$ coordinates as the columns of $X$, "
        r"with the covariance $\hat\Sigma$, let $P$ be the projector on the span of "
        r"the sampled points $X_S$, and $T = X_S R R^\top X_S^\top$ for any matrix "
        r"$R$. Let $E = K - C W^+ C^\top$."
    ),
    hypotheses={
        "nearly": Hypothesis("below(Sigma - T, beta * Sigma_alpha)"),
    },
    claims={
        "missed": Claim("missed <= alpha / (1 - beta)"),
        "of K": Claim(
            "norm_E <= beta / (1 - beta) * n * alpha",
            says="The spectral error of the approximation is small, too:",
        ),
    },
    where={
        "Sigma": COVARIANCE,
        "Sigma_alpha": RIDGED,
        "P": PROJECTOR,
        "Q": REST,
        "T": Where("T", "points_S @ witness @ witness.T @ points_S.T", False),
        "missed": MISSED,
    },
    world=Witnessed,
    promises={"of K": "of a witness, which no scheme of drawing hands over"},
    cases=_cases,
    controls={
        "half of the share": Control("missed", _TIGHT, {"1 - beta": "1 - beta / 2"}),
        "nine tenths": Control("of K", _TIGHT, {"<= beta": "<= 0.9 * beta"}),
        "a share that is too small": Control("missed", _TOO_LITTLE, drops="nearly"),
        "less than nothing": Control("of K", _NEGATIVE, drops="beta"),
        "the whole share": Control("of K", _axes("3/5", beta="3/2"), drops="beta"),
    },
)
