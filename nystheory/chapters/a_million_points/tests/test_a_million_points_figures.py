"""The figures of the chapter, read back from their artists."""

from types import SimpleNamespace as Some

import numpy as np
import pytest

from nystheory import style
from nystheory.chapters.a_million_points import experiments, figures
from nystheory.chapters.a_million_points.pipeline import STEPS
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


def errors():
    """Panels of a bound and an error, and of errors of two and of ten coordinates."""
    sure = experiments.Certified(
        (3, 5), 2.0, np.array([0.5, 0.3]), np.array([1.1, 0.7])
    )
    two = Some(counts=(10, 20), error=np.array([[0.1, 0.2, 0.9], [0.1, 0.1, 0.4]]))
    ten = Some(counts=(10, 20), error=np.array([[0.5, 0.6, 0.7], [0.2, 0.3, 0.4]]))
    _, (left, right) = style.panels(2)
    figures.draw_landmarks(left, right, sure, {2: two, 10: ten})
    return left, right


def test_errors_are_shares_and_their_bound_is_not_their_error():
    left, _ = errors()
    wanted = {"bound": ((3, 5), [0.55, 0.35]), "error": ((3, 5), [0.25, 0.15])}
    assert unlike(named(left), wanted) == []
    assert words(left) == ("landmarks $l$", "share of the size", "", "log log")
    assert [*ticks(left.xaxis)] == [3, 5]


def test_errors_of_coordinates_are_means_within_their_range():
    _, right = errors()
    means = {"2 coordinates": [0.4, 0.2], "10 coordinates": [0.6, 0.3]}
    assert unlike(named(right), {k: ((10, 20), y) for k, y in means.items()}) == []
    bands = {
        "blue area": ([10, 20], [0.1, 0.1], [0.9, 0.4]),
        "green area": ([10, 20], [0.5, 0.2], [0.7, 0.4]),
    }
    assert unlike(unnamed(right), bands) == []
    assert [look.split()[0] for look in looks(right).values()] == ["blue", "green"]
    assert words(right) == ("landmarks $l$", "", "", "log log")
    assert [*ticks(right.xaxis)] == [10, 20]


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
