"""The bounds for support vectors, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

from math import sqrt


def sharper(C_0, change_2, kappa, n):
    return C_0 * sqrt(kappa) * sqrt(change_2) / sqrt(n)


def printed(C_0, change_2, kappa):
    # (5.45): two powers of the change, the first of them a quarter.
    first = sqrt(2) * kappa**0.75 * C_0 * change_2**0.25
    return first + kappa**0.5 * C_0 * change_2**0.5


def printed_over_points(C_0, change_2, point_bound):
    return printed(C_0, change_2, point_bound)


def regression(C_0, change_2, point_bound, n):
    return sqrt(8 / 27**0.5) * sharper(C_0, change_2, point_bound, n)


def root_change(change_2):
    return change_2**0.5


def lowest_bordered(K_xx, outside):
    # The smaller eigenvalue of (0, p; p, K(x, x)).
    half = K_xx / 2
    return half - sqrt(half**2 + outside**2)


BY_HAND = {
    ("talwalkar2010:lem-5.1", "roots"): root_change,
    ("talwalkar2010:prop-5.2-proof", "indefinite"): lowest_bordered,
    ("talwalkar2010:prop-5.2", "sharper"): lambda C_0, change_2, point_bound, n: (
        sharper(C_0, change_2, point_bound, n)
    ),
    ("talwalkar2010:prop-5.2", "printed"): printed_over_points,
    ("talwalkar2010:prop-5.2", "ratio"): lambda C_0, change_2, point_bound, n: (
        printed(C_0, change_2, point_bound) / sqrt(n)
    ),
    ("talwalkar2010:prop-5.2", "approached"): lambda C_0, change_2, point_bound, n: (
        sharper(C_0, change_2, point_bound, n) - 1
    ),
    ("talwalkar2010:cor-5.1", "sharper"): lambda C_0, change_2, K_xx, n: sharper(
        C_0, change_2, K_xx, n
    ),
    ("talwalkar2010:cor-5.1", "printed"): lambda C_0, change_2, K_xx: printed(
        C_0, change_2, K_xx
    ),
    ("talwalkar2010:cor-5.2", "sharper"): regression,
    ("talwalkar2010:cor-5.2", "printed"): printed_over_points,
    ("talwalkar2010:cor-5.2", "attained"): regression,
}
