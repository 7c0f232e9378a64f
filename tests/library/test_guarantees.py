"""Which guarantee applies: promises by hand, and the table of all of them."""

import ast
import math
from pathlib import Path

import numpy as np
import pytest

from nystheory import coherence, datasets, guarantees, kernels
from nystheory.chapters import theorems
from nystheory.engine import Instance, lines
from nystheory.engine.promises import NORMS, Promise, asks, kept, observed
from nystheory.engine.quantities import QUANTITIES, SAMPLE, value

DIGITS = kernels.rbf(datasets.digits(60).X)
KNOWN = guarantees.know(DIGITS)
VALUES = np.sort(np.linalg.eigvalsh(DIGITS.dense()))[::-1]

# What bounds the error of an approximation is a promise, or says why not.
ERRORS = {
    *("E", "norm_E", "trace_E", "error_2", "error_F", "error_trace", "gap_2"),
    *("approximation", "spectral_miss", "largest_entry", "mixture_2", "mixture_F"),
    *("sketch_2", "cut_sketch_2", "cut_sketch_trace", "worst_2", "worst_F"),
}


def at(l, **extra):  # noqa: E741
    return KNOWN.but(landmarks=np.arange(l), rank=l, **extra)


# --- The metadata ---------------------------------------------------------------------


def bounds_of_errors():
    """Claims that an error, its mean or with a chance, is at most something known."""
    for theorem in theorems.values():
        for name, claim in theorem.claims.items():
            known = claim.bound is not None and theorem.needed(claim.bound)
            if known is False or claim.rate or claim.relation not in ("<=", "<", "=="):
                continue
            if any(QUANTITIES[symbol].when == SAMPLE for symbol in known):
                continue
            left = claim.sides[0]
            called = left.func.id if isinstance(left, ast.Call) else ""
            if claim.relation == "==" and called != "mean":
                continue
            if any(isinstance(node, ast.MatMult) for node in ast.walk(claim.tree)):
                continue
            names = [symbol for symbol in lines.names(left) if symbol in QUANTITIES]
            seen = {symbol for symbol in names if QUANTITIES[symbol].when == SAMPLE}
            if seen and seen <= ERRORS:
                yield theorem, name


def test_every_bound_of_an_error_is_a_promise_or_says_why_not():
    missing = [
        (theorem.id, name)
        for theorem, name in bounds_of_errors()
        if name not in theorem.promises
        and not set(lines.names(theorem.claims[name].sides[0])) & {"K"}
    ]
    assert missing == []


@pytest.mark.parametrize("norm", NORMS)
def test_a_promise_is_not_broken_by_what_it_promises_of(norm):
    """The quantity that it bounds is one of the sample, and of the norm it says."""
    symbols = {"trace": "tr|_*", "spectral": "_2", "Frobenius": "_F"}
    for theorem in theorems.values():
        for name, promise in theorem.promises.items():
            if not isinstance(promise, Promise) or promise.norm != norm:
                continue
            of = observed(theorem.claims[name], promise)
            if of in ("", "E", "approximation"):
                continue
            assert QUANTITIES[of].when == SAMPLE, (theorem.id, name)
            marks = symbols.get(norm, "max").split("|")
            assert any(mark in QUANTITIES[of].latex for mark in marks), (of, norm)


def rare(number):
    """Whether a number has three digits or more: nobody writes it by chance."""
    return (
        isinstance(number, float)
        and len(f"{number:g}".replace(".", "").strip("0")) >= 3
    )


def test_no_constant_of_a_theorem_is_written_outside_its_object():
    constants = {
        node.value: theorem.id
        for theorem in theorems.values()
        for each in (*theorem.claims.values(), *theorem.hypotheses.values())
        for node in ast.walk(lines.parse(each.line))
        if isinstance(node, ast.Constant) and rare(node.value)
    }
    assert {6.52, 9.25, 18.4} <= set(constants)
    package = Path(guarantees.__file__).parents[1]
    for path in package.rglob("*.py"):
        if {"theorems", "exact", "tests"} & set(path.relative_to(package).parts):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            found = isinstance(node, ast.Constant) and constants.get(node.value)
            assert not found or not rare(node.value), (path, node.value, found)


# --- One promise at its best ----------------------------------------------------------


def test_what_is_known_is_what_the_package_measures():
    alpha = 0.05 * KNOWN.diagonal.sum()
    expected = coherence.effective_dimension(DIGITS, alpha)
    assert value("d_eff", KNOWN.but(alpha=alpha)) == pytest.approx(expected)
    assert guarantees.know(KNOWN) is KNOWN


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


def test_uniform_promises_solve_for_the_share_that_is_kept():
    """With its epsilon the columns are just enough, by the theorem's own hypothesis."""
    theorem = theorems["modern:uniform-coherence"]
    best = kept(theorem, "the spectral norm", at(59), 0.1)
    share, k = best.chosen["kept_share"], best.chosen["k"]
    given = {"n": 60, "l": 59, "k": k, "delta": 0.1, "tail_2": VALUES[int(k)]}
    there = at(59).but(rank=int(k))
    given["leading_coherence"] = value("leading_coherence", there)
    bound = theorem.bound(kept_share=share, **given, claim="the spectral norm")
    assert bound == pytest.approx(best.bound)
    with pytest.raises(ValueError, match="hypothesis"):
        theorem.bound(kept_share=share * (1 + 1e-4), **given)


def test_a_theorem_that_fails_twice_as_often_gets_half_the_delta():
    theorem = theorems["modern:uniform-coherence"]
    best = kept(theorem, "the trace", at(59), 0.1)
    assert best.fails == pytest.approx(0.1)
    k, share = best.chosen["k"], best.chosen["kept_share"]
    by_hand = (1 + 1 / (0.05 * share)) * VALUES[int(k) :].sum()
    assert best.bound == pytest.approx(by_hand)


def test_a_ridge_is_the_smallest_that_is_likely_enough():
    K = np.ones((100, 100)) + 1e-3 * np.eye(100)
    known, theorem = guarantees.know(K), theorems["modern:rudi"]
    claim, shares = "different columns", []
    for m in (60, 90):
        best = kept(theorem, claim, known.but(landmarks=range(m), rank=m), 0.1)
        alpha = best.chosen["alpha"]
        there = known.but(landmarks=range(m), rank=m, alpha=alpha)
        chance = theorem.bound_on(there, claim, alpha=alpha)
        assert best.bound == pytest.approx(2 * alpha)
        assert chance == pytest.approx(0.1, rel=1e-6) and best.fails <= 0.1
        shares.append(best.bound)
    assert shares[1] < shares[0]


def test_a_random_number_of_columns_has_the_mean_that_is_asked_for():
    theorem = theorems["modern:dpp-expectation"]
    best = kept(theorem, "error", at(20))
    alpha = best.chosen["alpha"]
    assert (VALUES / (VALUES + alpha)).sum() == pytest.approx(20, rel=1e-6)
    assert best.bound == pytest.approx(20 * alpha) and best.fails is None


def test_the_root_of_a_mean_square_is_told():
    best = kept(theorems["modern:frobenius-pivoting"], "several", at(15))
    assert best.bound == pytest.approx(math.sqrt(0.75) * np.linalg.norm(VALUES))


def test_a_rank_that_float64_cannot_tell_is_at_least_what_is_clear():
    """Eigenvalues from 1 to 1e-15: nobody knows how many there are, but ten are."""
    known = guarantees.know(np.diag(10.0 ** -np.arange(16)))
    assert not known.rank_is_clear and known.rank_K >= 4
    there = known.but(landmarks=range(3), rank=3)
    assert np.isfinite(kept(theorems["modern:k-dpp-expectation"], "mean", there).bound)
    beyond = known.but(landmarks=range(15), rank=15)
    assert kept(theorems["modern:k-dpp-expectation"], "mean", beyond).bound == np.inf
    recovered = kept(theorems["modern:uniform-coherence"], "exact recovery", there)
    assert recovered.bound == np.inf


def test_what_is_asked_by_name():
    theorem = theorems["talwalkar2010:thm-5.3"]
    assert asks(theorem, "fixed weights", KNOWN) == ["experts", "mu_max"]
    with pytest.raises(ValueError, match="expected experts, mu_max by name"):
        kept(theorem, "fixed weights", KNOWN)


@pytest.mark.parametrize("change", [{"norm": "nuclear"}, {"free": {"k": "smallest"}}])
def test_bad_metadata(change):
    with pytest.raises(ValueError, match="expected"):
        Promise(**{"norm": "trace", "scheme": "uniform"} | change)


def test_a_promise_of_a_claim_that_is_not_there():
    theorem = theorems["modern:bach"]
    with pytest.raises(ValueError, match="no claim is called 'nothing'"):
        theorem.but(promises={"nothing": theorem.promises["error"]})


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
    assert "nothing" in shown and "with probability 0.9" in shown
    assert "30 of 60 columns" in repr(found)
    assert "expected experts, mu_max by name" in shown


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
        (np.eye(9), 9, 0.1, "n_landmarks: expected"),
        (np.eye(9), 0, 0.1, "n_landmarks: expected"),
        (np.eye(9), 4, 1.0, "delta: expected a number between 0 and 1"),
        (np.eye(9), 4, -0.1, "delta: expected"),
    ],
)
def test_bad_input(K, count, delta, says):
    with pytest.raises(ValueError, match=says):
        guarantees.promises(K, count, delta)


def test_unknown_names():
    found = guarantees.promises(np.eye(9), 4)
    with pytest.raises(ValueError, match="norm: expected"):
        found.best("nuclear")
    with pytest.raises(ValueError, match="id: expected a theorem on the trace norm"):
        found.of("modern:bach", "trace")
    with pytest.raises(ValueError, match="tail_2: expected one of .'block_size', 'exp"):
        guarantees.promises(np.eye(9), 4, tail_2=0.0)


@pytest.mark.parametrize(
    "chosen",
    [
        *({"block_size": x} for x in (-1, 0, 2.5, 5, math.nan)),
        *({"experts": x, "mu_max": 0.5} for x in (0, 7, 2.5)),
        *({"experts": 2, "mu_max": x} for x in (0, -1, math.inf)),
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
