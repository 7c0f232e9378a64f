"""When statements hold: written down once more, tried at the ends, sampled rightly."""

import csv
import math
from pathlib import Path

import numpy as np
import pytest

from nystheory import exact
from nystheory.chapters import theorems
from nystheory.engine import Claim, Control, Hypothesis, Instance, Where
from nystheory.engine.language.lines import parse
from nystheory.engine.trial import search
from nystheory.engine.trial.compare import reader
from nystheory.engine.trial.refutations import refutations
from nystheory.engine.worlds import laws, suite
from nystheory.engine.worlds.worlds import Draw, Given, Moments, Size, World
from nystheory.exact import laws as exact_laws

every_theorem = pytest.mark.parametrize(
    "theorem", theorems.values(), ids=lambda t: t.id
)


def test_the_conditions_are_those_that_were_read():
    """`python -m nystheory conditions` makes the table; who remakes it reads it.

    A range that was widened or narrowed, a hypothesis of the domain that was deleted, a
    claim that speaks of less, a control that lacks something else: all of it shows.
    """
    path = Path(__file__).with_name("conditions.csv")
    with path.open(encoding="utf-8", newline="") as file:
        assert [tuple(row) for row in csv.reader(file)] == theorems.conditions


# --- The ends of ranges ---------------------------------------------------------------

FAR = (2.0, 10.0)


def ends(theorem, name):
    """The ends of a range, and numbers beyond 1, as far as the range has them."""
    line = theorem.quantities[name].range[0]
    told = [*suite._ends(line), *FAR]
    return [x for x in told if reader_of(theorem, name, x).truth(line) is True]


def reader_of(theorem, name, value):
    instance = World() if theorem.world is World else None
    return reader(theorem, instance, **{name: value})


def numbers(theorem):
    """The numbers with a range of which a theorem speaks."""
    return [
        name
        for name in theorem.hypotheses
        if name in theorem.world.parts
        and not theorem.world.parts[name].axes
        and theorem.is_range(name)
    ]


def without_a_value(theorem, count=12):
    """The bounds that no instance at an end of a range gives a number, if it meets all.

    Rounding may hide one; what is hidden of all of them is not there.
    """
    rng, tried = np.random.default_rng(0), {}
    own, stress = search.instances_of(theorem, rng)
    some = [i for i in (*own, *stress) if i.n <= 40 and i.moves][:count]
    for name in numbers(theorem):
        for end in ends(theorem, name):
            for instance in some:
                there = at(instance, name, end)
                if there is None or theorem.unmet(there):
                    continue
                for claim, tree in bounds(theorem):
                    if applies(theorem, claim, there):
                        found = has_value(reader(theorem, there).value(tree))
                        tried.setdefault((name, end, claim), []).append(found)
    return {each for each, found in tried.items() if not any(found)}


def at(instance, name, end):
    """The instance with this number, and with no more of what it counts."""
    counted = {
        part: np.asarray(value)
        for part, value in instance.given.items()
        if name in instance.parts[part].axes
    }
    axes = {part: instance.parts[part].axes.index(name) for part in counted}
    if any(end > value.shape[axes[part]] for part, value in counted.items()):
        return None
    fewer = {
        part: value.take(range(int(end)), axes[part]) for part, value in counted.items()
    }
    return instance.but(**{name: end}, **fewer)


def bounds(theorem):
    found = (
        (name, theorem.bounding(name))
        for name, claim in theorem.claims.items()
        if claim.relation not in ("==", "!=")
    )
    names = {name for name in numbers(theorem)}
    return [
        (name, tree)
        for name, tree in found
        if tree is not None and names & set(theorem.needed(tree))
    ]


def applies(theorem, name, instance):
    when = theorem.claims[name].when
    return not when or reader(theorem, instance).value(parse(when)) is True


def has_value(value):
    return value is not None and bool(np.all(np.isfinite(getattr(value, "value", 1))))


@every_theorem
def test_a_bound_is_a_number_at_each_end_of_a_range(theorem):
    assert without_a_value(theorem) == set()


@pytest.mark.parametrize(
    ("id", "name", "wider"),
    [
        ("modern:resolvent", "alpha", "alpha >= 0"),
        ("talwalkar2010:thm-5.1", "delta", "0 <= delta <= 1"),
        ("talwalkar2010:thm-5.1", "delta", "0 < delta"),
    ],
)
def test_a_range_to_where_a_formula_has_no_value_is_seen(id, name, wider, monkeypatch):
    theorem = theorems[id]
    known = theorem.quantities
    changed = known[name].__class__(**{**vars(known[name]), "range": (wider, "")})
    monkeypatch.setitem(known, name, changed)
    hypotheses = theorem.hypotheses | {name: Hypothesis(wider, domain=True)}
    assert without_a_value(theorem.but(hypotheses=hypotheses))


def test_an_end_below_zero_is_drawn():
    rng = np.random.default_rng(0)
    drawn = {suite._moved_number(0.4, "x >= -0.25", rng, 0.5) for _ in range(500)}
    assert -0.25 in drawn and 0.25 not in drawn


# --- What a `when` may say ------------------------------------------------------------


def test_a_when_through_the_name_of_a_sub_expression_is_refused():
    theorem = theorems["modern:resolvent"]
    with pytest.raises(ValueError, match="does not speak of norm_E, trace_E"):
        theorem.but(
            where={"excess": Where("x", "norm_E - trace_E / 2")},
            claims={"half": Claim("excess <= 0", when="norm_E <= trace_E / 2")},
            controls={},
            derivation=None,
        )


# --- Chances --------------------------------------------------------------------------


def moments(rule):
    """The first eight moments of a finite measure."""
    return [sum(float(p) * float(x) ** k for x, p in rule) for k in range(8)]


TRUE = {
    "gaussian": [1, 0, 1, 0, 3, 0, 15, 0],
    "uniform": [1, 0, 1 / 3, 0, 1 / 5, 0, 1 / 7, 0],
}


@pytest.mark.parametrize(("law", "degree"), laws.RULES)
def test_a_finite_measure_has_the_moments_of_its_law(law, degree):
    for rule in (laws.RULES[law, degree], exact_laws.RULES[law, degree]()):
        found = moments(rule)[: degree + 1]
        assert found == pytest.approx(TRUE[law][: degree + 1], abs=1e-12)


class Drawn(World):
    n = Size("n", "how many")
    l = Given("l", "how many are drawn")  # noqa: E741 - the field's letter
    x = Given("x", "numbers", axes=("n",))
    again = Draw("l", "n", True, "S", "with replacement")
    apart = Draw("l", "n", False, "T", "without")
    normal = Moments("gaussian", 3, ("n",), "g", "normal")
    even = Moments("uniform", 3, ("n",), "u", "uniform")


def test_what_is_drawn_at_random_has_the_law_that_is_listed():
    rng = np.random.default_rng(0)
    case = Drawn(x=np.zeros(3), l=2, again=[0, 0], apart=[0, 1])
    for name in ("again", "apart"):
        counts = {tuple(o.given[name]): 0 for _, o in case.outcomes(name)}
        chances = {tuple(o.given[name]): p for p, o in case.outcomes(name)}
        for _ in range(9000):
            counts[tuple(case.draw(name, rng).given[name])] += 1
        for each, count in counts.items():
            spread = math.sqrt(9000 * chances[each])
            assert abs(count - 9000 * chances[each]) < 6 * spread
    for name in ("normal", "even"):
        values = np.array([case.draw(name, rng).given[name] for _ in range(4000)])
        assert abs(values.mean()) < 0.05
        wanted = TRUE["gaussian" if name == "normal" else "uniform"][2]
        assert values.var() == pytest.approx(wanted, rel=0.06)


def test_exact_chances_of_another_sum_are_refused(monkeypatch):
    def short(case):
        yield from ((p * 99 / 100, o) for p, o in whole(case))

    whole = exact_laws.LAWS["uniform"]
    monkeypatch.setitem(exact_laws.LAWS, "uniform", short)
    case = exact.Case.of(**Instance.exactly([0], 1, points=[[1, 2]]).in_fractions())
    with pytest.raises(ValueError, match="uniform: expected chances of sum 1"):
        exact.prove("mean(error_trace) <= trace_K", case, {}, "uniform")


def test_no_false_claim_is_left_out_of_the_refutations():
    some = [theorems["modern:rpcholesky"], theorems["talwalkar2010:thm-5.1"]]
    for theorem in some:
        found = refutations([theorem])
        assert len(found) == len(theorem.controls) + len(theorem.printed)


def test_a_number_of_the_other_sign_is_no_control():
    with pytest.raises(ValueError, match="expected a number near"):
        from nystheory.engine.findings import Finding

        Finding("missed(a) < 0.2 * missed(b)", but={"0.2": "-0.2"})
    assert Control("norm", None, {"<=": "<= -1 *"}).change
