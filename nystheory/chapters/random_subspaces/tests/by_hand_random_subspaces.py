"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

from math import log

import numpy as np


def others(m, s, r):
    """What the heaviest m of the directions leave, one of them being the rare one."""
    return (1 + (r - 1) * s - m * s) / (1 + (r - 1) * s)


def not_by_leverage(r, s, alpha, masses, m):
    """All landmarks elsewhere, each drawn by its share of the leverage."""
    rare = 1 / (1 + alpha * (1 + (r - 1) * s))
    whole = sum(q / (q + alpha) for q in masses)
    return (1 - rare / whole) ** m


def columns(r, alpha, masses, hinge):
    """The part of the directions that is heard, in columns."""
    dimension = sum(1 - alpha / (q + alpha) for q in masses)
    heard = 1 - hinge
    return heard * dimension + heard * dimension * r * alpha


CONDITIONS = {
    ("modern:too-few-columns", "too few"): lambda r, s, delta: (
        -(r - 1) * s * log(delta)
    ),
    ("modern:too-few-columns", "enough"): lambda r, delta: (1 - 2 * r) * log(delta),
}

BY_HAND = {
    ("dellavecchia2024:definitions", "eigenvalues"): lambda sigma, alpha: np.sum(
        1 - alpha / (sigma + alpha)
    ),
    ("dellavecchia2024:definitions", "missed"): lambda alpha, norm_E, n: (
        (n * alpha + norm_E) / n
    ),
    ("modern:too-few-columns", "hinge"): others,
    ("modern:too-few-columns", "square"): others,
    ("modern:too-few-columns", "dimension"): lambda r, alpha: 1 / (1 / r + alpha),
    ("modern:too-few-columns", "columns"): columns,
    ("modern:too-few-columns", "any subspace"): lambda r, B: (
        r - np.linalg.matrix_rank(B)
    ),
    ("modern:too-few-columns", "uniform"): lambda r, s, m: (
        ((r - 1) * s / (1 + (r - 1) * s)) ** m
    ),
    ("modern:too-few-columns", "leverage"): not_by_leverage,
    ("modern:too-few-columns", "share"): lambda r: (1 / 2) / (r - 1 / 2),
    ("dellavecchia2024:lem-22", "missed"): lambda alpha, beta: 1 / ((1 - beta) / alpha),
    ("dellavecchia2024:lem-22", "of K"): lambda beta, n, alpha: (
        n * (alpha / (1 - beta) - alpha)
    ),
}
