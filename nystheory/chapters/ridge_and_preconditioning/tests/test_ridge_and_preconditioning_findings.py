"""The experiments in small, by a second route."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg

from nystheory import lowrank, sampling
from nystheory.chapters.ridge_and_preconditioning import findings, measured, rules
from nystheory.chapters.ridge_and_preconditioning.theorems.ridge_risk import (
    risk_of_matrix,
)
from nystheory.engine.findings import Data, Finding, Trial
from nystheory.engine.findings.drawing import one_draw
from nystheory.engine.findings.held_out import Points

ALL = [findings.RISKS, findings.SOLVES, findings.RULES]


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.id)
def test_findings_are_of_ten_draws_and_more_data_than_the_page_shows(experiment):
    assert experiment.draws >= 10 and experiment.beyond
    assert experiment.found().complaints() == []


def one(experiment, data):
    """A draw of an experiment on few points."""
    line = next(iter(experiment.findings.values()))
    some = Finding(line.line, line.scope, when=line.when, on=("few",), but_on="others")
    small = replace(
        experiment,
        shown={"few": data},
        beyond={"others": data},
        findings={"some": some},
    )
    return one_draw(small, "few", 0)[0]


def test_risks_and_bounds_by_solving():
    drawn = measured.wave(90, np.random.default_rng(0))
    of, _ = measured.with_risk(drawn, None)
    trial = Trial(sampling.uniform, of, None, None, np.random.default_rng(1))
    found, rng = measured.risks(trial), np.random.default_rng(1)
    whole = sum(risk_of_matrix(of.K, of.z, measured.NOISE, of.ridge))
    values, vectors = np.linalg.eigh(of.K)
    root = np.sqrt(np.maximum(values, 0))[:, None] * vectors.T
    assert of.z.std() == pytest.approx(1) and of.ridge == 0.9
    assert of.dimension == pytest.approx(
        np.trace(np.linalg.solve(of.K + 0.9 * np.eye(90), of.K))
    )
    for at, times in enumerate(measured.TIMES):
        S = sampling.uniform(of.K, int(np.ceil(times * of.dimension)), rng).indices
        Q = np.linalg.qr(root[:, S])[0]
        near = root.T @ Q @ Q.T @ root
        risk = sum(risk_of_matrix(near, of.z, measured.NOISE, of.ridge))
        assert found["risk"][at] == pytest.approx(risk / whole, rel=1e-5)
        sizes = np.linalg.norm(of.K - near, 2), np.trace(of.K - near)
        told = found["by_norm"][at], found["by_trace"][at]
        assert told == pytest.approx([(1 + x / 0.9) ** 2 for x in sizes], rel=1e-5)


def test_condition_numbers_and_bounds_by_roots():
    of, _ = measured.system(
        measured.wide_digits(90, np.random.default_rng(0)), np.random.default_rng(1)
    )
    shifted = of.K + measured.RIDGE * np.eye(90)
    assert of.plain == pytest.approx(np.linalg.cond(shifted))
    assert of.root.T @ of.root == pytest.approx(of.K)
    trial = Trial(measured.pivots, of, None, None, np.random.default_rng(2))
    found, rng = measured.solves(trial), np.random.default_rng(2)
    for at, times in enumerate(measured.SHARES):
        count = int(np.ceil(times * of.dimension))
        near = measured.pivots(of, count, rng).spectral_reconstruction()
        values, vectors = np.linalg.eigh(near)
        last = values[-count]
        P = np.eye(90) + vectors[:, -count:] @ (
            ((values[-count:] - last) / (last + measured.RIDGE))[:, None]
            * vectors[:, -count:].T
        )
        values = scipy.linalg.eigh(shifted, P, eigvals_only=True)
        assert found["condition"][at] == pytest.approx(values[-1] / values[0], rel=1e-4)
        assert found["condition"][at] <= found["bound"][at] * (1 + 1e-9)
    assert found["steps"][-1] < found["steps"][0] < of.steps()


def test_a_sketch_is_below_the_matrix_and_of_the_rank_of_its_vectors():
    K = measured.clusters(40, np.random.default_rng(0))
    of, _ = measured.system(K, np.random.default_rng(1))
    rng = np.random.default_rng(2)
    factor = measured.sketched(of, 7, rng).factor
    seen = K @ np.random.default_rng(2).standard_normal((40, 7))
    assert factor.shape == (40, 7)
    assert np.linalg.eigvalsh(K - factor @ factor.T)[0] > -1e-9
    # The factor spans root^T of what root has seen: K times the vectors.
    assert np.linalg.matrix_rank(np.hstack([factor, seen]), tol=1e-8) == 7


def test_a_draw_has_all_competitors():
    found = one(findings.SOLVES, Data(measured.in_square, 160))
    assert set(found) == set(findings.SOLVES.competitors)
    assert len(found["none"]["steps"]) == 1 and len(found["pivots"]["steps"]) == 5
    found = one(findings.RISKS, Data(measured.far_groups, 240))
    assert set(found) == {"uniform", "scores"}


def small(count=80):
    """A regression on few points."""
    drawn = measured.noisy_wave(count, np.random.default_rng(0))
    return rules.halves(drawn, np.random.default_rng(1))[0]


def test_all_pivots_regress_as_all_of_k():
    of = small()
    assert of.error(of.most) == pytest.approx(of.whole, rel=0.02)
    assert len(of.y) == 40 and len(of.y_choosing) == len(of.y_judging) == 20
    assert of.ridge in rules.RIDGES and abs(of.y.mean()) < 1e-12


def test_the_whole_of_ridge_regression_by_hand():
    """Equal points: K is all ones, and centred targets sum to 0."""
    points = Points(np.zeros((8, 1)), np.arange(8.0)[:, None])
    of, _ = rules.halves(points, np.random.default_rng(0))
    order = np.random.default_rng(0).permutation(8)
    centred = order - order[:4].mean()
    assert of.y == pytest.approx(centred[:4])
    assert of.whole == pytest.approx(np.linalg.norm(centred[6:]))
    assert of.dimension == pytest.approx(4 / (4 + of.ridge))


def test_rules_stop_at_the_first_number_that_holds():
    of = small()
    for rule, size in (
        (rules.by_norm, lambda E: np.linalg.norm(E, 2)),
        (rules.by_trace, np.trace),
    ):
        count = rule(of)
        sizes = [size(of.missed(x)) <= of.ridge / 10 for x in (count - 1, count)]
        assert sizes == [False, True]
    assert rules.by_dimension(of) == int(np.ceil(of.dimension))
    assert rules.by_dimension(of, 0.5) == int(np.ceil(of.dimension / 2))


class Typed:
    """Errors of which validation tells less than judging."""

    most, dimension, whole, ridge = 40, 4.2, 1.0, 1.0

    def error(self, count):
        return {True: 1.2, False: 1.0}[count <= 30]

    def error_of_choice(self, count):
        return {5: 2.0, 10: 1.5, 20: 1.495, 40: 1.0}[count]


def test_pivots_are_doubled_while_validation_gains_a_percent():
    assert rules.by_validation(Typed()) == 10


def test_enough_is_from_where_on_it_holds():
    of = Typed()
    of.error = lambda count: 1.2 if count in range(1, 9) else 1.005
    assert rules.enough(of) in (9, 10)
    of.error = lambda count: 1.2
    assert rules.enough(of) == 40
    of.error = lambda count: 1.0
    assert rules.enough(of) == 1


def test_the_loss_is_in_percent_of_the_error_with_all_of_k():
    found = rules.ruled(Trial(lambda of: 30, Typed(), None, None, None))
    assert found == {"pivots": 30, "excess": pytest.approx(20), "dimension": 4.2}


def test_far_groups_are_far_and_equal():
    some = measured.far_groups(400, np.random.default_rng(0))
    groups, counts = np.unique(some.X[320:], axis=0, return_counts=True)
    assert counts.tolist() == [5] * 16 and (some.y[320:] == 3).all()
    K, _ = measured.with_risk(some, None)
    assert (
        np.abs(some.X[:320]).max() <= 3 and np.linalg.norm(groups, axis=1).min() == 30
    )
    assert K.K[:320, 320:].max() < 0.05 and K.K[320:325, 325:].max() < 0.05


def test_pivots_of_rules_are_those_of_the_approximation():
    of = small()
    near = lowrank.nystrom(of.inner, range(len(of.y))).spectral_reconstruction()
    assert near == pytest.approx(of.inner, abs=1e-6)
    assert of.missed(of.most) == pytest.approx(np.zeros_like(of.inner), abs=1e-3)
