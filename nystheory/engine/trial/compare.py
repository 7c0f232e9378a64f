"""One claim on one instance: two sides, a relation, what rounding explains."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nystheory.engine.language.lines import Reader, as_truth, is_clear, kind_of, parse
from nystheory.exact import kinds


class Comparison(NamedTuple):
    """What came of it.

    ``score`` is what an adversary maximises: above 1 is a violation.  For an identity
    it is the residual over the rounding error, for an inequality observed over bound
    after the error, for a property 0 or infinity.  ``ratio`` is observed over bound
    without any allowance, at most 1 when the claim holds, NaN where it has no meaning.
    """

    observed: float
    bound: float
    score: float
    ratio: float
    decided: bool
    trivial: bool = False

    @property
    def violated(self) -> bool:
        """Whether the claim fails here, beyond rounding."""
        return bool(self.decided and self.score > 1)


UNDECIDED = Comparison(math.nan, math.nan, 0.0, math.nan, False)


def reader(theorem, instance, law: str = "", **given) -> Reader:
    """What evaluates the lines of a theorem on an instance."""
    return Reader(theorem.quantities, instance, given, theorem.where_lines, law)


def applies(claim, reading: Reader) -> bool:
    """Whether the claim speaks of this instance at all."""
    return not claim.when or reading.value(parse(claim.when)) is True


def compare(claim, reading: Reader) -> Comparison:
    """Check one claim on one instance.

    Raises
    ------
    ValueError
        If the two sides are of unlike kind or shape, or the line is no truth.
    """
    if not claim.relation or claim.relation == "!=":
        return _truth(reading.value(claim.tree), True)
    left, right = (reading.value(side) for side in claim.sides)
    kinds.compared(claim.relation, kind_of(left), kind_of(right))
    if isinstance(left, (bool, type(None))) or isinstance(right, (bool, type(None))):
        return _truth(left, right)
    return relate(claim.relation, left, right)


def _truth(left, right) -> Comparison:
    left, right = as_truth(left), as_truth(right)
    if left is None or right is None:
        return UNDECIDED
    score = 0.0 if left == right else math.inf
    return Comparison(float(left), float(right), score, math.nan, True)


def relate(relation, left, right) -> Comparison:
    """Compare two numbers; of arrays, the entry that is closest to failing."""
    difference = left - right
    error = difference.error
    decided = is_clear(difference)
    nothing = max(left.size, right.size) <= error
    # That something with a scale vanishes is more than that nothing equals nothing.
    trivial = decided and nothing and min(left.scale, right.scale) > 0
    if relation == "==":
        return _equal(difference, decided)._replace(trivial=trivial)
    strict = relation in ("<", ">")
    if relation in (">=", ">"):
        turned = _at_most(right.value, left.value, error, decided, strict)
        turned = turned._replace(observed=turned.bound, bound=turned.observed)
        return turned._replace(trivial=trivial)
    found = _at_most(left.value, right.value, error, decided, strict)
    return found._replace(trivial=trivial)


def _equal(difference, decided) -> Comparison:
    residual, error = difference.size, difference.error
    if np.isnan(residual):
        return UNDECIDED
    score = residual / error if error > 0 else math.inf * (residual > 0)
    score = 0.0 if np.isnan(score) else score
    return Comparison(residual, 0.0, score, math.nan, decided)


def _at_most(observed, bound, error, decided, strict) -> Comparison:
    observed, bound = np.broadcast_arrays(observed, bound)
    if not observed.size:  # no entry is above the bound
        return Comparison(0.0, 0.0, 0.0, math.nan, decided)
    if np.isnan(observed).any() or np.isnan(bound).any():
        return UNDECIDED
    with np.errstate(invalid="ignore"):
        gap = observed - bound
        share = gap / np.maximum(np.abs(bound), 10 * error + 1e-300)
    if np.isnan(gap).any():  # infinite on both sides
        return UNDECIDED
    # The entry to show: where the excess is largest beside a finite bound.
    worst = int(np.argmax(np.where(np.isnan(share), -np.inf, share)))
    observed, bound = float(observed.flat[worst]), float(bound.flat[worst])
    violated = bool((gap >= error if strict else gap > error).any())
    if strict and not violated and (gap > -error).any():
        decided = False  # within rounding of being the same
    # A bound within rounding of zero has no ratio worth showing.
    told = bound > 10 * error
    ratio = observed / bound if told else math.nan
    score = (observed - error) / bound if told else 0.0
    if violated:
        score = score if score > 1 else math.inf
    return Comparison(observed, bound, max(score, 0.0), ratio, decided)
