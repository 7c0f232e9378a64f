"""Routes for kernel principal components: residuals and leading subspaces."""

from collections import Counter

from flint import fmpq

from nystheory.exact import arithmetic as exact
from nystheory.exact.projections import leading
from nystheory.exact.routes import route
from nystheory.exact.two_kernels import other

# --- What the leading directions leave -----------------------------------------------


def _left_out(A, k):
    """What k leading directions leave of the trace, for each point.

    Of a tie at the cut every choice leaves as much.
    """
    head = exact.total(exact.eigenvalues(A)[:k])
    return exact.divide(exact.plus(exact.trace(A), -head), fmpq(A.nrows()))


@route
def residual(c):
    return _left_out(c.K, c.k)


@route
def other_residual(c):
    return _left_out(other(c), c.k)


@route
def other_tail(c):
    return exact.total(exact.eigenvalues(other(c))[c.k :])


@route
def other_core(c):
    return exact.part(other(c), c.landmarks, c.landmarks)


@route
def sample_residual(c):
    return _left_out(c.W, c.k)


@route
def other_sample_residual(c):
    return _left_out(other_core(c), c.k)
