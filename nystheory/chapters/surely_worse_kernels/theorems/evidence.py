"""Ends between which the evidence of a kernel lies, from an approximation below it.

Titsias 2014 bounds the evidence from above, and Artemev, Burt and van der Wilk 2021
from below; Burt, Rasmussen and van der Wilk 2019 have the width, as a bound on a
divergence.  The logarithm in the lower end of the determinant, the number of
directions, and where the ends are attained are this book's.
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
from nystheory.engine import Claim, Control, Hypothesis, Theorem, Where

_E = "(K - between)"
_OF_M = "directions * log(1 + t / (directions * alpha))"
_OF_N = "n * log(1 + t / (n * alpha))"
_ONE = "log(1 + t / alpha)"
_LEAST = "log(1 + t / (alpha + norm_2(between)))"
_ALIKE = f"{_E} @ {_E} == t / directions * {_E}"
_APART = f"{_E} @ between == 0"
_TOP = f"{_E} @ between == norm_2(between) * {_E}"
_SINGLE = f"{_E} @ {_E} == t * {_E}"

_UNSEEN = Observed.missing(1, y=[1, 0], directions=1)
_ALONG = Observed.missing(1, y=[0, 4], directions=1)
_SMALL = Observed.missing("1/100", "1/100", y=[1, 0, 0], directions=2)
_UNLIKE = Observed.missing(1, 2, y=[1, 0, 0], directions=2)
_TOO_FEW = Observed.missing("1/100", "1/100", y=[1, 0, 0], directions=1)
_MORE = Observed.missing("1/100", y=[1, 0], directions=3)
_ALL = Observed.over([[1]], [[0]], y=[1])
_TWO = Observed.over([[1, 0], [0, 1]], [[0, 0], [0, 0]], y=[1, 0])
_ABOVE_TOP = Observed.over([[2]], [[1]], y=[1])
_BESIDE = Observed.over([[1, 0], [0, 2]], [[1, 0], [0, 1]], y=[1, 0])
_LITTLE = Observed.over([[1000, 0], [0, "1/100"]], [[1000, 0], [0, 0]], y=[0, 1])
_ABOVE = Observed.over([[1]], [["3/2"]], y=[1], directions=1)

EVIDENCE = Theorem(
    id="modern:evidence-enclosure",
    kind="inequality",
    status="new",
    title="Ends of the evidence",
    number="after Titsias 2014; Artemev, Burt and van der Wilk 2021",
    setting=SETTING
    + r"of a Gaussian process with noise $\alpha$, and $V(K) = y^\top R\, y + "
        r"\log\det A$ with $R = A^{-1}$, so that $-2 \log p(y) = V(K) + n \log 2\pi$. "
        r"Let $\tilde A = \tilde K + \alpha I$, and let $a$ be any coefficients.",
    hypotheses=BELOW
    | {
        "directions": Hypothesis(
            "directions > 0 and (directions >= n or rank(K - between) <= directions)",
            says=r"$m > 0$ be at least the rank of $K - \tilde K$",
        )
    },
    where=MATRICES
    | RESIDUAL
    | {
        "value": Where("V(K)", "y.T @ inverse @ y + log_det(A)", told=False),
        "first": Where(
            r"\log\det \tilde A",
            "log_det(between + alpha * identity(n))",
            told=False,
        ),
        "least": Where(r"\underline\Delta", _LEAST),
        "most": Where(r"\overline\Delta", _OF_M),
    },
    claims={
        "determinant, below": Claim(
            "log_det(A) >= first + least",
            says=r"Determinant:",
        ),
        "determinant, above": "log_det(A) <= first + most",
        "more directions": Claim(
            f"most <= {_OF_N}",
            when="directions <= n",
            says="With $n$ in place of $m$ the upper end is no lower,",
        ),
        "attained": Claim(
            "log_det(A) == first + most",
            when=f"{_APART} and {_ALIKE}",
            says="It is attained by errors of one size that the approximation does not "
            "see,",
        ),
        "attained, below": Claim(
            "log_det(A) == first + least",
            when=f"{_SINGLE} and {_TOP}",
            says=r"and the lower end by one direction, in which $\tilde K$ is largest,",
        ),
        "below": Claim("y.T @ lifted @ y + first + least <= value", says="Evidence:"),
        "above": "value <= y.T @ near @ y + first + most",
        "product, below": Claim(
            "known + r.T @ lifted @ r + first + least <= value",
            says="With a product $K a$:",
        ),
        "product, above": "value <= known + r.T @ near @ r + first + most",
        "value attained, above": Claim(
            "value == y.T @ near @ y + first + most",
            when=f"{_APART} and {_ALIKE} and {_E} @ y == 0",
            says="The upper end is attained:",
        ),
        "value attained, below": Claim(
            "value == y.T @ lifted @ y + first + least",
            when=f"{_SINGLE} and {_TOP} and {_E} @ y == t * y",
            says="and the lower end:",
        ),
        "width": Claim(
            f"y.T @ near @ y - y.T @ lifted @ y + {_OF_N} - least "
            "<= t / alpha * (1 + norm_2(y)**2 / (alpha + t))",
            says="The ends differ by no more than the trace allows:",
        ),
    },
    world=Observed,
    cases=cases,
    controls={
        "without the norm": Control("determinant, below", _ABOVE_TOP, {"least": _ONE}),
        "an approximation above": Control("determinant, above", _ABOVE, drops="below"),
        "one direction": Control("determinant, above", _SMALL, {"most": _ONE}),
        "too few directions": Control(
            "determinant, above", _TOO_FEW, drops="directions"
        ),
        "0.99 of all": Control("more directions", _ALL, {"<=": "<= 0.99 *"}),
        "more than all": Control("more directions", _MORE, lacks="directions <= n"),
        "unlike errors": Control("attained", _UNLIKE, lacks=_ALIKE),
        "errors that are seen": Control("attained", _ABOVE_TOP, lacks=_APART),
        "two directions": Control("attained, below", _TWO, lacks=_SINGLE),
        "below the top": Control("attained, below", _UNSEEN, lacks=_TOP),
        "the approximation as lower end": Control("below", _ALONG, {"lifted": "near"}),
        "one direction, evidence": Control("above", _SMALL, {"most": _ONE}),
        "the approximation as lower rest": Control(
            "product, below", _ALONG, {"lifted": "near"}
        ),
        "one direction, with a product": Control(
            "product, above", _SMALL, {"most": _ONE}
        ),
        "observations that are missed": Control(
            "value attained, above", _ALONG, lacks=f"{_E} @ y == 0"
        ),
        "observations that are seen": Control(
            "value attained, below",
            _BESIDE,
            lacks=f"{_E} @ y == t * y",
        ),
        "0.9 of the width": Control("width", _LITTLE, {"<=": "<= 0.9 *"}),
    },
)
