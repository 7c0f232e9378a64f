"""Frequencies at right angles to one another: their exact variance.

Yu, Suresh, Choromanski, Holtmann-Rice and Kumar 2016 propose them; Choromanski and
others 2018 compare them with independent ones.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb

import mpmath
import numpy as np
import scipy.integrate
import scipy.special

from nystheory.engine import Claim, Control, Hypothesis, Theorem, Where
from nystheory.engine.language.quantity import BEFORE, SAMPLE
from nystheory.engine.worlds import laws
from nystheory.engine.worlds.worlds import Given, World


class OrthogonalFrequencies(World):
    """A distance in d dimensions, and m frequencies at right angles."""

    d = Given(
        "d",
        "dimension",
        range="1 <= floor(d) == d",
        says=r"$d \ge 1$ be an integer",
    )
    m = Given(
        "m",
        "number of frequencies",
        range="1 <= floor(m) == m",
        says=r"$m \ge 1$ be an integer",
    )
    z = Given("z", "distance of the two points", range="z > 0")
    # Coordinates of the frequencies along the difference of the points.
    projections = Given(axes=("waves",), drawn=True)

    @property
    def n(self) -> int:
        """Rounding does not grow with the dimension."""
        return 1

    @classmethod
    def at(cls, d, m, z, projections=None):
        """A distance, and frequencies whose coordinates are 0 if none are told."""
        told = [0] * m if projections is None else projections
        return cls.exactly(d=d, m=m, z=z, projections=told)

    @classmethod
    def drawn(cls, instance, rng):
        """A dimension, as many frequencies at most, a multiple of 1/16 as distance."""
        d = 2 if rng.random() < 0.3 else int(rng.integers(1, 2 ** rng.integers(2, 7)))
        m = int(rng.choice([d, rng.integers(1, d + 1)]))
        z = rng.integers(1, 2 ** rng.integers(2, 8)) / 16
        return cls(d=d, m=m, z=z, projections=rng.integers(-8, 9, m) / 4)


def _draw(i, rng):
    """Of the directions only their part along one axis counts: a uniform unit vector.

    The lengths are those of independent normal vectors.
    """
    d, m = int(i.d), int(i.m)
    axis = rng.standard_normal(d)
    lengths = np.sqrt(rng.chisquare(d, m))
    return i.but(projections=lengths * axis[:m] / np.linalg.norm(axis))


def _draw_of_one_length(i, rng):
    """The same with the root of d in place of the lengths."""
    d, m = int(i.d), int(i.m)
    axis = rng.standard_normal(d)
    return i.but(projections=np.sqrt(d) * axis[:m] / np.linalg.norm(axis))


laws.enter("orthogonal", "frequencies at right angles", lambda i: None, _draw)
laws.enter("one_length", "the same of one length", lambda i: None, _draw_of_one_length)

# --- What is measured -----------------------------------------------------------------


def product_of_cosines(d: int, z: float) -> float:
    """``1F1(d; d/2; -z^2/2)``, the mean product of two cosines, to all digits.

    >>> round(float(product_of_cosines(2, 1.0) / np.exp(-0.5)), 15)
    0.5
    """
    with mpmath.workdps(40):
        return float(mpmath.hyp1f1(d, mpmath.mpf(d) / 2, -(mpmath.mpf(z) ** 2) / 2))


def _of_product(i):
    """It is rounded once."""
    return abs(product_of_cosines(int(i.d), float(i.z)))


@OrthogonalFrequencies.quantity(
    r"c_\perp", "mean product of two cosines", BEFORE, unit=0, condition=_of_product
)
def product_mean(i):
    return product_of_cosines(int(i.d), float(i.z))


@OrthogonalFrequencies.quantity(
    "s", "kernel value from orthogonal frequencies", SAMPLE, unit=0
)
def orthogonal_value(i):
    return np.cos(float(i.z) * np.asarray(i.projections)).mean()


OrthogonalFrequencies.composed(
    "v_independent",
    "v",
    "(1 - exp(-z ** 2)) ** 2 / (2 * m)",
    "variance of a kernel value from independent frequencies",
)
OrthogonalFrequencies.composed(
    "v_orthogonal",
    r"v_\perp",
    "v_independent + (m - 1) / m * (product_mean - exp(-z ** 2))",
    "variance of a kernel value from orthogonal frequencies",
)


def _moment(d, k):
    """The mean of the power 2k of a coordinate of a sum of two frequencies.

    The second one, given the first: a normal vector at a right angle to it, times the
    quotient of the roots of chi squares with d and d - 1 degrees of freedom.
    """
    rising, half = scipy.special.poch, 0.5
    rest = (d - 1) / 2
    return sum(
        comb(2 * k, 2 * j)
        * (2 ** (k - j) * rising(d / 2, k - j))
        * (rising(d / 2, j) / rising(rest, j))
        * (2**j * rising(half, j))
        * (rising(half, k - j) * rising(rest, j) / rising(d / 2, k))
        for j in range(k + 1)
    )


def _entered(name, latex, k):
    meaning = f"mean of the power {2 * k} of a coordinate of the sum of two frequencies"

    @OrthogonalFrequencies.quantity(latex, meaning, name=name, unit=0, condition=_size)
    def fast(i):
        return _moment(int(i.d), k) if i.d > 1 else None


def _size(_):
    return 1e3


_entered("fourth_moment", r"\mathbb E\, g^4", 2)
_entered("sixth_moment", r"\mathbb E\, g^6", 3)


def _of_integral(i):
    return 3e5 * 2.0 ** -(i.d / 2)


@OrthogonalFrequencies.quantity(
    r"\bar e",
    "excess of the mean product over that of independent ones, in the mean",
    unit=0,
    condition=_of_integral,
)
def weighted_excess(i):
    return _excess_by_quadrature(int(i.d)) if 2 <= i.d <= 60 else None


@lru_cache
def _excess_by_quadrature(d):
    """Without the cosine and with it, near and far."""
    a = d / 2

    def weighted(x):
        if x == 0:
            return 0.0
        excess = scipy.special.hyp1f1(d, a, -x) - np.exp(-2 * x)
        return np.exp(a * np.log(x) - scipy.special.gammaln(a + 1)) * excess

    middle, how = 30.0 + 2 * d, {"limit": 400, "epsabs": 1e-12}
    wave = {**how, "weight": "cos", "wvar": 1}
    ends = ((0, middle), (middle, np.inf))
    parts = (
        scipy.integrate.quad(weighted, *end, **each)
        for end in ends
        for each in (how, wave)
    )
    return sum(part[0] for part in parts)


# --- The variance ---------------------------------------------------------------------

_NO_LIST = "frequencies of a continuous law have no list of outcomes: 4000 were drawn"
_at = OrthogonalFrequencies.at


def _cases(_):
    """A few of which frequencies are drawn."""
    for d, m, z in (
        (2, 2, "3/2"),
        (5, 2, 3),
        (64, 64, 1),
    ):
        yield _at(d, m, z)


_SAVED = "z ** 4 / (2 * (d + 2)) * exp(-z ** 2 / 2)"
_NEAR = "z ** 2 <= 2"
_THREE, _FAR = _at(3, 3, "5/4"), _at(2, 2, 3)

ORTHOGONAL_FEATURES = Theorem(
    id="modern:orthogonal-features",
    kind="expectation",
    status="holds",
    title="The variance of orthogonal features",
    number="this book, after Yu et al. 2016",
    setting=(
        r"Let $\omega_1, \dots, \omega_m$ be frequencies in $d$ dimensions at right "
        "angles to one another: the first $m$ columns of a Haar-distributed "
        "orthogonal matrix, times independent lengths, each the length of a standard "
        r"normal vector. Let $s$ be the mean of $\cos \omega_i^\top (x - y)$, "
        r"$z = \|x - y\|$, and $c_\perp = {}_1F_1(d; \frac d2; -\frac{z^2}2)$."
    ),
    hypotheses={
        "room": Hypothesis("m <= d", domain=True),
    },
    where={"saved": Where(r"\eta", _SAVED)},
    claims={
        "variance": Claim(
            "mean((orthogonal_value - exp(-z ** 2 / 2)) ** 2) == v_orthogonal",
            law="orthogonal",
            support=("0", "4"),
        ),
        "mean": Claim(
            "mean(orthogonal_value) == exp(-z ** 2 / 2)",
            law="orthogonal",
            support=("-1", "1"),
            says="The mean is the Gaussian kernel:",
        ),
        "fourth moment": Claim(
            "fourth_moment == 12 * (d + 1) / (d + 2)",
            when="d >= 2",
            says=r"Sums $g = u^\top (\omega_1 + \omega_2)$, $u$ a unit vector, have "
            "lighter tails than independent frequencies give: in place of $12$,",
        ),
        "sixth moment": Claim(
            "sixth_moment == 120 * (d + 1) / (d + 4)",
            when="d >= 2",
            says="and in place of $120$,",
        ),
        "plane": Claim(
            "product_mean == exp(-z ** 2 / 2) * (1 - z ** 2 / 2)",
            when="d == 2",
            says="In the plane",
        ),
        "plane, never worse": Claim(
            "v_orthogonal <= v_independent",
            when="d == 2",
            says="so orthogonal frequencies are never worse there:",
        ),
        "near": Claim(
            "v_orthogonal <= v_independent "
            "- (m - 1) / m * saved * (1 - d * z ** 2 / (2 * (d + 4)))",
            when=_NEAR,
            says="At small distances orthogonal frequencies have the smaller variance "
            "in every dimension:",
        ),
        "near, at most": Claim(
            "v_orthogonal >= v_independent - (m - 1) / m * saved", when=_NEAR
        ),
        "ratio": Claim(
            "abs(v_orthogonal - 3 / (d + 2) * v_independent) <= z ** 2 * v_independent",
            when=f"m == d and {_NEAR}",
            says="With as many frequencies as dimensions the ratio of the variances "
            "tends to $3 / (d + 2)$ at $0$:",
        ),
    },
    world=OrthogonalFrequencies,
    cases=_cases,
    controls={
        "that of independent ones": Control(
            "variance",
            _at(2, 2, "3/2"),
            {"v_orthogonal": "v_independent"},
            inexact=_NO_LIST,
        ),
        "one length": Control("mean", _FAR, law="one_length", inexact=_NO_LIST),
        "that of independent ones, fourth": Control(
            "fourth moment", _THREE, {"12 * (d + 1) / (d + 2)": "12"}
        ),
        "that of independent ones, sixth": Control(
            "sixth moment", _THREE, {"120 * (d + 1) / (d + 4)": "120"}
        ),
        "three dimensions": Control("plane", _THREE, lacks="d == 2"),
        "three dimensions, far": Control(
            "plane, never worse", _at(3, 3, 4), lacks="d == 2"
        ),
        "all of it": Control(
            "near", _THREE, {" * (1 - d * z ** 2 / (2 * (d + 4)))": ""}
        ),
        "nine tenths of it": Control(
            "near, at most", _at(3, 3, "1/8"), {"saved": "0.9 * saved"}
        ),
        "a tenth of it": Control(
            "ratio", _at(4, 4, "1/8"), {"z ** 2 *": "z ** 2 / 10 *"}
        ),
    },
)
