"""Part II: pivots proposed in blocks, some of them rejected.

Epperly, Tropp and Webber 2024.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import sympy as sp

from nystheory.theorems.adaptive_sampling.pivoting import NOT_ZERO
from nystheory.theorems.adaptive_sampling.pivots import (
    diagonals,
    residuals,
)
from nystheory.theorems.base import Claim, Control, Theorem
from nystheory.theorems.derivation import Step
from nystheory.theorems.instance import Instance
from nystheory.theorems.routes import RANK_IN_RANGE, one
from nystheory.theorems.subsets import fractions_of


def _ratio(now, before):
    """Accept a proposal with the share of its diagonal entry that is left."""
    return now / before


def ordered_law(table, l, b, accept) -> dict:  # noqa: E741
    """Probability of every sequence of l accepted pivots, in their order.

    Parameters
    ----------
    table : sequence of sequences
        What is left of the diagonal after every set of pivots, by its bits; floats
        or exact fractions.
    l, b : int
        Pivots wanted, and proposals in a block.
    accept : callable (now, before) -> number
        Chance of a proposal from its entry now and at the start of the block.

    Returns
    -------
    dict of tuple to number
        Shorter sequences where nothing is left before there are l pivots.

    Examples
    --------
    >>> table = [[3.0, 1.0], [0.0, 1.0], [3.0, 0.0], [0.0, 0.0]]
    >>> ordered_law(table, 1, 2, _ratio)
    {(0,): 0.75, (1,): 0.25}
    """
    finished, running = {}, {((), 0, 0): table[0][0] * 0 + 1}
    while running:
        after = {}
        for (pivots, start, used), mass in running.items():
            now, before = table[_bits(pivots)], table[start]
            if len(pivots) == l or not any(now):
                _add(finished, pivots, mass)
            elif used == b:
                _add(after, (pivots, _bits(pivots), 0), mass)
            else:
                _propose(after, (pivots, start, used), mass, now, before, accept)
        running = after
    return finished


def _propose(after, state, mass, now, before, accept):
    """One proposal from the diagonal at the start of the block, taken or not."""
    pivots, start, used = state
    total, rejected = sum(before), 0
    for i, entry in enumerate(before):
        if entry:
            proposed, chance = mass * entry / total, accept(now[i], entry)
            if chance:
                _add(after, ((*pivots, i), start, used + 1), proposed * chance)
            rejected += proposed * (1 - chance)
    if rejected:
        _add(after, (pivots, start, used + 1), rejected)


def simple_law(table, l, pivots=(), mass=1) -> dict:  # noqa: E741
    """The same for pivots drawn one by one from what is left of the diagonal.

    Examples
    --------
    >>> table = [[3.0, 1.0], [0.0, 1.0], [3.0, 0.0], [0.0, 0.0]]
    >>> simple_law(table, 2)
    {(0, 1): 0.75, (1, 0): 0.25}
    """
    now = table[_bits(pivots)]
    if len(pivots) == l or not any(now):
        return {pivots: mass}
    law = {}
    for i, entry in enumerate(now):
        if entry:
            law |= simple_law(table, l, (*pivots, i), mass * entry / sum(now))
    return law


def _bits(pivots) -> int:
    return sum(1 << i for i in pivots)


def _add(law, key, mass):
    law[key] = law.get(key, 0) + mass


def _table(i: Instance) -> list:
    return diagonals(i.K, residuals(i.K)).tolist()


def _by_order(law: dict, i: Instance) -> np.ndarray:
    """A law as an array over all sequences of up to l indices, in one fixed order."""
    lengths = range(i.l + 1)
    keys = (key for m in lengths for key in product(range(i.n), repeat=m))
    return np.array([float(law.get(key, 0)) for key in keys])


def _law_with(accept, proposals=lambda i: i.k):
    """The law with blocks of so many proposals, k of them if nothing is said."""

    def observe(i, _):
        return _by_order(ordered_law(_table(i), i.l, proposals(i), accept), i)

    return observe


def _law_of_simple(i: Instance, _) -> np.ndarray:
    return _by_order(simple_law(_table(i), i.l), i)


def _same_law_exactly(i: Instance) -> bool:
    K = fractions_of(i.K)
    table = [_left_exactly(K, S) for S in range(1 << i.n)]
    return ordered_law(table, i.l, i.k, _ratio) == simple_law(table, i.l)


def _left_exactly(K, S) -> list:
    for p in range(len(K)):
        if S >> p & 1 and K[p, p]:
            K = K - np.outer(K[:, p], K[p]) / K[p, p]
    return np.diag(K).tolist()


def _next_law(i: Instance, _) -> np.ndarray:
    """The law of the next pivot in every state of a block, one row for each.

    A state is the set at the start of the block, the set that was accepted since,
    and the number of proposals that are left.
    """
    table = diagonals(i.K, residuals(i.K))
    return np.array([_next(table, *state, i.k) for state in _states(table, i.k)])


def _next(table, start, now, remaining, b):
    law, running = np.zeros(table.shape[1]), 1.0
    while True:
        if remaining == 0:
            start, remaining = now, b
        proposed = table[start] / table[start].sum()
        safe = np.where(table[start] > 0, table[start], 1)
        taken = proposed * (table[now] / safe)
        law += running * taken
        if start == now:
            return law
        running, remaining = running * (1 - taken.sum()), remaining - 1


def _states(table, b):
    sets = [S for S in range(len(table)) if table[S].any()]
    for now in sets:
        for start in sets:
            if start & now == start:
                yield from ((start, now, remaining) for remaining in range(b))


def _next_of_simple(i: Instance, _) -> np.ndarray:
    table = diagonals(i.K, residuals(i.K))
    states = _states(table, i.k)
    return np.array([table[now] / table[now].sum() for _, now, _ in states])


def _small(i: Instance) -> bool:
    return i.n <= 5 and math.perm(i.n, min(i.l, i.n)) <= 60 and i.l <= i.n


def _derive_next():
    """The next pivot from a state with m proposals left, then a new block."""
    d, D, U = sp.symbols("d D U", positive=True)
    m = sp.Symbol("m", positive=True, integer=True)
    q = sp.Symbol("q", positive=True)
    first = (1 - q**m) / (1 - q) * d / U + q**m * d / D
    return (
        Step(
            first,
            r"accepted at one of $m$ proposals, each with chance $d/U$ after "
            r"rejections of chance $q$, or as the first of a new block, chance $d/D$",
        ),
        Step(
            (1 - q**m) * d / D + q**m * d / D,
            r"$1 - q = D/U$: a proposal is accepted with the share that is left",
            {q: 1 - D / U},
        ),
        Step(d / D, "the number of proposals that are left drops out"),
    )


def _proposal_cases(rng):
    """Small matrices with every number of pivots and of proposals."""
    for n in (2, 3, 4):
        for l, b in product(range(1, min(n, 3) + 1), range(1, 4)):  # noqa: E741
            X = rng.standard_normal((n, n)) * 10.0 ** rng.uniform(-1, 1, n)
            case = Instance.from_points(X, np.arange(l), 1, "general")
            yield case.but(rank=min(b, l))


_PAIR = np.array([[2.0, 1, 0], [1, 2, 0], [0, 0, 1]])

ACCELERATED = Theorem(
    id="modern:accelerated-rpcholesky-law",
    part="II",
    kind="identity",
    status="holds",
    title="Rejection keeps the law",
    number="Epperly, Tropp and Webber 2024",
    statement=(
        r"Let $K \ne 0$ be positive semidefinite and $b \ge 1$. At the start of a "
        r"block let $u$ be the diagonal of what the pivots have left of $K$, and "
        r"propose $b$ indices independently with $P(i) = u_i / \sum_j u_j$. Go through "
        r"them in order: accept a proposal $i$ as the next pivot with chance "
        r"$d_i / u_i$, where $d$ is the diagonal that is left now, and update $d$ "
        "after every pivot. After $b$ proposals a new block starts. Then the accepted "
        "pivots, in their order, have the same law as those of simple randomly "
        "pivoted Cholesky. In every state, however many proposals are left in the "
        r"block, the next pivot is $i$ with probability $d_i / \sum_j d_j$."
    ),
    hypotheses=(RANK_IN_RANGE, NOT_ZERO),
    claims=(
        Claim(
            "every sequence of $l$ pivots has the probability it has in the simple "
            "scheme, with blocks of $b = k$ proposals",
            observe=_law_with(_ratio),
            expected=_law_of_simple,
            applies=_small,
            scale=one,
            exact=_same_law_exactly,
        ),
        Claim(
            "so has the next pivot in every state of a block",
            observe=_next_law,
            expected=_next_of_simple,
            applies=lambda i: i.n <= 4,
            scale=one,
        ),
        Claim(
            "every sequence also with more proposals than pivots, $b = l + 2$",
            observe=_law_with(_ratio, lambda i: i.l + 2),
            expected=_law_of_simple,
            applies=_small,
            scale=one,
        ),
    ),
    instances=_proposal_cases,
    derivation=_derive_next,
    controls=(
        Control(
            Claim(
                "the same without rejection, as in block randomly pivoted Cholesky",
                observe=_law_with(lambda now, before: 1 if now else 0),
                expected=_law_of_simple,
                scale=one,
                applies=_small,
            ),
            Instance(_PAIR, [0, 1], 2),
        ),
        Control(
            Claim(
                r"the same with the chance $(d_i / u_i)^2$",
                observe=_law_with(lambda now, before: (now / before) ** 2),
                expected=_law_of_simple,
                scale=one,
                applies=_small,
            ),
            Instance(_PAIR, [0, 1], 2),
        ),
        Control(
            Claim(
                r"the same with the chance $\sqrt{d_i / u_i}$",
                observe=_law_with(lambda now, before: math.sqrt(now / before)),
                expected=_law_of_simple,
                scale=one,
                applies=_small,
            ),
            Instance(_PAIR, [0, 1], 2),
        ),
    ),
)
