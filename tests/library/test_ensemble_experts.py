"""Samples that share no column, and the experts made of them."""

import numpy as np
import pytest
from ensemble_cases import EYE, an_instance

from nystheory import ensemble, kernels, lowrank, sampling


def test_samples_are_disjoint_and_uniform():
    rng = np.random.default_rng(0)
    drawn = ensemble.samples(np.eye(12), 3, 4, rng)
    assert sorted(np.concatenate([s.indices for s in drawn])) == list(range(12))
    counts = np.zeros(6)
    for _ in range(3000):
        for sample in ensemble.samples(np.eye(6), 2, 1, rng):
            counts[sample.indices] += 1
    # 3000 independent pairs: each point has mean 1000 and deviation below 26.
    assert np.abs(counts - 1000).max() < 160


@pytest.mark.parametrize("n_jobs", [None, 1, 2, -1])
def test_experts_are_nystrom_whatever_the_number_of_jobs(n_jobs):
    K, _, made = an_instance()
    again = ensemble.experts(K, [each.landmarks for each in made], 5, n_jobs)
    for one, other in zip(made, again, strict=True):
        np.testing.assert_array_equal(one.factor, other.factor)
        alone = lowrank.nystrom(K, one.landmarks, 5)
        np.testing.assert_array_equal(one.factor, alone.factor)


def test_experts_ask_for_the_columns_and_no_more():
    K = kernels.rbf(np.random.default_rng(0).standard_normal((50, 2)))
    drawn = ensemble.samples(K, 3, 6, np.random.default_rng(1))
    assert K.entries_asked == 0
    made = ensemble.experts(K, drawn, n_jobs=2)
    assert K.entries_asked == 3 * 6 * 50
    ensemble.combine(K, made, np.random.default_rng(2))
    assert K.entries_asked == 3 * 6 * 50
    ensemble.combine(
        K, made, np.random.default_rng(2), "ridge", n_validation=4, n_holdout=3
    )
    assert K.entries_asked == (3 * 6 + 4 + 3) * 50


def test_experts_of_any_scheme():
    K = kernels.rbf(np.random.default_rng(0).standard_normal((40, 2)))
    rng = np.random.default_rng(1)
    drawn = [sampling.rp_cholesky(K, 5, rng) for _ in range(3)]
    made = ensemble.combine(K, ensemble.experts(K, drawn), rng, "nonnegative")
    assert made.error(K) <= ensemble.best_learner(K, made.experts).error(K) * 1.2


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda r: ensemble.samples(EYE, 3, 2, r), ValueError, "n_landmarks: .* to 1"),
        (lambda r: ensemble.samples(EYE, 5, 1, r), ValueError, "n_experts: .* 1 to 4"),
        (lambda r: ensemble.samples(EYE, 2, 1, 0), TypeError, "rng: expected"),
        (lambda r: ensemble.experts(EYE, []), ValueError, "samples: expected at"),
        (lambda r: ensemble.experts(EYE, [[9]]), IndexError, "got 9"),
        (lambda r: ensemble.experts(EYE, [[0]], 2), ValueError, "rank: .* got 2"),
    ],
)
def test_errors_name_what_came(call, error, words):
    with pytest.raises(error, match=words):
        call(np.random.default_rng(0))
