"""Routes for a sample that is weighed by its probabilities."""

from nystheory.exact import balls
from nystheory.exact.routes import Routes

_ROUTES = Routes("Weighed")
route = _ROUTES.route


@route
def p(c):
    return c.chosen("probabilities").entries()


@route
def draws(c):
    return balls.diagonal([c.l * p(c)[j] for j in c.landmarks])


@route
def of_sample(c):
    """Landmark by landmark."""
    X, N = c.points, c.points.nrows()
    found = balls.zeros(N, N)
    for j in c.landmarks:
        x = balls.part(X, range(N), [j])
        found += x * x.transpose() / (c.n * c.l * p(c)[j])
    return found


@route
def seen_by_J(c):
    u = c.chosen("v")
    return balls.trace(u.transpose() * of_sample(c) * u)


@route
def seen_by_all(c):
    seen = c.chosen("v").transpose() * c.points
    return balls.squares(seen) / c.n
