"""Theorems as objects: calculators, hypotheses, formulas, derivations, exact checks."""

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from nystheory.chapters import theorems
from nystheory.engine.trial.registry import Registry
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.quantities import quantity
from nystheory.exact import balls

K = np.diag([3.0, 2.0, 1.0])
THEOREM = theorems["talwalkar2010:def-2.1"]


def test_bound_from_a_matrix():
    bound = theorems["talwalkar2010:eq-2.24"].bound(K, landmarks=[0, 2], rank=1)
    assert bound == pytest.approx(np.sqrt(5))


def test_bound_from_quantities_alone_and_from_a_mix():
    theorem = theorems["talwalkar2010:eq-2.2"]
    assert theorem.bound(k=3, rank_W=2, claim="rank") == 2
    assert theorem.bound(K, [0, 1], rank=2, rank_W=1, claim="rank") == 1


def test_bound_measures_what_a_given_quantity_decides():
    dpp = theorems["modern:dpp-expectation"]
    d_eff = (np.diag(K) / (np.diag(K) + 0.5)).sum()
    assert dpp.bound(K, [0], alpha=0.5) == pytest.approx(0.5 * d_eff)
    with pytest.raises(ValueError, match="alpha: expected ridge.*no matrix tells"):
        dpp.bound(K, [0])


def test_bound_names_the_hypothesis_that_fails():
    with pytest.raises(ValueError, match="1 <= k <= l.*k = 3, l = 2"):
        theorems["talwalkar2010:eq-2.24"].bound(K, landmarks=[0, 2], rank=3)


def test_bound_checks_hypotheses_on_given_quantities():
    with pytest.raises(ValueError, match="hypothesis"):
        theorems["talwalkar2010:eq-2.2"].bound(k=3, l=2, rank_W=2, claim="rank")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "expected a value by name"),
        ({"no_such_name": 3}, "unknown quantity"),
        ({"K": K}, "landmarks: expected the sampled columns"),
        ({"K": np.diag([1.0, -1.0]), "landmarks": [0]}, "positive semidefinite"),
        ({"K": K, "landmarks": [7]}, "landmarks"),
    ],
)
def test_bound_explains_bad_input(arguments, message):
    with pytest.raises((ValueError, IndexError), match=message):
        theorems["talwalkar2010:eq-2.24"].bound(**arguments)


def test_bound_of_a_theorem_without_a_formula():
    with pytest.raises(TypeError, match="without a number"):
        theorems["talwalkar2010:eq-2.7"].bound(K, [0])


def test_registry_suggests_near_ids():
    with pytest.raises(KeyError, match="talwalkar2010:thm-2.3"):
        theorems["talwalkar2010:theorem-2.3"]


def test_registry_refuses_a_second_theorem_with_an_id():
    with pytest.raises(ValueError, match="already"):
        Registry([*theorems.values(), THEOREM.but(title="again")], {})


def test_quantities_are_defined_once():
    with pytest.raises(ValueError, match="twice"):
        quantity("n", "size", name="n")(lambda i: i.n)


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_theorems_show_themselves(theorem):
    page = theorem._repr_html_()
    assert theorem.id in page
    assert page.count("<p") == page.count("</p>")


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_derivations_hold_and_a_wrong_line_is_found(theorem):
    if theorem.derivation is None:
        return
    derived = theorem.derivation
    assert derived.state(theorem) == f"checked, {derived.sizes}"
    first, *rest = derived.steps
    wrong = replace(derived, steps=((f"2 * ({first[0]})", first[1]), *rest))
    assert "line 2 does not follow" in wrong.state(theorem)


def test_instances_are_copied_not_changed():
    case = Instance(K, [0], 1, alpha=1.0)
    other = case.but(landmarks=[1], alpha=2.0)
    assert case.landmarks.tolist() == [0]
    assert other.W.tolist() == [[2.0]]
    assert case.alpha == 1


def test_ranks_that_float64_cannot_tell_are_called_unclear():
    grey = Instance.from_points(np.diag([1.0, 1e-8]), [0, 1], 2)
    assert not grey.rank_is_clear
    assert np.isinf(grey.condition)
    assert Instance.from_points(np.diag([1.0, 0]), [0, 1], 1).rank_is_clear


@pytest.mark.parametrize("seed", range(20))
def test_exact_pseudo_inverse_has_the_four_properties_of_penrose(seed):
    rng = np.random.default_rng(seed)
    rows = rng.integers(-2, 3, rng.integers(1, 5, 2)).tolist()
    A = balls.matrix(rows)
    P = balls.pseudo_inverse(A)
    assert A * P * A == A and P * A * P == P
    assert (A * P).transpose() == A * P and (P * A).transpose() == P * A
    assert balls.rank(A) == np.linalg.matrix_rank(rows)


def test_optimal_core_of_the_smallest_example():
    """Z* = 26/25 and the three squared errors, in exact balls."""
    A = sp.Matrix([[2, 1], [1, 1]])
    column = A[:, :1] / sp.sqrt(2)
    z = (column.T * A * column)[0] / (column.T * column)[0] ** 2
    errors = [sp.trace((A - c * column * column.T) ** 2) for c in (z, 1)]
    c = sp.sqrt(2) * A[:, :1] * A[:, :1].T / sp.sqrt(5)
    errors.append(sp.simplify(sp.trace((A - c) ** 2)))
    assert z == sp.Rational(26, 25)
    assert errors[:2] == [sp.Rational(6, 25), sp.Rational(1, 4)]
    assert sp.simplify(errors[2] - (17 - sp.Rational(26, 5) * sp.sqrt(10))) == 0
