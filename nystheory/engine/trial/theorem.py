"""What a theorem is: setting, hypotheses, claims, controls, what was printed."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from nystheory.engine.language import lines
from nystheory.engine.language.claims import (
    IN_RANGE,
    Claim,
    Control,
    Hypothesis,
    Printed,
    Where,
    opened,
)
from nystheory.engine.language.quantity import CHOSEN, SAMPLE, Quantities
from nystheory.engine.language.stated import Stated
from nystheory.engine.promises.bounded import Bounded
from nystheory.engine.promises.promises import Promise
from nystheory.engine.worlds import laws
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.worlds import World

KINDS = (
    "identity",
    "inequality",
    "probability",
    "expectation",
    "rate",
    "definition",
    "claim",
    "algorithm",
    "experiment",
)


@dataclass(frozen=True, eq=False)
class Theorem(Stated, Bounded):
    """A numbered result: what it says, when, why, and how to try to break it.

    Parameters
    ----------
    id : str
        ``source:kind-number`` as in the ledger, say ``talwalkar2010:thm-2.3``.
    title, number : str
        Name, and number in the source.
    kind, status : str
        One of `KINDS`, and what the audit of the source found.
    setting : str
        What is given, Markdown with formulas.
    hypotheses : mapping of str to Hypothesis or line
    claims : mapping of str to Claim or line
        Together they are the statement.
    controls : mapping of str to Control
    printed : mapping of str to Printed
    where : mapping of str to Where
        Named sub-expressions of the claims.
    world : type, optional
        What it speaks of: the columns of one matrix by default.
    cases : callable (rng) -> iterable of instances, optional
        Instances of the theorem's own.
    suite : bool
        Whether the stress suite and the search apply besides.
    derivation : Derivation, optional
    loose : mapping of str to str
        Why less than a third of the allowed chance was met, and less than a third of
        the bound, of a claim about a chance or a mean; by its name.
    promises : mapping of str to Promise or str
        What a user is promised by a claim that bounds an error from what is known
        before sampling, or why it is left out; by the name of the claim.

    Attributes
    ----------
    module : str
        Where it stands, once it is in the registry; a changed copy stands nowhere.
    book_number : str
        What the book calls it, ``Theorem 9.5``; empty where it stands nowhere.
    reference : str
        Its source in words; empty where it stands nowhere.
    """

    id: str
    title: str
    number: str
    kind: str
    status: str
    setting: str
    claims: Mapping[str, Claim]
    controls: Mapping[str, Control]
    hypotheses: Mapping[str, Hypothesis] = field(default_factory=dict)
    printed: Mapping[str, Printed] = field(default_factory=dict)
    where: Mapping[str, Where] = field(default_factory=dict)
    world: type = Instance
    cases: Callable[[Any], Iterable[Any]] | None = None
    suite: bool = True
    derivation: Any = None
    loose: Mapping[str, str] = field(default_factory=dict)
    promises: Mapping[str, Promise | str] = field(default_factory=dict)
    module: str = field(default="", init=False)
    book_number: str = field(default="", init=False)
    reference: str = field(default="", init=False)

    def __post_init__(self):
        if self.kind not in KINDS:
            raise ValueError(f"kind: expected one of {KINDS}, got {self.kind!r}")
        if not self.claims:
            raise ValueError(f"{self.id}: a theorem needs at least one claim")
        for name, cls in (("claims", Claim), ("hypotheses", Hypothesis)):
            object.__setattr__(self, name, _of_lines(getattr(self, name), cls))
        object.__setattr__(self, "hypotheses", self._with_ranges())
        self._check()

    def _with_ranges(self) -> dict[str, Hypothesis]:
        """The hypotheses, and before them the range of each part that it speaks of.

        It is the domain of what is said, or a control shows why it is there.  A
        hypothesis under the name of the part stands in its place.  What the world adds
        to others is always spoken of: its quantities may read it.
        """
        told = (pair for some in self._lined() for pair in some.items())
        trees = [self._tree(x, t.line) for x, t in told if t.line != IN_RANGE]
        trees += [self._tree(x, c.when) for x, c in self.claims.items() if c.when]
        texts = [ast.unparse(tree) for tree in trees]
        trees += map(lines.parse, opened(texts, self.where, self.quantities).values())
        spoken = {x for tree in trees for x in lines.names(tree)}
        dropped = {control.drops for control in self.controls.values()}
        spoken |= set(self.world.parts) - {*World.parts, *Instance.parts}
        spoken |= {x for x, told in self.hypotheses.items() if told.line == IN_RANGE}
        own = {x: t for x, t in self.hypotheses.items() if t.line != IN_RANGE}
        found = {
            name: Hypothesis(*known.range, domain=name not in dropped)
            for name, known in self.quantities.items()
            if name in spoken and known.range[0]
        }
        return found | own

    def _lined(self) -> tuple[Mapping, ...]:
        """What has a line, by name."""
        return self.hypotheses, self.where, self.claims

    def _check(self):
        """Every name is known, and every control is of a claim."""
        for name, claim in self.claims.items():
            self._check_line(name, claim.line)
            self._check_line(name, claim.when or "True")
            self._check_law(name, claim.law, claim.kind)
        for name, control in self.controls.items():
            self._claim(control.of)
            self._tree(f"control {name!r}", self.changed(control).line)
            self._check_law(name, control.law, self.claims[control.of].kind)
        for name, printed in self.printed.items():
            self._tree(f"printed {name!r}", printed.line)
        for name in self.loose:
            self._claim(name)
        for name, promise in self.promises.items():
            self._claim(name)
            if isinstance(promise, Promise):
                self._check_promise(name, promise)
        for some in (self.hypotheses, self.where):
            for name, each in some.items():
                self._check_line(name, each.line)
        self._check_symbols()
        for name, claim in self.claims.items():
            self._check_when(name, claim)
        for source in (*self.controls.values(), *self.printed.values()):
            if source.drops and source.drops not in self.hypotheses:
                raise ValueError(f"{self.id}: no hypothesis is called {source.drops!r}")

    def _check_law(self, name, law, kind):
        """Every stage is a law; what stands for a continuous one has means only."""
        for stage in law.split(" >> ") if law else ():
            found = laws.of(self.world, stage)
            if found.means_only and kind == "probability":
                raise ValueError(
                    f"{self.id}, {name}: expected a mean over {stage!r}, for which a "
                    "finite measure stands, got a chance"
                )

    def _check_when(self, name, claim):
        """Where a claim speaks is not said by what it claims: ``a == b`` when it is.

        Not through the name of a sub-expression either; what an instance brings along
        is no observation.
        """
        tree = claim.sides[0] if claim.relation else claim.tree
        spoken = self.needed(lines.parse(claim.when or "0"))
        both = set(self.needed(tree)) & set(spoken)
        known = self.quantities
        told = [x for x in sorted(both) if self._is_of_the_sample(x)]
        told = [x for x in told if not known[x].part]
        if told:
            raise ValueError(
                f"{self.id}, {name}: expected a `when` that does not speak of "
                f"{', '.join(told)}, as the left side of the claim does"
            )

    def _is_of_the_sample(self, name) -> bool:
        known = self.quantities
        return name in known and known[name].when == SAMPLE

    def _check_promise(self, name, promise):
        """It fixes what a user chooses, and nothing that K or a sample tells."""
        if promise.columns:
            self._claim(promise.columns)
        measured = [
            symbol
            for symbol in (*promise.given, *promise.free)
            if symbol != "k" and self.quantities[symbol].when != CHOSEN
        ]
        if measured:
            raise ValueError(
                f"{self.id}, promise of {name!r}: expected numbers that are chosen, "
                f"got {', '.join(measured)}"
            )

    def _check_symbols(self):
        """No name, and in this box no symbol, means two things."""
        used = [c.line for c in self.claims.values()] + [*self.where_lines.values()]
        names = {name for line in used for name in lines.names(lines.parse(line))}
        known = self.quantities
        taken = {known[n].latex: n for n in names if n in known}
        for name, where in self.where.items():
            if name in known:
                raise ValueError(f"{self.id}: {name!r} is a quantity already")
            if where.latex in taken:
                other = taken[where.latex]
                raise ValueError(f"{self.id}: {where.latex} is {name!r} and {other!r}")

    def _tree(self, name, line):
        try:
            return lines.parse(line)
        except ValueError as error:
            raise ValueError(f"{self.id}, {name}: {error}") from error

    def _check_line(self, name, line):
        for symbol in lines.names(self._tree(name, line)):
            if symbol not in self.quantities and symbol not in self.where:
                raise ValueError(f"{self.id}, {name}: no quantity is called {symbol!r}")

    def _claim(self, name: str) -> Claim:
        if name not in self.claims:
            known = ", ".join(map(repr, self.claims))
            raise ValueError(f"{self.id}: no claim is called {name!r}; it has {known}")
        return self.claims[name]

    def __repr__(self):
        return f"Theorem({self.id!r}, {self.number}: {self.title})"

    # --- Where it stands --------------------------------------------------------------

    def __reduce__(self):
        """A theorem of the book is pickled by its id: it may hold local functions."""
        if not self.module:
            return super().__reduce__()
        return _of_module, (self.module, self.id)

    def stands_in(self, module: str, book_number="", reference="") -> None:
        """Told by the registry, once: its module, its number, its source in words."""
        object.__setattr__(self, "module", module)
        object.__setattr__(self, "book_number", book_number)
        object.__setattr__(self, "reference", reference)

    @property
    def chapter(self) -> str:
        """The folder of its chapter, named as its text; empty if it stands nowhere."""
        return self.module.split(".")[-3] if self.module else ""

    @property
    def file(self) -> Path | None:
        """The file that holds the object, None if it stands nowhere."""
        return Path(sys.modules[self.module].__file__) if self.module else None

    @property
    def text(self) -> Path | None:
        """The text of its chapter, None if it has none or the book is not here."""
        if not self.module:
            return None
        path = self.file.parents[4] / "book" / "md" / f"{self.chapter}.md"
        return path if path.is_file() else None

    # --- Its lines --------------------------------------------------------------------

    @property
    def quantities(self) -> Quantities:
        """What its lines may speak of: the quantities of its world."""
        return self.world.quantities

    @cached_property
    def where_lines(self) -> dict[str, str]:
        """The lines of named sub-expressions and of composed quantities, by name."""
        used = [
            *(line for c in self.claims.values() for line in (c.line, c.when or "0")),
            *(self.changed(control).line for control in self.controls.values()),
            *(h.line for h in self.hypotheses.values()),
            *(p.line for p in self.printed.values()),
            *(w.line for w in self.where.values()),
        ]
        own = {name: w.line for name, w in self.where.items()}
        return own | opened(used, self.where, self.quantities)

    def changed(self, control: Control) -> Claim:
        """The false claim of a control."""
        claim = self.claims[control.of].but(control.change)
        return replace(claim, law=control.law or claim.law)

    def but(self, **changes) -> Theorem:
        """A copy with some fields exchanged: for planted errors and exercises.

        A promise goes with its claims.
        """
        claims = changes.get("claims", self.claims)
        kept = {
            name: promise
            for name, promise in self.promises.items()
            if {name, getattr(promise, "columns", "") or name} <= set(claims)
        }
        loose = {name: why for name, why in self.loose.items() if name in claims}
        return replace(self, **{"promises": kept, "loose": loose, **changes})

    def asserting(self, **claims: str | Claim) -> Theorem:
        """A copy that claims something else and has no controls: for exercises.

        Its verdict can be refuted, and is never good.
        """
        return self.but(
            claims=claims, controls={}, printed={}, promises={}, derivation=None
        )


def _of_lines(named, cls):
    return {
        name: cls(value) if isinstance(value, str) else value
        for name, value in named.items()
    }


def _of_module(module: str, id: str) -> Theorem:
    """The theorem of this id in a module."""
    found = vars(import_module(module)).values()
    return next(x for x in found if isinstance(x, Theorem) and x.id == id)
