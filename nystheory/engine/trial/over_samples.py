"""Claims about all samples: chances and means, by enumeration where it is possible."""

from __future__ import annotations

import ast
import copy
import math
from dataclasses import dataclass

import numpy as np

from nystheory.engine.language.lines import decide, is_clear, kind_of, parse
from nystheory.engine.language.numbers import Number
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.trial import statistics
from nystheory.engine.trial.compare import Comparison, reader, relate
from nystheory.engine.worlds import laws
from nystheory.engine.worlds.worlds import SHARED, World
from nystheory.exact import kinds

# Relative rounding error of a probability.
CHANCE = 1e-9


@dataclass(frozen=True)
class OnInstance:
    """What came of a claim about samples on one instance.

    ``decided`` and ``undecided`` count samples.  ``shrink`` is the smallest factor for
    the bound at which the check does not refute the claim on this instance.
    """

    outcome: str
    by: str
    comparison: Comparison
    decided: int
    undecided: int
    instance: object
    tests: int = 0
    shrink: float = math.nan

    @property
    def score(self) -> float:
        """How close to failing, for an adversary: observed over bound."""
        ratio = self.comparison.ratio
        return -math.inf if math.isnan(ratio) else ratio


def over_samples(theorem, claim, instance, rng, trials) -> OnInstance:
    """Check a claim about a mean or a chance on one instance."""
    # First the bound: what it measures of K is shared by every sample.
    bound = reader(theorem, instance).value(_split(claim)[1])
    law, _ = kinds.stages(claim.law, claim.sides[0])
    outcomes = instance.outcomes(law)
    if outcomes is not None:
        return _enumerated(theorem, claim, instance, list(outcomes), bound)
    draws = _draws(instance, law, rng, trials)
    if claim.kind == "probability":
        return _trials(theorem, claim, instance, draws)
    return _mean_of_draws(theorem, claim, instance, draws)


def _draws(instance, law, rng, trials) -> list:
    """Random samples; of a small matrix they are kept, and all claims share them."""
    kept = instance.__dict__.setdefault("_draws", {})
    if (law, trials) in kept:
        return kept[law, trials]
    drawn = [(1 / trials, instance.draw(law, rng)) for _ in range(trials)]
    if instance.n <= SHARED:
        kept[law, trials] = drawn
    return drawn


def _split(claim):
    """The call over samples, and what it is compared with."""
    left, right = claim.sides
    if not (isinstance(left, ast.Call) and left.func.id in ("mean", "chance")):
        raise ValueError(
            f"expected mean(...) or chance(...) alone on the left: {claim.line}"
        )
    return left.args[0], right


def _enumerated(theorem, claim, instance, outcomes, bound) -> OnInstance:
    total = math.fsum(p for p, _ in outcomes)
    if abs(total - 1) > 1e-9:
        raise ValueError(f"outcomes: expected probabilities of sum 1, got {total}")
    inner, readings = _readings(theorem, claim, instance, outcomes)
    if claim.kind == "probability":
        events = _parts(theorem, claim, inner)
        found = [(p, *_event(inner, events, reading)) for p, reading in readings]
        return _chance(claim, instance, found, bound)
    found = [(p, _averaged(reading.value(inner))) for p, reading in readings]
    unknown = sum(not math.isfinite(v.error) for _, v in found)
    _check_support(claim, theorem, instance, found)
    mean = _mean(found)
    _check_degree(theorem, claim, instance, mean)
    comparison = relate(claim.relation, mean, bound)
    outcome = "refuted" if comparison.violated else "certified"
    if not comparison.decided:
        outcome = "undecided"
    count = len(found) - unknown
    shrink = comparison.ratio
    args = (comparison, count, unknown, instance, 0, shrink)
    return OnInstance(outcome, "enumerated", *args)


def _readings(theorem, claim, instance, outcomes):
    """What is taken over outcomes, and a reader of each with its probability."""
    inner, given = prepared(theorem, claim, instance, [o for _, o in outcomes])
    rest = kinds.stages(claim.law, claim.sides[0])[1]
    return inner, [(p, reader(theorem, o, rest, **given)) for p, o in outcomes]


def prepared(theorem, claim, instance, outcomes):
    """What is taken over samples, with every part put in that no sample changes.

    Returns
    -------
    tree : ast.AST
    given : dict of str to Number
        The values of the names that stand for those parts.
    """
    inner, _ = _split(claim)
    if any(o.shape != instance.shape for o in outcomes):
        return inner, {}
    fixed = _Fixed(theorem, instance)
    return fixed.visit(copy.deepcopy(inner)), fixed.given


class _Fixed(ast.NodeTransformer):
    """Replaces what is known before sampling by names of values."""

    def __init__(self, theorem, instance):
        self.theorem, self.given = theorem, {}
        self.reading = reader(theorem, instance)

    def visit(self, node):
        if isinstance(node, (ast.BinOp, ast.Call, ast.Name)) and self._known(node):
            name = f"known_{len(self.given)}"
            self.given[name] = self.reading.value(node)
            return ast.Name(name)
        if isinstance(node, ast.Call):
            node.args = [self.visit(argument) for argument in node.args]
            return node
        return self.generic_visit(node)

    def _known(self, node) -> bool:
        called = {n.func for n in ast.walk(node) if isinstance(n, ast.Call)}
        if any(n.id in kinds.OVER_SAMPLES for n in called):
            return False
        names = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
        needed = self.theorem.needed(node)
        return any(n not in called for n in names) and not any(
            self.theorem.quantities[name].when == SAMPLE for name in needed
        )


def _parts(theorem, claim, inner) -> list:
    """The failures of `Claim.events`, with what no sample changes put in."""
    if not claim.events(theorem.quantities):
        return []
    return inner.values if isinstance(inner, ast.BoolOp) else [inner]


def _event(inner, events, reading):
    """Whether an event happens to a sample, and observed over the bound inside it."""
    truth = reading.value(inner)
    kinds.averaged("chance", kind_of(truth))
    return truth, max((_beyond(x, reading) for x in events), default=math.nan)


def _beyond(event, reading) -> float:
    """A number over the bound that it exceeds."""
    left, right = (reading.value(s) for s in (event.left, event.comparators[0]))
    if not isinstance(left, Number) or not right.value > 0:
        return math.nan
    return left.value / right.value


def _quantile(pairs, chance) -> float:
    """The largest factor s at which ``ratio > s`` still has more than that chance."""
    mass = 0.0
    for ratio, p in sorted(((r, p) for r, p in pairs), reverse=True):
        mass += p
        if mass > chance * (1 + 1e-9):
            return ratio
    return math.nan


def _averaged(value) -> Number:
    """A value of which a mean is taken."""
    kinds.averaged("mean", kind_of(value))
    return value


def _mean(found) -> Number:
    value = sum(p * np.asarray(v.value) for p, v in found)
    error = sum(p * v.error for p, v in found)
    scale = max(v.scale for _, v in found)
    return Number(float(value) if np.ndim(value) == 0 else value, error, scale)


def _chance(claim, instance, found, bound) -> OnInstance:
    """A chance lies between what surely fails and what may fail."""
    low = math.fsum(p for p, truth, _ in found if truth is True)
    high = low + math.fsum(p for p, truth, _ in found if truth is None)
    # Chances come through logarithms of factorials; their sum has no cancellation.
    limits = Number(low, CHANCE * low, 1.0), Number(high, CHANCE * high, 1.0)
    comparison = relate(claim.relation, limits[0], bound)
    upper = relate(claim.relation, limits[1], bound)
    unknown = sum(truth is None for _, truth, _ in found)
    outcome = "refuted" if comparison.violated else "certified"
    if outcome == "certified" and (upper.violated or not upper.decided):
        outcome = "undecided"
    shrink = _shrink([(r, p) for p, _, r in found], comparison.bound, comparison.ratio)
    args = (comparison, len(found) - unknown, unknown, instance, 0, shrink)
    return OnInstance(outcome, "enumerated", *args)


def _shrink(pairs, chance, ratio) -> float:
    """The factor for the bound inside the event, else for the chance itself."""
    known = [pair for pair in pairs if not math.isnan(pair[0])]
    return _quantile(known, chance) if known else ratio


def _trials(theorem, claim, instance, draws) -> OnInstance:
    if claim.relation not in ("<=", "<"):
        raise ValueError(f"expected a chance that is bounded from above: {claim.line}")
    _, right = _split(claim)
    bound = _bound_of_draws(theorem, instance, right)
    inner, readings = _readings(theorem, claim, instance, draws)
    events = _parts(theorem, claim, inner)
    found = [(p, *_event(inner, events, reading)) for p, reading in readings]
    sure = sum(truth is True for _, truth, _ in found)
    unknown = sum(truth is None for _, truth, _ in found)
    low, _ = statistics.clopper_pearson(sure, len(found), statistics.LEVEL)
    _, high = statistics.clopper_pearson(sure + unknown, len(found))
    outcome = "certified" if high <= bound else "consistent"
    if low > bound:
        outcome = "refuted"
    elif (sure + unknown) / len(found) > bound >= sure / len(found):
        outcome = "undecided"
    if math.isnan(bound):
        outcome = "undecided"
    share = sure / len(found)
    ratio = share / bound if bound > 0 else math.nan
    comparison = Comparison(share, bound, ratio, ratio, True)
    # The check refutes what the interval for the chance excludes, and no less.
    hidden = 1.0
    if not math.isnan(bound):
        hidden = (statistics.failures_to_refute(len(found), bound) - 1) / len(found)
    least = low / bound if bound > 0 else math.nan
    shrink = _shrink([(r, p) for p, _, r in found], hidden, least)
    args = (comparison, len(found) - unknown, unknown, instance, 1, shrink)
    return OnInstance(outcome, "binomial interval", *args)


def _mean_of_draws(theorem, claim, instance, draws) -> OnInstance:
    inner, right = _split(claim)
    bound = _bound_of_draws(theorem, instance, right)
    rest = kinds.stages(claim.law, claim.sides[0])[1]
    found = [_averaged(reader(theorem, o, rest).value(inner)) for _, o in draws]
    values = [v.value for v in found if math.isfinite(v.error)]
    unknown = len(found) - len(values)
    interval = statistics.mean_interval(
        values, support=_support(claim, theorem, instance)
    )
    too_high = claim.relation in ("<=", "<", "==") and interval.low > bound
    too_low = claim.relation in (">=", "==") and interval.high < bound
    under, over = interval.high <= bound, interval.low >= bound
    sure = {"<=": under, "<": under, ">=": over}
    outcome = "certified" if sure.get(claim.relation) else "consistent"
    if too_high or too_low:
        outcome = "refuted"
    # A draw that could not be measured may be the largest of all.
    if math.isnan(bound) or unknown:
        outcome = "undecided"
    above, below = interval.estimate, bound
    if claim.relation == ">=":
        above, below = below, above
    ratio = above / below if below > 0 else math.nan
    comparison = Comparison(interval.estimate, bound, ratio, ratio, True)
    kind = f"mean interval ({interval.method})"
    return OnInstance(
        outcome, kind, comparison, len(values), unknown, instance, 2, ratio
    )


def _check_degree(theorem, claim, instance, mean):
    """Where a finite measure stands for a law, a finer one has the same mean."""
    tree = _split(claim)[0]
    for finer in laws.finer(instance, claim.law) if isinstance(instance, World) else ():
        law, rest = kinds.stages(finer, claim.sides[0])
        outcomes = instance.outcomes(law)
        if outcomes is None:
            continue
        again = _mean([(p, reader(theorem, o, rest).value(tree)) for p, o in outcomes])
        if decide("==", mean, again) is False:
            raise ValueError(
                f"{claim.line}: expected a polynomial of the degree of {claim.law}, "
                f"got the means {mean.value} and {again.value} of two measures for it"
            )


def _check_support(claim, theorem, instance, found):
    support = _support(claim, theorem, instance)
    for chance, value in found:
        if support and chance > 0 and math.isfinite(value.error):
            if (
                not support[0]
                <= np.min(value.value)
                <= np.max(value.value)
                <= support[1]
            ):
                raise ValueError(f"support: {claim.line} has a value outside {support}")


def _bound_of_draws(theorem, instance, right) -> float:
    """The bound that draws are compared with; NaN where rounding hides it."""
    bound = reader(theorem, instance).value(right)
    return float(bound.value) if is_clear(bound) else math.nan


def _support(claim, theorem, instance):
    """What surely holds all values of a mean, widened by rounding, if it is told."""
    if claim.support is None:
        return None
    reading = reader(theorem, instance)
    low, high = (reading.value(parse(line)) for line in claim.support)
    room = low.error + high.error + 1e-9 * abs(high.value)
    return low.value - room, high.value + room


def rate(claim, rng) -> OnInstance:
    """The exponent lies inside a narrow interval for the slope, its rival outside."""
    claimed = claim.rate
    errors = [
        [claimed.measure(size, rng) for _ in range(claimed.repeats)]
        for size in claimed.sizes
    ]
    slope = statistics.slope_interval(claimed.sizes, errors)
    inside = slope.low <= claimed.exponent <= slope.high
    rival = slope.low <= claimed.rival <= slope.high
    narrow = slope.high - slope.low <= claimed.width
    outcome = "certified" if inside and narrow and not rival else "undecided"
    if not inside:
        outcome = "refuted"
    comparison = Comparison(slope.estimate, claimed.exponent, math.nan, math.nan, True)
    count = len(claimed.sizes) * claimed.repeats
    return OnInstance(outcome, "slope interval", comparison, count, 0, None, tests=1)
