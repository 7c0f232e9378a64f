"""The experiments in small, and their figures and tables read back."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from nystheory import kernels, lowrank, style
from nystheory.chapters.two_ways_to_learn_a_matrix import (
    experiments,
    figures,
    findings,
    inversion,
    matrices,
)
from nystheory.engine.findings import Data, Finding
from nystheory.engine.findings.drawing import one_draw
from nystheory.engine.findings.found import LEVEL, judged
from nystheory.engine.trial.statistics import mean_interval

ALL = [findings.SPECTRA, findings.COLUMNS, findings.INVERSION]


def one(experiment, data):
    """A draw of an experiment on few points."""
    line = next(iter(experiment.findings.values()))
    some = {
        "some": Finding(
            line.line, line.scope, when=line.when, on=("small",), but_on="others"
        )
    }
    small = replace(
        experiment, shown={"small": data}, beyond={"others": data}, findings=some
    )
    return one_draw(small, "small", 0)[0]


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.id)
def test_findings_are_of_ten_draws_and_more_data_than_the_page_shows(experiment):
    assert experiment.draws >= 10 and experiment.beyond
    assert experiment.found().complaints() == []


def known(columns=60):
    drawn = matrices.digits(90, np.random.default_rng(3), columns=columns)
    return experiments.with_columns(drawn, np.random.default_rng(4))[0]


def test_all_columns_leave_nothing_to_find():
    trial = type("Trial", (), {"known": known(90), "run": lowrank.column_sampling})
    found = experiments.accuracies(trial)
    assert found["values"] == pytest.approx(np.full(5, 100))
    assert found["factor"] == pytest.approx(np.ones(5))
    assert found["longest"] == pytest.approx(1) and found["mixed"] < 1e-9


def test_what_is_measured_by_a_second_route():
    some = known()
    K, S = some.K.dense(), some.landmarks.indices
    values, vectors = np.linalg.eigh(K)
    exact, U = values[::-1][:50], vectors[:, ::-1][:, :50]
    core, V = np.linalg.eigh(K[np.ix_(S, S)])
    core, V = core[::-1][:50], V[:, ::-1][:, :50]
    ours = 90 / 60 * core
    stretched = np.sqrt(60 / 90) * K[:, S] @ V / core
    trial = type("Trial", (), {"known": some, "run": lowrank.nystrom})
    found = experiments.accuracies(trial)
    ratios = ours / exact
    assert found["factor"] == pytest.approx(ratios.reshape(5, 10).mean(axis=1))
    right = 100 * np.minimum(ratios, 1 / ratios)
    assert found["values"] == pytest.approx(right.reshape(5, 10).mean(axis=1))
    assert found["all_values"] == pytest.approx(right.mean())
    lengths = np.linalg.norm(stretched, axis=0)
    assert found["longest"] == pytest.approx(lengths.max())
    cosines = np.abs((stretched * U).sum(axis=0)) / lengths
    assert found["all_vectors"] == pytest.approx(cosines.mean())
    # The squares of principal cosines add up to the trace of two projectors.
    first = stretched[:, :10] @ np.linalg.pinv(stretched[:, :10])
    squares = np.trace(first @ U[:, :10] @ U[:, :10].T)
    assert squares <= 10 * found["spans"][0] <= np.sqrt(10 * squares)


def test_all_methods_see_the_same_columns():
    found = one(findings.SPECTRA, Data(partial(matrices.digits, columns=60), 80))
    assert set(found) == set(findings.METHODS)
    # The orthonormal vectors span what the others span, and have their values.
    assert found["straight"]["values"] == found["nystrom"]["values"]
    assert found["straight"]["spans"][0] == found["nystrom"]["spans"][0]
    assert found["columns"]["mixed"][0] < 1e-9 < found["nystrom"]["mixed"][0]


def test_draws_have_their_points_and_columns():
    rng = np.random.default_rng(0)
    K, columns = matrices.cells(30, rng, columns=7)
    assert K.n == 30 and columns == 7 and isinstance(K, kernels.PointKernel)
    K, S = matrices.on_a_line(30, rng, columns=5, twice=True)
    assert K.shape == (30, 30) and len(S) == 6 and S[0] == S[-1]
    X = np.array(matrices.circle(9, rng))
    assert np.linalg.norm(X, axis=1) == pytest.approx(np.ones(9))


def test_digits_are_lost_and_kept():
    case = (np.diag([2.0, 1.0, 1e-3]), np.array([0, 1]))
    small = inversion.inverted(case, None)[0]
    # What is missed is 1e-3 of 2 in either unit.
    wanted = -np.log10(1e-3 / 2)
    for name in findings.RECIPES:
        run = findings.RECIPES[name].run
        got = inversion.of_recipe(type("Trial", (), {"known": small, "run": run}))
        assert got["right"] == pytest.approx(wanted, abs=1e-4)
        scaled = name != "added"
        assert (abs(got["small"] - wanted) < 1e-3) == scaled
    found = one(findings.INVERSION, Data(partial(matrices.on_a_line, columns=20), 60))
    assert found["cholesky"]["right"][0] == 0 < found["package"]["right"][0]


def typed_found():
    """Random numbers for all fields."""
    experiment, rng = findings.SPECTRA, np.random.default_rng(0)
    grouped = {"values", "spans", "factor"}

    def one_of_all():
        return {
            each.name: tuple(rng.uniform(0, 1, 5 if each.name in grouped else 1))
            for each in findings.FIELDS
        }

    draws = {
        data: [
            {name: one_of_all() for name in experiment.competitors}
            for _ in range(experiment.draws)
        ]
        for data in experiment.data
    }
    return judged(experiment, draws, {})


def test_marks_are_the_mean_differences_of_their_fields():
    found = typed_found()
    _, (axes,) = style.panels(1)
    figures.draw_differences(axes, found, "last", findings.SPANS)
    assert axes.get_ylabel().startswith(findings.SPANS.axis)
    assert axes.get_ylabel().endswith("minus that of Column-sampling")
    handles, labels = axes.get_legend_handles_labels()
    assert labels == list(findings.SPECTRA.shown)
    for handle, data in zip(handles, labels, strict=True):
        ours = found.measured("spans", "last", data)
        theirs = found.measured("spans", "columns", data)
        told = handle.lines[0].get_ydata()
        assert told == pytest.approx((ours - theirs).mean(axis=0))
        (bars,) = handle.lines[2]
        wanted = mean_interval((ours - theirs)[:, 0], LEVEL / 5)
        low, high = bars.get_segments()[0][:, 1]
        assert (low, high) == pytest.approx((wanted.low, wanted.high))
    ticks = [each.get_text() for each in axes.get_xticklabels()]
    assert ticks[0] == "1–10" and ticks[-1] == "41–50"


def test_tables_have_the_means():
    found = typed_found()
    fields = {each.name: each for each in findings.FIELDS}
    table = figures.table_of_means(found, fields["all_vectors"])
    told = found.measured("all_vectors", "nystrom", "linear digits").mean()
    assert table.rows[0][:2] == ("Nyström", f"{told:.2f}")
    assert table.header == ("", *findings.SPECTRA.data)
    table = figures.table_of_digits(findings.INVERSION.found())
    assert [row[0] for row in table.rows][-1] == "this package"
    assert len(table.header) == 5
