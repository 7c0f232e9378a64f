"""The figures of the chapter, read back from their artists."""

import numpy as np

from nystheory import style
from nystheory.chapters.kernel_principal_components import experiments, figures
from nystheory.engine.report.artists import (
    looks,
    named,
    ticks,
    unlike,
    unnamed,
    words,
)

COUNTS = (5, 10)


def test_digits_are_where_their_components_are():
    labels = np.array([3, 1, 3, 8])
    places = tuple(np.arange(8.0).reshape(4, 2) * factor for factor in (1, -2))
    _, panels = style.panels(2)
    figures.draw_picture(panels, experiments.Picture(labels, (4, 2), places))
    for axes, each in zip(panels, places, strict=True):
        wanted = {str(x): each[labels == x].T for x in (1, 3, 8)}
        assert unlike(named(axes), wanted) == []
    first, second = map(words, panels)
    assert first[:3] == ("component 1", "component 2", "all of K")
    assert second[:3] == ("component 1", "", "2 columns")
    colours = [look.split()[0] for look in looks(panels[0]).values()]
    assert colours == ["blue", "vermilion", "green"]


def test_residuals_have_the_names_of_what_they_are_of():
    values = [np.array([x, x / 2]) for x in (0.3, 0.5, 0.7, 0.9)]
    _, (axes,) = style.panels(1)
    figures.draw_residuals(axes, experiments.Residuals(COUNTS, 0.2, *values))
    wanted = {
        "of the points": (COUNTS, [0.5, 0.25]),
        "of the approximation": (COUNTS, [0.3, 0.15]),
        "of K": ([0, 1], [0.2, 0.2]),
    }
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    assert words(axes) == ("columns $l$", "residual", "", "log linear")
    assert [*ticks(axes.xaxis)] == [*COUNTS]


def turns():
    """Three turns whose distances and bounds are each their own."""
    each = [np.array([x, x / 2, x / 4]) for x in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)]
    return experiments.Turns(np.array([8.0, 5.0, 4.0, 1.0]), *each)


def test_gaps_are_differences_of_eigenvalues():
    _, (left, right) = style.panels(2)
    figures.draw_turns(left, right, turns())
    places = [1, 2, 3]
    wanted = {"eigengap": (places, [3, 1, 3]), "eigenvalue": (places, [8, 5, 4])}
    assert unlike(named(left), wanted) == [] and unnamed(left) == {}
    assert words(left) == ("components $k$", "", "", "linear log")


def test_turns_have_the_names_of_their_features():
    found = turns()
    _, (left, right) = style.panels(2)
    figures.draw_turns(left, right, found)
    curves = {
        "bound": found.by_covariance,
        "Nyström features": found.natural,
        "square roots": found.roots,
        "largest possible": np.sqrt([2, 4, 6]),
    }
    wanted = {name: ([1, 2, 3], y) for name, y in curves.items()}
    assert unlike(named(right), wanted) == [] and unnamed(right) == {}
    label = "distance of the projectors"
    assert words(right) == ("components $k$", label, "", "linear log")


def test_the_largest_of_the_draws_is_under_its_bounds():
    residual = np.array([[0.1, -0.4, 0.2], [0.1, 0.05, -0.02]])
    distance = np.array([[0.5, 0.9, 0.2], [0.3, 0.1, 0.4]])
    bounds = [np.array([x, x / 2]) for x in (1.0, 2.0, 3.0)]
    _, (left, right) = style.panels(2)
    some = experiments.Samples(COUNTS, residual, distance, *bounds)
    figures.draw_samples(left, right, some)
    one = {
        "largest of the draws": (COUNTS, [0.4, 0.1]),
        "without signs": (COUNTS, [1.0, 0.5]),
        "printed bound": (COUNTS, [2.0, 1.0]),
    }
    two = {"largest of the draws": (COUNTS, [0.9, 0.4]), "bound": (COUNTS, [3.0, 1.5])}
    for axes, wanted, label in (
        (left, one, "difference of the residuals"),
        (right, two, "distance of the projectors"),
    ):
        assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
        assert words(axes) == ("points drawn", label, "", "log log")
