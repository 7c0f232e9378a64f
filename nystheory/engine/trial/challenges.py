"""How far did somebody come who tries to break a claim with a matrix of his own?"""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from nystheory import exact, style
from nystheory.engine.language.numbers import Number
from nystheory.engine.trial.compare import Comparison, applies, compare, reader
from nystheory.engine.trial.handed import COMPARISON, all_of
from nystheory.engine.trial.over_samples import over_samples
from nystheory.engine.trial.results import LARGEST_SHOWN, in_plain, typed
from nystheory.engine.trial.theorem import Theorem
from nystheory.engine.trial.verification import generator, prove
from nystheory.engine.worlds.instances import Instance

TRIALS = 4000
# A proof in fractions is tried up to this size.
LARGEST_PROVED = 40
BROKEN, SEEMS = "broken", "fails in floating point, which is no proof"
HOLDS, ROUNDED = "not broken", "not broken: it fails by rounding alone"
UNDECIDED = "undecided"
NO_VALUE = "undecided, a side has no value in floating point"
# From the best that an attempt can come to.
ORDER = (BROKEN, SEEMS, ROUNDED, HOLDS, UNDECIDED, NO_VALUE)
# So often something is drawn for a sample before the theorem counts as one on others.
DRAWS = 20
# Longer ones are told by their sizes.
FEW_ENTRIES, FEW_LANDMARKS = 6, 20


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
        With all that was drawn for it in `on.given`.
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
        return f"{self.claim}: {self.came}; {known}on {self.where}"

    @property
    def where(self) -> str:
        """The instance as one would type it, with what was drawn for it."""
        told = in_plain(self.on)
        if self.on.n <= LARGEST_SHOWN:
            return told
        sample = self.on.landmarks.tolist()
        if len(sample) <= FEW_LANDMARKS:
            told += f", landmarks {sample}"
        few = ((x, np.asarray(y)) for x, y in self.on.given.items())
        rest = (
            f"{x} = {typed(y) if y.size <= FEW_ENTRIES else f'array {y.shape}'}"
            for x, y in few
        )
        return ", ".join([told, *rest])


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
    drawn : tuple of str
        What was not given, and was drawn.
    """

    id: str
    attempts: tuple[Attempt, ...]
    tried: int
    unmet: str = ""
    drawn: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any(self.attempts)

    @property
    def _head(self) -> str:
        return f"{self.id}: {'broken' if self else 'not broken'}, {self.tried} tried"

    @property
    def _told(self) -> list[str]:
        drawn = f"drawn here: {', '.join(self.drawn)}; give them by name"
        return [drawn] * bool(self.drawn) + [self.unmet] * bool(self.unmet)

    def __repr__(self):
        return "\n  ".join([self._head, *map(str, self.attempts), *self._told])

    def _repr_html_(self) -> str:
        rows = [
            (a.claim, a.came, _side(a.observed), _side(a.bound), f"`{a.where}`")
            for a in self.attempts
        ]
        header = ("claim", "what came of it", "observed", "bound", "at its worst")
        return style.table(rows, header, ". ".join([self._head, *self._told]))


def _side(x):
    return "" if math.isnan(x) else x


def attempted(
    theorem: Theorem, instances: Iterable[Instance], any_sample: bool = False
) -> Challenge:
    """The best attempt of some instances on each claim.

    An instance that does not meet a hypothesis, or of which a claim does not speak,
    is no attempt.

    Parameters
    ----------
    theorem : Theorem
    instances : iterable of Instance
    any_sample : bool
        Whether the theorem may exchange the landmarks and the rank for those that it
        speaks of; the matrix stays in any case.

    Returns
    -------
    Challenge

    Notes
    -----
    What a claim says of chance is enumerated, or decided by 4000 draws of the
    theorem's generator, and then once for each size of the sample.  What fails in
    floating point is tried again in fractions: only that breaks a claim.
    """
    best, tried, unmet, seen, drawn = {}, 0, "", set(), {}
    for given in instances:
        with _all_named(theorem, given):
            instance, told = _ready(theorem, given, any_sample)
        if instance is None:
            unmet = told
            continue
        tried += 1
        drawn |= dict.fromkeys(_exchanged(given, instance))
        for name, claim in theorem.claims.items():
            key = (name, instance.l, instance.k)
            if claim.rate is not None or _of_chance(claim) and key in seen:
                continue
            seen.add(key)
            with _all_named(theorem, given):
                if not applies(claim, reader(theorem, instance)):
                    continue
                attempt, rank = _attempt(theorem, name, instance)
            if name not in best or rank > best[name][0]:
                best[name] = rank, attempt
    attempts = tuple(attempt for _, attempt in best.values())
    told = "" if tried else unmet
    return Challenge(theorem.id, attempts, tried, told, tuple(drawn))


@contextmanager
def _all_named(theorem, given):
    """Asks at once for all that is not given, where one thing is missing."""
    try:
        yield
    except (ValueError, KeyError) as error:
        missing = all_of(theorem, given)
        lacks = isinstance(error, KeyError) or "got none" in str(error)
        if not (missing and lacks):
            raise
        told = f"{missing}: expected by name, "
        if given.given:
            told += f"beside {', '.join(given.given)}; without any, all are drawn"
        raise ValueError(told.removesuffix(", ") + "; got none") from error


def _ready(theorem, given, any_sample):
    """The instance with what was drawn, or None and why it is not one to be tried."""
    found = given
    if not issubclass(theorem.world, Instance):
        return None, _unspoken(given)
    if not given.given:
        rng = generator(theorem)
        for _ in range(DRAWS):
            found = theorem.world.completed(given, rng)
            if found is None or _is_kept(found, given, any_sample):
                break
    if found is None:
        return None, "; ".join(_unmet(theorem, given)) or _unspoken(given)
    if not _is_kept(found, given, any_sample):
        mine = theorem.world.of(given.bare).but(**found.given)
        return None, "; ".join(_unmet(theorem, mine)) or _of_others(found)
    told = "; ".join(theorem.unmet(found).values())
    return (None, told) if told else (found, "")


def _is_kept(found, given, any_sample) -> bool:
    """Whether the matrix is the reader's, and the sample, if it is his."""
    if not np.array_equal(found.K, given.K):
        return False
    return any_sample or not {"landmarks", "rank"} & {*_exchanged(given, found)}


def _exchanged(given, found) -> list[str]:
    """What was drawn: names, the landmarks and the rank among them."""
    other = found.landmarks.tolist() != given.landmarks.tolist()
    told = [name for name in found.given if name not in given.given]
    return told + ["landmarks"] * other + ["rank"] * (found.k != given.k)


def _unmet(theorem, instance) -> list[str]:
    """The hypotheses that fail, as far as they can be asked of this instance."""
    try:
        return [*theorem.unmet(instance).values()]
    except (ValueError, KeyError, IndexError):  # something else is missing, or unlike
        return []


def _of_others(found) -> str:
    """What the theorem would have been tried on."""
    if found.n > LARGEST_SHOWN:
        return "the theorem speaks of other matrices, or of other samples of them"
    return f"the theorem speaks of other cases, such as {in_plain(found)}"


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
        found = _compared(theorem, claim, instance)
        fell, decided = found.violated, found.decided
    unknown = NO_VALUE if math.isnan(found.observed) else UNDECIDED
    outcome = HOLDS if decided else unknown
    if fell:
        outcome = _without_rounding(theorem, claim, instance)
    attempt = Attempt(name, found.observed, found.bound, found.ratio, outcome, instance)
    return attempt, (-ORDER.index(outcome), _nearness(found))


def _compared(theorem, claim, instance) -> Comparison:
    """Both sides; an error that names the argument, if there are none to compare."""
    reading = reader(theorem, instance)
    try:
        if claim.relation or not isinstance(reading.value(claim.tree), Number):
            return compare(claim, reading)
    except ValueError as error:
        if "got none" in str(error):
            raise
        raise ValueError(f"claim: {claim.line!r} cannot be read: {error}") from error
    told = f"claim: expected a comparison such as {COMPARISON}"
    raise ValueError(f"{told}, got {claim.line!r}")


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
