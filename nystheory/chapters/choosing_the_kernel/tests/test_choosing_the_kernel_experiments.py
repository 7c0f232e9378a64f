"""What the experiments of the chapter measure, by plain routes; data that are kept."""

import os

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import RBF
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold

from nystheory import kernels, lowrank
from nystheory.chapters.choosing_the_kernel import experiments, points, tables
from nystheory.chapters.choosing_the_kernel.experiments import Known, Rule
from nystheory.chapters.choosing_the_kernel.findings import EIGHT
from nystheory.engine.findings.held_out import Points
from nystheory.selection import METHODS

needs_data = pytest.mark.skipif(
    not os.environ.get("NYSTHEORY_DATA"),
    reason="six small data sets are not shipped: NYSTHEORY_DATA names a folder with "
    "them",
)
MAKERS = (
    points.cells,
    points.digits,
    points.parity,
    points.photographs,
    points.moons,
    points.waves,
)


def some_known(make=points.moons, size=40, gammas=(0.5, 8.0)):
    return Known.of(make(size, np.random.default_rng(0)), gammas)


# ---- points ----


@pytest.mark.parametrize("make", MAKERS)
def test_points_have_two_labels_and_a_mean_square_distance_of_one(make):
    some = make(60, np.random.default_rng(0))
    assert len(some.X) == 60 and set(some.y.tolist()) == {-1, 1}
    squares = ((some.X[:, None] - some.X) ** 2).sum(axis=2)
    assert squares.mean() == pytest.approx(1)


def test_one_label_of_twenty_is_flipped_among_the_waves():
    rng = np.random.default_rng(1)
    whole, clear = (points.waves(8000, rng, flipped=x) for x in (0.05, 0.0))
    for some, share in ((whole, 0.05), (clear, 0.0)):
        # Back to a cube whose sides are from -1 to 1.
        X = some.X / np.abs(some.X).max()
        told = np.where(np.sin(4 * X).sum(axis=1) > 0, 1, -1)
        assert np.mean(told != some.y) == pytest.approx(share, abs=0.01)


# ---- criteria ----


def test_exact_criteria_are_those_of_the_formula():
    known = some_known()
    y, n = known.points.y, 40
    for gamma, told in zip((0.5, 8.0), known.exact, strict=True):
        K = RBF(1 / np.sqrt(2 * gamma))(known.points.X)
        inverse = np.linalg.inv(K + experiments.MU * n * np.eye(n))
        assert told == pytest.approx(experiments.MU * y @ inverse @ y, rel=1e-6)
    assert known.columns == 8 and known.ridge == pytest.approx(0.2)


@pytest.mark.parametrize("method", METHODS)
def test_no_approximation_has_a_smaller_criterion(method):
    known = some_known()
    found = experiments.criteria(method, known, np.random.default_rng(0))
    assert (found >= known.exact - 1e-9).all()
    assert method == "original" or found[1] > known.exact[1] + 0.01


def test_a_low_rank_is_farther():
    known, gaps = some_known(), []
    for rank in (1, 8):
        found = experiments.criteria("uniform", known, np.random.default_rng(0), rank)
        gaps.append(found - known.exact)
    assert (gaps[0] >= gaps[1] - 1e-9).all() and gaps[0].sum() > gaps[1].sum()


def test_what_is_picked_by_hand():
    found, exact = np.array([0.5, 0.6, 0.9]), np.array([0.5, 0.4, 0.8])
    told = experiments.picked(found, exact)
    assert told["apart"] == pytest.approx(0.1)
    assert (told["right"], told["narrower"]) == (0, -1)
    assert told["excess"] == pytest.approx(25)
    assert experiments.picked(exact, exact)["right"] == 100


def test_points_that_no_column_reaches():
    K = kernels.as_kernel(np.array([[1.0, 0.6, 0], [0.6, 1, 0], [0, 0, 1]]))
    assert experiments.unseen(K, [0], 0.5) == pytest.approx(100 / 3)
    assert experiments.unseen(K, [0, 2], 0.5) == 0


# ---- rules ----


def test_folds_are_those_of_scikit_learn():
    known = some_known()
    rows = experiments._columns(known, 3)
    found = Rule("folds").losses(known, 3)
    for K, told in zip(known.matrices, found, strict=True):
        F, y = lowrank.nystrom(K, rows).factor, known.points.y
        squares = 0.0
        for rest, fold in KFold(5).split(F):
            alpha = experiments.MU * len(rest)
            model = Ridge(alpha, fit_intercept=False).fit(F[rest], y[rest])
            squares += np.sum((model.predict(F[fold]) - y[fold]) ** 2)
        assert told == pytest.approx(squares / len(y))


def test_rules_see_few_columns_or_all():
    known = some_known()
    whole = Rule("criterion", few=False).losses(known, 0)
    assert whole == pytest.approx(known.exact)
    few = Rule("criterion").losses(known, 0)
    assert (few >= whole).all() and few[1] > whole[1]
    fewer = Rule("criterion", share=0.5).losses(known, 0)
    assert (fewer >= few - 1e-9).all()


def test_with_the_same_choice_the_machine_on_all_columns_is_the_plain_one():
    rng = np.random.default_rng(0)
    learn, new = points.moons(40, rng), points.moons(80, rng)
    known = Known.of(learn, experiments.GAMMAS)
    found = experiments.wrong(Rule("criterion", few=False), known, new, 0)
    place = int(np.argmin(known.exact))
    gamma = experiments.GAMMAS[place]
    assert found["gamma"] == gamma
    kernel = RBF(1 / np.sqrt(2 * gamma))
    dual = np.linalg.solve(kernel(learn.X) + known.ridge * np.eye(40), learn.y)
    told = np.sign(kernel(new.X, learn.X) @ dual)
    assert found["all"] == pytest.approx(100 * np.mean(told != new.y))
    rows = experiments._columns(known, 0)
    C, W = kernel(learn.X, learn.X[rows]), kernel(learn.X[rows])
    weights = np.linalg.solve(C.T @ C + known.ridge * W, C.T @ learn.y)
    told = np.sign(kernel(new.X, learn.X[rows]) @ weights)
    assert found["few"] == pytest.approx(100 * np.mean(told != new.y))


# ---- data that are not shipped ----


def test_what_is_kept_of_the_folder_is_complete():
    stored = tables.stored()
    assert len(stored) == len(tables.WIDTHS) * len(EIGHT) * tables.RUNS
    told = tables.table(stored)
    assert [row[0] for row in told.rows] == list(tables.WIDTHS)
    for data in tables.WIDTHS:
        found = tables.means(stored, data)
        assert found["original"] == 0
        some = {k: x for k, x in found.items() if k not in ("original", "optimal")}
        assert tables.closest(stored, data) == min(some, key=some.get)
        assert tables.difference(stored, data)[0] == pytest.approx(
            found["driven"] - found["uniform"]
        )


def test_points_of_a_folder_are_scaled(monkeypatch):
    X = np.array([[1.0, 5], [3, 5], [2, 5]])
    data = Points(X, np.array([0, 1, 1]))
    monkeypatch.setattr(tables.datasets, "from_folder", lambda name: data)
    some = tables.points("any")
    assert some.X[:, 0].tolist() == [-1, 1, 0] and some.y.tolist() == [-1, 1, 1]
    assert np.ptp(some.X[:, 1]) == 0


@needs_data
@pytest.mark.parametrize("name", ["liver-disorders", "sonar", "heart"])
def test_what_is_kept_of_the_folder_is_reproduced(name):
    stored = [x for x in tables.stored() if x.data == name and x.run == 0]
    found = tables.rows_of(name, tables.points(name), [0])
    for before, now in zip(stored, found, strict=True):
        assert (before.method, before.n) == (now.method, now.n)
        # Another library may draw other columns where two are as likely.
        assert now.apart == pytest.approx(before.apart, abs=0.03)
        assert now.low == pytest.approx(before.low, rel=1e-3)


@needs_data
@pytest.mark.parametrize("name", ["breast-cancer", "ionosphere", "australian"])
def test_larger_data_of_the_folder_have_the_stored_ends(name):
    some, (row, *_) = (
        tables.points(name),
        (x for x in tables.stored() if x.data == name),
    )
    known = Known.of(some, tables.WIDTHS[name])
    assert (len(some.y), known.columns) == (row.n, row.columns)
    ends = known.exact.min(), known.exact.max()
    assert ends == pytest.approx((row.low, row.high), rel=1e-3)
