"""Routes for the distance of two covariances, from the entries of K."""

from flint import fmpq, fmpq_mat

from nystheory.exact import arithmetic as exact
from nystheory.exact.routes import K_max, route


def _squared_distance(c, i, j):
    return c.K[i, i] + c.K[j, j] - 2 * c.K[i, j]


@route
def d_max(c):
    squares = [_squared_distance(c, i, j) for i in range(c.n) for j in range(c.n)]
    return exact.square_root(exact.largest(squares))


@route
def spread(c):
    diagonal = exact.total(c.K[i, i] ** 2 for i in range(c.n))
    return diagonal - exact.squares(c.K) / c.n


@route
def S(c):
    return fmpq_mat([[int(i == s) for s in c.landmarks] for i in range(c.n)])


def _weights(c, landmarks):
    """``1 - (n/l) m_i`` where column i is sampled m_i times."""
    share = fmpq(c.n, len(landmarks))
    return [1 - share * landmarks.count(i) for i in range(c.n)]


def _square(c, landmarks):
    """``|XX' - ZZ'|_F^2``: the product of x_i x_i' and x_j x_j' is K_ij^2."""
    w = _weights(c, landmarks)
    pairs = ((i, j) for i in range(c.n) for j in range(c.n))
    return exact.total(w[i] * w[j] * c.K[i, j] ** 2 for i, j in pairs)


@route
def distance_F_squared(c):
    return _square(c, c.landmarks)


# --- The selection matrix ------------------------------------------------------------


@route
def S_printed(c):
    entries = [
        [int(i == j and i in c.landmarks) for j in range(c.l)] for i in range(c.n)
    ]
    return fmpq_mat(entries)


@route
def distinct(c):
    """Rows of the selection matrix that are not zero."""
    rows = range(c.n)
    return fmpq(sum(any(S(c)[i, j] != 0 for j in range(c.l)) for i in rows))


# --- One landmark exchanged ----------------------------------------------------------


def _other(c):
    """The case with the other sample; a number stands for the nearest landmark."""
    numbers = c.chosen("other").entries()
    return c.but(landmarks=tuple(int((x + fmpq(1, 2)).floor()) % c.n for x in numbers))


@route
def exchanged(c):
    pairs = zip(_other(c).landmarks, c.landmarks, strict=True)
    return fmpq(sum(a != b for a, b in pairs))


@route
def other_distance_2(c):
    return exact.norm(_other(c).distance)


@route
def other_distance_F(c):
    return exact.square_root(_square(c, _other(c).landmarks))


def _pairs(c, norm):
    """The largest norm of ``aa' - bb'``, from the matrix itself."""
    squares = [c.points * _one(c, j) * c.points.transpose() for j in range(c.n)]
    return exact.largest([norm(a - b) for a in squares for b in squares])


def _one(c, j):
    return exact.diagonal([fmpq(int(i == j)) for i in range(c.n)])


@route
def difference_2(c):
    return _pairs(c, exact.norm)


@route
def difference_F(c):
    return _pairs(c, exact.frobenius)


@route
def K_min(c):
    return exact.smallest([c.K[i, i] for i in range(c.n)])


# The worst pair of this R and d, from inner products: a on the axis, of length R, and
# b at distance t from it, on the same ray or of length R as well.


def _attained(c, equal, frobenius):
    R, d = exact.square_root(K_max(c)), d_max(c)
    if equal or (frobenius and 3 * exact.ball(d) > 2 * exact.ball(R)):
        t = exact.smallest([d, exact.times(exact.square_root(fmpq(2)), R)])
        length = R
    else:
        t = exact.smallest([d, R])
        length = exact.plus(R, -t)
    squares = [exact.times(x, x) for x in (R, length, t)]
    p, r, apart = (exact.ball(x) for x in squares)
    inner = (p + r - apart) / 2
    if frobenius:
        return exact.square_root(exact.positive(p**2 + r**2 - 2 * inner**2))
    root = exact.square_root(exact.positive((p + r) ** 2 - 4 * inner**2))
    return (abs(p - r) + root) / 2


@route
def attained_2(c):
    return _attained(c, False, False)


@route
def attained_F(c):
    return _attained(c, False, True)


@route
def attained_2_equal(c):
    return _attained(c, True, False)


@route
def attained_F_equal(c):
    return _attained(c, True, True)
