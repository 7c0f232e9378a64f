"""A wrong observer is noticed by a claim that it measures."""

from dataclasses import replace

import numpy as np
import pytest

from nystheory.chapters import theorems
from nystheory.engine.trial.verification import verify
from nystheory.engine.worlds.quantities import QUANTITIES

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
    verdict = verify(theorem, np.random.default_rng(0))
    assert verdict.outcome == "refuted"
