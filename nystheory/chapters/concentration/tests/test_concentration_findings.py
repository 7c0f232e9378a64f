"""The experiments in small, by a second route."""

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from nystheory.chapters.concentration import covariances, findings, measured
from nystheory.engine.findings import Data, Finding
from nystheory.engine.findings.drawing import one_draw

ALL = [findings.PROMISES, findings.EVERY]


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.id)
def test_findings_are_of_ten_draws_and_more_data_than_the_page_shows(experiment):
    assert experiment.draws >= 10 and experiment.beyond
    assert experiment.found().complaints() == []


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.id)
def test_every_measure_is_drawn(experiment):
    """A draw on a few points, with the names that findings ask for."""
    size = 400 if experiment.along else 8
    line = next(iter(experiment.findings.values()))
    some = Finding(line.line, line.scope, when=line.when, on=("few",), but_on="others")
    data = Data(measured.clusters, size)
    small = replace(
        experiment, shown={"few": data}, beyond={"others": data}, findings={"x": some}
    )
    found, _ = one_draw(small, "few", 0)
    assert set(found) == set(experiment.competitors)
    asked = {each.name for each in experiment.fields}
    assert asked == {name for each in found.values() for name in each}


def test_seen_and_said_of_samples_by_points():
    """Root mean squares and quantiles from the covariances of the points."""
    X, n, drawn = np.random.default_rng(0).standard_normal((3, 9)), 9, 4
    K, M = X.T @ X, X @ X.T
    of = covariances.over_sizes(K, (drawn,), 40, np.random.default_rng(1))
    without, replaced = covariances.paired_counts(
        n, drawn, 40, np.random.default_rng(1)
    )
    for way, counts in (("without", without), ("replaced", replaced)):
        far = [np.linalg.norm(M - n / drawn * (X * c) @ X.T) for c in counts]
        far = 100 * np.array(far) / np.linalg.norm(K)
        found = measured.seen(of, way)
        assert found["root"] == pytest.approx([np.sqrt(np.mean(far**2))])
        high = np.sort(far)
        # Of forty the quantile is at place 0.99 times 39.
        assert found["high"] == pytest.approx([0.39 * high[-2] + 0.61 * high[-1]])
    e_l = measured.said(of, "e_l", "root")["root"][0]
    every = [
        np.linalg.norm(M - n / drawn * X[:, list(S)] @ X[:, list(S)].T) ** 2
        for S in combinations(range(n), drawn)
    ]
    assert e_l == pytest.approx(100 * np.sqrt(np.mean(every)) / np.linalg.norm(K))


def test_every_sample_of_six_by_hand():
    """Three of six drawn: all samples, all exchanges and all pairs in loops."""
    X = np.random.default_rng(2).standard_normal((2, 6))
    told, _ = measured.listed(X.T @ X, None)
    unit, M = 100 / np.linalg.norm(X.T @ X), X @ X.T
    far = {
        S: np.linalg.norm(M - 2 * X[:, list(S)] @ X[:, list(S)].T)
        for S in combinations(range(6), 3)
    }
    change = max(
        abs(far[S] - far[T]) for S, T in product(far, repeat=2) if len({*S, *T}) == 4
    )
    worst = max(
        np.linalg.norm(np.outer(a, a) - np.outer(b, b)) for a, b in product(X.T, X.T)
    )
    assert told["exact"]["change"] == pytest.approx(unit * change)
    assert told["pair"]["change"] == pytest.approx(unit * 2 * worst)
    assert told["all"]["deviation"] == pytest.approx(unit * np.std([*far.values()]))
    # alpha for three of six is 9 (1/9 + 1/16 + 1/25).
    alpha = 9 * (1 / 9 + 1 / 16 + 1 / 25)
    for each in ("exact", "pair", "sharp", "printed"):
        allowed = told[each]["change"] * np.sqrt(alpha) / 2
        assert told[each]["deviation"] == pytest.approx(allowed)


def test_the_data_are_other_points_in_each_draw():
    for draw in findings.SOURCES.values():
        one, other = (draw(12, np.random.default_rng(seed)) for seed in range(2))
        assert one.shape == other.shape == (12, 12) and not np.allclose(one, other)
        assert np.linalg.eigvalsh(one).min() > -1e-9 * np.linalg.norm(one)


def test_clusters_are_two_of_one_size():
    K = measured.clusters(40, np.random.default_rng(0))
    same = np.kron(np.eye(2), np.ones((20, 20)))
    assert abs(K - same).max() < 0.3
