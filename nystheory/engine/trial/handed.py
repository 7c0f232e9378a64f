"""What a reader hands over beside a matrix: a claim of his own, numbers by name."""

from __future__ import annotations

import difflib

import numpy as np

from nystheory import _checks
from nystheory.engine.language.claims import Claim
from nystheory.engine.language.lines import parse
from nystheory.engine.language.quantity import CHOSEN
from nystheory.engine.promises import possible
from nystheory.engine.trial.verification import generator
from nystheory.engine.worlds.laws import LAWS

COMPARISON = "'error_F <= 1.1 * tail_F'"


def asserting(theorem, claim):
    """A copy of a theorem that claims a line of the reader's."""
    if not isinstance(claim, str | Claim):
        told = f"expected a line such as {COMPARISON}"
        raise TypeError(f"claim: {told}, got {claim!r}")
    found = theorem.asserting(yours=claim)
    mine = found.claims["yours"]
    if mine.law and mine.law not in LAWS:
        near = difflib.get_close_matches(mine.law, LAWS, n=3, cutoff=0.4)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        told = "claim: expected a law of the columns such as 'uniform'"
        raise ValueError(f"{told}, got {mine.law!r}{hint}")
    if mine.kind in ("probability", "expectation") and not mine.law:
        raise ValueError(
            "claim: a mean or a chance needs the law of the columns, "
            f'Claim({mine.line!r}, law="uniform"), of nystheory.engine'
        )
    return found


def checked(theorem, mine, case, given) -> dict:
    """What is given by name, if the theorem or the reader's claim uses it.

    What is measured on K and the sample is not given, and what no line names would be
    ignored.
    """
    if not given:
        return {}
    drawn = _drawn(theorem, case)
    used = drawn | chosen_by(theorem) | chosen_by(mine)
    for name in given:
        if name in used:
            continue
        quantity = theorem.quantities[name]  # an error that names its neighbours
        if quantity.when != CHOSEN or quantity.unit is not None:
            told = "expected no value, since it is measured on K and what is sampled"
            raise ValueError(f"{name}: {told}, got {_checks.shown(given[name])}")
        known = ", ".join(sorted(used)) or "nothing beside K, landmarks and rank"
        told = f"expected one of what {theorem.id} uses, {known}"
        raise ValueError(f"{name}: {told}; got {name!r}")
    possible.check(given, case.n)
    return {name: _value(x, name) for name, x in given.items()}


def _value(x, name):
    if np.ndim(x) == 0:
        return _checks.as_number(x, name) if not isinstance(x, int) else x
    return _checks.real_array(x, name, np.ndim(x))


def chosen_by(theorem) -> set[str]:
    """What no matrix tells and the lines of a theorem use."""
    lines = [h.line for h in theorem.hypotheses.values()]
    for claim in theorem.claims.values():
        lines += [claim.line, claim.when or "0"]
    used = {name for line in lines for name in theorem.needed(parse(line))}
    some = (theorem.quantities[name] for name in used)
    return {q.name for q in some if q.when == CHOSEN and q.unit is None}


def _drawn(theorem, case) -> set[str]:
    """What the theorem quantifies over besides, as it is drawn where none is given."""
    found = theorem.world.completed(case.bare, generator(theorem))
    return set() if found is None else {*found.given}


def all_of(theorem, case) -> str:
    """What has to be given, where something is, and is not."""
    rest = (_drawn(theorem, case) | chosen_by(theorem)) - {*case.given}
    return ", ".join(sorted(rest))
