"""Ridge leverage and leaving one out: by hand, and laws against all subsets."""

from itertools import product

import numpy as np
import pytest

from nystheory import certificates
from nystheory.chapters.fixed_sampling.theorems import ridge_leverage
from nystheory.chapters.fixed_sampling.theorems.leave_one_out import LEAVE_ONE_OUT
from nystheory.chapters.fixed_sampling.theorems.ridge_leverage import RIDGE_LEVERAGE
from nystheory.engine.trial.over_samples import over_samples
from nystheory.engine.worlds import laws
from nystheory.engine.worlds.instances import Instance


def two_clusters(size=3):
    case = ridge_leverage.clusters([2.0, 1.5], [size, 2], 1.0)
    return case.but(scores=np.full(size + 2, 0.05), delta=0.1)


def random_points(r, n, seed=0):
    return np.random.default_rng(seed).standard_normal((r, n))


def test_ridge_scores_are_the_diagonal():
    case = Instance.from_points(random_points(3, 6), [0], 1, alpha=0.7)
    by_definition = np.diag(case.K @ np.linalg.inv(case.K + 0.7 * np.eye(6)))
    np.testing.assert_allclose(ridge_leverage.exact_scores(case), by_definition)


def test_error_through_the_points_is_the_error():
    case = Instance.from_points(random_points(5, 9), [1, 4, 7], 3)
    error = case.K - case.C @ np.linalg.solve(case.W, case.C.T)
    found = ridge_leverage.largest_error(case)
    assert found == pytest.approx(np.linalg.eigvalsh(error)[-1])


def test_what_is_hit_decides_as_all_subsets_do():
    case = two_clusters()
    p = ridge_leverage.chances(case)
    assert 0 < p.min() and p.max() < 1
    by_hits = sum(
        chance
        for chance, sample in case.outcomes("by_scores")
        if ridge_leverage.largest_error(sample) > 1
    )
    total = 0.0
    for taken in product((False, True), repeat=5):
        sample = case.but(landmarks=np.flatnonzero(taken))
        if ridge_leverage.largest_error(sample) > 1:
            total += np.where(taken, p, 1 - p).prod()
    assert by_hits == pytest.approx(total)


def test_the_mean_number_is_that_of_all_subsets():
    case = two_clusters(9)
    assert ridge_leverage.mean_size(case) == pytest.approx(
        ridge_leverage.chances(case).sum()
    )


def test_columns_are_drawn_with_their_chances():
    case, rng = two_clusters(), np.random.default_rng(0)
    drawn = np.zeros(5)
    for _ in range(4000):
        drawn[case.draw("by_scores", rng).landmarks] += 1
    # Six standard deviations.
    assert np.abs(drawn / 4000 - ridge_leverage.chances(case)).max() < 0.05


@pytest.mark.parametrize("constant", [1, 2.4])
def test_too_small_a_constant_is_refuted(monkeypatch, constant):
    law = laws.Law("", ridge_leverage._draw(constant), ridge_leverage._hit(constant))
    monkeypatch.setitem(laws.LAWS, "by_scores", law)
    cases = {
        case.name: case for case in ridge_leverage._cases(np.random.default_rng(0))
    }
    name = "100 equal points" if constant > 1 else "points in general position"
    claim = RIDGE_LEVERAGE.claims["error"]
    assert cases[name].norm_K > 1  # Known before sampling: not computed for each draw.
    part = over_samples(
        RIDGE_LEVERAGE, claim, cases[name], np.random.default_rng(0), 1200
    )
    assert part.outcome == "refuted"
    assert part.by == ("enumerated" if constant > 1 else "binomial interval")


def test_most_probabilities_are_below_one():
    for case in ridge_leverage._cases(np.random.default_rng(0)):
        assert (ridge_leverage.chances(case) < 1).mean() > 0.8
        assert not RIDGE_LEVERAGE.unmet(case)
        assert case.norm_K > case.alpha


def test_hypotheses_are_named():
    flat, large = (
        RIDGE_LEVERAGE.controls[name].on
        for name in ("only the sum of the scores", "any delta")
    )
    assert "scores >= ridge_scores" in RIDGE_LEVERAGE.unmet(flat).popitem()[1]
    assert "18.4" in RIDGE_LEVERAGE.unmet(large).popitem()[1]
    found = RIDGE_LEVERAGE.bound(score_sum=5, delta=0.05, claim="number")
    assert found == pytest.approx(80 * np.log(100))
    with pytest.raises(ValueError, match="18.4"):
        RIDGE_LEVERAGE.bound(score_sum=5, delta=0.5, claim="number")


# --- One landmark left out -----------------------------------------------------------


def test_leave_one_out_on_a_diagonal_matrix():
    # Every Schur complement is the diagonal entry itself.
    K = np.diag([2.0, 4.0, 5.0])
    assert certificates.leave_one_out_trace(K, [0, 1]).value == pytest.approx(6)
    assert certificates.leave_one_out_frobenius(K, [0, 1]).value == pytest.approx(20)
    # With one column 9, 7 or 6 of the trace is left.
    assert LEAVE_ONE_OUT.bound(K, [0, 1]) == pytest.approx(22 / 3)


def test_leave_one_out_of_a_singular_core_is_the_limit():
    X = np.array([[1.0, 1, 0], [0, 0, 2]])
    W = X.T @ X
    limit = 1 / np.diag(np.linalg.inv(W + 1e-9 * np.eye(3)))
    found = certificates.schur_complements(W)
    np.testing.assert_allclose(found, [0, 0, 4], atol=1e-12)
    np.testing.assert_allclose(limit, [0, 0, 4], atol=1e-8)


def test_leave_one_out_refuses_repeated_landmarks():
    with pytest.raises(ValueError, match="l = 2"):
        LEAVE_ONE_OUT.bound(np.eye(3), [0, 0])
