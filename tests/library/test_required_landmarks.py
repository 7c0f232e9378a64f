"""Bounds read backwards: how many columns a theorem asks for."""

import math
from fractions import Fraction

import numpy as np
import pytest

from nystheory import datasets, guarantees, kernels
from nystheory.chapters import theorems
from nystheory.guarantees import columns, know, required_landmarks


def test_exact_recovery_by_hand():
    """r e^(-l/M) <= delta, so l is the first integer from M ln(r / delta) on."""
    theorem = theorems["talwalkar2010:thm-5.5"]
    names = set(theorem.needed(theorem.bounding("chance")))
    r, M, delta = 10, 25.0, 0.01
    known = {"r": r, "basis_free_coherence": M, "k": r, "n": 1000}
    assert names <= {*known, "l"}
    answer = required_landmarks(theorem, delta, **known)
    assert answer.count == int(np.ceil(M * np.log(r / delta)))
    assert answer.bound <= delta < r * np.exp(-(answer.count - 1) / M)


def test_more_columns_than_there_are():
    theorem = theorems["talwalkar2010:thm-5.5"]
    answer = required_landmarks(
        theorem, 1e-9, r=10, basis_free_coherence=100.0, k=10, n=200
    )
    assert answer.count is None
    assert "vacuous, more columns than the matrix has" in repr(answer)
    assert "vacuous" in answer._repr_html_()


@pytest.mark.parametrize("target", [0.5, 2.0, 10.0])
def test_the_answer_is_the_first_that_reaches_it(target):
    theorem = theorems["modern:k-dpp-expectation"]
    K = kernels.rbf(datasets.digits(40).X).dense()
    answer = required_landmarks(theorem, target, K=K)
    bounds = [theorem.bound(K, list(range(m)), m) for m in range(1, 41)]
    assert answer.count == next(m for m, b in enumerate(bounds, 1) if b <= target)


def test_another_claim_than_the_first():
    theorem = theorems["modern:rudi"]
    known = {"n": 10**6, "largest_score": 50.0, "d_eff": 20.0, "alpha": 100.0}
    asked = {
        claim: required_landmarks(theorem, 0.1, claim=claim, **known).count
        for claim in ("with replacement", "without replacement")
    }
    by_hand = math.ceil((9 * 50 / 2 + 1) * math.log(8 * 20 / 0.1))
    assert asked == dict.fromkeys(asked, by_hand)
    with pytest.raises((TypeError, ValueError)):  # a bound without l
        required_landmarks(theorem, 200.0, claim="enough columns", **known)


def test_fewer_columns_than_the_rank_are_too_few():
    """k = 5: at l = 4 the formula would say enough, and it does not speak there."""
    K = np.diag([1.0] * 3 + [1e-6] * 57)
    theorem = theorems["talwalkar2010:thm-5.2-spectral"]
    known = {"K": K, "delta": 0.5}
    few = required_landmarks(theorem, 1e3, rank=5, **known)
    assert few.count == 5
    assert required_landmarks(theorem, 1e3, rank=2, **known).count == 2


def test_a_bound_that_rises_is_told(monkeypatch):
    theorem = theorems["modern:k-dpp-expectation"].asserting(
        mean="mean(trace_E) == (n / l + l) * symmetric_ratio"
    )
    with pytest.raises(ValueError, match="expected a bound that falls with l"):
        required_landmarks(theorem, 25.0, n=100, symmetric_ratio=1.0, rank_K=100)


def test_a_matrix_and_numbers_together():
    """Theorem 5.2 on a real matrix asks for more columns than it has."""
    K = kernels.rbf(datasets.digits(60).X).dense()
    theorem = theorems["talwalkar2010:thm-5.2-spectral"]
    answer = required_landmarks(theorem, 1.0, K=K, rank=5, delta=0.1)
    assert answer.count is None or answer.count > 30


@pytest.mark.parametrize(
    ("id", "known", "error", "says"),
    [
        ("talwalkar2010:eq-2.7", {"n": 9}, ValueError, "before sampling"),
        ("talwalkar2010:eq-2.24", {"n": 9}, ValueError, "a formula with l"),
        ("modern:k-dpp-expectation", {}, ValueError, "n: expected the number of col"),
        ("modern:k-dpp-expectation", {"n": 9, "l": 3}, ValueError, "l: expected no"),
        ("modern:leave-one-out-columns", {"n": 9}, ValueError, "formula with l"),
        ("modern:k-dpp-expectation", {"n": 9}, ValueError, "expected a value"),
    ],
)
def test_what_cannot_be_answered(id, known, error, says):
    with pytest.raises(error, match=says):
        required_landmarks(theorems[id], 1.0, **known)


def test_a_hypothesis_that_asks_for_more_columns_than_there_are():
    """Coherence 10 and delta = 0.1 ask for more than 10 * 3 * log 30 columns."""
    theorem = theorems["modern:uniform-coherence"]
    known = {"n": 40, "k": 3, "delta": 0.1, "kept_share": 0.1, "tail_2": 1.0}
    answer = required_landmarks(theorem, 5.0, leading_coherence=10.0, **known)
    assert answer.count is None and np.isinf(answer.bound)
    assert "says nothing for any l up to n = 40" in repr(answer)
    assert required_landmarks(theorem, 100.0, leading_coherence=1.0, **known).count


def test_a_theorem_for_fewer_columns_than_all():
    theorem = theorems["modern:lower-bound"]
    answer = required_landmarks(theorem, 1.5, n=60, k=3, similarity=0.999)
    limits = [theorem.bound(n=60, k=3, similarity=0.999, l=m) for m in range(1, 60)]
    assert answer.count == next(m for m, b in enumerate(limits, 1) if b <= 1.5)
    never = required_landmarks(theorem, 1.0, n=60, k=3, similarity=0.999)
    assert never.count is None


def test_a_hypothesis_that_columns_cannot_mend():
    theorem = theorems["talwalkar2010:thm-5.5"]
    with pytest.raises(ValueError, match="hypothesis"):
        required_landmarks(theorem, 0.1, r=10, basis_free_coherence=12.0, k=3, n=90)


def test_a_rank_that_a_matrix_cannot_tell_is_told_as_such():
    """Rounding hides the rank of a matrix; the points of a linear kernel show it."""
    Z = np.random.default_rng(0).standard_normal((60, 4))
    with pytest.raises(ValueError, match="r = not known"):
        required_landmarks("talwalkar2010:thm-5.5", 0.1, K=Z @ Z.T)
    found = required_landmarks("talwalkar2010:thm-5.5", 0.1, K=kernels.linear(Z))
    assert 4 <= found.count <= 60


# --- One search for both --------------------------------------------------------------

POINTS = np.random.default_rng(0).standard_normal((60, 2))
SMOOTH = know(kernels.rbf(POINTS, 0.5))
BLOCKS = {"block_size": 2}


@pytest.mark.parametrize("norm", ["trace", "spectral"])
@pytest.mark.parametrize("share", [0.3, 0.1])
def test_it_answers_what_the_table_of_columns_answers(norm, share):
    found = columns(SMOOTH, share, norm, **BLOCKS)
    assert any(row.count for row in found.rows)
    for row in found.rows:
        blocks = BLOCKS if row.at.id == "modern:block-rpcholesky" else {}
        if not row.count:
            continue
        if row.at.id == "talwalkar2010:thm-5.3":  # so many for each expert
            continue
        given = {"K": SMOOTH, "claim": row.at.claim, **blocks}
        told = required_landmarks(row.at.id, share * 60, **given)
        assert told.count == row.count, row
        assert told.bound == pytest.approx(row.at.share * 60)
        if norm == "trace":
            del given["claim"]
            best = required_landmarks(row.at.id, share * 60, **given)
            assert best.count == found.of(row.at.id).count


def test_what_is_held_fixed_is_said():
    """The best rank, the given one, and as many as there are columns."""
    id, target = "modern:gaussian-sketch", 18.0
    best = required_landmarks(id, target, K=SMOOTH)
    assert "with k = " in repr(best) and best.count < 20
    fixed = required_landmarks(id, target, K=SMOOTH, rank=6)
    assert best.count <= fixed.count and repr(fixed).endswith("with k = 6)")
    id, given = "modern:k-dpp-expectation", {"K": SMOOTH, "claim": "bound"}
    assert "k = l" in repr(required_landmarks(id, 18.0, **given))


def test_pivots_are_counted_though_the_line_has_no_l():
    """What is missed after so many pivots is measured for each number of them."""
    told = required_landmarks("modern:rpcholesky", 18.0, K=SMOOTH)
    assert told.count == columns(SMOOTH, 0.3).of("modern:rpcholesky").count
    with pytest.raises(ValueError, match="pass claim='several'"):
        required_landmarks("modern:frobenius-pivoting", 1.0, n=9)
    with pytest.raises(ValueError, match="formula with l, which 'map' has not; pass K"):
        required_landmarks("modern:rpcholesky", 1.0, n=9, trace_after_pivots=3.0)


def test_a_bound_on_a_square_is_asked_for_a_square():
    told = required_landmarks("modern:frobenius-pivoting", 30.0, K=SMOOTH)
    norm = float((SMOOTH.spectrum**2).sum())
    by_hand = next(m for m in range(1, 60) if (1 - m / 60) * norm <= 30.0)
    assert told.count == by_hand and told.bound <= 30.0


def test_a_target_is_any_real_number():
    told = required_landmarks("modern:rpcholesky", Fraction(18), K=SMOOTH)
    assert told.target == 18.0


def test_an_answer_that_is_vacuous_says_of_what():
    known = {"r": 10, "basis_free_coherence": 100.0, "k": 10, "n": 200}
    told = required_landmarks("talwalkar2010:thm-5.5", 1e-9, **known)
    assert "with all 200 its bound on the chance of failure is 1.35" in repr(told)
    shown = told._repr_html_()
    assert f"{theorems['talwalkar2010:thm-5.5'].book_number}</a>" in shown


def test_an_unknown_id_is_told_where_to_look():
    with pytest.raises(KeyError, match="theorems.find"):
        required_landmarks("foo", 1.0)
    with pytest.raises(KeyError, match="did you mean modern:alaoui-mahoney"):
        required_landmarks("modern:alaoui", 1.0)


# --- Numbers that no matrix has -------------------------------------------------------

SCORED = {"n": 1000, "d_eff": 5, "ridge_share": 1}


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"ridge_share": 2}, ValueError, "ridge_share: expected ridge_share <= 1"),
        ({"ridge_share": 1e6}, ValueError, "ridge_share: expected ridge_share <= 1"),
        ({"ridge_share": 0}, ValueError, "ridge_share: expected 0 < ridge_share"),
        ({"d_eff": 0}, ValueError, "d_eff: expected 0 < d_eff, .* got 0"),
        ({"d_eff": -5}, ValueError, "d_eff: expected 0 < d_eff, .* got -5"),
        ({"d_eff": 5000}, ValueError, "d_eff <= n, .* got d_eff = 5000, n = 1000"),
        ({"d_eff": math.nan}, ValueError, "d_eff: expected a finite number, got nan"),
        ({"d_eff": [5]}, TypeError, r"d_eff: expected a number, got \[5\]"),
        ({"delta": 0.1}, ValueError, "delta: expected one of .*, which the claim 'err"),
        ({"tail_2": 1}, ValueError, "tail_2: expected one of accuracy, alpha, d_eff"),
        ({"rank": 3}, ValueError, "rank: expected no rank without K; pass k="),
    ],
)
def test_numbers_that_no_matrix_has_are_refused(change, error, says):
    with pytest.raises(error, match=says):
        required_landmarks("modern:alaoui-mahoney", 0.1, **SCORED | change)


def test_a_chance_below_zero_is_no_target():
    with pytest.raises(ValueError, match="target: expected a probability, at least 0"):
        required_landmarks("modern:alaoui-mahoney", -1, **SCORED)


@pytest.mark.parametrize(
    ("id", "known", "says"),
    [
        ("modern:rudi", {"largest_score": 3, "d_eff": 20}, "d_eff <= largest_score"),
        ("modern:bach", {"largest_score": 101, "accuracy": 1}, "largest_score <= n"),
        ("talwalkar2010:thm-5.5", {"r": 2.5, "basis_free_coherence": 9}, "an integer"),
        ("talwalkar2010:thm-5.5", {"r": 9, "basis_free_coherence": 3}, "r <= basis"),
        ("talwalkar2010:thm-5.5", {"r": 9, "basis_free_coherence": 999}, "<= n"),
        ("talwalkar2010:eq-5.7", {"spread": -1}, "spread: expected 0 <= spread"),
    ],
)
def test_of_every_theorem(id, known, says):
    with pytest.raises(ValueError, match=says):
        required_landmarks(id, 0.1, n=100, **known)


def test_a_name_that_the_claim_does_not_use_beside_a_matrix():
    """The promise is one on the mean: there is no delta in it."""
    with pytest.raises(ValueError, match="delta: expected one of"):
        required_landmarks("modern:k-dpp-expectation", 18.0, K=SMOOTH, delta=0.1)


def test_a_theorem_without_a_bound_is_named_as_the_argument():
    with pytest.raises(TypeError, match="theorem: expected one with a bound to read"):
        required_landmarks("talwalkar2010:thm-2.3", 1.0, n=9)


def test_the_answer_is_in_the_room_that_gives_it():
    told = required_landmarks("modern:alaoui-mahoney", 0.1, **SCORED)
    assert isinstance(told, guarantees.Columns)
