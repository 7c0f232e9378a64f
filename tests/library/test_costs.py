"""Costs in docstrings: how the time of a process grows with the number of points.

It tells one power of n from the next, eight times as much; no more is asked of a clock.
The best of three runs counts, in the time of this process alone.
"""

import re
import time

import numpy as np
import pytest
from docstrings import told

from nystheory import certificates, coherence, kernels, lowrank, sampling

L = 24
TIMES = 8


def kernel(n):
    return kernels.rbf(np.random.default_rng(0).standard_normal((n, 12)), 0.05)


def of_columns(call):
    def made(n):
        K = kernel(n)
        return lambda: call(K, range(L))

    return made


def of_approximation(call):
    def made(n):
        near = lowrank.nystrom(kernel(n), range(L))
        return lambda: call(near)

    return made


def of_matrix(call):
    """A third of a second at most: all eigenvalues of so many points."""

    def made(n):
        K = kernel(n // 20)
        return lambda: call(K)

    return made


def residual_columns(K, landmarks):
    return certificates.residual_columns(K[:, landmarks], landmarks)


# By the name in the docstrings: what is made of n points, and is timed.
CALLS = {
    "lowrank.nystrom": of_columns(lowrank.nystrom),
    "lowrank.column_sampling": of_columns(lowrank.column_sampling),
    "lowrank.orthonormal_nystrom": of_columns(lowrank.orthonormal_nystrom),
    "certificates.residual_columns": of_columns(residual_columns),
    "certificates.leave_one_out_frobenius": of_columns(
        certificates.leave_one_out_frobenius
    ),
    "coherence.approximate_ridge_scores": of_approximation(
        lambda near: coherence.approximate_ridge_scores(near.kernel, near, 0.1)
    ),
    "coherence.approximate_leverage_scores": of_approximation(
        lambda near: coherence.approximate_leverage_scores(near.kernel, near, 2)
    ),
    "lowrank.Factored.logdet": of_approximation(lambda near: near.logdet(0.1)),
    "sampling.incomplete_cholesky": of_columns(
        lambda K, some: sampling.incomplete_cholesky(K, len(some))
    ),
    "sampling.leverage_scores": of_matrix(lambda K: sampling.leverage_scores(K, 3)),
    "coherence.effective_dimension": of_matrix(
        lambda K: coherence.effective_dimension(K, 0.1)
    ),
}


def degree(words):
    """The largest power of n in what is said before "operations"."""
    said = re.search(r"([^;:.]*?) operations", words)[1]
    said = re.split(r"\bentries\b", said)[-1]
    return max(int(power or 1) for power in re.findall(r"\bn(?:\^(\d))?(?!\w)", said))


def seconds(call):
    call()
    found = []
    for _ in range(3):
        before = time.process_time()
        call()
        found.append(time.process_time() - before)
    return min(found)


@pytest.mark.parametrize("name", CALLS)
def test_the_time_grows_with_the_power_of_n_that_is_told(name):
    told_power = degree(" ".join(told()[name]["Notes"].split()))
    small, large = (seconds(CALLS[name](n)) for n in (2000, 2000 * TIMES))
    grown = large / small
    # Caches and fixed costs change a power by less than a half.
    assert TIMES ** (told_power - 0.65) < grown < TIMES ** (told_power + 0.65)


def test_the_power_is_read():
    assert degree("Asks for n l entries; costs about 6 n l^2 operations") == 1
    assert degree("costs about 6 n^2 l operations and 3 n l words") == 2
    assert degree("Costs O(n^3) operations, n^2 words and n^2 entries") == 3
