"""Sampling in proportion to ridge leverage scores, with the constant 16.

Musco and Musco 2017; the proof by intrinsic dimension is that of the book.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import scipy.linalg

from nystheory.engine import Claim, Control, Hypothesis, Instance, Promise, Theorem
from nystheory.engine.language.claims import SUMS
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.promises.promises import SMALLEST
from nystheory.engine.worlds.laws import LAWS, Law
from nystheory.engine.worlds.quantities import quantity
from nystheory.engine.worlds.worlds import Given

CONSTANT = 16
# 8^(7/5) = 18.38: where the failure probability of the proof falls below delta.
SMALLEST_RATIO = 18.4


class Scored(Instance):
    """Columns that are taken independently, in proportion to scores."""

    scores = Given(r"\tilde l_i", "scores that are sampled from", axes=("n",))

    @classmethod
    def drawn(cls, instance, rng):
        """A ridge from low to high, the true scores or higher ones."""
        if instance.norm_K == 0:
            return None
        ridge = instance.norm_K * 10.0 ** rng.uniform(-1.5, 2)
        i = instance.but(rank=instance.l, alpha=ridge)
        return _sampled(i, rng.uniform(0.1, 1), rng.uniform(1, 2))


def _of_ridge(i):
    """Rounding in the points, beside the ridge."""
    return 1.0 + i.norm_K / i.alpha if i.alpha > 0 else np.inf


@quantity(
    "l_i", "ridge leverage scores", unit=0, condition=_of_ridge, name="ridge_scores"
)
def exact_scores(i: Instance) -> np.ndarray:
    """Ridge leverage scores, the diagonal of ``K (K + alpha I)^-1``, (n,).

    From points in r dimensions, in ``O(n r^2)``; without points from the eigenpairs of
    K, in ``O(n^2)`` where these are known.
    """
    if i.X is None:
        values, vectors = i.eigen_K
        values = np.maximum(values, 0)
        shares = values / (values + float(i.alpha))
        return np.einsum("ij,ij,j->i", vectors, vectors, shares)
    X = i.points
    shifted = X @ X.T + float(i.alpha) * np.eye(len(X))
    return np.einsum("ij,ij->j", X, np.linalg.solve(shifted, X))


@Scored.quantity(r"\tilde d", "sum of the scores sampled from", unit=0.0)
def score_sum(i):
    return np.sum(i.scores)


def chances(i: Scored, constant: float = CONSTANT) -> np.ndarray:
    """``min(1, constant * score * log(sum of the scores / delta))``, (n,)."""
    logarithm = math.log(score_sum(i) / i.delta)
    return np.clip(constant * logarithm * np.asarray(i.scores), 0, 1)


@Scored.quantity("p_i", "probability of each column to be taken", unit=0.0)
def inclusion(i):
    return chances(i)


@Scored.quantity(r"\mathbb E |S|", "mean number of landmarks", unit=0.0)
def mean_size(i):
    """By listing samples, few columns at a time: blocks are independent."""
    mean = 0.0
    for p in np.array_split(chances(i), 1 + i.n // 8):
        taken = np.array(list(product((0.0, 1.0), repeat=len(p))))
        mean += np.where(taken == 1, p, 1 - p).prod(axis=1) @ taken.sum(axis=1)
    return mean


@quantity(
    r"\|K-\tilde K\|_2",
    "spectral error of the whole core",
    SAMPLE,
    name="spectral_miss",
)
def largest_error(i: Instance) -> float:
    """``lambda_max(K - K~)`` in the r dimensions of the points.

    The error is ``X' (I - P) X`` with P the projector on the span of the sampled
    points, and has the eigenvalues of ``(I - P) X X' (I - P)``.
    """
    Q, R, _ = scipy.linalg.qr(i.points[:, i.landmarks], pivoting=True)
    size = np.abs(np.diag(R))
    rest = Q[:, int((size > 1e-12 * size.max(initial=0.0)).sum()) :]
    left = rest.T @ i.points
    return float(np.linalg.norm(left @ left.T, 2)) if left.size else 0.0


# --- How columns are taken -----------------------------------------------------------


def _hit(constant):
    """Which groups of equal points are hit, told by their first points.

    The error of the whole core depends on nothing else of a sample.
    """

    def outcomes(i):
        sizes = np.array(i.groups or (1,) * i.n)
        first = np.cumsum(sizes) - sizes
        missed = np.multiply.reduceat(1 - chances(i, constant), first)
        if np.count_nonzero(missed) > 10:
            return None
        return _listed(i, first, missed)

    return outcomes


def _listed(i, first, missed):
    for hits in product(*([True, False] if m > 0 else [True] for m in missed)):
        hit = np.array(hits)
        chance = np.where(hit, 1 - missed, missed).prod()
        if chance > 0:
            yield float(chance), i.but(landmarks=first[hit])


def _draw(constant):
    def draw(i, rng):
        taken = rng.random(i.n) < chances(i, constant)
        return i.but(landmarks=np.flatnonzero(taken))

    return draw


for _name, _constant in (("by_scores", CONSTANT), ("by_fewer_scores", 2.4)):
    _says = f"every column on its own, by {_constant} times its score"
    LAWS[_name] = Law(_says, _draw(_constant), _hit(_constant))


# --- Instances, on some of which a probability is below 1 ----------------------------


def _sampled(i, share=1.0, factor=1.0):
    """With scores that are the true ones or above, and a share of the largest delta."""
    given = exact_scores(i) * factor + 1e-8
    return i.but(scores=given, delta=share * (1 - 1e-9) * given.sum() / SMALLEST_RATIO)


def clusters(masses, sizes, alpha, name="clusters", **given) -> Scored:
    """Clusters of equal points on orthogonal axes.

    Parameters
    ----------
    masses : array (m,)
        Eigenvalues of K: squared length times number of the points of a cluster.
    sizes : array (m,) of int
    alpha : float

    Examples
    --------
    >>> case = clusters([4.0, 1.0], [3, 2], alpha=1.0)
    >>> case.n, exact_scores(case).round(3).tolist()
    (5, [0.267, 0.267, 0.267, 0.25, 0.25])
    """
    masses, sizes = np.asarray(masses, dtype=float), np.asarray(sizes)
    X = np.repeat(np.diag(np.sqrt(masses / sizes)), sizes, axis=1)
    case = Scored.from_points(X, [0], 1, name, alpha=alpha, **given)
    return case.but(groups=tuple(map(int, sizes)))


def _scattered(rng) -> Scored:
    """Points in general position, two directions above the ridge and ten far below."""
    values = np.r_[1.3, 1.1, 0.01 * 0.9 ** np.arange(10)]
    X = np.linalg.qr(rng.standard_normal((300, 12)))[0].T * np.sqrt(values)[:, None]
    return Scored.from_points(X, [0], 1, "points in general position", alpha=1.0)


def _cases(rng):
    yield _sampled(clusters([1.01], [100], 1.0, name="100 equal points"))
    yield _sampled(clusters([1.01] * 4, [75] * 4, 1.0, name="4 clusters above alpha"))
    masses, sizes = [50.0, 2, 1.1, 1.01, 0.9, 0.3], [10, 30, 90, 80, 50, 40]
    unequal = clusters(masses, sizes, 1.0, name="unequal clusters")
    yield _sampled(unequal, share=0.5)
    yield _sampled(unequal, factor=rng.uniform(1, 2, 300))
    yield _sampled(_scattered(rng))


def _exactly(name, points, alpha, score, delta, groups=()) -> Scored:
    """Points that all have the same score to sample from."""
    scores = [score] * len(points[0])
    told = {"alpha": alpha, "scores": scores, "delta": delta}
    return Scored.exactly([0], 1, points, name=name, groups=groups, **told)


# A hundred equal points, the ridge a little below their number.
_EQUAL = _exactly("equal points", [[1] * 100], 99, "0.0050252", "0.02731", [100])
_TOO_SMALL = _exactly("an eighth of the scores", [[1] * 5], 4, "1/72", "0.0037", [5])
_FLAT = _exactly("flat scores", [["1.1"] + [0] * 29], 1, "121/6630", "0.0297", [1, 29])
_ONE = _exactly("one point", [["3/2"]], 1, "7/10", "7/10")
_LOW = _exactly("a large ridge", [[1]], 99, "1/99", "1/2000")

# Where the scores are few the theorem speaks of rare failures only.
_RARE_ENOUGH = f"min(delta, 0.99 * score_sum / {SMALLEST_RATIO})"

RIDGE_LEVERAGE = Theorem(
    id="modern:ridge-leverage",
    kind="probability",
    status="holds",
    title="Sampling by ridge leverage scores",
    number="Musco and Musco 2017",
    setting=(
        r"Let $K$ be positive semidefinite, and let $\tilde l_i$ be upper bounds of "
        r"the ridge leverage scores $l_i = \bigl(K (K + \alpha I)^{-1}\bigr)_{ii}$ "
        r"with sum $\tilde d$. Include each index $i$ in $S$ independently, with "
        rf"probability $p_i = \min\{{1, {CONSTANT}\, \tilde l_i "
        r"\log(\tilde d / \delta)\}$, and let $\tilde K = C W^+ C^\top$."
    ),
    hypotheses={
        "scores": Hypothesis(
            "scores >= ridge_scores", says=r"$\tilde l_i \ge l_i$ for every $i$"
        ),
        "delta": f"0 < delta <= score_sum / {SMALLEST_RATIO}",
    },
    claims={
        "below": Claim("below(full_approximation, K)", says="For every sample,"),
        "error": Claim(
            "chance(spectral_miss > alpha) <= delta",
            law="by_scores",
            says=r"and $K \preceq \tilde K + \alpha I$ rarely fails:",
        ),
        "mean number": Claim(
            "mean_size == sum(inclusion)", says="The mean number of landmarks is"
        ),
        "number": f"sum(inclusion) <= {CONSTANT} * score_sum * log(score_sum / delta)",
    },
    world=Scored,
    cases=_cases,
    promises={
        "error": Promise(
            "spectral",
            "ridge leverage scores, a random number",
            {"alpha": SMALLEST},
            {"scores": "ridge_scores", "delta": _RARE_ENOUGH},
            columns="number",
        )
    },
    loose={"error": SUMS},
    controls={
        "counted twice": Control(
            "below", _LOW, {"full_approximation": "2 * full_approximation"}
        ),
        "2.4 in the place of 16": Control("error", _EQUAL, law="by_fewer_scores"),
        "scores eight times too small": Control("error", _TOO_SMALL, drops="scores"),
        "only the sum of the scores": Control("error", _FLAT, drops="scores"),
        "any delta": Control("error", _ONE, drops="delta"),
        "one more": Control("mean number", _LOW, {"sum": "1 + sum"}),
        "15 in the place of 16": Control(
            "number", _LOW, {f"{CONSTANT} *": f"{CONSTANT - 1} *"}
        ),
    },
)
