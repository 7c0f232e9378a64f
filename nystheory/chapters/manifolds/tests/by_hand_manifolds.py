"""The formulas of this chapter, written down again from their statements on the page.

Each function takes the quantities of its formula by name; the tests of the engine hold
it against the calculator.
"""

# l is the letter of the page.
# ruff: noqa: E741

BY_HAND = {
    ("modern:landmark-mds", "trace"): lambda n, l, landmark_squares, core_squares: (
        landmark_squares.sum() / l - n / 2 * core_squares.sum() / l**2
    ),
}
