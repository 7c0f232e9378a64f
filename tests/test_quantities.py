"""Both routes of every quantity: the observers are right, and see something."""

import numpy as np
import pytest

from nystheory import exact
from nystheory.engine.instances import CHOSEN
from nystheory.engine.quantities import QUANTITIES
from nystheory.engine.two_routes import compare_routes, used
from nystheory.theorems import theorems


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_two_routes_agree(theorem):
    names = [n for n in used(theorem) if not QUANTITIES[n].inexact]
    found = compare_routes(theorem, names, np.random.default_rng(0))
    for name, agreement in found.items():
        assert agreement.apart is None, f"{name} on {agreement.apart}"
        assert agreement.compared >= 10, f"{name}: compared {agreement.compared} times"
        constant = len(agreement.values) < 2 and QUANTITIES[name].when != CHOSEN
        assert not constant, f"{name} is {agreement.values} on every instance"


def test_every_quantity_has_two_routes_or_says_why_not():
    for name, quantity in QUANTITIES.items():
        routes = bool(quantity.line) or name in exact.ROUTES
        assert routes != bool(quantity.inexact), name


def test_no_route_is_left_over():
    assert set(exact.ROUTES) <= set(QUANTITIES)
