"""Every bound of the book that can be computed before a column is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from nystheory import style
from nystheory.chapters import theorems
from nystheory.engine.language.quantity import SAMPLE


def _box_of(id: str) -> str:
    """The number of a theorem as a Markdown link to its box, and its id.

    >>> _box_of("talwalkar2010:thm-2.3").split(" ")[-1]
    '(`talwalkar2010:thm-2.3`)'
    """
    return f"{theorems[id].linked} (`{id}`)"


@dataclass(frozen=True)
class Bound:
    """A claim that bounds something by what is known before sampling.

    Attributes
    ----------
    id, claim : str
        The theorem and the name of its claim: ``theorems[id].bound(claim=...)``.
    formula : str
        LaTeX.
    needs : tuple of str
        The keywords that it takes, where no matrix is given.

    Examples
    --------
    >>> Bound("book:a-bound", "error", "n - l", ("n", "l")).needs
    ('n', 'l')
    """

    id: str
    claim: str
    formula: str
    needs: tuple[str, ...]


@dataclass(frozen=True)
class Catalogue:
    """The bounds in the order of the book; a notebook shows a table.

    Attributes
    ----------
    bounds : tuple of Bound

    Examples
    --------
    >>> few = Catalogue((Bound("book:a-bound", "error", "n - l", ("n", "l")),))
    >>> few, [bound.id for bound in few]
    (Catalogue of 1 bounds, ['book:a-bound'])
    """

    bounds: tuple[Bound, ...]

    def __len__(self) -> int:
        return len(self.bounds)

    def __iter__(self):
        return iter(self.bounds)

    def __repr__(self) -> str:
        return f"Catalogue of {len(self)} bounds"

    def _repr_html_(self) -> str:
        rows = [
            (_box_of(b.id), b.claim, f"${b.formula}$", ", ".join(b.needs))
            for b in self.bounds
        ]
        return style.table(rows, ("theorem", "claim", "says", "needs"))


def catalogue() -> Catalogue:
    """Every claim whose bound can be computed before a column is drawn.

    Returns
    -------
    Catalogue
        In the order of the book, which is that of the registry.

    Notes
    -----
    The list is the book's own; the source of a bound is the `number` of its theorem,
    ``theorems[bound.id].number``.  Nothing is measured and no matrix is needed: the
    claims are read, at the cost of the import of the theorems.

    Examples
    --------
    >>> next(b.needs for b in catalogue() if b.id == "modern:k-dpp-expectation")
    ('l', 'symmetric_ratio')
    """
    return Catalogue(
        tuple(
            Bound(theorem.id, name, theorem.latex(name), tuple(needs))
            for theorem in theorems.values()
            for name in theorem.claims
            if (tree := theorem.bounding(name)) is not None
            and (needs := theorem.needed(tree))
            and not any(theorem.quantities[x].when == SAMPLE for x in needs)
        )
    )
