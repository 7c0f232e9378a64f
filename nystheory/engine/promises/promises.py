"""What a user is promised before a column is drawn: a claim at its best.

A claim bounds an error by what is known of K and by what may be chosen: the rank that
a bound compares with, a ridge, an accuracy.  `Promise` is what a theorem tells of that;
`kept` finds the choice with which it promises most, on one matrix and one number of
columns.  The bound, the chance and the conditions are those of the claim's own line.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from nystheory.engine.language import lines
from nystheory.engine.language.quantity import CHOSEN
from nystheory.engine.promises.applied import AppliedClaim, parts
from nystheory.engine.promises.screens import Beyond

# The error is never above K: a promise that is not below its norm says nothing.
NORMS = {
    "trace": "trace_K",
    "spectral": "norm_K",
    "Frobenius": "norm_K_F",
    "largest entry": "K_max",
}
# How a free number is chosen: every rank is tried, of the others the smallest or the
# largest is taken with which all conditions are met.
EACH, SMALLEST, LARGEST = "each", "smallest", "largest"
# Where it is looked for, and how closely.  A ridge is a share of the trace of K: a
# larger one promises nothing, and not all of it, which rounding may exceed.
LOW, HIGH, STEPS, RARE = 1e-12, 1e6, 40, 1e-9
RIDGES, MOST = {"alpha"}, 0.999
# Bounds of two ranks, and of two choices, that plain numbers do not tell apart.
ALIKE, CLOSE = 1e-13, 1e-6
# Ranks at which it is asked what is not known.
FEW = 30


@dataclass(frozen=True)
class Promise:
    """What a claim is good for, beside the claim itself.

    Parameters
    ----------
    norm : {"trace", "spectral", "Frobenius", "largest entry"}
        Of the error that it bounds.
    scheme : str
        How the columns, or the test vectors, are drawn.
    free : mapping of str to {"each", "smallest", "largest"}
        What the user may choose, and which choice promises most.
    given : mapping of str to float or line
        What the scheme fixes: the share of the exact scores that it draws by; or a
        number that the theorem leaves free and the error does not depend on.
    when : str
        A line: where the scheme can be followed at all.
    columns : str
        The claim that bounds the mean number of landmarks, for a scheme that draws a
        random number of them.
    """

    norm: str
    scheme: str
    free: Mapping[str, str] = field(default_factory=dict)
    given: Mapping[str, float | str] = field(default_factory=dict)
    columns: str = ""
    when: str = ""

    def __post_init__(self):
        if self.norm not in NORMS:
            raise ValueError(f"norm: expected one of {[*NORMS]}, got {self.norm!r}")
        ways = {EACH, SMALLEST, LARGEST}
        for name, way in self.free.items():
            if way not in ways or (way == EACH) != (name == "k"):
                raise ValueError(f"free: expected k each, or one end, got {name}={way}")


@dataclass(frozen=True)
class Kept:
    """A promise at its best.

    Attributes
    ----------
    bound : float
        On the error, in its norm and in the units of K; infinite where no choice
        meets the conditions.
    chosen : mapping of str to float
        The rank, the ridge, the accuracy that were chosen.
    fails : float or None
        With what probability at most; 0 if surely not, None if the bound is on a mean.
    """

    bound: float
    chosen: Mapping[str, float] = field(default_factory=dict)
    fails: float | None = 0.0


def observed(claim) -> str:
    """The name of the quantity that a promise bounds; empty if it is several."""
    tree, _, _ = parts(claim)
    found = lines.names(tree)
    return found[0] if len(found) == 1 else ""


def kept(theorem, name: str, instance, delta: float = 0.1, free=None) -> Kept:
    """The promise of a claim at its best.

    Parameters
    ----------
    theorem : Theorem
    name : str
        Of a claim that has a promise.
    instance : Instance
        The matrix with as many landmarks as are asked about; which ones is not used.
        Its rank counts where the rank is not free.
    delta : float
        The probability with which the promise may fail; an instance that brings the
        theorem's own delta along is taken at its word.
    free : mapping of str to str, optional
        In place of what the promise says is free: ``{}`` where the rank is that of
        the instance.

    Returns
    -------
    Kept

    Raises
    ------
    ValueError
        If the promise needs a number that neither the matrix nor the scheme tells.

    Notes
    -----
    Where the theorem fails with another probability than its delta, that is chosen so
    that both agree; where it may fail for another reason besides, it gets the delta as
    it is, and `Kept.fails` is larger.

    Examples
    --------
    >>> import numpy as np
    >>> from nystheory.chapters import theorems
    >>> from nystheory.engine import Instance
    >>> case = Instance(np.diag([1000.0, *np.ones(99)]), range(12), 12)
    >>> kept(theorems["modern:gaussian-sketch"], "nuclear", case, 0.1)
    Kept(bound=108.9, chosen={'k': 1.0}, fails=None)
    """
    lacking = asks(theorem, name, instance)
    if lacking:
        raise ValueError(f"{theorem.id}: expected {', '.join(lacking)} by name")
    case = AppliedClaim(theorem, name, instance, delta)
    free = case.promise.free if free is None else free
    known = _delta(case)
    best, least = {}, math.inf
    for hoped, at in _hopes(case, known, free):
        if hoped > least:
            break
        rank = at["k"]
        # Of two ranks that promise the same, the smaller one is told.
        beat = least if rank > best.get("k", 0) else math.nextafter(least, math.inf)
        chosen = _at_best(case, {**known, "k": rank}, free, beat)
        if chosen and case.holds(chosen) and case.bound(chosen) < beat:
            best, least = chosen, case.bound(chosen)
    if not best:
        return Kept(math.inf, {}, None if case.chance is None else delta)
    return _told(case, best, free)


def reached(theorem, name: str, instance, target: float, delta: float = 0.1):
    """The promise of a claim, if some choice brings it down to a target.

    Parameters
    ----------
    theorem, name, instance, delta
        As for `kept`.
    target : float
        What the bound must not exceed, in the units of K.

    Returns
    -------
    Kept or None
        With the choice that meets the conditions most easily of those whose bound is
        at most the target, and the smallest such rank that a `Screen` lets through
        first; None if there is none.

    Notes
    -----
    The same promise as `kept`, without the search for its best: a bound grows from the
    end of a free number that promises most to the one that asks least.

    Examples
    --------
    >>> import numpy as np
    >>> from nystheory.chapters import theorems
    >>> from nystheory.engine import Instance
    >>> case = Instance(np.diag([1000.0, *np.ones(99)]), range(12), 12)
    >>> theorem = theorems["modern:gaussian-sketch"]
    >>> reached(theorem, "nuclear", case, 110.0).chosen
    {'k': 1.0}
    >>> reached(theorem, "nuclear", case, 108.0) is None
    True
    """
    case = AppliedClaim(theorem, name, instance, delta)
    chosen = _reaching(case, target)
    return _told(case, chosen, case.promise.free) if chosen else None


def _reaching(case, target, most=None) -> dict:
    """A choice that meets the conditions with a bound at most a target; empty: none.

    Of all ranks, or of so many that hope for most.
    """
    free, known = case.promise.free, _delta(case)
    for hoped, at in islice(_hopes(case, known, free, target), most):
        if hoped > target:
            break
        chosen = {**known, **at}
        for symbol in (symbol for symbol in free if symbol not in at):
            chosen = _easiest(case, chosen, symbol, free[symbol], target)
        if chosen and case.holds(chosen) and case.bound(chosen) <= target:
            return chosen
    return {}


def undecided(theorem, name: str, instance, target: float, delta: float = 0.1):
    """Which conditions stand between a claim and a target, and are not known to fail.

    Parameters
    ----------
    theorem, name, instance, target, delta
        As for `reached`.

    Returns
    -------
    list of ast.AST
        The claim would promise the target if they were met, and what is known of the
        matrix does not tell whether they are; empty if it would not at the ranks that
        hope for most.

    Examples
    --------
    >>> import ast
    >>> import numpy as np
    >>> from nystheory.chapters import theorems
    >>> from nystheory.engine import Instance
    >>> K = np.diag([4.0, 2.0, 1.0, 1e-14])  # of rank 3, or of rank 4?
    >>> case = Instance(K, range(4), 4)
    >>> theorem = theorems["modern:k-dpp-expectation"]
    >>> [ast.unparse(tree) for tree in undecided(theorem, "mean", case, 1.0)]
    ['l <= rank_K']
    """
    case = AppliedClaim(theorem, name, instance, delta, hopeful=True)
    if not case.unknown:
        return []
    chosen = _reaching(case, target, FEW)
    return case.open(chosen) if chosen else []


def _told(case, chosen, free) -> Kept:
    told = {symbol: chosen[symbol] for symbol in free}
    return Kept(case.bound(chosen), told, case.fails(chosen))


def _at_best(case, chosen, free, least) -> dict:
    """With the other free numbers where they promise most."""
    for symbol in (symbol for symbol in free if symbol != "k"):
        chosen = _chosen(case, chosen, symbol, free[symbol], least)
    return chosen


def asks(theorem, name: str, instance) -> list[str]:
    """What a promise needs by name, because neither K nor the scheme tells it.

    Examples
    --------
    >>> import numpy as np
    >>> from nystheory.chapters import theorems
    >>> from nystheory.engine import Instance
    >>> theorem, case = theorems["talwalkar2010:thm-5.3"], Instance(np.eye(9), [0], 1)
    >>> asks(theorem, "fixed weights", case)
    ['experts', 'mu_max']
    """
    case = AppliedClaim(theorem, name, instance, 0.5)
    known = {"delta", *case.promise.free, *case.promise.given, *case.instance.chosen}
    asked = (symbol for symbol in case.needed - known)
    table = theorem.quantities
    return sorted(symbol for symbol in asked if table[symbol].when == CHOSEN)


def lacks(theorem, name: str, instance) -> list[str]:
    """What a promise needs and cannot be known of this matrix: of an exact one nothing.

    Examples
    --------
    >>> import numpy as np
    >>> from nystheory.chapters import theorems
    >>> from nystheory.engine import Instance
    >>> one = Instance(np.eye(9), [0], 1)
    >>> lacks(theorems["modern:rudi"], "without replacement", one)
    []
    """
    case = AppliedClaim(theorem, name, instance, 0.5)
    return case.instance.lacks(case.needed)


def _delta(case) -> dict[str, float]:
    """The theorem's delta with which it fails as rarely as is asked."""
    if "delta" not in case.needed or "delta" in case.instance.chosen:
        return {}
    asked = {"delta": case.delta}
    if case.chance is None or set(lines.names(case.chance)) - {"delta"}:
        return asked

    def fails(delta):
        reading = lines.Reader(case.theorem.quantities, None, {"delta": delta})
        return float(reading.value(case.chance).value)

    if fails(LOW) > RARE or fails(case.delta) == case.delta:
        return asked
    low, high = LOW, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if fails(middle) <= case.delta else (low, middle)
    return {"delta": low}


# --- Which rank, and which of the other numbers ---------------------------------------


def _hopes(case, known, free, target=None):
    """What the promise may be at best, and at which rank, best first.

    With a target: at which rank and which other number, the one that asks least.
    """
    if "k" not in free:
        return [(-math.inf, {"k": float(case.instance.k)})]
    ranks = np.arange(1, case.instance.l + 1)
    others = [symbol for symbol in free if symbol != "k"]
    if not len(ranks) or case.hopeless({**known, "k": 1.0}, others):
        return []
    try:
        if len(others) > 1:
            raise Beyond("two free numbers beside the rank")
        screen = case.screen(ranks, known)
        for symbol in others:
            screen = _screened(case, screen, symbol, free[symbol], target)
        hoped = case.bounds(screen)
    except Beyond:
        return [(-math.inf, {"k": float(rank)}) for rank in ranks]
    some = case.may_hold(screen) & ~np.isnan(hoped)
    hoped = hoped[some] * (1 - (CLOSE if others else ALIKE))
    ranks, told = screen.ranks[some], others if target is not None else []
    return (
        (hoped[i], {"k": float(ranks[i])} | {x: screen.given[x][some][i] for x in told})
        for i in np.argsort(hoped, kind="stable")
    )


def _screened(case, screen, symbol, way, target):
    """A screen with a free number where it promises most, or asks least, for each rank.

    Ranks for which no number does are left out.
    """
    bad, good, unit = _ends(case, symbol, way)

    def at(screen, x):
        return screen.but(**{symbol: np.full(len(screen.ranks), x) * unit})

    if target is None:
        met, start = case.may_hold, good
    else:
        start, bad = bad, good

        def met(screen):
            return case.bounds(screen) <= target * (1 - ALIKE)

    left = met(at(screen, start))
    screen = screen.of(left)
    there = np.full(len(screen.ranks), math.log(start))
    beyond = np.full(len(screen.ranks), math.log(bad))
    if len(there) and target is not None:
        there = np.where(met(at(screen, bad)), beyond, there)
    for _ in range(STEPS):
        middle = (there + beyond) / 2
        yes = met(at(screen, np.exp(middle)))
        there, beyond = np.where(yes, middle, there), np.where(yes, beyond, middle)
    return at(screen, np.exp(there))


def _ends(case, symbol, way) -> tuple[float, float, float]:
    """The end that promises most, the one that asks least, and their unit."""
    unit, high = 1.0, HIGH
    if symbol in RIDGES:
        unit, high = float(case.instance.diagonal.sum()), MOST
    return (LOW, high, unit) if way == SMALLEST else (high, LOW, unit)


def _chosen(case, chosen, symbol, way, least) -> dict:
    """A choice with a free number at the end that promises most; empty if none does."""
    if not chosen:
        return {}
    bad, good, unit = _ends(case, symbol, way)
    # Not even the best end promises more than what was found before.
    if case.bound({**chosen, symbol: bad * unit}) >= least:
        return {}
    if not case.holds({**chosen, symbol: good * unit}):
        return {}

    def at(x):
        return {**chosen, symbol: x * unit}

    # What is found is no better than where it does not hold: that ends most searches.
    found = _halved(
        lambda x: case.holds(at(x)), bad, good, lambda x: case.bound(at(x)) >= least
    )
    return at(found) if found else {}


def _easiest(case, chosen, symbol, way, target) -> dict:
    """A choice with a free number that asks least, of those that reach a target."""
    if not chosen:
        return {}
    bad, good, unit = _ends(case, symbol, way)

    def met(x):
        return case.bound({**chosen, symbol: x * unit}) <= target

    if met(good):
        return {**chosen, symbol: good * unit}
    if not met(bad):
        return {}
    return {**chosen, symbol: _halved(met, good, bad) * unit}


def _halved(met, bad, good, idle=lambda x: False) -> float | None:
    """The number nearest to `bad` that is met, as `good` is; None where it is idle."""
    bad, good = math.log(bad), math.log(good)
    for _ in range(STEPS):
        middle = (bad + good) / 2
        if met(math.exp(middle)):
            good = middle
        elif idle(math.exp(middle)):
            return None
        else:
            bad = middle
    return math.exp(good)
