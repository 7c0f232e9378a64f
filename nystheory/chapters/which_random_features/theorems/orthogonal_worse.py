"""Where frequencies at right angles are worse than independent ones."""

from __future__ import annotations

from math import isqrt

from nystheory.chapters.which_random_features.theorems.orthogonal import (
    OrthogonalFrequencies,
)
from nystheory.engine import Claim, Control, Hypothesis, Theorem, Where

# Up to which dimension a distance is a counterexample.
WITNESSES = {"15/4": (3, 22), "5": (10, 39), "7": (29, 64)}


def _at(d, z) -> OrthogonalFrequencies:
    return OrthogonalFrequencies.at(d, 2, z)


def _cases(rng):
    """Every dimension up to 64 at its witnesses, and far away."""
    for z, (first, last) in WITNESSES.items():
        for d in range(first, last + 1):
            yield _at(d, z)
    for d in range(2, 34):
        for k in range(2):
            yield _at(2 * d, isqrt(24 * d) + 1 + k)
    for z in rng.integers(56, 400, 60):
        yield _at(3, z / 16)
        yield _at(4, z / 16)


_WITNESS = " or ".join(
    f"{first} <= d <= {last} and z == {z}" for z, (first, last) in WITNESSES.items()
)
_LARGER = "product_mean > exp(-z ** 2)"
_FAR = "z ** 2 >= 12 * d"
_WEIGHTED = "2 ** (-d / 2 - 1) - 5 ** (-d / 4 - 1 / 2)"
_PLANE, _SPACE = _at(2, "15/4"), _at(3, 3)

ORTHOGONAL_WORSE = Theorem(
    id="modern:orthogonal-worse",
    kind="inequality",
    status="new",
    title="Where orthogonal features are worse",
    number="this book",
    setting=(
        r"Let $v_\perp$ and $v$ be the variances of a value of the Gaussian kernel "
        r"$e^{-z^2/2}$ in $d$ dimensions from $m$ frequencies at right angles and from "
        r"$m$ independent ones, so that $v_\perp > v$ exactly if $c_\perp > e^{-z^2}$ "
        r"for $c_\perp = {}_1F_1(d; \frac d2; -\frac{z^2}2)$. Let $\bar e = "
        r"\int_0^\infty w(x)\, (c_\perp - e^{-z^2})\, dx$ at $z^2 = 2x$, with the "
        r"weight $w(x) = x^{d/2} (1 + \cos x) / \Gamma(\frac d2 + 1)$."
    ),
    hypotheses={"m": Hypothesis("2 <= m <= d", domain=True)},
    where={"larger": Where(r"\epsilon_d", _WEIGHTED)},
    claims={
        "witnesses": Claim(
            _LARGER,
            when=_WITNESS,
            says=r"Three distances are enough for all $3 \le d \le 64$:",
        ),
        "three dimensions": Claim(
            _LARGER,
            when="d == 3 and z >= 10 / 3",
            says="In three and in four dimensions they are worse at all distances "
            "from some distance on:",
        ),
        "four dimensions": Claim(_LARGER, when="d == 4 and z >= 31 / 10"),
        "each dimension": Claim(
            "weighted_excess >= larger",
            when="d >= 3",
            says=r"In each dimension $d \ge 3$ orthogonal frequencies are worse at "
            "some distance, because the excess is positive in the mean:",
        ),
        "above zero": Claim("larger > 0", says="The right side is positive:"),
        "far, worse": Claim(
            "product_mean >= exp(-z ** 2 / 2)",
            when=f"d == 4 * floor(d / 4) and {_FAR}",
            says="Far away they are worse in every dimension that is a multiple of "
            "$4$:",
        ),
        "far, better": Claim(
            "product_mean <= -exp(-z ** 2 / 2)",
            when=f"d == 4 * floor(d / 4) + 2 and {_FAR}",
            says="Far away they are better in every other even dimension:",
        ),
    },
    world=OrthogonalFrequencies,
    cases=_cases,
    suite=False,
    controls={
        "the plane": Control("each dimension", _PLANE, lacks="d >= 3"),
        "above zero in the plane": Control("above zero", _SPACE, {"> 0": "> 1 / 10"}),
        "never worse": Control("witnesses", _at(3, "15/4"), {">": "<="}),
        "in the plane": Control("witnesses", _PLANE, lacks=_WITNESS),
        "at any distance": Control("three dimensions", _SPACE, lacks="z >= 10 / 3"),
        "at any distance, four": Control(
            "four dimensions", _at(4, 3), lacks="z >= 31 / 10"
        ),
        "near": Control("far, worse", _at(4, 2), lacks=_FAR),
        "six dimensions": Control(
            "far, worse", _at(6, 9), lacks="d == 4 * floor(d / 4)"
        ),
        "near, six dimensions": Control("far, better", _at(6, 1), lacks=_FAR),
        "four for six": Control(
            "far, better", _at(4, 9), lacks="d == 4 * floor(d / 4) + 2"
        ),
    },
)
