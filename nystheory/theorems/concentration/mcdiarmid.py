"""Concentration of symmetric functions of a sample without replacement: Theorem 5.1.

The constant alpha_sharp and the proof by exchanging two elements are in the book.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Hypothesis, Law, Theorem
from nystheory.theorems.concentration.covariance import (
    alpha_printed,
    alpha_sharp,
    covariance_error,
    formula,
)
from nystheory.theorems.concentration.violations import UNIFORM
from nystheory.theorems.derivation import Step
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import delta, l, measure, quantity
from nystheory.theorems.routes import one


def _carried(name: str, what: str):
    def value(i: Instance) -> float:
        if name not in i.extra:
            raise ValueError(f"{name}: expected {what} by name, got none")
        return float(i.extra[name])

    return value


epsilon = quantity("epsilon", r"\epsilon", "deviation from the mean", chosen=True)(
    _carried("epsilon", "a deviation from the mean")
)
c = quantity(
    "c", "c", "largest change of a function by one exchanged element", chosen=True
)(_carried("c", "the largest change by one element"))


def _tail(constant) -> sp.Expr:
    """``exp(-2 epsilon^2 / (constant c^2))``."""
    exponent = sp.Mul(
        -2, epsilon**2, sp.Pow(constant, -1), sp.Pow(c, -2), evaluate=False
    )
    return sp.exp(exponent, evaluate=False)


def _deviation(constant) -> sp.Expr:
    """The epsilon at which the tail is delta."""
    log = sp.log(sp.Pow(delta, -1, evaluate=False), evaluate=False)
    half = sp.Rational(1, 2)
    root = sp.Pow(sp.Mul(half, constant, log, evaluate=False), half, evaluate=False)
    return sp.Mul(c, root, evaluate=False)


_ALPHA_SHARP = formula(alpha_sharp)


# --- Counting ones: the hypergeometric law ----------------------------------------


def hypergeometric_tails(n: int, ones: int, drawn: int) -> dict[int, Fraction]:
    """``P[at least t ones among those drawn]`` for every t that can occur.

    Examples
    --------
    >>> hypergeometric_tails(2, 1, 1)
    {1: Fraction(1, 2), 0: Fraction(1, 1)}
    """
    low, high = max(0, drawn - (n - ones)), min(ones, drawn)
    total, tails = 0, {}
    for t in range(high, low - 1, -1):
        total += math.comb(ones, t) * math.comb(n - ones, drawn - t)
        tails[t] = Fraction(total, math.comb(n, drawn))
    return tails


def counting(n: int, ones: int, drawn: int) -> Instance:
    """The number of ones in a sample, at the deviation where the bound is tightest."""
    mean = ones * drawn / n
    constant = _ALPHA_SHARP(n=n, l=drawn)
    tails = hypergeometric_tails(n, ones, drawn)
    above = [t for t in tails if t > mean]
    worst = max(
        above,
        key=lambda t: math.log(tails[t]) + 2 * (t - mean) ** 2 / constant,
    )
    values = (np.arange(n) < ones).astype(float)
    return Instance.from_points(
        values[None, :],
        range(drawn),
        1,
        f"{ones} ones among {n}, {drawn} drawn",
        epsilon=worst - mean,
        c=1.0,
        tail=float(tails[worst]),
    )


def _tail_claim(constant, says: str) -> Claim:
    return Claim(
        says,
        observe=lambda i, _: i.extra["tail"],
        formula=formula(_tail(constant)),
        relation="<=",
        scale=one,
        applies=lambda i: "tail" in i.extra,
    )


# --- Any function, over all samples -----------------------------------------------


def population(
    X,
    drawn: int,
    function: Callable[[Instance], float],
    delta: float,
    name: str,
    samples: Callable = combinations,
) -> Instance:
    """A function of a sample, its mean and its largest change, by enumeration.

    Parameters
    ----------
    X : array (N, n)
        The elements of the population, as columns.
    drawn : int
        Elements in a sample.
    function : callable (Instance) -> float
        Of the instance with the sample as its landmarks.
    delta : float
        The failure probability of the claim.
    name : str
    samples : callable (range, int) -> iterable of tuples
        How the equally likely samples are listed: all sets, in order.
    """
    base = Instance.from_points(np.atleast_2d(X), range(drawn), 1, name)
    listed = list(samples(range(base.n), drawn))
    values = {S: function(base.but(landmarks=list(S))) for S in listed}
    mean = math.fsum(values.values()) / len(values)
    ordered = samples is not combinations
    change = max(
        abs(values[S] - values[T])
        for S in listed
        for T in _near(S, base.n, ordered, values)
    )
    return base.but(values=values, mean=mean, c=change, delta=delta)


def _near(S: tuple, n: int, ordered: bool, values) -> Iterable[tuple]:
    """The samples that differ from S in one element."""
    for place in range(len(S)):
        for new in range(n):
            T = (*S[:place], new, *S[place + 1 :])
            T = T if ordered else tuple(sorted(T))
            if T in values:
                yield T


def _outcomes(i: Instance):
    chance = 1 / len(i.extra["values"])
    return [(chance, i.but(value=value)) for value in i.extra["values"].values()]


def _draw(i: Instance, rng):
    values = list(i.extra["values"].values())
    return i.but(value=values[rng.integers(len(values))])


def _deviates(constant, says: str) -> Claim:
    return Claim(
        says,
        observe=lambda i, _: i.extra["value"] - i.extra["mean"],
        formula=formula(_deviation(constant)),
        relation="<=",
        scale=lambda i: i.extra["c"],
        applies=lambda i: "values" in i.extra,
        law=Law(_draw, _outcomes, lambda i: i.extra["delta"]),
    )


def _psi(i: Instance) -> float:
    return float(np.linalg.norm(covariance_error(i)))


def _count(i: Instance) -> float:
    return float(i.points[0, i.landmarks].sum())


def _first_two(i: Instance) -> float:
    return float(i.points[0, i.landmarks[:2]].sum())


def _largest(i: Instance) -> float:
    return float(i.points[0, i.landmarks].max())


def _median(i: Instance) -> float:
    return float(np.median(i.points[0, i.landmarks]))


def _all_or_none() -> Instance:
    """Three of six elements, the three ones or the three zeros."""
    case = population([1.0] * 3 + [0.0] * 3, 3, _count, 0.4, "all or none")
    values = {S: case.extra["values"][S] for S in ((0, 1, 2), (3, 4, 5))}
    return case.but(values=values, mean=1.5)


def _cases(rng):
    """Every count for n up to 16 and for n = 40, and some functions at all samples."""
    for size in (*range(2, 17), 40):
        for drawn in range(1, size):
            for ones in range(1, size):
                yield counting(size, ones, drawn)
    points = rng.standard_normal((2, 9))
    skew = rng.exponential(size=(1, 9)) ** 2
    clusters = np.repeat(np.eye(2), (7, 2), axis=1)
    for drawn in (1, 4, 7, 8):
        for name, X, function in (
            ("distance of the covariance", points, _psi),
            ("distance of the covariance, clusters", clusters, _psi),
            ("sum", skew, _count),
            ("largest", skew, _largest),
            ("median", skew, _median),
        ):
            case = population(X, drawn, function, 0.5, name)
            yield from (case.but(delta=delta) for delta in (0.5, 0.2, 0.05, 0.01))


def _compared(value, other, says: str) -> Claim:
    smaller = formula(value)
    names = smaller.names
    return Claim(
        says,
        observe=lambda i, _: smaller(**measure(names, i, {})),
        formula=formula(other),
        relation="<=",
        scale=one,
        # Once for each n and l.
        applies=lambda i: i.name.startswith("1 ones"),
    )


def _derive_sum():
    """Why the sums are at most what the source prints, for either branch."""
    j, u, drawn = sp.symbols("j u l", positive=True)
    half = sp.Rational(1, 2)
    telescope = u**2 * (1 / (u - half) - 1 / (u + drawn - half))
    printed = drawn * u / (drawn + u - half) / (1 - 1 / (2 * u))
    return (
        Step(
            sp.Matrix([1 / (j - half) - 1 / (j + half), telescope]),
            "terms that telescope, and their sum from $u$ to $l + u - 1$ times $u^2$",
        ),
        Step(
            sp.Matrix([1 / (j**2 - sp.Rational(1, 4)), printed]),
            "above $1 / j^2$; the sum is the printed constant where $u$ is the larger",
        ),
    )


MCDIARMID = Theorem(
    id="talwalkar2010:thm-5.1",
    part="III",
    kind="probability",
    status="holds",
    title="McDiarmid without replacement",
    number="Theorem 5.1",
    statement=(
        r"Let $S$ be $l$ of $n = l + u$ elements, drawn uniformly without replacement, "
        r"$l, u \ge 1$, and let $\phi$ be a symmetric function of the sample: it does "
        r"not depend on the order of its elements. Let $|\phi(S) - \phi(S')| \le c$ "
        r"whenever $S'$ has all but one of the elements of $S$. Then $\Pr[\phi - "
        r"\mathbb E\, \phi \ge \epsilon] \le \exp\bigl(-2 \epsilon^2 / (\alpha_\sharp "
        r"c^2)\bigr)$ for every $\epsilon > 0$, where $\alpha_\sharp = \min\bigl\{u^2 "
        r"\sum_{j=u}^{n-1} j^{-2},\; l^2 \sum_{j=l}^{n-1} j^{-2}\bigr\}$. Moreover "
        r"$\alpha_\sharp \le l$, and $\alpha_\sharp \le \alpha(l, u) = \frac{l u}"
        r"{l + u - 1/2}\, \frac{1}{1 - 1/(2 \max\{l, u\})}$, the printed constant."
    ),
    hypotheses=(
        Hypothesis(
            r"$1 \le l < n$",
            ("l", "n"),
            lambda l, n: 1 <= l < n,  # noqa: E741
            domain=True,
        ),
    ),
    claims=(
        _tail_claim(
            alpha_sharp, r"$\Pr[\phi - \mathbb E\, \phi \ge \epsilon]$, $\phi$ a count"
        ),
        _deviates(
            alpha_sharp,
            r"other $\phi$: $\phi - \mathbb E\, \phi \le c \sqrt{\alpha_\sharp "
            r"\log(1/\delta) / 2}$ but for probability $\delta$",
        ),
        _compared(
            alpha_sharp, alpha_printed, r"$\alpha_\sharp \le \alpha$, as printed"
        ),
        _compared(alpha_sharp, l, r"$\alpha_\sharp \le l$, as with replacement"),
    ),
    instances=_cases,
    own_suite=True,
    derivation=_derive_sum,
    controls=(
        Control(
            _tail_claim(
                sp.Mul(sp.Rational(1, 4), alpha_printed, evaluate=False),
                r"$\alpha / 4$ in place of $\alpha$; one of two elements",
            ),
            counting(2, 1, 1),
        ),
        # Theorem 5.3 of the source overlooks this hypothesis.
        Control(
            _deviates(alpha_sharp, "$\\phi$ may depend on the order of the sample"),
            population(
                [1.0, 1, 0, 0], 3, _first_two, 0.15, "first two of three", permutations
            ),
            drops=r"a symmetric $\phi$",
        ),
        Control(
            _deviates(alpha_sharp, "the same for elements drawn with replacement"),
            population(
                [1.0, 1, 0, 0],
                3,
                _count,
                0.1,
                "with replacement",
                lambda elements, drawn: product(elements, repeat=drawn),
            ),
            drops="different elements",
        ),
        Control(
            _deviates(alpha_sharp, "$c$ may be half the largest change"),
            population([1.0, 0], 1, _count, 0.4, "one of two").but(c=0.5),
            drops=r"$|\phi(S) - \phi(S')| \le c$",
        ),
        Control(
            _deviates(alpha_sharp, "all ones or none, with equal chance"),
            _all_or_none(),
            drops=UNIFORM,
        ),
        Control(
            _tail_claim(alpha_sharp, r"$\Pr[\phi - \mathbb E\, \phi \ge \epsilon]$"),
            counting(2, 1, 1).but(epsilon=-0.5, tail=1.0),
            drops=r"$\epsilon > 0$",
        ),
    ),
)
