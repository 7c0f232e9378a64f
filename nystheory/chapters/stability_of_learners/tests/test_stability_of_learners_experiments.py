"""How far hypotheses moved, and their figures."""

from functools import partial

import numpy as np
import pytest

from nystheory import datasets, kernels, lowrank, sampling, style
from nystheory.chapters import theorems
from nystheory.chapters.stability_of_learners import experiments, figures
from nystheory.engine import value
from nystheory.engine.findings.experiments import one_thread
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
    correlation, power = experiments.shape(
        experiments.Moves("", (), 9, x, x**2, x, x, {}, {})
    )
    assert power == pytest.approx(2) and 0.9 < correlation < 1


def test_with_all_columns_three_predictors_are_one():
    found = experiments.explained(
        lambda rng: datasets.robot_arm(60, rng), 0.1, 2, share=1.0
    )
    for shares in (found.own, found.borrowed):
        for name in experiments.PREDICTORS[1:]:
            assert shares[name] == pytest.approx(shares["all points"], abs=1e-4)


def test_the_ridge_of_another_predictor_is_no_better_where_ridges_are_chosen():
    found = experiments.explained(lambda rng: datasets.robot_arm(150, rng), 0.1, 6)
    own, borrowed = (each["true rows"] for each in (found.own, found.borrowed))
    assert own.mean() > borrowed.mean()


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


def test_every_figure_has_labels():
    found, rng = small(40)
    ridge = experiments.ridge_moves(found, rng, [0.2, 0.5], 1)
    machine = experiments.vector_moves(found, 1.0, rng, None, [0.2, 0.5], 1)
    cells = datasets.breast_cancer(40)
    graph = experiments.graph_moves(cells, 0.05, 1.0, [5, 20], rng, 6)
    for draw, shown in (
        (partial(figures.draw_ridge, fewer=(ridge, ridge)), (ridge, ridge)),
        (figures.draw_vectors, (machine, machine)),
        (figures.draw_graphs, {"one": graph, "two": graph}),
    ):
        _, panels = style.panels(2)
        draw(panels, shown)
        assert all(axes.get_xlabel() and axes.get_title() for axes in panels)
        assert panels[0].get_ylabel()


def test_a_ridge_is_chosen_on_points_that_judge_nobody():
    """The best on the points of the test are others, for each way."""
    set_aside = np.array([[0.1, 0.5, 0.2], [0.4, 0.3, 0.6], [0.2, 0.4, 0.1]])
    judged = np.array([[0.9, 0.2, 0.8], [0.3, 0.7, 0.1], [0.5, 0.9, 0.4]])
    own, shared = experiments._at_chosen(np.stack([set_aside, judged], axis=2))
    assert own.tolist() == [0.3, 0.2, 0.1]
    assert shared.tolist() == [0.3, 0.7, 0.1]
