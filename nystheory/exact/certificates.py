"""Routes for what the approximation from the whole core misses."""

from nystheory.exact import arithmetic as exact
from nystheory.exact.routes import route


@route
def full_approximation(c):
    return exact.multiply(c.C, exact.pseudo_inverse(c.W), c.C.transpose())


@route
def E(c):
    return exact.symmetric_part(exact.subtract(c.K, full_approximation(c)))


@route
def norm_E(c):
    return exact.norm(E(c))


@route
def trace_E(c):
    return exact.trace(E(c))
