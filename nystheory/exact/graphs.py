"""Routes for Laplacians of weighted graphs, and labels that are spread over one."""

from flint import arb_mat, fmpq, fmpq_mat

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.manifolds import mirrored
from nystheory.exact.matrix_functions import function_of
from nystheory.exact.routes import route


def _laplacian(c, name, itself):
    """Of the edges above the diagonal, whose weights count in modulus."""
    if name not in c.given:
        return itself(c)
    A, L = c.given[name], balls.zeros(c.n, c.n)
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
    return balls.eigenvalues(L)[-2]


@route
def lambda_2(c):
    return _second_smallest(laplacian(c))


@route
def other_lambda_2(c):
    return _second_smallest(other_laplacian(c))


@route
def laplacian_change(c):
    return balls.norm(balls.subtract(other_laplacian(c), laplacian(c)))


@route
def label_vector(c):
    if len(set(c.landmarks)) < len(c.landmarks):
        raise Unknown("a vertex that is labelled twice")
    y, padded = c.chosen("y"), balls.zeros(c.n, 1)
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
    solved = balls.inverse(A) * right
    return balls.part(solved, range(n), [0])


@route
def graph_change(c):
    both = (_spread(c, L) for L in (laplacian(c), other_laplacian(c)))
    return balls.frobenius(balls.subtract(*both))


# --- Laplacian eigenmaps -------------------------------------------------------------


def _affinities(c):
    return mirrored(c.chosen("affinities"))


def _degrees(c):
    A = _affinities(c)
    return [balls.total(A[i, j] for j in range(A.ncols())) for i in range(A.nrows())]


@route
def least_degree(c):
    return balls.smallest(_degrees(c))


def _between_roots(c, A, over):
    """``a_ij`` times the root of the degree of i, and over or times that of j."""
    d, n = _degrees(c), c.n
    out = arb_mat(n, n)
    for i in range(n):
        for j in range(n):
            other = balls.divide(fmpq(1), d[j]) if over else d[j]
            factor = balls.square_root(balls.times(d[i], other))
            out[i, j] = balls.ball(balls.times(A[i, j], factor))
    return out


def _walk(c):
    """``I - Delta^-1 A``: similar to the normalised Laplacian, and of fractions."""
    steps = balls.diagonal([balls.divide(fmpq(1), d) for d in _degrees(c)])
    return balls.identity(c.n) - steps * _affinities(c)


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
                root = balls.square_root(balls.times(d[i], d[j]))
                near = balls.times(fmpq(-2) * mixed, balls.divide(fmpq(1), root))
                both = Z[r, i] ** 2 / d[i] + Z[r, j] ** 2 / d[j]
                terms.append(balls.times(A[i, j], balls.plus(both, near)))
    return balls.total(terms)


@route
def bottom(c):
    """By the walk, whose first eigenvector is moved out of the way to zero."""
    d = _degrees(c)
    first = fmpq_mat([d] * c.n) * (1 / balls.total(d))
    turned = 3 * (balls.identity(c.n) - first) - _walk(c)
    kept = function_of(turned, lambda x: fmpq(1), c.k)
    return balls.symmetric_part(_between_roots(c, kept, over=True))


@route
def competing(c):
    """The projector on the rows that are level: without the first eigenvector."""
    M, d = arb_mat(c.chosen("directions")), _degrees(c)
    root = arb_mat([[balls.ball(balls.square_root(x)) for x in d]])
    first = root.transpose() * root * (1 / balls.ball(balls.total(d)))
    rows = M * (arb_mat(balls.identity(c.n)) - first)
    gram = balls.inverse(balls.symmetric_part(rows * rows.transpose()))
    return balls.symmetric_part(rows.transpose() * gram * rows)


def _printed_sum(c, P):
    S = balls.subtract(balls.identity(c.n), normalised_laplacian(c))
    terms = []
    for i in range(c.n):
        for j in range(c.n):
            both = balls.plus(P[i, i], P[j, j])
            apart = balls.plus(both, balls.times(fmpq(-2), P[i, j]))
            terms.append(balls.times(S[i, j], apart))
    return balls.total(terms)


@route
def printed_sum_Y(c):
    return _printed_sum(c, bottom(c))


@route
def printed_sum_V(c):
    return _printed_sum(c, competing(c))
