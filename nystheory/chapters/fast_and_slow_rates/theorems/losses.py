"""What the fast rates need of the losses: a variance bound, and that they are clipped.

Della Vecchia, De Vito, Mourtada and Rosasco 2024, section 6.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory.engine import Claim, Control, Theorem, Where
from nystheory.engine.language.quantity import BEFORE
from nystheory.engine.worlds.worlds import Given, Size, World

# --- The variance bound of the square loss --------------------------------------------


class Responses(World):
    """Responses at some points with their weights, and predictions there."""

    N = Size("N", "number of points")
    weights = Given(
        "w_i",
        "weights of the responses",
        axes=("N", "values"),
        range="min(weights) > 0",
    )
    response = Given(
        "y", "responses", axes=("N", "values"), range="max(abs(response)) <= 1"
    )
    f = Given("f", "predictions", axes=("N",), range="max(abs(f)) <= 1")
    g = Given("g", "other predictions", axes=("N",), range="max(abs(g)) <= 1")

    @classmethod
    def drawn(cls, instance, rng):
        """Up to three points, with two responses each."""
        N = int(rng.integers(1, 4))
        y = rng.integers(-4, 5, (N, 2)) / 4
        if rng.integers(2):
            y = np.tile([1.0, -1.0], (N, 1))
        f, g = rng.integers(-4, 5, (2, N)) / 4
        weights = rng.integers(1, 6, (N, 2)).astype(float)
        return cls(weights=weights, response=y, f=f, g=g)

    @classmethod
    def one(cls, weights, y, f, g=0):
        """A single point, in exact numbers."""
        return cls.exactly(weights=[weights], response=[y], f=[f], g=[g])


quantity = partial(Responses.quantity, unit=0)


def _losses(i, predictions):
    """Of all responses, point by point."""
    return ((i.response - np.reshape(predictions, (-1, 1))) ** 2).ravel()


@quantity(r"p_i", "probabilities of the responses", BEFORE)
def chance_i(i):
    return np.ravel(i.weights) / np.sum(i.weights)


@quantity(r"\ell_i(f)", "square losses of the predictions", BEFORE)
def loss_f(i):
    return _losses(i, i.f)


@quantity(r"\ell_i(g)", "square losses of other predictions", BEFORE)
def loss_g(i):
    return _losses(i, i.g)


@quantity(r"\ell_i(f_*)", "square losses of the best predictions", BEFORE)
def loss_best(i):
    w, y = np.asarray(i.weights, dtype=float), np.asarray(i.response, dtype=float)
    return _losses(i, (w * y).sum(axis=1) / w.sum(axis=1))


@quantity(r"|f_i - g_i|", "how far two predictions are apart", BEFORE)
def between(i):
    return np.repeat(np.abs(np.subtract(i.f, i.g)), np.shape(i.response)[1])


def _response_cases(_):
    """One point with the responses 1 and -1, and two of them."""
    for first in range(1, 6):
        for f in (-1, "-1/2", 0, 1):
            yield Responses.one([first, 2], [1, -1], f, "1/2")
    yield Responses.exactly(
        weights=[[2, 1], [1, 1]], response=[[1, -1], [0, 1]], f=[-1, 1], g=[-1, 0]
    )


_SHARP = Responses.one([2, 1], [1, -1], -1, "-19/20")
_LARGE = Responses.one([1, 1], [5, -5], 1)
_FAR = Responses.one([1, 1], [1, -1], -5)
_OTHER = Responses.one([1, 1], [1, -1], -1, -5)
_SQUARES = "sum(chance_i * (loss_f - loss_best) ** 2)"
_EXCESS = "sum(chance_i * (loss_f - loss_best))"

SQUARE_LOSS = Theorem(
    id="dellavecchia2024:square-loss-variance",
    kind="inequality",
    status="holds",
    title="Variance bound of the square loss",
    number="section 6.1",
    setting=(
        r"Let responses $y$ and predictions $f, g$ lie in $[-1, 1]$, let the responses "
        r"have the probabilities $p_i = w_i / \sum_j w_j$, and let $f_*$ be the mean "
        r"response at each point. Let $\ell_i(f)$ be the squared difference of the "
        r"$i$-th response and the prediction at its point."
    ),
    claims={
        "variance": f"{_SQUARES} <= 16 * {_EXCESS}",
        "sharp": Claim(
            f"{_SQUARES} <= 16 / 3 * {_EXCESS}", says="The best constant is smaller:"
        ),
        "supremum": Claim("loss_f <= 4", says="The losses are bounded and Lipschitz:"),
        "Lipschitz": "abs(loss_f - loss_g) <= 4 * between",
    },
    world=Responses,
    cases=_response_cases,
    controls={
        "5 for 16": Control("variance", _SHARP, {"16": "5"}),
        "larger responses": Control("variance", _LARGE, drops="response"),
        "larger predictions": Control("variance", _FAR, drops="f"),
        "5 for 16 / 3": Control("sharp", _SHARP, {"16 / 3": "5"}),
        "3.9 for 4": Control("supremum", _SHARP, {"4": "3.9"}),
        "slope 3.9": Control("Lipschitz", _SHARP, {"4 *": "3.9 *"}),
        "another larger prediction": Control("Lipschitz", _OTHER, drops="g"),
    },
)

# --- Clipping -------------------------------------------------------------------------


class Value(World):
    """One label, one value that is predicted for it, and a number of points."""

    y = Given("y", "a response", range="abs(y) <= 1")
    v = Given("v", "a predicted value")
    n = Given("n", "number of points", range="n >= 1")

    @classmethod
    def drawn(cls, instance, rng):
        """Mostly one of two classes, and values beyond the clip."""
        y = (
            float(rng.choice([-1, 1]))
            if rng.random() < 0.8
            else rng.integers(-4, 5) / 4
        )
        v = rng.integers(-24, 25) / 4
        return cls(y=y, v=v, n=2.0 ** rng.integers(0, 7))


def _value_cases(_):
    for y in (-1, 1):
        for v in (-12, -2, -1, 0, 1, 3, 12):
            yield Value.exactly(y=y, v=v, n=10)


_CLASSES = "abs(y) == 1"
_MIDDLE = Value.exactly(y="1/2", v=2, n=10)
_MIDDLE_FAR = Value.exactly(y="1/2", v=20, n=10)
_BEYOND = Value.exactly(y=2, v=2, n=10)
_ZERO = Value.exactly(y=1, v=0, n=10)
_CONFIDENT = Value.exactly(y=1, v=10, n=10)
_LOGISTIC = "log(1 + exp(-y * w)) <= log(1 + exp(-y * v))"

CLIPPING = Theorem(
    id="dellavecchia2024:clipping",
    kind="inequality",
    status="holds",
    title="Which losses can be clipped",
    number="sections 5 and 6.2, (49)",
    setting=(
        r"Let $|y| \le 1$, let $u$ be the value $v$ clipped at $1$, and let $w$ be $v$ "
        r"clipped at $\log n$, with $n \ge 1$."
    ),
    where={
        "u": Where("u", "max(-1, min(1, v))"),
        "w": Where("w", "max(-log(n), min(log(n), v))"),
    },
    claims={
        "hinge": Claim(
            "max(0, 1 - y * u) <= max(0, 1 - y * v)",
            when=_CLASSES,
            says="The hinge loss does not grow,",
        ),
        "square": Claim(
            "(y - u) ** 2 <= (y - v) ** 2", says="nor does the square loss:"
        ),
        "logistic": Claim(
            f"{_LOGISTIC} + 1 / n",
            when=_CLASSES,
            says="The logistic loss grows little:",
        ),
        "logistic, sharper": Claim(f"{_LOGISTIC} + log(1 + 1 / n)", when=_CLASSES),
    },
    world=Value,
    cases=_value_cases,
    controls={
        "a response between": Control("hinge", _MIDDLE, lacks=_CLASSES),
        "nine tenths of it": Control("hinge", _ZERO, {"<= max(0": "<= 0.9 * max(0"}),
        "a response beyond": Control("square", _BEYOND, drops="y"),
        "nine tenths of the square": Control("square", _ZERO, {"<= (": "<= 0.9 * ("}),
        "nine tenths of 1 / n": Control(
            "logistic", _CONFIDENT, {"+ 1 / n": "+ 0.9 / n"}
        ),
        "a response between, logistic": Control(
            "logistic", _MIDDLE_FAR, lacks=_CLASSES
        ),
        "nine tenths of the logarithm": Control(
            "logistic, sharper", _CONFIDENT, {"+ log(1 + 1": "+ 0.9 * log(1 + 1"}
        ),
        "a response between, sharper": Control(
            "logistic, sharper", _MIDDLE_FAR, lacks=_CLASSES
        ),
    },
)
