"""How far the operator of the landmarks is from that of all points, and what follows.

Yang et al. 2012, Theorem 5, after Smale and Zhou 2009; and an error without a gap.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from nystheory.engine import Claim, Control, Instance, Theorem
from nystheory.engine.language.claims import SUMS
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.quantities import quantity


def halved(i):
    """Points no longer than 1: halved as often as it takes, so that nothing is rounded.

    >>> halved(Instance(np.diag([5.0, 1.0]), [0], 1)).K.tolist()
    [[0.3125, 0.0], [0.0, 0.0625]]
    """
    size = i.diagonal.max()
    if size <= 1:
        return i
    factor = 2.0 ** -np.ceil(np.log2(size) / 2)
    return i.but(K=i.K * factor**2) if i.X is None else i.but(X=i.X * factor)


class Operators(Instance):
    """The columns of one matrix, drawn, and a chance of failure."""

    @classmethod
    def drawn(cls, instance, rng):
        """Points no longer than 1, and a chance from rare to nearly certain."""
        chance = rng.choice([1e-3, 0.01, 0.1, 0.5, 0.99, 1.0])
        return halved(instance).but(delta=chance)

    @classmethod
    def on_axes(cls, sizes, draws, lengths=None, **given):
        """So many draws of groups of equal points, each group on an axis of its own.

        A little shorter than 1, so that rounding does not decide whether they are.

        >>> Operators.on_axes((1, 2), 5, [1, 2]).K.tolist()
        [[1.0, 0.0, 0.0], [0.0, 4.0, 4.0], [0.0, 4.0, 4.0]]
        """
        lengths = lengths or ["1023/1024"] * len(sizes)
        rows = [
            [x if g == h else 0 for h, size in enumerate(sizes) for _ in range(size)]
            for g, x in enumerate(lengths)
        ]
        given = {"delta": 1} | given
        return cls.exactly([0] * draws, 1, rows, groups=sizes, **given)


# --- Theorem 5 ------------------------------------------------------------------------


def _cases(rng):
    """Few groups of points, and as many draws as can be listed."""
    for sizes, draws in product(((1, 1), (9, 1)), (1, 20)):
        for delta in ("1/1000000", "1/100", 1):
            yield Operators.on_axes(sizes, draws, delta=delta)
    for delta in ("1/1000000", "1/100"):
        yield Operators.on_axes((1, 1), 300, delta=delta)
    for sizes, draws in product(((1, 1, 1), (4, 2, 1)), (3, 12)):
        lengths = ["1023/1024", "1/2", "1023/1024"]
        for delta in ("1/100", "1/2"):
            yield Operators.on_axes(sizes, draws, lengths, delta=delta)
    for sizes in ((30, 30), (50, 10)):
        for draws, delta in product((5, 20), ("1/1000", "1/2")):
            yield Operators.on_axes(sizes, draws, delta=delta)


_TWO, _MANY = (Operators.on_axes((1, 1), x, delta="1/100") for x in (100, 300))
_SIXTY = Operators.on_axes((30, 30), 20, delta="1/2")
_LONG = Operators.on_axes((1, 1), 20, [10, 10], delta="1/100")
_REPEATED = Operators.on_axes((1, 1), 50, delta="1/2")
_BY_SIZE = "2 * log(2 * n**3) / l + sqrt(2 * log(2 * n**3) / l)"
_BY_CHANCE = "2 * log(2 / delta) / l + sqrt(2 * log(2 / delta) / l)"
_SHARPER = (
    "2 * sqrt(2) / 3 * K_max * log(2 / delta) / l"
    " + sqrt(2 * spread * log(2 / delta) / (n * l))"
)
_SHORT = "K_max <= 1"
_HALF_OF_ROOT = {"sqrt(2 * spread": "sqrt(0.5 * spread"}

CONCENTRATION = Theorem(
    id="yang2012:thm-5",
    kind="probability",
    status="holds",
    title="Concentration of the sampled operator",
    number="Yang et al. 2012, Theorem 5",
    setting=(
        r"Let $K = X^\top X$ be of size $n$, let $X_S$ be $l$ of the columns of $X$, "
        r"drawn uniformly with replacement, $Z = \sqrt{n/l}\, X_S$, so that $\frac1n "
        r"\|X X^\top - Z Z^\top\|_F$ is the distance between $L_n = \frac1n X X^\top$ "
        r"and $L_l = \frac1l X_S X_S^\top$, and let $V = \sum_i K_{ii}^2 - \frac1n "
        r"\|K\|_F^2$."
    ),
    claims={
        "as printed": Claim(
            f"chance(distance_F / n > {_BY_SIZE}) <= 1 / n**3",
            when=_SHORT,
            law="replaced_counts",
            says="As printed,",
        ),
        "any chance": Claim(
            f"chance(distance_F / n > {_BY_CHANCE}) <= delta",
            when=_SHORT,
            law="replaced_counts",
            says=r"For any probability $\delta$ of failure,",
        ),
        "sharper": Claim(
            f"chance(distance_F / n > {_SHARPER}) <= delta",
            law="replaced_counts",
            says="With replacement, whatever the scale of $K$, and by the variance,",
        ),
        "without replacement": Claim(
            f"chance(distance_F / n > {_SHARPER}) <= delta",
            when="l <= n",
            law="uniform",
            says="For distinct columns, drawn uniformly without replacement instead,",
        ),
    },
    world=Operators,
    cases=_cases,
    loose={"as printed": SUMS},
    controls={
        "without the root": Control(
            "as printed", _TWO, {" + sqrt(2 * log(2 * n**3) / l)": ""}
        ),
        "points ten times as long": Control("as printed", _LONG, lacks=_SHORT),
        "a tenth under the root": Control(
            "any chance", _MANY, {"sqrt(2 *": "sqrt(0.2 *"}
        ),
        "one column repeated": Control("any chance", _REPEATED, law="one_repeated"),
        "a quarter under the root": Control("sharper", _TWO, _HALF_OF_ROOT),
        "one group only": Control("without replacement", _SIXTY, law="surely"),
    },
)

# --- Without a gap --------------------------------------------------------------------


@quantity(
    r"\lambda_{\max}(XX^\top - ZZ^\top)",
    "by how much the landmarks see too little of a direction",
    SAMPLE,
)
def seen_too_little(i):
    return i.distance[-1]


@quantity(
    r"\lambda_{\max}(ZZ^\top - XX^\top)",
    "by how much the landmarks see too much of a direction",
    SAMPLE,
)
def seen_too_much(i):
    return -i.distance[0]


# Two clusters whose order the sample turns round, and an orthogonal pair.
_TURNED = Instance.exactly([0, 2], 1, points=[[1, 1, 0], [0, 0, "1.000001"]])
_PAIR = Instance.exactly([0], 1, points=[[1, 0], [0, 1]])
# Landmarks that span all there is, and see too much of it.
_LINE = Instance.exactly([2], 1, points=[[1, 2, 3]])
_BOTH = "max(0, seen_too_little) + max(0, seen_too_much)"


def _turned(rng):
    yield from (_TURNED, _PAIR, _LINE)
    for size in (3, 8, 20):
        points = [[1] * size + [0], [0] * size + ["1.0001"]]
        yield Instance.exactly([0, size], 1, points=points, name="order turned round")


GAP_FREE = Theorem(
    id="yang2012:gap-free",
    kind="inequality",
    status="new",
    title="The error without an eigengap",
    number="new, beside Theorem 4 of Yang et al. 2012",
    setting=(
        r"Let $K = X^\top X$ be of size $n$ with largest diagonal entry $K_{\max}$, "
        r"let $X_S$ be any $l$ of the columns of $X$, repetitions allowed, $Z = "
        r"\sqrt{n/l}\, X_S$, $E = K - C W^+ C^\top$ the error of the whole core and "
        r"$\tilde K$ the approximation of rank $k$."
    ),
    claims={
        "whole core": "norm_E <= max(0, seen_too_little)",
        "cut": Claim(
            f"error_2 <= tail_2 + {_BOTH}",
            says="Truncated to rank $k$, with the extreme eigenvalues of either sign,",
        ),
        "Frobenius": Claim(
            f"{_BOTH} <= sqrt(2) * distance_F", says="Both ends together obey"
        ),
        "mean": Claim(
            "mean(norm_E) <= n / sqrt(l) * K_max",
            law="replaced_counts",
            says="For columns drawn uniformly with replacement,",
        ),
    },
    cases=_turned,
    promises={
        "mean": "'mean' of talwalkar2010:eq-5.7, for columns drawn with replacement"
    },
    controls={
        "without the positive part": Control(
            "whole core", _LINE, {"max(0, seen_too_little)": "seen_too_little"}
        ),
        "one percent less": Control("whole core", _PAIR, {"<=": "<= 0.99 *"}),
        "one end only": Control("cut", _TURNED, {" + max(0, seen_too_much)": ""}),
        "the other end only": Control(
            "cut", _TURNED, {"max(0, seen_too_little) + ": ""}
        ),
        "1.4 for the root": Control("Frobenius", _TURNED, {"sqrt(2)": "1.4"}),
        "less than a half": Control("mean", _PAIR, {"<= n": "<= 0.49 * n"}),
    },
)
