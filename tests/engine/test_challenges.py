"""What a reader is told who tries to break a claim with a matrix of his own."""

import ast

import numpy as np
import pytest

from nystheory import challenge, style
from nystheory.chapters import theorems
from nystheory.engine import Claim

EXACT = "talwalkar2010:thm-2.3"
K = np.array([[2.0, 1], [1, 1]])
CHANCE = "mean(error_F) <= tail_F"
SAMPLED, NAN = "talwalkar2010:thm-5.2-spectral", float("nan")


def mine(claim):
    return challenge(EXACT, K, [0], claim=claim)


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


def test_what_has_no_truth_value_is_undecided():
    found = challenge(EXACT, K, [0], claim="error_F <= 1/0")
    told = "undecided, a side has no value in floating point"
    assert not found and found.attempts[0].outcome == told
    assert "nan" not in repr(found) and "nan" not in found._repr_html_()


def test_a_property_is_a_claim():
    """It has no relation, and a truth value."""
    assert (
        challenge(EXACT, K, [0], claim="below(0, K)").attempts[0].came == "not broken"
    )
    assert challenge(EXACT, K, [0], claim="below(K, 0)")


# --- What is tried is what was asked --------------------------------------------------

THREE = np.diag([4.0, 2, 1])
DRAWING = ("modern:gaussian-sketch", "modern:leverage", "modern:stability")


@pytest.mark.parametrize("id", DRAWING)
def test_a_sample_that_is_given_is_not_exchanged(id):
    """Sketches of two columns, a dozen weighted draws, the largest volume."""
    found = challenge(id, THREE, [1, 2])
    assert found.tried == 0 and not found.attempts
    assert "the hypothesis" in found.unmet and " fails: " in found.unmet


def test_a_rank_that_is_given_is_not_exchanged():
    found = challenge("talwalkar2010:obs-2.1", THREE, [0, 1], 1)
    assert found.tried == 0 and found.unmet == (
        "the hypothesis 'k == l' fails: k = 1, l = 2"
    )


@pytest.mark.parametrize("id", [*theorems])
def test_no_theorem_exchanges_the_matrix_the_sample_or_the_rank(id):
    dense = np.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]])
    for rank in (None, 1):
        for attempt in challenge(id, dense, [0, 1], rank).attempts:
            assert np.array_equal(attempt.on.K, dense)
            assert attempt.on.landmarks.tolist() == [0, 1]
            assert attempt.on.k == (rank or 2)


def test_every_other_matrix_of_a_theorem_is_the_readers():
    """The best core is tried on K, though half of the instances are shifted."""
    assert challenge("modern:modified-nystrom", THREE).tried == 6


def test_what_was_drawn_is_told_and_can_be_given():
    id = "modern:leverage"
    found = challenge(id, THREE)
    told = "drawn here: delta, accuracy, probabilities, landmarks, rank; give them"
    assert told in repr(found) and told in found._repr_html_()
    for attempt in found.attempts:
        on = attempt.on
        delta = float(on.delta)
        assert f"k = {on.k}, delta = {delta!r}, accuracy = " in repr(attempt)
        again = challenge(id, THREE, on.landmarks, on.k, **on.given)
        (same,) = (a for a in again.attempts if a.claim == attempt.claim)
        assert (same.observed, same.bound) == (attempt.observed, attempt.bound)
        assert not again.drawn and again.tried == 1


def test_all_that_is_missing_is_asked_for_at_once():
    missing = "accuracy, noise, probabilities, signal: expected by name"
    missing += ", beside delta, alpha"
    with pytest.raises(ValueError, match=missing):
        challenge("modern:rudi", THREE, [0, 1], alpha=1, delta=0.1)
    with pytest.raises(ValueError, match="accuracy, probabilities: expected by name"):
        challenge("modern:leverage", THREE, [0, 1], delta=0.1)


def test_a_large_matrix_is_told_with_its_columns():
    found = challenge(EXACT, np.diag([1.0, *[2] * 7]), [3, 4])
    assert "n = 8, l = 2, k = 2, landmarks [3, 4]" in repr(found)


# --- As it is typed -------------------------------------------------------------------


def test_indices_count_from_zero_in_a_notebook_too():
    found = challenge(EXACT, K, [1])
    told = "<code>K = [[2, 1], [1, 1]], landmarks [1], k = 1</code>"
    assert told in found._repr_html_() and "landmarks [1]" in repr(found)
    assert "columns" not in found._repr_html_()


def test_an_outcome_is_plain_text():
    """The words of verdicts have meanings of their own, which are not these."""
    shown = challenge(EXACT, K, [0], claim="error_F <= 1/0")._repr_html_()
    assert "title=" not in shown and "nys-word" not in shown
    assert 2 * f"<td{style.LEFT}></td>" in shown and "nan" not in shown


def test_an_instance_is_typed_with_all_digits():
    told = np.array([[0.493827156, 1e-13], [1e-13, 0.3]])
    found = challenge(EXACT, told, [0])
    text = repr(found.attempts[0]).split("K = ")[1].split(", landmarks")[0]
    assert np.array_equal(np.array(ast.literal_eval(text)), told)


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
        (lambda: challenge(EXACT, K, rank="2"), TypeError, "rank: expected an integer"),
        (lambda: challenge(EXACT, K, rank=NAN), TypeError, "rank: expected an integer"),
        (lambda: challenge(EXACT, np.eye(1)), ValueError, "K: expected two points"),
        (lambda: challenge([EXACT], K), TypeError, "id: expected the id of a theorem"),
        (lambda: mine("error_F"), ValueError, "claim: expected a comparison such as"),
        (lambda: mine("1"), ValueError, "claim: expected a comparison such as"),
        (lambda: mine("K"), ValueError, "claim: expected a comparison .* got 'K'"),
        (lambda: mine("C <= W"), ValueError, "claim: 'C <= W' cannot be read: line: e"),
        (lambda: mine("C @ C <= 1"), ValueError, "claim: 'C @ C <= 1' cannot be read"),
        (lambda: mine(Claim(CHANCE, law="uniformly")), ValueError, "did you mean unif"),
        (lambda: challenge(EXACT, K, [0], n=7), ValueError, "n: .* measured on K"),
        (lambda: mine(np.ones(2)), TypeError, "claim: expected a line such as"),
        (lambda: challenge(EXACT, 10**400), TypeError, "K: expected real numbers"),
        (lambda: theorems.find(None), TypeError, "words: expected a string, got None"),
        (lambda: challenge(EXACT, K, [0], k=0), ValueError, "k: .* measured on K"),
        (lambda: challenge(EXACT, K, [0], tail_F=0), ValueError, "tail_F: .* measured"),
        (
            lambda: challenge(EXACT, K, [0], delta=0.1),
            ValueError,
            "delta: expected one",
        ),
        (lambda: challenge(SAMPLED, K, [0], delta="x"), TypeError, "delta: expected a"),
        (
            lambda: challenge(SAMPLED, K, [0], delta=NAN),
            ValueError,
            "delta: expected a",
        ),
        (lambda: challenge(SAMPLED, K, [0], alpha=1), ValueError, "uses, delta; got"),
        (
            lambda: challenge("modern:alaoui-mahoney", K, [0], ridge_share=2),
            ValueError,
            "ridge_share: expected no value, since it is measured on K",
        ),
    ],
)
def test_what_cannot_be_tried(call, error, says):
    with pytest.raises(error, match=says):
        call()
