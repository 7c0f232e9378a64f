"""Theorems that nothing speaks for, planted: what is undecided is no evidence."""

from dataclasses import replace

import numpy as np
import pytest
from planted_theorem import BASE, QUICK, exchanged, flipped, outcome

from nystheory.chapters import theorems
from nystheory.engine import Claim, Control, Instance
from nystheory.engine.trial import mutants, store, verification
from nystheory.engine.trial.results import Result


@pytest.fixture
def blind():
    """Exchange the fast route of a quantity for the time of a test."""
    with exchanged() as exchange:
        yield exchange


# --- Undecided is not evidence --------------------------------------------------------


def test_an_observer_that_never_knows_is_undecided(blind):
    blind("error_2", fast=lambda i: None)
    assert outcome(BASE.but(controls={})) == "undecided"


def test_infinite_amplification_is_undecided(blind):
    blind("error_2", condition=lambda i: np.inf)
    assert outcome(BASE.but(controls={})) == "undecided"


def by_chance(line, **fields):
    """A theorem about all samples of five points."""
    points = [[1, 0, 2, 1, 0], [0, 1, 1, -1, 1], [1, 1, 0, 0, 2]]
    case = Instance.exactly([0, 1], 1, points=points, delta="1/2")
    return BASE.but(
        claims={"chance": Claim(line, law="uniform", **fields)},
        controls={},
        suite=False,
        cases=lambda rng: [case] * 8,
    )


def test_a_chance_that_nobody_observed_is_undecided(blind):
    assert outcome(by_chance("chance(error_2 > 0.001 * tail_2) <= delta")) == "refuted"
    line = "chance(error_2 > 1000 * tail_2) <= delta"
    for change in ({"fast": lambda i: None}, {"condition": lambda i: np.inf}):
        blind("error_2", **change)
        assert outcome(by_chance(line)) == "undecided"


def test_a_chance_of_one_certifies_nothing():
    assert outcome(by_chance("chance(error_2 > 100 * norm_K) <= delta")) != "refuted"
    verdict = verification.verify(
        by_chance("chance(error_2 > 100 * norm_K) <= delta"), effort=QUICK
    )
    (result,) = verdict.results
    assert result.excess == 0  # no failure at all: loose, and shown as such
    assert result.tightness < 0.02


def test_nothing_but_zeros_is_no_evidence():
    """Zero is at most zero, however often it is tried."""
    vacuous = Claim("error_2 <= 0.1 * tail_2", when="norm_K == 0")
    assert outcome(BASE.asserting(zero=vacuous)) == "undecided"


@pytest.mark.parametrize("line", ["k > l", "l > n", "norm_K < 0", "tail_2 > norm_K"])
def test_what_nothing_meets_is_no_evidence(line):
    """A hypothesis, or a condition of the claim, that no instance ever meets."""
    bare = {"controls": {}, "hypotheses": {**BASE.hypotheses, "none": line}}
    assert outcome(BASE.but(**bare)) == "undecided"
    claim = Claim("error_2 <= 0.1 * tail_2", when=line)
    assert outcome(BASE.asserting(none=claim)) == "undecided"


@pytest.mark.parametrize(
    ("line", "when"),
    [
        ("error_2 == distance_2", "error_2 == distance_2"),
        ("error_2 == distance_2", "n == 2 and error_2 <= distance_2 <= error_2"),
        ("error_2 + error_F <= tail_2", "error_F == 0"),
        ("below(E, K)", "below(E, K)"),
    ],
)
def test_where_a_claim_speaks_is_not_said_by_its_left_side(line, when):
    with pytest.raises(ValueError, match="planted: expected a `when` that does not"):
        BASE.asserting(planted=Claim(line, when=when))


def test_where_a_claim_speaks_may_be_said_by_what_is_known_before():
    claim = Claim("error_2 <= tail_2", when="k == n and tail_2 == 0 and rank_W == l")
    assert BASE.asserting(one=claim).claims["one"].when == claim.when


@pytest.mark.parametrize(
    ("decided", "undecided", "outcome"),
    [
        (49, 0, "undecided"),
        (50, 0, "verified"),
        (90, 30, "undecided"),
        (91, 30, "verified"),
    ],
)
def test_few_cases_or_a_quarter_undecided_are_no_evidence(decided, undecided, outcome):
    claim = Claim("error_2 <= norm_K")
    found = Result("x", "", "inequality", "verified", (), decided, undecided)
    assert verification.judged(found, claim).outcome == outcome
    told = replace(claim, reason="there are only so many")
    assert verification.judged(found, told).outcome == "verified"


def test_words_for_few_cases_are_shown():
    told = Claim("n >= 1", when="n == 1", reason="one size only")
    verdict = verification.verify(BASE.asserting(one=told), effort=QUICK)
    assert "one size only" in verdict._repr_html_()
    assert verdict.row()["claims"][0]["reason"] == "one size only"


def test_blurred_cases_are_no_evidence(blind):
    """A rounding error as large as the numbers hides everything, and says so."""
    blind("error_2", condition=lambda i: 1e12)
    assert outcome(BASE.but(controls={})) == "undecided"


# --- The weakest claim ----------------------------------------------------------------


def test_a_row_shows_the_weakest_claim():
    both = BASE.but(
        claims={
            "spectral": "error_2 <= tail_2 + 2 * distance_2",
            "loose": "error_2 <= 1000 * norm_K",
        },
        controls={
            **BASE.controls,
            "none": Control("loose", flipped(), {"1000": "0.1"}),
        },
    )
    verdict = verification.verify(both, effort=QUICK)
    assert verdict.tightness < 0.01
    assert [c["name"] for c in verdict.row()["claims"]] == ["spectral", "loose"]
    strong = Result("a", "", "inequality", "verified", ("exact", "stress suite"))
    weak = Result("b", "", "inequality", "verified", ("own instances",))
    shown = replace(verdict, results=(strong, weak), derivation="none")
    assert shown.evidence == "own instances"
    assert shown.mark == "in part exact, stress suite, own instances"


def test_a_mark_shows_what_all_claims_have_and_what_some_have():
    verdict = verification.verify(BASE, effort=QUICK)
    strong = Result("a", "", "inequality", "verified", ("exact", "stress suite"))
    weak = Result("b", "", "inequality", "verified", ("stress suite",))
    pair = replace(verdict, results=(strong, weak), derivation="none")
    assert pair.mark == "stress suite; in part exact"
    followed = replace(strong, evidence=("symbolic for every n", *strong.evidence))
    derived = replace(pair, results=(followed, weak), derivation="checked, every n")
    assert derived.mark == "stress suite; in part symbolic for every n, exact"
    assert derived.evidence == "stress suite"
    alone = replace(pair, results=(strong,))
    assert alone.mark == alone.evidence == "exact, stress suite"


# --- The mutation score ---------------------------------------------------------------


def test_an_exception_is_no_kill():
    mutated = BASE.asserting(planted="sqrt(0 - 1 - error_2) <= tail_2")
    assert mutants.killed(mutated) == ""


def test_a_stale_score_is_an_error_that_names_the_command(tmp_path, monkeypatch):
    theorem = theorems["talwalkar2010:def-2.1"]
    monkeypatch.setattr(mutants, "STORED", tmp_path / "score.json")
    with pytest.raises(store.StaleError, match="python -m nystheory mutants --store"):
        mutants.stored([theorem])
    score = mutants.keep([theorem])
    assert mutants.stored([theorem]).mutants == score.mutants
    text = mutants.STORED.read_text("utf-8")
    mutants.STORED.write_text(text.replace('"key": "', '"key": "0'), "utf-8")
    with pytest.raises(store.StaleError):
        mutants.stored([theorem])
