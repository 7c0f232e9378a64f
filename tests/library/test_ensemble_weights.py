"""Weights of experts against brute force and least squares."""

import numpy as np
import pytest
from ensemble_cases import EYE, SEEN, an_instance, dense_of

from nystheory import ensemble, kernels, lowrank


def test_exponential_weights_are_the_formula():
    errors, eta = np.array([0.3, 0.1, 0.7]), 2.5
    plain = np.exp(-eta * errors)
    found = ensemble.exponential_weights(errors, eta)
    np.testing.assert_allclose(found, plain / plain.sum(), rtol=1e-14)
    shifted = ensemble.exponential_weights(errors + 1e6, eta)
    np.testing.assert_allclose(shifted, found, rtol=1e-8)


@pytest.mark.parametrize("eta", [0.0, 1e3, 1e300])
def test_exponential_weights_at_the_ends(eta):
    found = ensemble.exponential_weights([1e4, 1e4 + 1, 1e4], eta)
    expected = [1 / 3] * 3 if eta == 0 else [0.5, 0, 0.5]
    np.testing.assert_allclose(found, expected, atol=1e-300)


def test_exponential_weights_minimise_over_the_simplex():
    """Brute force over a fine grid of the simplex, p = 3."""
    errors, eta = np.array([0.2, 0.5, 0.9]), 3.0
    i, j = np.meshgrid(np.arange(401), np.arange(401))
    inside = i + j <= 400
    mu = np.stack([i[inside], j[inside], 400 - i[inside] - j[inside]], 1) / 400
    entropy = -np.where(mu > 0, mu * np.log(np.where(mu > 0, mu, 1)), 0).sum(axis=1)
    objective = mu @ errors - entropy / eta
    found = ensemble.exponential_weights(errors, eta)
    assert np.abs(mu[objective.argmin()] - found).max() < 1 / 400
    value = -np.log(np.exp(-eta * errors).sum()) / eta
    assert value <= objective.min() < value + 1e-4


@pytest.mark.parametrize("ridge", [0.0, 1e-6, 0.3])
def test_ridge_weights_are_a_stacked_least_squares_problem(ridge):
    K, dense, made = an_instance()
    V = np.arange(0, 60, 7)
    columns = dense_of(made)[:, :, V].reshape(len(made), -1)
    p = len(made)
    stacked = np.vstack([columns.T, np.sqrt(ridge) * np.eye(p)])
    target = np.concatenate([dense[:, V].ravel(), np.zeros(p)])
    expected = np.linalg.lstsq(stacked, target)[0]
    G, g = ensemble.normal_equations(K, made, V)
    found = ensemble.ridge_weights(G, g, ridge)
    np.testing.assert_allclose(found, expected, rtol=1e-8)
    if ridge:
        direct = np.linalg.solve(G + ridge * np.eye(p), g)
        np.testing.assert_allclose(found, direct, rtol=1e-7)


def test_equal_experts_share_their_weight():
    K, _, made = an_instance()
    same = [made[0]] * 3
    G, g = ensemble.normal_equations(K, same, range(10))
    for ridge in (0.0, 1e-3 * G[0, 0]):
        alone = g[0] / (G[0, 0] + ridge / 3)
        found = ensemble.ridge_weights(G, g, ridge)
        np.testing.assert_allclose(found, alone / 3, rtol=1e-12)
        total = ensemble.nonnegative_weights(G, g, ridge).sum()
        assert total == pytest.approx(alone)
    mixture = ensemble.combine(K, same, np.random.default_rng(0), "exponential")
    np.testing.assert_allclose(mixture.weights, 1 / 3)


def test_nonnegative_weights_by_all_supports():
    """The best over every set of experts whose free solution is not negative."""
    rng = np.random.default_rng(3)
    for ridge in (0.0, 0.2):
        for _ in range(30):
            A = rng.standard_normal((6, 4))
            b = rng.standard_normal(6)
            G, g = A.T @ A, A.T @ b

            def objective(mu, G=G, g=g, ridge=ridge):
                return mu @ G @ mu + ridge * mu @ mu - 2 * mu @ g

            best = 0.0
            for bits in range(1, 16):
                on = np.flatnonzero([bits >> r & 1 for r in range(4)])
                mu = np.zeros(4)
                inner = G[np.ix_(on, on)] + ridge * np.eye(len(on))
                mu[on] = np.linalg.solve(inner, g[on])
                if (mu >= 0).all():
                    best = min(best, objective(mu))
            found = ensemble.nonnegative_weights(G, g, ridge)
            assert (found >= 0).all()
            assert objective(found) == pytest.approx(best, abs=1e-9)


def test_nonnegative_is_ridge_where_ridge_is_not_negative():
    G, g = np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([1.0, 1.0])
    free = ensemble.ridge_weights(G, g, 0.1)
    np.testing.assert_allclose(ensemble.nonnegative_weights(G, g, 0.1), free)


@pytest.mark.parametrize("scale", [1e-9, 1e9])
@pytest.mark.parametrize("weights", ensemble.WEIGHTS)
def test_weights_do_not_change_with_the_units_of_K(weights, scale):
    """A multiple that is no power of two: equal up to rounding."""
    _, dense, made = an_instance(seed=5)
    K = kernels.DenseKernel(dense)
    scaled = kernels.DenseKernel(scale * dense)
    more = [lowrank.nystrom(scaled, each.landmarks, 5) for each in made]
    one = ensemble.combine(K, made, np.random.default_rng(1), weights)
    other = ensemble.combine(scaled, more, np.random.default_rng(1), weights)
    np.testing.assert_allclose(other.weights, one.weights, rtol=1e-3, atol=1e-6)
    assert other.error(scaled) == pytest.approx(scale * one.error(K), rel=1e-6)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda r: ensemble.uniform_weights(0), ValueError, "n_experts: .* got 0"),
        (lambda r: ensemble.exponential_weights([], 1), ValueError, "errors: .* none"),
        (lambda r: ensemble.exponential_weights([1], -1), ValueError, "eta: .* -1"),
        (lambda r: ensemble.exponential_weights([1], "a"), TypeError, "eta: .* 'a'"),
        (lambda r: ensemble.ridge_weights(EYE, [1, 2], 0), ValueError, "g: .*4,.*2,"),
        (lambda r: ensemble.ridge_weights(EYE, EYE[0], -2), ValueError, "ridge: .* -2"),
        (lambda r: ensemble.ridge_weights(-EYE, EYE[0], 0), ValueError, "G: .* semid"),
        (lambda r: ensemble.choose_weights("best", SEEN), ValueError, "method: .*'be"),
        (lambda r: ensemble.choose_weights("ridge", SEEN), ValueError, "held_out: .*n"),
    ],
)
def test_errors_name_what_came(call, error, words):
    with pytest.raises(error, match=words):
        call(np.random.default_rng(0))


@pytest.mark.parametrize("power", [300, -300])
@pytest.mark.parametrize("weights", ["ridge", "nonnegative", "optimal", "exponential"])
def test_weights_do_not_depend_on_the_scale_of_the_matrix(weights, power):
    rng = np.random.default_rng(0)
    K = kernels.rbf(rng.standard_normal((40, 3))).dense()
    mixed = []
    for scale in (1.0, 2.0**power):
        made = ensemble.experts(scale * K, [range(10), range(10, 20)])
        rng = np.random.default_rng(0)
        mixed.append(ensemble.combine(scale * K, made, rng, weights=weights))
    np.testing.assert_allclose(mixed[1].weights, mixed[0].weights, rtol=1e-9)
    # Errors grow with K, eta falls with it, and squares are the units of a ridge.
    if weights in ("ridge", "nonnegative"):
        expected = mixed[0].parameter * 2.0 ** (2 * power)
        assert mixed[1].parameter == pytest.approx(expected, rel=1e-9)
