"""The experiments in small, and their figures and tables read back."""

from dataclasses import replace

import numpy as np
import pytest

from nystheory import kernels, style
from nystheory.chapters.pivots_and_volumes import (
    expected_errors,
    experiments,
    figures,
    findings,
    points,
)
from nystheory.engine.findings import Data, Finding, Series
from nystheory.engine.findings.drawing import one_draw
from nystheory.engine.findings.fields import strays
from nystheory.engine.findings.found import judged
from nystheory.engine.findings.schemes import energy

ALL = [findings.PICKS, findings.EXPECTED, findings.SCHEMES, findings.LEARNED]


def one(experiment, data):
    """A draw of an experiment on few points."""
    line = next(iter(experiment.findings.values()))
    some = {"some": Finding(line.line, line.scope, on=("small",), but_on="others")}
    small = replace(
        experiment, shown={"small": data}, beyond={"others": data}, findings=some
    )
    return one_draw(small, "small", 0)[0]


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.id)
def test_findings_are_of_ten_draws_and_more_data_than_the_page_shows(experiment):
    assert experiment.draws >= 10 and experiment.beyond
    assert experiment.found().complaints() == []


def test_what_is_left_over_by_a_second_route():
    K, S = points.clusters(40, np.random.default_rng(0)).dense(), [3, 8, 30]
    rest = K - K[:, S] @ np.linalg.solve(K[np.ix_(S, S)], K[S])
    left = experiments.left_over(kernels.DenseKernel(K), S)
    assert left == pytest.approx(np.diag(rest), abs=1e-9)
    for each in one(findings.PICKS, Data(points.clusters, 40)).values():
        assert 0 < each["missed"][0] < each["worst"][0] <= 100


def test_what_was_computed_before_is_the_mean_of_all_pivots():
    K = points.clusters(40, np.random.default_rng(0)).dense()
    (stored, values), _ = experiments.with_spectrum(kernels.DenseKernel(K), None)
    each = [experiments.left_over(stored, [i]).sum() for i in range(40)]
    limit = expected_errors.rp_cholesky_limit(values, [1])
    # All diagonal entries are 1, so the first pivot is uniform.
    assert np.mean(each) == pytest.approx(limit[0])
    assert np.mean(each) == pytest.approx(expected_errors.k_dpp_mean(values, [1])[0])
    found = one(findings.EXPECTED, Data(points.even, 60))
    assert "computed" not in found["uniform"]
    computed = found["rp_cholesky"]["computed"]
    assert computed[0] == pytest.approx(found["k_dpp"]["computed"][0], rel=1e-4)
    assert (np.diff(computed) < 0).all() and (
        np.diff(found["uniform"]["missed"]) < 0
    ).any()


def test_schemes_see_matrices_of_which_twenty_eigenvalues_hold_the_share():
    K = points.narrow_clusters(90, np.random.default_rng(0))
    assert 0.9 <= energy(K, 20) < 0.93
    found = one(findings.SCHEMES, Data(points.narrow_clusters, 90))
    assert set(found) == set(findings.SCHEMES.competitors)
    assert found["uniform"]["entries"] == pytest.approx(
        [20 / 90, 40 / 90, 80 / 90], 1e-3
    )
    for each in found.values():
        assert 0 < min(each["accuracy"]) and max(each["accuracy"]) <= 100.01


def test_new_points_are_judged_that_nobody_has_learned_from():
    drawn = points.labelled(40, np.random.default_rng(0))
    known, new = experiments.quarter_apart(drawn, None)
    assert (len(known.y), len(new.y)) == (30, 10)
    rows = [{tuple(x) for x in part.X} for part in (known, new)]
    assert not rows[0] & rows[1]
    found = one(findings.LEARNED, Data(points.labelled, 200))
    counts = [each["features"][0] for each in found.values()]
    missed = [each["new"][0] for each in found.values()]
    assert counts == sorted(counts) and missed == sorted(missed, reverse=True)
    assert all(each["strangest"] > each["new"] for each in found.values())


def typed_found():
    """Random numbers for all fields."""
    experiment, rng = findings.SCHEMES, np.random.default_rng(0)
    draws = {
        data: [
            {
                name: {
                    "accuracy": tuple(rng.uniform(0, 100, 3)),
                    "entries": tuple(rng.uniform(0.1, 9, 3)),
                }
                for name in experiment.competitors
            }
            for _ in range(experiment.draws)
        ]
        for data in experiment.data
    }
    return judged(experiment, draws, {})


def test_lines_have_the_labels_and_the_values_of_their_fields():
    found, data = typed_found(), "RBF digits"
    _, (axes,) = style.panels(1)
    figures.draw_entries(axes, found, data)
    drawn = [
        Series(
            findings.ACCURACY,
            figures.means(found, findings.ACCURACY, name, data),
            findings.SCHEMES.competitors[name].label,
        )
        for name in figures.LOOKS
    ]
    assert strays(axes, findings.ENTRIES, drawn) == []
    for line, name in zip(axes.lines, figures.LOOKS, strict=False):
        entries = found.measured("entries", name, data).mean(axis=0)
        assert line.get_xdata() == pytest.approx(entries)


def test_the_table_has_the_means():
    found = typed_found()
    table = figures.table_of_means(found, findings.ACCURACY)
    told = found.measured("accuracy", "uniform", "linear digits").mean(axis=0)
    cell = ", ".join(f"{x:.0f}" for x in told)
    assert table.rows[0][:2] == ("Uniform, without replacement", cell)
    assert table.header == ("", *findings.SCHEMES.data)
