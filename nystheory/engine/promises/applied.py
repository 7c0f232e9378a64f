"""One claim on one matrix: its conditions, its bound and its chance for any choice."""

from __future__ import annotations

import ast
import math
from functools import cached_property

import numpy as np

from nystheory.engine.language import lines
from nystheory.engine.language.quantity import BEFORE, SAMPLE
from nystheory.engine.promises.known import Known, asks_for_rank
from nystheory.engine.promises.screens import SLACK, Beyond, Screen


def parts(claim):
    """Trees of what is bounded, of the bound and of the chance (None: of a mean)."""
    left, right = claim.sides
    called = left.func.id if isinstance(left, ast.Call) else ""
    if called == "mean":
        return left.args[0], right, None
    if called != "chance":
        return left, right, ast.Constant(0)
    event = left.args[0]
    if lines.relation(event) == "!=":  # what is not recovered
        return event.left, ast.Constant(0), right
    return event.left, event.comparators[0], right


def root(tree) -> float:
    """The power to which the error is raised on the left side."""
    raised = isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Pow)
    return float(ast.literal_eval(tree.right)) if raised else 1.0


def _of_the_sample(theorem, tree) -> bool:
    known = theorem.quantities
    return any(known[name].when == SAMPLE for name in theorem.needed(tree))


def needs(theorem, text) -> list[str]:
    """What a line is computed from."""
    return theorem.needed(lines.parse(text))


def _met(tree, reading) -> bool | None:
    """Whether a condition is met, also where float64 tells only a least rank of K.

    None where what is known of the matrix does not decide it.
    """
    met = reading.value(tree)
    if met is None and asks_for_rank(tree):
        least = reading.instance.but(rank_K=reading.instance.rank_K)
        again = least.reader(reading.where)
        met = again.value(tree) or None  # it may be larger
    return met


def _by_definition(tree, given) -> bool:
    """Whether both sides of a condition are one line, with what the scheme fixes."""
    if not isinstance(tree, ast.Compare) or len(tree.ops) > 1:
        return False
    one, other = (ast.unparse(x) for x in (tree.left, tree.comparators[0]))
    same = given.get(one, one) == given.get(other, other)
    return same and isinstance(tree.ops[0], (ast.LtE, ast.GtE, ast.Eq))


class AppliedClaim:
    """One claim on one matrix: conditions, bound and chance for any choice.

    A hopeful one takes what is not known of the matrix at its best.
    """

    def __init__(self, theorem, name, instance, delta, hopeful=False):
        self.hopeful = hopeful
        self.claim, self.promise = theorem.claims[name], theorem.promises[name]
        self.theorem, self.delta = theorem, delta
        self.instance = Known.of(instance, theorem.world)
        self.left, self.right, self.chance = parts(self.claim)
        self.where = theorem.where_lines
        texts = [text for text in (self.claim.when, self.promise.when) if text]
        spoken = [x for text in [self.claim.line, *texts] for x in needs(theorem, text)]
        texts += [theorem.hypotheses[name].line for name in theorem.asked(spoken)]
        if self.promise.columns:
            number = theorem.claims[self.promise.columns].sides[1]
            texts.append(f"{ast.unparse(number)} <= l")
        parsed = [lines.parse(text) for text in texts]
        # What is said of the sample is the business of the scheme, and so is what is
        # so by what it fixes; a matrix order takes eigenvalues and is asked last.
        said = [
            tree
            for tree in parsed
            if not _of_the_sample(theorem, tree)
            and not _by_definition(tree, self.promise.given)
        ]
        self.conditions = sorted(said, key=lambda tree: "below(" in ast.unparse(tree))
        trees = [self.right, *self.conditions]
        trees += [] if self.chance is None else [self.chance]
        self.needed = {name for tree in trees for name in theorem.needed(tree)}

    def reader(self, chosen):
        """What evaluates lines for a choice."""
        rank = int(chosen.get("k", self.instance.k))
        values = {name: x for name, x in chosen.items() if name != "k"}
        case = self.instance.but(rank=rank, **values)
        for name, given in self.promise.given.items():
            if isinstance(given, str):
                reading = case.reader(self.where)
                given = reading.value(lines.parse(given)).value
            case = case.but(**{name: given})
        return case.reader(self.where)

    def holds(self, chosen) -> bool:
        """Whether all conditions are met, and failure is rare enough."""
        reading = self.reader(chosen)
        if not all(self._fine(_met(tree, reading)) for tree in self.conditions):
            return False
        if self.chance is None or "delta" in lines.names(self.chance):
            return True
        fails = self._number(reading, self.chance)
        return self._fine(None if math.isnan(fails) else fails <= self.delta)

    def _fine(self, met) -> bool:
        return met is not False if self.hopeful else met is True

    def open(self, chosen) -> list[ast.AST]:
        """Conditions, and the chance, that nobody decides for a choice."""
        reading = self.reader(chosen)
        found = [tree for tree in self.conditions if _met(tree, reading) is None]
        some = self.chance is not None and math.isnan(self.fails(chosen))
        rare = f"{ast.unparse(self.chance)} <= {self.delta}" if some else ""
        return [*found, lines.parse(rare)] if some else found

    @cached_property
    def unknown(self) -> set[str]:
        """Which of the quantities that it needs cannot be told of the matrix."""
        found = set()
        for name in self.needed:
            if self.theorem.quantities[name].when != BEFORE:
                continue
            try:
                value = self.instance.measured(self.theorem.quantities[name])
            except ValueError:  # of a number that is chosen later
                continue
            if getattr(value, "unknown", value is None):
                found.add(name)
        return found

    def hopeless(self, chosen, free) -> bool:
        """Whether a condition fails that no rank and no free number can mend."""
        known, scope = self.instance, (self.theorem.world, *self.where.items())
        loose = {"rank", *(("chosen", symbol) for symbol in free)}
        for tree in self.conditions:
            if set(self.theorem.needed(tree)) & {"k", *free, *self.promise.given}:
                continue
            key, reading = ("met", ast.unparse(tree), scope), self.reader(chosen)
            met = known.memo.get(
                key, reading.instance, lambda t=tree, r=reading: _met(t, r)
            )
            if not self._fine(met) and not any(
                known.memo.depends(key, name) for name in loose
            ):
                return True
        return False

    def bound(self, chosen) -> float:
        """On the error itself, for a choice."""
        value = self._number(self.reader(chosen), self.right)
        return value if math.isnan(value) else max(value, 0.0) ** (1 / root(self.left))

    def screen(self, ranks, known) -> Screen:
        """A look at many ranks at once."""
        if any(isinstance(given, str) for given in self.promise.given.values()):
            raise Beyond("what the scheme fixes by K")
        given = {**self.instance.chosen, **known, **self.promise.given}
        case = self.instance.but(**known)
        return Screen(case, case.quantities, self.where, ranks, given)

    def may_hold(self, screen):
        """For each rank whether the conditions may be met; not where False."""
        met = np.ones(len(screen.ranks), dtype=bool)
        for tree in self.conditions:
            if self.hopeful and self.unknown & set(self.theorem.needed(tree)):
                continue
            if asks_for_rank(tree):  # the least rank will do
                least = screen.but(rank_K=float(self.instance.rank_K))
                met &= least.may(tree)
            else:
                met &= screen.may(tree)
        if self.chance is not None and "delta" not in lines.names(self.chance):
            met &= ~(screen.value(self.chance) > self.delta * (1 + SLACK))
        return met

    def bounds(self, screen) -> np.ndarray:
        """The bound for each rank, nearly; NaN where it has none."""
        found = np.broadcast_to(screen.value(self.right), screen.ranks.shape)
        return np.maximum(found, 0.0) ** (1 / root(self.left))

    def fails(self, chosen) -> float | None:
        """With what probability."""
        if self.chance is None:
            return None
        return self._number(self.reader(chosen), self.chance)

    def _number(self, reading, tree) -> float:
        return float(self.instance.said(reading.value(tree)))
