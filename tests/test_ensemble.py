"""Mixtures of Nyström approximations against dense oracles."""

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st

from nystheory import datasets, ensemble, kernels, lowrank, sampling

NORMS = {
    "spectral": lambda E: np.linalg.norm(E, 2),
    "frobenius": np.linalg.norm,
    "trace": lambda E: np.linalg.norm(E, "nuc"),
}
EPS = np.finfo(float).eps


def _instance(n=60, p=4, l=8, rank=5, seed=0):  # noqa: E741
    rng = np.random.default_rng(seed)
    K = kernels.rbf(rng.standard_normal((n, 3)))
    made = ensemble.experts(K, ensemble.samples(K, p, l, rng), rank)
    return K, K.dense(), made


def _dense(made):
    return np.array([each.spectral_reconstruction() for each in made])


# samples and experts


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
    K, _, made = _instance()
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


# weights


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


def test_normal_equations_are_inner_products_of_columns():
    K, dense, made = _instance()
    V = [3, 11, 40, 7]
    G, g = ensemble.normal_equations(made, K, V)
    columns = _dense(made)[:, :, V].reshape(len(made), -1)
    np.testing.assert_allclose(G, columns @ columns.T, rtol=1e-12)
    np.testing.assert_allclose(g, columns @ dense[:, V].ravel(), rtol=1e-12)
    everything = ensemble.normal_equations(made, K, slice(None))
    listed = ensemble.normal_equations(made, K, np.arange(K.n))
    np.testing.assert_array_equal(everything[0], listed[0])


@pytest.mark.parametrize("ridge", [0.0, 1e-6, 0.3])
def test_ridge_weights_are_a_stacked_least_squares_problem(ridge):
    K, dense, made = _instance()
    V = np.arange(0, 60, 7)
    columns = _dense(made)[:, :, V].reshape(len(made), -1)
    p = len(made)
    stacked = np.vstack([columns.T, np.sqrt(ridge) * np.eye(p)])
    target = np.concatenate([dense[:, V].ravel(), np.zeros(p)])
    expected = np.linalg.lstsq(stacked, target)[0]
    G, g = ensemble.normal_equations(made, K, V)
    found = ensemble.ridge_weights(G, g, ridge)
    np.testing.assert_allclose(found, expected, rtol=1e-8)
    if ridge:
        direct = np.linalg.solve(G + ridge * np.eye(p), g)
        np.testing.assert_allclose(found, direct, rtol=1e-7)


def test_equal_experts_share_their_weight():
    K, _, made = _instance()
    same = [made[0]] * 3
    G, g = ensemble.normal_equations(same, K, range(10))
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
    _, dense, made = _instance(seed=5)
    K = kernels.DenseKernel(dense)
    scaled = kernels.DenseKernel(scale * dense)
    more = [lowrank.nystrom(scaled, each.landmarks, 5) for each in made]
    one = ensemble.combine(K, made, np.random.default_rng(1), weights)
    other = ensemble.combine(scaled, more, np.random.default_rng(1), weights)
    np.testing.assert_allclose(other.weights, one.weights, rtol=1e-3, atol=1e-6)
    assert other.error(scaled) == pytest.approx(scale * one.error(K), rel=1e-6)


def test_validation_error_is_that_of_the_mixture():
    K, dense, made = _instance()
    V = [1, 5, 30]
    seen = ensemble.validate(made, K, V)
    rng = np.random.default_rng(0)
    for weights in (*np.eye(4), *rng.standard_normal((5, 4))):
        mixture = np.tensordot(weights, _dense(made), 1)
        expected = np.linalg.norm((dense - mixture)[:, V])
        assert seen.error(weights) == pytest.approx(expected, rel=1e-10)
    np.testing.assert_allclose(
        seen.errors, [np.linalg.norm((dense - M)[:, V]) for M in _dense(made)]
    )
    assert seen.size == pytest.approx(np.linalg.norm(dense[:, V]))
    fewer = ensemble.validate(made[:2], K, V)
    np.testing.assert_allclose(seen.first(2).products, fewer.products, rtol=1e-12)


def test_small_errors_keep_their_digits():
    """Far below sqrt(eps), where |K|^2 - 2 <K, M> + |M|^2 has none left."""
    K = kernels.linear(np.random.default_rng(0).standard_normal((30, 4)))
    dense = K.dense() + 1e-11 * np.eye(30)
    made = [lowrank.nystrom(dense, range(i, i + 5), 4) for i in (0, 9)]
    seen = ensemble.validate(made, dense, slice(None))
    expected = np.linalg.norm(dense - _dense(made).mean(axis=0))
    assert seen.error([0.5, 0.5]) == pytest.approx(expected, rel=1e-3)
    assert expected < 1e-10 * seen.size


# the mixture


@pytest.mark.parametrize("weights", [[0.4, 0.3, 0.2, 0.1], [1.5, -0.7, 0.3, 0.0]])
@pytest.mark.parametrize("norm", NORMS)
def test_errors_are_those_of_the_dense_mixture(weights, norm):
    K, dense, made = _instance()
    mixture = ensemble.Ensemble(made, weights)
    M = np.tensordot(weights, _dense(made), 1)
    np.testing.assert_allclose(mixture.spectral_reconstruction(), M, atol=1e-13)
    rows, columns = [5, 2], slice(10, 50, 3)
    np.testing.assert_allclose(
        mixture.block(rows, columns), M[rows, columns], atol=1e-13
    )
    expected = NORMS[norm](dense - M)
    assert mixture.error(K, norm) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("k", [1, 3, 9, 60])
@pytest.mark.parametrize("weights", [[0.4, 0.3, 0.2, 0.1], [0.0, 0.5, 0.0, 0.5]])
def test_truncated_is_the_best_of_its_rank(weights, k):
    K, dense, made = _instance()
    mixture = ensemble.Ensemble(made, weights)
    values, vectors = scipy.linalg.eigh(mixture.spectral_reconstruction())
    expected = (vectors[:, -k:] * values[-k:]) @ vectors[:, -k:].T
    found = mixture.truncated(k)
    assert found.rank <= min(k, mixture.rank)
    np.testing.assert_allclose(found.spectral_reconstruction(), expected, atol=1e-12)
    assert found.error(K) == pytest.approx(np.linalg.norm(dense - expected))


def test_truncated_leaves_negative_directions_out():
    made = [lowrank.nystrom(np.eye(3), [i]) for i in range(3)]
    found = ensemble.Ensemble(made, [2.0, -5.0, 1.0]).truncated(3)
    np.testing.assert_allclose(found.eigenvalues, [2.0, 1.0])
    nothing = ensemble.Ensemble(made, [0.0, 0.0, 0.0]).truncated(2)
    assert nothing.rank == 0 and not nothing.spectral_reconstruction().any()


@pytest.mark.parametrize("alpha", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("weights", [[0.4, 0.3, 0.2, 0.1], [3.0, 0.0, 0.5, 0.0]])
def test_solve_is_a_dense_solve(weights, alpha):
    _, _, made = _instance()
    M = np.tensordot(weights, _dense(made), 1)
    rng = np.random.default_rng(0)
    mixture = ensemble.Ensemble(made, weights)
    condition = 1 + np.linalg.norm(M, 2) / alpha
    for B in (rng.standard_normal(60), rng.standard_normal((60, 3))):
        expected = np.linalg.solve(alpha * np.eye(60) + M, B)
        found = mixture.solve(B, alpha)
        assert found.shape == B.shape
        gap = np.linalg.norm(found - expected) / np.linalg.norm(expected)
        assert gap < 100 * EPS * condition


def test_solve_with_more_columns_than_rows_and_with_none():
    made = [lowrank.nystrom(np.eye(2), [0, 1])] * 3
    found = ensemble.Ensemble(made, [1.0, 1.0, 1.0]).solve([4.0, 8.0], 1.0)
    np.testing.assert_allclose(found, [1.0, 2.0])
    found = ensemble.Ensemble(made, [0.0, 0.0, 0.0]).solve([4.0, 8.0], 2.0)
    np.testing.assert_allclose(found, [2.0, 4.0])


@pytest.mark.parametrize("weights", ensemble.WEIGHTS)
def test_one_expert(weights):
    K, dense, made = _instance(p=1)
    mixture = ensemble.combine(K, made, np.random.default_rng(0), weights)
    assert mixture.weights.shape == (1,)
    best = lowrank.nystrom(K, made[0].landmarks, 5).error(K)
    assert mixture.error(K) <= best * 1.05
    if weights in ("uniform", "exponential"):
        assert mixture.weights.tolist() == [1.0]


@pytest.mark.parametrize("weights", ensemble.WEIGHTS)
def test_rank_deficient_and_zero_matrices(weights):
    ones = np.ones((12, 12))
    made = ensemble.experts(ones, [[0, 1], [2, 2], [3, 4]])
    rng = np.random.default_rng(0)
    mixture = ensemble.combine(ones, made, rng, weights, 3, 3)
    assert mixture.error(ones) < 1e-6
    zero = np.zeros((12, 12))
    made = ensemble.experts(zero, [[0, 1], [2, 3]])
    mixture = ensemble.combine(zero, made, rng, weights, 3, 3)
    assert mixture.rank == 0 and mixture.error(zero) == 0
    assert np.isfinite(mixture.weights).all()


def test_the_optimal_weights_are_optimal():
    K, dense, made = _instance()
    optimal = ensemble.combine(K, made, np.random.default_rng(0), "optimal")
    columns = _dense(made).reshape(4, -1).T
    expected = np.linalg.lstsq(columns, dense.ravel())[0]
    np.testing.assert_allclose(optimal.weights, expected, rtol=1e-8)
    others = [
        ensemble.combine(K, made, np.random.default_rng(0), weights).error(K)
        for weights in ensemble.WEIGHTS
    ]
    others += [each.error(K) for each in made]
    assert optimal.error(K) <= min(others) * (1 + 1e-12)


def test_validation_columns_are_new_to_every_expert(monkeypatch):
    K, _, made = _instance()
    asked = []
    real = ensemble.validate

    def spy(experts, K, columns):
        asked.append(columns)
        return real(experts, K, columns)

    monkeypatch.setattr(ensemble._mixture, "validate", spy)
    ensemble.combine(K, made, np.random.default_rng(0), "ridge", 10, 8)
    V, H = asked
    used = set(np.concatenate([each.landmarks for each in made]))
    assert (len(V), len(H)) == (10, 8) and not used & {*V, *H} and not {*V} & {*H}
    ensemble.combine(K, made, np.random.default_rng(0), "ridge", 40, 20)
    assert len({*asked[2], *asked[3]}) == 60  # not enough others: all columns


def test_nonnegative_mixtures_are_semidefinite_and_solvable():
    K = kernels.rbf(datasets.digits(200).X)
    rng = np.random.default_rng(0)
    made = ensemble.experts(K, ensemble.samples(K, 5, 15, rng), 10)
    mixture = ensemble.combine(K, made, rng, "nonnegative")
    values = np.linalg.eigvalsh(mixture.spectral_reconstruction())
    assert values[0] > -1e-12 * values[-1]
    y = rng.standard_normal(200)
    expected = np.linalg.solve(mixture.spectral_reconstruction() + np.eye(200), y)
    np.testing.assert_allclose(mixture.solve(y, 1.0), expected, atol=1e-10)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_mixture_of_small_integers(data):
    """Norms, block, and solve of every convex mixture, against numpy."""
    n = data.draw(st.integers(1, 6))
    entries = st.integers(-2, 2)
    X = data.draw(st.lists(entries, min_size=2 * n, max_size=2 * n))
    X = np.array(X, dtype=float).reshape(n, 2)
    K = X @ X.T
    one = st.lists(st.integers(0, n - 1), min_size=1, max_size=n)
    drawn = data.draw(st.lists(one, min_size=1, max_size=3))
    raw = [data.draw(st.integers(0, 3)) for _ in drawn]
    weights = np.array(raw) / max(1, sum(raw))
    mixture = ensemble.Ensemble(ensemble.experts(K, drawn), weights)
    M = np.tensordot(weights, _dense(mixture.experts), 1)
    slack = 1e-10 * (1 + np.trace(K))
    for norm, oracle in NORMS.items():
        assert abs(mixture.error(K, norm) - oracle(K - M)) < slack
    assert np.linalg.eigvalsh(K - (weights.sum() > 0) * M)[0] > -slack
    np.testing.assert_allclose(
        mixture.solve(np.eye(n), 0.5), np.linalg.inv(M + 0.5 * np.eye(n)), atol=1e-8
    )


def test_float32_points_stay_accurate():
    X = np.random.default_rng(0).standard_normal((80, 3)).astype(np.float32)
    K = kernels.rbf(X)
    made = ensemble.experts(K, ensemble.samples(K, 3, 6, np.random.default_rng(0)))
    assert made[0].factor.dtype == np.float32
    seen = ensemble.validate(made, K, slice(None))
    mixture = ensemble.combine(K, made, np.random.default_rng(0), "ridge")
    assert mixture.error(K) == pytest.approx(seen.error(mixture.weights), rel=1e-4)


def test_what_is_shown():
    K, _, made = _instance()
    mixture = ensemble.combine(K, made, np.random.default_rng(0), "ridge")
    assert repr(mixture) == "Ensemble(ridge, n=60, p=4, rank<=20)"
    page = mixture._repr_html_()
    assert "ridge" in page and mixture.parameter is not None
    assert ensemble.Ensemble(made, [1, 0, 0, 0]).rank == 5


# errors

EYE = np.eye(4)
ONE = lowrank.nystrom(EYE, [0])
SEEN = ensemble.validate([ONE], EYE, [0])


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda r: ensemble.samples(EYE, 3, 2, r), ValueError, "n_landmarks: .* to 1"),
        (lambda r: ensemble.samples(EYE, 5, 1, r), ValueError, "n_experts: .* 1 to 4"),
        (lambda r: ensemble.samples(EYE, 2, 1, 0), TypeError, "rng: expected"),
        (lambda r: ensemble.experts(EYE, []), ValueError, "samples: expected at"),
        (lambda r: ensemble.experts(EYE, [[9]]), IndexError, "got 9"),
        (lambda r: ensemble.experts(EYE, [[0]], 2), ValueError, "rank: .* got 2"),
        (lambda r: ensemble.uniform_weights(0), ValueError, "p: .* got 0"),
        (lambda r: ensemble.exponential_weights([], 1), ValueError, "errors: .* none"),
        (lambda r: ensemble.exponential_weights([1], -1), ValueError, "eta: .* -1"),
        (lambda r: ensemble.exponential_weights([1], "a"), TypeError, "eta: .* 'a'"),
        (lambda r: ensemble.ridge_weights(EYE, [1, 2], 0), ValueError, "g: .*4,.*2,"),
        (lambda r: ensemble.ridge_weights(EYE, EYE[0], -2), ValueError, "ridge: .* -2"),
        (lambda r: ensemble.ridge_weights(-EYE, EYE[0], 0), ValueError, "G: .* semid"),
        (lambda r: SEEN.error([1, 2]), ValueError, "weights: expected 1.* got 2"),
        (lambda r: SEEN.first(2), ValueError, "p: .* got 2"),
        (lambda r: ensemble.validate([], EYE, [0]), ValueError, "experts: .* none"),
        (lambda r: ensemble.validate([EYE], EYE, [0]), TypeError, "experts: .* 0"),
        (lambda r: ensemble.validate([ONE], np.eye(3), [0]), ValueError, "n=3, .*n=4"),
        (lambda r: ensemble.validate([ONE], EYE, []), ValueError, "columns: .*empty"),
        (lambda r: ensemble.choose_weights("best", SEEN), ValueError, "weights: .*'be"),
        (lambda r: ensemble.choose_weights("ridge", SEEN), ValueError, "held_out: .*n"),
        (lambda r: ensemble.Ensemble([ONE], [1, 2]), ValueError, "weights: .* got 2"),
        (lambda r: ensemble.Ensemble([ONE], [np.nan]), ValueError, "weights: .*finite"),
        (lambda r: ensemble.Ensemble([ONE], [1]).truncated(5), ValueError, "k: .* 5"),
        (lambda r: ensemble.Ensemble([ONE], [1]).error(np.eye(2)), ValueError, "K: "),
        (lambda r: ensemble.Ensemble([ONE], [1]).error(EYE, "max"), ValueError, "norm"),
        (lambda r: ensemble.Ensemble([ONE], [1]).solve([1], 1), ValueError, "B: .* 4 "),
        (lambda r: ensemble.Ensemble([ONE], [1]).solve(EYE, 0), ValueError, "alpha: "),
        (
            lambda r: ensemble.Ensemble([ONE, ONE], [2, -1]).solve(EYE, 1),
            ValueError,
            "weights: .* -1 at index 1; choose them by nonnegative_weights",
        ),
        (lambda r: ensemble.combine(EYE, [ONE], r, "bad"), ValueError, "weights: .*'b"),
        (
            lambda r: ensemble.combine(EYE, [ONE], r, "ridge", 3, 2),
            ValueError,
            "n_holdout: .* from 1 to 1",
        ),
    ],
)
def test_errors_name_what_came(call, error, words):
    with pytest.raises(error, match=words):
        call(np.random.default_rng(0))
