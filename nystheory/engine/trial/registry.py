"""The theorems of the book by id, found in the folders of its chapters."""

from __future__ import annotations

import csv
import difflib
import importlib
import pkgutil
import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path

from nystheory import _checks, style
from nystheory.engine.language.quantity import Quantity
from nystheory.engine.trial.theorem import Theorem


class Registry(Mapping):
    """The theorems of the book by id, in the order of the register.

    Parameters
    ----------
    theorems : iterable of Theorem
    register : mapping of str to mapping
        Row of the register by id; its order is that of the book.

    Examples
    --------
    >>> from nystheory.chapters import theorems
    >>> theorems["talwalkar2010:thm-2.3"].title
    'Exact recovery'
    >>> [theorem.id for theorem in theorems.find("Corollary 5.6")]
    ['talwalkar2010:cor-5.6']
    """

    def __init__(self, theorems, register):
        self._register = dict(register)
        places = {id: place for place, id in enumerate(self._register)}
        self._theorems = {}
        for theorem in sorted(
            theorems, key=lambda t: (places.get(t.id, len(places)), t.id)
        ):
            if theorem.id in self._theorems:
                raise ValueError(f"{theorem.id} is in the registry already")
            self._theorems[theorem.id] = theorem

    def __getitem__(self, id: str) -> Theorem:
        if id not in self._theorems:
            raise KeyError(f"no theorem {id!r}{self.near(str(id))}")
        return self._theorems[id]

    def near(self, words: str) -> str:
        """What somebody may have meant who named no theorem; empty if nothing is near.

        >>> from nystheory.chapters import theorems
        >>> theorems.near("talwalkar2010:thm2.3")
        '; did you mean talwalkar2010:thm-2.3 or talwalkar2010:thm-5.3 or \
talwalkar2010:thm-2.1?'
        """
        near = [theorem.id for theorem in self.find(words)][:3]
        near = near or difflib.get_close_matches(words, self, n=3, cutoff=0.3)
        return f"; did you mean {' or '.join(near)}?" if near else ""

    def __iter__(self) -> Iterator[str]:
        return iter(self._theorems)

    def __len__(self) -> int:
        return len(self._theorems)

    def find(self, words: str) -> list[Theorem]:
        """The theorems whose id, number or title has these words, say "Theorem 5.2".

        Raises
        ------
        TypeError
            If the words are no string.
        """
        if not isinstance(words, str):
            told = _checks.shown(words)
            raise TypeError(f"words: expected a string, got {told}")
        asked = _words(words)
        if not asked:
            return []
        if asked in map(_words, self):
            return [self[id] for id in self if _words(id) == asked]
        return [
            theorem
            for theorem in self.values()
            if f" {asked} " in f" {' '.join(map(_words, names(theorem)))} "
            or asked in _words(theorem.title)
        ]

    def chapter(self, name: str) -> list[Theorem]:
        """The theorems of one chapter, by the name of its folder."""
        return [theorem for theorem in self.values() if theorem.chapter == name]

    def part(self, part: str) -> list[Theorem]:
        """The theorems of one part of the book."""
        told = {id for id, row in self._register.items() if row["part"] == part}
        return [theorem for theorem in self.values() if theorem.id in told]

    @property
    def quantities(self) -> list[tuple[str, Quantity]]:
        """Every quantity of the worlds that its theorems speak of, with its world."""
        waiting, tables = [t.quantities for t in self.values()], {}
        while waiting:
            table = waiting.pop()
            tables[table.world] = table
            waiting += table.inherited
        found = ((w, q) for w, table in tables.items() for q in table.own.values())
        return sorted(found, key=lambda pair: (pair[1].name, pair[0]))

    @property
    def symbols(self) -> list[tuple[str, str, str, str]]:
        """Name, symbol, meaning and world of every quantity."""
        return [(q.name, q.latex, q.meaning, world) for world, q in self.quantities]

    @property
    def conditions(self) -> list[tuple[str, str, str, str]]:
        """Theorem, kind, name and text of all that says when a statement holds."""
        rows = []
        for t in self.values():
            for name, each in t.hypotheses.items():
                kind = "domain" if each.domain else "hypothesis"
                rows.append((t.id, kind, name, each.line))
            rows += [(t.id, "when", n, c.when) for n, c in t.claims.items() if c.when]
            told = ((n, c.lacks) for n, c in t.controls.items() if c.lacks)
            rows += [(t.id, "lacks", name, words) for name, words in told]
        return rows

    def __repr__(self):
        return f"Registry of {len(self)} theorems"

    def _repr_html_(self) -> str:
        rows = [
            (t.book_number, t.title, t.cited, t.id, t.kind, t.status)
            for t in self.values()
        ]
        header = ("number", "title", "source", "id", "kind", "status")
        return style.table(rows, header)


def names(theorem: Theorem) -> tuple[str, str, str]:
    """What a theorem is called: its id, its number in the source, and in the book."""
    return theorem.id, theorem.number, theorem.book_number


def _words(text: str) -> str:
    """Letters, digits and points, small and without accents, one space between."""
    plain = unicodedata.normalize("NFKD", text.lower())
    letters = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return " ".join(re.findall(r"[\w.]*\w", letters))


def discover(package: str) -> Registry:
    """The theorems in the folders of a package, in the order of its register.

    Parameters
    ----------
    package : str
        Its folder holds ``register.csv``, ``sources.csv``, the sources in words by the
        first part of an id, and one folder for each chapter, with its
        theorems in the modules of ``theorems``.

    Returns
    -------
    Registry

    Raises
    ------
    ValueError
        If a theorem stands in two modules, or two have one id.
    """
    folder = Path(importlib.util.find_spec(package).origin).parent
    with open(folder / "register.csv", encoding="utf-8") as file:
        register = {row["id"]: row for row in csv.DictReader(file)}
    with open(folder / "sources.csv", encoding="utf-8") as file:
        sources = {row["id"]: row["words"] for row in csv.DictReader(file)}
    found = []
    for path in sorted(folder.glob("*/theorems")):
        name = f"{package}.{path.parent.name}.theorems"
        for module in pkgutil.iter_modules([str(path)], f"{name}."):
            found += _stand_in(importlib.import_module(module.name), register, sources)
    return Registry(found, register)


def _stand_in(module, register, sources) -> list[Theorem]:
    """The theorems of a module; each is told where it stands."""
    found = [value for value in vars(module).values() if isinstance(value, Theorem)]
    for theorem in found:
        if theorem.module:
            places = f"{theorem.module} and {module.__name__}"
            raise ValueError(f"{theorem.id}: expected one module, got {places}")
        row = register.get(theorem.id, {})
        reference = sources.get(theorem.source, "")
        theorem.stands_in(module.__name__, row.get("book", ""), reference)
    return found
