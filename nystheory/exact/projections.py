"""Routes for the projections and the reconstructions from sampled columns."""

from flint import arb_mat, fmpq

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.matrix_functions import eliminated, function_of, truncated_inverse
from nystheory.exact.routes import route


def leading(A, k):
    """The projector on the k leading eigenvectors to nonzero eigenvalues."""
    if k >= balls.rank(A):
        return A * balls.pseudo_inverse(A)
    return function_of(A, lambda x: fmpq(1), k)


def _on_range(B):
    """The projector on the range of a matrix."""
    return balls.multiply(B, balls.pseudo_inverse(B))


def _others(c):
    return [j for j in range(c.n) if j not in c.landmarks]


def _gram(c):
    return c.C.transpose() * c.C


def _sampled(c):
    """The sampled points."""
    return balls.part(c.points, range(c.points.nrows()), c.landmarks)


# --- Pairs of vectors and values -----------------------------------------------------


@route
def pair_values(c):
    return balls.diagonal(c.chosen("pair_values").entries())


@route
def rank_pairs(c):
    return fmpq(balls.rank(c.chosen("pair_vectors")))


# --- Matrix projection ---------------------------------------------------------------


@route
def gram_inverse(c):
    return truncated_inverse(_gram(c), c.k)


@route
def column_projection(c):
    """By the leading eigenvectors of ``C C'``, which are the left vectors of C."""
    return balls.multiply(leading(c.C * c.C.transpose(), c.k), c.K)


@route
def nystrom_projection(c):
    """With ``U U'`` for the vectors ``sqrt(l / n) C U_W Sigma_W^+``."""
    inverse = truncated_inverse(c.W * c.W, c.k)
    projected = balls.multiply(c.C, inverse, c.C.transpose(), c.K)
    return balls.multiply(projected, fmpq(c.l, c.n))


@route
def P_C(c):
    return _on_range(c.C)


@route
def competitor(c):
    P = _on_range(c.C)
    return P * balls.symmetric_part(c.chosen("G")) * P


@route
def other_columns(c):
    return balls.part(c.K, range(c.n), _others(c))


@route
def landmarks_first(c):
    return tuple(c.landmarks) == tuple(range(c.l))


@route
def QQ(c):
    """On the range of C times the leading eigenvectors of W."""
    return _on_range(balls.multiply(c.C, leading(c.W, c.k)))


# --- Spectral reconstruction ---------------------------------------------------------


@route
def K_22(c):
    return balls.part(c.K, _others(c), _others(c))


@route
def schur(c):
    """By Gauss's elimination."""
    return balls.part(eliminated(c.K, c.landmarks), _others(c), _others(c))


@route
def root_inverse(c):
    def one_over_root(x):
        return balls.divide(fmpq(1), balls.square_root(x))

    return function_of(_gram(c), one_over_root, c.k)


@route
def K_col(c):
    """By the eigenvectors of ``C C'``."""
    root = function_of(c.C * c.C.transpose(), balls.square_root, c.k)
    return balls.multiply(root, balls.square_root(fmpq(c.n, c.l)))


@route
def relative_accuracy(c):
    tail = balls.total(balls.times(x, x) for x in c.spectrum[c.k :])
    return balls.divide(balls.square_root(tail), balls.frobenius(c.error))


# --- The common form -----------------------------------------------------------------


@route
def column_core(c):
    X_S, factor = _sampled(c), balls.square_root(fmpq(c.n, c.l))
    return balls.multiply(X_S, root_inverse(c), X_S.transpose(), factor)


@route
def size_column_core(c):
    return fmpq(balls.rank(_sampled(c)))


@route
def rank_column_core(c):
    """``X_S F X_S'`` with F semidefinite has the rank of ``X_S P``, P on F's range."""
    return fmpq(balls.rank(balls.multiply(_sampled(c), leading(_gram(c), c.k))))


# --- The optimal core ----------------------------------------------------------------


@route
def coordinates(c):
    return fmpq(c.points.nrows())


def _directions(c):
    """The projector on the k leading directions of the sampled points."""
    X_S = _sampled(c)
    return leading(X_S * X_S.transpose(), c.k)


@route
def given_core(c):
    P = _directions(c)
    return balls.multiply(P, c.chosen("G"), P)


@route
def best_core(c):
    """The least squares solution G of ``K = B G B'`` with ``B = X' P``."""
    back = balls.pseudo_inverse(balls.multiply(c.points.transpose(), _directions(c)))
    return balls.multiply(back, c.K, back.transpose())


@route
def optimum(c):
    X = c.points
    return balls.multiply(X.transpose(), best_core(c), X)


def _moment(c, power):
    P, X = _directions(c), c.points
    M = X * X.transpose()
    return balls.multiply(P, *[M] * power, P)


@route
def second_moment(c):
    return _moment(c, 1)


@route
def fourth_moment(c):
    return _moment(c, 2)


@route
def least_of_basis(c):
    moment = balls.symmetric_part(_moment(c, 1))
    return balls.square_root(balls.eigenvalues(moment)[c.k - 1])


@route
def invariant(c):
    P, X = _directions(c), c.points
    moved = balls.multiply(X, X.transpose(), P)
    leaves = balls.subtract(moved, balls.multiply(P, moved))
    if isinstance(leaves, arb_mat):
        if all(x.contains(0) for x in leaves.entries()):
            raise Unknown("whether a matrix of balls is zero")
        return False
    return all(x == 0 for x in leaves.entries())
