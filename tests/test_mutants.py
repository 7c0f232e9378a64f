"""Statements a little wrong are noticed, and a planted false theorem turns all red."""

import numpy as np
import pytest

from nystheory import report
from nystheory.theorems import theorems
from nystheory.verify import mutants, verify

rng = np.random.default_rng


@pytest.mark.parametrize("id", ["modern:k-dpp-expectation"])
def test_every_change_to_a_claim_is_noticed(id):
    score = mutants.run([theorems[id]])
    assert len(score.mutants) >= 2
    assert score.share() == 1.0, score.survivors


def test_changes_that_claim_less_are_left_out():
    """Twice a lower bound is a mutant, twice an upper bound is none."""
    assert mutants._more("<=", 2.0, 1.0) and not mutants._more("<=", 1.0, 2.0)
    assert mutants._more(">=", 1.0, 2.0) and not mutants._more(">=", 2.0, 1.0)
    assert mutants._more("=", 1.0, 1.01) and not mutants._more("=", 0.0, 0.0)
    assert mutants._more("=", True, False)


def test_a_published_false_theorem_turns_the_run_red():
    """Theorem 5.3 as printed, planted under the claim that it holds."""
    theorem = theorems["talwalkar2010:thm-5.3"]
    printed = theorem.printed[0]
    planted = theorem.but(
        claims=(printed.claim,),
        printed=(),
        instances=lambda rng: [printed.instance],
        own_suite=True,
        hypotheses=(),
        complete=None,
    )
    assert verify(planted, rng(0), effort="quick").outcome == "refuted"
    ledger = report.run([planted], effort="quick")
    assert not ledger and [v.theorem.id for v in ledger.red] == [theorem.id]
    assert "refuted" in ledger._repr_html_()


def test_survivors_come_with_a_reason():
    score = mutants.stored()
    assert all(m.reason for m in score.survivors)
    assert not any(m.reason for m in score.mutants if m.outcome == "killed")
    assert "why it survives" in score.table()._repr_html_()
