"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

# l is the letter of the page.
# ruff: noqa: E741

from math import log, sqrt

# --- Symbols that several statements share -----------------------------------------


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


def deviation_bound(l, n, spread, g, A, L):
    """The mean distance, and n / l times the worst exchange times a root."""
    return e_l(l, n, spread) + n / l * g * sqrt(A * L / 2)


def b(K_max, d_max, delta, l, n, spread, g=g_F):
    A, L = alpha_sharp(l, n - l), log(1 / delta)
    return deviation_bound(l, n, spread, g(K_max, d_max), A, L)


def printed_y(K_max, d_max, delta, l, n):
    q = (n - l) / (n - 1 / 2) / (1 - 1 / (2 * max(l, n - l)))
    return sqrt(q * log(1 / delta)) * d_max / sqrt(K_max)


def printed_spectral(K_max, d_max, delta, l, n, tail_2):
    y = printed_y(K_max, d_max, delta, l, n)
    return tail_2 + 2 * n / sqrt(l) * K_max * (1 + y)


def printed_frobenius(K_max, d_max, delta, k, l, n, tail_F):
    y = printed_y(K_max, d_max, delta, l, n)
    return tail_F + (64 * k / l) ** (1 / 4) * n * K_max * sqrt(1 + y)


def replaced(K_max, d_max, delta, l, n, spread):
    mean = sqrt(n / l * spread)
    return mean + n / sqrt(l) * g_F(K_max, d_max) * sqrt(log(1 / delta) / 2)


def fixed_weights(K_max, d_max, delta, experts, l, mu_max, n, spread):
    m = experts * l
    A = min(alpha_sharp(l, n - l), mu_max**2 * m * (1 + m / n) ** 2)
    return deviation_bound(l, n, spread, g_F(K_max, d_max), A, log(1 / delta))


def any_weights(K_max, d_max, delta, experts, l, n, spread):
    A, L = alpha_sharp(l, n - l), log(experts / delta)
    return deviation_bound(l, n, spread, g_F(K_max, d_max), A, L)


# --- The statements ---------------------------------------------------------------

BY_HAND = {
    ("talwalkar2010:eq-5.3", "spectral norm"): lambda distance_2, tail_2: (
        tail_2 + 2 * distance_2
    ),
    ("talwalkar2010:eq-5.3", "Frobenius norm"): lambda distance_F, tail_F: (
        tail_F + 2 * distance_F
    ),
    ("talwalkar2010:eq-5.3", "Ky Fan norms"): lambda distance_ky_fan, tail_ky_fan: (
        tail_ky_fan + 2 * distance_ky_fan
    ),
    ("talwalkar2010:eq-5.3", "trace norm"): lambda distance_trace, tail_trace: (
        tail_trace + distance_trace
    ),
    ("talwalkar2010:sqrt2-lemma", "spectral norm"): lambda distance_F, tail_2: (
        tail_2 + sqrt(2) * distance_F
    ),
    ("talwalkar2010:sqrt2-lemma", "Frobenius norm"): lambda distance_F, tail_F: (
        tail_F + sqrt(2) * distance_F
    ),
    ("talwalkar2010:eq-5.8", "bound"): lambda K_max, distance_F, k, n, tail_F: (
        tail_F**2 + sqrt(64 * k) * distance_F * n * K_max
    ),
    ("talwalkar2010:eq-5.15", "mixture"): lambda ensemble_distance_F, head_F, tail_F: (
        tail_F**2 + 2 * sqrt(2) * head_F * ensemble_distance_F
    ),
    ("talwalkar2010:eq-5.15", "one expert"): lambda distance_F, head_F: (
        2 * sqrt(2) * head_F * distance_F
    ),
    ("talwalkar2010:eq-5.15", "as printed"): (
        lambda K_max, ensemble_distance_F, k, n: (
            sqrt(64 * k) * n * K_max * ensemble_distance_F
        )
    ),
    ("talwalkar2010:thm-5.2-spectral", "proved"): lambda tail_2, **known: (
        tail_2 + sqrt(2) * b(**known)
    ),
    ("talwalkar2010:thm-5.2-spectral", "constant diagonal"): lambda tail_2, **known: (
        tail_2 + sqrt(2) * b(**known, g=g_equal)
    ),
    ("talwalkar2010:thm-5.2-spectral", "printed"): printed_spectral,
    ("talwalkar2010:thm-5.2-spectral", "one event"): b,
    ("talwalkar2010:thm-5.2-frobenius", "proved"): lambda tail_F, **known: (
        tail_F + sqrt(2) * b(**known)
    ),
    ("talwalkar2010:thm-5.2-frobenius", "constant diagonal"): lambda tail_F, **known: (
        tail_F + sqrt(2) * b(**known, g=g_equal)
    ),
    ("talwalkar2010:thm-5.2-frobenius", "by squares"): lambda head_F, tail_F, **known: (
        sqrt(tail_F**2 + 2 * sqrt(2) * head_F * b(**known))
    ),
    ("talwalkar2010:thm-5.2-frobenius", "printed"): printed_frobenius,
    ("talwalkar2010:cor-5.6", "spectral"): lambda K_max, delta, l, n, tail_2: (
        tail_2 + n / sqrt(l) * K_max * (sqrt(2) + sqrt(2 * log(1 / delta)))
    ),
    ("talwalkar2010:cor-5.6", "Frobenius"): lambda K_max, delta, l, n, tail_F: (
        tail_F + n / sqrt(l) * K_max * (sqrt(2) + sqrt(2 * log(1 / delta)))
    ),
    ("talwalkar2010:cor-5.6", "finer, spectral"): lambda tail_2, **known: (
        tail_2 + sqrt(2) * replaced(**known)
    ),
    ("talwalkar2010:cor-5.6", "finer, Frobenius"): lambda tail_F, **known: (
        tail_F + sqrt(2) * replaced(**known)
    ),
    ("talwalkar2010:cor-5.6", "printed"): lambda K_max, delta, l, n, tail_2: (
        tail_2 + n / sqrt(l) * K_max * (2 + log(1 / delta))
    ),
    ("talwalkar2010:cor-5.6", "without replacement, spectral"): (
        lambda tail_2, **known: tail_2 + sqrt(2) * replaced(**known)
    ),
    ("talwalkar2010:cor-5.6", "without replacement, Frobenius"): (
        lambda tail_F, **known: tail_F + sqrt(2) * replaced(**known)
    ),
    ("talwalkar2010:cor-5.6", "below the printed"): lambda K_max, delta, l, n: (
        n / sqrt(l) * K_max * (2 + log(1 / delta))
    ),
    ("talwalkar2010:cor-5.6", "finer"): lambda K_max, delta, l, n: (
        n / sqrt(l) * K_max * (sqrt(2) + sqrt(2 * log(1 / delta)))
    ),
    ("talwalkar2010:thm-5.3", "fixed weights"): lambda tail_2, **known: (
        tail_2 + sqrt(2) * fixed_weights(**known)
    ),
    ("talwalkar2010:thm-5.3", "fixed weights, Frobenius"): lambda tail_F, **known: (
        tail_F + sqrt(2) * fixed_weights(**known)
    ),
    ("talwalkar2010:thm-5.3", "any weights"): lambda tail_2, **known: (
        tail_2 + sqrt(2) * any_weights(**known)
    ),
    ("talwalkar2010:thm-5.3", "any weights, Frobenius"): lambda tail_F, **known: (
        tail_F + sqrt(2) * any_weights(**known)
    ),
}
