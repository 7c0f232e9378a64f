"""How many columns does a theorem ask for?  Its bound, read backwards."""

from __future__ import annotations

import numbers
from dataclasses import dataclass

import numpy as np

from nystheory import _checks, style
from nystheory.engine.instances import Instance
from nystheory.engine.known import Known
from nystheory.engine.measured import SAMPLE
from nystheory.engine.quantities import QUANTITIES
from nystheory.engine.theorem import Theorem
from nystheory.kernels import as_kernel

# Numbers of columns at which it is checked that more of them never make the bound
# worse; bisection would answer anyway, and wrongly.
PROBES = 33
# More columns than any matrix has: what fails even there does not ask for columns.
BEYOND = 10**12


@dataclass(frozen=True)
class Columns:
    """The answer: how many columns, of how many.

    Attributes
    ----------
    id : str
        The theorem.
    target : float
        What its bound must not exceed.
    n : int
        The columns there are.
    count : int or None
        The smallest number with which the theorem promises the target; None where
        even all columns do not: the promise is vacuous.
    bound : float
        The bound at that number, or at n; infinite where it says nothing there.
    linked : str
        The theorem's number in the book, as a link; empty where it has none.

    Examples
    --------
    >>> Columns("thm", 0.1, 1000, 40, 0.0999)
    Columns(thm: 40 of 1000)
    >>> Columns("thm", 0.1, 1000, None, 3.0)
    Columns(thm: vacuous, more columns than the matrix has: with all its bound is 3)
    """

    id: str
    target: float
    n: int
    count: int | None
    bound: float
    linked: str = ""

    def __repr__(self) -> str:
        return f"Columns({self.id}: {self._says()})"

    def _says(self) -> str:
        if self.count is not None:
            return f"{self.count} of {self.n}"
        there = f"with all its bound is {self.bound:.3g}"
        if np.isinf(self.bound):
            there = f"it says nothing for any l up to n = {self.n}"
        return f"vacuous, more columns than the matrix has: {there}"

    def _repr_html_(self) -> str:
        header = ("theorem", "its bound is to be at most", "columns it asks for")
        name = self.linked or f"`{self.id}`"
        return style.table([(name, self.target, self._says())], header)


def required_landmarks(
    theorem: Theorem,
    target: float,
    K=None,
    rank: int | None = None,
    claim: str = "",
    **quantities,
) -> Columns:
    """The smallest number of columns for which a theorem promises a target.

    Its parameters, and what it raises, are those of
    `nystheory.guarantees.required_landmarks`, which finds a theorem by its id too.

    Notes
    -----
    Bisection on the formula, after a look at 33 numbers of columns that it is
    monotone.  The numbers for which a hypothesis fails (fewer than k columns) count as
    too few.

    Examples
    --------
    >>> from nystheory.chapters import theorems
    >>> theorem = theorems["modern:k-dpp-expectation"]
    >>> required_landmarks(theorem, 1.5, K=np.diag([4.0, 2.0, 1.0, 0.5]))
    Columns(modern:k-dpp-expectation: 3 of 4)
    """
    target = _target(target)
    names = _names(theorem, claim)
    if "l" not in names:
        raise ValueError(f"{theorem.id}: expected a formula with l, which it has not")
    if "l" in quantities:
        raise ValueError("l: expected no value, since it is what is asked for")
    seen = [q for q in names if QUANTITIES[q].when == SAMPLE]
    if set(seen) - set(quantities):
        raise ValueError(
            f"{theorem.id}: expected a bound that can be computed before sampling, "
            f"but {', '.join(seen)} is measured on the sample"
        )
    if rank is not None:
        rank = _checks.integer(rank, "rank")
    bound, n = _bound_of_l(theorem, claim, K, rank, quantities)
    if rank is not None and rank > n:
        raise ValueError(f"rank: expected at most n = {n}, got {rank}")

    def evaluate(m):
        return _or_infinite(bound, m) if rank is None or m >= rank else np.inf

    # Nothing is left to bound at l = n, so some theorems speak of l < n only.
    told = theorem.linked if theorem.book_number else ""
    top = n if np.isfinite(evaluate(n)) else max(n - 1, 1)
    probes = np.unique(np.linspace(1, top, min(top, PROBES)).round().astype(int))
    values = np.array([evaluate(int(m)) for m in probes])
    if np.isinf(values).all():
        bound(BEYOND)  # says what fails
        return Columns(theorem.id, target, n, None, np.inf, told)
    if np.isinf(values[-1]):
        probes, values = _up_to_the_last(evaluate, probes, values)
    reached = values <= target
    if (reached[:-1] & ~reached[1:]).any():
        raise ValueError(f"{theorem.id}: expected a bound that falls with l")
    if not reached[-1]:
        return Columns(theorem.id, target, n, None, float(values[-1]), told)
    first = int(reached.argmax())
    high, low = int(probes[first]), int(probes[first - 1]) if first else 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if evaluate(middle) <= target else (middle, high)
    return Columns(theorem.id, target, n, high, evaluate(high), told)


def _up_to_the_last(evaluate, probes, values):
    """Where a theorem speaks of few columns only (of p l <= n), up to the most."""
    last = int(np.flatnonzero(np.isfinite(values))[-1])
    low, high = int(probes[last]), int(probes[last + 1])
    while high - low > 1:
        middle = (low + high) // 2
        fine = np.isfinite(evaluate(middle))
        low, high = (middle, high) if fine else (low, middle)
    few = [*probes[: last + 1], low] if low > probes[last] else probes[: last + 1]
    few = np.array(few)
    return few, np.array([evaluate(int(m)) for m in few])


def _target(target) -> float:
    number = isinstance(target, numbers.Real) and not isinstance(target, bool)
    if not number:
        raise TypeError(f"target: expected a finite number, got {target!r}")
    if not np.isfinite(target):
        raise ValueError(f"target: expected a finite number, got {target!r}")
    return float(target)


def _names(theorem, claim):
    """What the bound is computed from."""
    if not isinstance(claim, str) or (claim and claim not in theorem.claims):
        told = [name for name, each in theorem.claims.items() if each.bound is not None]
        raise ValueError(f"claim: expected one of {told}, got {claim!r}")
    name = claim or theorem.main
    if not name:
        raise TypeError(f"{theorem.id} has no formula to read backwards")
    return theorem.needed(theorem.claims[name].bound)


def _or_infinite(bound, m) -> float:
    """The bound, infinite where a hypothesis fails."""
    try:
        return bound(m)
    except ValueError as error:
        if "hypothesis" not in str(error):
            raise
        return np.inf


def _bound_of_l(theorem, claim, K, rank, quantities):
    """The bound as a function of l, and n."""
    if K is None:
        if "n" not in quantities:
            raise ValueError("n: expected the number of columns there are, got none")

        def bound(m):
            return theorem.bound_on(None, claim, l=m, **quantities)

        return bound, _checks.integer(quantities["n"], "n")
    known = _known(K)

    def bound(m):
        columns = min(m, known.n)
        case = known.but(count=columns, rank=min(columns, rank or columns))
        given = {"l": m, "different": m, **quantities}  # none is drawn twice
        return theorem.bound_on(case, claim, **given)

    return bound, known.n


def _known(K) -> Known:
    """What is known of a matrix; an instance brings along what was measured of it."""
    if not isinstance(K, (Instance, Known)):
        K = Instance(as_kernel(K).dense(), [0], 1)
    return Known.of(K)
