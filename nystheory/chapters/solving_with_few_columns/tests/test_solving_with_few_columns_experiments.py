"""The race, and a Gaussian process on a line, in small."""

import numpy as np
import pytest

from nystheory import kernels
from nystheory.chapters.solving_with_few_columns import experiments, race


@pytest.fixture(scope="module")
def small():
    return race.race(150, [0, 1], ["surface", "waves"], count=20, clock=True)


def test_all_points_are_those_of_the_definition(small):
    row = small.of("waves", race.FULL)[0]
    given = race.problem("waves", 150, 0)
    K = kernels.rbf(given.X, given.gamma)
    A = K.dense() + row.ridge * np.eye(150)
    rows = K.between(given.test[0], np.arange(150))
    wrong = rows @ np.linalg.solve(A, given.y) - given.test[1]
    error = np.sqrt(np.mean(wrong**2)) / given.test[1].std()
    assert row.error == pytest.approx(error, rel=1e-3)


def test_work_and_memory_are_as_they_are_told(small):
    full, memory, work = (
        small.of("waves", m)[0] for m in (race.FULL, race.SAME_MEMORY, race.SAME_WORK)
    )
    assert memory.landmarks == 20 and memory.words == 20 * 150
    assert full.words == 150**2 + 20 * 150
    assert work.landmarks > 20
    assert work.operations == pytest.approx(full.operations, rel=0.05)


def test_without_ridges_of_their_own_all_have_one(small):
    for task in ("surface", "waves"):
        for seed in (0, 1):
            ridges = {r.ridge for r in small.rows if (r.task, r.seed) == (task, seed)}
            assert len(ridges) == 1 and ridges < set(race.RIDGES)


def test_rows_that_are_computed_again_take_no_memory():
    (full, *_) = race.Runner("waves", 60, 0, stored=False).run(10, clock=False)
    kept = race.Runner("waves", 60, 0, stored=True).run(10, clock=False)[0]
    assert full.words == 600 < kept.words
    assert full.operations > kept.operations
    assert full.error == pytest.approx(kept.error, rel=1e-3)


def test_as_long_never_asks_for_more_points_than_there_are(small):
    rows = small.of("surface", race.SAME_TIME)
    assert len(rows) == 2 and all(row.landmarks <= 150 for row in rows)


def test_what_is_lost_is_paired():
    def row(seed, method, error):
        return race.Row("waves", seed, method, 1, 1.0, error, 1, 1, 1.0)

    rows = [row(s, race.FULL, 10.0**s) for s in range(3)]
    rows += [row(s, race.SAME_WORK, 2 * 10.0**s) for s in range(3)]
    found = race.Race(9, tuple(rows), "")
    assert found.lost("waves", race.SAME_WORK)[:3] == pytest.approx((1, 1, 1))
    assert found.mean("waves", race.FULL, "error") == pytest.approx(37)


def test_a_race_is_kept_and_found_again(small, tmp_path, monkeypatch):
    monkeypatch.setattr(race, "path", lambda n: tmp_path / f"race_{n}.json")
    assert race.stored(150) is None
    race.keep(small)
    again = race.stored(150)
    assert again.n == 150 and again.machine == small.machine
    assert len(again.rows) == len(small.rows)
    ours, theirs = (each.mean("waves", race.FULL, "error") for each in (small, again))
    assert theirs == pytest.approx(ours, rel=1e-3)
    told = race.summary(again).rows
    assert [row[2] for row in told[:4]] == [
        *("all points", "same memory", "same work", "same time")
    ]
    assert len(told) == 8 and told[4][-1] == ""
    ways = (race.SAME_MEMORY, race.SAME_WORK, race.SAME_TIME)
    for row, way in zip(told[5:], ways, strict=True):
        lost = again.lost("waves", way)
        limits = [float(each) / 100 for each in row[-1].split(" to ")]
        assert limits == pytest.approx([lost.low, lost.high], abs=6e-5)


@pytest.mark.parametrize("task", race.TASKS)
def test_a_task_is_as_large_as_asked_and_has_a_scale(task):
    given = race.problem(task, 40, 3)
    assert len(given.X) == len(given.y) == 40
    assert [len(y) for _, y in (given.validation, given.test)] == [500, 1000]
    assert abs(given.y.mean()) < 1e-9 and given.test[1].std() > 0.01


def test_means_and_variances_keep_their_distance():
    found = experiments.line(60, 10, 0.1)
    assert (abs(found.exact[0] - found.near[0]) <= found.reach * (1 + 1e-6)).all()
    t = found.gap_2 / found.noise
    theta = 1 + t / 2 + np.sqrt(t + t**2 / 4)
    ratio = (found.near[1] / found.exact[1]) ** 2
    assert 1 / theta <= ratio.min() and ratio.max() <= theta
    assert (found.mixed <= found.exact[1] ** 2 + 1e-9).all()
