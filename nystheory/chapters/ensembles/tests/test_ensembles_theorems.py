"""Mixtures of experts: smallest examples by hand, and what the package refuses."""

import numpy as np
import pytest
import sympy as sp

from nystheory import ensemble, exact
from nystheory.chapters.ensembles.theorems.ensemble_regression import (
    RIDGE_WEIGHTS,
    Regression,
)
from nystheory.chapters.ensembles.theorems.ensemble_woodbury import (
    ENSEMBLE_WOODBURY,
    WOODBURY,
)
from nystheory.chapters.ensembles.theorems.exponential_weights import GIBBS
from nystheory.chapters.ensembles.theorems.mixture_error import MIXTURE
from nystheory.engine.trial.compare import compare, reader
from nystheory.engine.worlds import experts
from nystheory.engine.worlds.instances import Instance


def sides(theorem, name, case):
    """Both sides of a claim on an instance."""
    reading = reader(theorem, case)
    return [reading.value(side).value for side in theorem.claims[name].sides]


def test_uniform_mixture_can_be_worse_than_an_expert():
    K = np.diag([1.0, 0])
    made = ensemble.experts(K, [[0], [1]])
    mean = ensemble.Ensemble(made, [0.5, 0.5])
    assert (mean.error(K), made[0].error(K)) == (0.5, 0.0)


def test_a_rank_below_k_and_one_lost_to_a_negative_weight():
    case = MIXTURE.printed["rank at least k"].on
    assert np.linalg.matrix_rank(experts.projections(case)[0]) == 0 < case.k
    case = MIXTURE.controls["a lost rank"].on
    mixture = experts.mix(experts.weights_of(case), experts.projections(case))
    assert np.allclose(mixture, np.diag([2, 0, 0]))
    assert np.allclose(experts.mixture(case), mixture)


def test_experts_share_out_the_landmarks():
    X = np.random.default_rng(4).integers(-2, 3, (3, 6)).astype(float)
    case = experts.Experts.from_points(X, [0, 1, 1, 4, 2], 2, weights=[0.5, 0.5])
    K = case.K
    for part, expert in zip(
        ([0, 1, 1], [4, 2]), experts.projections(case), strict=True
    ):
        alone = Instance(K, part, 2)
        assert np.allclose(alone.approximation, expert)


def test_bounds_from_a_matrix_and_from_numbers():
    K, halves = np.diag([1.0, 0]), [0.5, 0.5]
    assert MIXTURE.bound(K, [0, 1], rank=1, weights=halves) == 0.5
    assert MIXTURE.bound(weights=halves, expert_errors_F=[4.0, 2.0]) == 3
    with pytest.raises(ValueError, match="weights: expected mixture weights"):
        MIXTURE.bound(K, [0, 1], rank=1)
    with pytest.raises(ValueError, match=r"sum\(weights\) == 1"):
        MIXTURE.bound(weights=[0.5, 0.25], expert_errors_F=[4.0, 2.0])
    assert GIBBS.bound(claim="bound", eta=2.0, log_partition=-6.0) == 3
    with pytest.raises(ValueError, match="eta > 0"):
        GIBBS.bound(claim="bound", eta=0.0, log_partition=1.0)
    assert RIDGE_WEIGHTS.right_side("bound", square_V=1.0, explained=0.5) == 0.5


def test_minimum_of_two_experts():
    """Errors 0 and 1, rate 1: the free energy, at the weights of the package."""
    case = GIBBS.controls["half the entropy"].on
    left, right = sides(GIBBS, "minimum", case)
    assert left == pytest.approx(-np.log(1 + np.exp(-1)))
    assert right == pytest.approx(left)


def test_exact_experts_and_a_ridge():
    """All K~_r = K: the sum of the weights is p N / (p N + lambda)."""
    p, N, lam = sp.Integer(3), sp.Integer(5), sp.Integer(2)
    G = sp.ones(3, 3) * N + lam * sp.eye(3)
    total = sum(G.LUsolve(sp.ones(3, 1) * N))
    known = {"p": 3, "square_V": 5, "ridge": 2}
    assert total == p * N / (p * N + lam)
    assert RIDGE_WEIGHTS.right_side("exact experts", **known) == pytest.approx(total)


@pytest.mark.parametrize("free", [[0, 0], [1, 0], [3, -7]])
def test_two_equal_experts_share_their_weight_as_they_like(free):
    """Every (t, 1 - t) is a minimiser without a ridge, in fractions."""
    case = Regression.exactly(
        [0, 0], 1, matrix=[[4]], weights=[0, 0], V=[1], ridge=0, free=free
    )
    line = RIDGE_WEIGHTS.claims["solutions"].line
    assert exact.prove(line, exact.Case.of(**case.in_fractions())).holds
    assert sides(RIDGE_WEIGHTS, "solutions", case) == pytest.approx([0, 0], abs=1e-12)


def test_other_weights_are_no_solution():
    """One expert and the weight 0: what it loses is reached, and no more."""
    reading = reader(RIDGE_WEIGHTS, RIDGE_WEIGHTS.controls["any weights"].on)
    claim = RIDGE_WEIGHTS.claims["no others"]
    assert not compare(claim, reading).violated
    assert compare(claim.but({"+ norm_2": "+ 1.001 * norm_2"}), reading).violated


def test_the_core_of_rank_k_by_the_first_way():
    """K = diag(2, 1), k = 1, alpha = 1: two thirds of the first unit vector go."""
    case = WOODBURY.controls["without the ridge"].on
    for found in sides(WOODBURY, "core", case):
        assert np.allclose(found, np.diag([1 / 3, 1]))


def test_recursion_meets_a_singular_matrix_on_its_way():
    case = ENSEMBLE_WOODBURY.printed["any weights"].on
    weights = experts.weights_of(case)
    assert [1 + w for w in np.cumsum(weights)] == [0, 2]
    made = ensemble.experts(case.K, [[0], [0]])
    with pytest.raises(ValueError, match="weights"):
        ensemble.Ensemble(made, weights).solve([1.0], alpha=1.0)
