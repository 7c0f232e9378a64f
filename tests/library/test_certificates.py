"""Certificates hold surely, estimates are right on average: both by enumeration."""

from itertools import combinations

import numpy as np
import pytest

from nystheory import certificates, datasets, kernels, lowrank, sampling

X = np.array([[2.0, 0, 1], [1, 1, 0], [0, 3, 1], [1, 0, 2], [2, 2, 1], [0, 1, 1]])
K = X @ X.T + np.diag([0.5, 1, 2, 0.1, 0.3, 1])
SIX = len(K)


@pytest.mark.parametrize("size", range(1, 6))
def test_certificates_bound_every_norm(size):
    for chosen in combinations(range(SIX), size):
        near = lowrank.nystrom(K, chosen)
        E = K - near.spectral_reconstruction()
        trace = certificates.trace_certificate(K, near)
        entry = certificates.entry_certificate(K, near)
        assert trace.certain and entry.certain
        assert trace.value == pytest.approx(np.trace(E), abs=1e-9)
        spectral, frobenius = np.linalg.norm(E, 2), np.linalg.norm(E)
        slack = 1e-9
        assert np.abs(E).max() <= entry.value + slack <= spectral + 2 * slack
        assert spectral <= frobenius + slack <= trace.value + 2 * slack


@pytest.mark.parametrize("size", range(2, 6))
def test_estimates_are_unbiased(size):
    """Over all samples of l the mean is that of the error over all samples of l-1."""
    errors = [
        K - lowrank.nystrom(K, chosen).spectral_reconstruction()
        for chosen in combinations(range(SIX), size - 1)
    ]
    samples = list(combinations(range(SIX), size))
    traces = [certificates.leave_one_out_trace(K, s).value for s in samples]
    squares = [certificates.leave_one_out_frobenius(K, s).value for s in samples]
    assert np.mean(traces) == pytest.approx(np.mean([np.trace(E) for E in errors]))
    assert np.mean(squares) == pytest.approx(np.mean([(E**2).sum() for E in errors]))


def test_a_wrong_factor_would_be_seen():
    """The control: (n - l) / l in place of (n - l + 1) / l is biased."""
    samples = list(combinations(range(SIX), 3))
    traces = [certificates.leave_one_out_trace(K, s).value for s in samples]
    pairs = combinations(range(SIX), 2)
    errors = [lowrank.nystrom(K, pair).error(K, "trace") for pair in pairs]
    assert np.mean(traces) * 3 / 4 != pytest.approx(np.mean(errors), rel=1e-3)


def test_what_each_asks_for():
    big = kernels.rbf(datasets.digits(300).X)
    drawn = sampling.uniform(big, 20, np.random.default_rng(0))
    near = lowrank.nystrom(big, drawn)
    counts = []
    for call in (
        lambda: certificates.trace_certificate(big, near),
        lambda: certificates.entry_certificate(big, near),
        lambda: certificates.leave_one_out_trace(big, drawn),
        lambda: certificates.leave_one_out_frobenius(big, drawn),
    ):
        before = big.entries_asked
        call()
        counts.append(big.entries_asked - before)
    assert counts == [300, 300, 400, 6000]


def test_copies_among_the_landmarks_leave_nothing():
    Y = np.repeat(X, 2, axis=0)
    twins = kernels.linear(Y)
    found = certificates.leave_one_out_trace(twins, [0, 1, 4])
    left = certificates.schur_complements(twins[[0, 1, 4], [0, 1, 4]])
    assert left[:2] == pytest.approx([0, 0], abs=1e-9) and left[2] > 0.1
    assert found.value == pytest.approx((12 - 3 + 1) / 3 * left.sum())


def test_how_they_show():
    sure = certificates.trace_certificate(K, lowrank.nystrom(K, [0]))
    mean = certificates.leave_one_out_trace(K, [0, 1, 2])
    assert "surely" in repr(sure) and "on average, standard error" in repr(mean)
    assert "surely" in sure._repr_html_() and "on average" in mean._repr_html_()
    assert certificates.leave_one_out_trace(K, [0]).error == np.inf


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: certificates.leave_one_out_trace(K, [0, 0]), "a repeated one"),
        (
            lambda: certificates.trace_certificate(K, lowrank.column_sampling(K, [0])),
            "lies between 0 and K",
        ),
        (
            lambda: certificates.trace_certificate(
                np.eye(3), lowrank.nystrom(np.eye(2), [0])
            ),
            "^approximation: expected one of K, of shape .3, 3., got .*n=2",
        ),
        (
            lambda: certificates.entry_certificate(
                K, lowrank.nystrom(np.eye(2), [0])
            ),
            "^approximation: expected one of K, of shape .6, 6., got .*n=2",
        ),
    ],
)
def test_what_is_wrong_is_said(call, says):
    with pytest.raises(ValueError, match=says):
        call()
