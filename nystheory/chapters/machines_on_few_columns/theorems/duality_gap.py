"""The duality gap of a support vector machine encloses its minimiser.

That it bounds what is left of the objective is standard, as in Shalev-Shwartz and Zhang
2013; that it bounds both distances together is strong convexity on both sides.
"""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import product
from typing import NamedTuple

import numpy as np

from nystheory.engine import Claim, Control, Hypothesis, Theorem, Where
from nystheory.engine.language.quantity import CHOSEN
from nystheory.engine.worlds.worlds import Given, Size, World

# Points up to which every set of active bounds is tried.
MOST = 4
# A block whose smallest eigenvalue, beside its largest, is in between may be singular.
SINGULAR, REGULAR = 1e-13, 1e-7
# By how much rounding may break a condition of optimality.
BROKEN = 1e-9


class DualPair(World):
    """A support vector machine, any weights, and any coefficients of its dual."""

    n = Size("n", "number of points")
    features = Given(r"\bar X", "features of the points", axes=("d", "n"))
    labels = Given("y", "labels", axes=("n",))
    costs = Given("c", "factors of the losses", axes=("n",))
    ridge = Given(r"\lambda'", "factor of half of the squared norm", range="ridge > 0")
    w = Given("w", "any weights", axes=("d",))
    a = Given("a", "coefficients of the dual", axes=("n",))
    x = Given("x", "features of another point", axes=("d",))

    @classmethod
    def drawn(cls, instance, rng):
        """Small integers, weights and coefficients near the optimum or anywhere."""
        d, n = (int(rng.integers(1, 4)) for _ in range(2))
        X = rng.integers(-2, 3, (d, n)).astype(float)
        y = rng.choice([-1.0, 1.0], n)
        c = 2.0 ** rng.integers(-2, 2, n)
        ridge = 2.0 ** rng.integers(-2, 3)
        a = c * rng.integers(0, 5, n) / 4
        w = rng.integers(-2, 3, d) * 2.0 ** rng.integers(-2, 1)
        given = {"features": X, "labels": y, "costs": c, "ridge": ridge}
        i = cls(**given, w=w, a=a, x=rng.integers(-2, 3, d).astype(float))
        found = optimum(i) if rng.random() < 0.6 else None
        if found is None:
            return i
        # Dyadic numbers, so that bounds are met in fractions, too.
        near = 2.0 ** rng.integers(-6, 1)
        w, a = (
            np.round(1024 * (best + near * (other - best))) / 1024
            for best, other in ((found.w, w), (found.a, a))
        )
        return i.but(w=w, a=np.clip(a, 0, c))

    @classmethod
    def of_one_point(cls, point, w, a, label=1):
        """One point on a line and the factor 1 of its loss, in exact numbers."""
        given = {"features": [[point]], "labels": [label], "costs": [1], "ridge": 1}
        return cls.exactly(**given, w=[w], a=[a], x=[1])


# --- The optimum ----------------------------------------------------------------------


class Optimum(NamedTuple):
    """Weights, coefficients, and by how much rounding is amplified."""

    w: np.ndarray
    a: np.ndarray
    condition: float


@lru_cache(maxsize=256)
def optimum(i) -> Optimum | None:
    """By the conditions of Karush, Kuhn and Tucker; None where rounding hides it."""
    c, ridge = np.asarray(i.costs, dtype=float), float(i.ridge)
    Z = np.asarray(i.labels) * np.asarray(i.features)
    if len(c) > MOST or not ridge > 0 or (c < 0).any():
        return None
    Q, best, least = Z.T @ Z / ridge, None, np.inf
    for states in product((0, 1, 2), repeat=len(c)):
        found = _solved(Q, c, np.array(states))
        if found is None:
            return None
        a, lowest = found
        broken = _broken(Q, a, c) if a is not None else np.inf
        if broken < least:
            best, least = Optimum(Z @ a / ridge, a, _size(i) / lowest), broken
    return best if least < BROKEN * _size(i) else None


def _solved(Q, c, states):
    """Coefficients at their bounds, and those between that have the margin one."""
    a, free = np.where(states == 1, c, 0.0), states == 2
    if not free.any():
        return a, 1.0
    block = Q[np.ix_(free, free)]
    spectrum = np.linalg.eigvalsh(block)
    lowest = spectrum[0] / (spectrum[-1] or 1.0)
    if lowest <= SINGULAR:
        return None, 1.0
    if lowest <= REGULAR:
        return None
    a[free] = np.linalg.solve(block, 1 - Q[np.ix_(free, ~free)] @ a[~free])
    return a, lowest


def _broken(Q, a, c) -> float:
    """How far the conditions of optimality are from being met."""
    missing = 1 - Q @ a
    low, high = np.minimum(missing, 0), np.maximum(missing, 0)
    outside = np.maximum(0, np.maximum(-a, a - c)).max()
    inside = np.clip(a, 0, c)
    return max(outside, (-low * inside).max(), (high * (c - inside)).max())


def _size(i) -> float:
    """How large what is added up may be, which bounds its rounding."""
    ridge = float(i.ridge)
    if not ridge > 0:
        return np.inf
    X = np.asarray(i.labels) * np.asarray(i.features)
    longest, c = np.linalg.norm(X, axis=0), np.asarray(i.costs)
    reach = longest @ np.abs(c) / ridge + np.linalg.norm(i.w)
    return float((1 + np.abs(c).sum() * (1 + longest.max() * reach)) * (1 + reach))


def _of_optimum(i) -> float:
    found = optimum(i)
    return np.inf if found is None else found.condition


_told = partial(DualPair.quantity, when=CHOSEN, unit=0, condition=_of_optimum)


@_told("w_*", "minimiser of the primal objective")
def minimiser(i):
    found = optimum(i)
    return None if found is None else found.w


@_told(r"\max_b D(b)", "largest value of the dual")
def largest_dual(i):
    found = optimum(i)
    if found is None:
        return None
    pull = np.asarray(i.features) @ (np.asarray(i.labels) * found.a)
    return found.a.sum() - pull @ pull / (2 * float(i.ridge))


# --- The theorem ----------------------------------------------------------------------


def _primal(w: str) -> str:
    missing = f"1 - labels * (features.T @ {w})"
    losses = f"sum(costs * ({missing} + abs({missing}))) / 2"
    return f"ridge / 2 * norm_2({w})**2 + {losses}"


def _cases(rng):
    # Points at the origin, which no weights change.
    for size in (0.25, 1.0, 4.0):
        for ridge in (0.5, 1.0, 8.0):
            given = {"features": [[0.0]], "labels": [1.0], "costs": [1.0], "w": [size]}
            yield DualPair(**given, a=[1.0], x=[1.0], ridge=ridge)
            yield DualPair(**given, a=[0.5], x=[-2.0], ridge=ridge)
    for a in (0.0, 0.25, 0.5, 1.0):
        for c in (1.0, 2.0):
            given = {"features": [[1.0]], "labels": [1.0], "costs": [c], "ridge": 1.0}
            yield DualPair(**given, a=[a], w=[a], x=[1.0])
            yield DualPair(**given, a=[a], w=[2.0], x=[3.0])


_AT_ORIGIN = DualPair.of_one_point(0, w=1, a=1)
_BEST = DualPair.of_one_point(1, w=1, a=1)
_ZERO = DualPair.of_one_point(1, w=0, a=0)
_OUTSIDE = DualPair.of_one_point(0, w=0, a=2)
_WRONG = DualPair.of_one_point(1, w=1, a=0, label=-1)
_NEAR = "norm_2(x) * sqrt(2 * (P_w - D_a) / ridge)"

DUALITY_GAP = Theorem(
    id="modern:duality-gap",
    kind="inequality",
    status="holds",
    title="The duality gap encloses the machine",
    number="as in Shalev-Shwartz and Zhang 2013; Shibagaki et al. 2016",
    setting=(
        r"Let $P(w) = \frac{\lambda'}2 |w|^2 + \sum_i c_i (1 - y_i w^\top \bar "
        r"x_i)_+$ with its minimiser $w_*$, where $\bar x_i$ are the columns of $\bar "
        "X$ and the $y_i$ labels or any numbers. For coefficients $a$ let $w_a = "
        r"\frac1{\lambda'} \sum_i a_i y_i \bar x_i$ and $D(a) = \sum_i a_i - "
        r"\frac{\lambda'}2 |w_a|^2$; the maximum of $D$ is over $0 \le a_i \le c_i$. "
        "Let $w$ be any weights and $x$ the features of any point."
    ),
    hypotheses={
        "bounds": Hypothesis(
            "min(a) >= 0 and min(costs - a) >= 0", says=r"$0 \le a_i \le c_i$"
        )
    },
    where={
        "w_a": Where("w_a", "features @ (labels * a) / ridge", told=False),
        "P_w": Where("P(w)", _primal("w"), told=False),
        "P_a": Where("P(w_a)", _primal("w_a"), told=False),
        "least": Where("P(w_*)", _primal("minimiser"), told=False),
        "D_a": Where("D(a)", "sum(a) - ridge / 2 * norm_2(w_a)**2", told=False),
    },
    claims={
        "weak": Claim("D_a <= P_w", says="The dual is below the primal,"),
        "strong": Claim("largest_dual == least", says="and it comes up to it:"),
        "both": Claim(
            "ridge / 2 * (norm_2(w - minimiser)**2 + norm_2(w_a - minimiser)**2)"
            " <= P_w - D_a",
            says="The gap bounds how far both kinds of weights are from the minimiser:",
        ),
        "weights": Claim(
            "norm_2(w - minimiser)**2 <= 2 * (P_w - D_a) / ridge",
            says="So for weights from anywhere",
        ),
        "its own": Claim(
            "norm_2(w_a - minimiser)**2 <= (P_a - D_a) / ridge",
            says="and for those of the coefficients themselves, half of it:",
        ),
        "values": Claim(
            f"abs(x.T @ (w - minimiser)) <= {_NEAR}",
            says="The gap bounds how far the value at a point is from the value of "
            "the minimiser there,",
        ),
        "sign": Claim(
            "x.T @ w * (x.T @ minimiser) > 0",
            when=f"abs(x.T @ w) > {_NEAR}",
            says="so a value larger in modulus than this bound has the sign of the "
            "minimiser's:",
        ),
    },
    world=DualPair,
    cases=_cases,
    controls={
        "nine tenths of the primal": Control("weak", _BEST, {"<= P": "<= 0.9 * P"}),
        "twice the bound": Control("weak", _OUTSIDE, drops="bounds"),
        "one percent more": Control("strong", _BEST, {"== least": "== 1.01 * least"}),
        "a tenth more": Control("both", _AT_ORIGIN, {"ridge / 2": "1.1 * ridge / 2"}),
        "one for two": Control("weights", _AT_ORIGIN, {"<= 2 *": "<= 1 *"}),
        "nine tenths of the gap": Control("its own", _ZERO, {"<= (": "<= 0.9 * ("}),
        "nine tenths of the distance": Control(
            "values", _AT_ORIGIN, {"<= norm": "<= 0.9 * norm"}
        ),
        "a value that may be wrong": Control(
            "sign", _WRONG, lacks=f"abs(x.T @ w) > {_NEAR}"
        ),
    },
)
