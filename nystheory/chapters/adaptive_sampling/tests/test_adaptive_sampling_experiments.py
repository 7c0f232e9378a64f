"""The boxes as printed, and the table of the thesis."""

import os

import numpy as np
import pytest
import scipy.stats

from nystheory import datasets, kernels, sampling
from nystheory.chapters.adaptive_sampling import printed, table_4_2
from nystheory.engine.findings import schemes

K = kernels.rbf(datasets.digits(40).X)

needs_data = pytest.mark.skipif(
    not os.environ.get("NYSTHEORY_DATA"),
    reason="abalone and MNIST are not shipped: NYSTHEORY_DATA names a folder with them",
)


# ---- the boxes as printed ----


def test_the_printed_full_rule_is_the_mended_one_but_for_its_norm():
    dense, R = K.dense(), [3, 1, 4]
    found = printed.printed_full(dense, R)
    assert np.linalg.norm(found) == pytest.approx(1)
    mended = sampling.update_probability_full(dense, R)
    np.testing.assert_allclose(found / found.sum(), mended, atol=1e-12)
    assert printed.printed_full(np.eye(3), [0]).sum() == pytest.approx(2**0.5)


def test_the_printed_partial_rule_is_the_mended_one_where_it_is_defined():
    dense, R = K.dense(), [3, 1, 4, 15]
    found = printed.printed_partial(dense, R, rank=2)
    mended = sampling.update_probability_partial(dense, R, rank=2)
    np.testing.assert_allclose(found / found.sum(), mended, atol=1e-10)
    lost = printed.printed_partial(np.diag([3.0, 2.0, 1.0]), [0, 1], rank=1)
    assert np.isnan(lost).all()


def test_a_trusting_sampler_stops_at_one():
    P = np.array([0.25, 0.5, 0.5, 0.5])
    uniform = (np.arange(1000) + 0.5) / 1000
    drawn = np.searchsorted(np.cumsum(P), uniform)
    shares = np.bincount(drawn, minlength=4) / 1000
    np.testing.assert_allclose(printed.cut_at_one(P), shares)


# ---- Table 4.2 ----


def test_shorter_greedy_samples_begin_longer_ones():
    for name in table_4_2.NESTED:
        scheme = sampling.SCHEMES[name]
        short, long = (scheme(K, c, np.random.default_rng(5)).indices for c in (4, 9))
        np.testing.assert_array_equal(short, long[:4])


def test_what_is_stored_is_complete():
    stored = table_4_2.stored()
    assert list(stored) == ["ABN", "MNIST"]
    for name, result in stored.items():
        assert result["energy"] > 0.9 and result["runs"] == 10
        for how in table_4_2.TRUNCATED:
            for percent in table_4_2.PERCENTS:
                row = result[how][str(percent)]
                assert tuple(row) == tuple(schemes.THESIS)
                assert all(0 < mean <= 100.01 for mean, _ in row.values())
        printed = table_4_2.printed(name)
        assert printed[20]["kmeans"][0] in (90.0, 90.4)
        assert len(table_4_2.comparison(stored, name).rows) == 9
    page = table_4_2.comparison(stored, "ABN")._repr_html_()
    assert "48.7 (7.2)" in page


@needs_data
@pytest.mark.parametrize("name", ["ABN", "MNIST"])
def test_stored_results_are_reproduced(name):
    """Three new runs against the ten that are stored, with other seeds.

    The difference of the means over its standard error has a Student distribution
    with nine degrees of freedom; each of the 60 is wrong with probability 1e-6.
    """
    stored = table_4_2.stored()[name]
    K = table_4_2.matrix(name, stored["gamma"])
    assert schemes.energy(K, table_4_2.RANK) == pytest.approx(
        stored["energy"], abs=1e-4
    )
    if stored["gamma"] is not None:
        narrower = table_4_2.matrix(name, stored["gamma"] + 0.01)
        assert (
            schemes.energy(narrower, table_4_2.RANK)
            < 0.9
            <= schemes.energy(K, table_4_2.RANK)
        )
    limit = scipy.stats.t.isf(0.5e-6, 9) * np.sqrt(1 / 3 + 1 / 10)
    for percent, row in table_4_2.accuracies(K, runs=3, seed=1).items():
        for scheme, values in row.items():
            for which, how in enumerate(table_4_2.TRUNCATED):
                mean, spread = stored[how][str(percent)][scheme]
                allowed = 0.1 + limit * (spread or 0)
                found = values[:, which].mean()
                assert abs(found - mean) < allowed, (percent, scheme, how)
