"""The figures of the chapter, read back from their artists."""

from types import SimpleNamespace as Some

import numpy as np
import pytest
from matplotlib.contour import QuadContourSet

from nystheory import style
from nystheory.chapters.which_random_features import figures, findings, variance_maps
from nystheory.engine.report.artists import (
    by_look,
    looks,
    named,
    ticks,
    unlike,
    unnamed,
    words,
)


def planted(experiment):
    """Numbers of their own for each competitor, field and data set."""
    names, fields = list(experiment.competitors), list(experiment.measured)

    def measured(field, name, data):
        key = names.index(name), fields.index(field), list(experiment.data).index(data)
        return np.random.default_rng(key).uniform(1, 9, 4)

    return Some(experiment=experiment, measured=measured)


def rows(found, field, base=""):
    """Dots on the rows of the data, beside each other; over a base, if there is one."""
    experiment, wanted = found.experiment, {}
    names = [x for x in experiment.competitors if x != base]
    for place, name in enumerate(names):
        values = [found.measured(field.name, name, x).mean() for x in experiment.shown]
        if base:
            one = [found.measured(field.name, base, x).mean() for x in experiment.shown]
            values = np.array(values) / one
        heights = np.arange(len(values)) + 0.12 * (place - (len(names) - 1) / 2)
        wanted[experiment.competitors[name].label] = values, heights
    return wanted


def are_rows(axes, names):
    """The first data set stands on top."""
    assert ticks(axes.yaxis) == dict(enumerate(names))
    low, high = axes.get_ylim()
    assert low > high


@pytest.mark.parametrize("experiment", [findings.KINDS, findings.BINNING])
def test_kinds_are_on_the_rows_of_their_data(experiment):
    found = planted(experiment)
    left, right = figures.plot_kinds(found).axes
    assert unlike(named(left), rows(found, findings.ERROR)) == []
    label = "error of $K$, Frobenius norm, % of its norm"
    assert words(left) == (label, "", "", "log linear")
    are_rows(left, experiment.shown)
    places = by_look(right)
    line = {"one": places.pop("black :")}
    assert unlike(line, {"one": ([1, 1], [0, 1])}) == []
    over = rows(found, findings.MISSED, "pairs")
    # The colours are those of the panel with the legend.
    assert unlike(places, {looks(left)[label]: x for label, x in over.items()}) == []
    assert words(right)[0] == "variance missed, over that of pairs"


def test_budgets_are_over_uniform_columns():
    found = planted(findings.BUDGETS)
    (axes,) = figures.plot_budgets(found).axes
    assert unlike(named(axes), rows(found, findings.MISSED, "uniform")) == []
    assert unlike(unnamed(axes), {"black :": ([1, 1], [0, 1])}) == []
    label = "variance missed, over that of uniform columns"
    assert words(axes) == (label, "", "", "log linear")
    are_rows(axes, findings.BUDGETS.shown)


def test_the_bin_of_the_triangle_is_shaded():
    """Bins of 2 by 1, of which one begins at 0.5 and 0.2."""
    X = np.array([[3.0, 0.4], [0.1, 0.1], [2.9, 2.0]])
    _, (axes,) = style.panels(1)
    figures.draw_grid(axes, X, np.array([2.0, 1.0]), np.array([0.5, 0.2]))
    (shaded,) = axes.patches
    assert shaded.get_bbox().bounds == pytest.approx((2.5, 0.2, 2, 1))
    shown = by_look(axes)
    dots = {"black ^": ([3], [0.4]), "black o": ([0.1, 2.9], [0.1, 2.0])}
    assert unlike({k: shown[k] for k in dots}, dots) == []
    lines = shown["grey -"].T.reshape(-1, 2, 2)
    upright = [x for (x, low), (_, high) in lines if (low, high) == (0, 1)]
    across = [y for (left, y), (right, _) in lines if (left, right) == (0, 1)]
    assert len(upright) + len(across) == len(lines)
    assert [x for x in upright if 0 < x < 3.1] == pytest.approx([0.5, 2.5])
    assert [y for y in across if 0 < y < 2.1] == pytest.approx([0.2, 1.2])
    assert axes.get_xlim() == pytest.approx((0, 3.1))
    assert axes.get_ylim() == pytest.approx((0, 2.1))


def test_variances_are_those_of_their_kind():
    z, kinds = np.array([0.5, 1.0, 2.0]), list(variance_maps.LOOKS)
    of = {name: i / z for i, name in enumerate(kinds, 1)}
    _, (axes,) = style.panels(1)
    variance_maps.draw_lines(axes, variance_maps.Variances(z, of, np.exp(-z), 3, 12))
    assert unlike(named(axes), {name: (z, y) for name, y in of.items()}) == []
    labels = "distance $z$", "variance × number of features"
    assert words(axes) == (*labels, "", "linear linear") and axes.get_ylim()[0] == 0


def test_the_map_is_hatched_where_the_ratio_is_above_one():
    z, dimensions = np.array([1.0, 2, 3]), [2, 3, 4]
    table = np.array([[0.2, 0.5, 0.8], [0.4, 0.9, 1.2], [0.6, 1.1, 1.4]])
    figure, (axes,) = style.panels(1)
    variance_maps.draw_ratios(axes, z, dimensions, table)
    mesh, line, hatched = axes.collections
    assert np.allclose(mesh.get_array(), table) and mesh.get_clim() == (0, 1)
    corners = mesh.get_coordinates()
    assert corners[0, :, 0].tolist() == [0.5, 1.5, 2.5, 3.5]
    assert corners[:, 0, 1].tolist() == [1.5, 2.5, 3.5, 4.5]
    assert isinstance(line, QuadContourSet) and [*line.levels] == [1]
    # Between 0.9 and 1.2 in the second row, 0.9 and 1.1 in the second column.
    crossed = {tuple(np.round(x, 6)) for x in line.get_paths()[0].vertices}
    assert {(2.333333, 3.0), (2.0, 3.5)} <= crossed
    assert hatched.hatches == ["//"]
    (area,) = hatched.get_paths()
    assert area.contains_point((2.9, 3.9)) and not area.contains_point((1.1, 2.1))
    assert words(axes)[:2] == ("distance $z$", "dimension $d$")
    assert words(figure.axes[1])[1] == "orthogonal over independent variance"
