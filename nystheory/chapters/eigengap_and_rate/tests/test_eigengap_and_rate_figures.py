"""The figures of the chapter, read back from their artists."""

from types import SimpleNamespace as Some

import numpy as np
import pytest

from nystheory import style
from nystheory.chapters.eigengap_and_rate import figures, findings, turning
from nystheory.chapters.eigengap_and_rate.experiments import Leading
from nystheory.engine.report.artists import (
    by_look,
    looks,
    named,
    ticks,
    unlike,
    unnamed,
    words,
)


@pytest.mark.parametrize(
    ("experiment", "field", "label"),
    [
        (findings.FIGURE_1, findings.ACCURACY, "accuracy on the test, %"),
        (findings.ON_DATA, findings.ERROR, "error on the test, %"),
    ],
)
def test_means_have_bars_of_one_deviation(experiment, field, label):
    names, m = list(experiment.competitors), np.array(experiment.settings, dtype=float)

    def measured(what, name, data):
        assert (what, data) == (field.name, "some")
        middle = (1 + names.index(name)) / m
        return np.array([middle - 0.1, middle, middle + 0.1])

    _, (axes,) = style.panels(1)
    found = Some(experiment=experiment, measured=measured)
    figures.draw_means(axes, found, field, "some")
    wanted = {x.label: (m, i / m) for i, x in enumerate(names_of(experiment), 1)}
    assert unlike(named(axes), wanted) == []
    bars = {
        f"{figures.LOOKS[name][0]} with bars": (m, y, y - 0.1, y + 0.1)
        for name, (_, y) in zip(names, wanted.values(), strict=True)
    }
    assert unlike(unnamed(axes), bars) == []
    assert words(axes) == ("samples", label, "", "log linear")


def names_of(experiment):
    return experiment.competitors.values()


def test_labels_have_their_own_colours():
    X = np.arange(12.0).reshape(4, 3)
    _, (axes,) = style.panels(1)
    figures.draw_points(axes, X, np.array([1, -1, -1, 1]))
    (blue, minus), (red, plus) = sorted(unnamed(axes).items())
    assert blue.startswith("blue") and red.startswith("vermilion")
    assert minus.T.tolist() == X[[1, 2], :2].tolist()
    assert plus.T.tolist() == X[[0, 3], :2].tolist()
    assert words(axes)[:2] == ("first coordinate", "second coordinate")


def test_eigenvalues_are_drawn_by_rank():
    values = {"digits": np.array([1.0, 0.5, 0.1]), "arm": np.array([0.9, 0.2, 0.1])}
    _, (axes,) = style.panels(1)
    figures.draw_eigenvalues(axes, values, 2)
    wanted = {name: ([1, 2], each[:2]) for name, each in values.items()}
    assert unlike(named(axes), wanted) == []
    assert words(axes) == ("rank", "eigenvalue over n", "", "linear log")


def test_the_first_eigenvector_is_the_first_column():
    shown = {
        name: Leading(np.ones(2), factor * np.array([[1, 5], [2, 6], [3, 7], [4, 8]]))
        for name, factor in (("kernel", 0.1), ("waves", -0.2))
    }
    _, panels = style.panels(2)
    figures.draw_vectors(panels, shown)
    places = [0, 1, 2, 3]
    for axes, (title, each) in zip(panels, shown.items(), strict=True):
        first, second = each.vectors.T
        curves = {"blue .": (places, first), "orange .": (places, second)}
        middle = {"black :": ([2, 2], [0, 1])}
        assert unlike(by_look(axes), curves | middle) == []
        labels = "point, by its ball", "entry of an eigenvector"
        assert words(axes) == (*labels, title, "linear linear")
        assert axes.get_ylim() == pytest.approx((-1.76, 1.76))
        assert ticks(axes.xaxis) == {1: "left", 3: "right"}
    assert looks(panels[0]) == {"second": "orange .", "first": "blue ."}


# ---- a sample that turns the leading direction ----


def test_directions_of_samples_are_beside_that_of_all():
    X = turning.cloud(50, np.random.default_rng(0))
    _, (axes,) = style.panels(1)
    turning.draw_turned(axes, X, 5, 2, np.random.default_rng(1))
    again = np.random.default_rng(1)
    shown = unnamed(axes)
    assert np.array_equal(shown.pop(next(k for k in shown if "dots" in k)), X)
    assert shown.pop("blue -").tolist() == [[-3, 3], [0, 0]]
    for line in np.split(shown.pop("orange --"), 2, axis=1):
        some = X[:, again.integers(50, size=5)]
        end = line[:, 1]
        assert np.linalg.norm(end) == pytest.approx(3) and line[:, 0] == pytest.approx(
            -end
        )
        top = np.linalg.eigvalsh(some @ some.T)[-1]
        assert some @ (some.T @ end) == pytest.approx(top * end)
    assert shown == {} and words(axes)[:2] == ("$x_1$", "$x_2$")


def test_the_error_falls_like_the_square_of_the_sine():
    counts = np.array([4, 16])
    found = turning.Turned(counts, np.array([0.5, 0.3]), np.array([0.2, 0.01]))
    _, (axes,) = style.panels(1)
    turning.draw_costs(axes, found)
    wanted = {
        "sine of the angle": (counts, [0.5, 0.3]),
        "error beyond the tail, over n": (counts, [0.2, 0.01]),
    }
    assert unlike(named(axes), wanted) == []
    # A quarter of the landmarks: twice the sine, four times the error.
    lines = {"orange :": (counts, [0.6, 0.3]), "blue :": (counts, [0.04, 0.01])}
    assert unlike(unnamed(axes), lines) == []
    assert looks(axes)["sine of the angle"].startswith("orange")
    assert words(axes) == ("landmarks", "", "", "log log")


def test_a_bound_with_the_gap_is_not_one_without():
    """The one with the gap is drawn where it is below the trivial one."""
    counts, error = np.array([1, 2]), np.array([0.3, 0.05])
    found = turning.Bounds(counts, error, 2 * error, 3 * error, 0.5)
    _, (axes,) = style.panels(1)
    turning.draw_bounds(axes, found, 7)
    wanted = {
        "observed": (counts, error),
        "bound with the gap": ([2], [0.1]),
        "bound without a gap": (counts, 3 * error),
    }
    assert unlike(named(axes), wanted) == []
    assert words(axes) == ("landmarks", "", "k = 7", "log log")


def test_powers_are_of_geometric_means():
    each = np.array([[1.0, 4.0], [0.5, 2.0]])
    _, (axes,) = style.panels(1)
    turning.draw_powers(axes, [1, 4], each, ("green", "s", -0.5), "half")
    assert unlike(named(axes), {"half": ([1, 4], [2, 1])}) == []
    assert unlike(unnamed(axes), {"green :": ([1, 4], [2, 1])}) == []
    assert looks(axes) == {"half": "green s"}
    assert words(axes) == ("landmarks", "", "", "log log")
    turning.draw_powers(axes, [1, 4], 2 * each, ("blue", "o", -1.0), "one")
    assert unlike({"": unnamed(axes)["blue :"]}, {"": ([1, 4], [4, 1])}) == []


def test_ticks_are_the_samples():
    experiment = findings.ON_DATA
    settings = experiment.settings
    each = np.ones((3, len(settings)))
    _, (axes,) = style.panels(1)
    found = Some(experiment=experiment, measured=lambda *_: each)
    figures.draw_means(axes, found, findings.ERROR, "digits")
    assert ticks(axes.xaxis) == {float(m): f"{m:g}" for m in settings}
