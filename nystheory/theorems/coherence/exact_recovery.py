"""Part III: how many uniformly drawn columns determine a matrix of low rank.

Talwalkar 2010, section 5.2.2, Theorem 5.5.
"""

from __future__ import annotations

import math

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Hypothesis, Printed, Theorem
from nystheory.theorems.coherence.clusters import Clusters, missed
from nystheory.theorems.coherence.definition import M, hadamard, mu, r
from nystheory.theorems.coherence.sampled_rows import (
    ONE_AND_ORIGIN,
    countable,
    is_clusters,
    measured,
    no_matrix,
    samples,
    tail_bound,
)
from nystheory.theorems.concentration.violations import (
    DIFFERENT,
    SEMIDEFINITE,
    UNIFORM,
)
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.laws import without_replacement
from nystheory.theorems.quantities import delta, failure_probability
from nystheory.theorems.routes import nystrom, one, small


def _not_recovered(i, _=None) -> float | None:
    """Exact probability that the Nyström approximation differs from K.

    Small instances go through ``C W^+ C'`` for every sample; where a matrix is
    neither recovered nor clearly missed, float64 cannot tell.
    """
    if is_clusters(i):
        return missed(i) if i.k >= i.r else 1.0
    S = samples(i)
    C = i.K[:, S].transpose(1, 0, 2)
    W = i.K[S[:, :, None], S[:, None, :]]
    inverse = np.linalg.pinv(W, rcond=1e-9, hermitian=True)
    errors = np.abs(i.K - C @ inverse @ C.transpose(0, 2, 1)).max(axis=(1, 2))
    grey = (errors > 1e-9 * i.norm_K) & (errors < 1e-6 * i.norm_K)
    return None if grey.any() else float((errors >= 1e-6 * i.norm_K).mean())


def _one_group_and_zeros(i) -> bool:
    return is_clusters(i) and i.r == 1 and i.sizes[0] + i.l < i.n


def _at_least(i: Clusters, _) -> float:
    """``exp(-c l / M)`` of one group among zeros; c tends to 1 for small shares."""
    return math.exp(-i.n / (i.origin - i.l) * i.l / i.M)


_FAILURE = Formula(tail_bound(sp.Integer(1)))
_NEEDED = Formula(M * sp.log(r / delta))
_RANKS_IN_ORDER = Hypothesis(
    r"$1 \le r = \operatorname{rank} K \le k \le l$",
    ("rank_K", "k", "l"),
    lambda rank_K, k, l: 1 <= rank_K <= k <= l,  # noqa: E741
)


def recovery_case(case: Clusters, factor: float = 1.0) -> Clusters:
    """The clusters with ``factor * M ln(r / delta)`` columns, rounded up."""
    columns = math.ceil(factor * case.M * math.log(case.r / case.delta))
    return Clusters(case.sizes, columns, case.origin, case.delta)


def _recovery_cases(rng):
    for d in (0.5, 0.05, 0.001):
        yield recovery_case(Clusters.equal(50, 400, 1, delta=d))
    yield recovery_case(Clusters((30, 40, 60, 500), 1, 1000, 0.1))
    yield Clusters((10,), 100, 9990, 0.95)
    yield Clusters((5, 5), 1500, 19990)
    yield Clusters((1,), 3, 5)
    yield Clusters((1000,), 1000, 499_000)
    for size in (7, 10, 12):
        for rows in (1, 2, 3):
            X = rng.integers(-1, 2, (rows, size)).astype(float)
            for chosen in (rows, rows + 1, size // 2):
                few = rng.choice(size, chosen, replace=False)
                rank = int(rng.integers(rows, chosen + 1))
                yield Instance.from_points(X, few, rank, "sparse integers")
    X = np.repeat(np.diag([1.0, 2, 3, 4]), 15, axis=1)
    case = Instance.from_points(X, [0], 4, "4 clusters of 15", delta=0.2)
    yield case.but(landmarks=range(math.ceil(4 * math.log(4 / 0.2))))


def _is_recovered(i: Instance, _) -> bool | None:
    return small(nystrom(i) - i.K, i.norm_K)


def _hadamard_pair() -> Instance:
    """Rank 2 with mu = 1 and eight columns, all of them landmarks, and k = 1."""
    X = np.diag([np.sqrt(2), 1.0]) @ hadamard(8, 2).T
    return Instance.from_points(X, range(8), 1, "rank 2, k = 1", delta=0.5)


EXACT_RECOVERY = Theorem(
    id="talwalkar2010:thm-5.5",
    part="III",
    kind="probability",
    status="corrected",
    title="How many columns determine a matrix of low rank",
    number="Theorem 5.5",
    statement=(
        r"Let $K \in \mathbb R^{n \times n}$ be positive semidefinite of rank $r \ge "
        r"1$, $V$ its $r$ orthonormal singular vectors, $M = n \max_i \|V_{i,:}\|^2$, "
        r"and $r \le k \le l$. For $l$ different columns drawn uniformly, $\Pr\{\tilde "
        r"K \ne K\} \le r\, e^{-l/M}$. So $l \ge M \ln(r/\delta)$ columns give $\tilde "
        r"K = K$ with probability at least $1 - \delta$, and so does the printed "
        r"condition $l \ge r \mu^2 \max(C_1 \ln r, C_2 \ln(3/\delta))$ with $C_1 = C_2 "
        "= 2$. For $m$ equal points other than $0$ and $n - m > l$ points at $0$, "
        r"$\Pr\{\tilde K \ne K\} \ge e^{-c\, l/M}$ with $c = n / (n - m - l)$; so the "
        "constant $1$ in the exponent cannot be improved."
    ),
    hypotheses=(_RANKS_IN_ORDER,),
    # For any symmetric K the approximation is exact when W has the rank of K, and it
    # has where the sampled singular vectors do; of these the proof speaks.  And the
    # inequality of Chernoff is proved for draws with replacement.
    not_known_necessary=(SEMIDEFINITE, DIFFERENT, r"$k \le l$"),
    claims=(
        Claim(
            r"exact probability of $\tilde K \ne K$",
            observe=_not_recovered,
            formula=_FAILURE,
            relation="<=",
            scale=one,
            condition=no_matrix,
            applies=lambda i: countable(i) and (is_clusters(i) or i.rank_is_obvious),
        ),
        Claim(
            r"with $M \ln(r/\delta)$ columns $\tilde K = K$ but for probability "
            r"$\delta$",
            observe=_is_recovered,
            law=without_replacement(failure_probability),
            applies=lambda i: not is_clusters(i) and "delta" in i.extra,
        ),
        Claim(
            r"the exact probability with $\lceil M \ln(r/\delta) \rceil$ columns is at "
            r"most $\delta$",
            observe=_not_recovered,
            formula=Formula(delta),
            relation="<=",
            scale=one,
            condition=no_matrix,
            applies=lambda i: is_clusters(i) and i.delta is not None,
        ),
        Claim(
            r"the printed condition with $C_1 = C_2 = 2$ asks for at least $M "
            r"\ln(r/\delta)$",
            observe=lambda i, _: _NEEDED(**measured(i, *_NEEDED.names)),
            formula=Formula(
                2 * r * mu**2 * sp.Max(sp.log(r), sp.log(3 / delta)),
            ),
            relation="<=",
            scale=lambda i: float(i.n),
            applies=lambda i: not is_clusters(i) and "delta" in i.extra,
        ),
        Claim(
            r"for one group of $m$ points and $n - m > l$ zeros the probability is at "
            r"least $e^{-c\, l / M}$, $c = n / (n - m - l)$",
            observe=_not_recovered,
            expected=_at_least,
            relation=">=",
            scale=one,
            condition=no_matrix,
            applies=_one_group_and_zeros,
        ),
    ),
    instances=_recovery_cases,
    controls=(
        Control(
            Claim(
                r"$0.9\, M \ln(r/\delta)$ columns are enough",
                observe=_not_recovered,
                formula=Formula(delta),
                relation="<=",
                scale=one,
                condition=no_matrix,
            ),
            recovery_case(Clusters.equal(50, 400, 1, delta=0.05), 0.9),
        ),
        Control(
            Claim(
                r"the constant $1.05$ in the exponent",
                observe=_not_recovered,
                formula=Formula(tail_bound(sp.Rational(21, 20))),
                relation="<=",
                scale=one,
                condition=no_matrix,
            ),
            Clusters((1000,), 1000, 499_000),
        ),
        Control(
            Claim(
                r"coherence does not matter: $r$ in place of $M$",
                observe=_not_recovered,
                formula=Formula(_FAILURE.flat.subs(M, r)),
                relation="<=",
                scale=one,
                condition=no_matrix,
            ),
            Clusters((1, 1), 10, 18),
        ),
        Control(
            Claim(
                r"exact probability of $\tilde K \ne K$, $k = 1$ and $r = 2$",
                observe=_not_recovered,
                formula=_FAILURE,
                relation="<=",
                scale=one,
                condition=no_matrix,
            ),
            Clusters((10, 10), 18, rank=1),
            drops=_RANKS_IN_ORDER.says,
        ),
        Control(
            Claim(
                r"the probability of $\tilde K \ne K$, where only the origin is drawn",
                observe=lambda i, _: float(not small(nystrom(i) - i.K, i.norm_K)),
                formula=_FAILURE,
                relation="<=",
                scale=one,
            ),
            ONE_AND_ORIGIN,
            drops=UNIFORM,
        ),
    ),
    printed=(
        Printed(
            r"$l \ge r \mu^2 \max(C_1 \ln r, C_2 \ln(3/\delta))$ columns suffice for "
            r"$\|K - \tilde K_k\| = 0$ with probability $1 - \delta$, without a "
            "condition on $k$",
            "missing hypothesis",
            "The text before the theorem says $l \\ge k \\ge r$, the statement does "
            "not. An approximation of rank $k < r$ is never exact, not even from all "
            r"$n$ columns: rank $2$ with $\mu = 1$ and $k = 1$. For $n = 8$ the "
            r"condition with $C_1 = C_2 = 2$ and $\delta = \frac12$ asks for $7.2$ "
            "columns, and the same matrix on more points meets it for any constants.",
            Claim(
                "exact recovery whatever $k$ is",
                observe=_is_recovered,
                law=without_replacement(failure_probability),
            ),
            _hadamard_pair(),
        ),
    ),
)
