"""Routes for the functions that examples make: from the eigenvectors, by definition."""

from flint import fmpq

from nystheory.exact import balls
from nystheory.exact.certificates import E, full_approximation
from nystheory.exact.routes import Routes
from nystheory.exact.vectors import from_columns, roots_of_inverses, unit_eigenvectors

_ROUTES = Routes("Eigenfunctions")
route = _ROUTES.route


def _sampled(c):
    return balls.part(c.points, range(c.points.nrows()), c.landmarks)


def _values(A):
    """Eigenvalues above zero; their number is the rank, which is exact."""
    return balls.eigenvalues(A)[: balls.rank(A)]


def _vectors(A):
    r = balls.rank(A)
    return from_columns(unit_eigenvectors(A, r), A.nrows(), r)


def _functions(X, A):
    """``X V Lambda^-1/2``, column by column."""
    scale = roots_of_inverses(_values(A), balls.rank(A))
    return balls.multiply(X, _vectors(A), scale)


def _operator(X):
    """The mean of the columns times their transposes."""
    found = balls.zeros(X.nrows(), X.nrows())
    for j in range(X.ncols()):
        x = balls.part(X, range(X.nrows()), [j])
        found += x * x.transpose()
    return found * fmpq(1, X.ncols())


@route
def Phi(c):
    return _functions(c.points, c.K)


@route
def Phi_S(c):
    return _functions(_sampled(c), c.W)


@route
def V_K(c):
    return _vectors(c.K)


@route
def V_W(c):
    return _vectors(c.W)


@route
def Lambda(c):
    return balls.diagonal(_values(c.K))


@route
def Lambda_S(c):
    return balls.diagonal(_values(c.W))


@route
def points_S(c):
    return _sampled(c)


@route
def L_n(c):
    return _operator(c.points)


@route
def L_l(c):
    return _operator(_sampled(c))


# --- Blocks, and other matrices -------------------------------------------------------

_BLOCKS = Routes("FirstColumns")


def _others(c):
    return [j for j in range(c.n) if j not in c.landmarks]


@_BLOCKS.route
def places(c):
    return [fmpq(j) for j in c.landmarks]


@_BLOCKS.route
def K_rest(c):
    return balls.part(c.K, _others(c), _others(c))


@_BLOCKS.route
def E_rest(c):
    return balls.part(E(c), _others(c), _others(c))


@_BLOCKS.route
def rank_missed(c):
    return fmpq(balls.rank(E(c)))


@_BLOCKS.route
def M(c):
    """K, and what is brought besides at points that were not sampled."""
    if "besides" not in c.given:
        return c.K
    added, rest = c.chosen("besides"), _others(c)
    found = c.K + balls.zeros(c.n, c.n)
    for i in rest:
        for j in rest:
            found[i, j] += added[i, j] + added[j, i]
    return found


@_BLOCKS.route
def with_further(c):
    further = int((c.chosen("further") + fmpq(1, 2)).floor()) % c.n
    return full_approximation(c.but(landmarks=(*c.landmarks, further)))


def _order(c):
    keys = c.chosen("keys")
    return sorted(range(c.n), key=lambda j: keys[0, j])


@_BLOCKS.route
def put_back(c):
    """Of the matrix in another order, with each entry at the place of its points."""
    order = _order(c)
    places = {point: place for place, point in enumerate(order)}
    there = c.but(
        K=balls.part(c.K, order, order),
        X=None,
        landmarks=tuple(places[j] for j in c.landmarks),
    )
    back = [places[j] for j in range(c.n)]
    return balls.part(full_approximation(there), back, back)
