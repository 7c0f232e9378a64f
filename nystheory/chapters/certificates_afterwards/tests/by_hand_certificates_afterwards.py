"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

# l is the letter of the page.
# ruff: noqa: E741

from math import log, sqrt


def log_determinant(r, noise, trace_E):
    return r * log(1 + trace_E / (r * noise))


def saturated(alpha, norm_E):
    return norm_E / (alpha * (alpha + norm_E))


def one_and_epsilon(missed_trace, tail_trace):
    return missed_trace / tail_trace


def beyond_best(missed_trace, tail_trace):
    return missed_trace - tail_trace


BY_HAND = {
    ("modern:error-chain", "certificate"): lambda factor_F, trace_K: (
        trace_K - factor_F**2
    ),
    ("modern:error-chain", "growth"): lambda approximate_eigenvalues, norm_E: (
        approximate_eigenvalues + norm_E
    ),
    ("modern:error-chain", "growth, trace"): lambda approximate_eigenvalues, trace_E: (
        approximate_eigenvalues + trace_E
    ),
    ("modern:error-chain", "angle"): lambda approximate_gap, norm_E: (
        norm_E / approximate_gap
    ),
    ("modern:error-chain", "angle, trace"): lambda approximate_gap, trace_E: (
        trace_E / approximate_gap
    ),
    ("modern:error-chain", "two points"): lambda approximate_gap, trace_E: (
        trace_E / approximate_gap
    ),
    ("modern:resolvent", "spectral"): saturated,
    ("modern:resolvent", "trace"): lambda alpha, trace_E: saturated(alpha, trace_E),
    ("modern:resolvent", "ceiling"): lambda alpha, norm_E: min(
        1 / alpha, norm_E / alpha**2
    ),
    ("modern:resolvent", "attained"): saturated,
    ("modern:log-determinant", "determinant"): lambda n, noise, trace_E: (
        log_determinant(n, noise, trace_E)
    ),
    ("modern:log-determinant", "trace"): lambda noise, trace_E: trace_E / noise,
    ("modern:log-determinant", "rest"): lambda n, noise, rank_W, trace_E: (
        log_determinant(n - rank_W, noise, trace_E)
    ),
    ("modern:log-determinant", "attained"): lambda n, noise, rank_W, trace_E: (
        log_determinant(n - rank_W, noise, trace_E)
    ),
    ("modern:log-determinant", "mean, below"): lambda noise, trace_E: (
        trace_E / (2 * noise)
    ),
    ("modern:log-determinant", "mean, above"): lambda noise, trace_E: trace_E / noise,
    ("modern:log-determinant", "any data"): lambda noise, norm_E, norm_y, trace_E: (
        trace_E / (2 * noise) + norm_E * norm_y**2 / (2 * noise * (noise + norm_E))
    ),
    ("modern:log-determinant", "any data, trace"): lambda noise, norm_y, trace_E: (
        trace_E / (2 * noise) * (1 + norm_y**2 / (noise + trace_E))
    ),
    ("modern:fixed-rank", "nuclear"): lambda tail_trace, trace_E: tail_trace + trace_E,
    ("modern:fixed-rank", "spectral"): lambda norm_E, tail_2: tail_2 + norm_E,
    ("modern:operator-monotone", "any function"): lambda tail_f, **known: (
        one_and_epsilon(**known) * tail_f
    ),
    ("modern:operator-monotone", "in detail"): lambda slope_f, tail_f, **known: (
        tail_f + slope_f * beyond_best(**known)
    ),
    ("modern:operator-monotone", "never more"): lambda tail_f, **known: (
        one_and_epsilon(**known) * tail_f
    ),
    ("modern:operator-monotone", "logarithm"): lambda tail_log, **known: (
        one_and_epsilon(**known) * tail_log
    ),
    ("modern:operator-monotone", "root"): lambda tail_root, **known: (
        one_and_epsilon(**known) * tail_root
    ),
    ("modern:operator-monotone", "effective dimension"): (
        lambda tail_shrunk, **known: one_and_epsilon(**known) * tail_shrunk
    ),
    ("modern:operator-monotone", "root, in detail"): (
        lambda lambda_k, tail_root, **known: (
            tail_root + beyond_best(**known) / sqrt(lambda_k)
        )
    ),
    ("modern:operator-monotone", "effective dimension, in detail"): (
        lambda alpha, lambda_k, tail_shrunk, **known: (
            tail_shrunk + beyond_best(**known) / (lambda_k + alpha)
        )
    ),
    ("modern:stability", "singular value"): lambda l, n: 1 / sqrt(1 + l * (n - l)),
    ("modern:stability", "simpler"): lambda l, n: 1 / sqrt(n * l),
    ("modern:stability", "sums"): lambda l, n: 1 / sqrt(1 + l * (n - l)),
}
