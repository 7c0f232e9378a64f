"""Would the checks notice?  Every theorem a little wrong, and how many are caught.

A mutant is a theorem with one thing changed: a number, an exponent, a norm, a
relation in a line; a hypothesis left out; an observer that is blind.  It is killed
when the check that verifies the theorem refutes it, on finite numbers: an exception
is no kill.  A change that claims no more than the theorem on any instance is no mutant.
"""

from __future__ import annotations

import ast
import copy
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from nystheory import style
from nystheory.engine import lines, search, store, two_routes, verification
from nystheory.engine.compare import applies, compare, reader
from nystheory.engine.instances import SAMPLE
from nystheory.engine.laws import LAWS
from nystheory.engine.quantities import QUANTITIES
from nystheory.engine.theorem import Claim, Theorem, Where

STORED = Path(__file__).with_name("mutation_score.json")
COMMAND = "python -m nystheory mutants --store"

# A search of this size finds what can be found quickly.
SKETCH = verification.Effort(random=120, local=120, exact=15, trials=300, chances=10)

# What a number in a line becomes.
FACTORS = (0.5, 2.0)
NORMS = ("_2", "_F", "_trace", "_max")


@dataclass(frozen=True)
class Mutant:
    """One change to a theorem, and what came of it.

    Attributes
    ----------
    id, kind : str
        Of the theorem, and of the claim.
    claim : str
        Which of its claims; empty where a hypothesis or an observer was changed.
    sort : str
        ``number``, ``exponent``, ``norm``, ``relation``, ``negation``, ``hypothesis``
        or ``observer``.
    change : str
        What was changed.
    outcome : str
        ``killed`` or ``survived``.
    by : str
        What killed it, or why it survived.
    """

    id: str
    kind: str
    claim: str
    sort: str
    change: str
    outcome: str = ""
    by: str = ""


# --- Changes to a line ---------------------------------------------------------------


def of_line(line: str) -> Iterator[tuple[str, str, str]]:
    """The lines that differ in one thing: sort, what was changed, the line.

    Examples
    --------
    >>> for sort, change, line in of_line("error_2 <= 2 * tail_2"):
    ...     print(sort, "|", line)
    relation | error_2 >= 2 * tail_2
    norm | error_F <= 2 * tail_2
    number | error_2 <= 1.0 * tail_2
    number | error_2 <= 4.0 * tail_2
    norm | error_2 <= 2 * tail_F
    """
    tree = ast.parse(line.strip(), mode="eval").body
    count = sum(1 for _ in ast.walk(tree))
    for place in range(count):
        yield from _at(tree, place)


def _at(tree, place):
    node = _node(tree, place)
    if isinstance(node, ast.Constant) and not isinstance(node.value, bool):
        exponent = _is_exponent(tree, node)
        for factor in FACTORS:
            changed = _with(tree, place, ast.Constant(node.value * factor))
            sort = "exponent" if exponent else "number"
            yield sort, f"{node.value} becomes {node.value * factor:g}", changed
    elif isinstance(node, ast.Name):
        other = counterpart(node.id)
        if other:
            yield "norm", f"{other} for {node.id}", _with(tree, place, ast.Name(other))
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        turned = _TURNED.get(type(node.ops[0]))
        if turned is not None:
            new = copy.copy(node)
            new.ops = [turned()]
            yield "relation", "the relation is turned", _with(tree, place, new)


_TURNED = {ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Lt: ast.Gt, ast.Gt: ast.Lt}


def _node(tree, place):
    return list(ast.walk(tree))[place]


def _with(tree, place, new) -> str:
    """The line with the node at one place exchanged."""
    other = copy.deepcopy(tree)
    old = _node(other, place)
    if old is other:
        return ast.unparse(ast.fix_missing_locations(new))

    class Exchange(ast.NodeTransformer):
        def visit(self, node):
            return new if node is old else self.generic_visit(node)

    return ast.unparse(ast.fix_missing_locations(Exchange().visit(other)))


def _is_exponent(tree, node) -> bool:
    powers = (n for n in ast.walk(tree) if isinstance(n, ast.BinOp))
    return any(isinstance(p.op, ast.Pow) and p.right is node for p in powers)


def counterpart(name: str) -> str:
    """The quantity of the same name in the next norm, empty if there is none.

    >>> counterpart("error_2"), counterpart("n")
    ('error_F', '')
    """
    for position, norm in enumerate(NORMS):
        if name.endswith(norm):
            stem = name.removesuffix(norm)
            order = NORMS[position + 1 :] + NORMS[:position]
            found = [stem + other for other in order if stem + other in QUANTITIES]
            return found[0] if found else ""
    return ""


# --- Mutants of a theorem ------------------------------------------------------------


def of(theorem: Theorem) -> Iterator[tuple[Mutant, Theorem, str]]:
    """The mutants of the claims: name, mutated theorem, claim that was changed."""
    for name, claim in theorem.claims.items():
        if claim.rate is not None:
            rate = replace(claim.rate, exponent=claim.rate.rival)
            rate = replace(rate, rival=claim.rate.exponent)
            yield _mutant(theorem, name, "exponent", "the rival's", rate=rate)
            continue
        if not claim.relation:
            yield _mutant(
                theorem, name, "negation", "negated", line=f"not {claim.line}"
            )
            continue
        for sort, change, line in of_line(claim.line):
            yield _mutant(theorem, name, sort, change, line=line)
    for symbol, where in theorem.where.items():
        users = [n for n, c in theorem.claims.items() if _uses(theorem, c, symbol)]
        for sort, change, line in of_line(where.line):
            for name in users[:1]:
                changed = {**theorem.where, symbol: Where(where.latex, line)}
                told = f"in {symbol}, {change}"
                mutated = _bare(theorem, name).but(where=changed)
                kind = theorem.claims[name].kind
                yield Mutant(theorem.id, kind, name, sort, told), mutated, name


def _bare(theorem, name):
    """The theorem with one claim and nothing to refute."""
    only = {name: theorem.claims[name]}
    return theorem.but(claims=only, controls={}, printed={}, derivation=None)


def _mutant(theorem, name, sort, change, **fields):
    claim = replace(theorem.claims[name], **fields)
    mutated = _bare(theorem, name).but(claims={name: claim})
    kind = theorem.claims[name].kind
    return Mutant(theorem.id, kind, name, sort, change), mutated, name


def _uses(theorem, claim: Claim, symbol: str) -> bool:
    waiting, seen = [claim.line], set()
    while waiting:
        for name in lines.names(lines.parse(waiting.pop())):
            if name == symbol:
                return True
            if name in theorem.where and name not in seen:
                seen.add(name)
                waiting.append(theorem.where[name].line)
    return False


def killed(theorem: Theorem, seed: int = 0, effort=SKETCH) -> str:
    """What refutes a mutated theorem, empty if nothing does."""
    rng = np.random.default_rng(seed)
    try:
        findings = verification.examine(theorem, rng, effort)
    except (ArithmeticError, LookupError, ValueError, np.linalg.LinAlgError):
        return ""
    fallen = [f for f in findings if f.outcome == "refuted"]
    return fallen[0].evidence[0] if fallen else ""


def claims_more(theorem: Theorem, mutated: Theorem, name: str, seed: int = 0) -> bool:
    """Whether a change asks for more than the theorem on some instance at hand."""
    rng = np.random.default_rng(seed)
    own, stress = search.instances_of(theorem, rng)
    before, after = theorem.claims[name], mutated.claims[name]
    for instance in (own + stress)[:60]:
        outcome = _outcome(before, instance, rng)
        if outcome is None:
            continue
        readings = reader(theorem, outcome), reader(mutated, outcome)
        if not applies(before, readings[0]):
            continue
        if _stricter(before, after, *readings):
            return True
    return False


def _outcome(claim, instance, rng):
    """The instance with a sample; None if none can be drawn: the law is only listed."""
    if not claim.law:
        return instance
    if not hasattr(instance, "draw") or LAWS[claim.law].draw is None:
        return None
    try:
        return instance.draw(claim.law, rng)
    except ValueError:  # too many samples to list
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
    if before.relation == "" or before.bound is None:
        return True
    sides = reading.value(before.bound), mutated.value(after.bound)
    values = [getattr(side, "value", math.nan) for side in sides]
    if not all(isinstance(v, float) and math.isfinite(v) for v in values):
        return True
    smaller = values[1] < values[0] * (1 - 1e-6)
    larger = values[1] > values[0] * (1 + 1e-6)
    return {"<=": smaller, ">=": larger}.get(before.relation, smaller or larger)


# --- Blind observers -----------------------------------------------------------------


def observers(theorem: Theorem) -> Iterator[tuple[str, str, object]]:
    """Observers of the sample made blind: name, what was done, the new route."""
    for name in two_routes.used(theorem):
        quantity = QUANTITIES[name]
        if quantity.when != SAMPLE or quantity.inexact or quantity.fast is None:
            continue
        yield name, "always zero", lambda i, f=quantity.fast: _zero(f(i))
        yield name, "one landmark dropped", lambda i, f=quantity.fast: _dropped(f, i)
        other = counterpart(name)
        if other and QUANTITIES[other].fast is not None:
            yield name, f"{other} in its place", QUANTITIES[other].fast
        bound = name.replace("error", "tail").replace("distance", "norm_K")
        if bound != name and bound in QUANTITIES:
            yield name, f"equal to {bound}", QUANTITIES[bound].fast


def _zero(value):
    if value is None or isinstance(value, (bool, np.bool_)):
        return False
    return np.zeros_like(value, dtype=float) if np.ndim(value) else 0.0


def _dropped(fast, instance):
    """Without the last landmark, and the last test vector if there are any."""
    if instance.l < 2 or not hasattr(instance, "landmarks"):
        return fast(instance)
    shorter = instance.but(landmarks=instance.landmarks[:-1])
    if "omega" in instance.extra:
        shorter = shorter.but(omega=instance.extra["omega"][:, :-1])
    return fast(shorter.but(rank=min(instance.k, shorter.l)))


def blind(theorem: Theorem, name: str, route, seed: int = 0) -> str | None:
    """What notices a blind observer; empty if nothing does, None if it is not blind.

    One that measures the same on every instance tried is no mutant: a dropped
    landmark changes nothing that does not depend on the landmarks. Nor is one that
    fails: an exception is no kill.
    The instances are chosen before it is blind, since a hypothesis may speak of it.
    """
    honest, rng = QUANTITIES[name], np.random.default_rng(seed)
    chosen = [replace(i) for i in two_routes.spoken_of(theorem, rng, 80)]
    dict.__setitem__(QUANTITIES, name, replace(honest, fast=route))
    try:
        found = two_routes.compare_routes(theorem, [name], rng, instances=chosen)[name]
        if found.apart is not None:
            return "the other route"
        return "" if any(_differ(honest.fast, route, i) for i in chosen) else None
    except (ArithmeticError, LookupError, ValueError):
        return None
    finally:
        dict.__setitem__(QUANTITIES, name, honest)


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
    for mutant, mutated, name in of(theorem):
        try:
            more = claims_more(theorem, mutated, name, seed)
        except (ArithmeticError, ValueError, np.linalg.LinAlgError):
            more = True
        if more:
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


class StaleError(RuntimeError):
    """The stored score was computed from other contents."""


def keep(theorems: Iterable[Theorem], progress=iter) -> MutationScore:
    """Compute what is stale, store the score of all."""
    before = _read()
    entries = {}
    for theorem in progress(list(theorems)):
        key, entry = store.contents(theorem), before.get(theorem.id)
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
    stale = [
        t.id for t in theorems if entries.get(t.id, {}).get("key") != store.contents(t)
    ]
    if stale:
        raise StaleError(f"the score of {', '.join(stale)} is stale: run {COMMAND}")
    return _score(entries)


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
