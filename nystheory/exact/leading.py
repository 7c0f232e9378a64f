"""Routes for the leading directions, and what a sample sees of them.

Single eigenvectors come from Lagrange's product, as balls, where their eigenvalue is
simple.
"""

from flint import fmpq, fmpq_mat

from nystheory.exact import arithmetic as exact
from nystheory.exact.arithmetic import Unknown
from nystheory.exact.matrix_functions import function_of
from nystheory.exact.routes import route


def _leading(c):
    """The projector on the k leading eigenvectors."""
    if c.k > exact.rank(c.K):
        raise Unknown("fewer directions than the rank asked for")
    return function_of(c.K, lambda _: fmpq(1), c.k)


def _scores(c):
    P = _leading(c)
    return [P[i, i] for i in range(c.n)]


@route
def leading_coherence(c):
    return exact.times(fmpq(c.n, c.k), exact.largest(_scores(c)))


@route
def score_share(c):
    p = c.chosen("probabilities")
    pairs = [(p[0, i], x) for i, x in enumerate(_scores(c)) if x != 0]
    return exact.smallest([exact.divide(c.k * chance, x) for chance, x in pairs])


@route
def head_seen(c):
    """The k-th eigenvalue of a block of the projector is the square."""
    if c.k > c.l:
        return fmpq(0)
    P = exact.symmetric_part(_leading(c))
    block = exact.part(P, c.landmarks, c.landmarks)
    return exact.square_root(exact.positive(exact.eigenvalues(block)[c.k - 1]))


def _mixed(c):
    """``U_1 G' G U_1'``, which has the eigenvalues of ``G' G`` and zeros.

    It is ``(Q^+)' K_2[S, S] Q^+`` with ``Q = P[:, S]``, P the projector on the head
    and ``K_2 = K - P K``.
    """
    P, S = _leading(c), c.landmarks
    rest = exact.subtract(c.K, exact.multiply(P, c.K))
    half = _inverse_of_seen(P, S, c.k)
    block = exact.part(rest, S, S)
    return exact.symmetric_part(exact.multiply(half.transpose(), block, half))


def _inverse_of_seen(P, S, k):
    """The pseudo-inverse of ``P[:, S]``, for balls from a full-rank factorisation.

    Columns J are a basis of the head, ``T = P[:, J]``, and ``R = P[J, S]`` has full row
    rank: then it is ``R' (R R')^-1 T'``.
    """
    everything = range(P.nrows())
    if isinstance(P, fmpq_mat):
        return exact.pseudo_inverse(exact.part(P, everything, S))
    J = _independent(P, k)
    T, R = exact.part(P, everything, J), exact.part(P, J, S)
    gram = exact.inverse(R * R.transpose())
    return R.transpose() * gram * T.transpose()


def _independent(P, k):
    """Indices of k columns of a projector with a block that is surely regular."""
    kept = []
    for j in range(P.nrows()):
        block = exact.part(P, [*kept, j], [*kept, j])
        if len(kept) < k and (block.det() > 0):
            kept.append(j)
    if len(kept) < k:
        raise Unknown("no columns that are surely independent")
    return kept


@route
def G_2(c):
    return exact.square_root(exact.positive(exact.norm(_mixed(c))))


@route
def G_F(c):
    return exact.square_root(exact.positive(exact.trace(_mixed(c))))


@route
def G_gram_F(c):
    return exact.frobenius(_mixed(c))


def _running(values):
    """Sums of the first, of the first two, and so on."""
    sums = []
    for value in values:
        sums.append(exact.plus(sums[-1], value) if sums else value)
    return sums


@route
def ky_fan_E(c):
    inverse = exact.pseudo_inverse(c.W)
    E = exact.subtract(c.K, exact.multiply(c.C, inverse, c.C.transpose()))
    return _running(exact.eigenvalues(exact.symmetric_part(E)))


@route
def ky_fan_tail(c):
    return _running([*c.spectrum[c.k :], *[fmpq(0)] * c.k][: c.n])


@route
def ky_fan_G(c):
    return _running(exact.eigenvalues(_mixed(c)))
