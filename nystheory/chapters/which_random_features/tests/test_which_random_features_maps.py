"""Maps of variances, beside formulas and the package."""

import numpy as np
import pytest

from nystheory.chapters.which_random_features import variance_maps as maps


def test_lines_are_the_formulas():
    z = np.array([0.5, 1.0, 2.0])
    shown = maps.gaussian(z, 3, 12, 5, np.random.default_rng(0))
    k = np.exp(-(z**2) / 2)
    assert shown.of["pairs"] == pytest.approx((1 - k**2) ** 2)
    assert shown.of["phases"] == pytest.approx(((1 - k**2) ** 2 + 1) / 2)
    assert (shown.of["orthogonal pairs"] < shown.of["pairs"]).all()
    grids = maps.laplacian(z, 12)
    assert grids.of["binning"] == pytest.approx(np.exp(-z) * (1 - np.exp(-z)))
    assert grids.of["pairs"] == pytest.approx(1 - np.exp(-2 * z))


def test_a_row_of_the_map_is_the_package():
    """As many frequencies as dimensions, by the transformer's own variance."""
    z = np.array([0.5, 3.5])
    shown = maps.gaussian(z, 4, 8, 2, np.random.default_rng(0))
    ratio = shown.of["orthogonal pairs"] / shown.of["pairs"]
    assert maps.ratios(z, [4])[0] == pytest.approx(ratio)
    # At 0 the ratio tends to 3 / (d + 2).
    assert maps.ratios([1e-2], [2, 3, 10])[:, 0] == pytest.approx(
        [3 / 4, 3 / 5, 3 / 12], abs=1e-4
    )


def test_the_plane_has_no_distance_where_they_are_worse():
    found = maps.worse_from([2, 3, 4, 5])
    assert set(found) == {3, 4, 5}
    assert found[3][1] == found[4][1] == np.inf and found[5][1] < 5


def test_quasi_monte_carlo_is_multiplied_by_the_number_of_features_too():
    """One frequency of a sequence is one that is drawn."""
    one = maps.gaussian([2.0], 8, 2, 4000, np.random.default_rng(0)).of
    assert one[maps.QUASI] == pytest.approx(one["pairs"], rel=0.1)
