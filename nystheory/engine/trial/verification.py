"""From a theorem to a verdict: try it, look for worse, refute its controls."""

from __future__ import annotations

import ast
import math
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from nystheory import _checks, exact
from nystheory.engine.language.claims import Claim, Control, Rate
from nystheory.engine.language.stated import as_line
from nystheory.engine.trial import over_samples, search, statistics, store
from nystheory.engine.trial.compare import compare, reader
from nystheory.engine.trial.results import Refutation, Result
from nystheory.engine.trial.theorem import Theorem
from nystheory.engine.trial.verdict import Verdict
from nystheory.engine.worlds.instances import Instance

# The year of the thesis; together with the id of a theorem it is the seed.
SEED = 2010


@dataclass(frozen=True)
class Effort:
    """How hard to try: random instances, steps of the search, exact cases, trials.

    A push, a page and a reader look quickly, a scheduled run at full length: what the
    tests plant is noticed by either.
    """

    random: int
    local: int
    exact: int
    trials: int
    chances: int


EFFORTS = {
    "quick": Effort(random=200, local=150, exact=10, trials=1200, chances=15),
    "full": Effort(random=1500, local=1500, exact=60, trials=4000, chances=120),
}


def generator(theorem, seed: int = SEED) -> np.random.Generator:
    """The random generator of a theorem: its seed follows from its id."""
    return np.random.default_rng([seed, zlib.crc32(theorem.id.encode())])


def verify(
    theorem: Theorem, rng: np.random.Generator | None = None, effort: str = "quick"
) -> Verdict:
    """Try to break a theorem, then make sure that the attempt could have succeeded.

    Every claim is compared on the stress suite, on the theorem's own instances and on
    what an adversary finds; on small integer instances without rounding; by
    enumeration and by exact binomial or mean intervals where it speaks of chance.
    Then every control, and every printed form that the book calls wrong, must be
    refuted by the same observers, and proved false without rounding.

    Parameters
    ----------
    theorem : Theorem
    rng : numpy.random.Generator, optional
        By default one whose seed follows from the theorem's id; then a verdict that
        was computed already in this run is read from the store, see
        `nystheory.engine.trial.store`.
    effort : {"quick", "full"}
        Size of the search, not of the allowance: a quick verdict has seen less.  The
        verdict says which it was.  ``python -m nystheory verify --full`` is what a
        scheduled run asks.

    Returns
    -------
    Verdict
        Truthy when the theorem stands and its controls fell.

    Raises
    ------
    ValueError
        If ``effort`` is unknown.
    TypeError
        If it is no theorem, or `rng` is no generator.
    """
    if not isinstance(theorem, Theorem):
        raise TypeError(
            "theorem: expected a Theorem, such as "
            f'nystheory.theorems["talwalkar2010:thm-2.3"], got {theorem!r}'
        )
    _checks.choice(effort, "effort", EFFORTS)
    if rng is None:
        fresh = generator(theorem)
        found = store.kept(theorem, effort, lambda: _verified(theorem, fresh, effort))
        store.note(theorem, found)
        return found
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng: expected a numpy.random.Generator, got {rng!r}")
    return _verified(theorem, rng, effort)


def _verified(theorem, rng, effort) -> Verdict:
    start, seed = time.perf_counter(), _seed(rng)
    derivation = theorem.derivation
    state = derivation.state(theorem) if derivation else "none"
    results = examine(theorem, rng, EFFORTS[effort])
    if state.startswith("checked"):
        results = [_followed(result, derivation) for result in results]
    tests = sum(result.tests for result in results)
    statistics.spend(theorem.id, tests * statistics.LEVEL)
    return Verdict(
        theorem,
        tuple(results),
        tuple(refute_printed(theorem, name) for name in theorem.printed),
        state,
        seed,
        time.perf_counter() - start,
        effort,
    )


def _followed(found: Result, derivation) -> Result:
    """With the grade of a derivation if it is the claim in which that ends."""
    if not found or found.name != derivation.claim:
        return found
    return replace(found, evidence=(derivation.grade, *found.evidence))


def examine(theorem, rng, work) -> list[Result]:
    """Check every claim, each by the method that its form asks for.

    Each claim has a generator of its own, by its name: another one beside it changes no
    sample that it draws.  It does share out the steps of the search, and each claim
    looks on where another one climbs.  The exact cases are drawn apart, too: how the
    search in float64 went, which each machine rounds in its own way, changes none.
    """
    shared, apart, base = rng.spawn(3)
    own, stress = search.instances_of(theorem, shared)
    streams = {name: _stream(base, name) for name in theorem.claims}
    plain = [n for n, c in theorem.claims.items() if c.kind not in _CHANCES]
    tallies = search.everywhere(theorem, plain, own, stress, shared, streams, work)
    lines = [n for n, c in theorem.claims.items() if c.rate is None]
    proofs = search.exactly(theorem, lines, own, apart, work.exact)
    results = []
    for name, claim in theorem.claims.items():
        if claim.rate is not None:
            found = _of_parts(theorem, name, [over_samples.rate(claim, streams[name])])
            proofs[name] = {"held": {}, "failed": None}
        elif claim.kind in _CHANCES:
            parts = search.over_all_samples(
                theorem, claim, own, stress, streams[name], work
            )
            found = _of_parts(theorem, name, parts)
        else:
            found = _of_tally(theorem, name, tallies[name])
        found = judged(_with_proofs(theorem, found, proofs[name]), claim)
        controls = tuple(
            refute(theorem, control)
            for control in theorem.controls
            if theorem.controls[control].of == name
        )
        results.append(replace(found, controls=controls))
    return results


def _stream(base: np.random.Generator, name: str) -> np.random.Generator:
    """The generator of this name; the order of names does not matter."""
    seed = base.bit_generator.seed_seq
    key = (*seed.spawn_key, zlib.crc32(name.encode()))
    return np.random.default_rng(np.random.SeedSequence(seed.entropy, spawn_key=key))


_CHANCES = ("probability", "expectation", "rate")


def _of_tally(theorem, name, tally) -> Result:
    claim = theorem.claims[name]
    comparison, instance = tally.worst or (None, None)
    ratios = np.array(tally.ratios)
    return Result(
        name,
        theorem.latex(name),
        claim.kind,
        "refuted" if comparison is not None and comparison.violated else "verified",
        tuple(origin for origin in search.ORIGINS if origin in tally.origins),
        tally.decided,
        tally.undecided,
        comparison.observed if comparison else math.nan,
        comparison.bound if comparison else math.nan,
        float(ratios.max()) if len(ratios) else math.nan,
        ratios=ratios,
        worst=instance,
        reason=claim.reason,
    )


_WORST_FIRST = ("refuted", "undecided", "consistent", "certified")


def _of_parts(theorem, name, parts: Sequence) -> Result:
    """One result for a claim about chance from its parts, one for each instance."""
    claim = theorem.claims[name]
    base = (name, theorem.latex(name), claim.kind)
    if not parts:
        return Result(*base, "undecided", reason=claim.reason)
    # An instance that is undecided is no evidence; all its samples count as such.
    told = [p for p in parts if p.outcome != "undecided"]
    rest = [p for p in parts if p.outcome == "undecided"]
    # No chance is above 1: where so much is allowed nothing is learned of the bound.
    upper = claim.kind == "probability" and claim.relation in ("<=", "<")
    telling = [p for p in told if not (upper and p.comparison.bound >= 1)]
    worst = min(
        telling or told or rest,
        key=lambda p: (_WORST_FIRST.index(p.outcome), -p.score),
    )
    ratios = np.array([p.shrink for p in telling if math.isfinite(p.shrink)])
    excess = [p.score for p in telling if math.isfinite(p.score)]
    return Result(
        *base,
        worst.outcome,
        tuple(dict.fromkeys(p.by for p in parts)),
        sum(p.decided for p in told),
        sum(p.undecided for p in parts) + sum(p.decided for p in rest),
        worst.comparison.observed,
        worst.comparison.bound,
        float(ratios.max()) if len(ratios) else math.nan,
        max(excess, default=math.nan),
        ratios=ratios,
        worst=worst.instance,
        tests=sum(p.tests for p in parts),
        reason=claim.reason,
        from_below=claim.relation in (">=", ">"),
    )


_PROVED = ("exact", "enclosed", "enumerated", "to 30 digits")


def _with_proofs(theorem, found: Result, proofs) -> Result:
    """With what was proved; a counterexample brings its own two sides along."""
    if proofs["failed"] is not None:
        evidence, worst = found.evidence or (proofs["by"],), proofs["failed"]
        _, observed, bound = _observed(theorem, theorem.claims[found.name], worst)
        told = {"outcome": "refuted", "worst": worst, "evidence": evidence}
        return replace(found, **told, observed=observed, bound=bound)
    grades = tuple(by for by in _PROVED if by in proofs["held"])
    count = sum(proofs["held"].values())
    evidence = tuple(dict.fromkeys((*grades, *found.evidence)))
    return replace(found, evidence=evidence, decided=found.decided + count)


def judged(found: Result, claim) -> Result:
    """Few cases, or many that are undecided, are no evidence without a reason."""
    if not found or claim.reason and found.decided:
        return found
    return replace(found, outcome="undecided") if found.lacking else found


# --- Refutations ---------------------------------------------------------------------


def refute(theorem, name) -> Refutation:
    """A control, refuted by the observers and proved false without rounding."""
    control = theorem.controls[name]
    claim = theorem.changed(control)
    found = _refutation(theorem, name, claim, control)
    lacking, factor = theorem.lacking(control), _factor(theorem, claim, control)
    return replace(found, of=control.of, drops=lacking, factor=factor)


def _factor(theorem, claim, control) -> float:
    """The bound of a control over that of its claim, on the instance of the control."""
    trees = [
        c.bounding(theorem.quantities) for c in (claim, theorem.claims[control.of])
    ]
    if not control.change or None in trees:
        return math.nan
    values = [reader(theorem, control.on).value(tree) for tree in trees]
    sizes = [getattr(value, "value", math.nan) for value in values]
    if any(np.ndim(x) or not x > 0 for x in sizes):
        return math.nan
    return float(sizes[0] / sizes[1])


def refute_printed(theorem, name) -> Refutation:
    """A printed form, refuted in the same way."""
    printed = theorem.printed[name]
    claim = Claim(printed.line, law=printed.law)
    return _refutation(theorem, name, claim, printed)


def _refutation(theorem, name, claim, source) -> Refutation:
    line, formula = claim.line, theorem.shown(claim.tree)
    others = _others_unmet(theorem, claim, source)
    if others:
        return Refutation(name, line, formula, False, "", "", "", reason=others)
    observed, left, right = _observed(theorem, claim, source.on)
    if source.inexact:
        told = (f"{left:.9g}", f"{right:.9g}", source.inexact)
        return Refutation(
            name, line, formula, observed, "float", *told[:2], reason=told[2]
        )
    proof = prove(theorem, claim, source.on)
    refuted = (observed or bool(source.unseen)) and proof.holds is False
    reason = proof.reason or source.unseen
    if not refuted and not observed:
        reason = f"the observers see {left:.9g} and {right:.9g}"
    return Refutation(
        name, line, formula, refuted, proof.by, proof.left, proof.right, reason=reason
    )


def _others_unmet(theorem, claim, source) -> str:
    """Hypotheses that fail besides the one that is dropped: the change is not alone."""
    # What only a computation of its own can tell.
    if isinstance(source.on, Rate) or source.on.in_fractions() is None:
        return ""
    case = exact.Case.of(**source.on.in_fractions())
    if _is_indefinite(source.on) and not getattr(source, "lacks", ""):
        return "K is not positive semidefinite"
    # What neither is brought nor spoken of here has no range to lie in.
    brought = {*getattr(source.on, "given", {}), *theorem.needed(claim.tree)}
    others = (name for name in theorem.asked(brought) if name != source.drops)
    unmet = [name for name in others if not _met(theorem, name, source.on, case)]
    unmet += _unasked(theorem, claim, source, case)
    return f"the instance does not meet: {', '.join(unmet)}" if unmet else ""


def _unasked(theorem, claim, source, case) -> list[str]:
    """Parts of the condition of a claim that fail beside the one that is lacking.

    One that the changed line speaks of itself is none; nor is what another law draws.
    """
    if not isinstance(source, Control) or source.law:
        return []
    line, lacking = ast.unparse(claim.tree), as_line(source.lacks)
    failing = [
        part
        for part in claim.conditions
        if part not in line and not _holds(theorem, part, source.on, case)
    ]
    if lacking in claim.conditions and lacking not in failing:
        return [f"the lack of {lacking}"]
    return [part for part in failing if part != lacking]


def _is_indefinite(instance) -> bool:
    """Whether K is none that a setting allows, up to rounding."""
    if not isinstance(instance, Instance):
        return False
    return instance.eigen_K[0][-1] < -1e-9 * instance.norm_K


def _met(theorem, name, instance, case) -> bool:
    """Whether an instance meets a hypothesis: proved, or else by float64."""
    return _holds(theorem, theorem.hypotheses[name].line, instance, case)


def _holds(theorem, line, instance, case) -> bool:
    """Whether a line is so of an instance: proved, or else by float64."""
    try:
        holds = exact.prove(line, case, theorem.where_lines).holds
    except (AttributeError, KeyError, ValueError):  # a route that does not go there
        holds = None
    if holds is not None:
        return holds
    try:
        return reader(theorem, instance).truth(line) is True
    except (KeyError, ValueError):  # it does not bring what a line speaks of
        return False


def prove(theorem, claim, instance) -> exact.Proof:
    """The line of a claim on an instance, without rounding."""
    case = exact.Case.of(**instance.in_fractions())
    return exact.prove(claim.line, case, theorem.where_lines, claim.law or None)


def _observed(theorem, claim, instance) -> tuple[bool, float, float]:
    """Whether the float64 observers refute a claim, on finite numbers of one shape."""
    rng = np.random.default_rng(0)
    if claim.rate is not None:
        part = over_samples.rate(replace(claim, rate=instance), rng)
        comparison, violated = part.comparison, part.outcome == "refuted"
    elif claim.kind in ("probability", "expectation"):
        part = over_samples.over_samples(theorem, claim, instance, rng, 4000)
        comparison, violated = part.comparison, part.outcome == "refuted"
    else:
        comparison = compare(claim, reader(theorem, instance))
        violated = comparison.violated
    sides = comparison.observed, comparison.bound
    finite = all(math.isfinite(x) for x in sides)
    return violated and finite, *sides


def _seed(rng) -> str:
    sequence = getattr(rng.bit_generator, "seed_seq", None)
    return str(getattr(sequence, "entropy", "unknown"))
