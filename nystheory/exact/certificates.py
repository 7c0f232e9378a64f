"""Routes for what the approximation from the whole core misses."""

from flint import fmpq

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.matrix_functions import function_of
from nystheory.exact.routes import route


@route
def full_approximation(c):
    return balls.multiply(c.C, balls.pseudo_inverse(c.W), c.C.transpose())


@route
def E(c):
    return balls.symmetric_part(balls.subtract(c.K, full_approximation(c)))


@route
def norm_E(c):
    return balls.norm(E(c))


@route
def trace_E(c):
    return balls.trace(E(c))


@route
def largest_missed(c):
    missed = E(c)
    return balls.largest([missed[j, j] for j in range(c.n)])


@route
def entry_sizes(c):
    return balls.matrix([[abs(x) for x in row] for row in E(c).tolist()])


@route
def entry_limits(c):
    missed = E(c)
    lengths = balls.diagonal([balls.square_root(missed[j, j]) for j in range(c.n)])
    ones = balls.matrix([[1] * c.n] * c.n)
    return balls.multiply(lengths, ones, lengths)


@route
def rank_E(c):
    return fmpq(balls.rank(E(c)))


@route
def factor_F(c):
    return balls.square_root(balls.trace(full_approximation(c)))


@route
def eigenvalues(c):
    return balls.eigenvalues(c.K)


@route
def approximate_eigenvalues(c):
    return balls.eigenvalues(full_approximation(c))


@route
def approximate_gap(c):
    values = [*approximate_eigenvalues(c), fmpq(0)]
    return balls.plus(values[c.k - 1], -values[c.k])


@route
def angle(c):
    """From the part of the leading space of the approximation outside that of K."""
    true, found = (_leading(A, c.k) for A in (c.K, full_approximation(c)))
    outside = balls.subtract(found, balls.multiply(true, found))
    found = balls.ball(balls.norm(outside)).asin()
    if not found.is_finite():
        raise Unknown("a sine that may be above 1")
    return found


def _leading(A, k):
    if k > balls.rank(A):
        raise Unknown("fewer directions than the rank asked for")
    return function_of(A, lambda _: fmpq(1), k)


# --- Cut to rank k -------------------------------------------------------------------


@route
def cut_approximation(c):
    return function_of(full_approximation(c), lambda x: x, c.k)


@route
def cut_core(c):
    return c.approximation
