"""Would the checks notice?  Every theorem a little wrong, and how many are caught.

A mutant is a theorem with one thing changed: a number, an exponent, a norm, a
relation in a line; a hypothesis left out; an observer that is blind.  It is killed
when the check that verifies the theorem refutes it, on finite numbers: an exception
is no kill.  A change that claims no more than the theorem on any instance is no mutant.
"""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from nystheory import style
from nystheory.engine.trial import search, store, two_routes, verification
from nystheory.engine.trial.compare import applies, compare, reader
from nystheory.engine.trial.mutations import Mutant, observers, of
from nystheory.engine.trial.theorem import Theorem

STORED = Path(__file__).with_name("mutation_score.json")
COMMAND = "python -m nystheory mutants --store"

# A search of this size finds what can be found quickly.
SKETCH = verification.Effort(random=120, local=120, exact=15, trials=300, chances=10)


def killed(theorem: Theorem, seed: int = 0, effort=SKETCH) -> str:
    """What refutes a mutated theorem, empty if nothing does."""
    rng = np.random.default_rng(seed)
    try:
        results = verification.examine(theorem, rng, effort)
    except (ArithmeticError, LookupError, ValueError, np.linalg.LinAlgError):
        return ""
    fallen = [f for f in results if f.outcome == "refuted"]
    return fallen[0].evidence[0] if fallen else ""


def claims_more(theorem: Theorem, mutated: Theorem, seed: int = 0) -> bool:
    """Whether a change asks for more than the theorem on some instance at hand.

    More than all of its claims that bound the same thing: what a sharper one still
    proves is true, and no check could refute it.
    Where the changed line has no value it asks for nothing.
    """
    rng = np.random.default_rng(seed)
    own, stress = search.instances_of(theorem, rng)
    for instance in (own + stress)[:60]:
        for name in mutated.claims:
            if _more_on(theorem, mutated, name, instance, rng):
                return True
    return False


def _more_on(theorem, mutated, name, instance, rng) -> bool:
    claims = theorem.claims
    outcome = _outcome(claims[name], instance, rng)
    if outcome is None:
        return False
    readings = reader(theorem, outcome), reader(mutated, outcome)
    if not applies(claims[name], readings[0]):
        return False
    beside = [c for c in claims.values() if _alike(c, claims[name])]
    try:
        return all(
            _stricter(each, mutated.claims[name], *readings)
            for each in beside
            if applies(each, readings[0])
        )
    except (ArithmeticError, ValueError, np.linalg.LinAlgError):
        return False


def _alike(one, other) -> bool:
    """Whether two claims are one, or bound the same thing in the same sense."""
    if one is other or one.relation in ("", "=="):
        return one is other
    if (one.relation, one.law) != (other.relation, other.law):
        return False
    return ast.unparse(one.sides[0]) == ast.unparse(other.sides[0])


def _outcome(claim, instance, rng):
    """The instance with a sample; None if there are too many to list and draw from."""
    if not claim.law:
        return instance
    try:
        return instance.draw(claim.law, rng)
    except ValueError:
        return None


def _stricter(before, after, reading, mutated) -> bool:
    if not before.relation or before.kind in ("probability", "expectation"):
        return _bounds_differ(before, after, reading, mutated)
    first, second = compare(before, reading), compare(after, mutated)
    if before.relation == "==":
        return second.score > first.score
    # A ratio above the other, or a violation that was none.
    return second.violated or second.ratio > first.ratio * (1 + 1e-6)


def _bounds_differ(before, after, reading, mutated) -> bool:
    if before.relation == "" or before.bounding(reading.quantities) is None:
        return True
    trees = (each.bounding(reading.quantities) for each in (before, after))
    sides = [r.value(t) for r, t in zip((reading, mutated), trees, strict=True)]
    values = [getattr(side, "value", math.nan) for side in sides]
    if not all(isinstance(v, float) and math.isfinite(v) for v in values):
        return True
    smaller = values[1] < values[0] * (1 - 1e-6)
    larger = values[1] > values[0] * (1 + 1e-6)
    return {"<=": smaller, ">=": larger}.get(before.relation, smaller or larger)


# --- Blind observers -----------------------------------------------------------------


def blind(theorem: Theorem, name: str, route, seed: int = 0) -> str | None:
    """What notices a blind observer; empty if nothing does, None if it is not blind.

    One that measures the same on every instance tried is no mutant: a dropped
    landmark changes nothing that does not depend on the landmarks. Nor is one that
    fails: an exception is no kill.
    The instances are chosen before it is blind, since a hypothesis may speak of it.
    """
    known, rng = theorem.quantities, np.random.default_rng(seed)
    honest = known[name]
    chosen = [i.anew() for i in two_routes.spoken_of(theorem, rng, 80)]
    known[name] = replace(honest, fast=route)
    try:
        found = two_routes.compare_routes(theorem, [name], rng, instances=chosen)[name]
        if found.apart is not None:
            return "the other route"
        return "" if any(_differ(honest.fast, route, i) for i in chosen) else None
    except (ArithmeticError, LookupError, ValueError):
        return None
    finally:
        known[name] = honest


def _differ(honest, route, instance) -> bool:
    """Whether two routes measure something else on an instance."""
    try:
        one, other = honest(instance), route(instance)
    except (ArithmeticError, LookupError, ValueError):
        return False
    if one is None or other is None:
        return one is not other
    return not np.allclose(one, other, equal_nan=True)


# --- The score -----------------------------------------------------------------------


def tried(theorem: Theorem, seed: int = 0) -> list[Mutant]:
    """Every mutant of a theorem and what came of it."""
    out = []
    for mutant, mutated in of(theorem):
        if claims_more(theorem, mutated, seed):
            by = killed(mutated, seed)
            out.append(
                _told(mutant, by, "loose: the change bites nowhere that is tried")
            )
    for name in theorem.hypotheses:
        mutant = Mutant(theorem.id, theorem.kind, "", "hypothesis", f"without {name}")
        out.append(_told(mutant, _without(theorem, name), _why(theorem, name)))
    for name, change, route in observers(theorem):
        mutant = Mutant(theorem.id, theorem.kind, "", "observer", f"{name}: {change}")
        by = blind(theorem, name, route, seed)
        if by is not None:
            out.append(_told(mutant, by, "nothing notices"))
    return out


def _told(mutant, by, otherwise):
    outcome = "killed" if by else "survived"
    return replace(mutant, outcome=outcome, by=by or otherwise)


def _without(theorem, name) -> str:
    """The control that shows a hypothesis to be necessary, if it is refuted."""
    for control, told in theorem.controls.items():
        if told.drops == name and verification.refute(theorem, control).refuted:
            return f"control {control!r}"
    return ""


def _why(theorem, name) -> str:
    if theorem.hypotheses[name].domain:
        return "without it the statement means nothing"
    return "not known to be necessary"


@dataclass(frozen=True, eq=False)
class MutationScore:
    """All mutants and what came of them.

    Attributes
    ----------
    mutants : tuple of Mutant
    """

    mutants: tuple[Mutant, ...]

    def of(self, *kinds: str, sorts: Iterable[str] = ()) -> list[Mutant]:
        """The mutants of claims of some kinds, or of some sorts."""
        return [
            m
            for m in self.mutants
            if (m.claim and m.kind in kinds) or (not m.claim and m.sort in sorts)
        ]

    def share(self, *kinds: str, sorts: Iterable[str] = ()) -> float:
        """The share of them that was killed."""
        some = self.of(*kinds, sorts=sorts)
        return sum(m.outcome == "killed" for m in some) / len(some)

    @property
    def survivors(self) -> list[Mutant]:
        """Those that no check noticed."""
        return [m for m in self.mutants if m.outcome != "killed"]

    def __repr__(self):
        count = len(self.mutants) - len(self.survivors)
        return f"MutationScore({count} of {len(self.mutants)} killed)"

    def _repr_html_(self) -> str:
        rows = []
        for group in sorted({m.kind if m.claim else m.sort for m in self.mutants}):
            some = [m for m in self.mutants if (m.kind if m.claim else m.sort) == group]
            dead = sum(m.outcome == "killed" for m in some)
            rows.append((group, len(some), dead, f"{100 * dead / len(some):.0f} %"))
        return style.table(rows, ("mutants of", "made", "killed", "share"))

    def table(self) -> style.Table:
        """The survivors, for a notebook."""
        rows = [(f"`{m.id}`", m.claim or "-", m.change, m.by) for m in self.survivors]
        return style.Table(("theorem", "claim", "change", "why it survives"), rows)


def run(theorems: Iterable[Theorem], seed: int = 0, progress=iter) -> MutationScore:
    """Try every mutant of every theorem."""
    found = []
    for theorem in progress(list(theorems)):
        found += tried(theorem, seed)
    return MutationScore(tuple(found))


def keep(theorems: Iterable[Theorem], progress=iter) -> MutationScore:
    """Compute what is stale, store the score of all."""
    before = _read()
    entries = {}
    for theorem in progress(list(theorems)):
        key, entry = _contents(theorem), before.get(theorem.id)
        if entry is None or entry["key"] != key:
            entry = {"key": key, "mutants": [asdict(m) for m in tried(theorem)]}
        entries[theorem.id] = entry
        partly = {**before, **entries}
        STORED.write_text(_written(partly), "utf-8")
    STORED.write_text(_written(entries), "utf-8")
    return _score(entries)


def stored(theorems: Iterable[Theorem]) -> MutationScore:
    """The score that is stored.

    Raises
    ------
    StaleError
        If it was computed from other contents than those at hand.
    """
    entries = _read()
    theorems = list(theorems)
    stale = [t.id for t in theorems if entries.get(t.id, {}).get("key") != _contents(t)]
    stale += sorted(set(entries) - {t.id for t in theorems})
    if stale:
        raise store.StaleError(
            f"the score of {', '.join(stale)} is stale: run {COMMAND}"
        )
    return _score(entries)


def _contents(theorem) -> str:
    return store.contents(theorem, by=__name__)


def _read() -> dict:
    return json.loads(STORED.read_text("utf-8")) if STORED.exists() else {}


def _score(entries) -> MutationScore:
    rows = (row for entry in entries.values() for row in entry["mutants"])
    return MutationScore(tuple(Mutant(**row) for row in rows))


def _written(entries) -> str:
    """JSON with a line for each mutant."""
    parts = []
    for id, entry in entries.items():
        rows = [json.dumps(row, ensure_ascii=False) for row in entry["mutants"]]
        told = ",\n".join(rows)
        parts.append(
            f'{json.dumps(id)}: {{"key": "{entry["key"]}", "mutants": [\n{told}\n]}}'
        )
    return "{\n" + ",\n".join(parts) + "\n}\n"
