"""The figures of the chapter, read back from their artists."""

from types import SimpleNamespace as Some

import numpy as np
import pytest
from matplotlib.contour import QuadContourSet

from nystheory import style
from nystheory.chapters.choosing_the_kernel import (
    experiments,
    figures,
    findings,
    widths,
)
from nystheory.engine.report.artists import by_look, looks, named, unlike, words

GAMMAS = np.array(experiments.GAMMAS)
LABELS = {name: each.label for name, each in findings.FIGURE.competitors.items()}


def criterion(name, data):
    """A parabola of its own for each competitor and data set."""
    place = list(LABELS).index(name)
    low = place + 2 * list(findings.FIGURE.data).index(data)
    return 1 + 0.1 * place + (np.arange(len(GAMMAS)) - low) ** 2


def planted():
    """The parabolas in the mean over two draws."""

    def measured(field, name, data):
        assert field == "criterion"
        return np.array([[0.5], [1.5]]) * criterion(name, data)

    return Some(experiment=findings.FIGURE, measured=measured)


def are_drawn(axes, names, data):
    """The mean of each competitor, a ring of its colour where it is least."""
    curves = {LABELS[x]: (GAMMAS, criterion(x, data)) for x in names}
    assert unlike(named(axes), curves) == []
    rings = {look: y for look, y in by_look(axes).items() if "rings" in look}
    wanted = {}
    for name in names:
        least, colour = int(np.argmin(criterion(name, data))), figures.LOOKS[name][0]
        place = GAMMAS[least], criterion(name, data)[least]
        wanted.setdefault(colour, []).append(place)
    told = {look.split()[0]: places for look, places in rings.items()}
    assert unlike(told, {x: np.transpose(y) for x, y in wanted.items()}) == []
    assert words(axes) == (r"$\gamma$", "criterion", data, "log linear")


def test_curves_and_rings_are_those_of_their_competitors():
    _, (axes,) = style.panels(1)
    figures.draw_curves(axes, planted(), "moons", ("original", "driven"))
    are_drawn(axes, ("original", "driven"), "moons")


def test_two_panels_have_their_own_data():
    some = ("original", "optimal", "uniform")
    figure = figures.plot_two(planted(), ("waves", "moons"), some)
    for axes, data in zip(figure.axes, ("waves", "moons"), strict=True):
        are_drawn(axes, some, data)
    assert list(looks(figure.axes[0])) == [LABELS[x] for x in some]


def test_eight_curves_have_one_legend():
    figure = figures.plot_eight(planted())
    for axes, data in zip(figure.axes, findings.FIGURE.shown, strict=True):
        are_drawn(axes, tuple(figures.LOOKS), data)
    (legend,) = figure.legends
    assert len(looks(figure.axes[0], legend)) == 8


def test_columns_and_labels_are_where_they_are():
    X = np.arange(10.0).reshape(5, 2) ** 2
    learn = Some(X=X, y=np.array([1, -1, 1, -1, 1]))
    columns = {"uniform": np.array([0, 3]), "criterion_driven": np.array([2])}
    unseen = {"uniform": 40.0, "criterion_driven": 20.0}
    figure = figures.plot_clumps(learn, columns, unseen)
    for axes, S in zip(figure.axes, columns.values(), strict=True):
        wanted = {"label -1": X[1::2].T, "label 1": X[::2].T, "column": X[S].T}
        assert unlike(named(axes), wanted) == []
    titles = [words(axes)[2] for axes in figure.axes]
    assert titles == [
        "uniform columns: 40 % not reached",
        "criterion-driven: 20 % not reached",
    ]
    assert [x.split()[0] for x in looks(figure.axes[1]).values()] == [
        *("sky", "orange", "black")
    ]


@pytest.mark.parametrize("seed", [0, 1])
def test_what_is_not_reached_is_a_share_of_the_points(seed):
    learn, columns, unseen = figures.clumps(seed, 60)
    gamma = GAMMAS[figures.PLACE]
    for name, S in columns.items():
        squares = ((learn.X[:, None] - learn.X[S]) ** 2).sum(axis=2)
        near = np.exp(-gamma * squares).max(axis=1)
        assert unseen[name] == pytest.approx(100 * np.mean(near < figures.LOW))


def test_frames_have_the_borders_and_the_criteria_of_their_width():
    across, up = np.meshgrid(widths.SIDE, widths.SIDE)
    learn = Some(X=np.array([[0.0, 0.1], [0.2, 0.3]]), y=np.array([1.0, -1]))
    found = {
        method: [
            widths.Machine(0.1 + lift + 0.2 * k, across - lift - k / 4, 5.0 + k + lift)
            for k in range(2)
        ]
        for method, lift in (("exact", 0.0), ("nystrom", 0.5))
    }
    frames = widths.plot_widths(learn, 7, found, [1.0, 4.0]).frames
    assert [frame.name for frame in frames] == ["1", "4"]
    for k, frame in enumerate(frames):
        left, right = frame.figure.axes
        curves = {"all columns": [0.1, 0.3], "uniform columns": [0.6, 0.8]}
        wanted = {name: ([1, 4], values) for name, values in curves.items()}
        assert unlike(named(right), wanted) == []
        for look, name in zip(("black o", "vermilion o"), curves, strict=True):
            assert np.allclose(by_look(right)[look], [[4.0**k], [curves[name][k]]])
        assert looks(right) == {
            "all columns": "black -",
            "uniform columns": "vermilion --",
        }
        for lines, place in zip(contours(left), (k / 4, 0.5 + k / 4), strict=True):
            (path,) = lines.get_paths()
            assert path.vertices[:, 0] == pytest.approx(place)
        assert words(right) == (r"$\gamma$", "criterion", "", "log linear")
        assert frame.words == (
            f"Criterion {0.1 + 0.2 * k:.2f} from all 2 columns, "
            f"{0.6 + 0.2 * k:.2f} from 7 of them. Wrong labels of new points: "
            f"{5 + k:.1f} % and {5.5 + k:.1f} %."
        )


def test_machines_see_the_same_columns_and_few_cost_more():
    learn, columns, found = widths.machines([0.5, 4.0], n=60)
    assert columns == round(experiments.SHARE * 60) and len(learn.y) == 60
    for whole, few in zip(found["exact"], found["nystrom"], strict=True):
        assert whole.criterion <= few.criterion
        assert whole.scores.shape == few.scores.shape and whole.error < 50


def contours(axes):
    return [x for x in axes.collections if isinstance(x, QuadContourSet)]
