"""Random binning: the chance that two points share a bin is a kernel.

Rahimi and Recht 2007; the encyclopaedia's article on low-rank approximations.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import scipy.integrate

from nystheory.engine import Claim, Control, Theorem
from nystheory.engine.language.quantity import BEFORE, SAMPLE
from nystheory.engine.worlds import laws
from nystheory.engine.worlds.drawn_columns import LISTED
from nystheory.engine.worlds.worlds import Given, World


class Grids(World):
    """Pitches of equal chance, the distances of two points, and P grids."""

    P = Given(
        "P",
        "number of grids",
        range="1 <= floor(P) == P",
        says=r"$P \ge 1$ be an integer",
    )
    z = Given("z", "distance on one axis", range="z > 0")
    pitches = Given(
        r"\delta",
        "pitches",
        axes=("pitches",),
        range="min(pitches) > 0",
        says="all pitches be positive",
    )
    # The distances of the two points along the axes.
    gaps = Given(
        r"|x - y|",
        "distances along the axes",
        axes=("axes",),
        range="min(gaps) >= 0",
        says=r"all distances $|x_j - y_j| \ge 0$",
    )
    widths = Given(axes=("grids", "axes"), drawn=True)
    shifts = Given(axes=("grids", "axes"), drawn=True)

    @classmethod
    def of_points(cls, gaps, pitches, P=1, z=1):
        """Two points, and grids that are not drawn yet."""
        one, none = [[1] * len(gaps)] * P, [[0] * len(gaps)] * P
        drawn = {"widths": one, "shifts": none}
        return cls.exactly(gaps=gaps, pitches=pitches, P=P, z=z, **drawn)

    @classmethod
    def drawn(cls, instance, rng):
        """One or two axes, one to three pitches, one or two grids."""
        axes = int(rng.integers(1, 3))
        size, P = int(rng.integers(1, 4 - axes)), int(rng.integers(1, 4 - axes))
        gaps = rng.integers(0, 9, axes) / 4
        pitches = rng.integers(1, 13, size) / 4
        drawn = {"widths": np.ones((P, axes)), "shifts": np.zeros((P, axes))}
        z = rng.integers(1, 65) / 16
        return cls(gaps=gaps, pitches=pitches, P=P, z=z, **drawn)


def _one_axis(z, pitches):
    """Chance, pitch and shift, one for each interval of shifts."""
    for pitch in pitches:
        ends = np.unique([0.0, math.fmod(z, pitch), pitch])
        for low, high in zip(ends, ends[1:], strict=False):
            yield (high - low) / pitch / len(pitches), pitch, (low + high) / 2


def _outcomes(i):
    of_axes = [list(_one_axis(float(z), np.ravel(i.pitches))) for z in np.ravel(i.gaps)]
    one_grid, P = list(product(*of_axes)), int(i.P)
    if len(one_grid) ** P > LISTED:
        return None
    return (
        (
            math.prod(p for grid in some for p, _, _ in grid),
            i.but(
                widths=[[width for _, width, _ in grid] for grid in some],
                shifts=[[shift for _, _, shift in grid] for grid in some],
            ),
        )
        for some in product(one_grid, repeat=P)
    )


laws.enter("grids", "grids with random pitches and shifts", _outcomes)


def _mixed(i, z):
    return np.maximum(1 - z / np.asarray(i.pitches), 0).mean()


@Grids.quantity(r"\kappa(x, y)", "kernel of a law of pitches", unit=0)
def kernel(i):
    return math.prod(_mixed(i, z) for z in np.ravel(i.gaps))


@Grids.quantity(r"\kappa(z)", "kernel at the distance z on one axis", unit=0)
def kernel_at(i):
    return _mixed(i, float(i.z))


@Grids.quantity(r"\kappa(2z)", "kernel at twice this distance", unit=0)
def kernel_twice(i):
    return _mixed(i, 2 * float(i.z))


@Grids.quantity("s", "share of the grids in which two points share a bin", SAMPLE)
def shared(i):
    """The bins of the origin and of the point at these distances from it."""
    own, other = (
        np.floor((x - np.asarray(i.shifts)) / np.asarray(i.widths))
        for x in (0.0, np.asarray(i.gaps))
    )
    return (own == other).all(axis=1).mean()


def _by_quadrature(i, density):
    """The mean of ``max(0, 1 - z/t)`` over the pitch t."""
    z = float(i.z)

    def weighted(t):
        return (1 - z / t) * density(t)

    return scipy.integrate.quad(weighted, z, np.inf, epsabs=1e-13, epsrel=1e-12)[0]


def _of_quadrature(_):
    return 1e2


@Grids.quantity(
    r"\int_z^\infty \bigl(1 - \frac z\delta\bigr)\, \delta e^{-\delta}\, d\delta",
    "chance of a common bin with pitches of the law Gamma(2, 1)",
    BEFORE,
    unit=0,
    condition=_of_quadrature,
)
def gamma_mean(i):
    return _by_quadrature(i, lambda t: t * np.exp(-t))


@Grids.quantity(
    r"\int_z^\infty \bigl(1 - \frac z\delta\bigr)\, e^{-\delta}\, d\delta",
    "chance of a common bin with pitches of the law Exp(1)",
    BEFORE,
    unit=0,
    condition=_of_quadrature,
)
def exponential_mean(i):
    return _by_quadrature(i, lambda t: np.exp(-t))


_of = Grids.of_points
_ONE, _TWO_AXES = _of(["1/2"], [1]), _of(["1/2", "1/4"], [1])
_TWICE = _of(["1/2"], [1], P=2)

RANDOM_BINNING = Theorem(
    id="wikipedia:random-binning",
    kind="expectation",
    status="holds",
    title="Random binning",
    number="the section on random features",
    setting=(
        r"Draw a pitch $\delta$ for each axis independently from one law, and a shift "
        r"that is uniform in $[0, \delta]$: a grid of bins. Let $\kappa(z)$ be the "
        r"mean of $\max(0, 1 - z/\delta)$, $\kappa(x, y) = \prod_j \kappa(|x_j - "
        "y_j|)$, and $s$ the share of $P$ independent grids in which $x$ and $y$ "
        "fall into the same bin."
    ),
    claims={
        "mean": Claim("mean(shared) == kernel", law="grids"),
        "variance": Claim(
            "mean((shared - kernel) ** 2) == kernel * (1 - kernel) / P",
            law="grids",
            says="Its variance is that of a coin:",
        ),
        "far": Claim(
            "mean(shared) == 0",
            when="max(gaps) > max(pitches)",
            law="grids",
            says="Points that are farther apart on some axis than the largest pitch "
            "never share a bin:",
        ),
        "Laplacian": Claim(
            "gamma_mean == exp(-z)",
            says=r"Pitches of the law $\Gamma(2, 1)$ give the Laplacian kernel "
            r"$e^{-\|x - y\|_1}$:",
        ),
        "below pairs": Claim(
            "exp(-z) * (1 - exp(-z)) / P < (1 - exp(-2 * z)) / (2 * P)",
            says="For this kernel $P$ grids have less than half of the variance of $P$ "
            "features in pairs:",
        ),
        "convex": Claim(
            "1 + kernel_twice >= 2 * kernel_at",
            says="Every such kernel is convex on the half-line, so that",
        ),
        "Gaussian": Claim(
            "1 + exp(-2 * z ** 2) < 2 * exp(-z ** 2 / 2)",
            when="z <= 1",
            says=r"The Gaussian kernel $e^{-z^2/2}$ is not one of them:",
        ),
    },
    world=Grids,
    controls={
        "the longest axis alone": Control(
            "mean", _TWO_AXES, {"== kernel": "== kernel / (1 - 1 / 4)"}
        ),
        "one grid": Control("variance", _TWICE, {"/ P": ""}),
        "near": Control("far", _ONE, lacks="max(gaps) > max(pitches)"),
        "exponential pitches": Control(
            "Laplacian", _ONE, {"gamma_mean": "exponential_mean"}
        ),
        "a fourth of it": Control(
            "below pairs",
            _of(["1/2"], [1], z="1/2"),
            {"(2 * P)": "(4 * P)"},
        ),
        "concave": Control("convex", _ONE, {">=": "<="}),
        "far": Control("Gaussian", _of(["1/2"], [1], z=2), lacks="z <= 1"),
    },
)
