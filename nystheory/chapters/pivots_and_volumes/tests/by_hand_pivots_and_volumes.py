"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

# l is the letter of the page.
# ruff: noqa: E741

from math import log

# --- Symbols that several statements share -----------------------------------------


def more_than_the_tail(accuracy, tail_trace):
    return tail_trace + accuracy * tail_trace


def less_the_gain(fourth_powers, norm_K_F, squared_diagonal):
    return norm_K_F**2 - fourth_powers / squared_diagonal


# --- When they speak ---------------------------------------------------------------


def by_entropy(k, accuracy, tail_trace, trace_K, more=0):
    """Pivots that are enough: ``more`` beside k at the logarithm, for blocks."""
    missed = tail_trace / trace_K
    return k / accuracy - (k + more) * log(accuracy * missed)


def in_blocks(block_size, **known):
    return by_entropy(more=block_size - 1, **known)


CONDITIONS = {
    ("modern:rpcholesky", "missed_share"): lambda tail_trace, trace_K: (
        tail_trace / trace_K
    ),
    ("modern:rpcholesky", "N_1"): by_entropy,
    ("modern:rpcholesky", "N_2"): lambda k, accuracy: (
        k * (1 / accuracy + 1 + max(k * log(2) - log(accuracy), 0))
    ),
    ("modern:block-rpcholesky", "missed_share"): lambda tail_trace, trace_K: (
        tail_trace / trace_K
    ),
    ("modern:block-rpcholesky", "N"): in_blocks,
}

# --- The statements ---------------------------------------------------------------

BY_HAND = {
    ("modern:geometry", "farthest"): lambda optimal_squared: 4 * optimal_squared,
    ("modern:geometry", "from the longest"): lambda optimal_squared: (
        4 * optimal_squared
    ),
    ("modern:geometry", "volume"): lambda l, next_eigenvalue: (l + 1) * next_eigenvalue,
    ("modern:geometry", "farthest, attained"): lambda optimal_squared: (
        4 * optimal_squared
    ),
    ("modern:geometry", "volume, reached"): lambda l, next_eigenvalue: (
        (1 - 1e-4) * (l + 1) * next_eigenvalue
    ),
    ("modern:k-dpp-expectation", "mean"): lambda l, symmetric_ratio: (
        (l + 1) * symmetric_ratio
    ),
    ("modern:k-dpp-expectation", "bound"): lambda k, l, tail_trace: (
        (1 + k / (l + 1 - k)) * tail_trace
    ),
    ("modern:k-dpp-expectation", "reached"): lambda l, tail_trace: (
        (1 - 1e-4) * (l + 1) * tail_trace
    ),
    ("modern:dpp-expectation", "error"): lambda alpha, d_eff: alpha * d_eff,
    ("modern:rpcholesky", "accuracy"): more_than_the_tail,
    ("modern:rpcholesky", "first branch"): more_than_the_tail,
    ("modern:rpcholesky", "k pivots"): lambda k, tail_trace: 2**k * tail_trace,
    ("modern:block-rpcholesky", "accuracy"): more_than_the_tail,
    ("modern:block-rpcholesky", "first branch"): more_than_the_tail,
    ("modern:frobenius-pivoting", "one pivot"): less_the_gain,
    ("modern:frobenius-pivoting", "the gain"): lambda n, norm_K_F: (
        norm_K_F**2 - norm_K_F**2 / n
    ),
    ("modern:frobenius-pivoting", "several"): lambda l, n, norm_K_F: (
        (n - l) / n * norm_K_F**2
    ),
}
