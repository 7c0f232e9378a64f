"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

# l is the letter of the page.
# ruff: noqa: E741

from math import log, sqrt


def printed_factor(alpha, n, largest_label, point_bound):
    """kappa M / (lambda_0^2 n) with alpha = n lambda_0."""
    return point_bound * largest_label * n / alpha**2


def small_ridge_factor(alpha, n, largest_label, point_bound):
    return sqrt(point_bound * n) * largest_label / (2 * alpha * sqrt(alpha))


def bracket(tail_2, n, l, K_max, delta):
    return tail_2 + n * K_max * sqrt(2 / l) * (1 + sqrt(-log(delta)))


def printed_bracket(tail_2, n, l, K_max, delta):
    return tail_2 + n * K_max / sqrt(l) * (2 - log(delta))


def product(factor, of):
    """A factor times a bound on the change of the matrix."""

    def both(alpha, n, largest_label, point_bound, **known):
        first = factor(alpha, n, largest_label, point_bound)
        return first * of(n=n, **known)

    return both


def times_change(factor):
    return lambda change_2, **known: factor(**known) * change_2


def approached(change_2, **known):
    lambda_0, kappa = known["alpha"] / known["n"], known["point_bound"]
    return printed_factor(**known) * change_2 * lambda_0 / (kappa + lambda_0)


def graph(label_weight, largest_label, l, lambda_2, other_lambda_2, laplacian_change):
    share = label_weight / (lambda_2 * other_lambda_2)
    return share * largest_label * laplacian_change / sqrt(l)


def graph_printed(
    label_weight, largest_label, l, lambda_2, other_lambda_2, laplacian_change
):
    per_label = l / label_weight
    gap = per_label * min(lambda_2, other_lambda_2) - 1
    return per_label * sqrt(l) * largest_label * laplacian_change / gap**2


BY_HAND = {
    ("talwalkar2010:prop-5.1", "bound"): times_change(printed_factor),
    ("talwalkar2010:prop-5.1", "small ridge"): times_change(small_ridge_factor),
    ("talwalkar2010:prop-5.1", "attained"): times_change(small_ridge_factor),
    ("talwalkar2010:prop-5.1", "smaller"): times_change(printed_factor),
    ("talwalkar2010:prop-5.1", "approached"): approached,
    ("talwalkar2010:thm-5.9", "bound"): product(printed_factor, bracket),
    ("talwalkar2010:thm-5.9", "without replacement"): product(printed_factor, bracket),
    ("talwalkar2010:thm-5.9", "printed"): product(printed_factor, printed_bracket),
    ("talwalkar2010:thm-5.9", "small ridge"): product(small_ridge_factor, bracket),
    ("talwalkar2010:thm-5.9", "small ridge, without replacement"): product(
        small_ridge_factor, bracket
    ),
    ("talwalkar2010:prop-5.3", "bound"): graph,
    ("talwalkar2010:prop-5.3", "smaller eigenvalue"): graph_printed,
    ("talwalkar2010:prop-5.3", "approached"): graph,
}
