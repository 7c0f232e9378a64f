"""The bibliography of the book: how a source is cited, and the list of all sources."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from pybtex.database import parse_file
from pybtex.plugin import find_plugin

FILE = Path(__file__).resolve().parent / "references.bib"
PAGE = "bibliography.ipynb"


@cache
def entries() -> dict:
    """The entries of the file by key."""
    return dict(parse_file(str(FILE)).entries)


@cache
def authors(key: str) -> str:
    """Last names, at most two: ``Drineas and Mahoney``, ``Epperly et al.``"""
    if key not in entries():
        raise KeyError(f"no source {key!r} in {FILE.name}")
    people = entries()[key].persons.get("author", [])
    names = [plain(" ".join(p.prelast_names + p.last_names)) for p in people]
    if len(names) > 2:
        return f"{names[0]} et al."
    return " and ".join(names) or plain(entries()[key].fields["title"])


def plain(tex: str) -> str:
    """Letters in place of TeX: ``Nystr{\\"o}m`` reads Nyström."""
    from pybtex.richtext import Text

    return str(Text.from_latex(tex))


def cited(argument: str, in_brackets: bool) -> str:
    """A citation, ``key`` or ``key, section 3``, as a link to the list of sources."""
    key, _, place = (part.strip() for part in argument.partition(","))
    year = entries()[key].fields["year"] if key in entries() else ""
    if in_brackets:
        words = f"({authors(key)} {year}{', ' + place if place else ''})"
    else:
        words = f"{authors(key)} ({year}{', ' + place if place else ''})"
    return f"[{words}]({PAGE}#{key})"


def listed() -> str:
    """All sources, sorted by author and year, as Markdown paragraphs."""
    style = find_plugin("pybtex.style.formatting", "plain")()
    backend = find_plugin("pybtex.backends", "markdown")()
    found = sorted(style.format_entries(entries().values()), key=_order)
    lines = []
    for entry in found:
        words = re.sub(r"\s+", " ", entry.text.render(backend))
        words = re.sub(r"\\([().,:_-])", r"\1", words)
        lines.append(f'<a id="{entry.key}"></a>{words}')
    return "\n\n".join(lines)


def _order(entry):
    return authors(entry.key).lower(), entries()[entry.key].fields["year"], entry.key
