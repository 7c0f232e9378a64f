"""The experiments in small, by a second route."""

import numpy as np
import pytest
import scipy.optimize

from nystheory.chapters.newton_with_few_columns import (
    both_forms,
    findings,
    trials,
)
from nystheory.engine.findings import Trial

ALL = [findings.FORMS, findings.SHORTER, findings.LEARNERS]


def rng(seed=0):
    return np.random.default_rng(seed)


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.id)
def test_findings_are_of_ten_draws_and_more_data_than_the_page_shows(experiment):
    assert experiment.draws >= 10 and experiment.beyond
    assert experiment.found().complaints() == []


@pytest.fixture(scope="module")
def small():
    return trials.known_and_new(trials.pair(40, rng(), ridge=0.1), rng(1))


def test_the_minimiser_is_that_of_the_loss(small):
    known, (rows, labels) = small

    def loss(w):
        return both_forms.loss(known.K, known.y, known.ridge, w)

    def slope(w):
        return both_forms.slope(known.K, known.y, known.ridge, w)

    goal = scipy.optimize.minimize(loss, np.zeros(40), jac=slope, tol=1e-10).x
    assert known.goal.w == pytest.approx(goal, abs=1e-3)
    found = trials.all_columns(Trial(None, known, (rows, labels), None, rng()))
    told = np.mean((rows @ goal > 0) == (labels == 1))
    assert found["right"] == pytest.approx(100 * told)


def test_steps_and_ends_are_those_of_the_columns(small):
    known, judged = small
    trial = Trial(findings.QUARTER, known, judged, None, rng())
    found = trials.steps_and_ends(trial, (5, 40))
    for place, count in enumerate((5, 40)):
        path = both_forms.printed(known.K, known.y, 0.1, known.order[:count])
        away = np.linalg.norm(path[-1] - known.goal.w) / np.linalg.norm(known.goal.w)
        assert found["off"][place] == pytest.approx(100 * away)
        assert found["rest"][place] == 100 * both_forms.at_rest(path)
        whole = known.goal.iterations * (4 * 40**2 + 40**3 + 40**3 / 3)
        told = 100 * (4 * 40**2 + 2 * 40**2 * count + 2 * 40 * count**2) / whole
        assert found["work"][place] == pytest.approx(100 * told)
    assert found["off"][1] < 1 < found["off"][0]
    few = trials.steps_and_ends(
        Trial(trials.exact_gradient, known, judged, None, rng()), (5,)
    )
    assert few["off"][0] < 0.01 and few["steps"][0] > known.goal.iterations


def test_a_learner_never_sees_the_points_of_the_test():
    drawn = trials.moons(40, rng())
    known, (X, y) = trials.known_and_judged(drawn, rng())
    assert len(known.y) == 30 and len(known.aside[1]) == 10 and len(y) == 40
    assert np.mean(np.sum(known.X**2, axis=1)) == pytest.approx(1)
    rows = [{tuple(x) for x in part} for part in (known.X, known.aside[0], X)]
    assert not (rows[0] | rows[1]) & rows[2]
    run = {"linear": False, "landmarks": None}
    model = trials.trained(known, 0.1, **run)
    apart = ((drawn.X[:30, None] - drawn.X[None, :30]) ** 2).sum(axis=2)
    K = np.exp(-drawn.gamma * apart)
    assert np.abs(both_forms.slope(K, known.y, 0.1, model.dual_coef_)).max() < 1e-4
    told = np.mean(model.predict(known.aside[0]) != known.aside[1])
    assert trials.wrong_aside(run, 0.1, known) == pytest.approx(told)


@pytest.mark.parametrize("make", [trials.pair, trials.cells, trials.moons])
def test_both_labels_are_drawn(make):
    drawn = make(60, rng())
    assert drawn.train == 60 < len(drawn.y) == len(drawn.X)
    assert set(drawn.y[:60]) == {0.0, 1.0}


def test_features_of_all_landmarks_tell_what_the_whole_kernel_tells():
    known, (X, y) = trials.known_and_judged(trials.moons(40, rng()), rng())
    ways = (
        trials.told_right(Trial(run, known, (X, y), 0.1, rng()))
        for run in (
            {"linear": False, "landmarks": None},
            {"linear": False, "landmarks": len(known.y)},
        )
    )
    whole, features = (each["right"] for each in ways)
    assert whole == pytest.approx(features, abs=3)
    model = trials.trained(known, 0.1, False, None)
    assert whole == pytest.approx(100 * np.mean(model.predict(X) == y))


def test_shorter_steps_are_a_tenth_of_each(small):
    known, judged = small
    found = findings.ended_with_few(Trial(findings.TENTH, known, judged, None, rng()))
    for place, count in enumerate(findings.FEWEST):
        some = known.order[:count]
        path = both_forms.printed(known.K, known.y, 0.1, some, 0.1, 250)
        away = np.linalg.norm(path[-1] - known.goal.w) / np.linalg.norm(known.goal.w)
        assert found["off"][place] == pytest.approx(100 * away)
        assert found["rest"][place] == 100 * both_forms.at_rest(path, 0.1)
    assert set(found) == {"off", "rest"}
