"""Routes for the span of sampled points, from the points."""

from nystheory.exact import balls
from nystheory.exact.routes import Routes

_ROUTES = Routes("Subspace")
route = _ROUTES.route


@route
def dimension(c):
    return balls.number(c.points.nrows())


@route
def points_S(c):
    return balls.part(c.points, range(c.points.nrows()), c.landmarks)


@route
def sigma(c):
    """Those of K over n, with zeros for the further coordinates."""
    N, values = c.points.nrows(), balls.eigenvalues(c.K)
    found = [balls.divide(x, balls.number(c.n)) for x in values[:N]]
    return sorted_up(found + [balls.number(0)] * (N - len(found)))


def sorted_up(values):
    """Ascending, as the fast route has them."""
    return balls.descending(values)[::-1]
