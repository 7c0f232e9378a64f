"""Every theorem a little wrong: what one thing can be changed in it.

A number, an exponent, a norm, a relation in a line; an observer that is blind.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from nystheory.engine.language import lines
from nystheory.engine.language.claims import Claim
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.trial import two_routes
from nystheory.engine.trial.theorem import Theorem

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


def of_line(line: str, quantities) -> Iterator[tuple[str, str, str]]:
    """The lines that differ in one thing: sort, what was changed, the line.

    One that then compares a thing with itself is left out: it claims nothing.

    Examples
    --------
    >>> from nystheory.engine import QUANTITIES
    >>> for sort, change, line in of_line("error_2 <= 2 * tail_2", QUANTITIES):
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
        for sort, change, changed in _at(tree, place, quantities):
            if not _says_nothing(changed):
                yield sort, change, changed


def _says_nothing(line) -> bool:
    tree = ast.parse(line, mode="eval").body
    if not isinstance(tree, ast.Compare) or len(tree.ops) > 1:
        return False
    return ast.dump(tree.left) == ast.dump(tree.comparators[0])


def _at(tree, place, quantities):
    node = _node(tree, place)
    if isinstance(node, ast.Constant) and not isinstance(node.value, bool):
        exponent = _is_exponent(tree, node)
        for factor in FACTORS:
            changed = _with(tree, place, ast.Constant(node.value * factor))
            sort = "exponent" if exponent else "number"
            yield sort, f"{node.value} becomes {node.value * factor:g}", changed
    elif isinstance(node, ast.Name):
        other = counterpart(node.id, quantities)
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


def counterpart(name: str, quantities) -> str:
    """The quantity of the same name in the next norm, empty if there is none.

    >>> from nystheory.engine import QUANTITIES
    >>> counterpart("error_2", QUANTITIES), counterpart("n", QUANTITIES)
    ('error_F', '')
    """
    for position, norm in enumerate(NORMS):
        if name.endswith(norm):
            stem = name.removesuffix(norm)
            order = NORMS[position + 1 :] + NORMS[:position]
            found = [stem + other for other in order if stem + other in quantities]
            return found[0] if found else ""
    return ""


# --- Mutants of a theorem ------------------------------------------------------------


def of(theorem: Theorem) -> Iterator[tuple[Mutant, Theorem]]:
    """The mutants of the claims, each with the theorem of the claims it changes."""
    for name, claim in theorem.claims.items():
        if claim.rate is not None:
            yield _mutant(theorem, name, "exponent", "the rival's", **_rival(claim))
            continue
        if not claim.relation:
            yield _mutant(
                theorem, name, "negation", "negated", line=f"not {claim.line}"
            )
            continue
        for sort, change, line in of_line(claim.line, theorem.quantities):
            yield _mutant(theorem, name, sort, change, line=line)
    for symbol, where in theorem.where.items():
        users = {n: c for n, c in theorem.claims.items() if _uses(theorem, c, symbol)}
        lines = of_line(where.line, theorem.quantities) if users else ()
        for sort, change, line in lines:
            changed = {**theorem.where, symbol: replace(where, line=line)}
            first, kind = next((n, c.kind) for n, c in users.items())
            mutant = Mutant(theorem.id, kind, first, sort, f"in {symbol}, {change}")
            yield mutant, _bare(theorem, users).but(where=changed)


def _rival(claim) -> dict:
    """The line and the rate with the two exponents exchanged."""
    rate = claim.rate
    changed = replace(rate, exponent=rate.rival, rival=rate.exponent)
    powers = (n for n in ast.walk(claim.tree) if isinstance(n, ast.BinOp))
    old = next(n.right for n in powers if isinstance(n.op, ast.Pow))
    place = [*ast.walk(claim.tree)].index(old)
    new = ast.parse(str(rate.rival), mode="eval").body
    return {"line": _with(claim.tree, place, new), "rate": changed}


def _bare(theorem, claims):
    """The theorem with some claims and nothing to refute."""
    return theorem.but(claims=claims, controls={}, printed={}, derivation=None)


def _mutant(theorem, name, sort, change, **fields):
    claim = replace(theorem.claims[name], **fields)
    mutant = Mutant(theorem.id, theorem.claims[name].kind, name, sort, change)
    return mutant, _bare(theorem, {name: claim})


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


# --- Blind observers -----------------------------------------------------------------


def observers(theorem: Theorem) -> Iterator[tuple[str, str, object]]:
    """Observers of the sample made blind: name, what was done, the new route."""
    known = theorem.quantities
    for name in two_routes.used(theorem):
        quantity = known[name]
        if quantity.when != SAMPLE or quantity.part or not quantity.fast:
            continue
        if quantity.inexact:
            continue
        yield name, "always zero", lambda i, f=quantity.fast: _zero(f(i))
        yield name, "one landmark dropped", lambda i, f=quantity.fast: _dropped(f, i)
        other = counterpart(name, known)
        if other and known[other].fast is not None:
            yield name, f"{other} in its place", known[other].fast
        bound = name.replace("error", "tail").replace("distance", "norm_K")
        if bound != name and bound in known:
            yield name, f"equal to {bound}", known[bound].fast


def _zero(value):
    if value is None or isinstance(value, (bool, np.bool_)):
        return False
    return np.zeros_like(value, dtype=float) if np.ndim(value) else 0.0


def _dropped(fast, instance):
    """Without the last landmark, where there is one to drop."""
    shorter = instance.without_last()
    return fast(instance if shorter is None else shorter)
