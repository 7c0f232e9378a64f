"""Coherence, effective dimension, stable rank: definitions, ranges, enclosures."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nystheory import coherence, datasets, kernels, lowrank, sampling


def basis(n, r, seed):
    rng = np.random.default_rng(seed)
    return np.linalg.qr(rng.standard_normal((n, r)))[0]


@settings(deadline=None, derandomize=True, max_examples=40)
@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 99))
def test_ranges_of_both_coherences(n, r, seed):
    r = min(n, r)
    U = basis(n, r, seed)
    mu, M = coherence.of_vectors(U), coherence.basis_free(U)
    slack = 1 + 1e-12
    assert 1 <= mu * slack and mu <= np.sqrt(n) * slack
    assert max(r, mu**2) <= M * slack and M <= min(n, r * mu**2) * slack


@pytest.mark.parametrize("seed", range(5))
def test_only_one_of_them_belongs_to_the_space(seed):
    U, turn = basis(9, 3, seed), basis(3, 3, seed + 100)
    assert coherence.basis_free(U @ turn) == pytest.approx(coherence.basis_free(U))
    assert coherence.of_vectors(U @ turn) != pytest.approx(coherence.of_vectors(U))


def test_coherence_of_a_matrix_against_its_eigenvectors():
    K = kernels.rbf(datasets.digits(80).X)
    _, vectors = np.linalg.eigh(K.dense())
    expected = coherence.basis_free(vectors[:, -5:])
    assert coherence.of_matrix(K, 5) == pytest.approx(expected)
    assert coherence.of_matrix(K, 80) == pytest.approx(80)


def test_a_tie_has_no_coherence():
    with pytest.raises(ValueError, match="gap below eigenvalue 1.*3 and 3"):
        coherence.of_matrix(np.diag([3.0, 3.0, 1.0]), 1)
    assert coherence.of_matrix(np.diag([3.0, 3.0, 1.0]), 2) == 3.0


def test_effective_dimension_and_stable_rank_of_a_diagonal():
    values = np.array([8.0, 4.0, 2.0, 0.0])
    K = np.diag(values)
    assert coherence.effective_dimension(K, 2.0) == pytest.approx(0.8 + 2 / 3 + 0.5)
    assert coherence.stable_rank(K) == pytest.approx(14 / 8)
    assert coherence.stable_rank(K, beyond=1) == pytest.approx(6 / 4)
    assert coherence.stable_rank(K, beyond=3) == 0.0


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("alpha", [1e-3, 0.1, 10.0])
def test_enclosures_hold_the_exact_values(seed, alpha):
    rng = np.random.default_rng(seed)
    K = kernels.rbf(rng.standard_normal((60, 2)))
    near = lowrank.nystrom(K, sampling.uniform(K, 15, rng))
    exact = sampling.ridge_leverage_scores(K, alpha)
    scores = coherence.approximate_ridge_scores(K, near, alpha)
    slack = 1e-9
    assert (scores.low <= exact + slack).all() and (exact <= scores.high + slack).all()
    dimension = coherence.approximate_effective_dimension(K, near, alpha)
    assert dimension.low <= exact.sum() + slack <= dimension.high + 2 * slack


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("count", [5, 12, 25, 40])
def test_enclosures_hold_scores_of_rank_k_and_stable_ranks(seed, count):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((60, 3)) * [3.0, 1.0, 0.1]
    K = kernels.linear(np.hstack([X, 0.02 * rng.standard_normal((60, 60))]))
    near = lowrank.nystrom(K, sampling.uniform(K, count, rng))
    slack = 1e-9
    for rank in (1, 2, 3, 5):
        exact = sampling.leverage_scores(K, rank)
        found = coherence.approximate_leverage_scores(K, near, rank)
        assert (found.low <= exact + slack).all()
        assert (exact <= found.high + slack).all()
        whole = coherence.approximate_of_matrix(K, near, rank)
        assert whole.low - slack <= 60 * exact.max() <= whole.high + slack
    for beyond in (0, 1, 3, 50):
        exact = coherence.stable_rank(K, beyond)
        found = coherence.approximate_stable_rank(K, near, beyond)
        assert found.low - 1e-6 <= exact <= found.high + 1e-6


def test_enclosures_of_scores_are_narrow_where_the_gap_is_wide():
    X = np.random.default_rng(0).standard_normal((50, 2)) * [10.0, 3.0]
    K = kernels.linear(np.hstack([X, 0.01 * np.eye(50)]))
    near = lowrank.nystrom(K, range(30))
    assert coherence.approximate_leverage_scores(K, near, 2).width < 1e-3
    assert coherence.approximate_of_matrix(K, near, 2).width < 0.05
    assert coherence.approximate_stable_rank(K, near).width < 1e-3


def test_the_angle_of_the_enclosure_is_attained():
    """The extremal pair of the error chain: the score moves by all of theta."""
    ratio = 0.6
    s, c = np.sqrt((1 - ratio) / 2), np.sqrt((1 + ratio) / 2)
    X = np.array([[c, s], [0, np.sqrt(ratio)]])
    K = X.T @ X
    near = lowrank.nystrom(K, [0])
    gap, missing = near.factor.T @ near.factor, near.error(K, "trace")
    _, vectors = np.linalg.eigh(K)
    _, leading = np.linalg.eigh(near.spectral_reconstruction())
    turn = np.arccos(abs(vectors[:, -1] @ leading[:, -1]))
    allowed = np.arcsin(missing / float(gap[0, 0])) / 2
    assert turn <= allowed + 1e-12
    exact = sampling.leverage_scores(K, 1)
    found = coherence.approximate_leverage_scores(K, near, 1)
    assert (found.low <= exact + 1e-12).all() and (exact <= found.high + 1e-12).all()


def test_no_gap_says_nothing():
    found = coherence.approximate_leverage_scores(
        np.eye(4), lowrank.nystrom(np.eye(4), [0]), 1
    )
    assert found.low.tolist() == [0] * 4 and found.high.tolist() == [1] * 4


def test_enclosures_close_when_nothing_is_missed():
    K = kernels.linear(datasets.digits(100).X[:, :20])
    near = lowrank.nystrom(K, range(100))
    scores = coherence.approximate_ridge_scores(K, near, 0.5)
    assert scores.width < 1e-9
    assert coherence.approximate_effective_dimension(K, near, 0.5).width < 1e-9
    assert "at least" in scores._repr_html_()


def test_an_enclosure_asks_for_the_diagonal_alone():
    K = kernels.rbf(datasets.digits(200).X)
    near = lowrank.nystrom(K, range(20))
    asked = K.entries_asked
    coherence.approximate_effective_dimension(K, near, 1.0)
    assert K.entries_asked - asked == 200


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: coherence.of_vectors(np.ones((3, 2))), "U: expected orthonormal"),
        (lambda: coherence.of_vectors(np.empty((0, 0))), "U: expected orthonormal"),
        (lambda: coherence.basis_free([[np.nan]]), "U: expected finite"),
        (lambda: coherence.of_matrix(np.eye(3), 4), "rank: .* from 1 to 3"),
        (lambda: coherence.effective_dimension(np.eye(3), 0), "alpha: .* above 0"),
        (lambda: coherence.stable_rank(np.eye(3), beyond=3), "beyond: .* from 0 to 2"),
        (
            lambda: coherence.approximate_ridge_scores(
                np.eye(3), lowrank.column_sampling(np.eye(3), [0]), 1.0
            ),
            "approximation: expected one that lies between 0 and K",
        ),
    ],
)
def test_what_is_wrong_is_said(call, says):
    with pytest.raises(ValueError, match=says):
        call()
