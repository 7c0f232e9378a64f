"""Routes for how far predictions move where a learner gets another kernel matrix."""

from nystheory.exact import balls
from nystheory.exact.routes import route
from nystheory.exact.two_kernels import other


@route
def point_bound(c):
    """As it is given, or the largest diagonal entry and some room."""
    if "bound_of_points" in c.given:
        return c.given["bound_of_points"]
    largest = balls.largest([c.K[i, i] for i in range(c.n)])
    return balls.plus(largest, abs(c.given.get("room", balls.number(0))))


@route
def largest_label(c):
    return balls.largest([abs(x) for x in c.chosen("y").entries()])


def _moved(c, matrix):
    """``sqrt(kappa d'K d)`` for the difference d of the two solutions."""
    shift = balls.multiply(c.chosen("alpha"), balls.identity(c.n))
    one, two = (balls.inverse(balls.add(A, shift)) for A in (c.K, matrix))
    d = balls.multiply(balls.subtract(two, one), c.chosen("y"))
    square = balls.multiply(d.transpose(), c.K, d)[0, 0]
    return balls.square_root(balls.positive(balls.times(point_bound(c), square)))


@route
def ridge_change(c):
    return _moved(c, other(c))


@route
def nystrom_ridge_change(c):
    return _moved(c, c.approximation)
