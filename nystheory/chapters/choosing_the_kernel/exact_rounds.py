"""Routes for columns drawn in two rounds: projections from the definition."""

from itertools import combinations, product

from flint import fmpq

from nystheory.exact import balls
from nystheory.exact.certificates import E
from nystheory.exact.laws import law
from nystheory.exact.routes import Routes

_ROUTES = Routes("TwoRounds")


def _first(c):
    return c.but(landmarks=c.landmarks[: c.k], rank=c.k)


def _projection(c, S):
    """K projected on the span of some columns."""
    C = balls.part(c.K, range(c.n), S)
    return balls.multiply(C, balls.pseudo_inverse(C), c.K)


def _residual(c, S):
    return balls.subtract(c.K, _projection(c, S))


@_ROUTES.route
def first_squared(c):
    return balls.squares(_residual(c, c.landmarks[: c.k]))


@_ROUTES.route
def within_squared(c):
    """The square of K less the leading squared singular values of its projection."""
    seen = _projection(c, c.landmarks)
    values = balls.eigenvalues(balls.multiply(seen, seen.transpose()))
    return balls.plus(balls.squares(c.K), -balls.total(values[: c.k]))


@_ROUTES.route
def first_trace(c):
    return balls.trace(E(_first(c)))


@_ROUTES.route
def half_error_F(c):
    half = c.but(landmarks=c.landmarks[: max(c.l // 2, c.k)])
    return balls.frobenius(half.error)


# --- Laws -----------------------------------------------------------------------------


@law
def volume_first(case):
    """Sets of k first columns in proportion to the determinant of their core."""
    rest, found = (0,) * (case.l - case.k), []
    for S in combinations(range(case.n), case.k):
        found.append((balls.part(case.K, S, S).det(), S))
    whole = balls.total(w for w, _ in found)
    for w, S in found:
        if w != 0:
            yield w / whole, case.but(landmarks=(*S, *rest))


def _second(case, weights):
    """All second rounds; where nothing is left its first column again."""
    S, s = tuple(case.landmarks[: case.k]), case.l - case.k
    whole = balls.total(weights)
    if whole == 0:
        yield fmpq(1), case.but(landmarks=S + S[:1] * s)
        return
    shares = [(j, w / whole) for j, w in enumerate(weights) if w != 0]
    for some in product(shares, repeat=s):
        chance = fmpq(1)
        for _, p in some:
            chance *= p
        yield chance, case.but(landmarks=(*S, *(j for j, _ in some)))


@law
def diagonal_next(case):
    """A second round in proportion to the diagonal that is left."""
    left = E(_first(case))
    yield from _second(case, [left[j, j] for j in range(case.n)])


@law
def squares_next(case):
    """A second round in proportion to the squared columns that are left."""
    left = _residual(case, case.landmarks[: case.k])
    gram = balls.multiply(left.transpose(), left)
    yield from _second(case, [gram[j, j] for j in range(case.n)])


@law
def uniform_next(case):
    """A second round of independent uniform columns."""
    yield from _second(case, [fmpq(1)] * case.n)
