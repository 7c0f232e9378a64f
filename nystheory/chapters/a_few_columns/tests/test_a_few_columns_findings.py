"""The experiments in small, by a second route."""

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge

from nystheory import kernels
from nystheory.chapters.a_few_columns import findings
from nystheory.engine.findings import Trial


@pytest.mark.parametrize("experiment", [findings.READ, findings.MISSED])
def test_findings_are_of_ten_draws_and_more_data_than_the_page_shows(experiment):
    assert experiment.draws >= 10 and experiment.beyond
    assert experiment.found().complaints() == []


def test_all_columns_are_kernel_ridge_regression():
    some = findings.labelled(360, np.random.default_rng(0), findings._digits)
    known, judged = findings.to_learn(some, None)
    trial = Trial("all", known, judged, None, np.random.default_rng(1))
    X, y = some
    gamma = _gamma(X)
    learner = KernelRidge(alpha=0.1, kernel="rbf", gamma=gamma)
    learner.fit(X[:200], np.eye(10)[y[:200]])
    right = (learner.predict(X[200:]).argmax(axis=1) == y[200:]).mean()
    assert findings.of_reading(trial)["right"] == [pytest.approx(100 * right)]


def _gamma(X):
    """What `kernels.rbf` takes by default, read off an entry."""
    K = kernels.rbf(X)[[0], [1]].item()
    return -np.log(K) / np.sum((X[0] - X[1]) ** 2)


def test_with_a_column_for_each_point_nothing_is_lost():
    some = findings.labelled(360, np.random.default_rng(0), findings._digits)
    known, judged = findings.to_learn(some, None)
    results = {
        run: findings.of_reading(Trial(run, known, judged, None, rng()))["right"]
        for run, rng in dict.fromkeys(("some", "all"), np.random.default_rng).items()
    }
    assert results["some"][-1] == pytest.approx(results["all"][0])


def test_what_is_missed_is_the_residual_of_a_projection():
    X, small = findings.clusters(40, np.random.default_rng(2), small=4)
    trial = Trial(findings.uniform, (X, small), None, None, np.random.default_rng(3))
    found = findings.of_clusters(trial)["lost"]
    K = kernels.rbf(X, findings.WIDTH)
    S = findings.uniform(K, findings.LANDMARKS, np.random.default_rng(3)).indices
    dense = K.dense()
    kept = dense[-4:, S] @ np.linalg.solve(dense[np.ix_(S, S)], dense[S][:, -4:])
    assert found == pytest.approx(100 * (1 - np.trace(kept) / 4), abs=1e-6)


def test_the_small_cluster_comes_last_and_lies_apart():
    X, small = findings.clusters(96, np.random.default_rng(4), small=6, spread=3)
    assert X.shape == (96, 5) and small == 6
    middle = X[-6:, :2].mean(axis=0)
    assert np.linalg.norm(X[:-6, :2] - middle, axis=1).min() > 2
    assert np.linalg.norm(X[-6:, :2] - middle, axis=1).max() < 2
