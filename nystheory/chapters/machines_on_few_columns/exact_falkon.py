"""Routes for FALKON: its system in coefficients, in fractions as far as they go."""

from itertools import combinations_with_replacement
from math import factorial, prod

from flint import fmpq, fmpq_mat

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.laws import law
from nystheory.exact.routes import Routes

_ROUTES = Routes("LandmarkSystem")
route = _ROUTES.route


def _weights(c):
    if "importance" in c.given:
        return c.chosen("importance").entries()
    return [fmpq(c.n, c.l)] * c.l


def _shifted(c, A):
    return A + c.chosen("alpha") * balls.identity(A.nrows())


@route
def point_length(c):
    return fmpq(c.points.nrows())


@route
def points_S(c):
    return balls.part(c.points, range(c.points.nrows()), c.landmarks)


@route
def top_score(c):
    """One less what the ridge takes: ``K (K + alpha I)^-1 = I - alpha (...)^-1``."""
    rest = _shifted(c, c.K).inv()
    return 1 - c.chosen("alpha") * min(rest[j, j] for j in range(c.n))


@route
def weighting(c):
    return balls.diagonal(_weights(c))


@route
def D_p(c):
    p = c.chosen("probabilities").entries()
    return balls.diagonal([1 / (c.l * p[j]) for j in c.landmarks])


@route
def equal_weights(c):
    return "importance" not in c.given


def _systems(c):
    """H and M, in coefficients."""
    if not isinstance(c.K, fmpq_mat):
        raise Unknown("a system of balls")
    ridge = c.chosen("alpha") * c.W
    return c.C.transpose() * c.C + ridge, c.W * weighting(c) * c.W + ridge


@route
def kappa(c):
    """From the eigenvalues of ``M^+ H`` that are not zero."""
    H, M = _systems(c)
    values = [x for x, _ in balls.roots(balls.pseudo_inverse(M) * H) if x != 0]
    return balls.divide(values[0], values[-1]) if values else fmpq(1)


@route
def deviation(c):
    """From the eigenvalues of ``(Sigma_S + alpha I)^-1 (X X' - Sigma_S)``."""
    X, Z = c.points, points_S(c)
    seen = Z * weighting(c) * Z.transpose()
    apart = _shifted(c, seen).inv() * (X * X.transpose() - seen)
    return balls.largest([abs(x) for x, _ in balls.roots(apart)])


def _inner(a, b):
    return (a.transpose() * b)[0, 0]


def _column(c, name):
    return fmpq_mat([[x] for x in c.chosen(name).entries()])


def _objective(c, a):
    missed = _column(c, "y") - c.C * a
    return balls.squares(missed) + c.chosen("alpha") * _inner(a, c.W * a)


def _least(c):
    H, _ = _systems(c)
    return _objective(c, balls.pseudo_inverse(H) * c.C.transpose() * _column(c, "y"))


@route
def excess(c):
    """The steps by their definition: the objective at the last one, less the least."""
    H, M = _systems(c)
    inverse = balls.pseudo_inverse(M)
    a, r = fmpq_mat(c.l, 1), c.C.transpose() * _column(c, "y")
    p = z = inverse * r
    for _ in range(int(c.chosen("T"))):
        square = _inner(r, z)
        if square == 0:
            break
        step = square / _inner(p, H * p)
        a, r = a + step * p, r - step * (H * p)
        z = inverse * r
        p = z + _inner(r, z) / square * p
    return _objective(c, a) - _least(c)


@route
def excess_at_zero(c):
    return balls.squares(_column(c, "y")) - _least(c)


@law
def weighted_counts(case):
    """Independent columns with the given probabilities, in any order."""
    p = case.chosen("probabilities").entries()
    for S in combinations_with_replacement(range(case.n), case.l):
        counts = [S.count(j) for j in range(case.n)]
        ways = factorial(case.l) // prod(map(factorial, counts))
        chance = prod((p[j] ** k for j, k in enumerate(counts)), start=fmpq(ways))
        yield chance, case.but(landmarks=S)
