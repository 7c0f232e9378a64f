"""What the error of the matrix does to the risk of ridge regression.

Fixed design: n observations of a signal with independent noise, as in Bach 2013 and
Alaoui and Mahoney 2015.  Bias and variance have closed forms; the step from one
resolvent to the other is in Musco and Musco 2017.
"""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np

from nystheory.engine import Claim, Control, Theorem
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.between import (
    Between,
    of_ridge,
    with_ridge,
    with_weights,
)
from nystheory.engine.worlds.matrices import diagonal
from nystheory.engine.worlds.worlds import Given


class Risk(Between):
    """A matrix between 0 and K, and a signal with noise that is observed."""

    signal = Given("z", "signal at the points", axes=("n", "one"))
    # For controls: a mean of the errors, a covariance that is no multiple of I.
    error_mean = Given(axes=("n", "one"), default=lambda i: np.zeros(i.n))
    error_covariance = Given(
        axes=("n", "n"), default=lambda i: float(i.noise) * np.eye(i.n)
    )

    @classmethod
    def drawn(cls, instance, rng):
        """Any ridge and weights, a signal, and one way in which it may be observed."""
        count = int(rng.integers(1, instance.n + 1))
        i = with_weights(with_ridge(instance, rng), rng, count)
        i = with_signal(i, rng)
        # A law says how the observations come.
        return i.but(y=i.signal + rng.integers(-2, 3, (i.n, 1)))

    @classmethod
    def example(cls, values, signal=(0, 1), **given):
        """A diagonal K, the ridge 1 and, where none is given, no noise."""
        known = {"alpha": 1, "noise": 0, "signal": [[x] for x in signal]}
        return cls.one_sampled(diagonal(values), **{**known, **given})


def risk_of_matrix(K, signal, noise: float, ridge: float) -> tuple[float, float]:
    """Squared bias and variance of ridge regression with the matrix K.

    The prediction is ``K (K + ridge I)^-1 y`` for observations y with mean `signal`
    and independent errors of variance `noise`; both parts are means over the n
    points.

    Examples
    --------
    >>> risk_of_matrix(np.diag([3.0, 1.0]), np.array([0.0, 2.0]), 4.0, 1.0)
    (0.5, 1.625)
    """
    n = len(K)
    smoother = np.linalg.solve(K + ridge * np.eye(n), K)
    bias = signal - smoother @ signal
    return float(bias @ bias) / n, float(noise * (smoother**2).sum()) / n


def risk_of(i, values, vectors, ridge: float) -> float:
    """Squared bias plus variance from eigenvalues and eigenvectors."""
    shrunk = values / (values + ridge)
    signal = vectors.T @ np.ravel(i.signal)
    mean = vectors.T @ np.ravel(i.error_mean)
    bias = signal - shrunk * (signal + mean)
    variance = ((vectors.T @ i.error_covariance) * vectors.T).sum(axis=1)
    return float(bias @ bias + shrunk**2 @ variance) / i.n


def of_risk(i) -> float:
    """Rounding in K against the ridge, in units of the signal and the noise."""
    size = np.sum(np.square(i.signal)) / i.n + float(i.noise)
    return size * of_ridge(i) * (1 + i.norm_K / float(i.alpha))


_risk = partial(Risk.quantity, unit=0, condition=of_risk)


@_risk("R(K)", "risk of ridge regression with K")
def risk(i):
    return risk_of(i, *i.eigen_K, float(i.alpha))


def risk_of_between(i, ridge: float) -> float:
    """The same with the matrix below K."""
    below = i.measured(Risk.quantities["between"]).value
    return risk_of(i, *np.linalg.eigh(below), ridge)


@_risk(r"R(\tilde K)", "risk of ridge regression with a matrix below K", SAMPLE)
def risk_below(i):
    return risk_of_between(i, float(i.alpha))


def with_signal(i, rng):
    """A signal that the sample misses, or any, and noise below or above it."""
    direction = rng.standard_normal(i.n)
    if rng.random() < 0.6:
        direction = np.linalg.eigh(i.full.error)[1][:, -1]
    signal = 2.0 ** rng.integers(-3, 10) * np.round(64 * direction) / 64
    return i.but(signal=signal[:, None], noise=2.0 ** rng.integers(-6, 4))


def _cases(_):
    """The signal on a point that the sample misses, for errors of every size."""
    z = np.array([[0.0], [1.0]])
    for size, ridge in product(2.0 ** np.arange(-30, 30), (1.0, 8.0)):
        known = {"alpha": ridge, "noise": 0.0, "signal": z, "y": z}
        yield Risk(np.diag([1.0, size]), [0], 1, name="missed", **known)


_MISSED = Risk.example([1, 1])
_TENTHS = ["1/10", "1/10"]
_ABOVE = Risk.example(_TENTHS, (0, 0), noise=1, between=diagonal(["1/2", "1/2"]))
_BELOW_ZERO = Risk.example(_TENTHS, between=diagonal(["-9/10", "-9/10"]))
# K~ is of rank one and just below K: it moves mass to the first point.
_TILTED = Risk.example(
    ["1/100", 2],
    (0, 0),
    between=[["0.0066", "0.066"], ["0.066", "0.66"]],
    error_covariance=diagonal([1, 0]),
)
_UNDONE = Risk.example([1, 1], between=diagonal([1, 0]), error_mean=[[0], [1]])
_RESOLVENT = "inv(K + alpha * identity(n))"
_NO_SQUARE = {")**2 * risk": ") * risk"}

RIDGE_RISK_CORE = Theorem(
    id="modern:ridge-risk-core",
    kind="inequality",
    status="holds",
    title="The risk of ridge regression and the spectral error",
    number="after Bach 2013, Alaoui and Mahoney 2015, Musco and Musco 2017",
    setting=(
        r"Let $0 \preceq \tilde K \preceq K$ and $E = K - \tilde K$. Observe $y = z + "
        r"\xi$ with a fixed signal $z \in \mathbb R^n$ and errors $\xi$ of mean zero "
        r"and covariance $\sigma^2 I$, and let $R(K)$ be the risk of ridge regression."
    ),
    claims={
        "bound": Claim("risk_below <= (1 + gap_2 / alpha)**2 * risk"),
        "attained": Claim(
            "risk_below == (1 + gap_2 / alpha)**2 * risk",
            when="noise == 0 and norm_2(between @ signal) == 0 "
            "and K @ signal == gap_2 * signal",
            says=r"The bound is attained for every ratio $\|E\|_2 / \alpha$,",
        ),
        "risk": Claim(
            f"mean(norm_2(K @ {_RESOLVENT} @ y - signal)**2 / n) == risk",
            law="single_errors",
            says="The risk is the mean squared error, over the points and the errors:",
        ),
        "bias and variance": Claim(
            f"risk == (alpha**2 * norm_2({_RESOLVENT} @ signal)**2 "
            f"+ noise * norm_F(K @ {_RESOLVENT})**2) / n",
            says="By bias and variance,",
        ),
    },
    world=Risk,
    cases=_cases,
    controls={
        "without the square": Control("bound", _MISSED, _NO_SQUARE),
        "never worse": Control(
            "bound", _MISSED, {"(1 + gap_2 / alpha)**2 * risk": "risk"}
        ),
        # The bias may shrink when K~ is not below K; the variance grows.
        "above K": Control("bound", _ABOVE, lacks=r"$\tilde K \preceq K$"),
        "below zero": Control("bound", _BELOW_ZERO, lacks=r"$0 \preceq \tilde K$"),
        "noise on the first point only": Control(
            "bound", _TILTED, lacks=r"errors of covariance $\sigma^2 I$"
        ),
        "errors that undo the bias": Control(
            "bound", _UNDONE, lacks="errors of mean zero"
        ),
        "an error on the first point only": Control(
            "risk", Risk.example([2, 1], noise=2), law="first_error"
        ),
        "four times the bias": Control(
            "bias and variance", _MISSED, {"alpha**2 * ": "4 * alpha**2 * "}
        ),
        "attained without the square": Control("attained", _MISSED, _NO_SQUARE),
    },
)
