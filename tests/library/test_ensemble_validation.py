"""What validation columns say of experts, against dense matrices."""

import numpy as np
import pytest
from ensemble_cases import EYE, ONE, SEEN, an_instance, dense_of

from nystheory import ensemble, kernels, lowrank


def test_normal_equations_are_inner_products_of_columns():
    K, dense, made = an_instance()
    V = [3, 11, 40, 7]
    G, g = ensemble.normal_equations(K, made, V)
    columns = dense_of(made)[:, :, V].reshape(len(made), -1)
    np.testing.assert_allclose(G, columns @ columns.T, rtol=1e-12)
    np.testing.assert_allclose(g, columns @ dense[:, V].ravel(), rtol=1e-12)
    everything = ensemble.normal_equations(K, made, slice(None))
    listed = ensemble.normal_equations(K, made, np.arange(K.n))
    np.testing.assert_array_equal(everything[0], listed[0])


def test_validation_error_is_that_of_the_mixture():
    K, dense, made = an_instance()
    V = [1, 5, 30]
    seen = ensemble.validate(K, made, V)
    rng = np.random.default_rng(0)
    for weights in (*np.eye(4), *rng.standard_normal((5, 4))):
        mixture = np.tensordot(weights, dense_of(made), 1)
        expected = np.linalg.norm((dense - mixture)[:, V])
        assert seen.error(weights) == pytest.approx(expected, rel=1e-10)
    np.testing.assert_allclose(
        seen.errors, [np.linalg.norm((dense - M)[:, V]) for M in dense_of(made)]
    )
    assert seen.size == pytest.approx(np.linalg.norm(dense[:, V]))
    fewer = ensemble.validate(K, made[:2], V)
    np.testing.assert_allclose(seen.first(2).products, fewer.products, rtol=1e-12)


def test_small_errors_keep_their_digits():
    """Far below sqrt(eps), where |K|^2 - 2 <K, M> + |M|^2 has none left."""
    K = kernels.linear(np.random.default_rng(0).standard_normal((30, 4)))
    dense = K.dense() + 1e-11 * np.eye(30)
    made = [lowrank.nystrom(dense, range(i, i + 5), 4) for i in (0, 9)]
    seen = ensemble.validate(dense, made, slice(None))
    expected = np.linalg.norm(dense - dense_of(made).mean(axis=0))
    assert seen.error([0.5, 0.5]) == pytest.approx(expected, rel=1e-3)
    assert expected < 1e-10 * seen.size


def test_float32_points_stay_accurate():
    X = np.random.default_rng(0).standard_normal((80, 3)).astype(np.float32)
    K = kernels.rbf(X)
    made = ensemble.experts(K, ensemble.samples(K, 3, 6, np.random.default_rng(0)))
    assert made[0].factor.dtype == np.float32
    seen = ensemble.validate(K, made, slice(None))
    mixture = ensemble.combine(K, made, np.random.default_rng(0), "ridge")
    assert mixture.error(K) == pytest.approx(seen.error(mixture.weights), rel=1e-4)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda r: SEEN.error([1, 2]), ValueError, "weights: expected 1.* got 2"),
        (lambda r: SEEN.first(2), ValueError, "n_experts: .* got 2"),
        (lambda r: ensemble.validate(EYE, [], [0]), ValueError, "experts: .* none"),
        (lambda r: ensemble.validate(EYE, [EYE], [0]), TypeError, "experts: .* 0"),
        (lambda r: ensemble.validate(np.eye(3), [ONE], [0]), ValueError, "n=3, .*n=4"),
        (lambda r: ensemble.validate(EYE, [ONE], []), ValueError, "columns: .*empty"),
    ],
)
def test_errors_name_what_came(call, error, words):
    with pytest.raises(error, match=words):
        call(np.random.default_rng(0))
