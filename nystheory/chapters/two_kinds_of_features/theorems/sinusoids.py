"""Which norm a sum of sinusoids has in the space of a Gaussian kernel.

Yang, Li, Mahdavi, Jin and Zhou 2012, Proposition 1: as it is printed, and on a torus.
"""

from __future__ import annotations

from functools import cached_property, partial
from itertools import product

import numpy as np

from nystheory.engine import Claim, Control, Hypothesis, Printed, Theorem
from nystheory.engine.language.quantity import CHOSEN
from nystheory.engine.worlds.worlds import Given, Size, World

# --- Sums of sinusoids ----------------------------------------------------------------


class Sinusoids(World):
    """A sum of sinusoids, and a Gaussian kernel."""

    m = Size("m", "number of frequencies")
    d = Size("d", "dimension")
    # Any numbers are read as integers.
    u = Given(meaning="frequencies", axes=("m", "d"))
    ws = Given(r"w_i^{\mathrm s}", "weights of the sines", axes=("m",))
    wc = Given(r"w_i^{\mathrm c}", "weights of the cosines", axes=("m",))
    sigma = Given(r"\sigma", "width of the kernel", range="sigma > 0")
    x = Given("x", "a point of the circle")
    # For the printed form: examples in a space without ends.
    examples = Given(axes=("count", "d"))

    @classmethod
    def drawn(cls, instance, rng):
        """Up to three frequencies on a line, or low ones in the plane."""
        d, m = int(rng.integers(1, 3)), int(rng.integers(1, 4))
        u = rng.integers(-3 // d, 3 // d + 1, (m, d)).astype(float)
        ws, wc = np.round(2 * rng.standard_normal((2, m))) / 2
        X = rng.integers(-4, 5, (int(rng.integers(1, 4)), d)).astype(float)
        given = {"sigma": 2.0 ** rng.integers(-2, 2), "x": rng.integers(-6, 7) / 2}
        return cls(u=u, ws=ws, wc=wc, examples=X, **given)

    @classmethod
    def cosine(cls, examples, u=1, sigma=1, x=1):
        """One cosine on the line, in exact numbers."""
        X = [[each] for each in examples]
        given = {"examples": X, "sigma": sigma, "x": x}
        return cls.exactly(u=[[u]], ws=[0], wc=[1], **given)

    @property
    def frequencies(self) -> np.ndarray:
        """The frequencies, integers (m, d)."""
        return np.floor(np.asarray(self.u, dtype=float) + 0.5)

    @cached_property
    def lattice(self) -> np.ndarray:
        """Integers up to the highest frequency in each direction, (points, d)."""
        J = int(np.abs(self.frequencies).max(initial=0))
        return np.array([*product(range(-J, J + 1), repeat=self.sizes["d"])])

    @cached_property
    def spectrum(self) -> np.ndarray:
        """Fourier coefficients of the kernel at these frequencies."""
        first = (float(self.sigma) / np.sqrt(2 * np.pi)) ** self.sizes["d"]
        return first * np.exp(-(self.sigma**2) * (self.lattice**2).sum(axis=1) / 2)

    def values(self, points) -> np.ndarray:
        """Of the sum of sinusoids at some points."""
        angles = np.asarray(points, dtype=float) @ self.frequencies.T
        return np.sin(angles) @ self.ws + np.cos(angles) @ self.wc


def _points(i):
    """As many points in each direction as frequencies: no two look alike there."""
    return 2 * np.pi * i.lattice / (i.lattice.max(initial=0) * 2 + 1)


def _condition(i):
    return i.spectrum.max() / i.spectrum.min()


quantity = partial(Sinusoids.quantity, unit=0)


@quantity("f", "values at the points of the lattice", CHOSEN)
def f(i):
    return i.values(_points(i))


@quantity("K", "matrix of the cut kernel at the points of the lattice", CHOSEN)
def K(i):
    angles = _points(i) @ i.lattice.T
    waves = np.cos(angles), np.sin(angles)
    return sum((wave * i.spectrum) @ wave.T for wave in waves)


@quantity(r"\|u_i\|^2", "squared lengths of the frequencies", CHOSEN)
def u2(i):
    return (i.frequencies**2).sum(axis=1)


@quantity(r"c_\sigma", "half of the power d/2 of 2 pi over sigma squared", CHOSEN)
def scale(i):
    return (2 * np.pi / float(i.sigma) ** 2) ** (i.sizes["d"] / 2) / 2


@Sinusoids.quantity(
    r"u_i \ne \pm u_j \text{ for } i \ne j",
    "whether frequencies differ by more than a sign",
    CHOSEN,
)
def apart(i):
    """By the first entry that is not zero, made positive."""
    turned = {max(tuple(u), tuple(-u)) for u in i.frequencies}
    return len(turned) == len(i.frequencies)


# --- The periodic kernel --------------------------------------------------------------

# Terms of a Gaussian so many widths from its middle are below rounding.
WIDTHS = 10
# More of them are not added up.
MOST = 10_000


@quantity(
    r"\textstyle\sum_k e^{-(x + 2\pi k)^2 / (2\sigma^2)}",
    "the kernel on the circle, from its images on the line",
    CHOSEN,
)
def images(i):
    sigma, x = float(i.sigma), np.remainder(i.x + np.pi, 2 * np.pi) - np.pi
    k = _around_zero(WIDTHS * sigma / (2 * np.pi) + 1)
    return np.exp(-((x + 2 * np.pi * k) ** 2) / (2 * sigma**2)).sum()


def _around_zero(reach):
    reach = min(int(np.ceil(reach)), MOST)
    return np.arange(-reach, reach + 1)


@quantity(
    r"\tfrac{\sigma}{\sqrt{2\pi}} \textstyle\sum_j e^{-\sigma^2 j^2 / 2} \cos j x",
    "the kernel on the circle, from its frequencies",
    CHOSEN,
)
def series(i):
    sigma = float(i.sigma)
    if sigma * MOST < WIDTHS:
        return None
    j = _around_zero(WIDTHS / sigma)
    terms = np.exp(-((sigma * j) ** 2) / 2) * np.cos(j * i.x)
    return sigma / np.sqrt(2 * np.pi) * terms.sum()


# --- Without ends ---------------------------------------------------------------------


def _of_examples(i):
    found = np.linalg.cond(_gaussian(i))
    return found if found < 1e12 else np.inf


def _gaussian(i):
    X = np.unique(np.asarray(i.examples, dtype=float), axis=0)
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    return np.exp(-squares / (2 * float(i.sigma) ** 2))


@quantity(
    r"\|f\|_{\mathcal H(X)}^2",
    "squared norm in the space of the kernel on the examples",
    CHOSEN,
    condition=_of_examples,
)
def norm_on_examples(i):
    X = np.unique(np.asarray(i.examples, dtype=float), axis=0)
    values = i.values(X)
    return values @ np.linalg.solve(_gaussian(i), values)


# --- The proposition ------------------------------------------------------------------


def _cases(rng):
    """Frequencies up to 4 on the circle, and in the plane."""
    for sigma in (0.25, 0.5, 1.0, 1.5):
        for u in ([[1], [4]], [[2], [3], [-1]], [[1, 0], [0, 1]], [[1, 1], [1, -1]]):
            ws, wc = rng.integers(-3, 4, (2, len(u))).astype(float)
            given = {"sigma": sigma, "x": float(rng.integers(-3, 4))}
            X = rng.integers(-4, 5, (2, len(u[0]))).astype(float)
            yield Sinusoids(u=np.array(u, float), ws=ws, wc=wc, examples=X, **given)


def _example(u, ws, wc) -> Sinusoids:
    given = {"examples": [[0]], "sigma": 1, "x": 1}
    return Sinusoids.exactly(u=[[j] for j in u], ws=ws, wc=wc, **given)


_ONE = _example([1], [1], [1])
_ZERO = _example([0], [0], [1])
_OPPOSITE = _example([1, -1], [0, 0], [1, 1])
_WEIGHTED = "sum(exp(sigma**2 * u2 / 2) * (ws**2 + wc**2))"
_QUOTED = (
    "The approximate kernel machine in (5) is equivalent to the following linear "
    r"machine … $\gamma_i^{s/c} = \exp(\sigma^2 \|u_i\|_2^2/2)$"
)

SINUSOIDS = Theorem(
    id="yang2012:prop-1",
    kind="identity",
    status="conditional",
    title="Sinusoids as a kernel machine",
    number="Proposition 1",
    setting=(
        r"Let $\kappa$ be the Gaussian kernel of width $\sigma$ on $\mathbb R^d$, "
        r"summed over all shifts by $2\pi \mathbb Z^d$ and cut after the frequencies "
        r"$j \in \mathbb Z^d$ with $|j_a| \le J$, the largest entry of the $u_i$. Let "
        r"$K$ be its matrix on a lattice of $(2J + 1)^d$ points of the torus, let $f$ "
        r"be the values there of $\sum_i w_i^{\mathrm s} \sin u_i^\top x + "
        r"w_i^{\mathrm c} \cos u_i^\top x$ with integer frequencies $u_i$, and let "
        r"$c_\sigma = \frac12 (2\pi / \sigma^2)^{d/2}$."
    ),
    hypotheses={
        "not zero": Hypothesis("min(u2) > 0", says=r"$u_i \ne 0$"),
        "apart": Hypothesis("apart"),
    },
    claims={
        "norm": Claim(
            f"f.T @ inv(K) @ f == scale * {_WEIGHTED}",
            says="The squared norm in the space of the kernel is",
        ),
        "circle": Claim(
            "images == series",
            says="The Fourier coefficients of the periodic kernel are those of the "
            "Gaussian: on the circle",
        ),
    },
    world=Sinusoids,
    cases=_cases,
    controls={
        "the square of the weights": Control(
            "norm", _ONE, {"sigma**2 * u2 / 2": "sigma**2 * u2"}
        ),
        "the frequency zero": Control("norm", _ZERO, drops="not zero"),
        "a frequency and its opposite": Control("norm", _OPPOSITE, drops="apart"),
        "one percent more": Control("circle", _ONE, {"== series": "== 1.01 * series"}),
    },
    printed={
        "one example": Printed(
            f"norm_on_examples == {_WEIGHTED}",
            "false statement",
            "False as printed if the norm is that of the reproducing kernel Hilbert "
            "space of section 2: a sinusoid has infinite norm there. The weights are "
            "those of the formal computation, and exact on the torus. The shortest "
            "case is the single example $0$, where the squared norm of $\\cos u x$ is "
            "$1$, not $e^{\\sigma^2 u^2 / 2}$. The proof is in supplementary material "
            "that is not at hand.",
            Sinusoids.cosine([0]),
            says=_QUOTED,
        ),
        "examples on a line": Printed(
            f"norm_on_examples == {_WEIGHTED}",
            "false statement",
            "If the norm is that of section 2, it grows with the examples without "
            "end: on the integers from $-4$ to $4$ the cosine with $u = \\sigma = 1$ "
            "has more than the weight already. The norm on any larger set, the line "
            "among them, is at least as large.",
            Sinusoids.cosine(range(-4, 5)),
            says=_QUOTED,
        ),
    },
)
