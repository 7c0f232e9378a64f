"""With which power of the number of landmarks errors fall, where there is a gap.

The remark after Theorem 4 of Yang et al. 2012, and what makes it exact: the power
depends on how the eigenvalues after the gap scale with the number of landmarks.
"""

from __future__ import annotations

from nystheory.chapters.eigengap_and_rate import families
from nystheory.chapters.eigengap_and_rate.families import fixed, spread, thin
from nystheory.chapters.eigengap_and_rate.theorems.perturbed_directions import (
    Directions,
)
from nystheory.engine import Claim, Control, Rate, Theorem

Directions.quantity(
    "c", "a constant", name="some_constant", inexact="no number is claimed"
)(lambda i: None)


def _rate(measure, family, exponent, rival) -> Rate:
    """One measure on one family, as often as makes the interval narrow."""

    def measured(count, rng):
        return measure(family(count), count, rng)

    repeats = 40 if family is spread else 100
    width = 0.6 if measure is families.excess else 0.4
    return Rate(families.COUNTS[family], measured, exponent, rival, width, repeats)


def _claim(left, measure, family, exponent, rival, says) -> Claim:
    line = f"{left} == some_constant * l**({exponent})"
    return Claim(line, rate=_rate(measure, family, exponent, rival), says=says)


def _control(of, measure, family, exponent, rival, lacks) -> Control:
    on = _rate(measure, family, exponent, rival)
    return Control(of, on, lacks=lacks, inexact="a slope is measured, not proved")


_MOVED, _EXCESS, _ERROR = families.moved, families.excess, families.error

RATE = Theorem(
    id="yang2012:rate",
    kind="rate",
    status="holds",
    title="The rate with an eigengap",
    number="Yang et al. 2012, remark after Theorem 4",
    setting=(
        r"Let $L_n = \frac1n X X^\top$ be diagonal, with an eigenvalue $\lambda_1 / n "
        r"= \frac34$ and a tail of equal ones, and the coordinates of every point "
        r"plus or minus the roots of the eigenvalues, any two uncorrelated. Let $L_l$ "
        r"be that of $l$ points drawn uniformly with replacement. Let $k$ be one, so "
        r"that $H_k$ and $\hat H_k$ are the projectors onto the leading eigenvector of "
        r"each, and $\tilde K$ is the approximation of rank $1$."
    ),
    claims={
        "spread tail": _claim(
            "moved",
            _MOVED,
            spread,
            -1,
            -0.5,
            r"Measured for a tail of trace $\frac14$ over $l$ directions ($\lambda_2 / "
            r"n = \frac1{4 l}$), the distance between the projectors is",
        ),
        "error": _claim(
            "error_2 / n",
            _ERROR,
            spread,
            -1,
            -0.5,
            "For the same tail, the error is",
        ),
        "fixed tail": _claim(
            "moved",
            _MOVED,
            fixed,
            -0.5,
            -1,
            r"For a tail of trace $\frac14$ over three directions, the distance is",
        ),
        "beyond the tail": _claim(
            "(error_2 - tail_2) / n",
            _EXCESS,
            fixed,
            -1,
            -0.5,
            r"For that tail, the error beyond $\lambda_2$ is",
        ),
        "thin tail": _claim(
            "moved",
            _MOVED,
            thin,
            -1.5,
            -1,
            r"For a tail of three directions of $\frac1{2 l}$ each, the distance is",
        ),
    },
    world=Directions,
    suite=False,
    controls={
        "a tail that stays": _control(
            "spread tail", _MOVED, fixed, -1, -0.5, "a tail that falls with $l$"
        ),
        "an error with a tail that stays": _control(
            "error", _ERROR, fixed, -1, -0.5, "a tail that falls with $l$"
        ),
        "a tail that falls": _control(
            "fixed tail", _MOVED, spread, -0.5, -1, "a tail that stays"
        ),
        "beyond a thin tail": _control(
            "beyond the tail", _EXCESS, thin, -1, -0.5, "a tail of one trace"
        ),
        "a trace that stays": _control(
            "thin tail", _MOVED, spread, -1.5, -1, "a trace that falls with $l$"
        ),
    },
)
