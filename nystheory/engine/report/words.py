"""A theorem in words, for a terminal: what it says, and where it stands."""

from __future__ import annotations

import textwrap
from pathlib import Path

from nystheory.engine.trial.theorem import Theorem


def explain(theorem: Theorem, width: int = 79) -> str:
    """A theorem for a terminal: its lines, its source, what was printed and why not.

    Examples
    --------
    >>> from nystheory.chapters import theorems
    >>> print(explain(theorems["talwalkar2010:eq-2.7"]).splitlines()[0])
    Nyström matrix projection (equation (2.7), talwalkar2010)
    """
    _checked(theorem)
    told = [f"{theorem.title} ({theorem.number}, {theorem.source})", ""]
    told += _wrapped(theorem.setting.replace("$", ""), width) + [""]
    told += [f"  if     {each.line}" for each in theorem.hypotheses.values()]
    for name, claim in theorem.claims.items():
        when = f", where {claim.when}" if claim.when else ""
        told += [f"  claim  {claim.line}{when}  ({name})"]
    told += [f"  with   {name} = {w.line}" for name, w in theorem.where.items()] + [""]
    reference = theorem.reference or theorem.source
    told += _wrapped(f"Source: {reference}, {theorem.number}.", width)
    told += [f"Kind: {theorem.kind}. Printed form: {theorem.status}."]
    for printed in theorem.printed.values():
        told += ["", f"As printed ({printed.weight}):"]
        says = printed.says.replace("$", "") or printed.line
        told += _wrapped(says, width, "  ")
        why = printed.why.replace("$", "")
        told += ["Why it differs:"] + _wrapped(why, width, "  ")
    told += ["", "Controls, false claims that the check must refute:"]
    told += [
        f"  - {name}: {theorem.changed(control).line}"
        for name, control in theorem.controls.items()
    ]
    return "\n".join(told)


def _checked(theorem):
    """A theorem, and not its id, of which the engine knows nothing."""
    if not isinstance(theorem, Theorem):
        raise TypeError(
            "theorem: expected a Theorem, such as nystheory.theorems[id], got "
            f"{theorem!r}"
        )
    return theorem


def where(theorem: Theorem) -> str:
    """Where a theorem stands: its object, its box in the text, how to check it.

    Examples
    --------
    >>> from nystheory.chapters import theorems
    >>> told = where(theorems["talwalkar2010:thm-2.3"])
    >>> "Exact recovery (Theorem " in told, "; Talwalkar 2010, Theorem 2.3)" in told
    (True, True)
    """
    id = _checked(theorem).id
    named = filter(None, (theorem.book_number, theorem.cited))
    told = [f"{id}, {theorem.title} ({'; '.join(named)})"]
    told.append(f"  object   {_place(theorem.file, id)}")
    if theorem.text:
        told.append(f"  text     {_place(theorem.text, f'}} {theorem.id}')}")
    told.append(f"  chapter  nystheory/chapters/{theorem.chapter}")
    told.append(f"  check    python -m nystheory verify {id}")
    return "\n".join(told)


def _place(path: Path, mark: str) -> str:
    """File and line of the first line that holds some words."""
    lines = path.read_text("utf-8").splitlines()
    number = next((n for n, line in enumerate(lines, 1) if mark in line), 1)
    inside = path.parts[-4:] if path.suffix == ".md" else path.parts[-5:]
    root = next(k for k, part in enumerate(inside) if part in ("book", "nystheory"))
    return f"{'/'.join(inside[root:])}:{number}"


def _wrapped(text, width, indent=""):
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
