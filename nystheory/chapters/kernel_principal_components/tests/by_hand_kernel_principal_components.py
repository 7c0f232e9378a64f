"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

# l is the letter of the page.
# ruff: noqa: E741

from math import hypot, log, sqrt


def deviation(l, delta):
    return sqrt(log(1 / delta) / (2 * l))


def at_most(K_max, k, l, delta):
    return K_max * (sqrt(k / l) + deviation(l, delta))


def printed(K_max, W, k, l, delta):
    lengths = hypot(*(W[i, i] for i in range(l)))
    return 2 * sqrt(k) * lengths / l + 3 * K_max * deviation(l, delta / 3)


def every_size(K_max, half_gap, n, l, delta):
    return n * K_max / half_gap * (1 + sqrt(-log(delta))) / sqrt(l)


def as_printed(K_max, half_gap, n, l, delta):
    return n * K_max / half_gap * (2 + sqrt(-2 * log(delta))) / sqrt(l)


BY_HAND = {
    ("talwalkar2010:prop-5.4", "residual"): lambda tail_trace, n: tail_trace / n,
    ("talwalkar2010:prop-5.4", "difference"): lambda other_tail, tail_trace, n: (
        max(other_tail - tail_trace, tail_trace - other_tail) / n
    ),
    ("talwalkar2010:prop-5.4", "bound"): lambda k, n, change_2: (n - k) * change_2 / n,
    ("talwalkar2010:prop-5.4", "attained"): lambda k, n, change_2: (
        (n - k) * change_2 / n
    ),
    ("talwalkar2010:prop-5.4", "Frobenius"): lambda k, n, change_F: (
        (n - k) ** 0.5 * change_F / n
    ),
    ("talwalkar2010:thm-5.6", "from below"): lambda K_max, l, delta: (
        K_max * deviation(l, delta)
    ),
    ("talwalkar2010:thm-5.6", "from above"): at_most,
    ("talwalkar2010:cor-5.3", "as printed"): lambda K_max, W, k, l, delta, **known: (
        printed(K_max, W, k, l, delta) + (l - k) / l * known["sample_change_2"]
    ),
    ("talwalkar2010:cor-5.3", "sharper"): lambda K_max, k, l, delta, **known: (
        at_most(K_max, k, l, delta / 2) + (l - k) / l * known["sample_change_2"]
    ),
    ("talwalkar2010:cor-5.4", "as printed"): lambda k, l, delta, sample_change_2: (
        2 * sqrt(k / l) + 3 * deviation(l, delta / 3) + (l - k) / l * sample_change_2
    ),
    ("talwalkar2010:thm-5.7", "covariances"): lambda covariance_change_F, half_gap: (
        covariance_change_F / half_gap
    ),
    ("talwalkar2010:thm-5.7", "kernel matrices"): lambda change_F, half_gap: (
        change_F / half_gap
    ),
    ("talwalkar2010:thm-5.8", "every size"): every_size,
    ("talwalkar2010:thm-5.8", "as printed"): as_printed,
    ("talwalkar2010:thm-5.8", "sharper"): as_printed,
    ("talwalkar2010:cor-5.5", "covariances"): lambda half_gap, n, l, **known: (
        every_size(
            half_gap=half_gap, n=n, l=l, K_max=known["K_max"], delta=known["delta"]
        )
        + n * known["sample_covariance_change"] / l / half_gap
    ),
}

CONDITIONS = {
    ("talwalkar2010:thm-5.6", "lower"): lambda K_max, l, delta: (
        K_max * deviation(l, delta / 3)
    ),
}
