"""Plants at the edge of what is known: hypotheses, unknown cases, proofs, the store."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from nystheory import exact
from nystheory.chapters import theorems
from nystheory.engine import Claim, Control, Instance, Printed, Rate, Theorem, Where
from nystheory.engine.language import lines, numbers
from nystheory.engine.trial import (
    mutants,
    over_samples,
    results,
    statistics,
    store,
    verification,
)
from nystheory.engine.worlds.quantities import QUANTITIES

FLIPPED = Instance.exactly([0, 3], 1, points=[[1, 1, 1, 0], [0, 0, 0, "1.0001"]])
SPECTRAL = "error_2 <= tail_2 + 2 * distance_2"
HALF = Control("spectral", FLIPPED, {"2 *": "0.5 *"})
BASE = Theorem(
    id="planted:edge",
    title="Error by the sampled covariance",
    number="(5.3)",
    kind="inequality",
    status="planted",
    setting="Let $K = X^\\top X$.",
    hypotheses={"rank": "1 <= k <= l"},
    claims={"spectral": SPECTRAL},
    controls={"half": HALF},
)


def verified(theorem):
    return verification.verify(theorem, np.random.default_rng(1), "quick")


@pytest.fixture
def exchanged(monkeypatch):
    """Exchange the fast route of a quantity for the time of a test."""

    def exchange(name, **fields):
        monkeypatch.setitem(QUANTITIES, name, replace(QUANTITIES[name], **fields))

    return exchange


def test_the_base_is_true():
    assert verified(BASE)


# --- A control stands alone -----------------------------------------------------------


def test_what_is_dropped_is_a_hypothesis():
    control = Control("spectral", FLIPPED, drops="k = l")
    with pytest.raises(ValueError, match="no hypothesis is called 'k = l'"):
        BASE.but(controls={"dropped": control})


def test_a_deleted_hypothesis_leaves_a_control_without_a_name():
    theorem = theorems["talwalkar2010:eq-2.13"]
    name = next(c.drops for c in theorem.controls.values() if c.drops)
    rest = {n: h for n, h in theorem.hypotheses.items() if n != name}
    with pytest.raises(ValueError, match="no hypothesis"):
        theorem.but(hypotheses=rest)


def test_a_control_outside_the_hypotheses_is_red():
    outside = Instance.exactly([0, 3], 3, points=[[1, 1, 1, 0], [0, 0, 0, "1.0001"]])
    theorem = BASE.but(controls={"half": Control("spectral", outside, HALF.change)})
    found = verified(theorem)
    assert found.outcome == "control not refuted"
    assert "does not meet: rank" in found.complaint()


def test_an_accusation_outside_the_hypotheses_is_red():
    outside = Instance.exactly([0], 2, matrix=[[1, 0], [0, 1]])
    printed = Printed("k <= l", "false statement", "Not so.", outside)
    assert not verified(BASE.but(printed={"unfair": printed}))
    fair = replace(printed, drops="rank", weight="missing hypothesis")
    assert verified(BASE.but(printed={"fair": fair}))


# --- What is unknown ------------------------------------------------------------------


def test_a_bound_that_is_unknown_is_counted(exchanged):
    honest = QUANTITIES["tail_2"].fast
    exchanged("tail_2", fast=lambda i: honest(i) if i.n <= 6 else None)
    before = BASE.but(controls={})
    result = verified(before).results[0]
    assert result.undecided > 50


def test_a_hypothesis_that_rounding_hides_is_not_met(exchanged):
    exchanged("error_trace", condition=lambda i: math.inf)
    line = lines.parse("sqrt(abs(error_trace)) == 12345")
    case = Instance.exactly([0], 1, matrix=[[2, 1], [1, 2]])
    assert lines.Reader(QUANTITIES, case).value(line) is None


def test_the_boundary_of_a_hypothesis_is_proved_on():
    """Every matrix of rank one is a tie that float64 cannot decide."""
    theorem = BASE.asserting(several="rank_K != 1")
    found = verified(theorem.but(hypotheses={"norms": "norm_K <= trace_K"}))
    assert found.outcome == "refuted"


def by_mean(line, **fields):
    claim = Claim(line, law="uniform", reason="one", **fields)
    return BASE.asserting(mean=claim), claim


def over(theorem, claim, K=((3, 1, 0), (1, 2, 0), (0, 0, 1)), l=1):  # noqa: E741
    """On an instance that remembers nothing from another test."""
    instance, rng = Instance(np.array(K), range(l), l), np.random.default_rng(0)
    return over_samples.over_samples(theorem, claim, instance, rng, 100)


MANY = np.diag(np.arange(1.0, 31))


def test_a_support_that_does_not_hold_the_values_is_an_error():
    narrow = ("0", "trace_K / 100")
    theorem, claim = by_mean("mean(error_trace) <= trace_K", support=narrow)
    with pytest.raises(ValueError, match="support"):
        over(theorem, claim)


def test_a_mean_with_an_unknown_sample_is_undecided(exchanged):
    honest = QUANTITIES["error_trace"].fast
    exchanged("error_trace", fast=lambda i: None if 2 in i.landmarks else honest(i))
    theorem, claim = by_mean("mean(error_trace) <= trace_K")
    assert over(theorem, claim).outcome == "undecided"
    assert over(theorem, claim, MANY, 15).outcome == "undecided"


def test_a_bound_that_rounding_hides_certifies_nothing(exchanged):
    exchanged("trace_K", fast=lambda i: 1e9, condition=lambda i: math.inf)
    theorem, claim = by_mean("mean(error_trace) <= trace_K")
    assert over(theorem, claim, MANY, 15).outcome == "undecided"


# --- Lines that do not belong together ------------------------------------------------


def test_a_rate_is_the_exponent_of_its_line():
    rate = Rate((10, 100), lambda n, rng: 1 / n, -1, -0.5, width=0.1)
    Claim("error_2 == n ** (-1)", rate=rate)
    for line in ("error_2 == n ** (-2)", "error_2 == 7"):
        with pytest.raises(ValueError, match="exponent"):
            Claim(line, rate=rate)


def test_a_named_part_takes_no_name_and_no_symbol_of_another():
    with pytest.raises(ValueError, match="is a quantity already"):
        BASE.but(where={"error_2": Where("e", "0 * tail_2")})
    with pytest.raises(ValueError, match="and 'tail_2'"):
        symbol = QUANTITIES["tail_2"].latex
        BASE.but(where={"tail": Where(symbol, "tail_trace")})


# --- Proofs ---------------------------------------------------------------------------


def test_an_unknown_proof_refutes_no_control(monkeypatch):
    unknown = exact.Proof(None, reason="not known")
    monkeypatch.setattr(verification, "prove", lambda *args: unknown)
    assert verified(BASE).outcome == "control not refuted"


def test_a_falsehood_that_only_a_proof_finds():
    """An error of a millionth of a millionth on integers is below rounding."""
    theorem = BASE.asserting(equal="trace_K == trace_K * (1 + 1e-15)")
    assert verified(theorem).outcome == "refuted"


def test_balls_that_are_ordered_by_doubles_would_accuse_eckart_and_young():
    rows = [[2, 1, 0], [1, 1, 0], [0, 0, "2.61803398874989484820"]]
    case = exact.Case.of([0, 1], 1, matrix=rows)
    assert exact.prove("error_2 >= tail_2", case).holds is not False


def test_what_counts_as_evidence_is_not_moved_unnoticed():
    assert lines.BLURRED == 1e-3
    assert (results.ENOUGH, results.BLURRED_SHARE) == (50, 0.25)
    assert numbers.MATRIX == 16 * np.finfo(float).eps
    assert statistics.LEVEL <= 1e-8


# --- The store and the score ----------------------------------------------------------


def test_a_changed_theorem_does_not_count_for_its_id(tmp_path, monkeypatch):
    monkeypatch.setenv(store.VARIABLE, str(tmp_path))
    monkeypatch.setenv("PYTEST_CURRENT_TEST", "book/notebooks/coherence.ipynb::Cell 1")
    theorem = theorems["talwalkar2010:def-2.1"]
    good = verification.verify(BASE, np.random.default_rng(1), "quick")
    store.note(theorem.but(title="another"), good)
    assert not (tmp_path / store.ASKED).exists()
    store.note(theorem, good)
    assert "def-2.1" in (tmp_path / store.ASKED).read_text()


def test_a_score_of_a_theorem_that_does_not_exist_is_stale(tmp_path, monkeypatch):
    path = tmp_path / "score.json"
    path.write_text(json.dumps({"ghost:thm-1": {"key": "", "mutants": []}}))
    monkeypatch.setattr(mutants, "STORED", path)
    with pytest.raises(store.StaleError, match="ghost"):
        mutants.stored([])


def test_a_verdict_depends_on_the_files_of_its_quantities(tmp_path, monkeypatch):
    theorem = theorems["talwalkar2010:thm-5.3"]
    module = "nystheory.engine.worlds.concentration"
    assert QUANTITIES["d_max"].fast.__module__ == module
    before = store.contents(theorem)
    changed = tmp_path / "concentration.py"
    changed.write_text(store.file_of(module).read_text("utf-8") + "another = 1\n")
    honest = store.file_of
    monkeypatch.setattr(
        store, "file_of", lambda name: changed if name == module else honest(name)
    )
    store.code.cache_clear()
    assert store.contents(theorem) != before
    store.code.cache_clear()
