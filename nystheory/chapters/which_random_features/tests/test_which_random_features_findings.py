"""What the chapter counts and measures, and its figures read back."""

from types import SimpleNamespace

import numpy as np
import pytest

from nystheory import datasets, kernels
from nystheory.chapters.which_random_features import (
    costs,
    experiments,
    figures,
    findings,
    points,
)
from nystheory.engine.findings import Series
from nystheory.engine.findings.fields import strays
from nystheory.engine.findings.held_out import RIDGES, Points
from nystheory.learners import KernelRidge

# ---- costs ----


@pytest.mark.parametrize(
    ("count", "n", "d"), [(30, 300, 2), (100, 10**4, 8), (500, 10**6, 64)]
)
def test_a_budget_is_used_up_and_not_exceeded(count, n, d):
    def work(D):
        return costs.operations_of_waves(D, n, d) + costs.operations_of_ridge(D, n)

    budget = costs.operations_of_columns(count, n, d) + costs.operations_of_ridge(
        count, n
    )
    D = costs.waves_for_the_work(count, n, d)
    assert work(D) <= budget < work(D + 2) and count < D < 2 * count
    D = costs.waves_for_the_memory(count, d)
    words = costs.words_of_columns(count, d)
    assert costs.words_of_waves(D, d) <= words < costs.words_of_waves(D + 2, d)
    assert count < D < 2 * count
    D = costs.waves_for_the_features(count, n, d)
    assert abs(D / count - (1 + (d + count) / (d + costs.WAVE))) < 0.1


def test_four_times_as_many_waves_cost_what_that_many_columns_cost():
    d, n = 7, 10**9
    count = 2 * d + 3 * costs.WAVE
    assert abs(costs.waves_for_the_features(count, n, d) - 4 * count) <= 2


# ---- what is learned ----


def some_known(number=8, kernel="rbf"):
    rng = np.random.default_rng(0)
    return experiments.split(points.arm(60, rng), kernel, number, 1.0, rng)


@pytest.mark.parametrize(
    "make", [experiments.as_many, experiments.uniform, experiments.pivots]
)
def test_predictions_are_those_of_kernel_ridge_regression_on_the_features(make):
    known, judged = some_known()
    F, G = experiments.made(make(known), known.learn.X, judged.X)
    (found,) = experiments.predictions(F, known.learn.y, [0.1], G)
    (dual,) = experiments.predictions(
        np.tile(F, 9) / 3, known.learn.y, [0.1], np.tile(G, 9) / 3
    )
    exact = KernelRidge(0.1, method="exact").fit(
        kernels.DenseKernel(F @ F.T), known.learn.y
    )
    assert found == pytest.approx(G @ F.T @ exact.dual_coef_, abs=1e-9)
    assert dual == pytest.approx(found, abs=1e-9)


def test_a_ridge_is_chosen_without_the_points_of_the_test():
    known, judged = some_known()
    before = findings.OWN_RIDGE.best(experiments.as_many, known)
    judged.y[:] = 1e6
    known._losses.clear()
    assert findings.OWN_RIDGE.best(experiments.as_many, known) == before
    losses = known.losses(experiments.as_many)
    assert min(losses, key=losses.get) == before and set(losses) == set(RIDGES)


def test_parts_of_a_split_have_no_point_in_common():
    known, judged = some_known()
    rows = np.concatenate([known.learn.X, known.aside.X, judged.X])
    assert len(np.unique(rows, axis=0)) == 60
    assert known.learn.y.mean() == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
def test_pairs_at_the_mean_distance_have_the_similarity_of_one_over_e(kernel):
    X = np.random.default_rng(0).standard_normal((2000, 3))
    gamma = experiments.usual_gamma(X, kernel)
    apart = X[:, None] - X[None, :500]
    far = (apart**2).sum(2) if kernel == "rbf" else np.abs(apart).sum(2)
    assert gamma * far.mean() == pytest.approx(1, rel=0.05)


def test_the_error_of_the_matrix_is_that_of_the_features():
    known, _ = some_known(number=2000, kernel="laplacian")
    for make in (experiments.waves, experiments.grids):
        F, _ = experiments.made(make(known), known.learn.X, known.aside.X)
        assert 0 < experiments.error_of_matrix(F, known) < 12
    K = kernels.pairwise(known.learn.X, "laplacian", gamma=known.gamma).dense()
    assert experiments.error_of_matrix(np.linalg.cholesky(K), known) < 1e-10


def test_columns_of_the_first_tenth_are_of_the_smallest_labels():
    known, _ = some_known(number=3)
    chosen = experiments.first_tenth(known).landmarks
    ranks = known.learn.y.ravel().argsort().argsort()
    assert len(set(chosen)) == 3 and ranks[chosen].max() < 4


def test_classes_have_a_column_each():
    drawn = points.digits(100, np.random.default_rng(0))
    assert drawn.y.shape == (100, 10) and (drawn.y.sum(axis=1) == 1).all()
    assert drawn.X.shape == (100, datasets.digits(1).X.shape[1])


@pytest.mark.parametrize("number", [30, 100])
def test_each_competitor_has_the_number_of_features_that_it_may_have(number):
    known, judged = some_known(number=2)
    learn = Points(np.zeros((3000, 8)), np.zeros((3000, 1)))
    many = experiments.Known(learn, known.aside, "rbf", known.gamma, number, 0)
    found = {
        name: each.run(many).n_components
        for name, each in findings.BUDGETS.competitors.items()
        if name not in ("uniform", "pivots")
    }
    assert found == {
        "many": number,
        "work": costs.waves_for_the_work(number, 3000, 8),
        "memory": costs.waves_for_the_memory(number, 8),
        "fourfold": 4 * number,
    }


# ---- figures ----


def planted(experiment):
    """Numbers in place of what was measured: each competitor, set and draw its own."""
    names, sets = list(experiment.competitors), list(experiment.shown)

    def measured(field, name, data):
        factor = 2.0 if field == "missed" else 1.0
        return (
            factor * np.array([1, 3]) * (1 + names.index(name)) * (1 + sets.index(data))
        )

    return SimpleNamespace(experiment=experiment, measured=measured)


def is_drawn(axes, drawn, sets):
    middle = (len(drawn) - 1) / 2
    positions = [
        Series(figures.SETS, np.arange(len(sets)) + 0.12 * (i - middle), each.of)
        for i, each in enumerate(drawn)
    ]
    assert strays(axes, drawn[0].field, positions) == []
    assert axes.get_xlabel() == drawn[0].field.axis
    names = [x.get_text() for x in axes.get_yticklabels()]
    assert names in (sets, [])  # panels side by side share the names of the first
    curves = {line.get_label(): line.get_xdata() for line in axes.lines}
    for each in drawn:
        assert curves[each.of] == pytest.approx(np.array(each.values))


@pytest.mark.parametrize("name", ["KINDS", "BINNING"])
def test_the_figures_of_kinds_have_the_labels_and_dots_of_their_fields(name):
    experiment = getattr(findings, name)
    left, right = figures.plot_kinds(planted(experiment)).axes
    sets, labels = (
        list(experiment.shown),
        [e.label for e in experiment.competitors.values()],
    )
    rows = np.arange(1.0, len(sets) + 1)
    errors = [Series(findings.ERROR, 2 * i * rows, x) for i, x in enumerate(labels, 1)]
    is_drawn(left, errors, sets)
    field = figures.over(planted(experiment), "pairs")["quasi"].field
    assert field.axis == "variance missed, over that of pairs"
    shares = [Series(field, i * np.ones(len(sets)), x) for i, x in enumerate(labels, 1)]
    is_drawn(right, shares[1:], sets)


def test_the_figure_of_budgets_has_the_labels_and_dots_of_its_fields():
    experiment = findings.BUDGETS
    (axes,) = figures.plot_budgets(planted(experiment)).axes
    sets, labels = (
        list(experiment.shown),
        [e.label for e in experiment.competitors.values()],
    )
    field = figures.over(planted(experiment), "uniform")["many"].field
    assert field.axis == "variance missed, over that of uniform columns"
    shares = [Series(field, i * np.ones(len(sets)), x) for i, x in enumerate(labels, 1)]
    is_drawn(axes, shares[1:], sets)


def test_a_tally_counts_the_data_sets():
    def result(*outcomes):
        parts = {i: SimpleNamespace(outcome=x) for i, x in enumerate(outcomes)}
        return SimpleNamespace(parts=parts)

    assert figures.tally(result("held", "held")) == "held on 2 of 2 data sets"
    found = figures.tally(result("open", "held", "failed", "open"))
    assert found == "held on 1 of 4 data sets, failed on 1 and is open on 2"


@pytest.mark.parametrize("make", [experiments.uniform, experiments.pivots])
def test_columns_are_as_many_as_features(make):
    known, _ = some_known(number=8)
    F, _ = experiments.made(make(known), known.learn.X, known.aside.X)
    assert F.shape == (36, 8)


@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
def test_the_width_does_not_depend_on_other_points(kernel):
    known, _ = some_known(kernel=kernel)
    assert known.gamma == experiments.usual_gamma(known.learn.X, kernel)
