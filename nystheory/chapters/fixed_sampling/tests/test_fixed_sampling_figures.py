"""The figures of the chapter, read back from their artists."""

from math import comb
from types import SimpleNamespace as Some

import numpy as np

from nystheory import style
from nystheory.chapters.fixed_sampling import (
    crowds,
    figures,
    findings,
    findings_of_schemes,
    findings_of_scores,
    leverage_scores,
)
from nystheory.engine.findings import Competitor, Field
from nystheory.engine.report.artists import (
    by_look,
    looks,
    named,
    planted,
    ticks,
    unlike,
    unnamed,
    words,
)
from nystheory.engine.trial.statistics import mean_interval


def measured(fields, competitors, shown, along, settings):
    """Numbers of their own for all who compete, each of a label of its own."""
    given = {name: Competitor(f"{name} here") for name in competitors}
    experiment = Some(
        fields=fields,
        competitors=given,
        data=shown,
        shown=shown,
        along=along,
        settings=settings,
    )
    return planted(experiment)


def test_landmarks_are_rimmed_points_of_the_crowd():
    X = np.array([[0.0, 1], [2, 3], [4, 6], [8, 7]])
    _, (axes,) = style.panels(1)
    figures.draw_crowd(axes, crowds.Crowd(X, np.zeros(4, int)), [2, 0], "some")
    shown = {x.partition(" ")[0]: places for x, places in by_look(axes).items()}
    assert unlike(shown, {"grey": X.T, "orange": ([4, 0], [6, 1])}) == []
    points, landmarks = axes.collections  # the second hides the first
    assert points.get_sizes() < landmarks.get_sizes()
    assert landmarks.get_edgecolor()[0].tolist() == [0, 0, 0, 1]
    assert words(axes) == ("$x_1$", "$x_2$", "some", "linear linear")
    assert axes.get_aspect() == 1


def test_leads_have_the_colour_of_their_matrix_and_their_limits():
    data = {"patches, RBF": "vermilion v -", "digits, linear": "blue o -"}
    percent, lead = (
        Field("percent", "columns $l/n$", "%"),
        Field("lead", "lead", "points"),
    )
    fields = [Field("few", "few"), Field("accuracy", "accuracy")]
    found = measured(fields, ["norm", "uniform"], data, percent, (5, 10, 30))
    _, (axes,) = style.panels(1)
    figures.draw_leads(axes, found, "uniform", "norm", [*data], lead)
    means, areas = {}, {"black -": ([0, 1], [0, 0])}
    for name, look in data.items():
        ours, theirs = (
            found.measured("accuracy", x, name) for x in ("uniform", "norm")
        )
        limits = [mean_interval(x, 0.025) for x in (ours - theirs).T]
        ends = [x.low for x in limits], [x.high for x in limits]
        means[name] = (5, 10, 30), (ours - theirs).mean(axis=0)
        areas[f"{look.split()[0]} area"] = (5, 10, 30), *ends
    assert unlike(named(axes), means) == [] and looks(axes) == data
    assert unlike(unnamed(axes), areas) == []
    labels = "columns $l/n$, %", "lead, points"
    assert words(axes) == (*labels, "", "linear linear")
    assert [*ticks(axes.xaxis)] == [5, 10, 30]


def test_none_of_them_is_rarer_with_more_columns():
    counts = [1, 4, 9]
    _, (axes,) = style.panels(1)
    figures.draw_misses(axes, 10, 2, counts)
    none = [comb(8, x) / comb(10, x) for x in counts]
    every = [0, comb(8, 2) / comb(10, 4), comb(8, 7) / comb(10, 9)]
    wanted = {"none of them": (counts, none), "all of them": (counts, every)}
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    assert [*looks(axes).values()] == ["vermilion --", "blue -"]
    labels = "columns $l$", "probability"
    assert words(axes) == (*labels, "", "linear linear")


def means(found, field, data, names):
    """By label the mean over draws."""
    settings = found.experiment.settings
    return {
        f"{x} here": (settings, found.measured(field, x, data).mean(axis=0))
        for x in names
    }


def test_each_scheme_has_its_cuts():
    names = {
        "uniform": {"uniform": "blue o -", "uniform_core": "vermilion s --"},
        "leverage": {
            "leverage": "blue o -",
            "leverage_weighted": "green ^ -.",
            "leverage_core": "vermilion s --",
        },
    }
    given = ["ridge", *names["leverage"], *names["uniform"]]
    fields = [findings_of_schemes.ENTRIES, findings.ACCURACY]
    shown = ["rest", "crowd"]
    found = measured(fields, given, shown, findings.COLUMNS, (20, 80))
    panels = figures.plot_cuts(found).axes
    for axes, (title, keys) in zip(panels, names.items(), strict=True):
        assert unlike(named(axes), means(found, "accuracy", "crowd", keys)) == []
        assert looks(axes) == {f"{x} here": look for x, look in keys.items()}
        assert unnamed(axes) == {} and [*ticks(axes.xaxis)] == [20, 80]
        assert words(axes)[2:] == (title, "linear linear")
        assert axes.get_ylim() == (0, 105)
    labels = [words(axes)[:2] for axes in panels]
    columns = "columns $l$"
    assert labels == [(columns, "relative accuracy, %"), (columns, "")]


def test_failures_are_drawn_beside_what_is_allowed():
    fields = [findings_of_scores.NUMBER, findings.FAILURES]
    shown, constants = ["one", "other"], (0.5, 2, 16)
    found = measured(fields, ["uniform", "ridge"], shown, findings.CONSTANT, constants)
    panels = figures.plot_failures(found).axes
    looked = {"ridge here": "blue o -", "uniform here": "orange s --"}
    for axes, data in zip(panels, shown, strict=True):
        wanted = means(found, "failures", data, ["ridge", "uniform"])
        assert unlike(named(axes), wanted) == [] and looks(axes) == looked
        assert unlike(unnamed(axes), {"black :": ([0, 1], [10, 10])}) == []
        assert words(axes)[2:] == (data, "log linear")
        assert ticks(axes.xaxis) == {0.5: "0.5", 2: "2", 16: "16"}
    labels = [words(axes)[:2] for axes in panels]
    constant = "constant in place of 16"
    assert labels == [(constant, "share of failures, %"), (constant, "")]


def test_ratios_stand_over_their_exact_scores():
    scores = leverage_scores.Scores(np.array([0.1, 0.4]), np.array([1.2, 0.7]), 1, 2)
    _, (axes,) = style.panels(1)
    figures.draw_ratios(axes, scores, "two points")
    wanted = {"blue .": ([0.1, 0.4], [1.2, 0.7]), "black -": ([0, 1], [1, 1])}
    assert unlike(by_look(axes), wanted) == []
    labels = "exact score", "estimated / exact"
    assert words(axes) == (*labels, "two points", "log log")
    assert ticks(axes.yaxis) == {0.5: "1/2", 1: "1", 2: "2"}
    assert ticks(axes.xaxis) == {0.1: "0.1", 0.2: "0.2"}


def test_estimates_stand_over_their_errors():
    def test(factor):
        error = factor * np.array([[0.1, 0.3], [0.2, 0.4]])
        return leverage_scores.SelfTest((2, 4), error**2, error)

    tests = {"crowd": test(1), "digits, RBF": test(3)}
    _, (axes,) = style.panels(1)
    figures.draw_self_test(axes, tests)
    one, three = np.array([0.1, 0.3, 0.2, 0.4]), np.array([0.3, 0.9, 0.6, 1.2])
    wanted = {"crowd": (one, one**2), "digits, RBF": (three, three**2)}
    assert unlike(named(axes), wanted) == []
    assert unlike(unnamed(axes), {"black -": ([0.1, 1.2], [0.1, 1.2])}) == []
    assert looks(axes) == {"crowd": "purple D", "digits, RBF": "orange s"}
    labels = "true error, share of the trace", "estimate from $W$ alone"
    assert words(axes) == (*labels, "", "log log")
