"""Would the checks notice?  Every statement a little wrong, and how many are caught.

A mutant is a theorem with one thing changed: a constant halved, an exponent moved,
k + 1 for k, one norm for another, a hypothesis dropped, a property negated.  It is
killed when the check that verifies the theorem refutes it.  A mutant of an inequality
that survives is not a fault of the check: the bound may be loose there.  How loose is
measured by shrinking the bound until the check notices.  A change that claims no more
than the theorem on any instance is no mutant.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import sympy as sp

from nystheory import style
from nystheory.theorems.base import Claim, Theorem
from nystheory.theorems.formula import Formula
from nystheory.theorems.quantities import QUANTITIES
from nystheory.verify import engine

STORED = Path(__file__).with_name("mutation_score.json")

# A search of this size finds what can be found quickly; a mutant that survives it gets
# the quick search of `verify` before it is called a survivor.
SKETCH = engine.Effort(random=60, local=40, exact=15, trials=300)

EFFORTS = (SKETCH, engine.EFFORTS["quick"])

# What a right side is multiplied by.
FACTORS = {"<=": sp.Rational(1, 2), ">=": sp.Integer(2), "=": sp.Rational(101, 100)}

_WITHOUT = "without '"

# Quantities that are one another's counterpart in another norm.
COUNTERPARTS = {
    "tail_2": "tail_F",
    "tail_F": "tail_2",
    "tail_trace": "tail_2",
    "deviation": "deviation_F",
    "deviation_F": "deviation",
}


@dataclass(frozen=True)
class Mutant:
    """One change to one claim, and what came of it.

    Attributes
    ----------
    id, kind : str
        Of the theorem.
    claim : int
        Which of its claims; -1 where a hypothesis was dropped.
    change : str
        What was changed.
    outcome : str
        ``killed``, or ``survived``.
    reason : str
        Why it survived; empty where it did not.
    """

    id: str
    kind: str
    claim: int
    change: str
    outcome: str = ""
    reason: str = ""


def of(theorem: Theorem) -> Iterator[tuple[Mutant, Theorem, Claim | None]]:
    """The mutants of a theorem: name, mutated theorem, mutated claim.

    The claim is None where a hypothesis was dropped, and all claims are to be tried.
    """
    for index, claim in enumerate(theorem.claims):
        for change, mutated in _of_claim(claim):
            name = Mutant(theorem.id, theorem.kind, index, change)
            yield name, theorem.but(claims=(mutated,)), mutated
    for hypothesis in theorem.hypotheses:
        left = tuple(h for h in theorem.hypotheses if h is not hypothesis)
        change = f"{_WITHOUT}{hypothesis.says}'"
        name = Mutant(theorem.id, theorem.kind, -1, change)
        yield name, theorem.but(hypotheses=left), None


def _of_claim(claim):
    if claim.rate is not None:
        yield "the rival exponent", replace(claim, rate=_swapped(claim.rate))
        return
    if claim.formula is None and claim.expected is None:
        yield "negated", replace(claim, expected=lambda i, r: False)
        return
    factor = FACTORS[claim.relation]
    yield f"right side times {float(factor):g}", _scaled(claim, factor)
    if claim.formula is not None:
        for change, expr in _of_expression(claim.formula.flat):
            yield change, replace(claim, formula=Formula(expr))


def _swapped(rate):
    return replace(rate, exponent=rate.rival, rival=rate.exponent)


def _scaled(claim, factor):
    """The right side times a factor; a property becomes its negation."""
    if claim.formula is not None:
        return replace(claim, formula=Formula(factor * claim.formula.flat), exact=None)

    def expected(i, rng):
        right = claim.right_side(i, rng)
        if right is None:
            return None
        if isinstance(right, (bool, np.bool_)):
            return not right
        return np.asarray(right, dtype=float) * float(factor)

    return replace(claim, formula=None, expected=expected, exact=None)


def _of_expression(expr):
    """Changes to a formula: one of each sort, where it has a place."""
    k = QUANTITIES["k"].symbol
    if expr.has(k):
        yield "k + 1 for k", expr.xreplace({k: k + 1})
    for one, other in COUNTERPARTS.items():
        if other not in QUANTITIES or one not in QUANTITIES:
            continue
        symbols = QUANTITIES[one].symbol, QUANTITIES[other].symbol
        if expr.has(symbols[0]):
            yield f"{other} for {one}", expr.xreplace(dict([symbols]))
            break
    powers = [p for p in expr.atoms(sp.Pow) if p.exp.is_number and p.free_symbols]
    if powers:
        power = min(powers, key=sp.default_sort_key)
        changed = sp.Pow(power.base, 2 * power.exp)
        yield "an exponent doubled", expr.xreplace({power: changed})


def killed(
    theorem: Theorem, claim: Claim | None, seed: int = 0, efforts=EFFORTS
) -> bool:
    """Whether the check of the theorem refutes the mutant."""
    for work in efforts:
        rng = np.random.default_rng(seed)
        try:
            instances = engine.instances_of(theorem, rng)
            claims = theorem.claims if claim is None else (claim,)
            found = [engine.examine(c, theorem, instances, rng, work) for c in claims]
        except (ArithmeticError, ValueError, LookupError, np.linalg.LinAlgError):
            return True  # it cannot even be computed: nobody would believe it
        if any(finding.outcome == "refuted" for finding in found):
            return True
        if claim is None:
            return False  # dropped hypotheses get one look: every claim is searched
    return False


def _reaches_further(theorem, mutated, seed) -> bool:
    """Whether some instance at hand fails the hypothesis that was dropped."""
    tried = engine.instances_of(mutated, np.random.default_rng(seed))
    return any(theorem.unmet(instance) for instance in tried)


def _claims_more(original: Claim, changed: Claim, instances, seed) -> bool:
    """Whether a changed claim asks for more than the original on some instance."""
    rng = np.random.default_rng(seed)
    for instance in instances:
        if original.applies is not None and not original.applies(instance):
            continue
        outcome = _outcome(original, instance, rng)
        try:
            before = original.right_side(outcome, rng)
            after = changed.right_side(outcome, rng)
        except (ArithmeticError, ValueError, LookupError):
            return True  # it cannot be computed: let it be tried
        if before is not None and _more(original.relation, before, after):
            return True
    return False


def _outcome(claim, instance, rng):
    """What the right side is computed on: an outcome where chance is at play."""
    if claim.law is None:
        return instance
    listed = claim.law.outcomes(instance) if claim.law.outcomes else None
    if listed is None:
        return claim.law.draw(instance, rng)
    return next(iter(listed))[1]


def _more(relation, before, after) -> bool:
    if isinstance(before, (bool, np.bool_)):
        return bool(before) != bool(after)
    before, after = (np.asarray(side, dtype=float) for side in (before, after))
    difference = after - before if relation == ">=" else before - after
    if relation == "=":
        difference = np.abs(difference)
    return bool(np.any(difference > 1e-6 * np.abs(before)))


# ---- why a mutant survives ----

# A bound that may be shrunk to this is not looked at any closer.
FLOOR = 2.0**-30
_BISECTIONS = 5


def noticed_at(theorem: Theorem, index: int, seed: int = 0) -> float:
    """The factor on a bound from which on a short search refutes it, to 2 %.

    Below 1 for an upper bound, above 1 for a lower one; `FLOOR`, or one over it,
    where nothing is ever noticed: the observed side may be zero.
    """
    claim = theorem.claims[index]
    upward = claim.relation == ">="

    def dies(share):
        factor = sp.Float(1 / share if upward else share)
        mutated = _scaled(claim, factor)
        return killed(theorem.but(claims=(mutated,)), mutated, seed, (SKETCH,))

    high, low = 1.0, 0.5
    while low > FLOOR and not dies(low):
        high, low = low, low / 2
    if low > FLOOR:
        for _ in range(_BISECTIONS):
            middle = (low * high) ** 0.5
            low, high = (middle, high) if dies(middle) else (low, middle)
    return 1 / low if upward else low


def _strongest(original: Claim, changed: Claim, instances, seed) -> float:
    """The smallest share of the bound that a change leaves, over the instances."""
    rng, least = np.random.default_rng(seed), 1.0
    for instance in instances:
        if original.applies is not None and not original.applies(instance):
            continue
        outcome = _outcome(original, instance, rng)
        before, after = (
            np.asarray(claim.right_side(outcome, rng), dtype=float)
            for claim in (original, changed)
        )
        above, below = (before, after) if original.relation == ">=" else (after, before)
        some = below > 0
        least = min(least, float((above[some] / below[some]).min(initial=1.0)))
    return least


def _why_claim(theorem, name, changed, instances, seed, shares) -> str:
    claim = theorem.claims[name.claim]
    if claim.relation == "=":
        return "a mean of draws: its interval is wider than the change"
    if name.claim not in shares:
        shares[name.claim] = noticed_at(theorem, name.claim, seed)
    share = shares[name.claim]
    if min(share, 1 / share) <= 2 * FLOOR:
        return "at any factor: what is observed is zero, or its interval holds zero"
    loose = f"loose: noticed from a factor of {share:.2g} on"
    if name.change.startswith("right side"):
        return loose
    least = _strongest(claim, changed, instances, seed)
    if least >= min(share, 1 / share):
        return f"{loose}, and the change leaves {100 * least:.3g} % or more"
    return (
        f"sharp elsewhere (to {share:.2g}), loose where the change bites: it leaves "
        f"{100 * least:.2g} % there"
    )


def _why_hypothesis(theorem, says) -> str:
    hypothesis = next(h for h in theorem.hypotheses if h.says == says)
    if hypothesis.domain:
        return "without it the bound means nothing"
    if says in theorem.not_known_necessary:
        return "not known to be necessary"
    if any(control.drops == says for control in theorem.controls):
        return "a control breaks it, on an instance beyond those tried here"
    return "the instances tried here do not need it"


def run(theorems: Iterable[Theorem], seed: int = 0, progress=iter) -> MutationScore:
    """Try every mutant of every theorem.

    Parameters
    ----------
    theorems : iterable of Theorem
    seed : int
    progress : callable, optional
        Wraps the list of theorems, ``tqdm.tqdm`` for a bar.

    Returns
    -------
    MutationScore
    """
    tried = []
    old = [t for t in theorems if isinstance(t, Theorem)]
    for theorem in progress(old):
        instances = engine.instances_of(theorem, np.random.default_rng(seed))
        shares = {}
        for name, mutated, claim in of(theorem):
            if claim is None and not _reaches_further(theorem, mutated, seed):
                continue
            if claim is not None and claim.rate is None:
                original = theorem.claims[name.claim]
                if not _claims_more(original, claim, instances, seed):
                    continue
            if killed(mutated, claim, seed):
                tried.append(replace(name, outcome="killed"))
                continue
            if claim is None:
                reason = _why_hypothesis(theorem, name.change[len(_WITHOUT) : -1])
            else:
                reason = _why_claim(theorem, name, claim, instances, seed, shares)
            tried.append(replace(name, outcome="survived", reason=reason))
    return MutationScore(tuple(tried))


@dataclass(frozen=True, eq=False)
class MutationScore:
    """All mutants and what came of them.

    Attributes
    ----------
    mutants : tuple of Mutant
    """

    mutants: tuple[Mutant, ...]

    def share(self, *kinds: str) -> float:
        """The share killed among the changed claims of theorems of these kinds."""
        some = [m for m in self.mutants if m.claim >= 0 and m.kind in (kinds or m.kind)]
        return sum(m.outcome == "killed" for m in some) / len(some)

    @property
    def survivors(self) -> list[Mutant]:
        """Those that no check noticed."""
        return [m for m in self.mutants if m.outcome != "killed"]

    def __repr__(self):
        count = len(self.mutants) - len(self.survivors)
        return f"MutationScore({count} of {len(self.mutants)} killed)"

    def _repr_html_(self) -> str:
        rows = []
        for kind in sorted({m.kind for m in self.mutants}):
            some = [m for m in self.mutants if m.kind == kind and m.claim >= 0]
            dead = sum(m.outcome == "killed" for m in some)
            if some:
                rows.append((kind, len(some), dead, f"{100 * dead / len(some):.0f} %"))
        dropped = [m for m in self.mutants if m.claim < 0]
        if dropped:
            dead = sum(m.outcome == "killed" for m in dropped)
            share = f"{100 * dead / len(dropped):.0f} %"
            rows.append(("a hypothesis dropped", len(dropped), dead, share))
        return style.table(rows, ("mutants of", "made", "killed", "share"))

    def table(self) -> style.Table:
        """The survivors, for a notebook."""
        rows = [
            (f"`{m.id}`", m.claim + 1 or "-", m.change, m.reason)
            for m in self.survivors
        ]
        return style.Table(("theorem", "claim", "change", "why it survives"), rows)

    def to_json(self) -> str:
        """All of it, one line a mutant."""
        lines = [json.dumps(asdict(m), ensure_ascii=False) for m in self.mutants]
        return "[\n" + ",\n".join(lines) + "\n]\n"


def stored() -> MutationScore:
    """The score of the last run of ``python -m nystheory mutants``."""
    rows = json.loads(STORED.read_text("utf-8"))
    return MutationScore(tuple(Mutant(**row) for row in rows))
