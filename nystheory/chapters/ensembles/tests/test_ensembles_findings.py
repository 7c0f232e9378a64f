"""The experiments in small, and their figures read back."""

from dataclasses import replace

import numpy as np
import pytest

from nystheory import style
from nystheory.chapters.ensembles import figures, findings, mixtures
from nystheory.engine.findings import Data, Finding, Series
from nystheory.engine.findings.drawing import one_draw
from nystheory.engine.findings.fields import strays
from nystheory.engine.findings.found import judged

ALL = [findings.EXPERTS, findings.VALIDATION, findings.WORK]


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


def test_a_draw_has_all_numbers_of_experts():
    """The gains are differences of the curve."""
    found = one(findings.EXPERTS, Data(mixtures.digits, 160))
    assert set(found) == set(findings.EXPERTS.competitors)
    for name, each in found.items():
        assert len(each["frobenius"]) == len(mixtures.COUNTS)
        assert ("spectral" in each) is (name in findings.MIXTURES)
        at = dict(zip(mixtures.COUNTS, each["frobenius"], strict=True))
        assert each["early"][0] == pytest.approx(at[2] - at[10], abs=1e-2)
        assert each["late"][0] == pytest.approx(at[10] - at[30], abs=1e-2)
        assert (np.array(each["frobenius"]) >= found["optimal"]["frobenius"]).all() or (
            name.startswith("one") or name == "fewer"
        )


def test_the_joint_approximation_is_below_every_convex_mixture():
    """The theorem of an exercise, in a draw."""
    found = one(findings.EXPERTS, Data(mixtures.digits, 160))
    for name in ("uniform", "exponential", "best", "mean"):
        gaps = np.subtract(found[name]["frobenius"], found["one"]["frobenius"])
        assert (gaps >= 0).all()


def test_a_draw_has_all_numbers_of_columns():
    found = one(findings.VALIDATION, Data(mixtures.digits, 400))
    for each in found.values():
        assert len(each["frobenius"]) == len(mixtures.SIZES)
    for name in ("uniform", "optimal"):
        assert len(set(found[name]["frobenius"])) == 1


def test_the_best_expert_is_best_in_a_draw_of_the_same_work():
    data = next(iter(findings.WORK.shown.values()))
    found = {
        name: each["frobenius"][0]
        for name, each in one(findings.WORK, replace(data, size=500)).items()
    }
    assert found["best"] <= found["mean"] and found["one"] <= found["fewer"]


def typed(experiment, rng):
    """Random numbers for the fields that are drawn."""
    count = len(experiment.settings)
    some = {
        field: tuple(rng.uniform(0, 1, count)) for field in ("frobenius", "spectral")
    }
    gains = {"early": (1.0,), "late": (0.5,)}
    return [
        {
            name: {k: tuple(rng.permutation(x)) for k, x in some.items()} | gains
            for name in experiment.competitors
        }
        for _ in range(experiment.draws)
    ]


def typed_found(experiment):
    rng = np.random.default_rng(0)
    return judged(experiment, {d: typed(experiment, rng) for d in experiment.data}, {})


@pytest.mark.parametrize("field", [findings.FROBENIUS, findings.SPECTRAL])
def test_curves_have_the_labels_and_the_values_of_their_fields(field):
    found = typed_found(findings.EXPERTS)
    figure = figures.plot_all(found, field)
    for axes, data in zip(figure.axes, found.experiment.shown, strict=True):
        drawn = [
            Series(
                field,
                found.measured(field.name, name, data).mean(axis=0),
                found.experiment.competitors[name].label,
            )
            for name in figures.SHOWN
        ]
        assert axes.get_title() == data
        assert strays(axes, findings.NUMBER, drawn) == []


def test_two_panels_have_one_legend():
    found = typed_found(findings.VALIDATION)
    names = ("uniform", "linear", "ridge", "optimal")
    figure = figures.plot_two(found, findings.DIGITS, names)
    for axes, data in zip(figure.axes, findings.DIGITS, strict=True):
        drawn = [
            Series(
                findings.FROBENIUS,
                figures.mean_errors(found, findings.FROBENIUS, name, data),
                found.experiment.competitors[name].label,
            )
            for name in names
        ]
        assert strays(axes, findings.COLUMNS, drawn) == []
    assert len(figure.legends) == 1


def test_limits_of_the_page_are_those_of_style():
    figure, (axes,) = style.panels(1)
    figures.draw_errors(axes, typed_found(findings.EXPERTS), "digits, RBF", ("ridge",))
    assert axes.get_ylabel() == findings.FROBENIUS.axis
