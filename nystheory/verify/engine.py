"""From a theorem to a verdict: try it, look for worse, refute its controls."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace

import numpy as np

from nystheory.theorems.base import Claim, Theorem
from nystheory.theorems.derivation import broken_step
from nystheory.verify import statistics, suite
from nystheory.verify.compare import Comparison, compare
from nystheory.verify.verdict import Finding, Verdict


@dataclass(frozen=True)
class Effort:
    """How hard to try: instances of the search, exact instances, random trials."""

    random: int
    local: int
    exact: int
    trials: int


EFFORTS = {
    "full": Effort(random=1500, local=1000, exact=500, trials=4000),
    "quick": Effort(random=200, local=150, exact=40, trials=1200),
}


def verify(theorem: Theorem, rng: np.random.Generator, effort: str = "full") -> Verdict:
    """Try to break a theorem, then make sure that the attempt could have succeeded.

    Every claim is compared on the stress suite and on what an adversary finds; in
    exact arithmetic where the claim has an exact form; by enumeration and by exact
    binomial or mean intervals where it speaks of chance.  Then every control, and
    every printed form that the book calls wrong, must be refuted by the same code.

    Parameters
    ----------
    theorem : Theorem
    rng : numpy.random.Generator
    effort : {"full", "quick"}
        Size of the search, not of the allowance: a quick verdict has seen less.

    Returns
    -------
    Verdict
        Truthy when the theorem stands and its controls fell.

    Raises
    ------
    ValueError
        If ``effort`` is unknown.

    Examples
    --------
    >>> from nystheory.theorems import theorems
    >>> theorem = theorems["talwalkar2010:eq-2.24"]
    >>> verdict = verify(theorem, np.random.default_rng(0), effort="quick")
    >>> bool(verdict), verdict.control_refuted
    (True, True)
    """
    if effort not in EFFORTS:
        raise ValueError(f"effort: expected one of {list(EFFORTS)}, got {effort!r}")
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng: expected a numpy.random.Generator, got {rng!r}")
    start, seed = time.perf_counter(), _seed(rng)
    work = EFFORTS[effort]
    instances = _instances(theorem, rng)
    findings = [examine(c, theorem, instances, rng, work) for c in theorem.claims]
    if theorem.kind == "experiment":
        findings = [_established(finding) for finding in findings]
    controls = [_alone(c.claim, c.instance, rng, work) for c in theorem.controls]
    printed = [_alone(p.claim, p.instance, rng, work) for p in theorem.printed]
    return Verdict(
        theorem,
        tuple(findings),
        tuple(controls),
        tuple(printed),
        _derivation(theorem),
        seed,
        time.perf_counter() - start,
    )


def examine(claim, theorem, instances, rng, work) -> Finding:
    """Check one claim of a theorem by the method that its form asks for."""
    if claim.rate is not None:
        return _rate(claim, instances[0] if instances else None, rng)
    if claim.law is not None and claim.law.delta is not None:
        return _probability(claim, instances, rng, work)
    if claim.law is not None:
        return _expectation(claim, instances, rng, work)
    return _everywhere(claim, theorem, instances, rng, work)


def _established(finding) -> Finding:
    """An effect that a figure shows must be established, not merely possible."""
    if finding.outcome == "consistent":
        return replace(finding, outcome="undecided")
    return finding


def _alone(claim, instance, rng, work) -> Finding:
    """Check a claim on one instance, with no search: for controls and errata."""
    return examine(claim, None, [instance], rng, work)


def _seed(rng) -> str:
    sequence = getattr(rng.bit_generator, "seed_seq", None)
    return str(getattr(sequence, "entropy", "unknown"))


def _derivation(theorem) -> str:
    if theorem.derivation is None:
        return "none"
    broken = broken_step(theorem.derivation())
    return "checked" if broken is None else f"broken at line {broken}"


def _instances(theorem, rng) -> list:
    own = list(theorem.instances(rng)) if theorem.instances else []
    if not theorem.own_suite:
        own += suite.stress_suite(rng)
    ready = (_ready(theorem, instance, rng) for instance in own)
    return [instance for instance in ready if instance is not None]


def _ready(theorem, instance, rng):
    """The instance with what the theorem quantifies over, None if a hypothesis fails.

    A competitor that the instance brings along is kept.
    """
    if theorem is None:
        return instance
    if theorem.hypotheses and theorem.unmet(instance):
        return None
    if theorem.complete is not None and not instance.extra:
        return theorem.complete(instance, rng)
    return instance


def _applies(claim: Claim, instance) -> bool:
    return claim.applies is None or bool(claim.applies(instance))


# --- statements about all matrices -----------------------------------------------


def _everywhere(claim, theorem, instances, rng, work) -> Finding:
    tried = [
        (compare(claim, instance, rng), instance)
        for instance in instances
        if _applies(claim, instance)
    ]
    evidence = ["stress suite"] if theorem is not None else ["one instance"]
    if theorem is not None and not theorem.own_suite:
        tried += _search(claim, theorem, rng, work)
        evidence.append("worst-case search")
    exact, exact_failure = _exact(claim, theorem, instances, rng, work)
    if exact:
        evidence.insert(0, "exact")
    return _summary(claim, tried, tuple(evidence), exact, exact_failure)


def _summary(claim, tried, evidence, exact, exact_failure) -> Finding:
    decided = [(c, i) for c, i in tried if c.decided]
    worst, instance = max(decided, key=_score, default=(None, None))
    outcome = "verified"
    if worst is None and not exact:
        outcome = "undecided"
    if (worst is not None and worst.violated) or exact_failure is not None:
        outcome = "refuted"
    ratios = np.array([c.ratio for c, _ in decided if math.isfinite(c.ratio)])
    return Finding(
        says=claim.says,
        outcome=outcome,
        evidence=evidence,
        observed=worst.observed if worst else math.nan,
        bound=worst.bound if worst else math.nan,
        tightness=float(ratios.max()) if len(ratios) else math.nan,
        tried=len(tried) + exact,
        blurred=len(tried) - len(decided),
        ratios=ratios,
        worst=exact_failure if exact_failure is not None else instance,
    )


def _score(pair: tuple[Comparison, object]) -> float:
    return pair[0].score


def _exact(claim, theorem, instances, rng, work):
    """How many instances were checked exactly, and the first that failed."""
    if claim.exact is None:
        return 0, None
    if theorem is None:
        cases = instances
    else:
        cases = suite.integer_instances(rng, work.exact)
        cases = (_ready(theorem, case, rng) for case in cases)
    count = 0
    for case in cases:
        if case is None or not _applies(claim, case):
            continue
        count += 1
        if not claim.exact(case):
            return count, case
    return count, None


def _search(claim, theorem, rng, work) -> list:
    """The adversary: random small instances, then local search from the worst.

    A fixed number of evaluations, so that the count is the same on every machine.
    """
    found = []
    for _ in range(work.random):
        found += _try(claim, theorem, suite.random_instance(rng), rng)
    starts = _starts(found)
    for best in starts:
        found += _climb(claim, theorem, best, rng, work.local // len(starts))
    return found


def _starts(found, count: int = 10) -> list:
    """The worst case of each shape (n, l, k), worst first.

    One start for each shape, since many statements are attained trivially on some
    shapes (all columns sampled, say), where a search would get stuck.
    """
    best = {}
    for pair in sorted(found, key=_score, reverse=True):
        case = pair[1]
        best.setdefault((case.n, case.l, case.k), pair)
    return list(best.values())[:count]


def _try(claim, theorem, instance, rng) -> list:
    instance = _ready(theorem, instance, rng)
    if instance is None or not _applies(claim, instance):
        return []
    return [(compare(claim, instance, rng), instance)]


def _climb(claim, theorem, best, rng, evaluations) -> list:
    """Hill climbing on the score; the step shrinks when nothing improves."""
    found, step = [], 0.5
    for _ in range(evaluations):
        near = suite.perturbed(best[1], rng, step)
        result = _try(claim, theorem, near, rng)
        found += result
        if result and result[0][0].decided and _score(result[0]) > _score(best):
            best, step = result[0], min(1.0, 1.5 * step)
        else:
            step = max(1e-4, 0.9 * step)
    return found


# --- statements about chance -----------------------------------------------------


def _probability(claim, instances, rng, work) -> Finding:
    """Fails with probability at most delta: exactly where possible, else by trials."""
    parts = []
    for instance in instances:
        if not _applies(claim, instance):
            continue
        outcomes = _outcomes(claim, instance)
        if outcomes is not None:
            parts.append(_failure_exact(claim, instance, outcomes, rng))
        else:
            parts.append(_failure_trials(claim, instance, rng, work))
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


def _expectation(claim, instances, rng, work) -> Finding:
    """The mean: exactly by enumeration, else with limits."""
    parts = []
    for instance in instances:
        if not _applies(claim, instance):
            continue
        outcomes = _outcomes(claim, instance)
        if outcomes is not None:
            parts.append(_mean_exact(claim, instance, outcomes, rng))
        else:
            parts.append(_mean_trials(claim, instance, rng, work))
    return _join(claim, parts)


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


def _rate(claim, instance, rng) -> Finding:
    """The exponent lies inside the interval for the slope, and its rival outside."""
    rate = claim.rate
    errors = [
        [claim.observe(size, rng) for _ in range(rate.repeats)] for size in rate.sizes
    ]
    slope = statistics.slope_interval(rate.sizes, errors)
    inside = slope.low <= rate.exponent <= slope.high
    rival = slope.low <= rate.rival <= slope.high
    outcome = "refuted" if not inside else "undecided" if rival else "certified"
    count = len(rate.sizes) * rate.repeats
    kind = "slope interval"
    args = (slope.estimate, rate.exponent, count, instance)
    return _chance(claim, outcome, kind, *args, tests=1)


def _chance(claim, outcome, kind, observed, bound, count, instance, tests=0):
    ratio = observed / bound if bound else math.nan
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
