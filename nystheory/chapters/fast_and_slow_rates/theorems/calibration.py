"""From a surrogate loss to the classification error.

Della Vecchia, De Vito, Mourtada and Rosasco 2024, Lemma 37, after Bartlett, Jordan and
McAuliffe 2006.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import scipy.special

from nystheory.engine import Claim, Control, Theorem
from nystheory.engine.language.quantity import BEFORE
from nystheory.engine.worlds.worlds import Given, Size, World


class TwoClasses(World):
    """Points of two classes, with their weights, and a function whose sign is taken."""

    N = Size("N", "number of points")
    weights = Given(
        "w_i", "weights of the points", axes=("N",), range="min(weights) > 0"
    )
    eta = Given(
        r"\eta_i",
        "probabilities of the class 1",
        axes=("N",),
        range="min(eta) >= 0 and max(eta) <= 1",
        says=r"$0 \le \eta_i \le 1$",
    )
    f = Given("f_i", "values of a function", axes=("N",))

    @classmethod
    def drawn(cls, instance, rng):
        """Up to four points, of which some are noisy and some have the value 0."""
        N = int(rng.integers(1, 5))
        eta = rng.integers(0, 17, N) / 16
        f = rng.integers(-8, 9, N) / 4
        if rng.integers(2):
            f = 0 * f if rng.integers(2) else 2 * eta - 1
        return cls(weights=rng.integers(1, 6, N).astype(float), eta=eta, f=f)

    @classmethod
    def one(cls, eta, f):
        """A single point, in exact numbers."""
        return cls.exactly(weights=[1], eta=[eta], f=[f])


measured = partial(TwoClasses.quantity, when=BEFORE, unit=0)


def chances(i):
    """The weights, as probabilities."""
    return np.asarray(i.weights, dtype=float) / np.sum(i.weights)


def margin(i):
    """The mean label of each point."""
    return 2 * np.asarray(i.eta, dtype=float) - 1


def _mean(i, losses):
    """Over the points."""
    return float(chances(i) @ losses)


@measured(r"s_i", "how far from even the classes are, |2 eta - 1|")
def sure(i):
    return np.abs(margin(i))


@measured(
    r"\mathcal E_{01}", "excess classification error, a value of 0 being an error"
)
def excess_01(i):
    wrong = np.asarray(i.f) * margin(i) <= 0
    return _mean(i, wrong * np.abs(margin(i)))


@measured(r"\mathcal E_{\mathrm{sq}}", "excess square loss")
def excess_sq(i):
    return _mean(i, (np.asarray(i.f) - margin(i)) ** 2)


@measured(r"\mathcal E_{\mathrm h}", "excess hinge loss")
def excess_hinge(i):
    f, eta = np.asarray(i.f, dtype=float), np.asarray(i.eta, dtype=float)
    loss = eta * np.maximum(0, 1 - f) + (1 - eta) * np.maximum(0, 1 + f)
    return _mean(i, loss - 2 * np.minimum(eta, 1 - eta))


def _logistic(i):
    """Of each label, less the entropy of the labels of a point."""
    f, eta = np.asarray(i.f, dtype=float), np.asarray(i.eta, dtype=float)
    loss = eta * np.logaddexp(0, -f) + (1 - eta) * np.logaddexp(0, f)
    return loss - scipy.special.entr(eta) - scipy.special.entr(1 - eta)


@measured(r"\mathcal E_{\log}", "excess logistic loss, with the natural logarithm")
def excess_log(i):
    return _mean(i, _logistic(i))


@measured(r"\mathcal E_{\log_2}", "excess logistic loss, in the base 2")
def excess_log2(i):
    return _mean(i, _logistic(i) / np.log(2))


def _cases(_):
    """One noisy point: the nearly even ones are those where the bounds are sharp."""
    for eta in ("1/2", "9/16", "3/4", 1, "7/16"):
        for f in (-1, 0, "1/4", 1):
            yield TwoClasses.one(eta, f)
    yield TwoClasses.exactly(weights=[1, 2], eta=["1/4", "3/4"], f=[0, 0])


_UNDECIDED = TwoClasses.one("3/4", 0)
_NEARLY_EVEN = TwoClasses.one("5/8", 0)

CALIBRATION = Theorem(
    id="dellavecchia2024:calibration",
    kind="inequality",
    status="holds",
    title="The classification error from a surrogate loss",
    number="Lemma 37",
    setting=(
        "Let a point $i$ have the weight $w_i$, and the class $1$ with the "
        r"probability $\eta_i$, else $-1$. A real function $f$ predicts the class by "
        r"its sign; where it is $0$, count the worse of the two. Let $\mathcal "
        r"E_{01}$ be the error of $f$, and $\mathcal E_{\mathrm h}$, $\mathcal "
        r"E_{\mathrm{sq}}$ and $\mathcal E_{\log}$ its mean hinge, square and "
        "logistic loss, each in excess of the least over all functions."
    ),
    claims={
        "hinge": "excess_01 <= excess_hinge",
        "square": "excess_01 <= sqrt(excess_sq)",
        "logistic": "excess_01 <= sqrt(2 * excess_log)",
        "base 2": Claim(
            "excess_01 <= sqrt(2 * log(2) * excess_log2)",
            says="With logarithms in the base $2$",
        ),
    },
    world=TwoClasses,
    cases=_cases,
    controls={
        "nine tenths of the hinge": Control("hinge", _UNDECIDED, {"<= ": "<= 0.9 * "}),
        "nine tenths of the square": Control(
            "square", _UNDECIDED, {"<= ": "<= 0.9 * "}
        ),
        "1.9 for 2": Control("logistic", _NEARLY_EVEN, {"2 *": "1.9 *"}),
        "1.9 for 2 in the base 2": Control(
            "base 2", _NEARLY_EVEN, {"2 * log(2)": "1.9 * log(2)"}
        ),
    },
)
