"""Routes for what the ends of a criterion speak of, in fractions."""

from nystheory.exact import balls
from nystheory.exact.routes import Routes

_ROUTES = Routes("Observed")
route = _ROUTES.route


def _entries(value):
    """The entries of a vector, which a case of columns has as a row."""
    return value if isinstance(value, list) else value.entries()


@route
def y(c):
    return _entries(c.chosen("y"))


@route
def guess(c):
    return _entries(c.chosen("guess"))


def others(c):
    """Places that no landmark has."""
    return [j for j in range(c.n) if j not in set(c.landmarks)]


@route
def unsampled(c):
    return [balls.number(j) for j in others(c)]


@route
def left_out(c):
    """By Cramer's rule: of the other points, bordered by the one that is left out."""
    ridge = balls.multiply(c.chosen("alpha"), balls.identity(c.n))
    shifted = balls.add(c.K, ridge)
    return [_left_out(shifted, y(c), j) for j in range(c.n)]


def _left_out(A, observed, j):
    """``y_j - A_jT A_TT^-1 y_T`` as a quotient of two determinants."""
    rest = [i for i in range(A.nrows()) if i != j]
    if not rest:
        return observed[j]
    rows = [[A[i, k] for k in rest] + [observed[i]] for i in (*rest, j)]
    return balls.divide(balls.matrix(rows).det(), balls.part(A, rest, rest).det())
