"""What is explicit of Yang et al. 2012, Theorems 1 and 2.

Both have constants that are not told, so neither is verified as an inequality.  What
can be computed is: how many columns the condition of the first asks for, the chain of
theorems behind it with every constant, and the excess risk for any population.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product

import numpy as np

from nystheory.chapters.eigengap_and_rate.theorems.learned_objective import (
    BOUND,
    LABELS,
    MOST,
    SETTING,
    Learned,
    clusters,
    hinge,
    of_objective,
)
from nystheory.chapters.eigengap_and_rate.theorems.perturbed_directions import (
    Directions,
    counted,
    leading,
)
from nystheory.chapters.eigengap_and_rate.theorems.sampled_operator import halved
from nystheory.engine import Claim, Control, Instance, Theorem, Where
from nystheory.engine.language.claims import SUMS
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds.worlds import Given

# --- Theorem 1: from the columns to the objective -------------------------------------


class Assembled(Learned, Directions):
    """A learner on the leading eigenfunctions of landmarks, which are drawn."""

    @cached_property
    def approximation(self) -> np.ndarray:
        """The same matrix by Theorem 3, from each landmark once however often drawn."""
        kept = leading(counted(self), self.k) @ self.points
        return kept.T @ kept

    @classmethod
    def drawn(cls, instance, rng):
        """Points no longer than 1."""
        return super().drawn(halved(instance), rng)

    @classmethod
    def pair(cls, draws, second, **given):
        """A point of length nearly 1 and a second one, orthogonal, so many draws."""
        points = [["1023/1024", 0], [0, second]]
        given = {"y": [[1], [1]], "alpha": 1, "slope": 1} | given
        return cls.exactly([0] * draws, 1, points=points, groups=(1, 1), **given)

    @classmethod
    def alike(cls, draws, **given):
        """Two points that are equal, so many draws."""
        points = [["1023/1024"] * 2]
        given = {"y": [[1], [1]], "alpha": 1, "slope": 1} | given
        return cls.exactly([0] * draws, 1, points=points, groups=(1, 1), **given)


def _assembled(rng):
    for draws, second in product((80, 160), ("1/10", "1/2")):
        alpha = str(2.0 ** rng.integers(-2, 4))
        yield Assembled.pair(draws, second, alpha=alpha)
    for draws in (79, 80, 84, 92):
        yield Assembled.alike(draws)
    # Labels of another size, or longer points: only the condition speaks of them.
    for draws in range(80, 150):
        yield Assembled.alike(draws, y=[[2], [2]])
    for draws, n in product((40, 80, 160, 320, 640, 1280, 2560), (2, 3, 4, 5)):
        X = rng.integers(-2, 3, (2, n)) / 2
        X[0, 0] = 2
        given = {"y": np.ones((n, 1)), "alpha": 1.0, "slope": 1.0}
        yield Assembled.from_points(X, [0] * draws, 1, "longer points", **given)


_T = Where("t", "2 * log(2 * n**3) / l + sqrt(2 * log(2 * n**3) / l)")
_ASKED = "8 * log(2 * n**3) / (sqrt(1 + 4 * eigengap / 3) - 1)**2"
_BEYOND = "tail_2 + (t / (eigengap - t))**2 * (norm_K - tail_2)"
_RESOLVED = "K_max <= 1 and eigengap > t"
_UNEVEN = Assembled.pair(200, "1/10")
_ENOUGH, _TOO_FEW = Assembled.alike(80), Assembled.alike(75)

FIRST = Theorem(
    id="yang2012:thm-1",
    kind="rate",
    status="unspecified",
    title="What Theorem 1 says of the objective",
    number="Yang et al. 2012, of Theorem 1 what is explicit",
    setting=(
        f"{SETTING}where $\\ell(z, y)$ is $C$ times the hinge loss $(1 - y z)_+$, $"
        r"\Delta = (\lambda_k - \lambda_{k+1}) / n$ for the eigenvalues of $K$, and "
        "let the landmarks be drawn uniformly with replacement."
    ),
    where={"t": _T},
    claims={
        "objective": Claim(
            f"chance(hinge_gap > slope**2 / (2 * alpha) * ({_BEYOND})) <= 1 / n**3",
            when=f"{LABELS} and {_RESOLVED}",
            law="replaced_counts",
        ),
        "columns": Claim(
            f"(eigengap >= 3 * t) == (l >= {_ASKED})",
            when="eigengap > 0",
            says="The printed condition on the gap is equivalent to a number of "
            "columns:",
        ),
        "at least": Claim(
            "l >= 28 * log(2 * n**3)",
            when="K_max <= 1 and eigengap >= 3 * t",
            says="for every matrix,",
        ),
    },
    world=Assembled,
    cases=_assembled,
    loose={"objective": SUMS},
    controls={
        "one column repeated": Control("objective", _UNEVEN, law="one_repeated"),
        "seven for eight": Control("columns", _TOO_FEW, {"8 *": "7 *"}),
        "29 for 28": Control("at least", _ENOUGH, {"28": "29"}),
    },
)

# --- Theorem 2: from the objective to the risk ----------------------------------------


class Population(Learned):
    """A learner on data from a population that has other weights on the same points."""

    population = Given(
        "q",
        "weights of the points in the population",
        axes=("n",),
        range="min(population) >= 0 and sum(population) > 0",
        says="the weights $q$ of the population be positive or zero, and not all zero",
    )

    @classmethod
    def drawn(cls, instance, rng):
        """Any weights, or all on few points."""
        found = super().drawn(instance, rng)
        if found is None:
            return None
        weights = rng.integers(0, 5, (found.n, 1)).astype(float)
        weights[rng.integers(found.n)] += 1
        return found.but(population=weights)


def _risk(i, B, b):
    """The mean loss in the population and the ridge, for the dual point b."""
    q, f = np.ravel(i.population), B @ b / float(i.alpha)
    losses = float(i.slope) * np.maximum(0.0, 1 - np.ravel(i.y) * f)
    return f @ b / (2 * i.n) + q @ losses / q.sum()


def _of_risk(i):
    """What minimises is off by the root of what is lost of the minimum."""
    return 1e4 * (1 + of_objective(i))


@Population.quantity(
    r"\tau",
    "total variation distance of the population from the data",
    CHOSEN,
    unit=0,
)
def variation(i):
    q = np.ravel(i.population)
    return np.abs(q / q.sum() - 1 / i.n).sum() / 2


@Population.quantity(
    r"F(\hat f) - F(f)",
    "hinge: what the minimiser on the landmarks loses in the population",
    SAMPLE,
    unit=0,
    condition=_of_risk,
)
def hinge_excess(i):
    if i.n > MOST:
        return None
    near, full = (_risk(i, B, hinge(i, B).maximiser()) for B in (i.approximation, i.K))
    return float(near - full)


def _populations(rng):
    yield _OUTSIDE
    for size, alpha in product((1, 2, 3), (1, 2, 8)):
        weights = [[w] for w in rng.integers(1, 5, size + 1).tolist()]
        yield Population.of(clusters(size, alpha)).but(population=weights)
    for n in (2, 3, 4) * 8:
        X = rng.integers(-2, 3, (2, n))
        landmarks = rng.integers(n, size=int(rng.integers(1, n + 1)))
        yield Instance.from_points(X, landmarks, 1, "integers")
    for n in (2, 3, 4) * 40:
        X = rng.integers(-2, 3, (2, n))
        known = {"y": rng.choice([-1.0, 1.0], (n, 1)), "alpha": 1.0, "slope": 2.0}
        known["population"] = np.ones((n, 1))
        yield Population.from_points(X, [0], 1, "as drawn", **known)


# Few data of the one kind, of which the population is full, and the landmark elsewhere.
_OUTSIDE = Population.exactly(
    [0],
    1,
    points=[[1, 0], [0, 1]],
    y=[[1], [1]],
    alpha=1,
    slope=1,
    population=[[0], [1]],
)
_MOVED = "2 * variation * slope**2 / alpha * sqrt(n * K_max * error_2)"

SECOND = Theorem(
    id="yang2012:thm-2",
    kind="rate",
    status="unspecified",
    title="What Theorem 2 says of a population",
    number="Yang et al. 2012, of Theorem 2 what is explicit",
    setting=(
        f"{SETTING}where $\\ell(z, y)$ is $C$ times the hinge loss $(1 - y z)_+$, let "
        r"$F$ be the same with any other mean over the points, that of a population, "
        r"in place of $\frac1n \sum_i$, and $\tau$ the total variation distance of "
        r"the two. Let $\hat f$ and $f$ minimise $G$ on $\hat{\mathcal H}$ and on "
        r"$\mathcal H$."
    ),
    claims={
        "any population": Claim(f"hinge_excess <= {BOUND} + {_MOVED}", when=LABELS)
    },
    world=Population,
    cases=_populations,
    controls={
        "nothing for the population": Control(
            "any population", _OUTSIDE, {f" + {_MOVED}": ""}
        ),
        "a sixth of the distance": Control(
            "any population", _OUTSIDE, {"2 * variation": "variation / 3"}
        ),
    },
)
