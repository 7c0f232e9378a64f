"""What the ends speak of: a matrix between 0 and K, a ridge, observations, a guess."""

from __future__ import annotations

from itertools import product

import numpy as np

from nystheory.engine import Hypothesis, Where
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds.between import (
    Between,
    between,
    with_ridge,
    with_weights,
)
from nystheory.engine.worlds.worlds import Given


class Observed(Between):
    """A matrix between 0 and K, observations, and any guess of what solves for them."""

    y = Given("y", "observations", axes=("n",))
    guess = Given("a", "any coefficients", axes=("n",))
    directions = Given("m", "a number of directions that may be missed")

    @classmethod
    def drawn(cls, instance, rng):
        """Observations anywhere or where they hurt; a guess near the solution or 0."""
        i = with_weights(with_ridge(instance, rng), rng, int(rng.integers(1, 4)))
        i = i.but(y=rng.integers(-3, 4, i.n).astype(float))
        missed = i.K - between(i)
        if rng.random() < 0.3:
            i = i.but(y=np.linalg.eigh(missed)[1][:, -1])
        solved = np.linalg.solve(between(i) + i.alpha * np.eye(i.n), i.y)
        # Dyadic numbers, so that fractions stay short.
        unit = 2.0 ** np.round(np.log2(np.abs(solved).max() or 1.0))
        guess = unit * np.round(64 * solved / unit) / 64 * rng.integers(0, 2)
        return i.but(guess=guess, directions=float(max(1, i.n - rng.integers(0, 2))))

    @classmethod
    def missing(cls, *missed, y, **given):
        """Orthogonal points, of which the first, of length one, is the landmark."""
        given = {"alpha": 1, "guess": [0] * (1 + len(missed)), **given}
        given.setdefault("directions", 1 + len(missed))
        return cls.orthogonal(1, *missed, y=y, **given)

    @classmethod
    def over(cls, matrix, between, y, **given):
        """A matrix and one below it, both given."""
        given = {"alpha": 1, "guess": [0] * len(y), "directions": len(y), **given}
        return cls.exactly([0], 1, matrix=matrix, between=between, y=y, **given)


@Observed.quantity(r"S^c", "places of the points that were not sampled", SAMPLE, unit=0)
def unsampled(i):
    return i.others


def _left_out(i, j):
    """An observation less what ridge regression on the others predicts of it."""
    rest = np.delete(np.arange(i.n), j)
    block = i.K[np.ix_(rest, rest)] + i.alpha * np.eye(i.n - 1)
    return i.y[j] - i.K[j, rest] @ np.linalg.solve(block, i.y[rest])


def _of_solving(i):
    """Rounding of a solution with the ridge, in units of the observations."""
    ridge = float(i.alpha)
    return (1 + i.norm_K / ridge) * (1 + np.abs(i.y).sum()) if ridge > 0 else np.inf


@Observed.quantity(
    "e",
    "observations less what ridge regression on all other points predicts of each",
    CHOSEN,
    unit=0,
    condition=_of_solving,
)
def left_out(i):
    return np.array([_left_out(i, j) for j in range(i.n)])


# Names that the statements share; those of the last need a guess.
TRACE = Where("t", "trace(K - between)")
MATRICES = {
    "A": Where("A", "K + alpha * identity(n)"),
    "t": TRACE,
    "inverse": Where("R", "inv(A)", told=False),
    "near": Where(r"\tilde R", "inv(between + alpha * identity(n))"),
    "lifted": Where("R_t", "inv(between + (alpha + t) * identity(n))"),
}
RESIDUAL = {
    "r": Where("r", "y - A @ guess"),
    "known": Where(r"\kappa", "2 * y.T @ guess - guess.T @ A @ guess"),
}
SETTING = (
    r"Let $\tilde K$ approximate $K$, let $\alpha$ be the ridge, $y$ the observations "
)
BELOW = {
    "below": Hypothesis(
        "below(0, between) and below(between, K)",
        says=r"$0 \preceq \tilde K \preceq K$",
    )
}


def cases(rng):
    """Both ends are attained where what is missed has one direction; others."""
    ys = ([0, 1], [0, -2], [0, 4], [1, 0], [3, 0], [-1, 0], [1, 2])
    for missed, y in product(4.0 ** np.arange(-8, 9), ys):
        given = {"y": np.array(y, float), "alpha": 1.0, "directions": 1.0}
        given["guess"] = np.full(2, rng.integers(0, 2) / 2)
        yield Observed(np.diag([1.0, missed]), [0], 1, name="one", **given)
        given["between"] = np.eye(2)
        yield Observed(np.diag([1.0, 1.0 + missed]), [0], 1, name="two", **given)
    for _ in range(30):
        n = int(rng.integers(2, 5))
        X = rng.integers(-2, 3, (n, n)).astype(float)
        case = Observed.from_points(X, range(rng.integers(1, n)), 1, "integers")
        yield Observed.drawn(case, rng)
