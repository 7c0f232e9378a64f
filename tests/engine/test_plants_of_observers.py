"""Blind observers, planted on purpose: another route or a control sees them."""

import numpy as np
import pytest
from planted_theorem import BASE, base, exchanged, outcome

from nystheory.chapters import theorems
from nystheory.engine.trial import mutants, two_routes
from nystheory.engine.worlds.quantities import QUANTITIES


@pytest.fixture
def blind():
    """Exchange the fast route of a quantity for the time of a test."""
    with exchanged() as exchange:
        yield exchange


@pytest.mark.parametrize("name", ["different", "rank_W"])
def test_a_blind_observer_of_a_hypothesis_is_noticed(name):
    """Though the theorem then speaks of few instances, or of none."""
    theorem = theorems["talwalkar2010:rem-2.2.1"]
    routes = [(change, r) for n, change, r in mutants.observers(theorem) if n == name]
    assert len(routes) >= 2
    for change, route in routes:
        assert mutants.blind(theorem, name, route), change


@pytest.mark.parametrize(
    "route",
    [
        lambda i: 0.0,
        lambda i: QUANTITIES["tail_2"].fast(i),
        lambda i: QUANTITIES["tail_2"].fast(i) + 2 * QUANTITIES["distance_2"].fast(i),
        lambda i: 1.05 * np.abs(i.error_spectrum).max(),
        lambda i: np.linalg.norm(i.error_spectrum),
        lambda i: float(np.abs(i.error_spectrum).max()) if i.l > 1 else 0.0,
    ],
    ids=[
        "zero",
        "the tail",
        "the bound",
        "five percent",
        "another norm",
        "wrong for one landmark",
    ],
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
