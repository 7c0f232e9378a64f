"""The figures of the chapter, read back from their artists."""

from types import SimpleNamespace as Some

import numpy as np

from nystheory.chapters.ridge_and_preconditioning import figures, findings
from nystheory.engine.report.artists import looks, named, ticks, unlike, unnamed, words


def planted(experiment):
    """Numbers of their own for each measure, competitor and data set."""
    names, fields = list(experiment.competitors), [x.name for x in experiment.fields]

    def measured(field, name, data):
        key = fields.index(field), names.index(name), [*experiment.data].index(data)
        count = len(experiment.settings) if name != "none" else 1
        return np.random.default_rng(key).uniform(1, 9, (3, count or 1))

    return Some(experiment=experiment, measured=measured)


def wanted(found, curves, data):
    """The mean curves that a reader should take from a panel."""
    of = found.experiment
    told = {}
    for label, (field, name) in curves.items():
        values = found.measured(field, name, data).mean(axis=0)
        told[label] = (of.settings, np.zeros(len(of.settings)) + values)
    return told


def test_risks_and_bounds_are_those_of_their_panel():
    found = planted(findings.RISKS)
    figure = figures.plot_risks(found)
    curves = {
        "risk over that with all of K, uniform columns": ("risk", "uniform"),
        "risk over that with all of K, columns by estimated scores": ("risk", "scores"),
        "bound from the norm, uniform columns": ("by_norm", "uniform"),
        "bound from the trace, uniform columns": ("by_trace", "uniform"),
    }
    for axes, data in zip(figure.axes, found.experiment.shown, strict=True):
        assert unlike(named(axes), wanted(found, curves, data)) == []
        assert unnamed(axes) == {}
        assert words(axes)[0] == "columns over the effective dimension"
        assert words(axes)[2:] == (data, "log log")
        assert [*ticks(axes.xaxis)] == [*found.experiment.settings]
    assert words(figure.axes[0])[1] == "risk over that with all of K"


def test_condition_numbers_and_iterations_have_their_own_panels():
    found, data = planted(findings.SOLVES), "four clusters"
    left, right = figures.plot_solves(found, data).axes
    labels = {
        "random pivots": "pivots",
        "uniform columns": "uniform",
        "Gaussian sketch, of products with K": "sketch",
    }
    one = {label: ("condition", name) for label, name in labels.items()}
    one["bound from the trace, random pivots"] = ("bound", "pivots")
    two = {label: ("steps", name) for label, name in labels.items()}
    for axes, curves in ((left, one), (right, two)):
        legend = axes.figure.legends[0]
        if axes is right:
            legend = axes.legend()
        told = wanted(found, curves, data)
        plain = found.measured(curves["random pivots"][0], "none", data).mean()
        told["no preconditioner"] = ([0, 1], [plain, plain])
        assert unlike(named(axes, legend), told) == []
        assert unnamed(axes, legend) == {}
        assert words(axes)[0] == "columns over the effective dimension"
        assert words(axes)[2:] == (data, "log log")
    assert (words(left)[1], words(right)[1]) == ("condition number", "iterations")
    # One legend serves both panels.
    shared = looks(left, left.figure.legends[0])
    assert all(
        shared[x] == look for x, look in looks(right, right.get_legend()).items()
    )


def test_the_table_has_the_means_and_the_extremes():
    found = planted(findings.RULES)
    fields = findings.PIVOTS, findings.EXCESS
    table = figures.table_of_rules(found, fields)
    values = found.measured("pivots", "half", "diabetes")
    told = f"{values.mean():.0f} ({values.min():.0f} to {values.max():.0f})"
    assert table.rows[0][:2] == ("half of the effective dimension", told)
    assert table.header[1] == "diabetes: pivots" and len(table.header) == 5
    assert len(table.rows) == 6
