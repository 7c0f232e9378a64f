"""The covariance of a population, point by point."""

from nystheory.exact import balls
from nystheory.exact.routes import Routes

_ROUTES = Routes("FinitePopulation")


@_ROUTES.route
def Sigma(c):
    X, q = c.chosen("X"), c.chosen("q")
    found, mass = balls.zeros(X.nrows(), X.nrows()), balls.total(q)
    for j, weight in enumerate(q):
        x = balls.part(X, range(X.nrows()), [j])
        found += x * x.transpose() * (weight / mass)
    return found


@Routes("DrawnData").route
def sigma(c):
    X = c.chosen("X")
    return balls.descending(balls.eigenvalues(X * X.transpose() / X.ncols()))[::-1]
