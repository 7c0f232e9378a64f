"""Are the observers right?  Both routes of every quantity, on the same instances.

A quantity that is measured wrongly, or not at all, is caught here, once for each
quantity and not once for each theorem.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain

import numpy as np
from flint import arb, arb_mat, ctx, fmpq, fmpq_mat

from nystheory import exact
from nystheory.engine.language import lines
from nystheory.engine.language.numbers import Number
from nystheory.engine.trial import search
from nystheory.engine.worlds import suite
from nystheory.engine.worlds.instances import Instance
from nystheory.exact.balls import Unknown, ball
from nystheory.exact.relations import flat
from nystheory.exact.routes import route_of

# Sizes up to which every instance is tried, and a few of each theorem.
SMALL, LARGE = 8, 12
# A large declared error is no excuse: a value counts where the routes agree to eight
# digits.  The error may be larger, since the root of a rounded zero keeps only half.
AGREED, DECLARED = 1e-8, 1e-5
# Another unit for K: a power of two, so that nothing is rounded.
UNIT = 2.0**20
COARSE, FINE = 64, 256
# A number that was rounded to a float has more bits than this, with hardly a chance
# of fewer; an exact one of a small integer instance has not.
BITS = 32


@dataclass
class Agreement:
    """How a quantity fared.

    Attributes
    ----------
    compared, unknown : int
        Instances on which both routes gave a value, and on which one did not.
    hidden : int
        Those on which the error declared is too large to tell.
    apart : Instance or None
        The first on which they differ by more than rounding explains.
    values : set
        Some of the values, rounded: a constant observer shows.
    """

    compared: int = 0
    unknown: int = 0
    hidden: int = 0
    apart: object = None
    values: set = None

    @property
    def enough(self) -> bool:
        """Whether it was compared often, and twice as often as hidden."""
        return self.compared >= 10 and self.compared >= 2 * self.hidden


def used(theorem, controls: bool = False) -> list[str]:
    """The measured quantities that a theorem's lines speak of, composed ones opened.

    With `controls` those of its false claims too.
    """
    texts = [claim.line for claim in theorem.claims.values()]
    texts += [claim.when for claim in theorem.claims.values() if claim.when]
    texts += [h.line for h in theorem.hypotheses.values()]
    texts += [p.line for p in theorem.printed.values()]
    if controls:
        texts += [theorem.changed(c).line for c in theorem.controls.values()]
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
        Its own instances of size at most 12, and integer ones.
    names : iterable of str
    rng : numpy.random.Generator
    count : int
        Integer instances.
    instances : iterable, optional
        In the place of those of `spoken_of` and `larger`.

    Returns
    -------
    dict of str to Agreement
    """
    out = {name: Agreement(values=set()) for name in names}
    found = instances or chain(spoken_of(theorem, rng, count), larger(theorem, rng))
    with _precision(128):
        for instance in found:
            case = exact.Case.of(**instance.in_fractions())
            for name, agreement in out.items():
                _compare(theorem.quantities[name], instance, case, agreement)
    return out


@contextmanager
def _precision(bits):
    before, ctx.prec = ctx.prec, bits
    try:
        yield
    finally:
        ctx.prec = before


def spoken_of(theorem, rng, count):
    """Small instances that meet the hypotheses of a theorem, and that lack one."""
    own = list(theorem.cases(rng)) if theorem.cases else []
    own = [i for i in own if i.n <= SMALL][:count]
    whole = list(suite.integer_instances(rng, count))
    picked = [whole[j] for j in sorted(rng.permutation(len(whole))[:count])]
    yield from _ready(theorem, own + picked, rng)
    yield from (on for on in _lacking_one(theorem) if on.n <= SMALL)


def larger(theorem, rng, count: int = 3):
    """A few instances above that size, whose matrices are formed.

    Those that are made have two landmarks, so that every sample of them is listed in
    no time, and rank 3, so that their eigenvalues are too.
    """
    own = list(theorem.cases(rng)) if theorem.cases else []
    own = [i for i in own if _is_larger(i)][:count]
    for rank in (1, 2):
        X, S = rng.integers(-2, 3, (3, LARGE)), rng.choice(LARGE, 2, replace=False)
        own.append(Instance.from_points(X, S, rank, f"integers, n = {LARGE}"))
    yield from _ready(theorem, own, rng)
    yield from (on for on in _lacking_one(theorem) if _is_larger(on))


def _is_larger(instance) -> bool:
    return isinstance(instance, Instance) and SMALL < instance.n <= LARGE


def _ready(theorem, instances, rng):
    """Those that meet the hypotheses and have an exact form."""
    for instance in instances:
        found = search.ready(theorem, instance, rng)
        if found is not None and found.in_fractions() is not None:
            yield found


def _lacking_one(theorem):
    """What the controls show that a hypothesis is needed on."""
    some = theorem.controls.values()
    return [c.on for c in some if c.drops in theorem.hypotheses]


def _compare(quantity, instance, case, agreement):
    fast, slow = _both(quantity, instance, case)
    if fast is None:
        agreement.unknown += 1
        return
    if isinstance(fast, bool) or isinstance(slow, bool):
        same = fast is slow
        agreement.values.add(bool(slow))
    else:
        same = _agree(fast, slow, agreement)
    if same is None:
        agreement.hidden += 1
        return
    agreement.compared += 1
    if not same and agreement.apart is None:
        agreement.apart = instance


def _both(quantity, instance, case):
    """The values of both routes, or twice None."""
    try:
        fast, slow = instance.measured(quantity), route_of(case, quantity.name)(case)
    # A KeyError where the instance does not bring what the quantity is made of.
    except (Unknown, ValueError, KeyError):
        return None, None
    vague = isinstance(fast, Number) and (fast.unknown or not math.isfinite(fast.error))
    return (None, None) if vague else (fast, slow)


def _agree(fast: Number, slow, agreement) -> bool | None:
    """Whether two values are the same; None where the error declared hides it."""
    there, radius = _floats(slow), _radius(slow)
    here = np.asarray(fast.value, dtype=float)
    if np.shape(here) != np.shape(there):
        return False
    size = max(1.0, _size(there))
    gap = _size(here - there)
    if gap > fast.error + radius + 1e-12 * size:
        return False
    if gap > AGREED * size or fast.error > DECLARED * size or radius > AGREED * size:
        return None
    # Entries count with the square of their place: probabilities have the sum 1, and
    # the rows and columns of what is centred the sum 0.
    places = np.arange(1, np.size(there) + 1) ** 2
    agreement.values.add(round(float(np.ravel(there) @ places), 6))
    return True


def _size(array) -> float:
    return float(np.abs(array).max(initial=0.0))


def _radius(x) -> float:
    """By how much a value may be off: the largest radius of its balls."""
    radii = [float(ball(y).rad()) for y in flat(x)]
    return max(radii, default=0.0)


def _floats(x):
    if isinstance(x, list):
        return np.array([_floats(y) for y in x], dtype=float)
    if isinstance(x, (fmpq_mat, arb_mat)):
        rows, columns = x.nrows(), x.ncols()
        entries = [_floats(x[i, j]) for i in range(rows) for j in range(columns)]
        return np.array(entries, dtype=float).reshape(rows, columns)
    return float(exact.balls.ball(x).mid())


# --- Is the unit right? ---------------------------------------------------------------


@dataclass
class Growth:
    """What becomes of a quantity where K is measured in another unit.

    Attributes
    ----------
    degrees : set
        The powers of the unit by which its value grew.
    told : set
        Units in which the error declared for some value is not beyond measure.
    """

    degrees: set
    told: set

    def fits(self, unit) -> bool:
        """Whether a declared unit is right, as far as it shows.

        What an instance brings along keeps its value.  What comes from that alone has
        the degree 0, and a mixture has many: then the error is judged, at both ends.
        """
        if unit is None:
            return self.degrees <= {0.0}
        if len(self.degrees) == 1 and self.degrees != {0.0}:
            return self.degrees == {unit}
        return not self.degrees or self.told == {UNIT, 1 / UNIT}


def growth(theorem, names, rng, count: int = 10) -> dict[str, Growth]:
    """How quantities grow with the unit of K, on a theorem's small instances."""
    out = {name: Growth(set(), set()) for name in names}
    with _precision(128):
        for instance in spoken_of(theorem, rng, count):
            if isinstance(instance, Instance) and instance.plain is None:
                _grow(theorem.quantities, instance, out)
    return out


def _grow(quantities, instance, growths):
    cases = {unit: _in_unit(instance, unit) for unit in (1.0, UNIT, 1 / UNIT)}
    cases = {u: (i, exact.Case.of(**i.in_fractions())) for u, i in cases.items()}
    for name, growth in growths.items():
        found = {unit: _both(quantities[name], *case) for unit, case in cases.items()}
        if any(not isinstance(fast, Number) for fast, _ in found.values()):
            continue
        sizes = {unit: _size(_floats(slow)) for unit, (_, slow) in found.items()}
        if 0.0 in sizes.values():
            continue
        for unit in (UNIT, 1 / UNIT):
            degree = math.log(sizes[unit] / sizes[1.0], unit)
            growth.degrees.add(round(degree, 4) + 0.0)
            if found[unit][0].error < 1e3 * sizes[unit]:
                growth.told.add(unit)


def _in_unit(instance, unit):
    """The instance with K times a power of 4, nothing rounded."""
    if instance.X is None:
        return instance.but(K=instance.K * unit)
    return instance.but(X=instance.X * math.sqrt(unit))


# --- Is it known before sampling? -----------------------------------------------------


def other_sample(quantity, instance, rng) -> bool | None:
    """Whether the fast route gives the same with other landmarks of the same number.

    None where there is no other sample, or no value.
    """
    S = rng.permutation(instance.n)[: len(instance.landmarks)]
    if len(S) < len(instance.landmarks) or set(S) == set(instance.landmarks):
        return None
    # New objects, since a copy by `but` shares what is known before sampling.
    some = instance.anew(), instance.anew(landmarks=S)
    try:
        one, other = (quantity.fast(i) for i in some)
    except (ValueError, KeyError):
        return None
    if one is None and other is None:
        return None
    return np.array_equal(one, other)


# --- Is a rigorous route rigorous? ----------------------------------------------------


def rigorous(name, instance) -> str | None:
    """What is wrong with an exact route, seen at two precisions; empty if nothing.

    None where it has no value.
    """
    plain = instance.in_fractions()
    coarse, fine = (_at(bits, name, plain) for bits in (COARSE, FINE))
    if coarse is None or fine is None:
        return None
    if len(coarse) != len(fine):
        return "other shapes"
    whole = "/" not in str(plain)
    found = (_doubt(a, b, whole) for a, b in zip(coarse, fine, strict=True))
    return next((doubt for doubt in found if doubt), "")


def _at(bits, name, plain):
    """The entries of a route's value, or None."""
    with _precision(bits):
        try:
            case = exact.Case.of(**plain)
            return flat(route_of(case, name)(case))
        except (Unknown, ValueError, KeyError):
            return None


def _doubt(coarse, fine, whole) -> str:
    if not isinstance(coarse, arb) and not isinstance(fine, arb):
        rounded = whole and isinstance(fine, fmpq) and _is_float(fine)
        return "a float" if rounded else "" if coarse == fine else "two values"
    with _precision(2 * FINE):
        a, b = ball(coarse), ball(fine)
        if not a.overlaps(b):
            return "balls apart"
        # 192 bits more; a root of zero gains half of them.
        if b.rad() > a.rad() * arb(2) ** -64:
            return "a radius that does not shrink"
    return "no radius" if coarse.is_exact() and _is_long(coarse.man_exp()[0]) else ""


def _is_float(x) -> bool:
    """Whether a fraction is one of those that floats are."""
    q = int(x.q)
    return q > 1 and q & (q - 1) == 0 and _is_long(x.p)


def _is_long(x) -> bool:
    return abs(int(x)).bit_length() > BITS
