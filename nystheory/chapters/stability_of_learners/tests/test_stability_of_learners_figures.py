"""The figures of the chapter, read back from their artists."""

import numpy as np

from nystheory import style
from nystheory.chapters.stability_of_learners import experiments, figures
from nystheory.engine.report.artists import looks, named, unlike, unnamed, words

RIDGE = {"bound": 7.0, "small ridge": 8.0, "residual": 9.0}
VECTORS = {"printed": 7.0, "sharper": 6.0}


def falls(first):
    """A falling pair of its own."""
    return np.array([first, first / 3])


def moves(name, factor, bounds):
    """Moves of which all that is drawn is its own."""
    each = [falls(factor * x) for x in (20.0, 1.0, 2.0, 3.0)]
    limits = {label: falls(factor * x) for label, x in bounds.items()}
    return experiments.Moves(name, (5, 10), 40, *each, limits, {})


def observed(factor):
    """What is observed, by the words of the legend."""
    x, labels = falls(20 * factor), ("mean change of the test",)
    labels += "largest change of the test", "largest change of all"
    return {label: (x, falls(factor * i)) for i, label in enumerate(labels, 1)}


LABELS = "relative error of $K$, spectral norm, %", "change of the prediction"


def test_changes_of_ridge_regression_are_those_of_their_points():
    both = moves("diabetes", 1, RIDGE), moves("robot_arm", 10, RIDGE)
    fewer = moves("diabetes", 3, RIDGE), moves("robot_arm", 30, RIDGE)
    _, panels = style.panels(2)
    figures.draw_ridge(panels, both, fewer)
    names = "bound as printed", "bound for a small ridge", "bound from the residual"
    for axes, factor in zip(panels, (1, 10), strict=True):
        wanted = observed(factor)
        for label, first in zip(names, RIDGE.values(), strict=True):
            wanted[label] = falls(20 * factor), falls(factor * first)
        few = falls(60 * factor), falls(3 * factor)
        wanted["mean change of the test, fewer points"] = few
        assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    assert words(panels[0]) == (*LABELS, "patients", "log log")
    assert words(panels[1]) == (LABELS[0], "", "robot arm", "log log")
    assert len(looks(panels[1])) == 7


def test_changes_of_machines_are_under_their_own_bounds():
    both = moves("breast_cancer", 1, VECTORS), moves("diabetes", 10, VECTORS)
    _, panels = style.panels(2)
    figures.draw_vectors(panels, both)
    names = "bound as printed", "sharper bound"
    for axes, factor in zip(panels, (1, 10), strict=True):
        wanted = observed(factor)
        for label, first in zip(names, VECTORS.values(), strict=True):
            wanted[label] = falls(20 * factor), falls(factor * first)
        assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    assert words(panels[0]) == (*LABELS, "cell samples", "log log")
    assert words(panels[1]) == (LABELS[0], "", "patients", "log log")


def test_labels_on_graphs_are_relative_to_their_size():
    def some(factor):
        x, moved, bound = (falls(factor * each) for each in (20.0, 1.0, 5.0))
        return experiments.Spreads(x, moved, bound, 4.0, {})

    _, panels = style.panels(2)
    figures.draw_graphs(panels, {"digits": some(1), "cells": some(10)})
    for axes, factor in zip(panels, (1, 10), strict=True):
        x = falls(20.0 * factor)
        wanted = {
            "bound": (x, falls(1.25 * factor)),
            "observed": (x, falls(0.25 * factor)),
        }
        assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    x, y = "relative error of $L$, spectral norm, %", "relative change of predictions"
    assert words(panels[0]) == (x, y, "digits", "log log")
    assert words(panels[1]) == (x, "", "cells", "log log")
