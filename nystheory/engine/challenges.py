"""How far did somebody come who tries to break a claim with a matrix of his own?"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from nystheory import style
from nystheory.engine.compare import Comparison, applies, compare, reader
from nystheory.engine.findings import in_words
from nystheory.engine.instances import Instance
from nystheory.engine.over_samples import over_samples
from nystheory.engine.search import ready
from nystheory.engine.theorem import Theorem
from nystheory.engine.verification import generator

TRIALS = 4000


@dataclass(frozen=True, eq=False)
class Attempt:
    """The instance that came closest to breaking one claim; truthy if it did.

    Attributes
    ----------
    claim : str
    observed, bound : float
    ratio : float
        Observed over bound, NaN where that has no meaning.
    fell : bool
        Whether the claim is false there, beyond rounding.
    on : Instance
    """

    claim: str
    observed: float
    bound: float
    ratio: float
    fell: bool
    on: Instance

    def __bool__(self) -> bool:
        return self.fell

    def __repr__(self):
        came = "broken" if self.fell else "it holds"
        if not self.fell and math.isfinite(self.ratio):
            came = f"{style.number(100 * self.ratio)} % of the way"
        sides = f"observed {self.observed:.6g}, bound {self.bound:.6g}"
        return f"{self.claim}: {came}; {sides}, on {in_words(self.on)}"


@dataclass(frozen=True, eq=False)
class Challenge:
    """How far each claim of a theorem was brought; truthy if one is broken.

    Attributes
    ----------
    id : str
    attempts : tuple of Attempt
    tried : int
        Instances that meet the hypotheses.
    unmet : str
        Why there is none, if there is none.
    """

    id: str
    attempts: tuple[Attempt, ...]
    tried: int
    unmet: str = ""

    def __bool__(self) -> bool:
        return any(self.attempts)

    def __repr__(self):
        lines = [f"{self.id}: {'broken' if self else 'not broken'}, {self.tried} tried"]
        lines += [f"  {attempt}" for attempt in self.attempts]
        return "\n".join(lines + [f"  {self.unmet}"] * bool(self.unmet))


def attempted(theorem: Theorem, instances: Iterable[Instance]) -> Challenge:
    """The best attempt of some instances on each claim.

    An instance that does not meet a hypothesis, or of which a claim does not speak,
    is no attempt.

    Parameters
    ----------
    theorem : Theorem
    instances : iterable of Instance

    Returns
    -------
    Challenge

    Notes
    -----
    What a claim says of chance is enumerated, or decided by 4000 draws of the
    theorem's generator, and then once for each size of the sample.
    """
    best, tried, unmet, seen = {}, 0, "", set()
    for given in instances:
        instance = ready(theorem, given, generator(theorem))
        if instance is None:
            told = "; ".join(theorem.unmet(given).values())
            unmet = told or "the theorem does not speak of this matrix"
            continue
        tried += 1
        for name, claim in theorem.claims.items():
            of_chance = claim.kind in ("probability", "expectation")
            key = (name, instance.l, instance.k)
            if claim.rate is not None or of_chance and key in seen:
                continue
            seen.add(key)
            reading = reader(theorem, instance)
            if not applies(claim, reading):
                continue
            if of_chance:
                part = over_samples(
                    theorem, claim, instance, generator(theorem), TRIALS
                )
                found, fell = part.comparison, part.outcome == "refuted"
            else:
                found = compare(claim, reading)
                fell = found.violated
            if name not in best or _rank(found, fell) > best[name][0]:
                sides = (found.observed, found.bound, found.ratio)
                best[name] = _rank(found, fell), Attempt(name, *sides, fell, instance)
    attempts = tuple(attempt for _, attempt in best.values())
    return Challenge(theorem.id, attempts, tried, "" if tried else unmet)


def _rank(found: Comparison, fell: bool):
    ratio = found.ratio if math.isfinite(found.ratio) else found.score
    return fell, -math.inf if math.isnan(ratio) else ratio
