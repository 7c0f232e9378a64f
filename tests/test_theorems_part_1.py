"""Part I: a change to any sentence of a statement is noticed by a claim of it."""

from dataclasses import replace

import numpy as np
import pytest

from nystheory.engine.quantities import QUANTITIES
from nystheory.theorems import Instance, theorems
from nystheory.theorems.projection_or_reconstruction import optimality, projections
from nystheory.theorems.quantities import measure
from nystheory.theorems.routes import column_projection, nystrom
from nystheory.verify import verify
from nystheory.verify.compare import compare


def claim_of(id, words):
    """The one claim of a theorem with these words."""
    (found,) = (c for c in theorems[f"talwalkar2010:{id}"].claims if words in c.says)
    return found


def outcome(id, claim):
    """What verification says of the theorem with this claim alone."""
    theorem = theorems[f"talwalkar2010:{id}"].but(claims=(claim,), printed=())
    return verify(theorem, np.random.default_rng(0), effort="quick").outcome


def last_directions(i, _):
    """A wrong Column-sampling: it keeps the k weakest vectors of C."""
    U = i.svd_C[0][:, -i.k :]
    return U @ U.T @ i.K


def absolute(R):
    """The semidefinite matrix with the same square as R."""
    values, vectors = np.linalg.eigh(R)
    return (vectors * np.abs(values)) @ vectors.T


def symmetrised(i, _):
    """Error of the symmetric part of the competitor Z."""
    Z = i.extra["Z"]
    return optimality._core_error(i, (Z + Z.T) / 2)


CHANGED = {
    "other vectors for k below the rank of C": (
        "thm-2.1",
        "for every $k$",
        last_directions,
    ),
    "Nyström tripled": ("thm-2.2-form", "Nyström is", lambda i, _: 3 * nystrom(i)),
    "one direction more in the core": (
        "thm-2.2-form",
        "size",
        lambda i, _: None if i.k == i.l else len(optimality._Z_col(i)) <= i.k,
    ),
    "only symmetric competitors": ("thm-2.2-optimum", "every other $Z$", symmetrised),
    "k vectors in the place of all": (
        "obs-2.1",
        "whole projection",
        lambda i, _: column_projection(i),
    ),
    "half the error of a competitor": (
        "eq-2.24",
        "any matrix",
        lambda i, _: np.linalg.norm(i.K - i.extra["left"] @ i.extra["right"]) / 2,
    ),
    "half the projection error": (
        "eq-2.24",
        "both projections",
        lambda i, _: np.linalg.norm(i.K - column_projection(i)) / 2,
    ),
}


@pytest.mark.parametrize("change", CHANGED)
def test_a_changed_sentence_is_refuted(change):
    id, words, observe = CHANGED[change]
    claim = claim_of(id, words)
    assert outcome(id, replace(claim, observe=observe, exact=None)) == "refuted"


@pytest.mark.parametrize("change", CHANGED)
def test_the_sentence_itself_stands(change):
    id, words, _ = CHANGED[change]
    assert outcome(id, claim_of(id, words)) == "verified"


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
}


@pytest.mark.parametrize("change", WRONG)
def test_a_wrong_observer_is_refuted(change, monkeypatch):
    id, name, wrong = WRONG[change]
    right = QUANTITIES[name].fast

    def fast(i):
        value = right(i)
        return None if value is None else wrong(value)

    monkeypatch.setitem(QUANTITIES, name, replace(QUANTITIES[name], fast=fast))
    theorem = theorems[f"talwalkar2010:{id}"].but(derivation=None)
    verdict = verify(theorem, np.random.default_rng(0), effort="quick")
    assert verdict.outcome == "refuted"


def test_indefinite_competitors_are_tried():
    """A sum of squares that holds for semidefinite R only is refuted."""

    def semidefinite_only(i, _):
        R, U = projections._R(i), i.svd_C[0]
        beyond = (absolute(R) - np.eye(len(R))) @ U.T @ i.K
        least = measure(["E_col"], i, {})["E_col"]
        return float(np.hypot(least, np.linalg.norm(beyond)))

    claim = claim_of("thm-2.1", "sum of the two squares")
    changed = replace(claim, formula=None, expected=semidefinite_only)
    assert outcome("thm-2.1", changed) == "refuted"


def test_the_sum_of_squares_on_an_indefinite_competitor():
    """R = diag(1, -1) on the identity: the error is 2, all of it beyond R = I."""
    case = Instance(np.eye(2), [0, 1], 2, extra={"G": np.diag([1.0, -1.0])})
    claim = claim_of("thm-2.1", "sum of the two squares")
    found = compare(claim, case, np.random.default_rng(0))
    assert claim.observe(case, None) == pytest.approx(2)
    assert not found.violated


def test_the_name_of_the_block_is_a_misprint_beside_the_right_block():
    printed = theorems["talwalkar2010:eq-2.13"].printed
    assert [p.weight for p in printed] == ["misprint", "misprint"]


def test_only_the_sentence_on_arbitrary_matrices_lacks_a_condition():
    (printed,) = theorems["talwalkar2010:def-2.1"].printed.values()
    assert "$T_k$" in printed.statement and "$K_k$" not in printed.statement
    assert "$k < r$" in printed.why
