"""Part III: what the error of the matrix does to the risk of ridge regression.

Fixed design: n observations of a signal with independent noise, as in Bach 2013 and
Alaoui and Mahoney 2015.  Bias and variance have closed forms; the step from one
resolvent to the other is in Musco and Musco 2017.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Law, Theorem
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import quantity
from nystheory.theorems.since_2010._first_form import (
    POSITIVE_RIDGE,
    condition_of_error,
    norm_E,
    residual,
    shift,
    variance,
)
from nystheory.theorems.since_2010.below import (
    competitor,
    competitor_error,
    has_competitor,
    with_competitor,
)
from nystheory.theorems.spectral import alpha


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


def risk_of_points(X, signal, noise: float, ridge: float) -> float:
    """Bias squared plus variance for ``K = X.T X``, in the r dimensions of X.

    Examples
    --------
    >>> risk_of_points(np.diag(np.sqrt([3.0, 1.0])), np.array([0.0, 2.0]), 4.0, 1.0)
    2.125
    """
    n = X.shape[1]
    moment = X @ X.T
    inverse = np.linalg.inv(moment + ridge * np.eye(len(X)))
    bias = signal - X.T @ (inverse @ (X @ signal))
    variance_ = noise * ((inverse @ moment) ** 2).sum()
    # inverse @ moment is symmetric, since the two commute.
    return float(bias @ bias + variance_) / n


def signal_of(i: Instance) -> np.ndarray:
    """The signal that an instance carries."""
    if "signal" not in i.extra:
        raise ValueError("risk: expected the signal in the instance's extra, got none")
    return i.extra["signal"]


def exact_risk(i: Instance, _=None) -> float:
    """Risk with K itself."""
    return risk_of_points(i.points, signal_of(i), variance(i), shift(i))


def approximate_risk(i: Instance, _=None) -> float:
    """Risk with the full Nyström approximation from the landmarks."""
    U = i.svd_X_S[0]
    return risk_of_points(U.T @ i.points, signal_of(i), variance(i), shift(i))


def _by_the_matrix(i: Instance, _) -> float:
    """The same from the package's approximation, (n, n)."""
    approximate = i.K - residual(i)
    return sum(risk_of_matrix(approximate, signal_of(i), variance(i), shift(i)))


risk = quantity(
    "risk",
    r"R(K)",
    "risk of ridge regression with the whole matrix, bias squared plus variance",
    chosen=True,
)(exact_risk)


# --- The deterministic core -------------------------------------------------------


def inflated(factor) -> Formula:
    """The risk times the square of a factor."""
    return Formula(sp.Mul(sp.Pow(factor, 2, evaluate=False), risk, evaluate=False))


_SHARE = sp.Mul(norm_E, sp.Pow(alpha, -1), evaluate=False)
_CORE = inflated(sp.Add(1, _SHARE, evaluate=False))


def _with_signal(i: Instance, rng) -> Instance:
    """A signal that the sample misses, or any, from below the noise to above it."""
    direction = rng.standard_normal(i.n)
    if rng.random() < 0.6:
        direction = np.linalg.eigh(residual(i))[1][:, -1]
    length = 10.0 ** rng.uniform(-1, 3)
    i = with_competitor(i, rng, int(rng.integers(1, i.n + 1)))
    return i.but(signal=length * direction / (np.linalg.norm(direction) or 1.0))


def _scale(i: Instance) -> float:
    """Neither part can exceed these."""
    return float(signal_of(i) @ signal_of(i)) / i.n + variance(i)


def _condition(i: Instance) -> float:
    """Rounding in K against the ridge; the bias is a small part of the signal."""
    return condition_of_error(i) * (1 + i.norm_K / shift(i)) ** 2


def _condition_of_routes(i: Instance) -> float:
    return _condition(i) * (1 + i.norm_K / shift(i))


def _examples(rng):
    for ratio in 10.0 ** np.arange(-2, 3):
        X = rng.standard_normal((4, 7))
        case = Instance.from_points(X, rng.choice(7, 2, replace=False), 2, "ridge")
        case = with_competitor(case, rng, 3)
        case = case.but(alpha=ratio * case.norm_K, noise=0.1)
        yield case.but(signal=rng.standard_normal(7))
        yield _missed(ratio)


def _missed(e: float, noise: float = 0.0) -> Instance:
    """Two points, of which the sample misses the one that the signal is on."""
    X = np.diag(np.sqrt([1.0, e]))
    extra = {"alpha": 1.0, "noise": noise, "signal": np.array([0.0, 1.0])}
    return Instance.from_points(X, [0], 1, "missed", **extra)


def _derive():
    a, e = sp.symbols("a e", positive=True)
    return (
        Step(1, "squared bias of a direction that the sample misses, signal $1$"),
        Step(
            (1 + e / a) ** 2 * (a / (a + e)) ** 2,
            r"the bound, for a missed direction with eigenvalue $e$ and no noise: "
            "attained",
        ),
    )


def _claim(says, **changes) -> Claim:
    fields = {
        "observe": approximate_risk,
        "formula": _CORE,
        "relation": "<=",
        "scale": _scale,
        "condition": _condition,
    }
    return Claim(says, **(fields | changes))


def _risk_of_competitor(i: Instance, _) -> float:
    values, vectors = competitor(i)
    below = (vectors * values) @ vectors.T
    return sum(risk_of_matrix(below, signal_of(i), variance(i), shift(i)))


def _bound_for_competitor(i: Instance, _) -> float:
    return (1 + competitor_error(i) / shift(i)) ** 2 * exact_risk(i)


def _noisy(i: Instance, errors) -> Instance:
    return i.but(y=signal_of(i) + errors)


def _one_error_at_a_time(i: Instance):
    """Errors on one point only, of both signs: mean zero, covariance ``sigma^2 I``."""
    size = np.sqrt(i.n * variance(i))
    errors = np.vstack([size * np.eye(i.n), -size * np.eye(i.n)])
    return [(1 / len(errors), _noisy(i, row)) for row in errors]


_NOISE = Law(
    lambda i, rng: _noisy(i, np.sqrt(variance(i)) * rng.standard_normal(i.n)),
    _one_error_at_a_time,
)


def _loss(i: Instance, _) -> float:
    """Mean squared distance of the prediction from the signal."""
    missed = _smoothed(i, i.K, i.extra["y"]) - signal_of(i)
    return float(missed @ missed) / i.n


def _indefinite(i: Instance, _) -> float:
    """The risk with an approximation that is given, and need not be below K."""
    return sum(risk_of_matrix(i.extra["given"], signal_of(i), variance(i), shift(i)))


def _from_given(i: Instance, _) -> float:
    error = np.linalg.norm(i.K - i.extra["given"], 2)
    return (1 + error / shift(i)) ** 2 * exact_risk(i)


def _given(says, observe, expected) -> Claim:
    """The claim about an approximation that an instance carries."""
    return _claim(
        says, observe=observe, formula=None, expected=expected, condition=None
    )


def _two_sides(risk_of):
    """Risk with the given approximation; the bound from the risk with K."""

    def bound(i, _):
        error = np.linalg.norm(i.K - i.extra["given"], 2)
        return (1 + error / shift(i)) ** 2 * risk_of(i, i.K)

    return lambda i, _: risk_of(i, i.extra["given"]), bound


def _smoothed(i: Instance, K, y) -> np.ndarray:
    return K @ np.linalg.solve(K + shift(i) * np.eye(i.n), y)


def _only_the_first(i: Instance, K) -> float:
    """Risk without a signal, where only the first observation has an error."""
    return float((_smoothed(i, K, np.eye(i.n)[0]) ** 2).sum()) / i.n


def _twice_the_signal(i: Instance, K) -> float:
    """Risk without noise, where the errors are equal to the signal."""
    z = signal_of(i)
    return float(((_smoothed(i, K, 2 * z) - z) ** 2).sum()) / i.n


def _tilted() -> Instance:
    """An approximation of rank one below K that moves mass to the first point."""
    K, v = np.diag([0.01, 2.0]), np.sqrt([0.01, 0.99])
    largest = 1 / (v**2 / np.diag(K)).sum()
    return _missed(1.0, noise=1.0).but(K=K, given=0.99 * largest * np.outer(v, v))


_NOISY = _missed(1.0).but(signal=np.zeros(2), noise=1.0)

RIDGE_RISK_CORE = Theorem(
    id="modern:ridge-risk-core",
    part="III",
    kind="inequality",
    status="holds",
    title="The risk of ridge regression and the spectral error",
    number="after Bach 2013, Alaoui and Mahoney 2015, Musco and Musco 2017",
    statement=(
        r"Let $0 \preceq \tilde K \preceq K$, $E = K - \tilde K$ and $\alpha > 0$. "
        r"Observe $y = z + \xi$ with a fixed signal $z \in \mathbb R^n$ and errors "
        r"$\xi$ of mean zero and covariance $\sigma^2 I$, and let $R(K) = \frac1n "
        r"\mathbb E\, \|K (K + \alpha I)^{-1} y - z\|^2$ be the risk of ridge "
        r"regression. Then $R(K) = \frac1n \bigl(\alpha^2 \|(K + \alpha I)^{-1} "
        r"z\|^2 + \sigma^2 \operatorname{tr} K^2 (K + \alpha I)^{-2}\bigr)$ and "
        r"$R(\tilde K) \le \bigl(1 + \frac{\|E\|_2}{\alpha}\bigr)^2 R(K)$. The factor "
        r"is attained, for every ratio $\|E\|_2 / \alpha$."
    ),
    hypotheses=(POSITIVE_RIDGE,),
    claims=(
        _claim("the risk with the approximation"),
        _claim(
            "the risk from points is the risk from matrices",
            observe=_by_the_matrix,
            formula=None,
            expected=approximate_risk,
            relation="=",
            condition=_condition_of_routes,
        ),
        _claim(
            r"the risk with any $0 \preceq \tilde K \preceq K$",
            observe=_risk_of_competitor,
            formula=None,
            expected=_bound_for_competitor,
            applies=has_competitor,
        ),
        _claim(
            "bias and variance are the mean loss, over errors of that covariance",
            observe=_loss,
            formula=None,
            expected=exact_risk,
            relation="=",
            applies=lambda i: i.n <= 12,
            law=_NOISE,
        ),
        _claim(
            r"attained by two points, for every ratio $\|E\|_2 / \alpha$",
            relation="=",
            applies=lambda i: i.name == "missed",
        ),
    ),
    complete=_with_signal,
    instances=_examples,
    derivation=_derive,
    controls=(
        Control(
            _claim(
                r"the factor $1 + \|E\|_2 / \alpha$ without the square",
                formula=Formula(
                    sp.Mul(sp.Add(1, _SHARE, evaluate=False), risk, evaluate=False)
                ),
            ),
            _missed(1.0),
        ),
        # The bias may shrink when K~ is not below K; the variance grows.
        Control(
            _claim(
                r"the same for $\tilde K$ above $K$",
                observe=_indefinite,
                formula=None,
                expected=_from_given,
                condition=None,
            ),
            _NOISY.but(K=np.diag([0.1, 0.1]), given=np.diag([0.5, 0.5])),
            drops=r"$\tilde K \preceq K$",
        ),
        Control(
            _given(r"the same for $\tilde K = -0.9\, I$", _indefinite, _from_given),
            _missed(1.0).but(K=np.diag([0.1, 0.1]), given=np.diag([-0.9, -0.9])),
            drops=r"$0 \preceq \tilde K$",
        ),
        Control(
            _given("noise on the first point only", *_two_sides(_only_the_first)),
            _tilted(),
            drops=r"errors of covariance $\sigma^2 I$",
        ),
        Control(
            _given(
                "errors with the mean $z$, which undo the bias",
                *_two_sides(_twice_the_signal),
            ),
            _missed(1.0).but(K=np.eye(2), given=np.diag([1.0, 0])),
            drops="errors of mean zero",
        ),
        Control(
            _claim(
                "the approximation never does worse",
                formula=Formula(risk),
            ),
            _missed(1.0),
        ),
    ),
)
