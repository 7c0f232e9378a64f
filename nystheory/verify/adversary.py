"""Try a claim everywhere, then look for worse: the stress suite and the adversary."""

from __future__ import annotations

import math

import numpy as np

from nystheory.theorems.base import Claim
from nystheory.verify import suite
from nystheory.verify.compare import Comparison, compare
from nystheory.verify.verdict import Finding


def ready(theorem, instance, rng):
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


def applies(claim: Claim, instance) -> bool:
    return claim.applies is None or bool(claim.applies(instance))


def everywhere(claim, theorem, instances, rng, work) -> Finding:
    tried = [
        (compare(claim, instance, rng), instance)
        for instance in instances
        if applies(claim, instance)
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
        cases = (ready(theorem, case, rng) for case in cases)
    count = 0
    for case in cases:
        if case is None or not applies(claim, case):
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
    instance = ready(theorem, instance, rng)
    if instance is None or not applies(claim, instance):
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
