"""The figures of the chapter, read back from their artists."""

import numpy as np
import pytest

from nystheory import style
from nystheory.chapters.concentration import counting, figures
from nystheory.chapters.concentration import covariances as experiments
from nystheory.engine.report.artists import looks, named, unlike, unnamed, words

COUNTS = (4, 9)
CURVES = {"e_l": 0.5, "e_l replaced": 0.6, "mean, printed": 0.9, "sharp": 1.1}


def distances():
    """Distances of a hundred draws, and curves that are each its own."""
    rng = np.random.default_rng(0)
    without, replaced = rng.uniform(0, 1, (2, 2, 100))
    curves = CURVES | {"printed": 2.0}
    both = {name: np.array([x, x / 2]) for name, x in curves.items()}
    return experiments.Distances(COUNTS, without, replaced, both)


def test_root_mean_squares_are_beside_their_own_curves():
    found = distances()
    _, (axes,) = style.panels(1)
    figures.draw_means(axes, found, "digits")
    roots = {
        name: (COUNTS, [np.linalg.norm(row) / 10 for row in values])
        for name, values in (
            ("with replacement", found.replaced),
            ("without", found.without),
        )
    }
    wanted = roots | {"as printed": (COUNTS, [0.9, 0.45])}
    assert unlike(named(axes), wanted) == []
    curves = {"orange --": (COUNTS, [0.6, 0.3]), "blue -": (COUNTS, [0.5, 0.25])}
    assert unlike(unnamed(axes), curves) == []
    assert looks(axes)["with replacement"] == "orange s"
    assert looks(axes)["without"] == "blue o"
    assert words(axes) == ("columns $l$", "", "digits", "log log")


def test_ninety_nine_percent_are_under_the_band():
    found = distances()
    _, (axes,) = style.panels(1)
    figures.draw_promises(axes, found, "digits")
    ordered = np.sort(found.without)
    # Of a hundred the quantile lies between the last two.
    high = ordered[:, -2] + 0.01 * (ordered[:, -1] - ordered[:, -2])
    wanted = {
        "seen, least to 99 percent": (COUNTS, ordered[:, 0], high),
        "$e_l$": (COUNTS, [0.5, 0.25]),
        r"$e_l$, $g_F$, $\alpha_\sharp$": (COUNTS, [1.1, 0.55]),
        "as printed": (COUNTS, [2, 1]),
    }
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    assert words(axes) == ("columns $l$", "", "digits", "log log")


def largest(norm, reach, equal):
    """The largest difference of two outer products up to a distance, from a grid.

    Of a vector of length 1 and one of the same length, or of any length up to that.
    """
    lengths = np.ones(1) if equal else np.linspace(1e-3, 1, 200)
    q, d = lengths[:, None], np.linspace(0, reach, 161)[1:]
    inner = (1 + q**2 - d**2) / 2
    some = np.abs(inner) <= q
    q, s = np.broadcast_to(q, some.shape)[some], inner[some]
    if norm == "Frobenius":
        return np.sqrt(1 + q**4 - 2 * s**2).max()
    return ((1 - q**2 + np.sqrt((1 + q**2) ** 2 - 4 * s**2)) / 2).max()


@pytest.mark.parametrize("norm", ["spectral", "Frobenius"])
def test_exchanges_have_the_curves_of_their_norm(norm):
    pairs = {"distance": [0.3, 0.6], "spectral": [0.1, 0.2], "Frobenius": [0.3, 0.5]}
    _, (axes,) = style.panels(1)
    figures.draw_exchanges(axes, norm, pairs)
    shown = named(axes)
    for label, equal in (("all lengths", False), ("equal lengths", True)):
        x, y = shown[label][:, [40, 100, 160]]
        told = [largest(norm, d, equal) for d in x]
        assert y == pytest.approx(told, rel=3e-3)
    assert shown["$2 d R$, printed"][:, [0, -1]].tolist() == [[0, 2], [0, 4]]
    assert unlike(unnamed(axes), {"grey .": ([0.3, 0.6], pairs[norm])}) == []
    label = "largest distance $d$, $R = 1$"
    assert words(axes) == (label, "", f"{norm} norm", "linear linear")


def test_constants_are_shares_of_n():
    found = counting.constants(6)
    _, (axes,) = style.panels(1)
    figures.draw_constants(axes, found)
    share = np.arange(1, 6) / 6
    values = {
        "$l$, with replacement": share,
        "first branch": found["drawn"] / 6,
        "second branch": found["left"] / 6,
        r"$\alpha_\sharp$": found["sharp"] / 6,
        "needed for counts": found["needed"] / 6,
    }
    assert unlike(named(axes), {k: (share, y) for k, y in values.items()}) == []
    labels = "share $l/n$ drawn", "constant, share of $n$"
    assert words(axes) == (*labels, "", "linear linear")
    shown = named(axes)
    least = np.minimum(shown["first branch"], shown["second branch"])
    assert shown[r"$\alpha_\sharp$"] == pytest.approx(least)


def test_tails_and_bounds_have_the_look_that_is_asked_for():
    _, (axes,) = style.panels(1)
    figures.draw_tail(axes, [0.5, 1.5, 2.5], [0.5, 0.1, 0], "blue", "exact")
    figures.draw_bound(axes, 2.0, 3.0, ("green", "--", "bound"))
    x = np.linspace(0, 2, 101)
    wanted = {"exact": ([0.5, 1.5], [0.5, 0.1]), "bound": (x, np.exp(-2 * x**2 / 3))}
    assert unlike(named(axes), wanted) == []
    assert looks(axes) == {"exact": "blue o -", "bound": "green --"}
    label = r"above the mean by $\epsilon$"
    assert words(axes) == (label, "probability", "", "linear log")


def test_changes_have_their_own_constants():
    """Three of six: the sum over u = 3 is ``9 (1/9 + 1/16 + 1/25)``, alike both."""
    law = experiments.EverySample(np.array([0.0, 2.0]), np.array([0.5, 0.5]), 3.0)
    _, (axes,) = style.panels(1)
    figures.draw_changes(axes, law, 6, 3, 4.0, 8.0)
    alpha, x = 9 * (1 / 9 + 1 / 16 + 1 / 25), np.linspace(0, 1, 101)
    changes = {"$c$ exact": 3, r"$c = \frac{n}{l} g_F$": 4, "$c$ printed": 8}
    wanted = {k: (x, np.exp(-2 * x**2 / alpha / c**2)) for k, c in changes.items()}
    assert unlike(named(axes), wanted) == []


def test_the_ellipse_of_all_is_not_that_of_a_sample():
    X, samples = experiments.cloud(), [[0, 1, 2], [3, 4, 5]]
    _, (axes,) = style.panels(1)
    figures.draw_ellipses(axes, X, samples)
    shown = unnamed(axes)
    assert np.array_equal(shown.pop(next(k for k in shown if "dots" in k)), X)
    for look, sets in (("blue -", [range(60)]), ("orange --", samples)):
        parts = np.split(shown.pop(look), len(sets), axis=1)
        for S, each in zip(sets, parts, strict=True):
            M = X[:, S] @ X[:, S].T / len(S)
            assert (each * np.linalg.solve(M, each)).sum(axis=0) == pytest.approx(2)
    assert shown == {} and words(axes)[:2] == ("$x_1$", "$x_2$")
