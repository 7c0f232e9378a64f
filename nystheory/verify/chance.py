"""Claims about chance: failure probabilities, means and rates, exact where possible."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from nystheory.verify import statistics
from nystheory.verify.adversary import applies
from nystheory.verify.compare import compare
from nystheory.verify.verdict import Finding


def probability(claim, instances, rng, work) -> Finding:
    """Fails with probability at most delta: exactly where possible, else by trials."""
    return _over(claim, instances, rng, work, _failure_exact, _failure_trials)


def expectation(claim, instances, rng, work) -> Finding:
    """The mean: exactly by enumeration, else with limits."""
    return _over(claim, instances, rng, work, _mean_exact, _mean_trials)


def _over(claim, instances, rng, work, by_enumeration, by_trials) -> Finding:
    """Enumerate the outcomes of an instance where they can be listed, else draw."""
    parts = []
    for instance in instances:
        if not applies(claim, instance):
            continue
        outcomes = _outcomes(claim, instance)
        if outcomes is None:
            parts.append(by_trials(claim, instance, rng, work))
        else:
            parts.append(by_enumeration(claim, instance, outcomes, rng))
    return _join(claim, parts)


def _outcomes(claim, instance) -> list | None:
    """Every outcome with its probability, or None where they cannot be listed."""
    listed = claim.law.outcomes(instance) if claim.law.outcomes else None
    if listed is None:
        return None
    listed = list(listed)
    total = math.fsum(probability for probability, _ in listed)
    if abs(total - 1) > 1e-9:
        raise ValueError(f"outcomes: expected probabilities of sum 1, got {total}")
    return listed


def _failure_exact(claim, instance, outcomes, rng) -> Finding:
    delta = claim.law.delta(instance)
    failed = math.fsum(
        probability
        for probability, outcome in outcomes
        if compare(claim, outcome, rng).violated
    )
    # The probabilities are floats: their sum is exact up to one rounding for each.
    rounding = len(outcomes) * np.finfo(float).eps
    outcome = "certified" if failed <= delta + rounding else "refuted"
    size = len(outcomes)
    return _chance(claim, outcome, "enumerated", failed, delta, size, instance)


def _failure_trials(claim, instance, rng, work) -> Finding:
    delta = claim.law.delta(instance)
    trials = max(work.trials, statistics.trials_to_certify(delta))
    draws = (claim.law.draw(instance, rng) for _ in range(trials))
    failures = sum(compare(claim, draw, rng).violated for draw in draws)
    low, _ = statistics.clopper_pearson(failures, trials, statistics.LEVEL)
    _, high = statistics.clopper_pearson(failures, trials)
    outcome = "certified" if high <= delta else "consistent"
    if low > delta:
        outcome = "refuted"
    observed = failures / trials
    kind = "binomial interval"
    return _chance(claim, outcome, kind, observed, delta, trials, instance, tests=1)


def _mean_exact(claim, instance, outcomes, rng) -> Finding:
    mean = math.fsum(p * float(claim.observe(o, rng)) for p, o in outcomes)
    value = replace(claim, observe=lambda i, r: mean, law=None)
    result = compare(value, instance, rng)
    outcome = "refuted" if result.violated else "certified"
    bound = float(claim.right_side(instance, rng))
    size = len(outcomes)
    return _chance(claim, outcome, "enumerated", mean, bound, size, instance)


def _mean_trials(claim, instance, rng, work) -> Finding:
    law = claim.law
    draws = (law.draw(instance, rng) for _ in range(work.trials))
    values = [float(claim.observe(draw, rng)) for draw in draws]
    support = law.support(instance) if law.support else None
    interval = statistics.mean_interval(values, support=support)
    bound = float(claim.right_side(instance, rng))
    too_high = claim.relation in ("<=", "=") and interval.low > bound
    too_low = claim.relation in (">=", "=") and interval.high < bound
    sure = {
        "<=": interval.high <= bound,
        ">=": interval.low >= bound,
        "=": False,
    }[claim.relation]
    outcome = "certified" if sure else "consistent"
    if too_high or too_low:
        outcome = "refuted"
    kind = f"mean interval ({interval.method})"
    args = (interval.estimate, bound, work.trials, instance)
    return _chance(claim, outcome, kind, *args, tests=2)


def rate(claim, instance, rng) -> Finding:
    """The exponent lies inside the interval for the slope, and its rival outside."""
    claimed = claim.rate
    errors = [
        [claim.observe(size, rng) for _ in range(claimed.repeats)]
        for size in claimed.sizes
    ]
    slope = statistics.slope_interval(claimed.sizes, errors)
    inside = slope.low <= claimed.exponent <= slope.high
    rival = slope.low <= claimed.rival <= slope.high
    outcome = "refuted" if not inside else "undecided" if rival else "certified"
    count = len(claimed.sizes) * claimed.repeats
    kind = "slope interval"
    args = (slope.estimate, claimed.exponent, count, instance)
    return _chance(claim, outcome, kind, *args, tests=1)


def _chance(claim, outcome, kind, observed, bound, count, instance, tests=0):
    above, below = (bound, observed) if claim.relation == ">=" else (observed, bound)
    ratio = above / below if below else math.nan
    known = np.array([ratio]) if math.isfinite(ratio) else np.array([])
    return Finding(
        says=claim.says,
        outcome=outcome,
        evidence=(kind,),
        observed=observed,
        bound=bound,
        tightness=ratio,
        tried=count,
        ratios=known,
        worst=instance,
        tests=tests,
    )


_WORST_FIRST = ("refuted", "undecided", "consistent", "certified")


def _join(claim, parts) -> Finding:
    """One finding for a claim from its findings on the instances."""
    if not parts:
        return Finding(claim.says, "undecided")
    worst = min(
        parts, key=lambda f: (_WORST_FIRST.index(f.outcome), -_number(f.tightness))
    )
    return Finding(
        says=claim.says,
        outcome=worst.outcome,
        evidence=tuple(sorted({grade for f in parts for grade in f.evidence})),
        observed=worst.observed,
        bound=worst.bound,
        tightness=worst.tightness,
        tried=sum(f.tried for f in parts),
        ratios=np.concatenate([f.ratios for f in parts]),
        worst=worst.worst,
        tests=sum(f.tests for f in parts),
    )


def _number(x) -> float:
    return -math.inf if math.isnan(x) else x
