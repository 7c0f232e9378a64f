"""Competitors of all kinds are tried, and what was printed is weighed."""

import numpy as np
import pytest

from nystheory.chapters import theorems
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import compare, reader
from nystheory.engine.trial.verification import verify
from nystheory.engine.worlds.instances import Instance


def test_competitors_that_are_not_symmetric_are_tried():
    """The symmetric part of Z is closer to the best core than Z."""
    theorem = theorems["talwalkar2010:thm-2.2-optimum"]
    symmetric = "X.T @ (given_core + given_core.T) @ X / 2"
    claim = theorem.claims["only one"].but({"K - form": f"K - {symmetric}"})
    false = theorem.asserting(symmetric=claim)
    assert verify(false, np.random.default_rng(0), "quick").outcome == "refuted"


def test_indefinite_competitors_are_tried():
    theorem, rng = theorems["talwalkar2010:thm-2.1"], np.random.default_rng(0)
    plain = Instance(np.eye(3), [0, 1], 2)
    drawn = [theorem.world.completed(plain, rng) for _ in range(20)]
    found = [reader(theorem, case).value(parse("competitor")).value for case in drawn]
    lowest = [np.linalg.eigvalsh(R)[0] for R in found]
    assert min(lowest) < -0.5 and max(lowest) > -1e-12


def test_the_sum_of_squares_on_an_indefinite_competitor():
    """R = diag(1, -1) on the identity: the error is 2, all of it beyond R = I."""
    theorem = theorems["talwalkar2010:thm-2.1"]
    case = theorem.world(np.eye(2), [0, 1], 2, G=np.diag([1.0, -1.0]))
    reading = reader(theorem, case)
    error = reading.value(parse("norm_F(K - competitor @ K)")).value
    assert error == pytest.approx(2)
    assert not compare(theorem.claims["two squares"], reading).violated


def test_the_name_of_the_block_is_a_misprint_beside_the_right_block():
    printed = theorems["talwalkar2010:eq-2.13"].printed.values()
    assert [p.weight for p in printed] == ["misprint", "misprint"]
