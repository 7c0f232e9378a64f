"""Part III: columns drawn by leverage scores of the leading eigenvectors.

Gittens and Mahoney 2016: the structural bound with Tropp's matrix Chernoff inequality
and Markov's.
"""

from __future__ import annotations

import math

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Hypothesis, Law, Theorem
from nystheory.theorems.coherence.clusters import Clusters
from nystheory.theorems.coherence.definition import hadamard
from nystheory.theorems.coherence.exact_recovery import recovery_case
from nystheory.theorems.coherence.hit_clusters import (
    bounded,
    by_cluster,
    clusters,
    has_exact_law,
    head,
    resampled,
    spread_out,
)
from nystheory.theorems.coherence.structural import error_norms
from nystheory.theorems.concentration.violations import (
    INDEPENDENT,
    SEMIDEFINITE,
    error_of_any,
    one_repeated,
)
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import failure_probability, quantity, tail_2, tail_F
from nystheory.theorems.routes import one
from nystheory.theorems.spectral import tail_trace

# Markov's inequality is used at this probability.
MARKOV = 0.2


def probabilities(i: Instance) -> np.ndarray:
    """Those that the instance carries, else exact leverage scores over k, (n,)."""
    given = i.extra.get("probabilities")
    return head(i) / head(i).sum() if given is None else given


def _inside_by_score(i: Instance, points) -> float:
    return float(probabilities(i)[points].sum()) ** i.l


def _occupied(i: Instance):
    """Outcomes where points are exchangeable: how many different ones were drawn."""
    chances = np.zeros(i.l + 1)
    chances[0] = 1.0
    for _ in range(i.l):
        fresh = chances[:-1] * (1 - np.arange(i.l) / i.n)
        chances = chances * np.arange(i.l + 1) / i.n + np.r_[0, fresh]
    return [
        (float(p), resampled(i, np.resize(np.arange(s), i.l)))
        for s, p in enumerate(chances)
        if p > 1e-13
    ]


def _score_outcomes(i: Instance):
    if "cluster" in i.extra:
        return by_cluster(i, _inside_by_score)
    return _occupied(i) if "exchangeable" in i.extra else None


_BY_SCORES = Law(
    lambda i, rng: resampled(i, rng.choice(i.n, i.l, p=probabilities(i))),
    _score_outcomes,
    lambda i: MARKOV + failure_probability(i),
)

accuracy = quantity(
    "accuracy",
    r"\varepsilon",
    "root of the share of the tail that may be added",
    chosen=True,
)(lambda i: float(i.extra["accuracy"]))
beta = quantity(
    "score_share",
    r"\beta",
    "least ratio of the probabilities to leverage scores of rank k over k",
)(lambda i: _least_ratio(i))


def _least_ratio(i: Instance) -> float:
    scores = head(i) / i.k
    some = scores > 1e-15
    ratio = float((probabilities(i)[some] / scores[some]).min())
    return 1.0 if abs(ratio - 1) < 1e-9 else ratio


def columns_by_scores(k, delta, score_share, accuracy, first=6.52, second=20) -> int:
    """The number of draws that the theorem asks for, rounded up.

    Examples
    --------
    >>> columns_by_scores(5, 0.1, 1.0, 0.7)
    205
    """
    head_seen = first * k * math.log(k / delta) / score_share
    tail_small = second * k / (score_share * accuracy**2)
    return math.ceil(max(head_seen, tail_small) * (1 - 1e-12))


# The first only gives the statement a meaning; each branch of the second has a control.
_SCORE_HYPOTHESES = (
    Hypothesis(
        r"$\varepsilon > 0$ and $0 < \delta < 0.8$",
        ("accuracy", "delta"),
        lambda accuracy, delta: accuracy > 0 and 0 < delta < 1 - MARKOV,
        domain=True,
    ),
    Hypothesis(
        r"$l \ge \max\{6.52\, k \ln(k/\delta) / \beta,\; 20 k / (\beta "
        r"\varepsilon^2)\}$",
        ("l", "k", "delta", "score_share", "accuracy"),
        lambda l, **given: l >= columns_by_scores(**given),  # noqa: E741
    ),
)
_added = sp.Mul(accuracy**2, tail_trace, evaluate=False)
_SCORE_BOUNDS = (
    Formula(sp.Add(tail_2, _added, evaluate=False)),
    Formula(sp.Add(tail_F, _added, evaluate=False)),
    Formula(sp.Mul(sp.Add(1, accuracy**2, evaluate=False), tail_trace, evaluate=False)),
)


def with_draws(i: Instance, first=6.52, second=20, **extra) -> Instance:
    """As many draws as the theorem on leverage scores asks for."""
    case = i.but(extra={**i.extra, **extra})
    given = {name: case.extra[name] for name in ("delta", "accuracy")}
    count = columns_by_scores(
        i.k, score_share=_least_ratio(case), first=first, second=second, **given
    )
    return case.but(landmarks=np.resize(np.arange(i.n), count))


def exchangeable(size: int, strength: float, **extra) -> Instance:
    """``I + strength * 1 1'``, with its symmetric root as points."""
    root = (math.sqrt(1 + strength * size) - 1) / size
    X = np.eye(size) + root
    return Instance.from_points(X, [0], 1, "I + c 1 1'").but(
        extra={"exchangeable": True, **extra}
    )


def _score_cases(rng):
    few = {"accuracy": 1.0, "delta": 0.1}
    masses = [400.0, 300, 200, 1, 0.5, 0.2]
    yield with_draws(clusters(masses, [60, 5, 90, 60, 20, 7], 3), **few)
    yield with_draws(clusters(masses, [60, 5, 90, 60, 20, 7], 2), **few)
    uniform = {"probabilities": np.full(240, 1 / 240)}
    yield with_draws(clusters([9.0, 8, 1, 1], [50, 40, 90, 60], 2), **few, **uniform)
    yield with_draws(exchangeable(60, 5.0), accuracy=0.8, delta=0.2)
    case = spread_out(256, 96, 2, trials=True)
    mixed = rng.uniform(0.5, 1.5, 256)
    mixed /= mixed.sum()
    yield with_draws(case, probabilities=mixed, accuracy=1.0, delta=0.2)


def _largest_of_three(i: Instance, _) -> float:
    """Error over bound, the largest of the three norms."""
    values = np.maximum(i.eigen_K[0][i.k :], 0)
    added = i.extra["accuracy"] ** 2 * values.sum()
    bounds = np.array([values.max(initial=0.0), np.linalg.norm(values), values.sum()])
    return float((np.array(error_norms(i)) / (bounds + added)).max())


def _missed_with_replacement(i: Clusters, _) -> float:
    """Exact probability that l independent draws miss one of r equal clusters."""
    return math.fsum(
        (-1) ** (j + 1) * math.comb(i.r, j) * (1 - j / i.r) ** i.l
        for j in range(1, i.r + 1)
    )


def _signed_tail() -> Instance:
    """A flat leading vector, and as many eigenvalues 1 as -1."""
    H = hadamard(32, 32)
    values = np.r_[1000.0, np.ones(15), 0.0, -np.ones(15)]
    return Instance((H * values) @ H.T, [0], 1, name="a tail of both signs")


def _of_signed_tail(i: Instance, _) -> float:
    """``lambda_{k+1} + epsilon^2 tau`` from eigenvalues that may be negative."""
    tail = i.eigen_K[0][i.k :]
    return float(tail[0] + i.extra["accuracy"] ** 2 * tail.sum())


def _each_norm():
    for which, name in enumerate(("spectral norm", "Frobenius norm", "trace")):
        yield bounded(
            f"the {name}",
            which,
            _SCORE_BOUNDS[which],
            _BY_SCORES,
            applies=has_exact_law,
        )


LEVERAGE = Theorem(
    id="modern:leverage",
    part="III",
    kind="probability",
    status="holds",
    title="Columns drawn by leverage scores",
    number="Gittens and Mahoney 2016",
    statement=(
        r"Let $K$ be positive semidefinite, $U_1$ its $k$ leading eigenvectors, "
        r"$\varepsilon > 0$, $0 < \delta < 0.8$ and $0 < \beta \le 1$. Draw $l$ "
        r"columns independently, column $i$ with probability $p_i \ge \frac\beta k "
        r"\|(U_1)_{i,:}\|^2$, where $l \ge \max\{6.52\, k \ln(k/\delta) / \beta,\; "
        r"20 k / (\beta \varepsilon^2)\}$. Then, with $E = K - C W^+ C^\top$ and "
        r"$\tau = \sum_{j>k} \lambda_j$, with probability at least $0.8 - \delta$ all "
        r"of these hold: $\|E\|_2 \le \lambda_{k+1} + \varepsilon^2 \tau$, $\|E\|_F "
        r"\le \|K - K_k\|_F + \varepsilon^2 \tau$ and $\operatorname{tr} E \le (1 + "
        r"\varepsilon^2) \tau$."
    ),
    hypotheses=_SCORE_HYPOTHESES,
    claims=(
        *_each_norm(),
        Claim(
            "all three at once",
            observe=_largest_of_three,
            formula=Formula(sp.Integer(1)),
            relation="<=",
            scale=one,
            law=_BY_SCORES,
        ),
    ),
    instances=_score_cases,
    own_suite=True,
    controls=(
        Control(
            Claim(
                r"$0.7\, k \ln(k/\delta)$ draws see the leading eigenvectors",
                observe=_missed_with_replacement,
                expected=lambda i, _: MARKOV + i.delta,
                relation="<=",
                scale=one,
            ),
            recovery_case(Clusters.equal(50, 400, 1, delta=0.05), 0.7),
            drops=r"$l \ge 6.52\, k \ln(k/\delta) / \beta$ alone",
        ),
        Control(
            bounded(
                r"$0.5\, k / (\beta \varepsilon^2)$ draws are enough for the tail",
                2,
                _SCORE_BOUNDS[2],
                _BY_SCORES,
            ),
            with_draws(exchangeable(400, 1e4), 6.52, 0.5, accuracy=0.2, delta=0.2),
            drops=_SCORE_HYPOTHESES[1].says,
        ),
        Control(
            bounded(
                r"uniform probabilities will do as if $\beta$ were 1",
                0,
                _SCORE_BOUNDS[0],
                _BY_SCORES,
            ),
            clusters(
                [1000.0, 1],
                [1, 199],
                1,
                20,
                accuracy=1.0,
                delta=0.1,
                probabilities=np.full(200, 0.005),
            ),
            drops=r"$p_i \ge \frac\beta k \|(U_1)_{i,:}\|^2$",
        ),
        Control(
            bounded(
                "the spectral norm, one column drawn and repeated",
                0,
                _SCORE_BOUNDS[0],
                one_repeated(lambda i: MARKOV + failure_probability(i)),
            ),
            with_draws(clusters([1.0, 1], [1, 1], 2), accuracy=1.0, delta=0.1),
            drops=INDEPENDENT,
        ),
        Control(
            Claim(
                r"the spectral norm, where $\lambda_{k+1} = 1$ and $\tau = 0$",
                observe=error_of_any,
                expected=_of_signed_tail,
                relation="<=",
                law=Law(_BY_SCORES.draw, delta=_BY_SCORES.delta),
            ),
            with_draws(_signed_tail(), accuracy=10.0, delta=0.1),
            drops=SEMIDEFINITE,
        ),
    ),
)
