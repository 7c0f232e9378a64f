"""Adaptive sampling: smallest examples by hand."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from nystheory import sampling
from nystheory.chapters import theorems
from nystheory.chapters.adaptive_sampling.theorems.incomplete_cholesky import Greedy
from nystheory.engine import verify
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.quantities import QUANTITIES


def rng(seed=4):
    return np.random.default_rng(seed)


def measured(name, instance):
    return instance.measured(instance.quantities[name]).value


# --- The columns so far ---------------------------------------------------------------


def test_adaptive_full_by_hand():
    """K = I_3 and one column: residuals (0, 1, 1), sum sqrt 2 by the 2-norm."""
    squares = np.array([0.0, 1, 1])
    assert np.isclose((squares / np.linalg.norm(squares)).sum(), np.sqrt(2))
    p = sampling.update_probability_full(np.eye(3), [0])
    assert np.allclose(p, squares / 2)
    assert sampling.update_probability_full(np.ones((3, 3)), [0]) is None


def test_adaptive_partial_by_hand():
    """diag(3, 2, 1), R = {1, 2}, k' = 1: the only error is in the second row."""
    case = Instance(np.diag([3.0, 2, 1]), [0, 1], 1)
    assert np.array_equal(
        measured("partial_error", case) ** 2, [[0, 0], [0, 4], [0, 0]]
    )
    assert not measured("row_errors", case).any()
    assert measured("partial_shares", case).tolist() == [0, 0, 1]


def test_what_may_be_rounding_decides_nothing():
    points = np.array([[1.0, 1, 1], [0, 1e-9, 1]])
    case = Instance.from_points(points, [0, 1], 1)
    assert QUANTITIES["rows_seen"].fast(case) is None


def test_a_batch_may_repeat_a_column_only_with_replacement():
    case = Instance(np.eye(3), [0, 1, 2], 1)
    for law, repeated in (("adaptive_full", 0), ("adaptive_full_replaced", 0.5)):
        found = [(p, len(set(o.landmarks))) for p, o in case.outcomes(law)]
        assert sum(p for p, count in found if count < 3) == pytest.approx(repeated)


@pytest.mark.parametrize("order", [(0, 2, 1), (2, 1, 0), (1, 0, 2)])
def test_elimination_does_not_depend_on_the_order(order):
    X = rng().integers(-3, 4, (4, 5))
    first = measured("eliminated", Instance.from_points(X, [0, 1, 2], 1))
    other = measured("eliminated", Instance.from_points(X, order, 1))
    np.testing.assert_allclose(other, first, atol=1e-12)


# --- Greedy pivots --------------------------------------------------------------------


def test_greedy_pivots_that_are_not_the_largest_are_seen():
    """diag(1, 2, 4) in its own order: 1 where 4 is left, then 2, where 4 is."""
    case = Greedy(np.diag([1.0, 2, 4]), [0, 1], 2)
    assert np.allclose(measured("greedy_pivots", case), [4, 2])
    assert measured("greedy_largest", case).tolist() == [4, 2]
    case = case.but(order=np.array([0, 1]))
    assert np.allclose(measured("greedy_pivots", case), [1, 2])
    assert measured("greedy_largest", case).tolist() == [4, 4]


def test_an_observer_that_returns_its_bound_is_seen(monkeypatch):
    """The claim would compare a thing with itself; the control does so too."""
    theorem = theorems["talwalkar2010:icl"]
    name, known = "first columns, not the largest", Greedy.quantities
    blind = replace(known["greedy_pivots"], fast=known["greedy_largest"].fast)
    monkeypatch.setitem(known, "greedy_pivots", blind)
    control = theorem.controls[name]
    # The instance of the control remembers what was measured of it before.
    on = Greedy.exactly([0], 1, matrix=[[1, 0], [0, 2]], order=[0])
    assert (on.K == control.on.K).all()
    fresh = replace(control, on=on)
    changed = theorem.but(controls={**theorem.controls, name: fresh})
    verdict = verify(changed, rng())
    assert not verdict
    assert [c.name for c in verdict.controls if not c.refuted] == [name]


def test_a_package_that_does_not_choose_the_largest_is_seen(monkeypatch):
    chosen = sampling.incomplete_cholesky

    def turned(K, count):
        """The same columns, the last one first."""
        order = chosen(K, count).indices[::-1]
        left, factor = K.dense(), []
        for j in order:
            factor.append(left[:, j] / np.sqrt(left[j, j]))
            left = left - np.outer(factor[-1], factor[-1])
        return SimpleNamespace(indices=order, factor=np.array(factor).T)

    theorem = theorems["talwalkar2010:icl"]
    largest = theorem.claims["largest"]
    monkeypatch.setattr(sampling, "incomplete_cholesky", turned)
    verdict = verify(theorem.asserting(largest=largest), rng())
    assert verdict.outcome == "refuted"
