"""Routes for the bounds on the error of random columns."""

from nystheory.exact.routes import route


@route
def constant_diagonal(c):
    return all(c.K[j, j] == c.K[0, 0] for j in range(c.K.nrows()))
