"""Planted: a range that is gone, a needless condition, a `lacks` that names another.

Each is something that a reader of lines cannot see, and comes out red here.
"""

from dataclasses import replace

import numpy as np
import pytest
from planted_theorem import flipped

from nystheory.chapters import theorems
from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem, verify
from nystheory.engine.trial.verification import refute
from nystheory.engine.worlds.suite import _moved_number
from nystheory.engine.worlds.worlds import Size

# Numbers that may have any value, so that there is no range to state.
ANY_NUMBER = {
    "a": "an exponent of any ridge",
    "added": "a constant added to errors",
    "b": "an exponent of any level of a projection",
    "directions": "a bound on a rank; a hypothesis says which",
    "label": "of a point; a hypothesis says which",
    "offset": "a value of a function",
    "v": "a predicted value",
    "x": "a point of the circle",
}


def numbers():
    """The parts of all worlds that are chosen numbers, with the quantity of each."""
    for theorem in theorems.values():
        for name, part in theorem.world.parts.items():
            known = theorem.quantities.get(name)
            told = known is not None and known.part and not part.axes
            if told and not part.drawn and not isinstance(part, Size):
                yield name, known


# --- Ranges ---------------------------------------------------------------------------


def without_range():
    return {name for name, quantity in numbers() if not quantity.range[0]}


def test_every_number_that_is_chosen_states_its_range():
    assert without_range() == set(ANY_NUMBER)


@pytest.mark.parametrize(
    ("id", "name"),
    [
        ("modern:resolvent", "alpha"),
        ("talwalkar2010:thm-5.2-spectral", "delta"),
        ("talwalkar2010:cor-5.2", "tube"),
    ],
)
def test_a_range_that_is_deleted_is_seen(id, name, monkeypatch):
    known = theorems[id].quantities
    monkeypatch.setitem(known, name, replace(known[name], range=("", "")))
    assert without_range() == {*ANY_NUMBER, name}


def test_a_range_is_a_hypothesis_of_who_speaks_of_it():
    assert theorems["modern:resolvent"].hypotheses["alpha"].line == "alpha > 0"
    assert r"$0 < \delta \le 1$" in theorems["talwalkar2010:thm-5.6"].statement
    assert "delta" not in theorems["modern:resolvent"].hypotheses
    # A hypothesis under the name of the part stands in its place.
    assert theorems["modern:bach"].hypotheses["accuracy"].line == "0 < accuracy <= 1"


def test_a_theorem_without_the_range_of_its_ridge_is_refuted(monkeypatch):
    """The search draws ridges of zero and below, unless a range forbids it."""
    theorem = theorems["modern:ridge-risk-core"]
    known = theorem.quantities
    monkeypatch.setitem(known, "alpha", replace(known["alpha"], range=("", "")))
    kept = {n: h for n, h in theorem.hypotheses.items() if n != "alpha"}
    wide = theorem.but(hypotheses=kept, controls={}, derivation=None)
    assert "alpha" not in wide.hypotheses
    try:
        assert verify(wide, np.random.default_rng(0)).outcome in (
            "refuted",
            "undecided",
        )
    except ArithmeticError:  # red as well
        pass


def test_a_search_goes_to_the_ends_of_a_range_and_beyond():
    rng = np.random.default_rng(0)
    seen = [_moved_number(0.5, "0 < delta <= 1", rng, 0.5) for _ in range(300)]
    assert {0.0, 1.0} <= set(seen) and min(seen) < 0 and max(seen) > 1


def test_a_needless_condition_is_seen():
    """`k == 1` is no domain, no control needs it, and nobody says it is not known."""
    theorem = theorems["talwalkar2010:eq-5.3"]
    narrow = theorem.but(hypotheses={**theorem.hypotheses, "one": Hypothesis("k == 1")})
    added = narrow.hypotheses["one"]
    dropped = {control.drops for control in narrow.controls.values()}
    assert not added.domain and not added.necessary and "one" not in dropped
    # What `test_every_line_is_accounted_for` asks of each hypothesis.
    assert sum((added.domain, "one" in dropped, bool(added.necessary))) == 0


# --- Where a claim speaks -------------------------------------------------------------

ONE, TWO = (Instance.exactly([0], 1, matrix=[[x, 0], [0, 1]]) for x in (1, 2))


def theorem_of(control):
    return Theorem(
        id="planted:when",
        kind="identity",
        status="holds",
        title="Where it speaks",
        number="planted",
        setting="Let $K$ be positive semidefinite.",
        claims={
            "alike": Claim("trace_K == 2 * K_max", when="n == 2 and K_min == K_max")
        },
        controls={"other": control},
    )


def test_what_a_control_lacks_is_one_part_of_the_condition():
    good = theorem_of(Control("alike", TWO, lacks="K_min == K_max"))
    assert refute(good, "other").refuted
    assert r"without \(\min_i K_{ii} = K_{\max}\)" in good._repr_html_()


@pytest.mark.parametrize(
    ("control", "told"),
    [
        (Control("alike", TWO, lacks="n == 2"), "the lack of n == 2"),
        (Control("alike", TWO, lacks="equal lengths"), "K_min == K_max"),
        (Control("alike", TWO, {"2 *": "1 *"}), "K_min == K_max"),
        (Control("alike", ONE, lacks="K_min == K_max"), "the lack of K_min == K_max"),
        (
            Control(
                "alike",
                Instance.exactly([0], 1, matrix=[[2, 0, 0], [0, 1, 0], [0, 0, 1]]),
                lacks="K_min == K_max",
            ),
            "n == 2",
        ),
    ],
)
def test_a_control_that_lacks_another_part_or_two_is_no_control(control, told):
    found = refute(theorem_of(control), "other")
    assert not found.refuted and told in found.reason


# --- Proved, reached, refuted ---------------------------------------------------------


def test_a_verdict_says_who_proved_a_constant_what_was_reached_and_where_it_falls():
    theorem = theorems["talwalkar2010:eq-5.3"]
    verdict = verify(theorem)
    rows = {name: rest for name, *rest in verdict.standing}
    assert rows["spectral norm"] == [
        f"after {theorem.cited}",
        "1 of the bound",
        "1.99 in place of 2 (0.997 of the bound)",
    ]
    assert "Proved, reached, refuted" in verdict._repr_html_()


def test_a_constant_between_what_was_reached_and_what_falls_shows():
    """The plant: a larger constant than is known holds; its row tells the gap."""
    theorem = theorems["talwalkar2010:eq-5.3"]
    loose = theorem.but(
        claims={"spectral": Claim("error_2 <= 1.25 * (tail_2 + 2 * distance_2)")},
        controls={"0.95": Control("spectral", flipped(), {"1.25": "0.95"})},
        derivation=None,
        printed={},
    )
    (row,) = verify(loose, np.random.default_rng(0)).standing
    assert row[2:] == ("0.8 of the bound", "0.95 (0.76 of the bound)")
