"""The experiments in small, by a second route, and their figures read back."""

from dataclasses import replace

import numpy as np
import pytest

from nystheory import kernels, lowrank, style
from nystheory.chapters.fixed_sampling import (
    figures,
    findings,
    leverage_scores,
    measured,
    tables,
)
from nystheory.chapters.fixed_sampling.findings_of_schemes import paired
from nystheory.engine.findings import Data, Finding, Series, Trial
from nystheory.engine.findings.drawing import one_draw
from nystheory.engine.findings.fields import strays
from nystheory.engine.findings.found import judged

ALL = [
    findings.SCHEMES,
    findings.CROWDS,
    findings.LOOSE,
    findings.SCORES,
    findings.SELF,
]


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


def accuracy(K, S, rank, truncate):
    """In percent, from dense matrices and their norms."""
    dense = K.dense()
    values, U = np.linalg.eigh(dense)
    best = (U[:, -rank:] * values[-rank:]) @ U[:, -rank:].T
    made = lowrank.nystrom(dense, S, rank, truncate).spectral_reconstruction()
    return 100 * np.linalg.norm(dense - best) / np.linalg.norm(dense - made)


def test_accuracies_of_paired_samples_by_norms():
    K = measured.digits(80, np.random.default_rng(0))
    given, _ = paired(K, np.random.default_rng(1))
    for name in ("uniform", "norm"):
        found = measured.along_percents(Trial(name, given, None, None, None))
        for at, samples in enumerate(given.samples):
            told = [accuracy(K, each[name], 2, "core") for each in samples]
            assert found["accuracy"][at] == pytest.approx(np.mean(told), rel=1e-6)
        told = [accuracy(K, each[name], 2, "approximation") for each in given.few]
        assert found["after"] == pytest.approx(np.mean(told), rel=1e-6)


def test_samples_that_are_paired_share_their_columns():
    K = measured.digits(100, np.random.default_rng(0))
    given, _ = paired(K, np.random.default_rng(1))
    for percent, samples in zip(measured.PERCENTS, given.samples, strict=True):
        for each in samples:
            assert {len(S) for S in each.values()} == {percent}
            assert set(each["with"]) <= set(each["uniform"])
            assert len(set(each["uniform"])) == percent


def test_a_draw_of_crowds_has_the_same_samples_for_each_cut():
    found = one(findings.CROWDS, Data(measured.crowd, 150))
    for name in ("uniform", "leverage"):
        same = [x for x in found if x.startswith(name)]
        assert len({found[x]["clusters"] for x in same}) == 1
        assert found[name]["accuracy"] != found[f"{name}_core"]["accuracy"]
    assert max(found["recursive"]["entries"]) > 0
    for each in found.values():
        assert max(each["clusters"]) <= 10 and max(each["accuracy"]) <= 100 + 1e-6


def test_laws_are_in_proportion_to_their_scores():
    K = kernels.DenseKernel(np.array([[2.0, 0], [0, 1]]))
    assert measured.law(K, "column_norm", 1) == pytest.approx([2 / 3, 1 / 3])
    assert measured.law(K, "shortest", 1) == pytest.approx([1 / 3, 2 / 3])


def test_both_schemes_are_beside_the_scores_of_one_ridge():
    """By hand: the mean of the tail, the scores, and what columns say of them."""
    K, count = measured.cells(120, np.random.default_rng(0)), 30
    values = np.linalg.eigvalsh(K.dense())
    k = int(count / (4 * np.log(count)))
    ridge = values[:-k].sum() / k
    assert leverage_scores.ridge_of_columns(K, count) == pytest.approx(ridge)
    exact = np.diag(K.dense() @ np.linalg.inv(K.dense() + ridge * np.eye(120)))
    for scheme in (leverage_scores.bless_scores, leverage_scores.recursive_scores):
        found = scheme(K, count, 1)
        np.testing.assert_allclose(found.exact, exact, rtol=1e-6)
        assert found.columns <= count
        shares = found.ratio * exact / exact.sum()
        assert shares.sum() == pytest.approx(1)


def test_a_column_drawn_twice_counts_with_both_weights():
    K = measured.cells(60, np.random.default_rng(0))
    twice = leverage_scores.estimated_scores(K, [3, 3, 8], np.array([2.0, 3, 4]), 1.5)
    once = leverage_scores.estimated_scores(K, [3, 8], np.array([5.0, 4]), 1.5)
    np.testing.assert_allclose(twice, once)


def test_no_sample_fails_that_has_all_columns():
    found = one(findings.LOOSE, Data(measured.centred_cells, 60))
    for each in found.values():
        assert each["failures"][-1] == 0 and max(each["failures"]) <= 100
    assert found["ridge"]["columns"] == found["uniform"]["columns"]


def test_ratios_are_around_one_and_right_samples_are_not_blind():
    found = one(findings.SCORES, Data(measured.cells, 150))
    for each in found.values():
        assert each["least"][0] < 1 < each["most"][0]
        assert 0 < each["entries"][0] < 100
    (each,) = one(findings.SELF, Data(measured.cells, 200)).values()
    assert (np.add(each["within"], each["blind"]) <= 100).all()


def typed_found(experiment):
    """Random numbers for the fields that are drawn."""
    rng = np.random.default_rng(0)
    count = len(experiment.settings)
    draws = {
        data: [
            {
                name: {
                    each.name: tuple(rng.uniform(0, 1, count))
                    for each in experiment.fields
                }
                for name in experiment.competitors
            }
            for _ in range(experiment.draws)
        ]
        for data in experiment.data
    }
    return judged(experiment, draws, {})


def means(found, field, name, data):
    label = found.experiment.competitors[name].label
    return Series(field, found.measured(field.name, name, data).mean(axis=0), label)


def test_leads_are_differences_of_means():
    found = typed_found(findings.SCHEMES)
    _, (axes,) = style.panels(1)
    names = list(findings.SCHEMES.shown)
    figures.draw_leads(axes, found, "uniform", "norm", names, findings.AHEAD)
    drawn = []
    for data in names:
        each = [found.measured("accuracy", x, data) for x in ("uniform", "norm")]
        leads = [i.estimate for i in tables.ahead(found, "uniform", "norm", data)]
        assert leads == pytest.approx((each[0] - each[1]).mean(axis=0))
        drawn.append(Series(findings.AHEAD, leads, data))
    assert strays(axes, findings.PERCENT, drawn) == []


def test_curves_have_the_labels_and_the_values_of_their_fields():
    found = typed_found(findings.CROWDS)
    for axes, looks in zip(
        figures.plot_cuts(found).axes, figures.CUT_LOOKS.values(), strict=True
    ):
        drawn = [means(found, findings.ACCURACY, x, "crowd") for x in looks]
        assert strays(axes, findings.COLUMNS, drawn) == []
    found = typed_found(findings.LOOSE)
    shown = findings.LOOSE.shown
    for axes, data in zip(figures.plot_failures(found).axes, shown, strict=True):
        drawn = [means(found, findings.FAILURES, x, data) for x in ("ridge", "uniform")]
        assert strays(axes, findings.CONSTANT, drawn) == []


def test_printed_tables_are_whole():
    for rows in tables.PRINTED_SCHEMES.values():
        assert len(rows) == 5
        assert all(0 < pair[0] < 100 for row in rows.values() for pair in row if pair)
    assert all(len(row) == 4 for row in tables.PRINTED_GAINS.values())
    # In the thesis uniform sampling is ahead in every row but one pair of ties.
    for rows in tables.PRINTED_SCHEMES.values():
        for uniform, *others in rows.values():
            assert all(uniform[0] > other[0] for other in others if other)


def test_tables_put_ours_beside_theirs():
    found = typed_found(findings.SCHEMES)
    rows = tables.scheme_table(found).rows
    assert [row[1] for row in rows[:2]] == ["MNIST (thesis)", "digits, linear"]
    assert len(rows) == 2 * (4 + 4)
    assert [row[3] for row in rows if row[1] == "digits, RBF"] == ["-", "-"]
    ours = 100 * found.measured("accuracy", "uniform", "digits, linear")[:, 0].mean()
    assert float(rows[1][2].split()[0]) == pytest.approx(ours / 100, abs=0.06)
    gains = tables.gain_table(found).rows
    assert [row[0] for row in gains[:2]] == ["MNIST (thesis)", "digits, linear"]
    schemes = tables.crowd_table(typed_found(findings.CROWDS), "crowd", 30).rows
    last = [row[0] for row in schemes][-1]
    assert last == "scores of recursive RLS" and len(schemes) == 5
