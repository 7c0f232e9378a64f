"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

# l is the letter of the page.
# ruff: noqa: E741

from math import ceil, e, exp, log


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


def scores_missed(d_eff, l, n, ridge_share):
    return n * exp(-l / (8 * (d_eff / ridge_share + 1 / 6)))


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
}

BY_HAND = {
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
    ("modern:rudi", "without replacement"): intrinsic,
    ("modern:rudi", "enough columns"): lambda alpha: 2 * alpha,
}
