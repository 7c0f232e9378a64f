"""The figures of the chapter, read back from their artists."""

import numpy as np
import pytest

from nystheory import kernels, sampling, style
from nystheory.chapters.two_ways_to_learn_a_matrix import figures, findings
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

SHIFTS = {
    "linear digits": -0.21,
    "RBF digits": -0.07,
    "linear patches": 0.07,
    "documents": 0.21,
}
AXES = {
    "values": "accuracy of the singular values, %",
    "spans": "principal cosine of ten singular vectors",
}


@pytest.mark.parametrize(
    ("method", "field"), [("nystrom", findings.VALUES), ("last", findings.SPANS)]
)
def test_differences_have_limits_for_all_groups_together(method, field):
    found = planted(findings.SPECTRA)
    _, (axes,) = style.panels(1)
    figures.draw_differences(axes, found, method, field)
    wanted, groups = {}, ["1–10", "11–20", "21–30", "31–40", "41–50"]
    name = "values" if field is findings.VALUES else "spans"
    for data, shift in SHIFTS.items():
        ours, theirs = (found.measured(name, x, data) for x in (method, "columns"))
        limits = [mean_interval(x, 0.005) for x in (ours - theirs).T]
        middle = (ours - theirs).mean(axis=0)
        ends = [x.low for x in limits], [x.high for x in limits]
        wanted[data] = np.arange(5) + shift, middle, *ends
    assert unlike(named(axes), wanted) == []
    assert unlike(unnamed(axes), {"black -": ([0, 1], [0, 0])}) == []
    colours = ["blue", "orange", "green", "purple"]
    assert [*looks(axes).values()] == [f"{x} with bars" for x in colours]
    assert [bars[0].get_marker() for bars in axes.containers] == [*"os^D"]
    assert ticks(axes.xaxis) == dict(enumerate(groups))
    label = f"{AXES[name]},\nminus that of Column-sampling"
    assert words(axes) == ("singular pairs, by index", label, "", "linear linear")


def test_blocks_are_where_their_names_are():
    K = np.arange(25.0).reshape(5, 5)
    figure = figures.plot_columns(K, [3, 1])
    left, right, bar = figure.axes
    order = [3, 1, 0, 2, 4]
    for axes, matrix in ((left, K), (right, K[np.ix_(order, order)])):
        (image,) = axes.images
        assert np.array_equal(image.get_array(), matrix)
        assert image.origin == "upper" and image.get_cmap().name == style.COLOUR_MAP
    columns, blocks = (axes.images[0].get_alpha() for axes in (left, right))
    assert columns.tolist() == [[0, 1, 0, 1, 0]] * 5
    assert blocks.tolist() == [[1, 1, *[0.4] * 3]] * 2 + [[1, 1, 0, 0, 0]] * 3
    told = {text.get_text(): text.get_position() for text in right.texts}
    assert told == {
        "$W$": (0.5, 0.5),
        "$K_{21}$": (0.5, 3),
        "$K_{21}^\\top$": (3, 0.5),
        "$K_{22}$\nunknown": (3, 3),
    }
    borders = [[1.5, 1.5, 0, 1], [0, 1, 1.5, 1.5]]
    assert by_look(right)["black -"].tolist() == borders
    assert words(left)[:3] == ("column", "row", "$K$, of which $C$ is known")
    axis = "{}, in the new order"
    labels = axis.format("column"), axis.format("row")
    assert words(right)[:3] == (*labels, "landmarks first")
    assert bar.get_ylabel() == "entry"


def test_shadows_are_on_the_line_of_the_landmark():
    # The landmark is (3, 4) / 5 times 10: shadows are 0.6 x + 0.8 y along it.
    X = np.array([[6.0, 5.0, -1.0], [8.0, 0.0, 2.0]])
    left, right = figures.plot_shadows(X, 0).axes
    along = np.array([10, 3, 1])
    shadows = np.outer([0.6, 0.8], along)
    points = {"points": X, "shadows": shadows, "landmark": X[:, [0]]}
    assert unlike(named(left), points) == []
    keys = {"points": "orange o", "shadows": "blue D", "landmark": "black o"}
    assert looks(left) == keys
    others = {
        "grey -": np.outer([0.6, 0.8], [-0.3, 10.3]),
        "grey :": np.stack([X, shadows], axis=2).reshape(2, 6),
        "black +": ([0], [0]),
    }
    assert unlike(unnamed(left), others) == []
    assert words(left)[:2] == ("first coordinate", "second coordinate")
    assert left.get_aspect() == 1
    bars = {
        "$K_{ii}$": (np.arange(3) - 0.19, [100, 25, 5]),
        "$\\tilde K_{ii}$": (np.arange(3) + 0.19, [100, 9, 1]),
    }
    assert unlike(named(right), bars) == [] and unnamed(right) == {}
    assert [*looks(right).values()] == ["orange area", "blue area"]
    assert all(bar.get_y() == 0 for bar in right.patches)
    assert ticks(right.xaxis) == {0: "1", 1: "2", 2: "3"}
    assert words(right) == ("point $i$", "squared length", "", "linear linear")


def test_inner_products_are_on_one_scale():
    ramp = np.linspace(-3, 1, 144).reshape(12, 12)
    grams = {"small": np.array([[1.0, -0.5], [0.25, 2.0]]), "large": ramp}
    *panels, bar = figures.plot_grams(grams).axes
    for axes, (name, gram) in zip(panels, grams.items(), strict=True):
        (image,) = axes.images
        assert np.array_equal(image.get_array(), abs(gram)) and image.origin == "upper"
        assert image.get_clim() == (0, 3) and image.get_cmap().name == style.COLOUR_MAP
        # The number of a vector is the middle of its row, and rows go down.
        end = len(gram) + 0.5
        assert image.get_extent() == [0.5, end, end, 0.5]
        assert words(axes)[:3] == ("vector $j$", "vector $i$", name)
        told = {1: "1", 2: "2"} if name == "small" else {1: "1", 10: "10"}
        assert ticks(axes.xaxis) == ticks(axes.yaxis) == told
    assert bar.get_ylabel() == "$|\\tilde u_i^\\top \\tilde u_j|$"
    assert bar.get_ylim() == (0, 3)


def test_values_are_those_of_one_sample():
    n, count, rank = 6, 4, 3
    F = np.random.default_rng(0).standard_normal((n, n))
    made = {"one": F @ F.T, "other": np.diag([6.0, 5, 4, 3, 2, 1])}
    matrices = {name: kernels.DenseKernel(K) for name, K in made.items()}
    panels = figures.plot_values(matrices, count, rank, seed=5).axes
    index = np.arange(1, rank + 1)
    for axes, (name, K) in zip(panels, made.items(), strict=True):
        S = sampling.uniform(K, count, np.random.default_rng(5)).indices
        nystrom = n / count * np.linalg.eigvalsh(K[np.ix_(S, S)])[::-1]
        columns = np.sqrt(n / count) * np.linalg.svd(K[:, S], compute_uv=False)
        wanted = {
            "exact": (index, np.linalg.eigvalsh(K)[::-1][:rank]),
            "Nyström": (index, nystrom[:rank]),
            "Column-sampling": (index, columns[:rank]),
        }
        assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
        assert [*looks(axes).values()] == ["black -", "blue o", "vermilion s"]
        label = "singular value" if name == "one" else ""
        assert words(axes) == ("index $j$", label, name, "linear log")
