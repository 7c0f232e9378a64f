"""Are the observers right?  Both routes of every quantity, on the same instances.

A quantity that is measured wrongly, or not at all, is caught here, once for each
quantity and not once for each theorem.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from flint import arb_mat, ctx, fmpq_mat

from nystheory import exact
from nystheory.engine import lines, search, suite
from nystheory.engine.numbers import Number
from nystheory.engine.quantities import QUANTITIES
from nystheory.exact.arithmetic import Unknown


@dataclass
class Agreement:
    """How a quantity fared.

    Attributes
    ----------
    compared, unknown : int
        Instances on which both routes gave a value, and on which one did not.
    apart : Instance or None
        The first on which they differ by more than rounding explains.
    values : set
        Some of the values, rounded: a constant observer shows.
    """

    compared: int = 0
    unknown: int = 0
    apart: object = None
    values: set = None


def used(theorem) -> list[str]:
    """The measured quantities that a theorem's lines speak of, composed ones opened."""
    texts = [claim.line for claim in theorem.claims.values()]
    texts += [claim.when for claim in theorem.claims.values() if claim.when]
    texts += [h.line for h in theorem.hypotheses.values()]
    texts += [p.line for p in theorem.printed.values()]
    found = []
    for text in texts:
        found += theorem.needed(lines.parse(text))
    return list(dict.fromkeys(found))


def compare_routes(
    theorem,
    names: Iterable[str],
    rng: np.random.Generator,
    count: int = 40,
    instances: Iterable | None = None,
) -> dict[str, Agreement]:
    """Measure quantities by both routes on small instances that a theorem speaks of.

    Parameters
    ----------
    theorem : Theorem
        Its own instances of size at most 8, and small integer ones.
    names : iterable of str
    rng : numpy.random.Generator
    count : int
        Integer instances.
    instances : iterable, optional
        In the place of those of `spoken_of`.

    Returns
    -------
    dict of str to Agreement
    """
    out = {name: Agreement(values=set()) for name in names}
    before, ctx.prec = ctx.prec, 128
    try:
        for instance in instances or spoken_of(theorem, rng, count):
            case = exact.Case.of(**instance.in_fractions())
            for name, agreement in out.items():
                _compare(name, instance, case, agreement)
    finally:
        ctx.prec = before
    return out


def spoken_of(theorem, rng, count):
    """Small instances that meet the hypotheses of a theorem, and that lack one."""
    own = list(theorem.cases(rng)) if theorem.cases else []
    own = [i for i in own if i.n <= 8][:count]
    whole = list(suite.integer_instances(rng, count))
    picked = [whole[j] for j in sorted(rng.permutation(len(whole))[:count])]
    for instance in own + picked:
        found = search.ready(theorem, instance, rng)
        if found is not None and found.in_fractions() is not None:
            yield found
    for control in theorem.controls.values():
        if control.drops in theorem.hypotheses and control.on.n <= 8:
            yield control.on


def _compare(name, instance, case, agreement):
    quantity, route = QUANTITIES[name], exact.ROUTES[name]
    try:
        fast, slow = instance.measured(quantity), route(case)
    # A KeyError where the instance does not bring what the quantity is made of.
    except (Unknown, ValueError, KeyError):
        agreement.unknown += 1
        return
    if isinstance(fast, Number) and fast.unknown:
        agreement.unknown += 1
        return
    if isinstance(fast, bool) or isinstance(slow, bool):
        same = fast is slow
        agreement.values.add(bool(slow))
    elif not math.isfinite(fast.error):
        agreement.unknown += 1
        return
    else:
        same = _agree(fast, slow, agreement)
    agreement.compared += 1
    if not same and agreement.apart is None:
        agreement.apart = instance


def _agree(fast: Number, slow, agreement) -> bool:
    there = _floats(slow)
    here = np.asarray(fast.value, dtype=float)
    if np.shape(here) != np.shape(there):
        return False
    # Entries count with their place, since probabilities always have the sum 1.
    places = np.arange(1, np.size(there) + 1)
    agreement.values.add(round(float(np.ravel(there) @ places), 6))
    size = max(1.0, float(np.abs(there).max(initial=0.0)))
    gap = float(np.abs(here - there).max(initial=0.0))
    return gap <= fast.error + 1e-12 * size


def _floats(x):
    if isinstance(x, list):
        return np.array([_floats(y) for y in x], dtype=float)
    if isinstance(x, (fmpq_mat, arb_mat)):
        rows, columns = x.nrows(), x.ncols()
        entries = [_floats(x[i, j]) for i in range(rows) for j in range(columns)]
        return np.array(entries, dtype=float).reshape(rows, columns)
    return float(exact.arithmetic.ball(x).mid())
