"""What a theorem says on a page: its box, from setting, hypotheses and lines."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence

from nystheory import style
from nystheory._formulas import displayed
from nystheory.engine.language import lines
from nystheory.engine.language.claims import (
    Claim,
    Control,
    Hypothesis,
    Printed,
    shown,
)


def as_line(text: str) -> str:
    """A line as it is compared with others; words are no line."""
    try:
        return ast.unparse(lines.parse(text))
    except ValueError:
        return ""


class Stated:
    """How a theorem shows itself."""

    @property
    def source(self) -> str:
        """Bibliography key of where it was printed."""
        return self.id.split(":")[0]

    @property
    def cited(self) -> str:
        """Where it was printed: ``Talwalkar 2010, Theorem 5.2``."""
        name = {"talwalkar2010": "Talwalkar 2010, "}.get(self.source, "")
        return self.number if self.number.startswith("new") else name + self.number

    @property
    def headed(self) -> str:
        """The same at the head of the box, with a mark if a part of it is open."""
        open_part = self.status == "to-confirm"
        return self.cited + " · in part, to confirm" * open_part

    @property
    def anchor(self) -> str:
        """Its place on its page of the book: ``talwalkar2010-thm-2-3``."""
        return "-".join(re.findall(r"[a-z0-9]+", self.id.lower()))

    @property
    def address(self) -> str:
        """Its place in the book, as seen from another page; empty if it has none."""
        return f"{self.chapter}.ipynb#{self.anchor}" if self.book_number else ""

    @property
    def linked(self) -> str:
        """The book's number as a Markdown link to the box; else the source's."""
        if not self.book_number:
            return self.cited
        return f"[{self.book_number}]({self.address})"

    def shown(self, tree) -> str:
        """LaTeX of a tree, with the symbols of its world and its own."""
        return shown(tree, self.quantities, self.where)

    def worded(self, told: Hypothesis | Printed) -> str:
        """A hypothesis or a printed form in words, or its line as a formula."""
        if isinstance(told, Printed):
            return told.text(self.quantities)
        return told.text(self.quantities, self.where)

    def lacking(self, control: Control) -> str:
        """What an instance of a control does not have, in words; empty if nothing."""
        if control.drops:
            return self.worded(self.hypotheses[control.drops])
        if control.lacks and as_line(control.lacks) in self.conditions(control):
            return f"${self.shown(lines.parse(control.lacks))}$"
        return control.lacks

    def conditions(self, control: Control) -> list[str]:
        """The parts of the condition of the claim that a control changes."""
        return self.claims[control.of].conditions

    def latex(self, claim: Claim | str) -> str:
        """A claim as a displayed formula."""
        chosen = self._claim(claim) if isinstance(claim, str) else claim
        formula = self.shown(chosen.tree)
        # A rate is measured: no equation.
        return formula.replace(" = ", r" \approx ", 1) if chosen.rate else formula

    @property
    def statement(self) -> str:
        """The box: setting, hypotheses, 'where' lines, displayed claims."""
        return self.parts({})[""]

    def parts(self, folds: Mapping[str, Sequence[str]]) -> dict[str, str]:
        """The box in Markdown, and what it folds.

        Parameters
        ----------
        folds : mapping of str to sequence of str
            The claims that are not displayed at once, by the words under which they
            are folded.

        Returns
        -------
        dict of str to str
            What is open, under an empty name: setting, hypotheses, the symbols of the
            claims, the claims. Then each fold, with the symbols that only it needs.

        Raises
        ------
        ValueError
            If a claim is unknown, stands in two folds, or none is left open.
        """
        folded = [name for names in folds.values() for name in names]
        shut = set(folded)
        if len(shut) < len(folded) or not shut < set(self.claims):
            raise ValueError(
                f"{self.id}: folds: expected some of {', '.join(self.claims)}, each "
                f"once and not all, got {', '.join(folded)}"
            )
        given = [self.setting]
        if self.hypotheses:
            says = [self.worded(h) for h in self.hypotheses.values()]
            given.append(f"Let {_listed(says)}.")
        hypotheses = [each.line for each in self.hypotheses.values()]
        unused = [n for n in self.where if n not in self._symbols(self._lines())]
        known: dict[str, str] = {}
        out = {}
        opened = [name for name in self.claims if name not in shut]
        for words, names in {"": opened, **folds}.items():
            texts = [x for name in names for x in self._lines(name)]
            symbols = self._symbols([*hypotheses, *unused, *texts])
            new = {n: told for n, told in symbols.items() if n not in known}
            known |= {} if words else new
            out[words] = self._part(names, [*new.values()])
        out[""] = "\n".join([*given, out[""]])
        return out

    def _part(self, names: Sequence[str], told: Sequence[str]) -> str:
        """Some claims, after what is said of their symbols."""
        first = self.claims[names[0]]
        then = "" if first.says or first.when else "Then"
        if len(told) > 1:
            lead = "\n".join(["Write\n", *(f"- {x}" for x in told)]) + f"\n\n{then}"
        else:
            lead = f"Write {told[0]}. {then}" if told else then
        shown, before = [], None
        for name in names:
            shown.append(self.display(name, before))
            before = self.claims[name].when
        return "\n\n".join(filter(None, [lead.strip(), *shown]))

    def display(self, name: str, before: str | None = None) -> str:
        """A claim of the box: words, and the formula on a line of its own.

        `before` is the condition of the claim before: the same need not be said again,
        and where there is none any more that is said.
        """
        claim = self.claims[name]
        words = claim.says
        if claim.when and (words or claim.when != before):
            words += f" if ${self.shown(lines.parse(claim.when))}$,"
        elif before and not claim.when and not words:
            words = "In any case,"
        words = words.strip()
        formula = f"$$\n{displayed(self.latex(claim))}\n$$"
        return f"{words[:1].upper()}{words[1:]}\n\n{formula}" if words else formula

    def _lines(self, *names: str) -> list[str]:
        """The lines of claims and their conditions, of all by default."""
        claims = [self.claims[name] for name in names or self.claims]
        return [x for c in claims for x in (c.line, c.when) if x]

    def _symbols(self, texts: Iterable[str]) -> dict[str, str]:
        """What the symbols of some lines are, each after what it is made of."""
        found: dict[str, str] = {}
        for name in (x for text in texts for x in lines.names(lines.parse(text))):
            own, quantity = self.where.get(name), self.quantities.get(name)
            line = own.line if own else quantity and quantity.line
            if name in found or not line:
                continue
            found |= self._symbols([line])
            if own is None or own.told:
                symbol = (own or quantity).latex
                found[name] = f"${symbol} = {self.shown(lines.parse(line))}$"
        return found

    def _repr_html_(self) -> str:
        note = f"{self.cited} · `{self.id}` · printed form: {self.status}"
        if self.book_number:
            note = f"{self.book_number} of the book · {note}"
        parts = [("As proved", style.text(self.statement))]
        controls = self.controls.values()
        needed = [self._without(c) for c in controls if c.drops or c.lacks]
        if needed:
            parts.append(("Why the hypotheses are there", "<br>".join(needed)))
        unknown = [self.worded(h) for h in self.hypotheses.values() if h.necessary]
        if unknown:
            parts.append(("Not known to be necessary", style.text("; ".join(unknown))))
        for printed in self.printed.values():
            words = style.text(f"{self.worded(printed)}\n{printed.why}")
            parts.append((f"As printed ({printed.weight})", words))
        return style.card(self.title, note, parts)

    def _without(self, control: Control) -> str:
        """What fails where a hypothesis, or what the setting gives, is left out."""
        lacking = self.lacking(control)
        formula = self.latex(self.changed(control))
        return style.text(f"without {lacking} it fails that ${formula}$")


def _listed(words: list[str]) -> str:
    """Words with commas, and with 'and' before the last."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)
