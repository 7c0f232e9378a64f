"""Machines of few functions, lattices, and the figures read back."""

import numpy as np
import pytest

from nystheory import style
from nystheory.chapters.two_kinds_of_features import experiments, figures, findings
from nystheory.chapters.two_kinds_of_features.theorems.two_families import (
    RareFrequency,
)
from nystheory.engine.findings.fields import Series, strays


@pytest.fixture(scope="module")
def dozen():
    return experiments.dozen(np.random.default_rng(0))


def test_all_bumps_are_the_whole_machine(dozen):
    X, y = dozen
    whole = experiments.whole_machine(X, y, 0.5, 0.1).predict(X)
    model = experiments.columns(X, len(y), 0.5, 0.1, y, np.random.default_rng(0))
    assert experiments.distance(model, X, whole) < 1e-5


def test_bumps_solve_the_problem_in_their_span(dozen):
    """Minimise ``|y - C a|^2 + ridge a' W a`` over the landmarks that were drawn."""
    X, y = dozen
    model = experiments.columns(X, 5, 0.5, 0.1, y, np.random.default_rng(0))
    at = model.features_.components_
    C, W = (np.exp(-0.5 * (points - at.T) ** 2) for points in (X, at))
    a = np.linalg.solve(C.T @ C + 0.1 * W, C.T @ y)
    assert model.predict(X) == pytest.approx(C @ a, abs=1e-7)


@pytest.mark.parametrize("weighted", [False, True])
def test_waves_solve_the_problem_in_their_span(dozen, weighted):
    """Minimise ``|y - Z w|^2 + ridge sum g_i w_i^2``."""
    X, y = dozen
    make = experiments.weighted_waves if weighted else experiments.plain_waves
    model = make(X, 6, 0.5, 0.1, y, np.random.default_rng(0))
    u = model.features_.frequencies_[:, 0]
    Z = np.hstack([np.cos(X * u), np.sin(X * u)]) / np.sqrt(3)
    g = np.exp(np.tile(u, 2) ** 2 / 2) if weighted else np.ones(6)
    g = g * np.mean(1 / g)
    w = np.linalg.solve(Z.T @ Z + 0.1 * np.diag(g), Z.T @ y)
    assert model.predict(X) == pytest.approx(Z @ w)
    assert (1 / g).mean() == pytest.approx(1)


def test_a_lattice_is_that_of_the_theorem():
    case = RareFrequency.of_hits(7, 1, 0, alpha=1.0, delta=1.0)
    found = experiments.lattice_matrix(experiments.rare(7))
    assert found == pytest.approx(case.measured(case.quantities["K"]).value)
    assert experiments.lattice_matrix(experiments.flat(7)) == pytest.approx(np.eye(7))


def test_waves_of_a_lattice_have_its_matrix_as_mean():
    rng, chances = np.random.default_rng(0), experiments.rare(5)
    Z = experiments.waves_of_lattice(chances, 40_000, rng)
    assert Z @ Z.T == pytest.approx(experiments.lattice_matrix(chances), abs=0.01)


def test_three_columns_learn_the_rare_wave_and_not_the_common_one():
    rng = np.random.default_rng(0)
    for chances, most in ((experiments.rare, 1), (experiments.flat, 100)):
        F = experiments.columns_of_lattice(chances(30), 3, rng)
        left = experiments.unlearned(F, experiments.rare_wave(30), 0.01)
        assert left <= most and (left > 80) is (most == 100)


def test_estimates_are_ones_at_distance_zero_in_pairs_only():
    found = experiments.estimates(20, 50, np.random.default_rng(0))
    assert found.estimates["pairs"][:, 0] == pytest.approx(np.ones(50))
    assert found.estimates["phases"][:, 0].std() > 0.05
    assert found.deviations["pairs"][0] == 0
    k = found.kernel
    assert found.deviations["phases"] == pytest.approx(
        np.sqrt(((1 - k**2) ** 2 + 1) / 40)
    )


# --- Figures --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("experiment", "draw", "field", "names"),
    [
        (
            findings.FAMILIES,
            figures.draw_families,
            findings.UNLEARNED,
            ("columns", "waves"),
        ),
        (
            findings.SPECTRA,
            figures.draw_machines,
            findings.DISTANCE,
            ("columns", "waves", "weighted"),
        ),
    ],
)
def test_a_figure_has_the_curves_of_its_fields(experiment, draw, field, names):
    found, data = experiment.found(), [*experiment.shown]
    figure, axes = style.panels(len(data))
    draw(axes, found, experiment.settings, data)
    for each, name in zip(axes, data, strict=True):
        drawn = [
            Series(
                field,
                figures.means(found, field.name, who, name),
                experiment.competitors[who].label,
            )
            for who in names
        ]
        assert strays(each, findings.FUNCTIONS, drawn) == []
        assert each.get_title() == name


def test_the_chance_in_the_figure_is_that_of_the_theorem():
    found, data = findings.FAMILIES.found(), [*findings.FAMILIES.shown]
    figure, axes = style.panels(2)
    figures.draw_families(axes, found, findings.WIDE, data)
    (curve,) = (x for x in axes[0].lines if x.get_label() == "chance not to draw it")
    for count, chance in zip(curve.get_xdata(), curve.get_ydata(), strict=True):
        assert chance == pytest.approx(100 * (59 / 60) ** (count / 2))


def test_the_functions_of_the_figure_are_those_of_the_fits():
    shown = experiments.spans(np.random.default_rng(0), 6)
    figure = figures.plot_spans(shown)
    assert [len(axes.lines) for axes in figure.axes] == [6, 7, 3, 3]
    assert shown.bumps.max(axis=0) == pytest.approx(np.ones(6), abs=1e-3)
    # Sine and cosine of one frequency.
    squares = shown.waves[:, :3] ** 2 + shown.waves[:, 3:] ** 2
    assert squares == pytest.approx(np.ones_like(squares))
