"""Chapter 4 of the thesis: smallest examples by hand, and mutants that must fall."""

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from nystheory import ensemble
from nystheory.theorems import Instance, rational
from nystheory.theorems.ensembles import mixtures
from nystheory.theorems.ensembles.ensemble_regression import RIDGE_WEIGHTS
from nystheory.theorems.ensembles.ensemble_woodbury import (
    ENSEMBLE_WOODBURY,
    WOODBURY,
    woodbury,
)
from nystheory.theorems.ensembles.mixture_error import GIBBS, MIXTURE
from nystheory.theorems.formula import Formula
from nystheory.verify import verify


def rng(seed=4):
    return np.random.default_rng(seed)


def refuted(theorem, claim, seed=4):
    """Whether the search refutes the claim in the place of the theorem's own."""
    mutant = theorem.but(claims=(claim,), printed=(), derivation=None)
    return verify(mutant, rng(seed), "quick").outcome == "refuted"


def wrapped(claim, change):
    """The claim with another left-hand side."""
    return replace(claim, observe=lambda i, r: change(claim.observe(i, r)), exact=None)


@pytest.mark.parametrize(
    ("theorem", "index", "factor"),
    [
        (MIXTURE, 0, 0.999),
        (GIBBS, 0, 0.999),
        (GIBBS, 1, 1.001),
        (RIDGE_WEIGHTS, 1, 0.999),
        (RIDGE_WEIGHTS, 3, 0.999),
    ],
)
def test_formula_off_by_a_thousandth_is_refuted(theorem, index, factor):
    claim = theorem.claims[index]
    if theorem is GIBBS and index == 0:
        # The value may have any sign: a thousandth of its size is added.
        wrong = Formula(claim.formula.expr + sp.Abs(claim.formula.expr) / 1000)
    else:
        wrong = Formula(factor * claim.formula.expr)
    assert refuted(theorem, replace(claim, formula=wrong))


@pytest.mark.parametrize("index", [6, 8])
def test_other_weights_lose_no_more_than_is_said(index):
    claim = RIDGE_WEIGHTS.claims[index]
    right = claim.expected
    more = replace(claim, expected=lambda i, r: 1.001 * right(i, r))
    assert refuted(RIDGE_WEIGHTS, more)


@pytest.mark.parametrize(
    ("theorem", "index"),
    [
        (MIXTURE, 5),
        (RIDGE_WEIGHTS, 7),
        (ENSEMBLE_WOODBURY, 4),
        (GIBBS, 3),
        (GIBBS, 4),
        (WOODBURY, 0),
        (WOODBURY, 1),
        (WOODBURY, 2),
        (WOODBURY, 3),
        (ENSEMBLE_WOODBURY, 0),
        (ENSEMBLE_WOODBURY, 3),
    ],
)
def test_identity_off_by_a_millionth_is_refuted(theorem, index):
    claim = wrapped(theorem.claims[index], lambda left: (1 + 1e-6) * left)
    assert refuted(theorem, claim)


@pytest.mark.parametrize(
    ("theorem", "index"),
    [
        (MIXTURE, 3),
        (GIBBS, 5),
        (WOODBURY, 4),
    ],
)
def test_negated_property_is_refuted(theorem, index):
    claim = theorem.claims[index]
    negated = wrapped(claim, lambda left: None if left is None else not left)
    assert refuted(theorem, negated)


def test_mean_and_largest_error_are_compared():
    """The mean is not below the smallest: experts {1} and {2} of diag(1, 0)."""
    case = Instance(np.diag([1.0, 0]), [0, 1], 1)
    assert MIXTURE.claims[6].observe(case, None) == pytest.approx(-0.5)
    shifted = wrapped(MIXTURE.claims[6], lambda left: left + 0.51)
    assert refuted(MIXTURE, shifted)


def test_minimisers_without_a_ridge_in_fractions(monkeypatch):
    """Two equal experts: every (t, 1 - t) is a minimiser, and nothing else."""
    case = Instance([[1.0]], [0, 0], 1)
    claim = RIDGE_WEIGHTS.claims[7]
    assert claim.exact(case)
    monkeypatch.setattr(rational, "pseudo_inverse", lambda G: 2 * G)
    assert not claim.exact(case)


def test_the_core_of_rank_k_by_the_first_way():
    """K = I_2, k = 1, alpha = 1: half of the first unit vector is taken away."""
    case = Instance(np.eye(2), [0, 1], 1)
    found = WOODBURY.claims[0].observe(case, None)
    assert sorted(np.linalg.eigvalsh(found)) == pytest.approx([0.5, 1])


def test_uniform_mixture_can_be_worse_than_an_expert():
    K = np.diag([1.0, 0])
    made = ensemble.experts(K, [[0], [1]])
    mean = ensemble.Ensemble(made, [0.5, 0.5])
    assert (mean.error(K), made[0].error(K)) == (0.5, 0.0)


def test_a_rank_below_k_and_one_lost_to_a_negative_weight():
    case = MIXTURE.printed[0].instance
    assert np.linalg.matrix_rank(mixtures.experts(case)[0]) == 0 < case.k
    case = MIXTURE.controls[2].instance
    mixture = mixtures.mix(mixtures.signed(case), mixtures.experts(case))
    assert np.allclose(mixture, np.diag([2, 0, 0]))


def test_experts_in_fractions_are_those_in_floats():
    case = Instance.from_points(rng().integers(-2, 3, (3, 6)), [0, 1, 1, 4, 2, 5], 2)
    exact = np.array(mixtures.exact_experts(case), dtype=float)
    assert np.allclose(exact, mixtures.experts(case))


def test_bounds_from_a_matrix_and_from_numbers():
    K = np.diag([1.0, 0])
    assert MIXTURE.bound(K, [0, 1], rank=1) == 0.5
    assert MIXTURE.bound(mean_error_F=3.0) == 3
    assert GIBBS.bound(learning_rate=2.0, log_partition=-6.0) == 3
    with pytest.raises(ValueError, match="eta > 0"):
        GIBBS.bound(learning_rate=0.0, log_partition=1.0)
    assert RIDGE_WEIGHTS.bound(np.eye(1), [0], ridge=1.0) == pytest.approx(0.5)
    # Two experts with errors 0 and 1 and a rate of 2.
    free_energy = -np.log(1 + np.exp(-2)) / 2
    assert GIBBS.bound(K, [0, 1], learning_rate=2.0) == pytest.approx(free_energy)


def test_exact_experts_and_a_ridge():
    """All K~_r = K: the sum of the weights is p N / (p N + lambda)."""
    p, N, lam = sp.Integer(3), sp.Integer(5), sp.Integer(2)
    G = sp.ones(3, 3) * N + lam * sp.eye(3)
    assert sum(G.LUsolve(sp.ones(3, 1) * N)) == p * N / (p * N + lam)


def test_recursion_meets_a_singular_matrix_on_its_way():
    case = ENSEMBLE_WOODBURY.printed[0].instance
    made = ensemble.experts(case.K, [[0], [0]])
    T = [1 + w for w in np.cumsum(case.extra["mu"])]
    assert T == [0, 2]
    with pytest.raises(ValueError, match="weights"):
        ensemble.Ensemble(made, case.extra["mu"]).solve([1.0], alpha=1.0)


def test_woodbury_with_different_factors_and_a_singular_core():
    g = rng()
    A, B, D = np.eye(5) + 0.1, g.standard_normal((5, 3)), g.standard_normal((3, 5))
    core = np.diag([1.0, 0, 2])
    inverse = woodbury(np.linalg.inv(A), B, core, D)
    assert np.allclose(inverse @ (A + B @ core @ D), np.eye(5))
