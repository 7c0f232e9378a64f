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
