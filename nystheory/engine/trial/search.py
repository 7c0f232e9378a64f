"""Try every claim of a theorem everywhere, then look for worse: one search for all."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from nystheory import exact
from nystheory.engine.trial import over_samples
from nystheory.engine.trial.compare import Comparison, applies, compare, reader
from nystheory.engine.worlds import suite
from nystheory.engine.worlds.instances import Instance

FEW = 10
# Where a case comes from, as the evidence of a claim names it; strongest first.
SEARCHED, STRESS, OWN = ORIGINS = "worst-case search", "stress suite", "own instances"
# Up to this size all samples of an instance are listed in no time.
SMALL = 6


@dataclass
class Tally:
    """What came of one claim, over everything that was tried.

    Attributes
    ----------
    decided, undecided : int
        Comparisons that float64 could decide, and not.
    worst : (Comparison, Instance) or None
        Where it came closest to failing, or failed.
    best : dict
        The worst case of each shape (n, l, k), from which the search climbs.
    origins : set of str
        Those of `ORIGINS` that brought a case which could be decided.
    """

    decided: int = 0
    undecided: int = 0
    ratios: list = field(default_factory=list)
    worst: tuple | None = None
    best: dict = field(default_factory=dict)
    origins: set = field(default_factory=set)

    def add(self, comparison: Comparison, instance, origin: str) -> None:
        if comparison.trivial and not comparison.violated:
            return
        if not comparison.decided:
            self.undecided += 1
            return
        self.decided += 1
        self.origins.add(origin)
        if math.isfinite(comparison.ratio):
            self.ratios.append(comparison.ratio)
        if self.worst is None or comparison.score > self.worst[0].score:
            self.worst = comparison, instance
        shape = instance.shape
        if shape not in self.best or comparison.score > self.best[shape][0].score:
            self.best[shape] = comparison, instance

    def starts(self) -> list:
        """The worst case of each shape, worst first.

        Many statements are attained trivially on some shapes (all columns sampled,
        say), where a search would get stuck.
        """
        found = sorted(self.best.values(), key=lambda pair: -pair[0].score)
        return found[:FEW]


def ready(theorem, instance, rng):
    """The completed instance if it meets the hypotheses, else None."""
    instance = theorem.world.completed(instance, rng)
    return None if instance is None or theorem.unmet(instance) else instance


def instances_of(theorem, rng) -> tuple[list, list]:
    """The theorem's own instances, and those of the stress suite, that it speaks of."""
    own = list(theorem.cases(rng)) if theorem.cases else []
    stress = suite.stress_suite(rng) if theorem.suite else []
    return tuple(
        [i for i in (ready(theorem, i, rng) for i in some) if i is not None]
        for some in (own, stress)
    )


def everywhere(theorem, names, own, stress, rng, streams, work) -> dict[str, Tally]:
    """Compare the named claims on all instances, then search for worse ones.

    The random instances are those of `rng`; a claim climbs with its own generator of
    `streams`.  A fixed number of evaluations, so that the count is the same on every
    machine.
    """
    tallies = {name: Tally() for name in names}
    for instance in own:
        _try(theorem, tallies, instance, OWN)
    for instance in stress:
        _try(theorem, tallies, instance, STRESS if _has_matrix(theorem) else OWN)
    if theorem.suite:
        for _ in range(work.random):
            found = ready(theorem, suite.random_instance(rng), rng)
            if found is not None:
                _try(theorem, tallies, found, SEARCHED if _has_matrix(theorem) else OWN)
    starts = [(name, s) for name in names for s in tallies[name].starts()]
    climbing = [(n, s) for n, s in starts if s[1].moves]
    steps = work.local // max(len(climbing), 1)
    for name, start in climbing:
        _climb(theorem, tallies, name, start, streams[name], steps)
    return tallies


def _has_matrix(theorem) -> bool:
    """Whether its world has the matrices of the suite; others draw their own."""
    return issubclass(theorem.world, Instance)


def _try(theorem, tallies, instance, origin) -> dict[str, Comparison]:
    reading, found = reader(theorem, instance), {}
    for name, tally in tallies.items():
        claim = theorem.claims[name]
        if applies(claim, reading):
            found[name] = compare(claim, reading)
            tally.add(found[name], instance, origin)
    return found


def _climb(theorem, tallies, name, best, rng, evaluations):
    """Hill climbing on the score of one claim; every claim looks on."""
    score, instance = best[0].score, best[1]
    step = 0.5
    for _ in range(evaluations):
        near = ready(theorem, suite.perturbed(instance, rng, step), rng)
        found = {} if near is None else _try(theorem, tallies, near, SEARCHED)
        found = found.get(name)
        if found is not None and found.decided and found.score > score:
            score, instance, step = found.score, near, min(1.0, 1.5 * step)
        else:
            step = max(1e-4, 0.9 * step)


def exactly(theorem, names, own, rng, count) -> dict[str, dict]:
    """Prove claims on small integer instances: how many held, and what failed.

    They are those of the suite, and of the theorem's own the ones of integers.

    Returns
    -------
    dict of str to dict
        ``held`` by kind of proof, and ``failed``, an instance or None, with ``by``,
        the kind of its proof.
    """
    out = {name: {"held": {}, "failed": None} for name in names}
    if not count:
        return out
    cases = _some([i for i in own if _is_small(i) and _is_whole(i)], count, rng)
    if theorem.suite:
        cases += _some(list(suite.integer_instances(rng, count)), count, rng)
    for instance in cases:
        found = theorem.world.completed(instance, rng)
        if found is not None:
            _prove(theorem, names, found, out)
    return out


def _some(instances, count, rng) -> list:
    return [instances[j] for j in sorted(rng.permutation(len(instances))[:count])]


def _prove(theorem, names, instance, out):
    case = exact.Case.of(**instance.in_fractions())
    if not _meets(theorem, instance, case):
        return
    for name in names:
        claim = theorem.claims[name]
        if claim.law and not _can_be_listed(instance, claim.law):
            continue
        if claim.when and not exact.prove(claim.when, case, theorem.where_lines).holds:
            continue
        try:
            proof = exact.prove(
                claim.line, case, theorem.where_lines, claim.law or None
            )
        except KeyError:
            continue
        if proof.holds is False and out[name]["failed"] is None:
            out[name] |= {"failed": instance, "by": proof.by}
        if proof.left == proof.right == "0" and not claim.line.endswith("== 0"):
            continue
        if proof.holds or proof.near:
            held, grade = out[name]["held"], "to 30 digits" if proof.near else proof.by
            held[grade] = held.get(grade, 0) + 1


def _can_be_listed(instance, law) -> bool:
    """Whether what a world declares as drawn has few enough outcomes."""
    own = any(name in instance.parts for name in law.split(" >> "))
    return not own or instance.outcomes(law) is not None


def _meets(theorem, instance, case) -> bool:
    """Whether all hypotheses are proved, at ties and zeros too; else by float64."""
    asked = theorem.asked({*instance.given})
    lines = [theorem.hypotheses[name].line for name in asked]
    try:
        proofs = [exact.prove(line, case, theorem.where_lines) for line in lines]
    except KeyError:
        return not theorem.unmet(instance)
    return all(proof.holds for proof in proofs)


def over_all_samples(theorem, claim, own, stress, rng, work) -> list:
    """A claim about chance on every instance, and on what an adversary finds.

    Of the stress suite and of random instances those are taken that are small enough
    to list all samples.  The adversary looks for the instance with the largest exact
    chance of failure over what is allowed, among those whose samples can be listed.
    """
    parts, small = [], [i for i in stress if _is_small(i)]
    for _ in range(work.chances // 4 if theorem.suite else 0):
        found = ready(theorem, suite.random_instance(rng), rng)
        small += [found] if found is not None and _is_small(found) else []
    listed = [i for i in small if i.outcomes(claim.law) is not None]
    for instance in own + listed:
        if applies(claim, reader(theorem, instance)):
            parts.append(
                over_samples.over_samples(theorem, claim, instance, rng, work.trials)
            )
    listed = [p for p in parts if p.by == "enumerated" and _can_move(p.instance)]
    listed.sort(key=lambda part: -part.score)
    starts = listed[:3]
    for start in starts:
        parts += _climb_chance(theorem, claim, start, rng, work.chances // len(starts))
    return parts


def _is_small(instance) -> bool:
    return instance.moves and instance.n <= SMALL


def _is_whole(instance) -> bool:
    """Whether it is of integers, or was given in fractions."""
    return instance.plain is not None or instance.is_whole


def _can_move(instance) -> bool:
    return instance.moves and instance.n <= 20


def _climb_chance(theorem, claim, best, rng, evaluations) -> list:
    found, step = [], 0.5
    for _ in range(evaluations):
        moved = suite.perturbed(best.instance, rng, step)
        numbers = {n: x for n, x in moved.given.items() if np.ndim(x) == 0}
        given = {**best.instance.given, **numbers}
        near = ready(theorem, theorem.world.of(moved).but(**given), rng)
        if near is None or not applies(claim, reader(theorem, near)):
            continue
        part = over_samples.over_samples(theorem, claim, near, rng, 2)
        if part.by != "enumerated":
            continue
        found.append(part)
        better = part.score > best.score
        best, step = (part, 1.5 * step) if better else (best, 0.9 * step)
        step = min(1.0, max(1e-4, step))
    return found
