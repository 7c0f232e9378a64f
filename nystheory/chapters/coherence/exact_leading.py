"""Routes for the leading directions, and what a sample sees of them.

Single eigenvectors come from Lagrange's product, as balls, where their eigenvalue is
simple.
"""

from flint import fmpq, fmpq_mat

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.matrix_functions import function_of
from nystheory.exact.routes import route


def _leading(c):
    """The projector on the k leading eigenvectors."""
    if c.k > balls.rank(c.K):
        raise Unknown("fewer directions than the rank asked for")
    return function_of(c.K, lambda _: fmpq(1), c.k)


def _scores(c):
    P = _leading(c)
    return [P[i, i] for i in range(c.n)]


@route
def leading_coherence(c):
    return balls.times(fmpq(c.n, c.k), balls.largest(_scores(c)))


@route
def score_share(c):
    p = c.chosen("probabilities")
    pairs = [(p[0, i], x) for i, x in enumerate(_scores(c)) if x != 0]
    return balls.smallest([balls.divide(c.k * chance, x) for chance, x in pairs])


@route
def head_seen(c):
    """The k-th eigenvalue of a block of the projector is the square."""
    if c.k > c.l:
        return fmpq(0)
    P = balls.symmetric_part(_leading(c))
    block = balls.part(P, c.landmarks, c.landmarks)
    return balls.square_root(balls.positive(balls.eigenvalues(block)[c.k - 1]))


def _mixed(c):
    """``U_1 G' G U_1'``, which has the eigenvalues of ``G' G`` and zeros.

    It is ``(Q^+)' K_2[S, S] Q^+`` with ``Q = P[:, S]``, P the projector on the head
    and ``K_2 = K - P K``.
    """
    P, S = _leading(c), c.landmarks
    rest = balls.subtract(c.K, balls.multiply(P, c.K))
    half = _inverse_of_seen(P, S, c.k)
    block = balls.part(rest, S, S)
    return balls.symmetric_part(balls.multiply(half.transpose(), block, half))


def _inverse_of_seen(P, S, k):
    """The pseudo-inverse of ``P[:, S]``, for balls from a full-rank factorisation.

    Columns J are a basis of the head, ``T = P[:, J]``, and ``R = P[J, S]`` has full row
    rank: then it is ``R' (R R')^-1 T'``.
    """
    everything = range(P.nrows())
    if isinstance(P, fmpq_mat):
        return balls.pseudo_inverse(balls.part(P, everything, S))
    J = _independent(P, k)
    T, R = balls.part(P, everything, J), balls.part(P, J, S)
    gram = balls.inverse(R * R.transpose())
    return R.transpose() * gram * T.transpose()


def _independent(P, k):
    """Indices of k columns of a projector with a block that is surely regular."""
    kept = []
    for j in range(P.nrows()):
        block = balls.part(P, [*kept, j], [*kept, j])
        if len(kept) < k and (block.det() > 0):
            kept.append(j)
    if len(kept) < k:
        raise Unknown("no columns that are surely independent")
    return kept


@route
def G_2(c):
    return balls.square_root(balls.positive(balls.norm(_mixed(c))))


@route
def G_F(c):
    return balls.square_root(balls.positive(balls.trace(_mixed(c))))


@route
def G_gram_F(c):
    return balls.frobenius(_mixed(c))


def _running(values):
    """Sums of the first, of the first two, and so on."""
    sums = []
    for value in values:
        sums.append(balls.plus(sums[-1], value) if sums else value)
    return sums


@route
def ky_fan_E(c):
    inverse = balls.pseudo_inverse(c.W)
    E = balls.subtract(c.K, balls.multiply(c.C, inverse, c.C.transpose()))
    return _running(balls.eigenvalues(balls.symmetric_part(E)))


@route
def ky_fan_tail(c):
    return _running([*c.spectrum[c.k :], *[fmpq(0)] * c.k][: c.n])


@route
def ky_fan_G(c):
    return _running(balls.eigenvalues(_mixed(c)))
