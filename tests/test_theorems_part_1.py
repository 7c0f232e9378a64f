"""Part I: a wrong observer, or a changed sentence, is noticed by a claim of it."""

from dataclasses import replace

import numpy as np
import pytest

from nystheory.engine.compare import compare, reader
from nystheory.engine.instances import Instance
from nystheory.engine.lines import parse
from nystheory.engine.quantities import QUANTITIES
from nystheory.engine.verification import verify
from nystheory.theorems import theorems

# What a quantity would be if its code were wrong.
WRONG = {
    "vectors turned": ("eq-2.4", "column_vectors", lambda U: U[:, ::-1]),
    "the opposite sign beside the diagonal": (
        "eq-2.3",
        "nystrom_gram",
        lambda G: 2 * np.diag(np.diag(G)) - G,
    ),
    "one vector for all": ("eq-2.3", "nystrom_vectors", lambda U: U * 0 + U[:, :1]),
    "values in one": (
        "eq-2.4",
        "column_values",
        lambda S: np.eye(len(S)) * np.linalg.norm(S) / np.sqrt(max(len(S), 1)),
    ),
    "another projector": ("eq-2.2", "projector", lambda P: np.eye(len(P)) - P),
    "rows for columns": ("eq-2.6", "column_projection", np.transpose),
    "not projected": ("obs-2.2", "QQ", lambda P: 0.9 * P),
    "Nyström tripled": ("thm-2.2-form", "approximation", lambda A: 3 * A),
    "one direction more in the core": (
        "thm-2.2-form",
        "size_column_core",
        lambda s: s + 1,
    ),
    "one more than the accuracy": ("eq-2.24", "relative_accuracy", lambda a: a + 1),
}


@pytest.mark.parametrize("change", WRONG)
def test_a_wrong_observer_is_refuted(change, monkeypatch):
    id, name, wrong = WRONG[change]
    right = QUANTITIES[name].fast

    def fast(i):
        value = right(i)
        return None if value is None else wrong(value)

    monkeypatch.setitem(QUANTITIES, name, replace(QUANTITIES[name], fast=fast))
    # Instances of the controls are shared, and would remember what is wrong.
    bare = {"derivation": None, "controls": {}, "printed": {}}
    theorem = theorems[f"talwalkar2010:{id}"].but(**bare)
    verdict = verify(theorem, np.random.default_rng(0), effort="quick")
    assert verdict.outcome == "refuted"


def test_competitors_that_are_not_symmetric_are_tried():
    """The symmetric part of Z is closer to the best core than Z."""
    theorem = theorems["talwalkar2010:thm-2.2-optimum"]
    symmetric = "X.T @ (given_core + given_core.T) @ X / 2"
    claim = theorem.claims["only one"].but({"K - form": f"K - {symmetric}"})
    false = theorem.asserting(symmetric=claim)
    assert verify(false, np.random.default_rng(0), "quick").outcome == "refuted"


def test_indefinite_competitors_are_tried():
    theorem, rng = theorems["talwalkar2010:thm-2.1"], np.random.default_rng(0)
    drawn = [theorem.complete(Instance(np.eye(3), [0, 1], 2), rng) for _ in range(20)]
    found = [reader(theorem, case).value(parse("competitor")).value for case in drawn]
    lowest = [np.linalg.eigvalsh(R)[0] for R in found]
    assert min(lowest) < -0.5 and max(lowest) > -1e-12


def test_the_sum_of_squares_on_an_indefinite_competitor():
    """R = diag(1, -1) on the identity: the error is 2, all of it beyond R = I."""
    theorem = theorems["talwalkar2010:thm-2.1"]
    case = Instance(np.eye(2), [0, 1], 2, extra={"G": np.diag([1.0, -1.0])})
    reading = reader(theorem, case)
    error = reading.value(parse("norm_F(K - competitor @ K)")).value
    assert error == pytest.approx(2)
    assert not compare(theorem.claims["two squares"], reading).violated


def test_the_name_of_the_block_is_a_misprint_beside_the_right_block():
    printed = theorems["talwalkar2010:eq-2.13"].printed.values()
    assert [p.weight for p in printed] == ["misprint", "misprint"]


def test_only_the_sentence_on_arbitrary_matrices_lacks_a_condition():
    (printed,) = theorems["talwalkar2010:def-2.1"].printed.values()
    assert "$T_k$" in printed.statement and "$K_k$" not in printed.statement
    assert "$k < r$" in printed.why
