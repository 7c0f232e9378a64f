"""How many columns does a theorem require?  Its bound, read backwards."""

from __future__ import annotations

import ast
import numbers
from dataclasses import dataclass

import numpy as np

from nystheory import _checks, style
from nystheory.engine.language.lines import parse
from nystheory.engine.language.quantity import BEFORE, SAMPLE
from nystheory.engine.promises import possible
from nystheory.engine.promises.known import Known
from nystheory.engine.trial.theorem import Theorem
from nystheory.engine.worlds.instances import Instance
from nystheory.kernels import as_kernel

# Numbers of columns at which it is checked that more of them never make the bound
# worse; bisection would answer anyway, and wrongly.
PROBES = 33
# More columns than any matrix has: what fails even there does not depend on columns.
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
        even all columns do not, and the promise is vacuous, or where that is not
        known: then `why` is not empty.
    bound : float
        The bound at that number, or at the most; infinite where it says nothing there.
    at : str
        What was held fixed, or chosen, besides: ``"k = l"``.
    why : str
        Why it is not known whether some number is enough; empty where that is known.
    what : str
        What the bound is one on.
    box : str
        The number of the theorem as a Markdown link, for the table.
    most : int or None
        The most columns that were asked about; n by default.

    Examples
    --------
    >>> Columns("thm", 0.1, 1000, 40, 0.0999, "k = l")
    Columns(thm: 40 of 1000, with k = l)
    >>> Columns("thm", 0.1, 99, None, 3.0)
    Columns(thm: vacuous, more columns than the matrix has: with all 99 its bound is 3)
    """

    id: str
    target: float
    n: int
    count: int | None
    bound: float
    at: str = ""
    why: str = ""
    what: str = "bound"
    box: str = ""
    most: int | None = None

    def __repr__(self) -> str:
        return f"Columns({self.id}: {self._says()})".replace("`", "")

    def _says(self) -> str:
        fixed = f", with {self.at}" if self.at else ""
        if self.count is not None:
            return f"{self.count} of {self.n}{fixed}"
        if self.why:
            return f"not known{fixed}: {self.why}"
        most = self.n if self.most is None else self.most
        all_of = "all " if most == self.n else ""
        there = f"with {all_of}{most} its {self.what} is {self.bound:.3g}"
        if np.isinf(self.bound):
            there = f"it says nothing for any l up to {'n = ' * bool(all_of)}{most}"
        return f"vacuous, more columns than the matrix has{fixed}: {there}"

    def _repr_html_(self) -> str:
        last = "columns it requires" if self.count is not None else "its answer"
        header = ("theorem", f"asked: {self.what} at most", last)
        box = self.box or f"`{self.id}`"
        return style.table([(box, self.target, self._says())], header)


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
    target = as_target(target)
    names = _names(theorem, claim)
    if not _depends_on_l(theorem, names, K, rank, quantities):
        raise ValueError(_without_l(theorem, claim, names, K))
    if "l" in quantities:
        raise ValueError("l: expected no value, since it is what is sought")
    _check(theorem, claim, target, K, rank, quantities)
    seen = [q for q in names if theorem.quantities[q].when == SAMPLE]
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
    at = _fixed(names, K, rank, quantities)
    what = _bounded(theorem, claim)
    box = theorem.linked if theorem.book_number else ""

    def answer(count, bound):
        return Columns(theorem.id, target, n, count, bound, at, "", what, box)

    def evaluate(m):
        return _or_infinite(bound, m) if rank is None or m >= rank else np.inf

    # Nothing is left to bound at l = n, so some theorems speak of l < n only.
    top = n if np.isfinite(evaluate(n)) else max(n - 1, 1)
    probes = np.unique(np.linspace(1, top, min(top, PROBES)).round().astype(int))
    values = np.array([evaluate(int(m)) for m in probes])
    if np.isinf(values).all():
        bound(BEYOND)  # says what fails
        return answer(None, np.inf)
    if np.isinf(values[-1]):
        probes, values = _up_to_the_last(evaluate, probes, values)
    reached = values <= target
    if (reached[:-1] & ~reached[1:]).any():
        raise ValueError(f"{theorem.id}: expected a bound that falls with l")
    if not reached[-1]:
        return answer(None, float(values[-1]))
    first = int(reached.argmax())
    high, low = int(probes[first]), int(probes[first - 1]) if first else 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if evaluate(middle) <= target else (middle, high)
    return answer(high, evaluate(high))


def _check(theorem, claim, target, K, rank, quantities) -> None:
    """Refuse numbers that no matrix has, and those that the formula does not use."""
    name = claim or theorem.main
    theorem._known(quantities)  # an error that names its neighbours
    args = quantities, used(theorem, name), f"the claim {name!r}", theorem.quantities
    possible.check_used(*args)
    possible.check(quantities, None if K is None else _known(K, theorem.world).n)
    if rank is not None and K is None:
        raise ValueError("rank: expected no rank without K; pass k= with the numbers")
    if target < 0 and _bounded(theorem, claim) != "bound":
        raise ValueError(f"target: expected a probability, at least 0, got {target:g}")


def used(theorem, name) -> set[str]:
    """What a claim, its promise and the hypotheses are computed from, and n."""
    promise = theorem.promises.get(name)
    claims = [name, getattr(promise, "columns", "") or name]
    told = [theorem.claims[each] for each in claims]
    lines = [line for each in told for line in (each.line, each.when) if line]
    spoken = {x for line in lines for x in theorem.needed(parse(line))}
    asked = [theorem.hypotheses[x].line for x in theorem.asked(spoken)]
    needed = {x for line in asked for x in theorem.needed(parse(line))}
    free = {*getattr(promise, "given", ()), *getattr(promise, "free", ())}
    return {"n", *free, *spoken, *needed}


def _depends_on_l(theorem, names, K, rank, quantities) -> bool:
    """Whether the formula has l in it, or something that is measured at l."""
    if "l" in names or K is None:
        return "l" in names
    known = _known(K, theorem.world).but(rank=rank, **quantities)
    for name in set(names) - set(quantities):
        if theorem.quantities[name].when == BEFORE:
            known.measured(theorem.quantities[name])
            if known.memo.depends(theorem.quantities[name], "count"):
                return True
    return False


def _without_l(theorem, claim, names, K) -> str:
    told = f"{theorem.id}: expected a formula with l, which {claim or theorem.main!r}"
    others = [
        name
        for name in theorem.claims
        if (tree := theorem.bounding(name)) is not None and "l" in theorem.needed(tree)
    ]
    more = "; pass K" if K is None else "; leave the rank and the other numbers open"
    if others:
        more = f"; pass claim={others[0]!r}"
    return f"{told} has not{more}"


def _fixed(names, K, rank, quantities) -> str:
    """What was held fixed, in words."""
    if "experts" in names:
        return "so many for each expert"
    if "k" not in names or "k" in quantities or K is None:
        return f"k = {quantities['k']}" if {"k"} <= {*names} & {*quantities} else ""
    return "k = l" if rank is None else f"k = {rank}"


def _bounded(theorem, claim) -> str:
    """What the bound is one on: an error, or the chance of failure."""
    chosen = theorem.claims[claim or theorem.main]
    if chosen.kind == "probability" and ast.unparse(chosen.sides[1]) == ast.unparse(
        theorem.bounding(claim or theorem.main)
    ):
        return "bound on the chance of failure"
    return "bound"


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


def as_target(target) -> float:
    """A finite number."""
    told = f"target: expected a finite number, got {_checks.shown(target)}"
    if not isinstance(target, numbers.Real) or isinstance(target, bool):
        raise TypeError(told)
    try:
        number = float(target)
    except OverflowError:
        raise ValueError(told) from None
    if not np.isfinite(number):
        raise ValueError(told)
    return number


def _names(theorem, claim):
    """What the bound is computed from."""
    if not isinstance(claim, str) or (claim and claim not in theorem.claims):
        told = [name for name in theorem.claims if theorem.bounding(name) is not None]
        raise ValueError(f"claim: expected one of {told}, got {claim!r}")
    name = claim or theorem.main
    if not name:
        told = f"expected one with a bound to read backwards, which {theorem.id} has"
        raise TypeError(f"theorem: {told} not")
    return theorem.needed(theorem.bounding(name))


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
    known, beside = _known(K, theorem.world), _beside(theorem, claim)

    def bound(m):
        columns = min(m, known.n)
        case = known.but(count=columns, rank=min(columns, rank or columns))
        # None is drawn twice.
        given = {**beside, "l": m, "different": m, **quantities}
        return theorem.bound_on(case, claim, **given)

    return bound, known.n


def _beside(theorem, claim) -> dict:
    """What the theorem leaves free and the bound does not depend on."""
    promise = theorem.promises.get(claim or theorem.main)
    names = _names(theorem, claim)
    given = getattr(promise, "given", {}).items()
    return {x: y for x, y in given if x not in names and not isinstance(y, str)}


def _known(K, world) -> Known:
    """What is known of a matrix; an instance brings along what was measured of it."""
    if not isinstance(K, (Instance, Known)):
        K = Instance(as_kernel(K).dense(), [0], 1)
    return Known.of(K, world)
