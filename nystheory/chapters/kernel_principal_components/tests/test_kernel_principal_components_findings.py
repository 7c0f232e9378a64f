"""The experiments in small, by a second route."""

import numpy as np
import pytest

from nystheory import kernels
from nystheory.chapters.kernel_principal_components import experiments, findings
from nystheory.engine.findings import Trial
from nystheory.engine.findings.experiment import Experiment

ALL = [each for each in vars(findings).values() if isinstance(each, Experiment)]


def trial(run, known):
    return Trial(run, known, None, None, np.random.default_rng(0))


def linear(n=400):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((n, 12)) * 2.0 ** -np.arange(12) + 0.5
    return X, kernels.as_kernel(X @ X.T)


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.id)
def test_findings_are_of_ten_draws_and_more_data_than_the_page_shows(experiment):
    assert experiment.draws >= 10 and experiment.beyond
    assert experiment.found().complaints() == []


def test_points_move_by_what_a_turn_cannot_undo():
    X, K = linear(60)
    X = X - X.mean(axis=0)
    exact = X @ np.linalg.svd(X)[2][:2].T
    order = np.random.default_rng(2).permutation(60)
    few = linear(60)[0][order[:3]]
    near = linear(60)[0] @ np.linalg.pinv(few) @ few
    near = near - near.mean(axis=0)
    places = near @ np.linalg.svd(near)[2][:2].T
    U, _, V = np.linalg.svd(places.T @ exact)
    told = 100 * np.linalg.norm(places @ U @ V - exact) / np.linalg.norm(exact)
    whole, part = experiments.moved(K, order, [20, 3])
    assert whole == pytest.approx(0, abs=1e-4)
    assert part == pytest.approx(told, rel=1e-6)


def test_residuals_are_shares_of_the_trace():
    X, K = linear()
    found = findings.left(trial(None, K))
    values = np.linalg.svd(X, compute_uv=False) ** 2
    assert found["least"] == pytest.approx([100 * values[10:].sum() / values.sum()] * 3)
    assert found["change"] == pytest.approx([0, 0, 0], abs=1e-6)  # 12 columns hold all


def test_samples_have_bounds_of_their_size():
    X, K = linear()
    found = findings.sampled(trial(None, K))
    most, largest = np.array(found["most"]), (X**2).sum(axis=1).max()
    root = np.sqrt(np.log(10) / 2) + np.sqrt(findings.OF)
    assert most == pytest.approx(largest * root / np.sqrt(findings.DRAWN))
    assert np.abs(found["lacks"]).max() <= most[0]
    assert max(found["apart"]) <= np.sqrt(2 * findings.OF) + 1e-9


@pytest.mark.parametrize("centred", [False, True])
def test_turns_are_shares_of_the_largest_distance(centred):
    X, K = linear()
    order = np.random.default_rng(0).permutation(400)[: findings.WITH]
    found = findings.turned(trial("natural", (K, centred)))
    told = experiments.turns(K, order, 3, centred=centred)
    for k, share, bound in zip(
        findings.UP_TO, found["turned"], found["bound"], strict=True
    ):
        assert share == pytest.approx(
            100 * told.natural[k - 1] / np.sqrt(2 * k), abs=1e-6
        )
        assert bound == pytest.approx(100 * told.by_covariance[k - 1] / np.sqrt(2 * k))
    assert max(found["residual"]) <= 100_000
