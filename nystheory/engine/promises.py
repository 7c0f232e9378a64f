"""What a user is promised before a column is drawn: a claim at its best.

A claim bounds an error by what is known of K and by what may be chosen: the rank that
a bound compares with, a ridge, an accuracy.  `Promise` is what a theorem tells of that;
`kept` finds the choice with which it promises most, on one matrix and one number of
columns.  The bound, the chance and the conditions are those of the claim's own line.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from nystheory.engine import lines
from nystheory.engine.quantities import CHOSEN, QUANTITIES, SAMPLE

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


def _parts(claim):
    """Trees of what is bounded, of the bound and of the chance (None: of a mean)."""
    left, right = claim.sides
    called = left.func.id if isinstance(left, ast.Call) else ""
    if called == "mean":
        return left.args[0], right, None
    if called != "chance":
        return left, right, ast.Constant(0)
    event = left.args[0]
    if lines.relation(event) == "!=":  # what is not recovered
        return event.left, ast.Constant(0), right
    return event.left, event.comparators[0], right


def observed(claim) -> str:
    """The name of the quantity that a promise bounds; empty if it is several."""
    tree, _, _ = _parts(claim)
    found = lines.names(tree)
    return found[0] if len(found) == 1 else ""


def _root(tree) -> float:
    """The power to which the error is raised on the left side."""
    raised = isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Pow)
    return float(ast.literal_eval(tree.right)) if raised else 1.0


def _of_the_sample(theorem, tree) -> bool:
    return any(QUANTITIES[name].when == SAMPLE for name in theorem.needed(tree))


def _met(tree, reading) -> bool:
    """Whether a condition is met, also where float64 tells only a least rank of K."""
    met = reading.value(tree)
    if met is None and _asks_for_rank(tree):
        given = {**reading.given, "rank_K": reading.instance.rank_K}
        again = lines.Reader(QUANTITIES, reading.instance, given, reading.where)
        met = again.value(tree)
    return met is True


def _asks_for_rank(tree) -> bool:
    """Whether a larger rank of K would meet a condition all the more."""
    if not isinstance(tree, ast.Compare) or len(tree.ops) > 1:
        return False
    small, large = tree.left, tree.comparators[0]
    if isinstance(tree.ops[0], (ast.Gt, ast.GtE)):
        small, large = large, small
    elif not isinstance(tree.ops[0], (ast.Lt, ast.LtE)):
        return False
    return ast.unparse(large) == "rank_K" and "rank_K" not in lines.names(small)


def _by_definition(tree, given) -> bool:
    """Whether both sides of a condition are one line, with what the scheme fixes."""
    if not isinstance(tree, ast.Compare) or len(tree.ops) > 1:
        return False
    one, other = (ast.unparse(x) for x in (tree.left, tree.comparators[0]))
    same = given.get(one, one) == given.get(other, other)
    return same and isinstance(tree.ops[0], (ast.LtE, ast.GtE, ast.Eq))


# What copies of an instance share, if it was measured before they were made.
_SHARED = ("points", "rank_K", "rank_is_clear", "largest_distance", "spread")


class _Case:
    """One claim on one matrix: conditions, bound and chance for any choice."""

    def __init__(self, theorem, name, instance, delta):
        self.claim, self.promise = theorem.claims[name], theorem.promises[name]
        self.theorem, self.instance, self.delta = theorem, instance, delta
        for shared in _SHARED:
            getattr(instance, shared, None)
        self.left, self.right, self.chance = _parts(self.claim)
        texts = [text for text in (self.claim.when, self.promise.when) if text]
        texts += [h.line for h in theorem.hypotheses.values()]
        if self.promise.columns:
            number = theorem.claims[self.promise.columns].sides[1]
            texts.append(f"{ast.unparse(number)} <= l")
        parsed = [lines.parse(text) for text in texts]
        # What is said of the sample is the business of the scheme, and so is what is
        # so by what it fixes; a matrix order takes eigenvalues and is asked last.
        said = [
            tree
            for tree in parsed
            if not _of_the_sample(theorem, tree)
            and not _by_definition(tree, self.promise.given)
        ]
        self.conditions = sorted(said, key=lambda tree: "below(" in ast.unparse(tree))
        trees = [self.right, *self.conditions]
        trees += [] if self.chance is None else [self.chance]
        self.needed = {name for tree in trees for name in theorem.needed(tree)}

    def reader(self, chosen):
        """What evaluates lines for a choice."""
        rank = int(chosen.get("k", self.instance.k))
        values = {name: x for name, x in chosen.items() if name != "k"}
        case = self.instance.but(rank=rank, **values)
        for name, given in self.promise.given.items():
            if isinstance(given, str):
                given = self._reading(case, {}).value(lines.parse(given)).value
            case = case.but(**{name: given})
        return self._reading(case, dict(case.extra))

    def _reading(self, case, given):
        return lines.Reader(QUANTITIES, case, given, self.theorem.where_lines)

    def holds(self, chosen) -> bool:
        """Whether all conditions are met, and failure is rare enough."""
        reading = self.reader(chosen)
        if not all(_met(tree, reading) for tree in self.conditions):
            return False
        if self.chance is None or "delta" in lines.names(self.chance):
            return True
        return self._number(reading, self.chance) <= self.delta

    def bound(self, chosen) -> float:
        """On the error itself, for a choice."""
        value = self._number(self.reader(chosen), self.right)
        return value if math.isnan(value) else max(value, 0.0) ** (1 / _root(self.left))

    def fails(self, chosen) -> float | None:
        """With what probability."""
        if self.chance is None:
            return None
        return self._number(self.reader(chosen), self.chance)

    @staticmethod
    def _number(reading, tree) -> float:
        return float(reading.value(tree).value)


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
    case = _Case(theorem, name, instance, delta)
    free = case.promise.free if free is None else free
    known = {} if "delta" in instance.extra else _delta(case)
    others = [symbol for symbol in free if symbol != "k"]
    ranks = range(1, instance.l + 1) if "k" in free else [instance.k]
    best, least = {}, math.inf
    for rank in ranks:
        chosen = {**known, "k": float(rank)}
        for symbol in others:
            chosen = _chosen(case, chosen, symbol, free[symbol], least)
        if chosen and case.holds(chosen) and case.bound(chosen) < least:
            best, least = chosen, case.bound(chosen)
    if not best:
        return Kept(math.inf, {}, None if case.chance is None else delta)
    told = {symbol: best[symbol] for symbol in free}
    return Kept(least, told, case.fails(best))


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
    case = _Case(theorem, name, instance, 0.5)
    known = {"delta", *case.promise.free, *case.promise.given, *instance.extra}
    asked = (symbol for symbol in case.needed - known)
    return sorted(symbol for symbol in asked if QUANTITIES[symbol].when == CHOSEN)


def _delta(case) -> dict[str, float]:
    """The theorem's delta with which it fails as rarely as is asked."""
    if "delta" not in case.needed:
        return {}
    asked = {"delta": case.delta}
    if case.chance is None or set(lines.names(case.chance)) - {"delta"}:
        return asked

    def fails(delta):
        reading = lines.Reader(QUANTITIES, None, {"delta": delta})
        return float(reading.value(case.chance).value)

    if fails(LOW) > RARE or fails(case.delta) == case.delta:
        return asked
    low, high = LOW, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if fails(middle) <= case.delta else (low, middle)
    return {"delta": low}


def _chosen(case, chosen, symbol, way, least) -> dict:
    """A choice with a free number at the end that promises most; empty if none does."""
    if not chosen:
        return {}
    unit, high = 1.0, HIGH
    if symbol in RIDGES:
        unit, high = float(case.instance.K.trace()), MOST
    bad, good = (LOW, high) if way == SMALLEST else (high, LOW)
    # Not even the best end promises more than what was found before.
    if case.bound({**chosen, symbol: bad * unit}) >= least:
        return {}
    if not case.holds({**chosen, symbol: good * unit}):
        return {}
    bad, good = math.log(bad), math.log(good)
    for _ in range(STEPS):
        middle = (bad + good) / 2
        met = case.holds({**chosen, symbol: math.exp(middle) * unit})
        bad, good = (bad, middle) if met else (middle, good)
    return {**chosen, symbol: math.exp(good) * unit}
