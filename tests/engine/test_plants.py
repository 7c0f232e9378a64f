"""False and vacuous theorems, planted on purpose: each must come out red.

Every test makes a true theorem false, vacuous or blind in one of the ways in which a
check has been fooled before: here its lines, controls, rates and derivations; blind
observers and missing evidence have files of their own.
"""

import numpy as np
import pytest
from planted_theorem import BASE, QUICK, exchanged, flipped, outcome

from nystheory.engine import Claim, Control, Printed, Rate
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.trial import verification
from nystheory.engine.trial.derivation import Derivation
from nystheory.engine.worlds import quantities
from nystheory.engine.worlds.quantities import QUANTITIES


@pytest.fixture
def blind():
    """Exchange the fast route of a quantity for the time of a test."""
    with exchanged() as exchange:
        yield exchange


# --- A constant, a relation, a norm ---------------------------------------------------


def test_the_base_is_true():
    verdict = verification.verify(BASE, np.random.default_rng(1), QUICK)
    assert verdict and verdict.complaint() == ""


@pytest.mark.parametrize(
    "line",
    [
        "error_2 <= tail_2 + 1.8 * distance_2",
        "error_2 <= 0.95 * tail_2 + 2 * distance_2",
        "error_F <= tail_2 + 2 * distance_2",
        "error_2 >= tail_2 + 2 * distance_2",
        "error_trace <= tail_trace + 0.95 * distance_trace",
        "below(1.01 * approximation, K)",
        "error_2 == tail_2",
    ],
)
def test_a_false_line_is_refuted(line):
    """The search finds the counterexample, nobody tells it where."""
    rng = np.random.default_rng(1)
    assert verification.verify(BASE.asserting(planted=line), rng).outcome == "refuted"


def test_a_false_claim_says_where_it_fell():
    verdict = verification.verify(
        BASE.asserting(planted="error_2 <= tail_2"), effort=QUICK
    )
    assert not verdict
    told = verdict.complaint()
    assert "claim 'planted' is refuted on" in told
    assert "observed" in told and "bound" in told


# --- Page, formula and check are one --------------------------------------------------


def test_a_number_in_a_claim_changes_page_bound_and_check_together():
    changed = BASE.asserting(spectral="error_2 <= tail_2 + 3 * distance_2")
    assert "+ 2 " in BASE.statement and "+ 3 " in changed.statement
    case = flipped(4)
    known = {"tail_2": 1.0, "distance_2": 2.0}
    assert BASE.right_side("spectral", **known) == 5
    assert changed.right_side("spectral", **known) == 7
    assert changed.bound_on(case) > BASE.bound_on(case)
    smaller = BASE.asserting(spectral="error_2 <= tail_2 + distance_2")
    assert outcome(smaller) == "refuted"


def test_names_that_nobody_defined_are_an_error():
    with pytest.raises(ValueError, match="no quantity is called 'error_9'"):
        BASE.asserting(planted="error_9 <= tail_2")
    with pytest.raises(ValueError, match="defined twice"):
        quantities.quantity("x", "again", SAMPLE, name="error_2")(lambda i: 0.0)


# --- Controls and printed forms -------------------------------------------------------


def controlled(**control):
    return BASE.but(controls={"planted": Control("spectral", **control)})


def test_a_claim_without_a_control_is_red():
    assert outcome(BASE.but(controls={})) == "control not refuted"


def test_a_true_control_is_red():
    theorem = controlled(on=flipped(), change={"2 *": "2.1 *"})
    assert outcome(theorem) == "control not refuted"


def test_a_control_needs_a_proof(blind):
    """An observer that exaggerates refutes by itself, and the proof disagrees."""
    fast = QUANTITIES["error_2"].fast
    blind("error_2", fast=lambda i: 2 * fast(i))
    found = verification.refute(
        controlled(on=flipped(), change={"2 *": "2.1 *"}), "planted"
    )
    assert not found.refuted


def test_a_control_changes_one_thing():
    with pytest.raises(ValueError, match="one thing"):
        Control("spectral", flipped(), {"2 *": "1.8 *", "tail_2": "tail_F"})
    with pytest.raises(ValueError, match="expected once"):
        controlled(on=flipped(), change={"_2": "_F"})
    with pytest.raises(ValueError, match="no claim is called"):
        BASE.but(controls={"planted": Control("Frobenius", flipped(), {"2": "1"})})


def test_a_control_that_is_not_a_number_refutes_nothing():
    """Neither NaN = 1 nor arrays of unlike shape is a refutation."""
    theorem = BASE.but(claims={"x": "log(error_2 - 100 * norm_K) == 1"}, controls={})
    theorem = theorem.but(
        controls={"planted": Control("x", flipped(), {"== 1": "== 2"})}
    )
    assert not verification.refute(theorem, "planted").refuted
    shapes = BASE.but(claims={"x": "C == W"}, controls={})
    shapes = shapes.but(controls={"y": Control("x", flipped(), {"C ==": "2 * C =="})})
    with pytest.raises(ValueError, match="shape"):
        verification.refute(shapes, "y")


def test_an_accusation_that_is_not_false_is_red():
    accused = Printed("error_2 <= tail_2 + 2 * distance_2", "misprint", "", flipped())
    assert outcome(BASE.but(printed={"planted": accused})) == "printed form not refuted"


# --- Rates and derivations ------------------------------------------------------------


def falling(exponent, noise):
    def measure(size, rng):
        return size**exponent * np.exp(noise * rng.standard_normal())

    return measure


def rated(claimed, measured, noise=0.01, width=0.1):
    sizes = (10, 30, 100, 300)
    rate = Rate(sizes, falling(measured, noise), claimed, -0.5, width)
    line = f"error_2 == n ** ({claimed})"
    return BASE.asserting(rate=Claim(line, rate=rate, reason="a slope"))


def test_a_rate_is_certified_by_a_narrow_interval_only():
    assert (
        verification.verify(rated(-1, -1), effort=QUICK).results[0].outcome
        == "certified"
    )
    wide = verification.verify(rated(-1, -0.9, noise=0.5), effort=QUICK)
    assert wide.results[0].outcome != "certified"
    assert (
        verification.verify(rated(-0.9, -1), effort=QUICK).results[0].outcome
        == "refuted"
    )
    assert (
        verification.verify(rated(-1.05, -1), effort=QUICK).results[0].outcome
        == "refuted"
    )


def derived(steps, **rules):
    claims = {"sum": "norm_K + norm_K == 2 * norm_K"}
    derivation = Derivation("sum", steps, "scalars", rules)
    return BASE.but(claims=claims, controls={}, derivation=derivation)


def test_a_derivation_ends_in_the_claim():
    right = (("norm_K + norm_K", ""), ("2 * norm_K", "collected"))
    assert derived(right).derivation.state(derived(right)) == "checked, scalars"
    for steps in (right[:1], (("2 * norm_K", ""), ("norm_K + norm_K", ""))):
        theorem = derived(steps)
        whole = theorem.derivation.fault(theorem)
        assert not whole or "no side of the claim" in whole
    wrong = (("norm_K + norm_K", ""), ("3 * norm_K", ""))
    assert outcome(derived(wrong)) == "derivation broken"
    elsewhere = (("norm_K", ""), ("norm_K * 1", ""))
    assert outcome(derived(elsewhere)) == "derivation broken"


def test_a_false_rule_is_seen():
    steps = (("norm_K + norm_K", ""), ("2 * norm_K", ""))
    assert outcome(derived(steps, norm_K="2 * norm_K_F")) == "derivation broken"
