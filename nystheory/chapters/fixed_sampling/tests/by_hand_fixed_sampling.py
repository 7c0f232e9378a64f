"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

from math import log

CONDITIONS = {
    ("modern:ridge-leverage", "delta"): lambda score_sum: score_sum / 18.4,
}

BY_HAND = {
    ("modern:ridge-leverage", "mean number"): lambda inclusion: sum(inclusion),
    ("modern:ridge-leverage", "number"): lambda delta, score_sum: (
        16 * score_sum * log(score_sum / delta)
    ),
    ("modern:leave-one-out-columns", "entries"): lambda inverse_entries: (
        1 / inverse_entries
    ),
    ("modern:leave-one-out-columns", "columns"): (
        lambda inverse_entries, solved_squares: solved_squares / inverse_entries**2
    ),
}
