"""From a theorem to a verdict: try it, look for worse, refute its controls."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from nystheory.engine import theorem as lines
from nystheory.engine import verify as second
from nystheory.theorems.base import Theorem
from nystheory.theorems.derivation import broken_step
from nystheory.verify import adversary, chance, suite
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


def verify(
    theorem: Theorem, rng: np.random.Generator | None = None, effort: str = "full"
) -> Verdict:
    """Try to break a theorem, then make sure that the attempt could have succeeded.

    Every claim is compared on the stress suite and on what an adversary finds; in
    exact arithmetic where the claim has an exact form; by enumeration and by exact
    binomial or mean intervals where it speaks of chance.  Then every control, and
    every printed form that the book calls wrong, must be refuted by the same code.

    Parameters
    ----------
    theorem : Theorem
    rng : numpy.random.Generator, optional
        By default one whose seed follows from the theorem's id.
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
    if isinstance(theorem, lines.Theorem):
        return second.verify(theorem, rng, effort)
    rng = second.generator(theorem) if rng is None else rng
    if effort not in EFFORTS:
        raise ValueError(f"effort: expected one of {list(EFFORTS)}, got {effort!r}")
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng: expected a numpy.random.Generator, got {rng!r}")
    start, seed = time.perf_counter(), _seed(rng)
    work = EFFORTS[effort]
    instances = instances_of(theorem, rng)
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
        return chance.rate(claim, instances[0] if instances else None, rng)
    if claim.law is not None and claim.law.delta is not None:
        return chance.probability(claim, instances, rng, work)
    if claim.law is not None:
        return chance.expectation(claim, instances, rng, work)
    return adversary.everywhere(claim, theorem, instances, rng, work)


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


def instances_of(theorem, rng) -> list:
    own = list(theorem.instances(rng)) if theorem.instances else []
    if not theorem.own_suite:
        own += suite.stress_suite(rng)
    ready = (adversary.ready(theorem, instance, rng) for instance in own)
    return [instance for instance in ready if instance is not None]
