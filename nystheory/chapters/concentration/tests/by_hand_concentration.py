"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

# l is the letter of the page.
# ruff: noqa: E741

from math import exp, log, sqrt

# --- Symbols that several statements share -----------------------------------------


def g_2(K_max, d_max):
    R = sqrt(K_max)
    return R**2 - max(R - d_max, 0) ** 2


def g_equal(K_max, d_max):
    """Two points of full length, at a right angle at most."""
    d = min(d_max, sqrt(2 * K_max))
    return d * sqrt((4 * K_max - d**2) / 2)


def g_F(K_max, d_max):
    return max(d_max * (2 * sqrt(K_max) - d_max), g_equal(K_max, d_max))


def e_l(l, n, spread):
    return sqrt(n * (n - l) / (l * (n - 1)) * spread)


def alpha_sharp(l, u):
    if u == 0:
        return 0
    drawn = u**2 * sum(1 / j**2 for j in range(u, l + u))
    left = l**2 * sum(1 / j**2 for j in range(l, l + u))
    return min(drawn, left)


def alpha_printed(l, u):
    return l * u / (l + u - 1 / 2) / (1 - 1 / (2 * max(l, u)))


# --- The statements ---------------------------------------------------------------

BY_HAND = {
    ("talwalkar2010:eq-5.6", "exchange"): lambda l, n, **known: n / l * g_F(**known),
    ("talwalkar2010:eq-5.6", "exchange, spectral"): lambda l, n, **known: (
        n / l * g_2(**known)
    ),
    ("talwalkar2010:eq-5.6", "pairs"): g_F,
    ("talwalkar2010:eq-5.6", "pairs, spectral"): g_2,
    ("talwalkar2010:eq-5.6", "equal lengths"): lambda l, n, **known: (
        n / l * g_equal(**known)
    ),
    ("talwalkar2010:eq-5.6", "equal lengths, spectral"): lambda l, n, **known: (
        n / l * g_equal(**known) / sqrt(2)
    ),
    ("talwalkar2010:eq-5.6", "pairs of equal length"): g_equal,
    ("talwalkar2010:eq-5.6", "pairs of equal length, spectral"): lambda **known: (
        g_equal(**known) / sqrt(2)
    ),
    ("talwalkar2010:eq-5.6", "attained"): g_F,
    ("talwalkar2010:eq-5.6", "attained, spectral"): g_2,
    ("talwalkar2010:eq-5.6", "attained, equal lengths"): g_equal,
    ("talwalkar2010:eq-5.6", "attained, equal lengths, spectral"): lambda **known: (
        g_equal(**known) / sqrt(2)
    ),
    ("talwalkar2010:eq-5.6", "as printed"): lambda K_max, d_max: (
        2 * d_max * sqrt(K_max)
    ),
    ("talwalkar2010:eq-5.6", "as printed, the others"): lambda K_max, d_max: (
        2 * d_max * sqrt(K_max)
    ),
    ("talwalkar2010:eq-5.6", "both norms"): lambda **known: sqrt(2) * g_2(**known),
    ("talwalkar2010:eq-5.7", "mean"): e_l,
    ("talwalkar2010:eq-5.7", "mean, spectral"): e_l,
    ("talwalkar2010:eq-5.7", "mean square"): lambda **known: e_l(**known) ** 2,
    ("talwalkar2010:eq-5.7", "with replacement"): lambda l, n, spread: n / l * spread,
    ("talwalkar2010:eq-5.7", "by the length"): lambda K_max, l, n: (
        n / sqrt(l) * sqrt(1 - l / n) * K_max
    ),
    ("talwalkar2010:eq-5.7", "by the distance"): lambda l, n, **known: (
        n / sqrt(l) * sqrt(1 - l / n) * g_F(**known) / sqrt(2)
    ),
    ("talwalkar2010:eq-5.7", "both"): lambda K_max: sqrt(2) * K_max,
    ("talwalkar2010:eq-5.7", "as printed"): lambda K_max, l, n: n / sqrt(l) * K_max,
    ("talwalkar2010:thm-5.1", "tail"): lambda c, epsilon, l, n: exp(
        -2 * epsilon**2 / (alpha_sharp(l, n - l) * c**2)
    ),
    ("talwalkar2010:thm-5.1", "deviation"): lambda c, delta, l, n: (
        c * sqrt(alpha_sharp(l, n - l) * log(1 / delta) / 2)
    ),
    ("talwalkar2010:thm-5.1", "as printed"): lambda l, n: alpha_printed(l, n - l),
}
