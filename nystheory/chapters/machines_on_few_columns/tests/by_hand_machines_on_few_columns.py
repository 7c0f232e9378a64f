"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

from math import acosh, cosh, log


def condition(deviation):
    return 2 / (1 - deviation) - 1


def steps(kappa, T, excess_at_zero):
    """By the Chebyshev polynomial, at the middle of the spectrum over half of it."""
    middle = (kappa + 1) / (kappa - 1)
    return excess_at_zero / cosh(T * acosh(middle)) ** 2


def enough(n, top_score, delta):
    return 10 * (1 + top_score * n) * (log(n) + log(2) - log(delta))


CONDITIONS = {("modern:falkon", "enough"): enough}

BY_HAND = {
    ("modern:falkon", "condition"): condition,
    ("modern:falkon", "steps"): steps,
}
