"""A claim is a line: what is asserted, under what, and what must be false beside it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from nystheory.engine.language import latex, lines
from nystheory.engine.language.quantity import CHOSEN
from nystheory.exact import kinds

WEIGHTS = {
    "misprint": "the intent is clear, a symbol went wrong",
    "missing hypothesis": "true once a condition is added",
    "gap in the proof": "the printed proof does not show the statement",
    "false statement": "there is a counterexample to what is printed",
}


# Why a bound on a chance or a mean is far from all that is met, if it is.
SUMS = (
    "the tail bound for sums of random matrices behind it serves every law of these "
    "sizes, and none that was tried is near the worst of them"
)
EXCHANGES = (
    "McDiarmid's inequality behind it serves every function that an exchange moves so "
    "little, and none that was tried is near the worst of them"
)
MARKOV = (
    "Markov's inequality behind it is attained only where the error has two values, "
    "nothing and the bound"
)
PRINTED_FORM = "its constants are those that were printed, and leave room"


@dataclass(frozen=True)
class Where:
    """A named sub-expression of a statement: 'where q = ...'.

    Parameters
    ----------
    latex : str
        Its symbol.
    line : str
        The expression; a later one may use an earlier one.
    told : bool
        Whether the list of the box has it; one whose symbol says all has no line.
    """

    latex: str
    line: str
    told: bool = True


# In place of a line: that a part lies in its range, where no line speaks of it.
IN_RANGE = "in its range"


@dataclass(frozen=True)
class Hypothesis:
    """A condition: a line in named quantities.

    Parameters
    ----------
    line : str
        ``"1 <= k <= l"``, or a named property.
    says : str
        In words, Markdown with formulas, where the line alone would not do.
    domain : bool
        Whether without it the statement has no meaning: a division by zero, say.
    necessary : str
        ``"not known"`` where no violation is known without it.
    """

    line: str
    says: str = ""
    domain: bool = False
    necessary: str = ""

    def text(self, quantities, where=None) -> str:
        """In words, or the line as a formula."""
        return self.says or f"${shown(lines.parse(self.line), quantities, where)}$"


@dataclass(frozen=True)
class Claim:
    """One thing that is asserted, as a line.

    Parameters
    ----------
    line : str
        A relation between two expressions, a named property, or a statement about
        all samples: ``mean(error_trace) <= ...``, ``chance(error_2 > ...) <= delta``.
    when : str
        A line: where this claim speaks at all.
    law : str
        How the columns are sampled, where the line has a mean or a chance.
    says : str
        Words before the formula.
    reason : str
        Why few cases, or many that float64 cannot decide, are enough here.
    rate : Rate, optional
        For a claim about an exponent.
    support : (str, str), optional
        Two lines, between which lies every value that a mean is taken of; with them
        the interval for the mean is exact.
    """

    line: str
    when: str = ""
    law: str = ""
    says: str = ""
    reason: str = ""
    rate: Rate | None = None
    support: tuple[str, str] | None = None

    def __post_init__(self):
        if self.law:
            kinds.check_stages(self.law, self.tree)
        exponents = [str(e) for e in _exponents(self.tree)] if self.rate else []
        if self.rate and exponents != [str(self.rate.exponent)]:
            raise ValueError(
                f"rate: expected {self.rate.exponent} as the one exponent of "
                f"{self.line!r}, got {exponents}"
            )

    @cached_property
    def tree(self) -> ast.AST:
        return lines.parse(self.line)

    @property
    def relation(self) -> str:
        """``<=`` and so on; empty for a property."""
        return lines.relation(self.tree)

    @cached_property
    def conditions(self) -> list[str]:
        """The parts of the condition under which it speaks, all of which are met."""
        tree = lines.parse(self.when) if self.when else None
        joined = isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And)
        parts = tree.values if joined else [tree] * bool(self.when)
        return [ast.unparse(part) for part in parts]

    @cached_property
    def kind(self) -> str:
        """What is compared: property, identity, inequality, probability and so on."""
        if self.rate is not None:
            return "rate"
        called = {n.func.id for n in ast.walk(self.tree) if isinstance(n, ast.Call)}
        if "chance" in called:
            return "probability"
        if "mean" in called:
            return "expectation"
        if not self.relation:
            return "property"
        return "identity" if self.relation == "==" else "inequality"

    @property
    def sides(self) -> tuple[ast.AST, ast.AST]:
        """Left and right of the relation."""
        return self.tree.left, self.tree.comparators[0]

    def bounding(self, quantities) -> ast.AST | None:
        """The side that a user computes before sampling, None for an identity.

        For a chance it is the bound inside, which fails with that chance; where
        nothing inside is computed, or the chance depends on the matrix, the chance.
        """
        if not self.relation or self.kind == "rate":
            return None
        left, right = self.sides
        if isinstance(right, (ast.Compare, ast.BoolOp)):
            return None
        events = self.events(quantities)
        return events[0].comparators[0] if len(events) == 1 else right

    def events(self, quantities) -> list[ast.Compare]:
        """What a claim about a chance calls a failure: a number beyond its bound.

        More than one where the event is one or another of them; empty where nothing
        inside is computed, or the chance depends on the matrix.
        """
        left, right = self.sides
        if self.kind != "probability" or not _is_call(left):
            return []
        event, either = left.args[0], ast.Or
        either = isinstance(event, ast.BoolOp) and isinstance(event.op, either)
        events = event.values if either else [event]
        told = all(map(_has_bound, events)) and not _is_measured(right, quantities)
        return events if told else []

    def but(self, changes: Mapping[str, str]) -> Claim:
        """The claim with pieces of its line exchanged, each found exactly once.

        Examples
        --------
        >>> Claim("error_2 <= tail_2 + 2 * distance_2").but({"2 *": "1.8 *"}).line
        'error_2 <= tail_2 + 1.8 * distance_2'
        """
        line = self.line
        for old, new in changes.items():
            if line.count(old) != 1:
                raise ValueError(f"{old!r}: expected once in {line!r}")
            line = line.replace(old, new)
        return replace(self, line=line)


def _exponents(tree) -> list:
    """The numbers to which something is raised."""
    powers = (n for n in ast.walk(tree) if isinstance(n, ast.BinOp))
    raised = (n.right for n in powers if isinstance(n.op, ast.Pow))
    return [ast.literal_eval(right) for right in raised]


def _is_call(tree) -> bool:
    return isinstance(tree, ast.Call)


def _is_measured(tree, quantities) -> bool:
    """Whether a number depends on more than what is chosen."""
    known = [quantities[name] for name in lines.names(tree) if name in quantities]
    return any(quantity.when != CHOSEN for quantity in known)


def _has_bound(event) -> bool:
    """Whether an event is that something exceeds a number that is computed."""
    relation = lines.relation(event) if event is not None else ""
    return relation in ("<=", ">=", "<", ">") and bool(
        lines.names(event.comparators[0])
    )


@dataclass(frozen=True)
class Rate:
    """An exponent that is claimed, and the one it must be told from.

    Parameters
    ----------
    sizes : tuple of int
        Where the error is measured.
    measure : callable (size, rng) -> float
    exponent, rival : float
        ``error ~ size ** exponent``; the interval for the slope must hold the first,
        exclude the second and be no wider than `width`.
    width : float
    repeats : int
        Independent measurements at each size.
    """

    sizes: tuple[int, ...]
    measure: Callable
    exponent: float
    rival: float
    width: float
    repeats: int = 20


@dataclass(frozen=True, eq=False)
class Control:
    """A claim of the theorem with one thing changed, and false.

    Parameters
    ----------
    of : str
        The name of the claim.
    change : mapping of str to str
        The piece of the line that is exchanged; none where an instance without a
        hypothesis, or another law, is the change.
    on : Instance or Rate
        Where it is refuted; for a rate, what is measured in its place.
    drops : str
        The hypothesis that the instance does not meet, by its name.  Such a control
        shows that it is necessary.
    lacks : str
        What the instance does not have: of the condition under which the claim speaks
        a part, as its line is; or what the setting gives, in words.
    law : str
        Another law of the sample, where that is the change.
    inexact : str
        Why there is no refutation in exact or ball arithmetic, where there is none.
    unseen : str
        Why the float64 observers cannot see it, where only the proof can.
    """

    of: str
    on: Any
    change: Mapping[str, str] = field(default_factory=dict)
    drops: str = ""
    law: str = ""
    inexact: str = ""
    unseen: str = ""
    lacks: str = ""

    def __post_init__(self):
        without = bool(self.drops) + bool(self.lacks)
        changed = len(self.change) + without + bool(self.law)
        if changed != 1:
            raise ValueError(f"a control changes one thing, this one {changed}")


@dataclass(frozen=True, eq=False)
class Printed:
    """What was printed where it differs from what holds.

    Parameters
    ----------
    line : str
        The printed form.
    weight : str
        One of `WEIGHTS`.
    why : str
        One paragraph: what goes wrong and what the smallest counterexample shows.
    on : Instance
        The smallest counterexample.
    says : str
        The printed form, where the line alone would not do: a quotation, of which
        ``…`` leaves something out, and nothing else. Bold type need not be kept.
        Where it has other letters than the source it ends with ``(in the book's
        letters: ...)``, and where a sign is lost ``(the text at hand lacks ...)``.
    drops : str
        The hypothesis that the source does not have, and the instance does not meet.
    law, inexact, unseen : str
        As for a control.
    since : str
        The version of the book in which the entry appeared.
    """

    line: str
    weight: str
    why: str
    on: Any
    says: str = ""
    law: str = ""
    inexact: str = ""
    unseen: str = ""
    drops: str = ""
    since: str = "0.1.0"

    def __post_init__(self):
        if self.weight not in WEIGHTS:
            expected = f"expected one of {sorted(WEIGHTS)}"
            raise ValueError(f"weight: {expected}, got {self.weight!r}")

    def text(self, quantities) -> str:
        """In words where it has them, else the line as a formula."""
        return self.says or f"${shown(lines.parse(self.line), quantities)}$"

    @property
    def instance(self):
        """The counterexample."""
        return self.on


def shown(tree, quantities, where=None) -> str:
    """LaTeX of a tree, with the symbols of a world and of a theorem."""
    own = {name: w.latex for name, w in (where or {}).items()}
    return latex.latex(tree, quantities.symbols() | own)


def opened(texts, where, quantities) -> dict[str, str]:
    """The composed quantities below some lines, each before what it is made of."""
    found = {}
    for text in texts:
        for name in lines.names(lines.parse(text)):
            quantity = quantities.get(name)
            if name not in where and name not in found and quantity and quantity.line:
                found[name] = quantity.line
                found |= opened([quantity.line], {**where, **found}, quantities)
    return found
