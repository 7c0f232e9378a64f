"""How far hypotheses moved, and their figures."""

from functools import partial

import numpy as np
import pytest

from nystheory import datasets, kernels, lowrank, sampling, style
from nystheory.chapters import theorems
from nystheory.chapters.stability_of_learners import (
    experiments,
    figures,
    findings,
    predictors,
)
from nystheory.engine import value
from nystheory.engine.findings.experiments import one_thread
from nystheory.engine.findings.fields import strays
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import reader


def small(n=50, seed=0):
    rng = np.random.default_rng(seed)
    return experiments.split(datasets.diabetes(), 0.1, rng, n), rng


@one_thread
def test_nothing_moves_with_all_columns():
    found, rng = small()
    ridge = experiments.ridge_moves(found, rng, [1.0], 1)
    machine = experiments.vector_moves(found, 1.0, rng, None, [1.0], 1)
    for moves in (ridge, machine):
        assert moves.largest[0] == pytest.approx(0, abs=1e-5)
        assert moves.mean[0] <= moves.largest[0]


def test_every_change_is_below_every_bound():
    found, rng = small()
    shares = [0.1, 0.3, 0.6]
    several = [
        experiments.ridge_moves(found, rng, shares, 2),
        experiments.vector_moves(found, 10.0, rng, None, shares, 2),
        experiments.vector_moves(found, 10.0, rng, 0.1, shares, 2),
    ]
    for moves in several:
        assert (moves.largest <= moves.farthest).all()
        assert all((moves.farthest <= bound).all() for bound in moves.bounds.values())
        assert moves.relative[0] > moves.relative[-1]


def test_the_best_ridge_is_that_of_leaving_one_out():
    found, _ = small(30)
    K, y = found.K.dense(), found.y
    ridge, missed = experiments.best_ridge(found.K, y), {}
    for alpha in (ridge / 2, ridge, 2 * ridge):
        out = []
        for j in range(len(y)):
            rest = np.delete(np.arange(len(y)), j)
            A = K[np.ix_(rest, rest)] + alpha * np.eye(len(rest))
            out.append(y[j] - K[j, rest] @ np.linalg.solve(A, y[rest]))
        missed[alpha] = np.square(out).sum()
    assert missed[ridge] == min(missed.values())


def test_the_residual_bound_is_the_line_of_the_theorem():
    theorem = theorems["talwalkar2010:prop-5.1"]
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((2, 3, 4))
    y = rng.standard_normal((4, 1))
    given = {"other_points": Y, "alpha": 0.5, "y": y, "bound_of_points": 9.0}
    case = theorem.world.from_points(X, [0], 1, **given)
    dual = np.linalg.solve(Y.T @ Y + 0.5 * np.eye(4), y)[:, 0]
    found = experiments.moved_at_most(case.K, y[:, 0], dual, 0.5, 9.0)
    line = parse(theorem.claims["residual"].line).comparators[0]
    assert reader(theorem, case).value(line).value == pytest.approx(found)


@one_thread
def test_the_farthest_change_is_that_of_the_theorem():
    found, rng = small()
    moves = experiments.ridge_moves(found, rng, [0.2], 1)
    again = np.random.default_rng(0)
    experiments.split(datasets.diabetes(), 0.1, again, 50)
    near = lowrank.nystrom(found.K, sampling.uniform(found.K, 8, again))

    def points_of(matrix):
        values, vectors = np.linalg.eigh(matrix)
        return (vectors * np.sqrt(np.maximum(values, 0))).T

    case = theorems["talwalkar2010:prop-5.1"].world.from_points(
        points_of(found.K.dense()),
        [0],
        1,
        other_points=points_of(near.spectral_reconstruction()),
        alpha=moves.chosen["ridge"],
        y=found.y[:, None],
        bound_of_points=1.0,
    )
    assert moves.farthest[0] == pytest.approx(value("ridge_change", case), rel=1e-6)


def test_shape_is_a_line_on_both_axes_for_a_multiple_only():
    x = np.array([1.0, 2.0, 4.0])
    correlation, power = experiments.shape(x, x**2)
    assert power == pytest.approx(2) and 0.9 < correlation < 1


def learned(n, seed, share=0.2):
    rng = np.random.default_rng(seed)
    arm = datasets.robot_arm(n, rng)
    return predictors.in_fifths(arm.X, arm.y, 0.1, rng, share)


METHODS = ("exact", "regressors", "nystrom")


@pytest.mark.parametrize("seed", [0, 1])
def test_with_all_columns_three_predictors_are_one(seed):
    known, judged = learned(60, seed, share=1.0)
    for ridge in predictors.ridges(known):
        shares = [
            predictors.share_explained(method, ridge, known, judged)
            for method in METHODS
        ]
        assert shares[1:] == pytest.approx([shares[0]] * 2, abs=1e-3)


@one_thread
def test_the_ridge_of_another_predictor_is_no_better_where_ridges_are_chosen():
    choose, gained = findings.WHICH_KERNEL.choose, []
    for seed in range(6):
        known, judged = learned(150, seed)
        ridges = [choose.best(method, known) for method in ("nystrom", "exact")]
        own, borrowed = (
            predictors.share_explained("nystrom", ridge, known, judged)
            for ridge in ridges
        )
        gained.append(own - borrowed)
    assert np.mean(gained) > 0


def test_what_is_far_is_left_out():
    cells = datasets.breast_cancer(60)
    weights = kernels.rbf(cells.X, gamma=0.02).dense().sum(axis=0)
    rest = experiments.without_far(cells, 0.02, 1)
    gone = np.delete(np.arange(60), weights.argmin())
    assert (rest.X == cells.X[gone]).all() and (rest.y == cells.y[gone]).all()


def test_a_graph_with_all_columns_does_not_move():
    cells = datasets.breast_cancer(40)
    rng = np.random.default_rng(0)
    found = experiments.graph_moves(cells, 0.05, 1.0, [10, 40], rng, 6)
    assert found.moved[1] < 1e-6 * found.moved[0] and found.size > 0
    L = kernels.rbf(cells.X, gamma=0.05).dense()
    assert found.known["lambda_2"] < L.sum(axis=1).max()


def test_a_ridge_is_chosen_on_points_that_judge_nobody():
    """The best on the points of the test are others, for each way."""
    choose = findings.WHICH_KERNEL.choose
    known, judged = learned(150, 0)
    for method in METHODS:
        best = choose.best(method, known)
        aside = [
            predictors.share_explained(method, ridge, known, known.aside)
            for ridge in predictors.ridges(known)
        ]
        assert best == predictors.ridges(known)[np.argmax(aside)]
    assert not np.isin(known.aside.y, judged.y).any()


def test_ways_with_one_ridge_say_so():
    """A borrowed ridge stands in the label of who borrows it."""
    competitors = findings.PREDICTORS
    for name in ("borrowed", "borrowed_features"):
        assert (
            competitors[competitors[name].chosen_for].label in competitors[name].label
        )


# ---- figures, read back ----


def test_curves_and_labels_are_those_of_the_fields():
    found, rng = small(40)
    ridge = experiments.ridge_moves(found, rng, [0.2, 0.5], 1)
    less = experiments.ridge_moves(found, rng, [0.2, 0.5], 1)
    machine = experiments.vector_moves(found, 1.0, rng, None, [0.2, 0.5], 1)
    for moves, bounds, draw in (
        (ridge, findings.OF_RIDGE, partial(figures.draw_ridge, fewer=(less, less))),
        (machine, findings.OF_VECTORS, figures.draw_vectors),
    ):
        _, panels = style.panels(2)
        draw(panels, (moves, moves))
        series = [*figures.shown(moves, bounds).values()]
        for axes in panels:
            assert strays(axes, findings.ERROR, series) == []
        assert panels[0].get_ylabel() == findings.CHANGE.axis
        values = {each.of: each.values for each in series}
        assert (values["largest change of all"] == moves.farthest).all()
        assert (values["mean change of the test"] == moves.mean).all()
        assert (values["bound as printed"] >= moves.farthest).all()


def test_curves_of_graphs_are_those_of_the_fields():
    cells, rng = datasets.breast_cancer(40), np.random.default_rng(0)
    found = experiments.graph_moves(cells, 0.05, 1.0, [5, 20], rng, 6)
    _, panels = style.panels(2)
    figures.draw_graphs(panels, {"one": found, "two": found})
    series = [*figures.spreads(found).values()]
    for axes in panels:
        assert strays(axes, findings.LAPLACIAN, series) == []
    values = {each.of: each.values for each in series}
    assert (values["bound"] == found.bound / found.size).all()
    assert (values["observed"] == found.moved / found.size).all()
