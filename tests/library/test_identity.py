"""An approximation knows its kernel: asked about another, everything is an error."""

import gc

import numpy as np
import pytest

from nystheory import (
    certificates,
    coherence,
    datasets,
    ensemble,
    kernels,
    lowrank,
    sampling,
)
from nystheory.kernels import as_kernel, same_matrix
from nystheory.kernels._dense import _PASSED

X = datasets.digits(120).X
K = kernels.rbf(X, 0.002)
DENSE = K.dense()
S = list(range(30))
ORDER = np.random.default_rng(0).permutation(120)
# Every one has the diagonal 1, or at least the shape.
OTHERS = {
    "another gamma": kernels.rbf(X, 2.0),
    "half of it": 0.5 * DENSE,
    "twice of it": 2 * DENSE,
    "points in another order": kernels.rbf(X[ORDER], 0.002),
    "rows and columns in another order": DENSE[np.ix_(ORDER, ORDER)],
    "single precision": kernels.rbf(X.astype(np.float32), 0.002),
    "another kernel": kernels.pairwise(X, "laplacian", gamma=0.002),
}
MADE = {
    "nystrom": lambda K: lowrank.nystrom(K, S),
    "truncated": lambda K: lowrank.nystrom(K, S, 5, "approximation"),
    "from_factor": lambda K: lowrank.from_factor(
        sampling.rp_cholesky(K, 30, np.random.default_rng(0))
    ),
    "best": lambda K: lowrank.best_rank_k(K, 5),
    "ensemble": lambda K: ensemble.Ensemble(
        ensemble.experts(K, [S[:15], S[15:]]), [0.5, 0.5]
    ),
}
SAID = {
    "trace certificate": certificates.trace_certificate,
    "entry certificate": certificates.entry_certificate,
    "trace": lambda K, near: near.error(K, "trace"),
    "frobenius": lambda K, near: near.error(K, "frobenius"),
    "spectral": lambda K, near: near.error(K, "spectral"),
    "ridge scores": lambda K, near: coherence.approximate_ridge_scores(K, near, 1.0),
    "effective dimension": lambda K, near: coherence.approximate_effective_dimension(
        K, near, 1.0
    ),
    "stable rank": coherence.approximate_stable_rank,
    "leverage": lambda K, near: coherence.approximate_leverage_scores(K, near, 2),
    "coherence": lambda K, near: coherence.approximate_of_matrix(K, near, 2),
}


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("other", OTHERS)
def test_another_kernel_is_an_error(made, said, other):
    near = MADE[made](K)
    with pytest.raises(ValueError, match="K: expected the matrix that was approxim"):
        SAID[said](OTHERS[other], near)


@pytest.mark.parametrize("said", SAID)
def test_the_same_kernel_in_another_form_is_none(said):
    near = MADE["nystrom"](K)
    for again in (K, kernels.rbf(X.copy(), 0.002), DENSE, DENSE.copy()):
        SAID[said](again, near)


def test_ratios_and_mixtures_are_of_one_kernel():
    near, far = MADE["nystrom"](K), kernels.rbf(X, 2.0)
    with pytest.raises(ValueError, match="K: expected the matrix"):
        near.relative_accuracy(K, best=lowrank.best_rank_k(far, 30))
    with pytest.raises(ValueError, match="experts: expected approximations of one"):
        ensemble.Ensemble([near, MADE["nystrom"](far)], [0.5, 0.5])
    with pytest.raises(ValueError, match="experts: expected approximations of one"):
        ensemble.validate(far, [near], [0, 1])


def test_an_array_that_was_changed_is_an_error():
    array = DENSE.copy()
    near = lowrank.nystrom(array, S)
    array *= 0.5
    with pytest.raises(ValueError, match="was changed since"):
        certificates.trace_certificate(array, near)


class Lying(kernels.PointKernel):
    """The same rule, other entries: what a bug in somebody's kernel would do."""

    def _diagonal(self):
        return 0.5 * super()._diagonal()


def test_a_residual_below_zero_is_no_rounding():
    wrong = Lying(K.points, K._rule, "rbf", K.parameters)
    near = lowrank.nystrom(wrong, S)
    for said in SAID.values():
        if said is SAID["frobenius"] or said is SAID["spectral"]:
            continue
        with pytest.raises(ValueError, match=r"got K\[\d+, \d+\] = 0.5, of which"):
            said(wrong, near)


def test_nothing_is_below_a_kernel_that_nobody_named():
    with pytest.raises(ValueError, match="kernel: expected the K that it is below"):
        lowrank.LowRank("by hand", 2, None, 1, 1, True, None, np.ones((2, 1)))


def test_an_array_is_checked_once_while_it_lives():
    array, before = DENSE.copy(), len(_PASSED)
    first = as_kernel(array)
    assert len(_PASSED) == before + 1 and same_matrix(first, as_kernel(array))
    array[0, 0] = -1.0
    with pytest.raises(ValueError, match="positive semidefinite"):
        as_kernel(array)
    del first, array
    gc.collect()
    assert len(_PASSED) <= before


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("gamma", [1e-6, 1e-3, 0.1, 10.0])
def test_certificates_hold_within_their_floor(dtype, gamma):
    """Against float64, of matrices from as smooth as they come to rough."""
    points = np.random.default_rng(0).standard_normal((200, 2)).astype(dtype)
    kernel = kernels.rbf(points, gamma)
    near = lowrank.nystrom(
        kernel, sampling.uniform(kernel, 60, np.random.default_rng(1))
    )
    found = certificates.trace_certificate(kernel, near)
    F = near.factor.astype(np.float64)
    true = np.trace(kernel.dense().astype(np.float64) - F @ F.T)
    assert abs(found.value - true) <= found.error
    assert found.value >= 0 and found.error < 0.01 * 200


def test_scores_are_enclosed_where_the_trace_says_nothing():
    """n = 800, l = 60: the trace of the error is above every gap."""
    rng = np.random.default_rng(0)
    cloud = np.exp(0.5 * rng.standard_normal((800, 8))) @ rng.standard_normal((8, 8))
    kernel = kernels.rbf((cloud - cloud.mean(0)) / cloud.std(0))
    near = lowrank.nystrom(kernel, sampling.uniform(kernel, 60, rng))
    vectors = np.linalg.eigh(kernel.dense())[1][:, ::-1]
    for k in (1, 3, 10):
        scores = (vectors[:, :k] ** 2).sum(axis=1)
        found = coherence.approximate_leverage_scores(kernel, near, k)
        assert (found.low <= scores + 1e-12).all() and (scores <= found.high).all()
        assert found.high.max() < 0.5
        M = coherence.approximate_of_matrix(kernel, near, k)
        assert M.low <= 800 * scores.max() <= M.high < 400
    assert "more columns" in found.advice and "more columns" in repr(found)
