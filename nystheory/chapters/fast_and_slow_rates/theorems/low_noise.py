"""What low noise is worth: faster rates for the classification error.

Della Vecchia, De Vito, Mourtada and Rosasco 2024, Definition 16 and Lemmas 17, 38 and
39; after Steinwart and Christmann 2008 and Bartlett, Jordan and McAuliffe 2006.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory.chapters.fast_and_slow_rates.theorems.calibration import (
    TwoClasses,
    chances,
    margin,
)
from nystheory.engine import Claim, Control, Printed, Theorem
from nystheory.engine.language.quantity import BEFORE
from nystheory.engine.worlds.worlds import Given


class LowNoise(TwoClasses):
    """Two classes, and how seldom both are nearly as likely."""

    gamma = Given(r"\gamma", "exponent of the noise", range="0 < gamma < 1")
    b = Given("b", "constant of the noise, of errors", range="b > 0")
    c = Given("c", "constant of the noise, of margins", range="c > 0")
    # What the best function is where both classes are equally likely.
    tie = Given()

    @classmethod
    def drawn(cls, instance, rng):
        """Constants at least as large as the noise needs, nearly always."""
        i = super().drawn(instance, rng)
        gamma = float(rng.choice([1, 2, 3])) / 4
        f, tie = np.clip(i.f, -1, 1), float(rng.choice([-1, 0, 1]))
        case = cls(weights=i.weights, eta=i.eta, f=f, gamma=gamma, b=1, c=1, tie=tie)
        more = 1.0 + rng.choice([-0.25, 0.125, 1], p=[0.1, 0.6, 0.3])
        b, c = least(case)
        return case.but(b=more * b, c=more * c)

    @classmethod
    def level(cls, N, gamma, power, **given):
        """Margins whose law is a power, on N points; the function errs everywhere."""
        eta = [f"{N**power + k**power}/{2 * N**power}" for k in range(1, N + 1)]
        parts = {"weights": [1] * N, "eta": eta, "f": [-1] * N, "gamma": gamma}
        return cls.exactly(**parts, **{"b": 1, "c": 1, "tie": 1} | given)

    @classmethod
    def single(cls, eta, f, gamma="1/2", b=1, c=1, tie=-1):
        """One point, in exact numbers."""
        parts = {"weights": [1], "eta": [eta], "f": [f], "gamma": gamma}
        return cls.exactly(**parts, b=b, c=c, tie=tie)


measured = partial(LowNoise.quantity, when=BEFORE, unit=0)


def _visible(i, of):
    """Sums over the points with a margin above 0 and up to that of each point."""
    s = np.abs(margin(i))
    below = (s <= s[:, None]) & (s > 0)
    return below @ (chances(i) * of)


@measured(r"P_i", "probability of margins above 0 and up to that of a point")
def visible(i):
    return _visible(i, 1)


@measured(r"E_i", "the error of predicting the wrong class at these points")
def visible_excess(i):
    return _visible(i, np.abs(margin(i)))


@measured(
    r"\mathbb E\, (\ell_f - \ell_{f_*})^2",
    "mean squared difference of the hinge losses of a function and of the best one",
)
def second(i):
    eta, f, s = np.asarray(i.eta, float), np.asarray(i.f, float), margin(i)
    best = np.where(s == 0, float(i.tie), np.sign(s))
    squares = [
        (np.maximum(0, 1 - y * f) - np.maximum(0, 1 - y * best)) ** 2 for y in (1, -1)
    ]
    return float(chances(i) @ (eta * squares[0] + (1 - eta) * squares[1]))


def least(i) -> tuple[float, float]:
    """The least constants of both conditions; 1 where no point has a margin."""
    P, E, s, q = visible(i), visible_excess(i), np.abs(margin(i)), i.gamma
    seen = s > 0
    if not seen.any():
        return 1.0, 1.0
    P, E, s = P[seen], E[seen], s[seen]
    return (P / E**q).max(), (P ** ((1 - q) / q) / s).max()


# --- The theorem ----------------------------------------------------------------------

_ERRORS = "visible <= b * visible_excess ** gamma"
_MARGINS = "visible <= (c * sure) ** (gamma / (1 - gamma))"
_NO_TIES, _CLIPPED = "min(sure) > 0", "max(abs(f)) <= 1"
_HINGE = f"{_MARGINS} and {_NO_TIES} and {_CLIPPED}"
_SEPARATED = "1 / c <= min(sure)"


def _cases(_):
    """Laws of margins that are powers, and one margin only."""
    for N in (5, 20):
        yield LowNoise.level(N, "1/2", 1, b="3/2", c="101/100")
        yield LowNoise.level(N, "2/3", 1, b=2, c=2)
        yield LowNoise.level(N, "1/3", 2, b=2, c="101/100")
    for eta, b in (("5/8", 2), ("1/4", "3/2"), (1, 1), (0, 1)):
        for f in (-1, 0, 1):
            yield LowNoise.single(eta, f, b=f"{b}" if b != 1 else 1, c=4)


_LINE = LowNoise.level(20, "1/2", 1)
_QUARTIC = LowNoise.level(10, "1/5", 4, c="101/100")
_ALONE = LowNoise.single("5/8", 0, b=2)
_SURE = LowNoise.single(1, 0, b="1/8", c="1/4")
_HALF_SURE = LowNoise.single("3/4", -1, c=2)
_BEYOND = LowNoise.single("3/4", -3, c=2)
_TIED = LowNoise.single("1/2", 1)

LOW_NOISE = Theorem(
    id="dellavecchia2024:low-noise",
    kind="inequality",
    status="conditional",
    title="What low noise is worth",
    number="Definition 16, Lemmas 17, 38 and 39",
    setting=(
        "Let points have the weights $w_i$, their class be $1$ with the probability "
        r"$\eta_i$, and let $s_i = |2 \eta_i - 1|$ be their margin. Let $P_i$ be the "
        "probability of margins above $0$ and up to $s_i$, and $E_i$ the excess "
        r"error of predicting the wrong class there. Let $\mathcal E_{01}$ be the "
        r"error of a function $f$, and $\mathcal E_{\mathrm h}$, $\mathcal "
        r"E_{\mathrm{sq}}$ and $\mathcal E_{\log}$ its hinge, square and logistic "
        "loss, each in excess. Let $f_*$ be a minimiser of the hinge loss with "
        "values between $-1$ and $1$."
    ),
    claims={
        "square": Claim(
            "excess_01 <= (4 * b * excess_sq) ** (1 / (2 - gamma))",
            when=_ERRORS,
            says="When the points where errors cost little are rare,",
        ),
        "square, sharper": Claim(
            "excess_01 <= (b * excess_sq) ** (1 / (2 - gamma))",
            when=_ERRORS,
            says="The factor 4 is not needed:",
        ),
        "logistic": Claim(
            "excess_01 <= (2 * b * excess_log) ** (1 / (2 - gamma))",
            when=_ERRORS,
            says="The same for the logistic loss:",
        ),
        "from margins": Claim(
            "visible <= (c / gamma * visible_excess) ** gamma",
            when=_MARGINS,
            says="When small margins are rare, so are such points:",
        ),
        "hinge": Claim(
            "second <= 4 * (2 * gamma) ** (-gamma) * c ** gamma "
            "* excess_hinge ** gamma",
            when=_HINGE,
            says=r"Then the hinge loss has a variance bound with $\theta = \gamma$:",
        ),
        "one constant": Claim(
            "second <= 4 * exp(1 / (2 * exp(1))) * c ** gamma * excess_hinge ** gamma",
            when=_HINGE,
            says=r"with one constant for all $\gamma$:",
        ),
        "no small margins": Claim(
            "second <= 2 * c * excess_hinge",
            when=f"{_SEPARATED} and {_CLIPPED}",
            says="If no margin is small, the bound is linear:",
        ),
    },
    world=LowNoise,
    cases=_cases,
    controls={
        "0.9 for 4": Control("square", _ALONE, {"4 * b": "0.9 * b"}),
        "frequent errors": Control("square", _SURE, lacks=_ERRORS),
        "a tenth less": Control("square, sharper", _ALONE, {"(b *": "(0.9 * b *"}),
        "frequent errors, sharper": Control("square, sharper", _SURE, lacks=_ERRORS),
        "1.9 for 2": Control("logistic", _ALONE, {"2 * b": "1.9 * b"}),
        "frequent errors, logistic": Control("logistic", _SURE, lacks=_ERRORS),
        "nine tenths of c": Control("from margins", _LINE, {"(c /": "(0.9 * c /"}),
        "frequent small margins": Control("from margins", _SURE, lacks=_MARGINS),
        "3.9 for 4": Control("hinge", _LINE, {"4 *": "3.9 *"}),
        "small margins": Control("hinge", LowNoise.single("5/8", -1), lacks=_MARGINS),
        "even classes": Control("hinge", _TIED, lacks=_NO_TIES),
        "beyond the clip": Control("hinge", LowNoise.single(1, -3), lacks=_CLIPPED),
        "4.5": Control("one constant", _QUARTIC, {"4 * exp(1 / (2 * exp(1)))": "4.5"}),
        "even classes, one constant": Control("one constant", _TIED, lacks=_NO_TIES),
        "1.9 for 2 c": Control("no small margins", _HALF_SURE, {"2 * c": "1.9 * c"}),
        "a smaller margin": Control(
            "no small margins", LowNoise.single("5/8", -1), lacks=_SEPARATED
        ),
        "beyond the clip, no small margins": Control(
            "no small margins", _BEYOND, lacks=_CLIPPED
        ),
    },
    printed={
        "even classes": Printed(
            "second <= 4 * exp(1 / (2 * exp(1))) * c ** gamma * excess_hinge ** gamma",
            "missing hypothesis",
            "The formulas (50) and (51) are lost in the text at hand. If (51) excludes "
            r"$\eta = \frac12$, Lemma 39 needs $P(\eta = \frac12) = 0$, and so does "
            "the proof of Theorem 19; whether the theorem needs it is open. If both "
            r"classes are equally likely everywhere, $f = 1$ and $f_* = -1$ have the "
            "same hinge loss, and the mean squared difference of their losses is $4$. "
            r"In the definition of Steinwart and Christmann, $P(|2\eta - 1| < t) \le "
            r"(c t)^q$ for all $t > 0$, their theorem is correct as it stands.",
            _TIED,
            says="Let be a distribution on that has noise exponent … Then, for all "
            "measurable we have (the text at hand lacks the formulas of this sentence)",
        ),
    },
)
