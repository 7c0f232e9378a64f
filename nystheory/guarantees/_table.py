"""All promises for a matrix and a number of columns, as one table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from nystheory import _checks, style
from nystheory.chapters import theorems
from nystheory.engine.promises.promises import NORMS, kept
from nystheory.guarantees._asked import asked_of, best_rows, checked
from nystheory.guarantees._known import (
    DELTA,
    checked_delta,
    know,
    known_norm,
    missed_share,
)
from nystheory.guarantees._open import told_well, typeset, why_not


def _at_most(x) -> str:
    """Two digits, rounded up.

    >>> _at_most(4.449), _at_most(12.0), _at_most(99.2), _at_most(0.0)
    ('4.5', '12', '100', '0')
    """
    if x <= 0:
        return "0"
    unit = 10.0 ** (math.floor(math.log10(x)) - 1)
    return f"{math.ceil(x / unit * (1 - 1e-12)) * unit:.3g}"


def held(fails: float | None) -> str:
    """How a bound holds that fails with a probability, None for one on average.

    >>> held(None), held(0.0), held(0.1)
    ('on average', 'surely', 'with probability 0.9')
    """
    if fails is None:
        return "on average"
    if not fails:
        return "surely"
    if fails < 0.01:
        return f"surely but for probability {_at_most(fails)}"
    # Rounded down, and 0.9 is 0.9.
    return f"with probability {math.floor(100 * (1 - fails) + 1e-9) / 100:g}"


@dataclass(frozen=True)
class Guarantee:
    """What one theorem promises for one scheme.

    Attributes
    ----------
    id, claim : str
        The theorem, and the name of its claim.
    scheme : str
        How the columns, or the test vectors, are to be drawn.
    norm : {"trace", "spectral", "Frobenius", "largest entry"}
        The norm of the error.
    share : float
        The error is at most this share of the trace of K; infinite where the theorem
        says nothing that is not known without it.
    chosen : mapping of str to float
        The rank, the ridge or the accuracy for which it promises most.
    fails : float or None
        With what probability the promise may fail; None where it is one on average.
    why : str
        Why it is not known whether the theorem says something; empty where it does, or
        is known not to.
    n, trace : int and float, or None
        Of the K that it is for; None of a row that was made by hand.

    Examples
    --------
    >>> known = "modern:k-dpp-expectation"
    >>> row = Guarantee(known, "mean", "k-DPP", "trace", 0.04, {}, None)
    >>> row.says, row.holds
    (True, 'on average')
    """

    id: str
    claim: str
    scheme: str
    norm: str
    share: float
    chosen: Mapping[str, float]
    fails: float | None
    why: str = ""
    n: int | None = None
    trace: float | None = None

    @property
    def says(self) -> bool:
        """Whether it says anything."""
        return bool(np.isfinite(self.share))

    @property
    def holds(self) -> str:
        """In words: surely, on average or with what probability."""
        return held(self.fails)

    @property
    def _of(self) -> tuple:
        """The best row is kept for each."""
        return self.id, self.norm, self.scheme

    def _cells(self) -> tuple:
        known = theorems[self.id].quantities
        at = [
            f"${known[name].latex} = {style.number(x)}$"
            for name, x in self.chosen.items()
        ]
        box = theorems[self.id].linked
        said = _at_most(100 * self.share)
        return self.norm, said, self.scheme, self.holds, ", ".join(at), box

    def _words(self) -> tuple:
        """The same for a terminal."""
        at = ", ".join(f"{name} = {style.number(x)}" for name, x in self.chosen.items())
        return *self._cells()[:4], at, self.id


HEADER = ("error", "at most, % of tr K", "scheme", "holds", "at", "theorem")
# What is told of an estimate, once, where something is not known from it.
MORE = "An approximation that misses less, as one of more columns does, may tell."


class Told:
    """Rows of promises: a notebook shows a table, and ``print`` one in words.

    Below it stand, a sentence each, those that say nothing, those of which it is not
    known, and what is not asked.
    """

    def __str__(self) -> str:
        words = [row._words() for row in self.rows if self._kept(row)]
        header, words = _filled(self._header, words)
        table = style.plain(words, header, self._caption())
        told = self._below(lambda id: id, lambda why, known: why)
        return "\n".join([table, *(each.replace("`", "") for each in told)])

    def _repr_html_(self) -> str:
        rows = [row._cells() for row in self.rows if self._kept(row)]
        header, rows = _filled(self._header, rows)
        table = style.table(rows, header, self._caption())
        told = self._below(lambda id: theorems[id].linked, typeset)
        return table + "".join(f"<p>{style.text(each)}</p>" for each in told)

    def _below(self, box, shown) -> list[str]:
        """Sentences; `box` names a theorem, `shown` gives a reason."""
        rest = [self._guarantee(row) for row in self.rows if not self._kept(row)]
        never, reasons = [], {}
        for row in rest:
            one = f"{row.scheme} ({box(row.id)})"
            if row.why:
                known = theorems[row.id].quantities
                reasons.setdefault(shown(row.why, known), []).append(one)
            else:
                never.append(one)
        told = [f"{self._nothing}: {_listed(never)}."] if never else []
        beside = "not known from this estimate" if self.missed else "not known"
        told += [f"{_listed(reasons[x])}: {beside}. {x}." for x in reasons]
        if reasons and self.missed:
            told[-1] += f" {MORE}"
        return told + [f"{box(id)} {why}." for id, why in self.unasked.items()]

    def _caption(self) -> str:
        told = self._said()
        if self.missed:
            told += (
                "; from an approximation that misses "
                f"{_at_most(100 * self.missed)} % of tr K"
            )
        return told


def _filled(header, rows) -> tuple:
    """Header and rows, without the last column where it is empty in all of them."""
    if any(row[-1] for row in rows):
        return header, rows
    return header[:-1], [row[:-1] for row in rows]


def _listed(names) -> str:
    return ", ".join(dict.fromkeys(names))


@dataclass(frozen=True)
class Guarantees(Told):
    """The guarantees for a matrix and a number of columns.

    A notebook shows a table, and ``print`` one in words.

    Attributes
    ----------
    n, n_landmarks : int
    trace : float
        Of K: the promises are shares of it.
    rows : tuple of Guarantee
        By norm, the best promise first.
    unasked : mapping of str to str
        The theorems that promise nothing, by id, and why: they need a number by name,
        or something that an `estimate` does not know.
    missed : float
        The share of the trace that an `estimate` does not know; 0 for a matrix.

    Examples
    --------
    >>> promises(np.diag([1000.0, 500.0, *np.ones(98)]), 40)
    Guarantees(40 of 100 columns: 11 of 25 promises say something)
    """

    n: int
    n_landmarks: int
    trace: float
    rows: tuple[Guarantee, ...]
    unasked: Mapping[str, str]
    missed: float = 0.0

    _header = HEADER
    _nothing = "Nothing, or no less than the norm of K itself"

    @staticmethod
    def _kept(row) -> bool:
        return row.says

    @staticmethod
    def _guarantee(row) -> Guarantee:
        return replace(row, scheme=f"{row.norm}: {row.scheme}")

    def _said(self) -> str:
        return f"{self.n_landmarks} of {self.n} columns"

    def __repr__(self) -> str:
        return (
            f"Guarantees({self.n_landmarks} of {self.n} columns: "
            f"{sum(row.says for row in self.rows)} of {len(self.rows)} promises say "
            f"something)"
        )

    def best(self, norm: str) -> Guarantee:
        """The row with the smallest promise in a norm.

        Parameters
        ----------
        norm : {"trace", "spectral", "Frobenius", "largest entry"}

        Returns
        -------
        Guarantee

        Raises
        ------
        ValueError
            If it is not a norm of an error.

        Notes
        -----
        Looks through the rows; nothing is computed.

        Examples
        --------
        >>> known = "modern:k-dpp-expectation"
        >>> row = Guarantee(known, "mean", "k-DPP", "trace", 0.04, {}, None)
        >>> Guarantees(100, 40, 1598.0, (row,), {}).best("trace").share
        0.04
        """
        _checks.choice(norm, "norm", NORMS)
        return next(row for row in self.rows if row.norm == norm)

    def of(self, id: str, norm: str) -> Guarantee:
        """The best row of one theorem in a norm.

        Parameters
        ----------
        id : str
            The theorem.
        norm : {"trace", "spectral", "Frobenius", "largest entry"}

        Returns
        -------
        Guarantee

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
        >>> known = "modern:k-dpp-expectation"
        >>> row = Guarantee(known, "mean", "k-DPP", "trace", 0.04, {}, None)
        >>> Guarantees(100, 40, 1598.0, (row,), {}).of(known, "trace").scheme
        'k-DPP'
        """
        _checks.choice(norm, "norm", NORMS)
        _checks.string(id, "id", "the id of a theorem")
        for row in self.rows:
            if (row.id, row.norm) == (id, norm):
                return row
        known = sorted({row.id for row in self.rows if row.norm == norm})
        told = f"id: expected a theorem on the {norm} norm, one of {', '.join(known)}"
        raise ValueError(f"{told}, got {id!r}")


def promises(K, n_landmarks: int, delta: float = DELTA, **chosen: float) -> Guarantees:
    """What the theorems promise of this matrix, before a column is drawn.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n), or Instance
        Positive semidefinite; or what `know` has measured of it, or `estimate` knows.
    n_landmarks : int
        The number l of columns, or of test vectors; from 1 to n - 1.
    delta : float
        The probability with which a promise may fail, between 0 and 1.  A theorem that
        may fail for another reason besides says so in its row.
    **chosen : float
        What some theorems need besides, by name: ``block_size=``; ``experts=`` with
        ``mu_max=``, the largest of their weights, which are convex.

    Returns
    -------
    Guarantees
        One row for each theorem, norm and scheme, the best promise first.

    Raises
    ------
    ValueError, TypeError
        If K is not a positive semidefinite matrix, a number is out of its range, or
        no promise uses a name that was chosen.

    Notes
    -----
    The table is the book's own; the source of a row is the `number` of its theorem,
    ``theorems[row.id].number``.  The promises need all eigenpairs of K: ``O(n^3)``
    operations and n^2 entries, once with `know`.  This says what the theorems
    are worth.  For a large matrix, approximate first: `certificates.trace_certificate`
    says what you have, and `estimate` what more columns would be promised.

    Examples
    --------
    >>> K = np.diag([1000.0, 500.0, *np.ones(98)])
    >>> found = promises(K, 40)
    >>> found.best("trace").scheme
    'k-DPP'
    >>> found.of("modern:gaussian-sketch", "trace").chosen
    {'k': 2.0}
    """
    case = know(K)
    l = _checks.integer(n_landmarks, "n_landmarks", 1, case.n - 1, "below n")  # noqa: E741
    delta = checked_delta(delta)
    chosen = checked(chosen, case, l)

    def row(theorem, name, known) -> Guarantee:
        return _row(theorem, name, known.but(count=l, rank=l), delta)

    found, unasked = best_rows(asked_of(case, chosen), row, _worth)
    places = {norm: place for place, norm in enumerate(NORMS)}
    order = sorted(found, key=lambda row: (places[row.norm], row.share))
    trace = float(case.diagonal.sum())
    missed = missed_share(case)
    return Guarantees(case.n, l, trace, tuple(order), unasked, missed)


def _worth(row) -> tuple:
    """The smallest share first, then what is not known, and why."""
    return row.share, -told_well(row.why)


def _row(theorem, name, case, delta) -> Guarantee:
    """A promise says nothing where it is not below the norm of K, as it is known."""
    found, promise = kept(theorem, name, case, delta), theorem.promises[name]
    limit, why = known_norm(promise.norm, case), ""
    trace = float(case.diagonal.sum())
    share = found.bound / trace
    if not found.bound < limit:
        share = np.inf
        why = why_not(theorem, name, case, limit, delta)
    told = promise.scheme, promise.norm, share, found.chosen, found.fails, why
    return Guarantee(theorem.id, name, *told, case.n, trace)
