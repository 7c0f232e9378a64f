"""Error bounds: by hand, printed numbers, clusters against plain enumeration."""

import math
from fractions import Fraction

import numpy as np
import pytest

from nystheory import exact
from nystheory.chapters import theorems
from nystheory.chapters.error_bounds.theorems import squared_error as squares
from nystheory.chapters.error_bounds.theorems import standard_method
from nystheory.chapters.error_bounds.theorems.cluster_experts import ClusterExperts
from nystheory.chapters.error_bounds.theorems.covariance_bounds import (
    GENERAL,
    SQRT2,
    flipped,
)
from nystheory.chapters.error_bounds.theorems.ensemble_bound import (
    ENSEMBLE,
    DisjointExperts,
)
from nystheory.chapters.error_bounds.theorems.standard_method import FROBENIUS, SPECTRAL
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import reader
from nystheory.engine.worlds.clusters import Clusters
from nystheory.engine.worlds.concentration import value
from nystheory.engine.worlds.instances import Instance

REPLACED = theorems["talwalkar2010:cor-5.6"]


def q(n, m):
    return (n - m) / (n - 0.5) / (1 - 1 / (2 * max(m, n - m)))


def read(theorem, line, case):
    """A line on a case that has no matrix, in the quantities of a theorem."""
    return float(reader(theorem, case).value(parse(line)).value)


# --- (5.3) and sqrt 2 -----------------------------------------------------------------


def test_flipped_clusters():
    case = flipped(21, "1")
    assert GENERAL.bound(case.K, [0, 21], 1) == pytest.approx(1 + 2 * 10)
    assert SQRT2.bound(case.K, [0, 21], 1) == pytest.approx(
        1 + math.sqrt(2) * math.sqrt(200)
    )
    assert GENERAL.bound(tail_2=1, distance_2=10) == 21
    # With the lone point a little longer the approximation leaves the 21 out.
    assert value("error_2", flipped(21, "1.000001")) == pytest.approx(21)


def test_ky_fan_norms_end_with_the_trace_norm():
    case = flipped(3, "1.1")
    names = ("error", "tail", "distance")
    sums = {name: reader(GENERAL, case)._name(f"{name}_ky_fan").value for name in names}
    for name in names:
        assert len(sums[name]) == 4
        assert sums[name][0] == pytest.approx(value(f"{name}_2", case))
        assert sums[name][-1] == pytest.approx(value(f"{name}_trace", case))


def test_rank_above_the_sample_is_refused():
    with pytest.raises(ValueError, match="k"):
        GENERAL.bound(np.eye(3), [0], 2)


# --- From a matrix, and with more landmarks ---


def test_bound_from_a_matrix_and_for_one_expert():
    K = np.diag([3.0, 2.0, 1.0])
    one = SPECTRAL.bound(K, [0, 2], rank=1, delta=0.1)
    alone = ENSEMBLE.bound(K, [0, 2], rank=1, delta=0.1, experts=1, mu_max=1)
    assert alone == pytest.approx(one)
    assert SPECTRAL.bound(K, [0, 1, 2], rank=1, delta=0.1) == pytest.approx(2.0)
    with pytest.raises(ValueError, match="delta"):
        SPECTRAL.bound(K, [0, 1], rank=1, delta=1.5)
    known = {"n": 100, "l": 10, "k": 1, "K_max": 1, "d_max": 1, "spread": 1}
    known |= {"delta": 0.1, "tail_2": 0, "mu_max": 0.1}
    with pytest.raises(ValueError, match="experts"):
        ENSEMBLE.bound(**known, experts=11)


@pytest.mark.parametrize("n", [2, 3, 10, 57])
def test_bounds_fall_with_the_number_of_landmarks(n):
    known = {"K_max": 1.0, "d_max": 1.0, "spread": 0.7 * n, "delta": 0.01, "n": n}
    known |= {"tail_2": 0.1, "tail_F": 0.1, "head_F": 0.9 * n, "k": 1}
    one = {"experts": 1, "mu_max": 1}
    for theorem, claim in (
        (SPECTRAL, "proved"),
        (SPECTRAL, "printed"),
        (FROBENIUS, "printed"),
        (FROBENIUS, "by squares"),
        (REPLACED, "spectral"),
        (REPLACED, "finer, Frobenius"),
        (ENSEMBLE, "any weights"),
    ):
        told = known | one if theorem is ENSEMBLE else known
        values = [theorem.right_side(claim, **told, l=m) for m in range(1, n + 1)]
        assert (np.diff(values) <= 1e-9 * n).all()


# --- Clusters of any size, against small ones sample by sample ---


@pytest.mark.parametrize("law", ["uniform", "with_replacement"])
def test_clusters_by_enumeration(law):
    X = np.repeat(np.eye(2), (4, 3), axis=1)
    small = Instance.from_points(X, range(3), 1)
    counted = Clusters((4, 3), (3, 0), 1)
    for name in ("error_2", "error_F", "distance_F"):
        means = [
            sum(p * read(SPECTRAL, f"{name} ** 2", o) for p, o in case.outcomes(law))
            for case in (small, counted)
        ]
        assert means[0] == pytest.approx(means[1])
    for name in ("K_max", "d_max", "spread", "tail_2", "tail_F", "head_F"):
        assert read(SPECTRAL, name, counted) == pytest.approx(value(name, small))


@pytest.mark.parametrize(("a", "b", "l"), [(4, 3, 1), (5, 3, 1), (3, 3, 3), (6, 2, 1)])
@pytest.mark.parametrize("rank", [1, 2])
def test_experts_on_clusters_by_enumeration(a, b, l, rank):  # noqa: E741
    if rank == 2 and l == 1:
        l = 2  # noqa: E741
    X = np.repeat(np.eye(2), (a, b), axis=1)
    given = {"experts": 2, "mu_max": 0.5, "weights": np.array([0.5, 0.5])}
    small = DisjointExperts.from_points(X, range(2 * l), min(rank, l), **given)
    counted = ClusterExperts(a, b, l, 2, rank, "equal")
    for name in ("mixture_2", "mixture_F", "worst_2", "worst_F"):
        means = [
            sum(p * value(name, o) for p, o in case.outcomes("decompositions"))
            for case in (small, counted)
        ]
        assert means[0] == pytest.approx(means[1])


@pytest.mark.parametrize(
    "case",
    [
        ClusterExperts(65, 65, 65, 2, 2, "equal"),
        ClusterExperts(40, 30, 5, 2, 1, "equal"),
        ClusterExperts(825, 875, 17, 100, 2),
        ClusterExperts(555, 285, 21, 40, 1, "worst"),
    ],
)
def test_chances_in_floats_and_in_fractions(case):
    there = exact.Case.of(**case.in_fractions()).outcomes("decompositions")
    found = {}
    for p, o in there:
        found[tuple(map(float, (Fraction(str(x)) for x in o.missed)))] = p
    for p, o in case.outcomes("decompositions"):
        chance = found[o.missed]
        assert p == pytest.approx(int(chance.p) / int(chance.q), rel=1e-8)


def test_the_distance_alone_fails_by_exact_counts():
    """The same sum by integers, at a size where they are small."""
    n, l = 40, 20  # noqa: E741
    weights = {h: math.comb(20, h) * math.comb(20, l - h) for h in range(21)}
    case = standard_method.Halves(20, 0.0, nats=0.5)
    bound = n / math.sqrt(l) * (1 + math.sqrt(q(n, l) * 0.5))
    failed = sum(w for h, w in weights.items() if abs(2 * h - l) > bound)
    expected = math.log(math.comb(40, 20) / failed)
    assert standard_method.surprise(case) == pytest.approx(expected)


# --- Printed numbers ---


def test_square_in_5_8_by_exact_fractions():
    t = Fraction(1, 100)
    excess = (2 * t) ** 2 - t**2
    printed = 8 * (t**2 + (2 * t) ** 2) * 2 * 2 * t
    assert (excess, printed) == (Fraction(3, 10_000), Fraction(16, 100_000))
    case = squares.SQUARED.printed["the distance squared"].on
    seen = value("error_F ** 2 - tail_F ** 2", case)
    bound = value("sqrt(64 * k) * distance_F ** 2 * n * K_max", case)
    assert seen == pytest.approx(float(excess))
    assert bound == pytest.approx(float(printed))


def test_the_constant_of_the_squares_is_sharp():
    case = squares.nearly_equal(200, "1.000001")
    excess = value("(error_F ** 2 - tail_F ** 2) / (head_F * distance_F)", case)
    assert 2.815 < excess < 2 * math.sqrt(2)


def test_numbers_of_the_counterexamples_to_theorem_5_3():
    """What the errata say in words."""

    def bound(name):
        told = ENSEMBLE.printed[name]
        theorem = ENSEMBLE.asserting(printed=told.line)
        needed = theorem.needed(theorem.bounding("printed"))
        given = {x: read(theorem, x, told.on) for x in needed if x != "delta"}
        return theorem.right_side("printed", delta=1e-30, **given)

    assert bound("equal weights") == pytest.approx(32.249, abs=5e-4)
    assert bound("one expert") == pytest.approx(18.97, abs=5e-3)
    assert bound("a larger chance") == pytest.approx(824.62, abs=5e-3)
    assert bound("one expert, Frobenius") == pytest.approx(3577.7, abs=0.05)
    assert bound("equal weights, Frobenius") == pytest.approx(5793.15, abs=5e-3)
    assert math.sqrt(2) / 2 * 8193 == pytest.approx(5793.33, abs=5e-3)


def test_one_point_fewer_is_no_counterexample():
    """The smallest of its kind: 64 points in a cluster meet the bound exactly."""
    case = ClusterExperts(64, 64, 64, 2, 2, "equal", delta="1e-37")
    line = ENSEMBLE.printed["equal weights"].line
    proof = exact.prove(
        line,
        exact.Case.of(**case.in_fractions()),
        ENSEMBLE.where_lines,
        "decompositions",
    )
    assert proof.holds is not False
