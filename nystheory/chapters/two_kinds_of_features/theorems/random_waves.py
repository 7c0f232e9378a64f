"""Mean and variance of random Fourier features, with both kinds of waves.

Low-rank matrix approximations, an article of Wikipedia, with Rahimi and Recht 2007 and
Sutherland and Schneider 2015.  The spectral measure is finite here: q frequencies, all
equally likely.  What is said of it depends on two values of the kernel and on nothing
else, so that it holds for every spectral measure.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory.chapters.two_kinds_of_features.theorems.drawn_counts import multinomial
from nystheory.engine import Claim, Control, Theorem
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds import laws
from nystheory.engine.worlds.worlds import Draw, Given, Size, World

# Phases are multiples of this angle: so few of them have the second moments of all.
EIGHTH = np.pi / 4


class RandomWaves(World):
    """Frequencies of which some are drawn, seen at two points x and y."""

    q = Size("q", "number of frequencies of the spectral measure")
    m = Given(
        "m",
        "number of frequencies that are drawn, two features each",
        range="1 <= floor(m) == m",
        says=r"$m \ge 1$ be an integer",
    )
    D = Given(
        "D",
        "number of features with a phase",
        range="1 <= floor(D) == D",
        says=r"$D \ge 1$ be an integer",
    )
    epsilon = Given(r"\epsilon", "an error of the kernel value", range="epsilon > 0")
    # Tangents of half of the angles of a frequency with both points: all are rational
    # where these are.
    x = Given(axes=("q",))
    y = Given(axes=("q",))
    eighths = Given(default=lambda i: 4)
    picked = Draw("m", "q", True, meaning="frequencies of the pairs")
    picked_once = Draw("D", "q", True, meaning="frequencies of the features")
    phases = Draw("D", "eighths", True, meaning="phases of the features")

    @classmethod
    def drawn(cls, instance, rng):
        """Up to three frequencies, of which so few are drawn that all can be listed."""
        q, m, D = (int(rng.integers(1, high)) for high in (4, 4, 3))
        x, y = np.round(2 * rng.standard_normal((2, q))) / 2
        return cls.at(x, y, m, D, 2.0 ** rng.integers(-2, 2))

    @classmethod
    def at(cls, x, y, m, D, epsilon=1.0, name=""):
        """At two points, before anything is drawn."""
        return cls(name, **_parts(x, y, m, D, epsilon))

    @classmethod
    def exactly_at(cls, x, y, m=1, D=1, epsilon=1, name=""):
        """The same in exact numbers."""
        return cls.exactly(name, **_parts(x, y, m, D, epsilon))

    @classmethod
    def with_cosines(cls, cosines, m, D=1, epsilon=1.0, name=""):
        """With these values of ``cos w'(x - y)``, the second point at the origin."""
        x = np.tan(np.arccos(np.array(cosines)) / 2)
        return cls.at(x, 0 * x, m, D, epsilon, name)


def _parts(x, y, m, D, epsilon) -> dict:
    given = {"x": x, "y": y, "m": m, "D": D, "epsilon": epsilon, "eighths": 4}
    drawn = {"picked": [0] * m, "picked_once": [0] * D, "phases": [0] * D}
    return given | drawn


# --- The kernel, and what the features make of it -------------------------------------


def _angles(i):
    """Angles of each frequency with both points, (q,) each."""
    return tuple(2 * np.arctan(np.asarray(t, dtype=float)) for t in (i.x, i.y))


def _at(values, places):
    return values[np.asarray(places).astype(int)]


quantity = partial(RandomWaves.quantity, unit=0)


@quantity(r"\kappa(\Delta)", "kernel at the difference of the points")
def kernel(i):
    x, y = _angles(i)
    return np.cos(x - y).mean()


@quantity(r"\kappa(2\Delta)", "kernel at twice the difference")
def kernel_twice(i):
    x, y = _angles(i)
    return np.cos(2 * (x - y)).mean()


@quantity(r"\tilde s", "estimate from sines and cosines of m frequencies", SAMPLE)
def estimate(i):
    x, y = _angles(i)
    return _at(np.cos(x - y), i.picked).mean()


@quantity(r"\breve s", "estimate from D cosines with phases", SAMPLE)
def estimate_phases(i):
    x, y = (_at(angle, i.picked_once) for angle in _angles(i))
    b = EIGHTH * np.asarray(i.phases)
    return (2 * np.cos(x + b) * np.cos(y + b)).mean()


# --- Laws -----------------------------------------------------------------------------


def _wave_counts(i):
    q, m = i.sizes["q"], i.sizes["m"]
    found = multinomial([1 / q] * q, m)
    return None if found is None else ((p, i.but(picked=S)) for p, S in found)


def _phased_counts(i):
    q, D = i.sizes["q"], i.sizes["D"]
    kinds = 4 * q
    found = multinomial([1 / kinds] * kinds, D)
    if found is None:
        return None
    pairs = ((p, np.array(S)) for p, S in found)
    return ((p, i.but(picked_once=S // 4, phases=S % 4)) for p, S in pairs)


def _repeated_wave(i):
    q, m = i.sizes["q"], i.sizes["m"]
    return ((1 / q, i.but(picked=[j] * m)) for j in range(q))


def _some_phases(choices):
    def outcomes(i):
        D = i.sizes["D"]
        found = multinomial([1 / len(choices)] * len(choices), D, ordered=True)
        return ((p, i.but(phases=_at(choices, S))) for p, S in found)

    return outcomes


laws.enter("wave_counts", "frequencies, by how often each is drawn", _wave_counts)
laws.enter("phased_counts", "the same with phases", _phased_counts)
laws.enter("repeated_wave", "one frequency, repeated", _repeated_wave)
laws.enter("no_phase", "the phase 0", _some_phases(np.array([0])))
laws.enter("two_phases", "phases 0 and a right angle", _some_phases(np.array([0, 2])))


# --- The theorem ----------------------------------------------------------------------


def _gaussian(k) -> list[float]:
    """Two cosines of mean k that make ``kappa(2 Delta) = k^4``, as Gaussians do."""
    return [k - (1 - k**2) / np.sqrt(2), k + (1 - k**2) / np.sqrt(2)]


def _cases(rng):
    for k in (-0.4, -0.25, 0.0, 0.1, 0.3, 0.4):
        for m, D in ((1, 1), (2, 2), (4, 1)):
            yield RandomWaves.with_cosines(_gaussian(k), m, D, name="Gaussian")
    # Cosines 1, 0 and -1 with kappa(Delta) = kappa(2 Delta) = 0, in whole numbers.
    yield RandomWaves.at([1.0, 1, 1, 1], [1.0, -1, 0, 0], 2, 2, name="Gaussian")
    # Both ends of the interval, where Hoeffding's inequality is close.
    for m, epsilon in ((2, 0.9), (3, 0.9), (4, 0.9), (40, 0.3), (100, 0.25)):
        case = RandomWaves.at([1.0, 1], [1.0, -1], m, 1, epsilon, "both ends")
        yield case
    for D, epsilon in ((3, 1.5), (4, 1.25), (4, 1.7499)):
        yield RandomWaves.at([1.0, 1], [1.0, -1], 1, D, epsilon, "both ends")


_exactly = RandomWaves.exactly_at
# cos(x - y) = 3/5 and -4/5 + ..., all of them fractions.
_TWO = _exactly([1, "1/2"], [0, 1], m=2, D=2)
_ENDS = _exactly([1, 1], [1, -1], m=1, D=1, epsilon="9/10")
_FAR_ENDS = _exactly([1, 1], [1, -1], m=1, D=4, epsilon="17499/10000")
_FOUR = _exactly([1, 1], [1, -1], m=4, epsilon="9/10")
_ONE = _exactly(["1/2"], [0], m=2, D=2)
_SELDOM = (
    "Hoeffding's inequality behind it serves every number between -2 and 2, and a wave "
    "with a phase is seldom near the ends"
)
_IS_GAUSSIAN = "kernel_twice == kernel**4"

RFF_VARIANCE = Theorem(
    id="wikipedia:rff-variance",
    kind="expectation",
    status="holds",
    title="Mean and variance of random Fourier features",
    number="random Fourier features, with the papers that it cites",
    setting=(
        r"Let $\kappa(\Delta)$ be the mean of $\cos \omega^\top \Delta$ over a "
        r"spectral measure, $\Delta = x - y$. Draw $m$ independent frequencies and let "
        r"$\tilde s = \frac1m \sum_i (\cos \omega_i^\top x \cos \omega_i^\top y + \sin "
        r"\omega_i^\top x \sin \omega_i^\top y)$; or draw $D$ frequencies and $D$ "
        r"phases $b_i$, all independent, and let $\breve s = \frac2D \sum_i \cos("
        r"\omega_i^\top x + b_i) \cos(\omega_i^\top y + b_i)$. The phases are uniform "
        r"among $0$, $\frac\pi4$, $\frac\pi2$ and $\frac{3\pi}4$, and so have the "
        r"second moments of the uniform law on the circle."
    ),
    claims={
        "pairs, mean": Claim("mean(estimate) == kernel", law="wave_counts"),
        "pairs": Claim(
            "mean((estimate - kernel)**2) == "
            "(1 + kernel_twice - 2 * kernel**2) / (2 * m)",
            law="wave_counts",
            says="and its variance is",
        ),
        "phases, mean": Claim(
            "mean(estimate_phases) == kernel",
            law="phased_counts",
            says="With phases",
        ),
        "phases": Claim(
            "mean((estimate_phases - kernel)**2) == "
            "(1 + kernel_twice / 2 - kernel**2) / D",
            law="phased_counts",
            says="and the variance is",
        ),
        "Gaussian, pairs": Claim(
            "mean((estimate - kernel)**2) == (1 - kernel**2)**2 / (2 * m)",
            when=_IS_GAUSSIAN,
            law="picked",
            says="As for the Gaussian kernel,",
        ),
        "Gaussian, phases": Claim(
            "mean((estimate_phases - kernel)**2) == ((1 - kernel**2)**2 + 1) / (2 * D)",
            when=_IS_GAUSSIAN,
            law="picked_once >> phases",
        ),
        "pairs, chance": Claim(
            "chance(abs(estimate - kernel) >= epsilon) <= 2 * exp(-m * epsilon**2 / 2)",
            law="wave_counts",
            says="Larger errors are rare:",
        ),
        "phases, chance": Claim(
            "chance(abs(estimate_phases - kernel) >= epsilon)"
            " <= 2 * exp(-D * epsilon**2 / 8)",
            law="phased_counts",
        ),
    },
    world=RandomWaves,
    cases=_cases,
    loose={"phases, chance": _SELDOM},
    controls={
        "one percent more": Control(
            "pairs, mean", _TWO, {"== kernel": "== 1.01 * kernel"}
        ),
        "one frequency for all": Control("pairs", _TWO, law="repeated_wave"),
        "without phases": Control("phases, mean", _TWO, law="picked_once >> no_phase"),
        "two phases": Control("phases", _TWO, law="picked_once >> two_phases"),
        "one cosine": Control("Gaussian, pairs", _ONE, lacks=_IS_GAUSSIAN),
        "one cosine with phases": Control("Gaussian, phases", _ONE, lacks=_IS_GAUSSIAN),
        "twice the exponent": Control("pairs, chance", _ENDS, {"/ 2)": "/ 1)"}),
        "one frequency, drawn once": Control(
            "pairs, chance", _FOUR, law="repeated_wave"
        ),
        "four times the exponent": Control("phases, chance", _FAR_ENDS, {"/ 8": "/ 2"}),
    },
)
