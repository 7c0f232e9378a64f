"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

# l is the letter of the page.
# ruff: noqa: E741

from math import sqrt

BY_HAND = {
    ("talwalkar2010:eq-2.2", "rank"): lambda k, rank_W: min(k, rank_W),
    ("talwalkar2010:eq-2.3", "values"): lambda core_values, l, n: n / l * core_values,
    ("talwalkar2010:eq-2.4", "values"): lambda Sigma_C, l, n: sqrt(n / l) * Sigma_C,
}
