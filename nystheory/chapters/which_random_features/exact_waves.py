"""Routes for kernel values from pairs of waves, and from waves with phases."""

from math import factorial, prod

from flint import fmpq

from nystheory.exact import balls
from nystheory.exact.laws import counts, law
from nystheory.exact.routes import Routes

route = Routes("Waves").route


def _turned(t):
    """Cosine and sine of an angle, from the tangent of its half."""
    return (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)


def _mean(values):
    values = list(values)
    return balls.total(values) / len(values)


def _angles(c):
    """What each frequency turns x and y by, as cosines and sines."""
    pairs = zip(c.given["at_x"], c.given["at_y"], strict=True)
    return [(_turned(a), _turned(b)) for a, b in pairs]


def _picked(c):
    angles = _angles(c)
    return [angles[int(j)] for j in c.given["picked"]]


def _inner(u, v):
    return u[0] * v[0] + u[1] * v[1]


@route
def kernel(c):
    return _mean(_inner(x, y) for x, y in _angles(c))


@route
def kernel_twice(c):
    """The cosine of twice an angle is the square less that of the sine."""
    found = []
    for x, y in _angles(c):
        sine = x[1] * y[0] - x[0] * y[1]
        found.append(_inner(x, y) ** 2 - sine**2)
    return _mean(found)


@route
def pair_value(c):
    return _mean(_inner(x, y) for x, y in _picked(c))


@route
def pair_distance(c):
    return _mean((x[0] - y[0]) ** 2 + (x[1] - y[1]) ** 2 for x, y in _picked(c))


# The cosine and the sine of twice a phase of so many eighths of a turn.
_TWICE = [(1, 0), (0, 1), (-1, 0), (0, -1)]


def _waves(c):
    """Angles at x and y, and twice the phase, of the waves that are drawn."""
    angles = _angles(c)
    return [(*angles[int(j) // 4], _TWICE[int(j) % 4]) for j in c.given["phased"]]


def _added(*angles):
    """The cosine of a sum of angles."""
    cosine, sine = 1, 0
    for p, q in angles:
        cosine, sine = cosine * p - sine * q, cosine * q + sine * p
    return cosine


@route
def phase_value(c):
    """Twice a product of cosines: that of the difference, and that of the sum."""
    return _mean(_inner(x, y) + _added(x, y, b) for x, y, b in _waves(c))


@route
def phase_distance(c):
    """Twice a square is one more than the cosine of the double angle."""
    squares = (2 + _added(x, x, b) + _added(y, y, b) for x, y, b in _waves(c))
    return _mean(squares) - 2 * phase_value(c)


def _by_counts(case, size, draws, name):
    """Uniform draws of so many, by how often each is drawn."""
    for count in counts((1,) * size, draws, repeated=True):
        ways = factorial(draws) // prod(map(factorial, count))
        places = [fmpq(j) for j, times in enumerate(count) for _ in range(times)]
        yield fmpq(ways, size**draws), case.but(**{name: places})


@law
def uniform_pairs(case):
    """m uniform frequencies."""
    yield from _by_counts(case, len(case.given["at_x"]), int(case.given["m"]), "picked")


@law
def four_phases(case):
    """2 m waves, each of a uniform frequency with one of four phases.

    In means of squares of values the four stand for a uniform phase.
    """
    size, D = 4 * len(case.given["at_x"]), 2 * int(case.given["m"])
    yield from _by_counts(case, size, D, "phased")
