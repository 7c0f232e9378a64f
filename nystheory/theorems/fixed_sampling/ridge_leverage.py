"""Sampling in proportion to ridge leverage scores, with the constant 16.

Musco and Musco 2017; the proof by intrinsic dimension is that of the book.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import scipy.linalg
import sympy as sp

from nystheory.theorems.base import Claim, Control, Hypothesis, Law, Theorem
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance, truncated_inverse
from nystheory.theorems.quantities import delta, failure_probability, quantity
from nystheory.theorems.routes import one
from nystheory.theorems.spectral import ridge

CONSTANT = 16
# 8^(7/5) = 18.38: where the failure probability of the proof falls below delta.
SMALLEST_RATIO = 18.4


def exact_scores(i: Instance) -> np.ndarray:
    """Ridge leverage scores, the diagonal of ``K (K + alpha I)^-1``, (n,).

    From points in r dimensions, in ``O(n r^2)``.
    """
    X = i.points
    shifted = X @ X.T + ridge(i) * np.eye(len(X))
    return np.einsum("ij,ij->j", X, np.linalg.solve(shifted, X))


def scores(i: Instance) -> np.ndarray:
    """The scores that are sampled from: those the instance carries, else exact."""
    return i.extra["scores"] if "scores" in i.extra else exact_scores(i)


def inclusion_probabilities(i: Instance, constant: float = CONSTANT) -> np.ndarray:
    """``min(1, constant * score * log(sum of scores / delta))``, (n,)."""
    given = scores(i)
    logarithm = math.log(given.sum() / failure_probability(i))
    return np.clip(constant * given * logarithm, 0, 1)


score_sum = quantity("score_sum", r"\tilde d", "sum of the scores sampled from")(
    lambda i: float(scores(i).sum())
)
quantity(
    "overestimate",
    r"\min_i \tilde l_i / l_i",
    "smallest ratio of a score sampled from to the true ridge leverage score",
)(lambda i: _smallest_ratio(scores(i), exact_scores(i)))


def _smallest_ratio(given, true) -> float:
    """At least 1 up to rounding counts as 1; a true score of 0 asks for nothing."""
    some = true > 0
    ratio = float((given[some] / true[some]).min(initial=np.inf))
    return max(ratio, 1.0) if ratio > 1 - 1e-9 else ratio


_HYPOTHESES = (
    Hypothesis(r"$\alpha > 0$", ("alpha",), lambda alpha: alpha > 0),
    Hypothesis(
        r"$\tilde l_i \ge l_i$ for every $i$",
        ("overestimate",),
        lambda overestimate: overestimate >= 1,
    ),
    Hypothesis(
        r"$0 < \delta \le \tilde d / 18.4$",
        ("delta", "score_sum"),
        lambda delta, score_sum: 0 < delta * SMALLEST_RATIO <= score_sum * (1 + 1e-12),
    ),
)


def largest_error(i: Instance, _) -> float:
    """``lambda_max(K - K~)`` in the r dimensions of the points.

    The error is ``X' (I - P) X`` with P the projector on the span of the sampled
    points, and has the eigenvalues of ``(I - P) X X' (I - P)``.
    """
    moment = i.extra["moment"] if "moment" in i.extra else i.points @ i.points.T
    sampled = i.points[:, i.landmarks]
    Q, R, _ = scipy.linalg.qr(sampled, pivoting=True, check_finite=False)
    size = np.abs(np.diag(R))
    rank = int((size > 1e-12 * size.max(initial=0.0)).sum())
    rest = Q[:, rank:]
    if rest.shape[1] == 0:
        return 0.0
    return float(np.linalg.eigvalsh(rest.T @ moment @ rest)[-1])


def _draw(constant):
    def draw(i, rng):
        chosen = rng.random(i.n) < inclusion_probabilities(i, constant)
        return i.but(landmarks=np.flatnonzero(chosen))

    return draw


def _by_cluster(constant):
    """Every outcome that matters where points come in clusters of equal points.

    The error depends only on which clusters are hit at all, so a sample stands for
    all that hit the same ones; one index of each is its representative.
    """

    def outcomes(i):
        if "cluster" not in i.extra:
            return None
        labels, first = np.unique(i.extra["cluster"], return_index=True)
        with np.errstate(divide="ignore"):
            missed = np.log1p(-inclusion_probabilities(i, constant))
        missed = [
            math.exp(missed[i.extra["cluster"] == label].sum()) for label in labels
        ]
        listed = []
        for hits in product((True, False), repeat=len(labels)):
            chances = [1 - m if hit else m for m, hit in zip(missed, hits, strict=True)]
            representatives = first[np.array(hits)]
            listed.append((math.prod(chances), i.but(landmarks=representatives)))
        return listed

    return outcomes


def _law(constant=CONSTANT) -> Law:
    return Law(_draw(constant), _by_cluster(constant), failure_probability)


def _mean_size(i: Instance, _) -> float:
    """The mean of the number of landmarks, from its law, one index after another."""
    law = np.ones(1)
    for chance in inclusion_probabilities(i):
        law = np.convolve(law, [1 - chance, chance])
    return float(law @ np.arange(len(law)))


DRAWN = 20


def _samples(i: Instance, rng) -> list[Instance]:
    """All samples that differ for the error where they can be listed, else some."""
    listed = _by_cluster(CONSTANT)(i)
    if listed is not None:
        return [outcome for _, outcome in listed]
    return [_draw(CONSTANT)(i, rng) for _ in range(DRAWN)]


def _share(i: Instance) -> float:
    """``lambda_max(X_S W^+ X_S^T)``, for points whose rows are independent.

    As ``K~ = X^T (X_S W^+ X_S^T) X``, it is at most 1 exactly when K~ is below K.
    """
    if i.l == 0:
        return 0.0
    sampled = i.points[:, i.landmarks]
    core = truncated_inverse(sampled.T @ sampled, i.l)
    return float(np.linalg.eigvalsh(sampled @ core @ sampled.T)[-1])


def _spread(i: Instance) -> float:
    """Largest over smallest eigenvalue of K that is not zero: what W^+ amplifies."""
    values = np.linalg.eigvalsh(i.points @ i.points.T)
    return float(values[-1] / values[0])


def _norm(i: Instance) -> float:
    return (
        i.extra["norm"]
        if "norm" in i.extra
        else float(np.linalg.norm(i.points, 2) ** 2)
    )


def _below_the_ridge(says, constant=CONSTANT) -> Claim:
    return Claim(
        says,
        observe=largest_error,
        expected=lambda i, _: ridge(i),
        relation="<=",
        scale=_norm,
        law=_law(constant),
    )


# --- Instances on which some probability is below 1 -------------------------------


def clusters(masses, sizes, alpha, delta=None, factor=1.0, name="clusters") -> Instance:
    """Clusters of equal points on orthogonal axes, with their exact scores.

    Parameters
    ----------
    masses : array (m,)
        Eigenvalues of K: squared length times number of the points of a cluster.
    sizes : array (m,) of int
    alpha : float
    delta : float, optional
        The largest that the theorem allows by default.
    factor : float or array (n,)
        The scores sampled from are the true ones times this.

    Examples
    --------
    >>> case = clusters([4.0, 1.0], [3, 2], alpha=1.0)
    >>> case.n, exact_scores(case).round(3).tolist()
    (5, [0.267, 0.267, 0.267, 0.25, 0.25])
    """
    masses, sizes = np.asarray(masses, dtype=float), np.asarray(sizes)
    X = np.repeat(np.diag(np.sqrt(masses / sizes)), sizes, axis=1)
    case = Instance.from_points(X, [0], 1, name, alpha=alpha)
    given = exact_scores(case) * factor
    return case.but(
        scores=given,
        delta=given.sum() / SMALLEST_RATIO if delta is None else delta,
        cluster=np.repeat(np.arange(len(sizes)), sizes),
        norm=masses.max(),
    )


def _scattered(rng) -> Instance:
    """Points in general position, two directions above the ridge and 78 far below.

    Fifty-odd landmarks are expected, so that a sample does not span everything.
    """
    values = np.r_[1.3, 1.1, 0.05 * 0.9 ** np.arange(78) / 10]
    X = np.linalg.qr(rng.standard_normal((1500, 80)))[0].T * np.sqrt(values)[:, None]
    case = Instance.from_points(X, [0], 1, "points in general position", alpha=1.0)
    given = exact_scores(case)
    moment, delta = X @ X.T, given.sum() / SMALLEST_RATIO
    return case.but(scores=given, delta=delta, moment=moment, norm=values[0])


def _cases(rng):
    yield clusters([1.01], [1500], 1.0, name="1500 equal points")
    yield clusters([1.01] * 4, [375] * 4, 1.0, name="4 clusters just above alpha")
    yield clusters([1.01] * 8, [180] * 8, 1.0, 0.01, name="8 clusters, small delta")
    masses = [50.0, 5, 2, 1.1, 1.01, 0.9, 0.3, 0.1]
    sizes = [40, 400, 30, 500, 200, 150, 100, 80]
    yield clusters(masses, sizes, 1.0, 0.1, name="unequal clusters")
    factor = rng.uniform(1, 3, 1500)
    yield clusters(masses, sizes, 1.0, 0.1, factor, "unequal clusters, scores too high")
    yield _scattered(rng)


_EQUAL = clusters([200.0], [200], 199.0, name="200 equal points")
_ALONE = clusters([1.5, 40.0], [1, 400], 1.0, 0.05)
_FLAT = _ALONE.but(scores=np.full(401, exact_scores(_ALONE).sum() / 401))

RIDGE_LEVERAGE = Theorem(
    id="modern:ridge-leverage",
    part="II",
    kind="probability",
    status="holds",
    title="Sampling by ridge leverage scores",
    number="Musco and Musco 2017",
    statement=(
        r"Let $K$ be positive semidefinite, $\alpha > 0$, and let $\tilde l_i \ge l_i$ "
        r"be upper bounds of the ridge leverage scores $l_i = \bigl(K (K + \alpha "
        r"I)^{-1}\bigr)_{ii}$ with sum $\tilde d$. Let $0 < \delta \le \tilde d / "
        r"18.4$ and take every index $i$ into $S$, independently of the others, with "
        r"probability $p_i = \min\{1, 16\, \tilde l_i \log(\tilde d / \delta)\}$. Then "
        r"$\tilde K \preceq K \preceq \tilde K + \alpha I$ with probability at least "
        r"$1 - \delta$, and $\mathbb E |S| = \sum_i p_i \le 16\, \tilde d "
        r"\log(\tilde d / \delta)$."
    ),
    hypotheses=_HYPOTHESES,
    claims=(
        _below_the_ridge(
            r"$\lambda_{\max}(K - \tilde K) \le \alpha$ but for probability $\delta$"
        ),
        Claim(
            "the mean number of landmarks",
            observe=lambda i, _: float(inclusion_probabilities(i).sum()),
            formula=Formula(
                sp.Mul(
                    sp.Integer(CONSTANT),
                    score_sum,
                    sp.log(sp.Mul(score_sum, sp.Pow(delta, -1), evaluate=False)),
                    evaluate=False,
                )
            ),
            relation="<=",
            scale=lambda i: float(i.n),
        ),
        Claim(
            r"$\mathbb E |S| = \sum_i p_i$, from the law of $|S|$",
            observe=_mean_size,
            expected=lambda i, _: float(inclusion_probabilities(i).sum()),
            scale=lambda i: float(i.n),
        ),
        Claim(
            r"$\tilde K \preceq K$ for every sample: no direction counts more than "
            "once",
            observe=lambda i, rng: max(map(_share, _samples(i, rng))),
            expected=lambda i, _: 1.0,
            relation="<=",
            scale=one,
            condition=_spread,
        ),
    ),
    instances=_cases,
    own_suite=True,
    controls=(
        Control(
            _below_the_ridge(
                "the constant $2.4$ is enough; an empty sample of equal points says no",
                constant=2.4,
            ),
            _EQUAL,
        ),
        Control(
            _below_the_ridge("scores that are eight times too small will do"),
            clusters([1.01] * 8, [180] * 8, 1.0, 0.02, 1 / 8),
        ),
        Control(
            _below_the_ridge("it is enough that the sum of the scores is right"),
            _FLAT,
        ),
        Control(
            _below_the_ridge(r"any $\delta$ will do; one point, $\delta = \tilde d$"),
            clusters([1.5], [1], 1.0, 0.6),
        ),
    ),
)
