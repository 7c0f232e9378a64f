"""One claim on one instance: two sides, a relation, a stated allowance for rounding."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nystheory.theorems.base import Claim
from nystheory.theorems.instance import EPS

# A backward stable computation on n x n matrices errs by a modest multiple of
# n * eps * norm, and the statements at hand chain a handful of such computations.
# The adversary maximises the residual, so the factor must cover the worst of
# thousands of cases: the largest seen is a tenth of it.  A false identity misses the
# allowance by ten orders of magnitude, so nothing is lost by being generous.
ROUNDING = 1000.0

# Where the allowance reaches this share of the scale a violation by 0.1 percent
# would be invisible: the comparison is then not counted as evidence.
BLURRED = 1e-3


class Comparison(NamedTuple):
    """What came of it.

    ``score`` is what an adversary maximises: above 1 is a violation.  For an
    identity it is the residual over the allowance, for an inequality
    observed over bound after the allowance, for a property 0 or infinity.
    ``ratio`` is observed over bound without any allowance, at most 1 when the claim
    holds, NaN where it has no meaning.
    """

    observed: float
    bound: float
    allowance: float
    score: float
    ratio: float
    decided: bool

    @property
    def violated(self) -> bool:
        """Whether the claim fails here, beyond rounding."""
        return bool(self.decided and self.score > 1)


UNDECIDED = Comparison(math.nan, math.nan, math.inf, 0.0, math.nan, False)


def compare(claim: Claim, instance, rng: np.random.Generator) -> Comparison:
    """Check one claim on one instance.

    Parameters
    ----------
    claim : Claim
    instance : Instance
        Or whatever the claim's functions take.
    rng : numpy.random.Generator
        Passed on to the claim.

    Returns
    -------
    Comparison
    """
    left = claim.observe(instance, rng)
    right = claim.right_side(instance, rng)
    if left is None or right is None:
        return UNDECIDED
    if isinstance(left, (bool, np.bool_)):
        score = 0.0 if bool(left) == bool(right) else math.inf
        return Comparison(float(left), float(right), 0.0, score, math.nan, True)
    scale = _scale(claim, instance)
    size = getattr(instance, "n", 1)
    condition = claim.condition(instance) if claim.condition else 1.0
    allowance = float(ROUNDING * size * EPS * condition * scale)
    decided = bool(allowance <= BLURRED * scale)
    if claim.relation == "=":
        return _equal(left, right, allowance, decided)
    left, right = float(left), float(right)
    if claim.relation == ">=":
        turned = _at_most(right, left, allowance, decided)
        return turned._replace(observed=left, bound=right)
    return _at_most(left, right, allowance, decided)


def _scale(claim, instance) -> float:
    scale = claim.scale(instance) if claim.scale else getattr(instance, "norm_K", 1.0)
    # On the zero matrix every rounding error is an exact zero; the smallest normal
    # number keeps 0 <= 0 from being called blurred.
    return max(float(scale), np.finfo(float).tiny)


def _equal(left, right, allowance, decided) -> Comparison:
    left, right = np.asarray(left, dtype=float), np.asarray(right, dtype=float)
    if left.shape != right.shape:
        return Comparison(math.nan, math.nan, 0.0, math.inf, math.nan, True)
    residual = float(np.linalg.norm(left - right))
    score = residual / allowance if allowance > 0 else math.inf * (residual > 0)
    if not np.isfinite(residual):
        score = math.inf
    return Comparison(residual, 0.0, allowance, score, math.nan, decided)


def _at_most(observed, bound, allowance, decided) -> Comparison:
    violated = not observed <= bound + allowance
    # A bound within rounding of zero has no ratio worth showing.
    ratio = observed / bound if bound > 10 * allowance else math.nan
    score = (observed - allowance) / bound if bound > 10 * allowance else 0.0
    if violated:
        score = score if score > 1 else math.inf
    return Comparison(observed, bound, allowance, max(score, 0.0), ratio, decided)
