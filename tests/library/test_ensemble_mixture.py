"""Mixtures of Nyström approximations against dense oracles."""

import numpy as np
import pytest
import scipy.linalg
from ensemble_cases import EYE, NORMS, ONE, an_instance, dense_of
from hypothesis import given, settings
from hypothesis import strategies as st

from nystheory import datasets, ensemble, kernels, lowrank

EPS = np.finfo(float).eps


@pytest.mark.parametrize("weights", [[0.4, 0.3, 0.2, 0.1], [1.5, -0.7, 0.3, 0.0]])
@pytest.mark.parametrize("norm", NORMS)
def test_errors_are_those_of_the_dense_mixture(weights, norm):
    K, dense, made = an_instance()
    mixture = ensemble.Ensemble(made, weights)
    M = np.tensordot(weights, dense_of(made), 1)
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
    K, dense, made = an_instance()
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
    _, _, made = an_instance()
    M = np.tensordot(weights, dense_of(made), 1)
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
    K, dense, made = an_instance(p=1)
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
    K, dense, made = an_instance()
    optimal = ensemble.combine(K, made, np.random.default_rng(0), "optimal")
    columns = dense_of(made).reshape(4, -1).T
    expected = np.linalg.lstsq(columns, dense.ravel())[0]
    np.testing.assert_allclose(optimal.weights, expected, rtol=1e-8)
    others = [
        ensemble.combine(K, made, np.random.default_rng(0), weights).error(K)
        for weights in ensemble.WEIGHTS
    ]
    others += [each.error(K) for each in made]
    assert optimal.error(K) <= min(others) * (1 + 1e-12)


def test_validation_columns_are_new_to_every_expert(monkeypatch):
    K, _, made = an_instance()
    asked = []
    real = ensemble.validate

    def spy(K, experts, columns):
        asked.append(columns)
        return real(K, experts, columns)

    monkeypatch.setattr(ensemble._combine, "validate", spy)
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
    M = np.tensordot(weights, dense_of(mixture.experts), 1)
    slack = 1e-10 * (1 + np.trace(K))
    for norm, oracle in NORMS.items():
        assert abs(mixture.error(K, norm) - oracle(K - M)) < slack
    assert np.linalg.eigvalsh(K - (weights.sum() > 0) * M)[0] > -slack
    np.testing.assert_allclose(
        mixture.solve(np.eye(n), 0.5), np.linalg.inv(M + 0.5 * np.eye(n)), atol=1e-8
    )


def test_what_is_shown():
    K, _, made = an_instance()
    mixture = ensemble.combine(K, made, np.random.default_rng(0), "ridge")
    assert repr(mixture) == "Ensemble(ridge, n=60, p=4, rank<=20)"
    page = mixture._repr_html_()
    assert "ridge" in page and mixture.parameter is not None
    assert ensemble.Ensemble(made, [1, 0, 0, 0]).rank == 5


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda r: ensemble.Ensemble([ONE], [1, 2]), ValueError, "weights: .* got 2"),
        (lambda r: ensemble.Ensemble([ONE], [np.nan]), ValueError, "weights: .*finite"),
        (
            lambda r: ensemble.Ensemble([ONE], [1]).truncated(5),
            ValueError,
            "rank: .* 5",
        ),
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
