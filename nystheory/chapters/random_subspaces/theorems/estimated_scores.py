"""Leverage scores that are estimated from a weighted sample, as BLESS does.

Rudi, Calandriello, Carratino and Rosasco 2018, algorithm 1; Della Vecchia, De Vito,
Mourtada and Rosasco 2024 sample by such scores.
"""

from __future__ import annotations

import numpy as np

from nystheory.chapters.random_subspaces.theorems.subspaces import (
    COVARIANCE,
    RIDGED,
    Subspace,
)
from nystheory.engine import Claim, Control, Hypothesis, Theorem, Where
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds.drawn_columns import LISTED
from nystheory.engine.worlds.worlds import Given


class Weighed(Subspace):
    """Columns that are drawn with probabilities, and weighed by them."""

    t = Given("t", "how far the sample is from all points", range="0 <= t < 1")
    v = Given("v", "a direction", axes=("N", "one"))

    @classmethod
    def drawn(cls, instance, rng):
        """Any probabilities, the least distance; None where samples are too many."""
        if instance.n**instance.l > LISTED:
            return None
        found = super().drawn(instance, rng)
        p = 1 + rng.multinomial(64, np.ones(found.n) / found.n)
        v = rng.integers(-2, 3, (len(found.points), 1)).astype(float)
        found = found.but(probabilities=p / p.sum(), t=0.0, v=v)
        t = np.ceil(2**10 * 1.01 * distance(found) + 1) / 2**10
        return found.but(t=float(t) if t < 1 else 0.5)


@Weighed.quantity("p", "probabilities of the columns", CHOSEN, unit=0)
def p(i):
    return np.ravel(i.probabilities)


@Weighed.quantity("A", "draws times probability of each landmark", SAMPLE, unit=0)
def draws(i):
    return np.diag(i.l * p(i)[i.landmarks])


@Weighed.quantity(
    "C_J", "weighted covariance of the landmarks", SAMPLE, name="of_sample"
)
def covariance_of_sample(i):
    X = i.points[:, i.landmarks]
    return X / (p(i)[i.landmarks] * i.l * i.n) @ X.T


@Weighed.quantity(
    r"v^\top C_J v", "what the landmarks see of a direction", SAMPLE, name="seen_by_J"
)
def seen_by_sample(i):
    """A mean of squares, each over its probability."""
    squares = np.ravel(i.v.T @ i.points[:, i.landmarks]) ** 2
    return np.mean(squares / p(i)[i.landmarks]) / i.n


@Weighed.quantity(
    r"v^\top \hat\Sigma v",
    "what all points see of a direction",
    CHOSEN,
    name="seen_by_all",
)
def seen_by_all(i):
    return np.mean(np.ravel(i.v.T @ i.points) ** 2)


def distance(i) -> float:
    """How far the covariance of the sample is from that of all, beside the ridge."""
    X = i.points
    whole = X @ X.T / i.n
    ridged = whole + float(i.alpha) * np.eye(len(X))
    half = np.linalg.inv(np.linalg.cholesky(ridged))
    moved = half @ (covariance_of_sample(i) - whole) @ half.T
    return float(np.abs(np.linalg.eigvalsh(moved)).max())


def _cases(rng):
    for n, N in ((4, 2), (5, 3), (3, 2), (3, 3)) * 8:
        X = rng.integers(-3, 4, (N, n)).astype(float)
        S = rng.integers(n, size=int(rng.integers(1, 4)))
        case = Weighed.from_points(X, S, 1, "integers")
        yield Weighed.drawn(case, rng)
    for n, times in ((2, 2), (2, 3), (3, 1)) * 4:
        # Each column as often as others, or nearly.
        S = np.append(np.repeat(np.arange(n), times), rng.integers(n))
        X, uniform = rng.integers(-2, 3, (2, n)).astype(float), np.full(n, 1 / n)
        found = Subspace.drawn(Weighed.from_points(X, S, 1, "often"), rng)
        found = found.but(probabilities=uniform, t=0.0, v=np.ones((2, 1)))
        t = np.ceil(2**10 * distance(found) + 1) / 2**10
        yield found.but(t=min(float(t), 0.75))


def _example(S, p, **given) -> Weighed:
    """The axes of the plane, of which some are drawn."""
    rest = {"probabilities": p, "alpha": "1/2", "t": "1/2", "v": [[1], [0]]} | given
    return Weighed.exactly(list(S), 1, points=[[1, 0], [0, 1]], **rest)


# The covariance is half of the identity; of the sample its entries are 1 / (2 l p).
_OFTEN = _example([0, 1], ["1/4", "3/4"])
_EVEN = ["1/2", "1/2"]
_ONE = _example([0, 0], _EVEN)
_ABOVE, _BELOW = (
    "below(of_sample + alpha * identity(dimension), (1 + t) * Sigma_alpha)",
    "below((1 - t) * Sigma_alpha, of_sample + alpha * identity(dimension))",
)
_SUMS = Hypothesis(
    "min(p) > 0 and sum(p) == 1",
    says="the probabilities $p$ be positive with the sum 1",
    domain=True,
)

ESTIMATED = Theorem(
    id="dellavecchia2024:bless",
    kind="algorithm",
    status="holds",
    title="Leverage scores from a weighted sample",
    number="Rudi et al. 2018, algorithm 1",
    setting=(
        r"Let $K = X^\top X$ with $n$ points as the columns of $X$, the covariance "
        r"$\hat\Sigma$, and the leverage scores $h_i = \bigl(K (K + n \alpha I)^{-1}"
        r"\bigr)_{ii}$. Draw $l$ columns independently, each point $x_i$ with the "
        r"probability $p_i$, let $A$ be the diagonal matrix of $l\, p_j$ and $C_J "
        r"= \frac1n X_S A^{-1} X_S^\top$, and estimate the scores by $\tilde h_i = "
        r"\frac{1}{n \alpha} \bigl(K - C (W + n \alpha A)^{-1} C^\top\bigr)_{ii}$."
    ),
    hypotheses={"probabilities": _SUMS},
    claims={
        "estimate": Claim(
            "estimate == diag(X.T @ inv(of_sample + alpha * identity(dimension)) @ X)"
            " / n",
            says="The estimate is that of the points from the covariance of the "
            "sample:",
        ),
        "unbiased": Claim(
            "mean(seen_by_J) == seen_by_all",
            law="weighted",
            says="On average the sample sees every direction $v$ in full:",
        ),
        "at least": Claim(
            "estimate >= scores / (1 + t)", when=_ABOVE, says="A sample near enough "
                "suffices:"
        ),
        "at most": Claim("estimate <= scores / (1 - t)", when=_BELOW),
    },
    where={
        "scores": Where("h", "diag(K @ inv(K + n * alpha * identity(n)))", False),
        "estimate": Where(
            r"\tilde h",
            "diag(K - C @ inv(W + n * alpha * draws) @ C.T) / (n * alpha)",
            False,
        ),
        "Sigma": COVARIANCE,
        "Sigma_alpha": RIDGED,
    },
    world=Weighed,
    cases=_cases,
    controls={
        "half the ridge in the core": Control(
            "estimate", _OFTEN, {"/ n": "/ (1.1 * n)"}
        ),
        "uniform columns": Control("unbiased", _OFTEN, law="with_replacement"),
        "any sample": Control(
            "at least", _example([0, 0], ["1/4", "3/4"]), lacks=_ABOVE
        ),
        "any sample, too": Control(
            "at most", _example([0, 0], _EVEN, t="1/4"), lacks=_BELOW
        ),
        "a tenth more": Control("at least", _ONE, {">= scores": ">= 1.1 * scores"}),
        "a tenth less": Control("at most", _ONE, {"<= scores": "<= 0.9 * scores"}),
    },
)
