"""What the experiments of the chapter measure, by plain routes."""

import numpy as np
import pytest
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from nystheory import kernels, lowrank
from nystheory.chapters.surely_worse_kernels import experiments
from nystheory.chapters.surely_worse_kernels.experiments import WIDTHS
from nystheory.engine.findings.held_out import Points, missed

MAKERS = (
    experiments.diabetes,
    experiments.digits,
    experiments.cells,
    experiments.photographs,
    experiments.waves,
)


def solved(K, y, ridge):
    return float(ridge / len(y) * y @ np.linalg.solve(K + ridge * np.eye(len(y)), y))


def some(size=60, counts=(8, 20), mus=(0.005,), measures=("criterion",)):
    rng = np.random.default_rng(0)
    points = experiments.digits(size, rng)
    widths = WIDTHS[::4]
    search = experiments.searched(points, widths, counts, mus, measures, rng)
    return points, widths, search


# ---- points ----


@pytest.mark.parametrize("make", MAKERS)
def test_labels_have_mean_0_and_mean_square_1(make):
    points = make(50, np.random.default_rng(0))
    assert len(points.X) == len(points.y) == 50
    assert points.y.mean() == pytest.approx(0, abs=1e-12)
    assert points.y @ points.y == pytest.approx(50)


def test_a_width_is_in_root_mean_square_distances():
    X = np.random.default_rng(0).standard_normal((40, 3))
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    assert 1 / experiments.gamma_of(X, 2.0) == pytest.approx(4 * squares.mean())


def test_columns_of_one_run_are_nested():
    K = kernels.rbf(np.random.default_rng(0).standard_normal((40, 2)))
    few, more = experiments.nested("rp_cholesky", K, (5, 9), np.random.default_rng(1))
    assert few.landmarks.tolist() == more.landmarks[:5].tolist()


# ---- ends ----


def test_exact_criteria_are_those_of_a_solver_and_lie_between_the_ends():
    points, widths, search = some()
    (ridge,) = search.ridges([0.005])
    assert ridge == pytest.approx(0.3)
    made = [K.dense() for K in experiments.kernels_of(points.X, widths)]
    plain = np.array([solved(K, points.y, ridge) for K in made])
    assert search.exact["criterion"][:, 0] == pytest.approx(plain)
    for near in search.near:
        for products in (0, 1, 2):
            found = experiments.ends(near, points.y, ridge, products=products)
            assert (found.lower <= plain).all() and (plain <= found.upper).all()


def test_a_kernel_is_worse_if_its_lower_end_is_above_some_upper_end():
    lower, upper = np.array([[1.0, 0], [3, 0]]), np.array([[2.0, 4], [4, 5]])
    found = experiments.Ends(lower, upper, None)
    assert found.worse.tolist() == [[False, False], [True, False]]


def test_what_is_told_is_counted_and_the_best_is_looked_for():
    mus = (0.005, 0.05)
    points, widths, search = some(counts=(20,), mus=mus)
    bare = experiments.told_worse(search, mus, None)
    assert list(bare["worse"]) == [len(widths) - 1] * 2
    for j, ridge in enumerate(search.ridges(mus)):
        near = [
            solved(each.spectral_reconstruction(), points.y, ridge)
            for each in search.near[0]
        ]
        best = search.exact["criterion"][:, j].argmin()
        assert bare["lost"][j] == (np.argmin(near) != best)
    one = experiments.told_worse(search, mus, 1)
    trace = experiments.told_worse(search, mus, 0)
    assert (np.array(one["worse"]) >= trace["worse"]).all()
    assert not np.any(one["lost"])


@pytest.mark.parametrize("measure", ["criterion", "likelihood", "leave-one-out"])
def test_with_all_columns_the_picked_width_is_the_best(measure):
    _, _, search = some(counts=(8, 60), measures=(measure,))
    found = experiments.along_columns(search, measure, 0.005)
    assert found["other"][1] == found["wider"][1] == 0
    assert found["worse"][1] >= found["worse"][0]


# ---- searches ----


def known(columns=20):
    rng = np.random.default_rng(0)
    points = experiments.waves(100, rng)
    return experiments.parted(points, 0.6, (0.5, 1.0, 4.0), columns, rng)


def test_nothing_of_the_test_is_known():
    learn, judged = known()
    assert len(learn.points.y) == 60 and len(judged.y) == 40
    rows = [{tuple(x) for x in part.X} for part in (learn.points, judged)]
    assert not rows[0] & rows[1]


@pytest.mark.parametrize("folds", [1, experiments.FOLDS])
def test_folds_choose_as_a_pipeline_of_scikit_learn_does(folds):
    learn, _ = known()
    X, y = learn.points.X, learn.points.y
    part = np.random.default_rng(learn.seed).permutation(60) % experiments.FOLDS
    errors = {}
    for gamma in learn.gammas:
        for lambda_ in experiments.LAMBDAS:
            total = 0.0
            for fold in range(folds):
                aside = part == fold
                model = make_pipeline(
                    Nystroem(gamma=gamma, n_components=20, random_state=learn.seed),
                    Ridge(48 * lambda_, fit_intercept=False),
                )
                mean = y[~aside].mean()
                model.fit(X[~aside], y[~aside] - mean)
                total += ((model.predict(X[aside]) + mean - y[aside]) ** 2).sum()
            errors[gamma, lambda_] = total
    assert experiments.by_folds(folds, learn) == min(errors, key=errors.get)


def test_the_search_by_ends_chooses_the_smallest_leave_one_out_error():
    learn, _ = known(columns=30)
    X, y = learn.points.X, learn.points.y
    y = y - y.mean()
    errors = {}
    for gamma in learn.gammas:
        K = kernels.rbf(X, gamma).dense()
        for lambda_ in experiments.LAMBDAS:
            inverse = np.linalg.inv(K + 60 * lambda_ * np.eye(60))
            errors[gamma, lambda_] = np.mean((inverse @ y / inverse.diagonal()) ** 2)
    found = experiments.by_ends("leave-one-out", learn)
    assert found == pytest.approx(min(errors, key=errors.get))


def test_the_error_is_that_of_ridge_regression_on_the_approximation():
    learn, judged = known(columns=60)
    gamma, lambda_ = learn.gammas[1], 1e-2
    X, y = learn.points.X, learn.points.y
    K = kernels.rbf(X, gamma).dense()
    a = np.linalg.solve(K + 60 * lambda_ * np.eye(60), y - y.mean())
    squares = ((judged.X[:, None] - X) ** 2).sum(axis=2)
    told = np.exp(-gamma * squares) @ a + y.mean()
    found = experiments.missed_with((gamma, lambda_), learn, judged)
    assert found == pytest.approx(missed(told, judged.y), rel=1e-4)


def test_approximations_of_the_search_are_below():
    _, _, search = some()
    assert all(isinstance(x, lowrank.LowRank) and x.below for x in search.near[0])
    assert isinstance(some()[0], Points)
