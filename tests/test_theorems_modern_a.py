"""Three modern results: by hand, planted mutants, symmetric polynomials at size."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
import scipy.special
import sympy as sp

from nystheory import sampling
from nystheory.theorems import Instance, spectral, subsets
from nystheory.theorems.adaptive_sampling import geometry
from nystheory.theorems.adaptive_sampling.determinantal import DPP, K_DPP
from nystheory.theorems.adaptive_sampling.geometry import GEOMETRY
from nystheory.theorems.formula import Formula
from nystheory.verify import verify

ALL = (K_DPP, DPP, GEOMETRY)


@pytest.mark.parametrize("theorem", ALL, ids=lambda t: t.id)
@pytest.mark.parametrize("seed", [0, 1])
def test_verdict(theorem, seed):
    verdict = verify(theorem, np.random.default_rng(seed), effort="quick")
    assert verdict and verdict.control_refuted
    assert not any(finding.tightness > 1 + 1e-6 for finding in verdict.findings)


def _scaled(claim, factor):
    """The claim with its right-hand side times a factor."""
    if claim.formula is not None:
        return replace(claim, formula=Formula(sp.Float(factor) * claim.formula.flat))
    right = claim.expected
    return replace(claim, expected=lambda i, r: factor * right(i, r))


# Equalities fall for either factor; of the inequalities those that are attained.
MUTANTS = [
    *((K_DPP, claim, factor) for claim in (0, 1) for factor in (0.999, 1.001)),
    (K_DPP, 2, 0.999),
    (K_DPP, 3, 1.001),
    *((DPP, claim, factor) for claim in range(4) for factor in (0.999, 1.001)),
    *((GEOMETRY, claim, 0.999) for claim in range(7)),
    (GEOMETRY, 7, 1.001),
]


@pytest.mark.parametrize(
    ("theorem", "claim", "factor"),
    MUTANTS,
    ids=[f"{theorem.id}-{claim}-{factor}" for theorem, claim, factor in MUTANTS],
)
def test_mutant_is_refuted(theorem, claim, factor):
    mutant = _scaled(theorem.claims[claim], factor)
    planted = theorem.but(claims=(mutant,), controls=(), derivation=None)
    verdict = verify(planted, np.random.default_rng(0), effort="quick")
    assert verdict.findings[0].outcome == "refuted"


def test_exact_claims_hold_and_can_fail():
    case = Instance(np.diag([2.0, 1.0]), [0], 1, extra={"alpha": 1})
    for theorem in (K_DPP, DPP):
        assert next(c.exact for c in theorem.claims if c.exact)(case)
    indefinite = Instance(np.array([[0.0, 1], [1, 0]]), [0], 1, extra={"alpha": 2})
    assert not K_DPP.claims[1].exact(indefinite)
    assert not DPP.claims[2].exact(indefinite)


# --- By hand ----------------------------------------------------------------------


def test_volume_sampling_by_hand():
    K = np.diag([1000.0, 1.0])
    assert K_DPP.bound(K, [0]) == pytest.approx(2 * 1000 / 1001)


def test_volume_sampling_needs_the_rank():
    with pytest.raises(ValueError, match="rank"):
        K_DPP.bound(np.ones((3, 3)), [0, 1])


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_symmetric_polynomials_do_not_underflow(monkeypatch, size):
    # e_m of 2000 equal eigenvalues c is C(2000, m) c^m: from 1e-2500 to 1e3500.
    monkeypatch.setattr(spectral, "spectrum", lambda i: np.full(2000, size))
    case = Instance(np.eye(501), range(500), 500)
    m = np.arange(502)
    binomial = scipy.special.gammaln(2001) - (
        scipy.special.gammaln(m + 1) + scipy.special.gammaln(2001 - m)
    )
    logs = spectral.log_symmetric(case, 501)
    np.testing.assert_allclose(logs, binomial + m * np.log(size), atol=1e-8)
    assert spectral.ratio_of_symmetric(case) == pytest.approx(size * 1500 / 501)


def test_elementary_symmetric_without_eigenvalues():
    K = subsets.fractions_of(np.diag([1, 2, 3]))
    assert subsets.elementary_symmetric(K) == [1, 6, 11, 6]


def test_dpp_by_hand():
    # K = (1), alpha = 1: the sample is empty or not with equal chance.
    case = Instance(np.eye(1), [0], 1, extra={"alpha": 1})
    law = DPP.claims[0].law
    assert [(p, o.l) for p, o in law.outcomes(case)] == [(0.5, 0), (0.5, 1)]
    assert DPP.bound(alpha=2, d_eff=3) == 6


def test_no_number_without_a_ridge():
    with pytest.raises(ValueError, match="alpha"):
        DPP.bound(np.eye(3), [0])


# --- Geometry ---------------------------------------------------------------------


def test_farthest_points_agree_with_the_package():
    rng = np.random.default_rng(3)
    for _ in range(20):
        X = rng.standard_normal((2, 30))
        own = geometry.gonzalez(X.T @ X, 6)
        assert own == sampling.farthest_point(X.T @ X, 6).indices.tolist()
    twice = np.repeat(np.eye(2), 2, axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        found = sampling.farthest_point(twice.T @ twice, 3).indices.tolist()
    assert geometry.gonzalez(twice.T @ twice, 3) == found == [0, 2]


def test_three_points_on_a_line():
    K = np.outer([-1.0, 0, 1], [-1, 0, 1])
    assert geometry.gonzalez(K, 1) == [0]
    squares = geometry.squared_distances(K)
    assert [geometry.fill_squared(squares, [j]) for j in range(3)] == [4, 1, 4]


def test_farthest_points_from_another_first_landmark():
    points = np.array([-1.0, 0, 1])
    K = np.outer(points, points)
    assert geometry.gonzalez(K, 2, first=1) == [1, 0]
    assert geometry.gonzalez(K, 2, 1, geometry._last_largest) == [1, 2]
    # Only the first of these is the farthest: the middle point would do.
    assert geometry._farthest_from_any(Instance(K, [1], 1), None) == 4


@pytest.mark.parametrize("count", [1, 2, 5])
def test_constants_of_the_geometry_are_reached_for_every_number(count):
    found, best = geometry._twice_the_best(count)
    assert (found, best) == (4, pytest.approx(1))
    # 1 / (1 / n + (n - 1) / (n M)) over l + 1 = n.
    expected = 1 / (1 + count / 1e6)
    assert geometry._share_of_largest_volume(count) == pytest.approx(expected)


def test_local_maximum_volume_is_one():
    rng = np.random.default_rng(4)
    X = rng.standard_normal((6, 9))
    K = X.T @ X
    S = geometry.local_maximum_volume(K, [0, 1, 2]).tolist()
    best = np.linalg.det(K[np.ix_(S, S)])
    for j in range(3):
        for i in set(range(9)) - set(S):
            T = [*S[:j], i, *S[j + 1 :]]
            assert np.linalg.det(K[np.ix_(T, T)]) <= best * (1 + 1e-9)


def test_largest_volume_needs_a_nonsingular_core():
    # No exchange increases det W = 0, and the bound would be 0.
    K = np.diag([1.0, 1, 0, 0])
    assert geometry.local_maximum_volume(K, [2, 3]) is None
    for T in ([0, 3], [1, 3], [2, 0], [2, 1]):
        assert np.linalg.det(K[np.ix_(T, T)]) == 0


def test_optimal_fill_refuses_what_it_cannot_try():
    case = Instance(np.eye(40), range(20), 20)
    with pytest.raises(ValueError, match="optimal_fill"):
        geometry._optimal_fill(case)
