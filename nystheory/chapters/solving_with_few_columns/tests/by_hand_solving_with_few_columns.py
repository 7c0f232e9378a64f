"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

from math import log, sqrt


def condition(alpha, gap_2):
    return 1 + gap_2 / alpha


def first_count(accuracy, k, tail_trace, trace_K):
    return k / accuracy + k * (log(trace_K) - log(tail_trace) - log(accuracy))


def second_count(accuracy, k):
    return k / accuracy + k + k * max(k * log(2) - log(accuracy), 0)


CONDITIONS = {
    ("modern:preconditioning-trace", "missed_share"): lambda tail_trace, trace_K: (
        tail_trace / trace_K
    ),
    ("modern:preconditioning-trace", "N_1"): first_count,
    ("modern:preconditioning-trace", "N_2"): second_count,
}

BY_HAND = {
    ("modern:preconditioning-trace", "norm"): condition,
    ("modern:preconditioning-trace", "attained"): condition,
    ("modern:preconditioning-trace", "pivots, mean"): (
        lambda accuracy, alpha, tail_trace: (
            1 + (tail_trace + accuracy * tail_trace) / alpha
        )
    ),
    ("modern:preconditioning-trace", "any number"): lambda d_eff: 1 + d_eff,
    ("modern:gp-inducing", "mean, norm"): lambda noise, norm_E, norm_y: (
        norm_y**2 * (1 / noise - 1 / (noise + norm_E))
    ),
    (
        "modern:gp-inducing",
        "mean, everywhere",
    ): lambda noise, norm_E, norm_y, point_bound: (
        norm_y * sqrt(point_bound) * sqrt(1 / noise - 1 / (noise + norm_E))
    ),
    ("modern:gp-inducing", "mean, average"): lambda noise, trace_E: trace_E / noise,
    ("modern:gp-inducing", "overconfident, ratio"): lambda noise, norm_E: (
        (noise + norm_E) / noise
    ),
}
