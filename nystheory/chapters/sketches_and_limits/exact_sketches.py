"""Routes for sketches ``K Omega``, and laws of test vectors."""

from itertools import combinations, permutations, product

from flint import fmpq

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.laws import law
from nystheory.exact.matrix_functions import function_of
from nystheory.exact.routes import route


def _columns(A, chosen_ones):
    return balls.part(A, range(A.nrows()), chosen_ones)


def _missed(c, test_vectors):
    """K less its approximation from some test vectors."""
    Y = c.K * test_vectors
    core = balls.pseudo_inverse(test_vectors.transpose() * Y)
    return c.K - Y * core * Y.transpose()


def _without(c, j):
    """K less its approximation without test vector j."""
    omega = c.chosen("omega")
    return _missed(c, _columns(omega, [m for m in range(omega.ncols()) if m != j]))


def _left(c, j):
    """Squared length of what the other test vectors leave of column j of the sketch."""
    return balls.squares(_without(c, j) * _columns(c.chosen("omega"), [j]))


@route
def rank_H(c):
    omega = c.chosen("omega")
    return fmpq(balls.rank(omega.transpose() * c.K * omega))


@route
def sketch_sum(c):
    """By the inverse of H, where it has one."""
    omega = c.chosen("omega")
    Y = c.K * omega
    H = omega.transpose() * Y
    if balls.rank(H) < H.nrows():
        return left_sum(c)
    inverse = H.inv()
    B = Y * inverse
    return balls.total(
        balls.squares(_columns(B, [j])) / inverse[j, j] ** 2 for j in range(H.nrows())
    )


@route
def left_sum(c):
    return balls.total(_left(c, j) for j in range(c.chosen("omega").ncols()))


@route
def left_out_error(c):
    count = c.chosen("omega").ncols()
    return balls.total(balls.squares(_without(c, j)) for j in range(count)) / count


@route
def last_term(c):
    return _left(c, c.chosen("omega").ncols() - 1)


@route
def fewer_error(c):
    return balls.squares(_without(c, c.chosen("omega").ncols() - 1))


@route
def sketch_error(c):
    return balls.squares(_missed(c, c.chosen("omega")))


# --- Laws of test vectors ------------------------------------------------------------


def _signs(n):
    return list(product((-1, 1), repeat=n))


def _equally_likely(case, listed):
    """Test matrices from lists of their columns, all with the same chance."""
    for columns in listed:
        omega = balls.matrix(columns).transpose()
        yield fmpq(1, len(listed)), case.but(given={**case.given, "omega": omega})


def _axes(n):
    length = balls.square_root(fmpq(n))
    if not isinstance(length, fmpq):
        raise Unknown("the root of n is no fraction")
    return [[length if i == j else fmpq(0) for i in range(n)] for j in range(n)]


@law
def signs(case):
    """Independent test vectors of signs."""
    listed = list(product(_signs(case.n), repeat=case.l))
    yield from _equally_likely(case, listed)


@law
def scaled_signs(case):
    """Signs times 3/2 and 1/2 in turn: independent, of another second moment."""
    scales = [fmpq(1, 2) if i % 2 else fmpq(3, 2) for i in range(case.n)]
    vectors = [[s * x for s, x in zip(v, scales, strict=True)] for v in _signs(case.n)]
    yield from _equally_likely(case, list(product(vectors, repeat=case.l)))


@law
def repeated_signs(case):
    """One test vector of signs, repeated."""
    yield from _equally_likely(case, [[v] * case.l for v in _signs(case.n)])


@law
def signs_and_axes(case):
    """Vectors of signs and multiples of axes in turn, all independent."""
    kinds = [_axes(case.n) if j % 2 else _signs(case.n) for j in range(case.l)]
    yield from _equally_likely(case, list(product(*kinds)))


@law
def distinct_axes(case):
    """Multiples of different axes: of second moment I, and not independent."""
    yield from _equally_likely(case, list(permutations(_axes(case.n), case.l)))


@law
def last_signs(case):
    """The last test vector of signs, the others as they are."""
    omega = case.chosen("omega")
    rest = [balls.column(omega, j) for j in range(omega.ncols() - 1)]
    yield from _equally_likely(case, [[*rest, v] for v in _signs(case.n)])


# --- Cut to rank k -------------------------------------------------------------------


def _cut(c):
    """K less the best part of rank k of its approximation from the sketch."""
    below = c.K - _missed(c, c.chosen("omega"))
    cut = function_of(below, lambda x: x, c.k)
    return balls.symmetric_part(balls.subtract(c.K, cut))


@route
def cut_sketch_trace(c):
    return balls.nuclear(_cut(c))


@route
def cut_sketch_2(c):
    return balls.norm(_cut(c))


@route
def sketch_2(c):
    return balls.norm(_missed(c, c.chosen("omega")))


@route
def mixed_in(c):
    """With a basis V of the leading space in the place of the eigenvectors.

    ``Omega_1^+ (Omega_1^+)' = B (B'B)^-1 (V'V) (B'B)^-1 B'`` for ``B = Omega' V``.
    """
    P = function_of(c.K, lambda _: fmpq(1), c.k)
    moduli = function_of(c.K, abs)
    rest = balls.subtract(moduli, balls.multiply(P, moduli))
    V = _basis(P, c.k)
    omega = c.chosen("omega")
    B = balls.multiply(omega.transpose(), V)
    gram = balls.inverse(balls.multiply(B.transpose(), B))
    lengths = balls.multiply(V.transpose(), V)
    core = balls.multiply(B, gram, lengths, gram, B.transpose())
    return balls.trace(balls.multiply(omega.transpose(), rest, omega, core))


def _basis(P, rank):
    """Independent columns of a projector."""
    for some in combinations(range(P.nrows()), rank):
        V = _columns(P, list(some))
        gram = balls.multiply(V.transpose(), V)
        if balls.ball(gram.det()) > 0:
            return V
    raise Unknown("fewer directions than the rank asked for")
