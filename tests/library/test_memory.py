"""How many words are held at the peak, counted: n l is what the sampled columns take.

``tracemalloc`` counts the arrays of NumPy; SciPy's LAPACK takes its work space there
too.  What does not grow with n (l^2 words) is left out of the limits by its size.
"""

import tracemalloc

import numpy as np
import pytest

from nystheory import certificates, coherence, kernels, lowrank, sampling
from nystheory.features import RandomBinningFeatures, RandomFourierFeatures

N, L = 60_000, 200
WORDS = 8 * N * L
SMALL = 20 * 8 * L * L  # what does not grow with n

POINTS = np.random.default_rng(0).standard_normal((N, 3))
SOME = np.random.default_rng(1).choice(N, L, replace=False)


def peak(work):
    """The most that was held at a time beyond what there was before."""
    work()  # what is loaded once is loaded now
    tracemalloc.start()
    try:
        kept = work()
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    del kept
    return (most - SMALL) / WORDS


def new():
    """A kernel that keeps nothing of an earlier call."""
    return kernels.rbf(POINTS, 0.5)


def approximated():
    K = new()
    return K, lowrank.nystrom(K, SOME)


LIMITS = {
    "nystrom": (1.2, lambda: lowrank.nystrom(new(), SOME).factor),
    "of rank 20": (1.2, lambda: lowrank.nystrom(new(), SOME, rank=20).factor),
    "trace error": (1.3, lambda: certificates.trace_certificate(*approximated())),
    "eigenvalues": (2.2, lambda: lowrank.nystrom(new(), SOME).eigenvalues),
    "eigenvectors": (2.2, lambda: lowrank.nystrom(new(), SOME).eigenvectors),
    "truncated": (
        2.2,
        lambda: lowrank.nystrom(new(), SOME, rank=20, truncate="approximation").factor,
    ),
    "leave one out": (
        2.3,
        lambda: certificates.leave_one_out_frobenius(new(), SOME).value,
    ),
    "waves": (
        1.1,
        lambda: RandomFourierFeatures(n_components=L).fit(POINTS).transform(POINTS),
    ),
    "bins, of a quarter": (
        0.4,
        lambda: RandomBinningFeatures(n_grids=L).fit_transform(POINTS[: N // 4]),
    ),
    "rp_cholesky": (
        2.2,
        lambda: sampling.rp_cholesky(new(), L, np.random.default_rng(0)).factor,
    ),
    "scores": (
        2.4,
        lambda: coherence.approximate_ridge_scores(*approximated(), 1.0).high,
    ),
}


@pytest.mark.parametrize("name", LIMITS)
def test_no_more_words_than_are_said(name):
    limit, work = LIMITS[name]
    assert peak(work) <= limit


def test_the_count_sees_a_copy():
    """Control: two copies of the columns are two times n l words."""
    assert peak(lambda: [np.ones((N, L)), np.ones((N, L))]) > 1.8
