"""What the experiments of the chapter measure, by plain routes; data that are kept."""

import os
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats
from sklearn.svm import SVC, LinearSVC

from nystheory import guarantees, kernels, lowrank, sampling
from nystheory.chapters.machines_on_few_columns import (
    experiments,
    large,
    machines,
    points,
    spectra,
    tables,
)
from nystheory.chapters.machines_on_few_columns.machines import Few, Linear, Whole
from nystheory.engine.findings.held_out import Points
from nystheory.learners import KernelRidge, SubspaceClassifier

needs_data = pytest.mark.skipif(
    not os.environ.get("NYSTHEORY_DATA"),
    reason="usps and mnist-t10k are not shipped: NYSTHEORY_DATA names a folder with "
    "them",
)


def some_known(make=points.moons, size=150, count=90, columns=12):
    rng = np.random.default_rng(0)
    return machines.split(make(size, rng), count, columns, rng)


# ---- points ----


@pytest.mark.parametrize("make", [points.moons, points.waves])
def test_generated_points_have_two_classes_about_as_large(make):
    some = make(400, np.random.default_rng(0))
    assert some.X.shape[0] == 400 and set(some.y.tolist()) == {-1, 1}
    assert abs(some.y.mean()) < 0.2


def test_data_of_scikit_learn_have_two_labels():
    rng = np.random.default_rng(0)
    for make in (points.digits, points.cells, points.photographs):
        some = make(100, rng)
        assert len(some.X) == 100 and set(some.y.tolist()) == {-1, 1}


def test_no_machine_is_better_on_waves_than_the_flipped_labels():
    rng = np.random.default_rng(1)
    some = points.waves(20_000, rng)
    told = np.where(np.sin(4 * some.X).sum(axis=1) > 0, 1, -1)
    assert np.mean(told != some.y) == pytest.approx(0.05, abs=0.01)


def test_light_groups_are_far_and_each_has_one_label():
    some = points.rare(1200, np.random.default_rng(0), share=0.1, groups=12)
    rare = points.far(some.X)
    assert rare.sum() == 120
    X, y = some.X[rare], some.y[rare]
    near = kernels.rbf(X, 0.1).dense() > 0.5
    assert (y[:, None] == y)[near].all()


# ---- machines ----


def test_nothing_of_the_test_is_known_before():
    known, judged = some_known()
    parts = (known.learn, known.aside, judged)
    assert [len(part.X) for part in parts] == [90, 20, 40]
    rows = [{tuple(x) for x in part.X} for part in parts]
    assert not rows[0] & rows[2] and not rows[1] & rows[2] and not rows[0] & rows[1]


def test_machines_are_those_of_scikit_learn_and_ours():
    known, judged = some_known()
    ridge, X, y = 9.0, known.learn.X, known.learn.y
    theirs = SVC(C=1 / ridge, gamma=known.gamma(0.6)).fit(X, y)
    found = Whole().fitted(known, 0.6, ridge)
    assert (found.predict(judged.X) == theirs.predict(judged.X)).all()
    line = LinearSVC(C=1 / ridge, loss="hinge", random_state=known.seed).fit(X, y)
    found = Linear().fitted(known, 0.6, ridge)
    assert (found.predict(judged.X) == line.predict(judged.X)).all()
    K = kernels.rbf(X, known.gamma(0.6))
    drawn = sampling.uniform(K, 12, np.random.default_rng(known.seed))
    near = lowrank.nystrom(K, drawn)
    regression = KernelRidge(ridge, method="nystrom").fit(near, y.astype(float))
    found = Few("uniform", loss="square").fitted(known, 0.6, ridge)
    scores = found.decision_function(judged.X)
    assert scores == pytest.approx(regression.predict(judged.X), abs=1e-6)


def test_with_all_columns_the_machine_on_few_is_the_one_on_all():
    known, judged = some_known(columns=90)
    few = Few("uniform", tol=1e-6, passes=100).fitted(known, 0.6, 0.9)
    K = kernels.rbf(known.learn.X, known.gamma(0.6)).dense()
    whole = SubspaceClassifier(0.9, tol=1e-6, max_iter=100, landmarks=range(90))
    whole = whole.fit(kernels.DenseKernel(K), known.learn.y)
    assert few.objective_ == pytest.approx(whole.objective_, rel=1e-4)


def test_the_pair_is_the_one_with_the_fewest_wrong_labels_aside():
    known, _ = some_known()
    machine = Few("uniform", loss="square")
    wrong = [
        np.mean(
            machine.fitted(replace(known, _near={}), w, x * known.n).predict(
                known.aside.X
            )
            != known.aside.y
        )
        for w, x in machines.PAIRS
    ]
    assert machines.best(machine, known) == int(np.argmin(wrong))


def test_a_linear_machine_has_the_same_loss_for_each_width():
    known, _ = some_known()
    losses = [machines.wrong_aside(Linear(), k, known) for k in range(12)]
    assert losses[:4] * 3 == losses


# ---- what is measured ----


def test_more_columns_cost_what_the_scores_cost():
    for count, d in ((50, 2), (100, 64), (400, 8)):

        def work(m, d=d):
            return m * (2 * d + experiments.EXPONENTIAL + m)

        more = experiments.columns_for_the_work(count, d)
        assert work(more) == pytest.approx(3 * work(count), rel=0.02)


def test_along_columns_all_points_and_the_rare_ones_are_judged():
    known, judged = some_known(points.rare, 400, 150)
    part = experiments.Part(judged, lambda some: points.far(some.X))
    found = experiments.along("uniform", known, part, 0.6, [8, 40])
    assert list(map(len, found.values())) == [2, 2, 2]
    some = replace(known, columns=40, _near={}, _wrong={})
    machine = Few("uniform")
    model = machines.of_pair(machine, machines.best(machine, some, [0.6]), some)
    rare = points.far(judged.X)
    wrong = model.predict(judged.X) != judged.y
    assert found["error"][1] == pytest.approx(100 * wrong.mean())
    assert found["rare"][1] == pytest.approx(100 * wrong[rare].mean())
    more = experiments.along("more", known, part, 0.6, [8])
    assert more["share"][0] >= 0


def test_gaps_are_those_that_the_machine_tells():
    known, _ = some_known()
    place = experiments.place_of(0.6, 1e-3)
    found = experiments.gaps("pegasos", known, place, [1, 20])
    assert found[1] < found[0]
    model = Few("uniform", solver="pegasos", passes=20).fitted(known, 0.6, 0.09)
    assert found[1] == pytest.approx(100 * model.duality_gap_ / 90)


def test_spectra_are_those_of_the_kernel_and_their_lines_lie_on_them():
    found = spectra.spectrum(points.cells, guarantees.landmarks_for_learning, 120)
    some = points.cells(120, np.random.default_rng(0))
    gamma = 1 / (2 * some.X.var(axis=0).sum())
    K = kernels.rbf(some.X, gamma).dense()
    assert found.values[0] == pytest.approx(np.linalg.norm(K, 2) / 120)
    j, line = found.fitted()
    off = np.abs(np.log(found.values[j - 1] / line))
    assert np.exp(off.max()) == pytest.approx(found.decay.fit.factor)
    assert 0 < found.square <= found.hinge <= 120


# ---- what is kept ----


def test_the_tables_have_five_runs_of_each_machine():
    stored = tables.stored()
    assert len(stored) == len(tables.TASKS) * len(tables.MACHINES) * tables.RUNS
    for data, task in tables.TASKS.items():
        told = tables.table(stored, data)
        assert len(told.rows) == len(tables.MACHINES)
        errors = tables.means(stored, data, "error")
        some = [x for x in stored if (x.data, x.machine) == (data, "ridge")]
        assert errors["ridge"] == pytest.approx(np.mean([x.error for x in some]))
        assert {x.n for x in some} == {task.count}


def test_the_tables_are_reproduced():
    stored = [x for x in tables.stored() if x.data == "cell samples" and x.run == 0]
    found = tables.rows_of("cell samples", tables.TASKS["cell samples"], [0])
    for before, now in zip(stored, found, strict=True):
        assert now.machine == before.machine
        assert now.error == pytest.approx(before.error, abs=2)


def test_the_large_run_is_whole():
    found = large.stored()
    assert set(found.rows) == set(large.MACHINES)
    for name in ("uniform", "leverage"):
        row = found.rows[name]
        assert row.n == large.N and row.columns == large.COLUMNS
        assert row.worked < 300 and row.memory < 3 and row.gap > 0
    assert [row.n for row in found.whole] == list(large.SOME)
    assert found.slope > 1
    assert len(found.table().rows) == len(large.MACHINES)


def test_seconds_of_the_whole_machine_are_continued_by_their_slope():
    one = large.Row("kernel", 10, 10, 1.0, 2.0, 1.0, None, None, 1.0, 1.0)
    found = large.Large("", {}, [one, replace(one, n=20, worked=8.0)])
    assert found.slope == pytest.approx(2)
    assert found.hours(200) == pytest.approx(800 / 3600)


@pytest.mark.parametrize("name", ["uniform", "falkon", "liblinear", "ridge"])
def test_each_machine_of_the_large_run_learns(name):
    row = large.row_of(name, 400, 40, (0.5, 1e-4))
    assert row.error < 40 and row.memory > 0


# ---- data that are not shipped ----


def test_what_is_kept_of_the_folder_is_complete():
    stored = tables.stored(tables.FOLDER)
    assert {row.data for row in stored} == set(tables.FOLDERS)
    assert len(stored) == len(tables.FOLDERS) * len(tables.MACHINES) * tables.RUNS


@needs_data
@pytest.mark.parametrize("name", tables.FOLDERS)
def test_what_is_kept_of_the_folder_is_reproduced(name, record_property):
    """Machines that are quick, with the width and ridge that are stored, in new runs.

    The difference of two means over its standard error has a Student distribution; each
    of the six is wrong with probability 1e-6.
    """
    stored = [x for x in tables.stored(tables.FOLDER) if x.data == name]
    limit = scipy.stats.t.isf(0.5e-6, tables.RUNS - 1) * np.sqrt(1 / 2 + 1 / 5)
    for machine in ("linear", "ridge", "ridge_uniform"):
        before = [x for x in stored if x.machine == machine]
        place = experiments.place_of(before[0].width, before[0].lambda_)
        found = []
        for run in (5, 6):
            known, judged = tables.FOLDERS[name].split(run)
            model = machines.of_pair(tables.MACHINES[machine].run, place, known)
            found.append(machines.wrong(model, judged))
        record_property(machine, repr(found))
        errors = [x.error for x in before]
        allowed = 0.2 + limit * np.std(errors, ddof=1)
        assert abs(np.mean(found) - np.mean(errors)) < allowed, machine


def test_points_that_judge_are_the_same_in_each_run_of_a_folder(monkeypatch):
    X, y = np.arange(50.0)[:, None], np.arange(50)
    data = Points(X, y)
    monkeypatch.setattr(tables.datasets, "from_folder", lambda name: data)
    kept = tables.Kept("some", 10, 4)
    parts = [kept.split(run) for run in (0, 1)]
    one, other = (np.sort(judged.X[:, 0]) for _, judged in parts)
    assert (one == other).all() and len(one) == 10
    known = parts[0][0]
    assert known.n == 32 and len(known.aside.X) == 8
    assert not (known.learn.X == parts[1][0].learn.X).all()
