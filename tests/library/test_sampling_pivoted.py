"""Random pivots: the factor is the approximation, and copies end it."""

import numpy as np
import pytest
from sampling_cases import run

from nystheory import datasets, kernels, lowrank, sampling


@pytest.fixture(scope="module")
def digits():
    return kernels.rbf(datasets.digits(300).X)


@pytest.mark.parametrize(
    "name", ["rp_cholesky", "rp_cholesky, block", "rp_cholesky, accelerated", "sgma"]
)
def test_the_factor_is_the_nystrom_approximation(name, digits):
    drawn = run(name, digits, 40)
    direct = lowrank.nystrom(digits, drawn)
    F = drawn.factor
    assert np.abs(F @ F.T - direct.spectral_reconstruction()).max() < 1e-10
    asked = digits.entries_asked
    again = lowrank.from_factor(drawn, 20)
    assert digits.entries_asked == asked
    expected = lowrank.nystrom(digits, drawn, 20)
    assert np.allclose(again.eigenvalues, expected.eigenvalues)
    assert np.allclose(
        again.spectral_reconstruction(), expected.spectral_reconstruction(), atol=1e-9
    )


def test_from_factor_needs_a_factor(digits):
    with pytest.raises(ValueError, match="keeps its factor.*uniform"):
        lowrank.from_factor(run("uniform", digits, 3))


def test_copies_of_points_end_the_pivots():
    X = np.repeat(np.random.default_rng(0).standard_normal((3, 4)), 5, axis=0)
    for method in ("simple", "block", "accelerated"):
        with pytest.warns(sampling.FewerLandmarks, match="returned only 3 of 8"):
            drawn = sampling.rp_cholesky(
                kernels.linear(X), 8, np.random.default_rng(1), method=method
            )
        assert len({int(i) // 5 for i in drawn.indices}) == 3


class Rounded(kernels.DenseKernel):
    """A matrix of rank one whose diagonal, asked for alone, is rounded elsewhere."""

    def _diagonal(self):
        return super()._diagonal() + [0, 3e-15, 3e-15]


@pytest.mark.parametrize("method", ["simple", "block", "accelerated"])
@pytest.mark.parametrize("seed", range(4))
def test_a_residual_of_rounding_does_not_go_on_for_ever(method, seed):
    """Of such a point nothing is left, and the updated residual says otherwise."""
    K, rng = Rounded(np.ones((3, 3))), np.random.default_rng(seed)
    with pytest.warns(sampling.FewerLandmarks):
        drawn = sampling.rp_cholesky(K, 3, rng, method=method)
    assert len(drawn) == 1 and np.array_equal(drawn.factor, np.ones((3, 1)))
