"""Every bound of Part III, recomputed from its statement on the page."""

# l is the letter of the page.
# ruff: noqa: E741

import ast
from itertools import islice
from math import ceil, e, erf, exp, log, sqrt

import numpy as np
import pytest

from nystheory.engine import lines
from nystheory.engine.lines import parse
from nystheory.engine.quantities import QUANTITIES
from nystheory.theorems import theorems

# --- Symbols that several statements share -----------------------------------------


def g_2(K_max, d_max):
    R = sqrt(K_max)
    return R**2 - max(R - d_max, 0) ** 2


def g_equal(K_max, d_max):
    """Two points of full length, at a right angle at most."""
    d = min(d_max, sqrt(2 * K_max))
    return d * sqrt((4 * K_max - d**2) / 2)


def g_F(K_max, d_max):
    return max(d_max * (2 * sqrt(K_max) - d_max), g_equal(K_max, d_max))


def e_l(l, n, spread):
    return sqrt(n * (n - l) / (l * (n - 1)) * spread)


def alpha_sharp(l, u):
    if u == 0:
        return 0
    drawn = u**2 * sum(1 / j**2 for j in range(u, l + u))
    left = l**2 * sum(1 / j**2 for j in range(l, l + u))
    return min(drawn, left)


def alpha_printed(l, u):
    return l * u / (l + u - 1 / 2) / (1 - 1 / (2 * max(l, u)))


def deviation_bound(l, n, spread, g, A, L):
    """The mean distance, and n / l times the worst exchange times a root."""
    return e_l(l, n, spread) + n / l * g * sqrt(A * L / 2)


def b(K_max, d_max, delta, l, n, spread, g=g_F):
    A, L = alpha_sharp(l, n - l), log(1 / delta)
    return deviation_bound(l, n, spread, g(K_max, d_max), A, L)


def printed_y(K_max, d_max, delta, l, n):
    q = (n - l) / (n - 1 / 2) / (1 - 1 / (2 * max(l, n - l)))
    return sqrt(q * log(1 / delta)) * d_max / sqrt(K_max)


def printed_spectral(K_max, d_max, delta, l, n, tail_2):
    y = printed_y(K_max, d_max, delta, l, n)
    return tail_2 + 2 * n / sqrt(l) * K_max * (1 + y)


def printed_frobenius(K_max, d_max, delta, k, l, n, tail_F):
    y = printed_y(K_max, d_max, delta, l, n)
    return tail_F + (64 * k / l) ** (1 / 4) * n * K_max * sqrt(1 + y)


def replaced(K_max, d_max, delta, l, n, spread):
    mean = sqrt(n / l * spread)
    return mean + n / sqrt(l) * g_F(K_max, d_max) * sqrt(log(1 / delta) / 2)


def fixed_weights(K_max, d_max, delta, experts, l, mu_max, n, spread):
    m = experts * l
    A = min(alpha_sharp(l, n - l), mu_max**2 * m * (1 + m / n) ** 2)
    return deviation_bound(l, n, spread, g_F(K_max, d_max), A, log(1 / delta))


def any_weights(K_max, d_max, delta, experts, l, n, spread):
    A, L = alpha_sharp(l, n - l), log(experts / delta)
    return deviation_bound(l, n, spread, g_F(K_max, d_max), A, L)


def printed_columns(coherence, delta, r, C):
    return r * coherence**2 * max(C * log(r), C * log(3 / delta))


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


def more_than_the_tail(accuracy, tail_trace):
    return tail_trace + accuracy * tail_trace


def less_the_gain(fourth_powers, norm_K_F, squared_diagonal):
    return norm_K_F**2 - fourth_powers / squared_diagonal


# --- The statements ---------------------------------------------------------------

BY_HAND = {
    # Two ways to learn a matrix.
    ("talwalkar2010:eq-2.2", "rank"): lambda k, rank_W: min(k, rank_W),
    ("talwalkar2010:eq-2.3", "values"): lambda core_values, l, n: n / l * core_values,
    ("talwalkar2010:eq-2.4", "values"): lambda Sigma_C, l, n: sqrt(n / l) * Sigma_C,
    # Fixed sampling.
    ("modern:ridge-leverage", "mean number"): lambda inclusion: sum(inclusion),
    ("modern:ridge-leverage", "number"): lambda delta, score_sum: (
        16 * score_sum * log(score_sum / delta)
    ),
    ("modern:leave-one-out-columns", "entries"): lambda inverse_entries: (
        1 / inverse_entries
    ),
    ("modern:leave-one-out-columns", "columns"): (
        lambda inverse_entries, solved_squares: solved_squares / inverse_entries**2
    ),
    # Ensembles.
    ("talwalkar2010:eq-4.1", "Frobenius"): lambda weights, expert_errors_F: (
        weights @ expert_errors_F
    ),
    ("talwalkar2010:eq-4.1", "sum of ranks"): lambda k, p: k * p,
    ("talwalkar2010:exponential-weights", "definition"): lambda eta, expert_errors: (
        exp(-eta * expert_errors) / sum([exp(-eta * expert_errors)])
    ),
    ("talwalkar2010:exponential-weights", "minimum"): lambda eta, log_partition: (
        -log_partition / eta
    ),
    ("talwalkar2010:exponential-weights", "bound"): lambda eta, log_partition: (
        -log_partition / eta
    ),
    ("talwalkar2010:exponential-weights", "loss"): (
        lambda eta, log_partition, relative_entropy: (
            (relative_entropy - log_partition) / eta
        )
    ),
    ("talwalkar2010:eq-4.2", "bound"): lambda explained, square_V: square_V - explained,
    ("talwalkar2010:eq-4.2", "minimum"): lambda explained, square_V: (
        square_V - explained
    ),
    ("talwalkar2010:eq-4.2", "only"): (
        lambda best_weights, explained, ridge, square_V, weights: (
            square_V - explained + ridge * np.sum((weights - best_weights) ** 2)
        )
    ),
    ("talwalkar2010:eq-4.2", "best expert"): lambda expert_squares: min(expert_squares),
    ("talwalkar2010:eq-4.2", "exact experts"): lambda p, ridge, square_V: (
        p * square_V / (p * square_V + ridge)
    ),
    # Adaptive sampling.
    ("talwalkar2010:icl", "determinant"): lambda pivots: log(np.prod(pivots)),
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
    # Concentration without replacement.
    ("talwalkar2010:eq-5.6", "exchange"): lambda l, n, **known: n / l * g_F(**known),
    ("talwalkar2010:eq-5.6", "exchange, spectral"): lambda l, n, **known: (
        n / l * g_2(**known)
    ),
    ("talwalkar2010:eq-5.6", "pairs"): g_F,
    ("talwalkar2010:eq-5.6", "pairs, spectral"): g_2,
    ("talwalkar2010:eq-5.6", "equal lengths"): lambda l, n, **known: (
        n / l * g_equal(**known)
    ),
    ("talwalkar2010:eq-5.6", "equal lengths, spectral"): lambda l, n, **known: (
        n / l * g_equal(**known) / sqrt(2)
    ),
    ("talwalkar2010:eq-5.6", "pairs of equal length"): g_equal,
    ("talwalkar2010:eq-5.6", "pairs of equal length, spectral"): lambda **known: (
        g_equal(**known) / sqrt(2)
    ),
    ("talwalkar2010:eq-5.6", "attained"): g_F,
    ("talwalkar2010:eq-5.6", "attained, spectral"): g_2,
    ("talwalkar2010:eq-5.6", "attained, equal lengths"): g_equal,
    ("talwalkar2010:eq-5.6", "attained, equal lengths, spectral"): lambda **known: (
        g_equal(**known) / sqrt(2)
    ),
    ("talwalkar2010:eq-5.6", "as printed"): lambda K_max, d_max: (
        2 * d_max * sqrt(K_max)
    ),
    ("talwalkar2010:eq-5.6", "as printed, the others"): lambda K_max, d_max: (
        2 * d_max * sqrt(K_max)
    ),
    ("talwalkar2010:eq-5.6", "both norms"): lambda **known: sqrt(2) * g_2(**known),
    ("talwalkar2010:eq-5.7", "mean"): e_l,
    ("talwalkar2010:eq-5.7", "mean, spectral"): e_l,
    ("talwalkar2010:eq-5.7", "mean square"): lambda **known: e_l(**known) ** 2,
    ("talwalkar2010:eq-5.7", "with replacement"): lambda l, n, spread: n / l * spread,
    ("talwalkar2010:eq-5.7", "by the length"): lambda K_max, l, n: (
        n / sqrt(l) * sqrt(1 - l / n) * K_max
    ),
    ("talwalkar2010:eq-5.7", "by the distance"): lambda l, n, **known: (
        n / sqrt(l) * sqrt(1 - l / n) * g_F(**known) / sqrt(2)
    ),
    ("talwalkar2010:eq-5.7", "both"): lambda K_max: sqrt(2) * K_max,
    ("talwalkar2010:eq-5.7", "as printed"): lambda K_max, l, n: n / sqrt(l) * K_max,
    ("talwalkar2010:thm-5.1", "tail"): lambda c, epsilon, l, n: exp(
        -2 * epsilon**2 / (alpha_sharp(l, n - l) * c**2)
    ),
    ("talwalkar2010:thm-5.1", "deviation"): lambda c, delta, l, n: (
        c * sqrt(alpha_sharp(l, n - l) * log(1 / delta) / 2)
    ),
    ("talwalkar2010:thm-5.1", "as printed"): lambda l, n: alpha_printed(l, n - l),
    # Error bounds.
    ("talwalkar2010:eq-5.3", "spectral norm"): lambda distance_2, tail_2: (
        tail_2 + 2 * distance_2
    ),
    ("talwalkar2010:eq-5.3", "Frobenius norm"): lambda distance_F, tail_F: (
        tail_F + 2 * distance_F
    ),
    ("talwalkar2010:eq-5.3", "Ky Fan norms"): lambda distance_ky_fan, tail_ky_fan: (
        tail_ky_fan + 2 * distance_ky_fan
    ),
    ("talwalkar2010:eq-5.3", "trace norm"): lambda distance_trace, tail_trace: (
        tail_trace + distance_trace
    ),
    ("talwalkar2010:sqrt2-lemma", "spectral norm"): lambda distance_F, tail_2: (
        tail_2 + sqrt(2) * distance_F
    ),
    ("talwalkar2010:sqrt2-lemma", "Frobenius norm"): lambda distance_F, tail_F: (
        tail_F + sqrt(2) * distance_F
    ),
    ("talwalkar2010:eq-5.8", "bound"): lambda K_max, distance_F, k, n, tail_F: (
        tail_F**2 + sqrt(64 * k) * distance_F * n * K_max
    ),
    ("talwalkar2010:eq-5.15", "mixture"): lambda ensemble_distance_F, head_F, tail_F: (
        tail_F**2 + 2 * sqrt(2) * head_F * ensemble_distance_F
    ),
    ("talwalkar2010:eq-5.15", "one expert"): lambda distance_F, head_F: (
        2 * sqrt(2) * head_F * distance_F
    ),
    ("talwalkar2010:eq-5.15", "as printed"): (
        lambda K_max, ensemble_distance_F, k, n: (
            sqrt(64 * k) * n * K_max * ensemble_distance_F
        )
    ),
    ("talwalkar2010:thm-5.2-spectral", "proved"): lambda tail_2, **known: (
        tail_2 + sqrt(2) * b(**known)
    ),
    ("talwalkar2010:thm-5.2-spectral", "constant diagonal"): lambda tail_2, **known: (
        tail_2 + sqrt(2) * b(**known, g=g_equal)
    ),
    ("talwalkar2010:thm-5.2-spectral", "printed"): printed_spectral,
    ("talwalkar2010:thm-5.2-spectral", "one event"): b,
    ("talwalkar2010:thm-5.2-frobenius", "proved"): lambda tail_F, **known: (
        tail_F + sqrt(2) * b(**known)
    ),
    ("talwalkar2010:thm-5.2-frobenius", "constant diagonal"): lambda tail_F, **known: (
        tail_F + sqrt(2) * b(**known, g=g_equal)
    ),
    ("talwalkar2010:thm-5.2-frobenius", "by squares"): lambda head_F, tail_F, **known: (
        sqrt(tail_F**2 + 2 * sqrt(2) * head_F * b(**known))
    ),
    ("talwalkar2010:thm-5.2-frobenius", "printed"): printed_frobenius,
    ("talwalkar2010:cor-5.6", "spectral"): lambda K_max, delta, l, n, tail_2: (
        tail_2 + n / sqrt(l) * K_max * (sqrt(2) + sqrt(2 * log(1 / delta)))
    ),
    ("talwalkar2010:cor-5.6", "Frobenius"): lambda K_max, delta, l, n, tail_F: (
        tail_F + n / sqrt(l) * K_max * (sqrt(2) + sqrt(2 * log(1 / delta)))
    ),
    ("talwalkar2010:cor-5.6", "finer, spectral"): lambda tail_2, **known: (
        tail_2 + sqrt(2) * replaced(**known)
    ),
    ("talwalkar2010:cor-5.6", "finer, Frobenius"): lambda tail_F, **known: (
        tail_F + sqrt(2) * replaced(**known)
    ),
    ("talwalkar2010:cor-5.6", "printed"): lambda K_max, delta, l, n, tail_2: (
        tail_2 + n / sqrt(l) * K_max * (2 + log(1 / delta))
    ),
    ("talwalkar2010:cor-5.6", "different columns, spectral"): lambda tail_2, **known: (
        tail_2 + sqrt(2) * replaced(**known)
    ),
    ("talwalkar2010:cor-5.6", "different columns, Frobenius"): lambda tail_F, **known: (
        tail_F + sqrt(2) * replaced(**known)
    ),
    ("talwalkar2010:cor-5.6", "below the printed"): lambda K_max, delta, l, n: (
        n / sqrt(l) * K_max * (2 + log(1 / delta))
    ),
    ("talwalkar2010:cor-5.6", "finer"): lambda K_max, delta, l, n: (
        n / sqrt(l) * K_max * (sqrt(2) + sqrt(2 * log(1 / delta)))
    ),
    ("talwalkar2010:thm-5.3", "fixed weights"): lambda tail_2, **known: (
        tail_2 + sqrt(2) * fixed_weights(**known)
    ),
    ("talwalkar2010:thm-5.3", "fixed weights, Frobenius"): lambda tail_F, **known: (
        tail_F + sqrt(2) * fixed_weights(**known)
    ),
    ("talwalkar2010:thm-5.3", "any weights"): lambda tail_2, **known: (
        tail_2 + sqrt(2) * any_weights(**known)
    ),
    ("talwalkar2010:thm-5.3", "any weights, Frobenius"): lambda tail_F, **known: (
        tail_F + sqrt(2) * any_weights(**known)
    ),
    # Coherence and exact recovery.
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
    # Since 2010.
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


# --- Quantities -------------------------------------------------------------------


def quantities(rng):
    """All quantities at once, as of a matrix with random eigenvalues."""
    k, experts = int(rng.integers(2, 12)), int(rng.choice([1, rng.integers(2, 12)]))
    l = k + int(rng.integers(2, 400))
    n = experts * l + int(rng.choice([0, rng.integers(400), rng.integers(4000)]))
    rank_K = int(rng.choice([rng.integers(1, k + 1), rng.integers(l, n + 1)]))
    values = np.sort(rng.uniform(rng.random(), 1, n))[::-1]
    head, tail = values[:k], values[k:]
    error, distance = values * rng.random(n), n * rng.random(k)
    mixed = rng.random(k)
    K_max, alpha = values.mean() * rng.uniform(1, 3), 10 ** rng.uniform(-2, 1)
    d_eff = np.sum(values / (values + alpha))
    coherence = rng.uniform(1, sqrt(n))
    M = rng.uniform(max(rank_K, coherence**2), min(n, rank_K * coherence**2))
    return {
        # Sizes.
        "n": n,
        "l": l,
        "k": k,
        "r": rank_K,
        "rank_K": rank_K,
        "rank_W": int(rng.integers(1, l)),
        "experts": experts,
        # The matrix.
        "K_max": K_max,
        "d_max": sqrt(K_max) * rng.uniform(0, 2),
        "spread": (n - 1) * K_max**2 * rng.random(),
        "trace_of_K": values.sum(),
        "trace_K": values.sum(),
        "norm_F": np.linalg.norm(values),
        "norm_K_F": np.linalg.norm(values),
        "head_F": np.linalg.norm(head),
        "tail_2": tail[0],
        "tail_F": np.linalg.norm(tail),
        "tail_trace": tail.sum(),
        "tail_rank": tail.sum() / tail[0],
        "tail_l": values[l:].sum(),
        "symmetric_ratio": rng.exponential(),
        "next_eigenvalue": tail[0] * rng.random(),
        "fourth_powers": rng.exponential(),
        "squared_diagonal": rng.exponential(),
        "optimal_squared": rng.exponential(),
        "tail_log": np.log(1 + tail / alpha).sum(),
        "tail_root": np.sqrt(tail).sum(),
        "tail_shrunk": np.sum(tail / (tail + alpha)),
        "tail_f": rng.exponential(),
        "slope_f": rng.exponential(),
        "mixed_in": rng.exponential(),
        "cut_sketch_trace": tail.sum() * rng.uniform(1, 3),
        "lambda_k": head[-1],
        "missed_trace": tail.sum() * rng.uniform(1, 3),
        "smallest_eigenvalue": values[-1],
        "lambda_q": tail[0],
        "lambda_last": tail[0] * rng.random(),
        "tail_q": tail.sum(),
        "smallest_kept": values[l - 1] * rng.random(),
        "similarity": rng.random(),
        "d_eff": d_eff,
        "largest_score": rng.uniform(d_eff, n),
        "score_sum": d_eff * rng.uniform(1, 3),
        "inclusion": rng.random(9),
        # The sample.
        "distance_2": distance.max(),
        "distance_F": np.linalg.norm(distance),
        "distance_trace": distance.sum(),
        "distance_ky_fan": distance.max(),
        "tail_ky_fan": tail[0],
        "ensemble_distance_F": n * rng.random(),
        "norm_E": error.max(),
        "gap_2": error.max(),
        "trace_E": error.sum(),
        "approximate_eigenvalues": error.max() * rng.random(),
        "approximate_gap": error.sum() * rng.uniform(1, 5),
        "factor_F": sqrt(values.sum() - error.sum()),
        "sketch_sum": rng.exponential(),
        "G_2": mixed.max(),
        "G_F": np.linalg.norm(mixed),
        "G_gram_F": np.linalg.norm(mixed**2),
        "ky_fan_tail": tail.sum(),
        "ky_fan_G": mixed.sum(),
        "core_values": values[0] * rng.random(),
        "Sigma_C": values[0] * rng.random(),
        "pivots": rng.exponential(size=5),
        "inverse_entries": rng.exponential(),
        # Experts and their weights.
        "p": experts,
        "weights": rng.dirichlet(np.ones(3)),
        "best_weights": rng.standard_normal(3),
        "expert_errors_F": rng.exponential(size=3),
        "expert_squares": rng.exponential(size=3),
        "expert_errors": rng.exponential(),
        "eta": rng.exponential(),
        "log_partition": rng.standard_normal(),
        "relative_entropy": rng.exponential(),
        "square_V": rng.exponential(),
        "explained": rng.exponential(),
        "ridge": rng.exponential(),
        "solved_squares": rng.exponential(),
        # Coherence.
        "coherence": coherence,
        "basis_free_coherence": M,
        "mu_1": M / sqrt(rank_K),
        "leading_coherence": rng.uniform(1, 3),
        "target_coherence": rng.uniform(1, sqrt(n)),
        "rest_coherence": rng.uniform(1, sqrt(n)),
        "rest_free": rng.uniform(rank_K, n),
        "points_off_zero": (n - l - 1) * rng.random(),
        "size": 2.0 ** rng.integers(2, 61),
        "group_count": 2.0,
        # What is chosen or given.
        "alpha": alpha,
        "noise": rng.exponential(),
        "norm_y": rng.exponential(),
        "risk": rng.exponential(),
        "c": rng.uniform(0.5, 2),
        "epsilon": rng.uniform(0, 3),
        "delta": rng.random() ** 3,
        "mu_max": rng.dirichlet(np.full(experts, 5)).max(),
        "accuracy": rng.uniform(0.2, 2),
        "kept_share": rng.random(),
        "ridge_share": rng.uniform(0.3, 1),
        "score_share": rng.uniform(0.3, 1),
    }


def admissible(theorem, rng, draws=20):
    """Quantities that meet the hypotheses, as far as these speak of quantities."""

    asked = {
        name: theorem.needed(parse(hypothesis.line))
        for name, hypothesis in theorem.hypotheses.items()
    }

    def meets(known):
        return all(
            theorem.meets(name, **{symbol: known[symbol] for symbol in needed})
            for name, needed in asked.items()
            if set(needed) <= set(known)
        )

    found = (quantities(rng) for _ in range(100 * draws))
    return list(islice(filter(meets, found), draws))


def check(id, claim, by_hand):
    """The calculator and the function by hand agree on random quantities."""
    theorem = theorems[id]
    needed = theorem.needed(theorem.claims[claim].bound)
    drawn = admissible(theorem, np.random.default_rng(len(str(claim))))
    assert len(drawn) == 20
    for known in drawn:
        known = {name: known[name] for name in needed}
        found = theorem.right_side(claim, **known)
        assert found == pytest.approx(by_hand(**known), rel=1e-9, abs=0), known


# --- Tests ------------------------------------------------------------------------


@pytest.mark.parametrize(("id", "claim"), BY_HAND)
def test_the_calculator_gives_the_number_of_the_page(id, claim):
    check(id, claim, BY_HAND[id, claim])


# Functions of matrices: a line with one of them is no formula in numbers.
OF_MATRICES = {
    *("norm_2", "norm_F", "norm_trace", "trace", "diag", "inv", "pinv", "det"),
    *("identity", "below"),
}


def is_formula(tree):
    """Whether a bound is computed from numbers, by more than looking one up."""
    nodes = list(ast.walk(tree))
    names = lines.names(tree)
    composed = any(name in QUANTITIES and QUANTITIES[name].line for name in names)
    if not composed and not any(isinstance(n, (ast.BinOp, ast.Call)) for n in nodes):
        return False
    called = {node.func.id for node in nodes if isinstance(node, ast.Call)}
    products = any(isinstance(node, (ast.MatMult, ast.Attribute)) for node in nodes)
    return bool(names) and not products and not called & OF_MATRICES


def formulas(theorem):
    """The claims of a theorem whose right side somebody must write by hand."""
    bounds = {name: claim.bound for name, claim in theorem.claims.items()}
    return [n for n, tree in bounds.items() if tree is not None and is_formula(tree)]


def test_no_formula_is_left_out():
    wanted = {(t.id, claim) for t in theorems.values() for claim in formulas(t)}
    assert set(BY_HAND) == wanted
