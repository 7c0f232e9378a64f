"""The figures of the chapter, read back from their artists."""

import numpy as np
import pytest

from nystheory import style
from nystheory.chapters.concentration import counting, figures, findings, measured
from nystheory.chapters.concentration import covariances as experiments
from nystheory.engine.findings import Series
from nystheory.engine.findings.fields import strays
from nystheory.engine.findings.found import judged
from nystheory.engine.report.artists import looks, named, unlike, unnamed, words


def typed_found():
    """Random numbers for all fields, in ten draws."""
    experiment, rng = findings.PROMISES, np.random.default_rng(0)
    draws = {
        data: [
            {
                name: {
                    each.name: tuple(rng.uniform(1, 2, len(experiment.settings)))
                    for each in experiment.fields
                }
                for name in experiment.competitors
            }
            for _ in range(experiment.draws)
        ]
        for data in experiment.data
    }
    return judged(experiment, draws, {})


@pytest.mark.parametrize(
    ("draw", "field", "names"),
    [
        (figures.draw_means, findings.ROOT, figures.MEANS),
        (figures.draw_promises, findings.HIGH, figures.PROMISES),
    ],
)
def test_distances_have_the_labels_and_the_values_of_their_fields(draw, field, names):
    found, data = typed_found(), findings.DIGITS_RBF
    _, (axes,) = style.panels(1)
    draw(axes, found, data)
    told = {
        name: np.mean([each[name][field.name] for each in found.draws[data]], axis=0)
        for name in names
    }
    label = {name: each.label for name, each in found.experiment.competitors.items()}
    series = [Series(field, told[name], label[name]) for name in names]
    assert strays(axes, findings.COLUMNS, series) == []
    wanted = {label[k]: (measured.COUNTS, y) for k, y in told.items()}
    assert unlike(named(axes), wanted) == [] and unnamed(axes) == {}
    looked = {k: " ".join(filter(None, look)) for k, look in names.items()}
    assert looks(axes) == {label[k]: look for k, look in looked.items()}
    assert words(axes) == ("columns $l$", field.axis, data, "log log")


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
    labels = "largest distance $d$, $R = 1$", "difference of $aa^T$ and $bb^T$"
    assert words(axes) == (*labels, f"{norm} norm", "linear linear")


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


def test_counts_with_replacement_may_be_farther_away():
    """Two of four, both ones: one in six without replacement, one in four with."""
    _, (axes,) = style.panels(1)
    figures.draw_counts(axes, 4, 2, 2)
    shown, x = named(axes), np.linspace(0, 1, 101)
    alpha = 4 * (1 / 4 + 1 / 9)  # the sum over u = 2 of 4 / j^2
    wanted = {
        "with, exact": ([1], [1 / 4]),
        "without, exact": ([1], [1 / 6]),
        "with, bound": (x, np.exp(-(x**2))),
        "without, bound": (x, np.exp(-2 * x**2 / alpha)),
    }
    assert unlike(shown, wanted) == []
    assert looks(axes) == {
        "with, exact": "orange o -",
        "with, bound": "vermilion --",
        "without, exact": "blue o -",
        "without, bound": "green -",
    }


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
