"""Risks and chances on clusters, and the eigenvalues of a preconditioner."""

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


def test_a_preconditioner_needs_the_eigenvalues_of_the_approximation():
    """Not the extended ones, which the package calls approximate eigenvalues of K."""
    near = lowrank.nystrom(DIGITS, range(10))
    singular = np.linalg.svd(near.factor, compute_uv=False) ** 2
    expected = np.linalg.eigvalsh(near.spectral_reconstruction())[::-1][:10]
    assert singular == pytest.approx(expected)
