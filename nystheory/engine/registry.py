"""The theorems of the book by id."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping

from nystheory import style
from nystheory.engine.theorem import Theorem


class Registry(Mapping):
    """The theorems of the book by id, in the order of the book.

    Examples
    --------
    >>> from nystheory.theorems import theorems
    >>> theorems["talwalkar2010:thm-2.3"].title
    'Exact recovery'
    """

    def __init__(self):
        self._theorems: dict[str, Theorem] = {}

    def add(self, theorem: Theorem) -> Theorem:
        """Enter a theorem; ids are unique."""
        if theorem.id in self._theorems:
            raise ValueError(f"{theorem.id} is in the registry already")
        self._theorems[theorem.id] = theorem
        return theorem

    def __getitem__(self, id: str) -> Theorem:
        if id not in self._theorems:
            near = difflib.get_close_matches(str(id), self._theorems, n=3, cutoff=0.3)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            raise KeyError(f"no theorem {id!r}{hint}")
        return self._theorems[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._theorems)

    def __len__(self) -> int:
        return len(self._theorems)

    def part(self, part: str) -> list[Theorem]:
        """The theorems of one part of the book."""
        return [theorem for theorem in self.values() if theorem.part == part]

    def __repr__(self):
        return f"Registry of {len(self)} theorems"

    def _repr_html_(self) -> str:
        rows = [(t.id, t.number, t.title, t.kind, t.status) for t in self.values()]
        return style.table(rows, ("id", "number", "title", "kind", "status"))
