"""How far an approximation moves the criterion, and what consistency then says.

Ding et al. 2019, display (6) and Definition 1.
"""

from __future__ import annotations

import numpy as np

from nystheory.chapters.choosing_the_kernel.theorems.worlds import (
    C_APPROXIMATION,
    C_K,
    LARGEST,
    SAID,
    TwoCriteria,
    column,
    value_of,
)
from nystheory.engine import Claim, Control, Hypothesis, Theorem, Where
from nystheory.engine.worlds.matrices import diagonal
from nystheory.engine.worlds.worlds import Given

C_OTHER = Where(r"\mathcal C(K')", value_of("other"), False)
OTHER_SEMIDEFINITE = Hypothesis("below(0, other)", "$K'$ be positive semidefinite")
ZERO_2 = [[0, 0], [0, 0]]


def _criteria(rng):
    """Where a bound is attained: multiples of a projector and nothing, and near it."""
    for n in (1, 2, 3, 5):
        y = np.arange(1.0, n + 1)[:, None]
        for power in range(-6, 7, 2):
            known = {"y": y, "mu": 2.0**power, "other": np.zeros((n, n))}
            yield TwoCriteria(y @ y.T, [0], 1, name="one direction", **known)
            yield TwoCriteria(1e-6 * y @ y.T, [0], 1, name="small", **known)
        known = {"y": y, "mu": 1.0, "other": 3 * np.eye(n)}
        yield TwoCriteria(np.eye(n), [0], 1, name="multiples", **known)


def _two(matrix, other=ZERO_2, y=(1, 1), mu="1/2", **given) -> TwoCriteria:
    rest = {"other": other, "y": column(y), "mu": mu} | given
    return TwoCriteria.exactly([0], 1, matrix=matrix, **rest)


_ONES = _two([[1, 1], [1, 1]])
_SMALL = _two([["1/100", "1/100"], ["1/100", "1/100"]])
_ACROSS = _two(diagonal([1, 0]))
_NEGATIVE = _two(ZERO_2, diagonal(["-1/2", "-1/2"]))
_DIRECTION = "norm_2(other) == 0 and norm_2(K @ y - norm_K * y) == 0"
_PARTS = "(change_2 / (change_2 + n * mu))"

CHAIN = Theorem(
    id="ding2019:chain",
    kind="inequality",
    status="holds",
    title="The error of the criterion",
    number="display (6), and this book",
    setting=(
        r"Let $K$ and $K'$ be positive semidefinite matrices of one size and "
        r"$\tilde K$ the rank-$k$ Nyström approximation of $K$, let $|y_i| \le M$ for "
        f"the labels, and {SAID}."
    ),
    hypotheses={"semidefinite": OTHER_SEMIDEFINITE},
    claims={
        "chain": Claim(
            "abs(C_K - C_O) <= norm_2(y)**2 * change_2 / (n**2 * mu)",
            says="For any two matrices the criteria differ at most by",
        ),
        "largest label": Claim(
            "norm_2(y)**2 * change_2 / (n**2 * mu) <= M**2 * change_2 / (n * mu)",
            says="which the largest label bounds:",
        ),
        "relative": Claim(
            f"abs(C_K - C_O) <= {_PARTS} * max(C_K, C_O)",
            says="This book: the criteria differ at most by a share of the larger one,",
        ),
        "sharper": Claim(
            f"{_PARTS} * max(C_K, C_O) <= norm_2(y)**2 * change_2 / (n**2 * mu)",
            says="which is never more:",
        ),
        "attained": Claim(
            f"C_O - C_K == {_PARTS} * C_O",
            when=_DIRECTION,
            says="It is attained, where $K'$ vanishes and $y$ is an eigenvector for "
            "the largest eigenvalue of $K$,",
        ),
        "above": Claim(
            "C_T >= C_K", says="A Nyström approximation never makes the criterion "
                "smaller:"
        ),
        "Nyström": Claim(
            "C_T - C_K <= error_2 / (error_2 + n * mu) * C_T",
            says="and makes it larger by at most",
        ),
    },
    where={"C_K": C_K, "C_O": C_OTHER, "C_T": C_APPROXIMATION, "M": LARGEST},
    world=TwoCriteria,
    cases=_criteria,
    controls={
        "half": Control("chain", _SMALL, {"<= norm": "<= 0.5 * norm"}),
        "half of the label": Control("largest label", _ONES, {"<= M": "<= 0.5 * M"}),
        "nine tenths": Control("relative", _ONES, {"<= (c": "<= 0.9 * (c"}),
        "half of the mean square": Control(
            "sharper", _SMALL, {"<= norm": "<= 0.5 * norm"}
        ),
        "another direction": Control(
            "attained", _ACROSS, lacks="norm_2(K @ y - norm_K * y) == 0"
        ),
        "not nothing": Control(
            "attained",
            _two([[1, 1], [1, 1]], diagonal(["1/2", "1/2"])),
            lacks="norm_2(other) == 0",
        ),
        "not semidefinite": Control("relative", _NEGATIVE, drops="semidefinite"),
        "below": Control("above", _ACROSS.but(landmarks=[1]), {">=": "<="}),
        "nine tenths, Nyström": Control(
            "Nyström", _two(diagonal([0, 1]), y=(0, 1)), {"<= e": "<= 0.9 * e"}
        ),
    },
)

# --- Consistency ----------------------------------------------------------------------


class Orders(TwoCriteria):
    """Two kernel matrices with their criteria, and an order."""

    order = Given("p", "order of consistency", range="order > 0")

    @classmethod
    def drawn(cls, instance, rng):
        """An order between 1/8 and 4."""
        found = super().drawn(instance, rng)
        return found.but(order=2.0 ** rng.integers(-3, 3))


def _orders(rng):
    for n in range(1, 9):
        for mu in 2.0 ** np.arange(-6, 4):
            known = {"y": np.ones((n, 1)), "mu": mu, "order": 0.5}
            known["other"] = np.zeros((n, n))
            yield Orders(np.ones((n, n)), [0], 1, name="ones", **known)


def _ordered(matrix, **given) -> Orders:
    rest = {"other": ZERO_2, "y": column([1, 1]), "mu": "1/200", "order": "1/2"}
    return Orders.exactly([0], 1, matrix=matrix, **(rest | given))


_ALL_ALIKE = _ordered([[1, 1], [1, 1]])
_LARGE = _ordered([[100, 100], [100, 100]])
_OPPOSITE = _ordered(ZERO_2, mu="1/2", other=diagonal(["-3/4", "-3/4"]))
_IS_ONES = "min(K) == 1 and max(K) == 1 and min(y) == 1 and max(y) == 1"

DEFINITION = Theorem(
    id="ding2019:def-1",
    kind="definition",
    status="remark",
    title="What consistency says",
    number="Definition 1",
    setting=(
        "An approximation for each number $n$ of points has strong approximate "
        r"consistency, if $|\mathcal C(K) - \mathcal C(K')| \le \varepsilon(n)$ with "
        r"$\varepsilon(n) \to 0$, and has it of $p$-order, if $\varepsilon(n) / n^p "
        r"\to 0$. Let $K$ and $K'$ be positive semidefinite, $|y_i| \le M$, and "
        f"{SAID}."
    ),
    hypotheses={"semidefinite": OTHER_SEMIDEFINITE},
    claims={
        "bounded": Claim(
            "abs(C_K - C_O) <= M**2",
            says="Whatever the approximation, the criteria differ at most by",
        ),
        "order": Claim(
            "abs(C_K - C_O) / n**order <= M**2 / n**order",
            says="So $p$-order is of no account here: for every $p > 0$ each "
            "approximation has it, as the right side tends to zero:",
        ),
        "strong": Claim(
            "abs(C_K - C_O) == 1 / (1 + mu)",
            when=f"{_IS_ONES} and norm_2(other) == 0",
            says="Strong consistency says something: the approximation $0$ of the "
            "matrix of ones, with all labels $1$, does not have it, since for every "
            "$n$",
        ),
    },
    where={"C_K": C_K, "C_O": C_OTHER, "M": LARGEST},
    world=Orders,
    cases=_orders,
    controls={
        "not semidefinite": Control("bounded", _OPPOSITE, drops="semidefinite"),
        "nine tenths": Control("bounded", _LARGE, {"<= M": "<= 0.9 * M"}),
        "nine tenths for an order": Control("order", _LARGE, {"<= M": "<= 0.9 * M"}),
        "twice the parameter": Control(
            "strong",
            _ordered([[1, 1], [1, 1]], mu="1/2"),
            {"1 + mu": "1 + 2 * mu"},
        ),
        "half of the matrix": Control(
            "strong",
            _ordered([[1, "1/2"], ["1/2", 1]]),
            lacks="min(K) == 1",
        ),
        "not nothing": Control(
            "strong",
            _ordered([[1, 1], [1, 1]], other=diagonal([1, 1])),
            lacks="norm_2(other) == 0",
        ),
    },
)
