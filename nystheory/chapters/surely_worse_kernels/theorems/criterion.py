"""Ends between which the criterion of a kernel lies, from an approximation below it.

The ends without a product are those of Titsias 2014.  With a product, Kim and Teh 2018
and Artemev, Burt and van der Wilk 2021 bound q from below by ``2a'y - a'A a``, and the
latter also from above, as here.  What the trace adds to that lower end, and where the
ends are attained, are this book's.
"""

from __future__ import annotations

from nystheory.chapters.surely_worse_kernels.theorems.observed import (
    BELOW,
    MATRICES,
    RESIDUAL,
    SETTING,
    Observed,
    cases,
)
from nystheory.engine import Claim, Control, Theorem, Where

_SEEN, _MISSED = (Observed.missing(1, y=y) for y in ([1, 0], [0, 1]))
_LARGE = Observed.missing(4, y=[0, 1])
_ABOVE = Observed.over([[1]], [[2]], y=[1])

_E = "(K - between)"
_IN_ONE = f"{_E} @ (lifted @ y) == t * (lifted @ y)"
_AFTER = "2 * y.T @ z - z.T @ A @ z + (y - A @ z).T @ near @ (y - A @ z)"

CRITERION = Theorem(
    id="modern:criterion-enclosure",
    kind="inequality",
    status="new",
    title="Ends of the criterion",
    number="after Titsias 2014; Kim and Teh 2018; Artemev, Burt and van der Wilk 2021",
    setting=SETTING
    + r"and $C(K) = \frac\alpha n\, q$ the criterion, where $q = y^\top R\, y$ and $R "
    r"= A^{-1}$. Let $a$ be any coefficients.",
    hypotheses=BELOW,
    where=MATRICES
    | RESIDUAL
    | {
        "q": Where("q", "y.T @ inverse @ y", told=False),
        "criterion": Where("C(K)", "alpha / n * q", told=False),
        "upper": Where(r"C(\tilde K)", "alpha / n * (y.T @ near @ y)"),
        "lower": Where(r"\underline C", "alpha / n * (y.T @ lifted @ y)"),
        "z": Where("z", "near @ y"),
    },
    claims={
        "below": Claim("lower <= criterion", says="Without a product with $K$:"),
        "above": "criterion <= upper",
        "ratio": Claim(
            "alpha / (alpha + t) * upper <= lower",
            says="The lower end is never below the relative one,",
        ),
        "relative": Claim(
            "upper - criterion <= t / (alpha + t) * upper", says="so that"
        ),
        "attained, above": Claim(
            "criterion == upper",
            when=f"{_E} @ z == 0",
            says="Each end is attained: the upper where what is missed does not reach "
            "the solution,",
        ),
        "attained, below": Claim(
            "criterion == lower",
            when=_IN_ONE,
            says="and the lower where it has one direction, which the solution has,",
        ),
        "identity": Claim(
            "q == known + r.T @ inverse @ r", says="With a product $K a$:"
        ),
        "product, below": "known + r.T @ lifted @ r <= q",
        "product, above": "q <= known + r.T @ near @ r",
        "width": Claim(
            "r.T @ near @ r - r.T @ lifted @ r "
            "<= t / (alpha * (alpha + t)) * norm_2(r)**2",
            says="The ends differ by no more than the residual allows,",
        ),
        "one product": Claim(
            f"{_AFTER} <= y.T @ near @ y + max(0, t / alpha - 1) * (z.T @ {_E} @ z)",
            says="With $a = z$ the upper end is no larger than without a product as "
            r"long as the trace is at most the ridge; in general",
        ),
    },
    world=Observed,
    cases=cases,
    controls={
        "1.1 of the lower end": Control(
            "below", _MISSED, {"lower <=": "1.1 * lower <="}
        ),
        "0.9 of the upper end": Control("above", _SEEN, {"<= u": "<= 0.9 * u"}),
        "an approximation above": Control("above", _ABOVE, drops="below"),
        "1.1 of the ratio": Control("ratio", _MISSED, {"alpha / (": "1.1 * alpha / ("}),
        "0.9 of the relative error": Control(
            "relative", _MISSED, {"<= t": "<= 0.9 * t"}
        ),
        "a direction that is missed": Control(
            "attained, above", _MISSED, lacks=f"{_E} @ z == 0"
        ),
        "a direction that is seen": Control("attained, below", _SEEN, lacks=_IN_ONE),
        "the approximation for the matrix": Control(
            "identity", _MISSED, {"r.T @ inverse": "r.T @ near"}
        ),
        "1.1 of the lower rest": Control(
            "product, below", _MISSED, {"known + ": "known + 1.1 * "}
        ),
        "0.9 of the upper rest": Control(
            "product, above", _SEEN, {"known + ": "known + 0.9 * "}
        ),
        "0.9 of the width": Control("width", _MISSED, {"<= t": "<= 0.9 * t"}),
        "a trace above the ridge": Control(
            "one product", _LARGE, {"max(": "0.9 * max("}
        ),
    },
)
