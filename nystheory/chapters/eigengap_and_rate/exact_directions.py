"""Routes for the leading directions of all points and of the landmarks."""

from collections import Counter

from flint import arb, fmpq

from nystheory.exact import balls, routes
from nystheory.exact.matrix_functions import function_of
from nystheory.exact.projections import leading

_OF_DIRECTIONS = routes.Routes("Directions")
route = _OF_DIRECTIONS.route


def _mean(c):
    """``L_n``, the mean of x x' over all points."""
    return c.points * c.points.transpose() * fmpq(1, c.n)


def _sampled(c):
    """``L_l`` times l, from how often each point is drawn."""
    times = Counter(c.landmarks)
    weights = balls.diagonal([fmpq(times[i]) for i in range(c.n)])
    return c.points * weights * c.points.transpose()


@route
def leading_H(c):
    return leading(_mean(c), c.k)


@route
def landmark_H(c):
    return leading(_sampled(c), c.k)


@route
def moved(c):
    change = balls.subtract(leading_H(c), landmark_H(c))
    root = function_of(_mean(c), balls.square_root)
    return balls.norm(balls.symmetric_part(balls.multiply(root, change, root)))


@route
def turned(c):
    """Of two projectors P and Q: ``|Q - P Q|^2 = |Q - Q P Q|``."""
    P, Q = leading_H(c), landmark_H(c)
    left = balls.subtract(Q, balls.multiply(Q, P, Q))
    square = balls.eigenvalues(balls.symmetric_part(left))[0]
    return balls.square_root(balls.positive(square))


@route
def head(c):
    return function_of(c.K, lambda x: x, c.k)


@route
def eigengap(c):
    values = [*c.spectrum, *[fmpq(0)] * (c.k + 1)]
    gap = balls.plus(values[c.k - 1], -values[c.k])
    return balls.divide(gap, fmpq(c.n))


# --- The ends of the distance ---------------------------------------------------------


def _ends(c):
    values = balls.eigenvalues(c.distance)
    return values[0], values[-1]


@routes.route
def seen_too_little(c):
    return _ends(c)[0]


@routes.route
def seen_too_much(c):
    return -_ends(c)[1]


# --- The fixed point of psi -----------------------------------------------------------

_OF_SPECTRUM = routes.Routes("Spectrum")


def _fixed(values, n):
    """The least of the fixed points with the j largest eigenvalues cut.

    The sum of ``min(t, x)`` is the least of ``j t`` and the sum of the others, and with
    these ``t^2 = 2 (j t + rest) / n`` has one root above zero.
    """
    found = []
    for j in range(n + 1):
        rest = balls.total(values[j:])
        inner = balls.plus(fmpq(j * j), balls.times(fmpq(2 * n), rest))
        root = balls.square_root(balls.positive(inner))
        found.append(balls.divide(balls.plus(fmpq(j), root), fmpq(n)))
    return balls.smallest(found)


def _over_n(c):
    return [balls.divide(x, fmpq(c.n)) for x in c.spectrum]


@_OF_SPECTRUM.route
def fixed_squared(c):
    return _fixed(_over_n(c), c.n)


@_OF_SPECTRUM.route
def printed_squared(c):
    return _fixed(c.spectrum, c.n)


@_OF_SPECTRUM.route
def psi_there(c):
    t = fixed_squared(c)
    cut = balls.total(balls.smallest([t, x]) for x in _over_n(c))
    return balls.square_root(balls.divide(balls.times(fmpq(2), cut), fmpq(c.n)))


@_OF_SPECTRUM.route
def decay_constant(c):
    p = balls.ball(c.chosen("decay"))
    return balls.largest([arb(i + 1) ** p * x for i, x in enumerate(_over_n(c))])


@_OF_SPECTRUM.route
def crossing(c):
    pairs = enumerate(c.spectrum, start=1)
    return balls.largest([balls.smallest([fmpq(2 * i), x]) for i, x in pairs]) / c.n
