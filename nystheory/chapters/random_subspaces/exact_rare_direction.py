"""Routes for a population of orthogonal directions of which one is rare."""

from math import comb

from flint import fmpq

from nystheory.exact import balls
from nystheory.exact.laws import law
from nystheory.exact.routes import Routes

_ROUTES = Routes("RareDirection")


def _rare(c):
    return 1 / (1 + (c.chosen("r") - 1) * c.chosen("s"))


@_ROUTES.route
def masses(c):
    return [_rare(c)] + [c.chosen("s") * _rare(c)] * (int(c.chosen("r")) - 1)


@_ROUTES.route
def hits(c):
    return fmpq(sum(place == 0 for place in c.chosen("picked")))


def _mean_loss(c, loss):
    """Direction by direction, from the coefficients of the landmarks in it."""
    pairs = list(zip(c.chosen("picked"), c.chosen("a"), strict=True))
    found = fmpq(0)
    for place, mass in enumerate(masses(c)):
        found += mass * loss(sum((x for j, x in pairs if j == place), fmpq(0)))
    return found


@_ROUTES.route
def hinge(c):
    return _mean_loss(c, lambda value: max(fmpq(0), 1 - value))


@_ROUTES.route
def square(c):
    return _mean_loss(c, lambda value: (1 - value) * (1 - value))


def _by_hits(c, p):
    """Landmarks by how often the rare direction is drawn, with the chance p."""
    m = int(c.chosen("m"))
    for count in range(m + 1):
        picked = [fmpq(0)] * count + [fmpq(1)] * (m - count)
        chance = comb(m, count) * p**count * (1 - p) ** (m - count)
        yield chance, c.but(picked=picked)


@law
def by_masses(case):
    """The rare direction as often as it is."""
    yield from _by_hits(case, _rare(case))


@law
def by_leverage(case):
    """The rare direction by its share of the leverage."""
    scores = [q / (q + case.chosen("alpha")) for q in masses(case)]
    yield from _by_hits(case, scores[0] / balls.total(scores))
