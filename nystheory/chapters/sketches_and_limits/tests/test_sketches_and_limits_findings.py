"""The experiments in small, by a second route."""

import numpy as np
import pytest

from nystheory import sampling
from nystheory.chapters.sketches_and_limits import findings, measured
from nystheory.chapters.sketches_and_limits.theorems.trace_estimators import left_by
from nystheory.engine.findings import Trial

ALL = [findings.PROMISES, findings.LOOKS, findings.TRACES, findings.GROUPS]


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.id)
def test_findings_are_of_ten_draws_and_more_data_than_the_page_shows(experiment):
    assert experiment.draws >= 10 and experiment.beyond
    assert experiment.found().complaints() == []


def trial(run, known):
    return Trial(run, known, None, None, np.random.default_rng(1))


def missed_by(K, S):
    """The error of columns, from its definition."""
    C = K[:, S]
    return K - C @ np.linalg.pinv(C[S], hermitian=True) @ C.T


def test_errors_of_uniform_columns_by_eigenvalues():
    of, _ = findings.promised(measured.cells(60, np.random.default_rng(0)), None)
    found = measured.kept(trial("uniform", of))
    rng, K = np.random.default_rng(1), of.K.dense()
    missed = {}
    for norm, pick in (("missed", np.sum), ("missed_2", np.max)):
        errors = [
            missed_by(K, sampling.uniform(of.K, 9, rng).indices) for _ in range(5)
        ]
        values = [pick(np.abs(np.linalg.eigvalsh(E))) for E in errors]
        missed[norm] = 100 * np.mean(values) / np.trace(K)
        assert found[norm] == pytest.approx(missed[norm], rel=1e-6)
    assert found["promised"] == 100
    assert found["factor"] == pytest.approx(100 / missed["missed"])
    assert found["factor_2"] == pytest.approx(found["promised_2"] / missed["missed_2"])


def test_the_promise_of_a_sketch_is_the_best_of_its_bounds():
    of, _ = findings.promised(measured.digits(60, np.random.default_rng(0)), None)
    found = measured.kept(trial(measured.SKETCH, of))
    m = of.promised.n_landmarks
    bounds = [(1 + k / (m - k - 1)) * of.values[k:].sum() for k in range(1, m - 1)]
    assert m == 9
    wanted = 100 * min(bounds) / of.values.sum()
    assert found["promised"] == pytest.approx(wanted)
    assert 100 * of.values[m:].sum() / of.values.sum() < found["missed"] < wanted


def test_one_vector_left_out_after_the_other():
    K, count = measured.digits(40, np.random.default_rng(0)), 3
    found = measured.looks(trial(count, K))
    rng, dense, ratios = np.random.default_rng(1), K.dense(), []
    for _ in range(measured.TIMES):
        omega, squares = rng.standard_normal((40, count)), []
        for j in range(count):
            rest = left_by(dense, np.delete(omega, j, axis=1))
            squares.append(np.sum((rest @ omega[:, j]) ** 2))
        error = np.linalg.norm(left_by(dense, omega))
        ratios.append(np.sqrt(np.mean(squares)) / error)
    assert found["least"] == pytest.approx(min(ratios), rel=1e-6)
    assert found["largest"] == pytest.approx(max(ratios), rel=1e-6)
    assert found["off"] == pytest.approx(100 * np.mean(np.abs(np.array(ratios) - 1)))


def test_two_halves_from_the_definition():
    rng = np.random.default_rng(0)
    values, omega = rng.uniform(1, 2, 7), rng.standard_normal((3, 7, 4))
    for guess, some in zip(measured.halves(values, omega), omega, strict=True):
        K = np.diag(values)
        rest = left_by(K, some[:, :2])
        tested = np.mean([w @ rest @ w for w in some[:, 2:].T])
        assert guess == pytest.approx(np.trace(K - rest) + tested)


def test_without_an_approximation_the_error_is_that_of_a_chi_square():
    values = measured.harmonic(40, None)
    found = measured.traces(trial(measured.ESTIMATORS["plain"], values))
    spread = 100 * np.sqrt(2 * (values**2).sum()) / values.sum()
    wanted = spread / np.sqrt(measured.VECTORS)
    assert found["error"] == pytest.approx(wanted, rel=0.2)
    fall = np.log(found["error"][-1] / found["error"][-2]) / np.log(2)
    assert found["exponent"] == pytest.approx(fall)


def test_as_many_columns_from_each_group_attain_the_limit():
    of = measured.five(20, None)
    missed = missed_by(of.K.dense(), [0, 1, 4, 5, 8, 9, 12, 13, 16, 17])
    assert np.linalg.norm(missed, 2) / 0.001 == pytest.approx(of.limit(10), rel=1e-6)


def test_medians_of_groups_are_over_the_limit():
    of = measured.less_alike(60, None)
    found = measured.of_groups(trial(sampling.uniform, of))
    rng, K = np.random.default_rng(1), of.K.dense()
    for at, count in enumerate(measured.COUNTS):
        errors = [
            np.linalg.norm(missed_by(K, sampling.uniform(of.K, count, rng).indices), 2)
            for _ in range(measured.REPEATS)
        ]
        ratio = np.median(errors) / 0.1
        assert found["ratio"][at] == pytest.approx(ratio, rel=1e-6)
        assert found["over"][at] == pytest.approx(ratio / of.limit(count), rel=1e-6)
    assert min(found["over"]) >= 1 - 1e-9


def test_data_have_their_spectra_and_their_points():
    assert measured.squares(3, None).tolist() == [1, 1 / 4, 1 / 9]
    assert 1 <= min(measured.level(50, np.random.default_rng(0))) < 1.2
    for draw in (measured.digits, measured.patches, measured.documents):
        one, other = (draw(60, np.random.default_rng(s)).points for s in (0, 1))
        assert not np.array_equal(one, other)
    values = measured.of_digits(60, np.random.default_rng(0))
    assert values.sum() == pytest.approx(60) and (np.diff(values) <= 0).all()
    assert measured.clusters(200, np.random.default_rng(0)).n == 200
