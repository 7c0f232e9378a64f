"""A cosine and a sine of each frequency, or one cosine with a random phase.

Rahimi and Recht 2007 have both; Sutherland and Schneider 2015 compare their variances.
"""

from __future__ import annotations

import math
from itertools import islice

import numpy as np

from nystheory.engine import Claim, Control, Theorem, Where
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds import laws
from nystheory.engine.worlds.drawn_columns import LISTED, counts
from nystheory.engine.worlds.worlds import Given, World


class Waves(World):
    """Frequencies of equal chance, two points, and which frequencies are drawn.

    What a frequency turns a point by is told by the tangent of half the angle: then
    all waves are fractions.
    """

    m = Given(
        "m",
        "number of frequencies of pairs",
        range="1 <= floor(m) == m",
        says=r"$m \ge 1$ be an integer",
    )
    z = Given("z", "distance of the two points", range="z > 0")
    at_x = Given(axes=("frequencies",))
    at_y = Given(axes=("frequencies",))
    picked = Given(axes=("pairs",), drawn=True)
    # Waves with phases: four times the frequency, and how many eighths of a turn.
    phased = Given(axes=("waves",), drawn=True)

    @classmethod
    def drawn(cls, instance, rng):
        """A few frequencies, at right angles now and then."""
        size = int(rng.integers(1, 4))
        m = 2 if size == 1 else 1
        at_x, at_y = rng.integers(-3, 4, (2, size)) / 2.0 ** rng.integers(0, 3)
        if rng.random() < 0.3:
            at_x, at_y = np.sign(at_x), np.sign(at_y)
        known = {"m": m, "z": 2.0 ** rng.integers(-2, 3) * rng.integers(1, 4)}
        drawn = {"picked": np.zeros(m, dtype=int), "phased": np.zeros(2 * m, dtype=int)}
        return cls(at_x=at_x, at_y=at_y, **known, **drawn)


Waves.composed("D", "D", "2 * m", "number of features", CHOSEN)


def _angles(i):
    """What each frequency turns x and y by, (2, frequencies)."""
    return 2 * np.arctan(np.array([i.at_x, i.at_y], dtype=float))


def _pairs(i):
    """The features of x and of y, (2, D)."""
    angles = _angles(i)[:, np.asarray(i.picked, dtype=int)]
    features = np.concatenate([np.cos(angles), np.sin(angles)], axis=1)
    return features / math.sqrt(angles.shape[1])


def _phases(i):
    places = np.asarray(i.phased, dtype=int)
    shift = np.pi / 4 * (places % 4)
    return np.sqrt(2 / len(places)) * np.cos(_angles(i)[:, places // 4] + shift)


@Waves.quantity(r"\kappa(\Delta)", "kernel at the difference of the points", unit=0)
def kernel(i):
    x, y = _angles(i)
    return np.cos(x - y).mean()


@Waves.quantity(r"\kappa(2\Delta)", "kernel at twice the difference", unit=0)
def kernel_twice(i):
    x, y = _angles(i)
    return np.cos(2 * (x - y)).mean()


@Waves.quantity(r"s", "kernel value from pairs", SAMPLE, unit=0)
def pair_value(i):
    x, y = _pairs(i)
    return x @ y


@Waves.quantity(r"\breve s", "kernel value from waves with phases", SAMPLE, unit=0)
def phase_value(i):
    x, y = _phases(i)
    return x @ y


@Waves.quantity(r"\rho", "squared distance of features, pairs", SAMPLE, unit=0)
def pair_distance(i):
    x, y = _pairs(i)
    return np.sum((x - y) ** 2)


@Waves.quantity(r"\breve\rho", "the same for waves with phases", SAMPLE, unit=0)
def phase_distance(i):
    x, y = _phases(i)
    return np.sum((x - y) ** 2)


# --- Laws ----------------------------------------------------------------


def _by_counts(i, size, draws, name):
    """Uniform draws of so many, by how often each is drawn."""
    found = list(islice(counts((1,) * size, draws, repeated=True), LISTED + 1))
    if len(found) > LISTED:
        return None
    ways = (math.factorial(draws) / math.prod(map(math.factorial, c)) for c in found)
    return (
        (w / size**draws, i.but(**{name: np.repeat(np.arange(size), c)}))
        for w, c in zip(ways, found, strict=True)
    )


def _pair_outcomes(i):
    return _by_counts(i, len(i.at_x), int(i.m), "picked")


def _phase_outcomes(i):
    """Four phases stand for all, in means of squares."""
    return _by_counts(i, 4 * len(i.at_x), 2 * int(i.m), "phased")


laws.enter("uniform_pairs", "independent frequencies", _pair_outcomes)
laws.enter("four_phases", "frequencies with phases", _phase_outcomes)

# --- The theorem ----------------------------------------------------------------------

_PAIRS = "(1 + kernel_twice - 2 * kernel ** 2) / D"
_PHASES = "(2 + kernel_twice - 2 * kernel ** 2) / (2 * D)"
_DISTANCE = "(5 - 4 * kernel + 3 * kernel_twice - 4 * kernel ** 2) / D"
_SQUARED = "mean(({} - kernel) ** 2) =="
_OF_DISTANCE = "mean(({} - 2 * (1 - kernel)) ** 2) =="
_LESS, _MORE = "v_pairs < v_phases", "w_pairs > w_phases"
_CAUCHY = "1 / (1 + 4 * z ** 2) < 2 * (1 / (1 + z ** 2)) ** 2"
_GAUSSIAN = "exp(-2 * z ** 2) > (2 * exp(-z ** 2 / 2) - 1) ** 2"


def _two(at_x, at_y, m=1, z=1, **changes) -> Waves:
    """Angles at x and y, all at the first frequency drawn."""
    drawn = {"picked": [0] * m, "phased": [0] * (2 * m)}
    return Waves.exactly(at_x=at_x, at_y=at_y, m=m, z=z, **{**drawn, **changes})


# Cosines 1 and -1 of the differences, so that kappa is 0, and 1 at twice of that.
_OPPOSITE = _two([0, 1], [0, -1])
# Cosines 1, 1 and 0.
_ONE_OF_THREE = _two([0, 0, 0], [0, 0, 1])
_FAR, _NEAR = _two([0], [0], z=3), _two([0], [0], z="13/10")

PAIRS_OR_PHASES = Theorem(
    id="modern:pairs-or-phases",
    kind="expectation",
    status="holds",
    title="Pairs or phases",
    number="after Sutherland and Schneider 2015",
    setting=(
        r"Let $\kappa(x - y)$ be the mean of $\cos \omega^\top (x - y)$ over a law of "
        r"frequencies, $\Delta = x - y$. Draw frequencies independently from it. Let "
        r"$s$ be the inner product of the features of $x$ and $y$ from pairs, "
        r"$\sqrt{2/D}\, (\cos \omega_i^\top x, \sin \omega_i^\top x)$ for $i \le m = "
        r"D/2$, and $\rho$ their squared distance; let $\breve s$ and $\breve\rho$ be "
        r"those from $D$ waves with phases, $\sqrt{2/D} \cos(\omega_i^\top x + b_i)$ "
        r"with independent phases $b_i$, uniform ones or others for which $e^{2ib}$ "
        r"and $e^{4ib}$ have the mean $0$."
    ),
    where={
        "v_pairs": Where("v", _PAIRS),
        "v_phases": Where(r"\breve v", _PHASES),
        "w_pairs": Where("w", f"4 * {_PAIRS}"),
        "w_phases": Where(r"\breve w", _DISTANCE),
        "g": Where("g", "exp(-z ** 2 / 2)", told=False),
    },
    claims={
        "which": Claim(
            f"({_LESS}) == (kernel_twice < 2 * kernel ** 2)",
            says="For a kernel value, pairs have the smaller variance exactly under "
            "one condition:",
        ),
        "variance, pairs": Claim(
            f"{_SQUARED.format('pair_value')} v_pairs",
            law="uniform_pairs",
            says="The variances are",
        ),
        "variance, phases": Claim(
            f"{_SQUARED.format('phase_value')} v_phases", law="four_phases"
        ),
        "which, distances": Claim(
            f"({_MORE}) == (kernel_twice > (2 * kernel - 1) ** 2)",
            says="For a squared distance, pairs have the larger variance exactly "
            "under another:",
        ),
        "distances, pairs": Claim(
            f"{_OF_DISTANCE.format('pair_distance')} w_pairs",
            law="uniform_pairs",
            says="The variances of squared distances are",
        ),
        "distances, phases": Claim(
            f"{_OF_DISTANCE.format('phase_distance')} w_phases", law="four_phases"
        ),
        "Gaussian": Claim(
            f"({_GAUSSIAN}) == (z ** 2 < 2 * log(1 + sqrt(2)))",
            says="For the Gaussian kernel $e^{-z^2/2}$ the first condition is always "
            "met, and the second near $0$:",
        ),
        "an eighth": Claim(
            "5 - 4 * g + 3 * g ** 4 - 4 * g ** 2 >= 7 / 8 * (4 * (1 - g ** 2) ** 2)",
            says="There phases reduce the variance by at most an eighth, with $g = "
            "e^{-z^2/2}$:",
        ),
        "Cauchy": Claim(
            f"({_CAUCHY}) == (z ** 2 < 3 + sqrt(10))",
            says="For the Cauchy kernel $1 / (1 + z^2)$ in one dimension the first is "
            "met near $0$ only:",
        ),
    },
    world=Waves,
    controls={
        "always pairs": Control(
            "which", _OPPOSITE, {"(kernel_twice < 2 * kernel ** 2)": "True"}
        ),
        "always pairs, distances": Control(
            "which, distances",
            _ONE_OF_THREE,
            {"(kernel_twice > (2 * kernel - 1) ** 2)": "False"},
        ),
        "that of phases": Control(
            "variance, pairs", _ONE_OF_THREE, {"v_pairs": "v_phases"}
        ),
        "that of pairs": Control(
            "variance, phases", _ONE_OF_THREE, {"v_phases": "v_pairs"}
        ),
        "distances, that of phases": Control(
            "distances, pairs", _ONE_OF_THREE, {"w_pairs": "w_phases"}
        ),
        "distances, that of pairs": Control(
            "distances, phases", _ONE_OF_THREE, {"w_phases": "w_pairs"}
        ),
        "one half": Control("Gaussian", _NEAR, {"log(1 + sqrt(2))": "log(2)"}),
        "a tenth": Control(
            "an eighth",
            _two([0], [0], z="1/8"),
            {"7 / 8 *": "9 / 10 *"},
        ),
        "always": Control("Cauchy", _FAR, {"(z ** 2 < 3 + sqrt(10))": "True"}),
    },
)
