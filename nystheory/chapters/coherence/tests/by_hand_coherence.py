"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

# l is the letter of the page.
# ruff: noqa: E741

from math import erf, exp, floor, log, log2, sqrt

# --- Symbols that several statements share -----------------------------------------


def printed_columns(coherence, delta, r, C):
    return r * coherence**2 * max(C * log(r), C * log(3 / delta))


# --- The statements ---------------------------------------------------------------

CONDITIONS = {
    ("talwalkar2010:thm-5.5", "columns"): lambda basis_free_coherence, r, delta: (
        basis_free_coherence * (log(r) - log(delta))
    ),
    ("talwalkar2010:thm-5.4", "rows"): lambda basis_free_coherence, r, delta: (
        9.25 * basis_free_coherence * (log(2 * r) - log(delta))
    ),
    ("talwalkar2010:rem-rank", "r_n"): lambda size: (
        2.0 ** floor(log2(size) - 2 * log2(log(size)))
    ),
    ("talwalkar2010:rem-rank", "power"): lambda size: 2.0 ** round(log2(size)),
    ("talwalkar2010:rem-rank", "enough"): lambda group_count, delta: (
        group_count * (log(group_count) - log(delta))
    ),
    ("modern:uniform-coherence", "h"): lambda kept_share: (
        1 - kept_share * (1 - log(kept_share))
    ),
    ("modern:uniform-coherence", "enough columns"): (
        lambda leading_coherence, k, delta, kept_share: (
            leading_coherence
            * k
            * (log(k) - log(delta))
            / (1 - kept_share * (1 - log(kept_share)))
        )
    ),
    ("modern:leverage", "enough columns"): lambda k, delta, score_share, accuracy: (
        k / score_share * max(6.52 * (log(k) - log(delta)), 20 / accuracy**2)
    ),
}

BY_HAND = {
    ("talwalkar2010:def-5.1", "largest"): lambda n: sqrt(n),
    ("talwalkar2010:def-5.1", "at most"): lambda coherence, n, r: min(
        n, r * coherence**2
    ),
    ("talwalkar2010:def-5.1", "at least"): lambda coherence, r: max(r, coherence**2),
    ("talwalkar2010:footnote-coherence", "the first"): lambda mu_1, r: sqrt(r) * mu_1,
    ("talwalkar2010:footnote-coherence", "the space"): lambda mu_1, r: sqrt(r) * mu_1,
    ("talwalkar2010:thm-5.5", "chance"): lambda basis_free_coherence, l, r: (
        r * exp(-l / basis_free_coherence)
    ),
    ("talwalkar2010:thm-5.5", "printed columns"): lambda **known: printed_columns(
        **known, C=2
    ),
    ("talwalkar2010:thm-5.5", "one group"): (
        lambda basis_free_coherence, l, n, points_off_zero: exp(
            -n / (n - points_off_zero - l) * l / basis_free_coherence
        )
    ),
    ("talwalkar2010:thm-5.4", "chance"): lambda basis_free_coherence, l, r: (
        r * exp(-(1 - log(2)) / 2 * l / basis_free_coherence)
        + r * exp(-(3 * log(3 / 2) - 1) / 2 * l / basis_free_coherence)
    ),
    ("talwalkar2010:thm-5.4", "printed rows"): lambda **known: printed_columns(
        **known, C=18.5
    ),
    ("talwalkar2010:rem-rank", "at least"): lambda size: size / (2 * log(size) ** 2),
    ("talwalkar2010:rem-rank", "share"): lambda delta, size: (
        1 / log(size) + log(1 / delta) / log(size) ** 2 + 1 / size
    ),
    ("talwalkar2010:sec-5.2.3", "the larger"): (
        lambda rest_coherence, target_coherence: max(target_coherence, rest_coherence)
    ),
    ("talwalkar2010:sec-5.2.3", "random level"): lambda delta, n, r: sqrt(
        2 * n / (n - 2) * log(n * (r - 1) / delta)
    ),
    ("talwalkar2010:sec-5.2.3", "target"): lambda n, target_coherence: (
        3 * erf((target_coherence + target_coherence / sqrt(n)) / sqrt(2)) ** n
    ),
    ("talwalkar2010:sec-5.2.3", "at most"): lambda rest_free, target_coherence: (
        target_coherence**2 + rest_free
    ),
    ("talwalkar2010:sec-5.2.3", "at least"): lambda r, target_coherence: max(
        target_coherence**2, r
    ),
    ("talwalkar2010:sec-5.2.3", "mean of the row"): lambda n, r, target_coherence: (
        target_coherence**2 + (n - target_coherence**2) * (r - 1) / (n - 1)
    ),
    ("modern:structural", "every norm"): lambda ky_fan_G, ky_fan_tail: (
        ky_fan_tail + ky_fan_G
    ),
    ("modern:structural", "spectral"): lambda G_2, tail_2: tail_2 + G_2**2,
    ("modern:structural", "Frobenius"): lambda G_gram_F, tail_F: tail_F + G_gram_F,
    ("modern:structural", "trace"): lambda G_F, tail_trace: tail_trace + G_F**2,
    ("modern:structural", "published"): lambda G_2, G_F, tail_F, tail_trace: (
        tail_F + G_2 * (sqrt(2 * tail_trace) + G_F)
    ),
    ("modern:uniform-coherence", "the spectral norm"): (
        lambda kept_share, l, n, tail_2: (1 + n / (kept_share * l)) * tail_2
    ),
    ("modern:uniform-coherence", "the trace"): lambda delta, kept_share, tail_trace: (
        (1 + 1 / (delta * kept_share)) * tail_trace
    ),
    ("modern:uniform-coherence", "published"): (
        lambda delta, k, kept_share, leading_coherence: (
            2 * leading_coherence * k * log(k / delta) / (1 - kept_share) ** 2
        )
    ),
    ("modern:leverage", "the spectral norm"): lambda accuracy, tail_2, tail_trace: (
        tail_2 + accuracy**2 * tail_trace
    ),
    ("modern:leverage", "the Frobenius norm"): lambda accuracy, tail_F, tail_trace: (
        tail_F + accuracy**2 * tail_trace
    ),
    ("modern:leverage", "the trace"): lambda accuracy, tail_trace: (
        (1 + accuracy**2) * tail_trace
    ),
    ("modern:leverage", "all at once"): lambda delta: 1 / 5 + delta,
    ("modern:leverage", "exact recovery"): lambda delta: 1 / 5 + delta,
}
