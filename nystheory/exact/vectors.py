"""Routes for the eigenvectors of the core and the singular vectors of the columns.

The first entry of a vector that is not zero is positive; of a vector on all points,
that of the vector of the sample which it belongs to.
"""

from flint import arb, arb_mat, fmpq, fmpq_mat

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.matrix_functions import function_of
from nystheory.exact.routes import route


def unit_eigenvectors(A, count):
    """The leading eigenvectors of a symmetric matrix to eigenvalues above zero.

    Raises
    ------
    Unknown
        At a tie, where they are a choice.
    """
    spectrum, out = balls.roots(A), []
    for value, multiplicity in spectrum:
        if value <= 0 or len(out) == count:
            break
        if multiplicity > 1:
            raise Unknown("a tie: the eigenvectors are a choice")
        out.append(_from_projector(_projector(A, value, spectrum)))
    return out


def _projector(A, value, spectrum):
    """The projector on an eigenspace, by Lagrange's product."""
    P = balls.identity(A.nrows())
    for other, _ in spectrum:
        if other is not value:
            step = balls.divide(fmpq(1), balls.plus(value, -other))
            rest = balls.subtract(A, balls.multiply(other, balls.identity(A.nrows())))
            P = balls.multiply(P, rest, step)
    return P


def _from_projector(P):
    """The unit vector u of ``P = u u'``."""
    j = _first([P[j, j] for j in range(P.nrows())])
    length = balls.square_root(P[j, j])
    return [balls.divide(x, length) for x in balls.column(P, j)]


def _first(entries):
    """Where the first entry stands that is not zero."""
    for j, x in enumerate(entries):
        if isinstance(x, arb) and x.contains(0) and x.rad() > 0:
            raise Unknown("an entry that may be zero")
        if x != 0:
            return j
    raise Unknown("a vector of zeros")


def from_columns(columns, rows, count):
    """A matrix with these columns, and columns of zeros up to a count."""
    columns = columns + [[fmpq(0)] * rows] * (count - len(columns))
    if not columns:
        return balls.zeros(rows, 0)
    enclosed = any(isinstance(x, arb) for column in columns for x in column)
    entries = [[column[i] for column in columns] for i in range(rows)]
    if enclosed:
        return arb_mat([[balls.ball(x) for x in line] for line in entries])
    return fmpq_mat(entries)


def inverted(values):
    """The diagonal matrix of one over each value that is not zero."""
    return balls.diagonal(
        [fmpq(0) if x == 0 else balls.divide(fmpq(1), x) for x in values]
    )


# --- The core ------------------------------------------------------------------------


def _values(c):
    return balls.eigenvalues(c.W)[: c.k]


@route
def core_values(c):
    return balls.diagonal(_values(c))


@route
def core_last(c):
    return _values(c)[-1]


@route
def core_next(c):
    return balls.eigenvalues(c.W)[c.k] if c.k < c.l else fmpq(0)


@route
def core_vectors(c):
    return from_columns(unit_eigenvectors(c.W, c.k), c.l, c.k)


def roots_of_inverses(values, count):
    """One over the root of each value above zero, zeros up to a count."""
    values = [*values, *[fmpq(0)] * (count - len(values))]
    return balls.diagonal([_root_of_inverse(x) for x in values])


def _root_of_inverse(x):
    if x <= 0:
        return fmpq(0)
    return balls.divide(fmpq(1), balls.square_root(x))


@route
def core_roots(c):
    return roots_of_inverses(_values(c), c.k)


@route
def core_inverse(c):
    return c.core


def _choice(c, name):
    """A choice of eigenvectors that the case brings along, if it is one."""
    U = c.chosen(name)
    orthonormal = balls.multiply(U.transpose(), U) == balls.identity(c.k)
    if not orthonormal or c.W * U != balls.multiply(U, core_values(c)):
        raise Unknown(f"{name}: no leading orthonormal eigenvectors of the core")
    return U


@route
def one_choice(c):
    return _choice(c, "one_choice")


@route
def other_choice(c):
    return _choice(c, "other_choice")


# --- The Nyström method --------------------------------------------------------------


@route
def projector(c):
    X_S = balls.part(c.points, range(c.points.nrows()), c.landmarks)
    return function_of(X_S * X_S.transpose(), lambda x: fmpq(1), c.k)


@route
def rank_approximation(c):
    return fmpq(balls.rank(c.approximation))


@route
def K_21(c):
    others = [j for j in range(c.n) if j not in c.landmarks]
    return balls.part(c.K, others, c.landmarks)


@route
def nystrom_values(c):
    return balls.multiply(fmpq(c.n, c.l), core_values(c))


def _extended(c):
    """``U_{W,k} Sigma_{W,k}^+``: what C extends to all points."""
    return balls.multiply(core_vectors(c), inverted(_values(c)))


@route
def nystrom_vectors(c):
    scale = balls.square_root(fmpq(c.l, c.n))
    return balls.multiply(c.C, _extended(c), scale)


@route
def nystrom_gram(c):
    B, CC = _extended(c), c.C.transpose() * c.C
    return balls.multiply(B.transpose(), CC, B, fmpq(c.l, c.n))


# --- Column-sampling -----------------------------------------------------------------


@route
def rank_C(c):
    return fmpq(balls.rank(c.C))


def _singular(c, gram, factor):
    """Roots of a factor times the eigenvalues of a Gram matrix that are not zero."""
    values = balls.eigenvalues(gram)[: balls.rank(c.C)]
    return balls.diagonal([balls.square_root(balls.times(factor, x)) for x in values])


@route
def Sigma_C(c):
    return _singular(c, c.C.transpose() * c.C, fmpq(1))


@route
def V_C(c):
    r = balls.rank(c.C)
    return from_columns(unit_eigenvectors(c.C.transpose() * c.C, r), c.l, r)


@route
def column_values(c):
    return _singular(c, c.C * c.C.transpose(), fmpq(c.n, c.l))


@route
def column_vectors(c):
    """Eigenvectors of ``C C'``, with the signs of the right singular vectors."""
    r, signed = balls.rank(c.C), []
    for u in unit_eigenvectors(c.C * c.C.transpose(), r):
        right = balls.multiply(c.C.transpose(), from_columns([u], c.n, 1)).entries()
        positive = right[_first(right)] > 0
        signed.append(u if positive else [-x for x in u])
    return from_columns(signed, c.n, r)


@route
def leading_V_C(c):
    return from_columns(unit_eigenvectors(c.C.transpose() * c.C, c.k), c.l, c.k)


@route
def column_roots(c):
    squares = balls.eigenvalues(c.C.transpose() * c.C)[: min(c.k, balls.rank(c.C))]
    return roots_of_inverses([balls.square_root(x) for x in squares], c.k)
