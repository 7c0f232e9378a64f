"""Certificates hold surely, estimates are right on average: both by enumeration."""

import warnings
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from nystheory import certificates, datasets, kernels, lowrank, sampling
from nystheory.kernels._base import entry_error

X = np.array([[2.0, 0, 1], [1, 1, 0], [0, 3, 1], [1, 0, 2], [2, 2, 1], [0, 1, 1]])
K = X @ X.T + np.diag([0.5, 1, 2, 0.1, 0.3, 1])
SIX = len(K)
RNG = np.random.default_rng(0)


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
            lambda: certificates.entry_certificate(K, lowrank.nystrom(np.eye(2), [0])),
            "^approximation: expected one of K, of shape .6, 6., got .*n=2",
        ),
    ],
)
def test_what_is_wrong_is_said(call, says):
    with pytest.raises(ValueError, match=says):
        call()


KERNELS = {
    "rbf": lambda X: kernels.rbf(X, 0.1),
    "rough": lambda X: kernels.rbf(X, 3.0),
    "linear": kernels.linear,
    "polynomial": lambda X: kernels.pairwise(X, "polynomial", degree=2),
}


def sampled(K, kind, l, seed):  # noqa: E741
    """An approximation from columns, or from the factor of pivots."""
    rng = np.random.default_rng(seed)
    if kind == "columns":
        return lowrank.nystrom(K, sampling.uniform(K, l, rng))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        return lowrank.from_factor(sampling.rp_cholesky(K, l, rng))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("kind", ["columns", "factor"])
def test_the_trace_is_exact_and_the_norms_are_within_the_error(kind, name, dtype):
    """Against fractions, and against all of K in float64: ten draws.

    In float32 sums of n l terms of size 1 were known to one unit in ten thousand.
    """
    for seed in range(10):
        X = np.random.default_rng(seed).standard_normal((150, 6)).astype(dtype)
        K, true = KERNELS[name](X), KERNELS[name](X.astype(np.float64)).dense()
        near = sampled(K, kind, 5 if name == "linear" else 60, seed)
        told = certificates.trace_certificate(K, near)
        F = near.factor.astype(np.float64)
        exact = sum(map(Fraction, K.diagonal().tolist()))
        exact -= sum(Fraction(x) ** 2 for x in F.ravel().tolist())
        assert abs(told.value - max(float(exact), 0)) <= 1e-13 * np.trace(true)
        # Of what the kernel is, not of what float32 makes of it.
        left = np.linalg.eigvalsh(true - F @ F.T)
        assert abs(told.value - left.sum()) <= told.error
        assert -left[left < 0].sum() <= told.error
        assert np.abs(left).max() <= told.value + told.error
        entry = certificates.entry_certificate(K, near)
        largest = np.abs(true - F @ F.T).max()
        assert largest <= entry.value + entry.error
        # The rest is what small pivots multiply, and entries that cancel.
        rest = near.blur + (true.diagonal() * entry_error(K)).sum()
        share = np.sqrt(near.rank) * np.finfo(near.factor.dtype).eps
        assert told.error <= 1.01 * (share * np.trace(true) + rest)


def alike(kernel, d):
    """Many copies of points whose coordinates are equal: roundings that are, too."""
    X = np.full((200, d), 0.1, dtype=np.float32)
    if kernel != "linear":
        X[1::2] += np.random.default_rng(0).random(d)
    return X, [0] if kernel == "linear" else [0, 1]


@pytest.mark.parametrize("kernel", ["linear", "cosine", "polynomial"])
@pytest.mark.parametrize("d", [100, 1000, 10_000])
def test_roundings_that_are_alike_are_within_the_error(kernel, d):
    """Then they add up, and not by squares."""
    X, chosen = alike(kernel, d)
    made = {"degree": 2, "gamma": 1.0} if kernel == "polynomial" else {}
    K, true = (kernels.pairwise(x, kernel, **made) for x in (X, X.astype(float)))
    _within(K, true.dense(), lowrank.nystrom(K, chosen))


@pytest.mark.parametrize("d", [2, 6])
@pytest.mark.parametrize("far", [1e2, 1e3, 1e4, 1e5])
def test_clusters_far_from_each_other_are_within_the_error(d, far):
    """In float32 their points round, since none of them is near the mean."""
    X = np.random.default_rng(0).standard_normal((300, d)).astype(np.float32)
    X[::2, 0] += far
    K, true = (kernels.rbf(x, 1 / d) for x in (X, X.astype(float)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        pivots = sampling.rp_cholesky(K, 280, np.random.default_rng(0))
    _within(K, true.dense(), lowrank.from_factor(pivots))
    few = np.random.default_rng(1).permutation(300)[:250]
    _within(K, true.dense(), lowrank.nystrom(K, few))


def _within(K, true, near):
    F = near.factor.astype(np.float64)
    left = true - F @ F.T
    told = certificates.trace_certificate(K, near)
    assert np.abs(np.linalg.eigvalsh(left)).max() <= told.value + told.error
    assert abs(np.trace(left) - told.value) <= told.error
    entry = certificates.entry_certificate(K, near)
    assert np.abs(left).max() <= entry.value + entry.error


def test_the_error_of_many_points_in_float32_is_small():
    """Twenty thousand: a millionth of the trace for pivots.

    More for columns drawn uniformly, whose W is nearly singular here.
    """
    X = np.random.default_rng(0).standard_normal((20_000, 5)).astype(np.float32)
    K = kernels.rbf(X, 0.05)
    for kind, share in {"columns": 1e-4, "factor": 1e-5}.items():
        told = certificates.trace_certificate(K, sampled(K, kind, 100, 0))
        assert told.error <= share * 20_000 and told.error < told.value / 50
    told = certificates.leave_one_out_trace(K, sampling.uniform(K, 50, RNG))
    assert told.floor < 1e-4 * 20_000


@pytest.mark.parametrize("gamma", [0.05, 1.0, 30.0])
def test_leave_one_out_in_float32_is_within_its_floor(gamma):
    """The floor is for what rounding of the entries does to the value."""
    for seed in range(10):
        X = np.random.default_rng(seed).standard_normal((200, 5)).astype(np.float32)
        S = range(40)
        told = certificates.leave_one_out_trace(kernels.rbf(X, gamma), S)
        true = certificates.leave_one_out_trace(kernels.rbf(X.astype(float), gamma), S)
        assert abs(told.value - true.value) <= told.floor
