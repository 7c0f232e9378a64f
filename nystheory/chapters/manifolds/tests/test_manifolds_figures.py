"""The figures of the chapter, read back from their artists."""

from types import SimpleNamespace as Some

import numpy as np
import pytest

from nystheory import datasets, style
from nystheory.chapters.manifolds import experiments, figures, findings, rolls
from nystheory.engine.findings.experiments import LEVEL, Sweep
from nystheory.engine.report.artists import (
    by_look,
    looks,
    named,
    ticks,
    unlike,
    unnamed,
    words,
)
from nystheory.engine.trial.statistics import mean_interval


def dots(axes):
    """The places of coloured points, their values and the map of their colours."""
    (some,) = (x for x in axes.collections if x.get_array() is not None)
    values = np.asarray(some.get_array())
    return np.array(some.get_offsets()), values, some.get_cmap().name


# ---- heads ----


def test_a_picture_is_at_its_place_and_not_upside_down():
    X = np.array([[0.2, 0.4, 0.6, 0.0], [1.0, 0.5, 0.25, 0.125], [0.1, 0.1, 0.1, 0.1]])
    places = np.array([[0.0, 0.0], [4.0, 6.0], [0.5, 0.5]])
    _, (axes,) = style.panels(1)
    # Four side by side in a width of 4: pictures of width 1, so the third is covered.
    assert figures.draw_heads(axes, X, places, across=4) == 2
    for picture, place, each in zip(axes.images, places, X, strict=False):
        shown = np.asarray(picture.get_array())
        assert shown[..., 0].ravel() == pytest.approx(each)
        assert (shown[..., 3].ravel() == (each > 0)).all()
        left, right, bottom, top = picture.get_extent()
        assert ((left + right) / 2, (bottom + top) / 2) == pytest.approx(tuple(place))
        assert (right - left, top - bottom) == (1, 1) and picture.origin == "upper"
    assert (axes.get_xlim(), axes.get_ylim()) == ((-0.5, 4.5), (-0.5, 6.5))
    assert words(axes)[:2] == ("coordinate 1", "coordinate 2")


def test_projections_have_the_colour_of_their_pose():
    """A pose is shown by its mean angle to the side, not by the angle up."""
    angles = np.array([[10.0, 1.0], [-30.0, 2.0], [20.0, 3.0], [-10.0, 4.0]])
    seen = Some(pose=np.array([2, 0, 2, 0]), angles=angles)
    found = {
        name: np.arange(12.0).reshape(4, 3) * i for i, name in enumerate("abcd", 1)
    }
    figure, panels = style.grid()
    figures.draw_projections(panels, found, seen)
    for axes, (name, places) in zip(panels, found.items(), strict=True):
        shown, values, colours = dots(axes)
        assert shown.tolist() == places[:, :2].tolist()
        assert values.tolist() == [15, -20, 15, -20] and colours == style.COLOUR_MAP
        assert words(axes)[2] == name
    labels = [words(axes)[:2] for axes in panels]
    one, two = "coordinate 1", "coordinate 2"
    assert labels == [("", two), ("", ""), (one, two), (one, "")]
    assert figure.axes[-1].get_ylabel() == "degrees to the side, of the pose"


# ---- rolls ----


def test_a_walk_is_the_same_points_from_the_side_and_flat():
    X = np.array([[0.0, 9, 1], [2, 9, 3], [4, 9, 5], [6, 9, 8]])
    flat, angle = np.array([[0.0, 1], [1, 5], [2, 3], [3, 4]]), np.arange(4.0)
    path = np.array([0, 2, 3])
    _, (side, plane) = style.panels(2)
    figures.draw_walk(side, plane, rolls.Walk(X, angle, path, 1.0, 2.0, flat, 0.0))
    for axes, places in ((side, X[:, [0, 2]]), (plane, flat)):
        shown, values, _ = dots(axes)
        assert shown.tolist() == places.tolist() and values.tolist() == [0, 1, 2, 3]
        assert by_look(axes)["black -"].tolist() == places[path].T.tolist()
    wanted = {"geodesic": ([0, 4, 6], [1, 5, 8]), "straight": ([0, 6], [1, 8])}
    assert unlike(named(side), wanted) == []
    assert looks(side) == {"geodesic": "black -", "straight": "vermilion --"}
    assert words(side)[:3] == ("", "", "from the side")
    assert words(plane)[:3] == ("coordinate 1", "coordinate 2", "Isomap")


def test_correlations_have_the_look_of_their_noise():
    def some(first):
        counts = (5, 10)
        along = np.array([first, first / 2])
        return rolls.Bridges(counts, 9 * along, along, along / 3)

    found = {0.0: (some(0.8), some(0.9)), 0.5: (some(0.4), some(0.6))}
    _, (axes,) = style.panels(1)
    figures.draw_bridges(axes, found)
    wanted = {
        f"noise {noise:g}, {limit}": ((5, 10), each.along)
        for noise, pair in found.items()
        for limit, each in zip(("no limit", "limit"), pair, strict=True)
    }
    assert unlike(named(axes), wanted) == []
    keys = ["blue o -", "blue :", "vermilion ^ -", "vermilion :"]
    assert [*looks(axes).values()] == keys
    labels = "neighbours $t$", "correlation along the strip"
    assert words(axes) == (*labels, "", "linear linear")
    assert axes.get_ylim() == (0, 1.05)


def test_a_roll_is_coloured_along_the_strip():
    places, angle = np.array([[0.0, 1], [2, 3]]), np.array([4.0, 5])
    _, (axes,) = style.panels(1)
    figures.draw_unrolled(axes, places, angle, "limit")
    shown, values, colours = dots(axes)
    assert shown.tolist() == places.tolist() and values.tolist() == [4, 5]
    assert colours == style.COLOUR_MAP
    assert words(axes)[:3] == ("coordinate 1", "", "limit")


# ---- what the methods are worth ----


def test_gains_are_of_nystrom_and_have_their_interval():
    rng, names = np.random.default_rng(0), ("digits, RBF", "heads, linear")
    methods = (experiments.NYSTROM, experiments.COLUMNS)
    sweeps = {
        x: Sweep((5, 10), {m: rng.uniform(0, 1, (2, 6)) for m in methods})
        for x in names
    }
    _, (axes,) = style.panels(1)
    figures.draw_preserved(axes, sweeps)
    wanted = {}
    for name, sweep in sweeps.items():
        gain = sweep.accuracy["Nyström"] - sweep.accuracy["Column-sampling"]
        ends = [mean_interval(row, LEVEL) for row in gain]
        low, high = [x.low for x in ends], [x.high for x in ends]
        wanted[name] = ((5, 10), gain.mean(axis=1), low, high)
    assert unlike(named(axes), wanted) == []
    assert unlike(unnamed(axes), {"black -": ([0, 1], [0, 0])}) == []
    label = "Nyström less Column-sampling"
    assert words(axes) == ("columns $l$", label, "", "log linear")
    assert [*ticks(axes.xaxis)] == [5, 10]


def test_signs_of_eigenvalues_have_their_own_colour():
    _, (axes,) = style.panels(1)
    figures.draw_spectrum(axes, Some(values=np.array([4.0, -3.0, 2.0, -1.0])), 3)
    wanted = {"positive": ([1, 3], [1, 0.5]), "negative": ([2], [0.75])}
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    assert looks(axes) == {"positive": "blue area", "negative": "vermilion area"}
    assert words(axes) == ("number", "modulus, by the first", "", "linear log")


def test_moves_and_their_bound_are_means_of_draws():
    fields = (findings.SQUARES, findings.MOVED, findings.BOUND)
    factors = {each.name: i for i, each in enumerate(fields, 1)}
    counts = findings.MOVES.settings

    def measured(field, name, data):
        assert (name, data) == ("root", "strip")
        return factors[field] * np.array([[1.0], [3.0]]) / (1 + np.arange(len(counts)))

    _, (axes,) = style.panels(1)
    found = Some(experiment=findings.MOVES, measured=measured)
    figures.draw_moves(axes, found, "strip")
    values = 2 / (1 + np.arange(len(counts)))
    wanted = {x.label: (counts, factors[x.name] * values) for x in fields}
    assert unlike(named(axes), wanted) == []
    assert words(axes) == ("points $n$", "relative size, %", "", "log log")


def test_frames_have_the_wrong_edges_of_their_graph():
    roll = datasets.swiss_roll(400, np.random.default_rng(0))
    found = {t: rolls.unrolled(roll, t, n_landmarks=40) for t in (5, 20)}
    few, many = figures.plot_short_circuits(roll, found).frames
    assert found[5].edges == 0 < found[20].edges
    for frame, count in ((few, 5), (many, 20)):
        side, flat = frame.figure.axes
        each = found[count]
        places, values, _ = dots(side)
        assert np.array_equal(places, roll.X[::5, [0, 2]])
        assert np.array_equal(values, roll.y[::5])
        places, values, _ = dots(flat)
        assert np.array_equal(places, each.places[::5])
        assert np.array_equal(values, each.angle[::5])
        ends = [x.get_xydata() for x in side.lines]
        assert len(ends) == each.edges
        for one in ends:
            at = [np.flatnonzero((roll.X[:, [0, 2]] == x).all(axis=1))[0] for x in one]
            assert abs(np.diff(roll.y[at]))[0] > np.pi
        assert (frame.name, words(side)[2]) == (f"{count}", f"{count} neighbours")
        assert frame.words == (
            f"Edges between two windings: {each.edges}. "
            f"Correlation with the place along the strip: {each.along:.2f}."
        )
