"""What a reader is told who tries to break a claim with a matrix of his own."""

import numpy as np
import pytest

from nystheory import challenge
from nystheory.chapters import theorems
from nystheory.engine import Claim

EXACT = "talwalkar2010:thm-2.3"
K = np.array([[2.0, 1], [1, 1]])
CHANCE = "mean(error_F) <= tail_F"


def test_a_theorem_is_not_broken_and_says_how_near_one_came():
    found = challenge(EXACT, K)
    assert not found and found.tried == 2
    assert {a.claim for a in found.attempts} <= {*theorems[EXACT].claims}
    assert "not broken, 2 tried" in repr(found) and ": not broken; " in repr(found)
    found = challenge("modern:rpcholesky", np.diag([4.0, 2, 1]), [0, 1], 1)
    assert not found
    assert [a for a in found.attempts if 0 < a.ratio < 1]
    assert "% of the way; observed 1.6, bound 2.57143" in repr(found)


def test_a_false_claim_is_broken_with_both_sides():
    found = challenge(EXACT, K, [0], claim="error_F <= 1.2 * tail_F")
    (attempt,) = found.attempts
    assert found and attempt
    assert attempt.observed == pytest.approx(0.5)
    assert attempt.bound == pytest.approx(1.2 * (3 - 5**0.5) / 2)
    assert attempt.ratio == pytest.approx(attempt.observed / attempt.bound)
    assert repr(found).startswith(f"{EXACT}: broken, 1 tried\n  yours: broken; ")


def test_the_worst_set_of_columns_is_found():
    """And what is nearly broken is not broken."""
    found = challenge(EXACT, np.diag([9.0, 2, 1]), rank=1, claim="error_F <= tail_F")
    assert found.tried == 6 and found.attempts[0].on.landmarks.tolist() != [0]
    assert not challenge(EXACT, np.diag([2.0, 1]), [0], claim="error_F <= tail_F")


def test_rounding_breaks_nothing():
    """Of these three directions floating point sees two, fractions all."""
    found = challenge("talwalkar2010:obs-2.2", np.diag([1, 1e-13, 1e-17]))
    assert not found and "by rounding alone" in repr(found)


def test_what_no_fraction_proves_is_not_called_broken():
    """A proof is tried for forty points, and no longer for one more."""
    for more in (39, 40):
        K = np.diag([1.0, *[2] * more])
        found = challenge("talwalkar2010:thm-2.1", K, [0], claim="error_F <= tail_F")
        assert bool(found) == (more == 39)
    assert "which is no proof" in repr(found)


@pytest.mark.parametrize("claim", ["error_F", "1", "error_F <= 1/0"])
def test_what_has_no_truth_value_is_undecided(claim):
    found = challenge(EXACT, K, [0], claim=claim)
    assert not found and found.attempts[0].outcome == "undecided"
    assert "nan" not in repr(found)


def test_a_claim_about_chance_brings_its_law():
    law = Claim("mean(error_F) <= 0.1 * tail_F", law="uniform")
    found = challenge("talwalkar2010:thm-2.1", np.eye(3), [0], claim=law)
    assert found and "broken" in found._repr_html_()


def test_what_is_no_attempt_says_why():
    """A matrix that does not meet the hypotheses breaks nothing."""
    found = challenge("talwalkar2010:thm-2.1", K, [0], rank=0)
    assert not found and found.tried == 0
    assert "hypothesis '1 <= k <= l'" in found.unmet and found.unmet in repr(found)
    assert "$" not in repr(found)


def test_a_sample_that_a_theorem_does_not_speak_of_is_named():
    found = challenge("talwalkar2010:eq-2.13", K, [0, 0])
    assert found.tried == 0 and "[0, 0], which has a column twice" in found.unmet


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: challenge("thm-2.3", K), KeyError, "no theorem"),
        (lambda: challenge("Exact recovery", K), KeyError, f"did you mean {EXACT}"),
        (lambda: challenge(EXACT, K, [0], claim=5), TypeError, "expected a line"),
        (lambda: challenge(EXACT, np.eye(30)), ValueError, "or rank: a number of"),
        (lambda: challenge(EXACT, -np.eye(2), [0]), ValueError, "semidefinite"),
        (lambda: challenge(EXACT, np.eye(30)), ValueError, "landmarks: expected"),
        (lambda: challenge(EXACT, K, [5]), (ValueError, IndexError), "landmarks|5"),
        (lambda: challenge(EXACT, K, [0], claim="error_F <="), ValueError, "yours"),
        (lambda: challenge(EXACT, K, [0], claim="errF <= 1"), ValueError, "errF"),
        (lambda: challenge(EXACT, K, [0], claim=CHANCE), ValueError, "law"),
        (lambda: challenge(EXACT, K, [0], deltaa=0.1), KeyError, "did you mean delta"),
        (lambda: challenge(EXACT, K, [0], rank=2), ValueError, "rank: expected at"),
        (lambda: challenge(EXACT, K, rank=2), ValueError, "rank: expected at most"),
    ],
)
def test_what_cannot_be_tried(call, error, says):
    with pytest.raises(error, match=says):
        call()
