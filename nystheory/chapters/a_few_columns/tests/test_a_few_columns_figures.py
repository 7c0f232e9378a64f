"""The figures of the chapter, read back from their artists."""

import numpy as np

from nystheory import style
from nystheory.chapters.a_few_columns import figures, findings
from nystheory.engine.report.artists import (
    by_look,
    looks,
    named,
    planted,
    unlike,
    words,
)

THREE = np.array([[2.0, 2.0, 0.0], [2.0, 4.0, 1.0], [0.0, 1.0, 3.0]])


def test_the_filled_matrix_and_what_it_misses():
    *panels, entries, sizes = figures.plot_filled(THREE, [0]).axes
    column = np.array([2.0, 2, 0])
    filled = np.outer(column, column) / 2
    wanted = THREE, filled, THREE - filled
    for axes, matrix in zip(panels, wanted, strict=True):
        (image,) = axes.images
        assert np.allclose(image.get_array(), matrix)
        assert image.origin == "upper" and image.get_cmap().name == style.COLOUR_MAP
    assert panels[0].images[0].get_alpha().tolist() == [[1, 0, 0]] * 3
    assert [x.images[0].get_clim() for x in panels] == [(0, 4)] * 3
    assert [words(x)[2] for x in panels] == ["1 of 3 columns", "filled", "missed"]
    assert (entries.get_ylabel(), sizes.get_ylabel()) == ("entry", "size of the error")


def test_what_is_read_against_the_number_of_columns():
    found = planted(findings.READ)
    (axes,) = figures.plot_read(found, "digits").axes
    each = found.measured("right", "some", "digits")
    counts, best = [20, 50, 100, 200], found.measured("right", "all", "digits").mean()
    wanted = {
        "uniform columns": (counts, each.mean(axis=0)),
        "all columns": (counts, [best] * 4),
    }
    assert unlike(named(axes), wanted) == []
    assert looks(axes) == {"uniform columns": "blue o -", "all columns": "grey --"}
    thin = [x.get_ydata() for x in axes.lines if x.get_linewidth() < 1]
    assert np.array_equal(thin, each)
    label = "new points labelled correctly, %"
    assert words(axes) == ("columns", label, "", "linear linear")


def test_landmarks_and_what_is_missed_of_a_point():
    X = np.array([[0.0, 0], [0, 1], [9, 9]])
    *panels, bar = figures.plot_missed(X, {"one": [0], "two": [0, 2]}).axes
    near = 100 * (1 - np.exp(-2 * findings.WIDTH))
    for axes, landmarks, missed in zip(
        panels, ([0], [0, 2]), ([0, near, 100], [0, near, 0]), strict=True
    ):
        points, rings = axes.collections
        assert np.allclose(points.get_array(), missed) and points.get_clim() == (0, 100)
        assert np.array_equal(points.get_offsets(), X)
        assert np.array_equal(rings.get_offsets(), X[landmarks])
        assert words(axes)[:2] == ("first coordinate", "second coordinate")
    assert [words(x)[2] for x in panels] == ["one", "two"]
    assert panels[0].get_legend().get_texts()[0].get_text() == "landmarks"
    assert bar.get_ylabel() == "share of the point missed, %"


def test_functions_from_nodes_and_as_they_are():
    (axes,) = figures.plot_extended(8).axes
    x = np.linspace(0, 1, 241)
    nodes = (np.arange(8) + 0.5) / 8
    curves = {each.get_label(): each.get_ydata() for each in axes.lines}
    dots = [each for each in axes.lines if each.get_marker() == "o"]
    for j, name in enumerate(("first", "second", "third")):
        true = np.sqrt(2) * np.sin((j + 0.5) * np.pi * nodes)
        assert np.allclose(dots[j].get_xydata(), np.column_stack([nodes, true]))
        # The kernel is a polygon in x, with corners at the nodes.
        corners = np.r_[0, nodes, 1], np.r_[0, true, true[-1]]
        assert np.allclose(curves[name], np.interp(x, *corners))
    grey = by_look(axes)["grey :"]
    assert np.allclose(grey[1][:241], np.sqrt(2) * np.sin(np.pi * x / 2))
    told = [each.get_text() for each in axes.get_legend().get_texts()]
    assert told == ["first", "second", "third", "exact"]
    assert words(axes) == ("x", "eigenfunction", "", "linear linear")


def test_frames_take_the_first_columns_and_say_what_is_missed():
    slider = figures.plot_one_by_one(THREE, [2, 0], np.array([7, 7, 5]), [1, 2])
    assert slider.first == 1
    column = np.array([0.0, 1, 3])
    for frame, own, filled, digits in zip(
        slider.frames,
        ([2], [2, 0]),
        (np.outer(column, column) / 3, None),
        ("5", "5, 7"),
        strict=True,
    ):
        known, whole, missed = (x.images[0] for x in frame.figure.axes[:3])
        assert np.flatnonzero(known.get_alpha()[0]).tolist() == sorted(own)
        if filled is not None:
            assert np.allclose(whole.get_array(), filled)
        error = np.linalg.norm(missed.get_array()) / np.linalg.norm(THREE)
        assert frame.name == f"{len(own)} of 3"
        assert frame.words == (
            f"Digits with a column: {digits}. "
            f"Missed: {100 * error:.0f} % in the Frobenius norm."
        )
