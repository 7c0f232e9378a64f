"""How far did somebody come who tries to break a claim with a matrix of his own?"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from nystheory import exact, style
from nystheory.engine.compare import Comparison, applies, compare, reader
from nystheory.engine.findings import in_plain, in_words
from nystheory.engine.instances import Instance
from nystheory.engine.over_samples import over_samples
from nystheory.engine.search import ready
from nystheory.engine.theorem import Theorem
from nystheory.engine.verification import generator, prove

TRIALS = 4000
# A proof in fractions is tried up to this size.
LARGEST_PROVED = 40
BROKEN, SEEMS = "broken", "fails in floating point, which is no proof"
HOLDS, ROUNDED = "not broken", "not broken: it fails by rounding alone"
UNDECIDED = "undecided"
# From the best that an attempt can come to.
ORDER = (BROKEN, SEEMS, ROUNDED, HOLDS, UNDECIDED)


@dataclass(frozen=True, eq=False)
class Attempt:
    """The instance that came closest to breaking one claim; truthy if it did.

    Attributes
    ----------
    claim : str
    observed, bound : float
    ratio : float
        Observed over bound, NaN where that has no meaning.
    outcome : str
        Broken, if the claim is false there by a proof without rounding; that it fails
        in floating point, which is no proof; not broken; undecided.
    on : Instance
    """

    claim: str
    observed: float
    bound: float
    ratio: float
    outcome: str
    on: Instance

    def __bool__(self) -> bool:
        return self.outcome == BROKEN

    @property
    def came(self) -> str:
        """The outcome, and how near one came."""
        near = math.isfinite(self.ratio) and self.outcome == HOLDS
        share = style.number(100 * self.ratio) if near else ""
        return self.outcome + (f", {share} % of the way" if near else "")

    def __repr__(self):
        sides = f"observed {self.observed:.6g}, bound {self.bound:.6g}, "
        known = "" if math.isnan(self.observed) else sides
        return f"{self.claim}: {self.came}; {known}on {in_plain(self.on)}"


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

    def _repr_html_(self) -> str:
        head = f"{self.id}: {'broken' if self else 'not broken'}, {self.tried} tried"
        rows = [
            (a.claim, a.came, a.observed, a.bound, in_words(a.on))
            for a in self.attempts
        ]
        header = ("claim", "outcome", "observed", "bound", "at its worst")
        caption = f"{head}. {self.unmet}" if self.unmet else head
        return style.table(rows, header, caption)


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
    theorem's generator, and then once for each size of the sample.  What fails in
    floating point is tried again in fractions: only that breaks a claim.
    """
    best, tried, unmet, seen = {}, 0, "", set()
    for given in instances:
        instance = ready(theorem, given, generator(theorem))
        if instance is None:
            told = "; ".join(theorem.unmet(given).values())
            unmet = told or _unspoken(given)
            continue
        tried += 1
        for name, claim in theorem.claims.items():
            key = (name, instance.l, instance.k)
            if claim.rate is not None or _of_chance(claim) and key in seen:
                continue
            seen.add(key)
            if not applies(claim, reader(theorem, instance)):
                continue
            attempt, rank = _attempt(theorem, name, instance)
            if name not in best or rank > best[name][0]:
                best[name] = rank, attempt
    attempts = tuple(attempt for _, attempt in best.values())
    return Challenge(theorem.id, attempts, tried, "" if tried else unmet)


def _unspoken(instance) -> str:
    """Why a theorem has nothing to say, as far as that is seen here."""
    sample = instance.landmarks.tolist()
    twice = "" if len({*sample}) == len(sample) else ", which has a column twice"
    told = f"of this matrix with rank {instance.k} and the sample {sample}{twice}"
    return f"the theorem does not speak {told}"


def _of_chance(claim) -> bool:
    return claim.kind in ("probability", "expectation")


def _attempt(theorem, name, instance):
    """What came of one claim on one instance, and its rank among the attempts."""
    claim = theorem.claims[name]
    if _of_chance(claim):
        part = over_samples(theorem, claim, instance, generator(theorem), TRIALS)
        found, fell = part.comparison, part.outcome == "refuted"
        decided = part.outcome != "undecided"
    else:
        found = compare(claim, reader(theorem, instance))
        fell, decided = found.violated, found.decided
    outcome = HOLDS if decided else UNDECIDED
    if fell:
        outcome = _without_rounding(theorem, claim, instance)
    attempt = Attempt(name, found.observed, found.bound, found.ratio, outcome, instance)
    return attempt, (-ORDER.index(outcome), _nearness(found))


def _without_rounding(theorem, claim, instance) -> str:
    """What fractions say of a claim that fails in floating point.

    They speak of the very floats that were given; these are no kernel matrix where
    rounding has made one that is semidefinite into one that is not.
    """
    if instance.n > LARGEST_PROVED:
        return SEEMS
    case = exact.Case.of(**instance.in_fractions())
    if not exact.prove("below(0, K)", case).holds:
        return SEEMS
    try:
        holds = prove(theorem, claim, instance).holds
    except KeyError:  # no route without rounding
        holds = None
    return {False: BROKEN, True: ROUNDED, None: SEEMS}[holds]


def _nearness(found: Comparison) -> float:
    ratio = found.ratio if math.isfinite(found.ratio) else found.score
    return -math.inf if math.isnan(ratio) else ratio
