"""Routes for Laplacians of weighted graphs, and labels that are spread over one."""

from flint import arb_mat, fmpq, fmpq_mat

from nystheory.exact import arithmetic as exact
from nystheory.exact.arithmetic import Unknown
from nystheory.exact.manifolds import mirrored
from nystheory.exact.matrix_functions import function_of
from nystheory.exact.routes import route


def _laplacian(c, name, itself):
    """Of the edges above the diagonal, whose weights count in modulus."""
    if name not in c.given:
        return itself(c)
    A, L = c.given[name], exact.zeros(c.n, c.n)
    for i in range(c.n):
        for j in range(i + 1, c.n):
            weight = abs(A[i, j])
            L[i, i] += weight
            L[j, j] += weight
            L[i, j] -= weight
            L[j, i] -= weight
    return L


@route
def laplacian(c):
    return _laplacian(c, "edges", lambda c: c.K)


@route
def other_laplacian(c):
    return _laplacian(c, "other_edges", lambda c: c.chosen("other_laplacian"))


def _second_smallest(L):
    if L.nrows() < 2:
        raise Unknown("one vertex has no second eigenvalue")
    return exact.eigenvalues(L)[-2]


@route
def lambda_2(c):
    return _second_smallest(laplacian(c))


@route
def other_lambda_2(c):
    return _second_smallest(other_laplacian(c))


@route
def laplacian_change(c):
    return exact.norm(exact.subtract(other_laplacian(c), laplacian(c)))


@route
def label_vector(c):
    if len(set(c.landmarks)) < len(c.landmarks):
        raise Unknown("a vertex that is labelled twice")
    y, padded = c.chosen("y"), exact.zeros(c.n, 1)
    for place, i in enumerate(c.landmarks):
        padded[i, 0] = y[place, 0]
    return padded


def _spread(c, L):
    """From the conditions of optimality, with a multiplier for the hyperplane."""
    n, y = c.n, label_vector(c)
    A, right = fmpq_mat(n + 1, n + 1), fmpq_mat(n + 1, 1)
    for i in range(n):
        A[i, n] = A[n, i] = 1
        for j in range(n):
            A[i, j] = c.l / c.chosen("label_weight") * L[i, j]
        right[i, 0] = y[i, 0]
    for i in c.landmarks:
        A[i, i] += 1
    solved = exact.inverse(A) * right
    return exact.part(solved, range(n), [0])


@route
def graph_change(c):
    both = (_spread(c, L) for L in (laplacian(c), other_laplacian(c)))
    return exact.frobenius(exact.subtract(*both))


# --- Laplacian eigenmaps -------------------------------------------------------------


def _affinities(c):
    return mirrored(c.chosen("affinities"))


def _degrees(c):
    A = _affinities(c)
    return [exact.total(A[i, j] for j in range(A.ncols())) for i in range(A.nrows())]


@route
def least_degree(c):
    return exact.smallest(_degrees(c))


def _between_roots(c, A, over):
    """``a_ij`` times the root of the degree of i, and over or times that of j."""
    d, n = _degrees(c), c.n
    out = arb_mat(n, n)
    for i in range(n):
        for j in range(n):
            other = exact.divide(fmpq(1), d[j]) if over else d[j]
            factor = exact.square_root(exact.times(d[i], other))
            out[i, j] = exact.ball(exact.times(A[i, j], factor))
    return out


def _walk(c):
    """``I - Delta^-1 A``: similar to the normalised Laplacian, and of fractions."""
    steps = exact.diagonal([exact.divide(fmpq(1), d) for d in _degrees(c)])
    return exact.identity(c.n) - steps * _affinities(c)


@route
def normalised_laplacian(c):
    return _between_roots(c, _walk(c), over=True)


@route
def edge_sum(c):
    Z, A, d, terms = c.chosen("placed"), _affinities(c), _degrees(c), []
    for i in range(c.n):
        for j in range(c.n):
            for r in range(Z.nrows()):
                mixed = Z[r, i] * Z[r, j]
                root = exact.square_root(exact.times(d[i], d[j]))
                near = exact.times(fmpq(-2) * mixed, exact.divide(fmpq(1), root))
                both = Z[r, i] ** 2 / d[i] + Z[r, j] ** 2 / d[j]
                terms.append(exact.times(A[i, j], exact.plus(both, near)))
    return exact.total(terms)


@route
def bottom(c):
    """By the walk, whose first eigenvector is moved out of the way to zero."""
    d = _degrees(c)
    first = fmpq_mat([d] * c.n) * (1 / exact.total(d))
    turned = 3 * (exact.identity(c.n) - first) - _walk(c)
    kept = function_of(turned, lambda x: fmpq(1), c.k)
    return exact.symmetric_part(_between_roots(c, kept, over=True))


@route
def competing(c):
    """The projector on the rows that are level: without the first eigenvector."""
    M, d = arb_mat(c.chosen("directions")), _degrees(c)
    root = arb_mat([[exact.ball(exact.square_root(x)) for x in d]])
    first = root.transpose() * root * (1 / exact.ball(exact.total(d)))
    rows = M * (arb_mat(exact.identity(c.n)) - first)
    gram = exact.inverse(exact.symmetric_part(rows * rows.transpose()))
    return exact.symmetric_part(rows.transpose() * gram * rows)


def _printed_sum(c, P):
    S = exact.subtract(exact.identity(c.n), normalised_laplacian(c))
    terms = []
    for i in range(c.n):
        for j in range(c.n):
            both = exact.plus(P[i, i], P[j, j])
            apart = exact.plus(both, exact.times(fmpq(-2), P[i, j]))
            terms.append(exact.times(S[i, j], apart))
    return exact.total(terms)


@route
def printed_sum_Y(c):
    return _printed_sum(c, bottom(c))


@route
def printed_sum_V(c):
    return _printed_sum(c, competing(c))
