"""What a search over kernels found: who won, who cannot, and who may have."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nystheory import style

CHOSEN, WORSE, UNDECIDED = STATUSES = ("chosen", "certainly worse", "not told apart")
# Names that are told in a sentence; the table has all of them.
NAMED = 6
# A share of a number that its first digits show.
SEEN = 1e-2


@dataclass(frozen=True, eq=False, repr=False)
class Outcome:
    """What `select` found among m kernels and r ridges.

    Attributes
    ----------
    measure : str
        What was compared, one of `MEASURES`; smaller is better.
    kernels : tuple of str, length m
        The names of the kernels.
    ridges : ndarray (r,)
        In units of K.
    lower, upper, estimate : ndarray (m, r)
        Two numbers between which the measure of K itself is with certainty, and one in
        place of it.
    status : ndarray (m, r) of str
        ``"chosen"``, for one pair, that of the smallest estimate among those that may
        be the best; ``"certainly worse"``, where `lower` is above the smallest `upper`
        of all, so that the pair is not the best one; else ``"not told apart"``.
    columns, products : ndarray (m,) of int
        How many columns of each kernel were looked at, and how many products with it
        were computed, until it was dropped or the search ended.  n columns mean that
        the measure was computed exactly.
    more_columns : ndarray (m, r)
        An *estimate* of the columns, beside those of `columns`, that would tell the
        pair and the chosen one apart: 0 where nothing is left to tell, and NaN where it
        is not known, or where the estimates point the other way.
    entries_asked : int
        Entries read, of all kernels.
    n : int
        Number of points with a weight.

    Examples
    --------
    >>> from nystheory import kernels, selection
    >>> X = np.linspace(0, 1, 60)[:, None]
    >>> near, far = kernels.rbf(X, 10.0), kernels.rbf(X, 1e4)
    >>> rng, y = np.random.default_rng(0), np.sin(6 * X[:, 0])
    >>> found = selection.select({"wide": near, "narrow": far}, y, 0.1, rng=rng)
    >>> found.kernel, found.certain, found.certainly_worse
    ('wide', True, ['narrow'])
    """

    measure: str
    kernels: tuple[str, ...]
    ridges: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    estimate: np.ndarray
    status: np.ndarray
    columns: np.ndarray
    products: np.ndarray
    more_columns: np.ndarray
    entries_asked: int
    n: int

    @property
    def best(self) -> tuple[int, int]:
        """The kernel and the ridge that were chosen, as indices."""
        i, j = np.argwhere(self.status == CHOSEN)[0]
        return int(i), int(j)

    @property
    def kernel(self) -> str:
        """The name of the kernel that was chosen."""
        return self.kernels[self.best[0]]

    @property
    def ridge(self) -> float:
        """The ridge that was chosen, in units of K."""
        return float(self.ridges[self.best[1]])

    @property
    def certain(self) -> bool:
        """Whether the exact measure chooses this kernel and this ridge with certainty.

        All other pairs are certainly worse.
        """
        return not (self.status == UNDECIDED).any()

    @property
    def certain_kernel(self) -> bool:
        """Whether the exact measure chooses this kernel, at one of the ridges."""
        return not self.not_told_apart

    @property
    def certainly_worse(self) -> list[str]:
        """The kernels that are certainly not the best one, at any of the ridges."""
        return self._those((self.status == WORSE).all(axis=1))

    @property
    def not_told_apart(self) -> list[str]:
        """The other kernels that may be the best one at some ridge."""
        maybe = (self.status == UNDECIDED).any(axis=1)
        maybe[self.best[0]] = False
        return self._those(maybe)

    def _those(self, which):
        return [self.kernels[i] for i in np.flatnonzero(which)]

    def summary(self) -> str:
        """What was found, in words.

        Returns
        -------
        str
            A line for the choice, for the kernels that are certainly worse, for those
            that are not told apart from it, and for what would tell.

        Raises
        ------
        TypeError
            If the measures are no numbers.

        Notes
        -----
        Costs no entry of K.  The book's own.

        Examples
        --------
        >>> from nystheory import kernels, selection
        >>> K = kernels.linear([[0.0], [1.0], [3.0]])
        >>> rng = np.random.default_rng(0)
        >>> print(selection.select([K], [0, 1, 2], 1.0, rng=rng).summary())
        Chosen: linear at ridge 1, leave-one-out 0.137 (computed exactly).
        This is with certainty the choice of the exact measure.
        """
        lines = [self._choice(), *self._groups(), self._certainty(), *self._ridges()]
        return "\n".join([*lines, *self._what_would_tell()])

    def _choice(self):
        i, j = self.best
        value = style.number(self.estimate[i, j])
        low, high = (style.number(x[i, j]) for x in (self.lower, self.upper))
        ends = f"with certainty between {low} and {high}"
        told = self._all_of_it(i, j, ends) if self.columns[i] >= self.n else ends
        at = f"{self.kernel} at ridge {style.number(self.ridge)}"
        return f"Chosen: {at}, {self.measure} {value} ({told})."

    def _all_of_it(self, i, j, ends):
        """Of all of K, and how far rounding is told where it is seen."""
        apart = self.upper[i, j] - self.lower[i, j]
        seen = apart > SEEN * abs(self.estimate[i, j])
        return (
            f"computed exactly but for rounding, {ends}" if seen else "computed exactly"
        )

    def _groups(self):
        worse, near = self.certainly_worse, self.not_told_apart
        if worse:
            yield f"Certainly worse: {_listed(worse)}."
        if near:
            most = int(self.columns[self.best[0]])
            yield f"Not told apart from it at {most} columns: {_listed(near)}."

    def _certainty(self):
        if self.certain:
            return "This is with certainty the choice of the exact measure."
        if self.certain_kernel:
            return "This is with certainty the kernel of the exact measure."
        return "The exact measure may choose another kernel."

    def _ridges(self):
        i = self.best[0]
        if count := int((self.status[i] == UNDECIDED).sum()):
            others = "another ridge" if count == 1 else f"{count} other ridges"
            yield f"{others.capitalize()} of it cannot be told apart, either."

    def _what_would_tell(self):
        """How many more columns would tell, as far as it is known."""
        open_pairs = self.status == UNDECIDED
        if not open_pairs.any():
            return
        more = self.more_columns[open_pairs]
        known = more[np.isfinite(more)]
        if not len(known):
            yield "How many more columns would tell is not known."
            return
        count = f"{len(known)} of the {len(more)} open pairs"
        count = "all open pairs" if len(known) == len(more) else count
        at_most = f"{_rounded(known.max())} more columns"
        yield f"By an estimate, {at_most} would tell it from {count}."

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        told = f"{len(self.certainly_worse)} certainly worse"
        return (
            f"Outcome({self.measure}: {self.kernel}, ridge={style.number(self.ridge)}; "
            f"of {len(self.kernels)} kernels {told}, "
            f"{len(self.not_told_apart)} not told apart)"
        )

    def table(self) -> style.Table:
        """A row for each kernel, at its ridge of the smallest estimate.

        Returns
        -------
        style.Table
            The best first, those that are certainly worse last.

        Raises
        ------
        TypeError
            If the measures are no numbers.

        Notes
        -----
        Costs no entry of K.  The book's own.

        Examples
        --------
        >>> from nystheory import kernels, selection
        >>> K = kernels.linear([[0.0], [1.0], [3.0]])
        >>> found = selection.select([K], [0, 1, 2], 1.0, rng=np.random.default_rng(0))
        >>> len(found.table().rows)
        1
        """
        rows = [self._row(i, j) for i, j in self._best_of_each()]
        header = (
            *("kernel", "ridge", "estimate", "lower", "upper"),
            *("columns", "products", "status", "more columns (estimate)"),
        )
        return style.Table(header, rows, f"{self.measure}, smaller is better")

    def _row(self, i, j):
        ends = self.estimate[i, j], self.lower[i, j], self.upper[i, j]
        more = self.more_columns[i, j]
        more = None if not more or math.isnan(more) else _rounded(more)
        status = str(self.status[i, j])
        told = int(self.columns[i]), int(self.products[i]), status, more
        return (self.kernels[i], float(self.ridges[j]), *map(float, ends), *told)

    def _best_of_each(self):
        """A pair for each kernel, in the order of the table."""
        order = self.ranks()
        pairs = [(i, int(order[i].argmin())) for i in range(len(self.kernels))]
        return sorted(pairs, key=lambda pair: order[pair])

    def ranks(self) -> np.ndarray:
        """The place of each pair: 1 for the chosen one.

        Returns
        -------
        ndarray (m, r) of int
            Those that may be the best come first; within both groups the smaller
            estimate is before the larger, and equal ones share a place.

        Raises
        ------
        TypeError
            If the measures are no numbers.

        Notes
        -----
        Costs no entry of K.  The book's own.

        Examples
        --------
        >>> from nystheory import kernels, selection
        >>> K = kernels.linear([[0.0], [1.0], [3.0]])
        >>> rng, y = np.random.default_rng(0), [0, 1, 2]
        >>> selection.select([K], y, [1.0, 100.0], rng=rng).ranks()
        array([[1, 2]])
        """
        worse = (self.status == WORSE).ravel()
        values = self.estimate.ravel()
        keys = list(zip(worse.tolist(), values.tolist(), strict=True))
        places = {}
        for place, key in enumerate(sorted(keys), 1):
            places.setdefault(key, place)
        return np.array([places[key] for key in keys]).reshape(self.status.shape)

    def _repr_html_(self) -> str:
        words = style.text(self.summary())
        return f"<p>{words}</p>{self.table()._repr_html_()}"


def _listed(names):
    """Names in a sentence, the first few of many, with their number."""
    if len(names) <= NAMED:
        return "; ".join(names)
    return f"{len(names)} kernels ({'; '.join(names[:NAMED])}; ...)"


def _rounded(x) -> int:
    """Two digits are more than an estimate has."""
    digits = max(0, math.floor(math.log10(max(x, 1))) - 1)
    return math.ceil(x / 10**digits) * 10**digits
