"""The experiment in small, by a second route."""

import numpy as np
import pytest

from nystheory import kernels
from nystheory.chapters.kernel_matrices import findings
from nystheory.engine.findings import Trial


def test_its_findings_are_of_ten_draws_and_more_data_than_the_page_shows():
    assert findings.BEST.draws >= 10 and findings.BEST.beyond
    assert findings.BEST.found().complaints() == []


def test_the_error_is_that_of_the_leading_part_of_the_reconstruction():
    X = np.random.default_rng(1).standard_normal((420, 3))
    K = kernels.rbf(X, 1.0).dense()
    values = np.linalg.eigvalsh(K)[::-1]
    known = kernels.as_kernel(K), values
    trial = Trial(None, known, None, None, np.random.default_rng(0))
    found = findings.of_columns(trial)["times"]
    order = np.random.default_rng(0).permutation(420)[:100]
    C, W = K[:, order], K[np.ix_(order, order)]
    # The thesis's rank k form: the leading part of W.
    least, k = np.linalg.norm(K - leading(K, 50)), 50
    spectrum, U = np.linalg.eigh(W)
    spectrum, U = spectrum[-k:], U[:, -k:]
    by_block = np.linalg.norm(K - C @ (U / spectrum) @ U.T @ C.T) / least
    assert found[0] == pytest.approx(by_block, 1e-6)
    assert 1 <= found[2] <= found[1] <= found[0]


def leading(A, k):
    values, U = np.linalg.eigh(A)
    return (U[:, -k:] * values[-k:]) @ U[:, -k:].T
