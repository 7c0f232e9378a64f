"""Exact chances of what a random set of columns misses, and the bound on them.

For columns in classes of equal points only the classes that are hit matter; where
every point is a class of its own this is the law of the set of landmarks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

import numpy as np
import scipy.linalg
import sympy as sp

from nystheory.theorems.base import Claim
from nystheory.theorems.fixed_sampling.ridge_leverage import (
    clusters,
    exact_scores,
    largest_error,
)
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import quantity
from nystheory.theorems.routes import one
from nystheory.theorems.spectral import ridge, spectrum

# All 2^m sets of classes are listed up to this many.
CLASSES = 8


def chances_of_hits(inside) -> np.ndarray:
    """Chance that exactly the classes of each set are hit, (2^m,) by bit mask.

    Parameters
    ----------
    inside : array (2^m,)
        Chance that every draw falls into the classes of the set.

    Examples
    --------
    >>> chances_of_hits([0.0, 0.25, 0.25, 1.0]).tolist()
    [0.0, 0.25, 0.25, 0.5]
    """
    chances = np.array(inside, dtype=float)
    masks = np.arange(len(chances))
    bit = 1
    while bit < len(chances):
        holds = (masks & bit) > 0
        chances[holds] -= chances[masks[holds] ^ bit]
        bit *= 2
    return np.maximum(chances, 0)


def _members(count: int) -> np.ndarray:
    """Membership of each of m classes in each of 2^m sets, (2^m, m)."""
    return (np.arange(2**count)[:, None] >> np.arange(count)) & 1 == 1


def with_replacement(probabilities, draws: int) -> np.ndarray:
    """Chances of the sets of classes hit by independent draws, (2^m,).

    Examples
    --------
    >>> with_replacement([0.5, 0.5], 2).tolist()
    [0.0, 0.25, 0.25, 0.5]
    """
    probabilities = np.asarray(probabilities, dtype=float)
    mass = _members(len(probabilities)) @ probabilities
    return chances_of_hits(np.minimum(mass, 1.0) ** draws)


def without_replacement(sizes, draws: int) -> np.ndarray:
    """Chances of the sets of classes hit by a uniform sample of different columns.

    Examples
    --------
    >>> without_replacement([1, 3], 2).tolist()
    [0.0, 0.0, 0.5, 0.5]
    """
    inside = _members(len(sizes)) @ np.asarray(sizes)
    total = math.comb(int(np.sum(sizes)), draws)
    shares = [float(Fraction(math.comb(int(s), draws), total)) for s in inside]
    return chances_of_hits(shares)


def classes(i: Instance) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Class of each column, first column and size of each class."""
    labels = i.extra["cluster"] if "cluster" in i.extra else np.arange(i.n)
    _, first, sizes = np.unique(labels, return_index=True, return_counts=True)
    return labels, first, sizes


def outcomes(i: Instance) -> Iterable[tuple[float, Instance]]:
    """Every set of classes that l draws can hit, with its chance.

    Independent draws by ``extra["probabilities"]``; where there are none, a uniform
    sample of different columns.
    """
    labels, first, sizes = classes(i)
    if len(sizes) > CLASSES:
        return None
    if "probabilities" in i.extra:
        p = np.bincount(labels, weights=i.extra["probabilities"])
        chances = with_replacement(p, i.l)
    else:
        chances = without_replacement(sizes, i.l)
    return [
        (chance, i.but(landmarks=first[hit]))
        for chance, hit in zip(chances, _members(len(sizes)), strict=True)
        if hit.any()
    ]


def failure(fails):
    """The exact chance of an event, as a function of the instance."""

    def chance(i: Instance, _) -> float:
        return math.fsum(p for p, o in outcomes(i) if p > 0 and fails(o))

    return chance


def error_above(threshold):
    """The event that ``norm(E)`` exceeds a threshold, by more than rounding."""

    def fails(i: Instance) -> bool:
        return largest_error(i, None) > threshold(i) * (1 + 1e-9)

    return fails


# --- The bound --------------------------------------------------------------------


def exponential(size, columns, per_column) -> sp.Expr:
    """``size * exp(-columns / per_column)``, as it is written."""
    inverse = sp.Pow(per_column, -1, evaluate=False)
    power = sp.Mul(-1, columns, inverse, evaluate=False)
    return sp.Mul(size, sp.exp(power, evaluate=False), evaluate=False)


def _largest_score(i: Instance) -> float:
    return i.n * float(exact_scores(i).max())


largest_score = quantity(
    "largest_score",
    r"N_\infty(\alpha)",
    "n times the largest ridge leverage score",
)(_largest_score)


def _ridge_share(i: Instance) -> float:
    """At most 1, which exact scores reach up to rounding."""
    given = i.extra.get("probabilities", np.full(i.n, 1 / i.n))
    exact = exact_scores(i)
    some = exact > 0
    ratio = float((given[some] / exact[some]).min(initial=np.inf)) * exact.sum()
    return min(ratio, 1.0)


ridge_share = quantity(
    "ridge_share",
    r"\beta",
    "least ratio of the probabilities to normalised ridge leverage scores",
)(_ridge_share)


def tolerated_share(i: Instance) -> float:
    """The tolerance that an instance carries in ``extra``."""
    if "tolerance" not in i.extra:
        raise ValueError("tolerance: expected a number by name, got none")
    return float(i.extra["tolerance"])


tolerance = quantity(
    "tolerance",
    r"\varepsilon",
    "spectral error that is allowed, over the ridge",
    chosen=True,
)(tolerated_share)


def over(a, b) -> sp.Expr:
    """``a / b``, as it is written."""
    return sp.Mul(a, sp.Pow(b, -1), evaluate=False)


def per_column(constant, ratio, rest) -> sp.Expr:
    """``constant * (ratio + rest)``, as it is written."""
    return sp.Mul(constant, sp.Add(ratio, rest, evaluate=False), evaluate=False)


def chance_claim(says, fails, expr, **changes) -> Claim:
    """That the exact chance of an event is at most an expression."""
    fields = {"relation": "<=", "scale": one}
    return Claim(says, failure(fails), Formula(expr), **(fields | changes))


# --- Instances --------------------------------------------------------------------


def small_matrices(rng) -> Iterable[Instance]:
    """Matrices of five points, each a class of its own, with a ridge each."""
    n = 5
    for name, X in (
        ("general", rng.standard_normal((n, n))),
        ("orthogonal points", np.eye(n)),
        ("decaying", 0.3 ** np.arange(n)[:, None] * rng.standard_normal((n, n))),
        ("nearly equal points", np.ones((n, n)) + 0.1 * rng.standard_normal((n, n))),
        ("unequal lengths", rng.standard_normal((n, n)) * 10.0 ** np.arange(-2, 3)),
    ):
        size = float(np.linalg.norm(X, 2) ** 2)
        for ratio in (0.9, 0.3, 0.01):
            yield Instance.from_points(X, [0], 1, name, alpha=ratio * size)


def clustered() -> Iterable[Instance]:
    """Clusters of equal points, of like and unlike sizes and lengths."""
    yield clusters([1.01] * 6, [50] * 6, 1.0, name="clusters just above the ridge")
    yield clusters([5.0, 3, 2, 1.5], [1, 10, 100, 300], 1.0, name="unequal clusters")
    yield clusters([2.0] * 8, [1, 2, 4, 8, 16, 32, 64, 128], 1.0, name="sizes double")
    yield clusters([1.1, 200], [3, 300], 1.0, name="a small cluster, a large one")


def counted(i: Instance, columns: int) -> Instance:
    """The instance with so many draws; which columns they are is left to chance."""
    return i.but(landmarks=np.zeros(int(columns), dtype=int))


# Three equal points that a uniform sample easily misses, and many that it does not.
TWO_SIZES = clusters([2.5, 200], [3, 300], 1.0)


def dominant(i: Instance) -> bool:
    """Whether some eigenvalue exceeds the ridge; the bound says nothing without."""
    return float(spectrum(i)[0]) > ridge(i)


def orthonormal_rows(values, n: int, rng) -> np.ndarray:
    """Points (r, n) in general position with these eigenvalues of K."""
    Q = scipy.linalg.qr(rng.standard_normal((n, len(values))), mode="economic")[0]
    return np.sqrt(np.asarray(values, dtype=float))[:, None] * Q.T


def with_signal(i: Instance, rng) -> Instance:
    """A signal of any length on a few points, and little noise."""
    signal = rng.standard_normal(i.n) * (rng.random(i.n) < 0.5)
    signal[rng.integers(i.n)] = 1.0
    return i.but(signal=signal, noise=float(10.0 ** rng.uniform(-4, 0)))


def _by_scores(i: Instance, rng=None) -> np.ndarray:
    """Normalised scores, or those with errors up to a factor 3."""
    given = exact_scores(i)
    if rng is not None:
        given = given * rng.uniform(1, 3, i.n)
    return given / given.sum()


def leverage_cases(rng) -> Iterable[Instance]:
    """Columns drawn by scores, exact and not, fewer and more; and one on trial."""
    for case in (*small_matrices(rng), *clustered()):
        for given in (_by_scores(case), _by_scores(case, rng)):
            sure = case.but(tolerance=10.0 ** rng.uniform(-1, 1), probabilities=given)
            for columns in (40, 100, 300, 800):
                yield with_signal(counted(sure, columns), rng)
    yield _scattered(rng)


def _scattered(rng) -> Instance:
    """400 points in general position, as many columns as the theorem asks for."""
    X = orthonormal_rows([9.0, 4, 2, 1.2, 1.1, 0.5, 0.3, 0.1], 400, rng)
    case = Instance.from_points(X, [0], 1, "points in general position", alpha=1.0)
    scores = exact_scores(case)
    columns = math.ceil(8 * (scores.sum() + 1 / 6) * math.log(400 / 0.1))
    case = with_signal(counted(case, columns), rng)
    given = scores / scores.sum()
    return case.but(tolerance=0.5, probabilities=given, delta=0.1, trial=True)
