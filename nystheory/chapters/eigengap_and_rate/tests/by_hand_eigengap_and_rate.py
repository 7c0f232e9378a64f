"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

# l is the letter of the page.
# ruff: noqa: E741

from math import log, sqrt


def sigma(n, eigengap, distance_2):
    return distance_2 / (n * eigengap - distance_2)


def squared(n, eigengap, distance_2, norm_K, tail_2):
    s = sigma(n, eigengap, distance_2)
    return (1 - s**2) * tail_2 + s**2 * norm_K


def printed(n, eigengap, distance_F, tail_2):
    """Theorem 4 as it is printed, with e from the Frobenius distance."""
    e = distance_F / n
    turn = 2 * e / (eigengap - e)
    return 2 * turn * max(sqrt(tail_2 / n), turn)


def sharper(n, eigengap, distance_2, norm_K, tail_2):
    s = sigma(n, eigengap, distance_2)
    return s * sqrt(norm_K) * (s * sqrt(norm_K) + sqrt(tail_2)) / n


def concentrated(l, logarithm):
    return 2 * logarithm / l + sqrt(2 * logarithm / l)


def by_variance(K_max, delta, l, n, spread):
    logarithm = log(2 / delta)
    return sqrt(8) / 3 * K_max * logarithm / l + sqrt(2 * spread * logarithm / n / l)


def of_objective(alpha, slope, error_2):
    return slope**2 * error_2 / alpha / 2


CONDITIONS = {
    ("yang2012:thm-1", "t"): lambda l, n: concentrated(l, log(2) + 3 * log(n)),
}

BY_HAND = {
    ("yang2012:thm-3", "distance"): lambda n, moved: n * moved,
    ("yang2012:thm-4", "as printed"): printed,
    ("yang2012:thm-4", "sharper"): sharper,
    ("yang2012:thm-5", "as printed"): lambda n: n**-3,
    ("yang2012:thm-5", "any chance"): lambda delta, l: concentrated(l, log(2 / delta)),
    ("yang2012:thm-5", "sharper"): by_variance,
    ("yang2012:thm-5", "without replacement"): by_variance,
    ("yang2012:combined", "squared"): squared,
    ("yang2012:combined", "as printed"): lambda n, tail_2, **known: (
        tail_2 + n * printed(n=n, tail_2=tail_2, **known)
    ),
    ("yang2012:gap-free", "whole core"): lambda seen_too_little: max(
        seen_too_little, 0
    ),
    ("yang2012:gap-free", "cut"): lambda tail_2, seen_too_little, seen_too_much: (
        tail_2 + max(seen_too_little, 0) + max(seen_too_much, 0)
    ),
    ("yang2012:gap-free", "Frobenius"): lambda distance_F: sqrt(2) * distance_F,
    ("yang2012:gap-free", "mean"): lambda K_max, l, n: n * K_max / sqrt(l),
    ("yang2012:objective-gap", "hinge"): of_objective,
    ("yang2012:objective-gap", "logistic"): lambda **known: of_objective(**known) / 4,
    ("yang2012:objective-gap", "absolute"): of_objective,
    ("yang2012:objective-gap", "whole core"): lambda different, n, **known: (
        (n - different) / n * of_objective(**known)
    ),
    ("yang2012:psi", "trace"): lambda n, trace_K: sqrt(2 * trace_K) / n,
    ("yang2012:psi", "scaled"): lambda n: sqrt(2 / n),
    ("yang2012:psi", "power law"): lambda decay, decay_constant, n: (
        ((2 * decay / (decay - 1) / n) ** decay * decay_constant) ** (1 / (decay + 1))
    ),
    ("yang2012:thm-1", "objective"): lambda n: n**-3,
    ("yang2012:thm-1", "at least"): lambda n: 28 * (log(2) + 3 * log(n)),
    ("yang2012:thm-2", "any population"): (
        lambda n, K_max, slope, alpha, error_2, variation: (
            slope**2 / alpha * (error_2 / 2 + 2 * variation * sqrt(n * K_max * error_2))
        )
    ),
}
