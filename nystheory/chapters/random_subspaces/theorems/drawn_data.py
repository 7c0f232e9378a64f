"""The effective dimension of drawn data: what is explicit of Proposition 23.

The proposition of Della Vecchia, De Vito, Mourtada and Rosasco 2024 has constants that
are not told.  In the mean the data have no larger effective dimension than the
population, whatever the law; here all data sets from a finite population are listed.
"""

from __future__ import annotations

import numpy as np

from nystheory.engine import Claim, Control, Theorem, Where
from nystheory.engine.language.quantity import CHOSEN
from nystheory.engine.worlds.worlds import Draw, Given, Size, World


class DrawnData(World):
    """A finite population, data that are drawn from it, and another matrix."""

    d = Size("d", "number of coordinates")
    N = Size("N", "number of points of the population")
    X = Given("X", "points of the population as columns", axes=("d", "N"))
    n = Given(
        "n",
        "number of data",
        range="1 <= floor(n) == n",
        says=r"$n \ge 1$ be an integer",
    )
    picked = Draw("n", "N", True, "S", "data, by their places in the population")
    B = Given("B", "any matrix", axes=("d", "c"))

    @classmethod
    def drawn(cls, instance, rng):
        """A few points of small integers, few data, a ridge of any size."""
        d, N, c, n = (int(rng.integers(1, most)) for most in (4, 4, 4, 4))
        return cls(
            X=rng.integers(-3, 4, (d, N)).astype(float),
            n=n,
            picked=rng.integers(N, size=n),
            B=rng.integers(-2, 3, (d, c)).astype(float),
            alpha=2.0 ** rng.integers(-3, 5),
        )


@DrawnData.quantity(r"\sigma_j", "eigenvalues of the covariance", CHOSEN)
def sigma(i):
    return np.maximum(np.linalg.eigvalsh(i.X @ i.X.T / i.sizes["N"]), 0.0)


def _cases(rng):
    yield from (_SINGLE, _ORTHOGONAL)
    for _ in range(60):
        yield DrawnData.drawn(None, rng)


def _population(*points, B=((0,), (1,)), n=1, picked=(0,), alpha=1) -> DrawnData:
    """Points of the plane, as rows."""
    X = [list(row) for row in zip(*points, strict=True)]
    rest = {"n": n, "picked": list(picked), "alpha": alpha}
    return DrawnData.exactly(X=X, B=[list(row) for row in B], **rest)


# One point, so that all data are alike; its direction is not that of the matrix.
_SINGLE = _population((1, 0))
_ORTHOGONAL = _population((1, 0), (0, 0))
_DIAGONAL = _population((1, 1))
_LARGE = _population((2, 0), (0, 2), alpha="1/50")
_D = "trace(({0}) @ inv({0} + alpha * identity(d)))"

PROPOSITION_23 = Theorem(
    id="dellavecchia2024:prop-23",
    kind="expectation",
    status="unspecified",
    title="The effective dimension of drawn data",
    number="Della Vecchia et al. 2024, of Proposition 23 what is explicit",
    setting=(
        r"Let a population have $N$ points of $d$ coordinates, the columns of $X$, "
        r"with the covariance $\Sigma = \frac1N X X^\top$ and its eigenvalues "
        r"$\sigma_j$. Draw $n$ of them uniformly with replacement, and let "
        r"$\hat\Sigma = \frac1n X_S X_S^\top$. Let $d_\alpha(A) = \operatorname{tr} A "
        r"(A + \alpha I)^{-1}$, and $P$ be the projector on the span of $B$, any "
        r"matrix."
    ),
    claims={
        "mean": Claim(
            "mean(d_data) <= d_population",
            law="picked",
            says="The mean effective dimension of the data is at most that of the "
            "population:",
        ),
        "at most": Claim(
            "d_population <= counted",
            says="The effective dimension counts at most the eigenvalues above the "
            "ridge in full, and the others in part:",
        ),
        "at least": "counted <= 2 * d_population",
        "sum": Claim(
            "d_sum <= d_population + d_other",
            says="The effective dimension is subadditive:",
        ),
        "blocks": Claim(
            "below(Sigma, 2 * (P @ Sigma @ P + Q @ Sigma @ Q))",
            says="and a covariance is at most twice its two blocks:",
        ),
    },
    where={
        "Sigma": Where(r"\Sigma", "X @ X.T / N", False),
        "Sigma_data": Where(
            r"\hat\Sigma", "taken(X, picked) @ taken(X, picked).T / n", False
        ),
        "P": Where("P", "B @ pinv(B)", False),
        "Q": Where("(I - P)", "identity(d) - P", False),
        "d_data": Where(r"d_\alpha(\hat\Sigma)", _D.format("Sigma_data"), False),
        "d_population": Where(r"d_\alpha(\Sigma)", _D.format("Sigma"), False),
        "d_other": Where(r"d_\alpha(B B^\top)", _D.format("(B @ B.T)"), False),
        "d_sum": Where(
            r"d_\alpha(\Sigma + B B^\top)", _D.format("(Sigma + B @ B.T)"), False
        ),
        "counted": Where(
            r"\textstyle\sum_j \min(1, \sigma_j / \alpha)",
            "sum(1 + sigma / alpha - abs(1 - sigma / alpha)) / 2",
            False,
        ),
    },
    world=DrawnData,
    cases=_cases,
    controls={
        "nine tenths": Control("mean", _SINGLE, {"<= d": "<= 0.9 * d"}),
        "nine tenths of the count": Control(
            "at most", _LARGE, {"<= counted": "<= 0.9 * counted"}
        ),
        "nine fifths": Control("at least", _SINGLE, {"2 *": "1.8 *"}),
        "nine tenths of the sum": Control("sum", _ORTHOGONAL, {"<= d": "<= 0.9 * d"}),
        "once": Control("blocks", _DIAGONAL, {"2 *": "1 *"}),
    },
)
