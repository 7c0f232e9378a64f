"""Routes for Laplacians of weighted graphs, and labels that are spread over one."""

from flint import fmpq_mat

from nystheory.exact import arithmetic as exact
from nystheory.exact.arithmetic import Unknown
from nystheory.exact.routes import chosen, route

chosen("label_weight")


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
    return _laplacian(c, "other_edges", lambda c: c.chosen("other"))


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
