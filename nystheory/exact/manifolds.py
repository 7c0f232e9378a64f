"""Routes for points of which only distances are known: centred, and in coordinates."""

from flint import fmpq, fmpq_mat

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.certificates import full_approximation
from nystheory.exact.matrix_functions import function_of, is_below
from nystheory.exact.routes import route
from nystheory.exact.vectors import from_columns, unit_eigenvectors


def mirrored(A):
    """Symmetric, with zeros on the diagonal: what is above it, in modulus."""
    out = balls.zeros(*balls.size(A))
    for i in range(A.nrows()):
        for j in range(i + 1, A.ncols()):
            out[i, j] = out[j, i] = abs(A[i, j])
    return out


@route
def squares(c):
    return mirrored(c.chosen("squares"))


@route
def other_squares(c):
    return mirrored(c.chosen("other_squares"))


def _centred(D, weights):
    """``-1/2 J D J'`` for J, which takes a weighted mean away."""
    n = D.nrows()
    J = balls.identity(n) - fmpq_mat([weights] * n)
    return fmpq(-1, 2) * (J * D * J.transpose())


def _uniform(n):
    return [fmpq(1, n)] * n


def _positive(A, k):
    """How many of the k leading eigenvalues are above zero."""
    return sum(value > 0 for value in balls.eigenvalues(A)[:k])


def _on_leading(A, f, k):
    """f on the leading eigenvalues above zero, k at most."""
    count = _positive(A, k)
    return function_of(A, f, count) if count else balls.zeros(*balls.size(A))


def _gram(A, k):
    """Of the leading coordinates; of all of them the matrix itself."""
    if balls.rank(A) <= k and is_below(0 * A, A):
        return A
    return _on_leading(A, lambda x: x, k)


def _distances(gram):
    """Of points with these inner products."""
    n = gram.nrows()
    out = balls.multiply(gram, fmpq(-2))
    for i in range(n):
        for j in range(n):
            both = balls.plus(gram[i, i], gram[j, j])
            out[i, j] = balls.plus(out[i, j], both)
    return out


# --- Centred at the mean of all points -----------------------------------------------


@route
def centred(c):
    return _centred(squares(c), _uniform(c.n))


@route
def rank_centred(c):
    return fmpq(balls.rank(centred(c)))


@route
def centred_last(c):
    return balls.eigenvalues(centred(c))[c.k - 1]


@route
def gram_Y(c):
    return _gram(centred(c), c.k)


@route
def squares_Y(c):
    return _distances(gram_Y(c))


@route
def squares_Z(c):
    Z = c.chosen("placed")
    return _distances(Z.transpose() * Z)


# --- Other distances -----------------------------------------------------------------


@route
def other_centred(c):
    return _centred(other_squares(c), _uniform(c.n))


@route
def distance_share(c):
    D, other = squares(c), other_squares(c)
    shares = [fmpq(0)]
    for a, b in zip(D.entries(), other.entries(), strict=True):
        if a == 0 and b != 0:
            raise Unknown("a share of a distance of zero")
        if a > 0:
            ratio = balls.square_root(balls.divide(b, a))
            shares.append(abs(balls.plus(ratio, fmpq(-1))))
    return balls.largest(shares)


def moved(*parts):
    """How far the coordinates of two matrices are from one another, turned.

    Each part is a matrix, of whose leading eigenvalues above zero a number is taken,
    and that number.  The square is ``tr A + tr B - 2 |A^1/2 B^1/2|_*``; the squares of
    these singular values are the eigenvalues of ``A B``.
    """
    A, B = (_gram(M, k) for M, k in parts)
    if isinstance(A, fmpq_mat) and isinstance(B, fmpq_mat):
        squares = (x for x, times in balls.roots(A * B) for _ in range(times))
        shared = balls.total(balls.square_root(x) for x in squares)
    else:
        roots = [_on_leading(M, balls.square_root, k) for M, k in parts]
        shared = balls.total(balls.singular_values(balls.multiply(*roots)))
    both = balls.plus(balls.trace(A), balls.trace(B))
    return balls.square_root(balls.plus(both, balls.times(fmpq(-2), shared)))


@route
def moved_Z(c):
    Z = c.chosen("placed")
    return moved((centred(c), c.k), (Z.transpose() * Z, c.n))


@route
def moved_Y(c):
    return moved((centred(c), c.k), (other_centred(c), c.k))


# --- Centred at the mean of the landmarks ---------------------------------------------


def _rows(c):
    return range(c.n)


@route
def landmark_squares(c):
    return balls.part(squares(c), _rows(c), c.landmarks)


@route
def core_squares(c):
    return balls.part(squares(c), c.landmarks, c.landmarks)


def _mean_of_landmarks(c):
    return [fmpq(c.landmarks.count(j), c.l) for j in _rows(c)]


@route
def single(c):
    far, between = landmark_squares(c), core_squares(c)
    means = [balls.total(balls.column(between, j)) / c.l for j in range(c.l)]
    return fmpq(-1, 2) * (far - fmpq_mat([means] * c.n))


@route
def double(c):
    H = balls.identity(c.l) - fmpq_mat([_uniform(c.l)] * c.l)
    return single(c) * H


@route
def landmark_centred(c):
    return _centred(squares(c), _mean_of_landmarks(c))


@route
def landmark_columns(c):
    return balls.part(landmark_centred(c), _rows(c), c.landmarks)


@route
def landmark_core(c):
    return _centred(core_squares(c), _uniform(c.l))


@route
def landmark_core_inverse(c):
    return _on_leading(landmark_core(c), lambda x: balls.divide(fmpq(1), x), c.k)


@route
def landmark_map(c):
    """Vectors over the roots of their eigenvalues, and rows of zeros."""
    W = landmark_core(c)
    count = _positive(W, c.k)
    values = balls.eigenvalues(W)[:count]
    rows = []
    for value, u in zip(values, unit_eigenvectors(W, count), strict=True):
        root = balls.square_root(value)
        rows.append([balls.divide(x, root) for x in u])
    return from_columns(rows, c.l, c.k).transpose()


@route
def rank_landmark_core(c):
    return fmpq(balls.rank(landmark_core(c)))


@route
def rank_single(c):
    return fmpq(balls.rank(single(c)))


@route
def rank_double(c):
    return fmpq(balls.rank(double(c)))


@route
def squares_from_landmarks(c):
    C, core = landmark_columns(c), landmark_core_inverse(c)
    return _distances(balls.multiply(C, core, C.transpose()))


# --- Coordinates from landmarks ------------------------------------------------------


@route
def moved_by_landmarks(c):
    return moved((c.K, c.n), (full_approximation(c), c.n))


@route
def squares_of_K(c):
    return _distances(c.K)


@route
def squares_of_landmarks(c):
    return _distances(full_approximation(c))


@route
def cut_to_k(c):
    return _gram(full_approximation(c), c.k)
