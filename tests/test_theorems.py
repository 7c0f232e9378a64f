"""Theorems as objects: calculators, hypotheses, formulas, derivations, exact checks."""

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from nystheory.engine.theorem import Theorem as InLines
from nystheory.theorems import Hypothesis, Instance, rational, theorems
from nystheory.theorems.derivation import Step, broken_step, letters
from nystheory.theorems.formula import Formula
from nystheory.theorems.quantities import QUANTITIES, measure, quantity
from nystheory.theorems.quantities import k as k_

K = np.diag([3.0, 2.0, 1.0])


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
    with pytest.raises(ValueError, match=r"1 \\le k \\le l.*k = 3, l = 2"):
        theorems["talwalkar2010:eq-2.24"].bound(K, landmarks=[0, 2], rank=3)


def test_bound_checks_hypotheses_on_given_quantities():
    with pytest.raises(ValueError, match="hypothesis"):
        theorems["talwalkar2010:eq-2.2"].bound(k=3, l=2, rank_W=2, claim="rank")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "expected a value by name"),
        ({"size": 3}, "unknown quantities"),
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
        theorems.add(next(iter(theorems.values())))


def test_quantities_are_defined_once():
    with pytest.raises(ValueError, match="twice"):
        quantity("n", "n", "size")(lambda i: i.n)


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_theorems_show_themselves(theorem):
    page = theorem._repr_html_()
    assert theorem.id in page
    assert page.count("<p") == page.count("</p>")


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_derivations_hold_and_a_wrong_line_is_found(theorem):
    if theorem.derivation is None:
        return
    if isinstance(theorem, InLines):
        derived = theorem.derivation
        assert derived.state(theorem) == f"checked, {derived.sizes}"
        first, *rest = derived.steps
        wrong = replace(derived, steps=((f"2 * ({first[0]})", first[1]), *rest))
        assert "line 2 does not follow" in wrong.state(theorem)
        return
    steps = list(theorem.derivation())
    assert broken_step(steps) is None
    last = steps[-1].expr
    wrong = 2 * last if isinstance(last, sp.MatrixBase) else 2 * last + 1
    assert broken_step([*steps[:-1], Step(wrong)]) == len(steps) - 1


def test_derivations_do_not_commute_matrices():
    A, B = letters("A B")
    assert broken_step([Step(A * B), Step(B * A)]) == 1


def test_formula_is_one_thing_in_three_views():
    q = sp.Symbol("q")
    formula = Formula(2 * q, where={q: QUANTITIES["n"].symbol / k_})
    assert formula(n=12, k=4) == 6
    assert formula.names == ("k", "n")
    assert formula.latex() == r"2 q \quad\text{where } q = \frac{n}{k}"
    assert sp.simplify(formula.flat - 2 * QUANTITIES["n"].symbol / k_) == 0


def test_every_quantity_can_be_measured():
    given = {"G": np.eye(3), "Z": np.eye(1), "alpha": 1.0, "Omega": np.eye(3)[:, :2]}
    case = Instance.from_points(np.eye(3), [0, 1], 1, **given)
    chosen = {name: 0.5 for name, each in QUANTITIES.items() if each.chosen}
    values = measure(QUANTITIES, case, chosen)
    assert all(np.isfinite(value) for value in values.values())


def test_hypothesis_tells_the_measured_value():
    hypothesis = Hypothesis("$k = 1$", ("k",), lambda k: k == 1)
    assert hypothesis.failure({"k": 1}) is None
    assert "k = 2" in hypothesis.failure({"k": 2})


def test_instances_are_copied_not_changed():
    case = Instance(K, [0], 1, extra={"Z": np.eye(1)})
    other = case.but(landmarks=[1], Z=2 * np.eye(1))
    assert case.landmarks.tolist() == [0]
    assert other.W.tolist() == [[2.0]]
    assert case.extra["Z"][0, 0] == 1


def test_ranks_that_float64_cannot_tell_are_called_unclear():
    grey = Instance.from_points(np.diag([1.0, 1e-8]), [0, 1], 2)
    assert not grey.rank_is_clear
    assert np.isinf(grey.condition)
    assert Instance.from_points(np.diag([1.0, 0]), [0, 1], 1).rank_is_clear


@pytest.mark.parametrize("seed", range(20))
def test_exact_pseudo_inverse_has_the_four_properties_of_penrose(seed):
    rng = np.random.default_rng(seed)
    A = rational.rational(rng.integers(-2, 3, rng.integers(1, 5, 2)))
    P = rational.pseudo_inverse(A)
    assert A * P * A == A and P * A * P == P
    assert (A * P).transpose() == A * P and (P * A).transpose() == P * A


def test_exact_arithmetic_refuses_fractions():
    with pytest.raises(ValueError, match="integers"):
        rational.rational([[0.5]])


def test_optimal_core_of_the_smallest_example():
    """Z* = 26/25 and the three squared errors, in exact arithmetic."""
    A = sp.Matrix([[2, 1], [1, 1]])
    column = A[:, :1] / sp.sqrt(2)
    z = (column.T * A * column)[0] / (column.T * column)[0] ** 2
    errors = [sp.trace((A - c * column * column.T) ** 2) for c in (z, 1)]
    c = sp.sqrt(2) * A[:, :1] * A[:, :1].T / sp.sqrt(5)
    errors.append(sp.simplify(sp.trace((A - c) ** 2)))
    assert z == sp.Rational(26, 25)
    assert errors[:2] == [sp.Rational(6, 25), sp.Rational(1, 4)]
    assert sp.simplify(errors[2] - (17 - sp.Rational(26, 5) * sp.sqrt(10))) == 0
