"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

# l is the letter of the page.
# ruff: noqa: E741

from math import sqrt

import numpy as np


def largest(y):
    """The largest label squared."""
    return np.max(np.abs(y)) ** 2


def of_columns(n, l, a, tail_F):  # noqa: E741 - the letter of the page
    """Points outside and inside the sample of l columns, all alike."""
    x = a / (1 + a * (l - 1))
    outside = (n - l) * (1 + 2 * x + x * x) + (n - l) * (n - l - 1) * x * x
    return (outside + (l - 1)) * tail_F * tail_F


def both_rounds(k, l, tail_trace):  # noqa: E741
    """The tail, and what the rank and the second round add."""
    return tail_trace + tail_trace * (k**2 + k) / (l - k)


CONDITIONS = {("ding2019:thm-1", "s"): lambda l: 0.5 * l}

BY_HAND = {
    ("ding2019:chain", "largest label"): lambda y, change_2, n, mu: (
        largest(y) / n * change_2 / mu
    ),
    ("ding2019:def-1", "bounded"): lambda y: largest(y),
    ("ding2019:def-1", "order"): lambda y, n, order: largest(y) / n**order,
    ("ding2019:def-1", "strong"): lambda mu: 1 - mu / (1 + mu),
    ("ding2019:volume-sampling", "bound"): lambda l, k, tail_F: (
        tail_F**2 / (1 - k / (l + 1))
    ),
    ("ding2019:volume-sampling", "mean"): lambda l, squares_ratio: (
        squares_ratio + l * squares_ratio
    ),
    ("ding2019:volume-sampling", "reached"): lambda l, tail_F: (
        0.998 * (tail_F**2 + l * tail_F**2)
    ),
    ("ding2019:volume-sampling-nystrom", "one column"): lambda a, n, tail_F: (
        ((1 + a) ** 2 + (n - 2) * a**2) * tail_F**2
    ),
    ("ding2019:volume-sampling-nystrom", "columns"): of_columns,
    ("ding2019:adaptive", "both rounds"): both_rounds,
    ("ding2019:adaptive", "criterion"): lambda y, n, mu, k, l, tail_trace: (
        largest(y) * both_rounds(k, l, tail_trace) / mu / n
    ),
    ("ding2019:adaptive", "trace"): lambda tail_trace, k, l, first_trace: (
        tail_trace + first_trace * k / (l - k)
    ),
    ("ding2019:adaptive", "projections"): lambda tail_F, k, l, first_squared: (
        tail_F * tail_F + first_squared * k / (l - k)
    ),
    ("ding2019:thm-1", "every size"): lambda mu: 1 / 2 - mu / (1 + 2 * mu),
    ("ding2019:uniform-columns", "bound"): lambda y, mu, l: (
        largest(y) / sqrt(l) / (mu + 1 / sqrt(l))
    ),
    ("ding2019:uniform-columns", "rank k"): lambda y, mu, tail_2, n, l: (
        largest(y) * (tail_2 / (mu * n) + 2 / (mu * sqrt(l)))
    ),
}
