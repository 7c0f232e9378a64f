"""Iterations and risks, and their figures."""

from itertools import combinations

import numpy as np
import pytest

from nystheory import lowrank
from nystheory.chapters.ridge_and_preconditioning import experiments
from nystheory.chapters.ridge_and_preconditioning.theorems.ridge_risk import (
    risk_of_matrix,
)
from nystheory.engine.findings.experiments import digits_kernel

DIGITS = digits_kernel(60)


def test_condition_numbers_are_those_of_the_preconditioned_matrix():
    K = digits_kernel(40, 0.02)
    solved = experiments.solves(K, 0.01, [10, 20])
    assert (solved.condition <= solved.certified).all()
    assert solved.condition[1] < solved.plain[0]
    assert solved.iterations[1] < solved.plain[1]


def test_risks_fall_to_that_of_the_whole_matrix():
    signal = np.cos(np.arange(60.0))
    found = experiments.risks(DIGITS, signal, 0.1, 1.0, [5, 60])
    assert (found.observed <= found.by_norm * (1 + 1e-9)).all()
    assert found.observed[1] == pytest.approx(1)


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 6])
def test_the_mean_risk_on_clusters_is_that_of_all_samples(columns):
    """Two clusters of three points of length 1, ridge 1/2: a ratio of 6."""
    X, signal = np.repeat(np.eye(2), 3, axis=1), np.repeat([1.0, 0], 3)
    K, means = X.T @ X, []
    for S in combinations(range(6), columns):
        near = lowrank.nystrom(K, S).spectral_reconstruction()
        means.append(sum(risk_of_matrix(near, signal, 0.0, 0.5)))
    expected = np.mean(means) / sum(risk_of_matrix(K, signal, 0.0, 0.5))
    assert experiments.mean_factor(2, 3, 6.0, columns) == pytest.approx(expected)


def test_the_columns_for_a_factor_are_the_fewest():
    for ratio in (1.0, 10.0, 1e6):
        fewest = experiments.columns_for_factor(4, 10, ratio, 5.0)
        assert experiments.mean_factor(4, 10, ratio, fewest) <= 5
        assert fewest == 1 or experiments.mean_factor(4, 10, ratio, fewest - 1) > 5


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_a_chance_over_its_bound_is_that_of_all_samples(columns):
    """Three pairs of points, K = 2.002 on each pair as for the ridge 1."""
    points = np.repeat(np.arange(3), 2)
    missed = [len({*points[list(S)]}) < 3 for S in combinations(range(6), columns)]
    K = 1.001 * (points[:, None] == points)
    score = 6 * np.diag(K @ np.linalg.inv(K + np.eye(6))).max()
    bound = 6 * np.exp(-columns / (8 * (score / 2 + 1 / 6)))
    found = experiments.chance_over_bound(3, 2, columns, 2.0)
    assert found == pytest.approx(np.mean(missed) / bound)


def test_a_chance_over_its_bound_is_below_one_where_the_theorem_holds():
    for accuracy in (0.01, 0.3, 1.0):
        for columns in (3, 30, 90):
            assert experiments.chance_over_bound(5, 20, columns, accuracy) < 1
    assert experiments.chance_over_bound(24, 400, 1900, 10) > 100


def test_a_number_of_columns_is_one_from_which_on_it_holds():
    counts = np.array([5, 10, 20])
    found = [
        experiments._from_there_on(counts, np.array(holds, dtype=bool), 40)
        for holds in ([1, 1, 1], [1, 0, 1], [0, 1, 0])
    ]
    assert found == [5, 20, 40]


def test_the_whole_of_ridge_regression_by_hand():
    """K = diag(1, 1/2) on the points to learn from, ridge 1/2."""
    K = np.array([[1.0, 0, 1], [0, 0.5, 0.25], [1, 0.25, 2]])
    exact = experiments._Exact(K, [0, 1], np.array([3.0, 2, 1]))
    assert exact.error([2], 0.5) == pytest.approx(2 + 0.5 - 1)
    assert exact.dimension(0.5) == pytest.approx(2 / 3 + 1 / 2)


def test_a_preconditioner_needs_the_eigenvalues_of_the_approximation():
    """Not the extended ones, which the package calls approximate eigenvalues of K."""
    near = lowrank.nystrom(DIGITS, range(10))
    singular = np.linalg.svd(near.factor, compute_uv=False) ** 2
    expected = np.linalg.eigvalsh(near.spectral_reconstruction())[::-1][:10]
    assert singular == pytest.approx(expected)


def test_what_is_left_of_equal_lengths_has_norm_one_and_the_trace_of_the_rest():
    K, rng = np.eye(10), np.random.default_rng(0)
    counts, _, norm, trace = experiments._pivots(
        K[:, :8], np.arange(8), np.array([8, 9]), np.ones(10), 1.0, rng
    )
    assert norm == pytest.approx(np.ones(len(counts)))
    assert trace == pytest.approx(8 - counts)


def test_enough_is_one_percent_of_the_error_and_a_tenth_of_the_ridge(monkeypatch):
    class Exact:
        """The ridge 1 is best, and its error 1."""

        def __init__(self, K, learn, y):
            self.error = lambda new, ridge: 1 + abs(np.log10(ridge))
            self.dimension = lambda ridge: 7.0

    errors, norms, traces = [1.2, 1.005, 1], [0.5, 0.09, 0.01], [0.9, 0.2, 0.05]
    given = np.array([[5, 10, 20], errors, norms, traces])
    monkeypatch.setattr(experiments, "_Exact", Exact)
    monkeypatch.setattr(experiments, "_pivots", lambda *_: given)
    found = experiments.in_practice(np.eye(60), np.ones(60), draws=1)
    told = found.enough[0], found.by_norm[0], found.by_trace[0], found.dimension[0]
    assert told == (10, 10, 20, 7)
