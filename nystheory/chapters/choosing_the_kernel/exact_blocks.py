"""Routes for a matrix of two blocks, and the next round of criterion-driven columns."""

from flint import arb, fmpq

from nystheory.exact import balls
from nystheory.exact.laws import law
from nystheory.exact.routes import Routes, route_of

_ROUTES = Routes("TwoBlocks")


def _m(c):
    return int(c.chosen("m"))


@_ROUTES.route
def on_second(c):
    return [fmpq(i >= _m(c)) for i in range(c.n)]


@_ROUTES.route
def second_block(c):
    rest = range(_m(c), c.n)
    return balls.part(c.K, rest, rest)


@_ROUTES.route
def second_labels(c):
    return balls.part(c.chosen("y"), range(_m(c), c.n), [0])


@_ROUTES.route
def is_of_blocks(c):
    m = _m(c)
    return m < c.n and all(c.K[i, j] == 0 for i in range(m, c.n) for j in range(m))


@_ROUTES.route
def in_first(c):
    return all(j < _m(c) for j in c.landmarks)


@law
def driven_next(case):
    """As many columns again, by criterion-driven probabilities without replacement."""
    half = case.l // 2
    base = tuple(case.landmarks[:half])
    first = case.but(landmarks=base)
    weights = route_of(first, "driven_squares")(first)
    places = [j for j, w in enumerate(weights) if isinstance(w, arb) or w != 0]
    sets = {frozenset(): fmpq(1)}
    for _ in range(case.l - half):
        grown = {}
        for S, chance in sets.items():
            left = [j for j in places if j not in S]
            whole = balls.total(weights[j] for j in left)
            for j in left:
                share = balls.divide(weights[j], whole)
                known = grown.get(S | {j}, fmpq(0))
                grown[S | {j}] = balls.plus(known, balls.times(chance, share))
        sets = grown
    for S, chance in sets.items():
        yield chance, case.but(landmarks=(*base, *sorted(S)))
