"""The experiments of chapter 5: laws, pairs, cuts, constants, scores, self-tests."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from nystheory import datasets, kernels, lowrank, sampling, style
from nystheory.chapters.fixed_sampling import crowds, drawing, figures, leverage_scores
from nystheory.chapters.fixed_sampling import fixed_schemes as fixed_sampling
from nystheory.engine.findings.experiments import filled_up

K = kernels.DenseKernel(kernels.rbf(datasets.digits(60).X).dense())


class Scripted:
    """A generator that returns what it was told, to walk through all outcomes."""

    def __init__(self, uniforms, choices):
        self.uniforms, self.choices = list(uniforms), list(choices)

    def random(self, size):
        return np.array([self.uniforms.pop(0) for _ in range(size)])

    def choice(self, n, size, p):
        self.p = p
        return np.array([self.choices.pop(0) for _ in range(size)])


def test_one_by_one_is_a_distribution_on_ordered_samples():
    p = [Fraction(1, 2), Fraction(1, 4), Fraction(1, 8), Fraction(1, 8)]
    law = drawing.one_by_one(p, 3)
    assert len(law) == 24 and sum(law.values()) == 1
    assert sum(drawing.inclusion(law, 4)) == 3
    first = sum(q for ordered, q in law.items() if ordered[0] == 1)
    assert first == p[1]


def test_one_by_one_is_how_numpy_draws():
    """Chi-squared with five degrees of freedom; its 1 - 1e-9 quantile is 50.8."""
    p = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    law, rng, draws = drawing.one_by_one(p, 2), np.random.default_rng(0), 20_000
    chances = [float(q) for q in p]
    seen = dict.fromkeys(law, 0)
    for _ in range(draws):
        S = sampling.user(np.eye(3), 2, rng, probabilities=chances).indices
        seen[tuple(S.tolist())] += 1

    def statistic(law):
        expected = {S: draws * float(q) for S, q in law.items()}
        return sum((seen[S] - e) ** 2 / e for S, e in expected.items())

    assert statistic(law) < 50.8
    wrong = drawing.one_by_one([Fraction(9, 14), Fraction(4, 14), Fraction(1, 14)], 2)
    assert statistic(wrong) > 50.8


@pytest.mark.parametrize("n, r, count", [(7, 2, 3), (8, 3, 2), (6, 6, 4), (5, 1, 5)])
def test_missing_and_getting_by_enumeration(n, r, count):
    listed = drawing.miss_and_get_listed(n, r, count)
    assert drawing.miss_and_get(n, r, count) == listed


def test_swapped_draws_have_the_law_by_enumeration():
    """One draw: every start, stay or leave, and every place to go."""
    p = np.array([0.4, 0.1, 0.3, 0.2])
    law = np.zeros(4)
    for start in range(4):
        stay = min(1.0, 4 * p[start])
        kept = drawing.swapped(np.array([start]), p, Scripted([stay - 1e-9], []))
        assert kept.tolist() == [start]
        law[start] += stay / 4
        if stay < 1:
            script = Scripted([stay + 1e-9], [2])
            assert drawing.swapped(np.array([start]), p, script).tolist() == [2]
            law += (1 - stay) / 4 * script.p
    np.testing.assert_allclose(law, p)


def test_filled_up_is_a_uniform_set():
    """Chi-squared over the ten pairs of five columns; 1 - 1e-9 quantile 61.9."""
    rng, draws = np.random.default_rng(1), 20_000
    seen = dict.fromkeys(combinations(range(5), 2), 0)
    for _ in range(draws):
        drawn = rng.integers(5, size=2)
        S = filled_up(drawn, 5, rng)
        assert set(drawn) <= set(S)
        seen[tuple(sorted(S.tolist()))] += 1
    counts = np.array(list(seen.values()))
    assert ((counts - draws / 10) ** 2 / (draws / 10)).sum() < 61.9


@pytest.mark.parametrize("truncate", ["core", "approximation"])
def test_accuracy_is_that_of_the_package(truncate):
    S = [3, 14, 15, 9, 26, 5, 35, 8]
    made = lowrank.nystrom(K, S, 4, truncate)
    found = fixed_sampling.Accuracy(K, 4, truncate)(S)
    assert found == pytest.approx(made.relative_accuracy(K), rel=1e-10)


def test_the_gaussian_kernels_are_as_narrow_as_the_rule_allows():
    Ks = fixed_sampling.matrices()
    for name, gamma in fixed_sampling.GAMMAS.items():
        held = Ks[f"{name}, RBF"]
        best = lowrank.best_rank_k(held, 25)
        assert fixed_sampling.energy(best, held) > 0.9
        distances = -np.log(held.dense()) / gamma
        wider = kernels.DenseKernel(np.exp(-(gamma + 0.001) * distances))
        best = lowrank.best_rank_k(wider, 25)
        assert fixed_sampling.energy(best, wider) < 0.9


# ---- the crowd ----


def test_cuts_by_their_definition():
    """Projectors on the strong directions of the points, with and without weights."""
    rng = np.random.default_rng(2)
    X = rng.standard_normal((5, 12))
    M = kernels.DenseKernel(X.T @ X)
    S, weights = np.array([0, 3, 3, 7, 9]), np.array([1.0, 2.0, 2.0, 0.5, 3.0])
    made = crowds.cut_factors(M, S, weights, 2)
    for name, scale in (("core", 1), ("weighted core", np.sqrt(weights))):
        U = np.linalg.svd(X[:, S] * scale)[0][:, :2]
        expected = X.T @ U @ U.T @ X
        np.testing.assert_allclose(made[name] @ made[name].T, expected, atol=1e-9)
    core = lowrank.nystrom(M, S, 2).spectral_reconstruction()
    np.testing.assert_allclose(made["core"] @ made["core"].T, core, atol=1e-9)
    after = lowrank.nystrom(M, S, 2, "approximation").spectral_reconstruction()
    F = made["approximation"]
    np.testing.assert_allclose(F @ F.T, after, atol=1e-9)


def test_the_counterexample_to_more_is_better():
    M = np.array([[4.0, 0, 0], [0, 3, 3], [0, 3, 3]])
    errors = {
        S: lowrank.nystrom(M, S, rank=1).error(M) for S in product(range(3), repeat=2)
    }
    assert all(e == pytest.approx(6 if 0 in S else 4) for S, e in errors.items())


def test_column_norms_follow_the_crowd_and_leverage_does_not():
    crowd = crowds.crowd_and_groups(100, 4, 5)
    M = crowds.crowd_kernel(crowd)
    share = {
        name: p[crowd.group == 0].sum() for name, p in crowds.laws(M, 5, 10).items()
    }
    assert share["column norm"] > share["uniform"] > share["ridge leverage"]
    assert share["leverage"] < 0.5


# ---- scores, constants, self-tests ----


def test_over_constants_with_everything_and_with_nothing():
    X = np.eye(6, 3)
    found = leverage_scores.over_constants(X, 0.5, 0.1, [1e-9, 1e9], trials=20)
    ridge = found["ridge leverage"]
    assert ridge.failures.tolist() == [1, 0]
    np.testing.assert_allclose(ridge.columns, [0, 3], atol=1e-6)
    assert (ridge.limits[:, 0] <= ridge.failures).all()
    assert (ridge.failures <= ridge.limits[:, 1]).all()


def test_features_and_ridges():
    X = leverage_scores.features(K)
    np.testing.assert_allclose(X @ X.T, K.dense(), atol=1e-7)
    alpha = leverage_scores.ridge_of_dimension(X, 7.0)
    scores = sampling.ridge_leverage_scores(K, alpha)
    assert scores.sum() == pytest.approx(7, rel=1e-6)


def test_estimated_scores_from_all_points_are_exact():
    found = leverage_scores.estimated_scores(K, range(60), np.ones(60), 0.5)
    exact = sampling.ridge_leverage_scores(K, 0.5)
    np.testing.assert_allclose(found, exact, rtol=1e-8)


def test_self_test_is_right_on_average():
    """All samples of one size: the mean estimate is the mean error."""
    M = kernels.DenseKernel(kernels.rbf(datasets.digits(8).X, 0.1).dense())
    test = leverage_scores.self_test(M, [3], draws=400)
    gap = test.estimate - test.error
    assert abs(gap.mean()) < 5 * gap.std() / np.sqrt(gap.size)
    assert abs(gap).max() > 0


def test_what_is_drawn():
    figure, (left, right) = style.panels(2)
    crowd = crowds.crowd_and_groups(20, 2, 3)
    figures.draw_crowd(left, crowd, [0, 21], "two")
    assert len(left.collections[1].get_offsets()) == 2
    scores = leverage_scores.Scores(np.array([0.1, 0.2]), np.array([1.1, 0.9]), 1, 2)
    figures.draw_ratios(right, scores, "two points")
    assert right.lines[0].get_ydata().tolist() == [1.1, 0.9]
    _, (one, other) = style.panels(2)
    figures.draw_misses(one, 10, 2, [1, 10])
    np.testing.assert_allclose(one.lines[0].get_ydata(), [0.8, 0])
    np.testing.assert_allclose(one.lines[1].get_ydata(), [0, 1])
    test = leverage_scores.SelfTest((2,), np.array([[0.5]]), np.array([[0.4]]))
    figures.draw_self_test(other, {"crowd": test})
    assert other.get_xscale() == "log" and figure.axes == [left, right]
