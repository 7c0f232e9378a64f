"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

# l is the letter of the page.
# ruff: noqa: E741

from math import e, sqrt


def q_blocks(k, l, n, similarity):
    return similarity * (n - l) / (k * (1 - similarity) + similarity * l)


def block_frobenius(k, l, n, similarity):
    q = q_blocks(k, l, n, similarity)
    return (n - l - k + k * (1 + q) ** 2) / (n - k)


def block_trace(k, l, n, similarity):
    return (n - l + k * q_blocks(k, l, n, similarity)) / (n - k)


def volume_bound(k, l, tail_l, tail_rank):
    x = (l - k) / (k + tail_rank - l)
    return (1 + k / (l + 1 - k)) * (1 + x) * tail_l


def published_volume(accuracy, k, l, tail_l, tail_rank):
    x = (l - k) / (k + tail_rank - l)
    return (1 + 2 * accuracy) ** 2 * (1 + k / (l - k)) * sqrt(1 + 2 * x) * tail_l


def plane_error(norm_K_F, trace_K):
    """With eigenvalues a and b: their root times their mean."""
    ab = (trace_K**2 - norm_K_F**2) / 2
    return sqrt(ab) * trace_K / 2


CONDITIONS = {
    ("modern:k-dpp-beyond-worst-case", "published"): (
        lambda accuracy, k, l, tail_rank: (
            (1 + 2 * accuracy) ** 2 * sqrt(1 + 2 * (l - k) / (k + tail_rank - l))
        )
    ),
}

BY_HAND = {
    ("modern:leave-one-out-sketch", "closed form"): plane_error,
    ("modern:leave-one-out-sketch", "one direction"): plane_error,
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
    ("modern:k-dpp-beyond-worst-case", "mean"): volume_bound,
    ("modern:k-dpp-beyond-worst-case", "exact mean"): lambda l, symmetric_ratio: (
        (l + 1) * symmetric_ratio
    ),
    ("modern:k-dpp-beyond-worst-case", "any spectrum"): volume_bound,
    ("modern:k-dpp-beyond-worst-case", "published"): published_volume,
    ("modern:k-dpp-beyond-worst-case", "published for 1/2"): (
        lambda **known: published_volume(accuracy=1 / 2, **known)
    ),
}
