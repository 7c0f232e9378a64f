"""Coherence and what it costs: by hand, exact laws against lists, planted mutants."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
import sympy as sp

from nystheory.theorems import Instance
from nystheory.theorems.coherence import hit_clusters, leverage, uniform_columns
from nystheory.theorems.coherence.clusters import (
    Clusters,
    far_from_isometry,
    missed,
    within,
)
from nystheory.theorems.coherence.definition import (
    COHERENCE,
    FOOTNOTE,
    hadamard,
    of_basis,
)
from nystheory.theorems.coherence.exact_recovery import EXACT_RECOVERY, recovery_case
from nystheory.theorems.coherence.leverage import LEVERAGE
from nystheory.theorems.coherence.rank_remark import HOW_LARGE_A_RANK, HadamardColumns
from nystheory.theorems.coherence.sampled_ranks import RANKS
from nystheory.theorems.coherence.sampled_rows import EXPONENTS, NEAR_ISOMETRY
from nystheory.theorems.coherence.structural import STRUCTURAL, error_spectrum
from nystheory.theorems.coherence.synthetic_coherence import SYNTHETIC
from nystheory.theorems.coherence.uniform_columns import UNIFORM_COHERENCE
from nystheory.theorems.formula import Formula
from nystheory.verify import verify

ALL = (
    *(COHERENCE, FOOTNOTE, RANKS, NEAR_ISOMETRY, EXACT_RECOVERY, HOW_LARGE_A_RANK),
    *(SYNTHETIC, STRUCTURAL, UNIFORM_COHERENCE, LEVERAGE),
)


@pytest.mark.parametrize("theorem", ALL, ids=lambda t: t.id)
def test_verdict(theorem):
    verdict = verify(theorem, np.random.default_rng(1), effort="quick")
    assert verdict and verdict.control_refuted
    assert verdict.printed_refuted in (None, True)


def _scaled(claim, factor):
    """The claim with its right-hand side times a factor."""
    if claim.formula is not None:
        return replace(claim, formula=Formula(sp.Float(factor) * claim.formula.flat))
    right = claim.expected
    return replace(claim, expected=lambda i, r: factor * right(i, r))


# Identities, and the inequalities that are attained.
MUTANTS = [
    *((COHERENCE, 0, 1.001), (COHERENCE, 1, 0.999), (COHERENCE, 2, 0.999)),
    *((COHERENCE, 3, 1.001), (COHERENCE, 4, 0.999)),
    *((FOOTNOTE, claim, 0.999) for claim in (0, 1)),
    *((RANKS, claim, 0.999) for claim in (0, 1)),
    *((EXACT_RECOVERY, 0, 0.999), (SYNTHETIC, 0, 1.001), (SYNTHETIC, 4, 1.001)),
    *((COHERENCE, 6, 1.001), (EXACT_RECOVERY, 4, 1.001), (HOW_LARGE_A_RANK, 5, 0.999)),
    *((HOW_LARGE_A_RANK, 6, 0.999), (HOW_LARGE_A_RANK, 7, 0.499)),
    *((STRUCTURAL, claim, 0.999) for claim in (0, 1, 2, 3)),
]


@pytest.mark.parametrize(
    ("theorem", "claim", "factor"),
    MUTANTS,
    ids=[f"{theorem.id}-{claim}-{factor}" for theorem, claim, factor in MUTANTS],
)
def test_mutant_is_refuted(theorem, claim, factor):
    mutant = _scaled(theorem.claims[claim], factor)
    planted = theorem.but(claims=(mutant,), controls=(), printed=(), derivation=None)
    verdict = verify(planted, np.random.default_rng(0), effort="quick")
    assert verdict.findings[0].outcome == "refuted"


# --- Exact laws -------------------------------------------------------------------


@pytest.mark.parametrize("sizes", [(2, 3), (1, 2, 4), (3, 3, 3)])
@pytest.mark.parametrize("origin", [0, 2])
def test_exact_laws_agree_with_a_list_of_all_samples(sizes, origin):
    label = np.repeat(np.arange(len(sizes) + 1), (*sizes, origin))
    for size in range(1, len(label) + 1):
        case = Clusters(sizes, size, origin)
        counts = np.array(
            [
                np.bincount(label[list(s)], minlength=len(sizes) + 1)[:-1]
                for s in combinations(range(len(label)), size)
            ]
        )
        share = counts * len(label) / size / np.array(sizes)
        far = (np.abs(share - 1) >= 0.5).any(axis=1).mean()
        assert missed(case) == pytest.approx((counts == 0).any(axis=1).mean())
        assert far_from_isometry(case) == pytest.approx(far, abs=1e-12)


def test_two_ways_to_miss_a_cluster():
    case = Clusters.equal(10, 30, 40)
    assert missed(case) == pytest.approx(1 - within(case, [1] * 10, [30] * 10))


def test_clusters_are_the_instance_that_they_stand_for():
    observe = EXACT_RECOVERY.claims[0].observe
    X = np.repeat(np.eye(3), (2, 3, 4), axis=1)
    case = Instance.from_points(X, range(5), 3)
    assert observe(case, None) == pytest.approx(missed(Clusters((2, 3, 4), 5)))


def test_hit_patterns_have_the_probabilities_of_all_samples():
    case = hit_clusters.clusters([4.0, 2, 1], [2, 3, 2], 1, 3, delta=0.1)
    listed = {}
    for s in combinations(range(7), 3):
        hit = frozenset(case.extra["cluster"][list(s)].tolist())
        listed[hit] = listed.get(hit, 0) + 1 / 35
    law = UNIFORM_COHERENCE.claims[0].law
    for chance, outcome in law.outcomes(case):
        hit = frozenset(case.extra["cluster"][outcome.landmarks].tolist())
        assert chance == pytest.approx(listed.get(hit, 0), abs=1e-12)


def test_number_of_different_draws():
    case = leverage.exchangeable(3, 1.0).but(landmarks=[0, 0])
    found = [(p, len(set(o.landmarks))) for p, o in leverage._occupied(case)]
    assert found == [(pytest.approx(1 / 3), 1), (pytest.approx(2 / 3), 2)]


# --- By hand ----------------------------------------------------------------------


def test_coherence_of_the_plane_by_hand():
    turned = np.array([[1.0, 1], [1, -1]]) / np.sqrt(2)
    for U, mu in ((np.eye(2), np.sqrt(2)), (turned, 1.0)):
        case = of_basis(U)
        assert COHERENCE.claims[0].observe(case, None) == pytest.approx(mu)
        assert COHERENCE.claims[4].observe(case, None) == pytest.approx(2)


def test_exponents_by_hand():
    lower, upper = (float(value) for value in EXPONENTS.values())
    assert (lower, upper) == pytest.approx((0.15342640972, 0.10819766216))
    assert upper < 0.1082  # four digits round it up
    assert 1 / upper < 9.25 and 1 / lower < 6.52


def test_bounds_from_numbers_alone():
    numbers = {"r": 50, "l": 346, "basis_free_coherence": 50}
    assert EXACT_RECOVERY.bound(**numbers) == pytest.approx(50 * math.exp(-6.92))
    both = 50 * math.exp(-0.15342640972 * 6.92) + 50 * math.exp(-0.10819766216 * 6.92)
    assert NEAR_ISOMETRY.bound(**numbers) == pytest.approx(both)
    bound = UNIFORM_COHERENCE.bound(n=1000, l=100, kept_share=0.5, tail_2=2)
    assert bound == pytest.approx(42)
    assert LEVERAGE.bound(tail_2=2, tail_trace=10, accuracy=0.5) == pytest.approx(4.5)
    assert STRUCTURAL.bound(tail_2=1, G_2=3) == pytest.approx(10)


def test_bound_names_the_hypothesis_that_fails():
    K = np.diag([2.0, 1.0])
    with pytest.raises(ValueError, match="full row rank"):
        STRUCTURAL.bound(K, [1], rank=1)
    with pytest.raises(ValueError, match="rank_K = 2, k = 1"):
        EXACT_RECOVERY.bound(K, [0, 1], rank=1)
    few = {"kept_share": 0.5, "delta": 0.1}
    with pytest.raises(ValueError, match="leading_coherence = 2"):
        UNIFORM_COHERENCE.bound(K, [0], rank=1, **few)


def test_structural_by_hand():
    # K = [[2, 1], [1, 1]] from its first column: what is left is 1 - 1/2.
    case = Instance(np.array([[2.0, 1], [1, 1]]), [0], 1)
    assert error_spectrum(case) == pytest.approx([0.5])


def test_published_numbers_of_columns():
    assert recovery_case(Clusters.equal(50, 400, 1, delta=0.05)).l == 346
    group = HadamardColumns(10, 6, 0.01)
    assert group.columns == 561
    assert group.failure(429) <= 0.01 < group.failure(428)
    assert leverage.columns_by_scores(5, 0.1, 1.0, 0.7) == 205
    U = hadamard(64, 2)
    case = Instance(2 * U @ U.T, [0], 2, extra={"kept_share": 0.5, "delta": 0.1})
    wanted = 2 * math.log(20) / (0.5 + 0.5 * math.log(0.5))
    assert uniform_columns.with_columns(case).l == math.ceil(wanted)
