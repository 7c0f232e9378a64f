"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

# l is the letter of the page.
# ruff: noqa: E741

from math import ceil, e, exp, log, sqrt

# --- Symbols that several statements share -----------------------------------------


def q_blocks(k, l, n, similarity):
    return similarity * (n - l) / (k * (1 - similarity) + similarity * l)


def block_frobenius(k, l, n, similarity):
    q = q_blocks(k, l, n, similarity)
    return (n - l - k + k * (1 + q) ** 2) / (n - k)


def condition(alpha, gap_2, smallest_eigenvalue, smallest_kept):
    both = (smallest_kept + alpha) * (smallest_eigenvalue + alpha)
    second = (smallest_kept + smallest_eigenvalue + 2 * alpha) / both
    return (smallest_kept + alpha + gap_2) * min(1 / alpha, second)


def mean_condition(alpha, d_eff, lambda_last, lambda_q, tail_q):
    q = ceil(1.5 * d_eff)
    c = 2 * e**2 * (2 * q + 1) / (q + 2)
    return 1 + (lambda_last + 3 * lambda_q + c * tail_q / q) / alpha


def inflated_risk(alpha, gap_2, risk):
    return (1 + gap_2 / alpha) ** 2 * risk


def intrinsic(d_eff, l, largest_score):
    return 8 * d_eff * exp(-l / (9 / 2 * largest_score + 1))


def block_trace(k, l, n, similarity):
    return (n - l + k * q_blocks(k, l, n, similarity)) / (n - k)


def scores_missed(d_eff, l, n, ridge_share):
    return n * exp(-l / (8 * (d_eff / ridge_share + 1 / 6)))


def volume_bound(k, l, tail_l, tail_rank):
    x = (l - k) / (k + tail_rank - l)
    return (1 + k / (l + 1 - k)) * (1 + x) * tail_l


def published_volume(accuracy, k, l, tail_l, tail_rank):
    x = (l - k) / (k + tail_rank - l)
    return (1 + 2 * accuracy) ** 2 * (1 + k / (l - k)) * sqrt(1 + 2 * x) * tail_l


def log_determinant(r, noise, trace_E):
    return r * log(1 + trace_E / (r * noise))


def saturated(alpha, norm_E):
    return norm_E / (alpha * (alpha + norm_E))


def plane_error(norm_K_F, trace_K):
    """With eigenvalues a and b: their root times their mean."""
    ab = (trace_K**2 - norm_K_F**2) / 2
    return sqrt(ab) * trace_K / 2


def one_and_epsilon(missed_trace, tail_trace):
    return missed_trace / tail_trace


def beyond_best(missed_trace, tail_trace):
    return missed_trace - tail_trace


# --- The statements ---------------------------------------------------------------


def enough_at_random(largest_score, n, K_max, alpha, delta):
    return max(67, 5 * largest_score) * log(12 * n * K_max / alpha / delta)


CONDITIONS = {
    ("modern:alaoui-mahoney", "enough columns"): lambda d_eff, ridge_share, n, delta: (
        (8 * d_eff / ridge_share + 4 / 3) * (log(n) - log(delta))
    ),
    ("modern:bach", "mean risk"): lambda largest_score, accuracy, n, K_max, alpha: (
        (32 * largest_score / accuracy + 2)
        * (2 * log(n) + log(K_max) - log(accuracy) - log(alpha))
    ),
    ("modern:rudi", "columns"): enough_at_random,
    ("modern:rudi", "enough columns"): enough_at_random,
    ("modern:k-dpp-beyond-worst-case", "published"): (
        lambda accuracy, k, l, tail_rank: (
            (1 + 2 * accuracy) ** 2 * sqrt(1 + 2 * (l - k) / (k + tail_rank - l))
        )
    ),
}

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
    ("modern:leave-one-out-sketch", "closed form"): plane_error,
    ("modern:leave-one-out-sketch", "one direction"): plane_error,
    ("modern:fixed-rank", "nuclear"): lambda tail_trace, trace_E: tail_trace + trace_E,
    ("modern:fixed-rank", "spectral"): lambda norm_E, tail_2: tail_2 + norm_E,
    # 1 + epsilon is the ratio of the nuclear errors.
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
    ("modern:lower-bound", "spectral"): lambda **known: 1 + q_blocks(**known),
    ("modern:lower-bound", "Frobenius"): block_frobenius,
    ("modern:lower-bound", "trace"): block_trace,
    ("modern:lower-bound", "spectral, attained"): lambda **known: 1 + q_blocks(**known),
    ("modern:lower-bound", "Frobenius, attained"): block_frobenius,
    ("modern:lower-bound", "trace, attained"): block_trace,
    ("modern:lower-bound", "next eigenvalue"): lambda similarity: 1 - similarity,
    ("modern:lower-bound", "other eigenvalues"): lambda k, n, similarity: (
        (n - k) * (1 - similarity)
    ),
    ("modern:lower-bound", "rise"): q_blocks,
    ("modern:lower-bound", "limit, spectral"): lambda l, n: n / l,
    ("modern:lower-bound", "limit, Frobenius"): lambda k, l, n: block_frobenius(
        k, l, n, similarity=1
    ),
    ("modern:lower-bound", "limit, trace"): lambda k, l, n: block_trace(
        k, l, n, similarity=1
    ),
    ("modern:gaussian-sketch", "nuclear"): lambda k, l, tail_trace: (
        (1 + k / (l - k - 1)) * tail_trace
    ),
    ("modern:gaussian-sketch", "spectral"): lambda k, l, tail_2, tail_trace: (
        tail_2 + k / (l - k - 1) * tail_trace
    ),
    ("modern:gaussian-sketch", "without truncation"): (
        lambda k, l, tail_2, tail_trace: (
            (1 + 2 * k / (l - k - 1)) * tail_2
            + 2 * e**2 * l / ((l - k) ** 2 - 1) * tail_trace
        )
    ),
    ("modern:gaussian-sketch", "every draw, nuclear"): lambda mixed_in, tail_trace: (
        tail_trace + mixed_in
    ),
    ("modern:gaussian-sketch", "every draw, spectral"): (
        lambda cut_sketch_trace, tail_2, tail_trace: (
            tail_2 + cut_sketch_trace - tail_trace
        )
    ),
    ("modern:preconditioner", "one draw"): condition,
    ("modern:preconditioner", "mean"): mean_condition,
    ("modern:ridge-risk-core", "bound"): inflated_risk,
    ("modern:ridge-risk-core", "attained"): inflated_risk,
    ("modern:alaoui-mahoney", "error"): scores_missed,
    ("modern:alaoui-mahoney", "all at once"): scores_missed,
    ("modern:bach", "error"): lambda accuracy, l, largest_score, n: (
        n * exp(-l / (8 * (largest_score / accuracy + 1 / 6)))
    ),
    ("modern:bach", "mean risk"): lambda accuracy, risk: (1 + 4 * accuracy) * risk,
    ("modern:rudi", "with replacement"): intrinsic,
    ("modern:rudi", "different columns"): intrinsic,
    ("modern:rudi", "enough columns"): lambda alpha: 2 * alpha,
    ("modern:k-dpp-beyond-worst-case", "mean"): volume_bound,
    ("modern:k-dpp-beyond-worst-case", "exact mean"): lambda l, symmetric_ratio: (
        (l + 1) * symmetric_ratio
    ),
    ("modern:k-dpp-beyond-worst-case", "any spectrum"): volume_bound,
    ("modern:k-dpp-beyond-worst-case", "published"): published_volume,
    ("modern:k-dpp-beyond-worst-case", "published for 1/2"): (
        lambda **known: published_volume(accuracy=1 / 2, **known)
    ),
    ("modern:stability", "singular value"): lambda l, n: 1 / sqrt(1 + l * (n - l)),
    ("modern:stability", "simpler"): lambda l, n: 1 / sqrt(n * l),
    ("modern:stability", "sums"): lambda l, n: 1 / sqrt(1 + l * (n - l)),
}
