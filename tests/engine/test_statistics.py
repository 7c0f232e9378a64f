"""Exact statistics, and what a run may spend on them."""

import itertools

import numpy as np
import pytest
import scipy.stats

from nystheory.engine.trial import statistics


def test_clopper_pearson_against_binomial_tails():
    for trials, failures in itertools.product((5, 40), (0, 1, 3, 5)):
        low, high = statistics.clopper_pearson(failures, trials, 0.01)
        if failures:
            assert scipy.stats.binom.sf(failures - 1, trials, low) == pytest.approx(
                0.01
            )
        if failures < trials:
            assert scipy.stats.binom.cdf(failures, trials, high) == pytest.approx(0.01)


def test_clopper_pearson_rejects_nonsense():
    with pytest.raises(ValueError, match="failures: expected 0 <= failures <= trials"):
        statistics.clopper_pearson(3, 2)


def test_trials_to_certify_are_enough_and_not_many_too_many():
    for delta in (0.2, 0.1, 0.01):
        trials = statistics.trials_to_certify(delta)
        assert statistics.clopper_pearson(0, trials)[1] <= delta
        assert statistics.clopper_pearson(0, int(0.7 * trials))[1] > delta


def test_mean_interval_holds_the_mean_at_its_level():
    """Coverage of the empirical Bernstein and Hoeffding limits, level 0.05."""
    rng, misses = np.random.default_rng(6), 0
    for _ in range(400):
        values = rng.random(200) ** 3
        interval = statistics.mean_interval(values, level=0.05, support=(0, 1))
        misses += not interval.low <= 0.25 <= interval.high
    # Two limits of level 0.05 each: at most 0.1, refuted only beyond LEVEL.
    statistics.spend("coverage of a mean interval", statistics.LEVEL)
    low, _ = statistics.clopper_pearson(misses, 400, statistics.LEVEL)
    assert low <= 0.1


def test_mean_interval_is_narrow_for_small_variance():
    values = np.r_[np.zeros(9990), np.ones(10)]
    interval = statistics.mean_interval(values, level=0.01, support=(0, 1))
    assert interval.method == "empirical Bernstein"


def test_mean_interval_rejects_values_outside_the_support():
    with pytest.raises(ValueError, match="support: expected to hold every value"):
        statistics.mean_interval([0, 2], support=(0, 1))


def test_slope_needs_three_sizes_and_positive_errors():
    with pytest.raises(ValueError, match="sizes"):
        statistics.slope_interval([1, 2], np.ones((2, 5)))
    with pytest.raises(ValueError, match="errors"):
        statistics.slope_interval([1, 2, 3], np.zeros((3, 5)))


def test_counts_of_a_law_fit_it_and_not_another():
    rng, law = np.random.default_rng(3), dict(enumerate([0.5, 0.3, 0.2]))
    found = dict(enumerate(rng.multinomial(3000, [0.5, 0.3, 0.2]).tolist()))
    statistics.spend("counts of a law", statistics.LEVEL)
    assert statistics.fits(found, law)
    assert not statistics.fits(found, dict(enumerate([0.4, 0.4, 0.2])))
    assert not statistics.fits({**found, 3: 1}, law)
    with pytest.raises(ValueError, match="sum 1"):
        statistics.fits(found, {0: 0.5})
