"""The figures of the chapter, read back from their artists."""

from dataclasses import replace
from types import SimpleNamespace as Some

import numpy as np
import pytest

from nystheory import style
from nystheory.chapters.a_million_points import figures, findings, measured
from nystheory.chapters.a_million_points.pipeline import STEPS
from nystheory.engine.findings import Finding
from nystheory.engine.findings.found import judged
from nystheory.engine.report.artists import looks, named, ticks, unlike, unnamed, words

SIZES = [100, 1000]


def run(n, factor):
    """A run of which each step has its own seconds: a prime times a factor."""
    seconds = {x: factor * y for x, y in zip(STEPS, (2, 3, 5, 7, 11), strict=True)}
    return Some(
        n=n,
        n_landmarks=10,
        of=lambda name: Some(seconds=seconds[name]),
        seconds=28 * factor,
        memory=0.5 * factor,
        held_out={1: 0.1 * factor, 2: 0.03 * factor},
        shown=[(0.1, 0.7, -60), (0.2, 0.4, 20), (0.5, 0.9, 80)],
    )


def test_places_have_the_colour_of_the_turn():
    figure, (axes,) = style.panels(1)
    figures.draw_places(figure, axes, run(3, 1))
    (dots,) = axes.collections
    assert dots.get_offsets().tolist() == [[0.1, 0.7], [0.2, 0.4], [0.5, 0.9]]
    assert dots.get_array().tolist() == [-60, 20, 80]
    assert (dots.get_clim(), dots.get_cmap().name) == ((-150, 110), style.COLOUR_MAP)
    assert words(axes)[:2] == ("coordinate 1", "coordinate 2")
    (bar,) = (each for each in figure.axes if each is not axes)
    assert bar.get_ylabel() == "turned to the side, degrees"
    assert bar.get_ylim() == (-90, 90)


def test_costs_are_those_of_their_steps():
    _, (left, right) = style.panels(2)
    figures.draw_costs(left, right, [run(100, 1), run(1000, 4)])
    each = dict(zip(STEPS, (2, 3, 5, 7, 11), strict=True)) | {"all": 28}
    wanted = {name: (SIZES, [one, 4 * one]) for name, one in each.items()}
    assert unlike(named(left), wanted) == []
    assert words(left) == ("points $n$", "seconds", "", "log log")


def test_memory_is_beside_what_must_be_kept():
    """In GB: 4 bytes of each of 10 n or n^2 distances, and of 50 n coordinates."""
    _, (left, right) = style.panels(2)
    figures.draw_costs(left, right, [run(100, 1), run(1000, 4)])
    n = np.array(SIZES)
    wanted = {
        "peak": (SIZES, [0.5, 2]),
        "geodesics, formula": (SIZES, 4e-9 * n * 10),
        "points, formula": (SIZES, 4e-9 * n * 50),
        "all geodesics, formula": (SIZES, 4e-9 * n**2),
    }
    assert unlike(named(right), wanted) == []
    assert looks(right)["geodesics, formula"] == looks(left)["geodesics"]
    assert words(right) == ("points $n$", "GB", "", "log log")


def typed(experiment, fields):
    """Ten draws with numbers of their own for each field, by competitor."""
    count = len(experiment.settings)

    def draw(at):
        falling = (10 + at) / np.arange(1.0, count + 1)
        return {
            name: {field: tuple(x * falling) for field, x in each.items()}
            for name, each in fields.items()
        }

    draws = {x: [draw(i) for i in range(experiment.draws)] for x in experiment.data}
    (name, each), *_ = fields.items()
    some = {"some": Finding(f"{[*each][0]}({name}) > 0", but={">": "<"})}
    return judged(replace(experiment, findings=some), draws, {})


def test_errors_and_bounds_are_means_under_their_names():
    found = typed(findings.CERTIFIED, {"all": {"error": 2.0, "bound": 3.0}})
    _, (axes,) = style.panels(1)
    figures.draw_certified(axes, found, "heads")
    counts, mean = measured.CERTIFIED, 14.5 / np.arange(1.0, 7)
    wanted = {
        "bound": (counts, 3 * mean),
        "error of all coordinates": (counts, 2 * mean),
    }
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    told = "coordinates off, % of their size"
    assert words(axes) == ("landmarks $l$", told, "", "log log")
    assert ticks(axes.xaxis) == {x: str(x) for x in counts}
    assert ticks(axes.yaxis)[50] == "50"


def test_coordinates_are_means_within_their_range():
    found = typed(findings.ENOUGH, {"two": {"away": 3.0}, "ten": {"away": 5.0}})
    _, (axes,) = style.panels(1)
    figures.draw_landmarks(axes, found, "heads")
    counts, falling = measured.COUNTS, 1 / np.arange(1.0, 6)
    wanted = {
        "2 coordinates": (counts, 3 * 14.5 * falling),
        "10 coordinates": (counts, 5 * 14.5 * falling),
    }
    assert unlike(named(axes), wanted) == []
    bands = {
        "blue area": (counts, 3 * 10 * falling, 3 * 19 * falling),
        "green area": (counts, 5 * 10 * falling, 5 * 19 * falling),
    }
    assert unlike(unnamed(axes), bands) == []
    assert [look.split()[0] for look in looks(axes).values()] == ["blue", "green"]
    assert words(axes) == ("landmarks $l$", findings.AWAY.axis, "", "log log")
    assert ticks(axes.xaxis) == {x: str(x) for x in counts}


@pytest.mark.parametrize("factors", [(1, 2), (3, 1)])
def test_what_is_held_out_is_shown_by_size(factors):
    runs = [run(n, factor) for n, factor in zip(SIZES, factors, strict=True)]
    _, (axes,) = style.panels(1)
    figures.draw_held_out(axes, runs)
    wanted = {
        f"{n} points": ([1, 2], [0.1 * factor, 0.03 * factor])
        for n, factor in zip(SIZES, factors, strict=True)
    }
    assert unlike(named(axes), wanted) == []
    assert words(axes)[:2] == ("coordinates $k$", "share of the geodesics")
    assert axes.get_xscale() == "log" and axes.get_ylim()[0] == 0
