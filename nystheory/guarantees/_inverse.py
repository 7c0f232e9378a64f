"""How many columns until an error is small?  Every promise read backwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nystheory import _checks
from nystheory.engine.promises.promises import NORMS, Kept, reached
from nystheory.guarantees._asked import asked_of, best_rows, checked
from nystheory.guarantees._known import (
    DELTA,
    checked_delta,
    know,
    known_norm,
    missed_share,
)
from nystheory.guarantees._open import told_well, why_not
from nystheory.guarantees._table import Guarantee, Told

# Numbers of columns that are looked at before one is refined, evenly in logarithms.
GRID = 40


@dataclass(frozen=True)
class Demand:
    """How many columns one theorem requires.

    Attributes
    ----------
    count : int or None
        So many columns are promised to be enough, and one less (for blocks: one block
        less) is not, as far as the matrix is known; None where no number below n that
        was looked at is.
    at : Guarantee
        What is promised there, and with which choice.
    falls : bool
        Whether more columns kept the promise wherever that was looked at; then `count`
        is the smallest number unless the promise fails and holds between two of them.

    Examples
    --------
    >>> known = "modern:k-dpp-expectation"
    >>> row = Guarantee(known, "mean", "k-DPP", "trace", 0.04, {}, None)
    >>> Demand(40, row, True).count
    40
    """

    count: int | None
    at: Guarantee
    falls: bool

    @property
    def why(self) -> str:
        """Why it is not known whether some number is enough.

        Empty where one is, and where none below n is: more are required.
        """
        return self.at.why

    @property
    def _of(self) -> tuple:
        return self.at._of

    def _cells(self) -> tuple:
        _, _, scheme, holds, chosen, theorem = self.at._cells()
        more = "" if self.falls else "more columns may lose it"
        return f"{self.count}", scheme, holds, chosen, theorem, more

    def _words(self) -> tuple:
        """The same for a terminal."""
        told, scheme, holds, _, _, more = self._cells()
        return told, scheme, holds, *self.at._words()[4:], more


HEADER = ("columns", "scheme", "holds", "at", "theorem", "note")


@dataclass(frozen=True)
class Demands(Told):
    """The columns that all theorems require.

    A notebook shows a table, and ``print`` one in words.

    Attributes
    ----------
    n : int
    share : float
        The error is to be at most this share of the trace of K.
    norm : {"trace", "spectral", "Frobenius", "largest entry"}
        The norm of the error.
    rows : tuple of Demand
        The fewest columns first; those that never reach the share last.
    unasked : mapping of str to str
        The theorems that were not asked, by id, and why, as in `Guarantees`.
    missed : float
        The share of the trace that an `estimate` does not know; 0 for a matrix.  From
        an estimate a number of columns is enough for every matrix that it leaves
        possible, and fewer may be.
    given : tuple of str
        Of `columns_for_change`: what nobody checked, in words, as in `Stability`.
    where : str
        Of `columns_for_change`: at which points predictions move by no more; empty
        where it is all of them.

    Examples
    --------
    >>> columns(np.diag([1000.0, 500.0, *np.ones(98)]), 0.1)
    Demands(trace error of 10% of tr K: 6 of 7 promises are kept, from 4 of 100 columns)
    """

    n: int
    share: float
    norm: str
    rows: tuple[Demand, ...]
    unasked: Mapping[str, str]
    missed: float = 0.0
    given: tuple[str, ...] = ()
    where: str = ""

    _header = HEADER
    _nothing = "More columns than there are"

    @staticmethod
    def _kept(row) -> bool:
        return row.count is not None

    @staticmethod
    def _guarantee(row) -> Guarantee:
        return row.at

    def _below(self, box, shown) -> list[str]:
        told = [f"Predictions move by no more {self.where}."] if self.where else []
        if self.given:
            told.append(f"This is so if {' and '.join(self.given)}, as given.")
        return told + super()._below(box, shown)

    def _said(self) -> str:
        return f"{self.norm} error of {100 * self.share:.3g} % of tr K, n = {self.n}"

    def __repr__(self) -> str:
        kept = [row.count for row in self.rows if row.count is not None]
        fewest = f", from {kept[0]} of {self.n} columns" if kept else ""
        return (
            f"Demands({self.norm} error of {100 * self.share:.3g}% of tr K: "
            f"{len(kept)} of {len(self.rows)} promises are kept{fewest})"
        )

    def of(self, id: str) -> Demand:
        """The row of one theorem with the fewest columns.

        Parameters
        ----------
        id : str
            The theorem.

        Returns
        -------
        Demand

        Raises
        ------
        TypeError
            If the id is no string.
        ValueError
            If there is none.

        Notes
        -----
        Looks through the rows; nothing is computed.

        Examples
        --------
        >>> found = columns(np.diag([1000.0, 500.0, *np.ones(98)]), 0.1)
        >>> found.of("modern:k-dpp-expectation").count
        4
        """
        _checks.string(id, "id", "the id of a theorem")
        for row in self.rows:
            if row.at.id == id:
                return row
        known = ", ".join(sorted({row.at.id for row in self.rows}))
        told = f"id: expected a theorem on the {self.norm} norm, one of {known}"
        raise ValueError(f"{told}, got {id!r}")


def columns(
    K, share: float, norm: str = "trace", delta: float = DELTA, **chosen: float
) -> Demands:
    """How many columns each theorem requires until the error is a share of the trace.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n), or Instance
        Positive semidefinite; or what `know` has measured of it, or `estimate` knows.
    share : float
        The error is to be at most this share of the trace of K; above 0, and below
        what is known without any column: the norm of K over its trace.
    norm : {"trace", "spectral", "Frobenius", "largest entry"}
        The norm of the error.
    delta : float
        The probability with which a promise may fail, as for `promises`.
    **chosen : float
        What some theorems need besides, by name, as for `promises`.

    Returns
    -------
    Demands
        One row for each theorem and scheme, the fewest columns first; last those for
        which no number below n is enough, or is known to be: `Demand.why` tells apart.

    Raises
    ------
    ValueError, TypeError
        If K is not a positive semidefinite matrix, a number is out of its range, or
        no promise uses a name that was chosen.

    Notes
    -----
    The table is the book's own; the source of a row is the `number` of its theorem,
    ``theorems[row.at.id].number``.  What is certain of a row: with `count` columns and
    the choice that is told the claim promises the share, and with one less (one block
    less) no choice does, as far as float64 shows.  That no smaller number is enough
    follows where a promise never gets worse with more columns.  Not all are so: a bound
    such as ``2^k`` times a tail at k = l falls and rises.  So 40 numbers of columns are
    looked at, evenly in logarithms; the first that is enough is refined by bisection,
    and `Demand.falls` says whether a later one was not.

    Costs the eigenpairs of K, ``O(n^3)`` operations, once with `know`; then some
    hundred evaluations of a line for each promise, each ``O(n)``, and ``O(n^2)`` once
    for each ridge.

    Examples
    --------
    >>> found = columns(np.diag([1000.0, 500.0, *np.ones(98)]), 0.1)
    >>> [(row.count, row.at.scheme) for row in found.rows[:2]]
    [(4, 'k-DPP'), (5, 'k-DPP')]
    """
    case = know(K)
    _checks.choice(norm, "norm", NORMS)
    delta = checked_delta(delta)
    trace = float(case.diagonal.sum())
    target = _checks.positive(share, "share") * trace
    known = known_norm(norm, case, end=1)
    if target >= known:
        raise ValueError(
            f"share: expected less than {known / trace:.6g}, which the {norm} norm of "
            f"the error is at most without any column, got {share!r}"
        )
    chosen = checked(chosen, case, case.n - 1)

    def row(theorem, name, given) -> Demand:
        return demand(theorem, name, given, target, delta)

    found, unasked = best_rows(asked_of(case, chosen, norm), row, order)
    rows = tuple(sorted(found, key=order))
    missed = missed_share(case)
    return Demands(case.n, float(share), norm, rows, unasked, missed)


def order(row) -> tuple:
    """The fewest columns first, then what is not known, and why."""
    return row.count is None, row.count, row.at.share, -told_well(row.why)


def demand(theorem, name, given, target, delta) -> Demand:
    """How many columns one claim requires until the error is at most a target."""
    seen: dict[int, Kept | None] = {}
    step = int(given.chosen.get("block_size", 1))
    most = (given.n - 1) // step

    def case(blocks):
        return given.but(count=blocks * step, rank=blocks * step)

    def enough(blocks) -> bool:
        if blocks not in seen:
            seen[blocks] = reached(theorem, name, case(blocks), target, delta)
        return seen[blocks] is not None

    first, falls = _first(enough, most)
    best, why = seen[first] if first else Kept(np.inf), ""
    if not first:
        some = _grid(most)[:: -GRID // 8]
        reasons = (why_not(theorem, name, case(m), target, delta) for m in some)
        why = max(reasons, key=told_well, default="")
    promise = theorem.promises[name]
    trace = float(given.diagonal.sum())
    said = promise.scheme, promise.norm, best.bound / trace
    of = best.chosen, best.fails, why, given.n, trace
    row = Guarantee(theorem.id, name, *said, *of)
    return Demand(first * step if first else None, row, falls)


def _grid(most) -> list[int]:
    """Numbers that are looked at, evenly in logarithms."""
    if most < 1:
        return []
    return np.unique(np.geomspace(1, most, GRID).round().astype(int)).tolist()


def _first(enough, most) -> tuple[int | None, bool]:
    """The first number that is enough, and whether all others looked at are after it.

    >>> _first(lambda m: m >= 700, 5000), _first(lambda m: 5 <= m <= 9, 5000)
    ((700, True), (5, False))
    """
    grid = _grid(most)
    met = [enough(m) for m in grid]
    if not any(met):
        return None, True
    place = met.index(True)
    low, high = grid[place - 1] if place else 0, grid[place]
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high, all(met[place:])
