"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.  p is the capacity, r the source condition.
"""

from math import e, exp, log, log1p, sin, sqrt

import numpy as np

# --- Exponents ------------------------------------------------------------------------


def saturated(r):
    """Beyond this rate the term in 1 / n bites."""
    return 2 * r / (1 + r)


def denominator(p, r, theta):
    return p + r * (2 - p - theta * (1 - p))


def hinge_rate(capacity, source, theta):
    fast = source / denominator(capacity, source, theta)
    return fast if fast < saturated(source) else saturated(source)


def hinge_columns(capacity, source, theta):
    """The rate, divided by r, is the exponent of the ridge; times p and 1 + r."""
    ridge = hinge_rate(capacity, source, theta) / source
    return capacity * (1 + source) * ridge


def hinge_cost(a, b, source):
    terms = ((b + a * source - a) / 2, a * source)
    return min(terms) + min(terms) / source


def square_rate(capacity, source):
    fast = source / (capacity + source)
    return fast if fast < saturated(source) else saturated(source)


def square_columns(capacity, source):
    return capacity * square_rate(capacity, source) / source


def square_cost(a, b, source):
    return min(b + a * source - a, a * source) / source


def well_specified(capacity):
    return (1 + capacity) ** -1


def twice(capacity):
    return 2 - 2 * well_specified(capacity)


# --- Spectra --------------------------------------------------------------------------


def powers(capacity, gamma, alpha):
    return (gamma / alpha) ** capacity


def sharp(alpha, capacity, gamma, pi):
    angle = pi * capacity
    return powers(capacity, gamma, alpha) * angle / sin(angle)


def from_below(N, alpha, capacity, gamma, pi):
    tail = (N + 1) ** (1 - 1 / capacity) / (1 / capacity - 1)
    return sharp(alpha, capacity, gamma, pi) - 1 - tail * gamma / alpha


def exponential(N, alpha, beta, gamma):
    first, last = alpha + gamma * e**-beta, alpha + gamma * e ** (-beta * (N + 1))
    return log(first / last) / beta


def power_spectrum(capacity, gamma, j, t):
    return gamma * t / j ** (1 / capacity)


def exponential_spectrum(beta, gamma, j, t):
    return gamma * t / np.exp(beta * j)


def dimension(alpha, spectrum):
    return sum(1 - alpha / (alpha + s) for s in spectrum)


# --- Losses ---------------------------------------------------------------------------


def mean_excess(chance_i, loss_best, loss_f):
    return chance_i @ loss_f - chance_i @ loss_best


def logistic(v, y):
    return log1p(e ** (-v * y))


def low_noise(constant, excess, gamma):
    return exp(log(constant * excess) / (2 - gamma))


def variance(c, excess_hinge, gamma):
    return (c * excess_hinge) ** gamma


_E, _S, _P = "exponents", "square-loss-variance", "prop-34"
_FORMULAS = {
    (_E, "hinge"): hinge_rate,
    (_E, "hinge, no better"): hinge_rate,
    (_E, "hinge, columns"): hinge_columns,
    (_E, "hinge, no fewer"): hinge_cost,
    (_E, "hinge, subspace"): lambda a, source: a * source,
    (_E, "square, subspace"): lambda a, source: a * source,
    (_E, "admissible"): lambda capacity, source, theta: (
        (2 - theta) * source - capacity * (2 - theta) * source
    ),
    (_E, "square"): square_rate,
    (_E, "square, no better"): square_rate,
    (_E, "square, columns"): square_columns,
    (_E, "square, no fewer"): square_cost,
    (_E, "as fast"): square_rate,
    (_E, "the gain"): lambda capacity, source: (
        square_columns(capacity, source) * (1 + source)
    ),
    (_E, "(42)"): well_specified,
    (_E, "(43), ridge"): well_specified,
    (_E, "(43), columns"): twice,
    (_E, "Corollary 13"): well_specified,
    (_E, "Corollary 13, columns"): lambda capacity: 1 - well_specified(capacity),
    (_E, "hinge, slower"): lambda a, source: a - a * (1 - source),
    (_E, "square, slower"): lambda a, source: a - a * (1 - source),
    (_E, "random features"): lambda capacity: 1 - well_specified(2 * capacity),
    (_E, "random features, slower"): well_specified,
    (_E, "difference"): lambda capacity, gamma, source: (
        (capacity + capacity * source) * (1 - gamma)
    ),
    (_E, "hinge is faster"): lambda capacity, gamma, source: (
        square_rate(capacity, source) / (2 - gamma)
    ),
    (_E, "hinge needs more"): square_columns,
    (_P, "sharp"): sharp,
    (_P, "simple"): lambda alpha, capacity, gamma: (
        powers(capacity, gamma, alpha) / (1 - capacity)
    ),
    (_P, "without the power"): lambda alpha, capacity, gamma: (
        gamma / alpha**capacity / (1 - capacity)
    ),
    (_P, "from below"): from_below,
    ("prop-35", "bound"): lambda alpha, beta, gamma: log1p(gamma / alpha) / beta,
    ("prop-35", "from below"): exponential,
    (_S, "variance"): lambda **given: 16 * mean_excess(**given),
    (_S, "sharp"): lambda **given: 5 * mean_excess(**given) * (1 + 1 / 15),
    (_S, "Lipschitz"): lambda between: 2 * between + 2 * between,
    ("clipping", "hinge"): lambda v, y: (1 - v * y + abs(1 - v * y)) / 2,
    ("clipping", "square"): lambda v, y: y * y - 2 * v * y + v * v,
    ("clipping", "logistic"): lambda n, v, y: logistic(v, y) + n**-1,
    ("clipping", "logistic, sharper"): lambda n, v, y: logistic(v, y) + log1p(1 / n),
    ("calibration", "square"): lambda excess_sq: excess_sq**0.5,
    ("calibration", "logistic"): lambda excess_log: sqrt(2) * excess_log**0.5,
    ("calibration", "base 2"): lambda excess_log2: sqrt(log(4) * excess_log2),
    ("low-noise", "square"): lambda b, excess_sq, gamma: low_noise(
        4 * b, excess_sq, gamma
    ),
    ("low-noise", "square, sharper"): lambda b, excess_sq, gamma: low_noise(
        b, excess_sq, gamma
    ),
    ("low-noise", "logistic"): lambda b, excess_log, gamma: low_noise(
        2 * b, excess_log, gamma
    ),
    ("low-noise", "from margins"): lambda c, gamma, visible_excess: variance(
        c / gamma, visible_excess, gamma
    ),
    ("low-noise", "hinge"): lambda c, excess_hinge, gamma: (
        4 * variance(c, excess_hinge / (2 * gamma), gamma)
    ),
    ("low-noise", "one constant"): lambda c, excess_hinge, gamma: (
        4 * e ** (1 / (2 * e)) * variance(c, excess_hinge, gamma)
    ),
    ("low-noise", "no small margins"): lambda c, excess_hinge: c * excess_hinge * 2,
}
BY_HAND = {(f"dellavecchia2024:{id}", name): f for (id, name), f in _FORMULAS.items()}

_CONDITIONS = {
    (_E, "ridge_h"): lambda source, **given: (
        hinge_rate(source=source, **given) / source
    ),
    (_E, "ridge_sq"): lambda capacity, source: square_rate(capacity, source) / source,
    ("clipping", "u"): lambda v: float(np.clip(v, -1, 1)),
    ("clipping", "w"): lambda n, v: float(np.clip(v, log(1 / n), log(n))),
    (_P, "s"): power_spectrum,
    (_P, "d"): lambda alpha, **given: dimension(alpha, power_spectrum(**given)),
    ("prop-35", "s"): exponential_spectrum,
    ("prop-35", "d"): lambda alpha, **given: dimension(
        alpha, exponential_spectrum(**given)
    ),
}
CONDITIONS = {
    (f"dellavecchia2024:{id}", name): f for (id, name), f in _CONDITIONS.items()
}
