"""The experiments in small, by a second route, and their figures read back."""

from functools import partial

import numpy as np
import pytest

from nystheory import datasets, lowrank, style
from nystheory.chapters.projection_or_reconstruction import (
    figures,
    findings,
    measured,
)
from nystheory.engine.findings import Series, Trial
from nystheory.engine.findings.fields import strays
from nystheory.engine.findings.found import judged

ALL = [
    findings.ROW,
    findings.METHOD,
    findings.RANKED,
    findings.SIZED,
    findings.RECOVERY,
]
RNG = np.random.default_rng


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.id)
def test_findings_are_of_ten_draws_and_more_data_than_the_page_shows(experiment):
    assert experiment.draws >= 10 and experiment.beyond
    assert experiment.found().complaints() == []


def trial(run, known, seed=1):
    return Trial(run, known, None, None, RNG(seed))


def textbook(K, S, k):
    """Vectors and values of the three methods, with numpy alone."""
    n, l = len(K), len(S)  # noqa: E741
    C = K[:, S]
    w, U = np.linalg.eigh(C[S])
    w, U = w[::-1][:k], U[:, ::-1][:, :k]
    nystrom = np.sqrt(l / n) * C @ U / w
    columns, s, _ = np.linalg.svd(C, full_matrices=False)
    return {
        "nystrom": (nystrom, n / l * w),
        "column": (columns[:, :k], np.sqrt(n / l) * s[:k]),
        "orthonormal": (np.linalg.qr(nystrom)[0], n / l * w),
    }


def accuracy(K, M, k):
    """In percent, from the eigenvalues of the matrix."""
    tail = np.linalg.norm(np.linalg.eigvalsh(K)[:-k])
    return 100 * tail / np.linalg.norm(K - M)


def test_accuracies_are_those_of_the_textbook():
    K = measured.gaussian(80, RNG(0), measured.some_digits)
    of, _ = measured.judge(K, RNG(1))
    dense, k = K.dense(), 4
    assert [len(S) for S in of.samples] == [4, 8, 16, 32]
    for name, each in findings.METHODS.items():
        found = measured.along_percents(trial(each.run, of))
        for at, S in enumerate(of.samples):
            U, values = textbook(dense, S, k)[name]
            told = accuracy(dense, U @ (U.T @ dense), k)
            assert found["projection"][at] == pytest.approx(told, rel=1e-6)
            told = accuracy(dense, (U * values) @ U.T, k)
            assert found["reconstruction"][at] == pytest.approx(told, rel=1e-6)


def test_accuracies_at_each_rank_are_means_of_two_samples():
    K = measured.linear(200, RNG(0), measured.some_noise)
    K = type(K)(K.dense() + 0.1 * np.eye(200))
    of, _ = measured.judge_ranks(K, RNG(1))
    assert [len(S) for S in of.samples] == [40, 40]
    for name in findings.TWO:
        run = findings.METHODS[name].run
        found = measured.along_ranks(trial(run, of))["reconstruction"]
        for rank, value in zip(measured.RANKS, found, strict=True):
            both = []
            for S in of.samples:
                U, values = textbook(K.dense(), S, rank)[name]
                both.append(accuracy(K.dense(), (U * values) @ U.T, rank))
            assert value == pytest.approx(np.mean(both), rel=1e-6)


def test_errors_of_a_row_are_those_of_its_row():
    drawn = measured.on_a_line(60, RNG(0))
    K = drawn.K.dense()
    middle, away = np.arange(15, 45), K[:, drawn.landmarks].max(axis=1)
    assert away[drawn.row] == away[middle].min()
    row = K[drawn.row]
    for name in findings.TWO:
        found = measured.of_a_row(trial(findings.METHODS[name].run, drawn))
        U, values = textbook(K, drawn.landmarks, 3)[name]
        for field, made in (
            ("projected", U @ (U.T @ K)),
            ("rebuilt", (U * values) @ U.T),
        ):
            off = np.linalg.norm(made[drawn.row] - row) / np.linalg.norm(row)
            assert 10 ** found[field] == pytest.approx(off, rel=1e-4)


def test_columns_needed_grow_from_size_to_size():
    points = partial(measured.some_digits)
    known = measured.nested(480, RNG(0), points)
    assert [K.n for K in known] == list(measured.SIZES)
    first, last = known[0].dense(), known[-1].dense()
    assert np.array_equal(first, last[:120, :120])
    found = measured.along_sizes(trial(None, known))
    needed = np.array(found["needed"])
    assert found["share"] == pytest.approx(100 * needed / measured.SIZES)
    assert found["growth"][1:] == pytest.approx(needed[1:] / needed[:-1])
    eye = [type(known[0])(np.eye(n)) for n in measured.SIZES]
    assert measured.along_sizes(trial(None, eye))["needed"] == [20.0] * 3


def test_what_a_sample_misses_is_the_error_of_nystrom():
    X = measured.zeros_and_ones(90, RNG(0))
    S = RNG(1).permutation(90)[:12]
    K = X @ X.T
    told = 100 * lowrank.nystrom(K, S).error(K) / np.linalg.norm(K)
    assert measured._missed(X, S) == pytest.approx(told, rel=1e-6)
    found = measured.along_parts(trial("uniform", X))
    assert found["error"] == pytest.approx(np.array(found["error"]).clip(0, 100))
    assert found["exact"][0] == 0 and max(found["exact"]) <= 100
    line = measured.along_parts(trial(measured.LINE, X))["exact"]
    assert line == pytest.approx(measured.PARTS)
    assert set(datasets.digits().y) >= {0, 1}


def typed_found(experiment):
    """Random numbers for all fields, in ten draws."""
    rng, count = RNG(0), max(1, len(experiment.settings))
    draws = {
        data: [
            {
                name: {
                    each.name: tuple(rng.uniform(0.1, 1, count))
                    for each in experiment.fields
                }
                for name in experiment.competitors
            }
            for _ in range(experiment.draws)
        ]
        for data in experiment.data
    }
    return judged(experiment, draws, {})


def test_leads_are_differences_of_means():
    shown = list(findings.METHOD.shown)
    pair = "nystrom", "column"
    for experiment, field in (
        (findings.METHOD, findings.PROJECTION),
        (findings.RANKED, findings.RECONSTRUCTION),
    ):
        found = typed_found(experiment)
        _, (axes,) = style.panels(1)
        figures.draw_leads(axes, found, field, pair, findings.LEAD, shown)
        drawn = []
        for data in shown:
            one, other = (found.measured(field.name, x, data) for x in pair)
            leads = [i.estimate for i in figures.ahead(found, field, *pair, data)]
            assert leads == pytest.approx((one - other).mean(axis=0))
            drawn.append(Series(findings.LEAD, leads, data))
        assert strays(axes, experiment.along, drawn) == []


def test_curves_have_the_labels_and_the_values_of_their_fields():
    found = typed_found(findings.SIZED)
    _, (left, right) = style.panels(2)
    figures.draw_needed(left, found, list(findings.SIZED.shown))
    for line, data in zip(left.lines, findings.SIZED.shown, strict=False):
        told = found.measured("share", "nystrom", data).mean(axis=0)
        assert line.get_ydata() == pytest.approx(told)
        assert line.get_label() == data
    assert left.get_ylabel() == findings.SHARE.axis
    found = typed_found(findings.RECOVERY)
    figures.draw_exact(right, found, "all digits")
    drawn = [
        Series(
            findings.EXACT,
            found.measured("exact", name, "all digits").mean(axis=0),
            findings.RECOVERY.competitors[name].label,
        )
        for name in figures.EXACT_LOOKS
    ]
    assert strays(right, findings.PERCENT, drawn) == []


def test_other_draws_have_other_points():
    for points in (measured.some_patches, measured.some_documents):
        assert not np.array_equal(points(50, RNG(0)), points(50, RNG(1)))
