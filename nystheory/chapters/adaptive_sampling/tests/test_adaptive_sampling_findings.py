"""The experiments in small, by a second route, and their figure read back."""

from dataclasses import replace

import numpy as np
import pytest

from nystheory import datasets, kernels, sampling
from nystheory.chapters.adaptive_sampling import figures, findings, measured
from nystheory.engine.findings import Data, Finding, Trial
from nystheory.engine.findings.drawing import one_draw
from nystheory.engine.findings.fields import strays
from nystheory.engine.findings.found import judged
from nystheory.engine.findings.schemes import energy

ALL = [findings.PLANE, findings.SIX]


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.id)
def test_findings_are_of_ten_draws_and_more_data_than_the_page_shows(experiment):
    assert experiment.draws >= 10 and experiment.beyond
    assert experiment.found().complaints() == []


def one(experiment, data):
    """A draw of an experiment on few points."""
    line = next(iter(experiment.findings.values()))
    some = Finding(line.line, line.scope, when=line.when, on=("few",), but_on="others")
    small = replace(
        experiment,
        shown={"few": data},
        beyond={"others": data},
        findings={"some": some},
    )
    return one_draw(small, "few", 0)[0]


def rebuilt(K, S):
    """The Nyström approximation from its definition."""
    C = K[:, S]
    return C @ np.linalg.pinv(C[S], hermitian=True) @ C.T


def best(K, rank):
    """The best approximation of a symmetric matrix, from its eigenvalues."""
    values, U = np.linalg.eigh(K)
    return (U[:, -rank:] * values[-rank:]) @ U[:, -rank:].T


def test_accuracies_and_entries_of_uniform_columns_by_norms():
    K = measured.digits_rbf(140, np.random.default_rng(0))
    of, _ = measured.judge(K, None)
    found = measured.along_percents(
        Trial("uniform", of, None, None, np.random.default_rng(1))
    )
    rng, dense = np.random.default_rng(1), K.dense()
    tail = np.linalg.norm(dense - best(dense, measured.RANK))
    for at, percent in enumerate(measured.PERCENTS):
        count, core, after = percent * 140 // 100, [], []
        for _ in range(3):
            S = sampling.uniform(kernels.DenseKernel(dense), count, rng).indices
            C, rank = dense[:, S], min(measured.RANK, count)
            M = C @ np.linalg.pinv(best(C[S], rank), rcond=1e-10) @ C.T
            core.append(100 * tail / np.linalg.norm(dense - M))
            M = best(rebuilt(dense, S), rank)
            after.append(100 * tail / np.linalg.norm(dense - M))
        assert found["accuracy"][at] == pytest.approx(np.mean(core), rel=1e-5)
        assert found["after"][at] == pytest.approx(np.mean(after), rel=1e-5)
        assert found["entries"][at] == pytest.approx(count / 140)


def test_a_draw_has_all_schemes_and_what_they_lose_and_gain():
    found = one(findings.SIX, Data(measured.photographs, 160))
    assert set(found) == set(findings.SCHEMES)
    for each in found.values():
        core, after = each["accuracy"], each["after"]
        assert len(core) == len(after) == 3
        assert each["loss"] == pytest.approx([core[0] - core[1]], abs=1e-2)
        assert each["gain"] == pytest.approx([after[1] - after[0]], abs=1e-2)
        assert max(after) <= 100 * (1 + 1e-6)
    assert found["sgma"]["entries"][-1] > found["adaptive_full"]["entries"][-1] > 1


def test_the_narrowest_kernel_holds_its_share_of_the_trace():
    K = measured.cells(120, np.random.default_rng(0))
    assert energy(K, measured.RANK) >= 0.9
    gamma = float(K.name.rpartition("=")[2])
    narrower = kernels.rbf(K.points, gamma + 2e-3)
    assert energy(narrower, measured.RANK) < 0.9


def test_shares_of_the_trace_by_traces():
    K = measured.clusters(80, np.random.default_rng(0))
    found = measured.of_clusters(
        Trial("uniform", K, None, None, np.random.default_rng(1))
    )
    rng, dense = np.random.default_rng(1), K.dense()
    missed = [
        100 * np.trace(dense - rebuilt(dense, sampling.uniform(K, 12, rng).indices))
        for _ in range(measured.AGAIN)
    ]
    assert found["missed"] == pytest.approx(np.mean(missed) / 80, rel=1e-6)


def test_clusters_have_their_sizes():
    X = measured.clusters(400, np.random.default_rng(0)).points
    angle = np.round(np.arctan2(X[:, 1], X[:, 0]) / (np.pi / 2)).astype(int) % 4
    assert np.bincount(angle).tolist() == list(measured.PLANE)
    X = measured.even_clusters(40, np.random.default_rng(0)).points
    angle = np.round(np.arctan2(X[:, 1], X[:, 0]) / (np.pi / 2)).astype(int) % 4
    assert np.bincount(angle).tolist() == [10] * 4
    X = measured.digits_in_plane(90, np.random.default_rng(0)).points
    assert np.cov(X.T, bias=True) == pytest.approx(np.eye(2), abs=1e-9)


def test_half_uniform_probabilities_reach_more_clusters():
    K = measured.even_clusters(120, np.random.default_rng(0))
    found = {}
    for scheme in (measured.mixed, sampling.adaptive_partial):
        draws = [scheme(K, 12, np.random.default_rng([1, i])) for i in range(20)]
        samples = [np.asarray(getattr(each, "indices", each)) for each in draws]
        assert all(len(set(S.tolist())) == 12 for S in samples)
        found[scheme.__name__] = np.mean([len(set(S // 30)) for S in samples])
    assert found["mixed"] > found["adaptive_partial"]


def typed_found():
    """Random numbers for all fields, in ten draws."""
    experiment, rng = findings.SIX, np.random.default_rng(0)
    single = {"loss", "gain"}
    draws = {
        data: [
            {
                name: {
                    each.name: tuple(rng.uniform(0, 1, 1 if each.name in single else 3))
                    for each in experiment.fields
                }
                for name in experiment.competitors
            }
            for _ in range(experiment.draws)
        ]
        for data in experiment.data
    }
    return judged(experiment, draws, {})


def test_curves_have_the_labels_and_the_values_of_their_fields():
    found, names = typed_found(), ("digits, RBF", "patches, linear")
    for axes, data in zip(figures.plot_entries(found, names).axes, names, strict=True):
        drawn = [
            figures.series(found, findings.ACCURACY, x, data) for x in findings.SCHEMES
        ]
        assert strays(axes, findings.ENTRIES, drawn) == []
        for line, scheme in zip(axes.lines, findings.SCHEMES, strict=False):
            told = found.measured("entries", scheme, data).mean(axis=0)
            assert line.get_xdata() == pytest.approx(told)
            assert line.get_marker() == figures.LOOKS[scheme][1]


def test_the_table_has_the_means():
    found = typed_found()
    rows = figures.accuracy_table(found, findings.AFTER).rows
    assert [row[0] for row in rows][0] == "Uniform, without replacement"
    told = found.measured("after", "uniform", "digits, linear")
    assert rows[0][1].split(",")[0] == f"{told[:, 0].mean():.0f}"
    assert len(rows) == 6 and len(rows[0]) == 4


def test_the_data_are_other_points_in_each_draw():
    rngs = [np.random.default_rng(seed) for seed in range(2)]
    for draw in (measured.photographs, measured.photographs_rbf, measured.documents):
        one_set, other = (draw(100, rng).points for rng in rngs)
        assert not np.array_equal(one_set, other)
    assert len(datasets.patches(4000, 16).X) == 4000
