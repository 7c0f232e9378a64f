"""What the chapter measures, and its figure read back."""

import numpy as np
import pytest

from nystheory import certificates, datasets, guarantees, kernels, lowrank, sampling
from nystheory.chapters.what_to_use import experiments, figures, findings, learned
from nystheory.engine.findings.fields import Series, strays
from nystheory.engine.findings.held_out import some_of


def test_the_figure_has_the_labels_and_curves_of_its_fields():
    pivots, uniform = np.array([0.6, 0.3]), np.array([[0.7, 0.4], [0.8, 0.5]])
    figure = figures.plot_missed(pivots, [1, 2], uniform, {1: 0.9, 2: 0.8})
    (axes,) = figure.axes
    labels = [*(each.label for each in findings.SCHEMES.values())]
    drawn = [
        Series(findings.MISSED, 100 * pivots, labels[0]),
        Series(findings.MISSED, 100 * uniform[0], labels[1]),
        Series(findings.MISSED, [90, 80], findings.PROMISE.label),
    ]
    assert strays(axes, findings.COLUMNS, drawn) == []
    assert axes.get_ylabel().endswith("%")
    shown = [text.get_text() for text in axes.get_legend().get_texts()]
    assert shown == [*labels, findings.PROMISE.label]


def test_pivots_miss_what_the_certificate_says():
    K = kernels.rbf(datasets.digits(100).X)
    found = findings.by_pivots(K, [5, 20], np.random.default_rng(0))
    drawn = sampling.rp_cholesky(K, 20, np.random.default_rng(0))
    for count, share in zip((5, 20), found, strict=True):
        near = lowrank.nystrom(K, drawn.indices[:count])
        surely = certificates.trace_certificate(K, near).value
        assert share == pytest.approx(100 * surely / 100, rel=1e-6)


def test_what_is_promised_is_the_row_of_the_guarantees():
    K = kernels.rbf(datasets.digits(100).X)
    near = lowrank.nystrom(K, sampling.rp_cholesky(K, 40, np.random.default_rng(0)))
    known = guarantees.estimate(K, near)
    row = guarantees.promises(known, 10).of("modern:rpcholesky", "trace")
    assert findings.promised(known, 10) == pytest.approx(100 * row.share)


def test_what_is_needed_is_the_row_of_the_demands():
    K = kernels.rbf(datasets.gaussian_clusters(300, np.random.default_rng(0), 5).X)
    count = findings.needed_by_promise(K, np.random.default_rng(1))
    drawn = findings._distinct(K, 200, np.random.default_rng(1))
    known = guarantees.estimate(K, lowrank.nystrom(K, drawn))
    assert count == guarantees.columns(known, 0.05).of("modern:rpcholesky").count


def test_pivots_that_have_seen_all_miss_nothing():
    K = kernels.linear(datasets.low_rank(30, 4, np.random.default_rng(0)).X)
    found = findings.by_pivots(K, [2, 4, 10], np.random.default_rng(0))
    assert found[0] > 1 and found[1:] == pytest.approx([0, 0], abs=1e-6)
    assert len(experiments.missed_by_factor(K, np.eye(30)[:, :3])) == 3


def test_a_rare_group_is_far_from_all_others():
    K, few = findings.rare(100, np.random.default_rng(0), few=5)
    entries = K.dense()
    assert few == 5 and entries[:5, 5:].max() == 0 and entries[:5, :5].min() > 0.5


def test_ridge_regression_on_features_misses_what_the_formula_says():
    rng = np.random.default_rng(0)
    arm = some_of(lambda rng: datasets.robot_arm(300, rng), 300, rng)
    known, judged = learned.known_of(arm, rng)
    rows = np.concatenate([known.learn.X, known.aside.X, judged.X])
    assert len(np.unique(rows, axis=0)) == 300
    features = learned.of_columns(known.seed)
    F, G = features.fit_transform(known.learn.X), features.transform(judged.X)
    for ridge, found in learned.unlearned(learned.of_columns, known, judged).items():
        A = F.T @ F + ridge * len(F) * np.eye(F.shape[1])
        left = judged.y - G @ np.linalg.solve(A, F.T @ known.learn.y)
        share = np.mean(left**2) / np.var(judged.y)
        assert found == pytest.approx(100 * share, rel=1e-3)


def test_four_times_as_many_waves_are_four_times_as_many():
    assert learned.of_columns(0).n_landmarks == learned.of_waves(0).n_components
    assert learned.of_waves(0, times=4).n_components == 4 * learned.LANDMARKS
