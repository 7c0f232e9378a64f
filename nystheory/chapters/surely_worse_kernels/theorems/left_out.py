"""Ends between which the leave-one-out error of a kernel lies.

The short form of the errors is standard; the ends are this book's.
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
_ABOVE = Observed.over([[1]], [[2]], y=[1])
_SPREAD = Observed.over([["1/100"] * 2] * 2, [[0, 0], [0, 0]], y=[1, 0])
_EXACT = Observed.over([[1, 0], [0, 1]], [[1, 0], [0, 1]], y=[1, 1])
_TWICE = Observed.exactly(
    [0, 0],
    1,
    matrix=[[1, 1, 0], [1, 1, 0], [0, 0, 1]],
    y=[1, 0, 0],
    alpha=1,
    guess=[0, 0, 0],
    directions=2,
)
_EQUAL = Observed.over([[1, 1], [1, 1]], [[1, 1], [1, 1]], y=[1, 0])

_ROOT = "sqrt(r.T @ gap @ r)"
_RADIUS = f"sqrt(diag(gap)) * {_ROOT} / 2"
_COARSE = "sqrt(diag(near)) * sqrt(r.T @ near @ r)"
_OTHERS = "unsampled"
_BLOCK = (
    f"alpha + taken(diag(K), {_OTHERS})"
    " - diag(K_21 @ inv(W + alpha * identity(l)) @ K_21.T)"
)

LEFT_OUT = Theorem(
    id="modern:leave-one-out-enclosure",
    kind="inequality",
    status="new",
    title="Ends of the leave-one-out error",
    number="this book",
    setting=SETTING
    + "and $e_i$ the residual of $y_i$ when ridge regression on all other points "
        "predicts it. Let $R = A^{-1}$ and $h$ its diagonal, let $a$ be any "
        "coefficients, and let $K_{21}$ be the rows of $C$ at the points $S^c$ that "
        "were not sampled. Roots, products and quotients of vectors are those of "
        "their entries.",
    hypotheses=BELOW,
    where=MATRICES
    | {
        "r": RESIDUAL["r"],
        "h": Where("h", "diag(inverse)", told=False),
        "gap": Where("G", "near - lifted"),
        "middle": Where("M", "(near + lifted) / 2"),
        "guessed": Where("c", "(guess + middle @ r) / diag(middle)"),
        "square": Where(
            r"\sigma",
            "r.T @ gap @ r - 2 * guessed * (gap @ r) + guessed**2 * diag(gap)",
        ),
        "radius": Where(r"\rho", "sqrt(diag(gap)) * sqrt(square) / (2 * diag(lifted))"),
        "inner": Where(
            r"\gamma", "(abs(guessed) - radius + abs(abs(guessed) - radius)) / 2"
        ),
    },
    claims={
        "short": Claim("left_out == (inverse @ y) / h", says="In short"),
        "diagonal, below": Claim("diag(lifted) <= h", says="The diagonal:"),
        "diagonal, above": "h <= diag(near)",
        "block": Claim(
            f"1 / taken(h, {_OTHERS}) <= {_BLOCK}",
            when="different == l and l < n",
            says="With landmarks that do not repeat, at the points that were not "
            "sampled also",
        ),
        "coefficients": Claim(
            f"abs(inverse @ y - guess - middle @ r) <= {_RADIUS}",
            says="The coefficients are near the middle,",
        ),
        "coarse": Claim(
            f"abs(inverse @ y - guess) <= {_COARSE}",
            says="and, by the Cauchy–Schwarz inequality alone,",
        ),
        "no worse": Claim(
            f"abs(middle @ r) + {_RADIUS} <= {_COARSE}",
            says="which is never better:",
        ),
        "errors": Claim("abs(left_out - guessed) <= radius", says="The errors:"),
        "mean, below": Claim(
            "sum(inner**2) / n <= sum(left_out**2) / n",
            says="The mean of the squared errors:",
        ),
        "mean, above": "sum(left_out**2) / n <= sum((abs(guessed) + radius)**2) / n",
    },
    world=Observed,
    cases=cases,
    controls={
        "the approximation for the matrix": Control(
            "short", _MISSED, {"inverse": "near"}
        ),
        "the approximation as lower end": Control(
            "diagonal, below", _MISSED, {"lifted": "near"}
        ),
        "0.9 of the diagonal": Control("diagonal, above", _SEEN, {"<=": "<= 0.9 *"}),
        "an approximation above": Control("diagonal, above", _ABOVE, drops="below"),
        "0.9 of the block": Control("block", _EQUAL, {"<= alpha": "<= 0.9 * alpha"}),
        "a landmark twice": Control("block", _TWICE, lacks="different == l"),
        "0.9 of the radius": Control("coefficients", _MISSED, {"/ 2": "* 0.45"}),
        "0.9 of the product": Control("coarse", _SEEN, {"<=": "<= 0.9 *"}),
        "0.9 of the coarse": Control("no worse", _SEEN, {"<=": "<= 0.9 *"}),
        "0.9 of the radius, errors": Control(
            "errors", _SPREAD, {"radius": "0.9 * radius"}
        ),
        "1.1 of the lower mean": Control(
            "mean, below", _EXACT, {"sum(inner": "1.1 * sum(inner"}
        ),
        "0.9 of the upper mean": Control("mean, above", _EXACT, {"<=": "<= 0.9 *"}),
    },
)
