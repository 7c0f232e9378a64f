"""The experiments in small, by a second route, and their figures read back."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from nystheory import lowrank, style
from nystheory.chapters.coherence import chosen, figures, findings, recovery
from nystheory.engine.findings import Data, Finding, Series, Trial
from nystheory.engine.findings.drawing import one_draw
from nystheory.engine.findings.fields import strays
from nystheory.engine.findings.found import judged

ALL = [findings.COHERENT, findings.RECOVERY, findings.CHOSEN, findings.BOUNDS]


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


# ---- what is measured ----


def test_coherences_are_those_of_the_vectors():
    found = one(findings.COHERENT, Data(recovery.gaussian, 420))
    for each in found.values():
        assert len(each["coherence"]) == len(recovery.POINTS)
    K = recovery.gaussian(420, np.random.default_rng(0))
    U = np.linalg.eigh(K)[1][:, -recovery.RANK :]
    low = recovery.leading(K)
    assert recovery.by_entries(low)[1] == pytest.approx(100 * (U**2).max())
    assert recovery.by_rows(low)[1] == pytest.approx(100 * (U**2).sum(axis=1).max())
    assert recovery.reach_of_vectors(low, None)["reach"] == pytest.approx(
        np.median(1 / (U**4).sum(axis=0))
    )


def test_a_draw_is_recovered_at_its_rank():
    found = one(findings.RECOVERY, Data(recovery.gaussian, 300))
    errors = dict(zip(recovery.COLUMNS, found["uniform"]["error"], strict=True))
    assert errors[40] > 0 and errors[50] == 0
    assert found["uniform"]["least"][0] > 0
    assert found["space"]["asked"][0] < found["printed"]["asked"][0]


def test_pairs_are_recovered_when_each_is_met():
    """Sixty pairs of equal points, of which the longest fifty stay."""
    X = np.repeat(np.diag(np.arange(60.0, 0, -1)), 2, axis=0)
    low, _ = recovery.cut(X @ X.T, np.random.default_rng(0))[0]
    every = np.arange(0, 100, 2)
    assert low.error(every) == 0 and low.error(every[1:]) > 0
    one_pair_twice = np.append(every[1:], 3)
    assert low.least(one_pair_twice) == pytest.approx(0)
    assert low.error(one_pair_twice) > 0
    assert recovery.reach_of_vectors(low, None)["reach"] == pytest.approx(2)
    squares = np.arange(60.0, 10, -1) ** 4
    missed = 100 * np.sqrt(squares[0] / squares.sum())
    assert low.error(every[1:]) == pytest.approx(missed)


def test_errors_of_chosen_vectors_are_those_of_formed_matrices():
    known = chosen.decaying(160, None, 0.8, 6)
    U = chosen.groups(160, 6, 3, np.random.default_rng(0))
    K = (U * known.values) @ U.T
    S = np.random.default_rng(1).permutation(160)[:20]
    made = lowrank.nystrom(K, S, 6)
    error = 100 * made.error(K) / np.linalg.norm(K)
    assert known.error(K, S) == pytest.approx(error)
    assert known.best == pytest.approx(
        100 * np.linalg.norm(np.linalg.eigvalsh(K)[:-6]) / np.linalg.norm(K)
    )


def test_a_draw_of_chosen_vectors_has_the_coherence_that_is_asked_for():
    data = Data(partial(chosen.decaying, share=0.9, k=7), 450)
    found = one(findings.CHOSEN, data)
    for t in (8, 14, 20):
        assert found[f"spike{t}"]["mu"][0] == pytest.approx(t)
    for m in (20, 8, 3, 1):
        assert found[f"groups{m}"]["M"][0] == pytest.approx(450 / m, rel=1e-3)
        assert found[f"groups{m}"]["mu"][0] == pytest.approx(np.sqrt(450 / m), rel=1e-3)


def test_bounds_are_above_the_errors_of_the_same_columns():
    data = Data(partial(recovery.digits, gamma=0.061), 400)
    found = one(findings.BOUNDS, data)
    missed = {name: np.array(each["missed"]) for name, each in found.items()}
    assert (missed["uniform"] <= missed["structural"]).all()
    assert (missed["leverage"] <= missed["scores"]).all()
    assert all((each <= missed["nothing"]).all() for each in missed.values())
    says = missed["scores"] < missed["nothing"]
    assert says.any() and not says.all()
    counts = np.array(chosen.SAMPLES)[says]
    np.testing.assert_allclose(
        missed["scores"][says], 1 + 20 * chosen.RANK / counts, rtol=1e-4
    )


def test_a_bound_that_does_not_apply_counts_as_the_trace():
    K = recovery.digits(340, np.random.default_rng(0), gamma=0.061)
    known, _ = chosen.split(K, np.random.default_rng(1))
    of, order = known
    found = chosen.how_far(Trial(chosen.leverage_bound, known, None, None, None))
    assert np.isinf(chosen.leverage_bound(of, order, 20, None))
    assert found["missed"][0] == pytest.approx(np.trace(K) / of.tail)
    assert np.isfinite(found["missed"]).all()


# ---- figures ----


def typed(experiment, rng):
    """Random numbers for all fields."""
    count = len(experiment.settings)
    return [
        {
            name: {
                field: tuple(rng.uniform(1, 2, count)) for field in experiment.measured
            }
            for name in experiment.competitors
        }
        for _ in range(experiment.draws)
    ]


def typed_found(experiment):
    rng = np.random.default_rng(0)
    return judged(experiment, {d: typed(experiment, rng) for d in experiment.data}, {})


def series(found, field, name, data, label):
    return Series(field, found.measured(field.name, name, data).mean(axis=0), label)


def test_curves_of_recovery_are_those_of_the_matrices():
    found = typed_found(findings.RECOVERY)
    _, (axes,) = style.panels(1)
    figures.draw_recovery(axes, found)
    drawn = [
        series(found, findings.ERROR, "uniform", name, name) for name in findings.SIX
    ]
    assert strays(axes, findings.COLUMNS, drawn) == []


def test_coherences_stand_at_their_shares():
    found = typed_found(findings.COHERENT)
    _, (left, right) = style.panels(2)
    figures.draw_coherences(left, found)
    curves = {line.get_label(): line.get_xdata() for line in left.lines}
    for way, label in (("rows", "$M$"), ("entries", "$\\mu^2$")):
        shares = [
            found.measured("share", way, name)[:, 0].mean() for name in findings.SIX
        ]
        np.testing.assert_allclose(curves[label], shares[::-1])
    assert left.get_yticklabels()[0].get_text() == list(findings.SIX)[-1]
    names = ("digits, linear", "cells, narrow RBF")
    figures.draw_growth(right, found, names)
    drawn = [series(found, findings.COHERENCE, "entries", name, name) for name in names]
    assert strays(right, findings.POINTS, drawn) == []


@pytest.mark.parametrize("names", [findings.SPIKES, findings.GROUPS])
def test_curves_of_chosen_vectors_are_labelled_by_their_coherence(names):
    found = typed_found(findings.CHOSEN)
    figure = figures.plot_chosen(found, names)
    first = next(iter(findings.CHOSEN.shown))
    for axes, data in zip(figure.axes, findings.CHOSEN.shown, strict=True):
        drawn = []
        for name in names:
            mu, M = (found.measured(x, name, first)[:, 0].mean() for x in ("mu", "M"))
            label = findings.VECTORS[name].label
            label = f"{label}: $\\mu = {mu:.0f}$, $M = {M:.0f}$"
            drawn.append(series(found, findings.ERROR, name, data, label))
        assert axes.get_title() == data
        assert strays(axes, findings.COLUMNS, drawn) == []
    assert len(figure.legends) == 1


def test_curves_of_bounds_have_their_labels():
    found = typed_found(findings.BOUNDS)
    _, (axes,) = style.panels(1)
    figures.draw_bounds(axes, found, "digits, RBF")
    drawn = [
        series(found, findings.MISSED, name, "digits, RBF", each.label)
        for name, each in findings.BOUNDS.competitors.items()
    ]
    assert strays(axes, findings.COLUMNS, drawn) == []
