"""The figures of the chapter, read back from their artists."""

from types import SimpleNamespace as Some

import numpy as np
import pytest
from matplotlib.contour import QuadContourSet

from nystheory import style
from nystheory.chapters.machines_on_few_columns import (
    certain,
    figures,
    findings,
    spectra,
)
from nystheory.engine.findings.held_out import Points
from nystheory.engine.report.artists import (
    by_look,
    colour,
    looks,
    named,
    ticks,
    unlike,
    unnamed,
    words,
)

POINTS = Points(np.array([[0.1, 0.2], [1.0, 0.5], [0.3, -1.0]]), np.array([1, -1, -1]))


def contours(axes):
    return [x for x in axes.collections if isinstance(x, QuadContourSet)]


def plane(across, up):
    """Scores that are the sum of both coordinates, less a half."""
    x, y = np.meshgrid(across, up)
    return x + y - 0.5


# ---- borders ----


def test_borders_and_landmarks_are_those_of_their_machine():
    scores = plane(figures.ACROSS, figures.UP)
    few = figures.Border(2, np.array([[0.0, 0.1], [0.2, 0.3]]), scores, 12.34, 5.0)
    whole = figures.Border(3, POINTS.X, 2 * scores, 6.0, 0.0)
    one, two = figures.plot_borders(POINTS, [few, whole]).axes
    labels = {"label -1": POINTS.X[1:].T, "label 1": POINTS.X[:1].T}
    assert unlike(named(one), labels | {"landmark": few.landmarks.T}) == []
    told = {look.split()[0]: x for look, x in by_look(two).items()}
    assert unlike(told, {"sky": POINTS.X[1:].T, "orange": POINTS.X[:1].T}) == []
    titles = [words(axes)[2] for axes in (one, two)]
    assert titles == ["2 columns: 12.3 % wrong", "all 3 columns: 6.0 % wrong"]
    colours = [look.split()[0] for look in looks(one).values()]
    assert colours == ["sky", "orange", "black"]


def test_the_border_is_where_the_score_is_zero():
    """The margins, dotted and thin, where it is one."""
    scores = plane(figures.ACROSS, figures.UP)
    (axes,) = figures.plot_borders(
        POINTS, [figures.Border(3, POINTS.X, scores, 6.0, 0.0)]
    ).axes
    (lines,) = contours(axes)
    assert [*lines.levels] == [-1, 0, 1] and [*lines.get_linewidth()] == [0.8, 1.8, 0.8]
    for level, path in zip(lines.levels, lines.get_paths(), strict=True):
        assert path.vertices.sum(axis=1) - 0.5 == pytest.approx(level)
    thin, thick, other = lines.get_linestyle()
    assert thin == other and thin[1] is not None and thick[1] is None


def test_grey_is_where_a_label_may_still_change():
    scores = plane(certain.ACROSS, certain.UP)
    shown = certain.Unfinished(POINTS, None, 0.4, scores)
    _, (axes,) = style.panels(1)
    certain.draw(axes, shown, "after 2 passes")
    area, line = contours(axes)
    assert colour(area.get_facecolor()[0]) == "grey"
    (grey,), (border,) = area.get_paths(), line.get_paths()
    step = np.diff(certain.ACROSS)[0]
    reach = np.abs(grey.vertices.sum(axis=1) - 0.5)
    assert reach.max() == pytest.approx(0.4, abs=2 * step)
    assert border.vertices.sum(axis=1) == pytest.approx(0.5)
    told = {look.split()[0]: x for look, x in by_look(axes).items()}
    wanted = {"blue": POINTS.X[:1].T, "orange": POINTS.X[1:].T}
    assert unlike(told, wanted) == []
    labels = "first coordinate", "second coordinate"
    assert words(axes) == (*labels, "after 2 passes", "linear linear")


# ---- fields along columns or passes ----


def planted(experiment):
    """Numbers of their own for each competitor, field and data set."""
    names, fields = list(experiment.competitors), list(experiment.measured)

    def measured(field, name, data):
        factor = 1 + names.index(name) + 10 * fields.index(field)
        factor += 100 * list(experiment.data).index(data)
        count = 1 if name == "kernel" else len(experiment.settings)
        return factor * np.array([[1.0], [3.0]]) / (1 + np.arange(count))

    return Some(experiment=experiment, measured=measured)


def are_drawn(axes, found, field, data):
    """The means of two draws; one number is a line across."""
    experiment = found.experiment
    wanted = {}
    for name, each in experiment.competitors.items():
        values = 2 * found.measured(field.name, name, data)[0]
        line = [0, 1], [values[0], values[0]]
        wanted[each.label] = line if name == "kernel" else (experiment.settings, values)
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    x, _, title, scales = words(axes)
    assert (x, title, scales) == (experiment.along.axis, data, "log log")
    assert [*ticks(axes.xaxis)] == [*experiment.settings]


@pytest.mark.parametrize(
    ("experiment", "field", "labels"),
    [
        (
            findings.SCORES,
            findings.ERROR,
            ("columns", "share of wrong labels, %"),
        ),
        (
            findings.GAPS,
            findings.GAP,
            ("passes", "duality gap, % of the value at zero"),
        ),
    ],
)
def test_curves_are_those_of_their_competitors(experiment, field, labels):
    found, data = planted(experiment), list(experiment.data)[-1]
    _, (axes,) = style.panels(1)
    figures.draw_curves(axes, found, field, data)
    are_drawn(axes, found, field, data)
    assert words(axes)[:2] == labels


def test_light_groups_have_their_own_field_and_label():
    found = planted(findings.SCORES)
    figure = figures.plot_columns(found)
    for axes, data in zip(figure.axes, found.experiment.shown, strict=True):
        light = data in findings.UNEVEN
        field = findings.RARE if light else findings.ERROR
        are_drawn(axes, found, field, data)
        label = "wrong labels in light groups, %" if light else "wrong labels, %"
        assert words(axes)[1] == label


def test_gaps_are_drawn_on_the_data_of_the_page():
    found = planted(findings.GAPS)
    figure = figures.plot_gaps(found)
    for axes, data in zip(figure.axes, found.experiment.shown, strict=True):
        are_drawn(axes, found, findings.GAP, data)
        assert words(axes)[1] == "duality gap, % of the value at zero"


# ---- spectra ----


def falling():
    """Two spectra with fits, and two of which only the eigenvalue is drawn."""
    one, two = np.array([0.5, 0.25, 0.1, 1e-12]), np.array([0.4, 0.3, 0.2])
    lines = [1, 2], [0.6, 0.2]
    rest = {x: spectra.Spectrum(np.ones(1), Some(fit=None), 9, 9) for x in "ab"}
    return {
        "one": Some(values=one, hinge=2, square=3, fitted=lambda: lines),
        "two": Some(values=two, hinge=2, square=9, fitted=lambda: lines[::-1]),
    } | rest


def test_spectra_have_their_fits_and_their_columns():
    """A circle for the hinge loss, a square for the square loss; 9 columns are none."""
    (axes,) = figures.plot_spectra(falling()).axes
    wanted = {
        "one": ([1, 2, 3], [0.5, 0.25, 0.1]),
        "two": ([1, 2, 3], [0.4, 0.3, 0.2]),
        **{name: ([1], [1]) for name in "ab"},
    }
    assert unlike(named(axes), wanted) == []
    marks = {"blue --": ([1, 2], [0.6, 0.2]), "vermilion --": ([0.6, 0.2], [1, 2])}
    marks |= {"blue o": ([2], [0.25]), "blue s": ([3], [0.1])}
    marks |= {"vermilion o": ([2], [0.3])}
    shown = {k: x for k, x in unnamed(axes).items() if x.shape[1]}
    assert unlike(shown, marks) == []
    labels = "index j of the eigenvalue", "eigenvalue of the covariance"
    assert words(axes) == (*labels, "", "log log")


def test_frames_have_the_border_of_few_columns_and_that_of_all():
    scores = plane(figures.ACROSS, figures.UP)
    one = figures.Border(2, np.array([[0.0, 0.1], [0.2, 0.3]]), scores, 12.34, 5.0)
    two = figures.Border(1, np.array([[0.5, 0.6]]), scores + 0.2, 20, 15.0)
    whole = figures.Border(3, POINTS.X, scores - 0.3, 6.0, 0.0)
    slider = figures.plot_border_by_columns(POINTS, [one, two, whole])
    assert [frame.name for frame in slider.frames] == ["2", "1"]
    for frame, each, lift in zip(slider.frames, (one, two), (0, 0.2), strict=True):
        (axes,) = frame.figure.axes
        found = named(axes)
        assert np.array_equal(found["landmark"], each.landmarks.T)
        assert np.array_equal(found["label -1"], POINTS.X[1:].T)
        assert looks(axes)["all columns"] == "vermilion --"
        assert looks(axes)["these columns"] == "black -"
        for lines, wanted, least in zip(
            contours(axes), ("vermilion", "black"), (0.8, 0.5 - lift), strict=True
        ):
            assert colour(lines.get_edgecolor()[0]) == wanted
            (path,) = lines.get_paths()
            assert path.vertices.sum(axis=1) == pytest.approx(least)
        assert frame.words == (
            f"{each.error:.1f} % of new points get a wrong label, "
            f"{each.differs:.1f} % another one than from all columns."
        )
