"""What a theorem is: setting, hypotheses, claims, controls, what was printed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from nystheory import style
from nystheory.engine import latex, lines
from nystheory.engine.quantities import CHOSEN, QUANTITIES, symbols
from nystheory.kernels import as_kernel
from nystheory.sampling import as_indices

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
SOURCES = {
    "talwalkar2010": (
        "A. Talwalkar, Matrix Approximation for Large-scale Learning, PhD thesis, "
        "New York University, 2010"
    ),
    "modern": "results since 2006, from the papers that the number of each names",
}
WEIGHTS = {
    "misprint": "the intent is clear, a symbol went wrong",
    "missing hypothesis": "true once a condition is added",
    "gap in the proof": "the statement holds, the printed proof does not show it",
    "false statement": "there is a counterexample to what is printed",
}


@dataclass(frozen=True)
class Where:
    """A named sub-expression of a statement: 'where q = ...'.

    Parameters
    ----------
    latex : str
        Its symbol.
    line : str
        The expression; a later one may use an earlier one.
    """

    latex: str
    line: str


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

    def text(self, where=None) -> str:
        """In words, or the line as a formula."""
        return self.says or f"${shown(lines.parse(self.line), where)}$"


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

    @cached_property
    def tree(self) -> ast.AST:
        return lines.parse(self.line)

    @property
    def relation(self) -> str:
        """``<=`` and so on; empty for a property."""
        return lines.relation(self.tree)

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

    @cached_property
    def bound(self) -> ast.AST | None:
        """The side that a user computes before sampling, None for an identity.

        For a chance it is the bound inside, which fails with that chance; where
        nothing inside is computed, or the chance depends on the matrix, the chance.
        """
        if not self.relation or self.kind == "rate":
            return None
        left, right = self.sides
        if isinstance(right, (ast.Compare, ast.BoolOp)):
            return None
        inner = left.args[0] if self.kind == "probability" and _is_call(left) else None
        told = _has_bound(inner) and not _is_measured(right)
        return inner.comparators[0] if told else right

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


def _is_call(tree) -> bool:
    return isinstance(tree, ast.Call)


def _is_measured(tree) -> bool:
    """Whether a number depends on more than what is chosen."""
    known = [QUANTITIES[name] for name in lines.names(tree) if name in QUANTITIES]
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
        The hypothesis that the instance does not meet, by its name, or what the
        setting gives.  Such a control shows that it is necessary.
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

    def __post_init__(self):
        changed = len(self.change) + bool(self.drops) + bool(self.law)
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
        The printed form in words, where the line alone would not do.
    law, inexact, unseen : str
        As for a control.
    """

    line: str
    weight: str
    why: str
    on: Any
    says: str = ""
    law: str = ""
    inexact: str = ""
    unseen: str = ""

    def __post_init__(self):
        if self.weight not in WEIGHTS:
            expected = f"expected one of {sorted(WEIGHTS)}"
            raise ValueError(f"weight: {expected}, got {self.weight!r}")

    @property
    def statement(self) -> str:
        """In words where it has them, else the line as a formula."""
        return self.says or f"${shown(lines.parse(self.line))}$"

    @property
    def instance(self):
        """The counterexample."""
        return self.on


@dataclass(frozen=True, eq=False)
class Theorem:
    """A numbered result: what it says, when, why, and how to try to break it.

    Parameters
    ----------
    id : str
        ``source:kind-number`` as in the ledger, say ``talwalkar2010:thm-2.3``.
    title, number : str
        Name, and number in the source.
    part, kind, status : str
        Part of the book, one of `KINDS`, and what the audit of the source found.
    setting : str
        What is given, Markdown with formulas.
    hypotheses : mapping of str to Hypothesis or line
    claims : mapping of str to Claim or line
        Together they are the statement.
    controls : mapping of str to Control
    printed : mapping of str to Printed
    where : mapping of str to Where
        Named sub-expressions of the claims.
    complete : callable (Instance, rng) -> Instance or None, optional
        Adds what the statement quantifies over besides K: a ridge, a competitor.
    cases : callable (rng) -> iterable of Instance, optional
        Instances of the theorem's own.
    suite : bool
        Whether the stress suite and the search apply besides.
    derivation : Derivation, optional
    """

    id: str
    title: str
    number: str
    part: str
    kind: str
    status: str
    setting: str
    claims: Mapping[str, Claim]
    controls: Mapping[str, Control]
    hypotheses: Mapping[str, Hypothesis] = field(default_factory=dict)
    printed: Mapping[str, Printed] = field(default_factory=dict)
    where: Mapping[str, Where] = field(default_factory=dict)
    complete: Callable | None = None
    cases: Callable[[Any], Iterable[Any]] | None = None
    suite: bool = True
    derivation: Any = None

    def __post_init__(self):
        if self.kind not in KINDS:
            raise ValueError(f"kind: expected one of {KINDS}, got {self.kind!r}")
        if not self.claims:
            raise ValueError(f"{self.id}: a theorem needs at least one claim")
        for name, cls in (("claims", Claim), ("hypotheses", Hypothesis)):
            object.__setattr__(self, name, _of_lines(getattr(self, name), cls))
        self._check()

    def _check(self):
        """Every name is known, and every control is of a claim."""
        for name, claim in self.claims.items():
            self._check_line(name, claim.line)
            self._check_line(name, claim.when or "True")
        for control in self.controls.values():
            if control.of not in self.claims:
                raise ValueError(f"{self.id}: no claim is called {control.of!r}")
            self.changed(control)

    def _check_line(self, name, line):
        for symbol in lines.names(lines.parse(line)):
            if symbol not in QUANTITIES and symbol not in self.where:
                raise ValueError(f"{self.id}, {name}: no quantity is called {symbol!r}")

    def __repr__(self):
        return f"Theorem({self.id!r}, {self.number}: {self.title})"

    # --- What the page shows ---------------------------------------------------------

    @property
    def source(self) -> str:
        """Bibliography key of where it was printed."""
        return self.id.split(":")[0]

    @property
    def label(self) -> str:
        """Its label in the book: ``thm-talwalkar2010-2.3`` for the id above.

        A result that has a name and no number there gets ``thm-source-name``.
        """
        source, local = self.id.split(":")
        kind, _, number = local.partition("-")
        if number[:1].isdigit():
            return f"{kind}-{source}-{number}"
        return f"thm-{source}-{local}"

    def latex(self, claim: Claim | str) -> str:
        """A claim as a displayed formula."""
        chosen = self.claims[claim] if isinstance(claim, str) else claim
        return shown(chosen.tree, self.where)

    @property
    def statement(self) -> str:
        """The box: setting, hypotheses, displayed claims, 'where' lines."""
        given = self.setting
        if self.hypotheses:
            says = ", ".join(h.text(self.where) for h in self.hypotheses.values())
            given += f"\nLet {says}."
        first = next(iter(self.claims.values()))
        given += "" if first.says or first.when else "\nThen"
        parts, before = [given], None
        for name, claim in self.claims.items():
            parts.append(self.display(name, again=claim.when == before))
            before = claim.when
        told = [
            f"${symbol} = {shown(lines.parse(line), self.where)}$"
            for symbol, line in self._told().items()
        ]
        if told:
            parts.append(f"where {', '.join(told)}.")
        return "\n\n".join(parts)

    def display(self, name: str, again: bool = False) -> str:
        """A claim of the box: words, and the formula on a line of its own.

        `again` where the condition is that of the claim before and need not be said.
        """
        claim = self.claims[name]
        words = claim.says
        if claim.when and (words or not again):
            words += f" if ${shown(lines.parse(claim.when), self.where)}$,"
        words = words.strip()
        formula = f"$$\n{self.latex(claim)}\n$$"
        return f"{words[:1].upper()}{words[1:]}\n\n{formula}" if words else formula

    def _told(self) -> dict[str, str]:
        """The 'where' list: symbol and line, own ones first, then composed ones."""
        own = {w.latex: w.line for w in self.where.values()}
        used = [*self.hypotheses.values(), *self.where.values(), *self.claims.values()]
        texts = [each.line for each in used]
        texts += [claim.when for claim in self.claims.values() if claim.when]
        opened = _opened(texts, self.where)
        return own | {QUANTITIES[name].latex: line for name, line in opened.items()}

    # --- What is checked -------------------------------------------------------------

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
        return own | _opened(used, self.where)

    def changed(self, control: Control) -> Claim:
        """The false claim of a control."""
        claim = self.claims[control.of].but(control.change)
        return replace(claim, law=control.law or claim.law)

    def unmet(self, instance) -> list[str]:
        """The hypotheses that an instance does not meet, as sentences."""
        reader = lines.Reader(QUANTITIES, instance, where=self.where_lines)
        return [
            f"the hypothesis '{h.text(self.where)}' fails: {self._values(h, reader)}"
            for h in self.hypotheses.values()
            if reader.value(lines.parse(h.line)) is not True
        ]

    @staticmethod
    def _values(hypothesis, reader) -> str:
        told = []
        for name in lines.names(lines.parse(hypothesis.line)):
            value = reader.value(ast.Name(name))
            if not isinstance(value, bool) and isinstance(value.value, float):
                told.append(f"{name} = {value.value:.6g}")
        return ", ".join(told) or "it is not met"

    @property
    def main(self) -> str:
        """The name of the first claim that has a bound to compute."""
        return next((n for n, c in self.claims.items() if c.bound is not None), "")

    def bound(self, K=None, landmarks=None, rank=None, claim: str = "", **quantities):
        """The number that a claim promises, or an error that says why there is none.

        Parameters
        ----------
        K : array (n, n) or KernelMatrix, optional
            Not needed when `quantities` hold all that the bound uses.
        landmarks : Landmarks or sequence of int, optional
        rank : int, optional
            The number of landmarks by default.
        claim : str
            The first claim with a bound by default.
        **quantities : float
            Known quantities by name; they take precedence over measured ones.

        Raises
        ------
        TypeError
            If the theorem has no bound.
        ValueError
            If a hypothesis fails (with the measured values), or a quantity is
            missing or unknown.

        Notes
        -----
        A hypothesis about the matrix cannot be tested without the matrix; then it
        is the caller's word that counts.
        """
        instance = None if K is None else _user_instance(K, landmarks, rank)
        return self.bound_on(instance, claim, **quantities)

    def bound_on(self, instance, claim: str = "", **quantities) -> float:
        """`bound` on an instance at hand, or on none."""
        name = claim or self.main
        if not name:
            raise TypeError(f"{self.id} states {self.kind} without a number to compute")
        unknown = sorted(set(quantities) - set(QUANTITIES))
        if unknown:
            raise ValueError(
                f"unknown quantities {unknown}; known: {sorted(QUANTITIES)}"
            )
        if instance is not None:
            instance = instance.but(extra=quantities)
        tree = self.claims[name].bound
        for symbol in self.needed(tree):
            if QUANTITIES[symbol].when == CHOSEN and symbol not in quantities:
                meaning = QUANTITIES[symbol].meaning
                raise ValueError(
                    f"{symbol}: expected {meaning}, which no matrix tells; "
                    f"pass {symbol}=..."
                )
        reader = lines.Reader(QUANTITIES, instance, quantities, self.where_lines)
        for hypothesis in self.hypotheses.values():
            needed = self.needed(lines.parse(hypothesis.line))
            if instance is None and not set(needed) <= set(quantities):
                continue
            if reader.value(lines.parse(hypothesis.line)) is not True:
                says, values = (
                    hypothesis.text(self.where),
                    self._values(hypothesis, reader),
                )
                raise ValueError(f"{self.id}: the hypothesis '{says}' fails: {values}")
        value = reader.value(tree).value
        if not isinstance(value, float):
            raise TypeError(f"{self.id} states {self.kind} without a number to compute")
        return value

    def right_side(self, claim: str, **quantities) -> float:
        """The bound of a claim from given quantities, hypotheses or not."""
        reader = lines.Reader(QUANTITIES, None, quantities, self.where_lines)
        return float(reader.value(self.claims[claim].bound).value)

    def meets(self, hypothesis: str, **quantities) -> bool:
        """Whether given quantities meet a hypothesis."""
        reader = lines.Reader(QUANTITIES, None, quantities, self.where_lines)
        return reader.value(lines.parse(self.hypotheses[hypothesis].line)) is True

    def needed(self, tree) -> list[str]:
        """Names of the measured quantities below an expression."""
        found = []
        for name in lines.names(tree):
            inner = self.where_lines.get(name) or QUANTITIES[name].line
            found += self.needed(lines.parse(inner)) if inner else [name]
        return list(dict.fromkeys(found))

    def but(self, **changes) -> Theorem:
        """A copy with some fields exchanged: for planted errors and exercises."""
        return replace(self, **changes)

    def asserting(self, **claims: str | Claim) -> Theorem:
        """A copy that claims something else and has no controls: for exercises.

        Its verdict can be refuted, and is never good.
        """
        return self.but(claims=claims, controls={}, printed={}, derivation=None)

    def _repr_html_(self) -> str:
        note = f"{self.number} · `{self.id}` · printed form: {self.status}"
        parts = [("As proved", style.text(self.statement))]
        drops = [self._without(c) for c in self.controls.values() if c.drops]
        if drops:
            parts.append(("Why the hypotheses are there", "<br>".join(drops)))
        unknown = [h.text(self.where) for h in self.hypotheses.values() if h.necessary]
        if unknown:
            parts.append(("Not known to be necessary", style.text("; ".join(unknown))))
        for printed in self.printed.values():
            words = style.text(f"{printed.statement}\n{printed.why}")
            parts.append((f"As printed ({printed.weight})", words))
        return style.card(self.title, note, parts)

    def _without(self, control: Control) -> str:
        """What fails where a hypothesis, or what the setting gives, is left out."""
        lacking = control.drops
        if lacking in self.hypotheses:
            lacking = self.hypotheses[lacking].text(self.where)
        formula = self.latex(self.changed(control))
        return style.text(f"without {lacking} it fails that ${formula}$")


def shown(tree, where=None) -> str:
    """LaTeX of a tree, with the symbols of the table and of a theorem."""
    own = {name: w.latex for name, w in (where or {}).items()}
    return latex.latex(tree, symbols() | own)


def _opened(texts, where) -> dict[str, str]:
    """The composed quantities below some lines, each before what it is made of."""
    found = {}
    for text in texts:
        for name in lines.names(lines.parse(text)):
            quantity = QUANTITIES.get(name)
            if name not in where and name not in found and quantity and quantity.line:
                found[name] = quantity.line
                found |= _opened([quantity.line], {**where, **found})
    return found


def _of_lines(named, cls):
    return {
        name: cls(value) if isinstance(value, str) else value
        for name, value in named.items()
    }


def _user_instance(K, landmarks, rank):
    from nystheory.engine.instances import Instance

    kernel = as_kernel(K)
    if landmarks is None:
        raise ValueError("landmarks: expected the sampled columns, got None")
    indices = as_indices(landmarks, kernel.n)
    return Instance(kernel.dense(), indices, len(indices) if rank is None else rank)
