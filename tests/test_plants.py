"""False and vacuous theorems, planted on purpose: each must come out red.

The base is true: the error of the approximation is bounded by the best error and twice
the distance of the covariances. Every test makes it false, vacuous or blind in one of
the ways in which a check has been fooled before.
"""

from dataclasses import replace

import numpy as np
import pytest

from nystheory.engine import (
    Claim,
    Control,
    Instance,
    Printed,
    Rate,
    Theorem,
    mutants,
    quantities,
    two_routes,
    verification,
)
from nystheory.engine.derivation import Derivation
from nystheory.engine.quantities import QUANTITIES, SAMPLE
from nystheory.engine.verdict import Finding
from nystheory.theorems import theorems


def flipped(t=20, longer="1.0001"):
    """t + 1 equal points and a lone one, a landmark in each."""
    rows = [[1] * (t + 1) + [0], [0] * (t + 1) + [longer]]
    return Instance.exactly([0, t + 1], 1, points=rows, name="flip")


def base():
    return Theorem(
        id="planted:base",
        title="Error by the sampled covariance",
        number="(5.3)",
        part="planted",
        kind="inequality",
        status="planted",
        setting="Let $K = X^\\top X$.",
        hypotheses={"rank": "1 <= k <= l"},
        claims={"spectral": "error_2 <= tail_2 + 2 * distance_2"},
        controls={"1.8 for 2": Control("spectral", flipped(), {"2 *": "1.8 *"})},
    )


BASE = base()
QUICK = "quick"


def outcome(theorem):
    return verification.verify(theorem, np.random.default_rng(1), QUICK).outcome


@pytest.fixture
def blind():
    """Exchange the fast route of a quantity for the time of a test."""
    honest = dict(QUANTITIES)

    def exchange(name, **fields):
        dict.__setitem__(QUANTITIES, name, replace(honest[name], **fields))

    yield exchange
    for name, quantity in honest.items():
        dict.__setitem__(QUANTITIES, name, quantity)
    for name in set(QUANTITIES) - set(honest):
        del QUANTITIES[name]


@pytest.mark.parametrize("name", ["different", "rank_W"])
def test_a_blind_observer_of_a_hypothesis_is_noticed(name):
    """Though the theorem then speaks of few instances, or of none."""
    theorem = theorems["talwalkar2010:rem-2.2.1"]
    routes = [(change, r) for n, change, r in mutants.observers(theorem) if n == name]
    assert len(routes) >= 2
    for change, route in routes:
        assert mutants.blind(theorem, name, route), change


def test_the_base_is_true():
    verdict = verification.verify(BASE, np.random.default_rng(1), QUICK)
    assert verdict and verdict.complaint() == ""


# --- A constant, a relation, a norm ---------------------------------------------------


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
    (finding,) = verdict.findings
    assert finding.excess == 0  # no failure at all: loose, and shown as such
    assert finding.tightness < 0.02


def test_nothing_but_zeros_is_no_evidence():
    """Zero is at most zero, however often it is tried."""
    vacuous = Claim("error_2 <= 0.1 * tail_2", when="norm_K == 0")
    assert outcome(BASE.asserting(zero=vacuous)) == "undecided"


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
    found = Finding("x", "", "inequality", "verified", (), decided, undecided)
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


# --- Blind observers ------------------------------------------------------------------


@pytest.mark.parametrize(
    "route",
    [
        lambda i: 0.0,
        lambda i: QUANTITIES["tail_2"].fast(i),
        lambda i: 1.05 * np.abs(i.error_spectrum).max(),
        lambda i: np.linalg.norm(i.error_spectrum),
        lambda i: float(np.abs(i.error_spectrum).max()) if i.l > 1 else 0.0,
    ],
    ids=["zero", "the bound", "five percent", "another norm", "wrong for one landmark"],
)
def test_a_blind_observer_is_seen_by_the_other_route(route, blind):
    blind("error_2", fast=route)
    rng = np.random.default_rng(0)
    found = two_routes.compare_routes(BASE, ["error_2"], rng, 80)
    assert found["error_2"].apart is not None


def test_a_blind_observer_refutes_no_control(blind):
    blind("error_2", fast=lambda i: 0.0)
    assert outcome(base()) == "control not refuted"


def test_an_observer_that_sees_one_landmark_less_is_seen(blind):
    dropped = dict((c, r) for n, c, r in mutants.observers(BASE) if n == "error_2")
    blind("error_2", fast=dropped["one landmark dropped"])
    rng = np.random.default_rng(0)
    found = two_routes.compare_routes(BASE, ["error_2"], rng, 80)
    assert found["error_2"].apart is not None


def test_an_error_that_is_understated_is_seen(blind):
    """A rounding error declared too small shows between the two routes."""
    fast = QUANTITIES["tail_2"].fast
    blind("tail_2", fast=lambda i: fast(i) * (1 + 1e-6), condition=lambda i: 1e-9)
    found = two_routes.compare_routes(BASE, ["tail_2"], np.random.default_rng(0), 40)
    assert found["tail_2"].apart is not None


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
        verification.verify(rated(-1, -1), effort=QUICK).findings[0].outcome
        == "certified"
    )
    wide = verification.verify(rated(-1, -0.9, noise=0.5), effort=QUICK)
    assert wide.findings[0].outcome != "certified"
    assert (
        verification.verify(rated(-0.9, -1), effort=QUICK).findings[0].outcome
        == "refuted"
    )
    assert (
        verification.verify(rated(-1.05, -1), effort=QUICK).findings[0].outcome
        == "refuted"
    )


def derived(steps, **rules):
    claims = {"sum": "norm_K + norm_K == 2 * norm_K"}
    derivation = Derivation("sum", steps, "scalar", rules)
    return BASE.but(claims=claims, controls={}, derivation=derivation)


def test_a_derivation_ends_in_the_claim():
    right = (("norm_K + norm_K", ""), ("2 * norm_K", "collected"))
    assert derived(right).derivation.state(derived(right)) == "checked, scalar"
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


# --- Evidence -------------------------------------------------------------------------


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
    strong = Finding("a", "", "inequality", "verified", ("exact", "stress suite"))
    weak = Finding("b", "", "inequality", "verified", ("own instances",))
    shown = replace(verdict, findings=(strong, weak), derivation="none").evidence
    assert shown == "own instances"


def test_names_that_nobody_defined_are_an_error():
    with pytest.raises(ValueError, match="no quantity is called 'error_9'"):
        BASE.asserting(planted="error_9 <= tail_2")
    with pytest.raises(ValueError, match="defined twice"):
        quantities.quantity("x", "again", SAMPLE, name="error_2")(lambda i: 0.0)


# --- The mutation score ---------------------------------------------------------------


def test_an_exception_is_no_kill():
    mutated = BASE.asserting(planted="sqrt(0 - 1 - error_2) <= tail_2")
    assert mutants.killed(mutated) == ""


def test_a_stale_score_is_an_error_that_names_the_command(tmp_path, monkeypatch):
    theorem = theorems["talwalkar2010:def-2.1"]
    monkeypatch.setattr(mutants, "STORED", tmp_path / "score.json")
    with pytest.raises(mutants.StaleError, match="python -m nystheory mutants --store"):
        mutants.stored([theorem])
    score = mutants.keep([theorem])
    assert mutants.stored([theorem]).mutants == score.mutants
    text = mutants.STORED.read_text("utf-8")
    mutants.STORED.write_text(text.replace('"key": "', '"key": "0'), "utf-8")
    with pytest.raises(mutants.StaleError):
        mutants.stored([theorem])
