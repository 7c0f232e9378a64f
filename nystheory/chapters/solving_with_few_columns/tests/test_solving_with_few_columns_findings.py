"""The experiments in small, by a second route, and their figures read back."""

import numpy as np
import pytest

from nystheory import datasets, guarantees, kernels, learners, lowrank, sampling, style
from nystheory.chapters.solving_with_few_columns import (
    figures,
    findings,
    own_ridges,
    race,
    trials,
)
from nystheory.engine.findings import Series, Trial
from nystheory.engine.findings.fields import strays

ALL = [findings.RACE, findings.CONDITIONS, findings.VARIANCES, findings.MOVES]


def rng(seed=0):
    return np.random.default_rng(seed)


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.id)
def test_findings_are_of_ten_draws_and_more_data_than_the_page_shows(experiment):
    assert experiment.draws >= 10 and experiment.beyond
    assert experiment.found().complaints() == []


@pytest.fixture(scope="module")
def small():
    given = own_ridges.drawn(60, rng(), race.waves)
    return given, own_ridges.Known(given, rng(1))


def test_nobody_knows_the_points_of_the_test(small):
    given, known = small
    assert known.given.test is None and len(given.test[1]) == race.TEST
    assert known.columns == 35 and known.count(own_ridges.ALL) == 35


def test_the_ridge_of_each_has_the_smallest_error_aside(small):
    _, known = small
    for name in own_ridges.METHODS:
        errors = [known.loss(name, each) for each in race.OWN_RIDGES]
        assert known.best(name) == race.OWN_RIDGES[int(np.argmin(errors))]


def test_learners_are_those_of_their_definitions(small):
    """Each by a dense solution of its own system."""
    given, known = small
    X, y, ridge = given.X, given.y, 0.1
    K = kernels.rbf(X, given.gamma).dense()
    new = kernels.rbf(X, given.gamma).between(given.test[0], np.arange(60))
    near = known.near(35).spectral_reconstruction()
    S = known.near(35).landmarks
    inverse = np.linalg.inv(near + ridge * np.eye(60))
    A = K[:, S].T @ K[:, S] + ridge * K[np.ix_(S, S)]
    told = {
        own_ridges.ALL: new @ np.linalg.solve(K + ridge * np.eye(60), y),
        own_ridges.FEW: new[:, S] @ np.linalg.lstsq(A, K[:, S].T @ y, 1e-14)[0],
        own_ridges.ROWS: new @ inverse @ y,
    }
    for name, found in told.items():
        error = np.sqrt(np.mean((found - given.test[1]) ** 2)) / given.test[1].std()
        trial = Trial(name, known, given.test, ridge, rng())
        measured = own_ridges.measured(trial)
        assert measured["error"] == pytest.approx(100 * error, rel=1e-2)
    missed = np.linalg.norm(K - near, 2) / known.best(own_ridges.ALL)
    assert measured["norm"] == pytest.approx(missed, rel=1e-6)
    assert measured["trace"] == pytest.approx(100 * np.trace(K - near) / 60)


def test_the_same_work_is_that_of_all_points(small):
    _, known = small
    count, n, d = known.count(own_ridges.PAID), 60, 2
    steps = known.model(own_ridges.ALL, known.best(own_ridges.ALL)).n_iter_
    work = 2 * n * 35**2 + 2 * d * n * 35 + steps * (2 * n**2 + 4 * n * 35) + d * n**2
    paid = min(n, (-d + np.sqrt(d**2 + 2 * work / n)) / 2)
    assert count == pytest.approx(paid, abs=0.5)


def test_columns_are_promised_as_the_calculator_promises_them():
    K = kernels.DenseKernel(kernels.rbf(datasets.digits().X[:40], 5e-4).dense())
    share = learners.tolerated_error(0.1, 3.0, delta=0.1) / 40
    told = guarantees.columns(K, share).of("modern:k-dpp-expectation").count
    assert trials.promised(K) == told and 1 < told < 40


def test_conditions_are_those_of_the_matrices():
    given = trials.system(40, rng(), trials.of_digits)
    trial = Trial("rp_cholesky", given, None, None, rng(3))
    found = trials.solves(trial, (5, 20))
    drawn, values = rng(3), []
    for count in (5, 20):
        S = sampling.rp_cholesky(given.K, count, drawn)
        near = lowrank.nystrom(given.K, S).spectral_reconstruction()
        both = np.linalg.solve(
            near + 0.1 * np.eye(40), given.K.dense() + 0.1 * np.eye(40)
        )
        ends = np.sort(np.linalg.eigvals(both).real)[[0, -1]]
        values.append(ends[1] / ends[0])
        norm = np.linalg.norm(given.K.dense() - near, 2)
        assert found["by_norm"][len(values) - 1] == pytest.approx(1 + norm / 0.1)
    assert found["condition"] == pytest.approx(values, rel=1e-6)
    plain = trials.unaided(Trial(None, given, None, None, rng()))
    whole = np.linalg.cond(given.K.dense() + 0.1 * np.eye(40))
    assert plain["condition"] == pytest.approx(whole)


def test_variances_are_those_of_the_formulas():
    seen = trials.on_a_line(30, rng(), noise=0.1)
    found = trials.variances(Trial("rp_cholesky", seen, None, None, rng(2)), (5,))
    K, S = seen.K, sampling.rp_cholesky(seen.K, 5, rng(2)).indices
    rows = K.between(seen.places, np.arange(30))
    solved = np.linalg.inv(K.dense() + 0.1 * np.eye(30))
    exact = 1 - np.einsum("ij,jk,ik->i", rows, solved, rows)
    C = K[:, S]
    W = C[S]
    q = C @ np.linalg.solve(W, rows[:, S].T)
    near = C @ np.linalg.solve(W, C.T)
    inverse = np.linalg.inv(near + 0.1 * np.eye(30))
    seen_of = np.einsum("ij,ij->j", rows[:, S].T, np.linalg.solve(W, rows[:, S].T))
    rough = 1 - seen_of + (seen_of - np.einsum("ji,jk,ki->i", q, inverse, q))
    t = np.linalg.norm(K.dense() - near, 2) / 0.1
    theta = np.roots([1, -(2 + t), 1]).max()
    ratio = rough / exact
    assert found["above"] == pytest.approx([100 * ratio.max() / theta], rel=1e-4)
    assert found["below"] == pytest.approx([100 / ratio.min() / theta], rel=1e-4)
    mixed = 1 - np.einsum("ij,jk,ik->i", rows, inverse, rows)
    assert found["lowest"] == pytest.approx([mixed.min()], rel=1e-4)


def test_how_far_a_mean_moves_and_may_move():
    seen = trials.of_a_task(40, rng(), race.surface, 2.0)
    found = trials.moves(Trial(None, seen, None, None, rng(1)), (6,))
    K, new, y = seen.K, seen.places, seen.y
    near = lowrank.nystrom(K, sampling.rp_cholesky(K, 6, rng(1)))
    exact = K.between(new, np.arange(40)) @ np.linalg.solve(
        K.dense() + 2.0 * np.eye(40), y
    )
    rough = near.spectral_reconstruction()
    apart = near.extend(new) @ np.linalg.solve(rough + 2.0 * np.eye(40), y) - exact
    missed = 40 - np.trace(rough)
    bound = np.linalg.norm(y) * np.sqrt(missed / (2.0 * (2.0 + missed)))
    assert found["moved"] == pytest.approx([np.abs(apart).max()])
    assert found["bound"] == pytest.approx([bound])
    assert found["share"] == pytest.approx([100 * np.abs(apart).max() / bound])


@pytest.mark.parametrize("make", [own_ridges.numbers, own_ridges.products])
def test_other_tasks_are_as_large_as_asked(make):
    given = own_ridges.drawn(40, rng(), make)
    assert len(given.X) == len(given.y) == 40
    assert abs(given.y.mean()) < 1e-9 and given.test[1].std() > 0.1


def test_curves_of_steps_have_the_values_of_their_fields():
    found = findings.CONDITIONS.found()
    _, (left, right) = style.panels(2)
    figures.draw_solves(left, right, found, "digits")
    steps = found.measured("steps", "pivots", "digits").mean(axis=0)
    label = findings.CONDITIONS.competitors["pivots"].label
    drawn = [Series(findings.STEPS, steps, label)]
    assert strays(right, findings.COUNT, drawn) == []
    curves = {line.get_label(): line.get_ydata() for line in left.lines}
    for field, _ in figures.CURVES:
        told = found.measured(field.name, "pivots", "digits").mean(axis=0)
        assert np.array_equal(curves[field.label], told)


def test_marks_and_table_of_the_race_have_geometric_means():
    found = findings.RACE.found()
    _, (axes,) = style.panels(1)
    figures.draw_race(axes, found)
    assert axes.get_xlabel() == findings.RATIO.axis
    assert len(axes.containers) == 2
    for bars, name in zip(axes.containers, figures.LOOKS, strict=True):
        assert bars.get_label() == findings.RACE.competitors[name].label
        for x, task in zip(bars[0].get_xdata(), findings.RACE.shown, strict=True):
            few, whole = (found.measured("error", each, task) for each in (name, "all"))
            told = np.prod(few / whole) ** (1 / len(few))
            assert x == pytest.approx(told, rel=1e-3)
    rows = figures.table_of_race(found).rows
    assert len(rows) == len(findings.RACE.data)
    assert rows[0][0] == "surface"
