"""Statements a little wrong are noticed, and a planted false theorem turns all red."""

import pytest

from nystheory.chapters import theorems
from nystheory.engine import Claim, report
from nystheory.engine.trial import mutants


@pytest.mark.parametrize("id", ["talwalkar2010:eq-2.24", "modern:k-dpp-expectation"])
def test_every_change_to_a_claim_is_noticed(id):
    score = mutants.run([theorems[id]])
    claims = [m for m in score.mutants if m.claim]
    assert len(claims) >= 2
    assert [m for m in claims if m.outcome != "killed" and m.sort != "norm"] == []


def test_a_published_false_theorem_turns_the_run_red():
    """Theorem 5.3 as printed, planted under the claim that it holds."""
    theorem = theorems["talwalkar2010:thm-5.3"]
    printed = theorem.printed["one expert"]
    planted = theorem.asserting(holds=Claim(printed.line, law=printed.law))
    planted = planted.but(cases=lambda rng: [printed.on])
    ledger = report.run([planted])
    assert not ledger and [v.theorem.id for v in ledger.red] == [theorem.id]
    assert "refuted" in ledger._repr_html_()


# --- The stored score -----------------------------------------------------------------


@pytest.fixture(scope="module")
def score():
    """An error that names the command, if it is stale."""
    return mutants.stored(theorems.values())


def test_identities_are_all_killed(score):
    assert score.share("identity") == 1


def test_identities_and_inequalities_are_nearly_all_killed(score):
    assert score.share("identity", "inequality") >= 0.95


def test_every_mutated_observer_is_killed(score):
    observers = [m for m in score.mutants if m.sort == "observer"]
    assert len(observers) > 200
    assert [m for m in observers if m.outcome != "killed"] == []


def test_survivors_come_with_a_reason(score):
    assert all(m.by for m in score.mutants)
    assert "why it survives" in score.table()._repr_html_()
