"""Uniform columns, without adaptivity; and the best rank, which need not be the best.

This book's: what replaces Theorem 1 of Ding et al. 2019.
"""

from __future__ import annotations

import numpy as np

from nystheory.chapters.choosing_the_kernel.theorems.worlds import (
    C_APPROXIMATION,
    C_K,
    LARGEST,
    SAID,
    Criterion,
    column,
    value_of,
)
from nystheory.engine import Claim, Control, Hypothesis, Theorem, Where
from nystheory.engine.language.quantity import CHOSEN
from nystheory.engine.worlds.clusters import groups_of
from nystheory.engine.worlds.listed import small
from nystheory.engine.worlds.matrices import diagonal

C_FULL = Where(r"\mathcal C(\tilde K)", value_of("(K - E)"), False)


def _cases(rng):
    """Short points of which all samples are listed, and a direction that is missed."""
    for i in small(rng, 3):
        size = max(i.diagonal.max(), 1.0)
        yield Criterion.of(i.but(X=0.99 * i.points / np.sqrt(size)))
    for n in (2, 3, 5, 9):
        for mu in (0.001, 0.1):
            yield Criterion(0.99 * np.eye(n), [0], 1, mu=mu, y=np.ones((n, 1)))
    for sizes in ((1, 1), (9, 1), (1, 9), (30, 10)):
        for l in (1, 2, 4, 9):  # noqa: E741 - the field's letter
            for mu in (0.01, 0.1, 1.0):
                y = np.repeat([0.0, 1.0], sizes)[:, None]
                known = {"mu": mu, "y": y}
                found = groups_of([[0, 0.99]], sizes, 1, [0] * l)
                yield Criterion.of(found).but(**known)


def _given(mu, n) -> dict:
    return {"mu": mu, "y": column([1] * n)}


_FIVE = Criterion.exactly([0], 1, matrix=diagonal(["99/100"] * 5), **_given("1/100", 5))
_LONG = Criterion.exactly([0], 1, matrix=diagonal([100] * 5), **_given(1, 5))
_ORIGIN = Criterion.exactly(
    [0] * 9, 1, points=[[0] + ["99/100"] * 9], **_given("1/2", 10)
)
_HALVES = Criterion.exactly(
    [0] * 9,
    1,
    points=[["99/100"] * 2 + [0] * 2, [0] * 2 + ["99/100"] * 2],
    groups=(2, 2),
    **_given(10, 4),
)
_ROOT = "sqrt(l)"

UNIFORM_COLUMNS = Theorem(
    id="ding2019:uniform-columns",
    kind="expectation",
    status="new",
    title="Uniform columns are strongly consistent",
    number="this book",
    setting=(
        r"Let $K$ be positive semidefinite with $K_{ii} \le 1$, let $l$ of its columns "
        r"be drawn uniformly and independently, let $\tilde K = C W^+ C^\top$ and "
        r"$\tilde K_k = C W_k^+ C^\top$ be their Nyström approximations, $|y_i| \le "
        f"M$, and {SAID}."
    ),
    hypotheses={
        "rank": Hypothesis("1 <= k <= l", domain=True),
        "bounded": Hypothesis("K_max <= 1", r"$K_{ii} \le 1$"),
    },
    claims={
        "bound": Claim(
            f"mean(C_U - C_K) <= M**2 / (1 + mu * {_ROOT})",
            law="with_replacement",
            says="Whatever the labels and the spectrum,",
        ),
        "rank k": Claim(
            f"mean(C_T - C_K) <= M**2 / mu * (tail_2 / n + 2 / {_ROOT})",
            law="with_replacement",
            says="and for the rank $k$",
        ),
    },
    where={
        "C_K": C_K,
        "C_U": C_FULL,
        "C_T": Where(r"\mathcal C(\tilde K_k)", C_APPROXIMATION.line, False),
        "M": LARGEST,
    },
    world=Criterion,
    cases=_cases,
    suite=False,
    loose={
        "rank k": "the distance of the sample from the matrix enters twice, and the "
        "two are not large on one matrix"
    },
    controls={
        "seven tenths": Control("bound", _FIVE, {"<= M": "<= 0.7 * M"}),
        "long points": Control("bound", _LONG, drops="bounded"),
        "the origin alone": Control("bound", _ORIGIN, law="surely"),
        "a seventh": Control("rank k", _HALVES, {"<= M": "<= 0.15 * M"}),
    },
)

# --- The best rank --------------------------------------------------------------------


class BestRank(Criterion):
    """The columns of one matrix and labels, beside its best approximation."""


@BestRank.quantity(
    "K_k",
    "best approximation of rank k",
    CHOSEN,
    condition=lambda i: _over_gap(i),
)
def best_approximation(i):
    values, vectors = i.eigen_K
    kept = values[: i.k]
    return (vectors[:, : i.k] * kept) @ vectors[:, : i.k].T


def _over_gap(i) -> float:
    """How far rounding turns the leading eigenvectors; infinite at a tie."""
    values = np.append(i.eigen_K[0], 0.0)
    gap = values[i.k - 1] - values[i.k] if i.k < i.n else i.norm_K
    return i.norm_K / gap if gap > 0 else np.inf


def _ranks(rng):
    for n in (2, 3, 4, 5) * 8:
        values = np.sort(rng.integers(1, 30, n) * 1.0 + np.arange(n) / 8)[::-1]
        l = int(rng.integers(1, n + 1))  # noqa: E741 - the field's letter
        S = rng.choice(n, l, replace=False)
        y = rng.integers(-2, 3, (n, 1)) * (rng.random((n, 1)) < 0.7)
        known = {"mu": 2.0 ** rng.integers(-4, 3), "y": y}
        k = int(rng.integers(1, l + 1))
        yield BestRank(np.diag(values), S, k, name="diagonal", **known)


def _two(landmark, y) -> BestRank:
    """The matrix diag(2, 1)."""
    given = {"mu": "1/10", "y": column(y)}
    return BestRank.exactly([landmark], 1, matrix=diagonal([2, 1]), **given)


_SECOND, _BOTH, _FIRST = _two(1, (0, 1)), _two(1, (1, 1)), _two(0, (0, 1))
_BLIND = "norm_2(best_approximation @ y) == 0"
_SEEN = "norm_2(E @ inv(K + n * mu * identity(n)) @ y) == 0"

OPTIMAL = Theorem(
    id="ding2019:optimal-rank-k",
    kind="inequality",
    status="remark",
    title="The best rank need not be best for the criterion",
    number="this book",
    setting=(
        r"Let $K$ be positive semidefinite, $K_k$ its best approximation of rank $k$, "
        r"$\tilde K = C W_k^+ C^\top$ the rank-$k$ Nyström approximation from $l$ "
        f"columns, and {SAID}."
    ),
    hypotheses={"rank": Hypothesis("1 <= k <= l", domain=True)},
    claims={
        "at least": Claim(
            "C_B >= C_K", says="The best approximation of rank $k$ does not make the "
                "criterion smaller,"
        ),
        "at most": Claim(
            "C_B - C_K <= tail_2 / (tail_2 + n * mu) * C_B",
            says="and makes it larger by at most",
        ),
        "blind": Claim(
            "C_B == norm_2(y)**2 / n",
            when=_BLIND,
            says="The best approximation of rank $k$ sees nothing of labels "
            "orthogonal to the leading eigenvectors:",
            reason="diagonal matrices of few entries",
        ),
        "seen": Claim(
            "C_T == C_K",
            when=f"{_SEEN} and l == k",
            says="A Nyström approximation that misses nothing of the solution keeps "
            "the criterion:",
            reason="diagonal matrices of few entries",
        ),
    },
    where={
        "C_K": C_K,
        "C_B": Where(r"\mathcal C(K_k)", value_of("best_approximation"), False),
        "C_T": C_APPROXIMATION,
    },
    world=BestRank,
    cases=_ranks,
    controls={
        "the best is the best": Control(
            "at least", _SECOND, {"C_B >= C_K": "C_T >= C_B"}
        ),
        "nine tenths": Control("at most", _SECOND, {"<= t": "<= 0.9 * t"}),
        "both labels": Control("blind", _BOTH, lacks=_BLIND),
        "the other column": Control("seen", _FIRST, lacks=_SEEN),
    },
)
