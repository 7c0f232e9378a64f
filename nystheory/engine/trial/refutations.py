"""Every false claim of the book with its proof: controls and printed forms.

``python -m nystheory refutations`` runs them with the routes of `exact` alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nystheory import exact
from nystheory.engine.trial.theorem import Theorem


@dataclass(frozen=True)
class Entry:
    """A false line, the instance on which it falls, and what came of it.

    Attributes
    ----------
    theorem, name, what : str
        ``what`` is ``control`` or ``printed``.
    line : str
    where : dict of str to str
        Lines of named sub-expressions.
    law : str
    instance : dict
        In fractions, as text; see `nystheory.exact.Case.of`.
    proof : exact.Proof
    inexact : str
        Why there is no such proof, where there is none.
    """

    theorem: str
    name: str
    what: str
    line: str
    where: dict
    law: str
    instance: dict
    proof: exact.Proof
    inexact: str

    @property
    def confirmed(self) -> bool:
        """Proved false."""
        return self.proof.holds is False

    def row(self) -> dict:
        """As JSON has it."""
        return {
            "theorem": self.theorem,
            "name": self.name,
            "what": self.what,
            "line": self.line,
            "where": self.where,
            "law": self.law or None,
            "instance": self.instance,
            "left": self.proof.left,
            "right": self.proof.right,
            "by": self.proof.by or None,
            "confirmed": self.confirmed,
            "reason": self.inexact or self.proof.reason or None,
        }

    def __str__(self) -> str:
        if self.inexact:
            return f"not exact  {self.theorem}, {self.name}: {self.inexact}"
        mark = "confirmed" if self.confirmed else "NOT CONFIRMED"
        sides = (
            f"{self.proof.left} | {self.proof.right}" if self.proof.left else "false"
        )
        told = f" ({self.proof.reason})" if self.proof.reason else ""
        return f"{mark}  {self.theorem}, {self.name}: {self.line}: {sides}{told}"


def refutations(theorems: Iterable[Theorem]) -> list[Entry]:
    """Every control and every accusation of some theorems, proved false."""
    entries = []
    for theorem in theorems:
        for name, control in theorem.controls.items():
            claim = theorem.changed(control)
            entries.append(
                _entry(theorem, name, "control", claim.line, claim.law, control)
            )
        for name, printed in theorem.printed.items():
            args = (theorem, name, "printed", printed.line, printed.law, printed)
            entries.append(_entry(*args))
    return entries


def _entry(theorem, name, what, line, law, source) -> Entry:
    args = (theorem.id, name, what, line, theorem.where_lines, law)
    if source.inexact:
        return Entry(*args, {}, exact.Proof(None), source.inexact)
    instance = source.on.in_fractions()
    case = exact.Case.of(**instance)
    proof = exact.prove(line, case, theorem.where_lines, law or None)
    return Entry(*args, instance, proof, "")
