"""What a theorem is: setting, hypotheses, claims, controls, what was printed."""

from __future__ import annotations

import ast
import difflib
import math
import numbers
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from nystheory import style
from nystheory.engine import lines
from nystheory.engine.claims import (
    Claim,
    Control,
    Hypothesis,
    Printed,
    Where,
    opened,
    shown,
)
from nystheory.engine.numbers import Number
from nystheory.engine.quantities import CHOSEN, QUANTITIES
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
        for name, control in self.controls.items():
            self._claim(control.of)
            self._tree(f"control {name!r}", self.changed(control).line)
        for name, printed in self.printed.items():
            self._tree(f"printed {name!r}", printed.line)
        for some in (self.hypotheses, self.where):
            for name, each in some.items():
                self._check_line(name, each.line)
        self._check_symbols()
        for source in (*self.controls.values(), *self.printed.values()):
            if source.drops and source.drops not in self.hypotheses:
                raise ValueError(f"{self.id}: no hypothesis is called {source.drops!r}")

    def _check_symbols(self):
        """No name, and in this box no symbol, means two things."""
        used = [c.line for c in self.claims.values()] + [*self.where_lines.values()]
        names = {name for line in used for name in lines.names(lines.parse(line))}
        taken = {QUANTITIES[n].latex: n for n in names if n in QUANTITIES}
        for name, where in self.where.items():
            if name in QUANTITIES:
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
            if symbol not in QUANTITIES and symbol not in self.where:
                raise ValueError(f"{self.id}, {name}: no quantity is called {symbol!r}")

    def _claim(self, name: str) -> Claim:
        if name not in self.claims:
            known = ", ".join(map(repr, self.claims))
            raise ValueError(f"{self.id}: no claim is called {name!r}; it has {known}")
        return self.claims[name]

    def _known(self, quantities) -> dict:
        """Values by name, lists as arrays; an error if one is no quantity or number."""
        out = {}
        for name, value in quantities.items():
            if name not in QUANTITIES:
                near = difflib.get_close_matches(name, QUANTITIES, 3)
                hint = f"; did you mean {' or '.join(near)}?" if near else ""
                raise ValueError(f"unknown quantity {name!r}{hint}")
            out[name] = np.asarray(value) if isinstance(value, (list, tuple)) else value
            number = isinstance(value, (numbers.Real, Number))
            numeric = getattr(out[name], "dtype", np.dtype(object)).kind in "iuf"
            if isinstance(value, bool) or not (number or numeric):
                raise TypeError(f"{name}: expected a number, got {value!r}")
        return out

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
        chosen = self._claim(claim) if isinstance(claim, str) else claim
        formula = shown(chosen.tree, self.where)
        # A rate is measured: no equation.
        return formula.replace(" = ", r" \approx ", 1) if chosen.rate else formula

    @property
    def statement(self) -> str:
        """The box: setting, hypotheses, displayed claims, 'where' lines."""
        given = self.setting
        if self.hypotheses:
            says = [h.text(self.where) for h in self.hypotheses.values()]
            given += f"\nLet {_listed(says)}."
        first = next(iter(self.claims.values()))
        given += "" if first.says or first.when else "\nThen"
        parts, before = [given], None
        for name, claim in self.claims.items():
            parts.append(self.display(name, before))
            before = claim.when
        told = [
            f"${symbol} = {shown(lines.parse(line), self.where)}$"
            for symbol, line in self._told().items()
        ]
        if told:
            parts.append(f"where {', '.join(told)}.")
        return "\n\n".join(parts)

    def display(self, name: str, before: str | None = None) -> str:
        """A claim of the box: words, and the formula on a line of its own.

        `before` is the condition of the claim before: the same need not be said again,
        and where there is none any more that is said.
        """
        claim = self.claims[name]
        words = claim.says
        if claim.when and (words or claim.when != before):
            words += f" if ${shown(lines.parse(claim.when), self.where)}$,"
        elif before and not claim.when and not words:
            words = "In any case,"
        words = words.strip()
        formula = f"$$\n{self.latex(claim)}\n$$"
        return f"{words[:1].upper()}{words[1:]}\n\n{formula}" if words else formula

    def _told(self) -> dict[str, str]:
        """The 'where' list: symbol and line, own ones first, then composed ones."""
        own = {w.latex: w.line for w in self.where.values()}
        used = [*self.hypotheses.values(), *self.where.values(), *self.claims.values()]
        texts = [each.line for each in used]
        texts += [claim.when for claim in self.claims.values() if claim.when]
        composed = opened(texts, self.where)
        return own | {QUANTITIES[name].latex: line for name, line in composed.items()}

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
        return own | opened(used, self.where)

    def changed(self, control: Control) -> Claim:
        """The false claim of a control."""
        claim = self.claims[control.of].but(control.change)
        return replace(claim, law=control.law or claim.law)

    def unmet(self, instance) -> dict[str, str]:
        """The hypotheses that an instance does not meet: name and sentence."""
        reader = lines.Reader(QUANTITIES, instance, where=self.where_lines)
        return {
            name: f"the hypothesis '{h.text(self.where)}' fails: "
            f"{self._values(h, reader)}"
            for name, h in self.hypotheses.items()
            if reader.value(lines.parse(h.line)) is not True
        }

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
        quantities = self._known(quantities)
        if instance is not None:
            instance = instance.but(extra=quantities)
        tree = self._claim(name).bound
        if tree is None:
            raise TypeError(f"{self.id}: the claim {name!r} has no bound to compute")
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
        if math.isnan(value):
            given = ", ".join(f"{name} = {x!r}" for name, x in quantities.items())
            raise ValueError(f"{self.id}: {name!r} has no value at {given or 'this K'}")
        return value

    def right_side(self, claim: str, **quantities) -> float:
        """The bound of a claim from given quantities, hypotheses or not.

        NaN where it has no value there.
        """
        quantities = self._known(quantities)
        reader = lines.Reader(QUANTITIES, None, quantities, self.where_lines)
        return float(reader.value(self._claim(claim).bound).value)

    def meets(self, hypothesis: str, **quantities) -> bool:
        """Whether given quantities meet a hypothesis."""
        quantities = self._known(quantities)
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
        controls = self.controls.values()
        needed = [self._without(c) for c in controls if c.drops or c.lacks]
        if needed:
            parts.append(("Why the hypotheses are there", "<br>".join(needed)))
        unknown = [h.text(self.where) for h in self.hypotheses.values() if h.necessary]
        if unknown:
            parts.append(("Not known to be necessary", style.text("; ".join(unknown))))
        for printed in self.printed.values():
            words = style.text(f"{printed.statement}\n{printed.why}")
            parts.append((f"As printed ({printed.weight})", words))
        return style.card(self.title, note, parts)

    def _without(self, control: Control) -> str:
        """What fails where a hypothesis, or what the setting gives, is left out."""
        lacking = control.lacks
        if control.drops:
            lacking = self.hypotheses[control.drops].text(self.where)
        formula = self.latex(self.changed(control))
        return style.text(f"without {lacking} it fails that ${formula}$")


def _listed(words: list[str]) -> str:
    """Words with commas, and with 'and' before the last."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


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
