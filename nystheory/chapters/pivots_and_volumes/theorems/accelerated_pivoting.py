"""Part II: pivots proposed in blocks, some of them rejected.

Epperly, Tropp and Webber 2024.
"""

from __future__ import annotations

import math
from collections import defaultdict
from functools import lru_cache, partial
from itertools import permutations

import numpy as np

from nystheory.chapters.pivots_and_volumes.theorems.pivoting import NOT_ZERO
from nystheory.engine import Control, Instance, Theorem
from nystheory.engine.language.claims import IN_RANGE
from nystheory.engine.worlds.listed import small
from nystheory.engine.worlds.matrices import EPS
from nystheory.engine.worlds.worlds import Given

# Laws are followed up to this size, and so many sequences of pivots.
LARGEST, SEQUENCES = 4, 70


class Proposals(Instance):
    """The columns of one matrix, and how many pivots a block proposes."""

    proposals = Given(
        "b",
        "number of proposals in a block",
        range="1 <= floor(proposals) == proposals",
        says=r"$b \ge 1$ be an integer",
    )

    @classmethod
    def drawn(cls, instance, rng):
        """Fewer proposals than pivots, or a few more."""
        return instance.but(proposals=int(rng.integers(1, instance.l + 3)))


@lru_cache(maxsize=64)
def _diagonals(i) -> dict:
    """What is left of the diagonal after every set of pivots."""
    left, floor = {frozenset(): i.K}, 64 * i.n * EPS * np.diag(i.K)
    for j in range(i.n):
        for S, E in list(left.items()):
            column = E[:, j]
            known = column[j] > floor[j]
            rest = E - np.outer(column, column) / column[j] if known else E.copy()
            rest[j] = rest[:, j] = 0
            left[S | {j}] = rest
    return {S: np.where(np.diag(E) > floor, np.diag(E), 0) for S, E in left.items()}


def _is_small(i) -> bool:
    return i.n <= LARGEST and math.perm(i.n, min(i.l, i.n)) <= SEQUENCES


def _of_rest(i) -> float:
    """What elimination amplifies: the diagonal over the least of it that is left."""
    if not _is_small(i):
        return 1.0
    left = (d[d > 0] / np.diag(i.K)[d > 0] for d in _diagonals(i).values())
    return 1 / min(share.min(initial=1.0) for share in left)


of_pivots = partial(Proposals.quantity, unit=0, condition=_of_rest)

# --- The law of the pivots in their order ---------------------------------------------


def _of_proposals(i, accept) -> dict:
    """Probability of every sequence of pivots, followed through all proposals.

    ``accept(now, before)`` is the chance of a proposal, from its entry of the diagonal
    now and at the start of the block.
    """
    table, b = _diagonals(i), int(i.proposals)
    finished, running = defaultdict(float), {((), 0, 0): 1.0}
    while running:
        after = defaultdict(float)
        for (pivots, start, used), mass in running.items():
            now, before = table[frozenset(pivots)], table[frozenset(pivots[:start])]
            if len(pivots) == i.l or not now.any():
                finished[pivots] += mass
            elif used == b:
                after[pivots, len(pivots), 0] += mass
            else:
                for j in np.flatnonzero(before):
                    chance = mass * before[j] / before.sum()
                    taken = accept(now[j], before[j])
                    after[(*pivots, int(j)), start, used + 1] += chance * taken
                    after[pivots, start, used + 1] += chance * (1 - taken)
        running = {state: mass for state, mass in after.items() if mass > 0}
    return finished


def _one_by_one(i) -> dict:
    """The same for pivots drawn one by one from what is left of the diagonal."""
    table, law = _diagonals(i), {(): 1.0}
    for _ in range(i.l):
        after = defaultdict(float)
        for pivots, mass in law.items():
            now = table[frozenset(pivots)]
            if not now.any():
                after[pivots] += mass
            for j in np.flatnonzero(now):
                after[(*pivots, int(j))] += mass * now[j] / now.sum()
        law = after
    return law


def _in_order(i, follow, *rule) -> np.ndarray | None:
    """A law as an array over all sequences of up to l indices."""
    if not _is_small(i):
        return None
    law, lengths = follow(i, *rule), range(min(i.l, i.n) + 1)
    keys = (key for m in lengths for key in permutations(range(i.n), m))
    return np.array([law.get(key, 0.0) for key in keys])


@of_pivots(r"P_{\mathrm{simple}}", "law of the simple scheme")
def simple_law(i):
    return _in_order(i, _one_by_one)


# --- The law of the next pivot --------------------------------------------------------


def _in_states(i, shares) -> np.ndarray | None:
    """Shares in every state: diagonals of the block and now, and what is left of b."""
    if not _is_small(i):
        return None
    table, b = _diagonals(i), int(i.proposals)
    found = [
        shares(table[start], table[now], left)
        for now in table
        if table[now].any()
        for start in table
        if start <= now and table[start].any()
        for left in range(b + 1)
    ]
    return np.ravel(found)


def _next(before, now, left, b, accept) -> np.ndarray:
    """Proposal by proposal, into the next block if all are rejected."""
    law, running = np.zeros(len(now)), 1.0
    while running > 1e-18:
        if left == 0:
            before, left = now, b
        chances = [accept(x, y) if y else 0.0 for x, y in zip(now, before, strict=True)]
        taken = before / before.sum() * np.array(chances)
        law += running * taken
        running, left = running * (1 - taken.sum()), left - 1
    return law


@of_pivots(r"d / \textstyle\sum_j d_j", "shares of the diagonal in every state")
def next_simple(i):
    return _in_states(i, lambda before, now, left: now / now.sum())


def _enter(name, latex, says, accept):
    """Both laws with a rule of acceptance."""

    of_next = f"law of the next pivot, {says}"

    @of_pivots(f"P_{latex}", f"law of accepted pivots, {says}", name=name)
    def law(i):
        return _in_order(i, _of_proposals, accept)

    @of_pivots(f"p_{latex}", of_next, name=f"{name}_next")
    def next_law(i):
        b = int(i.proposals)
        return _in_states(i, lambda *state: _next(*state, b, accept))


for _name, _latex, _says, _accept in (
    ("ratio", "{d/u}", "accepted with chance $d/u$", lambda d, u: d / u),
    ("all", "1", "all accepted", lambda d, u: float(d > 0)),
    ("square", "{(d/u)^2}", "with chance $(d/u)^2$", lambda d, u: (d / u) ** 2),
    (
        "root",
        r"{\sqrt{d/u}}",
        r"with chance $\sqrt{d/u}$",
        lambda d, u: math.sqrt(d / u),
    ),
):
    _enter(f"accepted_{_name}", _latex, _says, _accept)


def _cases(rng):
    """Two of each kind, each with some number of proposals."""
    return [i for i in (*small(rng), *small(rng)) if i.n <= LARGEST]


_PAIR = Proposals.exactly(
    [0, 1], 2, matrix=[[2, 1, 0], [1, 2, 0], [0, 0, 1]], proposals=2
)

_in_order_false = partial(Control, "in their order", _PAIR)

ACCELERATED = Theorem(
    id="modern:accelerated-rpcholesky-law",
    kind="identity",
    status="holds",
    title="Rejection keeps the law",
    number="Epperly, Tropp and Webber 2024",
    setting=(
        "Let $K$ be positive semidefinite. At the start of a block let $u$ be the "
        "diagonal of what the pivots have left of $K$, and propose $b$ indices "
        r"independently with $P(i) = u_i / \sum_j u_j$. Go through them in order: "
        "accept a proposal $i$ as the next pivot with probability $d_i / u_i$, where "
        "$d$ is the diagonal that is left now, and update $d$ after every pivot. "
        "After $b$ proposals a new block starts. Let $P_{d/u}$ be the law of the "
        r"first $l$ accepted pivots, in their order, and $P_{\mathrm{simple}}$ that "
        "of simple randomly pivoted Cholesky; let $p_{d/u}$ be the law of the next "
        "pivot, in every state and however many proposals are left in the block."
    ),
    hypotheses={"proposals": IN_RANGE, "not zero": NOT_ZERO},
    claims={
        "in their order": "accepted_ratio == simple_law",
        "next pivot": "accepted_ratio_next == next_simple",
    },
    world=Proposals,
    cases=_cases,
    suite=False,
    controls={
        "all accepted": _in_order_false({"accepted_ratio": "accepted_all"}),
        "the square": _in_order_false({"accepted_ratio": "accepted_square"}),
        "the root": _in_order_false({"accepted_ratio": "accepted_root"}),
        "next, all accepted": Control(
            "next pivot", _PAIR, {"accepted_ratio_next": "accepted_all_next"}
        ),
    },
)
