"""A population on which fewer columns than prescribed fail.

This book's: orthogonal directions, one of them rare, and labels that need each.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import scipy.stats

from nystheory.engine import Claim, Control, Theorem, Where
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds import laws
from nystheory.engine.worlds.worlds import Draw, Given, Moments, World


class RareDirection(World):
    """Points on orthogonal axes, one of them rare, and some of them as landmarks."""

    r = Given(
        "r",
        "number of directions",
        range="2 <= floor(r) == r",
        says=r"$r \ge 2$ be an integer",
    )
    s = Given("s", "how often others come for once the rare one", range="s >= 1")
    m = Given(
        "m",
        "number of landmarks",
        range="1 <= floor(m) == m",
        says=r"$m \ge 1$ be an integer",
    )
    picked = Draw("m", "r", True, "S", "directions of the landmarks")
    a = Given("a", "coefficients of a function at the landmarks", axes=("m",))
    B = Given("B", "a basis of any subspace, as columns", axes=("r", "c"))
    labels = Moments("gaussian", 3, ("r",), "y", "labels, each of its own")

    @classmethod
    def drawn(cls, instance, rng):
        """A few directions and landmarks; coefficients near 1, where risks are low."""
        r, m = int(rng.integers(2, 4)), int(rng.integers(1, 5))
        return cls(
            r=r,
            m=m,
            s=float(rng.integers(1, 9)),
            picked=rng.integers(r, size=m),
            a=rng.integers(-1, 4, m).astype(float),
            B=rng.integers(-2, 3, (r, int(rng.integers(1, 3)))).astype(float),
            alpha=2.0 ** rng.integers(-6, 3),
            delta=2.0 ** rng.integers(-8, 1),
        )


@RareDirection.quantity("q", "masses of the directions, the rare one first", CHOSEN)
def masses(i):
    weights = np.append(1.0, np.full(int(i.r) - 1, float(i.s)))
    return weights / weights.sum()


@RareDirection.quantity(
    "h", "how many landmarks are of the rare direction", SAMPLE, unit=None
)
def hits(i):
    return int((np.asarray(i.picked) == 0).sum())


def _values(i):
    """Of the function, in each direction."""
    places = np.asarray(i.picked).astype(int)
    return np.bincount(places, np.ravel(i.a), minlength=int(i.r))


@RareDirection.quantity(r"L_{\mathrm h}(f)", "mean hinge loss", SAMPLE)
def hinge(i):
    return masses(i) @ np.maximum(0.0, 1 - _values(i))


@RareDirection.quantity(r"L_{\mathrm{sq}}(f)", "mean squared loss", SAMPLE)
def square(i):
    return masses(i) @ (1 - _values(i)) ** 2


def _counted(chance):
    """Landmarks by how often the rare direction is drawn."""

    def outcomes(i):
        m = int(i.m)
        chances = scipy.stats.binom(m, chance(i)).pmf(np.arange(m + 1))
        return (
            (float(p), i.but(picked=[0] * count + [1] * (m - count)))
            for count, p in enumerate(chances)
        )

    return outcomes


def _share(i):
    """That of the rare direction of the leverage."""
    q = masses(i)
    leverage = q / (q + float(i.alpha))
    return leverage[0] / leverage.sum()


laws.enter("by_masses", "uniform data as landmarks", _counted(lambda i: masses(i)[0]))
laws.enter("by_leverage", "data by their leverage as landmarks", _counted(_share))


def _cases(rng):
    for _ in range(25):
        yield RareDirection.drawn(None, rng)
    for r, s, delta in product((2, 3), (1, 3, 8), (0.5, 0.1, 0.01)):
        # Just too few for the data as they are, and just enough for their leverage.
        eps, surprise = 1 / (1 + (r - 1) * s), math.log(1 / delta)
        few = max(1, math.ceil((1 / eps - 1) * surprise) - 1)
        for m in (few, math.ceil((2 * r - 1) * surprise)):
            for alpha in (eps, eps / 8):
                parts = {"picked": [1] * m, "a": np.ones(m), "B": np.ones((r, 1))}
                yield RareDirection(r=r, s=s, m=m, alpha=alpha, delta=delta, **parts)


def _example(r, picked, a, s=1, B=None, **given) -> RareDirection:
    rest = {"alpha": "1/8", "delta": "1/2", "m": len(picked)} | given
    axis = [[1]] + [[0]] * (r - 1) if B is None else B
    parts = {"r": r, "s": s, "picked": list(picked), "a": list(a), "B": axis}
    return RareDirection.exactly(**parts, **rest)


# One of two directions; two directions of which one is seen four times as often.
_ONE = _example(2, [1], [1])
_RARE = _example(2, [1], [1], s=4)
_TWICE = _example(2, [1, 1], ["1/2", "1/2"], s=4)
_FULL = _example(2, [0, 1], [1, 1], s=4)
_FOUR = _example(2, [1] * 4, [1, 0, 0, 0], s=4)
_AT_ONCE = _example(2, [1], [1], s=4, alpha="1/5")
_COARSE = _example(2, [1], [1], s=4, alpha=1)
_FLAT = "s == 1"
_SEEN = "hits == 0"
_FINE = "alpha <= eps"
_FEW = "(1 / eps - 1) * log(1 / delta)"
_MANY = "(2 * r - 1) * log(1 / delta)"

TOO_FEW_COLUMNS = Theorem(
    id="modern:too-few-columns",
    kind="inequality",
    status="new",
    title="Too few columns",
    number="this book",
    setting=(
        "Let the points of a population be the $r$ axes of a space with masses $q$, "
        r"the first of mass $\varepsilon = \frac{1}{1 + (r - 1) s}$, each other of "
        r"mass $s \varepsilon$, and let all labels be 1, so that $(1, \dots, 1)$ has "
        "no loss. Let $m$ landmarks be any of the points, repeated or not, $h$ of "
        r"them the first. Let $f$ be any function in their span, $L_{\mathrm h}(f)$ "
        r"and $L_{\mathrm{sq}}(f)$ its mean hinge and squared loss, and $d_\alpha$ "
        "the effective dimension of the population."
    ),
    claims={
        "hinge": Claim(
            "hinge >= 1 - m * s * eps",
            says="Whatever the landmarks and the function,",
        ),
        "square": "square >= 1 - m * s * eps",
        "dimension": Claim(
            "d == r / (1 + r * alpha)",
            when=_FLAT,
            says="All directions are alike",
        ),
        "columns": Claim(
            "m >= (1 - hinge) * (1 + r * alpha) * d",
            when=_FLAT,
            says="So a small loss requires as many columns as the effective dimension:",
        ),
        "any subspace": Claim(
            "mean(norm_2(labels - P @ labels)**2) == r - rank(B)",
            law="labels",
            says="Every subspace has a limit: for independent labels $y$ of mean 0 "
            "and variance 1, and the projector $P$ on the span of $B$,",
        ),
        "missed": Claim(
            "hinge >= eps",
            when=_SEEN,
            says="Missing the rare direction costs something",
        ),
        "uniform": Claim(
            "chance(hits == 0) == (1 - eps)**m",
            law="by_masses",
            says="Landmarks drawn as the data are miss it with probability",
        ),
        "leverage": Claim(
            "chance(hits == 0) == (1 - share)**m",
            law="by_leverage",
            says="and landmarks drawn by leverage scores with probability",
        ),
        "share": Claim("share >= 1 / (2 * r - 1)", when=_FINE),
        "too few": Claim(
            "(1 - eps)**m > delta",
            when=f"m < {_FEW}",
            says="Few uniform landmarks miss it with more than the probability "
            r"$\delta$:",
        ),
        "enough": Claim(
            "(1 - share)**m <= delta",
            when=f"m >= {_MANY} and {_FINE}",
            says="By leverage scores, many do not:",
        ),
    },
    where={
        "eps": Where(r"\varepsilon", "1 / (1 + (r - 1) * s)", False),
        "P": Where("P", "B @ pinv(B)", False),
        "d": Where(r"d_\alpha", "sum(masses / (masses + alpha))"),
        "share": Where("p", "eps / (eps + alpha) / d"),
    },
    world=RareDirection,
    cases=_cases,
    controls={
        "nine tenths of a column": Control("hinge", _ONE, {"- m": "- 0.9 * m"}),
        "nine tenths, square": Control("square", _ONE, {"- m": "- 0.9 * m"}),
        "twice the ridge": Control("dimension", _ONE, {"r * alpha": "2 * r * alpha"}),
        "a rare direction": Control("dimension", _RARE, lacks=_FLAT),
        "two columns for one": Control("columns", _ONE, {">= (1": ">= 1.1 * (1"}),
        "a rare direction for columns": Control("columns", _RARE, lacks=_FLAT),
        "one less": Control("any subspace", _ONE, {"r - rank": "r - 1.5 * rank"}),
        "twice as much": Control("missed", _RARE, {">= eps": ">= 1.1 * eps"}),
        "both directions": Control("missed", _FULL, lacks=_SEEN),
        "one draw less": Control("uniform", _TWICE, {"**m": "**(m - 1)"}),
        "as the data are": Control("leverage", _TWICE, law="by_masses"),
        "half more": Control(
            "share", _example(2, [1], [1], s=99, alpha="1/100"), {">= 1": ">= 1.5"}
        ),
        "a large ridge": Control("share", _COARSE, lacks=_FINE),
        "any number": Control("too few", _FOUR, lacks=f"m < {_FEW}"),
        "fewer": Control("enough", _AT_ONCE, lacks=f"m >= {_MANY}"),
    },
)
