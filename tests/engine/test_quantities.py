"""Both routes of every quantity: the observers are right, and see something."""

import ast
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flint import arb

from nystheory import exact
from nystheory.chapters import theorems
from nystheory.engine.language.quantity import BEFORE, CHOSEN, SAMPLE
from nystheory.engine.trial import two_routes
from nystheory.engine.trial.two_routes import compare_routes, growth, spoken_of, used
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.quantities import QUANTITIES

# Any theorem that speaks of tail_2 and error_2, for plants.
BASE = theorems["talwalkar2010:eq-5.3"]


def names_of(theorem):
    """What is measured by two routes, on one side of a claim or in a control."""
    known = theorem.quantities
    names = used(theorem, controls=True)
    return [n for n in names if not known[n].inexact and not known[n].part]


def everywhere(count=8):
    """Every quantity on some instances of every theorem that speaks of it."""
    for theorem in theorems.values():
        rng, names = np.random.default_rng(0), names_of(theorem)
        for instance in spoken_of(theorem, rng, count):
            yield from ((theorem.quantities[name], instance, rng) for name in names)


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_two_routes_agree(theorem):
    found = compare_routes(theorem, names_of(theorem), np.random.default_rng(0))
    for name, agreement in found.items():
        assert agreement.apart is None, f"{name} on {agreement.apart}"
        assert agreement.enough, f"{name}: {agreement}"
        known = theorem.quantities[name].when
        constant = len(agreement.values) < 2 and known != CHOSEN
        assert not constant, f"{name} is {agreement.values} on every instance"


def test_every_quantity_has_two_routes_or_says_why_not():
    for world, quantity in theorems.quantities:
        exactly = {quantity.name, f"{world}.{quantity.name}"} & set(exact.ROUTES)
        routes = bool(quantity.line) or bool(exactly) or quantity.part
        assert routes != bool(quantity.inexact), quantity.name


def test_no_route_is_left_over():
    worlds = {"", *(world for world, _ in theorems.quantities)}
    names = {q.name for _, q in theorems.quantities}
    keys = [key.rpartition(".") for key in exact.ROUTES]
    assert {name for world, _, name in keys if world in worlds} <= names


def test_a_composed_quantity_is_known_when_its_parts_are():
    for theorem in theorems.values():
        known = theorem.quantities
        for name, quantity in known.items():
            if quantity.line and quantity.when == BEFORE:
                parts = theorem.needed(ast.parse(name, mode="eval").body)
                assert all(known[part].when != SAMPLE for part in parts), name


# --- The unit -------------------------------------------------------------------------


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_the_unit_of_a_quantity_is_right(theorem):
    found = growth(theorem, names_of(theorem), np.random.default_rng(0))
    for name, seen in found.items():
        unit = theorem.quantities[name].unit
        assert seen.fits(unit), f"{name}: declared {unit}, seen {seen}"


# --- When it is known -----------------------------------------------------------------


def test_what_is_known_before_sampling_does_not_depend_on_the_sample():
    seen = Counter()
    for quantity, instance, rng in everywhere():
        if quantity.when == BEFORE and isinstance(instance, Instance):
            name, same = quantity.name, two_routes.other_sample(quantity, instance, rng)
            assert same is not False, f"{name} on {instance}"
            seen[name] += same is not None
    assert min(seen.values()) > 0, [name for name in seen if not seen[name]]


# --- The rigorous routes --------------------------------------------------------------


def test_a_rigorous_route_encloses_its_value():
    seen = Counter()
    for quantity, instance, _ in everywhere():
        name, doubt = quantity.name, two_routes.rigorous(quantity.name, instance)
        assert not doubt, f"{name} on {instance}: {doubt}"
        seen[name] += doubt is not None
    assert min(seen.values()) > 0, [name for name in seen if not seen[name]]


def test_proofs_import_the_standard_library_and_flint_only():
    allowed = {*sys.stdlib_module_names, "flint"}
    room = Path(exact.__file__).parent
    of_chapters = [*room.parent.glob("chapters/*/exact_*.py")]
    assert len(of_chapters) > 10
    for path in [*room.glob("*.py"), *of_chapters]:
        for node in ast.walk(ast.parse(path.read_text())):
            found = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            found += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            for name in found:
                own = name == "nystheory.exact" or name.startswith("nystheory.exact.")
                assert own or name.split(".")[0] in allowed, f"{path.name}: {name}"


ALONE = """
import sys
import nystheory.exact
strange = {name.split(".")[0] for name in sys.modules} & {"numpy", "scipy", "sympy"}
rest = [name for name in sys.modules if name.startswith("nystheory.")]
print(strange or [name for name in rest if "exact" not in name] or "alone")
"""


def test_proofs_run_alone():
    done = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True)
    assert done.stdout.strip() == "alone", done.stdout + done.stderr


# --- Plants: what is wrong is seen ----------------------------------------------------


@pytest.fixture
def plant(monkeypatch):
    """Exchange fields of a quantity, or its exact route."""

    def change(name, route=None, **fields):
        monkeypatch.setitem(QUANTITIES, name, replace(QUANTITIES[name], **fields))
        if route is not None:
            monkeypatch.setitem(exact.ROUTES, name, route)

    return change


def tail(i):
    return np.append(i.spectrum, 0.0)[i.k]


def compared(name):
    return compare_routes(BASE, [name], np.random.default_rng(0))[name]


def test_what_is_wrong_on_large_matrices_only_is_seen(plant):
    plant("tail_2", fast=lambda i: tail(i) * (3 if i.n > 8 else 1))
    assert compared("tail_2").apart is not None


@pytest.mark.parametrize(
    "declared",
    [{"condition": lambda i: 1e7}, {"unit": 3.0}, {"unit": None}, {}],
    ids=["a condition", "a unit", "no unit", "nothing else"],
)
def test_a_generous_error_is_no_excuse(plant, declared):
    plant("tail_2", fast=lambda i: tail(i) * (1 + 1e-6), **declared)
    found = compared("tail_2")
    assert found.apart is not None or not found.enough


@pytest.mark.parametrize("unit", [3.0, 2.0, 0.5, 0.0, -1.0, None])
def test_a_wrong_unit_is_seen(plant, unit):
    seen = growth(BASE, ["tail_2"], np.random.default_rng(0))["tail_2"]
    assert seen.fits(1.0) and not seen.fits(unit)


def test_a_wrong_unit_beside_a_ridge_is_seen(plant):
    plant("d_eff", unit=3.0)
    bach = theorems["modern:bach"]
    assert "d_eff" in names_of(bach)
    assert not growth(bach, ["d_eff"], np.random.default_rng(0))["d_eff"].fits(3.0)


def test_a_sample_that_is_taken_for_known_is_seen(plant):
    plant("error_2", when=BEFORE)
    rng = np.random.default_rng(0)
    found = [
        two_routes.other_sample(QUANTITIES["error_2"], i, rng)
        for i in spoken_of(BASE, rng, 8)
    ]
    assert False in found


HONEST = exact.ROUTES["tail_2"]


def middle(case):
    return exact.balls.ball(HONEST(case)).mid()


@pytest.mark.parametrize(
    "route",
    [
        lambda c: arb(float(middle(c))),
        lambda c: exact.balls.number(float(middle(c))),
        lambda c: arb(float(middle(c)), 1e-12),
        middle,
        lambda c: exact.balls.ball(HONEST(c)) + arb(0, "1e-9"),
    ],
    ids=["a float", "as a fraction", "with a radius", "no radius", "wide"],
)
def test_a_route_that_rounds_is_seen(plant, route):
    plant("tail_2", route=route)
    some = spoken_of(BASE, np.random.default_rng(0), 25)
    assert any(two_routes.rigorous("tail_2", instance) for instance in some)
