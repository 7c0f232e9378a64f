"""What is expected before anything is drawn, against enumeration and runs."""

from itertools import combinations

import numpy as np
import pytest

from nystheory import datasets, kernels, lowrank, style
from nystheory.chapters.pivots_and_volumes import expected_errors as expected
from nystheory.chapters.pivots_and_volumes import figures

K = kernels.rbf(datasets.digits(40).X)


def test_the_mean_of_a_k_dpp_by_enumeration():
    small = kernels.rbf(np.arange(6.0)[:, None], gamma=0.3).dense()
    values = np.linalg.eigvalsh(small)[::-1]
    for count in (1, 2, 4):
        sets = [list(S) for S in combinations(range(6), count)]
        weights = [np.linalg.det(small[np.ix_(S, S)]) for S in sets]
        errors = [lowrank.nystrom(small, S).error(small, "trace") for S in sets]
        mean = np.dot(weights, errors) / np.sum(weights)
        assert expected.k_dpp_mean(values, [count])[0] == pytest.approx(mean)


def test_the_mean_of_a_dpp_has_its_size():
    values = np.array([5.0, 2.0, 0.5])
    error = expected.dpp_mean(values, [1.5])[0]
    ridge = error / 1.5
    assert (values / (values + ridge)).sum() == pytest.approx(1.5)


def test_the_limit_of_random_pivots_is_attained_by_one():
    dense = K.dense()
    values = np.linalg.eigvalsh(dense)
    errors = [lowrank.nystrom(K, [i]).error(K, "trace") for i in range(40)]
    mean = np.average(errors, weights=dense.diagonal())
    assert expected.rp_cholesky_limit(values, [1])[0] == pytest.approx(mean)


def test_expected_and_measured_shares_begin_at_the_trace():
    found = expected.expected_errors(K, [1, 5, 10], runs=4)
    best = found.computed["best rank $k$"]
    for name, curve in found.computed.items():
        assert (np.diff(curve) < 0).all() and (curve >= best).all(), name
    for intervals in found.measured.values():
        assert all(0 < i.estimate < 1 for i in intervals)


def test_what_is_drawn():
    _, (axes,) = style.panels(1)
    figures.draw_expected(axes, expected.expected_errors(K, [1, 4], runs=2))
    labels = {text.get_text() for text in axes.legend().get_texts()}
    assert labels >= {"$k$-DPP, exact", "RPCholesky, runs"}
