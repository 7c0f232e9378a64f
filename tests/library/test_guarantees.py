"""Which guarantee applies: the table of all promises, and the catalogue of bounds."""

import math
from fractions import Fraction

import numpy as np
import pytest

from nystheory import datasets, guarantees, kernels
from nystheory.chapters import theorems
from nystheory.engine import Instance
from nystheory.engine.promises.promises import NORMS, Promise, kept
from nystheory.engine.worlds.quantities import value

DIGITS = kernels.rbf(datasets.digits(60).X)
KNOWN = guarantees.know(DIGITS)
VALUES = np.sort(np.linalg.eigvalsh(DIGITS.dense()))[::-1]


# --- By hand --------------------------------------------------------------------------


def test_gaussian_promises_are_the_smallest_by_hand():
    """The formulas of the page, written out again."""
    m, bounds = 20, []
    for k in range(1, m - 1):
        tail, spare = VALUES[k:].sum(), m - k - 1
        full = (1 + 2 * k / spare) * VALUES[k]
        full += 2 * np.e**2 * m / ((m - k) ** 2 - 1) * tail
        cut = VALUES[k] + k / spare * tail
        bounds.append(((1 + k / spare) * tail, min(full, cut)))
    trace, norm = np.min(bounds, axis=0) / VALUES.sum()
    found = guarantees.promises(KNOWN, m)
    assert found.of("modern:gaussian-sketch", "trace").share == pytest.approx(trace)
    assert found.of("modern:gaussian-sketch", "spectral").share == pytest.approx(norm)


def test_leverage_promises_by_hand():
    K = np.diag([1000.0, 500.0, *np.ones(98)])
    known, m, rows = guarantees.know(K), 99, []
    for k in range(1, 100):
        if m >= 6.52 * k * np.log(k / 0.1):
            rows.append((1 + 20 * k / m) * np.diag(K)[k:].sum() / np.trace(K))
    found = guarantees.promises(known, m).of("modern:leverage", "trace")
    assert found.share == pytest.approx(min(rows), rel=1e-6)
    assert found.holds == "with probability 0.7"


# --- The table ------------------------------------------------------------------------


def test_all_of_them():
    found = guarantees.promises(DIGITS, 30)
    shares = [row.share for row in found.rows if row.norm == "trace"]
    assert shares == sorted(shares)
    assert {row.id for row in found.rows} <= set(theorems)
    assert found.best("spectral").share == min(
        row.share for row in found.rows if row.norm == "spectral"
    )
    shown = found._repr_html_()
    assert "Nothing, or no less than" in shown and "with probability 0.9" in shown
    assert "30 of 60 columns" in repr(found)
    assert "(<code>experts=</code>) and the largest weight" in shown
    assert "(<code>modern:" not in shown
    block = theorems["modern:block-rpcholesky"].book_number
    assert f"{block}</a> needs the number" in shown


def test_a_row_is_the_promise_at_its_best():
    """With the delta that is asked for; norm after norm, the smallest first."""
    for delta in (0.1, 0.03):
        found = guarantees.promises(KNOWN, 45, delta)
        order = [[*NORMS].index(row.norm) for row in found.rows]
        assert order == sorted(order) and found.trace == pytest.approx(VALUES.sum())
        case = KNOWN.but(landmarks=np.arange(45), rank=45)
        for row in (row for row in found.rows if row.says):
            best = kept(theorems[row.id], row.claim, case, delta)
            assert row.share * found.trace == pytest.approx(best.bound)
            assert (row.fails, row.chosen) == (best.fails, best.chosen)


def test_what_is_known_without_a_theorem_is_no_promise():
    """The norm of K itself, in each norm."""
    K = np.diag([4.0, 1.0, 1.0, 1.0])
    case = guarantees.know(K).but(landmarks=np.arange(2), rank=2)
    norms = {"trace": 7, "spectral": 4, "Frobenius": 19**0.5, "largest entry": 4}
    found = {(r.id, r.claim): r for r in guarantees.promises(K, 2, 0.5).rows}
    for (id, claim), row in found.items():
        bound = kept(theorems[id], claim, case, 0.5).bound
        assert row.says == (bound < norms[row.norm]), (id, claim, bound)
        assert not row.says or row.share == pytest.approx(bound / 7)


def test_a_rank_that_float64_cannot_tell_decides_nothing():
    """Of rank 4 or of rank 3: four columns by volume need the first."""
    K = np.diag([4.0, 2.0, 1.0, 1e-14, 0.0])
    row = guarantees.promises(K, 4).of("modern:k-dpp-expectation", "trace")
    assert not row.says and "l <= rank_K" in row.why and "at least 3" in row.why
    assert "not known" in str(guarantees.promises(K, 4))


def test_a_ridge_that_rounding_blurs_is_taken_within_its_ends():
    """By hand: the ridge at which the effective dimension is 30."""
    values = 2.0 ** -np.arange(80)
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((80, 80)))[0]
    K = (Q * values) @ Q.T
    low, high = 1e-12, 1.0
    for _ in range(60):
        middle = np.sqrt(low * high)
        few = (values / (values + middle)).sum() <= 30
        low, high = (low, middle) if few else (middle, high)
    by_hand = high * 30 / values.sum()
    found = guarantees.promises((K + K.T) / 2, 30).of("modern:dpp-expectation", "trace")
    assert by_hand <= found.share < 2 * by_hand


def test_a_chance_is_any_real_number():
    K = np.diag([4.0, 1.0, 1.0, 1.0])
    half = guarantees.promises(K, 2, Fraction(1, 2))
    assert half == guarantees.promises(K, 2, 0.5)
    assert guarantees.columns(K, Fraction(1, 2)) == guarantees.columns(K, 0.5)


def test_rare_failures_are_exceptions():
    rare = guarantees.Guarantee("thm", "claim", "uniform", "trace", 0.1, {}, 0.005)
    assert rare.holds == "surely but for probability 0.005"


def test_nothing_found_is_not_surely():
    steep = guarantees.promises(np.eye(30), 5, experts=5, mu_max=0.2, block_size=5)
    for row in steep.rows:
        claim = theorems[row.id].claims[row.claim]
        assert (row.fails == 0) == (claim.kind not in ("probability", "expectation"))


def test_every_promise_appears():
    """Because of its metadata: in the table, or among those that ask for a number."""
    found = guarantees.promises(DIGITS, 30)
    promised = {
        theorem.id
        for theorem in theorems.values()
        if any(isinstance(each, Promise) for each in theorem.promises.values())
    }
    assert {row.id for row in found.rows} | set(found.unasked) == promised
    given = {"experts": 5, "mu_max": 0.2, "block_size": 5}
    assert not guarantees.promises(DIGITS, 30, **given).unasked


def test_a_row_is_what_the_theorem_says():
    """With the parameter that the row names, the theorem gives its number."""
    found = guarantees.promises(DIGITS, 30)
    row = found.of("modern:gaussian-sketch", "trace")
    k = int(row.chosen["k"])
    bound = theorems[row.id].bound(l=30, k=k, tail_trace=VALUES[k:].sum())
    assert row.share * found.trace == pytest.approx(bound)


def test_where_no_landmarks_have_a_volume_nothing_is_promised_of_them():
    low = guarantees.promises(np.diag([2.0, 1.0, 0.0, 0.0, 0.0]), 3)
    assert not low.of("modern:geometry", "largest entry").says
    full = guarantees.promises(np.diag([2.0, 1.0, 0.5, 0.25, 0.1]), 3)
    assert full.of("modern:geometry", "largest entry").share > 0


def test_two_pivots_of_a_steep_matrix_are_promised_more_by_their_number():
    row = guarantees.promises(np.diag([1000.0, 500.0, *np.ones(98)]), 2).of(
        "modern:rpcholesky", "trace"
    )
    assert row.claim == "k pivots" and row.share == pytest.approx(392 / 1598)


def test_the_experts_of_one_theorem_are_not_those_of_another():
    plain = guarantees.promises(DIGITS, 30)
    mixed = guarantees.promises(DIGITS, 30, experts=3, mu_max=1 / 3)
    assert plain.best("trace") == mixed.best("trace")
    ids = {row.id for row in mixed.rows} - {row.id for row in plain.rows}
    assert ids == {"talwalkar2010:thm-5.3"}


@pytest.mark.parametrize(
    ("K", "count", "delta", "says"),
    [
        (np.diag([1.0, -1.0, 1.0, 1.0]), 3, 0.1, "K: expected a positive semidef"),
        (np.diag([1.0, 1.0, -1e-4]), 2, 0.1, "K: expected a positive semidef"),
        (np.eye(1), 1, 0.1, "K: expected two points or more, got one"),
        (np.eye(9), 9, 0.1, "n_landmarks: expected"),
        (np.eye(9), 0, 0.1, "n_landmarks: expected"),
        (np.eye(9), 4, 1.0, "delta: expected a number between 0 and 1"),
        (np.eye(9), 4, -0.1, "delta: expected"),
    ],
)
def test_bad_input(K, count, delta, says):
    with pytest.raises(ValueError, match=says):
        guarantees.promises(K, count, delta)


def test_points_tell_the_rank_of_a_linear_kernel():
    """From the entries of K nobody can tell a rank; from the points it is clear."""
    K = kernels.linear(np.diag([2.0, 1.0]).repeat(30, axis=0))
    known = guarantees.promises(K, 50).of("talwalkar2010:thm-5.5", "spectral")
    assert known.share == 0 and known.chosen == {"k": 2}
    unknown = guarantees.promises(K.dense(), 50)
    assert not unknown.of("talwalkar2010:thm-5.5", "spectral").says


def test_a_ridge_as_large_as_the_trace_is_not_asked_for():
    """A bound on the ridge by n K_max is the trace, where the diagonal is constant."""
    K = np.ones((100, 100)) + 1e-3 * np.eye(100)
    assert guarantees.promises(K, 90).of("modern:bach", "spectral").share < 0.05


def test_unknown_names():
    found = guarantees.promises(np.eye(9), 4)
    with pytest.raises(ValueError, match="norm: expected"):
        found.best("nuclear")
    with pytest.raises(ValueError, match="id: expected a theorem on the trace norm"):
        found.of("modern:bach", "trace")
    with pytest.raises(TypeError, match="id: expected the id of a theorem, got array"):
        found.of(np.eye(2), "trace")
    with pytest.raises(ValueError, match="tail_2: expected one of .'block_size', 'exp"):
        guarantees.promises(np.eye(9), 4, tail_2=0.0)


@pytest.mark.parametrize(
    "chosen",
    [
        *({"block_size": x} for x in (-1, 0, 2.5, 5, math.nan)),
        *({"experts": x, "mu_max": 0.5} for x in (0, 7, 2.5)),
        *({"experts": 2, "mu_max": x} for x in (0, 0.4, 1.1, -1, math.inf)),
    ],
)
def test_what_is_chosen_is_checked(chosen):
    with pytest.raises((ValueError, TypeError), match="expected"):
        guarantees.promises(np.eye(9), 4, **chosen)


def test_a_matrix_of_which_nothing_is_promised():
    with pytest.raises(ValueError, match="K: expected a matrix that is not zero"):
        guarantees.promises(np.zeros((4, 4)), 2)
    known = Instance(np.diag([1.0, -1.0, 2.0]), [0], 1)
    with pytest.raises(ValueError, match="K: expected a positive semidefinite"):
        guarantees.promises(known, 2)


def test_a_target_that_is_no_number():
    known = {"n": 100, "largest_score": 5, "accuracy": 1.0}
    with pytest.raises(ValueError, match="target: expected a finite number"):
        guarantees.required_landmarks("modern:bach", math.nan, **known)


@pytest.mark.parametrize("K", [None, 5.0])
def test_what_is_no_matrix_is_shown(K):
    with pytest.raises(ValueError, match=f"K: expected 2 dimensions, got {K}"):
        guarantees.know(K)


def test_accents_are_no_hindrance():
    assert theorems.find("column-sampling and Nystrom") == theorems.find(
        "column-sampling and Nyström"
    )


def test_nothing_is_no_theorem():
    with pytest.raises(TypeError, match="theorem: expected a Theorem or its id"):
        guarantees.required_landmarks(None, 1.0)


@pytest.mark.parametrize("words", ["", "...", "no such words"])
def test_no_words_find_no_theorem(words):
    assert theorems.find(words) == []


# --- The catalogue --------------------------------------------------------------------


def test_the_catalogue_names_what_a_bound_needs():
    found = guarantees.catalogue()
    bound = next(b for b in found if (b.id, b.claim) == ("modern:bach", "error"))
    given = dict.fromkeys(bound.needs, 2.0)
    assert theorems["modern:bach"].right_side("error", **given) > 0
    assert f"{len(found)} bounds" in repr(found) and "<table>" in found._repr_html_()


def test_a_promise_of_one_matrix_is_kept_by_draws():
    """Theorem 5.2 at its best rank, on fifty uniform samples."""
    row = guarantees.promises(DIGITS, 30).of(
        "talwalkar2010:thm-5.2-spectral", "spectral"
    )
    k, rng = int(row.chosen["k"]), np.random.default_rng(0)
    for _ in range(50):
        S = rng.choice(60, 30, replace=False)
        case = Instance(KNOWN.K, S, k)
        assert value("error_2", case) <= row.share * KNOWN.diagonal.sum()
