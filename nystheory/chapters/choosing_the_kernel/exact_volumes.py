"""Routes for columns drawn by the volume that they span."""

from itertools import combinations

from flint import fmpq

from nystheory.exact import balls
from nystheory.exact.laws import law
from nystheory.exact.routes import Routes

_VOLUMES, _ALIKE = Routes("Volumes"), Routes("Alike")


@law
def column_volume(case):
    """Sets of l columns in proportion to the squared volume that they span."""
    found = []
    for S in combinations(range(case.n), case.l):
        C = balls.part(case.K, range(case.n), S)
        found.append(((C.transpose() * C).det(), S))
    whole = balls.total(w for w, _ in found)
    for w, S in found:
        if w != 0:
            yield w / whole, case.but(landmarks=S)


@_VOLUMES.route
def squares_ratio(c):
    """Sums of principal minors of the square of K."""
    square = c.K * c.K
    above, below = (_symmetric(square, size) for size in (c.l + 1, c.l))
    return balls.divide(above, below)


def _symmetric(A, size):
    sets = combinations(range(A.nrows()), size)
    return balls.total(balls.part(A, S, S).det() for S in sets)


@_VOLUMES.route
def is_flat(c):
    sizes = [1000 * c.l] * c.l + [1]
    return c.k == c.l and c.K == balls.diagonal([fmpq(x) for x in sizes])


@_ALIKE.route
def is_alike(c):
    a = c.chosen("a")
    rows = [[1 if i == j else a for j in range(c.n)] for i in range(c.n)]
    return c.n > 1 and c.K == balls.matrix(rows)
