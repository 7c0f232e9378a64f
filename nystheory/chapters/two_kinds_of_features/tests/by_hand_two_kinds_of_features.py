"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

from math import e, log


def pairs(kernel_twice, kernel, m):
    """The mean square of a cosine less the square of its mean, over m."""
    return ((1 + kernel_twice) / 2 - kernel**2) / m


def phases(D, kernel_twice, kernel):
    """The same and half of one more, over D."""
    return ((1 + kernel_twice) / 2 + 1 / 2 - kernel**2) / D


def not_drawn(m, n):
    return ((n - 1) / n) ** m


CONDITIONS = {
    ("modern:rare-frequency", "necessary"): lambda n, delta: (1 - n) * log(delta),
    ("modern:rare-frequency", "enough"): lambda n, delta: -n * log(delta),
}

BY_HAND = {
    ("wikipedia:rff-variance", "pairs"): pairs,
    ("wikipedia:rff-variance", "phases"): phases,
    ("wikipedia:rff-variance", "Gaussian, pairs"): lambda kernel, m: pairs(
        kernel**4, kernel, m
    ),
    ("wikipedia:rff-variance", "Gaussian, phases"): lambda D, kernel: phases(
        D, kernel**4, kernel
    ),
    ("modern:rare-frequency", "chance"): not_drawn,
    ("modern:rare-frequency", "error"): lambda alpha: (1 / 2) / (1 / 2 + alpha),
    ("modern:flat-spectrum", "trace"): lambda K_max, n, r: K_max * n - K_max * r,
    ("modern:flat-spectrum", "columns"): lambda K_max, different, n: (
        K_max * n - K_max * different
    ),
    ("modern:flat-spectrum", "best"): lambda K_max, k, n: K_max * n - K_max * k,
    ("wikipedia:nystrom", "rank of the error"): lambda rank_K, rank_W: rank_K - rank_W,
    ("yang2012:prop-1", "norm"): lambda scale, sigma, u2, wc, ws: (
        scale * (e ** (sigma**2 * u2 / 2)) @ (ws**2 + wc**2)
    ),
}
