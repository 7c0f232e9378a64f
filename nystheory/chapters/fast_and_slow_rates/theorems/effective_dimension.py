"""The effective dimension of a spectrum that decays.

Della Vecchia, De Vito, Mourtada and Rosasco 2024, Propositions 34 and 35; the first is
due to Caponnetto and De Vito 2007, Proposition 3.
"""

from __future__ import annotations

import numpy as np

from nystheory.engine import Claim, Control, Printed, Theorem, Where
from nystheory.engine.language.quantity import CHOSEN
from nystheory.engine.worlds.worlds import Given, Size, World

# --- Spectra --------------------------------------------------------------------------


class Decay(World):
    """Eigenvalues of a covariance, by their shares of the most that is allowed."""

    N = Size("N", "number of eigenvalues")
    t = Given(
        r"\tau_j",
        "shares of the largest eigenvalues that are allowed",
        axes=("N",),
        range="min(t) >= 0 and max(t) <= 1",
        says=r"$0 \le \tau_j \le 1$",
    )
    gamma = Given(r"\gamma", "constant of the decay", range="gamma > 0")


@Decay.quantity("j", "index of the eigenvalues, from 1", CHOSEN, unit=None)
def j(i):
    return np.arange(1.0, len(i.t) + 1)


class PowerDecay(Decay):
    """Eigenvalues below a power of their index."""

    capacity = Given(
        "p",
        "exponent of the effective dimension",
        range="0 < capacity < 1",
    )

    @classmethod
    def drawn(cls, instance, rng):
        """Up to 40 eigenvalues, all as large as allowed or not."""
        N = int(rng.integers(1, 1 + rng.choice([4, 40])))
        t = np.ones(N) if rng.integers(2) else rng.integers(0, 9, N) / 8
        p = float(rng.choice([1, 2, 4, 6])) / 8
        gamma, alpha = 2.0 ** rng.integers(-6, 5), 2.0 ** -rng.integers(-2, 12)
        return cls(t=t, capacity=p, gamma=gamma, alpha=alpha)

    @classmethod
    def full(cls, N, p, gamma=1, alpha=1):
        """All eigenvalues as large as allowed, in exact numbers."""
        return cls.exactly(t=[1] * N, capacity=p, gamma=gamma, alpha=alpha)


@PowerDecay.quantity(r"\pi", "half of the circumference of a unit circle", CHOSEN)
def pi(i):
    return np.pi


class ExponentialDecay(Decay):
    """Eigenvalues below a power with their index as the exponent."""

    beta = Given(r"\beta", "rate of the decay", range="beta > 0")

    @classmethod
    def drawn(cls, instance, rng):
        """Up to 40 eigenvalues, all as large as allowed or not."""
        N = int(rng.integers(1, 1 + rng.choice([4, 40])))
        t = np.ones(N) if rng.integers(2) else rng.integers(0, 9, N) / 8
        beta = 2.0 ** rng.integers(-5, 3)
        gamma, alpha = 2.0 ** rng.integers(-4, 5), 2.0 ** -rng.integers(-3, 12)
        return cls(t=t, beta=beta, gamma=gamma, alpha=alpha)

    @classmethod
    def full(cls, N, beta, gamma=1, alpha=1):
        """All eigenvalues as large as allowed, in exact numbers."""
        return cls.exactly(t=[1] * N, beta=beta, gamma=gamma, alpha=alpha)


# --- The theorems ---------------------------------------------------------------------

_D = "sum(s / (s + alpha))"


def _power_cases(_):
    for p, scale, N in (("1/2", 9, 80), ("1/3", 20, 100), ("1/4", 12, 40)):
        power = {"1/2": 2, "1/3": 3, "1/4": 4}[p]
        for gamma in (1, "1/2", 3):
            yield PowerDecay.full(N, p, gamma, f"1/{scale**power}")


_CUBES = PowerDecay.full(100, "1/3", 1, "1/8000")
_FIFTHS = PowerDecay.full(60, "1/5", 1, f"1/{12**5}")
_TENTHS = PowerDecay.full(1, "1/10")
_ONE = PowerDecay.full(1, "1/5", "1/100", "1/100000")
_TWICE = PowerDecay.exactly(t=[2] * 100, capacity="1/3", gamma=1, alpha="1/8000")

POWER_DECAY = Theorem(
    id="dellavecchia2024:prop-34",
    kind="inequality",
    status="conditional",
    title="Effective dimension of a spectrum that decays like a power",
    number="Proposition 34",
    setting=(
        r"Let a covariance have $N$ eigenvalues $\sigma_j = \tau_j\, \gamma\, "
        r"j^{-1/p}$ with $0 \le \tau_j \le 1$, so that $\sigma_j \le \gamma\, "
        r"j^{-1/p}$, and let $d_\alpha$ be its effective dimension."
    ),
    where={
        "s": Where(r"\sigma_j", "t * gamma * j ** (-1 / capacity)"),
        "d": Where(r"d_\alpha", _D),
        "constant": Where("C_p", "pi * capacity / sin(pi * capacity)"),
    },
    claims={
        "sharp": "d <= gamma ** capacity * constant * alpha ** (-capacity)",
        "simple": Claim(
            "d <= gamma ** capacity / (1 - capacity) * alpha ** (-capacity)",
            says="In a simpler form",
        ),
        "factor": Claim(
            "(1 - capacity) * constant <= 1",
            says=r"The factor between the two does not depend on $\alpha$:",
        ),
        "without the power": Claim(
            "d <= gamma / (1 - capacity) * alpha ** (-capacity)",
            when="gamma ** (1 - capacity) >= (1 - capacity) * constant",
            says=r"If $\gamma$ is large ($\gamma \ge 1$ suffices), its exponent may be "
            "dropped:",
        ),
        "from below": Claim(
            "d >= gamma ** capacity * constant * alpha ** (-capacity) - 1 - gamma "
            "* capacity / (alpha * (1 - capacity)) * (N + 1) ** (1 - 1 / capacity)",
            when="min(t) == 1",
            says=r"For $\sigma_j = \gamma\, j^{-1/p}$ the first bound is nearly "
            "attained:",
        ),
    },
    world=PowerDecay,
    cases=_power_cases,
    controls={
        "a twentieth less": Control("sharp", _CUBES, {"d <=": "d <= 0.95 *"}),
        "eigenvalues twice as large": Control("sharp", _TWICE, drops="t"),
        "a fifth less": Control("simple", _FIFTHS, {"d <=": "d <= 0.8 *"}),
        "nine tenths": Control("factor", _TENTHS, {"<= 1": "<= 0.9"}),
        "a small constant": Control(
            "without the power",
            _ONE,
            lacks="gamma ** (1 - capacity) >= (1 - capacity) * constant",
        ),
        "two fifths": Control(
            "from below", _CUBES, {"(-capacity) - 1 ": "(-capacity) - 0.4 "}
        ),
    },
    printed={
        "the constant without its exponent": Printed(
            "d <= gamma / (1 - capacity) * alpha ** (-capacity)",
            "missing hypothesis",
            "The formula (136) is lost in the text at hand. If it is that of the "
            "proposition which is cited for it, Proposition 3 of Caponnetto and De "
            r"Vito, it has $\gamma$ in place of $\gamma^p$, and needs a hypothesis "
            r"such as $\gamma \ge 1$. The smallest case is the single eigenvalue "
            r"$\sigma_1 = \frac{1}{100}$ with $p = \frac15$: for $\alpha = 10^{-5}$ "
            r"the effective dimension is nearly $1$, and the bound is $0.125$. Only "
            r"the constant changes: with $\gamma^p$ the bound holds, as Sutherland has "
            "shown, and no rate is affected.",
            _ONE,
            says="If for some and … then … (136) (the text at hand lacks the formulas "
            "of this sentence)",
        ),
    },
)


def _exponential_cases(_):
    for beta in ("1/20", "1/4", 1):
        for gamma, alpha in ((1, "1/100"), (2, 1), (1, 4)):
            yield ExponentialDecay.full(60, beta, gamma, alpha)


_LEVEL = ExponentialDecay.full(60, "1/10", 1, "1/4")
_EQUAL = ExponentialDecay.full(1, 1)
_HIGHER = ExponentialDecay.exactly(t=[9], beta=1, gamma=1, alpha=1)

EXPONENTIAL_DECAY = Theorem(
    id="dellavecchia2024:prop-35",
    kind="inequality",
    status="holds",
    title="Effective dimension of a spectrum that decays exponentially",
    number="Proposition 35",
    setting=(
        r"Let a covariance have $N$ eigenvalues $\sigma_j = \tau_j\, \gamma\, "
        r"e^{-\beta j}$ with $0 \le \tau_j \le 1$, so that $\sigma_j \le \gamma\, "
        r"e^{-\beta j}$, and let $d_\alpha$ be its effective dimension."
    ),
    where={
        "s": Where(r"\sigma_j", "t * gamma * exp(-beta * j)"),
        "d": Where(r"d_\alpha", _D),
    },
    claims={
        "bound": "d <= log(1 + gamma / alpha) / beta",
        "from below": Claim(
            "d >= (log(1 + gamma / alpha * exp(-beta)) "
            "- log(1 + gamma / alpha * exp(-beta * (N + 1)))) / beta",
            when="min(t) == 1",
            says=r"For $\sigma_j = \gamma\, e^{-\beta j}$ this is nearly attained:",
        ),
    },
    world=ExponentialDecay,
    cases=_exponential_cases,
    controls={
        "without one": Control("bound", _EQUAL, {"1 + gamma": "gamma"}),
        "a tenth less": Control("bound", _LEVEL, {"d <=": "d <= 0.9 *"}),
        "an eigenvalue nine times as large": Control("bound", _HIGHER, drops="t"),
        "one term more": Control("from below", _LEVEL, {" * exp(-beta))": ")"}),
    },
)
