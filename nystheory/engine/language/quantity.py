"""A named quantity, and the tables in which a world keeps its own."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import dataclass

from nystheory import style

# When a quantity is known: before sampling, of the sample, or it is chosen.
BEFORE, SAMPLE, CHOSEN = "before sampling", "of the sample", "chosen"


@dataclass(frozen=True, eq=False)
class Quantity:
    """A named number, array or truth, and how it is measured.

    Parameters
    ----------
    name : str
        Python name: in a line, and as the keyword of a calculator.
    latex : str
        Symbol on the page.
    meaning : str
        One line.
    when : str
        ``before sampling``, ``of the sample`` or ``chosen``.
    fast : callable (World) -> float, ndarray, bool or None, optional
        Its value in float64; None where float64 cannot tell.
    line : str
        In place of a route: an expression in other quantities.
    unit : float or None
        Power of the unit of K that it has, which sets the size of its rounding error;
        None for a count, which has no error.
    condition : callable (World) -> float, optional
        By how much the computation amplifies rounding; infinite where it hides all.
    inexact : str
        Why there is no route of the same name in `exact`, where there is none.
    part : bool
        Whether it is a part of a world, which is brought along and not measured.
    range : (str, str)
        A line: which values it may have at all, ``"alpha > 0"``, and words if that
        alone would not do.  A theorem that speaks of it has that among its hypotheses.
    """

    name: str
    latex: str
    meaning: str
    when: str
    fast: Callable | None = None
    line: str = ""
    unit: float | None = 1.0
    condition: Callable | None = None
    inexact: str = ""
    part: bool = False
    range: tuple[str, str] = ("", "")


class Quantities(MutableMapping):
    """The quantities of a world by name, and those of the worlds that it is made of.

    No name means two things in one world; two worlds that have nothing to do with
    each other may use the same.
    """

    def __init__(self, world: str, inherited: tuple[Quantities, ...] = ()):
        self.world, self.inherited = world, inherited
        self.own: dict[str, Quantity] = {}
        below = (own for table in inherited for own in table._tables)
        self._tables = [self.own, *below]

    def _holder(self, name) -> dict | None:
        """The table that holds a name."""
        for table in self._tables:
            if name in table:
                return table
        return None

    def __getitem__(self, name):
        table = self._holder(name)
        if table is None:
            near = difflib.get_close_matches(str(name), [*self], n=3, cutoff=0.4)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            raise KeyError(f"no quantity is called {name!r}{hint}")
        return table[name]

    def get(self, name, default=None):
        """One by name, or the default."""
        table = self._holder(name)
        return default if table is None else table[name]

    def __contains__(self, name):
        return self._holder(name) is not None

    def __setitem__(self, name, quantity):
        table = self._holder(name)
        (self.own if table is None else table)[name] = quantity

    def __delitem__(self, name):
        del (self._holder(name) or self.own)[name]

    def __iter__(self) -> Iterator[str]:
        names = (name for table in self.inherited for name in table)
        return iter(dict.fromkeys([*names, *self.own]))

    def __len__(self):
        return sum(1 for _ in self)

    def enter(self, new: Quantity) -> None:
        """Enter one under its name, which is free."""
        if new.name in self:
            raise ValueError(f"quantity {new.name!r} is defined twice in {self.world}")
        self.own[new.name] = new

    def symbols(self) -> dict[str, str]:
        """LaTeX of every quantity by name."""
        return {name: q.latex for name, q in self.items()}

    def __repr__(self):
        return f"{len(self)} quantities"

    def _repr_html_(self) -> str:
        rows = [
            (f"${q.latex}$" if q.latex else "", q.meaning, f"`{q.name}`", q.when)
            for q in self.values()
        ]
        return style.table(rows, ("symbol", "meaning", "keyword", "known"))
