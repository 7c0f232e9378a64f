"""What the theorems of the chapter speak of, by hand on small cases."""

from fractions import Fraction
from math import log

import numpy as np
import pytest
from flint import fmpq

from nystheory import exact
from nystheory.chapters.surely_worse_kernels.theorems.criterion import CRITERION
from nystheory.chapters.surely_worse_kernels.theorems.evidence import EVIDENCE
from nystheory.chapters.surely_worse_kernels.theorems.left_out import LEFT_OUT
from nystheory.chapters.surely_worse_kernels.theorems.observed import Observed
from nystheory.chapters.surely_worse_kernels.theorems.same_kernel import (
    Candidates,
)
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import reader
from nystheory.exact.routes import route_of


def valued(theorem, case, line):
    return reader(theorem, case).value(parse(line)).value


def measured(case, name):
    return case.measured(case.quantities[name]).value


def sides(theorem, case, claim):
    """Left and right of a claim, entry by entry."""
    left, right = theorem.claims[claim].sides
    found = reader(theorem, case)
    return found.value(left).value, found.value(right).value


def seen_and_missed(y, missed=3, guess=(0, 0)):
    """Of diag(1, missed) the first column; the ridge is 1."""
    return Observed.missing(missed, y=y, guess=list(guess))


# --- The criterion --------------------------------------------------------------------


def test_ends_of_the_criterion_by_hand():
    case = seen_and_missed([2, 4])
    # n C: 4 / 2 + 16 / 4, without what is missed 4 / 2 + 16, and with the trace 3
    # in every direction 4 / 5 + 16 / 4.
    assert valued(CRITERION, case, "n * criterion") == pytest.approx(6)
    assert valued(CRITERION, case, "n * upper") == pytest.approx(18)
    assert valued(CRITERION, case, "n * lower") == pytest.approx(4.8)
    assert valued(CRITERION, case, "t") == pytest.approx(3)


def test_a_product_by_hand():
    case = seen_and_missed([2, 4], guess=[1, 2])
    # A a = (2, 8), so that r = (0, -4) and the known part is 2 * 10 - 18 = 2.
    assert valued(CRITERION, case, "r") == pytest.approx([0, -4])
    assert valued(CRITERION, case, "known") == pytest.approx(2)
    lower, q = sides(CRITERION, case, "product, below")
    assert (lower, q) == pytest.approx((2 + 16 / 4, 6))
    assert sides(CRITERION, case, "product, above")[1] == pytest.approx(2 + 16)


def test_a_product_may_cost_more_than_it_gives():
    # From 16 without a product to 32 - 64 + 9 * 16 with one, as t is 3.
    left, right = sides(CRITERION, seen_and_missed([0, 4]), "one product")
    assert left == pytest.approx(32 - 64 + 144)
    assert right == pytest.approx(16 + 2 * 48)


def test_the_width_falls_with_the_residual():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((4, 6)), rng.standard_normal(6)
    given = {"y": y, "alpha": 0.5, "directions": 6.0}
    case = Observed.from_points(X, [0, 1], 1, guess=np.zeros(6), **given)
    solved = np.linalg.solve(case.K + 0.5 * np.eye(6), y)
    widths = []
    for share in (0.0, 0.9, 0.99):
        left, right = sides(CRITERION, case.but(guess=share * solved), "width")
        assert 0 < left <= right
        widths.append(left)
    # The residual is (1 - share) y.
    assert widths[1] == pytest.approx(widths[0] / 100)
    assert widths[2] == pytest.approx(widths[0] / 10**4)


# --- The evidence ---------------------------------------------------------------------


def test_ends_of_the_evidence_by_hand():
    case = seen_and_missed([2, 4]).but(directions=1)
    # Of det A = 2 * 4 the approximation has 2.
    assert valued(EVIDENCE, case, "value") == pytest.approx(6 + log(8))
    low, high = (
        sides(EVIDENCE, case, "below")[0],
        sides(EVIDENCE, case, "above")[1],
    )
    assert low == pytest.approx(4.8 + log(2) + log(1 + 3 / 2))
    assert high == pytest.approx(18 + log(2) + log(4))
    wide = sides(EVIDENCE, case, "more directions")[1]
    assert wide == pytest.approx(2 * log(1 + 3 / 2))


def test_minus_twice_the_log_density_is_the_value():
    case = seen_and_missed([2, 4])
    density = -0.5 * (4 / 2 + 16 / 4) - 0.5 * log(8) - log(2 * np.pi)
    told = valued(EVIDENCE, case, "value") + 2 * log(2 * np.pi)
    assert -2 * density == pytest.approx(told)


# --- Leave-one-out --------------------------------------------------------------------


def fitted_without(K, y, ridge, j):
    """An observation less its prediction from the others, by scaled rows."""
    rest = np.arange(len(y)) != j
    a = np.linalg.solve(K[rest][:, rest] + ridge * np.eye(rest.sum()), y[rest])
    return y[j] - K[j, rest] @ a


def test_what_is_left_out_is_predicted_from_the_others():
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((3, 5)), rng.standard_normal(5)
    given = {"y": y, "alpha": 0.3, "directions": 5.0, "guess": np.zeros(5)}
    case = Observed.from_points(X, [0, 1], 1, **given)
    told = [fitted_without(case.K, y, 0.3, j) for j in range(5)]
    assert measured(case, "left_out") == pytest.approx(np.array(told))
    found = exact.Case.of(**case.in_fractions())
    fractions = [float(x) for x in route_of(found, "left_out")(found)]
    assert fractions == pytest.approx(told)
    mean = sides(LEFT_OUT, case, "mean, above")[0]
    assert mean == pytest.approx(np.mean(np.square(told)))


def test_two_equal_points_by_hand():
    # K has ones alone and nothing is seen: e = (1, -1/2) for y = (1, 0).
    case = Observed.over([[1, 1], [1, 1]], [[0, 0], [0, 0]], y=[1, 0])
    found = exact.Case.of(**case.in_fractions())
    assert route_of(found, "left_out")(found) == [1, fmpq(-1, 2)]
    # R between I / 3 and I: its middle is 2 / 3 I and guesses e = y.
    assert valued(LEFT_OUT, case, "guessed") == pytest.approx([1, 0])
    assert valued(LEFT_OUT, case, "radius") == pytest.approx([0, 1], abs=1e-7)
    # The coefficients (2, -1) / 3 are as far from the middle as they may be.
    left, right = sides(LEFT_OUT, case, "coefficients")
    assert left == pytest.approx([0, 1 / 3])
    assert right == pytest.approx([1 / 3, 1 / 3])
    assert sides(LEFT_OUT, case, "coarse")[1] == pytest.approx([1, 1])


def test_neither_bound_on_the_diagonal_is_always_the_better():
    """The landmarks' own block, against all landmarks with the trace in the ridge."""
    # Two equal points, one sampled: nothing is missed, and both are met.
    case = Observed.exactly(
        [0], 1, matrix=[[1, 1], [1, 1]], y=[1, 0], alpha=1, guess=[0, 0], directions=1
    )
    left, right = sides(LEFT_OUT, case, "block")
    lifted = valued(LEFT_OUT, case, "diag(lifted)")
    assert left == pytest.approx([1.5]) and right == pytest.approx([1.5])
    assert 1 / lifted[1] == pytest.approx(1.5)
    # Many orthogonal points: the trace is theirs together, the block has one of them.
    many = Observed.missing(1, 1, 1, y=[0, 0, 0, 0])
    assert sides(LEFT_OUT, many, "block")[1] == pytest.approx([2, 2, 2])
    assert 1 / valued(LEFT_OUT, many, "diag(lifted)")[1:] == pytest.approx([4, 4, 4])
    # Equal points that were not sampled know of each other; the block does not.
    known = [[1, 0, 0], [0, 9, 9], [0, 9, 9]]
    below = [[1, 0, 0], [0, Fraction(17, 2), Fraction(17, 2)]]
    below = Observed.over(known, [*below, below[1]], y=[0, 0, 0])
    assert sides(LEFT_OUT, below, "block")[1] == pytest.approx([10, 10])
    assert 1 / valued(LEFT_OUT, below, "diag(lifted)")[1:] == pytest.approx(
        [2 * 19 / 10.5] * 2
    )


def test_an_error_whose_sign_is_not_known_may_be_zero():
    case = Observed.over([[1, 1], [1, 1]], [[0, 0], [0, 0]], y=[1, 0])
    assert valued(LEFT_OUT, case, "inner") == pytest.approx([1, 0], abs=1e-7)


# --- Several kernels ------------------------------------------------------------------


def test_ends_of_several_criteria_by_hand():
    case = Candidates.of_two(((0, 2), (0, 1)), ((1, 0), (0, 0)), y=(2, 4))
    # K_1 = diag(0, 5) with diag(0, 4) seen, K_2 = diag(1, 0) with nothing; n = 2.
    assert measured(case, "criterion_first") == pytest.approx((4 + 16 / 6) / 2)
    assert measured(case, "upper_first") == pytest.approx((4 + 16 / 5) / 2)
    case = Candidates.of_two(((0, 2), (0, 1)), ((0, 0), (1, 0)), y=(2, 4))
    assert measured(case, "criteria_rest") == pytest.approx([(4 / 2 + 16) / 2])
    assert measured(case, "lower_rest") == pytest.approx([(4 + 16) / 2 / 2])
    assert measured(case, "largest_trace") == pytest.approx(1)


def test_the_best_of_three_is_left():
    seen = [[[0, s]] for s in (0, 1, 3)]
    missed = [[[0, g]] for g in (4, 0, 0)]
    case = Candidates.exactly(seen=seen, missed=missed, y=[0, 1], alpha=1)
    # Criteria 1/17, 1/2 and 1/10 times 1/2; the first is known to be below 1 only.
    assert measured(case, "smallest") == pytest.approx(1 / 34)
    assert measured(case, "smallest_left") == pytest.approx(1 / 34)
    found = exact.Case.of(**case.in_fractions())
    assert route_of(found, "smallest_left")(found) == fmpq(1, 34)
